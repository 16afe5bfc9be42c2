"""A whole round of combat in one go, forced passes, and several who act together: what the log
takes by itself."""

from random import Random
from typing import Any

import pytest

from rulebook.battle_log.play import replay
from rulebook.ruleset import BattleSetup, LoggedEvent
from rulebook.systems.en_garde.book.catalogue import profile
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.system import EnGarde
from rulebook.systems.en_garde.table.shooting import bands_of, range_modifier
from rulebook.values.fields import nested
from rulebook.values.table import Action, TableView
from tests.rulebook.en_garde.logs import at_table
from tests.rulebook.en_garde.turns.tables import GUARD, Told, begun, man, side

THREE = BattleSetup(
    "skirmish",
    (
        side("a", "three-musketeers", man("athos", "three-musketeers/athos", 5, leader=True)),
        side(
            "b",
            "cardinals-guard",
            man("jussac", "cardinals-guard/officer", 3, leader=True),
            man("guard", "cardinals-guard/guard", 2),
        ),
    ),
)


def shown(log: Told, who: str = "") -> TableView:
    return at_table(log.setup, log.events, who)


def find(log: Told, who: str, key: str) -> Action:
    return next(action for action in shown(log, who).actions if action.key == key)


def follow(log: Told, action: Action, plan: dict[str, Any] | None = None) -> list[str]:
    """Log everything that follows an action, which must be legal. Return the kinds of events."""
    kinds: list[str] = []
    while len(kinds) < 60:
        play = replay(LOG, log.setup, log.events)
        event = EnGarde().follow_up(play, action.follow, nested(plan or {}))
        if event is None:
            return kinds
        log.tell(event.kind, **event.data)
        kinds.append(event.kind)
    raise AssertionError("it never ends")


def play_round(log: Told, who: str, plan: dict[str, Any] | None = None) -> list[str]:
    """Open a combat with the proposed counters, and log the whole round."""
    action = find(log, who, "round")
    values = {
        field.key: tuple(map(int, str(field.default).split(",")))
        for field in action.fields
        if field.kind == "numbers"
    }
    log.tell("combat", **{**action.given, **nested(values)})
    return follow(log, action, plan)


@pytest.mark.parametrize("seed", range(12))
def test_whole_round_is_fought_until_it_is_over(seed):
    log = Told(THREE, seed)
    log.tell("turn", turn=1)
    log.tell("move", fighter="athos", contacts=["jussac", "guard"])
    kinds = play_round(log, "athos")
    fight = log.state.table.fight
    assert (
        fight is not None and fight.over and set(kinds) <= {"attack", "pass"} and "attack" in kinds
    )
    assert not any(phase.due and phase.key == "combat" for phase in shown(log).phases), (
        "nothing is left to fight"
    )


@pytest.mark.parametrize("seed", range(8))
def test_planned_ploys_are_used_as_long_as_the_rules_allow(seed):
    log = Told(THREE, seed)
    log.tell("turn", turn=1)
    log.tell("move", fighter="athos", contacts=["jussac", "guard"])
    plan = {
        "athos.ploys": ["mighty-blow", "feint"],
        "athos.answers": "riposte",
        "athos.target": "guard",
        "jussac.answers": "none",
    }
    play_round(log, "athos", plan)
    blows = [event.data for event in log.events if event.kind == "attack"]
    his = [each for each in blows if each["attacker"] == "athos"]
    assert his and his[0]["target"] == "guard", "the one whom the plan names first"
    assert all("answers" not in each for each in his if each["target"] == "jussac")
    assert sum("feint" in each.get("ploys", ()) for each in his) <= 1, "once a turn"
    assert any(each.get("ploys") for each in his)


def test_who_holds_back_strikes_nobody():
    log = Told(THREE, 3)
    log.tell("turn", turn=1)
    log.tell("move", fighter="athos", contacts=["jussac"])
    play_round(log, "athos", {"athos.holds": True})
    assert {event.data["attacker"] for event in log.events if event.kind == "attack"} <= {"jussac"}


def test_defenders_parry_while_counters_last():
    log = Told(THREE, 1)
    log.tell("turn", turn=1)
    log.tell("move", fighter="athos", contacts=["jussac"])
    action = find(log, "athos", "round")
    log.tell("combat", **{**action.given, "counters": {"a": (6, 0), "b": (1, 2)}})
    follow(log, action)
    his = [
        event.data
        for event in log.events
        if event.kind == "attack" and event.data["attacker"] == "athos"
    ]
    parried = [bool(each.get("answers")) for each in his]
    assert parried == sorted(parried, reverse=True) and sum(parried) <= 2, (
        "with both of the counters, and no longer"
    )


def test_warhorse_strikes_once_in_a_whole_round():
    mount = next(
        option.key
        for option in profile("conquistadors/knight").options
        if "warhorse" in option.items
    )
    knight = man("knight", "conquistadors/knight", 3, leader=True, options={mount: ["warhorse"]})
    log = Told(BattleSetup("skirmish", (THREE.sides[0], side("b", "conquistadors", knight))), 5)
    log.tell("turn", turn=1)
    log.tell("move", fighter="athos", contacts=["knight"])
    play_round(log, "athos")
    blows = [
        event.data
        for event in log.events
        if event.kind == "attack" and event.data["attacker"] == "knight"
    ]
    assert [bool(blow.get("by_mount")) for blow in blows] == [True, *[False] * (len(blows) - 1)], (
        "before its rider"
    )
    assert len(blows) > 1


def test_opportunity_without_counters_is_let_go_by_itself():
    log = begun(BattleSetup("skirmish", (THREE.sides[0], GUARD)), athos=["guard"])
    dice = {"athos": [6], "guard": [1]}
    counters = {"a": [0, 6], "b": [1, 1]}
    log.tell(
        "combat", fighters={"a": ["athos"], "b": ["guard"]}, counters=counters, initiative=dice
    )
    assert follow(log, find(log, "athos", "pass")) == ["pass"], (
        "Athos has nothing to strike with, the guard has"
    )
    assert log.state.table.fight.next.id == "guard"


def test_initiative_is_shown_with_its_total():
    log = begun(BattleSetup("skirmish", (THREE.sides[0], GUARD)), athos=["guard"])
    dice = {"athos": [6], "guard": [1]}
    log.tell(
        "combat",
        fighters={"a": ["athos"], "b": ["guard"]},
        counters={"a": [4, 2], "b": [1, 1]},
        initiative=dice,
    )
    scores = {fencer.id: fencer.score for fencer in log.state.table.fight.fencers}
    assert scores["athos"] > 6, "his Initiative is added to the 6"
    (order,) = log.outcome.sentences
    assert (
        order == f"Order of initiative: ATHOS {scores['athos']} [6], GUARD {scores['guard']} [1]."
    )
    combat = shown(log).combat
    assert [each.standing for each in combat.fighters] == [
        f"Initiative {score}" for score in scores.values()
    ]


PAIRS = BattleSetup(
    "skirmish",
    tuple(
        side(
            key,
            "cardinals-guard",
            man(f"{key}1", "cardinals-guard/officer", 3, leader=True),
            man(f"{key}2", "cardinals-guard/guard", 2),
        )
        for key in "ab"
    ),
)


def paired() -> Told:
    """Return a battle in which side b has Priority."""
    log = begun(PAIRS)
    log.tell("priority", rolls=[{"a": 1, "b": 6}])
    return log


def test_side_moves_in_one_go_out_of_turn():
    log = paired()
    assert log.errors("move", fighter="a1") == ["not-its-activation"]
    assert find(log, "a1", "move").together == {"as_given": True}
    log.tell("move", fighter="a1", as_given=True)
    log.tell("move", fighter="a2", as_given=True)
    assert log.errors("move", fighter="a2", as_given=True) == ["acted-already"], (
        "nobody acts twice all the same"
    )
    assert {bulk.who for bulk in shown(log).bulks} == {("b1", "b2")}, (
        "whoever has acted is offered no more"
    )


def test_table_says_who_moves_and_who_picks_a_combat():
    log = paired()
    assert shown(log).choice == "B moves next."
    log.tell("move", fighter="b1", contacts=["a1"])
    assert shown(log).choice == "A moves next."
    log.tell("move", fighter="a2", contacts=["b2"])
    assert [phase.key for phase in shown(log).phases if phase.now] == ["combat"], (
        "nobody is free to move any more"
    )
    assert shown(log).choice == "B has Priority and picks a combat."
    fighters = {"a": ["a1"], "b": ["b1"]}
    dice = {"a1": [6], "b1": [1]}
    log.tell("combat", fighters=fighters, counters={"a": [0, 3], "b": [0, 3]}, initiative=dice)
    assert shown(log).choice == "A picks the last combat."


def test_phase_is_over_when_both_sides_have_passed():
    log = paired()
    log.tell("done", side="b")
    log.tell("done", side="a")
    assert [phase.key for phase in shown(log).phases if phase.now] == ["end"]
    assert shown(log).choice == ""


def test_loading_of_a_side_is_offered_in_one_tap():
    guns = man("planchet", "three-musketeers/servant", 1, options={"weapon": ["matchlock"]})
    leader = man("athos", "three-musketeers/athos", 5, leader=True)
    log = begun(BattleSetup("skirmish", (side("a", "three-musketeers", leader, guns), GUARD)))
    log.tell("priority", rolls=[{"a": 6, "b": 1}])
    log.tell("shot", shooter="planchet", target="guard", weapon="matchlock", inches=11, dice=[1, 2])
    log.turn(2, a=6, b=1)
    (load,) = [bulk for bulk in shown(log).bulks if bulk.do.startswith("reload")]
    assert load.who == ("planchet",) and load.button == "PLANCHET loads the matchlock"
    assert load.do in {action.key for action in shown(log, "planchet").actions}


WAYS = {"conceded": "conceded", "withdrew": "withdrew", "left-table": "left the table"}


@pytest.mark.parametrize("how", WAYS)
def test_end_asks_which_side_gave_up(how):
    log = paired()
    fields = {field.key: field for field in find(log, "", "ended").fields}
    assert dict(fields["side"].choices) == {"a": "A", "b": "B"}
    assert log.errors("ended", how=how, turn=1) == ["side-needed"]
    assert log.errors("ended", how="agreed", side="a", turn=1) == ["no-side-needed"]
    assert log.errors("ended", how=how, side="z", turn=1) == ["unknown-side"]
    state = log.tell("ended", how=how, side="a", turn=1)
    names = {"a": "The Muskets", "b": "The Blades"}
    data = {"how": how, "side": "a", "turn": 1}
    sentence = LOG.sentence(LoggedEvent(9, "ended", data), names)
    assert sentence == f"The battle ended after 1 turn: The Muskets {WAYS[how]}"
    assert (state.conceded, state.withdrew) == (
        ("a",) * (how == "conceded"),
        ("a",) * (how == "withdrew"),
    )


def test_side_that_concedes_by_the_end_has_lost():
    setup = BattleSetup("skirmish", PAIRS.sides, {"concession": "loses"})
    log = begun(setup)
    log.tell("ended", how="conceded", side="a", turn=1)
    result = EnGarde().result(replay(LOG, log.setup, log.events))
    assert [each.outcome.value for each in result.sides] == ["lost", "won"]


def test_side_that_has_conceded_before_the_end_need_not_be_named():
    log = paired()
    log.tell("conceded", side="a")
    assert log.tell("ended", how="conceded", turn=1).conceded == ("a",)


def test_several_stunned_counters_are_had():
    log = begun(BattleSetup("skirmish", (THREE.sides[0], GUARD)), athos=["guard"])
    for _ in range(2):
        log.tell("wound", victim="athos", result="stunned", attacker="guard")
    assert log.outcome.sentences == ("ATHOS has 2 Stunned counters.",)


def random_rounds(seed: int) -> Told:
    log = Told(THREE, seed)
    luck = Random(seed)
    log.tell("turn", turn=1)
    log.tell("move", fighter="athos", contacts=["jussac", "guard"])
    action = find(log, "athos", "round")
    values = {f.key: luck.choice(f.choices)[0] for f in action.fields if f.kind == "numbers"}
    log.tell(
        "combat",
        **{
            **action.given,
            **nested({key: tuple(map(int, each.split(","))) for key, each in values.items()}),
        },
    )
    plan: dict[str, Any] = {}
    for field in action.plan:
        if field.kind == "list":
            plan[field.key] = luck.sample(
                [key for key, _ in field.choices], luck.randint(0, len(field.choices))
            )
        elif field.kind == "choice":
            plan[field.key] = luck.choice(field.choices)[0]
    follow(log, action, plan)
    return log


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_planned_comes_to_an_end(seed):
    fight = random_rounds(seed).state.table.fight
    assert fight is not None and fight.over


# Ranges


def test_range_is_asked_in_bands_that_make_a_difference():
    assert bands_of([36], None) == (3, 11, 24, 36)
    assert bands_of([24], None) == (3, 11, 24), "no farther than the weapon reaches"
    assert bands_of([8, 24], None) == (3, 8, 11, 24), "each weapon's own reach may refuse the shot"
    assert bands_of([36], 6) == (3, 6), "nor than anybody sees"
    assert len({range_modifier(each) for each in bands_of([48], None)}) == 5, (
        "a modifier of its own for each"
    )


def test_shot_by_bands_uses_far_end_of_band():
    guns = man("planchet", "three-musketeers/servant", 1, options={"weapon": ["matchlock"]})
    leader = man("athos", "three-musketeers/athos", 5, leader=True)
    log = begun(BattleSetup("skirmish", (side("a", "three-musketeers", leader, guns), GUARD)))
    shoot = find(log, "planchet", "shot")
    inches = next(field for field in shoot.fields if field.key == "inches")
    assert (inches.kind, inches.default, inches.choices[0]) == ("number", "11", ("3", "Within 3″"))
    log.tell("shot", **shoot.given, target="guard", weapon="matchlock", inches=24, dice=[6, 6])
    names = {"planchet": "Planchet", "guard": "Guard"}
    assert (
        LOG.sentence(log.events[-1], names)
        == "Planchet shoots at Guard with the matchlock at 12″ to 24″ [6, 6]"
    )
    assert any(
        "range" in line.reason.lower() and line.amount == -1 for line in log.outcome.sums[0].lines
    )


def test_priority_follows_a_turn_but_no_light_one():
    log = Told(PAIRS)
    begin = find(log, "", "turn")
    assert {"rolls.0.a", "rolls.0.b"} <= {field.key for field in begin.plan}, (
        "dice of the table may be typed"
    )
    log.tell("turn", turn=1)
    following = EnGarde().follow_up(replay(LOG, log.setup, log.events), begin.follow, {})
    assert following is not None and following.kind == "priority"
    light = Told(PAIRS)
    light.tell("turn", turn=1, light=True)
    assert EnGarde().follow_up(replay(LOG, light.setup, light.events), begin.follow, {}) is None
