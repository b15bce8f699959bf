"""How pytest speaks in this folder: hints, failures in one layout, and a scoreboard by function."""

import inspect
import tomllib

import hypothesis
import numpy as np
import pytest
from checking import HERE, Answer, Exercise, Mismatch, Unusable, own_frames, told

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

try:
    HINTS = tomllib.loads((HERE / "hints.toml").read_text(encoding="utf-8"))
except (OSError, ValueError):
    # Whatever is raised here, pytest shows with a long traceback; all but this.
    raise SystemExit(
        "hints.toml is missing or cannot be read: take it anew from the folder that you were given."
    ) from None
EXERCISES = {
    name: (Exercise if "(" in hints["signature"] else Answer)(lesson, name, hints["signature"])
    for lesson, functions in HINTS.items()
    if (HERE / f"test_{lesson}.py").is_file()
    for name, hints in functions.items()
}
STEPS = ("nudge", "idea", "pseudocode")
MOST_SHOWN = 60  # numbers of an array; of a larger one, only the corners
PASSED, WRONG, NOT_STARTED = "passed", "wrong", "not started"


def fixture_of(exercise):
    """A test asks for a function, or an answer, by its name, as an argument."""
    return pytest.fixture(scope="session", name=exercise.name)(lambda: exercise)


globals().update({f"fixture_of_{name}": fixture_of(exercise) for name, exercise in EXERCISES.items()})


# Hints


def pytest_addoption(parser):
    about = "show a hint for a function: NAME, NAME:2 or NAME:3; without a name, the names"
    parser.addoption("--hint", metavar="NAME[:STEP]", nargs="?", const="", help=about)


def pytest_cmdline_main(config):
    wanted = config.getoption("--hint")
    if wanted is None:
        return None
    name, _, step = wanted.partition(":")
    if name not in EXERCISES or step not in ("", "1", "2", "3"):
        wrong = f"There is no hint {wanted}. " if wanted else ""
        print(f"{wrong}There are NAME, NAME:2 and NAME:3 for NAME in {', '.join(EXERCISES)}.")
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
        if report.state in (WRONG, NOT_STARTED):
            report.longrepr = explain(exercise, call.excinfo.value, item.function.__doc__ or item.name)
    return report


def state_of(exercise, error):
    """Why a test did not pass: not started, in need of another function, not to be loaded, or simply wrong."""
    if isinstance(error, Unusable):
        return str(error)
    if isinstance(error, NotImplementedError):
        needed = [frame.name for frame in own_frames(error.__traceback__) if frame.name in EXERCISES]
        return f"needs {needed[-1]} first" if needed and needed[-1] != exercise.name else NOT_STARTED
    if isinstance(error, NameError) and error.name in EXERCISES and not has_to_import(error):
        return f"needs {error.name} first"
    return WRONG


def has_to_import(error):
    """The file from which the line that raised a NameError should have imported the name; None if from none."""
    lesson = EXERCISES[error.name].lesson if error.name in EXERCISES else None
    lines = own_frames(error.__traceback__)
    return f"{lesson}.py" if lesson and lines and lines[-1].filename != f"{lesson}.py" else None


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
    lines = own_frames((error.__cause__ or error).__traceback__)[-5:]
    call = exercise.calls[-1] if exercise.calls else None
    if isinstance(error, Mismatch):
        call = call_behind(error.got, exercise.calls) or call
        got, expected = written_pair(error.got, error.expected)
        got, broke = f"{error.of}:\n{got}" if error.of else got, error.reason or promise
    elif isinstance(error, hypothesis.errors.Flaky):
        got, expected, broke = "different answers", "the same answer", "The same call always gives the same answer."
    elif lines or (call and call.result is None):  # nothing came back
        file = has_to_import(error) if isinstance(error, NameError) else None
        advice = f" (it is in {file}: import it)" if file else ""
        got, expected, broke = told(error) + advice, "an answer, not an exception", promise
    else:
        got, expected, broke = written(call and call.result), f"an answer of another form ({told(error)})", promise
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


def call_behind(value, calls):
    """The latest call that returned a value, or one of the things that it returned, or a part of one; None if none."""
    parts = [(part, call) for call in reversed(calls) for part in (call.result, *parts_of(call.result))]
    same = [call for part, call in parts if part is value]
    arrays = [(part, call) for part, call in parts if isinstance(part, np.ndarray) and isinstance(value, np.ndarray)]
    return next(iter(same + [call for part, call in arrays if np.may_share_memory(part, value)]), None)


def parts_of(result):
    """The things in an answer that is a pair or a list of things."""
    return result if isinstance(result, tuple | list) else ()


def written_pair(got, expected):
    """Two values that differ, as a person would write them; with all their digits, if no others show the difference."""
    texts = written(got), written(expected)
    numbers = isinstance(got, np.ndarray | np.generic) and got.dtype.kind in "iuf" and got.shape == np.shape(expected)
    if texts[0] != texts[1] or not numbers:
        return texts
    with np.errstate(all="ignore"):
        off = np.nanmax(np.abs(np.subtract(got, expected, dtype=float)))
    return f"{written(got, True)}\n({got.dtype}; the largest difference is {off:.0e})", written(expected, True)


def written(value, every_digit=False):
    """A value as a person would write it."""
    try:
        return written_part(value, every_digit)
    except Exception:  # whatever the method of a foreign object raises
        return f"an answer of type {type(value).__name__} that cannot be printed"


def written_part(value, every_digit):
    if isinstance(value, np.ndarray):
        mode = "unique" if every_digit or is_short(value) else "maxprec"
        text = np.array2string(value, precision=6, floatmode=mode, separator=", ", threshold=MOST_SHOWN)
        text = "\n".join(line for line in text.splitlines() if line.strip())
        return text if value.size else f"{text} of shape {value.shape}"
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, dict):
        return "\n".join(f"{name}: " + indented(written(part), len(name) + 2) for name, part in value.items())
    if isinstance(value, tuple):
        return ",\n".join(written(part) for part in value)
    return value if isinstance(value, str) else repr(value)


def is_short(array):
    """Whether no number of an array needs more than a few digits; then not one of them should be left out."""
    return (
        array.dtype.kind == "f"
        and array.size <= MOST_SHOWN
        and all(len(repr(float(number))) <= 12 for number in array.flat)
    )


def indented(text, width):
    """A text whose lines after the first stand below its first character."""
    return text.replace("\n", "\n" + " " * width)


def written_call(exercise, call):
    """A call on one line if it fits there, else with its arguments below it."""
    if call is None:
        return exercise.signature
    values = {name: written(value) for name, value in call.arguments.items()}
    line = f"{exercise.name}({', '.join(f'{name}={value}' for name, value in values.items())})"
    if "\n" not in line and len(line) <= 90 and not call.stars:
        return line
    below = [f"  {name} = " + indented(value, len(name) + 5) for name, value in values.items()]
    return "\n".join([f"{exercise.name}({', '.join(given_as(name, call) for name in values)})", *below])


def given_as(name, call):
    """How an argument stands in a call: x, memory=memory or *masks."""
    if name in call.stars:
        return f"**{name}" if isinstance(call.arguments[name], dict) else f"*{name}"
    return f"{name}={name}" if name in call.keywords else name


# The end of a run


def pytest_keyboard_interrupt(excinfo):
    """Ctrl-C: your own line that was running, which may be in a loop without an end."""
    lines = own_frames(excinfo.tb)
    if lines:
        print(f"\n\nStopped in {lines[-1].name}: {lines[-1].filename}:{lines[-1].lineno}  {lines[-1].line}")


def pytest_terminal_summary(terminalreporter, config):
    reports = [r for category in terminalreporter.stats.values() for r in category if hasattr(r, "exercise")]
    by_function = {name: [r for r in reports if r.exercise == name] for name in EXERCISES}
    by_function = {name: mine for name, mine in by_function.items() if mine}
    if not by_function:
        return
    for mine in by_function.values():
        count_as_started(mine)
    terminalreporter.ensure_newline()
    for name, mine in by_function.items():
        show_failures(terminalreporter, name, [r for r in mine if r.state == WRONG], config.get_verbosity() >= 0)
    show_scoreboard(terminalreporter, {name: standing(mine) for name, mine in by_function.items()})


def count_as_started(reports):
    """Where one test got an answer, or a wrong one, the function is not "not started" to the others either."""
    if {PASSED, WRONG} & {report.state for report in reports}:
        for report in reports:
            report.state = WRONG if report.state == NOT_STARTED else report.state


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
    called = names_in(getattr(inspect.unwrap(EXERCISES[name].find()), "__code__", None))
    wrong = [other for other, state in standings.items() if other in called and other != name and state != PASSED]
    return f" (it calls {' and '.join(wrong)}: mend that first)" if wrong else ""


def names_in(code):
    """The names that a function refers to, in functions inside it too; none if it was not written in Python."""
    if code is None:
        return set()
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
