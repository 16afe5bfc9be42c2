"""Everybody against everybody, and the group stage, which is that in groups."""

from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from string import ascii_uppercase

from campaigns.pairings.draft import DraftFixture, DraftRound, pair


def round_robin(
    entrants: Sequence[str], *, legs: int = 1, group: str = ""
) -> tuple[DraftRound, ...]:
    """Every pair once in each leg, by the circle method; the second leg with the sides exchanged.

    With an odd number one rests in each round, everybody once a leg: a bye.
    """
    first = [_turned(entrants, number) for number in range(len(entrants) - 1 + len(entrants) % 2)]
    rounds = []
    for leg in range(legs):
        for pairs in first:
            sides = [(away, home) if leg % 2 and away else (home, away) for home, away in pairs]
            rounds.append(DraftRound(tuple(pair(home, away, group=group) for home, away in sides)))
    return tuple(rounds)


def _turned(entrants: Sequence[str], number: int) -> list[tuple[str, str]]:
    """The pairs of a round: the first one, or the bye (""), keeps its seat and the others go round
    by one."""
    fixed, *circle = [*([""] if len(entrants) % 2 else []), *entrants]
    seats = [fixed, *circle[-number:], *circle[:-number]] if number else [fixed, *circle]
    half = len(seats) // 2
    pairs = []
    for place, (first_seat, second_seat) in enumerate(
        zip(seats[:half], reversed(seats[half:]), strict=True)
    ):
        # Who keeps the seat is named first in every other round, the others by where they sit.
        first, second = (
            (second_seat, first_seat)
            if (number if place == 0 else place) % 2
            else (first_seat, second_seat)
        )
        pairs.append((first, second) if first else (second, ""))
    return pairs


def snake(entrants: Sequence[str], groups: int) -> tuple[tuple[str, ...], ...]:
    """The seeds dealt to groups in snake order: A B C, C B A, A B C."""
    dealt: list[list[str]] = [[] for _ in range(groups)]
    for place, entrant in enumerate(entrants):
        lap, step = divmod(place, groups)
        dealt[groups - 1 - step if lap % 2 else step].append(entrant)
    return tuple(tuple(group) for group in dealt)


def group_stage(entrants: Sequence[str], groups: int, *, legs: int = 1) -> tuple[DraftRound, ...]:
    """A round robin in each group, side by side; the groups are called A, B, ..."""
    stages = [
        round_robin(members, legs=legs, group=ascii_uppercase[place])
        for place, members in enumerate(snake(entrants, groups))
    ]
    return tuple(
        DraftRound(
            tuple(
                fixture
                for stage_round in together
                if stage_round
                for fixture in stage_round.fixtures
            )
        )
        for together in zip_longest(*stages)
    )


def latecomer(
    newcomer: str, opponents: Collection[str], resting: Mapping[int, Collection[str]]
) -> tuple[tuple[int, str], ...]:
    """In which of the open rounds the newcomer plays each opponent once: (round, opponent).

    ``resting`` says who has a bye in each round that is still open. Whoever rests plays in that
    round; the others are spread evenly over the rounds, so that nobody plays the newcomer and
    another more often than must be.
    """
    placed: dict[str, int] = {}
    load = dict.fromkeys(resting, 0)
    for number, entrants in sorted(resting.items()):
        free = next(
            (each for each in sorted(entrants) if each in opponents and each not in placed), None
        )
        if free is not None:
            placed[free] = number
            load[number] += 1
    for opponent in opponents if load else ():
        if opponent not in placed:
            placed[opponent] = number = min(load, key=lambda each: (load[each], each))
            load[number] += 1
    return tuple(sorted((number, opponent) for opponent, number in placed.items()))


def met(fixtures: Collection[DraftFixture]) -> set[frozenset[str]]:
    """The pairs of these fixtures."""
    return {frozenset((each.home, each.away)) for each in fixtures if each.home and each.away}
