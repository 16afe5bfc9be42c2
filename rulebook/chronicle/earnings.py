"""A corrected battle that changes no more than what fighters earned and counted in it.

All later facts act on these fighters as before, and their balances change by the same amount. So
the stored state changes by that amount too, and the later facts are neither read nor replayed.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rulebook.chronicle.facts import AnyFact, Corrected, Fought
from rulebook.chronicle.replay import FindRuleset, corrections, effective_at, step
from rulebook.chronicle.states import FighterState, LedgerLine, ReplayResult, WarbandState
from rulebook.ruleset import Record, Ruleset

RESULTS = ("won", "drawn", "lost")


class EarningsChange(Struct, frozen=True):
    """The effect of a corrected battle: the state after all facts, and the battle's own lines.

    ``balances`` has the change of each fighter's balance after the battle, if it is not 0.
    """

    state: WarbandState
    before: tuple[LedgerLine, ...]
    lines: tuple[LedgerLine, ...]
    balances: Mapping[str, int]


def may_change_only_earnings(
    numbered: Sequence[tuple[int, AnyFact]], corrected: Corrected, rules: Ruleset
) -> bool:
    """Return whether a correction may be one of those that ``earnings_change`` works out.

    Args:
        numbered: the fact that is corrected and all corrections, each with its place.
    """
    all_corrections = (*corrections(fact for _, fact in numbered), corrected)
    old, new = dict(effective_at(numbered)).get(corrected.target), corrected.replacement
    return (
        isinstance(old, Fought)
        and isinstance(new, Fought)
        and not rules.progression.clears_experience
        and not corrected.undone
        and not any(each.standing for each in all_corrections)
        and (old.played, old.friendly) == (new.played, new.friendly)
        # More deeds mean more lines of the ledger, and later lines need other ids.
        and len(new.deeds) <= len(old.deeds)
        and [_lasting(record) for record in old.records]
        == [_lasting(record) for record in new.records]
    )


def _lasting(record: Record) -> Record:
    """Return a record without the values that change nothing after the next battle."""
    return replace(record, wounds="", routed=False, survived=True, losses=())


def earnings_change(
    numbered: Sequence[tuple[int, AnyFact]],
    corrected: Corrected,
    find_ruleset: FindRuleset,
    state: WarbandState,
    later: Iterable[tuple[str, str]],
) -> EarningsChange | None:
    """Return what a corrected battle changes, or None if later facts must be replayed for it.

    The answer is right if no later balance falls below zero by it, which the caller must check.

    Args:
        numbered: the facts up to the corrected one and all corrections, each with its place.
        state: the replay of the whole chronicle without this correction. It has no open conflict.
        later: when each battle that was entered after the corrected one was played.
    """
    rules, new = find_ruleset(state.ruleset, state.edition), corrected.replacement
    if not may_change_only_earnings(numbered, corrected, rules) or not isinstance(new, Fought):
        return None

    # A battle that was entered later and played earlier is not among the facts.
    facts = [fact for _, fact in numbered]
    replaced = [each.replacement for each in corrections(facts) if each.target > corrected.target]
    days = [*later, *(each.played for each in replaced if isinstance(each, Fought))]
    if any(day[1] and day < new.played for day in days):
        return None

    # Both results of the battle come from the same state.
    start, recorded = WarbandState(), effective_at(numbered)
    place = next(at for at, each in enumerate(recorded) if each[0] == corrected.target)
    for sequence, fact in recorded[:place]:
        result = step(start, fact, find_ruleset, sequence=sequence)
        if result.conflicts:
            return None
        start = result.state
    _, old = recorded[place]
    was, now = (step(start, each, find_ruleset, sequence=corrected.target) for each in (old, new))
    if was.conflicts or now.conflicts or len(now.ledger) > len(was.ledger):
        return None
    return _shifted(state, was, now)


def _shifted(state: WarbandState, was: ReplayResult, now: ReplayResult) -> EarningsChange | None:
    """Return the state with the difference of two results of an earlier battle, or None."""
    for name in WarbandState.__struct_fields__:
        same = getattr(was.state, name) == getattr(now.state, name)
        if not same and name not in (*RESULTS, "fighters"):
            return None
    fighters, balances = dict(state.fighters), dict[str, int]()
    for key, before in was.state.fighters.items():
        after, stored = now.state.fighters.get(key), fighters.get(key)
        if after == before:
            continue
        shifted = after and stored and _shifted_fighter(stored, before, after)
        if not after or not shifted:
            return None
        fighters[key] = shifted
        if after.experience != before.experience:
            balances[key] = after.experience - before.experience
    results = {
        name: getattr(state, name) + getattr(now.state, name) - getattr(was.state, name)
        for name in RESULTS
    }
    return EarningsChange(
        replace(state, fighters=fighters, sequence=state.sequence + 1, **results),
        was.ledger,
        now.ledger,
        balances,
    )


def _shifted_fighter(
    stored: FighterState, before: FighterState, after: FighterState
) -> FighterState | None:
    """Return a stored fighter with the difference of two results of an earlier battle.

    Returns None if they differ in more than experience, tallies and wounds. A later battle has
    replaced the wounds.
    """
    earned = {
        "experience": before.experience,
        "earned": before.earned,
        "tallies": before.tallies,
        "wounds": before.wounds,
    }
    if replace(after, **earned) != before:
        return None
    fought_later = stored.battles > before.battles
    if not fought_later and stored.wounds != before.wounds:
        return None
    tallies = {
        key: stored.tallies.get(key, 0) + after.tallies.get(key, 0) - before.tallies.get(key, 0)
        for key in {**stored.tallies, **after.tallies}
    }
    return replace(
        stored,
        experience=stored.experience + after.experience - before.experience,
        earned=stored.earned + after.earned - before.earned,
        tallies={key: number for key, number in tallies.items() if number},
        wounds=stored.wounds if fought_later else after.wounds,
    )
