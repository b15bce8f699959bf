"""The playground: edit a sentence and see who reads whom, by your own attention.

Run it in the folder of your exercises and open the address that it prints:

    python playground.py

It needs nothing but NumPy. The page talks to this program alone, on this computer alone; whenever you save one of your
files, the page works with the new one. Your functions run in a process of their own, so that a loop without an end
costs you a few seconds, not the playground.
"""

import argparse
import contextlib
import dis
import errno
import functools
import hashlib
import http.server
import importlib
import inspect
import json
import linecache
import math
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

try:
    import numpy as np
except ModuleNotFoundError:
    sys.stderr.write(f"NumPy is missing. Install it with: {sys.executable} -m pip install numpy\n")
    sys.exit(2)

HERE = Path(__file__).resolve().parent
PAGE = "playground.html"
KIT = (Path(__file__).name, "kit_sandboxed.py")  # files that are no student's
PORT = 8765
SECONDS = 5  # that your function may take for a picture
LAST_RESORT = 2 * SECONDS  # after which it is ended where Python cannot look at the line that it is on
START_SECONDS = 60  # that Python and NumPy may take to start, on a slow computer
LARGEST_REQUEST = 16 * 1024  # bytes
LARGEST_ARRAY = 100_000  # numbers
LONGEST_MESSAGE = 300  # characters of an error's own words, and of a line
LOOKS = 50  # at a function that hangs, to tell the lines of its loop
SECONDS_BETWEEN_LOOKS = 0.002
D_K = 16  # features of a query and of a key: what the word is, and where it stands


class Trouble(Exception):
    """What a person reads in place of a picture: one sentence, and the line of theirs that it is about."""

    def __init__(self, sentence, place="", line=""):
        super().__init__(sentence)
        self.sentence, self.place, self.line = sentence, place, line


class BadRequest(Exception):
    """The page, or whatever poses as it, asks for something that there is not."""


# What the page asks for


@dataclass(frozen=True)
class Asked:
    """What is to be computed. With two looks, ``first`` says whether the first one is taken."""

    words: list
    mask: str
    scaling: bool
    positions: bool
    heads: int
    looks: int
    first: bool


def asked(data, limits):
    """The request, read. Raises ``BadRequest`` for anything that the page would not send."""
    if not isinstance(data, dict):
        raise BadRequest("The request must be an object.")
    words = data.get("words")
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise BadRequest("words must be a list of texts.")
    if not 1 <= len(words) <= limits["words"]:
        raise BadRequest(f"There must be from 1 to {limits['words']} words.")
    if any(len(word) > limits["letters"] for word in words):
        raise BadRequest(f"A word may have {limits['letters']} letters.")
    return Asked(
        words,
        _choice(data, "mask", ("none", "causal", "padding")),
        _choice(data, "scaling", (True, False)),
        _choice(data, "positions", (True, False)),
        _choice(data, "heads", range(1, limits["heads"] + 1)),
        _choice(data, "looks", (1, 2)),
        _choice(data, "first", (True, False)),
    )


def _choice(data, name, choices):
    value = data.get(name)
    if type(value) is not type(choices[0]) or value not in choices:
        raise BadRequest(f"{name} must be one of {', '.join(map(str, choices))}.")
    return value


# From words to queries, keys and values, by hand


class Model:
    """The words and questions that stand in the page, as arrays. Nothing here is trained."""

    def __init__(self, page):
        """Read the page's own data. Raises ``ValueError`` when there is none."""
        found = re.search(r'<script id="model" type="application/json">(.*?)</script>', page, flags=re.DOTALL)
        if not found:
            raise ValueError("the page holds no words")
        data = json.loads(found[1])
        self.limits, self.padding, self.words = data["limits"], data["padding"], data["words"]
        self.heads, self.looks = data["heads"], data["looks"]
        self.names = [feature["name"] for feature in data["features"]]

    def features(self, words):
        """What each word is, (n, 8): ones and zeros, and nothing but zeros for a word that nobody has described."""
        known = [self.words.get(plain(word), {"features": []})["features"] for word in words]
        return np.array([[float(name in features) for name in self.names] for features in known])

    def queries(self, features, places, head):
        """What each word asks for, (n, 16): features of other words, then a place, by the head's own rule."""
        rule = np.array([[head["ask"].get(name, {}).get(other, 0.0) for other in self.names] for name in self.names])
        turned = np.empty_like(places)
        for hand, strength in enumerate(head["hands"]):
            # Each pair of position features is the tip of a hand; the head looks for where it stood some words away.
            angle = head["shift"] * 10.0**-hand
            sine, cosine = places[:, 2 * hand], places[:, 2 * hand + 1]
            turned[:, 2 * hand] = strength * (sine * math.cos(angle) + cosine * math.sin(angle))
            turned[:, 2 * hand + 1] = strength * (cosine * math.cos(angle) - sine * math.sin(angle))
        return np.concatenate([features @ rule, turned], axis=1)

    def places(self, n):
        """Where each word stands, (n, 8), for a folder that does not say it: hands that turn by 1, 0.1, ... a word."""
        hands = [
            [turn(place * 10.0**-hand) for hand in range(4) for turn in (math.sin, math.cos)] for place in range(n)
        ]
        return np.array(hands)


def plain(word):
    """A word as the list has it: small letters, no punctuation around it."""
    return word.lower().replace("’", "'").strip(".,;:!?\"'()[]…“”‘-–—")


# A picture


class Playground:
    """Answers the page: the kit's words and questions, the folder's functions."""

    def __init__(self, page, folder):
        self.page, self.folder, self.model = page, folder, Model(page)

    def answer(self, request):
        """What the page is to show, as data. Raises ``BadRequest``, and ``Trouble`` when there is nothing to show."""
        notes = []
        heads = self._two_looks(request) if request.looks == 2 else self._one_look(request, notes)
        odd = [sentence for head in heads for sentence in head.pop("odd")]
        return {"heads": heads, "notes": notes, "odd": list(dict.fromkeys(odd))}

    def _one_look(self, request, notes):
        """Every head's look at the same words."""
        words = request.words + (self.model.padding if request.mask == "padding" else [])
        features = self.model.features(words)
        places = self._places(len(words), notes) if request.positions else np.zeros((len(words), 8))
        keys = np.concatenate([features, places], axis=1)
        visible = self._visible(len(words), len(request.words), request.mask)
        strength = 1.0 if request.scaling else math.sqrt(D_K)  # the folder's attention will divide by it
        calls = [
            (strength * self.model.queries(features, places, head), keys, features, visible)
            for head in self.model.heads[: request.heads]
        ]
        return [
            shown(call, value, words) for call, value in zip(calls, self.folder.values("attention", calls), strict=True)
        ]

    def _two_looks(self, request):
        """One look after the other: what the first one finds is added to the word's own features."""
        features, nowhere = self.model.features(request.words), np.zeros((len(request.words), 8))
        looks = []
        for number, head in enumerate(self.model.looks, 1):
            if number == 1 and not request.first:
                continue
            keys = np.concatenate([features, nowhere], axis=1)
            call = (self.model.queries(features, nowhere, head), keys, features, None)
            [value] = self.folder.values("attention", [call])
            looks.append(shown(call, value, request.words))
            features = features + np.nan_to_num(np.array(looks[-1]["output"], dtype=float))
        return looks

    def _visible(self, n, n_words, mask):
        if mask == "none":
            return None
        rows = [[key <= query if mask == "causal" else key < n_words for key in range(n)] for query in range(n)]
        return np.array(rows)

    def _places(self, n, notes):
        """The folder's own positions, or the kit's with a note why."""
        try:
            [value] = self.folder.values("sinusoidal_pe", [(n, 8)])
        except Trouble as trouble:
            notes.append(f"Positions are the kit's own: {trouble.place and trouble.place + ': '}{trouble.sentence}")
            return self.model.places(n)
        if not isinstance(value, np.ndarray) or value.shape != (n, 8) or not np.isfinite(value).all():
            notes.append(f"Positions are the kit's own: sinusoidal_pe({n}, 8) must return ({n}, 8) finite numbers.")
            return self.model.places(n)
        return value


def shown(call, value, words):
    """One look as data for the page. Raises ``Trouble`` when the value is not two arrays of the right shapes."""
    queries, keys, values, visible = call
    if not isinstance(value, tuple | list) or len(value) != 2:
        hint = MISSING_RETURN if value is None else ""
        raise Trouble(f"attention must return two arrays, output and weights, and it returned {kind(value)}.{hint}")
    shapes = {"output": (len(queries), values.shape[1]), "weights": (len(queries), len(keys))}
    for (name, shape), array in zip(shapes.items(), value, strict=True):
        if not isinstance(array, np.ndarray):
            raise Trouble(f"The {name} that attention returns must be an array of numbers, not {kind(array)}.")
        if array.shape != shape:
            raise Trouble(f"The {name} that attention returns must have shape {shape}, and it has {array.shape}.")
    output, weights = value
    return {
        "weights": _numbers(weights),
        "output": _numbers(output),
        "queries": _numbers(queries),
        "keys": _numbers(keys),
        "odd": oddities(weights, output, values, visible, words),
    }


def _numbers(array):
    """An array as lists; None for what is no finite number, since JSON has no word for it."""
    return [[number if math.isfinite(number) else None for number in row] for row in array.tolist()]


def oddities(weights, output, values, visible, words):
    """What cannot be right about weights, a sentence for each; none when all is well."""

    def named(token):
        return f"word {token + 1}, “{words[token]}”"

    if not np.isfinite(weights).all() or not np.isfinite(output).all():
        bad = np.argwhere(~np.isfinite(weights).all(axis=1) | ~np.isfinite(output).all(axis=1))[0, 0]
        return [f"There are numbers in the row of {named(bad)} that are infinite or not numbers at all (NaN)."]
    found = []
    if (weights < 0).any():
        query, key = np.argwhere(weights < 0)[0]
        found.append(f"The weight of {named(key)} for {named(query)} is {weights[query, key]:.3g}: below 0.")
    if visible is not None and (weights[~visible] != 0).any():
        query, key = np.argwhere(~visible & (weights != 0))[0]
        found.append(f"The mask hides {named(key)} from {named(query)}, and it gets weight {weights[query, key]:.3g}.")
    sums, columns = weights.sum(axis=1), weights.sum(axis=0)
    if (np.abs(sums - 1) > 1e-6).any():
        row = int(np.abs(sums - 1).argmax())
        if np.allclose(columns, 1) and visible is None:
            found.append(
                f"The columns add up to 1, not the rows: the row of {named(row)} adds up to {sums[row]:.3g}. "
                "Does the softmax run over the wrong axis?"
            )
        else:
            found.append(f"The weights of {named(row)} add up to {sums[row]:.3g}, not to 1.")
    if not np.allclose(output, weights @ values, atol=1e-6):
        found.append("The output is not the average of the values under these weights.")
    return found


def kind(value):
    """What a value is, in words."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"one array of shape {value.shape}"
    return value if isinstance(value, str) else a_type(value)


def a_type(value):
    """The name of a value's type, with its article."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


MISSING_RETURN = " Is a return missing?"


# A folder's functions. Outcomes are data, one of "value", "raised", "blamed", "hangs" and "ended"

LESSON_OF = {"attention": "attention", "sinusoidal_pe": "positional_encoding"}


class OwnFolder:
    """This folder, its functions called in a child process. A context manager; the child ends with it.

    ``name`` is what the page calls the folder.
    """

    def __init__(self):
        self.name = HERE.name
        self._child, self._version = None, None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._end()

    def version(self):
        """A digest of the modules' contents: another one means that something was saved."""
        total = hashlib.sha256()
        for file in sorted(HERE.glob("*.py")):
            try:
                total.update(file.name.encode() + b"\0" + file.read_bytes())
            except OSError:
                continue  # an editor is just moving it into place
        return total.hexdigest()

    def values(self, function, calls):
        """What the function returns for each call, as arrays. Raises ``Trouble``."""
        version = self.version()
        if version != self._version:
            self._end()
        if self._child is None:
            self._child, self._version = Child(), version
        outcomes = self._child.ask({"function": function, "calls": [[_sent(part) for part in call] for call in calls]})
        if "ended" in outcomes[0] or "hangs" in outcomes[0]:
            self._end()
        return [in_words(function, outcome) for outcome in outcomes]

    def _end(self):
        if self._child is not None:
            self._child.end()
            self._child = None


class Child:
    """A process that runs functions of this folder: one line of JSON to it, one back."""

    def __init__(self):
        command = [sys.executable, "-B", str(HERE / Path(__file__).name), "--functions"]
        self._process = subprocess.Popen(
            command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._started = False

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def ask(self, task):
        """The outcomes of a task's calls; a single ``hangs`` or ``ended`` when there is no more to be had of it."""
        if not self._started:
            if not self._line(START_SECONDS):
                return self._gone()
            self._started = True
        try:
            self._process.stdin.write(json.dumps(task) + "\n")
            self._process.stdin.flush()
        except OSError:
            return self._gone()
        line = self._line(LAST_RESORT)
        if line is None:
            return [{"ended": f"did not come back within {LAST_RESORT} seconds. Is there a loop without an end?"}]
        return json.loads(line) if line else self._gone()

    def _line(self, seconds):
        """The next line; an empty one at the end of all lines, None when there is none in time."""
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            return None

    def _gone(self):
        self._process.kill()
        return [{"ended": f"ended the whole process (exit code {self._process.wait()})."}]

    def end(self):
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()


def in_words(function, outcome):
    """The value of an outcome. Raises ``Trouble`` in plain words when there is none."""
    if "value" in outcome:
        return _received(outcome["value"])
    lesson = LESSON_OF[function]
    if "ended" in outcome:
        raise Trouble(f"{function} {outcome['ended']}")
    if "blamed" in outcome:
        raise _about(outcome["blamed"]["sentence"], outcome["blamed"])
    if "hangs" in outcome:
        where = "It hangs at this line: is" if outcome["hangs"]["file"] else "Is"
        hangs = f"{function} did not come back within {SECONDS} seconds. {where} there a loop without an end?"
        raise _about(hangs, outcome["hangs"])
    error = outcome["raised"]
    message = error["message"].strip()[:LONGEST_MESSAGE]
    if error["type"] == "NoSuchFile":
        sentence = f"There is no {lesson}.py in this folder.{_instead(message)}"
    elif error["type"] == "NoSuchFunction":
        sentence = f"{message or lesson + '.py'} has no function {function}."
    elif error["type"] == "NotImplementedError":
        sentence = f"{(message or function + ' is not started').rstrip('.')}."
    elif error["type"] in ("SyntaxError", "IndentationError", "TabError"):
        file = "the file" if error["file"] else f"{lesson}.py, or a file that it imports"
        sentence = f"Python cannot read {file}: {message.partition(' (')[0]}."
    else:
        sentence = f"{function} stopped with {error['type']}{': ' if message else ''}{message}"
    raise _about(sentence, error)


def _about(sentence, place):
    """The trouble that is about a place in the student's files, or about none if its file is empty."""
    return Trouble(sentence, f"{place['file']}, line {place['number']}" if place["file"] else "", place["text"])


def _instead(notebook):
    """What to do about a notebook that lies where a module should."""
    if not notebook:
        return ""
    module = notebook.removesuffix(".ipynb") + ".py"
    return f" The code is read from there, not from {notebook}: save the notebook's cells as {module}."


def _sent(part):
    return {"array": part.tolist()} if isinstance(part, np.ndarray) else part


def _received(value):
    """What came back over the pipe: an array, several of them, or the words for what it was."""
    if isinstance(value, dict):
        return np.array(value["numbers"], dtype=float).reshape(value["shape"])
    return [_received(part) for part in value] if isinstance(value, list) else value


# What is done with a function, in whatever process it runs


NOWHERE = {"file": "", "number": 0, "text": ""}
RESULT_OF = {  # the shape that functions of the lesson return, by the arrays that they are given
    "softmax": lambda x, *_: np.shape(x),
    "scaled_scores": lambda q, k: (len(q), len(k)) if np.ndim(q) == np.ndim(k) == 2 else None,
}


def called(function, found, arguments):
    """``{"value": ...}``, or ``{"blamed": ...}`` when that cannot be used and another of the student's is to blame.

    Raises what the function raises, when nobody else is to blame.
    """
    try:
        with np.errstate(all="ignore"):
            value = found(*_copies(arguments))
    except Exception as error:
        blamed = culprit(function, found, arguments, error)
        if blamed is None:
            raise
        return {"blamed": blamed}
    is_right = function != "attention" or _is_answer(value, *arguments)
    blamed = None if is_right else culprit(function, found, arguments)
    return {"value": value} if blamed is None else {"blamed": blamed}


def _copies(arguments):
    return [part.copy() if isinstance(part, np.ndarray) else part for part in arguments]


def _is_answer(value, queries, keys, values, _mask):
    """Whether these are two arrays of the shapes that attention returns."""
    shapes = [(len(queries), values.shape[1]), (len(queries), len(keys))]
    return isinstance(value, tuple | list) and [getattr(part, "shape", None) for part in value] == shapes


def culprit(function, found, arguments, error=None):
    """Who returned what nobody can use: a sentence and the place of that function; None if nobody did.

    The call is made once more, and what the student's other functions return on the way is looked at: a function of
    the lesson must return its shape. Any other may return None; the last whose None was used is blamed only for an
    ``error`` of a kind that None leads to.
    """
    given, blamed, nones = {}, [], []

    def is_plain(code):
        return not code.co_name.startswith("<") and not code.co_flags & inspect.CO_GENERATOR

    def look(frame, event, value):
        code = frame.f_code
        if event not in ("call", "return") or code.co_name == function or not _is_own(code.co_filename):
            return
        if event == "call":
            local = frame.f_locals
            given[frame] = [local.get(name) for name in code.co_varnames[: code.co_argcount]]
        elif dis.opname[code.co_code[frame.f_lasti]].startswith("RETURN_"):  # and not by an exception
            sentence = objection(code.co_name, given.get(frame, []), value)
            if sentence:
                blamed.append((sentence, code))
            elif value is None and is_plain(code) and _is_used(frame.f_back):
                nones.append(code)

    sys.setprofile(look)
    try:
        with np.errstate(all="ignore"):
            found(*_copies(arguments))
    except (Exception, SystemExit):
        pass  # it has been told
    finally:
        sys.setprofile(None)
    if blamed:
        sentence, code = blamed[0]
    elif nones and isinstance(error, TypeError | AttributeError | ValueError):
        code = nones[-1]
        stopped = f"{function} stopped with {type(error).__name__}: {_message(error)}"
        sentence = f"{code.co_name} returned None.{MISSING_RETURN} After that, {stopped}"
    else:
        return None
    return {"sentence": sentence, **_place(code.co_filename, code.co_firstlineno)}


def objection(function, arguments, value):
    """What is wrong with the kind or shape of a result; nothing where none is known that it must have."""
    try:
        shape = RESULT_OF[function](*arguments)
    except (KeyError, TypeError, ValueError):
        return ""
    if shape is None or (isinstance(value, np.ndarray | np.generic) and value.shape == shape):
        return ""
    if value is None:
        return f"{function} returned None.{MISSING_RETURN}"
    if isinstance(value, np.ndarray):
        return f"{function} must return an array of shape {shape} here, and it returned one of shape {value.shape}."
    return f"{function} must return an array, and it returned {a_type(value)}."


def _is_used(caller):
    """Whether a caller does something with what it is just given: Python throws away what is not used by POP_TOP."""
    following = (step.opname for step in dis.get_instructions(caller.f_code) if step.offset > caller.f_lasti)
    return next(following, "") != "POP_TOP"


@contextlib.contextmanager
def watched(tell):
    """Watch what this thread does. If it is not done in time, ``tell`` is called with the file, number and text of
    the student's line at which it hangs."""
    thread = threading.get_ident()
    watch = threading.Timer(SECONDS, lambda: tell(*hangs_at(thread).values()))
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()
        watch.join()  # so that what it tells comes before the outcome, not among what comes later


def hangs_at(thread):
    """The place at which a thread hangs: in the student's innermost call that lasts, the first line that comes by."""
    looks = [_own_lines(thread)]
    for _ in range(LOOKS):
        time.sleep(SECONDS_BETWEEN_LOOKS)
        looks.append(_own_lines(thread))
    lasting = [frame for frame in looks[0] if all(frame in look for look in looks)]
    if not lasting:
        return NOWHERE
    innermost = lasting[0]
    return _place(innermost.f_code.co_filename, min(look[innermost] for look in looks))


def _own_lines(thread):
    """The student's calls that a thread is in, innermost first, and the line that each is at."""
    frames = traceback.walk_stack(sys._current_frames()[thread])
    return {frame: line for frame, line in frames if line and _is_own(frame.f_code.co_filename)}


@functools.cache
def _is_own(name):
    """Whether a file is the student's: in this folder, and neither the playground's own nor an installed library's."""
    file = Path(name)
    return HERE in file.parents and file.name not in KIT and "site-packages" not in file.parts


def _message(error):
    """An exception's own words; where this folder is, is nobody's business. Nothing when it cannot say them."""
    try:
        return str(error).replace(str(HERE) + os.sep, "").replace(str(HERE), ".")[:LONGEST_MESSAGE]
    except Exception:
        return ""


def _place(name, number):
    """A line of the student's, as data."""
    file = Path(name).relative_to(HERE).as_posix()
    return {"file": file, "number": number, "text": linecache.getline(name, number).strip()[:LONGEST_MESSAGE]}


# Inside the child process


def run_functions():
    """Call functions of this folder as they are asked for, until there is nobody to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the playground, which ends this process
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the functions print goes to the terminal
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout.reconfigure(errors="backslashreplace", line_buffering=True)
    tasks = queue.Queue()
    threading.Thread(target=_receive, args=(requests, tasks), daemon=True).start()

    def reply(line):
        print(line, file=replies, flush=True)

    reply("ready")
    while True:
        task = tasks.get()
        with watched(lambda *place: reply(json.dumps([{"hangs": dict(zip(NOWHERE, place, strict=True))}]))):
            outcomes = [_outcome(task["function"], call) for call in task["calls"]]
        reply(json.dumps(outcomes))


def _receive(requests, tasks):
    """Hand on what is asked. When the playground is gone, so is this process, even out of a loop without an end."""
    for line in requests:
        tasks.put(json.loads(line))
    os._exit(0)


def _outcome(function, arguments):
    lesson = LESSON_OF[function]
    if not (HERE / f"{lesson}.py").is_file():
        notebook = f"{lesson}.ipynb" if (HERE / f"{lesson}.ipynb").is_file() else ""
        return {"raised": {**NOWHERE, "type": "NoSuchFile", "message": notebook}}
    try:
        found = getattr(importlib.import_module(lesson), function, None)
        if not callable(found):
            return {"raised": {**NOWHERE, "type": "NoSuchFunction", "message": ""}}
        outcome = called(
            function, found, [np.array(part["array"]) if isinstance(part, dict) else part for part in arguments]
        )
    except (Exception, SystemExit) as error:
        return {"raised": _told(error)}
    return {"value": as_data(outcome["value"])} if "value" in outcome else outcome


def as_data(value):
    """A value as JSON can hold it: an array as numbers and shape, two as two, None as None, anything else as words."""
    if isinstance(value, tuple | list):
        return [part_as_data(part) for part in value] if len(value) == 2 else f"{len(value)} values"
    return part_as_data(value)


def part_as_data(value):
    """An array or None as JSON can hold it, anything else as words."""
    if not isinstance(value, np.ndarray):
        return None if value is None else a_type(value)
    if value.dtype.kind not in "biuf":
        return f"an array of {value.dtype}"
    if value.size > LARGEST_ARRAY:
        return f"an array of shape {value.shape}"
    return {"numbers": value.ravel().astype(float).tolist(), "shape": value.shape}


def _told(error):
    """An exception as data, with the innermost line that is the student's."""
    told = {**NOWHERE, "type": type(error).__name__, "message": _message(error)}
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno or 1))
    own = [place for place in places if _is_own(place[0])]
    return {**told, **_place(*own[-1])} if own else told


# The server


class Server(http.server.ThreadingHTTPServer):
    """Serves one playground on 127.0.0.1, to pages that it has served itself."""

    daemon_threads = True
    # On Windows this would let two playgrounds share an address, and either might answer.
    allow_reuse_address = os.name == "posix"

    def __init__(self, playground, port):
        """Listen. Raises ``OSError`` when the port cannot be had."""
        super().__init__(("127.0.0.1", port), Handler)
        self.playground = playground
        self.alone = ThreadPoolExecutor(1)  # all calls of the folder's functions, one after another
        self.hosts = {f"{host}:{self.server_port}" for host in ("127.0.0.1", "localhost")}
        self.page = playground.page.replace('data-runs="page"', 'data-runs="folder"', 1).encode()
        self.policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', playground.page)[1]

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/"

    def compute(self, function, *arguments):
        """Run a function of the playground in the one thread that may."""
        return self.alone.submit(function, *arguments).result()


class Handler(http.server.BaseHTTPRequestHandler):
    """Three things to ask for: the page, the folder's state, a picture."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "playground", ""
    timeout = 30  # seconds that a connection may stay silent

    def do_GET(self):
        if self._is_foreign():
            return
        if self.path == "/":
            self._reply(200, self.server.page, "text/html; charset=utf-8")
        elif self.path == "/state":
            folder = self.server.playground.folder
            self._data(200, {"name": folder.name, "version": self.server.compute(folder.version)})
        else:
            self._refuse(404, "There is no such page here.")

    def do_POST(self):
        if self._is_foreign():
            return
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,9}", length) or "Transfer-Encoding" in self.headers:
            self._refuse(411, "A request must say how long it is.")
        elif int(length) > LARGEST_REQUEST:
            self._refuse(413, f"A request may have {LARGEST_REQUEST} bytes.")
        elif self.headers.get_content_type() != "application/json":
            self._refuse(415, "A request must be JSON.")
        elif self.path != "/picture":
            self._refuse(404, "There is no such page here.")
        else:
            self._picture(self.rfile.read(int(length)))

    def _picture(self, body):
        playground = self.server.playground
        try:
            request = asked(json.loads(body), playground.model.limits)
            self._data(200, self.server.compute(playground.answer, request))
        except Trouble as trouble:
            told = {"sentence": trouble.sentence, "place": trouble.place, "line": trouble.line}
            self._data(200, {"trouble": told})
        except BadRequest as problem:
            self._refuse(400, str(problem))
        except (ValueError, RecursionError):
            self._refuse(400, "The request is not JSON.")

    def _is_foreign(self):
        """Refuse what another site makes a browser send: it would name itself, or a name that it gave this address."""
        origin = self.headers.get("Origin")
        known = self.headers.get_all("Host", [])
        if len(known) != 1 or known[0] not in self.server.hosts or (origin and origin != f"http://{known[0]}"):
            self._refuse(403, "Only the playground's own page may ask.")
            return True
        return False

    def _refuse(self, status, sentence):
        self.close_connection = True  # what follows on it may be the rest of what was not read
        self._data(status, {"problem": sentence})

    def _data(self, status, data):
        self._reply(status, json.dumps(data, allow_nan=False).encode(), "application/json")

    def _reply(self, status, body, kind_of_body):
        self.send_response(status)
        headers = {
            "Content-Type": kind_of_body,
            "Content-Length": str(len(body)),
            "Content-Security-Policy": f"{self.server.policy}; frame-ancestors 'none'",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            **({"Connection": "close"} if self.close_connection else {}),
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        """Say nothing: the terminal is for what the functions print."""


def serve(playground, port):
    """Answer until somebody presses Ctrl-C or closes the terminal. Raises ``NoPort`` when the port cannot be had."""
    _on_end(signal.default_int_handler)
    try:
        listening = Server(playground, port)
    except OSError as error:
        raise NoPort(refused(port, error)) from None
    with listening as server:
        print(f"The playground of {playground.folder.name}: {server.address}  (Ctrl-C ends it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            _on_end(signal.SIG_IGN)  # once is enough: what is being computed is waited for
            print("\nThe playground has ended.")
        finally:
            server.alone.shutdown(cancel_futures=True)


def _on_end(handler):
    """What is to come of Ctrl-C, of a closed terminal, and of being told to end."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), handler)


class NoPort(Exception):
    """The page cannot be served at this port; the message says why and what to do."""


def refused(port, error):
    """What to do about a port that cannot be had."""
    other = PORT if port < 1024 else min(port, 65534) + 1
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use, perhaps by another playground. End that one, or choose another: --port {other}"
    return f"Port {port} cannot be had ({error.strerror}). Choose another: --port {other}"


def main():
    parser = argparse.ArgumentParser(description="See who reads whom, by your own attention.")
    parser.add_argument("--port", type=int, default=PORT, help=f"where the page is served ({PORT} if not given)")
    port = parser.parse_args().port
    again = "take it anew from the folder that you were given."
    try:
        page = (HERE / PAGE).read_text(encoding="utf-8")
        with OwnFolder() as folder:
            serve(Playground(page, folder), port)
    except NoPort as problem:
        parser.exit(2, f"{problem}\n")
    except OverflowError:
        parser.exit(2, "A port is a number from 0 to 65535.\n")
    except FileNotFoundError:
        parser.exit(2, f"{PAGE} is missing: {again}\n")
    except ValueError:
        parser.exit(2, f"{PAGE} is damaged: {again}\n")
    except OSError as error:
        parser.exit(2, f"{PAGE} cannot be read ({error.strerror}): {again}\n")


if __name__ == "__main__":
    run_functions() if sys.argv[1:] == ["--functions"] else main()
