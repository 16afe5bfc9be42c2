"""The worker of the web server: gunicorn manages processes, and waitress handles requests.

An event loop reads headers and bodies and sends responses, for any number of connections. A request
takes a thread only after it has arrived completely, and frees it when its response is in a buffer.
A client that sends or reads slowly therefore holds a connection but does not block the site
(docs/decisions/web.md).

Each step of a connection has a deadline. Bytes in between do not extend it, except at the rate that
every client must keep. gunicorn.conf.py names this class; the relevant settings of gunicorn are
``threads``, ``worker_connections``, ``keepalive`` and ``graceful_timeout``.
"""

import fcntl
import math
import os
import re
import resource
import socket
import struct
import tempfile
import termios
import time
from collections import Counter
from contextlib import suppress
from typing import Any

from django.conf import settings
from gunicorn.workers.base import Worker as GunicornWorker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.receiver import ChunkedReceiver
from waitress.server import TcpWSGIServer, UnixWSGIServer
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import BadRequest, Error, RequestHeaderFieldsTooLarge

from config.threads import Threads

HEAD_SECONDS = 10
"""Time for the whole head of a request from its first byte, or from opening a new connection."""
BODY_SECONDS = 20
"""Time for a body, plus one second for each ``RATE`` bytes received."""
ANSWER_SECONDS = 30
"""Time for a response, plus one second for each ``RATE`` bytes that the client has taken."""
RATE = 1000
"""Bytes per second: slower than any modem."""
LINGER_SECONDS = 2
"""Time for a refused client that is still sending to read the response. Closing a connection with
unread bytes resets it."""

MAX_OF_A_HEAD = 64 * 1024
MAX_OF_AN_ADDRESS = 8190
"""Bytes. RFC 9112 recommends at least 8,000."""
MAX_OF_A_CONTROL_LINE = 1024
"""Bytes between two chunks of a body, or after the last one."""
LARGE_AT_ONCE = 4
"""The number of bodies (archives) larger than those of pages and the API that a process receives at
a time. They are kept on disk."""
FORM_AROUND_A_FILE = 1024 * 1024

REFUSED = "muster.refused"
"""Equal to ``core.middleware.REFUSED``, which cannot be imported here: gunicorn loads this module
before Django is set up."""

UNSHOWN = re.compile(rb"[^!-~]")
FRAMING = re.compile(rb"(?im)^(content-length|transfer-encoding)[ \t]*:[ \t]*([^\r\n]*)")


class AddressTooLong(Error):
    code, reason = 414, "URI Too Long"


class TooSlow(Error):
    code, reason = 408, "Request Timeout"


class TooManyLarge(Error):
    code, reason = 503, "Service Unavailable"


class Parser(HTTPRequestParser):
    """A request parser that also refuses ambiguous requests and addresses that are too long."""

    error: Error | None
    is_counted = False
    """True if the request was counted as a large one."""

    def received(self, data: bytes) -> int:
        start = self.header_plus
        taken: int = super().received(data)
        first_line = (start + data).lstrip().partition(b"\r\n")[0]
        if (
            isinstance(self.error, RequestHeaderFieldsTooLarge)
            and len(first_line) > MAX_OF_AN_ADDRESS
        ):
            # The end of the line may have arrived together with the bytes over the limit.
            self.error = AddressTooLong("")
        elif self.headers_finished and not self.error:
            self._check()
        if self.error:
            self.refuse(self.error, start + data)
        return taken

    def refuse(self, error: Error, head: bytes) -> None:
        """Answer the request with an error without waiting for its body."""
        self.error, self.completed, self.expect_continue = error, True, False
        if self.body_rcv is None:
            self.path = address_of(head)

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        lines = [
            (name.lower(), value.strip().lower()) for name, value in FRAMING.findall(header_plus)
        ]
        codings = [value for name, value in lines if name == b"transfer-encoding"]
        # A proxy may use the other one of two headers: see RFC 9112, 6.1 to 6.3.
        if codings and (codings != [b"chunked"] or len(lines) > 1 or self.version != "1.1"):
            self.error = BadRequest("")

    def _check(self) -> None:
        if len(self.request_uri) > MAX_OF_AN_ADDRESS:
            self.error = AddressTooLong("")
        body = self.body_rcv
        # waitress searches the text between chunks again with every byte.
        if (
            isinstance(body, ChunkedReceiver)
            and len(body.control_line + body.trailer) > MAX_OF_A_CONTROL_LINE
        ):
            self.error = BadRequest("")

    @property
    def is_large(self) -> bool:
        """Return whether the body, as announced or received so far, exceeds the limits of pages
        and API."""
        most: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + FORM_AROUND_A_FILE
        return bool(max(self.content_length, self.body_bytes_received) > most)


def address_of(head: bytes) -> str:
    """Return the path in a head that could not be read, without special characters, or "/"."""
    words = head.lstrip().partition(b"\r\n")[0].split(b" ")
    path = words[1].partition(b"?")[0] if len(words) > 1 else b""
    return UNSHOWN.sub(b"", path[:200]).decode("ascii") or "/"


class Task(WSGITask):
    """A request in a thread. For HEAD, it sends the headers of GET without a body."""

    ends_with_head = False
    """True while the head of a response without a body, such as 304, is being written."""

    @property
    def is_head(self) -> bool:
        """Return whether the request is HEAD: the client would read a body as the next response."""
        return bool(self.request.command.upper() == "HEAD")

    def get_environment(self) -> dict[str, Any]:
        """Return the WSGI environment."""
        environ: dict[str, Any] = super().get_environment()
        if self.is_head:
            # The file wrapper would pass a file to the event loop.
            environ.pop("wsgi.file_wrapper", None)
        return environ

    def build_response_header(self) -> bytes:
        """Return the head of the response."""
        # waitress closes a connection after a response without a length. This one needs none.
        is_persistent = self.version == "1.1" and (
            self.request.headers.get("CONNECTION", "").lower() != "close"
        )
        self.ends_with_head = is_persistent and not self.has_body
        head: bytes = super().build_response_header()
        self.ends_with_head = False
        return head

    def set_close_on_finish(self) -> None:
        """Close the connection after the response."""
        if not self.ends_with_head:
            super().set_close_on_finish()

    def write(self, data: bytes) -> None:
        """Send the headers, if they are not sent yet, and the data."""
        super().write(b"" if self.is_head else data)
        if self.is_head:
            self.chunked_response = False


class Refusal(Task):
    """The answer to a refused request, which Django makes: a problem document or a page.

    Django gets the address only, and nothing that is in doubt.
    """

    def execute(self) -> None:
        error = self.request.error
        if error.code == 500:
            # Django itself has failed.
            ErrorTask.execute(self)
            return
        refused = Parser(self.channel.adj)
        refused.parse_header(b"GET / HTTP/1.1\r\n\r\n")
        refused.path = self.request.path[:200]
        refused.command = self.request.command = getattr(self.request, "command", "GET")
        refused.headers = {
            name: self.request.headers[name]
            for name in ("ACCEPT", "HOST")
            if name in self.request.headers
        }
        self.environ = Task(self.channel, refused).get_environment() | {REFUSED: error.code}
        self.set_close_on_finish()
        super().execute()


class Channel(HTTPChannel):
    """A connection, its current step, and when that step began."""

    parser_class = Parser
    task_class = Task
    error_task_class = Refusal
    request: Parser | None
    requests: list[Parser]
    close_when_flushed: bool

    def __init__(self, *about: Any, **named: Any) -> None:
        self.sent = 0
        self.is_new = True
        self.is_refused = self.is_lingering = False
        self.idle_since = self.since = time.monotonic()
        self.step: tuple[str, float | None] = ("idle", None)
        self._taken_before = 0
        super().__init__(*about, **named)

    def received(self, data: bytes) -> bool:
        """Read more data. Ignores the data of a client that was refused."""
        if self.is_lingering:
            return False
        is_taken: bool = super().received(data)
        request = self.request
        if request is not None and request.is_large and not request.is_counted:
            request.is_counted = True
            if self.server.number_of_large() > LARGE_AT_ONCE:
                self._refuse(TooManyLarge(""))
        return is_taken

    def _refuse(self, error: Error) -> None:
        """Answer the request that is being read with an error, then close the connection."""
        with self.requests_lock:
            request, self.request = self.request, None
            if request is not None:
                request.refuse(error, request.header_plus)
                self.requests.append(request)
                if len(self.requests) == 1:
                    self.server.add_task(self)

    def service(self) -> None:
        """Answer the next request. Runs in a thread."""
        self.is_refused = bool(self.requests[0].error)
        super().service()
        self.is_new, self.idle_since = False, time.monotonic()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send some of the data. Return how many bytes were sent."""
        number: int = super().send(data, do_close=do_close)
        self.sent += number
        return number

    def handle_write(self) -> None:
        """Send waiting data, and close the connection after the end."""
        if not (self.is_refused and self.close_when_flushed):
            super().handle_write()
            return
        self.close_when_flushed = False
        super().handle_write()
        if self.total_outbufs_len:
            self.close_when_flushed = True
        elif self.connected:
            self.is_lingering = True
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)

    def is_at_work(self) -> bool:
        """Return whether a request of this connection is in a thread or waits for one."""
        return bool(self.requests)

    def look(self, now: float, keepalive: float) -> None:
        """End a step that takes too long. Called every second in the thread of the event loop."""
        step = self._current_step()
        if step != self.step:
            self.step, self.since, self._taken_before = step, now, self._taken()
        if step[0] == "idle":
            self.since = self.idle_since
        if now - self.since <= self._seconds(keepalive):
            return
        if step[0] in ("head", "body"):
            self._refuse(TooSlow(""))
        else:
            self.end()

    def end(self) -> None:
        """Close the connection now, in the thread of the event loop.

        waitress's ``will_close`` waits until data can be sent: a client that takes nothing would
        hold the connection for ever.
        """
        self.handle_close()

    def _taken(self) -> int:
        """Return the number of bytes that the client has taken.

        The system's buffer takes megabytes at once, whatever the client does.
        """
        waiting = 0
        # A thread may be closing the socket: then there is none, or it has no number any more.
        with suppress(OSError, TypeError, ValueError):
            answer = fcntl.ioctl(self.socket, termios.TIOCOUTQ, struct.pack("i", 0))
            (waiting,) = struct.unpack("i", answer)
        return self.sent - waiting

    def _current_step(self) -> tuple[str, float | None]:
        if self.is_lingering:
            return "linger", None
        if self.total_outbufs_len:
            return "answer", None
        if self.requests:
            return "work", None
        if self.request is None:
            return "idle", None
        # A new parser is not a new step: each empty line before a head makes a new parser.
        return "body" if self.request.headers_finished else "head", self.idle_since

    def _seconds(self, keepalive: float) -> float:
        """Return the time limit of the current step in seconds."""
        match self.step[0]:
            case "linger":
                return LINGER_SECONDS
            case "answer":
                return ANSWER_SECONDS + (self._taken() - self._taken_before) / RATE
            case "work":
                return math.inf
            case "body" if self.request is not None:
                return BODY_SECONDS + float(self.request.body_bytes_received) / RATE
            case "idle" if not self.is_new:
                return keepalive
        return HEAD_SECONDS


class Connections:
    """A mixin for listening sockets that limits the time and number of connections."""

    channel_class = Channel
    most = 500
    keepalive = 75.0
    active_channels: dict[int, Channel]

    def maintenance(self, now: float) -> None:
        """End steps that take too long. waitress calls this once a second."""
        for channel in list(self.active_channels.values()):
            channel.look(time.monotonic(), self.keepalive)

    def handle_accept(self) -> None:
        """Accept a new connection, and close another one if there are too many."""
        super().handle_accept()  # type: ignore[misc]
        if len(self.active_channels) > self.most:
            self._make_room()

    def _make_room(self) -> None:
        """Close a waiting connection: the oldest one of the address with the most connections."""
        waiting = [
            each
            for each in self.active_channels.values()
            if not (each.is_at_work() or each.will_close)
        ]
        if waiting:
            numbers = Counter(each.addr[0] for each in waiting)
            oldest = min(waiting, key=lambda each: (-numbers[each.addr[0]], each.since))
            oldest.end()

    def number_of_large(self) -> int:
        """Return the number of large bodies that are being read or are in a thread."""
        requests = (
            request
            for each in self.active_channels.values()
            for request in (each.request, *each.requests)
        )
        return sum(request is not None and request.is_large for request in requests)


class TcpServer(Connections, TcpWSGIServer):
    pass


class UnixServer(Connections, UnixWSGIServer):
    pass


class Worker(GunicornWorker):
    """A gunicorn process that serves with waitress."""

    def run(self) -> None:
        """Serve until gunicorn stops the process or is gone, then finish the open requests."""
        # Large bodies are kept in this folder until they are read: in containers, /tmp is in
        # memory.
        tempfile.tempdir = settings.FILE_UPLOAD_TEMP_DIR
        threads = Threads(self.cfg.threads)
        connections: dict[int, Any] = {}
        servers = [self._listen(each.sock, threads, connections) for each in self.sockets]
        while self.alive and self.ppid == os.getppid():
            self.notify()
            wasyncore.loop(timeout=1, use_poll=True, map=connections, count=1)
        self._finish(servers, connections)
        threads.shutdown(timeout=1)

    def _listen(self, opened: socket.socket, threads: Threads, connections: dict[int, Any]) -> Any:
        # Use half of the files that the process may open for connections, and leave the others
        # for its work.
        most = min(self.cfg.worker_connections, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
        adjustments = Adjustments(
            sockets=[opened],
            threads=self.cfg.threads,
            connection_limit=most + 100,
            backlog=self.cfg.backlog,
            cleanup_interval=1,
            recv_bytes=65536,
            max_request_header_size=MAX_OF_A_HEAD,
            max_request_body_size=settings.ARCHIVE_LIMIT + FORM_AROUND_A_FILE,
            # Django uses PROXIES to decide which proxies to trust.
            clear_untrusted_proxy_headers=False,
            ident=None,
        )
        listening = (opened.family, opened.type, opened.proto, opened.getsockname())
        kind = UnixServer if opened.family == socket.AF_UNIX else TcpServer
        server = kind(
            self.wsgi,
            connections,
            _sock=opened,
            dispatcher=threads,
            adj=adjustments,
            sockinfo=listening,
            bind_socket=False,
        )
        server.most, server.keepalive = most, self.cfg.keepalive
        return server

    def _finish(self, servers: list[Any], connections: dict[int, Any]) -> None:
        """Accept no more connections, and answer the requests that have arrived completely."""
        until = time.monotonic() + self.cfg.graceful_timeout
        for server in servers:
            server.accepting = False
            server.socket.close()
            server.del_channel()
        while time.monotonic() < until:
            channels = [each for server in servers for each in server.active_channels.values()]
            busy = [each for each in channels if each.is_at_work() or each.total_outbufs_len]
            if not busy:
                return
            for each in channels:
                each.will_close = each.will_close or each not in busy
            self.notify()
            wasyncore.loop(timeout=0.1, use_poll=True, map=connections, count=1)
