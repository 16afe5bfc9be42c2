"""Answers about wounds in words: what results are called, and tables of chances from outcomes."""

from collections.abc import Mapping
from fractions import Fraction

from rulebook.systems.en_garde.odds.chances import MISS, Outcomes
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.values.answers import ChanceTable, Figure, chance_table, in_words

LABELS: Mapping[str, str] = {
    MISS: "Miss",
    "scratch": "A scratch",
    "stunned": "Stunned",
    "light": "Light wound",
    "grievous": "Grievous wound",
    "critical": "Critical wound",
    "mount": "Hits the mount",
    "": "Unhurt",
    "unconscious": "Unconscious",
    "dead": "Dead",
    "feinted": "Feint succeeds",
    "disengaged": "Gets away",
}
WOUND_TABLE = 'Rule book: "Wound Table"'


def outcome_table(
    key: str, title: str, outcomes: Outcomes, rule: str = WOUND_TABLE, named: Mapping[str, str] | None = None
) -> ChanceTable:
    """The chances of results, with their names; ``named`` are others than usual."""
    return chance_table(key, title, outcomes, {**LABELS, **(named or {})}, rule)


def hit_figures(outcomes: Outcomes, procedure: str) -> tuple[Figure, ...]:
    """How likely a hit, a wound and a death are, from a table of results; ``procedure`` is the rule of the roll."""
    hit = 1 - outcomes[MISS]
    wound = sum((outcomes[each] for each in ("light", "grievous", "critical")), Fraction(0))
    return (
        Figure("hit", "Hits", in_words(hit), procedure),
        Figure("wound", "Light wound or worse", in_words(wound), WOUND_TABLE),
        Figure("critical", "Critical wound", in_words(outcomes["critical"]), WOUND_TABLE),
    )


def hit_headline(outcomes: Outcomes, what: str) -> str:
    """The main table in a sentence."""
    hit = 1 - outcomes[MISS]
    wound = sum((outcomes[each] for each in ("light", "grievous", "critical")), Fraction(0))
    return f"{what} hits in {in_words(hit)} of all cases, and wounds in {in_words(wound)}."


def result_name(result: WoundResult | None) -> str:
    """A result for people; a miss, if there is none."""
    return LABELS[result.value if result is not None else MISS]
