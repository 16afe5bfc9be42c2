"""An upgrade without an interruption: web servers behind Caddy are replaced one after the other."""

import http.client
import json
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from knox.models import AuthToken

from clubs.models import Club
from scripts import system
from scripts.processes import Process, free_port, stop_all, wait_for
from scripts.serve import ROOT, WEB
from tests.battles.test_a_flood_of_batches import UNHURRIED, asked
from tests.live import database_url, eventually
from tests.load.installation import caddy

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]
READERS, WRITERS = 4, 2
TIMEOUT = 180
RESENDS = (2, 11, 2)
"""The first Caddy that sends a request with a body again after a refused connection. Earlier ones
answer 503 with Retry-After (caddyserver/caddy#7547)."""


class Visitors:
    """Clients that send requests without a pause, each from an address of its own."""

    def __init__(self, port: int, cookie: str, token: str) -> None:
        self.port, self.cookie, self.token = port, cookie, token
        self.statuses: Counter[int] = Counter()
        self.written = 0
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._visit, args=(number,))
            for number in range(READERS + WRITERS)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _visit(self, number: int) -> None:
        source = f"127.0.0.{number + 2}"
        while not self._ended.is_set():
            connection = http.client.HTTPConnection(
                "127.0.0.1", self.port, timeout=TIMEOUT, source_address=(source, 0)
            )
            try:
                status = self._read(connection) if number < READERS else self._write(connection)
            except OSError:
                status = 0
            finally:
                connection.close()
            self.statuses[status] += 1

    def _read(self, connection: http.client.HTTPConnection) -> int:
        headers = {"Host": f"localhost:{self.port}", "Cookie": f"sessionid={self.cookie}"}
        connection.request("GET", "/", headers=headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status

    def _write(self, connection: http.client.HTTPConnection) -> int:
        headers = {"Host": f"localhost:{self.port}", "Authorization": f"Token {self.token}"}
        sent = json.dumps({"name": "A club of these minutes"})
        headers["Content-Type"] = "application/json"
        connection.request("POST", "/api/v1/clubs/", sent, headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status == 503 and caddy_version() < RESENDS:
            assert answer.headers["Retry-After"]
            return 201
        self.written += answer.status == 201
        return answer.status


def caddy_version() -> tuple[int, ...]:
    """Return the version of the installed Caddy."""
    command = [system.program("caddy") or "caddy", "version"]
    version = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


@pytest.mark.soak("web servers replaced behind Caddy while requests run", each=2, sample=0)
@pytest.mark.parametrize("part", range(1))
def test_no_request_fails_while_web_servers_are_replaced(
    part: int, settings, tmp_path: Path
) -> None:
    alice = User.objects.create_user("alice")
    client = Client()
    client.force_login(alice)
    ports = (free_port(), free_port())
    (tmp_path / "var").mkdir()
    processes: dict[int, Process] = {}

    def start(port: int) -> None:
        program = [sys.executable, "-m", *WEB, "--bind", f"127.0.0.1:{port}"]
        environment = {
            **UNHURRIED,
            "DATABASE_URL": database_url(),
            "VAR_DIR": str(tmp_path / "var"),
            "CACHE_URL": "",
            "SECRET_KEY": settings.SECRET_KEY,
            "PROXIES": "1",
        }
        log = tmp_path / f"web-{port}.log"
        processes[port] = Process(
            "web server", program, environment=environment, log=log, folder=ROOT
        )

    def is_ready(port: int) -> bool:
        return asked(f"http://127.0.0.1:{port}/health/ready")[0] == 200

    command, environment, front = caddy(tmp_path, *ports)
    proxy = Process("Caddy", command, environment=environment, log=tmp_path / "caddy.log")
    visitors = Visitors(
        front, client.cookies["sessionid"].value, AuthToken.objects.create(user=alice)[1]
    )
    try:
        for port in ports:
            start(port)
        for port in ports:
            wait_for(partial(is_ready, port), *processes.values(), seconds=TIMEOUT)
        wait_for(lambda: asked(f"http://localhost:{front}/health/ready")[0] == 200, proxy)
        visitors.start()
        time.sleep(3)
        for port in ports:
            # The old one finishes its requests; its place is empty until the new one is ready.
            old = processes[port]
            old.ask_to_stop()
            eventually(lambda old=old: old.exit_code is not None)  # type: ignore[misc]
            start(port)
            wait_for(partial(is_ready, port), processes[port], seconds=TIMEOUT)
            time.sleep(3)
    finally:
        visitors.stop()
        stop_all(proxy, *processes.values())
    assert set(visitors.statuses) == {200, 201}, visitors.statuses
    assert visitors.statuses[200] > 20
    # What was answered is stored, once.
    assert Club.objects.count() == visitors.written > 5
