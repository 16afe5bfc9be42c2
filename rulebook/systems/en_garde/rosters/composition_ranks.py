"""What a list or a warband type asks of the Ranks. Rule book: "Standard warbands", "Elite warbands" and the lists."""

from collections.abc import Callable, Iterator, Mapping

from rulebook.ruleset import Problem, Severity
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Template
from rulebook.systems.en_garde.rosters.composition_words import RANKS
from rulebook.systems.en_garde.rosters.muster import Member, Muster, ids

LOW = (1, 2)


def rank_problems(muster: Muster) -> Iterator[Problem]:
    """Every breach of the rules on Ranks."""
    if not muster.members:
        return
    template = template_of(muster)
    yield from _mix(muster, muster.army.composition.ranks, muster.army.name)
    if template:
        yield from _mix(muster, template.ranks, f"{template.name} warbands")
        yield from _more_rank_3_than_4(muster, template)
    yield from _rank_5(muster)


def most_of_rank_5(muster: Muster) -> int | None:
    """How many of Rank 5 its list or warband type allows, None where nothing limits them. Ruling P8."""
    template = template_of(muster)
    most = template.most_rank_5 if template else muster.army.composition.most_rank_5
    return None if muster.rules.rank_5_limit == "any" else most


def template_of(muster: Muster) -> Template | None:
    """The warband type that binds this warband, None where only its list does (Ruling P6)."""
    if not muster.army.composition.templates and muster.rules.composition == "list":
        return None
    return catalogue.template(muster.extras.template or "standard")


def _low(muster: Muster) -> list[Member]:
    return [member for member in muster.members if member.outfit.rank in LOW]


def _half_low(muster: Muster) -> bool:
    return 2 * len(_low(muster)) >= muster.size


def _all_high(muster: Muster) -> bool:
    return not _low(muster)


def _all_mounted(muster: Muster) -> bool:
    return all(member.outfit.mounted for member in muster.members)


MIXES: Mapping[str, Callable[[Muster], bool]] = {
    "half-low": _half_low,
    "all-high": _all_high,
    "all-mounted": _all_mounted,
}


def _mix(muster: Muster, wanted: tuple[str, ...], source: str) -> Iterator[Problem]:
    if not wanted or any(MIXES[each](muster) for each in wanted):
        return
    low = _low(muster)
    if "half-low" not in wanted:
        sentence = f"{source} have nobody below Rank 3: {len(low)} of {muster.size} are."
        yield Problem(code="low-ranks-not-allowed", sentence=sentence, fighters=ids(low), source=source)
        return
    rules = catalogue.listed((RANKS[each] for each in wanted), "or")
    high = (member for member in muster.members if member not in low)
    sentence = f"{source} ask that {rules}; {len(low)} of {muster.size} are Rank 1 or 2."
    yield Problem(code="too-few-low-ranks", sentence=sentence, fighters=ids(high), source=source)


def _more_rank_3_than_4(muster: Muster, template: Template) -> Iterator[Problem]:
    thirds = sum(member.outfit.rank == 3 for member in muster.members)
    fourths = [member for member in muster.members if member.outfit.rank == 4]
    if template.more_rank_3_than_4 and fourths and thirds <= len(fourths):
        sentence = f"There must be more of Rank 3 than of Rank 4: there are {thirds} and {len(fourths)}."
        yield Problem(code="too-few-rank-3", sentence=sentence, fighters=ids(fourths), source="Ruling P7")


def _rank_5(muster: Muster) -> Iterator[Problem]:
    most = most_of_rank_5(muster)
    fifths = [member for member in muster.members if member.outfit.rank == 5]
    if most is not None and len(fifths) > most:
        sentence = f"Only {most} of Rank 5 is allowed, not {len(fifths)}."
        severity = _rank_5_severity(muster, fifths, most)
        yield Problem("too-many-rank-5", sentence, severity, ids(fifths), source="Rulings P8, X17")


def _rank_5_severity(muster: Muster, fifths: list[Member], most: int) -> Severity:
    """Too many by promotion only warns, unless the campaign says otherwise (Ruling X17)."""
    born = sum(not member.promoted for member in fifths)
    return Severity.WARNS if born <= most and muster.rules.second_rank_5 == "warn" else Severity.FORBIDS
