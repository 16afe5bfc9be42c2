"""Casting a spell against somebody who resists, and what it does then.

Rule book: "Casting a spell", "Spells". Rulings B30, B31, B32, B34.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

from msgspec import Struct

from rulebook.calculators.asking import wrong_dice
from rulebook.calculators.questions import Values
from rulebook.calculators.wording import reasoned
from rulebook.dice.rolls import distribution
from rulebook.systems.en_garde.book.catalogue import base_profile, catalogue
from rulebook.systems.en_garde.calculators import wounds
from rulebook.systems.en_garde.calculators.fighters import fighter_of
from rulebook.systems.en_garde.calculators.shots import ABSORBED
from rulebook.systems.en_garde.odds.chances import MISS, Outcomes, ShotOdds, shot_outcomes
from rulebook.systems.en_garde.table import magic
from rulebook.systems.en_garde.table.combatant import Combatant, Numbers, armour_against_shot, present_numbers
from rulebook.systems.en_garde.table.wounds import WoundState
from rulebook.values import answers

TARGET = "target_"
SPELLS = 'Rule book: "Spells"'
RESISTED = "resisted"
D3 = (1, 2, 3)


# The attempt.


def chance_to_cast(magician: Combatant, resister: Combatant | None) -> Fraction:
    """The chance that a spell is cast against this resistance; certain, if nobody resists."""
    if resister is None:
        return Fraction(1)
    lead = magician.rank - (resister.rank if magic.resists_as_magician(resister) else 0)
    throws = distribution("2D6")
    return sum(
        (chance * other for pips, chance in throws.items() for less, other in throws.items() if pips + lead > less),
        Fraction(0),
    )


def casting(values: Values) -> answers.Answer:
    """The chance that a spell is cast, and what it does then."""
    spell, told = catalogue().spells[values["spell"]], values["resisted_by"]
    shoot = base_profile(values["rank"]).shoot if values["shoot"] is None else values["shoot"]
    magician = Combatant("", "The Magician", values["rank"], shoot=shoot, attributes={"magician": (spell.key,)})
    trained = {"magician": ()} if told == "magician" else {}
    resister = Combatant("", "Who resists", values["resisting_rank"], attributes=trained) if told != "nobody" else None
    target = fighter_of({key: each for key, each in values.items() if key.startswith(TARGET)}, TARGET, "The target")
    chance = chance_to_cast(magician, resister)
    effect = effect_of(spell.key, Attempt(magician, target, chance))
    outcomes = {"cast": chance, "resisted": 1 - chance}
    against = resister.rank if resister is not None and magic.resists_as_magician(resister) else 0
    return answers.chances_answer(
        f"{spell.name} is cast in {answers.in_words(chance)} of all cases{effect.headline}.",
        outcomes,
        tables=(answers.chance_table("outcomes", "The attempt", outcomes, rule=magic.RULE), *effect.tables),
        figures=(
            answers.Figure("cost", "Magic Points", f"{spell.magic_points} of {magic.magic_points(magician)}", SPELLS),
            answers.Figure("effect", "What it does", spell.note, SPELLS),
            *((answers.Figure("range", "Reach", f"{spell.range}″", SPELLS),) if spell.range else ()),
            *((answers.Figure("radius", "Radius", f"{spell.radius}″", SPELLS),) if spell.radius else ()),
            *effect.figures,
        ),
        sums=(
            reasoned("Added to the Magician's two dice", answers.ReasonLine(magician.rank, "Rank", magic.RULE)),
            reasoned(
                "Added to the two dice of who resists",
                answers.ReasonLine(against, "Rank, of Magicians and the like", magic.RULE),
            ),
            *effect.sums,
        ),
        grids=effect.grids,
        rolled=_rolled(values, magician, resister),
        assumptions=("The Magic Points are gone either way. Equal scores resist the spell.", *effect.assumptions),
    )


def _rolled(values: Values, magician: Combatant, resister: Combatant | None) -> tuple[answers.Figure, ...]:
    if not values["dice"]:
        return ()
    wanted = 0 if resister is None else 2
    if len(values["dice"]) != 2 or len(values["resisting_dice"]) != wanted:
        field = "dice" if len(values["dice"]) != 2 else "resisting_dice"
        raise wrong_dice(field, f"Two dice for the Magician and {wanted} for who resists are thrown here.")
    first, second = values["dice"]
    other = (values["resisting_dice"][0], values["resisting_dice"][1]) if wanted else None
    found = magic.resolve_casting(magician, values["spell"], (first, second), resister, other)
    resistance = (
        ()
        if found.resistance is None
        else (answers.Figure("against", "Resistance", str(found.resistance), magic.RULE),)
    )
    result = "cast" if found.cast else "resisted"
    return (
        answers.Figure("score", "Casting Score", str(found.score), magic.RULE),
        *resistance,
        answers.Figure("result", "It is", result, magic.RULE),
    )


# What it does.


class Attempt(Struct, frozen=True):
    """A spell that is tried: by whom, on whom, and the chance that it is cast at all."""

    magician: Combatant
    target: Combatant
    cast: Fraction


def effect_of(spell: str, attempt: Attempt) -> answers.Answer:
    """What this spell adds to the answer; nothing but what its note says, where nothing is counted."""
    found = EFFECTS.get(spell)
    return found(attempt) if found else answers.Answer("")


def _blast(attempt: Attempt) -> answers.Answer:
    """A shot by Shoot alone. Ruling B30."""
    results = wounds.shared(blast_outcomes(attempt.magician, attempt.target), attempt.cast)
    told: dict[str, Fraction] = {RESISTED: 1 - attempt.cast, **results}
    told[MISS] -= 1 - attempt.cast
    ends = wounds.afterwards(attempt.target.wounds, results)
    wounded = wounds.chance_of_wound(results)
    return answers.Answer(
        f" and wounds in {answers.in_words(wounded)}",
        tables=(
            wounds.outcome_table("results", "Each result of the attempt", told, named={RESISTED: "Resisted"}),
            wounds.ends_table("target-after", "The target afterwards", ends),
        ),
        figures=(answers.Figure("wound", "Light wound or worse", answers.in_words(wounded), "Ruling B30"),),
        sums=_blast_sums(attempt),
        assumptions=("The Power Blast is a shot without any modifier but Shoot; armour and a shield count.",),
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


def _blast_sums(attempt: Attempt) -> tuple[answers.ReasonedSum, ...]:
    rating = armour_against_shot(attempt.target, from_front=True)
    return (
        reasoned(
            "Added to the blast's two dice for the Hit Score",
            answers.ReasonLine(present_numbers(attempt.magician).shoot, "Shoot", "Ruling B30"),
            ABSORBED,
        ),
        reasoned(
            "Added to the blast's Hit Score for the Final Wound Score",
            answers.ReasonLine(catalogue().spells["power-blast"].wound, "Power Blast", SPELLS),
            answers.ReasonLine(-rating, "Armour Rating that counts here", "Ruling B18"),
        ),
    )


def _certain(spell: Callable[[Combatant], WoundState], attempt: Attempt) -> answers.Answer:
    """A spell that does one thing if it is cast."""
    ends = _ends(attempt, {spell(attempt.target): Fraction(1)})
    return answers.Answer("", tables=(wounds.ends_table("target-after", "The target afterwards", ends, SPELLS),))


def _ends(attempt: Attempt, ends: wounds.Ends) -> dict[WoundState, Fraction]:
    """The states that a spell leads to, and that of before where it is resisted."""
    found = {state: chance * attempt.cast for state, chance in ends.items()}
    before = attempt.target.wounds
    found[before] = found.get(before, Fraction(0)) + 1 - attempt.cast
    return {state: chance for state, chance in found.items() if chance}


def _stun(attempt: Attempt) -> answers.Answer:
    """D3 counters for each within reach. Ruling B31."""
    each = Fraction(1, len(D3))
    ends: dict[WoundState, Fraction] = {}
    for counters in D3:
        after = magic.stunned_by_spell(attempt.target.wounds, counters)
        ends[after] = ends.get(after, Fraction(0)) + each
    counted = {RESISTED: 1 - attempt.cast, **{f"{counters}-counters": attempt.cast * each for counters in D3}}
    named = {RESISTED: "Resisted"} | {f"{counters}-counters": f"Stunned counters: {counters}" for counters in D3}
    return answers.Answer(
        "",
        tables=(
            wounds.outcome_table("counters", "Counters for each within reach", counted, "Ruling B31", named),
            wounds.ends_table("target-after", "One of them afterwards", _ends(attempt, ends), SPELLS),
        ),
        assumptions=("Everybody within reach but the caster throws a D3 of his own; friends do as well.",),
    )


def _armour(attempt: Attempt) -> answers.Answer:
    before, after = attempt.target, magic.armoured(attempt.target)
    return answers.Answer(
        "", figures=(answers.Figure("armour", "Armour Rating", f"{before.worn} → {after.worn}", SPELLS),)
    )


def _summon(attempt: Attempt) -> answers.Answer:
    found = magic.summoned("", attempt.magician)
    numbers = f"Rank {found.rank}, Combat Pool {found.combat_pool}, Initiative {found.initiative}, Fight {found.fight}"
    return answers.Answer("", figures=(answers.Figure("summoned", "Who appears", numbers, "Ruling B32"),))


def _transfix(attempt: Attempt) -> answers.Answer:
    """Every characteristic and rate of movement, halved and rounded down; Rank and armour stay. Ruling B34."""
    numbers = [(str(number), str(magic.transfixed(Numbers(number, number, number)).fight)) for number in range(1, 7)]
    rates = (
        answers.GridRow(rate.name, tuple(f"{inches} → {inches // 2}" for inches in (rate.short, rate.normal, rate.run)))
        for rate in catalogue().rates.values()
    )
    return answers.Answer(
        "",
        grids=(
            answers.Grid(
                "Every characteristic while Transfix lasts",
                tuple(number for number, _ in numbers),
                (answers.GridRow("becomes", tuple(half for _, half in numbers)),),
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
