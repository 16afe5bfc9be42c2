"""Slow connections of strangers, held by the dozen: the site answers everybody else, with and
without Caddy."""

import re
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User

from scripts.processes import Process, free_port, wait_for
from scripts.serve import ROOT, WEB
from tests.battles.test_a_flood_of_batches import asked
from tests.battles.test_a_flood_of_batches import bystander as bystander
from tests.conftest import PASSWORD
from tests.hardship.slow_clients import KINDS, SlowClients
from tests.live import database_url
from tests.load.installation import caddy

pytestmark = pytest.mark.one_database

HELD = 64
SECONDS = 30
WORST = 0.5
"""Seconds, beyond what a server with nothing to do takes meanwhile: the machine may be at work with
other things."""
LONGEST = 40
"""Seconds that a head or a body lasts at most. Their deadlines are 10, and 20 and a few more for
what has come."""
MIXED = {
    "all kinds": tuple(KINDS),
    "heads": ("head", "nothing"),
    "bodies": ("body", "chunked body", "API body"),
    "readers": ("reader", "idle"),
}
Start = Callable[[str], int]


@pytest.fixture
def start(transactional_db: None, tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a web server like `make run`, optionally behind Caddy.

    It returns the port to ask.
    """
    with ExitStack() as stack:

        def run(name: str, command: list[str], environment: dict[str, str], port: int) -> int:
            process = Process(
                name, command, environment=environment, log=tmp_path / f"{name}.log", folder=ROOT
            )
            stack.callback(process.stop)
            wait_for(
                lambda: asked(f"http://localhost:{port}/health/live")[0] == 200,
                process,
                seconds=120,
            )
            return port

        def start(front: str) -> int:
            port = free_port()
            environment = {
                "DATABASE_URL": database_url(),
                "VAR_DIR": str(tmp_path / "var"),
                "CACHE_URL": "",
            }
            run(
                "web",
                [sys.executable, "-m", *WEB, "--bind", f"127.0.0.1:{port}"],
                environment,
                port,
            )
            if front == "bare":
                return port
            return run("caddy", *caddy(tmp_path, port))

        yield start


def sign_in(url: str, name: str) -> None:
    """Sign in by the form like a browser: get the page, read its token, and POST."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with browser.open(f"{url}/accounts/login/", timeout=20) as page:
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())[0]
    form = {"login": name, "password": PASSWORD, "csrfmiddlewaretoken": token}
    with browser.open(
        f"{url}/accounts/login/", urllib.parse.urlencode(form).encode(), timeout=20
    ) as page:
        assert name in page.read().decode()
        assert not page.url.endswith("/accounts/login/")


@pytest.mark.soak("slow connections held while the server's health is checked", each=HELD, sample=2)
@pytest.mark.parametrize("which", MIXED)
@pytest.mark.parametrize("front", ["bare", "caddy"])
def test_slow_connections_keep_nobody_else_waiting(
    front: str, which: str, start: Start, bystander: str, alice: User, pytestconfig: pytest.Config
) -> None:
    # The tests' own hasher is none of the server's.
    alice.password = PBKDF2PasswordHasher().encode(PASSWORD, "salt", iterations=1000)
    alice.save(update_fields=["password"])
    url = f"http://localhost:{(port := start(front))}"
    kinds = MIXED[which]
    numbers = {kind: -(-HELD // len(kinds)) for kind in kinds}
    waited, beside, codes = [], [], set()
    with SlowClients(port, numbers, every=1) as slow:
        until = time.monotonic() + (SECONDS if pytestconfig.getoption("soak") else 6)
        while time.monotonic() < until:
            code, seconds = asked(f"{url}/health/live")
            codes.add(code)
            waited.append(seconds)
            beside.append(asked(bystander)[1])
            time.sleep(0.05)
        sign_in(url, alice.username)
        assert slow.failed == 0
        assert slow.held() >= HELD // 2
    assert codes == {200}
    assert max(waited) < WORST + max(beside), (
        f"{sorted(waited)[-5:]}, beside it {sorted(beside)[-5:]}"
    )
    assert (
        max(slow.lasted.get(kind, 0) for kind in ("head", "body", "chunked body", "API body"))
        < LONGEST
    )


def test_caddy_takes_its_rules(tmp_path: Path) -> None:
    command, environment, _ = caddy(tmp_path, 8000)
    validate = [command[0], "validate", *command[2:]]
    log = tmp_path / "validate.log"
    process = Process("caddy", validate, environment=environment, log=log, folder=tmp_path)
    wait_for(lambda: process.exit_code is not None, seconds=60)
    assert process.exit_code == 0, process.last_words()
