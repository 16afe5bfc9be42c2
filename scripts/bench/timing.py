"""Taking times: always something beside its floor, turn by turn, so that a busy machine weighs on
both alike.

Of all turns the best one counts: whatever makes another one slower comes from outside.
"""

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

Work = Callable[[], Any]


class Pair(Struct, frozen=True):
    """Seconds of some work and of its floor, the best of so many turns each."""

    took: float
    floor: float
    turns: int

    @property
    def ratio(self) -> float:
        """How many times the floor the work took."""
        return self.took / self.floor


def seconds(work: Work) -> float:
    """How long the work takes, without the collection of rubbish that others left."""
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
    """Both in turns; the first ones, which fill caches and connections, do not count. Nor does what
    has to be done ``before`` each turn of the work."""

    def turn() -> tuple[float, float]:
        if before:
            before()
        return seconds(work), seconds(floor)

    for _ in range(warm_up):
        turn()
    return best([turn() for _ in range(turns)])


def best(turns: Sequence[tuple[float, float]]) -> Pair:
    """The best turn of the work, and the best one of its floor, from pairs of both."""
    return Pair(min(took for took, _ in turns), min(floor for _, floor in turns), len(turns))
