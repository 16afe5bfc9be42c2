"""Reload counters in a log turn by turn: guns and their crews, pairs of pistols, pistols in close combat."""

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.rounds import Split
from tests.rulebook.en_garde.turns.tables import Told, man, side

GUARD = side("b", "cardinals-guard", man("guard", "cardinals-guard/guard", 2, leader=True))
CREW = ("one", "two", "mate")


def gunners(*guns) -> Told:
    crew = tuple(man(each, "swashbucklers/seaman", 1, leader=each == "one") for each in CREW)
    told = Told(BattleSetup("skirmish", (side("a", "swashbucklers", *crew, extras={"ordnance": guns}), GUARD)))
    told.tell("turn", turn=1)
    return told


def horseman(pistols: int) -> Told:
    rider = man("rider", "english-civil-war/horse", 3, leader=True, options={"pistol": ["pistol"] * pistols})
    told = Told(BattleSetup("skirmish", (side("a", "english-civil-war", rider), GUARD)))
    told.tell("turn", turn=1)
    return told


FIRE = {"target": "guard", "weapon": "swivel-gun", "inches": 20, "dice": [1, 2]}


def test_the_crew_load_one_gun_between_them():
    told = gunners("swivel-gun")
    told.tell("shot", shooter="one", **FIRE)
    assert told.errors("shot", shooter="two", **FIRE) == ["not-loaded"]
    told.tell("turn", turn=2)
    told.tell("action", fighter="one", what="reload", weapon="swivel-gun")
    told.tell("action", fighter="two", what="reload", weapon="swivel-gun")
    assert told.errors("action", fighter="mate", what="reload", weapon="swivel-gun") == ["loaded"]
    told.tell("turn", turn=3)
    told.tell("shot", shooter="two", **FIRE)


def test_a_weapon_is_loaded_while_engaged():
    told = horseman(1)
    told.tell("shot", shooter="rider", target="guard", weapon="pistol", inches=10, dice=[1, 2])
    told.tell("move", fighter="guard", contacts=["rider"])
    told.tell("turn", turn=2)
    told.tell("action", fighter="rider", what="reload", weapon="pistol")
    assert told.state.table.of("rider").reload == {"pistol": 0}


def test_a_named_crew_alone_serves_its_gun():
    told = gunners({"gun": "swivel-gun", "crew": ["one", "two"]})
    assert told.errors("shot", shooter="mate", **FIRE) == ["not-of-the-crew"]
    told.tell("shot", shooter="one", **FIRE)


def test_two_guns_of_a_kind_fire_one_after_the_other():
    told = gunners("swivel-gun", "swivel-gun")
    told.tell("shot", shooter="one", **FIRE)
    told.tell("shot", shooter="two", **FIRE)
    assert told.errors("shot", shooter="mate", **FIRE) == ["not-loaded"]


def test_a_second_pistol_fires_before_the_first_is_loaded():
    fire = {"shooter": "rider", "target": "guard", "weapon": "pistol", "inches": 10, "dice": [1, 2]}
    for pistols, found in ((1, ["not-loaded"]), (2, [])):
        told = horseman(pistols)
        told.tell("shot", **fire)
        told.tell("turn", turn=2)
        assert told.errors("shot", **fire) == found


def closed(pistols: int) -> Told:
    told = horseman(pistols)
    told.tell("move", fighter="guard", contacts=["rider"])
    told.tell(
        "combat",
        fighters={"a": ["rider"], "b": ["guard"]},
        counters={"a": [3, 0], "b": [1, 1]},
        initiative={"rider": [1], "guard": [6]},
        weapons={"rider": "pistol"},
    )
    return told


STRIKE = {"attacker": "rider", "target": "guard", "dice": [1, 1], "defence_dice": [6]}


def test_a_pistol_is_empty_after_a_blow_in_close_combat():
    told = closed(1)
    told.tell("attack", **STRIKE)
    told.passes_until("rider")
    assert told.errors("attack", **STRIKE) == ["pistol-empty"]
    assert told.errors("switch_weapon", fighter="rider", weapon="pistol") == ["pistol-empty"]
    assert told.tell("switch_weapon", fighter="rider", weapon="sword").table.fight.pools["a"] == Split(1, 0)
    told.passes_until("rider")
    told.tell("attack", **STRIKE)


def test_who_has_two_pistols_strikes_with_both():
    told = closed(2)
    told.tell("attack", **STRIKE)
    told.passes_until("rider")
    told.tell("attack", **STRIKE)
    told.passes_until("rider")
    assert told.errors("attack", **STRIKE) == ["pistol-empty"]


def test_a_weapon_is_switched_at_ones_own_opportunity():
    assert closed(1).errors("switch_weapon", fighter="guard", weapon="hands-and-feet") == ["not-its-turn"]


def test_only_guns_that_can_fire_grapeshot():
    told = gunners("ballista")
    fire = {"shooter": "one", "target": "guard", "inches": 10, "dice": [1, 2], "weapon": "ballista"}
    assert told.errors("shot", **fire, grapeshot=True) == ["no-grapeshot"]
    assert told.errors("shot", **fire) == []
    assert gunners("cannon").errors("shot", **{**fire, "weapon": "cannon"}, grapeshot=True) == []
