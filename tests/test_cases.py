"""Hostile and careless submissions, graded as one class beside an honest one, on each rung that is a sandbox."""

import csv
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import grader
from grader.feedback import report_text
from grader.kit import SOLUTIONS
from grader.results import FORMULA, FUNCTIONS_CSV, GRADES_CSV, report_name
from grader.sandbox import Rung, best_rung, why_not
from tests.cases import HONEST, Case, course, honest
from tests.cases.hostile import HOSTILE
from tests.cases.run import CANARY, CASES, TABLE, Graded, grade, graded, table

HOSTILE_CASES = [case for cases in HOSTILE.values() for case in cases]
RUNGS = (Rung.BUBBLEWRAP, Rung.LANDLOCK)


@pytest.fixture(scope="module")
def graded_on(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Rung], Graded]:
    """Grades the class of a rung, once."""
    return cache(lambda rung: graded(tmp_path_factory.mktemp(rung.value), rung))


@pytest.fixture(params=RUNGS, ids=lambda rung: rung.value)
def found(request: pytest.FixtureRequest, graded_on: Callable[[Rung], Graded]) -> Graded:
    """The class of a rung, graded. Where the rung does not work the tests are skipped, never in CI."""
    if reason := why_not(request.param):
        missing = f"{request.param.value} does not work here: {reason}"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return graded_on(request.param)


@pytest.mark.parametrize(
    ("found", "case"),
    [pytest.param(rung, case, id=f"{rung.value}-{case.name}") for rung in RUNGS for case in CASES],
    indirect=["found"],
)
def test_case(found: Graded, case: Case) -> None:
    report = found.reports[case.who]
    verdicts = {function.function: function.verdict for function in report.functions}
    assert verdicts == {name: case.verdict(name) for name in verdicts}, report_text(report, "counterexample")
    text = report_text(report, "property")
    assert re.search(case.says, text), text


def test_the_run_is_fine_and_everybody_has_a_report(found: Graded) -> None:
    assert found.code == 0, found.errors
    assert sorted(found.reports) == sorted([HONEST, *(case.who for case in found.cases)])
    assert len({case.who for case in CASES}) == len(CASES)


def test_the_honest_submission_gets_what_it_gets_alone(found: Graded, tmp_path: Path) -> None:
    honest(tmp_path / "class")
    grade(tmp_path / "class", tmp_path / "alone", course(tmp_path), best_rung())
    alone, beside = (out / f"{HONEST}.json" for out in (tmp_path / "alone", found.out))
    sandbox = re.compile(r'"sandbox": "\w+"')
    assert sandbox.sub("", alone.read_text("utf-8")) == sandbox.sub("", beside.read_text("utf-8"))


def test_nothing_got_out(found: Graded) -> None:
    assert found.connections == 0


def test_nothing_is_left_of_the_run_but_its_results(found: Graded) -> None:
    assert found.processes == ()
    assert found.altered == ()
    names = {report_name(student) for student in found.reports} | {FUNCTIONS_CSV, GRADES_CSV}
    assert {path.name for path in found.out.iterdir()} == names


def test_no_cell_is_a_formula_and_every_row_has_its_student(found: Graded) -> None:
    with (found.out / FUNCTIONS_CSV).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    assert not [cell for row in rows for cell in row if cell.startswith(FORMULA)]
    assert Counter(row[0].removeprefix("'") for row in rows) == Counter(
        {student.removeprefix("'"): len(report.functions) for student, report in found.reports.items()}
    )


def test_what_is_shown_has_nothing_that_a_terminal_obeys(found: Graded) -> None:
    texts = [report_text(report, "counterexample") for report in found.reports.values()]
    texts += [path.read_text(encoding="utf-8") for path in found.out.iterdir()]
    assert not [c for text in (*texts, found.errors) for c in text if not c.isprintable() and c not in "\n\r"]


def _secrets() -> set[str]:
    """Lines that only the checks, the oracles and the reference have, and values of this machine."""
    package = Path(grader.__file__).parent
    sources = [SOLUTIONS / "attention.py", SOLUTIONS / "masking.py"]
    sources += [package / room / f"{name}.py" for room in ("checks", "oracles") for name in ("attention", "masking")]
    lines = {line.strip() for file in sources for line in file.read_text(encoding="utf-8").splitlines()}
    long = 24
    machine = {CANARY, str(package.parent), str(Path.home()), tempfile.gettempdir(), sys.prefix, sys.base_prefix}
    machine |= {*os.environ.get("PATH", "").split(":"), *(value for value in os.environ.values() if len(value) > 9)}
    return {line for line in lines if len(line) >= long} | {place for place in machine if len(place) > 3}


@pytest.mark.parametrize("case", HOSTILE_CASES, ids=[case.name for case in HOSTILE_CASES])
def test_a_report_gives_nothing_away(found: Graded, case: Case) -> None:
    report = found.reports[case.who]
    text = report_text(report, "property")
    own = {line.strip() for content in case.files.values() if isinstance(content, str) for line in content.splitlines()}
    assert not [secret for secret in _secrets() if secret in text and secret not in own]
    expected = " ".join(f.counterexample.expected for f in report.functions if f.counterexample)
    assert not [number for number in re.findall(r"\d+\.\d{3,}", expected) if number in text]


@pytest.mark.parametrize("found", [Rung.BUBBLEWRAP], indirect=True)
def test_the_table_in_the_docs_is_current(found: Graded) -> None:
    assert TABLE.read_text(encoding="utf-8") == table(found), "run: make cases"
