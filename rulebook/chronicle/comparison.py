"""The replay of a chronicle without and with new facts, side by side.

A correction changes few fighters. After it, the other fighters of a battle come out of it as they
did before; only those who went into it in another state are worked out again. Everything else is
replayed in full. The results equal ``replay_chronicle`` (a property test checks this).
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rulebook.chronicle.facts import AnyFact, Fought
from rulebook.chronicle.replay import FindRuleset, corrections, effective, step_draft
from rulebook.chronicle.state_draft import StateDraft
from rulebook.chronicle.states import Conflict, FighterState, LedgerLine, ReplayResult, WarbandState
from rulebook.ruleset import Award


class Comparison(Struct, frozen=True):
    """The replays of a chronicle before and after some facts were added.

    ``unchanged`` has the places of the facts that are played before the first one that changes,
    moves or is kept in force: they have the same results. ``lines`` says which ledger lines of the
    other facts differ.
    """

    before: ReplayResult
    after: ReplayResult
    unchanged: frozenset[int]
    lines: "LineDifference"


class LineDifference(Struct, frozen=True):
    """The ledger lines that differ between two replays.

    ``facts`` have lines that differ in more than the balance, ``fighters`` have lines of which only
    the balance differs. ``moved`` says that lines were added or change their order, and any may
    differ.
    """

    facts: frozenset[int] = frozenset()
    fighters: frozenset[str] = frozenset()
    moved: bool = False


class _Step(Struct, frozen=True):
    """A fact as it was replayed: the reason why it stands, the state before it, and its result.

    ``awards`` are what a battle is worth.
    """

    fact: AnyFact
    stands: str | None
    before: WarbandState
    result: ReplayResult
    awards: tuple[Award, ...] | None = None


def compare_replays(
    chronicle: Sequence[AnyFact], added: Sequence[AnyFact], find_ruleset: FindRuleset
) -> Comparison:
    """Return the replays of a chronicle without and with facts that are added at its end."""
    whole = [*chronicle, *added]
    former, after = effective(chronicle), effective(whole)
    stood, stands = _reasons(chronicle), _reasons(whole)

    # Step 1: replay the facts that are the same in both once.
    same = 0
    for (place, fact), (other_place, other) in zip(former, after, strict=False):
        if (place, stood.get(place)) != (other_place, stands.get(place)) or fact is not other:
            break
        same += 1
    beginning = _replayed(WarbandState(), former[:same], stood, find_ruleset)
    state = next(reversed(beginning.values())).result.state if beginning else WarbandState()

    # Step 2: replay the others without and with the new facts.
    without = _replayed(state, former[same:], stood, find_ruleset)
    new = _replayed(state, after[same:], stands, find_ruleset, without)
    return Comparison(
        before=_together([*beginning.values(), *without.values()], len(chronicle)),
        after=_together([*beginning.values(), *new.values()], len(whole)),
        unchanged=frozenset(beginning),
        lines=_line_difference(without, new),
    )


def _reasons(chronicle: Sequence[AnyFact]) -> dict[int, str]:
    """Return why facts stand although they are impossible, by their places."""
    return {
        stand.sequence: stand.reason for fact in corrections(chronicle) for stand in fact.standing
    }


def _replayed(
    state: WarbandState,
    facts: Sequence[tuple[int, AnyFact]],
    stands: Mapping[int, str],
    find_ruleset: FindRuleset,
    former: Mapping[int, _Step] | None = None,
) -> dict[int, _Step]:
    """Replay facts from a state, in this order; return each by its place.

    ``former`` are the steps of another replay, whose fighters are used again if they are equal.
    """
    steps: dict[int, _Step] = {}
    for place, fact in facts:
        reason, twin = stands.get(place), former.get(place) if former else None
        each = None
        if twin is not None and twin.fact is fact and twin.stands == reason:
            each = _step_like(twin, state, place, find_ruleset)
        if each is None:
            draft = step_draft(state, fact, find_ruleset, sequence=place, stands=reason)
            result = draft.result()
            if twin is not None:
                result = _with_fighters_of(twin.result, result)
            each = _Step(fact, reason, state, result, draft.awards)
        steps[place] = each
        state = each.result.state
    return steps


def _with_fighters_of(former: ReplayResult, result: ReplayResult) -> ReplayResult:
    """Return the result with the former fighters where they are equal, to compare them quickly."""
    fighters: dict[str, FighterState] = {}
    for key, fighter in result.state.fighters.items():
        other = former.state.fighters.get(key)
        fighters[key] = other if other is not None and other == fighter else fighter
    return replace(result, state=replace(result.state, fighters=fighters))


def _step_like(
    twin: _Step, state: WarbandState, place: int, find_ruleset: FindRuleset
) -> _Step | None:
    """Return the step of a battle from another state, most of it as in its twin.

    Only the fighters who went into the battle in another state are worked out. Returns None if that
    is not enough: for other facts, after other rules, with conflicts, or if a fighter gets more or
    fewer ledger lines.
    """
    fact, before, former = twin.fact, twin.before, twin.result
    if (
        not isinstance(fact, Fought)
        or former.conflicts
        or twin.stands
        or before.terms != state.terms
    ):
        return None
    key = fact.rules_key(state)
    if key != fact.rules_key(before) or before.fighters.keys() != state.fighters.keys():
        return None
    others = {
        each: fighter
        for each, fighter in state.fighters.items()
        if fighter is not before.fighters[each]
    }
    fighters = {each: others.get(each) or former.state.fighters[each] for each in state.fighters}
    draft = StateDraft(state, place, find_ruleset(*key), twin.stands)
    draft.fighters, draft.only, draft.awards = fighters, others.keys(), twin.awards
    fact.apply(draft)
    ledger = _with_lines(former.ledger, draft.ledger, others)
    if draft.conflicts or ledger is None:
        return None
    draft.state = replace(draft.state, last_played=max(state.last_played, fact.played))
    result = replace(draft.result(), ledger=ledger)
    return _Step(fact, twin.stands, state, result, twin.awards)


def _with_lines(
    former: Sequence[LedgerLine], lines: Sequence[LedgerLine], fighters: Mapping[str, FighterState]
) -> tuple[LedgerLine, ...] | None:
    """Return the lines with those of some fighters replaced, or None if they do not fit."""
    own = [line.fighter for line in former if line.fighter in fighters]
    if own != [line.fighter for line in lines]:
        return None
    left = iter(lines)
    return tuple(next(left) if line.fighter in fighters else line for line in former)


def _together(steps: Sequence[_Step], length: int) -> ReplayResult:
    ledger, conflicts = list[LedgerLine](), list[Conflict]()
    for each in steps:
        ledger += each.result.ledger
        conflicts += each.result.conflicts
    state = steps[-1].result.state if steps else WarbandState()
    return ReplayResult(replace(state, sequence=length), tuple(ledger), tuple(conflicts))


def _line_difference(former: Mapping[int, _Step], new: Mapping[int, _Step]) -> LineDifference:
    """Return which ledger lines differ between the two ends of the replays."""
    facts, fighters = set[int](), set[str]()
    kept = [place for place in former if place in new]
    if kept != list(new):
        return LineDifference(moved=True)
    for place, each in former.items():
        was = each.result.ledger
        now = new[place].result.ledger if place in new else ()
        if len(now) > len(was):
            return LineDifference(moved=True)
        if len(now) < len(was):
            facts.add(place)
        for line, other in zip(was, now, strict=False):
            if line is other or line == other:
                continue
            if line == replace(other, balance=line.balance):
                fighters.add(line.fighter)
            else:
                facts.add(place)
    return LineDifference(frozenset(facts), frozenset(fighters))
