"""Hostile and careless submissions, graded as one class beside an honest one, on each rung that is a sandbox."""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import grader
from grader.course import read_course
from grader.feedback import report_text
from grader.kit import COURSE, SOLUTIONS
from grader.report import Report
from grader.results import FORMULA, FUNCTIONS_CSV, GRADES_CSV, report_name
from grader.sandbox import Rung, best_rung
from tests.cases import HONEST, Case, course, explained, honest, told
from tests.cases.hostile import HOSTILE
from tests.cases.hostile.files import POISONED
from tests.cases.run import CANARY, CASES, TABLE, Graded, grade, graded, table
from tests.conftest import CONFINED, require

HOSTILE_CASES = [case for cases in HOSTILE.values() for case in cases]
LONGEST = 400
"""Characters of a sentence that a student reads."""


@pytest.fixture(scope="module")
def graded_on(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Rung], Graded]:
    """Grades the class of a rung, once."""
    return cache(lambda rung: graded(tmp_path_factory.mktemp(rung.value), rung))


@pytest.fixture(params=CONFINED, ids=lambda rung: rung.value)
def found(request: pytest.FixtureRequest, graded_on: Callable[[Rung], Graded]) -> Graded:
    """The class of a rung, graded. Where the rung does not work the tests are skipped, never in CI."""
    require(request.param)
    return graded_on(request.param)


@pytest.mark.parametrize(
    ("found", "case"),
    [pytest.param(rung, case, id=f"{rung.value}-{case.name}") for rung in CONFINED for case in CASES],
    indirect=["found"],
)
def test_case(found: Graded, case: Case) -> None:
    report = found.reports[case.who]
    verdicts = {function.function: function.verdict for function in report.functions}
    assert verdicts == {name: case.verdict(name) for name in verdicts}, report_text(report, "counterexample")
    assert case.says or not case.verdicts, "it is asked for no message, and loses points"
    text = "\n".join([*told(report), *explained(report)])  # no line of the student's own is in it
    assert re.search(case.says, text), text
    for sentence in told(report):
        assert sentence.endswith((".", "?", "…"))
        assert "\n" not in sentence
        assert len(sentence) < LONGEST


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
    assert found.printed.count("\n") > len(found.cases), "the table has a line for each student"
    texts += [found.printed, found.errors]
    harmless = "\n\r\xa0"  # the table's legend keeps a number beside its name
    assert not [c for text in texts for c in text if not c.isprintable() and c not in harmless]


@cache
def _lines() -> frozenset[str]:
    """Lines that only the checks, the oracles and the reference have, and the course's secret."""
    package = Path(grader.__file__).parent
    sources = [*SOLUTIONS.glob("*.py"), *(package / f"{name}.py" for name in ("bounds", "drawing", "expect"))]
    sources += [file for room in ("checks", "oracles", "misconceptions") for file in (package / room).glob("*.py")]
    lines = {line.strip() for file in sources for line in file.read_text(encoding="utf-8").splitlines()}
    long = 24
    return frozenset({line for line in lines if len(line) >= long} | {read_course(COURSE).secret})


@cache
def _machine() -> frozenset[str]:
    """Folders and variables of this machine."""
    places = {str(Path(grader.__file__).parent.parent), str(Path.home()), tempfile.gettempdir()}
    places |= {CANARY, sys.prefix, sys.base_prefix, *os.environ.get("PATH", "").split(":")}
    places |= {value for value in os.environ.values() if len(value) > 9}
    return frozenset(place for place in places if len(place) > 3)


def _expected(report: Report) -> list[str]:
    """Numbers of expected values that nobody writes by chance."""
    values = [f.counterexample.expected for f in report.functions if f.counterexample]
    return [number for value in values for number in re.findall(r"\d+\.\d{3,}", value)]


def _without_counterexamples(text: str) -> str:
    """A report's file without what only courses show that choose to, decoded."""
    report = json.loads(text)
    for function in report["functions"]:
        function.pop("counterexample", None)
    return json.dumps(report, ensure_ascii=False, indent=0)


@pytest.mark.parametrize("case", HOSTILE_CASES, ids=[case.name for case in HOSTILE_CASES])
def test_a_report_gives_nothing_away(found: Graded, case: Case) -> None:
    report = found.reports[case.who]
    shown = report_text(report, "property")
    file = _without_counterexamples((found.out / report_name(case.who)).read_text(encoding="utf-8"))
    own = {line.strip() for content in case.files.values() if isinstance(content, str) for line in content.splitlines()}
    assert not [secret for secret in _lines() - own for text in (shown, file) if secret in text]
    shown_to_all = (shown, file, report_text(report, "counterexample"))
    assert not [place for place in _machine() for text in shown_to_all if place in text]
    assert not [number for number in _expected(report) for text in (shown, file) if number in text]


def test_there_is_something_to_give_away(found: Graded) -> None:
    """Some reports hold expected values, and one submission shares no line with the reference."""
    hostile = [found.reports[case.who] for case in HOSTILE_CASES]
    assert len({number for report in hostile for number in _expected(report)}) > 5
    lines = {line.strip() for line in (SOLUTIONS / "attention.py").read_text(encoding="utf-8").splitlines()}
    reference = {line for line in lines & _lines() if not line.startswith("def ")}
    own = [str(case.files.get("attention.py")) for case in HOSTILE_CASES if case.verdicts.get("softmax") == "fail"]
    assert any(not [line for line in text.splitlines() if line.strip() in reference] for text in own)


def test_a_poisoned_pyc_works_where_nobody_minds(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / f"helper.{sys.implementation.cache_tag}.pyc").write_bytes(POISONED)
    (tmp_path / "helper.py").write_text("softmax = None\n", encoding="utf-8")
    command = [sys.executable, "-c", "import helper; print(helper.softmax([0, 0]))"]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    assert subprocess.check_output(command, cwd=tmp_path, encoding="utf-8", env=plain) == "[0.5 0.5]\n"


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the table quotes errors in the words of Python 3.11")
@pytest.mark.parametrize("found", [Rung.BUBBLEWRAP], indirect=True)
def test_the_table_in_the_docs_is_current(found: Graded) -> None:
    assert TABLE.read_text(encoding="utf-8") == table(found), "run: make cases"
