"""Attacks: what student code tries on files, processes, the network and the wire, and does not get."""

from pathlib import Path

import pytest

import grader
from grader.sandbox import Died, Outcome, Rung, Worker

from .conftest import value

REACHES = """\
    import os, sys
    def tried(action, *args):
        try:
            return action(*args)
        except BaseException as error:
            return type(error).__name__
    def read(path):
        with open(path, "rb") as file:
            return len(file.read())
    def write(path):
        with open(path, "wb") as file:
            return file.write(b"x")
    """


def attack(worker: Worker, body: str, *args: object) -> Outcome:
    """What ``f(*args)`` comes to, with the helpers above."""
    lines = (
        REACHES.replace("\n    ", "\n").strip()
        + "\ndef f(*args):\n"
        + "\n".join("    " + line for line in body.strip().splitlines())
    )
    with worker.open({"attention.py": lines.encode()}, {"attention": "attention.py"}) as session:
        return session.call("attention", "f", args)


def refused(outcome: Outcome, *names: str) -> None:
    assert value(outcome) in (names or ("PermissionError", "FileNotFoundError")), outcome


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file that any user of this machine may read and write, if he can get to it."""
    file = tmp_path / "secret.txt"
    file.write_text("secret", encoding="utf-8")
    file.chmod(0o666)
    return file


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/proc/self/environ",
        "/proc/1/environ",
        "/proc/self/mem",
        "/sys/kernel",
        "/root",
        "/home",
        "/tmp",
        "/",
    ],
)
@pytest.mark.parametrize("way", ["read", "os.listdir"])
def test_nothing_of_the_machine_can_be_read(confined: Worker, path: str, way: str) -> None:
    refused(
        attack(confined, f"return tried({way}, {path!r})"),
        "PermissionError",
        "FileNotFoundError",
        "IsADirectoryError",
        "NotADirectoryError",
    )


def test_nothing_of_the_grader_can_be_read(confined: Worker) -> None:
    package = Path(grader.__file__).parent
    for file in (package / "__init__.py", package / "sandbox" / "inside" / "wire.py", package.parent / "course.toml"):
        refused(attack(confined, "return tried(read, args[0])", str(file)))
    refused(attack(confined, "return tried(read, sys.modules['inside.wire'].__file__)"))


def test_files_of_others_can_be_neither_read_nor_altered(confined: Worker, secret: Path) -> None:
    for action in (
        "read",
        "write",
        "os.unlink",
        "os.stat and (lambda p: os.truncate(p, 0))",
        "lambda p: os.chmod(p, 0)",
        "lambda p: os.utime(p, (0, 0))",
        "lambda p: os.link(p, os.environ['HOME'] + '/l')",
        "lambda p: os.rename(p, p + '2')",
        "lambda p: os.mkdir(p + '.d')",
    ):
        refused(
            attack(confined, f"return tried({action}, args[0])", str(secret)),
            "PermissionError",
            "FileNotFoundError",
            "OSError",
        )
    assert secret.read_text(encoding="utf-8") == "secret"
    assert [entry.name for entry in secret.parent.iterdir()] == ["secret.txt"]
    assert secret.stat().st_mtime > 1000


def test_a_link_leads_nowhere(confined: Worker, secret: Path) -> None:
    body = "path = os.environ['HOME'] + '/link'\nos.symlink(args[0], path)\nreturn tried(read, path)"
    refused(attack(confined, body, str(secret)))


def test_own_files_are_read_only_and_others_submissions_out_of_reach(confined: Worker) -> None:
    source = b"import os\ndef place():\n    return os.path.dirname(__file__)\n"
    with confined.open({"attention.py": source}, {"attention": "attention.py"}) as other:
        place = value(other.call("attention", "place", ()))
        refused(attack(confined, "return tried(read, args[0] + '/attention.py')", place))
        refused(attack(confined, "return tried(os.listdir, args[0])", place))
    refused(attack(confined, "return tried(write, __file__)"))
    refused(attack(confined, "return tried(write, os.path.dirname(__file__) + '/new.py')"))


def test_nothing_of_the_last_submission_is_left(worker: Worker) -> None:
    body = """\
home = os.environ["HOME"]
left = os.listdir(home) + os.listdir(".")
os.makedirs(home + "/a/b/c", exist_ok=True)
write(home + "/a/b/x")
os.symlink("/etc", home + "/link")
if sys.platform != "win32" and tried(os.mkfifo, home + "/pipe") != "PermissionError":
    os.unlink(home + "/pipe")
os.umask(0o777)
os.mkdir(home + "/closed")
where = os.getcwd()
os.chdir(home)
os.umask(0)
for _ in range(50):
    os.mkdir("deep")
    os.chdir("deep")
os.chdir(where)
return left
"""
    for _ in range(2):
        assert value(attack(worker, body)) == ["attention.py"]


VM = """\
import ctypes
class Part(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]
byte = ctypes.create_string_buffer(b"x")
part = ctypes.byref(Part(ctypes.addressof(byte), 1))
return "OSError" if ctypes.CDLL(None).process_vm_writev({who}, part, 1, part, 1, 0) < 0 else "written"
"""

PROCESSES = {
    "fork": "return tried(os.fork)",
    "fork bomb": "for _ in range(100):\n    if type(tried(os.fork)) is int: return 'forked'\nreturn 'OSError'",
    "subprocess": "import subprocess\nreturn tried(subprocess.run, [sys.executable, '-c', ''])",
    "system": "return 'OSError' if os.system('true') else 'ran'",
    "exec": "return tried(os.execv, sys.executable, ['python'])",
    "spawn": "return tried(os.posix_spawn, sys.executable, ['python'], {})",
    "multiprocessing": "import multiprocessing\nreturn tried(multiprocessing.get_context('fork').Pool, 1)",
    "kill the parent": "return tried(os.kill, os.getppid(), 0)",
    "kill all": "return tried(os.kill, -1, 0)",
    "kill the first": "return tried(os.kill, 1, 0)",
    "kill the group": "return tried(os.killpg, 0, 0)",
    "ptrace": "import ctypes\nreturn 'OSError' if ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) else 'attached'",
    "write the parent's memory": VM.format(who="os.getppid()"),
    "write memory as for another process": VM.format(who="os.getpid()"),  # which nothing but the filter refuses
    "open the parent's memory": "return tried(open, f'/proc/{os.getppid()}/mem', 'r+b')",
    "open its own memory": "return tried(open, '/proc/self/mem', 'r+b')",
    "limits of the parent": "import resource as r\nreturn tried(r.prlimit, os.getppid(), r.RLIMIT_CPU, (1, 1))",
    "raise a limit": "import resource\nreturn tried(resource.setrlimit, resource.RLIMIT_AS, (-1, -1))",
    "priority of the parent": "return tried(os.setpriority, os.PRIO_PROCESS, os.getppid(), 19)",
    "internet": "import socket\nreturn tried(socket.create_connection, ('127.0.0.1', 80))",
    "datagram": "import socket\nreturn tried(socket.socket, socket.AF_INET, socket.SOCK_DGRAM)",
    "local socket": "import socket\nreturn tried(socket.socket, socket.AF_UNIX)",
    "processors of the parent": "return tried(os.sched_setaffinity, os.getppid(), {0})",
    "a signal to the parent, by a pipe": "import fcntl\nreturn tried(fcntl.fcntl, os.pipe()[0], 8, os.getppid())",
    "the signal that a pipe sends": "import fcntl\nreturn tried(fcntl.fcntl, os.pipe()[0], 10, 9)",
    "a signal to the parent, by the wire": "import fcntl\nreturn tried(fcntl.ioctl, 3, 0x8901, bytes(4))",
    "outlive the parent": "import ctypes\nreturn 'OSError' if ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) else 'free'",
    "watch files of others": "import ctypes\nreturn 'OSError' if ctypes.CDLL(None).inotify_init() < 0 else 'watching'",
    "raw memory": "return tried(os.memfd_create, 'x')",
    "another user": "return tried(os.setresuid, 0, 0, 0)",
    "namespaces": "import ctypes\nreturn 'OSError' if ctypes.CDLL(None).unshare(0x10000000) else 'left'",
    "mount": "import ctypes\nreturn 'OSError' if ctypes.CDLL(None).mount(0, b'/tmp', b'tmpfs', 0, 0) else 'mounted'",
}


@pytest.mark.parametrize("case", PROCESSES)
def test_processes_and_the_network_are_out_of_reach(confined: Worker, case: str) -> None:
    refused(attack(confined, PROCESSES[case]), "PermissionError", "FileNotFoundError", "OSError", "ValueError")
    assert value(attack(confined, "return 1")) == 1


def test_a_home_has_room_for_so_many_files(confined: Worker) -> None:
    home = "home = os.environ['HOME'] + '/'\n"
    many = "for number in range(20_000): os.mkdir(home + str(number))\nwhile True: pass"
    large = "for number in range(20): open(home + str(number), 'wb').write(bytes(1 << 20))\nwhile True: pass"
    closed = "os.umask(0o400)\nos.mkdir(home + 'closed')\n" + large.replace("home +", "home + 'closed/' +")
    for body in (many, large, closed):
        outcome = attack(confined, home + body)
        assert isinstance(outcome, Died), body
        assert outcome == Died("files", "The call left more than 1000 files, or more than 16 MB in them.")
    few = "for number in range(900): open(home + str(number), 'wb').close()\nreturn len(os.listdir(home))"
    assert value(attack(confined, home + few)) == 900


def test_files_that_come_and_go_are_no_harm(confined: Worker) -> None:
    body = """\
import tempfile
for _ in range(3_000):
    with tempfile.NamedTemporaryFile() as file: file.write(bytes(1 << 14))
    with open(os.devnull, "w") as file: file.write("x")
return os.listdir(os.environ["HOME"])
"""
    assert value(attack(confined, body)) == []


def test_no_privilege_is_left(confined: Worker) -> None:
    body = "import ctypes\nreturn os.getuid(), ctypes.CDLL(None).prctl(39, 0, 0, 0, 0)  # PR_GET_NO_NEW_PRIVS"
    uid, no_new_privileges = value(attack(confined, body))  # type: ignore[misc]
    assert no_new_privileges == 1
    if confined.rung is Rung.BUBBLEWRAP:
        assert uid == 65534


def test_only_the_wire_and_the_null_device_are_open(confined: Worker) -> None:
    body = "return [fd for fd in range(200) if tried(os.fstat, fd) != 'OSError']"
    open_ones = value(attack(confined, body))
    assert isinstance(open_ones, list)
    assert open_ones[:3] == [0, 1, 2]
    assert len(open_ones) == 4


def test_threads_work(worker: Worker) -> None:
    body = """\
import threading
import numpy as np
found = []
def multiply():
    found.append(float((np.ones((50, 50)) @ np.ones((50, 50)))[0, 0]))
threads = [threading.Thread(target=multiply) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
return found
"""
    assert value(attack(worker, body)) == [50.0] * 4


FIND_WIRE = """\
import struct, json, time
def send(value):
    text = json.dumps(value).encode()
    os.write(wire, struct.pack(">I", len(text)) + text)
wire = next(fd for fd in range(3, 5000) if tried(os.fstat, fd) != 'OSError')
"""


def on_the_wire(data: str, after: str = "") -> str:
    return f"{FIND_WIRE}{data}\n{after}"


WIRE = {
    "noise": "os.write(wire, b'\\xff' * 100)",
    "no json": "os.write(wire, struct.pack('>I', 3) + b'}}}')",
    "header without end": "os.write(wire, struct.pack('>I', 1 << 31))",
    "array without end": "send([1 << 40, None])",
    "another reply": "send([0, {'dict': {'error': None, 'names': []}}])",
    "too many results": "send([0, {'dict': {'results': [1, 2, 3]}}])",
    "a question": "send([0, {'dict': {'ask': 'softmax', 'args': {'tuple': []}, 'kwargs': {'dict': {}}}}])",
    "more calls than there are": "send([0, {'dict': {'next': 1}}])",
}


@pytest.mark.parametrize("case", WIRE)
def test_what_is_no_reply_ends_the_child(confined: Worker, case: str) -> None:
    outcome = attack(confined, on_the_wire(WIRE[case]))
    assert isinstance(outcome, Died)
    assert outcome.reason == "protocol"


def test_a_flood_of_zeros_on_the_wire_ends_the_child(confined: Worker) -> None:
    outcome = attack(confined, on_the_wire("while True: os.write(wire, bytes(1 << 16))"))
    assert isinstance(outcome, Died)
    assert outcome.reason == "protocol"


def test_a_slow_reply_does_not_put_off_the_deadline(confined: Worker) -> None:
    slow = "for byte in struct.pack('>I', 4000) + bytes(4000):\n    os.write(wire, bytes([byte])); time.sleep(0.1)"
    outcome = attack(confined, on_the_wire(slow))
    assert isinstance(outcome, Died)
    assert outcome.reason == "time"


def test_hanging_up_is_the_end(confined: Worker) -> None:
    outcome = attack(confined, on_the_wire("os.close(wire)", "time.sleep(60)"))
    assert isinstance(outcome, Died)


def test_a_forged_reply_is_only_an_answer(confined: Worker) -> None:
    """Student code may answer in the name of its function, which it could do anyway."""
    forged = "send([0, {'dict': {'results': [{'dict': {'value': 'forged', 'raised': None, 'changed': []}}]}}])"
    outcome = attack(confined, on_the_wire(forged, "time.sleep(60)"))
    assert value(outcome) == "forged"
