"""Movement under charge, charges, hand to hand and morale, as logged: one test for each claim of
the rules page."""

import dataclasses

import msgspec
import pytest

from rulebook.battle_log.play import replay
from rulebook.ruleset import LoggedEvent
from rulebook.systems.avant_garde.events import STEPS
from rulebook.systems.avant_garde.log import LOG, score_of
from rulebook.systems.avant_garde.state import Combat
from rulebook.systems.avant_garde.table import actions, table_view
from tests.rulebook.avant_garde.field import Field, setup
from tests.rulebook.avant_garde.test_log import BAD, GOOD, PIPS, STRIKE, begun, fought


def put(field, who, **changes):
    """Return the field with changes of one unit's state."""
    field.play = dataclasses.replace(field.play, state=field.play.state.changed(who, **changes))
    return field


def ridden(rider="red-cuirassiers", target="blue-militia", **melee):
    """Return a battle in which a regiment has charged and beaten a unit, which breaks."""
    field = begun().tell("charge", fighter=rider, target=target, inches=9, dice=GOOD)
    field.tell("reaction", fighter=target, answer="stand").tell(
        "contact", fighter=rider, run=[6, 6]
    )
    return field.tell("melee", fighter=rider, **{**STRIKE, "target_front": 2, **melee})


def due(field):
    """Return who has to act first, and with what."""
    return next(field.play.state.still_open())


# Recall


def test_recalled_cavalry_tests_for_disorder():
    """Slide 23: the Dragoons of the worked example are recalled with a 4, and disordered by an 11.
    Ruling N-K6."""
    kwargs = {"fighter": "red-cuirassiers", "how": "recall", "dice": [1, 1], "inches": [1, 2, 3]}
    for steady, order in (([5, 6], "disordered"), ([4, 4], "good")):
        field = (
            ridden()
            .tell("break", fighter="blue-militia", inches=[1, 1])
            .tell("follow", **kwargs, steady=steady)
        )
        assert field.of("red-cuirassiers").order == order
        assert not field.of("red-cuirassiers").blown
        assert (
            f"Disorder test, {sum(steady)}: {'failed' if order == 'disordered' else 'passed'}."
            in field.told
        )


def test_recall_takes_the_dice_of_its_disorder_test():
    field = ridden().tell("break", fighter="blue-militia", inches=[1, 1])
    data = {"fighter": "red-cuirassiers", "how": "recall", "dice": [1, 1], "inches": [1, 2, 3]}
    logged = LoggedEvent(field.play.sequence + 1, "follow", {**data, "thrown": "table"})
    assert [each.code for each in field.play.problems(logged)] == ["dice-missing"]


def test_log_without_disorder_test_stays_readable():
    field = ridden().tell("break", fighter="blue-militia", inches=[1, 1])
    data = {"fighter": "red-cuirassiers", "how": "recall", "dice": [1, 1], "inches": [1, 2, 3]}
    old = (*field.play.events(), LoggedEvent(field.play.sequence + 1, "follow", data))
    assert replay(LOG, setup(), old).state.combatants["red-cuirassiers"].order == "good"


def test_rally_phase_recall_tests_for_disorder():
    """Slides 2 and 23. Rulings N-K2, N-K6: a blown regiment is disordered already, and flees if it
    fails."""
    for steady, order in (([5, 6], "broken"), ([1, 2], "good")):
        field = put(Field().tell("turn", dice=PIPS), "red-hussars", blown=True)
        kwargs = {
            "fighter": "red-hussars",
            "what": "recall",
            "dice": GOOD,
            "inches": [2, 2, 3],
            "steady": steady,
        }
        field.tell("order", **kwargs)
        assert (field.of("red-hussars").order, field.of("red-hussars").blown) == (order, True)
        assert "It rides 7 inches back." in field.told


# Caught while fleeing, burst through


def test_caught_unit_flees_another_roll():
    """Slide 16: two dice of inches on foot, three mounted."""
    for target, flight in (("blue-line", [3, 4]), ("blue-hussars", [3, 4, 5])):
        field = begun().tell("charge", fighter="red-hussars", target=target, inches=4, dice=GOOD)
        field.tell("reaction", fighter=target, answer="flee", inches=[1] * len(flight))
        field.tell("contact", fighter="red-hussars", run=[6, 6])
        kwargs = {
            "front": 1,
            "blows": [6],
            "wounds": [6],
            "saves": [1] if target == "blue-hussars" else [],
        }
        field.tell("hack", fighter="red-hussars", **kwargs, inches=flight)
        name = field.of(target).name
        assert f"{name} flees another {sum(flight)} inches." in field.told


def test_caught_unit_that_disperses_flees_no_further():
    """Slide 16: without its colours and below half of its strength it is removed."""
    field = Field().tell("loss", fighter="blue-line", figures=12).tell("turn", dice=PIPS)
    field.tell("initiative", dice=[6, 1]).tell(
        "charge", fighter="red-hussars", target="blue-line", inches=4
    )
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
    assert field.refused("reaction", fighter="blue-line", answer="stand-and-shoot", front=12) == [
        "no-such-answer"
    ]


def test_guns_burst_through_do_not_fire():
    field = begun().tell("panic", fighter="blue-guns", why="burst", dice=BAD)
    assert "burst-through" in field.refused(
        "guns", fighter="blue-guns", target="red-line", inches=12
    )


def test_square_is_not_burst_through():
    field = put(begun(), "blue-line", formation="square")
    assert field.refused("panic", fighter="blue-line", why="burst", dice=BAD) == [
        "square-not-burst"
    ]


# Arrivals


def arrived(*brigade):
    """Return a turn in which these Reds have arrived from reserve."""
    field = Field().tell("hold", side="red", fighters=[f"red-{each}" for each in brigade])
    return (
        field.tell("turn", dice=PIPS)
        .tell("arrive", side="red", dice=[6])
        .tell("initiative", dice=[6, 1])
    )


def test_infantry_does_not_charge_on_arrival():
    """Slide 36."""
    field = arrived("line")
    charge = {"fighter": "red-line", "target": "blue-line", "inches": 6, "dice": GOOD}
    assert field.refused("charge", **charge) == ["arrived-now"]
    field.tell("end").tell("turn", dice=PIPS).tell("initiative", dice=[6, 1])
    assert field.refused("charge", **charge) == []


def test_cavalry_that_arrives_charges_in_the_cavalry_movement():
    field = arrived("hussars").tell(
        "charge", fighter="red-hussars", target="blue-line", inches=9, dice=GOOD
    )
    assert STEPS[field.play.state.step] == "cavalry-a"
    offered = {
        each.kind: each.phase for each in actions(arrived("hussars").play.state, "red-hussars")
    }
    assert offered["charge"] == "cavalry-a"


# Answers to a charge


def squared(run, inches=8, rider="red-hussars", **charge):
    """Return a battle in which the Blue line tried to form square before Red horse.

    ``run`` is the roll of the horse; the square needs a 7, or a 3 within half the distance.
    """
    kwargs = {"impetuous": True} if charge else {"dice": GOOD}
    field = begun().tell("charge", fighter=rider, target="blue-line", inches=inches, **kwargs)
    return field.tell("reaction", fighter="blue-line", answer="square", run=run, dice=[2, 2])


def test_square_counts_half_of_the_charge_as_rolled():
    """Slide 13: a charge of 17 has a half of 8. Ruling N-H9: the chargers roll before the square is
    tried."""
    field = squared([4, 3])
    assert field.of("blue-line").formation == "line"
    assert "The chargers roll 17 inches: 8 is within half of it (Ruling N-H9)." in field.told
    field = squared([3, 2])
    assert field.of("blue-line").formation == "square"
    assert "The chargers roll 15 inches: 8 is not within half of it (Ruling N-H9)." in field.told


def test_chargers_run_what_they_rolled_before_the_square():
    """Ruling N-H9."""
    field = squared([3, 2])
    assert field.refused("contact", fighter="red-hussars", run=[6, 6]) == ["wrong-dice"]
    field.tell("contact", fighter="red-hussars")
    assert "15 inches: contact." in field.told
    assert [each.target for each in field.play.state.combats] == ["blue-line"]


def test_log_kept_before_chargers_rolled_first_stays_readable():
    field = begun().tell("charge", fighter="red-hussars", target="blue-line", inches=9, dice=GOOD)
    data = {"fighter": "blue-line", "answer": "square", "dice": [2, 2]}
    events = (*field.play.events(), LoggedEvent(field.play.sequence + 1, "reaction", data))
    events = (
        *events,
        LoggedEvent(len(events) + 1, "contact", {"fighter": "red-hussars", "run": [6, 6]}),
    )
    state = replay(LOG, setup(), events).state
    assert state.combatants["blue-line"].formation == "square"
    assert [each.target for each in state.combats] == ["blue-line"]


def test_ordered_cavalry_may_ride_round_a_square():
    """Slide 22: it rides on past the square instead of hitting it, and into nobody else."""
    field = squared([3, 2]).tell("contact", fighter="red-hussars", around=True)
    assert "15 inches: they ride round the square." in field.told
    assert field.play.state.combats == ()
    assert not field.of("red-hussars").blown
    assert field.refused("charge", fighter="red-hussars", target="blue-guard", inches=6) == [
        "charged-already"
    ]


@pytest.mark.parametrize("impetuous", [True, False])
def test_only_ordered_cavalry_at_a_square_rides_round(impetuous):
    if impetuous:
        field = squared([3, 2], impetuous=True)
    else:
        field = begun().tell(
            "charge", fighter="red-hussars", target="blue-line", inches=8, dice=GOOD
        )
        field.tell("reaction", fighter="blue-line", answer="stand")
    run = [] if impetuous else [6, 6]
    assert field.refused("contact", fighter="red-hussars", around=True, run=run) == [
        "rides-not-round"
    ]


def fled(inches=(6, 6), **contact):
    """Return a battle in which the Blue line has fled from a charge of the Red line at six
    inches.
    """
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    field.tell("reaction", fighter="blue-line", answer="flee", inches=list(inches))
    return field.tell("contact", fighter="red-line", run=[4], **contact) if contact else field


def test_chargers_turn_on_a_unit_that_their_target_hid():
    """Slide 13. Ruling N-H10: no other pip, test or die; the new target answers like any other."""
    field = fled(redirect="blue-guard", gap=9)
    assert "They turn on Blues guard." in field.told
    assert due(field) == ("blue-guard", "reaction")
    assert field.of("red-line").order == "good"
    field.tell("reaction", fighter="blue-guard", answer="stand")
    assert field.refused("contact", fighter="red-line", run=[6]) == ["wrong-dice"]
    field.tell("contact", fighter="red-line")
    assert [each.target for each in field.play.state.combats] == ["blue-guard"]
    assert field.of("red-general").pips == 3


def test_chargers_who_turn_may_come_short_and_test():
    field = fled(redirect="blue-guard", gap=11).tell(
        "reaction", fighter="blue-guard", answer="stand"
    )
    field.tell("contact", fighter="red-line", dice=BAD)
    assert field.play.state.combats == ()
    assert field.of("red-line").order == "disordered"


def test_chargers_who_come_up_with_their_target_turn_on_nobody():
    field = fled((1, 1), redirect="blue-guard", gap=9)
    assert [each.target for each in field.play.state.combats] == ["blue-line"]
    assert field.play.state.charges == ()


def test_redirection_takes_a_target_that_fled_and_is_done_once():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    field.tell("reaction", fighter="blue-line", answer="stand")
    kwargs = {"fighter": "red-line", "redirect": "blue-guard", "gap": 9}
    assert field.refused("contact", run=[4], **kwargs) == ["no-redirection"]
    assert fled().refused("contact", run=[4], **{**kwargs, "redirect": "blue-line"}) == [
        "no-target"
    ]
    assert fled().refused("contact", run=[4], **{**kwargs, "redirect": "blue-hussars"}) == [
        "infantry-on-cavalry"
    ]
    field = fled(redirect="blue-guard", gap=9)
    field.tell("reaction", fighter="blue-guard", answer="flee", inches=[6, 6])
    assert field.refused("contact", fighter="red-line", redirect="blue-militia", gap=9) == [
        "no-redirection"
    ]


def test_live_log_asks_chargers_only_where_they_can_choose():
    """The choices are to turn or to ride round; else they run with one tap."""

    def asked(field, who):
        view = table_view(field.play.state, who)
        (once,) = [
            each.at_once for phase in view.phases for each in phase.due if each.do == "contact"
        ]
        (offer,) = [each for each in view.actions if each.kind == "contact"]
        return once, {"redirect", "gap", "around"} & {field.key for field in offer.fields}

    assert asked(fled(), "red-line") == (False, {"redirect", "gap"})
    assert asked(squared([3, 2]), "red-hussars") == (False, {"around"})
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    assert asked(field.tell("reaction", fighter="blue-line", answer="stand"), "red-line") == (
        True,
        set(),
    )


# A charge as a reaction


def interrupting(**kwargs):
    """Return a battle with Blue hussars on reaction, who may charge while Reds move."""
    field = begun().tell("react", fighter="red-guard")
    field = put(field, "blue-hussars", reacting=True)
    field.tell("move", fighter="red-militia")
    charge = {"fighter": "blue-hussars", "target": "red-militia", "inches": 9, "interrupts": True}
    return field.tell("charge", **charge, **kwargs) if kwargs else (field, charge)


def test_charge_on_reaction_interrupts_the_enemy_movement():
    """Slide 5: it stays in the enemy's movement, takes a test, and no other pip; the fight waits
    for its step."""
    field = interrupting(dice=GOOD)
    assert "It interrupts the enemy’s movement." in field.told
    assert STEPS[field.play.state.step] == "move-a"
    assert not field.of("blue-hussars").reacting
    assert field.of("blue-colonel").pips == 3
    field.tell("reaction", fighter="red-militia", answer="stand").tell(
        "contact", fighter="blue-hussars", run=[6, 6]
    )
    assert STEPS[field.play.state.step] == "move-a"
    field.tell("move", fighter="red-line")
    field.tell(
        "melee", fighter="blue-hussars", front=1, target_front=1, blows=[1], target_blows=[1]
    )
    assert STEPS[field.play.state.step] == "combat-1"


def test_charge_on_reaction_that_fails_its_test_costs_the_token():
    field = interrupting(dice=BAD)
    assert field.play.state.charges == ()
    assert (field.of("blue-hussars").reacting, field.of("blue-hussars").order) == (False, "good")


def test_target_of_a_charge_on_reaction_may_countercharge():
    """Slide 5: also without a token of its own, if it passes a test."""
    field, charge = interrupting()
    field.tell("charge", **{**charge, "target": "red-hussars"}, dice=GOOD)
    field.tell("reaction", fighter="red-hussars", answer="counter-charge", dice=GOOD)
    field.tell("contact", fighter="blue-hussars", run=[1, 1])
    assert field.play.state.combats[0].countered


def test_charge_on_reaction_takes_a_token_and_the_enemy_movement():
    field, charge = interrupting()
    assert field.refused("charge", **{**charge, "fighter": "blue-cuirassiers"}, dice=GOOD) == [
        "no-token"
    ]
    field.tell("end").tell("turn", dice=PIPS)
    assert "no-token" in field.refused("charge", **charge, dice=GOOD)
    early = put(begun(), "blue-hussars", reacting=True)
    assert early.refused("charge", **charge, dice=GOOD) == ["no-enemy-moves"]


# Laps


def lapped(edge, target="blue-line", formation="line"):
    """Return the codes of problems when Red hussars lap round, and their margin without hits."""
    field = begun().tell("charge", fighter="red-hussars", target=target, inches=8, dice=GOOD)
    field.tell("reaction", fighter=target, answer="stand").tell(
        "contact", fighter="red-hussars", run=[6, 6]
    )
    kwargs = {"fighter": "red-hussars", "front": 1, "target_front": 1, "edges": [edge]}
    field = put(field, target, formation=formation)
    codes = field.refused("melee", **kwargs)
    return codes or field.tell("melee", **kwargs, blows=[1], target_blows=[1]).told[0]


@pytest.mark.parametrize(("edge", "by"), [("lap_flank", 1), ("lap_rear", 2)])
def test_cavalry_that_laps_round_infantry_adds_to_its_score(edge, by):
    """Slides 22 and 24: 1 round a flank, 2 right round to the rear."""
    assert lapped(edge) == f"Reds hussars wins by {by}."


def test_nobody_laps_round_a_square_or_round_cavalry():
    """Slide 24."""
    assert lapped("lap_flank", formation="square") == ["laps-not"]
    assert lapped("lap_rear", target="blue-hussars", formation="cavalry-line") == ["laps-not"]


# Follow-up and break through


def chased(**kwargs):
    """Return a battle in which Red cuirassiers have broken the Blue militia, and pursue."""
    field = ridden().tell("break", fighter="blue-militia", inches=[6, 6])
    return field.tell("follow", fighter="red-cuirassiers", how="pursue", **kwargs)


def test_cavalry_that_breaks_an_enemy_rides_into_a_fresh_one():
    """Slide 22: it is blown as it makes contact, the enemy stands, and they fight at once. Ruling
    N-K7."""
    field = chased(into="blue-line", gap=5, inches=[2, 3, 4])
    assert "It rides into Blues line." in field.told
    assert due(field) == ("red-cuirassiers", "melee")
    assert (field.of("red-cuirassiers").blown, field.of("red-cuirassiers").charges) == (True, 2)
    assert field.refused("reaction", fighter="blue-line", answer="flee", inches=[1, 1]) == [
        "nobody-charges-it"
    ]
    assert field.refused("end") == ["still-open"]


@pytest.mark.parametrize(("dice", "inches"), [(GOOD, [1, 6]), (BAD, [1, 2, 3])])
def test_who_loses_another_fight_pursues_nobody(dice, inches):
    """Beaten after its own victory, it stands or breaks, and has no second decision to make."""
    field = ridden().tell("break", fighter="blue-militia", inches=[1, 1])
    beaten = Combat("blue-hussars", "red-cuirassiers", lost="red-cuirassiers", by=3, charged=True)
    state = field.play.state
    assert [each.winner for each in state.combats] == ["red-cuirassiers"]
    changed = msgspec.structs.replace(state, combats=(*state.combats, beaten))
    field.play = dataclasses.replace(field.play, state=changed)
    field.tell("break", fighter="red-cuirassiers", dice=dice, inches=inches)
    fighters = [each.fighter for each in field.play.state.combats]
    assert len(fighters) == len(set(fighters))
    assert "blue-militia" not in [each.target for each in field.play.state.combats]


def test_follow_up_strikes_as_blown_cavalry_that_charges():
    """Slides 14 and 22: 5 or more hits, as it is disordered; 3 or more kills, as it charges."""
    field = chased(into="blue-line", gap=5, inches=[2, 3, 4])
    kwargs = {**STRIKE, "blows": [4, 5, 5], "wounds": [3, 3], "target_front": 2}
    assert field.tell("melee", fighter="red-cuirassiers", **kwargs).of("blue-line").lost == 2


def test_follow_up_goes_three_dice_from_the_first_contact():
    """Slide 22. Ruling N-K7: what is left after one fresh enemy is all there is for the next."""
    assert chased(into="blue-line", gap=10, inches=[2, 3, 4]).play.state.combats == ()
    broken = ridden().tell("break", fighter="blue-militia", inches=[6, 6])
    kwargs = {"fighter": "red-cuirassiers", "how": "pursue"}
    assert broken.refused("follow", **kwargs, into="blue-line", gap=19) == ["too-far-to-follow"]
    field = chased(into="blue-line", gap=5, inches=[2, 3, 4])
    field.tell("melee", fighter="red-cuirassiers", **{**STRIKE, "target_front": 2}).tell(
        "break", fighter="blue-line"
    )
    assert field.refused("follow", **kwargs, into="blue-guard", gap=5) == ["too-far-to-follow"]
    field.tell("follow", **kwargs, into="blue-guard", gap=4)
    assert [each.target for each in field.play.state.combats] == ["blue-guard"]
    assert field.of("red-cuirassiers").charges == 3


def test_only_cavalry_that_charged_and_broke_an_enemy_follows_up():
    field = fought(**STRIKE).tell("break", fighter="blue-line", dice=BAD, inches=[6, 6])
    kwargs = {"fighter": "red-line", "how": "pursue", "into": "blue-guard", "gap": 2}
    assert field.refused("follow", **kwargs) == ["no-follow-up"]
    field = ridden().tell("break", fighter="blue-militia", inches=[6, 6])
    kwargs = {"fighter": "red-cuirassiers", "how": "pursue"}
    assert field.refused("follow", **kwargs, into="red-line") == ["no-target"]
    assert field.refused("follow", **kwargs, into="blue-militia") == ["no-target"]


def test_cavalry_that_is_not_recalled_may_ride_into_a_fresh_enemy():
    field = ridden().tell("break", fighter="blue-militia", inches=[6, 6])
    kwargs = {"fighter": "red-cuirassiers", "how": "recall", "into": "blue-line", "gap": 5}
    field.tell("follow", **kwargs, dice=BAD, inches=[2, 3, 4])
    assert [each.target for each in field.play.state.combats] == ["blue-line"]


def through(*, drawn=False):
    """Return a battle in which Red hussars have charged Blue ones, and neither has broken."""
    field = begun().tell(
        "charge", fighter="red-hussars", target="blue-hussars", inches=9, dice=GOOD
    )
    field.tell("reaction", fighter="blue-hussars", answer="stand").tell(
        "contact", fighter="red-hussars", run=[6, 6]
    )
    blows = {**STRIKE, "target_blows": [1, 1, 1], "inches": []}
    if drawn:
        kwargs = {**blows, "blows": [1, 1, 1], "wounds": [], "inches": [2, 5]}
        return field.tell("melee", fighter="red-hussars", **kwargs)
    kwargs = {**blows, "wounds": [6, 1, 1], "saves": [1], "target_blows": [1, 1]}
    field.tell("melee", fighter="red-hussars", **kwargs)
    return field.tell("break", fighter="blue-hussars", dice=[1, 1], inches=[2, 5])


@pytest.mark.parametrize("drawn", [True, False])
def test_cavalries_that_do_not_break_ride_through_each_other(drawn):
    """Slide 23. Ruling N-K4: two dice, nobody is disordered, and the cavalry that charged is blown
    in the end."""
    field = through(drawn=drawn)
    assert any("through" in each for each in field.told)
    assert field.of("blue-hussars").order == "good"
    waiting = [each.due for each in field.play.state.combats]
    assert waiting == [("red-hussars", "follow"), ("blue-hussars", "follow")]
    assert field.refused("follow", fighter="red-hussars", how="back") == ["has-ridden-through"]
    field.tell("follow", fighter="red-hussars", how="on").tell(
        "follow", fighter="blue-hussars", how="on"
    )
    assert (field.of("red-hussars").blown, field.of("blue-hussars").blown) == (True, False)
    assert field.play.state.combats == ()


@pytest.mark.parametrize("drawn", [True, False])
def test_cavalry_that_rode_through_is_recalled_or_rides_into_another(drawn):
    """Slide 23."""
    field = through(drawn=drawn)
    field.tell(
        "follow", fighter="red-hussars", how="recall", dice=[1, 1], inches=[1, 1, 1], steady=[1, 1]
    )
    assert not field.of("red-hussars").blown
    field = through(drawn=drawn)
    kwargs = {"fighter": "red-hussars", "how": "pursue", "into": "blue-guard"}
    assert field.refused("follow", **kwargs, gap=8) == ["too-far-to-follow"]
    assert field.tell("follow", **kwargs, gap=7).of("red-hussars").blown
    assert field.play.state.combats[-1].target == "blue-guard"


def test_cavalry_that_rode_through_is_blown_when_the_step_is_over():
    field = through().tell("move", fighter="blue-line")
    assert field.of("red-hussars").blown
    assert field.play.state.combats == ()


def test_live_log_offers_a_winner_what_it_may_do():
    def answers(field, who):
        (offer,) = [each for each in actions(field.play.state, who) if each.kind == "follow"]
        fields = {each.key: [key for key, _ in each.choices] for each in offer.fields}
        return fields["how"], "into" in fields

    assert answers(through(), "red-hussars") == (["pursue", "recall", "on"], True)
    assert answers(ridden().tell("break", fighter="blue-militia"), "red-cuirassiers") == (
        ["back", "stand", "pursue", "recall"],
        True,
    )
    field = fought(**STRIKE).tell("break", fighter="blue-line", dice=GOOD, inches=[1])
    assert answers(field, "red-line") == (["back", "stand"], False)


# Friends who break


def reminders(field):
    """Return the sentences of the live log about broken units."""
    sentences = [
        each.sentence
        for phase in table_view(field.play.state, "").phases
        for each in phase.due
        if not each.do
    ]
    return [each for each in sentences if " broke: " in each]


def test_break_in_combat_reminds_of_friends_near():
    """Slide 28: units within 6 inches test; the reminder stands until the step is over."""
    field = fought(**STRIKE)
    assert reminders(field) == []
    field.tell("break", fighter="blue-line", dice=BAD, inches=[1, 1])
    assert "Friends within 6 inches of it take a panic test." in field.told
    assert reminders(field) == ["Blues line broke: friends within 6″ take a panic test."]
    assert reminders(field.tell("move", fighter="blue-guard")) == []


def test_friend_of_the_broken_tests_once_in_a_step():
    """Slide 28."""
    field = fought(**STRIKE).tell("break", fighter="blue-line", dice=BAD, inches=[1, 1])
    field.tell("panic", fighter="blue-guard", why="break", dice=BAD)
    assert field.of("blue-guard").order == "disordered"
    assert field.refused("panic", fighter="blue-guard", why="break", dice=GOOD) == ["already"]
    assert field.refused("panic", fighter="blue-guard", why="other", dice=GOOD) == []


# Colours


def test_colours_that_are_retaken_leave_a_unit_disordered():
    """Slide 28: it is reinstated as disordered, has to rally, and nobody scores for it."""
    field = (
        Field(colours_value=3)
        .tell("loss", fighter="blue-line", colours=True, by="red-line")
        .tell("turn", dice=PIPS)
    )
    assert sum(each.points for each in score_of(field.play.state, "red")) == 4
    assert field.refused("retaken", fighter="blue-guard", rescuer="blue-line") == [
        "no-colours-taken"
    ]
    assert field.refused("retaken", fighter="blue-line", rescuer="red-line") == ["no-target"]
    assert "retaken" in {each.kind for each in actions(field.play.state, "blue-line")}
    field.tell("retaken", fighter="blue-line", rescuer="blue-guard")
    line = field.of("blue-line")
    assert (line.colours_lost, line.shaken, line.order) == (False, False, "disordered")
    assert score_of(field.play.state, "red") == ()
    assert field.tell("rally", fighter="blue-line", dice=GOOD).of("blue-line").order == "good"


# Flank marches


def flanked(**initiative):
    """Return a turn in which hussars of both sides arrive on the left flank.

    Reds have the initiative.
    """
    field = Field()
    for side in ("red", "blue"):
        field.tell("hold", side=side, fighters=[f"{side}-hussars"], place="flank")
    field.tell("turn", dice=PIPS)
    for side, edge in (("red", "left"), ("blue", initiative.pop("edge", "left"))):
        field.tell("arrive", side=side, route="half", edge=edge, dice=[6])
    return field.tell("initiative", dice=[6, 1], **initiative)


def test_initiative_decides_who_comes_first_on_a_flank():
    """Slide 37. Ruling N-R5: the others come a turn later, without a die."""
    field = flanked()
    assert (
        "The enemy came first on their flank, and they come a turn later: Blues hussars."
        in field.told
    )
    assert (field.of("red-hussars").on_table, field.of("blue-hussars").on_table) == (True, False)
    field.tell("end").tell("turn", dice=PIPS)
    assert field.refused("arrive", side="blue", route="half", dice=[6, 6]) == ["wrong-dice"]
    assert field.tell("arrive", side="blue", route="half").of("blue-hussars").on_table


def test_who_is_kept_from_a_flank_may_come_as_reserves():
    """Slide 37: within 16 inches of the flank."""
    field = flanked(as_reserves=True)
    assert "They come as reserves, within 16 inches of their flank: Blues hussars." in field.told
    assert field.of("blue-hussars").on_table


def test_other_flanks_are_not_opposed():
    assert flanked(edge="right").of("blue-hussars").on_table


def test_arrivals_are_announced_a_turn_before():
    """Slide 36. Ruling N-R6."""
    field = (
        Field()
        .tell("hold", side="red", fighters=["red-hussars"], place="flank", due=3)
        .tell("turn", dice=PIPS)
    )
    assert not any("Scouts" in each for each in field.told)
    assert field.refused("arrive", side="red", route="half", dice=[6]) == ["not-due"]
    field.tell("initiative", dice=[6, 1]).tell("end").tell("turn", dice=PIPS)
    assert "Scouts see who comes in the next turn: Reds hussars." in field.told
    assert "arrive" not in waiting(field)
    field.tell("initiative", dice=[6, 1]).tell("end").tell("turn", dice=PIPS)
    assert "arrive" in waiting(field)
    assert field.tell("arrive", side="red", route="half", dice=[6]).of("red-hussars").on_table


def waiting(field):
    """Return the keys of everything that is due."""
    return {each.do for phase in table_view(field.play.state, "").phases for each in phase.due}


# Dismounted cavalry


def dismounted():
    """Return a battle with Red hussars on foot, twelve of them with carbines."""
    return begun().tell("order", fighter="red-hussars", what="dismount")


def test_dismounted_cavalry_fights_on_foot_with_three_in_four():
    """Slide 25: one figure in four stays with the horses, the others shoot as skirmishers, and
    nobody is mounted."""
    field = dismounted()
    assert (field.of("red-hussars").formation, field.of("red-hussars").cavalry) == (
        "dismounted",
        False,
    )
    assert field.of("red-colonel").pips == 2
    field.tell("move", fighter="red-hussars")
    field.tell(
        "fire", fighter="red-hussars", target="blue-line", inches=3, shots=[4] * 9, kills=[1] * 9
    )
    assert "9 hits of 9." in field.told


def test_dismounted_cavalry_tests_at_two_less():
    """Slide 25: the hussars, veterans of 9, pass with a 7 and fail with an 8."""
    for dice, order in (([3, 4], "good"), ([4, 4], "broken")):
        field = dismounted().tell("panic", fighter="red-hussars", why="other", dice=dice)
        assert field.of("red-hussars").order == order


def test_dismounted_cavalry_neither_charges_nor_rides_in_the_cavalry_movement():
    field = dismounted()
    assert "formation-charges-not" in field.refused(
        "charge", fighter="red-hussars", target="blue-line", inches=4
    )
    kwargs = {"fighter": "blue-line", "target": "red-hussars", "inches": 4}
    field.tell("move", fighter="blue-guard")
    assert field.refused("charge", **kwargs) == []
    assert field.refused("move", fighter="red-hussars") == []
    assert {each.kind: each.phase for each in actions(field.play.state, "red-hussars")}[
        "move"
    ] == "reserve"


def test_cavalry_mounts_again_for_a_pip():
    """Ruling N-K8."""
    field = dismounted()
    assert field.refused("form", fighter="red-hussars", formation="cavalry-line") == [
        "mounts-by-order"
    ]
    assert "form" not in {each.kind for each in actions(field.play.state, "red-hussars")}
    assert field.refused("order", fighter="red-cuirassiers", what="mount") == ["not-dismounted"]
    field.tell("order", fighter="red-hussars", what="mount")
    assert (field.of("red-hussars").formation, field.of("red-colonel").pips) == ("cavalry-line", 1)
    assert field.refused("order", fighter="red-line", what="dismount") == ["cavalry-alone"]
    assert put(begun(), "red-hussars", blown=True).refused(
        "order", fighter="red-hussars", what="dismount"
    ) == ["blown"]


def test_live_log_offers_a_charge_on_reaction_while_the_enemy_moves():
    """Slide 5: as an action of its own, and as a reminder without which play goes on."""
    field, _ = interrupting()
    offered = {each.key: each for each in actions(field.play.state, "blue-hussars")}
    charge = offered["charge-interrupts"]
    assert (charge.kind, charge.phase, charge.given["interrupts"]) == ("charge", "move-a", True)
    assert (offered["charge"].phase, "interrupts" in offered["charge"].given) == ("move-b", False)
    assert "interrupts" not in {each.key for each in offered["charge"].fields}
    (reminder,) = [each for each in reactions(field) if each.do == "charge-interrupts"]
    assert (reminder.who, reminder.minor) == ("blue-hussars", True)
    field.tell("move", fighter="blue-line")
    assert {each.who for each in reactions(field)} == {"red-guard"}
    assert "charge-interrupts" not in {
        each.key for each in actions(field.play.state, "blue-hussars")
    }


def reactions(field):
    """Return what the live log offers as reactions."""
    view = table_view(field.play.state, "")
    return [each for phase in view.phases for each in phase.due if each.do.endswith("-interrupts")]


# Reserves on the move


def test_enemies_near_keep_a_unit_from_moving_in_reserve():
    """Slides 2 and 6: not within 8 inches of an enemy who sees it, nor to within 4 of one; asked in
    that step alone."""
    field = put(begun(), "red-line", formation="march")
    assert "near" not in moving(field)
    field = put(field.tell("move", fighter="blue-line"), "red-line", formation="march")
    assert "near" in moving(field)
    assert field.refused("move", fighter="red-line", near=True) == ["near-in-reserve"]
    assert field.refused("move", fighter="red-line") == []


def moving(field):
    """Return the keys of the fields for a move of the Red line."""
    (offer,) = [each for each in actions(field.play.state, "red-line") if each.kind == "move"]
    return {each.key for each in offer.fields}
