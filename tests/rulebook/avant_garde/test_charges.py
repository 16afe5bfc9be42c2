"""Movement under charge, charges, hand to hand and morale, as logged: one test for each claim of the rules page."""

import dataclasses

from rulebook.battle_log.play import replay
from rulebook.ruleset import LoggedEvent
from rulebook.systems.avant_garde.events import STEPS
from rulebook.systems.avant_garde.log import LOG
from rulebook.systems.avant_garde.table import actions
from tests.rulebook.avant_garde.field import Field, setup
from tests.rulebook.avant_garde.test_log import BAD, GOOD, PIPS, STRIKE, begun


def put(field, who, **changes):
    """The field in which somebody stands differently."""
    field.play = dataclasses.replace(field.play, state=field.play.state.changed(who, **changes))
    return field


def ridden(rider="red-cuirassiers", target="blue-militia", **melee):
    """A regiment that has charged and beaten a unit, which breaks."""
    field = begun().tell("charge", fighter=rider, target=target, inches=9, dice=GOOD)
    field.tell("reaction", fighter=target, answer="stand").tell("contact", fighter=rider, run=[6, 6])
    return field.tell("melee", fighter=rider, **{**STRIKE, "target_front": 2, **melee})


# Recall


def test_recalled_cavalry_tests_for_disorder():
    """Slide 23: the Dragoons of the worked example are recalled with a 4, and disordered by an 11. Ruling N-K6."""
    told = {"fighter": "red-cuirassiers", "how": "recall", "dice": [1, 1], "inches": [1, 2, 3]}
    for steady, order in (([5, 6], "disordered"), ([4, 4], "good")):
        field = ridden().tell("break", fighter="blue-militia", inches=[1, 1]).tell("follow", **told, steady=steady)
        assert field.of("red-cuirassiers").order == order
        assert not field.of("red-cuirassiers").blown
        assert f"Disorder test, {sum(steady)}: {'failed' if order == 'disordered' else 'passed'}." in field.told


def test_recall_takes_the_dice_of_its_disorder_test():
    field = ridden().tell("break", fighter="blue-militia", inches=[1, 1])
    told = {"fighter": "red-cuirassiers", "how": "recall", "dice": [1, 1], "inches": [1, 2, 3]}
    logged = LoggedEvent(field.play.sequence + 1, "follow", {**told, "thrown": "table"})
    assert [each.code for each in field.play.problems(logged)] == ["dice-missing"]


def test_log_without_disorder_test_stays_readable():
    field = ridden().tell("break", fighter="blue-militia", inches=[1, 1])
    told = {"fighter": "red-cuirassiers", "how": "recall", "dice": [1, 1], "inches": [1, 2, 3]}
    old = (*field.play.events(), LoggedEvent(field.play.sequence + 1, "follow", told))
    assert replay(LOG, setup(), old).state.combatants["red-cuirassiers"].order == "good"


def test_rally_phase_recall_tests_for_disorder():
    """Slides 2 and 23. Rulings N-K2, N-K6: a blown regiment is disordered already, and flees if it fails."""
    for steady, order in (([5, 6], "broken"), ([1, 2], "good")):
        field = put(Field().tell("turn", dice=PIPS), "red-hussars", blown=True)
        told = {"fighter": "red-hussars", "what": "recall", "dice": GOOD, "inches": [2, 2, 3], "steady": steady}
        field.tell("order", **told)
        assert (field.of("red-hussars").order, field.of("red-hussars").blown) == (order, True)
        assert "It rides 7 inches back." in field.told


# Caught while fleeing, burst through


def test_caught_unit_flees_another_roll():
    """Slide 16: two dice of inches on foot, three mounted."""
    for target, flight in (("blue-line", [3, 4]), ("blue-hussars", [3, 4, 5])):
        field = begun().tell("charge", fighter="red-hussars", target=target, inches=4, dice=GOOD)
        field.tell("reaction", fighter=target, answer="flee", inches=[1] * len(flight))
        field.tell("contact", fighter="red-hussars", run=[6, 6])
        told = {"front": 1, "blows": [6], "wounds": [6], "saves": [1] if target == "blue-hussars" else []}
        field.tell("hack", fighter="red-hussars", **told, inches=flight)
        name = field.of(target).name
        assert f"{name} flees another {sum(flight)} inches." in field.told


def test_caught_unit_that_disperses_flees_no_further():
    """Slide 16: without its colours and below half of its strength it is removed."""
    field = Field().tell("loss", fighter="blue-line", figures=12).tell("turn", dice=PIPS)
    field.tell("initiative", dice=[6, 1]).tell("charge", fighter="red-hussars", target="blue-line", inches=4)
    field.tell("reaction", fighter="blue-line", answer="flee", inches=[1, 1])
    field.tell("contact", fighter="red-hussars", run=[6, 6])
    field.tell("hack", fighter="red-hussars", front=1, blows=[6], wounds=[6], saves=[])
    assert field.of("blue-line").gone == "shattered"


def test_unit_burst_through_does_not_fire_if_it_fails():
    """Slide 28: it drops a state and may not fire in that turn; in the next it may."""
    fire = {"fighter": "blue-line", "target": "red-line", "front": 12, "inches": 4}
    field = begun().tell("panic", fighter="blue-line", why="burst", dice=GOOD)
    assert field.refused("fire", **fire) == []
    field = begun().tell("panic", fighter="blue-line", why="burst", dice=BAD)
    assert field.of("blue-line").order == "disordered"
    assert field.refused("fire", **fire) == ["burst-through"]
    field.tell("end").tell("turn", dice=PIPS).tell("initiative", dice=[6, 1])
    assert field.refused("fire", **fire) == []


def test_unit_burst_through_does_not_fire_at_chargers():
    field = begun().tell("panic", fighter="blue-line", why="burst", dice=BAD)
    field.tell("charge", fighter="red-line", target="blue-line", inches=6)
    assert field.refused("reaction", fighter="blue-line", answer="stand-and-shoot", front=12) == ["no-such-answer"]


def test_guns_burst_through_do_not_fire():
    field = begun().tell("panic", fighter="blue-guns", why="burst", dice=BAD)
    assert "burst-through" in field.refused("guns", fighter="blue-guns", target="red-line", inches=12)


def test_square_is_not_burst_through():
    field = put(begun(), "blue-line", formation="square")
    assert field.refused("panic", fighter="blue-line", why="burst", dice=BAD) == ["square-not-burst"]


# Arrivals


def arrived(*brigade):
    """A turn in which these Reds have come out of reserve."""
    field = Field().tell("hold", side="red", fighters=[f"red-{each}" for each in brigade])
    return field.tell("turn", dice=PIPS).tell("arrive", side="red", dice=[6]).tell("initiative", dice=[6, 1])


def test_infantry_does_not_charge_on_arrival():
    """Slide 36."""
    field = arrived("line")
    charge = {"fighter": "red-line", "target": "blue-line", "inches": 6, "dice": GOOD}
    assert field.refused("charge", **charge) == ["arrived-now"]
    field.tell("end").tell("turn", dice=PIPS).tell("initiative", dice=[6, 1])
    assert field.refused("charge", **charge) == []


def test_cavalry_that_arrives_charges_in_the_cavalry_movement():
    field = arrived("hussars").tell("charge", fighter="red-hussars", target="blue-line", inches=9, dice=GOOD)
    assert STEPS[field.play.state.step] == "cavalry-a"
    offered = {each.kind: each.phase for each in actions(arrived("hussars").play.state, "red-hussars")}
    assert offered["charge"] == "cavalry-a"
