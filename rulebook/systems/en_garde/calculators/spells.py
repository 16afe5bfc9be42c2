"""Casting a spell against somebody who resists, and what it does then.

What spells do is what they do in a battle, see ``table.magic``.
Rule book: "Casting a spell", "Spells". Rulings B30, B31, B32, B34.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

from msgspec import Struct

from rulebook.calculators.asking import wrong_dice
from rulebook.calculators.questions import Values
from rulebook.calculators.wording import reasoned, reasons
from rulebook.dice.pools import together
from rulebook.ruleset import CampaignTerms
from rulebook.systems.en_garde.book.catalogue import base_profile, catalogue
from rulebook.systems.en_garde.calculators import wounds
from rulebook.systems.en_garde.calculators.fighters import OPEN_HOUSE, fighter_of
from rulebook.systems.en_garde.odds.chances import MISS, Outcomes, chance_that, on_body, throw_odds
from rulebook.systems.en_garde.table import magic
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.magic import SPELLS
from rulebook.systems.en_garde.table.wounds import WoundState
from rulebook.systems.en_garde.turns.fighters import combatant_of
from rulebook.values import answers

TARGET = "target_"
RESISTED = "resisted"
D3 = (1, 2, 3)


# The attempt.


def chance_to_cast(magician: Combatant, spell: str, resister: Combatant | None) -> Fraction:
    """Return the chance that a spell is cast against this resistance: two dice against two.

    Certain, if nobody resists.
    """
    return chance_that(
        lambda *dice: magic.resolve_casting(magician, spell, dice[:2], resister, dice[2:]).cast,
        4 if resister else 2,
    )


def casting(values: Values) -> answers.Answer:
    """Return the chance that a spell is cast, and what it does then."""
    spell = catalogue().spells[values["spell"]]
    resisted_by = values["resisted_by"]
    shoot = base_profile(values["rank"]).shoot if values["shoot"] is None else values["shoot"]
    magician = Combatant(
        "", "The Magician", values["rank"], shoot=shoot, attributes={"magician": (spell.key,)}
    )
    # Whether the Rank of who resists counts depends on what it is.
    trained = {"magician": ()} if resisted_by == "magician" else {}
    resister = (
        Combatant("", "Resister", values["resisting_rank"], attributes=trained)
        if resisted_by != "nobody"
        else None
    )
    target = fighter_of(
        {key: each for key, each in values.items() if key.startswith(TARGET)}, TARGET, "The target"
    )
    chance = chance_to_cast(magician, spell.key, resister)
    effect = effect_of(spell.key, Attempt(magician, target, chance))
    outcomes = {"cast": chance, "resisted": 1 - chance}
    against = 0 if resister is None else magic.resisting_rank(resister)
    return answers.chances_answer(
        f"{spell.name} is cast in {answers.in_words(chance)} of all cases{effect.headline}.",
        outcomes,
        tables=(
            answers.chance_table("outcomes", "The attempt", outcomes, rule=magic.RULE),
            *effect.tables,
        ),
        figures=(
            answers.Figure(
                "cost",
                "Magic Points",
                f"{spell.magic_points} of {magic.magic_points(magician)}",
                SPELLS,
            ),
            answers.Figure("effect", "What it does", spell.note, SPELLS),
            *(
                (answers.Figure("range", "Reach", f"{spell.range}″", SPELLS),)
                if spell.range
                else ()
            ),
            *(
                (answers.Figure("radius", "Radius", f"{spell.radius}″", SPELLS),)
                if spell.radius
                else ()
            ),
            *effect.figures,
        ),
        sums=(
            reasoned(
                "Added to the Magician's two dice",
                answers.ReasonLine(magician.rank, "Rank", magic.RULE),
            ),
            reasoned(
                "Added to the resister's two dice",
                answers.ReasonLine(against, "Rank, of Magicians and the like", magic.RULE),
            ),
            *effect.sums,
        ),
        grids=effect.grids,
        rolled=_rolled(values, magician, resister),
        assumptions=(
            "The Magic Points are spent either way. Equal scores resist the spell.",
            *effect.assumptions,
        ),
    )


def _rolled(
    values: Values, magician: Combatant, resister: Combatant | None
) -> tuple[answers.Figure, ...]:
    if not values["dice"]:
        return ()
    expected = 0 if resister is None else 2
    if len(values["dice"]) != 2 or len(values["resisting_dice"]) != expected:
        field = "dice" if len(values["dice"]) != 2 else "resisting_dice"
        raise wrong_dice(
            field, f"This needs two dice for the Magician and {expected} for the resister."
        )
    first, second = values["dice"]
    other = (values["resisting_dice"][0], values["resisting_dice"][1]) if expected else None
    attempt = magic.resolve_casting(magician, values["spell"], (first, second), resister, other)
    resistance = (
        ()
        if attempt.resistance is None
        else (answers.Figure("against", "Resistance", str(attempt.resistance), magic.RULE),)
    )
    result = "cast" if attempt.cast else "resisted"
    return (
        answers.Figure("score", "Casting Score", str(attempt.score), magic.RULE),
        *resistance,
        answers.Figure("result", "It is", result, magic.RULE),
    )


# What it does.


class Attempt(Struct, frozen=True):
    """A spell that is tried: its caster, its target, and the chance that it is cast at all."""

    magician: Combatant
    target: Combatant
    cast: Fraction


def effect_of(spell: str, attempt: Attempt) -> answers.Answer:
    """Return what this spell adds to the answer; nothing but what its note says, where nothing is
    counted."""
    effect = EFFECTS.get(spell)
    return effect(attempt) if effect else answers.Answer("")


def _blast(attempt: Attempt) -> answers.Answer:
    """Return the odds of a shot by Shoot alone. Ruling B30."""
    results = wounds.shared(blast_outcomes(attempt.magician, attempt.target), attempt.cast)
    chances: dict[str, Fraction] = {RESISTED: 1 - attempt.cast, **results}
    chances[MISS] -= 1 - attempt.cast
    ends = wounds.afterwards(attempt.target.wounds, results)
    wounded = wounds.chance_of_wound(results)
    return answers.Answer(
        f" and wounds in {answers.in_words(wounded)}",
        tables=(
            wounds.outcome_table(
                "results", "Each result of the attempt", chances, named={RESISTED: "Resisted"}
            ),
            wounds.ends_table("target-after", "The target afterwards", ends),
        ),
        figures=(
            answers.Figure(
                "wound", "Light wound or worse", answers.in_words(wounded), "Ruling B30"
            ),
        ),
        sums=(
            reasoned(
                "Added to the blast's two dice to give the Hit Score",
                *reasons(magic.blast_modifiers(attempt.magician)),
            ),
            reasoned(
                "Added to the blast's Hit Score to give the Final Wound Score",
                *reasons(magic.blast_wound_modifiers(attempt.target)),
            ),
        ),
        assumptions=(
            "Power Blast is a shot with no modifier except Shoot. Armour and a shield count.",
        ),
    )


def blast_outcomes(magician: Combatant, target: Combatant) -> Outcomes:
    """Return the chance of each result of a Power Blast that is cast. Ruling B30."""
    results = throw_odds(lambda *dice: magic.blasted(magician, target, dice), 2)
    return on_body(results.items(), target.table)


def _certain(spell: Callable[[Combatant], WoundState], attempt: Attempt) -> answers.Answer:
    """Return the effect of a spell that does one thing if it is cast."""
    ends = _ends(attempt, {spell(attempt.target): Fraction(1)})
    return answers.Answer(
        "", tables=(wounds.ends_table("target-after", "The target afterwards", ends, SPELLS),)
    )


def _ends(attempt: Attempt, ends: wounds.Ends) -> dict[WoundState, Fraction]:
    """Return the states that a spell leads to, and that of before where it is resisted."""
    cast = ((state, chance * attempt.cast) for state, chance in ends.items())
    counted = together(*cast, (attempt.target.wounds, 1 - attempt.cast))
    return {state: chance for state, chance in counted.items() if chance}


def _stun(attempt: Attempt) -> answers.Answer:
    """Return the odds of D3 counters for each fighter within reach. Ruling B31."""
    each = Fraction(1, len(D3))
    ends = together(
        *((magic.stunned_by_spell(attempt.target.wounds, counters), each) for counters in D3)
    )
    counted = {
        RESISTED: 1 - attempt.cast,
        **{f"{counters}-counters": attempt.cast * each for counters in D3},
    }
    named = {RESISTED: "Resisted"} | {
        f"{counters}-counters": f"Stunned counters: {counters}" for counters in D3
    }
    return answers.Answer(
        "",
        tables=(
            wounds.outcome_table(
                "counters", "Counters for each within reach", counted, "Ruling B31", named
            ),
            wounds.ends_table(
                "target-after", "One of those affected afterwards", _ends(attempt, ends), SPELLS
            ),
        ),
        assumptions=("Everyone within reach except the caster takes a D3, friends too.",),
    )


def _armour(attempt: Attempt) -> answers.Answer:
    before = attempt.target
    after = magic.armoured(attempt.target)
    return answers.Answer(
        "",
        figures=(
            answers.Figure("armour", "Armour Rating", f"{before.worn} → {after.worn}", SPELLS),
        ),
    )


def _summon(attempt: Attempt) -> answers.Answer:
    helper = combatant_of(magic.SUMMONED, CampaignTerms("custom", {}, OPEN_HOUSE))
    numbers = (
        f"Rank {helper.rank}, Combat Pool {helper.combat_pool}, Initiative {helper.initiative}, "
        f"Fight {helper.fight}"
    )
    return answers.Answer(
        "", figures=(answers.Figure("summoned", "Who appears", numbers, "Ruling B32"),)
    )


def _transfix(attempt: Attempt) -> answers.Answer:
    """Return every characteristic and rate of movement as Transfix leaves it. Ruling B34."""
    numbers = range(1, 7)
    moves = (
        (rate.name, (rate.short, rate.normal, rate.run)) for rate in catalogue().rates.values()
    )
    rates = (
        answers.GridRow(name, tuple(f"{inches} → {magic.halved(inches)}" for inches in rate))
        for name, rate in moves
    )
    return answers.Answer(
        "",
        grids=(
            answers.Grid(
                "Every characteristic while Transfix lasts",
                tuple(map(str, numbers)),
                (
                    answers.GridRow(
                        "becomes", tuple(str(magic.halved(number)) for number in numbers)
                    ),
                ),
                "Ruling B34",
            ),
            answers.Grid("Every move in inches", ("Short", "Normal", "Run"), tuple(rates), SPELLS),
        ),
    )


EFFECTS: Mapping[str, Callable[[Attempt], answers.Answer]] = {
    "power-blast": _blast,
    "drain-life": partial(_certain, magic.drained),
    "heal": partial(_certain, magic.healed),
    "stun": _stun,
    "armour": _armour,
    "summon": _summon,
    "transfix": _transfix,
}
"""Mist and Undergrowth change what others may do: their notes say it all."""
