"""The server: where it listens, whom it answers, how much it takes."""

import http.client
import json
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.playground.conftest import REQUEST, Student


class Server:
    """The student's program as somebody with a socket sees it."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        assert parts.hostname is not None
        assert parts.port is not None
        self.host, self.port = parts.hostname, parts.port

    def ask(
        self, method: str, path: str, body: str | bytes | None = None, **headers: str
    ) -> tuple[int, Any, http.client.HTTPMessage]:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        reply = connection.getresponse()
        content = reply.read().decode()
        connection.close()
        return reply.status, content, reply.headers

    def picture(self, data: Any, **headers: str) -> tuple[int, Any]:
        kind = {"Content_Type": "application/json", **headers}
        status, content, _ = self.ask("POST", "/picture", json.dumps(data), **kind)
        return status, json.loads(content)


@pytest.fixture
def server(served: str) -> Iterator[Server]:
    """The server, which must still be well after whatever a test did to it."""
    server = Server(served)
    yield server
    assert server.picture(REQUEST)[1]["heads"][0]["weights"] == [[1.0]]


def test_it_listens_on_this_computer_only(server: Server) -> None:
    own = socket.gethostbyname(socket.gethostname())
    others = [address for address in (own, "127.0.0.2") if address != "127.0.0.1"]
    assert others
    for address in others:
        with socket.socket() as knock:
            knock.settimeout(5)
            assert knock.connect_ex((address, server.port)) != 0


def test_the_page_comes_with_a_policy(server: Server) -> None:
    status, content, headers = server.ask("GET", "/")
    assert status == 200
    assert '<html lang="en" data-runs="folder">' in content
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert policy.endswith("frame-ancestors 'none'")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/attention.py", "/../attention.py", "/?", "/playground.html", "/picture"])
def test_there_is_nothing_else_to_get(server: Server, path: str) -> None:
    assert server.ask("GET", path)[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1", "", "127.0.0.1.evil"])
def test_a_foreign_host_is_refused(server: Server, host: str) -> None:
    assert server.ask("GET", "/", Host=host)[0] == 403
    assert server.ask("GET", "/state", Host=host)[0] == 403
    assert server.picture(REQUEST, Host=host)[0] == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_a_foreign_origin_is_refused(server: Server, origin: str) -> None:
    assert server.picture(REQUEST, Origin=origin)[0] == 403
    assert server.ask("GET", "/state", Origin=origin)[0] == 403


def test_the_page_itself_is_answered_under_both_names(server: Server) -> None:
    for name in ("127.0.0.1", "localhost"):
        here = f"{name}:{server.port}"
        status, answer = server.picture(REQUEST, Host=here, Origin=f"http://{here}")
        assert (status, answer["heads"][0]["weights"]) == (200, [[1.0]])


def test_a_request_that_is_too_large_or_of_another_kind_is_refused(server: Server) -> None:
    json_kind = {"Content_Type": "application/json"}
    assert server.ask("POST", "/picture", "x" * 16385, **json_kind)[0] == 413
    assert server.ask("POST", "/picture", "", Content_Length="9" * 9, **json_kind)[0] == 413
    assert server.ask("POST", "/picture", "", Content_Length="9" * 40, **json_kind)[0] == 411
    assert server.ask("POST", "/picture", "", Content_Length="-1", **json_kind)[0] == 411
    assert server.ask("POST", "/picture", "0\r\n\r\n", Transfer_Encoding="chunked", **json_kind)[0] == 411
    assert server.ask("POST", "/picture", json.dumps(REQUEST), Content_Type="text/plain")[0] == 415
    assert server.ask("POST", "/", json.dumps(REQUEST), **json_kind)[0] == 404
    for body in (b"", b"{", b"\xff", b"[" * 16000, b'{"words": NaN}'):
        assert server.ask("POST", "/picture", body, **json_kind)[0] == 400


@pytest.mark.parametrize(
    "wrong",
    [
        {"words": []}, {"words": ["a"] * 61}, {"words": ["a" * 41]}, {"words": [1]}, {"words": "dog"},
        {"mask": "all"}, {"mask": None}, {"scaling": 1}, {"positions": "on"}, {"heads": 0}, {"heads": 5},
        {"heads": 1.0}, {"heads": True}, {"looks": 3}, {"first": None},
    ],
)  # fmt: skip
def test_what_the_page_would_not_ask_is_refused(server: Server, wrong: dict[str, Any]) -> None:
    status, answer = server.picture({**REQUEST, **wrong})
    assert status == 400
    assert next(iter(wrong)) in answer["problem"] or "word" in answer["problem"]


def test_a_silent_connection_keeps_nobody_waiting(server: Server) -> None:
    with socket.create_connection((server.host, server.port)) as silent:
        silent.sendall(b"POST /picture HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n")
        assert server.ask("GET", "/state")[0] == 200


def test_the_state_changes_with_a_file(server: Server, student: Student) -> None:
    before = json.loads(server.ask("GET", "/state")[1])
    assert before["name"] == "ada"
    student.edit("attention", "import numpy as np", "import numpy as np  # saved")
    assert json.loads(server.ask("GET", "/state")[1])["version"] != before["version"]
