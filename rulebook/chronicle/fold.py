"""The fold: facts -> fighters, experience ledger, conflicts.

A warband is the fold of its chronicle. ``step`` takes one fact further from a known state; ``replay`` starts from
nothing and honours corrections. Both use the same rules, so that they agree (a property test holds them to it).

A fact that can no longer be true becomes a conflict. It is left out, unless a correction says that it stands.
"""

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from rulebook.chronicle import facts
from rulebook.chronicle.draft import Page
from rulebook.chronicle.facts import AnyFact
from rulebook.chronicle.handlers import TELL
from rulebook.chronicle.states import Conflict, LedgerLine, Step, WarbandState
from rulebook.ruleset import Ruleset

FindRuleset = Callable[[str, str], Ruleset]


def step(
    state: WarbandState,
    fact: AnyFact,
    find_ruleset: FindRuleset,
    *,
    sequence: int | None = None,
    stands: str | None = None,
) -> Step:
    """One fact further. ``stands`` is the reason for which a conflict is overruled, None if it is not.

    Raises TypeError for a ``Corrected`` fact: a correction needs the whole chronicle, see ``replay``.
    """
    if isinstance(fact, facts.Corrected):
        raise TypeError("A correction cannot be stepped: replay the chronicle.")
    rules = find_ruleset(*_edition_after(state, fact))
    page = Page(state, state.sequence + 1 if sequence is None else sequence, rules, stands)
    TELL[type(fact)](page, fact)
    return page.turned()


def _edition_after(state: WarbandState, fact: AnyFact) -> tuple[str, str]:
    """The rule system and the edition of it by which a fact is judged."""
    if isinstance(fact, facts.Mustered):
        return fact.ruleset, fact.edition
    if isinstance(fact, facts.EditionAdopted):
        return state.ruleset, fact.edition
    return state.ruleset, state.edition


def replay(chronicle: Sequence[AnyFact], find_ruleset: FindRuleset) -> Step:
    """The fold of a whole chronicle, corrections honoured: state, ledger and conflicts, in the order of the facts."""
    state, ledger, conflicts = WarbandState(), list[LedgerLine](), list[Conflict]()
    standing = {stand.sequence: stand.reason for fact in corrections(chronicle) for stand in fact.standing}
    for sequence, fact in effective(chronicle):
        turned = step(state, fact, find_ruleset, sequence=sequence, stands=standing.get(sequence))
        state = turned.state
        ledger += turned.ledger
        conflicts += turned.conflicts
    return Step(replace(state, sequence=len(chronicle)), tuple(ledger), tuple(conflicts))


def corrections(chronicle: Iterable[AnyFact]) -> list[facts.Corrected]:
    """The corrections in a chronicle, oldest first."""
    return [fact for fact in chronicle if isinstance(fact, facts.Corrected)]


def effective(chronicle: Sequence[AnyFact]) -> list[tuple[int, AnyFact]]:
    """The facts that count, each with its place (from 1): corrected ones replaced, struck ones left out."""
    return effective_at(enumerate(chronicle, start=1))


def effective_at(numbered: Iterable[tuple[int, AnyFact]]) -> list[tuple[int, AnyFact]]:
    """As ``effective``, of part of a chronicle: some facts with their places, and every correction."""
    told_at = dict(numbered)
    current: dict[int, AnyFact | None] = dict(told_at)
    for sequence, fact in told_at.items():
        if isinstance(fact, facts.Corrected):
            current[sequence] = None
            current[fact.target] = fact.replacement
            current.update(dict.fromkeys(fact.undone))
    return sorted((sequence, fact) for sequence, fact in current.items() if fact is not None)


def current_fact(chronicle: Sequence[AnyFact], sequence: int) -> AnyFact | None:
    """What counts at this place of the chronicle, None where it was struck or is itself a correction."""
    return dict(effective(chronicle)).get(sequence)
