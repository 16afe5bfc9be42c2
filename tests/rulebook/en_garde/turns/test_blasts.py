"""Power Blasts in a log turn by turn: shots by magic."""

from typing import Any

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import SWORDS, Rigged, Told, begun, man, side

COVEN = side("a", "fantastical", man("witch", "fantastical/witch", 5, leader=True))
CAST: dict[str, Any] = {"magician": "witch", "spell": "power-blast", "inches": 10, "dice": [1, 1]}


def against(*foes: Any, **set_up: str) -> Told:
    return begun(
        BattleSetup(
            "skirmish", (COVEN, side("b", "cardinals-guard", *foes)), {"fantastical": True}, set_up
        )
    )


GUARD = man("guard", "cardinals-guard/guard", 2, leader=True)
MILADY = man("milady", "cardinals-guard/milady-de-winter", 3, leader=True)
RIDER = man("rider", "conquistadors/knight", 3, leader=True)


def test_a_blast_at_the_beguiling_takes_nerve_and_costs_no_points_without_it():
    log = against(MILADY)
    assert log.errors("spell", **CAST, target="milady", blast_dice=[6, 6]) == ["wrong-dice"]
    shy = {**CAST, "dice": [], "target": "milady"}
    state = log.tell("spell", **shy, nerve=5)
    assert (state.table.of("witch").magic, state.table.of("witch").has("acted")) == (0, True)
    bold = against(MILADY).tell("spell", **CAST, target="milady", nerve=4, blast_dice=[6, 6])
    assert bold.combatants["milady"].dead


def test_other_spells_at_the_beguiling_take_none():
    assert (
        against(MILADY).errors(
            "spell", **{**CAST, "spell": "drain-life", "inches": 3}, target="milady"
        )
        == []
    )


def test_a_blast_at_a_rider_is_drawn_between_mount_and_rider():
    log = against(RIDER)
    hit = {**CAST, "target": "rider", "blast_dice": [4, 4]}
    assert log.errors("spell", **hit) == ["wrong-dice"]
    assert log.errors("spell", **{**hit, "blast_dice": [1, 1]}, rider_die=1) == ["wrong-dice"]
    state = against(RIDER).tell("spell", **hit, rider_die=4)
    assert (state.combatants["rider"].mount.worst, state.combatants["rider"].wounds.worst) == (
        "light",
        "",
    )
    assert against(RIDER).tell("spell", **hit, rider_die=5).combatants["rider"].wounds.worst != ""


def test_blast_hits_only_visible_targets():
    hit = {**CAST, "target": "guard", "blast_dice": [6, 6]}
    assert against(GUARD).errors("spell", **hit, sight="blocked") == ["no-line-of-sight"]
    assert against(GUARD, hour="night").errors("spell", **{**hit, "inches": 12}) == []
    hidden = against(GUARD)
    hidden.tell("action", fighter="guard", what="hide")
    assert hidden.errors("spell", **hit) == ["target-hidden"]


def test_muster_throws_what_a_blast_needs():
    log = against(RIDER)
    log.luck = Rigged(1, 1, 4, 4, 2)
    log.tell("spell", magician="witch", spell="power-blast", target="rider", inches=10)
    data = log.events[-1].data
    assert (data["blast_dice"], data["rider_die"]) == ([4, 4], 2)


def test_nobody_stuns_himself():
    log = against(GUARD)
    stun = {
        "magician": "witch",
        "spell": "stun",
        "dice": [6, 6],
        "victims": ["witch"],
        "counters": [1],
    }
    assert log.errors("spell", **stun) == ["stuns-itself"]


def test_missed_blast_counts_as_attack():
    log = against(GUARD)
    assert log.tell("spell", **CAST, target="guard", blast_dice=[1, 1]).table.of(
        "witch"
    ).struck == ("guard",)


def test_the_lucky_are_lucky_against_magic_too():
    heroes = side(
        "b",
        "three-musketeers",
        man("hero", "custom/rank-5", 5, leader=True, kept={"attributes": ["lucky"]}),
    )
    log = begun(BattleSetup("skirmish", (COVEN, heroes), {"fantastical": True}))
    log.luck = Rigged(1, 1, 6, 5, 1)  # 11 hits; the six becomes a one, and 6 misses
    state = log.tell(
        "spell", magician="witch", spell="power-blast", target="hero", inches=10, lucky="hero"
    )
    assert state.table.of("hero").lucky_used
    assert not state.combatants["hero"].wounds.worst
    assert begun(SWORDS).errors("spell", **CAST, target="guard") != []
