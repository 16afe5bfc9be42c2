"""Wounds in answers: names of results, and the states that fighters end in: wounds added up, a fall
from the saddle, poison.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulebook.calculators.asking import one_die, wrong_dice
from rulebook.calculators.wording import capitalized
from rulebook.dice.pools import together
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.odds.chances import MISS, OUTCOMES, Outcomes
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.wounds import (
    WoundResult,
    WoundState,
    WoundTable,
    converted,
    needs_die,
    stun,
    suffer,
    thrown_off,
    throws_rider,
)
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
ORDER = ("", "stunned", "stunned-twice", "light", "grievous", "unconscious", "dead")
"""States of wounds, the better ones first."""
WOUND_TABLE = 'Rule book: "Wound Table"'
THROWN = 'Rule book: "Thrown riders"'
POISON = 'Rule book: "Poison"'
POISON_ASSUMPTION = (
    "Poison counts to the end of this turn's Combat Phase, without other attacks until then."
)
Ends = Mapping[WoundState, Fraction]


# The results of one attack.


def outcome_table(
    key: str,
    title: str,
    outcomes: Outcomes,
    rule: str = WOUND_TABLE,
    named: Mapping[str, str] | None = None,
) -> ChanceTable:
    """Return the chances of results, with their names; ``named`` are others than usual."""
    return chance_table(key, title, outcomes, {**LABELS, **(named or {})}, rule)


def chance_of_wound(outcomes: Outcomes) -> Fraction:
    """Return how likely a Light wound or worse is."""
    return sum((outcomes[each] for each in ("light", "grievous", "critical")), Fraction(0))


def hit_figures(outcomes: Outcomes, procedure: str) -> tuple[Figure, ...]:
    """Return how likely a hit, a wound and a death are, from a table of results.

    ``procedure`` is the rule of the roll.
    """
    return (
        Figure("hit", "Hits", in_words(1 - outcomes[MISS]), procedure),
        Figure("wound", "Light wound or worse", in_words(chance_of_wound(outcomes)), WOUND_TABLE),
        Figure("critical", "Critical wound", in_words(outcomes["critical"]), WOUND_TABLE),
    )


def hit_headline(outcomes: Outcomes, what: str) -> str:
    """Return the main table in a sentence."""
    hit = in_words(1 - outcomes[MISS])
    wound = in_words(chance_of_wound(outcomes))
    return f"{what} hits in {hit} of all cases, and wounds in {wound}."


def result_figure(result: WoundResult | None, rule: str, label: str = "Result") -> Figure:
    """Return what dice came to; a miss, if there is no result."""
    return Figure("result", label, LABELS[result.value if result is not None else MISS], rule)


def final_result(result: WoundResult, table: WoundTable, values: Mapping[str, Any]) -> WoundResult:
    """Return the result on this body, by the die of the field "die" where it takes one.

    Raises RulesError without it.
    """
    die = one_die(values, "die")
    if needs_die(result, table) and die is None:
        raise wrong_dice("die", "A Critical result on a large body needs one more die.")
    return converted(result, table, die)


# What comes of them.


def shared(outcomes: Outcomes, share: Fraction) -> dict[str, Fraction]:
    """Return the chance of each result where an attack concerns somebody only in this share of all
    cases."""
    outcomes_shared = {result: chance * share for result, chance in outcomes.items()}
    outcomes_shared[MISS] += 1 - share
    return outcomes_shared


def afterwards(
    before: WoundState, outcomes: Outcomes, *, subdue: bool = False, settings: HouseRules = USUAL
) -> dict[WoundState, Fraction]:
    """Return the chance of each state that somebody ends in, from the results of one attack on its
    own body."""
    kills = settings.subdue_kills

    def after(result: str) -> WoundState:
        return (
            before
            if result == MISS
            else suffer(before, WoundResult(result), subdue=subdue, subdue_kills=kills)
        )

    return together(
        *((after(result), outcomes[result]) for result in OUTCOMES if outcomes.get(result))
    )


def chance_thrown(rider: Combatant, on_mount: Outcomes) -> Fraction:
    """Return the chance that the results on a mount, as its body takes them, bring it to throw its
    rider.

    Rule book: "Mounted combat". Ruling B26.
    """
    before = rider.steed.wounds if rider.steed is not None else WoundState()
    ends = afterwards(before, on_mount).items()
    return sum((chance for state, chance in ends if throws_rider(state)), Fraction(0))


def with_fall(rider: Combatant, ends: Ends, thrown: Fraction) -> dict[WoundState, Fraction]:
    """Return what a rider ends in when a fall, which follows only where he was not hit himself, is
    counted as well.

    Rule book: "Thrown riders".
    """
    fallen = thrown_off(rider.wounds, horse_master=rider.has("horse-master"))
    counted = together(*ends.items(), (rider.wounds, -thrown), (fallen, thrown))
    return {state: chance for state, chance in counted.items() if chance}


def poison_table(before: WoundState, outcomes: Outcomes, *, subdue: bool = False) -> ChanceTable:
    """Return what the victim of a poisoned weapon is in when the Combat Phase ends: a new wound
    stuns once.

    Ruling B27.
    """

    def later(state: WoundState) -> WoundState:
        return state if state.wound is before.wound or state.dead else stun(state)

    ends = together(
        *(
            (later(each), chance)
            for each, chance in afterwards(before, outcomes, subdue=subdue).items()
        )
    )
    return ends_table("poisoned", "At the end of the Combat Phase, with poison", ends, POISON)


def described(state: WoundState) -> str:
    """Return the key of a state of wounds: "", "stunned", "stunned-twice", "light",
    "light-and-stunned", "dead" and so on.
    """
    if state.dead or state.unconscious:
        return "dead" if state.dead else "unconscious"
    stuns = ("", "stunned", "stunned-twice")[min(state.stunned, 2)]
    return "-and-".join(part for part in (state.wound.value, stuns) if part)


def ends_table(key: str, title: str, ends: Ends, rule: str = WOUND_TABLE) -> ChanceTable:
    """Return the chances of the states that somebody ends in, the better ones first."""
    chances = together(*((described(state), chance) for state, chance in ends.items()))

    def badness(state: str) -> tuple[int, int]:
        return ORDER.index(state.partition("-and-")[0]), len(state)

    ordered = {state: chances[state] for state in sorted(chances, key=badness)}
    named = {each: capitalized(each.replace("-", " ")) or LABELS[""] for each in ordered}
    return chance_table(key, title, ordered, named, rule)
