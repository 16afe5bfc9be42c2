"""Queries of each step of a battle: the same for ten fighters and for forty, and after any number
of battles."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles.models import Battle
from battles.services.corrections import Correction, correct_battle, preview_correction
from battles.services.fielding import start_battle
from battles.services.logbook import NewEvent, log_events
from battles.services.review import Decision, decide_battle, submit_battle
from clubs.models import Club
from tests.battles.field import (
    confirmed,
    field,
    fighters,
    muster,
    plan,
    run_campaign,
    struck,
    wound,
)
from warbands.models import Warband

pytestmark = pytest.mark.one_database

STEPS = {"start": 12, "log": 12, "submit": 12, "confirm": 17, "dry run": 33, "correct": 53}
"""Savepoints included. Recording an act in the activity log costs three: lock its chain, insert,
store its new end; and a fourth if other programs may read about it. A correction takes three
to leave out later facts: it reads its own fact, those before it, and the days of later battles."""


class Bill:
    """A counter of the queries of each step."""

    def __init__(self) -> None:
        self.steps: dict[str, int] = {}

    @contextmanager
    def of(self, step: str) -> Iterator[None]:
        with CaptureQueriesContext(connection) as queries:
            yield
        self.steps[step] = len(queries)


def blows(warbands: list[Warband], number: int) -> list[NewEvent]:
    """Return this many light wounds, each by another fighter."""
    home, away = map(fighters, warbands)
    return [wound(home[place % len(home)], away[place % len(away)]) for place in range(number)]


def bill(alice: User, club: Club, size: int, history: int) -> dict[str, int]:
    """Return the queries of each step of a battle between warbands of this size.

    ``history`` is the number of battles before it.
    """
    warbands = [
        muster(alice, f"{name} {size} {history}", *["recruit"] * size) for name in ("Reds", "Blues")
    ]
    # Submitted by an organiser who plays neither, so that submitting and confirming are two steps.
    Warband.objects.filter(pk__in=[each.pk for each in warbands]).update(
        owner=club.memberships.get(name="bob").user
    )
    campaign = run_campaign(club, alice, *map(_again, warbands))
    for _ in range(history):
        confirmed(alice, campaign, *warbands, events=blows(warbands, 3))
    costs, battle = Bill(), field(alice, plan(alice, campaign, *warbands))
    with costs.of("start"):
        start_battle(battle_id=battle.pk, user=alice)
    events = blows(warbands, size)
    with costs.of("log"):
        log_events(battle_id=battle.pk, events=events, user=alice)
    with costs.of("submit"):
        submit_battle(battle_id=battle.pk, user=alice)
    with costs.of("confirm"):
        decide_battle(battle_id=battle.pk, user=alice, decision=Decision.AS_LOGGED)
    correction = Correction((struck(1), *blows(warbands, 2)), "Misread.")
    with costs.of("dry run"):
        preview_correction(battle_id=battle.pk, user=alice, correction=correction)
    with costs.of("correct"):
        correct_battle(battle_id=battle.pk, user=alice, correction=correction)
    assert Battle.objects.get(pk=battle.pk).revision == 1
    return costs.steps


def _again(warband: Warband) -> Warband:
    return Warband.objects.get(pk=warband.pk)


def test_the_queries_of_a_battle_do_not_grow_with_its_fighters(club: Club, alice: User) -> None:
    assert bill(alice, club, 5, 0) == bill(alice, club, 20, 0) == STEPS


def test_the_queries_of_a_battle_do_not_grow_with_what_went_before(club: Club, alice: User) -> None:
    costs = bill(alice, club, 5, 12)
    del costs[
        "correct"
    ]  # It replays, and writes a ledger of any length in as many parts as the database takes.
    assert costs == {step: number for step, number in STEPS.items() if step != "correct"}
