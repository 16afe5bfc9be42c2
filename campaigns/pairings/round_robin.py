"""Round robin, and the group stage, which is a round robin in each group."""

from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from string import ascii_uppercase

from campaigns.pairings.draft import DraftFixture, DraftRound, pair


def round_robin(
    entrants: Sequence[str], *, legs: int = 1, group: str = ""
) -> tuple[DraftRound, ...]:
    """Return rounds in which every pair meets once in each leg, by the circle method.

    The second leg exchanges the sides. With an odd number of entrants one has a bye in each round,
    and everybody has one bye in each leg.
    """
    first = [_turned(entrants, number) for number in range(len(entrants) - 1 + len(entrants) % 2)]
    rounds = []
    for leg in range(legs):
        for pairs in first:
            sides = [(away, home) if leg % 2 and away else (home, away) for home, away in pairs]
            rounds.append(DraftRound(tuple(pair(home, away, group=group) for home, away in sides)))
    return tuple(rounds)


def _turned(entrants: Sequence[str], number: int) -> list[tuple[str, str]]:
    """Return the pairs of a round of the circle method.

    The first entrant, or the bye (""), keeps its seat and the others rotate by one.
    """
    fixed, *circle = [*([""] if len(entrants) % 2 else []), *entrants]
    seats = [fixed, *circle[-number:], *circle[:-number]] if number else [fixed, *circle]
    half = len(seats) // 2
    pairs = []
    for place, (first_seat, second_seat) in enumerate(
        zip(seats[:half], reversed(seats[half:]), strict=True)
    ):
        # The entrant in the fixed seat is home in every other round; for the others the seat
        # decides.
        first, second = (
            (second_seat, first_seat)
            if (number if place == 0 else place) % 2
            else (first_seat, second_seat)
        )
        pairs.append((first, second) if first else (second, ""))
    return pairs


def snake(entrants: Sequence[str], groups: int) -> tuple[tuple[str, ...], ...]:
    """Return the seeds dealt to groups in snake order: A B C, C B A, A B C."""
    dealt: list[list[str]] = [[] for _ in range(groups)]
    for place, entrant in enumerate(entrants):
        lap, step = divmod(place, groups)
        dealt[groups - 1 - step if lap % 2 else step].append(entrant)
    return tuple(tuple(group) for group in dealt)


def group_stage(entrants: Sequence[str], groups: int, *, legs: int = 1) -> tuple[DraftRound, ...]:
    """Return a round robin in each group, in the same rounds; groups are called A, B, ..."""
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
    """Return the open rounds in which a newcomer plays each opponent once, as (round, opponent).

    ``resting`` has the entrants with a bye in each open round. An entrant with a bye plays in that
    round. The others are spread evenly over the rounds, so that as few as possible play twice in a
    round.
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
    """Return the pairs of these fixtures."""
    return {frozenset((each.home, each.away)) for each in fixtures if each.home and each.away}
