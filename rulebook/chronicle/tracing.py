"""Which facts made a fighter what it is: the fold told again, looking at one fighter."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from rulebook.chronicle.facts import AnyFact
from rulebook.chronicle.fold import FindRuleset, corrections, effective, step
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.ruleset import Terms


class Change(Struct, frozen=True):
    """A fact that changed a fighter or the terms that it serves on: how it stood before (None: it was not there yet)
    and after (None: it was struck off)."""

    sequence: int
    fact: AnyFact
    before: FighterState | None
    after: FighterState | None
    terms_before: Terms
    terms_after: Terms


def trace(chronicle: Sequence[AnyFact], find_ruleset: FindRuleset, fighter: str) -> Iterator[Change]:
    """Every fact that changed the fighter, in order, corrections honoured."""
    state = WarbandState()
    standing = {stand.sequence: stand.reason for fact in corrections(chronicle) for stand in fact.standing}
    for sequence, fact in effective(chronicle):
        known, terms = state.fighters.get(fighter), state.terms
        state = step(state, fact, find_ruleset, sequence=sequence, stands=standing.get(sequence)).state
        after = state.fighters.get(fighter)
        if after != known or (after is not None and state.terms != terms):
            yield Change(sequence, fact, known, after, terms, state.terms)
