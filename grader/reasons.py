"""Why a function did not pass, in one sentence for the student: what is wrong, where, and what to do about it."""

import builtins
import difflib
import platform
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import groupby

from grader.contract import Function, all_lessons
from grader.places import places
from grader.plain import plain, type_named, without_folders
from grader.sandbox import Died, Failure, Frame, Loss, Raised
from grader.sandbox.inside.notebooks import cell_file

LONGEST_MESSAGE = 200
LONGEST_LINE = 60
ALIKE = 0.8
"""How much a misspelt name has in common with the right one, from 0 to 1."""
GONE_FROM_NUMPY = {
    "bool8": "np.bool_",
    "cumproduct": "np.cumprod",
    "in1d": "np.isin",
    "mat": "np.array",
    "msort": "np.sort with axis=0",
    "product": "np.prod",
    "trapz": "np.trapezoid",
    **{name: name for name in ("complex", "float", "int", "object", "str")},
}
"""What to use in place of names that older NumPy had, where NumPy's own message does not say, or says no good."""


def no_file(lesson: str, files: Iterable[str]) -> str:
    """Why a lesson has no file: there is none, or it was saved as something else."""
    for path in sorted(files):
        name = path.rpartition("/")[2]
        if name.casefold().startswith(lesson) and not name.casefold().endswith((".py", ".ipynb")):
            return f"There is no file {lesson}.py, and {plain(name)} is no module: save your work as {lesson}.py."
    return f"There is no file {lesson}.py."


def does_not_load(file: str, failure: Failure) -> str:
    """Why nothing of a file can be used."""
    return f"{file} does not load: {told(failure, file)}"


def cell_fails(file: str, loss: Loss) -> str:
    """Why a notebook lacks a name: the cell that would have defined it fails."""
    return f"Cell {loss.cell} of {file} does not run: {told(loss.failure, cell_file(file, loss.cell))}"


def raised(function: Function, file: str, failure: Raised, source: bytes) -> str:
    """What came out of a call instead of an answer."""
    if failure.bases[:1] == ("TypeError",) and not failure.frames and _REFUSED.search(failure.message):
        own = [place for place in places(source) if place.name == function.name and not place.inside]
        first_line = f"{function.name}({own[-1].parameters})" if own and own[-1].parameters is not None else "it"
        where = f"line {own[-1].line} of {file} defines {first_line}" if own else f"{file} does not allow that"
        return f"It is called as {function.heading}, but {where}: {_message(failure)}."
    return f"{function.name} raised an exception: {told(failure, file)}"


def undefined(function: Function, file: str, names: Iterable[str], files: Mapping[str, bytes]) -> str:
    """Why a file that loads does not have a function: where the name is, or one that is like it.

    ``names`` are what the file has, ``files`` the sources of all lessons.
    """
    name = function.name
    nothing = f"{file} does not define {name}"
    there = places(files.get(file, b""))
    own = [place for place in there if place.name == name]
    if own and own[-1].inside:
        around = f"under {_code(own[-1].inside[-1])} in line {own[-1].line}"
        return f"{nothing} for others to use: it stands {around}; move it out of there."
    if own and function.signature is not None:
        return f"{nothing} as a function: in line {own[-1].line} the name is given to something that cannot be called."
    for other, source in files.items():
        if any(place.name == name and not place.inside for place in places(source)):
            return f"{nothing}, but {plain(other)} does: move it to {file}."
    if alike := _alike(name, {place.name for place in there if not place.inside} if there else names):
        return f"{nothing}, but {alike}, which may be meant: give it the right name."
    return f"{nothing}."


def defined_twice(name: str, source: bytes) -> str:
    """A remark on a file that defines a function more than once; empty if it does not."""
    lines = [str(place.line) for place in places(source) if place.name == name and not place.inside]
    if len(lines) < 2:
        return ""
    return f" {name} is defined in lines {', '.join(lines[:-1])} and {lines[-1]}: the last one counts."


def told(failure: Failure, file: str = "") -> str:
    """A failure in one sentence. The name of the file is left out of it where it is this one."""
    if isinstance(failure, Died):
        return failure.detail
    for known in _KNOWN:
        if sentence := known(failure, _where(failure.frames, file)):
            return sentence
    message, where = _message(failure), _where(failure.frames, file)
    name = type_named(failure.type)
    return f"{name}{f' in {where}' if where else ''}{f': {message}' if message else ''}" + _stop(message)


def silenced(failure: Failure, files: Iterable[str]) -> Failure:
    """The failure without anything that the code which failed could have worded: what is left is kind and place."""
    if isinstance(failure, Died):
        return failure
    known = next((base for base in failure.bases if isinstance(getattr(builtins, base, None), type)), "Exception")
    frames = tuple(
        replace(frame, function="") for frame in failure.frames if frame.file.partition(", cell ")[0] in set(files)
    )
    message = failure.message if known in ("ModuleNotFoundError", "SyntaxError", "IndentationError", "TabError") else ""
    return replace(failure, type=known, message=message, frames=frames)


def _where(frames: tuple[Frame, ...], file: str) -> str:
    """The innermost line of the student's own."""
    if not frames:
        return ""
    last = frames[-1]
    return f"line {last.line}" if last.file == file else f"line {last.line} of {plain(last.file)}"


def _text(failure: Raised) -> str:
    return plain(failure.frames[-1].text.strip()) if failure.frames else ""


def _code(text: str) -> str:
    text = plain(text)
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]} …"


def _message(failure: Raised) -> str:
    """The exception's own words, on one line, without places on this machine."""
    message = " ".join(plain(without_folders(failure.message)).split())
    message = re.sub(r"^\[Errno \d+\] ", "", message)
    message = message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]} …"
    return message.removesuffix(".")


def _stop(message: str) -> str:
    return "" if message.endswith(("?", "!", "…")) else "."


def _alike(name: str, names: Iterable[str]) -> str | None:
    """The one of a file's names that is likely to be a misspelling of a function's."""
    bare = {other.replace("_", "").casefold(): other for other in sorted(names)}
    close = difflib.get_close_matches(name.replace("_", "").casefold(), bare, 1, ALIKE)
    return plain(bare[close[0]]) if close else None


# What is recognised, each with a sentence of its own. ``where`` is empty when no line of the student's is known.

_REFUSED = re.compile(r"\(\) (takes|got|missing) ")
_LESSON_OF_PACKAGE = re.compile(r"\bfrom\s+[\w.]*\.(\w+)\s+import\s+([\w, *]+)|\bimport\s+[\w.]*\.(\w+)")
_MARKS = re.compile(r"(<{7}|={7}|>{7}|\|{7})($|\s)")


def _git_mark(failure: Raised, where: str) -> str:
    text = _text(failure)
    if "SyntaxError" not in failure.bases or not _MARKS.match(text):
        return ""
    return f"{where} is a mark that git left ({_code(text)}): choose one version and delete the marks."


def _prompt(failure: Raised, where: str) -> str:
    if "SyntaxError" not in failure.bases or not _text(failure).startswith((">>>", "In [")):
        return ""
    return f"{where} begins with the prompt of a Python session: delete the prompts, and what the session printed."


def _notebook_line(failure: Raised, where: str) -> str:
    """What a notebook that was saved as a module leaves behind."""
    text = _text(failure)
    if "SyntaxError" in failure.bases and text.startswith(("%", "!")):
        return f"{where} is a command for notebooks ({_code(text)}), which is not Python: delete it."
    found = re.match(r"name '(get_ipython|display)' is not defined", failure.message)
    if "NameError" in failure.bases and found:
        return f"{where or 'it'} uses {found[1]}, which only notebooks have: delete that line."
    return ""


def _odd_character(failure: Raised, where: str) -> str:
    found = re.match(r"invalid (?:non-printable )?character (?:'(.)' \()?(U\+[0-9A-F]+)", failure.message)
    if "SyntaxError" not in failure.bases or not found:
        return ""
    shown = f"the character {plain(found[1])} ({found[2]})" if found[1] else f"the invisible character {found[2]}"
    return f"{where} has {shown}, which is not Python and often comes with pasted text: type it anew."


def _not_python(failure: Raised, where: str) -> str:
    if "SyntaxError" not in failure.bases:
        return ""
    said = re.sub(r" \([^()]*(?:, )?(?:line \d+)?\)$", "", _message(failure))
    version = ".".join(platform.python_version_tuple()[:2])
    where = where if failure.frames and failure.frames[-1].line else "its text"
    return f"{where} is not Python {version} ({type_named(failure.type)}: {said})."


def _absent_module(failure: Raised, where: str) -> str:
    found = re.fullmatch(r"No module named '([^']+)'.*", failure.message, re.DOTALL)
    if "ModuleNotFoundError" not in failure.bases or not found:
        return ""
    package, lesson = plain(found[1]), _lesson_in(_text(failure))
    begin = f"{where or 'it'} imports {package}, which is not available"
    if lesson:
        return f"{begin} here: write {lesson}."
    return f"{begin} here: only NumPy, Python's standard library and your own files are. Remove the import."


def _relative_import(failure: Raised, where: str) -> str:
    if "ImportError" not in failure.bases or "relative import" not in failure.message:
        return ""
    instead = _lesson_in(_text(failure)) or "the bare name, without a dot before it"
    return f"{where} imports relative to a package, and the files here are in none: write {instead}."


def _lesson_in(line: str) -> str | None:
    """How to write an import of a lesson that was written as if the lessons were in a package."""
    if not (found := _LESSON_OF_PACKAGE.search(line)):
        return None
    lesson = found[1] or found[3]
    if lesson not in all_lessons():
        return None
    return f"from {lesson} import {found[2].strip()}" if found[2] else f"import {lesson}"


def _gone_from_numpy(failure: Raised, where: str) -> str:
    if not {"AttributeError", "ImportError"} & {*failure.bases}:
        return ""
    message = " ".join(failure.message.split())
    removed = re.match(r"`np\.(\w+)` was removed in the NumPy 2.0 release\. Use (.+?) instead", message)
    absent = re.match(r"module 'numpy' has no attribute '(\w+)'|cannot import name '(\w+)' from 'numpy'", message)
    name = removed[1] if removed else (absent[1] or absent[2]) if absent else ""
    instead = GONE_FROM_NUMPY.get(name) or (plain(removed[2]).replace("`", "") if removed else "")
    return f"np.{name} in {where or 'your code'} is not in NumPy 2: use {instead}." if instead else ""


def _absent_name(failure: Raised, where: str) -> str:
    absent = re.match(r"cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'", failure.message)
    if "ImportError" in failure.bases and absent:
        begin = f"{where or 'it'} imports {absent[1]} from {absent[2]}, which does not have it"
        return f"{begin}: is the name spelt right?{_namesake(absent[2])}"
    absent = re.match(r"module '([\w.]+)' has no attribute '(\w+)'", failure.message)
    if "AttributeError" in failure.bases and absent:
        return f"{where or 'it'} uses {absent[2]} of {absent[1]}, which does not have it.{_namesake(absent[1])}"
    return ""


def _namesake(module: str) -> str:
    """What to do where a student's file has the name of a module of Python's and therefore is not found."""
    if module not in sys.stdlib_module_names:
        return ""
    return f" Python has a module {module} itself: if you mean a file of yours, give it another name."


def _typing(failure: Raised, where: str) -> str:
    if "EOFError" in failure.bases and "reading a line" in failure.message:
        return f"{where or 'it'} asks for input(), and nobody can type while work is graded: remove it."
    if "BdbQuit" in failure.bases:
        return f"the debugger stops at {where}, and nobody can type while work is graded: remove breakpoint() or pdb."
    return ""


def _exit(failure: Raised, where: str) -> str:
    if "SystemExit" not in failure.bases:
        return ""
    return f"{where or 'it'} asks Python to end (exit, quit or sys.exit): remove that."


def _too_deep(failure: Raised, where: str) -> str:
    if "RecursionError" not in failure.bases:
        return ""
    return f"RecursionError{f' in {where}' if where else ''}: functions call each other too deep, or without end."


def _unhashable_array(failure: Raised, where: str) -> str:
    if "TypeError" not in failure.bases or "unhashable type: 'numpy.ndarray'" not in failure.message:
        return ""
    place = f" in {where}" if where else ""
    return f"TypeError{place}: an array cannot be a key of a dict, a set or functools.cache; do without."


def _strict_arithmetic(failure: Raised, where: str) -> str:
    if "FloatingPointError" not in failure.bases:
        return ""
    place = f" in {where}" if where else ""
    cause = "np.seterr or np.errstate makes an exception of it; remove that"
    return f"FloatingPointError{place}: {_message(failure)}, and {cause}."


def _no_file(failure: Raised, where: str) -> str:
    found = re.search(r"No such file or directory: (.+)$", _message(failure))
    if "FileNotFoundError" not in failure.bases or not found:
        return ""
    return f"{where or 'it'} opens {found[1]}, which is not there: hand it in too, or do without it."


def _no_network(failure: Raised, where: str) -> str:
    if not {"URLError", "gaierror", "ConnectionError"} & {*failure.bases}:
        return ""
    return f"{where or 'it'} asks for something on the network, and there is none while work is graded: do without it."


def _no_permission(failure: Raised, where: str) -> str:
    if "PermissionError" not in failure.bases:
        return ""
    return f"{where or 'it'} does what is not allowed while work is graded ({_message(failure)}): do without it."


def _unknown_name(failure: Raised, where: str) -> str:
    found = re.match(r"name '(\w+)' is not defined", failure.message)
    if "NameError" not in failure.bases or not found:
        return ""
    if found[1] in ("np", "numpy"):
        return (
            f"{where or 'it'} uses {found[1]}, which is not defined: write import numpy as np at the top of the file."
        )
    return ""


_KNOWN: tuple[Callable[[Raised, str], str], ...] = (
    _git_mark,
    _prompt,
    _notebook_line,
    _odd_character,
    _not_python,
    _absent_module,
    _relative_import,
    _gone_from_numpy,
    _absent_name,
    _typing,
    _exit,
    _too_deep,
    _unhashable_array,
    _strict_arithmetic,
    _no_file,
    _no_network,
    _no_permission,
    _unknown_name,
)


def own_lines(failure: Failure) -> tuple[str, ...]:
    """The student's own lines that a failure came through, innermost last; those of a recursion once."""
    if not isinstance(failure, Raised):
        return ()
    lines = (plain(f"{frame.file}, line {frame.line}: {frame.text.strip()}") for frame in failure.frames)
    return tuple(line for line, _ in groupby(lines))
