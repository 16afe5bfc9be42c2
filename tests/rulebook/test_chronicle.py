"""The replay: steps and replays agree, ledgers add up, corrections leave no trace of the error."""

import json
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulebook.chronicle.facts import (
    FIRST_SEAL,
    VERSION,
    Adjusted,
    AnyFact,
    Appointed,
    Corrected,
    Enrolled,
    Equipped,
    Fought,
    Left,
    RankedUp,
    Recruited,
    RulesChanged,
    Standing,
    Withdrawn,
    decode,
    decode_json,
    encode,
    seal,
)
from rulebook.chronicle.replay import effective, replay_chronicle, step
from rulebook.chronicle.states import GONE, Conflict, LedgerLine, ReplayResult, WarbandState
from rulebook.ruleset import Award, Fate, RulesError
from tests.full_toy import find_toy
from tests.rulebook.histories import (
    MUSTERED,
    battles,
    died,
    facts,
    fought,
    histories,
    recruited,
    survived,
    told,
    wounded,
)
from tests.soak import made_up
from tests.toy.ruleset import RULE


def through_json(value: Any, kind: Any) -> Any:
    """Return the value after a round trip through JSON."""
    return msgspec.convert(json.loads(json.dumps(msgspec.to_builtins(value))), kind)


def stepped(history: list[AnyFact], *, stored: bool = False) -> ReplayResult:
    """Replay the history fact by fact, each time from the state alone.

    ``stored`` sends the state through JSON, like the database does.
    """
    state, ledger, conflicts = WarbandState(), list[LedgerLine](), list[Conflict]()
    for fact in history:
        result = step(state, fact, find_toy)
        state = through_json(result.state, WarbandState) if stored else result.state
        ledger += result.ledger
        conflicts += result.conflicts
    return ReplayResult(state, tuple(ledger), tuple(conflicts))


def codes(result: ReplayResult) -> list[str]:
    return [conflict.code for conflict in result.conflicts]


# Any history


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories)
def test_steps_and_replay_agree(history: list[AnyFact]) -> None:
    assert stepped(history) == replay_chronicle(history, find_toy)


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories)
def test_a_state_that_was_stored_goes_on_like_one_that_was_not(history: list[AnyFact]) -> None:
    assert stepped(history, stored=True) == stepped(history)


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories)
def test_a_ledger_adds_up_to_each_balance(history: list[AnyFact]) -> None:
    result = replay_chronicle(history, find_toy)
    struck = {line.fighter for line in result.ledger} - result.state.fighters.keys()
    assert not struck, "who has a ledger has fought or been adjusted"
    for fighter in result.state.fighters.values():
        lines = [line for line in result.ledger if line.fighter == fighter.id]
        assert fighter.experience == sum(line.amount for line in lines)
        assert fighter.earned == sum(line.amount for line in lines if line.amount > 0)
        assert [line.balance for line in lines] == [
            sum(line.amount for line in lines[: n + 1]) for n in range(len(lines))
        ]


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories)
def test_nobody_spends_what_he_has_not(history: list[AnyFact]) -> None:
    result = replay_chronicle(history, find_toy)
    assert all(line.balance >= 0 for line in result.ledger)


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories)
def test_the_dead_stay_dead(history: list[AnyFact]) -> None:
    state = WarbandState()
    for fact in history:
        dead = {fighter.id for fighter in state.fighters.values() if fighter.fate is Fate.DEAD}
        state = step(state, fact, find_toy).state
        assert all(state.fighters[key].fate is Fate.DEAD for key in dead)


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories, battles())
def test_who_is_killed_is_dead_and_who_is_dead_earns_nothing(
    history: list[AnyFact], battle: Fought
) -> None:
    result = step(told(*history), replace(battle, friendly=False), find_toy)
    refused = {conflict.fighter for conflict in result.conflicts}
    killed = {record.fighter for record in battle.records if record.fate is Fate.DEAD} - refused
    assert all(result.state.fighters[key].fate is Fate.DEAD for key in killed)
    assert not killed & {line.fighter for line in result.ledger}


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories, facts, st.data())
def test_a_correction_is_as_if_the_error_had_never_been(
    history: list[AnyFact], fact: AnyFact, data: st.DataObject
) -> None:
    target = data.draw(st.integers(2, len(history)))
    truth = [*history[: target - 1], fact, *history[target:]]
    corrected = replay_chronicle([*history, Corrected(target=target, replacement=fact)], find_toy)
    proper = replay_chronicle(truth, find_toy)
    assert corrected.ledger == proper.ledger
    assert corrected.conflicts == proper.conflicts
    assert corrected.state == replace(proper.state, sequence=len(history) + 1)


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories, st.data())
def test_what_is_struck_has_never_been(history: list[AnyFact], data: st.DataObject) -> None:
    target = data.draw(st.integers(2, len(history)))
    corrected = replay_chronicle([*history, Corrected(target=target)], find_toy)
    proper = replay_chronicle([*history[: target - 1], *history[target:]], find_toy)
    assert corrected.state == replace(proper.state, sequence=len(history) + 1)
    assert [(line.fighter, line.amount) for line in corrected.ledger] == [
        (line.fighter, line.amount) for line in proper.ledger
    ]


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories, st.data())
def test_a_correction_can_be_corrected_back(history: list[AnyFact], data: st.DataObject) -> None:
    target = data.draw(st.integers(2, len(history)))
    back = [
        *history,
        Corrected(target=target),
        Corrected(target=target, replacement=history[target - 1]),
    ]
    before, after = replay_chronicle(history, find_toy), replay_chronicle(back, find_toy)
    assert after.ledger == before.ledger
    assert after.state == replace(before.state, sequence=len(back))


@made_up("random chronicles of a warband", 100, sample=30)
@given(facts)
def test_a_fact_survives_its_json(fact: AnyFact) -> None:
    assert decode(json.loads(json.dumps(encode(fact)))) == fact
    assert decode_json(json.dumps(encode(fact))) == fact
    corrected = Corrected(target=2, replacement=fact, standing=(Standing(3, "so be it"),))
    assert decode(json.loads(json.dumps(encode(corrected)))) == corrected


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories)
def test_a_refused_step_changes_nobody_it_names(history: list[AnyFact]) -> None:
    state = WarbandState()
    for fact in history:
        result = step(state, fact, find_toy)
        for conflict in result.open_conflicts:
            named = conflict.fighter or ""
            if isinstance(fact, RankedUp | Equipped | Left | Adjusted) and named in state.fighters:
                assert result.state.fighters[named] == state.fighters[named]
        state = result.state


# One fact at a time


def test_a_recruit_has_the_rank_and_points_of_his_build() -> None:
    fighter = told(MUSTERED, recruited("f1")).fighters["f1"]
    assert (fighter.name, fighter.rank, fighter.points, fighter.fate) == ("F1", 1, 5, Fate.FIT)


def test_a_roster_keeps_its_order_when_somebody_is_struck() -> None:
    state = told(
        MUSTERED, recruited("f1", "f2"), Left(fighter="f1", reason="struck"), recruited("f3")
    )
    assert [(fighter.id, fighter.place) for fighter in state.fighters.values()] == [
        ("f2", 1),
        ("f3", 2),
    ]


def test_fighter_on_roster_cannot_join_again() -> None:
    assert codes(step(told(MUSTERED, recruited("f1")), recruited("f1"), find_toy)) == [
        "already-recruited"
    ]


def test_a_battle_is_worth_its_awards() -> None:
    result = step(
        told(MUSTERED, recruited("f1")), fought(survived("f1"), deeds=(wounded("f1"),)), find_toy
    )
    assert [(line.amount, line.code, line.sequence) for line in result.ledger] == [
        (1, "survived", 3),
        (1, "wound", 3),
    ]
    assert result.state.won == result.state.games_played == 1


def test_an_award_that_clears_takes_away_what_was_not_spent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rich = told(MUSTERED, recruited("f1"), fought(survived("f1"), deeds=(wounded("f1"),)))
    lost = Award("f1", 0, "shattered", "Lost heart.", "Toy", clears=True)
    monkeypatch.setattr(type(find_toy("toy", "1").progression), "awards", lambda *_: (lost,))
    result = step(rich, fought(survived("f1")), find_toy)
    assert [(line.amount, line.code, line.balance) for line in result.ledger] == [
        (-2, "shattered", 0)
    ]
    assert not step(result.state, fought(survived("f1")), find_toy).ledger


def test_a_battle_counts_in_the_service_record() -> None:
    deeds = (wounded("f1"), wounded("f1", killed=True))
    fighter = told(
        MUSTERED, recruited("f1"), fought(survived("f1", wounds="light"), deeds=deeds)
    ).fighters["f1"]
    assert (fighter.battles, fighter.tallies, fighter.wounds) == (
        1,
        {"wounds_dealt": 2, "kills": 1},
        "light",
    )


def test_friendly_battle_changes_nothing() -> None:
    before = told(MUSTERED, recruited("f1"))
    after = step(before, replace(fought(died("f1")), friendly=True), find_toy)
    assert after.state == replace(before, sequence=3)
    assert not after.ledger


def test_a_fighter_who_was_killed_cannot_fight_again() -> None:
    dead = told(MUSTERED, recruited("f1"), fought(died("f1")))
    assert dead.fighters["f1"].end == "Black Tom"
    assert codes(step(dead, fought(survived("f1")), find_toy)) == ["fighter-gone"]


def test_nobody_is_in_a_battle_twice() -> None:
    result = step(told(MUSTERED, recruited("f1")), fought(survived("f1"), survived("f1")), find_toy)
    assert codes(result) == ["fielded-twice"]
    assert result.state.fighters["f1"].battles == 0


def test_who_recovers_misses_one_battle_and_is_fit_again() -> None:
    hurt = fought(survived("f1", wounds="grievous", recovery_roll=2))
    campaign = Enrolled(campaign="c", settings={"missed_game": True})
    state = told(MUSTERED, recruited("f1", "f2"), campaign, hurt)
    assert state.fighters["f1"].fate is Fate.RECOVERING
    assert codes(step(state, fought(survived("f1")), find_toy)) == ["fighter-absent"]
    assert step(state, fought(survived("f2")), find_toy).state.fighters["f1"].fate is Fate.FIT


def test_recovering_fighter_misses_one_battle() -> None:
    state = told(
        MUSTERED,
        recruited("f1", "f2"),
        Adjusted(fighter="f1", fate=Fate.RECOVERING, reason="fever"),
    )
    assert step(state, fought(survived("f2")), find_toy).state.fighters["f1"].fate is Fate.FIT


def test_who_is_called_back_to_life_bears_no_end() -> None:
    back = told(
        MUSTERED,
        recruited("f1"),
        fought(died("f1")),
        Adjusted(fighter="f1", fate=Fate.FIT, reason="it was Jack"),
    )
    assert (back.fighters["f1"].fate, back.fighters["f1"].end) == (Fate.FIT, "")


def test_a_rank_up_is_paid_from_the_balance() -> None:
    rich = told(MUSTERED, recruited("f1"), Adjusted(fighter="f1", experience=4, reason="gift"))
    result = step(rich, RankedUp(fighter="f1", step="veteran"), find_toy)
    fighter = result.state.fighters["f1"]
    assert (fighter.rank, fighter.points, fighter.experience, fighter.promotions) == (2, 10, 1, 1)
    assert [(line.amount, line.rule) for line in result.ledger] == [(-3, RULE)]


def test_a_rank_up_that_costs_too_much_is_refused() -> None:
    result = step(told(MUSTERED, recruited("f1")), RankedUp(fighter="f1", step="veteran"), find_toy)
    assert codes(result) == ["unaffordable-rank-up"]
    assert result.state.fighters["f1"].rank == 1


def test_unknown_rank_up_is_refused_despite_override() -> None:
    result = step(
        told(MUSTERED, recruited("f1")),
        RankedUp(fighter="f1", step="emperor"),
        find_toy,
        stands="please",
    )
    assert [conflict.code for conflict in result.open_conflicts] == ["illegal-rank-up"]


def test_fighter_with_record_cannot_be_removed() -> None:
    gift = Adjusted(fighter="f3", experience=1, reason="gift")
    state = told(MUSTERED, recruited("f1", "f2", "f3"), fought(survived("f1")), gift)
    assert codes(step(state, Left(fighter="f1", reason="struck"), find_toy)) == ["struck-veteran"]
    assert codes(step(state, Left(fighter="f3", reason="struck"), find_toy)) == ["struck-veteran"]
    assert "f2" not in step(state, Left(fighter="f2", reason="struck"), find_toy).state.fighters


def test_removed_veteran_is_retired_despite_conflict() -> None:
    state = told(MUSTERED, recruited("f1"), fought(survived("f1")))
    result = step(state, Left(fighter="f1", reason="struck"), find_toy, stands="he never was there")
    assert result.state.fighters["f1"].fate is Fate.RETIRED


def test_the_retired_stay_on_the_roll() -> None:
    fighter = told(MUSTERED, recruited("f1"), Left(fighter="f1", reason="dismissed")).fighters["f1"]
    assert (fighter.fate, fighter.end) == (Fate.RETIRED, "dismissed")


def test_a_leader_who_falls_leaves_the_post_empty() -> None:
    state = told(
        MUSTERED,
        recruited("f1", "f2"),
        Appointed(posts={"leader": ("f1",), "banner": ("f2",)}),
        fought(died("f1"), survived("f2")),
    )
    assert state.posts == {"banner": ("f2",)}


def test_the_dead_are_appointed_to_nothing() -> None:
    dead = told(MUSTERED, recruited("f1"), fought(died("f1")))
    assert codes(step(dead, Appointed(posts={"leader": ("f1",)}), find_toy)) == ["fighter-gone"]


def test_a_warband_is_in_one_campaign_at_a_time() -> None:
    state = told(MUSTERED, Enrolled(campaign="c"))
    assert codes(step(state, Enrolled(campaign="d"), find_toy)) == ["already-enrolled"]
    assert codes(step(state, Withdrawn(campaign="d"), find_toy)) == ["not-enrolled"]


def test_a_new_campaign_counts_its_own_games_and_takes_everybody_as_present_from_the_start() -> (
    None
):
    first = told(
        MUSTERED, recruited("f1"), Enrolled(campaign="c"), fought(survived("f1")), recruited("f2")
    )
    assert (first.games_played, first.fighters["f2"].joined_after) == (1, 1)
    second = told(MUSTERED, recruited("f1"), Enrolled(campaign="c"), fought(survived("f1")), recruited("f2"),
                  Withdrawn(campaign="c"), Enrolled(campaign="d"))  # fmt: skip
    assert (second.games_played, second.fighters["f2"].joined_after, second.won) == (0, 0, 1)


def test_house_rules_hold_from_when_they_change() -> None:
    history: list[AnyFact] = [
        MUSTERED,
        recruited("f1"),
        fought(survived("f1")),
        RulesChanged(settings={"surviving": 3}),
    ]
    result = replay_chronicle([*history, fought(survived("f1"))], find_toy)
    assert [line.amount for line in result.ledger] == [1, 3]


# Corrections and what they make impossible

PROMOTION: list[AnyFact] = [
    MUSTERED,
    recruited("f1"),
    fought(survived("f1"), deeds=(wounded("f1"), wounded("f1"))),
    RankedUp(fighter="f1", step="veteran"),
]
LESS = Corrected(target=3, replacement=fought(survived("f1"), deeds=(wounded("f1"),)))


def test_a_correction_that_takes_the_price_away_leaves_the_rank_up_in_conflict() -> None:
    assert replay_chronicle(PROMOTION, find_toy).state.fighters["f1"].rank == 2
    result = replay_chronicle([*PROMOTION, LESS], find_toy)
    assert [(conflict.sequence, conflict.code) for conflict in result.open_conflicts] == [
        (4, "unaffordable-rank-up")
    ]
    assert (result.state.fighters["f1"].rank, result.state.fighters["f1"].experience) == (1, 2)


def test_a_conflict_goes_away_if_the_later_choice_is_undone() -> None:
    result = replay_chronicle([*PROMOTION, replace(LESS, undone=(4,))], find_toy)
    assert not result.conflicts
    assert result.state.fighters["f1"].rank == 1


def test_a_conflict_may_stand_with_a_reason() -> None:
    result = replay_chronicle(
        [*PROMOTION, replace(LESS, standing=(Standing(4, "agreed at the club"),))], find_toy
    )
    assert not result.open_conflicts
    assert result.conflicts[0].reason == "agreed at the club"
    assert (result.state.fighters["f1"].rank, result.state.fighters["f1"].experience) == (2, -1)


def test_kept_battle_does_not_change_dead_fighter() -> None:
    history: list[AnyFact] = [
        MUSTERED,
        recruited("f1", "f2"),
        fought(survived("f1")),
        fought(survived("f1"), survived("f2")),
    ]
    killed = Corrected(
        target=3, replacement=fought(died("f1")), standing=(Standing(4, "nobody remembers"),)
    )
    result = replay_chronicle([*history, killed], find_toy)
    assert not result.open_conflicts
    assert (result.state.fighters["f1"].fate, result.state.fighters["f1"].battles) == (Fate.DEAD, 1)
    assert result.state.fighters["f2"].experience == 1


def test_what_counts_at_a_place_is_its_last_correction() -> None:
    history = [*PROMOTION, LESS, Corrected(target=4)]
    current = dict(effective(history))
    assert current[3] == LESS.replacement
    assert current[2] == PROMOTION[1]
    assert current.keys().isdisjoint({4, 5})


def test_a_correction_cannot_be_stepped() -> None:
    with pytest.raises(TypeError):
        step(told(*PROMOTION), LESS, find_toy)


# JSON and seals


def test_a_fact_from_the_future_is_not_guessed_at() -> None:
    data = {"kind": "left", "version": VERSION + 1}
    for read in (partial(decode, data), partial(decode_json, json.dumps(data))):
        with pytest.raises(RulesError, match="newer"):
            read()


@pytest.mark.parametrize(
    "data",
    [{"kind": "levitated"}, {"kind": "left", "wings": 2}, {"kind": "left", "fighter": 3}, {}],
)
def test_a_fact_that_makes_no_sense_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(RulesError) as violation:
        decode(data)
    assert violation.value.problems[0].code == "unreadable-fact"


def test_a_seal_covers_everything_that_an_entry_says() -> None:
    entry: dict[str, Any] = {
        "warband": "w",
        "sequence": 1,
        "payload": {"a": 1, "b": [2]},
        "recorded": "now",
    }
    changes: list[dict[str, Any]] = [
        {"warband": "v"},
        {"sequence": 2},
        {"payload": {"a": 1, "b": [3]}},
        {"recorded": "then"},
    ]
    seals = {
        seal(FIRST_SEAL, **entry),
        seal("1" * 64, **entry),
        *(seal(FIRST_SEAL, **entry | change) for change in changes),
    }
    assert len(seals) == 6


def test_a_seal_does_not_depend_on_the_order_of_keys() -> None:
    def of(payload: dict[str, Any]) -> str:
        return seal(FIRST_SEAL, warband="w", sequence=1, payload=payload, recorded="now")

    assert of({"a": 1, "b": 2}) == of({"b": 2, "a": 1}) != of({"a": 2, "b": 1})


def test_gone_means_dead_or_retired() -> None:
    assert {Fate.DEAD, Fate.RETIRED} == GONE
    roster = told(MUSTERED, recruited("f1", "f2"), Left(fighter="f1")).roster
    assert [fighter.id for fighter in roster.fighters] == ["f2"]


def test_equipment_changes_what_a_fighter_costs() -> None:
    changed = Equipped(fighter="f1", build={"profile": "recruit", "options": ["shield"]})
    assert told(MUSTERED, recruited("f1"), changed).fighters["f1"].points == 7


def test_a_build_that_nobody_can_read_is_refused() -> None:
    result = step(
        told(MUSTERED, recruited("f1")),
        Equipped(fighter="f1", build={"profile": "dragon"}),
        find_toy,
    )
    assert codes(result) == ["unreadable-build"]


def test_recruits_carry_the_reason_for_which_the_book_was_overruled() -> None:
    assert encode(Recruited(reason="the last of his line"))["reason"] == "the last of his line"
