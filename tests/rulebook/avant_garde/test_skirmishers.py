"""Skirmishers that battalions send out: who may, how the group stands, fires and panics, and how it
comes back."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from rulebook.battle_log.play import load_play
from rulebook.ruleset import RulesError
from rulebook.systems.avant_garde.fighters import Fighter
from rulebook.systems.avant_garde.log import LOG, read_result, score_of
from rulebook.systems.avant_garde.skirmishers import most_skirmishers
from rulebook.systems.avant_garde.state import Charge, Combat
from rulebook.systems.avant_garde.system import AvantGarde
from rulebook.systems.avant_garde.table import actions, table_view
from tests.rulebook.avant_garde.field import Field, setup
from tests.rulebook.avant_garde.test_log import BAD, GOOD, PIPS, STRIKE, begun

GROUP = "red-light-skirmishers"
RULES = AvantGarde()


def changed(field: Field, who: str, **changes: Any) -> Field:
    """Return the battle with changes of one unit's state."""
    field.play = dataclasses.replace(field.play, state=field.play.state.changed(who, **changes))
    return field


def sent_out(number: int = 12, first: str = "red", **settings: Any) -> Field:
    """Return a battle in which the Red light battalion has sent out skirmishers in its movement."""
    field = begun(first, **settings)
    if first == "blue":
        field.tell("move", fighter="blue-line")
    return field.tell("skirmish", fighter="red-light", number=number)


def offered(field: Field, who: str) -> dict[str, Any]:
    """Return what the live log offers to a unit, by kind."""
    return {each.kind: each for each in actions(field.play.state, who)}


# Who may


@pytest.mark.parametrize(("fighter", "nation", "figures", "most"), [
    (Fighter(light_infantry=True), "britain", 24, 12),
    (Fighter(light_infantry=True), "britain", 15, 7),
    (Fighter(), "britain", 24, 0),
    (Fighter(skirmishers=4), "britain", 28, 4),
    (Fighter(light_infantry=True, skirmishers=4), "britain", 28, 14),
    (Fighter(), "france", 24, 4),
    (Fighter(stand=3, skirmishers=4), "france", 28, 7),
    (Fighter(skirmishers=4), "minor", 28, 4),
    (Fighter(skirmishers=4), "britain", 3, 2),
    (Fighter(arm="cavalry", skirmishing=True), "britain", 12, 0),
])  # fmt: skip
def test_most_skirmishers_is_half_of_a_light_battalion_or_the_extra_ones(
    fighter, nation, figures, most
):
    """Slides 26 and 35, ruling N-S12."""
    assert most_skirmishers(fighter, nation, figures) == most


def test_a_light_battalion_sends_out_up_to_half_as_a_group_of_its_own():
    """Slide 26."""
    field = sent_out()
    group, light = field.of(GROUP), field.of("red-light")
    assert (group.figures, group.start, group.formation, group.side) == (12, 12, "skirmish", "red")
    assert (light.figures, light.start, light.formation) == (12, 12, "line")
    assert field.told == ("12 figures in skirmish order.",)
    assert field.of("red-general").pips == 4


def test_no_more_go_out_than_may_and_nobody_twice():
    field = begun()
    assert field.refused("skirmish", fighter="red-light", number=15) == []
    assert field.refused("skirmish", fighter="blue-light", number=13) == ["too-many-skirmishers"]
    assert field.refused("skirmish", fighter="blue-line") == ["no-skirmishers-to-send"]
    assert field.refused("skirmish", fighter="red-light", number=24) == ["skirmishers-leave-nobody"]
    field = sent_out()
    assert field.refused("skirmish", fighter="red-light", number=2) == ["skirmishers-out"]
    assert field.refused("skirmish", fighter=GROUP, number=2) == ["no-skirmishers-to-send"]
    assert "skirmish" not in offered(field, "red-light")


def test_no_battalion_skirmishes_as_a_whole():
    """Slide 26: up to half of a light battalion."""
    for who in ("red-line", "red-light"):
        assert begun().refused("form", fighter=who, formation="skirmish") == [
            "battalion-skirmishes"
        ]
        choices = {each.key: dict(each.choices) for each in offered(begun(), who)["form"].fields}
        assert "skirmish" not in choices["formation"]


@pytest.mark.parametrize(("capable", "cossacks", "codes"), [
    (False, False, ["not-skirmish-capable"]),
    (True, False, []),
    (False, True, []),
])  # fmt: skip
def test_cavalry_skirmishes_only_if_it_is_skirmish_capable(capable, cossacks, codes):
    """Slide 38."""
    field = begun()
    fighter = replace(field.of("red-hussars").fighter, skirmishing=capable, cossacks=cossacks)
    changed(field, "red-hussars", fighter=fighter)
    assert field.refused("form", fighter="red-hussars", formation="cavalry-skirmish") == codes


def test_disordered_and_broken_battalions_send_nobody_out():
    field = changed(begun(), "red-light", order="disordered")
    assert field.refused("skirmish", fighter="red-light") == ["disordered-forms"]
    assert "runs" in changed(field, "red-light", order="broken").refused(
        "skirmish", fighter="red-light"
    )


# The group


def test_skirmish_group_has_own_actions_in_live_log():
    field = sent_out()
    view = table_view(field.play.state, GROUP)
    shown = {each.id: each for each in view.fighters}
    assert shown[GROUP].name == "Skirmishers of Reds light"
    assert (shown[GROUP].strength, shown[GROUP].group) == ("12 of 12 figures", "1st Brigade")
    assert "12 out as skirmishers" in [each.text for each in shown["red-light"].marks]
    assert {"move", "fire", "charge", "order"} <= set(offered(field, GROUP))
    assert not {"form", "skirmish", "brigade"} & set(offered(field, GROUP))
    what = {each.key: dict(each.choices) for each in offered(field, GROUP)["order"].fields}["what"]
    assert list(what) == ["recall-skirmishers"]
    targets = {each.key: dict(each.choices) for each in offered(field, "blue-line")["fire"].fields}[
        "target"
    ]
    assert GROUP in targets
    assert [view.sides[0].strength, view.sides[0].fielded] == [7, 7]


def test_the_group_is_named_among_those_who_belong_to_no_roster():
    bystanders = dict(RULES.bystanders(setup()))
    assert bystanders[GROUP] == "Skirmishers of Reds light"
    assert "red-line-skirmishers" in bystanders
    assert "blue-line-skirmishers" not in bystanders


def test_the_group_moves_without_a_pip_and_fires_with_every_figure():
    field = sent_out().tell("move", fighter=GROUP)
    assert field.of("red-general").pips == 4
    field.tell("fire", fighter=GROUP, target="blue-line", inches=4, shots=[1] * 12)
    assert not field.of(GROUP).loaded
    assert field.of("red-light").loaded
    assert field.refused("fire", fighter="red-light", target="blue-guard", front=6, inches=4) == []


def test_the_group_fires_in_the_enemys_movement_after_a_test():
    field = sent_out().tell("move", fighter="blue-line")
    kwargs = {"fighter": GROUP, "target": "blue-line", "inches": 4, "interrupts": True}
    assert field.refused("fire", **kwargs, dice=GOOD, shots=[1] * 12) == []
    assert field.refused("fire", **kwargs, dice=BAD) == []
    assert field.refused("fire", **{**kwargs, "fighter": "red-light"}, front=6) == ["no-reaction"]


def test_the_group_panics_at_a_quarter_lost_and_its_battalion_stands():
    """Slide 26, ruling N-S11."""
    field = sent_out()
    hits = {"front": 12, "inches": 4, "manner": "half"}
    field.tell(
        "fire", fighter="blue-line", target=GROUP, **hits, shots=[6] * 8, kills=[6, 6] + [1] * 6
    )
    assert not field.play.state.test_due(field.of(GROUP))
    field.tell(
        "fire", fighter="blue-guard", target=GROUP, **hits, shots=[6] * 8, kills=[6] + [1] * 7
    )
    assert field.refused("test", fighter="red-light", dice=GOOD) == ["no-test-due"]
    field.tell("test", fighter=GROUP, dice=BAD)
    assert (field.of(GROUP).order, field.of("red-light").order) == ("broken", "good")
    assert (field.of(GROUP).figures, field.of("red-light").figures) == (9, 12)


def test_a_group_is_never_disordered_or_shaken():
    field = changed(sent_out(), GROUP, figures=5)
    assert not field.of(GROUP).disordered
    assert not field.of(GROUP).shaken
    assert field.tell("panic", fighter=GROUP, dice=GOOD).of(GROUP).order == "good"
    assert field.play.state.put(GROUP, "disordered").combatants[GROUP].order == "good"


def test_the_group_runs_with_its_battalion_and_rallies_after_it():
    """Slide 26."""
    field = sent_out().tell("loss", fighter="red-light", order="broken", by="blue-line")
    assert field.of(GROUP).order == "broken"
    assert [each.victim for each in field.play.state.deeds] == ["red-light"]
    field.tell("end").tell("turn", dice=PIPS)
    assert field.refused("rally", fighter=GROUP, dice=GOOD) == ["battalion-rallies-first"]
    assert "rally" not in offered(field, GROUP)
    due = [
        each.who
        for phase in table_view(field.play.state, "").phases
        for each in phase.due
        if each.do == "rally"
    ]
    assert due == ["red-light"]
    field.tell("rally", fighter="red-light", dice=GOOD)
    assert field.tell("rally", fighter=GROUP, dice=GOOD).of(GROUP).order == "good"


@pytest.mark.parametrize("gone", ["surrendered", "shattered", "left"])
def test_the_group_goes_with_its_battalion(gone):
    assert sent_out().tell("loss", fighter="red-light", gone=gone).of(GROUP).gone == gone


def test_the_group_charges_skirmishers_alone_and_does_not_stand_against_formed_troops():
    field = sent_out()
    charge = {"fighter": GROUP, "inches": 6}
    assert field.refused("charge", **charge, target="blue-line", dice=GOOD) == [
        "skirmishers-on-formed"
    ]
    changed(field, "blue-light", formation="skirmish")
    assert field.refused("charge", **charge, target="blue-light") == []
    field = begun("blue").tell("move", fighter="blue-line").tell("skirmish", fighter="red-light")
    field.tell("skirmish", fighter="red-line").tell("end").tell("turn", dice=PIPS).tell(
        "initiative", dice=[1, 6]
    )
    field.tell("charge", fighter="blue-line", target=GROUP, inches=6)
    assert field.refused("reaction", fighter=GROUP, answer="stand") == ["no-such-answer"]
    assert field.refused("reaction", fighter=GROUP, answer="evade", dice=GOOD, inches=[6, 6]) == []


def test_a_group_keeps_skirmish_order():
    assert "skirmishers-stay" in sent_out().refused("form", fighter=GROUP, formation="line")


def test_canister_through_a_screen_strikes_one_of_the_skirmishers_first():
    """Slide 20."""
    field = sent_out().tell("move", fighter="blue-line")
    kwargs = {
        "fighter": "blue-guns",
        "target": "red-line",
        "round": "canister",
        "guns": 1,
        "inches": 8,
    }
    assert field.refused("guns", **kwargs, screened_by="red-guard") == ["no-such-screen"]
    field.tell("guns", **kwargs, screened_by=GROUP, shots=[6] * 6, kills=[6, 6, 6, 1, 1, 1])
    assert (field.of("red-line").lost, field.of(GROUP).lost) == (2, 1)


def test_skirmishers_stand_against_cossacks_and_other_skirmishers():
    """Slide 26."""
    for cossacks, codes in ((False, ["no-such-answer"]), (True, [])):
        field = sent_out().tell("move", fighter="blue-line")
        fighter = replace(field.of("blue-hussars").fighter, cossacks=cossacks)
        changed(field, "blue-hussars", fighter=fighter)
        field.tell("charge", fighter="blue-hussars", target=GROUP, inches=8)
        assert field.refused("reaction", fighter=GROUP, answer="stand") == codes


@pytest.mark.parametrize(("parent", "shocks"), [("", ("blue-light",)), ("blue-line", ())])
def test_friends_ignore_skirmishers_who_break(parent, shocks):
    """Slide 28."""
    field = begun().tell("charge", fighter="red-hussars", target="blue-light", inches=4, dice=GOOD)
    field.tell("reaction", fighter="blue-light", answer="stand").tell(
        "contact", fighter="red-hussars", run=[6, 6]
    )
    field.tell("melee", fighter="red-hussars", **STRIKE)
    if parent:
        changed(field, "blue-light", parent=parent, formation="skirmish")
    field.tell("break", fighter="blue-light", dice=BAD, inches=[1, 1])
    assert field.of("blue-light").order == "broken"
    assert field.play.state.shocks == shocks


# Back to the battalion


def test_recall_takes_a_pip_and_a_test_of_the_group():
    """Slide 26."""
    field = changed(sent_out(), GROUP, figures=10)
    order = {"fighter": GROUP, "what": "recall-skirmishers"}
    assert field.refused("order", **{**order, "fighter": "red-light"}, dice=GOOD) == [
        "no-group-to-recall"
    ]
    field.tell("order", **order, dice=BAD)
    assert (field.of(GROUP).on_table, field.of("red-general").pips) == (True, 3)
    field.tell("order", **order, dice=GOOD)
    assert (field.of(GROUP).on_table, field.of("red-general").pips) == (False, 2)
    assert (field.of("red-light").start, field.of("red-light").figures) == (24, 22)
    assert "Reds light: 2 casualties." not in field.told
    assert GROUP not in [each.id for each in table_view(field.play.state, "").fighters]
    assert "off-table" in field.refused("move", fighter=GROUP)


def test_broken_skirmishers_are_not_recalled():
    field = changed(sent_out(), GROUP, order="broken")
    assert field.refused("order", fighter=GROUP, what="recall-skirmishers", dice=GOOD) == ["runs"]


def test_skirmishers_in_a_fight_are_not_recalled():
    """An order may be given before the fights of a turn. If players overrule it, the fight ends."""
    field = sent_out(first="blue")
    order = {"fighter": GROUP, "what": "recall-skirmishers", "dice": GOOD}
    charge = Charge(fighter="blue-line", target=GROUP, needs=4)
    charged = dataclasses.replace(field.play, state=replace(field.play.state, charges=(charge,)))
    fight = Combat(fighter=GROUP, target="blue-line")
    fought = dataclasses.replace(field.play, state=replace(field.play.state, combats=(fight,)))
    for play in (charged, fought):
        field.play = play
        assert "in-combat" in field.refused("order", **order)
        back = play.state.rejoined(field.of(GROUP))
        assert (back.combats, back.charges) == ((), ())


def test_recalled_skirmishers_return_without_reloading():
    field = sent_out(first="blue").tell(
        "fire", fighter=GROUP, target="blue-line", inches=4, shots=[1] * 12
    )
    field = changed(field, GROUP, did=("fired",))
    state = field.play.state.rejoined(field.of(GROUP))
    field.play = dataclasses.replace(field.play, state=replace(state, step=6))
    field.tell("skirmish", fighter="red-light", number=4)
    assert (field.of(GROUP).figures, field.of(GROUP).loaded, field.of("red-light").figures) == (
        4,
        False,
        20,
    )


# What counts


def test_a_brigade_counts_skirmishers_with_their_battalions():
    """Ruling N-S11."""
    before = begun().play.state
    field = changed(sent_out(), GROUP, figures=9)
    had, left = before.strength("red/1st Brigade")
    assert field.play.state.strength("red/1st Brigade") == (had, left - 3)


def test_a_battalion_is_shaken_by_its_own_losses_alone():
    """Ruling N-S11."""
    assert not changed(sent_out(), GROUP, figures=1).of("red-light").shaken
    assert changed(sent_out(), "red-light", figures=5).of("red-light").shaken


def test_skirmishers_score_no_victory_points():
    field = sent_out().tell("loss", fighter=GROUP, gone="shattered", by="blue-line")
    assert sum(each.points for each in score_of(field.play.state, "blue")) == 0
    assert field.play.state.deeds == ()


def test_records_count_the_losses_of_skirmishers_with_their_battalion():
    field = (
        sent_out()
        .tell("loss", fighter=GROUP, figures=3)
        .tell("loss", fighter="red-light", figures=2)
    )
    result = read_result(field.tell("ended").play.state, setup())
    records = {each.fighter: each for each in result.sides[0].records}
    assert GROUP not in records
    assert records["red-light"].condition == {"lost": 5}


def test_returns_bring_back_skirmishers_too():
    field = (
        sent_out(returns=True)
        .tell("loss", fighter=GROUP, figures=3)
        .tell("loss", fighter="red-light", figures=1)
    )
    field.tell("ended")
    assert "returns" in offered(field, "red-light")
    field.tell("returns", fighter="red-light", dice=[4, 4, 4, 1])
    assert (field.of("red-light").start, field.of("red-light").figures) == (24, 23)


def test_deeds_of_skirmishers_are_their_battalions():
    field = sent_out().tell("loss", fighter="blue-line", order="broken", by=GROUP)
    assert [(each.fighter, each.victim) for each in field.play.state.deeds] == [
        ("red-light", "blue-line")
    ]


# Logs


def test_a_state_with_skirmishers_is_stored_and_read_back():
    field = sent_out()
    again = load_play(LOG, field.play.setup, field.play.stored(), field.play.events())
    assert again.state == field.play.state


def test_a_whole_battalion_that_skirmishes_in_an_older_log_forms_up_again():
    field = changed(begun(), "red-light", formation="skirmish")
    assert (
        field.tell("form", fighter="red-light", formation="line").of("red-light").formation
        == "line"
    )


def test_nobody_names_a_group_that_was_never_sent_out():
    with pytest.raises(RulesError, match="not in this battle"):
        begun().tell("move", fighter=GROUP)
