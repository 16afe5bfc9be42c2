"""What a list or a warband type asks of the Ranks. Rule book: "Standard warbands", "Elite warbands" and the lists."""

from collections.abc import Callable, Iterator, Mapping

from rulebook.ruleset import Problem, Severity
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Template
from rulebook.systems.en_garde.rosters.assembled_roster import AssembledRoster, Member, ids
from rulebook.systems.en_garde.rosters.composition_words import RANKS

LOW = (1, 2)


def rank_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """Every breach of the rules on Ranks."""
    if not roster.members:
        return
    template = template_of(roster)
    yield from _mix(roster, roster.army.composition.ranks, roster.army.name)
    if template:
        yield from _mix(roster, template.ranks, f"{template.name} warbands")
        yield from _more_rank_3_than_4(roster, template)
    yield from _rank_5(roster)


def most_of_rank_5(roster: AssembledRoster) -> int | None:
    """How many of Rank 5 its list or warband type allows, None where nothing limits them. Ruling P8."""
    template = template_of(roster)
    most = template.most_rank_5 if template else roster.army.composition.most_rank_5
    return None if roster.rules.rank_5_limit == "any" else most


def template_of(roster: AssembledRoster) -> Template | None:
    """The warband type that binds this warband, None where only its list does (Ruling P6)."""
    if not roster.army.composition.templates and roster.rules.composition == "list":
        return None
    return catalogue.template(roster.extras.template or "standard")


def _low(roster: AssembledRoster) -> list[Member]:
    return [member for member in roster.members if member.outfit.rank in LOW]


def _half_low(roster: AssembledRoster) -> bool:
    return 2 * len(_low(roster)) >= roster.size


def _all_high(roster: AssembledRoster) -> bool:
    return not _low(roster)


def _all_mounted(roster: AssembledRoster) -> bool:
    return all(member.outfit.mounted for member in roster.members)


MIXES: Mapping[str, Callable[[AssembledRoster], bool]] = {
    "half-low": _half_low,
    "all-high": _all_high,
    "all-mounted": _all_mounted,
}


def _mix(roster: AssembledRoster, wanted: tuple[str, ...], source: str) -> Iterator[Problem]:
    if not wanted or any(MIXES[each](roster) for each in wanted):
        return
    low = _low(roster)
    if "half-low" not in wanted:
        sentence = f"{source} have nobody below Rank 3: {len(low)} of {roster.size} are."
        yield Problem(code="low-ranks-not-allowed", sentence=sentence, fighters=ids(low), source=source)
        return
    rules = catalogue.listed((RANKS[each] for each in wanted), "or")
    high = (member for member in roster.members if member not in low)
    sentence = f"{source} ask that {rules}; {len(low)} of {roster.size} are Rank 1 or 2."
    yield Problem(code="too-few-low-ranks", sentence=sentence, fighters=ids(high), source=source)


def _more_rank_3_than_4(roster: AssembledRoster, template: Template) -> Iterator[Problem]:
    thirds = sum(member.outfit.rank == 3 for member in roster.members)
    fourths = [member for member in roster.members if member.outfit.rank == 4]
    if template.more_rank_3_than_4 and fourths and thirds <= len(fourths):
        sentence = f"There must be more of Rank 3 than of Rank 4: there are {thirds} and {len(fourths)}."
        yield Problem(code="too-few-rank-3", sentence=sentence, fighters=ids(fourths), source="Ruling P7")


def _rank_5(roster: AssembledRoster) -> Iterator[Problem]:
    most = most_of_rank_5(roster)
    fifths = [member for member in roster.members if member.outfit.rank == 5]
    if most is not None and len(fifths) > most:
        sentence = f"Only {most} of Rank 5 is allowed, not {len(fifths)}."
        severity = _rank_5_severity(roster, fifths, most)
        yield Problem("too-many-rank-5", sentence, severity, ids(fifths), source="Rulings P8, X17")


def _rank_5_severity(roster: AssembledRoster, fifths: list[Member], most: int) -> Severity:
    """Too many by promotion only warns, unless the campaign says otherwise (Ruling X17)."""
    born = sum(not member.promoted for member in fifths)
    return Severity.WARNS if born <= most and roster.rules.second_rank_5 == "warn" else Severity.FORBIDS
