"""Why? Every entry of a battle's log, and every number of its result, leads to the rule and the
facts behind it."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from battles.models import Battle, Side
from battles.services.logbook import NewEvent, log_events
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from tests.pages.world import named

pytestmark = pytest.mark.one_database

RULES = "/rulesets/en-garde/#"


def page_of(browsers: Clients, battle: Battle) -> str:
    return browsers.dora.get(reverse("battles:battle", args=[battle.pk])).content.decode()


def log(battle: Battle, user: User, kind: str, turn: int | None = None, **data: object) -> None:
    log_events(battle_id=battle.pk, events=[NewEvent(uuid4(), kind, data, turn)], user=user)


def fight(battle: Battle, user: User) -> None:
    """Let Jussac attack Hans with everything."""
    jussac, hans = str(named("Jussac").pk), str(named("Hans").pk)
    log(battle, user, "turn", turn=1)
    log(battle, user, "priority", rolls=[{"a": 6, "b": 1}])
    log(battle, user, "move", fighter=jussac, contacts=[hans])
    counters, dice = {"a": [2, 1], "b": [2, 1]}, {jussac: [6], hans: [1]}
    log(
        battle,
        user,
        "combat",
        fighters={"a": [jussac], "b": [hans]},
        counters=counters,
        initiative=dice,
    )
    log(battle, user, "attack", attacker=jussac, target=hans, dice=[6, 6], defence_dice=[1])


def test_entry_shows_outcome_and_reasons(browsers: Clients, begun: Battle, alice: User) -> None:
    fight(begun, alice)
    body = page_of(browsers, begun)
    assert "Hit, " in body and "Dice 6 and 6" in body and "Armour Rating" in body
    for heading in (
        "determine-priority",
        "combat-procedure",
        "making-an-attack",
        "wound-table",
        "move",
    ):
        assert f"{RULES}{heading}" in body
    assert list(faults(body)) == []


def test_entries_of_a_result_sheet_lead_to_their_rules_as_well(
    browsers: Clients, confirmed: Battle
) -> None:
    body = page_of(browsers, confirmed)
    assert f"{RULES}wounds" in body and "Hans has a" in body


def test_experience_and_points_name_the_rules_that_made_them(
    browsers: Clients, confirmed: Battle
) -> None:
    body = page_of(browsers, confirmed)
    assert f"{RULES}progression" in body or f"{RULES}ruling-" in body


def test_a_log_that_adds_up_no_more_is_still_shown(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    fight(begun, alice)
    Side.objects.get(battle=begun, key="b").combatants.all().delete()
    body = page_of(browsers, begun)
    assert "attacks" in body and "Dice 6 and 6" not in body


def test_the_page_takes_the_same_queries_however_long_the_log(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    def taken() -> int:
        with CaptureQueriesContext(connection) as seen:
            page_of(browsers, begun)
        return len(seen)

    fight(begun, alice)
    taken()  # The first one signs in.
    some = taken()
    events = [NewEvent(uuid4(), "note", {"text": f"Note {place}"}) for place in range(40)]
    log_events(battle_id=begun.pk, events=events, user=alice)
    assert taken() == some


def test_guns_are_named_with_those_who_serve_them(browsers: Clients, begun: Battle) -> None:
    crew = [str(named(name).pk) for name in ("Cahusac", "Biscarat")]
    Side.objects.filter(battle=begun, key="a").update(
        extras={"ordnance": [{"gun": "swivel-gun", "crew": crew}]}
    )
    assert "Swivel gun, served by Cahusac and Biscarat" in page_of(browsers, begun)
    table = browsers.dora.get(reverse("battles:table", args=[begun.pk])).content.decode()
    assert "served by Cahusac and Biscarat" in table
