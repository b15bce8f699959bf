"""How pytest speaks in this folder: hints, failures in one layout, and a scoreboard by function."""

import tomllib

import hypothesis
import numpy as np
import pytest
from checking import HERE, Answer, Exercise, Mismatch, Unusable, own_frames

hypothesis.settings.register_profile(
    "exercises",
    max_examples=30,
    deadline=None,  # a busy computer must not fail right work
    database=None,
    derandomize=True,  # the same inputs each time
    report_multiple_bugs=False,
    phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink],
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("exercises")

HINTS = tomllib.loads((HERE / "hints.toml").read_text(encoding="utf-8"))
EXERCISES = {
    name: (Exercise if "(" in hints["signature"] else Answer)(lesson, name, hints["signature"])
    for lesson, functions in HINTS.items()
    if (HERE / f"test_{lesson}.py").is_file()
    for name, hints in functions.items()
}
STEPS = ("nudge", "idea", "pseudocode")
PASSED, WRONG, NOT_STARTED = "passed", "wrong", "not started"


def fixture_of(exercise):
    """A test asks for a function, or an answer, by its name, as an argument."""
    return pytest.fixture(scope="session", name=exercise.name)(lambda: exercise)


globals().update({f"fixture_of_{name}": fixture_of(exercise) for name, exercise in EXERCISES.items()})


# Hints


def pytest_addoption(parser):
    parser.addoption("--hint", metavar="NAME[:STEP]", help="show a hint for a function: NAME, NAME:2 or NAME:3")


def pytest_cmdline_main(config):
    wanted = config.getoption("--hint")
    if wanted is None:
        return None
    name, _, step = wanted.partition(":")
    if name not in EXERCISES or step not in ("", "1", "2", "3"):
        print(f"There is no hint {wanted}. There are NAME, NAME:2 and NAME:3 for NAME in {', '.join(EXERCISES)}.")
        return pytest.ExitCode.USAGE_ERROR
    print(hint(EXERCISES[name], int(step or 1)))
    return pytest.ExitCode.OK


def hint(exercise, step):
    """One of the three hints for a function, and how to get the next."""
    text = HINTS[exercise.lesson][exercise.name][STEPS[step - 1]].strip()
    more = (
        f"If you need more: pytest --hint {exercise.name}:{step + 1}" if step < len(STEPS) else "This is the last hint."
    )
    return f"{exercise.signature}, hint {step} of {len(STEPS)}\n\n{text}\n\n{more}"


# Each test: what became of it


def exercise_of(item):
    """The function that a test is about: of those that it asks for, the one that is taught last; None if none."""
    return next((EXERCISES[name] for name in reversed(EXERCISES) if name in item.fixturenames), None)


def pytest_runtest_call(item):
    for name in EXERCISES.keys() & set(item.fixturenames):
        EXERCISES[name].calls.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    exercise = exercise_of(item)
    if exercise and call.when == "call" and not report.skipped:
        report.exercise = exercise.name
        report.state = PASSED if report.passed else state_of(exercise, call.excinfo.value)
        if report.state == WRONG:
            report.longrepr = explain(exercise, call.excinfo.value, item.function.__doc__ or item.name)
    return report


def state_of(exercise, error):
    """Why a test did not pass: not started, in need of another function, not to be loaded, or simply wrong."""
    if isinstance(error, Unusable):
        return str(error)
    if isinstance(error, NotImplementedError):
        needed = [frame.name for frame in own_frames(error.__traceback__) if frame.name in EXERCISES]
        return f"needs {needed[-1]} first" if needed and needed[-1] != exercise.name else NOT_STARTED
    if isinstance(error, NameError) and error.name in EXERCISES:
        return f"needs {error.name} first"
    return WRONG


def pytest_report_teststatus(report):
    # Categories of its own keep these tests out of pytest's section of tracebacks; each still fails the run.
    state = getattr(report, "state", PASSED)
    if state == PASSED:
        return None
    letter = {WRONG: "F", NOT_STARTED: "-"}.get(state, "x")
    category = state if state in (WRONG, NOT_STARTED) else "cannot run"
    return category, letter, category.upper()


# A failure, always in the same order


def explain(exercise, error, promise):
    """What was called, what came back, what was expected, the property that broke, the next step, your own lines."""
    promise = " ".join(promise.split())
    lines = own_frames(error.__traceback__)[-5:]
    call = exercise.calls[-1] if exercise.calls else None
    if isinstance(error, Mismatch):
        call = next((c for c in reversed(exercise.calls) if is_result(error.got, c.result)), call)
        got, expected, broke = written(error.got), written(error.expected), error.reason or promise
    elif isinstance(error, hypothesis.errors.Flaky):
        got, expected, broke = "different answers", "the same answer", "The same call always gives the same answer."
    elif lines:
        got, expected, broke = f"{type(error).__name__}: {error}", "an answer, not an exception", promise
    else:
        got, expected, broke = written(call and call.result), f"an answer of another form ({error})", promise
    entries = {
        "called": written_call(exercise, call),
        "got": got,
        "expected": expected,
        "property": broke,
        "next step": f"pytest --hint {exercise.name}",
    }
    if lines:
        entries["your code"] = "\n".join(f"{f.filename}:{f.lineno}  {f.line}" for f in lines)
    return "\n".join(f"  {label:<9}  " + indented(text, 13) for label, text in entries.items())


def is_result(value, result):
    """Whether a value is what a call returned, or one of the things that it returned."""
    return value is result or (isinstance(result, tuple | list) and any(value is part for part in result))


def written(value):
    """A value as a person would write it."""
    if isinstance(value, np.ndarray):
        text = np.array2string(value, precision=6, separator=", ", threshold=60)
        return "\n".join(line for line in text.splitlines() if line.strip())
    if isinstance(value, dict):
        return "\n".join(f"{name}: " + indented(written(part), len(name) + 2) for name, part in value.items())
    if isinstance(value, tuple):
        return ",\n".join(written(part) for part in value)
    return value if isinstance(value, str) else repr(value)


def indented(text, width):
    """A text whose lines after the first stand below its first character."""
    return text.replace("\n", "\n" + " " * width)


def written_call(exercise, call):
    """A call on one line if it fits there, else with its arguments below it."""
    if call is None:
        return exercise.signature
    values = {name: written(value) for name, value in call.arguments.items()}
    line = f"{exercise.name}({', '.join(f'{name}={value}' for name, value in values.items())})"
    if "\n" not in line and len(line) <= 90:
        return line
    below = [f"  {name} = " + indented(value, len(name) + 5) for name, value in values.items()]
    return "\n".join([f"{exercise.name}({', '.join(values)})", *below])


# The end of a run


def pytest_terminal_summary(terminalreporter, config):
    reports = [r for category in terminalreporter.stats.values() for r in category if hasattr(r, "exercise")]
    by_function = {name: [r for r in reports if r.exercise == name] for name in EXERCISES}
    by_function = {name: mine for name, mine in by_function.items() if mine}
    if not by_function:
        return
    terminalreporter.ensure_newline()
    for name, mine in by_function.items():
        show_failures(terminalreporter, name, [r for r in mine if r.state == WRONG], config.get_verbosity() >= 0)
    show_scoreboard(terminalreporter, {name: standing(mine) for name, mine in by_function.items()})


def show_failures(terminal, name, wrong, every):
    """The first failure of a function, which is the simplest, and how many follow; or every one."""
    for report in wrong if every else wrong[:1]:
        test = report.nodeid.partition("::")[2]
        terminal.write_line(f"\n{name}: {test} ({report.location[0]}:{report.location[1] + 1})", bold=True)
        terminal.write_line(str(report.longrepr))
    if len(wrong) > 1 and not every:
        terminal.write_line(f"  {len(wrong) - 1} more of its tests fail too: pytest -v shows each")


def standing(reports):
    """Where a function stands, from the reports of its tests."""
    states = {report.state for report in reports}
    if len(states) == 1 and (states != {WRONG} or isinstance(EXERCISES[reports[0].exercise], Answer)):
        return states.pop()
    return f"{sum(report.passed for report in reports)} of {len(reports)} tests"


def blame(name, standings):
    """A remark on a function that fails tests and calls another one that does not pass its own."""
    if not standings[name].endswith("tests"):
        return ""
    called = names_in(EXERCISES[name].find().__code__)
    wrong = [other for other, state in standings.items() if other in called and state != PASSED]
    return f" (it calls {' and '.join(wrong)}: mend that first)" if wrong else ""


def names_in(code):
    """The names that a function refers to, in functions inside it too."""
    inner = [part for part in code.co_consts if isinstance(part, type(code))]
    return set(code.co_names).union(*map(names_in, inner))


def show_scoreboard(terminal, standings):
    """A line for each function, and which one to turn to."""
    width = max(map(len, standings))
    terminal.write_line("")
    for name, state in standings.items():
        colour = {"green": state == PASSED, "red": state not in (PASSED, NOT_STARTED)}
        terminal.write_line(f"{name:<{width}}  {state}{blame(name, standings)}", **colour)
    unfinished = [EXERCISES[name] for name, state in standings.items() if state != PASSED]
    if unfinished:
        next_one = unfinished[0]
        terminal.write_line(f"\nnext: {next_one.name} in {next_one.lesson}.py (a hint: pytest --hint {next_one.name})")
    terminal.write_line("")
