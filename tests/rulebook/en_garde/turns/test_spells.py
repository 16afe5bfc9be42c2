"""Spells in a log turn by turn."""

import pytest

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import begun, man, side

MAGIC = BattleSetup(
    "skirmish",
    (
        side(
            "a",
            "fantastical",
            man("witch", "fantastical/witch", 5, leader=True),
            man("beast", "fantastical/beast", 4),
        ),
        side("b", "cardinals-guard", man("guard", "cardinals-guard/guard", 2, leader=True)),
    ),
    {"fantastical": True},
)


def test_a_power_blast_hurts_and_costs_magic():
    log = begun(MAGIC)
    cast = {"magician": "witch", "target": "guard", "inches": 10}
    state = log.tell("spell", spell="power-blast", **cast, dice=[3, 3], blast_dice=[6, 6])
    assert state.combatants["guard"].dead
    assert state.table.of("witch").magic == 2


def test_a_resisted_spell_costs_as_much_and_does_nothing():
    log = begun(MAGIC)
    data = {
        "magician": "witch",
        "spell": "drain-life",
        "target": "guard",
        "inches": 3,
        "resisted_by": "guard",
    }
    state = log.tell("spell", **data, dice=[1, 1], resisting_dice=[6, 6])
    assert not state.combatants["guard"].wounds.counters
    assert log.errors("spell", **data, dice=[1, 1], resisting_dice=[1, 1]) == ["cast-already"]


def test_stun_reaches_friends_too_and_armour_and_mist_last_until_the_next_turn():
    log = begun(MAGIC)
    state = log.tell(
        "spell",
        magician="witch",
        spell="stun",
        dice=[6, 6],
        victims=["beast", "guard"],
        counters=[1, 2],
    )
    assert [state.combatants[each].wounds.stunned for each in ("beast", "guard")] == [1, 2]
    log.tell("turn", turn=2)
    log.tell("spell", magician="witch", spell="armour", target="witch", dice=[6, 6])
    shoot = log.state
    assert shoot.table.of("witch").armoured_until == 3


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (
            {"magician": "guard", "spell": "stun", "dice": [6, 6], "victims": [], "counters": []},
            "no-magician",
        ),
        (
            {"magician": "witch", "spell": "heal", "target": "beast", "inches": 2, "dice": [6, 6]},
            "unknown-spell",
        ),
        ({"magician": "witch", "spell": "drain-life", "dice": [6, 6]}, "target-needed"),
        ({"magician": "witch", "spell": "fireball", "dice": [6, 6]}, "unknown-spell"),
        (
            {
                "magician": "witch",
                "spell": "stun",
                "dice": [6, 6],
                "resisted_by": "beast",
                "resisting_dice": [1, 1],
            },
            "may-not-resist",
        ),
    ],
)
def test_what_forbids_a_spell(data, code):
    assert begun(MAGIC).errors("spell", **data) == [code]


def test_a_spell_goes_with_a_short_move_before_or_after_it_and_with_nothing_else():
    cast = {
        "magician": "witch",
        "spell": "power-blast",
        "target": "guard",
        "inches": 10,
        "dice": [3, 3],
    }
    before = begun(MAGIC)
    before.tell("move", fighter="witch", gait="short")
    before.tell("spell", **cast, blast_dice=[1, 1])
    assert before.errors("move", fighter="witch", gait="short") == ["acted-already"]
    after = begun(MAGIC)
    after.tell("spell", **cast, blast_dice=[1, 1])
    assert after.errors("move", fighter="witch", gait="normal") == ["acted-already"]
    after.tell("move", fighter="witch", gait="short")
    walked = begun(MAGIC)
    walked.tell("move", fighter="witch", gait="normal")
    assert walked.errors("spell", **cast, blast_dice=[1, 1]) == ["acted-already"]
