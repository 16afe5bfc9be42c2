"""The web server itself, asked over sockets: deadlines, limits, and what could be read as two
requests."""

import json
import re
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from scripts.processes import Process, free_port, wait_for
from scripts.serve import ROOT, WEB

HASTY = """
from config import server
server.HEAD_SECONDS, server.BODY_SECONDS, server.ANSWER_SECONDS = 2, 3, 4
worker_class = server.Worker
preload_app, threads, keepalive, worker_connections, control_socket_disable = True, 2, 3, 40, True
"""
"""The settings of gunicorn.conf.py with deadlines that a test can wait for, and few threads and
connections."""
ESTABLISHED = "01"
"""The state of an open connection in /proc/net/tcp."""
HEALTH = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
HOST = b"Host: localhost\r\n"
POST = b"POST /api/v1/tokens/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


class Line:
    """A connection to the server."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.read = b""

    def send(self, data: bytes) -> "Line":
        self.socket.sendall(data)
        return self

    def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of the next answer; status 0 if the connection was
        closed.
        """
        while b"\r\n\r\n" not in self.read:
            if not (more := self._more()):
                return 0, {}, self.read
            self.read += more
        head, _, self.read = self.read.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in lines)
        }
        length = int(headers.get("content-length", "0"))
        while len(self.read) < length and (more := self._more()):
            self.read += more
        body, self.read = self.read[:length], self.read[length:]
        return int(first.split()[1]), headers, body

    def status(self) -> int:
        return self.answer()[0]

    def is_closed(self) -> bool:
        """Return whether the server closes the connection within the socket's timeout."""
        return not self._more()

    def _more(self) -> bytes:
        with suppress(ConnectionError):
            return self.socket.recv(65536)
        return b""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Yield the port of a server with short timeouts, whose pages need no database."""
    folder = tmp_path_factory.mktemp("web")
    (folder / "hasty.py").write_text(HASTY)
    number = free_port()
    program = [
        sys.executable,
        "-m",
        *WEB,
        "-c",
        str(folder / "hasty.py"),
        "--bind",
        f"127.0.0.1:{number}",
    ]
    environment = {
        "VAR_DIR": str(folder / "var"),
        "DATABASE_URL": "",
        "CACHE_URL": "",
        "ARCHIVE_LIMIT_MB": "8",
    }
    process = Process(
        "web server", program, environment=environment, log=folder / "web.log", folder=ROOT
    )
    try:
        wait_for(lambda: is_well(number), process, seconds=120)
        yield number
    finally:
        process.stop()


@pytest.fixture
def line(port: int) -> Line:
    return Line(port)


def is_well(port: int) -> bool:
    try:
        return Line(port).send(HEALTH).status() == 200
    except OSError:
        return False


def test_slow_heads_and_bodies_end_at_their_deadline_whatever_drips_in(port):
    started = time.monotonic()
    begun = {
        "head": (b"GET /api/v1/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"x"),
        "body": (POST + b"Content-Length: 20000\r\n\r\n", b"x"),
        "chunked body": (POST + b"Transfer-Encoding: chunked\r\n\r\n4e20\r\n", b"x"),
        "silence": (b"", b""),
        "empty lines": (b"\r\n", b"\r\n"),
    }
    lines = {name: Line(port).send(first) for name, (first, _) in begun.items()}
    lasted: dict[str, float] = {}
    for each in lines.values():
        each.socket.setblocking(False)
    while len(lasted) < len(lines) and time.monotonic() < started + 20:
        for name in lines.keys() - lasted.keys():
            with suppress(BlockingIOError):
                try:
                    lines[name].socket.send(begun[name][1])
                    lines[name].read += (more := lines[name].socket.recv(65536))
                except ConnectionError:
                    more = b""
                if not more:
                    lasted[name] = time.monotonic() - started
        # On a busy machine even a quick request may miss the short deadlines of this server.
        assert any(is_well(port) for _ in range(3))
        time.sleep(0.2)
    assert lasted.keys() == lines.keys()
    assert max(lasted.values()) < 10, lasted
    for name in ("head", "body", "chunked body"):
        status, _, body = lines[name].answer()
        assert (status, json.loads(body)["code"]) == (408, "too_slow"), name


def test_a_body_that_keeps_the_rate_is_read_for_as_long_as_it_takes(line):
    line.send(POST + b"Content-Length: 30000\r\n\r\n")
    for _ in range(20):
        line.send(b" " * 1500)
        time.sleep(0.3)
    assert line.status() == 400


def test_more_slow_clients_than_threads_keep_nobody_waiting(port):
    with ExitStack() as stack:
        for _ in range(12):
            slow = Line(port).send(POST + b"Content-Length: 20000\r\n\r\n")
            stack.enter_context(slow.socket)
        started = time.monotonic()
        assert is_well(port)
        assert time.monotonic() - started < 2


def test_beyond_the_limit_of_connections_the_oldest_that_waits_makes_room(port):
    lines = [Line(port) for _ in range(60)]
    assert is_well(port)
    still_open = 0
    for each in lines:
        each.socket.setblocking(False)
        try:
            still_open += bool(each.socket.recv(1))
        except BlockingIOError:
            still_open += 1
        except ConnectionError:
            pass
        each.socket.close()
    assert 0 < still_open <= 41


@pytest.mark.parametrize(
    ("head", "status", "code"),
    [
        (b"GET /api/v1/?q=" + b"x" * 9000 + b" HTTP/1.1\r\n" + HOST, 414, "address_too_long"),
        (b"GET /api/v1/?q=" + b"x" * 70_000, 414, "address_too_long"),
        (
            b"GET /api/v1/ HTTP/1.1\r\n" + HOST + b"X-Long: " + b"x" * 70_000,
            431,
            "headers_too_large",
        ),
        (b"GET /api/v1/ HTTP/1.1\r\n" + HOST + b"no header\r\n", 400, "bad_request"),
        (b"GET /api/v1/ HTTP/1.1\r\n" + HOST + b"X-Nul: \0\r\n", 400, "bad_request"),
        (b"nonsense /api/v1/\r\n", 400, "bad_request"),
        (POST + b"Transfer-Encoding: gzip\r\n", 501, "not_implemented"),
        (POST + b"Content-Length: 99999999\r\n", 413, "too_large"),
        (POST + b"Content-Length: 99999999\r\nExpect: 100-continue\r\n", 413, "too_large"),
    ],
)
def test_what_the_server_refuses_by_its_head_is_a_problem_of_the_api(line, head, status, code):
    got, headers, body = line.send(head + b"\r\n").answer()
    problem = json.loads(body)
    assert (got, problem["status"], problem["code"]) == (status, status, code)
    assert headers["content-type"] == "application/problem+json"
    assert problem["instance"].startswith("/api/v1/")
    assert headers["connection"] == "close" and line.is_closed()


def test_a_browser_is_shown_a_page_instead(line):
    status, headers, body = line.send(
        b"GET /?q=" + b"x" * 9000 + b" HTTP/1.1\r\n" + HOST + b"\r\n"
    ).answer()
    assert (status, headers["content-type"]) == (414, "text/html; charset=utf-8")
    assert "The address is too long" in body.decode()


def test_a_client_that_goes_on_sending_reads_why_it_is_refused(line):
    line.send(POST + b"Content-Length: 99999999\r\n\r\n")
    with suppress(ConnectionError):
        for _ in range(10):
            line.send(b"x" * 100_000)
    assert line.status() == 413


@pytest.mark.parametrize(
    "lines",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked, chunked\r\n",
        b"Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n",
        b"Transfer-Encoding: \x0bchunked\r\n",
        b"Transfer-Encoding : chunked\r\n",
        b"Content-Length: 5\r\nContent-Length: 5\r\n",
        b"Content-Length: 5\r\nContent-Length: 6\r\n",
        b"Content-Length: +5\r\n",
        b"Content-Length: 0x5\r\n",
        b"Content-Length: -1\r\n",
    ],
)
def test_what_a_proxy_could_read_as_two_requests_is_refused(line, lines):
    line.send(POST + lines + b"\r\n0\r\n\r\n" + HEALTH)
    assert line.status() in (400, 501)
    assert line.is_closed()


def test_http_1_0_has_no_chunks(line):
    old = POST.replace(b"HTTP/1.1", b"HTTP/1.0")
    assert line.send(old + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").status() == 400


def test_chunks_are_put_together(line):
    line.send(
        POST
        + b'Transfer-Encoding: chunked\r\n\r\n8\r\n{"userna\r\n8\r\nme": "x"\r\n1\r\n}\r\n0\r\n\r\n'
    )
    status, _, body = line.answer()
    assert (status, [each["field"] for each in json.loads(body)["errors"]]) == (400, ["/password"])
    assert line.send(HEALTH).status() == 200, "the connection goes on"


@pytest.mark.parametrize(
    "chunks", [b"5;" + b"x" * 5000, b"zz\r\n", b"5\r\nhelloXX", b"0\r\n" + b"x" * 5000]
)
def test_broken_chunks_are_refused(line, chunks):
    assert line.send(POST + b"Transfer-Encoding: chunked\r\n\r\n" + chunks).status() == 400
    assert line.is_closed()


def test_expect_header_gets_100_continue(line):
    line.send(POST + b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    assert line.status() == 100
    assert line.send(b"{}").status() == 400


def test_several_requests_in_a_row_are_answered_in_order(line):
    missing = b"GET /api/v1/nowhere/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    line.send(HEALTH + missing + HEALTH)
    assert [line.status() for _ in range(3)] == [200, 404, 200]


@pytest.mark.parametrize(("connection", "is_kept"), [(b"keep-alive", True), (b"close", False)])
def test_304_keeps_the_connection_unless_client_closes_it(line, connection, is_kept):
    file = b"GET /static/site/favicon.svg HTTP/1.1\r\nHost: localhost\r\n"
    modified = line.send(file + b"\r\n").answer()[1]["last-modified"].encode()
    condition = b"If-Modified-Since: " + modified + b"\r\nConnection: " + connection
    status, headers, _ = line.send(file + condition + b"\r\n\r\n").answer()
    assert (status, "connection" not in headers) == (304, is_kept)
    assert line.send(HEALTH).status() == (200 if is_kept else 0)


@pytest.mark.parametrize(
    "path",
    [
        b"/health/live",
        b"/api/v1/nowhere/",
        b"/static/site/favicon.svg",
        b"/api/v1/?q=" + b"x" * 9000,
        b"/",
    ],
)
def test_an_answer_to_head_has_no_body(line, path):
    line.send(
        b"HEAD "
        + path
        + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
        + (b"" if b"xxx" in path else HEALTH)
    )
    line.socket.settimeout(5)
    seen = b""
    while seen.count(b"HTTP/1.1 ") < (1 if b"xxx" in path else 2) or b"\r\n\r\n" not in seen:
        seen += line._more()
    first, _, rest = seen.partition(b"\r\n\r\n")
    assert b"Content-Length" in first
    assert rest.startswith(b"HTTP/1.1 200 OK") or not rest


def test_a_line_that_is_idle_is_closed_after_a_while(line):
    assert line.send(HEALTH).status() == 200
    started = time.monotonic()
    assert line.is_closed()
    assert 1 < time.monotonic() - started < 10


def test_a_header_with_an_underscore_is_not_taken_for_one_with_a_stroke(line):
    line.send(
        b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nX_Request_ID: 00000000-0000-4000-8000-000000000000\r\n\r\n"
    )
    assert "00000000" not in line.answer()[1]["x-request-id"]


def test_who_leaves_in_the_middle_does_no_harm(port):
    for _ in range(10):
        Line(port).send(POST + b"Content-Length: 100\r\n\r\n{").socket.close()
        Line(port).send(b"GET / HTTP/1.1\r\n").socket.close()
    assert is_well(port)


def test_the_settings_are_read_wherever_gunicorn_is_started():
    settings: dict[str, object] = {}
    exec((ROOT / "gunicorn.conf.py").read_text(), settings)
    assert settings["worker_class"] == "config.server.Worker"
    assert settings["preload_app"] is True
    caddy = re.search(r"keepalive (\d+)s", (ROOT / "Caddyfile").read_text())
    assert caddy is not None
    # A proxy must not send on a connection that closes at this moment.
    assert int(caddy[1]) < int(str(settings["keepalive"]))
    assert "COPY . ." in (Path(ROOT) / "Dockerfile").read_text(), "gunicorn.conf.py is in the image"


def test_server_limits_large_bodies_read_at_once(port):
    announced = POST + b"Content-Length: 7000000\r\n\r\n{"
    held = [Line(port).send(announced) for _ in range(4)]
    status, headers, body = Line(port).send(announced).answer()
    assert (status, headers["retry-after"], json.loads(body)["code"]) == (503, "1", "busy")
    assert is_well(port), "others are not large"
    for each in held:
        each.socket.close()
    time.sleep(0.5)
    again = Line(port).send(announced + b" " * 6_999_999)
    assert again.status() == 413, "too much for this address, as the application says"


APPLICATION = """
import os, time

def application(environ, start_response):
    path = environ["PATH_INFO"]
    if path == "/slow":
        time.sleep(1.5)
    body = b"x" * 12_000_000 if path == "/big" else str(os.getpid()).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
"""


@pytest.fixture
def gunicorn(tmp_path: Path) -> Iterator[tuple[Process, int]]:
    """Yield a server of two processes with a slow application, and its port."""
    (tmp_path / "taking_time.py").write_text(APPLICATION)
    (tmp_path / "hasty.py").write_text(HASTY)
    number = free_port()
    program = [
        sys.executable,
        "-m",
        "gunicorn",
        "taking_time:application",
        "-c",
        str(tmp_path / "hasty.py"),
    ]
    program += ["--workers", "2", "--bind", f"127.0.0.1:{number}"]
    environment = {
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": "",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    environment["PYTHONPATH"] = f"{ROOT}:{tmp_path}"
    process = Process(
        "web server", program, environment=environment, log=tmp_path / "web.log", folder=tmp_path
    )
    try:
        wait_for(lambda: is_well(number), process, seconds=60)
        yield process, number
    finally:
        process.stop()


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def test_what_was_begun_is_answered_before_the_server_stops(gunicorn):
    process, port = gunicorn
    begun = [Line(port).send(get("/slow")) for _ in range(3)]
    idle, half = Line(port).send(get("/")), Line(port).send(POST + b"Content-Length: 100\r\n\r\n")
    assert idle.status() == 200
    time.sleep(0.5)
    process.ask_to_stop()
    assert [each.status() for each in begun] == [200, 200, 200]
    assert idle.is_closed() and half.is_closed()
    wait_for(lambda: process.exit_code is not None, seconds=15)
    assert process.exit_code == 0, process.last_words()


def test_reload_replaces_processes_and_keeps_requests(gunicorn):
    process, port = gunicorn

    def serving() -> str:
        return Line(port).send(get("/")).answer()[2].decode()

    before = {serving() for _ in range(20)}
    begun = Line(port).send(get("/slow"))
    time.sleep(0.3)
    process._process.send_signal(signal.SIGHUP)
    wait_for(lambda: serving() not in before, process, seconds=30)
    assert begun.status() == 200
    wait_for(lambda: not ({serving() for _ in range(10)} & before), process, seconds=30)
    assert process.exit_code is None


def is_established(line: Line, port: int) -> bool:
    """Return whether the server has not closed its end of a connection, as Linux shows it."""
    ends = [f":{port:04X}", f":{line.socket.getsockname()[1]:04X}"]
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any([row[1][-5:], row[2][-5:]] == ends and row[3] == ESTABLISHED for row in rows)


def test_a_reader_that_takes_nothing_is_let_go_and_holds_no_thread(gunicorn):
    _, port = gunicorn
    lines = []
    for _ in range(6):
        line = Line(port)
        line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lines.append(line.send(get("/big")))
    assert all(is_established(line, port) for line in lines)
    started = time.monotonic()
    while time.monotonic() < started + 8:
        sent_at = time.monotonic()
        assert is_well(port)
        assert time.monotonic() - sent_at < 6
        time.sleep(0.3)
    # The system keeps what was sent already, so the end of a connection shows in its table alone.
    wait_for(lambda: not any(is_established(line, port) for line in lines), seconds=15)
