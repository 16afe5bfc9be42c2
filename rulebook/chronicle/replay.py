"""The replay: facts -> fighters, experience ledger, conflicts.

A warband is the replay of its chronicle. ``step`` takes one fact further from a known state;
``replay_chronicle`` starts from nothing, honours corrections and takes battles in the order of
play. Both apply each fact in the same way (``Fact.apply``), so that they agree (a property test
holds them to it).

A fact that can no longer be true becomes a conflict. It is left out, unless a correction says that
it stands.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from rulebook.chronicle.facts import AnyFact, Corrected, Fought
from rulebook.chronicle.state_draft import StateDraft
from rulebook.chronicle.states import Conflict, FighterState, LedgerLine, ReplayResult, WarbandState
from rulebook.ruleset import CampaignTerms, RulesError, Ruleset

FindRuleset = Callable[[str, str], Ruleset]


def step(
    state: WarbandState,
    fact: AnyFact,
    find_ruleset: FindRuleset,
    *,
    sequence: int | None = None,
    stands: str | None = None,
) -> ReplayResult:
    """One fact further. ``stands`` is the reason for which a conflict is overruled, None if it is
    not.

    A battle that was played before the last one (``Fought.is_late``) needs its place: replay the
    chronicle with it. Raises TypeError for a ``Corrected`` fact: a correction needs the whole
    chronicle, see ``replay_chronicle``.
    """
    if isinstance(fact, Corrected):
        raise TypeError("A correction cannot be stepped: replay the chronicle.")
    # Whoever musters a warband, or adopts another edition, names the rules that hold for this very
    # fact.
    rules = find_ruleset(*fact.rules_key(state))
    place = state.sequence + 1 if sequence is None else sequence
    draft = StateDraft(state, place, rules, stands)
    try:
        fact.apply(draft)
    except RulesError as error:
        # The rules cannot read something that all facts hang on, such as a house rule: this fact is
        # left out.
        draft = StateDraft(state, place, rules, stands)
        draft.add_lasting_conflict("unreadable-rules", str(error))
    if isinstance(fact, Fought):
        draft.state = replace(draft.state, last_played=max(draft.state.last_played, fact.played))
    return draft.result()


def replay_chronicle(chronicle: Sequence[AnyFact], find_ruleset: FindRuleset) -> ReplayResult:
    """The replay of a whole chronicle, corrections honoured: state, ledger and conflicts, battles
    in order of play."""
    state, ledger, conflicts = WarbandState(), list[LedgerLine](), list[Conflict]()
    for _, _, _, result in replay_steps(chronicle, find_ruleset):
        state = result.state
        ledger += result.ledger
        conflicts += result.conflicts
    return ReplayResult(replace(state, sequence=len(chronicle)), tuple(ledger), tuple(conflicts))


def replay_steps(
    chronicle: Sequence[AnyFact], find_ruleset: FindRuleset
) -> Iterator[tuple[int, AnyFact, WarbandState, ReplayResult]]:
    """Each fact that counts, battles in order of play: its place in the chronicle, the fact, the
    state before it and what it has made of that."""
    state = WarbandState()
    standing = {
        stand.sequence: stand.reason for fact in corrections(chronicle) for stand in fact.standing
    }
    for sequence, fact in effective(chronicle):
        result = step(state, fact, find_ruleset, sequence=sequence, stands=standing.get(sequence))
        yield sequence, fact, state, result
        state = result.state


def corrections(chronicle: Iterable[AnyFact]) -> list[Corrected]:
    """The corrections in a chronicle, oldest first."""
    return [fact for fact in chronicle if isinstance(fact, Corrected)]


def effective(chronicle: Sequence[AnyFact]) -> list[tuple[int, AnyFact]]:
    """The facts that count, each with its place in the chronicle (from 1): corrected ones replaced,
    struck ones left out, battles in order of play."""
    return effective_at(enumerate(chronicle, start=1))


def effective_at(numbered: Iterable[tuple[int, AnyFact]]) -> list[tuple[int, AnyFact]]:
    """As ``effective``, of part of a chronicle: some facts with their places, and every correction.

    Battles and other facts follow each other as they do in the whole chronicle if every battle is
    among them.
    """
    recorded = dict(numbered)
    current: dict[int, AnyFact | None] = dict(recorded)
    for sequence, fact in recorded.items():
        if isinstance(fact, Corrected):
            current[sequence] = None
            current[fact.target] = fact.replacement
            current.update(dict.fromkeys(fact.undone))
    counting = ((sequence, fact) for sequence, fact in current.items() if fact is not None)
    return in_order_of_play(sorted(counting, key=itemgetter(0)))


def in_order_of_play(numbered: Iterable[tuple[int, AnyFact]]) -> list[tuple[int, AnyFact]]:
    """Facts that count, given in the order of entry, with each battle where it was played.

    The facts are taken in the order of entry. Each goes to the end, except a late battle: one that
    was played before a battle already there goes directly before the first such battle. So what
    follows depends on nothing but the facts that count: a correction that gives a battle another
    day moves it, and one that is struck out holds no place.

    - Battles are compared by day, then place in the day; those that have both alike keep the order
      of entry.
    - All other facts keep the order of entry among themselves, and to the battle after which they
      were entered.
    - A battle without a place in its day never moves. Others are placed before it only if its day
      is later than theirs.
    """
    placed: list[tuple[int, AnyFact]] = []
    last_played = ("", "")
    for sequence, fact in numbered:
        place = len(placed)
        if isinstance(fact, Fought):
            if fact.is_late(last_played):
                place = next(at for at, (_, other) in enumerate(placed) if _is_later(other, fact))
            last_played = max(last_played, fact.played)
        placed.insert(place, (sequence, fact))
    return placed


def _is_later(other: AnyFact, fact: Fought) -> bool:
    return isinstance(other, Fought) and other.played > fact.played


def state_before(
    chronicle: Sequence[AnyFact], find_ruleset: FindRuleset, played: tuple[str, str]
) -> WarbandState:
    """The warband as it was when a battle was played that is not in its chronicle yet: at the place
    that ``in_order_of_play`` would give it."""
    state = WarbandState()
    for _, fact, before, result in replay_steps(chronicle, find_ruleset):
        if isinstance(fact, Fought) and fact.played > played:
            return before
        state = result.state
    return state


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
