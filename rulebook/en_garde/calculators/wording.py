"""Answers put together: sums from modifiers, tables of chances from outcomes, and what a target ends in."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from rulebook.answers import ChanceTable, Figure, ReasonedSum, ReasonLine, chance_table, in_words
from rulebook.en_garde.house_rules import setting
from rulebook.en_garde.odds.chances import MISS, OUTCOMES, Outcomes
from rulebook.en_garde.table.combatant import Modifier, Refusal
from rulebook.en_garde.wounds import WoundResult, WoundState, suffer
from rulebook.ruleset import Problem, Settings, Severity

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


def reasons(modifiers: Iterable[Modifier]) -> tuple[ReasonLine, ...]:
    """Modifiers as lines of a sum."""
    return tuple(ReasonLine(each.amount, _capital(each.reason), each.rule) for each in modifiers)


def reasoned(title: str, *lines: ReasonLine) -> ReasonedSum:
    """A number and what made it."""
    return ReasonedSum(title, lines, sum(line.amount for line in lines))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def outcome_table(key: str, title: str, outcomes: Outcomes, rule: str = WOUND_TABLE) -> ChanceTable:
    """The chances of results, with their names."""
    return chance_table(key, title, outcomes, LABELS, rule)


def hit_figures(outcomes: Outcomes) -> tuple[Figure, ...]:
    """How likely a hit, a wound and a death are, from a table of results."""
    hit = 1 - outcomes[MISS]
    wound = sum((outcomes[each] for each in ("light", "grievous", "critical")), Fraction(0))
    return (
        Figure("hit", "Hits", in_words(hit)),
        Figure("wound", "Light wound or worse", in_words(wound), WOUND_TABLE),
        Figure("critical", "Critical wound", in_words(outcomes["critical"]), WOUND_TABLE),
    )


def hit_headline(outcomes: Outcomes, what: str) -> str:
    """The main table in a sentence."""
    hit = 1 - outcomes[MISS]
    wound = sum((outcomes[each] for each in ("light", "grievous", "critical")), Fraction(0))
    return f"{what} hits in {in_words(hit)} of all cases, and wounds in {in_words(wound)}."


def afterwards(
    before: WoundState, outcomes: Outcomes, *, subdue: bool = False, settings: Settings | None = None
) -> dict[str, Fraction]:
    """The chance of each state that somebody ends in, from the results of one attack on its own body."""
    ends: dict[str, Fraction] = {}
    for result in OUTCOMES:
        chance = outcomes.get(result, Fraction(0))
        if chance:
            state = before if result == MISS else _after(before, WoundResult(result), subdue, settings)
            ends[described(state)] = ends.get(described(state), Fraction(0)) + chance
    return ends


def _after(before: WoundState, result: WoundResult, subdue: bool, settings: Settings | None) -> WoundState:
    kills = setting(settings or {}, "subdue_kills")
    return suffer(before, result, subdue=subdue, subdue_kills=kills)


def described(state: WoundState) -> str:
    """A state of wounds as a key: "", "stunned", "stunned-twice", "light", "light-and-stunned", "dead" and so on."""
    if state.dead:
        return "dead"
    if state.unconscious:
        return "unconscious"
    stuns = ("", "stunned", "stunned-twice")[min(state.stunned, 2)]
    return "-and-".join(part for part in (state.wound.value, stuns) if part)


def ends_table(key: str, title: str, ends: Mapping[str, Fraction]) -> ChanceTable:
    """The chances of the states that somebody ends in, the better ones first."""
    ordered = dict(sorted(ends.items(), key=lambda each: _badness(each[0])))
    named = {each: _capital(each.replace("-", " ")) or LABELS[""] for each in ordered}
    return chance_table(key, title, ordered, named, WOUND_TABLE)


def _badness(state: str) -> tuple[int, int]:
    worst = state.partition("-and-")[0]
    order = ("", "stunned", "stunned-twice", "light", "grievous", "unconscious", "dead")
    return order.index(worst), len(state)


def forbidden(refusals: Iterable[Refusal]) -> tuple[Problem, ...]:
    """What the rules forbid, as an answer tells it."""
    return tuple(Problem(each.code, each.sentence, Severity.WARNS, source=each.rule) for each in refusals)


def result_name(result: WoundResult | None) -> str:
    """A result for people; a miss, if there is none."""
    return LABELS[result.value if result is not None else MISS]
