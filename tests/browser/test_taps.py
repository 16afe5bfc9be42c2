"""The taps that a battle takes in the live log: in full, and in the light way. The figures go to
docs/taps.md."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from battles.rulebook_values import read_setup, sides_of
from rulebook.systems.argad.book import GONE as ARGAD_GONE
from rulebook.systems.avant_garde.book import STATES
from rulebook.systems.avant_garde.state import GONE as AVANT_GARDE_GONE
from rulebook.systems.wards.book import GONE as WARDS_GONE
from scripts.demo.campaigns import REFEREES
from scripts.taps import Tapped
from tests.battles import test_fighting_argad, test_fighting_avant_garde, test_fighting_wards
from tests.battles.war import War
from tests.browser.conftest import Phone, table_of
from tests.browser.evening import Casualty, Evening, InFull, of_deeds, of_losses
from tests.pages import world
from warbands.services.roster import NewFighter, recruit_fighters

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]

MOST = {"in full": 250, "light": 110}
"""The maximum number of taps for a battle of En Garde!, ten a side."""
SEED, SEED_OF_DICE = 5, "5eed" * 16
TURNS = 8
LABELS = {"light": "Light", "grievous": "Grievous", "critical": "Critical"}


def skirmishes(alice: User, bob: User) -> tuple[Battle, Battle]:
    """Return two equal Skirmishes in progress: ten of the Cardinal's Guard against ten
    Landsknechts.
    """
    club = world.club_of(alice, players=[bob])
    battles = []
    for number in ("I", "II"):
        guards, haufen = (
            world.guards(alice, f"Compagnie {number}"),
            world.landsknechts(bob, f"Haufen {number}"),
        )
        for warband, user, profile, name in (
            (guards, alice, "guard", "Garde"),
            (haufen, bob, "landsknecht", "Knecht"),
        ):
            recruits = [NewFighter(build={"profile": profile}, name=name, count=6)]
            recruit_fighters(
                warband_id=warband.pk, fighters=recruits, user=user, overrule="A crowd"
            )
        campaign = world.campaign_of(club, alice, guards, haufen, name=f"Campaign {number}")
        battles.append(world.begun_battle(alice, campaign, guards, haufen))
    return battles[0], battles[1]


def refereed(war: War, seed: int, turns: int) -> tuple[Battle, tuple[Any, ...]]:
    """Return a battle in progress, and this many turns of it as a referee plays it in full."""
    battle = war.start()
    field = read_setup(battle, sides_of(battle))
    events = REFEREES[war.ruleset].battle(field, random.Random(seed))
    starts = [place for place, each in enumerate(events) if each.kind == "turn"]
    return battle, tuple(events[: starts[turns]] if len(starts) > turns else events)


def lost_at_argad(before: Any, after: Any, key: str) -> Iterator[str]:
    gone = after.combatants[key].gone
    if gone != before.combatants[key].gone:
        yield said(ARGAD_GONE[gone])


def lost_at_wards(before: Any, after: Any, key: str) -> Iterator[str]:
    old, new = before.combatants[key], after.combatants[key]
    if new.gone != old.gone:
        yield said(WARDS_GONE[new.gone])
    elif (lost := old.halves - new.halves) > 0:
        yield f"Half-bases lost: {min(lost, 4)}"


def lost_at_avant_garde(before: Any, after: Any, key: str) -> Iterator[str]:
    old, new = before.combatants[key], after.combatants[key]
    if new.gone != old.gone:
        yield said(AVANT_GARDE_GONE[new.gone])
        return
    # Skirmishers who leave a battalion are no casualties.
    lost = before.whole(old)[1] - after.whole(new)[1]
    while lost > 0:
        yield f"Casualties: {min(lost, 6)}"
        lost -= 6
    if new.order not in (old.order, "good"):
        yield said(STATES[new.order])


def said(label: str) -> str:
    return label[:1].upper() + label[1:]


OTHERS: dict[str, tuple[Any, Any, str]] = {
    "argad": (test_fighting_argad.war_of, lost_at_argad, ""),
    "wards": (test_fighting_wards.war_of, lost_at_wards, ""),
    "avant-garde": (test_fighting_avant_garde.war_of, lost_at_avant_garde, ""),
}


@pytest.mark.soak(
    "battles of other systems logged in the light way on two phones", each=1, sample=0
)
@pytest.mark.parametrize("key", OTHERS)
def test_battle_of_another_system_in_the_light_way(
    key: str, phone: Phone, alice: User, record_property: Callable[..., None]
) -> None:
    war_of, lost, how = OTHERS[key]
    war: War = war_of(alice)
    battle, events = refereed(war, SEED, 6)
    evening = Evening(battle, [phone("alice", at=table_of(battle)) for _ in range(2)])
    casualties, turns = of_losses(evening.rules, read_setup(battle, sides_of(battle)), events, lost)
    evening.light(casualties, turns)
    evening.finish(how)
    row = figures(evening, "light", turns, len(casualties))
    record_property("taps", msgspec.to_builtins(row))
    assert Battle.objects.get(pk=battle.pk).state == "confirmed", "both sides are of one player"
    assert row.taps <= turns + 3 * len(casualties) + 8


def figures(
    evening: Evening, way: str, turns: int, casualties: int, most: int | None = None
) -> Tapped:
    """Return the counts as a row of the table."""
    taps, entries = evening.fingers.so_far(), evening.battle.events.count()
    return Tapped(evening.rules.name, way, turns, casualties, entries, taps, most)


@pytest.mark.soak(
    "battles of En Garde! logged on two phones, in full and in the light way", each=2, sample=0
)
def test_same_battle_in_full_and_in_the_light_way(
    phone: Phone, alice: User, bob: User, record_property: Callable[..., None]
) -> None:
    """The light way keeps the deeds with their turns: the same wounds by the same fighters."""
    battle, again = skirmishes(alice, bob)
    Battle.objects.filter(pk=battle.pk).update(dice_seed=SEED_OF_DICE)
    full = InFull(battle, [phone("alice", at=table_of(battle)), phone("bob", at=table_of(battle))])
    for number in range(1, TURNS + 1):
        full.turn(number, charges=0 if number < 3 else 6)
    casualties, named = of_deeds(full.play, LABELS), names(full)
    full_deeds = [
        (each.turn, named[each.fighter], named[str(each.victim)], each.result)
        for each in full.play.state.deeds
    ]
    full.finish("agreed")
    full.confirm(full.phones[1])
    row = figures(full, "in full", TURNS, len(casualties), MOST["in full"])
    record_property("taps", msgspec.to_builtins(row))

    light = Evening(again, [phone("alice", at=table_of(again)), phone("bob", at=table_of(again))])
    called = {name: key for key, name in names(light).items()}
    same = [
        Casualty(each.turn, called[named[each.victim]], each.button, called[named[each.by]])
        for each in casualties
    ]
    light.light(same, TURNS)
    named = names(light)
    deeds = light.play.state.deeds
    assert full_deeds == [
        (each.turn, named[each.fighter], named[str(each.victim)], each.result) for each in deeds
    ]
    light.finish("agreed")
    light.confirm(light.phones[1])
    lighter = figures(light, "light", TURNS, len(casualties), MOST["light"])
    record_property("taps", msgspec.to_builtins(lighter))
    assert (row.taps <= MOST["in full"], lighter.taps <= MOST["light"]) == (True, True), (
        row,
        lighter,
    )


def names(evening: Evening) -> dict[str, str]:
    """Return the names of everybody in a battle, by id."""
    return {
        str(each.fighter_id): each.name
        for side in evening.battle.sides.all()
        for each in side.combatants.all()
    }
