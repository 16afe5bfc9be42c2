"""The load test notices what it is for: losses, doubles, faults, outages and growing memory."""

import json
import time
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from battles.services.logbook import NewEvent, log_events
from campaigns.services.journal import write_entry
from tests.load import proof
from tests.load.ledger import ANSWER, DONE, Ledger, read
from tests.load.run import KILLABLE, Findings, judge, plan_of
from tests.pages import world


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    for name in ("web", "mortal-web", "worker", "mortal-worker"):
        (tmp_path / f"{name}.log").touch()
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.note(ANSWER, code=200, name="page", problem="")
    ledger.done("event", "1")
    return ledger


def judged(folder: Path, **memory: tuple[float, float]) -> list[str]:
    findings = Findings(memory=memory)
    judge(folder, folder / "ledger.jsonl", findings, 600)
    return findings.faults


def test_quiet_run_has_no_faults(tmp_path: Path, ledger: Ledger) -> None:
    assert judged(tmp_path, web=(100, 119)) == []


def test_growing_memory_is_a_fault(tmp_path: Path, ledger: Ledger) -> None:
    assert judged(tmp_path, web=(100, 119), worker=(100, 121)) == [
        "The memory of the worker grew from 100 to 121 MB."
    ]


def test_traceback_in_a_log_is_a_fault(tmp_path: Path, ledger: Ledger) -> None:
    (tmp_path / "web.log").write_text("Traceback (most recent call last):\n  ...\nKeyError: 1")
    killed = "Traceback (most recent call last):\n  pool.py\nWorkerLostError: signal 9 (SIGKILL)"
    (tmp_path / "mortal-worker.log").write_text(killed)
    assert ["KeyError" in fault for fault in judged(tmp_path)] == [True]


def test_noted_fault_is_reported(tmp_path: Path, ledger: Ledger) -> None:
    ledger.fault("GET / was answered with 500.")
    assert judged(tmp_path) == ["GET / was answered with 500."]


def test_outage_long_after_the_restart_is_a_fault(tmp_path: Path, ledger: Ledger) -> None:
    answer = {"entry": ANSWER, "code": 503, "name": "page", "problem": "database_unavailable"}
    back = {"entry": "trouble", "what": "over: PostgreSQL restarts", "at": 1000.0}
    rows: list[dict[str, Any]] = [{**answer, "at": 999.0}, back, {**answer, "at": 1010.0}]
    with (tmp_path / "ledger.jsonl").open("a") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)
    assert judged(tmp_path) == []

    with (tmp_path / "ledger.jsonl").open("a") as file:
        file.write(f"{json.dumps({**answer, 'at': 1030.0})}\n")
    assert judged(tmp_path) == ["1 answers were “unavailable” long after the restart."]


def test_empty_run_is_a_fault(tmp_path: Path, ledger: Ledger) -> None:
    (tmp_path / "ledger.jsonl").write_text("")
    assert judged(tmp_path) == ["Hardly anything was answered: see locust.log."]


def test_plan_has_both_restarts_and_kills_of_each_kind() -> None:
    for seconds in (40, 600):
        plan = plan_of(seconds, Random(1))
        kinds = [what for _, what in plan]
        assert kinds.count("PostgreSQL restarts") == kinds.count("Redis restarts") == 1
        assert plan == plan_of(seconds, Random(1))
        assert all(0 < at < seconds for at, _ in plan)
    assert {*KILLABLE, "a child of mortal web", "a child of mortal worker"} <= {*kinds}


def test_reader_leaves_out_a_line_that_is_being_written(tmp_path: Path, ledger: Ledger) -> None:
    with (tmp_path / "ledger.jsonl").open("a") as file:
        file.write('{"entry": "answer", "at": ' + str(time.time()))
    assert len(list(read(tmp_path / "ledger.jsonl", ANSWER, DONE))) == 2


def rows(what: str, *marks: str, **details: str) -> proof.Rows:
    kinds: proof.Rows = proof.defaultdict(list)
    kinds[what] = [{"what": what, "mark": mark, **details} for mark in marks]
    return kinds


@pytest.mark.django_db
def test_lost_and_doubled_entries_of_a_journal_are_found(alice: User) -> None:
    campaign = world.campaign_of(world.club_of(alice), alice, running=False)
    for mark in ("once", "twice", "twice"):
        write_entry(campaign_id=campaign.pk, user=alice, text=f"Entry {mark}", on=world.DAY)
    sent = rows("journal", "once", "twice", "lost", "unanswered")
    faults = proof.journal(sent, rows("journal", "once", "twice", "lost"))
    assert {*faults} == {
        "The journal twice is there 2 times.",
        "The journal lost was answered and is lost.",
    }


@pytest.mark.django_db
def test_events_that_are_missing_in_a_log_are_found(alice: User, bob: User) -> None:
    club = world.club_of(alice, players=[bob])
    warbands = world.guards(alice), world.landsknechts(bob)
    campaign = world.campaign_of(club, alice, *warbands)
    battle = world.begun_battle(alice, campaign, *warbands)
    marks = [uuid4() for _ in range(3)]
    events = [NewEvent(mark, "note", {"text": "Dawn."}) for mark in marks[:2]]
    log_events(battle_id=battle.pk, events=events, user=alice)

    def faults(sent: int, done: int) -> list[str]:
        words = [str(mark) for mark in marks]
        key = {"battle": str(battle.pk)}
        return list(
            proof.logs(rows("event", *words[:sent], **key), rows("event", *words[:done], **key))
        )

    assert faults(2, 2) == faults(2, 1) == []
    assert faults(3, 2) == [], "the last one was sent, never answered, and did not arrive"
    assert len(faults(3, 3)) == 1, "the last one was answered, and is lost"
    assert len(faults(1, 1)) == 1, "there is one that nobody sent"


@pytest.mark.django_db
def test_confirmed_battle_without_its_facts_is_found(alice: User, bob: User) -> None:
    club = world.club_of(alice, players=[bob])
    warbands = world.guards(alice), world.landsknechts(bob)
    campaign = world.campaign_of(club, alice, *warbands)
    battle = world.submitted_battle(bob, campaign, *warbands)
    answered = rows("confirmed", str(battle.pk))
    assert list(proof.battles(rows("battle"), answered)) == [
        f"The battle {battle.pk} was confirmed, and is submitted."
    ]
    type(battle).objects.filter(pk=battle.pk).update(state="confirmed")
    assert list(proof.battles(rows("battle"), answered)) == [
        f"The battle {battle.pk} is confirmed and has 0 facts."
    ]
