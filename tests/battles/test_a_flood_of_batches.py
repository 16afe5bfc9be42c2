"""Many large batches at once, against a real web server: its health check answers at once,
all the while."""

import json
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken

from battles.models import Battle, BattleEvent
from scripts.processes import Process, free_port, stop_all, wait_for
from scripts.serve import ROOT, WEB
from tests.live import database_url
from tests.pages import world

SENDERS = 24
SECONDS = 8
LIMIT, WORST = 0.2, 0.5
"""Seconds, beyond what a server with nothing to do takes meanwhile, for ninety-nine of a hundred
and for the worst of all: the soak has both cores of a small machine at work with other things, and
the server waits for a core itself."""
WARMING_UP = 100
UNHURRIED = {
    "THROTTLE_USER": "1000000/minute",
    "THROTTLE_LOGS": "1000000/minute",
    "THROTTLE_BATCHES": "1000000/minute",
}


@pytest.fixture
def battles(transactional_db: None, alice: User, bob: User) -> list[Battle]:
    """Return two battles in progress, which another process may log."""
    club = world.club_of(alice, players=[bob])
    guards = world.warband_of(
        alice, "Guards", "cardinals-guard", [("officer", "Jussac"), ("guard", "Biscarat")]
    )
    haufen = world.warband_of(bob, "Lances", "landsknechts", [("landsknecht", "Hans")] * 3)
    campaign = world.campaign_of(club, alice, guards, haufen)
    return [world.begun_battle(alice, campaign, guards, haufen)]


@pytest.fixture
def server(battles: list[Battle], tmp_path: Path) -> Iterator[str]:
    """Yield the address of a web server as in `make run`, without throttles.

    They would stop the flood too early.
    """
    url = f"http://127.0.0.1:{(port := free_port())}"
    environment = {
        **UNHURRIED,
        "DATABASE_URL": database_url(),
        "VAR_DIR": str(tmp_path / "var"),
        "CACHE_URL": "",
    }
    program = [sys.executable, "-m", *WEB, "--bind", f"127.0.0.1:{port}"]
    process = Process(
        "web server", program, environment=environment, log=tmp_path / "web.log", folder=ROOT
    )
    try:
        wait_for(lambda: asked(f"{url}/health/live")[0] == 200, process, seconds=60)
        yield url
    finally:
        stop_all(process)


@pytest.fixture
def bystander(tmp_path: Path) -> Iterator[str]:
    """Yield the address of a server that has nothing to do."""
    port = free_port()
    program = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(port)]
    process = Process(
        "bystander", program, environment={}, log=tmp_path / "bystander.log", folder=tmp_path
    )
    try:
        wait_for(lambda: asked(f"http://127.0.0.1:{port}/")[0] == 200, process, seconds=60)
        yield f"http://127.0.0.1:{port}/"
    finally:
        stop_all(process)


def asked(url: str, token: str = "", sent: bytes | None = None) -> tuple[int, float]:
    """Return the status code of the answer, 0 for none, and its time in seconds."""
    headers = {"Content-Type": "application/json"} | (
        {"Authorization": f"Token {token}"} if token else {}
    )
    started = time.perf_counter()
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, sent, headers), timeout=30
        ) as answer:
            code = answer.status
    except urllib.error.HTTPError as error:
        code = error.code
    except OSError:
        code = 0
    return code, time.perf_counter() - started


def batch(number: int) -> bytes:
    """Return this many notes as JSON."""
    notes = [
        {"client_id": str(uuid4()), "kind": "note", "data": {"text": f"Note {place}"}}
        for place in range(number)
    ]
    return json.dumps(notes).encode()


@pytest.mark.soak("floods of large batches while the server's health is checked", each=1, sample=0)
@pytest.mark.parametrize("number", [500, 49])
def test_health_answers_at_once_while_many_large_batches_come(
    number: int, battles: list[Battle], server: str, bystander: str, alice: User
) -> None:
    _, token = AuthToken.objects.create(alice)
    # The first request of a process loads what all others find there.
    assert (
        asked(f"{server}/api/v1/battles/{battles[0].pk}/events/", token, batch(WARMING_UP))[0]
        == 201
    )
    until = time.monotonic() + SECONDS
    answers: Counter[int] = Counter()

    def flood(place: int) -> None:
        address = f"{server}/api/v1/battles/{battles[place % len(battles)].pk}/events/"
        body = batch(number)
        while time.monotonic() < until:
            code, _ = asked(address, token, body)
            answers[code] += 1
            # Who was sent away comes again with the same batch, sooner than he was told.
            body = batch(number) if code == 201 else body
            time.sleep(0.1)

    with ThreadPoolExecutor(SENDERS) as pool:
        for place in range(SENDERS):
            pool.submit(flood, place)
        waited, beside = health_of(server, bystander, until)
    assert answers.keys() <= {201, 400, 503}
    assert WARMING_UP + answers[201] * number == BattleEvent.objects.count()
    assert answers[503] > 0
    longest = sorted(waited)
    message = f"{longest[-5:]}, beside it {sorted(beside)[-5:]}, {dict(answers)}"
    assert longest[len(longest) * 99 // 100 - 1] < LIMIT + max(beside), message
    assert longest[-1] < WORST + max(beside), message


def health_of(server: str, bystander: str, until: float) -> tuple[list[float], list[float]]:
    """Return the times of the server's health answers, and those of an idle server, in seconds."""
    waited, beside = [], []
    while time.monotonic() < until:
        code, seconds = asked(f"{server}/health/live")
        assert code == 200
        waited.append(seconds)
        beside.append(asked(bystander)[1])
        time.sleep(0.02)
    return waited, beside
