"""Caddy while web servers are away: it tries again, and then answers 503 with Retry-After."""

import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer

import pytest

from scripts.processes import Process, answers, free_port, wait_for
from tests.load.installation import caddy

Start = Callable[..., str]


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a Caddy before these ports, and returns its address."""
    started: list[Process] = []

    def start(*ports: int) -> str:
        command, environment, port = caddy(tmp_path, *ports)
        log = tmp_path / "caddy.log"
        process = Process("caddy", command, environment=environment, log=log, folder=tmp_path)
        started.append(process)
        wait_for(lambda: answers(port), process)
        return f"http://localhost:{port}"

    yield start
    for process in started:
        process.stop()


def serve(folder: Path, port: int) -> Process:
    """Start a web server with the file `hello`."""
    (folder / "hello").write_text("Here I am.")
    words = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(port)]
    return Process("web", words, environment={}, log=folder / "web.log", folder=folder)


def ask(url: str) -> tuple[int, str, str, str]:
    """Return status, Retry-After, type and text of the answer."""
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.status, "", answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        headers = error.headers
        return (
            error.code,
            headers["Retry-After"] or "",
            headers["Content-Type"] or "",
            error.read().decode(),
        )


def test_no_web_server_is_503_with_retry_after(proxy: Start) -> None:
    url = proxy(free_port(), free_port())
    code, wait, kind, text = ask(f"{url}/warbands/")
    assert (code, wait, kind) == (503, "5", "text/plain; charset=utf-8")
    assert "restarting" in text

    code, wait, kind, text = ask(f"{url}/api/v1/warbands/?page=2")
    assert (code, wait, kind) == (503, "5", "application/problem+json")
    problem = json.loads(text)
    assert (problem["code"], problem["status"]) == ("restarting", 503)


def test_other_web_server_answers_while_one_is_away(proxy: Start, tmp_path: Path) -> None:
    here = free_port()
    web = serve(tmp_path, here)
    try:
        wait_for(lambda: answers(here), web)
        url = proxy(free_port(), here)
        assert {ask(f"{url}/hello")[0] for _ in range(20)} == {200}
    finally:
        web.stop()


def test_request_waits_for_a_web_server_that_restarts(proxy: Start, tmp_path: Path) -> None:
    port = free_port()
    url = proxy(port)
    started: list[Process] = []
    timer = Timer(1, lambda: started.append(serve(tmp_path, port)))
    timer.start()
    try:
        begun = time.monotonic()
        assert ask(f"{url}/hello")[0] == 200
        assert time.monotonic() - begun >= 0.5
    finally:
        timer.join()
        for process in started:
            process.stop()


def test_own_answers_of_muster_pass_unchanged(proxy: Start, tmp_path: Path) -> None:
    port = free_port()
    web = serve(tmp_path, port)
    try:
        wait_for(lambda: answers(port), web)
        # http.server knows no POST: its 501 is its own answer, and so is a 404.
        assert ask(f"{proxy(port)}/nothing")[0] == 404
    finally:
        web.stop()
