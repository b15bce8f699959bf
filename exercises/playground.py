"""The playground: edit a sentence and see who reads whom, by your own attention.

Run it in the folder of your exercises and open the address that it prints:

    python playground.py

It needs nothing but NumPy. The page talks to this program alone, on this computer alone; whenever you save one of your
files, the page works with the new one. Your functions run in a process of their own, so that a loop without an end
costs you a few seconds, not the playground.
"""

import argparse
import hashlib
import http.server
import importlib
import json
import math
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
PAGE = "playground.html"
PORT = 8765
SECONDS = 5  # that your function may take for a picture
START_SECONDS = 60  # that Python and NumPy may take to start, on a slow computer
LARGEST_REQUEST = 16 * 1024  # bytes
LARGEST_ARRAY = 100_000  # numbers
LONGEST_MESSAGE = 300  # characters of an error's own words
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
        hint = " Is a return missing?" if value is None else ""
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
    if isinstance(value, tuple | list):
        return f"{len(value)} values"
    return value if isinstance(value, str) else f"a {type(value).__name__}"


# A folder's functions. Outcomes are data: {"value": ...}, {"raised": ...} or {"ended": ...}

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
        if "ended" in outcomes[0]:
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
        """The outcomes of a task's calls; a single ``ended`` when the process did not live through it."""
        if not self._started:
            if not self._line(START_SECONDS):
                return self._gone()
            self._started = True
        try:
            self._process.stdin.write(json.dumps(task) + "\n")
            self._process.stdin.flush()
        except OSError:
            return self._gone()
        line = self._line(SECONDS)
        if line is None:
            return [{"ended": f"did not come back within {SECONDS} seconds. Is there a loop without an end?"}]
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
    error = outcome["raised"]
    message = error["message"].strip()[:LONGEST_MESSAGE]
    if error["type"] == "NoSuchFile":
        sentence = f"There is no {lesson}.py in this folder."
    elif error["type"] == "NoSuchFunction":
        sentence = f"{lesson}.py has no function {function}."
    elif error["type"] == "NotImplementedError":
        sentence = f"{message or function + ' is not started'}. Write it and save: this page goes on by itself."
    elif error["type"] in ("SyntaxError", "IndentationError", "TabError"):
        sentence = f"Python cannot read the file: {message.partition(' (')[0]}."
    else:
        sentence = f"{function} stopped with {error['type']}{': ' if message else ''}{message}"
    place = f"{error['file']}, line {error['number']}" if error["file"] else ""
    raise Trouble(sentence, place, error["text"])


def _sent(part):
    return {"array": part.tolist()} if isinstance(part, np.ndarray) else part


def _received(value):
    """What came back over the pipe: an array, several of them, or the words for what it was."""
    if isinstance(value, dict):
        return np.array(value["numbers"], dtype=float).reshape(value["shape"])
    return [_received(part) for part in value] if isinstance(value, list) else value


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
    print("ready", file=replies, flush=True)
    while True:
        task = tasks.get()
        outcomes = [_outcome(task["function"], call) for call in task["calls"]]
        print(json.dumps(outcomes), file=replies, flush=True)


def _receive(requests, tasks):
    """Hand on what is asked. When the playground is gone, so is this process, even out of a loop without an end."""
    for line in requests:
        tasks.put(json.loads(line))
    os._exit(0)


def _outcome(function, arguments):
    lesson = LESSON_OF[function]
    nowhere = {"message": "", "file": "", "number": 0, "text": ""}
    if not (HERE / f"{lesson}.py").is_file():
        return {"raised": {**nowhere, "type": "NoSuchFile"}}
    try:
        found = getattr(importlib.import_module(lesson), function, None)
        if not callable(found):
            return {"raised": {**nowhere, "type": "NoSuchFunction"}}
        with np.errstate(all="ignore"):
            value = found(*[np.array(part["array"]) if isinstance(part, dict) else part for part in arguments])
        return {"value": as_data(value)}
    except (Exception, SystemExit) as error:
        return {"raised": _told(error, nowhere)}


def as_data(value):
    """A value as JSON can hold it: arrays as numbers and shapes, what is neither an array nor some as words."""
    if isinstance(value, tuple | list):
        return [as_data(part) for part in value[:3]]
    if not isinstance(value, np.ndarray):
        return None if value is None else f"a {type(value).__name__}"
    if value.dtype.kind not in "biuf":
        return f"an array of {value.dtype}"
    if value.size > LARGEST_ARRAY:
        return f"an array of shape {value.shape}"
    return {"numbers": value.ravel().astype(float).tolist(), "shape": value.shape}


def _told(error, nowhere):
    """An exception as data, with the innermost line that is the student's."""
    told = {**nowhere, "type": type(error).__name__}
    try:
        told["message"] = str(error).replace(str(HERE) + os.sep, "").replace(str(HERE), ".")
    except Exception:
        told["message"] = ""
    places = [(Path(f.filename), f.lineno, f.line) for f in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((Path(error.filename), error.lineno, (error.text or "").strip()))
    for file, number, text in places:
        if file.parent == HERE and file.name != Path(__file__).name:
            told.update(file=file.name, number=number, text=text)
    return told


# The server


class Server(http.server.ThreadingHTTPServer):
    """Serves one playground on 127.0.0.1, to pages that it has served itself."""

    daemon_threads = True
    # On Windows this would let two playgrounds share an address, and either might answer.
    allow_reuse_address = os.name == "posix"

    def __init__(self, playground, port):
        """Listen. Raises ``OSError`` when the port is taken."""
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
    """Answer until somebody presses Ctrl-C. Raises ``OSError`` when the port is taken."""
    with Server(playground, port) as server:
        print(f"The playground of {playground.folder.name}: {server.address}  (Ctrl-C ends it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nThe playground has ended.")
        finally:
            server.alone.shutdown(cancel_futures=True)


def taken(port):
    """What to do about a port that is in use."""
    return f"Port {port} is in use, perhaps by another playground. End that one, or choose another: --port {port + 1}"


def main():
    parser = argparse.ArgumentParser(description="See who reads whom, by your own attention.")
    parser.add_argument("--port", type=int, default=PORT, help=f"where the page is served ({PORT} if not given)")
    port = parser.parse_args().port
    again = "take it anew from the folder that you were given."
    try:
        page = (HERE / PAGE).read_text(encoding="utf-8")
        with OwnFolder() as folder:
            serve(Playground(page, folder), port)
    except OverflowError:
        parser.exit(2, "A port is a number from 0 to 65535.\n")
    except FileNotFoundError:
        parser.exit(2, f"{PAGE} is missing: {again}\n")
    except ValueError:
        parser.exit(2, f"{PAGE} is damaged: {again}\n")
    except OSError:
        parser.exit(2, taken(port) + "\n")


if __name__ == "__main__":
    run_functions() if sys.argv[1:] == ["--functions"] else main()
