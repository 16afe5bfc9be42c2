"""The findings: what was measured, against what, and whether a budget was kept."""

from collections.abc import Callable

from msgspec import Struct

from scripts.bench.timing import Pair


class Finding(Struct, frozen=True):
    """A line of the table. ``budget`` is text; ``kept`` is None if there is no budget."""

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
    """Return a finding whose budget is a multiple of the floor; None is for information."""
    return Finding(
        what=what,
        took=span(pair.took),
        floor=f"{floor}: {span(pair.floor)}",
        ratio=pair.ratio,
        budget="" if most is None else f"at most {most:g} times the floor",
        kept=None if most is None else pair.ratio <= most,
        remark=remark,
    )


def at_most_seconds(what: str, pair: Pair, most: float, floor: str, remark: str = "") -> Finding:
    """Return a finding with a budget in seconds, and its floor."""
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
    """Return a finding with a budget in pieces per second; None means for information only.

    The pair is the time for ``count`` pieces.
    """
    return Finding(
        what=what,
        took=f"{count / pair.took:,.0f} a second",
        floor=f"{floor}: {count / pair.floor:,.0f} a second",
        ratio=pair.ratio,
        budget="" if least is None else f"at least {least:,.0f} a second",
        kept=None if least is None else count / pair.took >= least,
        remark=remark,
    )


def at_most_count(what: str, count: int, most: int, noun: str, remark: str = "") -> Finding:
    """Return a finding with a budget that is counted, not timed."""
    return Finding(
        what, f"{count} {noun}", "", None, f"at most {most} {noun}", count <= most, remark
    )


def at_most_seconds_alone(what: str, took: float, most: float, remark: str = "") -> Finding:
    """Return a finding with a budget in seconds and no floor."""
    return Finding(what, span(took), "", None, f"at most {span(most)}", took <= most, remark)


def at_most_processor_seconds(what: str, took: float, most: float, remark: str = "") -> Finding:
    """Return a finding with a budget in seconds of processor time and no floor."""
    budget = f"at most {span(most)} of processor time"
    return Finding(what, span(took), "", None, budget, took <= most, remark)


def at_most_megabytes(what: str, used: float, most: float, remark: str = "") -> Finding:
    """Return a finding with a budget in megabytes."""
    budget = f"at most {most:,.0f} MB"
    return Finding(what, f"{used:,.0f} MB", "", None, budget, used <= most, remark)


def span(length: float) -> str:
    """Return seconds as text: "3.1 ms", "2.40 s", "85 µs"."""
    scales: list[tuple[float, Callable[[float], str]]] = [
        (1.0, lambda value: f"{value:.2f} s"),
        (0.001, lambda value: f"{value * 1e3:.1f} ms" if value < 0.1 else f"{value * 1e3:.0f} ms"),
    ]
    for least, words in scales:
        if length >= least:
            return words(length)
    return f"{length * 1e6:.0f} µs"


def later(what: str, first: float, last: float, most: float, remark: str = "") -> Finding:
    """Return a finding for work that was timed before and after something else."""
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
    """Return a finding for work that should find nothing to do, next to the time of doing it."""
    floor = f"rendering: {span(pair.floor)}"
    return Finding(what, span(pair.took), floor, pair.ratio, "renders nothing", same)
