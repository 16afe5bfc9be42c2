"""A corrected battle that changes only earnings gives the same as a replay of all facts."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulebook.chronicle.comparison import compare_replays
from rulebook.chronicle.earnings import EarningsChange, earnings_change
from rulebook.chronicle.facts import Adjusted, AnyFact, Corrected, Fought, RankedUp, Standing
from rulebook.chronicle.replay import FindRuleset, effective, replay_chronicle
from rulebook.chronicle.states import LedgerLine
from rulebook.registry import find_ruleset, newest_ruleset
from rulebook.ruleset import Deed, Fate, Record
from scripts.bench.rules import chronicle_of
from scripts.demo.campaigns import REFEREES
from tests.rulebook.sample_battles import refereed
from tests.rulebook.test_chronicle import facts, find_toy, histories
from tests.rulebook.test_chronicle_of_real_lists import campaigns
from tests.soak import made_up


@dataclass
class Corrections:
    """A chronicle of one warband, whose battles are corrected."""

    history: list[AnyFact]
    find: FindRuleset

    def change(self, corrected: Corrected) -> EarningsChange | None:
        """Return what is worked out from the facts up to the battle."""
        target = corrected.target
        numbered = [
            (place, fact)
            for place, fact in enumerate(self.history, 1)
            if place <= target or isinstance(fact, Corrected)
        ]
        later = [each.played for each in self.history[target:] if isinstance(each, Fought)]
        state = replay_chronicle(self.history, self.find).state
        return earnings_change(numbered, corrected, self.find, state, later)

    def expect_replay(self, corrected: Corrected) -> bool:
        """Fail if the change differs from the replay of all facts. Return whether there is one."""
        whole = compare_replays(self.history, [corrected], self.find)
        # A correction that leaves a conflict open is refused: no stored chronicle has one.
        change = None if whole.before.conflicts else self.change(corrected)
        if change is None or overspent(change, whole.before.ledger, corrected.target):
            return False
        assert change.state == whole.after.state
        assert not whole.after.conflicts
        assert change.before == lines_of(whole.before.ledger, corrected.target)
        assert change.lines == lines_of(whole.after.ledger, corrected.target)
        others = [line for line in whole.before.ledger if line.sequence != corrected.target]
        later = places_after(self.history, corrected.target)
        assert [line for line in whole.after.ledger if line.sequence != corrected.target] == [
            replace(line, balance=line.balance + change.balances.get(line.fighter, 0))
            if line.sequence in later
            else line
            for line in others
        ]
        return True


def lines_of(ledger: tuple[LedgerLine, ...], sequence: int) -> tuple[LedgerLine, ...]:
    return tuple(line for line in ledger if line.sequence == sequence)


def places_after(history: list[AnyFact], target: int) -> set[int]:
    """Return the places of the facts that are played after one."""
    order = [place for place, _ in effective(history)]
    return {*order[order.index(target) + 1 :]}


def overspent(change: EarningsChange, ledger: tuple[LedgerLine, ...], target: int) -> bool:
    """Return whether a balance after the battle falls below zero."""
    last = max([at for at, line in enumerate(ledger) if line.sequence == target], default=0)
    return any(
        line.balance + change.balances.get(line.fighter, 0) < 0
        for line in ledger[last + 1 :]
        if change.balances.get(line.fighter, 0) < 0
    )


def with_fewer_deeds(fought: Fought, draw: st.DataObject) -> Fought:
    """Return the battle with other deeds, and perhaps with other wounds of its fighters."""
    deeds = draw.draw(st.lists(st.sampled_from(fought.deeds), max_size=6)) if fought.deeds else []
    if draw.draw(st.booleans()):
        return replace(fought, deeds=tuple(deeds))
    wounds = draw.draw(st.sampled_from(["", "light"]))
    records = tuple(replace(each, wounds=wounds) for each in fought.records)
    return replace(fought, deeds=tuple(deeds), records=records)


def battles(history: list[AnyFact]) -> list[tuple[int, Fought]]:
    return [(place, each) for place, each in enumerate(history, 1) if isinstance(each, Fought)]


@made_up("random chronicles of a warband", 300, sample=80)
@given(histories, facts, st.data())
def test_change_of_random_chronicle_equals_replay(
    history: list[AnyFact], fact: AnyFact, data: st.DataObject
) -> None:
    fought = battles(history)
    if not fought:
        return
    place, battle = data.draw(st.sampled_from(fought))
    other = data.draw(st.sampled_from([fact, with_fewer_deeds(battle, data)]))
    Corrections(history, find_toy).expect_replay(Corrected(target=place, replacement=other))


@made_up("corrections of real campaigns", 150, sample=40)
@given(campaigns(), st.data())
def test_change_of_real_campaign_equals_replay(history: list[AnyFact], data: st.DataObject) -> None:
    for _ in range(2):
        place, battle = data.draw(st.sampled_from(battles(history)))
        correction = Corrected(target=place, replacement=with_fewer_deeds(battle, data))
        Corrections(history, find_ruleset).expect_replay(correction)
        history = [*history, correction]


# A warband of twenty with rank-ups, in which each fighter deals a wound in every battle.


@pytest.fixture(scope="module")
def long() -> Corrections:
    return Corrections(chronicle_of(12), find_ruleset)


def first(history: list[AnyFact]) -> tuple[int, Fought]:
    return battles(history)[0]


def test_struck_wound_is_worked_out_without_later_facts(long: Corrections) -> None:
    place, battle = first(long.history)
    correction = Corrected(target=place, replacement=replace(battle, deeds=battle.deeds[:-1]))
    assert long.expect_replay(correction)
    change = long.change(correction)
    assert change is not None
    assert change.balances == {battle.deeds[-1].fighter: -1}


def test_correction_of_a_correction_is_worked_out(long: Corrections) -> None:
    place, battle = first(long.history)
    fewer = [replace(battle, deeds=battle.deeds[:number]) for number in (15, 10)]
    corrected = Corrections(
        [*long.history, Corrected(target=place, replacement=fewer[0])], long.find
    )
    assert corrected.expect_replay(Corrected(target=place, replacement=fewer[1]))


def test_rank_up_that_becomes_too_dear_shows_in_the_balances(long: Corrections) -> None:
    promoted = next(each.fighter for each in long.history if isinstance(each, RankedUp))
    history = list(long.history)
    for place, battle in battles(history):
        deeds = tuple(deed for deed in battle.deeds if deed.fighter != promoted)
        correction = Corrected(target=place, replacement=replace(battle, deeds=deeds))
        if not Corrections(history, find_ruleset).expect_replay(correction):
            break
        history.append(correction)
    else:
        pytest.fail("A fighter without wounds could pay for every rank-up.")
    assert compare_replays(history, [correction], find_ruleset).after.conflicts


@pytest.mark.parametrize(
    "what", ["dead", "day", "friendly", "void", "more", "undone", "stands", "late", "missing"]
)
def test_other_corrections_need_a_replay(long: Corrections, what: str) -> None:
    place, battle = first(long.history)
    (record, *others), history = battle.records, list(long.history)
    fewer = replace(battle, deeds=battle.deeds[:-1])
    deed = Deed(record.fighter, "wound", 1, victim_name="Max", victim_rank=9, result="light")
    corrections = {
        "dead": replace(battle, records=(replace(record, fate=Fate.DEAD), *others)),
        "day": replace(battle, fought_on="2025-12-31"),
        "friendly": replace(battle, friendly=True),
        "void": None,
        "more": replace(battle, deeds=(*battle.deeds, deed, deed)),
        "missing": replace(battle, records=tuple(others)),
    }
    correction = Corrected(target=place, replacement=corrections.get(what, fewer))
    if what == "undone":
        last = next(at for at, each in enumerate(history, 1) if isinstance(each, RankedUp))
        correction = replace(correction, undone=(last,))
    if what == "stands":
        history.append(
            Corrected(target=place, replacement=battle, standing=(Standing(place + 1, "so be it"),))
        )
    if what == "late":
        late = replace(battle, battle="late", fought_on="2025-01-01", place_in_day="2025-01-01T00")
        history.append(late)
    assert Corrections(history, long.find).change(correction) is None


def test_later_battle_keeps_its_wounds(long: Corrections) -> None:
    for place, battle in (first(long.history), battles(long.history)[-1]):
        records = tuple(replace(each, wounds="") for each in battle.records)
        correction = Corrected(target=place, replacement=replace(battle, records=records))
        assert long.expect_replay(correction)


def test_adjusted_experience_stays_spent(long: Corrections) -> None:
    place, battle = first(long.history)
    fighter = battle.deeds[-1].fighter
    state = replay_chronicle(long.history, long.find).state
    spent = Adjusted(
        fighter=fighter, experience=-state.fighters[fighter].experience, reason="Lost."
    )
    correction = Corrected(target=place, replacement=replace(battle, deeds=battle.deeds[:-1]))
    assert not Corrections([*long.history, spent], long.find).expect_replay(correction)


@pytest.mark.parametrize("key", sorted({"en-garde", *REFEREES}))
def test_only_systems_that_say_so_clear_experience(key: str) -> None:
    progression = newest_ruleset(key).progression
    worst = Record("a0", 0, Fate.FIT, survived=False, wounds="shattered")
    setup, _ = refereed(key, 1)
    clears = any(
        award.clears
        for settings in ({}, {"seasoning": True}, setup.settings)
        for award in progression.awards((worst,), (), settings)
    )
    assert clears == progression.clears_experience
