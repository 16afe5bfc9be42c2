"""Reload counters in a log turn by turn: guns and their crews, pairs of pistols, pistols in close
combat."""

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.rounds import Split
from tests.rulebook.en_garde.turns.tables import Told, man, side

GUARD = side("b", "cardinals-guard", man("guard", "cardinals-guard/guard", 2, leader=True))
CREW = ("one", "two", "mate")


def gunners(*guns) -> Told:
    crew = tuple(man(each, "swashbucklers/seaman", 1, leader=each == "one") for each in CREW)
    log = Told(
        BattleSetup(
            "skirmish", (side("a", "swashbucklers", *crew, extras={"ordnance": guns}), GUARD)
        )
    )
    log.tell("turn", turn=1)
    return log


def horseman(pistols: int) -> Told:
    rider = man(
        "rider", "english-civil-war/horse", 3, leader=True, options={"pistol": ["pistol"] * pistols}
    )
    log = Told(BattleSetup("skirmish", (side("a", "english-civil-war", rider), GUARD)))
    log.tell("turn", turn=1)
    return log


FIRE = {"target": "guard", "weapon": "swivel-gun", "inches": 20, "dice": [1, 2]}


def test_the_crew_load_one_gun_between_them():
    log = gunners("swivel-gun")
    log.tell("shot", shooter="one", **FIRE)
    assert log.errors("shot", shooter="two", **FIRE) == ["not-loaded"]
    log.tell("turn", turn=2)
    log.tell("action", fighter="one", what="reload", weapon="swivel-gun")
    log.tell("action", fighter="two", what="reload", weapon="swivel-gun")
    assert log.errors("action", fighter="mate", what="reload", weapon="swivel-gun") == ["loaded"]
    log.tell("turn", turn=3)
    log.tell("shot", shooter="two", **FIRE)


def test_a_weapon_is_loaded_while_engaged():
    log = horseman(1)
    log.tell("shot", shooter="rider", target="guard", weapon="pistol", inches=10, dice=[1, 2])
    log.tell("move", fighter="guard", contacts=["rider"])
    log.tell("turn", turn=2)
    log.tell("action", fighter="rider", what="reload", weapon="pistol")
    assert log.state.table.of("rider").reload == {"pistol": 0}


def test_a_named_crew_alone_serves_its_gun():
    log = gunners({"gun": "swivel-gun", "crew": ["one", "two"]})
    assert log.errors("shot", shooter="mate", **FIRE) == ["not-of-the-crew"]
    log.tell("shot", shooter="one", **FIRE)


def test_two_guns_of_a_kind_fire_one_after_the_other():
    log = gunners("swivel-gun", "swivel-gun")
    log.tell("shot", shooter="one", **FIRE)
    log.tell("shot", shooter="two", **FIRE)
    assert log.errors("shot", shooter="mate", **FIRE) == ["not-loaded"]


def test_a_second_pistol_fires_before_the_first_is_loaded():
    fire = {"shooter": "rider", "target": "guard", "weapon": "pistol", "inches": 10, "dice": [1, 2]}
    for pistols, expected in ((1, ["not-loaded"]), (2, [])):
        log = horseman(pistols)
        log.tell("shot", **fire)
        log.tell("turn", turn=2)
        assert log.errors("shot", **fire) == expected


def closed(pistols: int) -> Told:
    log = horseman(pistols)
    log.tell("move", fighter="guard", contacts=["rider"])
    log.tell(
        "combat",
        fighters={"a": ["rider"], "b": ["guard"]},
        counters={"a": [3, 0], "b": [1, 1]},
        initiative={"rider": [1], "guard": [6]},
        weapons={"rider": "pistol"},
    )
    return log


STRIKE = {"attacker": "rider", "target": "guard", "dice": [1, 1], "defence_dice": [6]}


def test_a_pistol_is_empty_after_a_blow_in_close_combat():
    log = closed(1)
    log.tell("attack", **STRIKE)
    log.passes_until("rider")
    assert log.errors("attack", **STRIKE) == ["pistol-empty"]
    assert log.errors("switch_weapon", fighter="rider", weapon="pistol") == ["pistol-empty"]
    assert log.tell("switch_weapon", fighter="rider", weapon="sword").table.fight.pools[
        "a"
    ] == Split(1, 0)
    log.passes_until("rider")
    log.tell("attack", **STRIKE)


def test_who_has_two_pistols_strikes_with_both():
    log = closed(2)
    log.tell("attack", **STRIKE)
    log.passes_until("rider")
    log.tell("attack", **STRIKE)
    log.passes_until("rider")
    assert log.errors("attack", **STRIKE) == ["pistol-empty"]


def test_a_weapon_is_switched_at_ones_own_opportunity():
    assert closed(1).errors("switch_weapon", fighter="guard", weapon="hands-and-feet") == [
        "not-its-turn"
    ]


def test_only_guns_that_can_fire_grapeshot():
    log = gunners("ballista")
    fire = {"shooter": "one", "target": "guard", "inches": 10, "dice": [1, 2], "weapon": "ballista"}
    assert log.errors("shot", **fire, grapeshot=True) == ["no-grapeshot"]
    assert log.errors("shot", **fire) == []
    assert gunners("cannon").errors("shot", **{**fire, "weapon": "cannon"}, grapeshot=True) == []
