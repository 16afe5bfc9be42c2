"""Measure times, always together with a floor and in turns.

So a busy machine affects both alike.

The best turn counts: anything that makes another turn slower comes from outside.
"""

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

Work = Callable[[], Any]


class Pair(Struct, frozen=True):
    """The seconds of some work and of its floor, each the best of this many turns."""

    took: float
    floor: float
    turns: int

    @property
    def ratio(self) -> float:
        """The ratio of the work's time to its floor."""
        return self.took / self.floor


def seconds(work: Work) -> float:
    """Return how long the work takes, without garbage collection of earlier objects."""
    gc.collect()
    gc.disable()
    try:
        started = time.perf_counter()
        work()
        return time.perf_counter() - started
    finally:
        gc.enable()


def side_by_side(
    work: Work, floor: Work, turns: int, *, warm_up: int = 1, before: Work | None = None
) -> Pair:
    """Measure both in turns. Warm-up turns, which fill caches and connections, do not count.

    Nor does the time of ``before``, which runs before each turn of the work.
    """

    def turn() -> tuple[float, float]:
        if before:
            before()
        return seconds(work), seconds(floor)

    # The collections between turns need not look at what is there already: there is so much of it
    # that this would empty the processor's caches before each turn.
    gc.collect()
    gc.freeze()
    try:
        for _ in range(warm_up):
            turn()
        return best([turn() for _ in range(turns)])
    finally:
        gc.unfreeze()


def best(turns: Sequence[tuple[float, float]]) -> Pair:
    """Return the best turn of the work and the best turn of its floor, from pairs of both."""
    return Pair(min(took for took, _ in turns), min(floor for _, floor in turns), len(turns))
