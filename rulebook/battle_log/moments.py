"""Helpers for rule systems that find the moments of a battle (``Ruleset.moments``)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.battle_log.kinds import ReplayStep
from rulebook.dice.pools import chance_of, pool
from rulebook.dice.rolls import distribution
from rulebook.values.battles import BattleSetup
from rulebook.values.moments import Moment, MomentKind, Somebody, TurnTally

MIN_DUEL = 3
"""The fewest turns of a fight between the same fighters that is a duel."""


class Exchange(Struct, frozen=True):
    """A blow of one fighter at another, whether or not it hit. ``killed`` if it killed."""

    sequence: int
    turn: int
    attacker: str
    target: str
    killed: bool = False


def chance_of_total(dice: Sequence[int]) -> float:
    """Return the chance that as many six-sided dice show this total or more; 1 for other than
    two."""
    if len(dice) != 2:
        return 1.0
    total = sum(dice)
    return float(sum(share for face, share in distribution("2D6").items() if face >= total))


def chance_of_low_total(dice: Sequence[int]) -> float:
    """Return the chance that two six-sided dice show this total or less; 1 for other than two."""
    if len(dice) != 2:
        return 1.0
    total = sum(dice)
    return float(sum(share for face, share in distribution("2D6").items() if face <= total))


def chance_of_open_ended(dice: Sequence[int]) -> float:
    """Return the chance of open-ended dice at least as good: each 6 is thrown again."""
    if not dice:
        return 1.0
    sixes = len(dice) - 1
    return float((7 - dice[-1]) / 6 / 6**sixes)


def chance_of_hits(number: int, need: int, hits: int) -> float:
    """Return the chance that a handful of ``number`` dice has so many hits or more."""
    if hits <= 0:
        return 1.0
    return float(sum(share for k, share in pool(number, chance_of(need)).items() if k >= hits))


def fielded(setup: BattleSetup, sort: str = "person") -> dict[str, Somebody]:
    """Return the sides of a battle and their fighters by key."""
    people = {side.key: Somebody(side.name, side.key, "side") for side in setup.sides}
    for side in setup.sides:
        people |= {each.id: Somebody(each.name, side.key, sort) for each in side.fighters}
    return people


def in_order(steps: Iterable[ReplayStep[Any]]) -> bool:
    """Return whether a log begins its turns, so that the order of events within a turn is known.

    A result sheet may only say the turn of a wound.
    """
    return any(step.event.starts_turn for step in steps)


def tallies(
    steps: Sequence[ReplayStep[Any]],
    turn_of: Callable[[Any], int],
    tally: Callable[[Any, int], TurnTally],
) -> tuple[TurnTally, ...]:
    """Return the state at the end of each turn; empty if the log does not follow its turns.

    ``turn_of`` returns the turn of a state, ``tally`` the tally of a state at the end of a turn.
    """
    last: dict[int, Any] = {}
    latest = 0
    for step in steps:
        turn = step.logged.turn or turn_of(step.after)
        if turn and turn < latest:
            # A sheet that names later turns first.
            return ()
        latest = max(latest, turn)
        if latest:
            last[latest] = step.after
        if step.event.ends_battle:
            # What is logged afterwards, such as losses that come back, is not the battle's.
            break
    return tuple(tally(state, turn) for turn, state in sorted(last.items()))


def duels(exchanges: Sequence[Exchange], side_of: Mapping[str, str]) -> Iterator[Moment]:
    """Yield the fights that lasted ``MIN_DUEL`` turns or more, in turns without a gap.

    Of a kill it is the fight between the victim and those of the killer's side who were left at the
    end, otherwise that between two fighters who were both left.
    """
    in_a_kill: set[int] = set()
    for end in exchanges:
        if not end.killed:
            continue
        fight = _fight_before(end, exchanges, side_of)
        turns = {each.turn for each in fight}
        if len(turns) < MIN_DUEL:
            continue
        in_a_kill |= {each.sequence for each in fight}
        comrades = dict.fromkeys(
            who
            for each in fight
            for who in (each.attacker, each.target)
            if who not in (end.target, end.attacker)
        )
        yield Moment(
            kind=MomentKind.DUEL,
            events=tuple(each.sequence for each in fight),
            turn=end.turn,
            since=min(turns),
            actor=end.attacker,
            others=tuple(comrades),
            target=end.target,
            number=len(turns),
            effect="killed",
        )
    rest = [each for each in exchanges if each.sequence not in in_a_kill]
    yield from _drawn_duels(rest)


def _fight_before(
    end: Exchange, exchanges: Sequence[Exchange], side_of: Mapping[str, str]
) -> list[Exchange]:
    """Return the blows between a victim and those who were left of the killer's side, up to the
    kill."""
    before = [each for each in exchanges if each.sequence <= end.sequence]
    fallen = {each.target for each in before if each.killed and each is not end}
    fight = []
    for each in before:
        if end.target not in (each.attacker, each.target):
            continue
        enemy = each.attacker if each.target == end.target else each.target
        if enemy not in fallen and side_of.get(enemy) == side_of.get(end.attacker):
            fight.append(each)
    return _without_gap(fight)


def _drawn_duels(exchanges: Sequence[Exchange]) -> Iterator[Moment]:
    """Yield the fights of two fighters that lasted long and killed neither."""

    def pair(each: Exchange) -> tuple[str, ...]:
        return tuple(sorted((each.attacker, each.target)))

    for (first, second), blows in groupby(sorted(exchanges, key=pair), key=pair):
        fight = _without_gap(list(blows))
        turns = {each.turn for each in fight}
        if len(turns) < MIN_DUEL or any(each.killed for each in fight):
            continue
        yield Moment(
            kind=MomentKind.DUEL,
            events=tuple(each.sequence for each in fight),
            turn=max(turns),
            since=min(turns),
            actor=first,
            target=second,
            number=len(turns),
        )


def _without_gap(fight: Sequence[Exchange]) -> list[Exchange]:
    """Return the last blows of a fight in turns without a gap, in the order of the log."""
    kept: list[Exchange] = []
    for each in sorted(fight, key=lambda blow: -blow.sequence):
        if kept and kept[-1].turn - each.turn > 1:
            break
        kept.append(each)
    return kept[::-1]


def gathered(moments: Iterable[Moment], side_of: Mapping[str, str]) -> Iterator[Moment]:
    """Yield the moments with the flights of a side in one turn joined into one."""
    first: dict[tuple[int, str], int] = {}
    joined: list[Moment] = []
    for moment in moments:
        key = (moment.turn, side_of.get(moment.actor, ""))
        if moment.kind is not MomentKind.FLIGHT or key not in first:
            if moment.kind is MomentKind.FLIGHT:
                first[key] = len(joined)
            joined.append(moment)
            continue
        place = first[key]
        before = joined[place]
        joined[place] = replace(
            before,
            events=(*before.events, *moment.events),
            others=(*before.others, moment.actor, *moment.others),
        )
    yield from joined


def by_event(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    """Return moments in the order of the log: by the last of their events."""
    return tuple(sorted(moments, key=lambda moment: moment.events[-1]))
