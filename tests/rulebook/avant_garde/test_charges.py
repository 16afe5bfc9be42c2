"""Movement under charge, charges, hand to hand and morale, as logged: one test for each claim of the rules page."""

import dataclasses

from rulebook.battle_log.play import replay
from rulebook.ruleset import LoggedEvent
from rulebook.systems.avant_garde.log import LOG
from tests.rulebook.avant_garde.field import Field, setup
from tests.rulebook.avant_garde.test_log import GOOD, PIPS, STRIKE, begun


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
