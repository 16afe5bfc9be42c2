"""Casting spells against somebody who resists. Rule book: "Casting a spell"."""

from fractions import Fraction

from rulebook.calculators.questions import TABLE, Question, Values, choice, dice, flag, grouped, number
from rulebook.calculators.wording import reasoned
from rulebook.dice.rolls import distribution
from rulebook.ruleset import Calculator
from rulebook.systems.en_garde.book.catalogue import base_profile, catalogue
from rulebook.systems.en_garde.calculators.people import BODY, STUNNED, WOUND, wounds_of
from rulebook.systems.en_garde.calculators.shot_odds import wrong_dice
from rulebook.systems.en_garde.calculators.spell_effects import SPELLS, Attempt, effect_of
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.magic import RULE, magic_points, resists_as_magician, resolve_casting
from rulebook.systems.en_garde.table.wounds import WoundTable
from rulebook.values.answers import Answer, Figure, ReasonLine, chance_table, in_words, percentages, texts

TARGET = "target_"

RESISTERS = (
    ("nobody", "Nobody"),
    ("target", "The target itself"),
    ("magician", "A Magician, Priest or bearer of a Holy Relic"),
)


def _magician(values: Values) -> Combatant:
    shoot = base_profile(values["rank"]).shoot if values["shoot"] is None else values["shoot"]
    known = {"magician": (values["spell"],)}
    return Combatant("", "The Magician", values["rank"], shoot=shoot, attributes=known)


def _target(values: Values) -> Combatant:
    told = {key.removeprefix(TARGET): value for key, value in values.items() if key.startswith(TARGET)}
    return Combatant(
        "",
        "The target",
        1,
        worn=told["armour"],
        shield=told["shield"],
        table=WoundTable(told["table"]),
        wounds=wounds_of(told),
    )


def _resister(values: Values) -> Combatant | None:
    if values["resisted_by"] == "nobody":
        return None
    trained = values["resisted_by"] == "magician"
    return Combatant("", "Who resists", values["resisting_rank"], attributes={"magician": ()} if trained else {})


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


def _spell(values: Values) -> Answer:
    spell, magician, resister = catalogue().spells[values["spell"]], _magician(values), _resister(values)
    chance = chance_to_cast(magician, resister)
    effect = effect_of(spell.key, Attempt(magician, _target(values), chance))
    outcomes = {"cast": chance, "resisted": 1 - chance}
    against = resister.rank if resister is not None and resists_as_magician(resister) else 0
    return Answer(
        headline=f"{spell.name} is cast in {in_words(chance)} of all cases{effect.headline}.",
        outcomes=texts(outcomes),
        percentages=percentages(outcomes),
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


def _spells() -> tuple[tuple[str, str], ...]:
    return tuple((spell.key, spell.name) for spell in catalogue().spells.values())


SPELL = Calculator(
    key="spell",
    name="Casting a spell",
    help="The chance that a spell is cast against somebody who resists it, and what it does then.",
    fields=(
        *grouped(
            "The attempt",
            choice("spell", "Spell", _spells(), "drain-life"),
            number("rank", "The Magician's Rank", 5, least=3, most=5),
            number("shoot", "The Magician's Shoot", help="For Power Blast. Left open: the base profile's of the Rank."),
            choice("resisted_by", "Resisted by", RESISTERS, "target"),
            number("resisting_rank", "Rank of who resists", 1, most=5, help="Counts for Magicians and the like."),
        ),
        *grouped(
            "The target",
            number("armour", "Armour Rating of body armour", 0, most=20),
            flag("shield", "Shield"),
            BODY,
            WOUND,
            STUNNED,
            prefix=TARGET,
        ),
        *grouped(
            "Dice",
            dice("dice", "The Magician's two dice", 2, "Leave empty for the chance alone."),
            dice("resisting_dice", "Two dice of who resists", 2),
        ),
    ),
    group=TABLE,
    examples=(
        {"spell": "drain-life", "rank": "5"},
        {"spell": "stun", "rank": "4", "resisted_by": "magician", "resisting_rank": "3"},
        {"spell": "power-blast", "rank": "5", "target_armour": "2"},
    ),
    source=RULE,
)

QUESTIONS = (Question(SPELL, _spell),)
