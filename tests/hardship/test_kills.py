"""Workers and web servers are killed at random moments: whatever was begun is finished, once, by
those who follow."""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db.models import Count
from django.utils import timezone
from knox.models import AuthToken

from battles.models import Battle, BattleState
from config.celery import app
from documents.models import Document, DocumentKind, DocumentPart, DocumentState
from documents.services.requesting import request_document
from scripts.processes import Process, free_port, wait_for
from scripts.serve import ROOT, WEB
from tests.battles.test_a_flood_of_batches import UNHURRIED, asked
from tests.battles.test_fighting_en_garde import Season
from tests.live import LiveWorker, database_url, eventually
from tests.pages import world
from warbands.models import ChronicleEntry, RankUpOffer, Warband
from warbands.roster_rules import affordable_rank_ups
from warbands.rulebook_values import read_state, ruleset_of_warband

PATIENCE = 240
"""Seconds for what the workers have to catch up with, on a machine that is busy with other
things."""
KILLS = 5
SENDERS = 4
LOST = ("documents.tasks.take_over", "documents.tasks.sweep", "battles.tasks.sweep")
"""Tasks of the clock, which these tests do not wait for."""


def an_hour_passes() -> None:
    """Make an hour pass without workers: dead workers hold all claims, and messages are lost."""
    hour = timezone.now() - timedelta(hours=1)
    Document.objects.update(asked_at=hour)
    Battle.objects.filter(follow_ups_due_since__isnull=False).update(follow_ups_due_since=hour)
    for kind in (Document, DocumentPart):
        kind.objects.exclude(claimed_by="").update(claimed_at=hour)


def nothing_waits() -> bool:
    """Return whether every document is ready, and all follow-ups of battles are done.

    Summaries that nobody has requested wait for further changes, and behind requested documents.
    There is no clock here that would send them in the end, so they are sent now.
    """
    waiting = Document.objects.exclude(state=DocumentState.READY)
    hour = timezone.now() - timedelta(hours=1)
    if waiting.filter(due_at__gt=hour).update(due_at=hour):
        app.send_task("documents.tasks.sweep")
    return (
        not waiting.exists()
        and not Battle.objects.filter(follow_ups_due_since__isnull=False).exists()
    )


@pytest.mark.worker
@pytest.mark.soak(
    "workers killed at random moments while they make documents and rank-up offers",
    each=KILLS,
    sample=0,
)
@pytest.mark.parametrize("part", range(4))
def test_what_killed_workers_had_in_hand_is_finished_once(
    part: int, worker: LiveWorker, alice: User
) -> None:
    chance, season = Random(part), Season(alice)
    subjects = [(DocumentKind.ROSTER, warband.pk) for warband in season.warbands]
    subjects.append((DocumentKind.CAMPAIGN, season.campaign.pk))
    for number in range(KILLS):
        season.fight("skirmish", seed=10 * part + number, idle=12)
        for kind, subject in subjects:
            request_document(user=alice, kind=kind, subject=subject)
        time.sleep(chance.uniform(0, 3))
        worker.kill()
        an_hour_passes()
        worker.start()
        for task in LOST:
            app.send_task(task)
    eventually(nothing_waits, within=PATIENCE)
    expected = set()
    for warband in Warband.objects.all():
        expected |= set(affordable_rank_ups(ruleset_of_warband(warband), read_state(warband)))
    assert (
        {str(key) for key in RankUpOffer.objects.values_list("fighter", flat=True)}
        == expected
        != set()
    )
    assert ChronicleEntry.objects.filter(kind="fought").count() == 2 * KILLS
    call_command("check_chronicle", stdout=StringIO())
    call_command("check_documents", stdout=StringIO())


class WebServer:
    """A web server as in `make run` that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: Process | None = None

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        environment = {
            **UNHURRIED,
            "DATABASE_URL": database_url(),
            "VAR_DIR": str(self.folder),
            "CACHE_URL": "",
        }
        # The test verifies the server's seals with the same key.
        environment["SECRET_KEY"] = settings.SECRET_KEY
        program = [sys.executable, "-m", *WEB, "--bind", f"127.0.0.1:{self.port}"]
        log = self.folder / "web.log"
        self.process = Process("web server", program, environment=environment, log=log, folder=ROOT)
        wait_for(lambda: asked(f"{self.url}/health/live")[0] == 200, self.process, seconds=60)

    def kill(self) -> None:
        """Kill the server at once, whatever it is doing."""
        if self.process:
            self.process.kill()
            self.process = None


@pytest.fixture
def server(transactional_db: None, tmp_path: Path) -> Iterator[WebServer]:
    folder = tmp_path / "var"
    folder.mkdir(exist_ok=True)
    server = WebServer(folder)
    yield server
    server.kill()


@pytest.mark.soak(
    "web servers killed at random moments while battles are confirmed", each=KILLS, sample=0
)
@pytest.mark.parametrize("part", range(4))
def test_a_battle_is_confirmed_wholly_or_not_at_all_when_the_web_server_is_killed(
    part: int, server: WebServer, alice: User, bob: User
) -> None:
    chance = Random(part)
    club = world.club_of(alice, players=[bob])
    warbands = world.guards(alice), world.landsknechts(bob)
    campaign = world.campaign_of(club, alice, *warbands)
    token = AuthToken.objects.create(bob)[1]
    answered: list[str] = []

    def confirm(key: str) -> None:
        if asked(f"{server.url}/api/v1/battles/{key}/confirm/", token, b"{}")[0] == 200:
            answered.append(key)

    for _ in range(KILLS):
        battles = [str(world.submitted_battle(alice, campaign, *warbands).pk) for _ in range(6)]
        server.start()
        with ThreadPoolExecutor(SENDERS) as pool:
            sent = [pool.submit(confirm, key) for key in battles]
            time.sleep(chance.uniform(0.1, 1.2))
            server.kill()
        assert all(done.exception() is None for done in sent)
        assert_whole(answered)
    server.start()
    for battle in Battle.objects.filter(state=BattleState.SUBMITTED):
        confirm(str(battle.pk))
    assert_whole(answered)
    assert not Battle.objects.exclude(state=BattleState.CONFIRMED).exists()


def assert_whole(answered: list[str]) -> None:
    """Check that confirmed battles have a fact per side, others none, and that answers were
    stored.
    """
    counts = dict(
        ChronicleEntry.objects.filter(kind="fought").values_list("subject").annotate(Count("pk"))
    )
    for battle in Battle.objects.all():
        confirmed = battle.state == BattleState.CONFIRMED
        assert counts.get(battle.pk, 0) == (2 if confirmed else 0)
        assert confirmed or str(battle.pk) not in answered, "what was answered is not lost"
    call_command("check_chronicle", stdout=StringIO())
