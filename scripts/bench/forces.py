"""Twenty fighters and sixty events: the battle that the budgets refer to."""

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

FACTION = "ottoman-empire"
PROFILES = ("corbaci", *["janissary"] * 5, *["azab"] * 6, *["yamak"] * 8)
BUILDS = [{"profile": f"{FACTION}/{profile}"} for profile in PROFILES]
EVENTS = 60

Told = tuple[str, dict[str, Any], int | None]
"""An event of a log: kind, data, turn."""


def sixty_events(ours: Sequence[str], theirs: Sequence[str]) -> list[Told]:
    """Return a log in which everybody wounds somebody lightly and nobody dies.

    So the same warbands can fight it again and again.
    """
    return [*_wounds(ours, theirs, "light"), *_wounds(theirs, ours, "light"), *_stuns(ours, theirs)]


def _wounds(attackers: Sequence[str], victims: Sequence[str], result: str) -> Iterator[Told]:
    for place, (attacker, victim) in enumerate(zip(cycle(attackers), victims)):
        yield "wound", {"attacker": attacker, "victim": victim, "result": result}, 1 + place % 6


def _stuns(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[Told]:
    few = EVENTS - len(ours) - len(theirs) - 1
    yield from _wounds(ours, theirs[:few], "stunned")
    yield "ended", {"turn": 6}, None
