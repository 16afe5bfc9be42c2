"""The replay: from facts to fighters, experience ledger and conflicts.

A warband is the replay of its chronicle. ``step`` applies one fact to a known state.
``replay_chronicle`` starts from nothing, applies corrections and puts battles in order of play.
Both apply each fact in the same way (``Fact.apply``), so they agree (a property test checks this).

A fact that can no longer be true becomes a conflict. It is left out unless a correction keeps it in
force.
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
    """Apply one fact to a state. ``stands`` is the reason for overriding conflicts, or None.

    A battle that was played before the last one (``Fought.is_late``) belongs at an earlier place:
    replay the whole chronicle for it. Raises TypeError for a ``Corrected`` fact, which needs the
    whole chronicle too; see ``replay_chronicle``.
    """
    return step_draft(state, fact, find_ruleset, sequence=sequence, stands=stands).result()


def step_draft(
    state: WarbandState,
    fact: AnyFact,
    find_ruleset: FindRuleset,
    *,
    sequence: int | None = None,
    stands: str | None = None,
) -> StateDraft:
    """Apply one fact to a state as ``step`` does; return the draft that has its result."""
    if isinstance(fact, Corrected):
        raise TypeError("A correction cannot be stepped: replay the chronicle.")
    # Facts that create a warband or adopt an edition name the rules that already apply to them.
    rules = find_ruleset(*fact.rules_key(state))
    place = state.sequence + 1 if sequence is None else sequence
    draft = StateDraft(state, place, rules, stands)
    try:
        fact.apply(draft)
    except RulesError as error:
        # The rules cannot read something that all facts depend on, such as a house rule: leave this
        # fact out.
        draft = StateDraft(state, place, rules, stands)
        draft.add_lasting_conflict("unreadable-rules", str(error))
    if isinstance(fact, Fought):
        draft.state = replace(draft.state, last_played=max(draft.state.last_played, fact.played))
    return draft


def replay_chronicle(chronicle: Sequence[AnyFact], find_ruleset: FindRuleset) -> ReplayResult:
    """Replay a whole chronicle with its corrections, battles in order of play.

    Returns state, ledger and conflicts.
    """
    state, ledger, conflicts = WarbandState(), list[LedgerLine](), list[Conflict]()
    for _, _, _, result in replay_steps(chronicle, find_ruleset):
        state = result.state
        ledger += result.ledger
        conflicts += result.conflicts
    return ReplayResult(replace(state, sequence=len(chronicle)), tuple(ledger), tuple(conflicts))


def replay_steps(
    chronicle: Sequence[AnyFact], find_ruleset: FindRuleset
) -> Iterator[tuple[int, AnyFact, WarbandState, ReplayResult]]:
    """Yield each effective fact, battles in order of play.

    Yields its place in the chronicle, the fact, the state before it, and its result.
    """
    state = WarbandState()
    standing = {
        stand.sequence: stand.reason for fact in corrections(chronicle) for stand in fact.standing
    }
    for sequence, fact in effective(chronicle):
        result = step(state, fact, find_ruleset, sequence=sequence, stands=standing.get(sequence))
        yield sequence, fact, state, result
        state = result.state


def corrections(chronicle: Iterable[AnyFact]) -> list[Corrected]:
    """Return the corrections in a chronicle, oldest first."""
    return [fact for fact in chronicle if isinstance(fact, Corrected)]


def effective(chronicle: Sequence[AnyFact]) -> list[tuple[int, AnyFact]]:
    """Return the effective facts, each with its place in the chronicle (from 1).

    Corrected facts are replaced, voided ones left out, and battles put in order of play.
    """
    return effective_at(enumerate(chronicle, start=1))


def effective_at(numbered: Iterable[tuple[int, AnyFact]]) -> list[tuple[int, AnyFact]]:
    """Return the effective facts of part of a chronicle: some facts with places, all corrections.

    The order is that of the whole chronicle if all battles are included.
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
    """Return effective facts, given in the order of entry, with battles in the order of play.

    Facts are added one by one in the order of entry. Each goes to the end, except a late battle: it
    goes directly before the first battle that was played after it. The result depends only on
    the effective facts: a correction that changes the day of a battle moves it, and a voided battle
    takes no place.

    - Battles are compared by day, then by place in the day. Equal battles keep the order of entry.
    - All other facts keep their order of entry among themselves, and stay after the battle that
      they were entered after.
    - A battle without a place in its day never moves. Others go before it only if its day is
      later than theirs.
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
    """Return the warband's state at the time of a battle that is not in its chronicle yet.

    This is the state at the place that ``in_order_of_play`` would give the battle.
    """
    state = WarbandState()
    for _, fact, before, result in replay_steps(chronicle, find_ruleset):
        if isinstance(fact, Fought) and fact.played > played:
            return before
        state = result.state
    return state


class Change(Struct, frozen=True):
    """A fact that changed a fighter or the warband's terms.

    ``before`` is None if the fighter was not on the roster yet, and ``after`` is None if the
    fighter was removed.
    """

    sequence: int
    fact: AnyFact
    before: FighterState | None
    after: FighterState | None
    terms_before: CampaignTerms
    terms_after: CampaignTerms


def trace(
    chronicle: Sequence[AnyFact], find_ruleset: FindRuleset, fighter: str
) -> Iterator[Change]:
    """Yield every fact that changed the fighter, in order and with corrections applied."""
    for sequence, fact, before, result in replay_steps(chronicle, find_ruleset):
        earlier, after = before.fighters.get(fighter), result.state.fighters.get(fighter)
        terms_before, terms_after = before.terms, result.state.terms
        if after != earlier or (after is not None and terms_after != terms_before):
            yield Change(sequence, fact, earlier, after, terms_before, terms_after)
