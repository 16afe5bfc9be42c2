"""Which facts made a fighter what it is: the chronicle replayed, looking at one fighter."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from rulebook.chronicle.facts import AnyFact
from rulebook.chronicle.replay import FindRuleset, replay_steps
from rulebook.chronicle.states import FighterState
from rulebook.ruleset import CampaignTerms


class Change(Struct, frozen=True):
    """A fact that changed a fighter or the terms that it serves on: how it stood before (None: it
    was not there yet) and after (None: it was struck off)."""

    sequence: int
    fact: AnyFact
    before: FighterState | None
    after: FighterState | None
    terms_before: CampaignTerms
    terms_after: CampaignTerms


def trace(
    chronicle: Sequence[AnyFact], find_ruleset: FindRuleset, fighter: str
) -> Iterator[Change]:
    """Yield every fact that changed the fighter, in order, corrections honoured."""
    for sequence, fact, before, result in replay_steps(chronicle, find_ruleset):
        earlier, after = before.fighters.get(fighter), result.state.fighters.get(fighter)
        terms_before, terms_after = before.terms, result.state.terms
        if after != earlier or (after is not None and terms_after != terms_before):
            yield Change(sequence, fact, earlier, after, terms_before, terms_after)
