"""Guns at the table: each round that comes down is named, asked for, and may strike nobody."""

import pytest

from rulebook.ruleset import RulesError
from rulebook.systems.avant_garde.artillery import Shot, in_reach, reach_in_words
from rulebook.systems.avant_garde.log import LOG
from tests.rulebook.avant_garde.field import Field
from tests.rulebook.avant_garde.test_log import GOOD, begun
from tests.rulebook.avant_garde.test_table import offered, seen

TWO_BALLS = {"shots": [4, 6], "lengths": [3, 1]}


def fired(**kwargs):
    """Return a battle in which the guns of the Reds fire at the line of the Blues."""
    return begun().tell(
        "guns",
        fighter="red-guns",
        target="blue-line",
        inches=12,
        **{"guns": len(kwargs.get("shots", "12")), **kwargs},
    )


def struck(field):
    """Return what is due for rounds that have landed."""
    return [each for phase in seen(field).phases for each in phase.due if each.do == "struck"]


def test_guns_name_each_ball_and_how_far_it_runs():
    field = fired(**TWO_BALLS)
    assert field.told[-2:] == ("Ball 1 of 2 runs 3 inches.", "Ball 2 of 2 runs 1 inch.")
    (due,) = struck(field)
    assert due.sentence == "Reds guns: ball 1 of 2 runs 3 inches. Which units are hit?"
    action = next(each for each in seen(field, "red-guns").actions if each.key == "struck")
    assert action.help == "Ball 1 of 2 runs 3 inches."
    (due,) = struck(field.tell("struck", fighter="red-guns"))
    assert due.sentence == "Reds guns: ball 2 of 2 runs 1 inch. Which units are hit?"


def test_guns_say_where_a_near_miss_goes():
    """Rulings N-A6, N-A8, N-A9."""
    field = fired(shots=[3, 4], scatter=[3, 2], lengths=[5, 6])
    assert field.told[-2:] == (
        "Ball 1 of 2 is a near miss, 2 inches left (Rulings N-A8, N-A9), and runs 5 inches.",
        "Ball 2 of 2 runs 6 inches.",
    )


def test_shells_that_do_not_burst_on_their_target_are_named():
    field = begun().tell(
        "guns",
        fighter="red-guns",
        target="blue-line",
        round="shell",
        calibre="howitzer",
        inches=12,
        shots=[4],
        bursts=[1],
        inside=[],
    )
    assert field.told[-1] == "Shell 1 of 1 bounces straight on and bursts."
    field.tell(
        "struck", fighter="red-guns", target="blue-line", under="edge", shots=[6, 6], kills=[3, 2]
    )
    assert field.of("blue-line").lost == 1


def test_struck_has_the_unit_fired_at_as_its_default():
    action = next(
        each for each in seen(fired(**TWO_BALLS), "red-guns").actions if each.key == "struck"
    )
    by_key = {each.key: each for each in action.fields}
    assert by_key["target"].default == "blue-line"
    assert not by_key["target"].required


def test_a_ball_misses_everybody_with_one_tap():
    field = fired(**TWO_BALLS)
    (due,) = struck(field)
    missed = next(each for each in seen(field, "red-guns").actions if each.key == due.instead)
    assert (missed.kind, missed.fields, dict(missed.given)) == (
        "struck",
        (),
        {"fighter": "red-guns"},
    )
    field.tell(missed.kind, **missed.given).tell(missed.kind, **missed.given)
    assert struck(field) == []
    assert field.of("blue-line").lost == 0


NAMES = {"red-guns": "Reds guns", "blue-line": "Blues line"}


@pytest.mark.parametrize(
    ("kwargs", "sentence", "falls"),
    [
        ({}, "A round of Reds guns hits nobody", ""),
        ({"target": "blue-line"}, "A round of Reds guns hits nobody", ""),
        (
            {"target": "blue-line", "figures": 2, "kills": [1, 1]},
            "A round of Reds guns comes near Blues line: no casualties",
            "",
        ),
        (
            {"target": "blue-line", "figures": 2, "kills": [1, 2]},
            "Blues line is hit by Reds guns",
            "1 casualty",
        ),
    ],
)
def test_struck_says_that_a_unit_is_struck_only_if_somebody_falls(kwargs, sentence, falls):
    field = fired(**TWO_BALLS).tell("struck", fighter="red-guns", **kwargs)
    assert LOG.read(field.play.events()[-1]).sentence(NAMES) == sentence
    assert (
        any(falls in each for each in field.told)
        if falls
        else not any("casualt" in each for each in field.told)
    )


def test_a_ball_may_go_on_into_another_unit():
    field = fired(shots=[4], lengths=[6])
    field.tell("struck", fighter="red-guns", target="blue-line", figures=1, kills=[2], further=True)
    assert len(struck(field)) == 1
    field.tell("struck", fighter="red-guns", target="blue-guard", figures=1, kills=[2])
    assert (field.of("blue-line").lost, field.of("blue-guard").lost, struck(field)) == (1, 1, [])


@pytest.mark.parametrize(("die", "kills", "gone"), [(1, [2], "killed"), (1, [1], ""), (2, [], "")])
def test_a_commander_under_a_ball_looks_out(die, kills, gone):
    """Ruling N-A11."""
    field = fired(shots=[4], lengths=[6])
    assert field.refused("struck", fighter="red-guns", target="blue-general", kills=[2]) == [
        "wrong-dice"
    ]
    field.tell("struck", fighter="red-guns", target="blue-general", look_out=[die], kills=kills)
    assert field.of("blue-general").gone == gone
    assert ("He is warned in time." in field.told) == (die > 1)


@pytest.mark.parametrize(("kills", "falls"), [([1, 1], True), ([4, 1], False)])
def test_hits_that_kill_nobody_say_so(kills, falls):
    field = begun().tell(
        "fire", fighter="red-line", target="blue-line", front=4, shots=[6, 6], kills=kills
    )
    assert field.told[0] == "2 hits of 2."
    assert ("No casualties." in field.told) == falls


def test_a_fight_without_casualties_says_so():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    field.tell("reaction", fighter="blue-line", answer="stand").tell(
        "contact", fighter="red-line", run=[6]
    )
    blows = {"front": 1, "target_front": 1, "blows": [1], "target_blows": [1], "inches": [1, 2]}
    field.tell("melee", fighter="red-line", **blows)
    assert "No casualties." in field.told


def test_front_is_required_until_entered():
    field = begun()
    front = {each.key: each for each in offered(field, "red-line")["fire"].fields}["front"]
    assert (front.required, front.least) == (True, 1)
    field.tell("fire", fighter="red-line", target="blue-line", front=12, inches=4, shots=[1] * 6)
    field.tell("end").tell("turn").tell("initiative", dice=[6, 1])
    front = {each.key: each for each in offered(field, "red-line")["fire"].fields}["front"]
    assert (front.required, front.default) == (False, "12")


def test_the_fronts_of_a_fight_are_marked_as_needed():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    reaction = {each.key: each for each in offered(field, "blue-line")["reaction"].fields}
    assert "Required if it shoots" in reaction["front"].help
    field.tell("reaction", fighter="blue-line", answer="stand").tell(
        "contact", fighter="red-line", run=[6]
    )
    by_key = {each.key: each for each in offered(field, "red-line")["melee"].fields}
    assert (by_key["front"].required, by_key["target_front"].required) == (True, True)


def test_actions_whose_step_is_over_stay_in_sight_and_say_why():
    field = begun().tell(
        "fire", fighter="red-line", target="blue-line", front=2, inches=4, shots=[1]
    )
    charge = offered(field, "red-line")["charge"]
    assert (charge.phase, charge.hurdle) == ("move-a", "This step is over")
    assert offered(field, "blue-line")["charge"].hurdle == ""


@pytest.mark.parametrize("who", ["red-line", "red-hussars", "red-guns", "red-general", "blue-line"])
def test_actions_of_a_unit_stand_together_by_their_steps(who):
    field = begun().tell(
        "fire", fighter="red-line", target="blue-line", front=2, inches=4, shots=[1]
    )
    phases = [each.phase for each in seen(field, who).actions]
    together = [key for place, key in enumerate(phases) if place == 0 or phases[place - 1] != key]
    assert len(together) == len(set(together))
    labels = [each.label for each in seen(field, who).actions]
    assert len(labels) == len(set(labels))


def test_a_field_without_rounds_asks_nothing():
    assert struck(Field()) == []


@pytest.mark.parametrize(
    ("shot", "words"),
    [
        (Shot(calibre="medium", round="canister", inches=11), "it carries up to 10 inches"),
        (Shot(calibre="howitzer", round="shell", inches=40), "it carries from 8 to 36 inches"),
        (
            Shot(calibre="medium", round="shell"),
            "guns of this calibre have none. Choose another round, or other guns",
        ),
        (
            Shot(calibre="howitzer", round="ball"),
            "guns of this calibre have none. Choose another round, or other guns",
        ),
        (
            Shot(calibre="medium", round="shell", inches=40, british=True),
            "it carries from 12 to 32 inches",
        ),
    ],
)
def test_a_round_out_of_reach_says_how_far_it_carries(shot, words):
    assert (in_reach(shot), reach_in_words(shot)) == (False, words)


def test_refusal_of_a_round_names_its_reach():
    with pytest.raises(RulesError) as refused:
        begun().tell(
            "guns",
            fighter="red-guns",
            target="blue-line",
            inches=11,
            round="canister",
            guns=1,
            shots=[1] * 6,
        )
    sentences = [each.sentence for each in refused.value.problems if each.code == "out-of-reach"]
    assert sentences and "it carries up to 10 inches" in sentences[0]
