"""What a spell does once it is tried: the chances of its results, or the figures that it changes.

Rule book: "Spells". Rulings B30, B31, B32.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec import Struct

from rulebook.calculators.wording import reasoned
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.calculators.aftermath import Ends, afterwards, ends_table, shared
from rulebook.systems.en_garde.calculators.wording import outcome_table
from rulebook.systems.en_garde.odds.chances import MISS, Outcomes, ShotOdds, shot_outcomes
from rulebook.systems.en_garde.table.combatant import Combatant, Numbers, armour_against_shot, present_numbers
from rulebook.systems.en_garde.table.magic import (
    HIT_ABSORBED,
    armoured,
    drained,
    healed,
    stunned_by_spell,
    summoned,
    transfixed,
)
from rulebook.systems.en_garde.table.wounds import WoundState
from rulebook.values.answers import ChanceTable, Figure, Grid, GridRow, ReasonedSum, ReasonLine, in_words

SPELLS = 'Rule book: "Spells"'
RESISTED = "resisted"
D3 = (1, 2, 3)


class Attempt(Struct, frozen=True):
    """A spell that is tried: by whom, on whom, and the chance that it is cast at all."""

    magician: Combatant
    target: Combatant
    cast: Fraction


class Effect(Struct, frozen=True):
    """What a spell adds to an answer."""

    tables: tuple[ChanceTable, ...] = ()
    figures: tuple[Figure, ...] = ()
    sums: tuple[ReasonedSum, ...] = ()
    grids: tuple[Grid, ...] = ()
    assumptions: tuple[str, ...] = ()
    headline: str = ""


def effect_of(spell: str, attempt: Attempt) -> Effect:
    """What this spell does; nothing but what its note says, where nothing is counted."""
    found = EFFECTS.get(spell)
    return found(attempt) if found else Effect()


def _blast(attempt: Attempt) -> Effect:
    """A shot by Shoot alone. Ruling B30."""
    results = shared(blast_outcomes(attempt.magician, attempt.target), attempt.cast)
    told: dict[str, Fraction] = {RESISTED: 1 - attempt.cast, **results}
    told[MISS] -= 1 - attempt.cast
    ends = afterwards(attempt.target.wounds, results)
    wounds = sum((results[each] for each in ("light", "grievous", "critical")), Fraction(0))
    return Effect(
        tables=(
            outcome_table("results", "Each result of the attempt", told, named={RESISTED: "Resisted"}),
            ends_table("target-after", "The target afterwards", ends),
        ),
        figures=(Figure("wound", "Light wound or worse", in_words(wounds), "Ruling B30"),),
        sums=_blast_sums(attempt),
        assumptions=("The Power Blast is a shot without any modifier but Shoot; armour and a shield count.",),
        headline=f" and wounds in {in_words(wounds)}",
    )


def blast_outcomes(magician: Combatant, target: Combatant) -> Outcomes:
    """The chance of each result of a Power Blast that is cast. Ruling B30."""
    return shot_outcomes(
        ShotOdds(
            shoot=present_numbers(magician).shoot,
            wound_modifier=catalogue().spells["power-blast"].wound,
            armour_rating=armour_against_shot(target, from_front=True),
            table=target.table,
        )
    )


def _blast_sums(attempt: Attempt) -> tuple[ReasonedSum, ...]:
    rating = armour_against_shot(attempt.target, from_front=True)
    return (
        reasoned(
            "Added to the blast's two dice for the Hit Score",
            ReasonLine(present_numbers(attempt.magician).shoot, "Shoot", "Ruling B30"),
            ReasonLine(-HIT_ABSORBED, "Taken off every Shooting Attack Roll", 'Rule book: "Shooting procedure"'),
        ),
        reasoned(
            "Added to the blast's Hit Score for the Final Wound Score",
            ReasonLine(catalogue().spells["power-blast"].wound, "Power Blast", SPELLS),
            ReasonLine(-rating, "Armour Rating that counts here", "Ruling B18"),
        ),
    )


def _drain(attempt: Attempt) -> Effect:
    return _certain(attempt, drained(attempt.target))


def _heal(attempt: Attempt) -> Effect:
    return _certain(attempt, healed(attempt.target))


def _certain(attempt: Attempt, after: WoundState) -> Effect:
    """A spell that does one thing if it is cast."""
    ends = _ends(attempt, {after: Fraction(1)})
    return Effect(tables=(ends_table("target-after", "The target afterwards", ends, SPELLS),))


def _ends(attempt: Attempt, ends: Ends) -> dict[WoundState, Fraction]:
    """The states that a spell leads to, and that of before where it is resisted."""
    found = {state: chance * attempt.cast for state, chance in ends.items()}
    before = attempt.target.wounds
    found[before] = found.get(before, Fraction(0)) + 1 - attempt.cast
    return {state: chance for state, chance in found.items() if chance}


def _stun(attempt: Attempt) -> Effect:
    """D3 counters for each within reach. Ruling B31."""
    each = Fraction(1, len(D3))
    ends: dict[WoundState, Fraction] = {}
    for counters in D3:
        after = stunned_by_spell(attempt.target.wounds, counters)
        ends[after] = ends.get(after, Fraction(0)) + each
    counted = {RESISTED: 1 - attempt.cast, **{f"{counters}-counters": attempt.cast * each for counters in D3}}
    named = {RESISTED: "Resisted"} | {f"{counters}-counters": f"Stunned counters: {counters}" for counters in D3}
    return Effect(
        tables=(
            outcome_table("counters", "Counters for each within reach", counted, "Ruling B31", named),
            ends_table("target-after", "One of them afterwards", _ends(attempt, ends), SPELLS),
        ),
        assumptions=("Everybody within reach but the caster throws a D3 of his own; friends do as well.",),
    )


def _armour(attempt: Attempt) -> Effect:
    before, after = attempt.target, armoured(attempt.target)
    return Effect(figures=(Figure("armour", "Armour Rating", f"{before.worn} → {after.worn}", SPELLS),))


def _summon(attempt: Attempt) -> Effect:
    found = summoned("", attempt.magician)
    numbers = f"Rank {found.rank}, Combat Pool {found.combat_pool}, Initiative {found.initiative}, Fight {found.fight}"
    return Effect(figures=(Figure("summoned", "Who appears", numbers, "Ruling B32"),))


def _transfix(attempt: Attempt) -> Effect:
    """Every characteristic and rate of movement, halved and rounded down; Rank and armour stay. Ruling B34."""
    numbers = [(str(number), str(transfixed(Numbers(number, number, number)).fight)) for number in range(1, 7)]
    rates = (
        GridRow(rate.name, tuple(f"{inches} → {inches // 2}" for inches in (rate.short, rate.normal, rate.run)))
        for rate in catalogue().rates.values()
    )
    return Effect(
        grids=(
            Grid(
                "Every characteristic while Transfix lasts",
                tuple(number for number, _ in numbers),
                (GridRow("becomes", tuple(half for _, half in numbers)),),
                "Ruling B34",
            ),
            Grid("Every move in inches", ("Short", "Normal", "Run"), tuple(rates), SPELLS),
        )
    )


EFFECTS: Mapping[str, Callable[[Attempt], Effect]] = {
    "power-blast": _blast,
    "drain-life": _drain,
    "heal": _heal,
    "stun": _stun,
    "armour": _armour,
    "summon": _summon,
    "transfix": _transfix,
}
"""Mist and Undergrowth change what others may do: their notes say it all."""
