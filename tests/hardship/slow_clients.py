"""Clients that send and read very slowly, in one thread: an attack that needs no account."""

import itertools
import selectors
import socket
import ssl
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from types import TracebackType

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Padding: "
FORM = b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
BODY = FORM + b"Content-Length: 20000\r\n\r\n"
CHUNKED = FORM + b"Transfer-Encoding: chunked\r\n\r\n4e20\r\n"
API = (
    b"POST /api/v1/tokens/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 20000\r\n\r\n"
)
PAGES = (
    b"GET /static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    * 4
)
IDLE = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"

KINDS: dict[str, tuple[bytes, bytes]] = {
    "head": (HEAD, b"x"),
    "body": (BODY, b"x"),
    "chunked body": (CHUNKED, b"x"),
    "API body": (API, b" "),
    "nothing": (b"", b""),
    "reader": (PAGES, b""),
    "idle": (IDLE, b""),
}
"""For each kind of client, what it sends first, and what it sends repeatedly after that."""


@dataclass
class Connection:
    """An open connection of a slow client."""

    kind: str
    socket: socket.socket
    opened_at: float = field(default_factory=time.monotonic)


class SlowClients:
    """Hold a number of connections of each kind, and replace those that the server closes.

    ``lasted`` is the longest time in seconds that a connection of each kind was held, and
    ``closed`` the number that the server ended.
    """

    def __init__(
        self, port: int, numbers: dict[str, int], *, every: float = 2.0, tls: bool = False
    ) -> None:
        self.port, self.numbers, self.every, self.tls = port, numbers, every, tls
        self.lasted: dict[str, float] = dict.fromkeys(numbers, 0.0)
        self.closed: Counter[str] = Counter()
        self.failed = 0
        self._ended = Event()
        self._selector = selectors.DefaultSelector()
        self._thread = Thread(target=self._hold, daemon=True)

    def __enter__(self) -> "SlowClients":
        for kind, number in self.numbers.items():
            for _ in range(number):
                self._open(kind)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            self._forget(key.data)
        self._selector.close()

    def held(self) -> int:
        """The number of open connections."""
        return len(self._selector.get_map())

    def _open(self, kind: str) -> None:
        try:
            opened = socket.socket()
            # The buffer of a slow reader is small, so that the server notices it.
            opened.setsockopt(
                socket.SOL_SOCKET, socket.SO_RCVBUF, 1024 if kind == "reader" else 65536
            )
            opened.settimeout(5)
            opened.connect(("127.0.0.1", self.port))
            if self.tls:
                opened = _without_proof().wrap_socket(opened, server_hostname="localhost")
            opened.sendall(KINDS[kind][0])
        except OSError:
            self.failed += 1
            return
        opened.setblocking(False)
        self._selector.register(opened, selectors.EVENT_READ, Connection(kind, opened))

    def _forget(self, connection: Connection) -> None:
        with suppress(OSError, KeyError):
            self._selector.unregister(connection.socket)
        connection.socket.close()

    def _hold(self) -> None:
        for turn in itertools.count():
            if self._ended.wait(self.every):
                return
            for key in list(self._selector.get_map().values()):
                self._drip(key.data, turn)
            missing = Counter(self.numbers)
            missing.subtract(key.data.kind for key in self._selector.get_map().values())
            for kind, number in missing.items():
                for _ in range(number):
                    self._open(kind)

    def _drip(self, connection: Connection, turn: int) -> None:
        """Send the next byte, and check whether the server has closed the connection."""
        kind = connection.kind
        self.lasted[kind] = max(self.lasted[kind], time.monotonic() - connection.opened_at)
        try:
            if drop := KINDS[kind][1]:
                connection.socket.send(drop)
            # An idle client and a refused one read everything, a slow reader as little as
            # possible.
            if not connection.socket.recv(1 if kind == "reader" else 65536):
                raise ConnectionResetError
        except (BlockingIOError, ssl.SSLWantReadError):
            return
        except OSError:
            self.closed[kind] += 1
            self._forget(connection)


def _without_proof() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def worst_wait(question: Callable[[], bool], seconds: float) -> tuple[float, int]:
    """Return the slowest answer in seconds, and the number of unanswered questions.

    ``seconds`` is how long to ask.
    """
    worst, unanswered = 0.0, 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        started = time.perf_counter()
        unanswered += not question()
        worst = max(worst, time.perf_counter() - started)
        time.sleep(0.05)
    return worst, unanswered
