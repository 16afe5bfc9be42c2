"""Taking times: always something beside its floor, turn by turn, so that a busy machine weighs on both alike."""

import gc
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from msgspec import Struct

Work = Callable[[], Any]


class Pair(Struct, frozen=True):
    """Median seconds of some work and of its floor, from so many turns each."""

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


def typical(work: Work, turns: int) -> float:
    """Median seconds of so many turns, after one to warm up."""
    work()
    return median(seconds(work) for _ in range(turns))


def side_by_side(work: Work, floor: Work, turns: int, *, warm_up: int = 1) -> Pair:
    """Both in turns; the first ones, which fill caches and connections, do not count."""
    for _ in range(warm_up):
        work()
        floor()
    both = [(seconds(work), seconds(floor)) for _ in range(turns)]
    return Pair(median(took for took, _ in both), median(least for _, least in both), turns)
