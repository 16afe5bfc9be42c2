"""Cavalry beyond the fight: aggression, recall, blown horses and how they recover, breaking through.

Slides 4, 5, 22, 23, 40. Rulings N-C5, N-K1 to N-K5.
"""

from fractions import Fraction

from rulebook.dice.pools import added
from rulebook.dice.rolls import distribution
from rulebook.systems.avant_garde.book import Grade, figures
from rulebook.systems.avant_garde.morale import Nerve
from rulebook.systems.avant_garde.odds import modifiers, settled

BLOWN = 'Slide 23: "Blown Cavalry"'


def recall_nerve(nerve: Nerve, won_by: int = 0) -> Nerve:
    """The test to recall cavalry that has won by so much; in the rally phase it tests as disordered (N-K2)."""
    return nerve.with_lines(*modifiers("recall", won_by=won_by))


def fresh_need(charge: int) -> int:
    """The die that keeps cavalry fresh when it is recalled from its first, second, third or later charge. N-K3."""
    known = figures("cavalry")
    return {1: 1, 2: known["second_recall_on"]}.get(charge, known["third_recall_on"])


def becomes_blown(*, charged: bool, formed: bool, skirmishing: bool = False, kept_fresh: bool = False) -> bool:
    """Is cavalry blown after a fight? If it charged a formed enemy and was not recalled in time. Ruling N-K5."""
    return charged and formed and not skirmishing and not kept_fresh


def recovery_of(grade: Grade) -> int:
    """What a grade adds to the dice of blown cavalry. Raises RulesError "not-in-source" for Elite and Guard."""
    return settled(grade.recovery, f"The recovery of {grade.name} cavalry", "recovery")


def recovered(dice: tuple[int, ...], modifier: int = 0, *, per_die: bool = False) -> bool:
    """Has blown cavalry recovered with all dice since it came to rest? Ruling N-K1: modified once."""
    return sum(dice) + modifier * (len(dice) if per_die else 1) >= figures("cavalry")["recovers_at"]


def recovery_odds(modifier: int = 0, phases: int = 5, *, per_die: bool = False) -> tuple[Fraction, ...]:
    """The chance to have recovered after each of so many phases of rest."""
    need, found = figures("cavalry")["recovers_at"], [Fraction(0)]
    waiting = {0: Fraction(1)}
    for phase in range(1, phases + 1):
        more, grown = modifier * (phase if per_die else 1), added(waiting, distribution("D6"))
        waiting = {tally: chance for tally, chance in grown.items() if tally + more < need}
        found.append(1 - sum(waiting.values(), Fraction(0)))
    return tuple(found[1:])


def breaks_through(*, cavalry_alone: bool, broken: bool) -> bool:
    """Do both ride through each other? Cavalry against cavalry, when nobody breaks, draws included. Ruling N-K4."""
    return cavalry_alone and not broken
