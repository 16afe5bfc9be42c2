"""Light turns of Avant-garde: begun while a fight is open, without dice, and casualties by the
players' word."""

from rulebook.battle_log.play import replay
from rulebook.systems.avant_garde.system import AvantGarde
from tests.rulebook.avant_garde.test_log import STRIKE, begun, fought


def test_light_turn_begins_while_a_fight_is_open_and_drops_it():
    field = fought(**STRIKE)
    assert field.play.state.combats and field.refused("end") == ["still-open"]
    field.tell("turn", light=True)
    state = field.play.state
    assert (state.light, state.turn, state.combats, state.charges) == (True, 2, (), ())
    assert not any(each.pips for each in state.combatants.values())
    assert field.play.events()[-1].dice == ()


def test_unit_broken_by_hand_leaves_its_fight_and_keeps_the_step():
    field = fought(**STRIKE)
    step = field.play.state.step
    field.tell("loss", fighter="blue-line", order="broken", by="red-line")
    assert field.play.state.combats == ()
    assert (field.play.state.step, field.of("blue-line").order) == (step, "broken")
    assert field.refused("end") == []


def test_brigade_morale_is_asked_for_in_a_light_turn():
    field = begun().tell("turn", light=True)
    for fighter in ("blue-line", "blue-guard", "blue-light"):
        field.tell("loss", fighter=fighter, figures=17, by="red-line")
    rules = AvantGarde()
    view, way = rules.at_table(field.play), rules.light_way(field.play)
    prompts = {due.do for phase in view.phases for due in phase.due} & way.due_kinds
    assert prompts == {"brigade"}
    assert field.refused("turn", light=True) == []
    assert replay(rules.log, field.play.setup, field.play.events()).state == field.play.state
