"""The log: every kind of event refused when it makes no sense, with field and value; and
corrections."""

import pytest
from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, RulesError
from rulebook.systems.en_garde.book.scenarios import scenarios
from tests.rulebook.en_garde.battlefield import (
    battle,
    codes,
    fielded,
    fought,
    killed,
    log,
    problems,
    record,
    subdued,
    told,
    wound,
)
from tests.rulebook.en_garde.logs import (
    ANY_BATTLE,
    KINDS,
    effective_events,
    event_kinds,
    event_problems,
    read_event,
    replay,
    result,
)

SKIRMISH = battle("skirmish")


# Reading.


def test_every_kind_of_event_has_a_form():
    assert [kind.key for kind in event_kinds()] == list(KINDS)
    assert all(kind.label and kind.fields for kind in event_kinds())
    kinds = {field.kind for kind in event_kinds() for field in kind.fields}
    assert kinds == {
        "combatant",
        "side",
        "choice",
        "number",
        "length",
        "text",
        "flag",
        "dice",
        "list",
        "map",
    }


def test_forms_offer_choices_and_bounds():
    form = {
        field.key: field for kind in event_kinds() if kind.key == "wound" for field in kind.fields
    }
    assert form["result"].choices[-1] == ("critical", "Critical")
    assert (form["die"].least, form["die"].most, form["die"].required) == (1, 6, False)
    assert form["victim"].required


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda scenario: scenario.key)
def test_every_scenario_asks_for_kinds_that_exist(scenario):
    assert set(scenario.event_kinds) <= set(KINDS) - set(ANY_BATTLE)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_refuses_a_field_that_it_does_not_have(kind: str):
    errors = event_problems(SKIRMISH, (), LoggedEvent(1, kind, {"nonsense": 1}))
    assert [problem.code for problem in errors] == ["unreadable-event"]


@pytest.mark.parametrize(
    "kind", [kind for kind in event_kinds() if any(field.required for field in kind.fields)]
)
def test_each_kind_names_a_field_that_is_missing(kind):
    (error,) = event_problems(SKIRMISH, (), LoggedEvent(1, kind.key, {}))
    assert error.code == "unreadable-event"
    assert error.field in {field.key for field in kind.fields if field.required}
    assert "is missing" in error.sentence


@pytest.mark.parametrize("kind", event_kinds(), ids=lambda kind: kind.key)
def test_each_field_refuses_a_value_of_another_type(kind):
    for field in kind.fields:
        with pytest.raises(RulesError) as errors:
            read_event(LoggedEvent(1, kind.key, {field.key: 3.5}))
        assert errors.value.problems[0].code == "unreadable-event"


def test_an_unreadable_value_is_named_with_what_would_do():
    (error,) = problems(SKIRMISH, wound("b1", "dead"))
    assert (error.field, error.value) == ("result", "dead")
    assert "light, grievous, critical" in error.sentence
    (error,) = problems(SKIRMISH, wound("b1", "critical", die=7))
    assert error.sentence == "Wound: 'die' cannot be 7; give a whole number from 1 to 6."


def test_an_unknown_kind_is_refused_by_name():
    (error,) = problems(SKIRMISH, told("explosion"))
    assert (error.code, error.value) == ("unknown-event-kind", "explosion")


def test_event_data_must_be_an_object():
    (error,) = event_problems(SKIRMISH, (), LoggedEvent(1, "note", ["text"]))
    assert error.code == "unreadable-event"


# Who and where.


BAD = [
    ("unknown victim", "skirmish", [wound("z9", "light")], ["unknown-combatant"]),
    ("unknown attacker", "skirmish", [wound("b1", "light", "z9")], ["unknown-combatant"]),
    ("own side unflagged", "skirmish", [wound("a1", "light", "a2")], ["own-side"]),
    ("friendly fire on the enemy", "skirmish", [wound("b1", "light", "a2", friendly=True)], ["not-own-side"]),
    ("a fall with an attacker", "skirmish", [wound("b1", "light", "a2", means="fall")], ["nobodys-attack"]),
    ("poison with an attacker", "skirmish", [wound("b1", "light", "a2", means="poison")], ["nobodys-attack"]),
    ("the dead act", "skirmish", [killed("a1", "b1"), wound("b1", "light", "a1")], ["out-of-action"]),
    ("the dead suffer", "skirmish", [killed("a1", "b1"), wound("a1", "light", "b1")], ["out-of-action"]),
    ("the unconscious act", "skirmish", [subdued("a1", "b1"), wound("b1", "light", "a1")], ["out-of-action"]),
    ("the routed suffer", "skirmish", [told("routed", fighter="a1"), wound("a1", "light", "b1")], ["out-of-action"]),
    ("third stun of a grievous", "skirmish", [wound("b1", "grievous", third_stun=True)], ["no-third-stun"]),
    ("subduing shot", "skirmish", [wound("b1", "light", "a1", means="shooting", subdue=True)], ["no-subduing"]),
    ("a mount of somebody on foot", "skirmish", [wound("b1", "light", "a1", on_mount=True)], ["not-mounted"]),
    ("a needless die", "skirmish", [killed("b1", "a1", die=4)], ["no-die-needed"]),
    ("a missing civilian", "raid", [wound("civilian-9", "light", "a1")], ["unknown-combatant"]),
    ("a civilian's horse", "raid", [wound("civilian-1", "light", "a1", on_mount=True)], ["not-mounted"]),
    ("a dead civilian", "raid", [killed("civilian-1", "a1"), killed("civilian-1", "a1")], ["out-of-action"]),
    ("own civilian unflagged", "raid", [killed("civilian-1", "b1")], ["own-side"]),
    ("stun that is not there", "skirmish", [told("removed_stun", fighter="a1")], ["no-such-counters"]),
    ("stun of a stranger", "skirmish", [told("removed_stun", fighter="z9")], ["unknown-combatant"]),
    ("a stranger routs", "skirmish", [told("routed", fighter="z9")], ["unknown-combatant"]),
    ("routed twice", "skirmish", [told("routed", fighter="a1"), told("routed", fighter="a1")], ["already-logged"]),
    ("the dead leave", "skirmish", [killed("a1"), told("left", fighter="a1")], ["already-logged"]),
    ("nothing captured", "skirmish", [told("captured", by="a1")], ["one-capture"]),
    ("both captured", "skirmish", [told("captured", by="a1", fighter="b1", banner="b")], ["one-capture"]),
    ("captured by a stranger", "skirmish", [told("captured", by="z9", fighter="b1")], ["unknown-combatant"]),
    ("a stranger captured", "skirmish", [told("captured", by="a1", fighter="z9")], ["unknown-combatant"]),
    ("captured awake", "skirmish", [told("captured", by="a1", fighter="b1")], ["not-unconscious"]),
    ("own captive", "skirmish", [subdued("a2", "b1"), told("captured", by="a1", fighter="a2")], ["own-side"]),
    ("captured dead", "skirmish", [killed("b1"), told("captured", by="a1", fighter="b1")], ["already-logged"]),
    ("captured by the dead", "skirmish", [subdued("b1", "a1"), killed("a1"), told("captured", by="a1", fighter="b1")],
     ["out-of-action"]),
    ("banner of nobody", "skirmish", [told("captured", by="a1", banner="z")], ["unknown-side"]),
    ("banner that is not there", "skirmish", [told("captured", by="a1", banner="b")], ["no-banner"]),
    ("own banner", "skirmish", [told("captured", by="a1", banner="a")], ["own-side", "no-banner"]),
    ("objective in a skirmish", "skirmish", [told("objective", side="a", by=["a1"])], ["kind-not-in-scenario"]),
    ("civilian in a duel", "duel", [told("civilian", civilian="civilian-1", outcome="killed")],
     ["kind-not-in-scenario"]),
    ("objective of nobody's side", "capture", [told("objective", by=["a1"])], ["side-needed"]),
    ("objective without a holder", "capture", [told("objective", side="a")], ["holder-needed"]),
    ("objective of a stranger's side", "capture", [told("objective", side="z", by=["a1"])],
     ["unknown-side", "other-side"]),
    ("objective held by the enemy", "capture", [told("objective", side="a", by=["b1"])], ["other-side"]),
    ("objective held by the dead", "capture", [killed("a1"), told("objective", side="a", by=["a1"])],
     ["out-of-action"]),
    ("objective held from afar", "capture", [told("left", fighter="a1"), told("objective", side="a", by=["a1"])],
     ["out-of-action"]),
    ("held twice by one", "defence", [told("objective", side="a", by=["a1", "a1"])], ["named-twice"]),
    ("position of the enemy", "hold-the-bridge", [told("position", side="a", fighters=["b1"])], ["other-side"]),
    ("position of the dead", "hold-the-bridge", [killed("a1"), told("position", side="a", fighters=["a1"])],
     ["out-of-action"]),
    ("touching from nowhere", "occupy", [told("touching", side="z", fighters=[])], ["unknown-side"]),
    ("touching by a stranger", "occupy", [told("touching", side="a", fighters=["z9"])], ["unknown-combatant"]),
    ("minor objective of nobody", "skirmish", [told("minor_objective", side="z", rolled=2)], ["unknown-side"]),
    ("minor objective twice", "skirmish",
     [told("minor_objective", side="a", rolled=2), told("minor_objective", side="a", rolled=3)],
     ["minor-objective-known"]),
    ("minor objective that the log shows", "skirmish", [told("minor_objective", side="a", rolled=3, achieved=True)],
     ["follows-from-the-log"]),
    ("an unknown civilian", "escort", [told("civilian", civilian="civilian-2", outcome="killed")],
     ["unknown-civilian"]),
    ("a civilian taken in an escort", "escort", [told("civilian", civilian="civilian-1", outcome="taken", by="a1")],
     ["no-such-outcome"]),
    ("a civilian taken by its own", "raid", [told("civilian", civilian="civilian-1", outcome="taken", by="b1")],
     ["own-side"]),
    ("a civilian taken by the dead", "raid",
     [killed("a1"), told("civilian", civilian="civilian-1", outcome="taken", by="a1")], ["out-of-action"]),
    ("a civilian taken by a stranger", "raid", [told("civilian", civilian="civilian-1", outcome="taken", by="z9")],
     ["unknown-combatant"]),
    ("a dead civilian unharmed", "raid",
     [killed("civilian-1", "a1"), told("civilian", civilian="civilian-1", outcome="unharmed")], ["out-of-action"]),
    ("an offence of nobody", "duel", [told("duel_penalty", side="z", which="attack")], ["unknown-side"]),
    ("an offence twice", "duel",
     [told("duel_penalty", side="a", which="attack"), told("duel_penalty", side="b", which="attack")],
     ["first-only"]),
    ("no points", "skirmish", [told("points", side="a", amount=0, reason="For nothing.")], ["no-points"]),
    ("points of nobody", "skirmish", [told("points", side="z", amount=1, reason="For it.")], ["unknown-side"]),
    ("gone twice", "skirmish", [told("withdrew", side="a"), told("conceded", side="a")], ["gone-already"]),
    ("nobody concedes", "skirmish", [told("conceded", side="z")], ["unknown-side"]),
    ("ended twice", "skirmish", [told("ended"), told("ended")], ["ended-already"]),
    ("turn nought", "skirmish", [wound("b1", "light", turn=0)], ["no-such-turn"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("scenario", "events", "expected"), [each[1:] for each in BAD], ids=[each[0] for each in BAD]
)
def test_what_makes_no_sense_is_refused(scenario: str, events: list, expected: list[str]):
    assert codes(battle(scenario), *events) == expected


@pytest.mark.parametrize(
    ("scenario", "events"), [each[1:3] for each in BAD], ids=[each[0] for each in BAD]
)
def test_every_refusal_says_what_to_do_and_a_whole_log_names_the_event(scenario: str, events: list):
    errors = problems(battle(scenario), *events)
    assert all(problem.sentence.endswith((".", "!")) for problem in errors)
    if all(problem.field == "overruled" for problem in errors):
        # The rules forbid it, but it makes sense: once accepted it stands.
        return
    with pytest.raises(RulesError, match=rf"Event {len(events)}: "):
        result(battle(scenario), log(*events))


def test_a_captor_may_leave_with_its_captive_and_anybody_may_be_captured_by_house_rule():
    left = told("left", fighter="a1", edge="own")
    assert codes(SKIRMISH, subdued("b1", "a1"), left, told("captured", by="a1", fighter="b1")) == []
    setup = battle("skirmish", settings={"capture_needs": "any"})
    assert codes(setup, told("captured", by="a1", fighter="b1")) == []


def test_a_captive_can_no_longer_rout():
    captured = (subdued("b1", "a1"), told("captured", by="a1", fighter="b1"))
    assert codes(SKIRMISH, *captured, told("routed", fighter="b1")) == ["already-logged"]


def test_a_banner_is_captured_only_once_its_bearer_has_fallen():
    first, second = SKIRMISH.sides
    bearers = (
        replace(second.fighters[0], posts=(*second.fighters[0].posts, "banner")),
        *second.fighters[1:],
    )
    setup = replace(
        SKIRMISH, sides=(first, replace(second, fighters=bearers, extras={"banner": True}))
    )
    capture = told("captured", by="a1", banner="b")
    assert codes(setup, capture) == ["banner-not-fallen"]
    assert codes(setup, told("routed", fighter="b1"), capture) == ["banner-not-fallen"]
    assert codes(setup, subdued("b1", "a2"), capture) == []


def test_entry_after_death_needs_earlier_turn():
    assert codes(SKIRMISH, killed("a1", "b1", turn=4), wound("b1", "light", "a1", turn=3)) == []
    assert codes(SKIRMISH, killed("a1", "b1", turn=4), wound("b1", "light", "a1", turn=5)) == [
        "out-of-action"
    ]
    sheet = fought(SKIRMISH, killed("b1", "a1", turn=4), wound("b1", "light", "a2", turn=2))
    assert [(deed.fighter, deed.killed) for deed in sheet.sides[0].deeds] == [
        ("a1", True),
        ("a2", False),
    ]


def test_a_critical_wound_on_a_large_body_asks_for_its_die():
    first, second = SKIRMISH.sides
    beast = fielded("b9", 4, build={"profile": "fantastical/beast"})
    setup = replace(SKIRMISH, sides=(first, replace(second, fighters=(*second.fighters, beast))))
    assert codes(setup, killed("b9", "a1")) == ["die-needed"]
    assert record(fought(setup, killed("b9", "a1", die=3)), "b9").wounds == "grievous"
    assert record(fought(setup, killed("b9", "a1", die=4)), "b9").wounds == "critical"
    assert record(fought(setup, wound("b9", "light", "a1")), "b9").wounds == "stunned"


def test_stunned_counters_come_off():
    stunned = (wound("b1", "stunned", "a1"), wound("b1", "stunned", "a1"))
    assert (
        record(
            fought(SKIRMISH, *stunned, told("removed_stun", fighter="b1", counters=2)), "b1"
        ).wounds
        == ""
    )


def test_events_are_numbered_upwards():
    before = log(told("note", text="One."))
    assert [each.code for each in event_problems(SKIRMISH, before, before[0])] == [
        "out-of-sequence"
    ]


def test_a_setup_that_makes_no_sense_is_refused():
    with pytest.raises(RulesError, match="no scenario 'brawl'"):
        replay(replace(SKIRMISH, scenario="brawl"), ())
    with pytest.raises(RulesError, match="captivs"):
        replay(replace(SKIRMISH, settings={"captivs": "held"}), ())


# Corrections.


def corrected(event: int, kind: str | None = None, data: dict | None = None, **more):
    return told("correction", event=event, kind=kind, data=data, reason="Misread the die.", **more)


def test_a_correction_replaces_an_event_in_its_place():
    events = log(
        killed("b1", "a1"),
        told("note", text="Oh."),
        corrected(1, "wound", {"victim": "b2", "result": "light"}),
    )
    assert [(each.sequence, each.kind) for each in effective_events(events)] == [
        (1, "wound"),
        (2, "note"),
    ]
    assert record(result(SKIRMISH, events), "b1").wounds == ""
    assert record(result(SKIRMISH, events), "b2").wounds == "light"


def test_a_correction_with_data_alone_keeps_the_kind_and_the_turn():
    events = log(killed("b1", "a1", turn=3), corrected(1, data={"victim": "b1", "result": "light"}))
    (event,) = effective_events(events)
    assert (event.kind, event.turn, event.data) == ("wound", 3, {"victim": "b1", "result": "light"})
    (event,) = effective_events(
        log(killed("b1", turn=3), corrected(1, data={"text": "No."}, kind="note", turn=5))
    )
    assert (event.kind, event.turn) == ("note", 5)


def test_a_correction_without_a_kind_strikes_the_event_and_the_last_correction_counts():
    struck = (killed("b1", "a1"), corrected(1))
    assert effective_events(log(*struck)) == ()
    back = log(*struck, corrected(1, "wound", {"victim": "b1", "result": "light"}))
    assert record(result(SKIRMISH, back), "b1").wounds == "light"


def test_a_corrected_log_gives_the_same_result_as_one_that_was_never_wrong():
    right = (wound("b1", "light", "a1"), killed("b2", "a2"), wound("a1", "light", "b1"))
    wrong = (killed("b3", "a3"), killed("b2", "a2"), wound("a1", "light", "b1"))
    mended = log(*wrong, corrected(1, "wound", wound("b1", "light", "a1")[1]))
    assert result(SKIRMISH, mended) == result(SKIRMISH, log(*right))


def test_a_correction_that_makes_a_later_event_impossible_is_refused():
    events = (wound("b1", "light", "a1"), wound("b2", "light", "a1"))
    (error,) = problems(
        SKIRMISH, *events, corrected(1, "wound", {"victim": "a1", "result": "critical"})
    )
    assert error.code == "out-of-action"
    assert error.sentence.startswith("Event 2: A1 is dead since event 1.")


def test_correction_needs_event_reason_and_other_kind():
    kill = killed("b1", "a1")
    assert codes(SKIRMISH, kill, corrected(7)) == ["no-such-event"]
    assert codes(SKIRMISH, kill, corrected(1), corrected(2)) == ["no-such-event"]
    assert codes(SKIRMISH, kill, corrected(1, "correction", {})) == ["correction-of-correction"]
    assert codes(SKIRMISH, kill, told("correction", event=1, reason="    ")) == ["reason-needed"]
    assert codes(SKIRMISH, kill, corrected(1, "wound", {"victim": "z9", "result": "light"})) == [
        "unknown-combatant"
    ]
    assert codes(SKIRMISH, kill, corrected(1, "wound", {"victim": "b1"})) == ["unreadable-event"]


def test_a_die_of_recovery_thrown_at_the_table_is_kept_where_there_are_such_dice():
    rolled = battle("skirmish", settings={"wounds_after": "grievous-roll"})
    events = log(wound("b1", "grievous", "a1"), ("recovery", {"fighter": "b1", "die": 2}))
    records = {
        record.fighter: record for side in result(rolled, events).sides for record in side.records
    }
    assert (records["b1"].recovery_roll, records["b2"].recovery_roll) == (2, None)
    again = LoggedEvent(3, "recovery", {"fighter": "b1", "die": 3})
    assert [problem.code for problem in event_problems(rolled, events, again)] == ["thrown-already"]
    first = LoggedEvent(1, "recovery", {"fighter": "b1", "die": 3})
    assert [problem.code for problem in event_problems(battle("skirmish"), (), first)] == [
        "no-recovery-dice"
    ]
    ours = battle("skirmish", settings={"wounds_after": "grievous-roll", "dice": "app"})
    assert [problem.code for problem in event_problems(ours, (), first)] == ["typed-dice"]
