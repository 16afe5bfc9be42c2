"""Knockout: a bracket by seeds, with byes for the best if the number is not a power of two."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from django.utils.translation import gettext, gettext_lazy

from campaigns.pairings.draft import DraftFixture, DraftRound, pair

NAMES = {
    1: gettext_lazy("Final"),
    2: gettext_lazy("Semi-finals"),
    4: gettext_lazy("Quarter-finals"),
}


def knockout(entrants: Sequence[str], *, third_place: bool = False) -> tuple[DraftRound, ...]:
    """Return all rounds of a knockout.

    Entrants are seeds, best first; the two best can meet in the final only.

    Winners advance automatically. With a third place, the losers of the semi-finals play in the
    same round as the final.
    """
    seats = bracket(entrants)
    first = tuple(pair(home, away) for home, away in seats)
    rounds = [DraftRound(first, _name(len(first)))]
    while len(rounds[-1].fixtures) > 1:
        before, number = len(rounds[-1].fixtures), len(rounds) - 1
        coming = tuple(
            DraftFixture(home_from=(number, place), away_from=(number, place + 1))
            for place in range(0, before, 2)
        )
        rounds.append(DraftRound(coming, _name(len(coming))))
    if third_place and len(rounds) > 1:
        final = rounds[-1]
        beside = DraftFixture(
            home_from=(len(rounds) - 2, 0), away_from=(len(rounds) - 2, 1), of_losers=True
        )
        rounds[-1] = DraftRound((*final.fixtures, beside), gettext("Final and third place"))
    return tuple(rounds)


def bracket(entrants: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of the first round in order of place; "" where the better seed has a bye."""
    seats = [0]
    while len(seats) < len(entrants):
        size = 2 * len(seats)
        seats = [seed for each in seats for seed in (each, size - 1 - each)]
    named = [entrants[seed] if seed < len(entrants) else "" for seed in seats]
    return list(zip(named[::2], named[1::2], strict=True))


def seeds_of_groups(groups: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the knockout seeds of those who qualify from groups: winners, then seconds, ...

    Each group is given best first. Among those of the same place the groups are rotated so that as
    few as possible meet an opponent of their own group in the first round.
    """
    home = {entrant: number for number, group in enumerate(groups) for entrant in group}
    places = [
        [group[place] for group in groups if place < len(group)]
        for place in range(max(map(len, groups)))
    ]

    def clashes(seeds: Iterable[str]) -> int:
        return sum(
            1 for first, second in bracket([*seeds]) if second and home[first] == home[second]
        )

    turns = product(*(range(len(seeds)) if number else (0,) for number, seeds in enumerate(places)))
    turned: Iterator[list[str]] = (
        [each for seeds, by in zip(places, turn, strict=True) for each in seeds[by:] + seeds[:by]]
        for turn in turns
    )
    return tuple(min(turned, key=clashes))


def _name(fixtures: int) -> str:
    if fixtures in NAMES:
        return str(NAMES[fixtures])
    return gettext("Round of %(number)s") % {"number": 2 * fixtures}
