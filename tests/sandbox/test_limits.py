"""The system's own limits hold inside."""

from grader.sandbox import Raised, Worker

from .conftest import LIMITS, Submit, value
from .test_confine import attack


def test_a_file_can_be_no_larger_than_the_output(confined: Worker) -> None:
    size = LIMITS.output_mb << 20
    body = "path = os.environ['HOME'] + '/x'\nwith open(path, 'wb') as file:\n    file.truncate(args[0])\nreturn 1"
    assert value(attack(confined, body, size)) == 1
    too_large = attack(confined, body, size + 1)
    assert isinstance(too_large, Raised)
    assert too_large.type == "OSError"


def test_files_can_be_opened_but_not_without_end(confined: Worker) -> None:
    body = "files = []\nwhile len(files) < args[0]: files.append(open(os.devnull))\nreturn 1"
    assert value(attack(confined, body, 900)) == 1
    outcome = attack(confined, body, 5000)
    assert isinstance(outcome, Raised)
    assert outcome.type == "OSError"


def test_memory_within_the_limit_can_be_had(submit: Submit) -> None:
    session = submit(attention="def f(mb):\n    return len(bytearray(mb << 20))\n")
    assert value(session.call("attention", "f", (LIMITS.memory_mb // 2,))) == LIMITS.memory_mb // 2 << 20
