"""The table for people: whatever happens, it can be shown, what is due can be done, and sums add
up."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from rulebook.ruleset import BattleSetup, LoggedEvent
from rulebook.values.table import Action, TableView
from scripts.demo.referees.en_garde import referee
from tests.rulebook.en_garde.logs import (
    at_table,
    event_fields,
    event_problems,
    outcomes,
    result,
    throw_dice,
)
from tests.rulebook.en_garde.refereed import battle
from tests.rulebook.en_garde.turns.tables import GUARD, SWORDS, Told, begun, man, side

SEEDS = range(6)


def view(setup: BattleSetup, events: tuple[LoggedEvent, ...], who: str = "") -> TableView:
    return at_table(setup, events, who)


def everybody(shown: TableView) -> Iterator[str]:
    yield from (
        "",
        *(side.key for side in shown.sides),
        *(fighter.id for fighter in shown.fighters),
    )


def answers(action: Action) -> dict[str, Any]:
    """Return the first choice for each required field."""
    values: dict[str, Any] = dict(action.given)
    for field in action.fields:
        if field.required and field.kind == "numbers":
            name, _, side = field.key.partition(".")
            numbers = [int(each) for each in field.choices[0][0].split(",")]
            values[name] = {**values.get(name, {}), side: numbers}
        elif field.required and field.choices:
            values[field.key] = field.choices[0][0]
    return values


def logged(setup: BattleSetup, events: tuple[LoggedEvent, ...], action: Action) -> LoggedEvent:
    event = LoggedEvent(len(events) + 1, action.kind, answers(action), action.turn)
    thrown = throw_dice(setup, events, event, Random(1))
    return LoggedEvent(event.sequence, event.kind, thrown.data, event.turn)


def find(shown: TableView, key: str) -> Action:
    return next(action for action in shown.actions if action.key == key)


@pytest.mark.soak("battles shown to every reader after every 23rd event", each=1, sample=2)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_moment_of_a_battle_can_be_shown_with_what_everybody_can_do(seed):
    setup = battle(seed)
    events = referee(setup, Random(seed))
    for place in range(0, len(events) + 1, 23):
        shown = view(setup, events[:place])
        for who in everybody(shown):
            actions = view(setup, events[:place], who).actions
            keys = [action.key for action in actions]
            assert len(keys) == len(set(keys)), "each action has a key of its own"
            for action in actions:
                event_keys = {field.key for field in event_fields(action.kind)}
                names = [field.key.partition(".")[0] for field in action.fields]
                assert {*names, *action.given} <= event_keys
                assert not set(action.given) & set(names) - {"fighters", "counters"}


@pytest.mark.soak("battles in which every due action is legal as it is offered", each=1, sample=2)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_due_can_be_done_as_it_stands(seed):
    setup = battle(seed)
    events = referee(setup, Random(seed))
    for place in range(0, len(events) + 1, 11):
        for phase in view(setup, events[:place]).phases:
            for due in phase.due:
                if due.do:
                    action = find(view(setup, events[:place], due.who), due.do)
                    event = logged(setup, events[:place], action)
                    assert event_problems(setup, events[:place], event) == (), (due, event)


@pytest.mark.soak("battles whose totals are checked after each event", each=1, sample=2)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_event_came_to_something_with_sums_that_add_up(seed):
    setup = battle(seed)
    events = referee(setup, Random(seed))
    told_of = outcomes(setup, events)
    assert set(told_of) == {event.sequence for event in events}
    for event in events:
        outcome = told_of[event.sequence]
        assert all(each.total == sum(line.amount for line in each.lines) for each in outcome.sums)
        assert all(line.rule for each in outcome.sums for line in each.lines)
        if event.kind in ("attack", "free_attack") and outcome.sums:
            assert (
                f"{outcome.sums[0].total} against {outcome.sums[1].total}" in outcome.sentences[0]
            )
        if event.kind == "shot" and outcome.sums:
            assert f"with {outcome.sums[0].total}" in outcome.sentences[0]


@pytest.mark.soak(
    "battles with the same points in the live log and on the result form", each=1, sample=2
)
@pytest.mark.parametrize("seed", SEEDS)
def test_live_points_match_result_sheet(seed):
    setup = battle(seed)
    events = referee(setup, Random(seed))
    points = {side.key: side.victory_points for side in view(setup, events).sides}
    assert points == {side.side: side.victory_points for side in result(setup, events).sides}


def test_score_stands_after_each_event():
    log = Told()
    log.turn(1, a=6, b=1)
    points = []
    for victim, attacker in (("guard", "athos"), ("planchet", "jussac"), ("jussac", "athos")):
        log.tell("wound", victim=victim, result="critical", attacker=attacker)
        points.append([side.victory_points for side in at_table(log.setup, log.events).sides])
    assert points == [[2, 0], [2, 1], [5, 1]]


def fight() -> Told:
    """Return Athos in combat with the guard; Athos has the next attack."""
    log = Told()
    log.turn(1, a=6, b=1)
    log.tell("move", fighter="athos", contacts=["guard"])
    log.tell(
        "combat",
        fighters={"a": ["athos"], "b": ["guard"]},
        counters={"a": [4, 2], "b": [1, 1]},
        initiative={"athos": [6], "guard": [1]},
    )
    return log


def test_a_blow_tells_its_rolls_with_dice_fight_and_armour():
    log = fight()
    log.tell("attack", attacker="athos", target="guard", dice=[6, 5], defence_dice=[1])
    outcome = outcomes(log.setup, log.events)[5]
    attack, defence, wound = outcome.sums
    assert (attack.lines[0].reason, attack.lines[0].amount) == ("Dice 6 and 5", 11)
    assert outcome.sentences[0].startswith(f"Hit, {attack.total} against {defence.total}: ")
    assert wound.lines[0].amount == attack.total - defence.total
    assert 'Rule book: "Making an attack"' in outcome.rules


def test_a_miss_has_no_wound_score():
    log = fight()
    log.tell(
        "attack",
        attacker="athos",
        target="guard",
        dice=[1, 1],
        answers=["parry"],
        defence_dice=[6, 6],
    )
    outcome = outcomes(log.setup, log.events)[5]
    assert outcome.sentences == (f"Miss, {outcome.sums[0].total} against {outcome.sums[1].total}.",)


def test_only_ploys_that_the_rules_allow_are_offered():
    log = fight()
    attack = find(at_table(log.setup, log.events, "athos"), "attack")
    ploys = next(field for field in attack.fields if field.key == "ploys").choices
    answers = next(field for field in attack.fields if field.key == "answers").choices
    assert "parry" not in dict(ploys) and "mighty-blow" in dict(ploys)
    assert dict(answers) == {"parry": "Parry"}, "a guard with a hand weapon has no Riposte"


def test_the_grip_is_asked_for_where_a_weapon_takes_one_hand_or_two():
    swordsman = man("man", "custom/rank-4", 4, leader=True, equipment=["longsword", "buckler"])
    log = begun(BattleSetup("skirmish", (side("a", "custom", swordsman), GUARD)), man=["guard"])
    action = find(view(log.setup, log.events, "man"), "combat")
    assert [field.key for field in action.fields if field.key.startswith("hands.")] == ["hands.man"]


def test_who_has_no_opportunity_is_not_offered_an_attack():
    log = fight()
    keys = {action.key for action in at_table(log.setup, log.events, "guard").actions}
    assert "attack" not in keys and "free_attack" in keys


def test_before_a_combat_each_side_is_offered_every_split_of_its_pool_in_secret():
    log = Told()
    log.turn(1, a=6, b=1)
    log.tell("move", fighter="athos", contacts=["guard"])
    combat = find(at_table(log.setup, log.events, "guard"), "combat")
    choices = {
        field.key: [key for key, _ in field.choices]
        for field in combat.fields
        if field.kind == "numbers"
    }
    assert set(choices) == set(combat.secrets) == {"counters.a", "counters.b"}
    assert choices["counters.b"] == ["2,0", "1,1", "0,2"]


def test_what_has_been_done_this_turn_is_said_to_stand_in_the_way():
    log = Told()
    log.turn(1, a=6, b=1)
    assert find(at_table(log.setup, log.events, "planchet"), "shot").hurdle == ""
    log.tell("shot", shooter="planchet", target="guard", weapon="matchlock", inches=8, dice=[3, 4])
    shown = at_table(log.setup, log.events, "planchet")
    assert find(shown, "reload-matchlock").hurdle == "has acted"
    marks = [mark.text for look in shown.fighters if look.id == "planchet" for mark in look.marks]
    assert any("Reload" in mark for mark in marks) and "Has acted" in marks


def test_dice_are_not_asked_for_where_muster_throws_them_all():
    setup = BattleSetup("skirmish", SWORDS.sides, {"dice": "app"})
    events = (LoggedEvent(1, "turn", {}, 1),)
    for who in ("", "athos", "planchet", "a"):
        actions = at_table(setup, events, who).actions
        assert not [field for action in actions for field in action.fields if field.group == "dice"]


def test_a_correction_changes_what_came_of_events():
    log = fight()
    log.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    log.tell("correction", event=5, reason="It was not so")
    assert 5 not in outcomes(log.setup, log.events)


def test_the_phase_follows_the_log():
    log = Told()
    names = lambda: [phase.key for phase in at_table(log.setup, log.events).phases if phase.now]  # noqa: E731
    assert names() == ["priority"]
    log.turn(1, a=6, b=1)
    assert names() == ["move"]
    assert [phase.key for phase in at_table(fight().setup, fight().events).phases if phase.now] == [
        "combat"
    ]


def test_the_simplified_procedure_counts_in_its_own_way():
    log = Told()
    log.turn(1, a=6, b=1)
    log.tell("move", fighter="athos", contacts=["guard"])
    simple = find(at_table(log.setup, log.events, "guard"), "simplified")
    assert simple.given["simplified"] is True and not simple.secrets
    assert [field.key for field in simple.fields if not field.group] == [
        "counters.a.0", "counters.a.1", "counters.b.0", "counters.b.1",
    ]  # fmt: skip


def test_a_scout_and_a_duellist_come_before_the_first_turn():
    setup = BattleSetup("duel", SWORDS.sides)
    shown = at_table(setup, ())
    due = [each.do for phase in shown.phases for each in phase.due]
    assert due.count("duellist") == 2 and due[-1] == "turn"
    named = find(at_table(setup, (), "a"), "duellist")
    assert dict(named.fields[0].choices) == {"athos": "ATHOS", "planchet": "PLANCHET"}


def test_summoned_fighter_enters_and_starts_on_table():
    coven = side("a", "fantastical", man("witch", "fantastical/witch", 5, leader=True))
    log = begun(BattleSetup("skirmish", (coven, GUARD), {"fantastical": True}))
    log.tell("spell", magician="witch", spell="summon", inches=3, dice=[6, 6], named="Grim")
    for who in ("", "a", "b", "witch", "guard", "summoned-1"):
        shown = at_table(log.setup, log.events, who)
        assert "Grim enters the battle." in outcomes(log.setup, log.events)[2].sentences
        assert "summoned-1" in [fighter.id for fighter in shown.fighters]
    log.tell("wound", victim="summoned-1", result="critical", attacker="guard")
    assert "Grim is dead." in outcomes(log.setup, log.events)[3].sentences


def test_one_combat_is_fought_after_the_other():
    log = fight()
    log.tell("move", fighter="milady", contacts=["planchet"], overruled="To have two at once")
    due = [each.do for phase in at_table(log.setup, log.events).phases for each in phase.due]
    assert due.count("round") == 1, "the open one alone"
    assert (
        find(at_table(log.setup, log.events, "milady"), "combat").hurdle == "another combat is open"
    )


def test_what_belongs_to_an_earlier_phase_is_said_to_be_too_late():
    log = fight()
    assert find(at_table(log.setup, log.events, "planchet"), "shot").hurdle == "the phase is over"
    assert find(at_table(log.setup, log.events, "athos"), "challenge").hurdle == "the phase is over"
    assert find(at_table(log.setup, log.events, "planchet"), "object").hurdle == ""
    assert find(at_table(log.setup, log.events, "a"), "morale").hurdle == "no test is due"


@pytest.mark.soak(
    "battles in which no offered action is refused as too early or late", each=1, sample=2
)
@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_nothing_speaks_against_is_not_refused_for_its_time(seed):
    setup = battle(seed)
    events = referee(setup, Random(seed))
    for place in range(7, len(events) + 1, 29):
        for who in everybody(view(setup, events[:place])):
            for action in view(setup, events[:place], who).actions:
                if (
                    action.kind in ("action", "done", "pass", "stun_roll", "switch_weapon")
                    and not action.hurdle
                ):
                    problems = event_problems(
                        setup, events[:place], logged(setup, events[:place], action)
                    )
                    assert not {each.code for each in problems} & {
                        "phase-over",
                        "side-passed",
                        "acted-already",
                    }


@pytest.mark.parametrize(
    ("others", "offered"), [([], True), (["milady"], False)], ids=["free", "still-engaged"]
)
def test_going_on_is_offered_to_who_touches_nobody_any_more(others, offered):
    log = begun(athos=["guard", *others])
    log.tell(
        "combat",
        fighters={"a": ["athos"], "b": ["guard"]},
        counters={"a": [3, 3], "b": [1, 1]},
        initiative={"athos": [6], "guard": [1]},
    )
    log.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    keys = [action.key for action in view(log.setup, log.events, "athos").actions]
    assert ("go-on" in keys) is offered


def last_outcome(log: Told) -> tuple[str, ...]:
    return outcomes(log.setup, log.events)[len(log.events)].sentences


def test_who_cannot_bring_itself_to_strike_makes_no_free_attack():
    log = begun()
    log.tell("move", fighter="milady", contacts=["planchet"])
    log.tell("turn", turn=2)
    log.tell("free_attack", attacker="planchet", target="milady", nerve=1)
    assert last_outcome(log) == ("PLANCHET fails the roll and cannot attack.",)


def test_who_cannot_bring_itself_to_blast_casts_nothing():
    coven = side("a", "fantastical", man("witch", "fantastical/witch", 5, leader=True))
    log = begun(BattleSetup("skirmish", (coven, SWORDS.sides[1]), {"fantastical": True}))
    log.tell("spell", magician="witch", spell="power-blast", target="milady", inches=10, nerve=5)
    assert last_outcome(log) == ("WITCH fails the roll and cannot harm the target.",)


def test_a_rider_who_does_not_dare_to_come_into_contact_opens_no_combat():
    knight = man("knight", "conquistadors/knight", 3, leader=True)
    beast = man("beast", "fantastical/beast", 4, leader=True)
    sides = (side("a", "conquistadors", knight), side("b", "fantastical", beast))
    log = begun(BattleSetup("skirmish", sides, {"fantastical": True}))
    fight = {"fighters": {"a": ["knight"], "b": ["beast"]}, "counters": {"a": [1, 1], "b": [0, 2]}}
    log.tell("combat", **fight, initiative={}, ride_by=True, nerve=3)
    assert last_outcome(log) == ("KNIGHT fails the roll and does not move into contact.",)


def test_who_shoots_is_shown_with_what_it_shoots_until_it_is_in_contact():
    assert arms_of(begun(), "planchet") == "Matchlock, Hand weapon"
    assert arms_of(begun(guard=["planchet"]), "planchet") == "Hand weapon"


def arms_of(log: Told, fighter: str) -> str:
    return next(
        each.weapon for each in at_table(log.setup, log.events).fighters if each.id == fighter
    )


def second_turn_after_a_death() -> Told:
    """Return a battle in turn 2, in which the guard's side has to test Morale."""
    log = Told()
    log.turn(1, a=6, b=1)
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    log.tell("turn", turn=2)
    return log


def due_now(log: Told) -> list[str]:
    return [each.do for phase in at_table(log.setup, log.events).phases for each in phase.due]


def test_a_turn_begins_with_priority_and_nothing_else():
    log = second_turn_after_a_death()
    assert due_now(log) == ["priority"]
    assert find(at_table(log.setup, log.events, "b"), "morale").hurdle == "roll Priority first"
    log.tell("priority", rolls=[{"a": 6, "b": 1}])
    assert "morale" in due_now(log)
    assert find(at_table(log.setup, log.events, "b"), "morale").hurdle == ""


def test_a_turn_without_priority_leads_on_to_the_next_one():
    log = second_turn_after_a_death()
    log.tell("morale", side="b", dice=[1, 1])
    assert due_now(log) == ["turn"]


def test_an_empty_pistol_is_exchanged_or_the_opportunity_let_go() -> None:
    rider = man("rider", "english-civil-war/horse", 3, leader=True, options={"pistol": ["pistol"]})
    log = begun(BattleSetup("skirmish", (side("a", "english-civil-war", rider), GUARD)))
    log.tell("priority", rolls=[{"a": 1, "b": 6}])
    log.tell("move", fighter="guard", contacts=["rider"])
    log.tell(
        "combat",
        fighters={"a": ["rider"], "b": ["guard"]},
        counters={"a": [3, 0], "b": [1, 1]},
        initiative={"rider": [1], "guard": [6]},
        weapons={"rider": "pistol"},
    )
    log.tell("attack", attacker="rider", target="guard", dice=[1, 1], defence_dice=[6])
    log.passes_until("rider")
    (due,) = next(
        phase.due for phase in view(log.setup, log.events).phases if phase.key == "combat"
    )
    assert (due.who, due.do, due.instead) == ("rider", "switch_weapon", "pass")
    shown = view(log.setup, log.events, "rider")
    assert find(shown, "attack").hurdle == "the pistol is not loaded"
    assert "round" not in {each.key for each in shown.actions}
    log.tell("switch_weapon", fighter="rider", weapon="sword")
    log.passes_until("rider")
    (due,) = next(
        phase.due for phase in view(log.setup, log.events).phases if phase.key == "combat"
    )
    assert (due.who, due.do) == ("rider", "round")


def test_points_at_the_table_wait_for_what_the_end_decides():
    setup = BattleSetup("skirmish", SWORDS.sides, {}, {})
    events = (
        LoggedEvent(1, "minor_objective", {"side": "a", "rolled": 4}),
        LoggedEvent(2, "points", {"side": "a", "amount": 2, "reason": "A bet"}),
    )
    assert at_table(setup, events).sides[0].victory_points == 2
    ended = (*events, LoggedEvent(3, "ended", {"how": "last-turn"}))
    side = at_table(setup, ended).sides[0]
    assert [line.code for line in side.lines] == ["minor-objective", "extra"]
    # A result that was entered afterwards has no end, and counts in full.
    assert result(setup, events).sides[0].victory_points == side.victory_points > 2
