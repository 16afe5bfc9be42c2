"""Mounts and riders in a log turn by turn: warhorses, thrown riders, ride-by attacks."""

import pytest

from rulebook.ruleset import BattleSetup, FieldedSide
from rulebook.systems.en_garde.book.catalogue import profile
from rulebook.systems.en_garde.table.moving import moving_rate
from rulebook.systems.en_garde.table.rounds import Split
from rulebook.systems.en_garde.turns.fighters import present
from tests.rulebook.en_garde.logs import event_fields, event_problems
from tests.rulebook.en_garde.turns.tables import GUARD, SWORDS, Told, begun, man, side


@pytest.fixture
def charge() -> Told:
    mount = next(
        option.key
        for option in profile("conquistadors/knight").options
        if "warhorse" in option.items
    )
    rider = man("knight", "conquistadors/knight", 3, leader=True, options={mount: ["warhorse"]})
    log = Told(BattleSetup("skirmish", (side("a", "conquistadors", rider), GUARD)))
    log.tell("turn", turn=1)
    log.tell("move", fighter="knight", contacts=["guard"])
    log.tell(
        "combat",
        fighters={"a": ["knight"], "b": ["guard"]},
        counters={"a": [2, 1], "b": [1, 1]},
        initiative={"knight": [6], "guard": [1]},
    )
    return log


def test_a_warhorse_strikes_once_of_its_own(charge: Told):
    bite = {
        "attacker": "knight",
        "target": "guard",
        "by_mount": True,
        "dice": [6, 6],
        "defence_dice": [6],
    }
    assert charge.tell("attack", **bite).deeds[0].means == "mount"
    assert charge.errors("attack", **bite) == ["mount-fought"]


BITE = {"attacker": "knight", "target": "guard", "by_mount": True, "dice": [6, 6]}


def test_a_warhorse_fights_against_no_dead_enemy(charge: Told):
    charge.tell("wound", victim="guard", result="critical", attacker="knight")
    assert charge.errors("attack", **BITE, defence_dice=[1]) == ["already-logged"]


def test_a_warhorse_fights_for_no_dead_rider(charge: Told):
    charge.tell("wound", victim="knight", result="critical")
    assert "out-of-action" in charge.errors("attack", **BITE, defence_dice=[1])


def test_a_warhorse_strikes_at_no_friend():
    knights = tuple(
        man(
            key,
            "conquistadors/knight",
            3,
            leader=key == "knight",
            options={"upgrade-horse": ["warhorse"]},
        )
        for key in ("knight", "friend")
    )
    log = begun(BattleSetup("skirmish", (side("a", "conquistadors", *knights), GUARD)))
    for knight in knights:
        log.tell("move", fighter=knight.id, contacts=["guard"])
    log.tell(
        "combat",
        fighters={"a": ["knight", "friend"], "b": ["guard"]},
        counters={"a": [4, 2], "b": [1, 1]},
        initiative={"knight": [6], "friend": [5], "guard": [1]},
    )
    bite = {**BITE, "target": "friend", "at_mount": True, "defence_dice": [1], "die": 1}
    assert log.errors("attack", **bite) == ["own-side"]


def test_who_parries_a_warhorse_pays_for_it(charge: Told):
    parried = {**BITE, "dice": [1, 1], "answers": ["parry"], "defence_dice": [6, 6]}
    fight = charge.tell("attack", **parried).table.fight
    assert fight is not None
    assert fight.pools["b"] == Split(1, 0)


def test_nobody_parries_a_warhorse_without_a_counter(charge: Told):
    charge.passes_until("knight")
    charge.tell(
        "attack",
        attacker="knight",
        target="guard",
        dice=[1, 1],
        answers=["parry"],
        defence_dice=[6, 6],
    )
    parried = {**BITE, "dice": [1, 1], "answers": ["parry"], "defence_dice": [6, 6]}
    assert charge.errors("attack", **parried) == ["no-counter"]


def test_a_riposte_against_a_warhorse_hurts_the_horse_and_not_its_rider():
    knight = man(
        "knight", "conquistadors/knight", 3, leader=True, options={"upgrade-horse": ["warhorse"]}
    )
    musketeers = FieldedSide("b", "B", "warband", "three-musketeers", SWORDS.sides[0].fighters)
    log = begun(BattleSetup("skirmish", (side("a", "conquistadors", knight), musketeers)))
    log.tell("move", fighter="knight", contacts=["athos"])
    log.tell(
        "combat",
        fighters={"a": ["knight"], "b": ["athos"]},
        counters={"a": [2, 1], "b": [3, 3]},
        initiative={"knight": [6], "athos": [1]},
    )
    bite = {
        **BITE,
        "target": "athos",
        "dice": [1, 1],
        "answers": ["riposte"],
        "defence_dice": [6, 6],
    }
    state = log.tell("attack", **bite, die=6)
    assert state.combatants["knight"].thrown
    assert not state.combatants["knight"].wounds.worst.replace("stunned", "")
    assert state.table.fight.pools["b"] == Split(3, 2)
    assert state.table.fight.fencer("athos").passes == 1


def test_nobody_answers_a_blow_at_his_mount(charge: Told):
    charge.passes_until("guard")
    strike = {
        "attacker": "guard",
        "target": "knight",
        "at_mount": True,
        "dice": [1, 1],
        "answers": ["parry"],
    }
    assert charge.errors("attack", **strike, defence_dice=[6, 6]) == ["mount-answers"]


def test_a_fighter_on_foot_strikes_rider_or_horse(charge: Told):
    charge.passes_until("guard")
    strike = {
        "attacker": "guard",
        "target": "knight",
        "at_mount": True,
        "dice": [6, 6],
        "defence_dice": [1],
    }
    assert charge.errors("attack", **strike) == ["wrong-dice"]
    state = charge.tell("attack", **strike, die=5)
    assert state.combatants["knight"].thrown


def test_a_horse_master_is_thrown_without_a_stunned_counter():
    rider = man("rider", "ottoman-empire/akinci", 2, leader=True)
    log = Told(BattleSetup("skirmish", (side("a", "ottoman-empire", rider), GUARD)))
    log.tell("turn", turn=1)
    state = log.tell(
        "wound", victim="rider", result="critical", die=6, on_mount=True, attacker="guard"
    )
    assert state.combatants["rider"].thrown
    assert state.combatants["rider"].wounds.stunned == 0


def riders() -> Told:
    knight = man("knight", "conquistadors/knight", 3, leader=True)
    log = Told(BattleSetup("skirmish", (side("a", "conquistadors", knight), GUARD)))
    log.tell("turn", turn=1)
    return log


RIDE_BY = {
    "fighters": {"a": ["knight"], "b": ["guard"]},
    "counters": {"a": [1, 1], "b": [0, 1]},
    "initiative": {"knight": [1], "guard": [2]},
    "ride_by": True,
}


def test_a_rider_strikes_in_passing_with_half_the_pool_and_rides_on():
    log = riders()
    state = log.tell("combat", **RIDE_BY)
    assert state.table.fight.next.id == "knight"  # 1, his Initiative of 1, and 1 for riding by
    assert "leaves-too-far" in log.errors("move", fighter="knight", inches=9)
    log.tell("attack", attacker="knight", target="guard", dice=[1, 1], defence_dice=[6])
    for fighter in ("guard", "knight"):
        if log.state.table.fight.next is not None:
            log.tell("pass", fighter=fighter)
    assert log.errors("move", fighter="knight", inches=10) == ["too-far"]
    assert log.errors("move", fighter="knight", inches=9, contacts=["guard"]) == [
        "rides-into-contact"
    ]
    assert log.tell("move", fighter="knight", inches=9).table.of("guard").contacts == ()
    assert "acted-already" in log.errors("move", fighter="knight", inches=9)


def test_who_has_moved_or_is_engaged_or_on_foot_rides_by_nobody():
    ride_by = {**RIDE_BY, "initiative": {"knight": [6], "guard": [1]}}
    moved = riders()
    moved.tell("move", fighter="knight", inches=12)
    assert moved.errors("combat", **ride_by) == ["no-rider", "not-in-contact", "not-in-contact"]
    caught = riders()
    caught.tell("move", fighter="guard", contacts=["knight"])
    assert caught.errors("combat", **ride_by) == ["no-rider"]


def test_a_mount_shakes_off_one_stunned_counter_a_turn():
    log = riders()
    for _ in range(2):
        log.tell("wound", victim="knight", result="stunned", on_mount=True, attacker="guard")
    assert log.tell("turn", turn=2).combatants["knight"].mount.stunned == 1


def test_mount_killed_after_dismounting_throws_nobody():
    log = riders()
    log.tell("action", fighter="knight", what="dismount")
    state = log.tell(
        "wound", victim="knight", result="critical", die=6, on_mount=True, attacker="guard"
    )
    assert state.combatants["knight"].wounds.stunned == 0
    log.tell("turn", turn=2)
    assert log.errors("action", fighter="knight", what="mount") == ["no-mount"]


@pytest.mark.parametrize(
    ("profile", "options"),
    [("conquistadors/knight", {}), ("border-reivers/reiver", {"mount": ["horse"]})],
)
def test_a_rider_on_foot_moves_as_infantry(profile, options):
    rider = man("rider", profile, 5, leader=True, options=options)
    log = begun(BattleSetup("skirmish", (side("a", profile.partition("/")[0], rider), GUARD)))
    assert log.errors("move", fighter="rider", inches=12) == []
    log.tell("action", fighter="rider", what="dismount")
    assert log.errors("move", fighter="rider", gait="short", inches=3.5) == ["too-far"]
    log.tell("turn", turn=2)
    assert log.errors("move", fighter="rider", inches=6.5) == ["too-far"]
    log.tell("action", fighter="rider", what="mount")
    assert log.errors("move", fighter="rider", gait="short", inches=6) == []
    log.tell("wound", victim="rider", result="critical", die=6, on_mount=True, attacker="guard")
    log.tell("turn", turn=3)
    assert log.errors("move", fighter="rider", inches=6.5) == ["too-far"]
    assert log.errors("move", fighter="rider", inches=6) == []
    assert moving_rate(present(log.state, "rider")) == "infantry"


def test_who_dismounted_mounts_again():
    log = riders()
    log.tell("action", fighter="knight", what="dismount")
    log.tell("turn", turn=2)
    log.tell("action", fighter="knight", what="mount")


BOTH = {
    "fighters": {"a": ["knight"], "b": ["lancer"]},
    "counters": {"a": [1, 1], "b": [1, 1]},
    "initiative": {"knight": [3, 1], "lancer": [3, 2]},
    "ride_by": True,
}


def two_riders() -> Told:
    """Return a rider against a rider, both free."""
    riders = (
        man("knight", "conquistadors/knight", 3, leader=True),
        man("lancer", "conquistadors/knight", 3, leader=True),
    )
    return begun(
        BattleSetup(
            "skirmish",
            tuple(
                side(key, "conquistadors", rider) for key, rider in zip("ab", riders, strict=True)
            ),
        )
    )


def test_where_both_could_ride_by_the_one_is_named():
    assert two_riders().errors("combat", **BOTH) == ["rider-needed"]
    assert two_riders().errors("combat", **BOTH, rider="guard") == ["not-in-combat"]


@pytest.mark.parametrize("rider", ["knight", "lancer"])
def test_rider_passing_by_strikes_first_and_rides_on(rider: str):
    log = two_riders()
    state = log.tell("combat", **BOTH, rider=rider)
    fight = state.table.fight
    assert fight is not None and fight.next is not None
    assert fight.next.id == rider
    assert [each for each in ("knight", "lancer") if state.table.of(each).has("rides-on")] == [
        rider
    ]


def test_nobody_is_named_as_rider_where_nobody_rides_by():
    log = two_riders()
    log.tell("move", fighter="knight", contacts=["lancer"])
    assert log.errors("combat", **{**BOTH, "ride_by": False}, rider="knight") == ["no-ride-by"]


def test_a_blow_of_the_warhorse_names_its_ruling(charge: Told):
    charge.tell("attack", **BITE, defence_dice=[6])
    assert 'Rule book: "Mounted combat"; Ruling B35' in charge.outcome.rules
    again = charge.event("attack", {**BITE, "defence_dice": [6]})
    (problem,) = event_problems(charge.setup, charge.events, again)
    assert problem.source == 'Rule book: "Mounted combat"; Ruling B35'


def test_a_blow_of_the_warhorse_needs_no_counter_and_waits_for_no_initiative(charge: Told):
    charge.passes_until("guard")
    before = charge.state.table.fight
    fight = charge.tell("attack", **BITE, defence_dice=[6]).table.fight
    assert fight is not None
    assert before is not None
    assert (fight.pools, fight.next) == (before.pools, before.next)
    assert fight.next is not None
    assert fight.next.id == "guard"


def test_a_pike_bites_deeper_at_the_rider_and_not_at_the_mount_by_its_ruling():
    pikeman = man("pikeman", "landsknechts/landsknecht", 2, leader=True)
    knight = man("knight", "conquistadors/knight", 3, leader=True)
    setup = BattleSetup(
        "skirmish", (side("a", "landsknechts", pikeman), side("b", "conquistadors", knight))
    )
    for aimed in ({}, {"at_mount": True, "die": 1}):
        log = begun(setup, pikeman=["knight"])
        log.tell(
            "combat",
            fighters={"a": ["pikeman"], "b": ["knight"]},
            counters={"a": [1, 1], "b": [1, 2]},
            initiative={"pikeman": [6], "knight": [1]},
        )
        log.tell(
            "attack", attacker="pikeman", target="knight", dice=[6, 6], defence_dice=[1], **aimed
        )
        wound = log.outcome.sums[-1]
        lines = {line.reason: (line.amount, line.rule) for line in wound.lines}
        assert ("Pike against a rider" in lines) is not bool(aimed)
        assert ("Ruling B36" in log.outcome.rules) is bool(aimed)
        assert aimed or lines["Pike against a rider"] == (1, "Ruling B36")


def test_the_sums_of_a_warhorses_blow_name_the_horse(charge: Told):
    charge.tell("attack", **BITE, defence_dice=[6])
    reasons = [line.reason for roll in charge.outcome.sums for line in roll.lines]
    assert "Fight of KNIGHT’s warhorse" in reasons
    assert "Fight of KNIGHT" not in reasons


def test_the_form_of_a_combat_says_how_many_reach_a_doorway():
    help_texts = {field.key: field.help for field in event_fields("combat")}
    assert help_texts["doorway"] == "At most two enemies can fight it."
    assert help_texts["window"] == "Only one enemy can fight it."


def test_thrown_rider_stays_on_foot():
    log = riders()
    log.tell("wound", victim="knight", result="critical", die=6, on_mount=True, attacker="guard")
    log.tell("turn", turn=2)
    assert not present(log.state, "knight").mounted
    assert log.errors("action", fighter="knight", what="mount") == ["no-mount"]
