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
from rulebook.systems.en_garde.calculators.fighters import fighter_of
from rulebook.systems.en_garde.calculators.shots import ABSORBED
from rulebook.systems.en_garde.calculators.wounds import (
    Ends,
    afterwards,
    chance_of_wound,
    ends_table,
    outcome_table,
    shared,
)
from rulebook.systems.en_garde.odds.chances import MISS, Outcomes, ShotOdds, shot_outcomes
from rulebook.systems.en_garde.table.combatant import Combatant, Numbers, armour_against_shot, present_numbers
from rulebook.systems.en_garde.table.magic import (
    RULE,
    armoured,
    drained,
    healed,
    magic_points,
    resists_as_magician,
    resolve_casting,
    stunned_by_spell,
    summoned,
    transfixed,
)
from rulebook.systems.en_garde.table.wounds import WoundState
from rulebook.values.answers import (
    Answer,
    Figure,
    Grid,
    GridRow,
    ReasonedSum,
    ReasonLine,
    chance_table,
    chances_answer,
    in_words,
)

TARGET = "target_"
SPELLS = 'Rule book: "Spells"'
RESISTED = "resisted"
D3 = (1, 2, 3)


# The attempt.


def chance_to_cast(magician: Combatant, resister: Combatant | None) -> Fraction:
    """The chance that a spell is cast against this resistance; certain, if nobody resists."""
    if resister is None:
        return Fraction(1)
    lead = magician.rank - (resister.rank if resists_as_magician(resister) else 0)
    throws = distribution("2D6")
    return sum(
        (chance * other for pips, chance in throws.items() for less, other in throws.items() if pips + lead > less),
        Fraction(0),
    )


def casting(values: Values) -> Answer:
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
    against = resister.rank if resister is not None and resists_as_magician(resister) else 0
    return chances_answer(
        f"{spell.name} is cast in {in_words(chance)} of all cases{effect.headline}.",
        outcomes,
        tables=(chance_table("outcomes", "The attempt", outcomes, rule=RULE), *effect.tables),
        figures=(
            Figure("cost", "Magic Points", f"{spell.magic_points} of {magic_points(magician)}", SPELLS),
            Figure("effect", "What it does", spell.note, SPELLS),
            *((Figure("range", "Reach", f"{spell.range}″", SPELLS),) if spell.range else ()),
            *((Figure("radius", "Radius", f"{spell.radius}″", SPELLS),) if spell.radius else ()),
            *effect.figures,
        ),
        sums=(
            reasoned("Added to the Magician's two dice", ReasonLine(magician.rank, "Rank", RULE)),
            reasoned(
                "Added to the two dice of who resists", ReasonLine(against, "Rank, of Magicians and the like", RULE)
            ),
            *effect.sums,
        ),
        grids=effect.grids,
        rolled=_rolled(values, magician, resister),
        assumptions=("The Magic Points are gone either way. Equal scores resist the spell.", *effect.assumptions),
    )


def _rolled(values: Values, magician: Combatant, resister: Combatant | None) -> tuple[Figure, ...]:
    if not values["dice"]:
        return ()
    wanted = 0 if resister is None else 2
    if len(values["dice"]) != 2 or len(values["resisting_dice"]) != wanted:
        field = "dice" if len(values["dice"]) != 2 else "resisting_dice"
        raise wrong_dice(field, f"Two dice for the Magician and {wanted} for who resists are thrown here.")
    first, second = values["dice"]
    other = (values["resisting_dice"][0], values["resisting_dice"][1]) if wanted else None
    found = resolve_casting(magician, values["spell"], (first, second), resister, other)
    resistance = () if found.resistance is None else (Figure("against", "Resistance", str(found.resistance), RULE),)
    result = "cast" if found.cast else "resisted"
    return (
        Figure("score", "Casting Score", str(found.score), RULE),
        *resistance,
        Figure("result", "It is", result, RULE),
    )


# What it does.


class Attempt(Struct, frozen=True):
    """A spell that is tried: by whom, on whom, and the chance that it is cast at all."""

    magician: Combatant
    target: Combatant
    cast: Fraction


def effect_of(spell: str, attempt: Attempt) -> Answer:
    """What this spell adds to the answer; nothing but what its note says, where nothing is counted."""
    found = EFFECTS.get(spell)
    return found(attempt) if found else Answer("")


def _blast(attempt: Attempt) -> Answer:
    """A shot by Shoot alone. Ruling B30."""
    results = shared(blast_outcomes(attempt.magician, attempt.target), attempt.cast)
    told: dict[str, Fraction] = {RESISTED: 1 - attempt.cast, **results}
    told[MISS] -= 1 - attempt.cast
    ends = afterwards(attempt.target.wounds, results)
    wounds = chance_of_wound(results)
    return Answer(
        f" and wounds in {in_words(wounds)}",
        tables=(
            outcome_table("results", "Each result of the attempt", told, named={RESISTED: "Resisted"}),
            ends_table("target-after", "The target afterwards", ends),
        ),
        figures=(Figure("wound", "Light wound or worse", in_words(wounds), "Ruling B30"),),
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


def _blast_sums(attempt: Attempt) -> tuple[ReasonedSum, ...]:
    rating = armour_against_shot(attempt.target, from_front=True)
    return (
        reasoned(
            "Added to the blast's two dice for the Hit Score",
            ReasonLine(present_numbers(attempt.magician).shoot, "Shoot", "Ruling B30"),
            ABSORBED,
        ),
        reasoned(
            "Added to the blast's Hit Score for the Final Wound Score",
            ReasonLine(catalogue().spells["power-blast"].wound, "Power Blast", SPELLS),
            ReasonLine(-rating, "Armour Rating that counts here", "Ruling B18"),
        ),
    )


def _certain(spell: Callable[[Combatant], WoundState], attempt: Attempt) -> Answer:
    """A spell that does one thing if it is cast."""
    ends = _ends(attempt, {spell(attempt.target): Fraction(1)})
    return Answer("", tables=(ends_table("target-after", "The target afterwards", ends, SPELLS),))


def _ends(attempt: Attempt, ends: Ends) -> dict[WoundState, Fraction]:
    """The states that a spell leads to, and that of before where it is resisted."""
    found = {state: chance * attempt.cast for state, chance in ends.items()}
    before = attempt.target.wounds
    found[before] = found.get(before, Fraction(0)) + 1 - attempt.cast
    return {state: chance for state, chance in found.items() if chance}


def _stun(attempt: Attempt) -> Answer:
    """D3 counters for each within reach. Ruling B31."""
    each = Fraction(1, len(D3))
    ends: dict[WoundState, Fraction] = {}
    for counters in D3:
        after = stunned_by_spell(attempt.target.wounds, counters)
        ends[after] = ends.get(after, Fraction(0)) + each
    counted = {RESISTED: 1 - attempt.cast, **{f"{counters}-counters": attempt.cast * each for counters in D3}}
    named = {RESISTED: "Resisted"} | {f"{counters}-counters": f"Stunned counters: {counters}" for counters in D3}
    return Answer(
        "",
        tables=(
            outcome_table("counters", "Counters for each within reach", counted, "Ruling B31", named),
            ends_table("target-after", "One of them afterwards", _ends(attempt, ends), SPELLS),
        ),
        assumptions=("Everybody within reach but the caster throws a D3 of his own; friends do as well.",),
    )


def _armour(attempt: Attempt) -> Answer:
    before, after = attempt.target, armoured(attempt.target)
    return Answer("", figures=(Figure("armour", "Armour Rating", f"{before.worn} → {after.worn}", SPELLS),))


def _summon(attempt: Attempt) -> Answer:
    found = summoned("", attempt.magician)
    numbers = f"Rank {found.rank}, Combat Pool {found.combat_pool}, Initiative {found.initiative}, Fight {found.fight}"
    return Answer("", figures=(Figure("summoned", "Who appears", numbers, "Ruling B32"),))


def _transfix(attempt: Attempt) -> Answer:
    """Every characteristic and rate of movement, halved and rounded down; Rank and armour stay. Ruling B34."""
    numbers = [(str(number), str(transfixed(Numbers(number, number, number)).fight)) for number in range(1, 7)]
    rates = (
        GridRow(rate.name, tuple(f"{inches} → {inches // 2}" for inches in (rate.short, rate.normal, rate.run)))
        for rate in catalogue().rates.values()
    )
    return Answer(
        "",
        grids=(
            Grid(
                "Every characteristic while Transfix lasts",
                tuple(number for number, _ in numbers),
                (GridRow("becomes", tuple(half for _, half in numbers)),),
                "Ruling B34",
            ),
            Grid("Every move in inches", ("Short", "Normal", "Run"), tuple(rates), SPELLS),
        ),
    )


EFFECTS: Mapping[str, Callable[[Attempt], Answer]] = {
    "power-blast": _blast,
    "drain-life": partial(_certain, drained),
    "heal": partial(_certain, healed),
    "stun": _stun,
    "armour": _armour,
    "summon": _summon,
    "transfix": _transfix,
}
"""Mist and Undergrowth change what others may do: their notes say it all."""
