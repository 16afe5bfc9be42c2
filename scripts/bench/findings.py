"""What was measured, against what, and whether a budget was kept."""

from collections.abc import Callable

from msgspec import Struct

from scripts.bench.timing import Pair

INFORMATION = "(for information)"


class Finding(Struct, frozen=True):
    """One line of the table. ``budget`` is in words; ``kept`` is None where nothing was
    promised."""

    what: str
    took: str
    floor: str
    ratio: float | None
    budget: str
    kept: bool | None
    remark: str = ""


def at_most_times(
    what: str, pair: Pair, most: float | None, floor: str, remark: str = ""
) -> Finding:
    """A budget that is a multiple of the floor; None for one that is told for information."""
    return Finding(
        what=what,
        took=span(pair.took),
        floor=f"{floor}: {span(pair.floor)}",
        ratio=pair.ratio,
        budget=INFORMATION if most is None else f"at most {most:g} times the floor",
        kept=None if most is None else pair.ratio <= most,
        remark=remark,
    )


def at_most_seconds(what: str, pair: Pair, most: float, floor: str, remark: str = "") -> Finding:
    """A budget in seconds, with the floor beside it."""
    return Finding(
        what=what,
        took=span(pair.took),
        floor=f"{floor}: {span(pair.floor)}",
        ratio=pair.ratio,
        budget=f"at most {span(most)}",
        kept=pair.took <= most,
        remark=remark,
    )


def at_least_a_second(
    what: str, pair: Pair, count: int, least: float | None, floor: str, remark: str = ""
) -> Finding:
    """A budget in pieces a second; the pair says how long ``count`` pieces took. None promises
    nothing."""
    return Finding(
        what=what,
        took=f"{count / pair.took:,.0f} a second",
        floor=f"{floor}: {count / pair.floor:,.0f} a second",
        ratio=pair.ratio,
        budget=INFORMATION if least is None else f"at least {least:,.0f} a second",
        kept=None if least is None else count / pair.took >= least,
        remark=remark,
    )


def at_most_count(what: str, count: int, most: int, noun: str, remark: str = "") -> Finding:
    """A budget that is counted, not timed."""
    return Finding(
        what, f"{count} {noun}", "", None, f"at most {most} {noun}", count <= most, remark
    )


def span(length: float) -> str:
    """Seconds as people read them: "3.1 ms", "2.40 s", "85 µs"."""
    scales: list[tuple[float, Callable[[float], str]]] = [
        (1.0, lambda value: f"{value:.2f} s"),
        (0.001, lambda value: f"{value * 1e3:.1f} ms" if value < 0.1 else f"{value * 1e3:.0f} ms"),
    ]
    for least, words in scales:
        if length >= least:
            return words(length)
    return f"{length * 1e6:.0f} µs"


def later(what: str, first: float, last: float, most: float, remark: str = "") -> Finding:
    """Work that took so many seconds twice, with something in between that should not matter."""
    ratio = last / first
    return Finding(
        what=what,
        took=span(last),
        floor=f"the first time: {span(first)}",
        ratio=ratio,
        budget=f"at most {most:g} times the first",
        kept=ratio <= most,
        remark=remark,
    )


def unchanged(what: str, pair: Pair, same: bool) -> Finding:
    """Work that shall find nothing to do, beside what doing it would take."""
    floor = f"rendering: {span(pair.floor)}"
    return Finding(what, span(pair.took), floor, pair.ratio, "renders nothing", same)
