"""Web servers and workers behind PgBouncer in transaction mode, and with a read replica.

Both are real, in front of the PostgreSQL of the tests, and reached over HTTP.
"""

import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
import requests
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from knox.models import AuthToken

from clubs.models import Club
from config.celery import app
from scripts.processes import Process, free_port, wait_for
from scripts.serve import ROOT, WEB
from scripts.services import pgbouncer, replica, scratch_folder
from tests.battles.test_a_flood_of_batches import UNHURRIED
from tests.live import LiveWorker, database_url, eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]
CLIENTS, ROUNDS = 12, 5
PASSWORD = "a-long-password-of-alice"


@pytest.fixture(autouse=True)
def postgres_only() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("PgBouncer and replicas are PostgreSQL's")


@contextmanager
def web(folder: Path, secret_key: str, **environment: str) -> Iterator[str]:
    """Start a web server with this environment, and yield its address."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    program = [sys.executable, "-m", *WEB, "--bind", f"127.0.0.1:{port}"]
    common = {**UNHURRIED, "VAR_DIR": str(folder), "CACHE_URL": "", "SECRET_KEY": secret_key}
    process = Process(
        "web server",
        program,
        environment=common | environment,
        log=folder.with_suffix(".log"),
        folder=ROOT,
    )
    try:
        wait_for(lambda: answers(url), process, seconds=180)
        yield url
    finally:
        process.stop()


def answers(url: str) -> bool:
    try:
        return requests.get(f"{url}/health/ready", timeout=20).status_code == 200
    except requests.RequestException:
        return False


@pytest.fixture
def alice() -> User:
    return User.objects.create_user("alice", "alice@example.org", PASSWORD)


@pytest.mark.soak("requests behind PgBouncer in transaction mode", each=CLIENTS * ROUNDS, sample=0)
@pytest.mark.parametrize("part", range(1))
def test_requests_locks_and_a_worker_work_behind_a_pooler(
    part: int, alice: User, settings, tmp_path: Path
) -> None:
    token = AuthToken.objects.create(user=alice)[1]
    headers = {"Authorization": f"Token {token}"}
    with scratch_folder() as folder, pgbouncer(folder / "pooler", database_url()) as pooled:
        environment = {"DATABASE_URL": pooled, "DATABASE_POOLER": "yes"}
        with web(tmp_path / "web", settings.SECRET_KEY, **environment) as url:

            def work(number: int) -> list[int]:
                statuses = []
                for each in range(ROUNDS):
                    sent = {"name": f"Club {number} of {each}"}
                    answer = requests.post(
                        f"{url}/api/v1/clubs/", json=sent, headers=headers, timeout=120
                    )
                    statuses.append(answer.status_code)
                    answer = requests.get(f"{url}/api/v1/clubs/", headers=headers, timeout=120)
                    statuses.append(answer.status_code)
                return statuses

            with ThreadPoolExecutor(CLIENTS) as pool:
                statuses = [each for done in pool.map(work, range(CLIENTS)) for each in done]
            # Busy is an answer too (WRITERS); a fault is not.
            assert set(statuses) <= {200, 201, 503}, statuses
            assert statuses.count(201) == Club.objects.count() > CLIENTS

            # A lock that others hold is waited for briefly, on whichever connection.
            club = Club.objects.order_by("pk").first()
            assert club is not None
            with transaction.atomic():
                Club.objects.select_for_update().get(pk=club.pk)
                for _ in range(4):
                    started = time.monotonic()
                    answer = requests.patch(
                        f"{url}/api/v1/clubs/{club.pk}/",
                        json={"name": "Locked"},
                        headers=headers,
                        timeout=120,
                    )
                    assert answer.status_code == 503, answer.text
                    assert time.monotonic() - started < 60
            answer = requests.patch(
                f"{url}/api/v1/clubs/{club.pk}/",
                json={"name": "Free"},
                headers=headers,
                timeout=120,
            )
            assert answer.status_code == 200


@pytest.mark.worker
@pytest.mark.soak("tasks behind PgBouncer in transaction mode", each=1, sample=0)
@pytest.mark.parametrize("part", range(1))
def test_a_worker_works_behind_a_pooler(part: int, worker: LiveWorker, alice: User) -> None:
    worker.kill()
    with scratch_folder() as folder, pgbouncer(folder / "pooler", database_url(), 1) as pooled:
        worker.start(DATABASE_URL=pooled, DATABASE_POOLER="yes")
        for _ in range(10):
            AuthToken.objects.create(user=alice, expiry=timedelta(seconds=-1))
            app.send_task("operations.tasks.forget_expired")
            eventually(lambda: not AuthToken.objects.exists())
        worker.kill()


@pytest.mark.soak("requests with a read replica", each=1, sample=0)
@pytest.mark.parametrize("part", range(1))
def test_pages_are_read_from_a_replica_and_members_see_what_they_wrote(
    part: int, alice: User, settings, tmp_path: Path
) -> None:
    Club.objects.all().delete()
    with scratch_folder() as folder, replica(folder / "replica", database_url()) as copy:
        with web(
            tmp_path / "web", settings.SECRET_KEY, DATABASE_URL=database_url(), REPLICA_URL=copy
        ) as url:
            writer, reader = signed_in(alice, url), signed_in(alice, url)
            pause(copy, True)
            written = write(writer, url, "The Late Club")
            assert "written" in writer.cookies
            assert "The Late Club" in writer.get(written, timeout=120).text
            # Others read from the replica, which has been held.
            assert reader.get(written, timeout=120).status_code == 404
            pause(copy, False)
            eventually(lambda: reader.get(written, timeout=120).status_code == 200)
        with web(
            tmp_path / "other",
            settings.SECRET_KEY,
            DATABASE_URL=database_url(),
            REPLICA_URL=f"postgres://muster@127.0.0.1:{free_port()}/muster",
        ) as url:
            # A replica that is gone is nobody's trouble.
            reader = signed_in(alice, url)
            path = written.partition("/clubs/")[2]
            assert reader.get(f"{url}/clubs/{path}", timeout=120).status_code == 200


def signed_in(user: User, url: str) -> requests.Session:
    """Return a browser in which the user is signed in."""
    client = Client()
    client.force_login(user)
    session = requests.Session()
    session.cookies.set("sessionid", client.cookies["sessionid"].value, domain="127.0.0.1")
    return session


def write(session: requests.Session, url: str, name: str) -> str:
    """Create a club on its page, and return its address."""
    page = session.get(f"{url}/clubs/found/", timeout=120)
    hidden = r'<input type="hidden" name="([^"]+)" value="([^"]*)"'
    fields = dict(re.findall(hidden, page.text))
    answer = session.post(
        f"{url}/clubs/found/",
        fields | {"name": name, "visibility": "private"},
        headers={"Referer": url},
        timeout=120,
    )
    assert answer.status_code == 200
    return answer.url


def pause(address: str, hold: bool) -> None:
    """Hold the replica where it is, or let it follow again."""
    with psycopg.connect(address, autocommit=True) as opened:
        opened.execute(f"SELECT pg_wal_replay_{'pause' if hold else 'resume'}()")
        state = "paused" if hold else "not paused"
        eventually(
            lambda: opened.execute("SELECT pg_get_wal_replay_pause_state()").fetchone() == (state,)
        )
