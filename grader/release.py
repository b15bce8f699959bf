"""The students' folder: made from the reference by taking the answers out, and proved to give nothing away."""

import ast
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from grader.contract import Function, lesson_functions
from grader.kit import FIGURES
from grader.playground import bundle

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
SUPPORT = ("README.md", "pytest.ini", "conftest.py", "checking.py", "reading.py", "hints.toml")
STEPS = ("nudge", "idea", "pseudocode")
MANIFEST = ".released"
CACHES = frozenset({"__pycache__", ".pytest_cache", ".hypothesis", ".ipynb_checkpoints"})


class ReleaseError(Exception):
    """The students' folder cannot be made; the message says why and what to do."""


def release(out: Path, solutions: Path, lessons: Sequence[str]) -> list[Path]:
    """Write the students' folder ``out`` and return the files in it.

    The same reference always gives the same bytes. Raises ``ReleaseError`` when the reference is not well formed, or
    when ``out`` holds a file that no release wrote, or that somebody has changed since: it may be a student's work.
    """
    files = released(solutions, lessons)
    foreign = _foreign(out, files)
    if foreign:
        raise ReleaseError(
            f"{out} holds files that release did not write, or that were changed since: {', '.join(foreign)}. "
            "Move them away, or choose another folder with --out."
        )
    try:
        for obsolete in _held(out) - files.keys():
            (out / obsolete).unlink()
        for name, content in files.items():
            _write(out / name, content)
    except OSError as error:
        raise ReleaseError(f"{out} cannot be written: {error.strerror}. Choose another folder with --out.") from None
    return [out / name for name in files]


def stale(out: Path, solutions: Path, lessons: Sequence[str]) -> list[str]:
    """How ``out`` differs from what ``release`` would write: a sentence for each file, none when it is up to date."""
    files, held = released(solutions, lessons), _held(out)
    sentences = [f"{out / name} is missing." for name in files if name not in held]
    sentences += [f"{out / name} does not belong there." for name in sorted(held - files.keys())]
    sentences += [
        f"{out / name} is not what the reference makes it; run grader release."
        for name, content in files.items()
        if name in held and _digest((out / name).read_bytes()) != _digest(content)
    ]
    return sentences


def released(solutions: Path, lessons: Sequence[str]) -> dict[str, bytes]:
    """The files of the students' folder, by name.

    Raises ``ReleaseError`` when a file of the reference is missing, or its answers are not marked properly.
    """
    files = bundle()
    for name in SUPPORT:
        files[name] = _source(solutions / name)
    for lesson in lessons:
        text = _source(solutions / f"{lesson}.py")
        files[f"{lesson}.py"] = stub(text, f"{lesson}.py")
        files |= {f"figures/{name}": _source(FIGURES / "out" / name) for name in pictures(text)}
        files[f"test_{lesson}.py"] = _source(solutions / f"test_{lesson}.py")
    digests = "".join(f"{_digest(content)}  {name}\n" for name, content in sorted(files.items()))
    files[MANIFEST] = f"# Written by release, to tell its own files from a student's work.\n{digests}"
    return {name: content.encode() for name, content in files.items()}


def _source(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ReleaseError(f"The reference has no file {file}.") from None


def pictures(text: str) -> list[str]:
    """The files of the figures that a lesson's text shows."""
    return re.findall(r"!\[[^]]*\]\(figures/([\w.]+)\)", text)


def stub(source: str, name: str) -> str:
    """A lesson's source without its answers: a function raises ``NotImplementedError``, a constant is None.

    Raises ``ReleaseError`` when a marker has no partner, or an answer is neither in a function nor a constant.
    """
    lines: list[str] = []
    answer: list[str] = []
    function, inside = "", False
    for number, line in enumerate(source.splitlines(), 1):
        defined = re.match(r"def (\w+)\(", line)
        if defined:
            function = defined[1]
        if line.strip() not in (BEGIN, END):
            (answer if inside else lines).append(line)
            continue
        if inside == (line.strip() == BEGIN):
            raise ReleaseError(f"{name}, line {number}: {line.strip()} has no partner.")
        inside = not inside
        if not inside:
            blank = _blank(function, line[: line.index("#")], answer)
            if not blank:
                raise ReleaseError(f"{name}, line {number}: the answer is neither in a function nor a constant.")
            lines += blank
            answer = []
    if inside:
        raise ReleaseError(f"{name}: the last {BEGIN} has no partner.")
    return "\n".join(lines) + "\n"


def _blank(function: str, indent: str, answer: Sequence[str]) -> list[str]:
    """What a student finds in place of an answer; nothing when the answer is in no proper place."""
    if indent and function:
        return [
            f"{indent}# Your code begins here, in place of the next line.",
            f'{indent}raise NotImplementedError("{function} is not started")',
            f"{indent}# Your code ends here.",
        ]
    constant = re.match(r"([A-Z][A-Z0-9_]*) = ", "\n".join(answer))
    return [f"{constant[1]} = None  # your answer, in place of None"] if constant and not indent else []


def answers(source: str) -> Iterator[str]:
    """The lines of a source that are answers, without comments and indentation."""
    for block in re.findall(rf"{BEGIN}\n(.*?){END}", source, flags=re.DOTALL):
        for line in block.splitlines():
            answer = line.partition("  #")[0].strip()
            if answer:
                yield answer


def _foreign(out: Path, files: Mapping[str, bytes]) -> list[str]:
    """The names of the files in ``out`` that are not as a release, the last one or this one, has written them."""
    manifest = out / MANIFEST
    known = manifest.read_text(encoding="utf-8").splitlines() if manifest.is_file() else []
    return [
        name
        for name in sorted(_held(out) - {MANIFEST})
        if f"{(digest := _digest((out / name).read_bytes()))}  {name}" not in known
        and digest != _digest(files.get(name, b""))
    ]


def _held(out: Path) -> set[str]:
    """The files in ``out`` as names with slashes, apart from the caches that Python and pytest leave behind."""
    held = (file.relative_to(out) for file in out.rglob("*") if not file.is_dir())
    return {file.as_posix() for file in held if not CACHES.intersection(file.parts)}


def _digest(content: str | bytes) -> str:
    """A digest of a text that does not see how its lines end: version control may have changed that."""
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def _write(file: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    Path(name).chmod(0o644)
    Path(name).replace(file)


def proofs(solutions: Path, lessons: Sequence[str]) -> list[str]:
    """What is wrong with the content: a sentence for each fault, none when all is well.

    Nothing released holds an answer or a word about the grader; every function has its hints and public tests; the
    reference passes the tests of every lesson while the later lessons' files are absent; the stubs pass none.
    Raises ``ReleaseError`` when the folder cannot be made at all.
    """
    files = {name: content.decode() for name, content in released(solutions, lessons).items()}
    functions = [function for lesson in lessons for function in lesson_functions(lesson, solutions)]
    faults = [*_leaks(solutions, lessons, files), *_hint_faults(functions, files["hints.toml"])]
    faults += [fault for lesson in lessons for fault in _test_faults(lesson, functions, files[f"test_{lesson}.py"])]
    if faults:
        return faults  # what reads wrong need not be run
    with tempfile.TemporaryDirectory() as folder:
        faults += _reference_faults(Path(folder) / "reference", solutions, lessons, files)
        faults += _stub_faults(Path(folder) / "stubs", lessons, functions, files)
    return faults


def _leaks(solutions: Path, lessons: Sequence[str], files: Mapping[str, str]) -> Iterator[str]:
    """Answers in what students get, and words that have no business there."""
    secrets = [answer for lesson in lessons for answer in answers(_source(solutions / f"{lesson}.py"))]
    for name, text in files.items():
        yield from (f"{name} gives away the answer {secret!r}." for secret in secrets if secret in text)
        for word in ("solution", "grader"):
            if word in text.lower():
                yield f"{name} speaks of a {word}."


def _hint_faults(functions: Sequence[Function], text: str) -> Iterator[str]:
    """Functions without three hints or with another first line, and hints without a function."""
    hints = tomllib.loads(text)
    order = [(function.lesson, function.name) for function in functions]
    taught = dict.fromkeys(lesson for lesson, _ in order)
    if [(lesson, name) for lesson in hints if lesson in taught for name in hints[lesson]] != order:
        yield f"hints.toml must list these functions in this order: {', '.join(name for _, name in order)}."
    for function in functions:
        entry = hints.get(function.lesson, {}).get(function.name, {})
        if entry.get("signature") != function.heading:
            yield f"hints.toml must give {function.name} the signature {function.heading}."
        for step in STEPS:
            if not entry.get(step, "").strip():
                yield f"hints.toml has no {step} for {function.name}."


def _test_faults(lesson: str, functions: Sequence[Function], text: str) -> Iterator[str]:
    """Functions of a lesson that no public test is about."""
    tests = [
        node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    used = [{argument.arg for argument in test.args.args} for test in tests]
    order = [function.name for function in functions]
    # As in the students' conftest.py: a test is about the function that is taught last of those it asks for.
    about = {max(names & set(order), key=order.index) for names in used if names & set(order)}
    for function in functions:
        if function.lesson == lesson and function.name not in about:
            yield f"test_{lesson}.py has no test of {function.name}."


def _reference_faults(folder: Path, solutions: Path, lessons: Sequence[str], files: Mapping[str, str]) -> Iterator[str]:
    """Public tests that the reference does not pass, given its lesson and the earlier ones; scripts that fail."""
    support = {name: text for name, text in files.items() if name in SUPPORT}
    for count, lesson in enumerate(lessons, 1):
        earlier = {f"{name}.py": _source(solutions / f"{name}.py") for name in lessons[:count]}
        _fill(folder, {**support, **earlier, f"test_{lesson}.py": files[f"test_{lesson}.py"]})
        passed, tests = _run_tests(folder, f"test_{lesson}.py")
        if not tests or passed != tests:
            yield f"The reference passes {passed} of {tests} tests in test_{lesson}.py without the later lessons."
        script = _run(folder, f"{lesson}.py")
        if script.returncode or not script.stdout.strip() or script.stderr:
            said = script.stderr.strip() or "it prints nothing"
            yield f"The reference's {lesson}.py does not run as a script: {said}"


def _stub_faults(
    folder: Path, lessons: Sequence[str], functions: Sequence[Function], files: Mapping[str, str]
) -> Iterator[str]:
    """Stubs that are more than not started: that pass a test, or do not say what is still to do."""
    _fill(folder, files)
    passed, tests = _run_tests(folder, ".")
    if not tests or passed:
        yield f"The stubs pass {passed} of {tests} public tests."
    for lesson in lessons:
        script = _run(folder, f"{lesson}.py")
        if script.returncode or len(script.stdout.splitlines()) != 1 or script.stderr:
            yield f"The stub {lesson}.py does not say in one line what is still to do, when it is run as a script."
    for function in functions:
        blank = f'raise NotImplementedError("{function.name} is not started")'
        if function.is_constant:
            blank = f"\n{function.name} = None  #"
        if blank not in files[f"{function.lesson}.py"]:
            yield f"{function.name} in {function.lesson}.py has no answer between {BEGIN} and {END}."


def _fill(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        _write(folder / name, text.encode())


def _run_tests(folder: Path, tests: str) -> tuple[int, int]:
    """How many public tests pass, and how many there are."""
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    # The grader's own pytest plugin stays out: students do not have it.
    _run(folder, "-m", "pytest", "-p", "no:grader", "-p", "no:cacheprovider", f"--junit-xml={report}", tests)
    if not report.is_file():
        return 0, 0
    cases = list(ET.parse(report).iter("testcase"))
    return sum(len(case) == 0 for case in cases), len(cases)


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder as a student would, whatever the settings of this process."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**settings, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
