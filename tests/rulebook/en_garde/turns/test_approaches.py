"""Coming into contact in the Combat Phase in a log turn by turn: riders, the shaken, the
Terrifying, openings."""

from typing import Any

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.morale import Morale
from tests.rulebook.en_garde.turns.tables import GUARD, Rigged, Told, begun, man, side

BEAST = side("b", "fantastical", man("beast", "fantastical/beast", 4, leader=True))


def riders(foes=GUARD, tests: int = 0) -> Told:
    """Return a battle with a knight in the turn after this number of failed Morale Tests."""
    knights = (
        man("boss", "conquistadors/knight", 3, leader=True),
        man("knight", "conquistadors/knight", 3),
    )
    log = begun(
        BattleSetup("skirmish", (side("a", "conquistadors", *knights), foes), {"fantastical": True})
    )
    log.tell("wound", victim="boss", result="critical")
    for turn in range(2, tests + 2):
        log.tell("turn", turn=turn)
        log.tell("morale", side="a", dice=[6, 6])
    log.tell("turn", turn=tests + 2)
    return log


def ride_by(foe: str, defence: int, **more: Any) -> dict[str, Any]:
    return {
        "fighters": {"a": ["knight"], "b": [foe]},
        "counters": {"a": [1, 1], "b": [0, defence]},
        "initiative": {"knight": [6], foe: [1]},
        "ride_by": True,
        **more,
    }


def test_a_wavering_rider_rolls_before_it_rides_by():
    assert riders().errors("combat", **ride_by("guard", 1)) == []
    log = riders(tests=1)
    assert log.state.table.morale_of("a") is Morale.WAVERING
    assert log.errors("combat", **ride_by("guard", 1)) == ["wrong-dice"]
    assert log.tell("combat", **ride_by("guard", 1, resolve=4)).table.of("guard").contacts == (
        "knight",
    )


def test_a_rider_that_wavers_fights_nobody_and_does_not_try_again():
    log = riders(tests=1)
    state = log.tell("combat", **ride_by("guard", 1, resolve=3, initiative={}))
    assert (state.table.fight, state.table.of("guard").contacts) == (None, ())
    assert log.errors("combat", **ride_by("guard", 1, resolve=6)) == ["wavered"]


def test_a_routing_rider_that_fails_runs():
    log = riders(tests=2)
    state = log.tell("combat", **ride_by("guard", 1, resolve=3, initiative={}))
    assert (state.table.fight, state.table.of("knight").has("acted")) == (None, True)


def test_riding_by_the_terrifying_takes_nerve():
    log = riders(BEAST)
    assert log.errors("combat", **ride_by("beast", 2)) == ["wrong-dice"]
    assert log.tell("combat", **ride_by("beast", 2, nerve=2)).table.of("beast").contacts == (
        "knight",
    )
    assert (
        riders(BEAST).tell("combat", **ride_by("beast", 2, nerve=3, initiative={})).table.fight
        is None
    )


def test_muster_throws_no_initiative_for_a_rider_that_wavers():
    log = riders(tests=1)
    log.luck = Rigged(3)
    log.tell("combat", **ride_by("guard", 1, initiative={}))
    assert (log.events[-1].data["resolve"], log.events[-1].data.get("initiative")) == (3, None)


def test_a_rider_who_has_shot_but_not_moved_rides_by():
    rider = man("rider", "english-civil-war/horse", 3, leader=True, options={"pistol": ["pistol"]})
    fire = {"shooter": "rider", "target": "guard", "weapon": "pistol", "inches": 10, "dice": [1, 2]}
    fight = {
        "fighters": {"a": ["rider"], "b": ["guard"]},
        "counters": {"a": [1, 1], "b": [0, 1]},
        "initiative": {"rider": [6], "guard": [1]},
        "ride_by": True,
    }
    for moved, expected in ((False, []), (True, ["no-rider", "not-in-contact", "not-in-contact"])):
        log = begun(BattleSetup("skirmish", (side("a", "english-civil-war", rider), GUARD)))
        log.tell("shot", **fire, moved=moved)
        assert log.errors("combat", **fight) == expected


def test_going_on_to_the_terrifying_takes_nerve_and_the_move_is_gone_without_it():
    foes = side(
        "b",
        "fantastical",
        man("beast", "fantastical/beast", 4, leader=True),
        man("dead", "fantastical/revenant", 1),
    )
    hero = man("hero", "three-musketeers/athos", 5, leader=True)
    log = begun(
        BattleSetup("skirmish", (side("a", "three-musketeers", hero), foes), {"fantastical": True})
    )
    log.tell("move", fighter="hero", contacts=["dead"])
    log.tell(
        "combat",
        fighters={"a": ["hero"], "b": ["dead"]},
        counters={"a": [3, 3], "b": [2, 0]},
        initiative={"hero": [6], "dead": [1]},
    )
    log.tell("attack", attacker="hero", target="dead", dice=[6, 6], defence_dice=[1])
    onward = {
        "fighters": {"a": ["hero"], "b": ["beast"]},
        "counters": {"a": [1, 3], "b": [2, 2]},
        "initiative": {"hero": [6], "beast": [1]},
        "moved_on": "hero",
    }
    assert log.errors("combat", **onward) == ["wrong-dice"]
    assert log.errors("combat", **onward, nerve=4) == []
    log.tell("combat", **{**onward, "initiative": {}}, nerve=5)
    assert "moved-on" in log.errors("combat", **onward, nerve=1)


def crowd(number: int, **more: Any) -> list[str]:
    guards = tuple(
        man(f"g{each}", "cardinals-guard/guard", 2, leader=each == 0) for each in range(number)
    )
    foe = man("foe", "conquistadors/veteran", 3, leader=True)
    names = [guard.id for guard in guards]
    setup = BattleSetup(
        "skirmish", (side("a", "conquistadors", foe), side("b", "cardinals-guard", *guards))
    )
    log = begun(setup, foe=names)
    return log.errors(
        "combat",
        fighters={"a": ["foe"], "b": names},
        counters={"a": [2, 1], "b": [number, number]},
        initiative={"foe": [6, 6], **{name: [1, place + 1] for place, name in enumerate(names)}},
        **more,
    )


@pytest.mark.parametrize(
    ("number", "opening", "expected"),
    [
        (2, {"doorway": "foe"}, []),
        (3, {"doorway": "foe"}, ["too-many"]),
        (1, {"window": "foe"}, []),
        (2, {"window": "foe"}, ["too-many"]),
        (3, {}, []),
        (1, {"doorway": "nobody"}, ["not-in-combat"]),
    ],
)
def test_two_fight_somebody_in_a_doorway_and_one_at_a_window(number, opening, expected):
    assert crowd(number, **opening) == expected
