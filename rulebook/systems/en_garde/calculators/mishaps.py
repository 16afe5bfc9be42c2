"""Dexterity Checks, falls and deep water. Rule book: "Dexterity Check", "Falling", "Terrain" (Water)."""

from fractions import Fraction
from math import ceil

from rulebook.calculators.questions import TABLE, Question, Values, dice, flag, length, number
from rulebook.calculators.wording import reasoned, reasons
from rulebook.dice.rolls import distribution
from rulebook.ruleset import Calculator
from rulebook.systems.en_garde.book.lengths import INCHES
from rulebook.systems.en_garde.calculators.people import BODY
from rulebook.systems.en_garde.calculators.shot_odds import one_die, wrong_dice
from rulebook.systems.en_garde.calculators.wording import outcome_table, result_name
from rulebook.systems.en_garde.odds.chances import MISS, outcomes_of
from rulebook.systems.en_garde.table.combatant import Combatant, total
from rulebook.systems.en_garde.table.moving import (
    DEXTERITY_NEEDED,
    FALL_ABSORBED,
    check_dexterity,
    dexterity_modifiers,
    drowns,
    fall,
    swept_away,
)
from rulebook.systems.en_garde.table.wounds import WoundTable, converted, needs_die
from rulebook.values.answers import Answer, Figure, ReasonLine, chance_table, in_words, percentages, texts

CHECK = 'Rule book: "Dexterity Check"'
FALLING = 'Rule book: "Falling"'
WATER = 'Rule book: "Terrain"'
BRIDGE = 'Rule book: "Hold the Bridge"'


def _two(values: Values) -> tuple[int, int] | None:
    if not values["dice"]:
        return None
    if len(values["dice"]) != 2:
        raise wrong_dice("dice", "This is thrown with two dice: give both, such as 3,4.")
    first, second = values["dice"]
    return first, second


def _dexterity(values: Values) -> Answer:
    fighter = Combatant(
        id="",
        name="The fighter",
        rank=1,
        initiative=values["initiative"],
        worn=values["armour"],
        attributes={"agile": ()} if values["agile"] else {},
    )
    modifiers = dexterity_modifiers(fighter)
    needed = DEXTERITY_NEEDED - total(modifiers)
    chance = sum((share for pips, share in distribution("2D6").items() if pips >= needed), Fraction(0))
    outcomes = {"passed": chance, "failed": 1 - chance}
    thrown = _two(values)
    return Answer(
        headline=f"The check succeeds in {in_words(chance)} of all cases.",
        outcomes=texts(outcomes),
        percentages=percentages(outcomes),
        tables=(chance_table("outcomes", "The check", outcomes, rule=CHECK),),
        figures=(Figure("needed", "Total needed", str(DEXTERITY_NEEDED), CHECK),),
        sums=(reasoned("Added to two dice", *reasons(modifiers)),),
        rolled=() if thrown is None else _rolled_check(fighter, thrown),
        assumptions=("Every way that two dice can fall is counted once.", "Initiative is the present one."),
    )


def _rolled_check(fighter: Combatant, thrown: tuple[int, int]) -> tuple[Figure, ...]:
    check = check_dexterity(fighter, thrown)
    result = "succeeds" if check.passed else "fails"
    return Figure("score", "Total", str(check.score), CHECK), Figure("result", "The check", result, CHECK)


def _fall(values: Values) -> Answer:
    height, table = values["inches"], WoundTable(values["table"])
    outcomes = fall_outcomes(height, table)
    thrown = _two(values)
    return Answer(
        headline=f"A fall of {height:g} inches does harm in {in_words(1 - outcomes['scratch'])} of all cases.",
        outcomes=texts(outcomes),
        percentages=percentages(outcomes),
        tables=(outcome_table("outcomes", "Each result", outcomes),),
        sums=(
            reasoned(
                "Added to two dice for the Final Wound Score",
                ReasonLine(ceil(height), "Inches fallen, rounded up", FALLING),
                ReasonLine(-FALL_ABSORBED, "Taken off every fall", FALLING),
            ),
        ),
        rolled=() if thrown is None else _rolled_fall(thrown, values),
        assumptions=("Armour does not help. Every way that two dice can fall is counted once.",),
    )


def fall_outcomes(height: float, table: WoundTable = WoundTable.STANDARD) -> dict[str, Fraction]:
    """The chance of each result of a fall from so many inches; a soft landing counts as a scratch."""
    added = ceil(height) - FALL_ABSORBED
    found = dict(outcomes_of({pips + added: chance for pips, chance in distribution("2D6").items()}, 0, table))
    found["scratch"] += found.pop(MISS)
    return found


def _rolled_fall(thrown: tuple[int, int], values: Values) -> tuple[Figure, ...]:
    table = WoundTable(values["table"])
    found = fall(thrown, values["inches"], table)
    if needs_die(found.result, table) and not values["die"]:
        raise wrong_dice("die", "A Critical result on a large body takes one more die.")
    result = converted(found.result, table, one_die(dict(values), "die"))
    return (
        Figure("wound-score", "Final Wound Score", str(found.score), FALLING),
        Figure("result", "Result", result_name(result), 'Rule book: "Wound Table"'),
    )


def _drowning(values: Values) -> Answer:
    faces = [drowns(die, heavy_armour=values["heavy_armour"]) for die in range(1, 7)]
    drowned = Fraction(sum(faces), 6)
    swept = Fraction(sum(swept_away(die) for die in range(1, 7)), 6)
    chance = drowned * swept if values["entering"] else drowned
    outcomes = {"drowns": chance, "lives": 1 - chance}
    if values["entering"]:
        outcomes = {"drowns": chance, "swept-away": swept - chance, "keeps-its-feet": 1 - swept}
    return Answer(
        headline=f"The fighter drowns in {in_words(chance)} of all cases.",
        outcomes=texts(outcomes),
        percentages=percentages(outcomes),
        tables=(chance_table("outcomes", "The water", outcomes, rule=BRIDGE if values["entering"] else WATER),),
        figures=(Figure("needed", "Drowns on", "5 or 6" if values["heavy_armour"] else "6", WATER),),
        rolled=_rolled_water(values),
        assumptions=_water_assumptions(values),
    )


def _water_assumptions(values: Values) -> tuple[str, ...]:
    if values["entering"]:
        return ("On a 6 the river sweeps it away and Stuns it; only then is there a die against drowning.",)
    return ("The fighter is in the water and has received a Stunned counter.",)


def _rolled_water(values: Values) -> tuple[Figure, ...]:
    if not values["die"]:
        return ()
    lost = drowns(values["die"][0], heavy_armour=values["heavy_armour"])
    return (Figure("result", "The die against drowning", "drowns" if lost else "lives", WATER),)


DEXTERITY = Calculator(
    key="dexterity",
    name="Dexterity Check",
    help="The chance of a jump, a climb or another feat.",
    fields=(
        number("initiative", "Initiative", 1, help="As it stands, wounds taken off."),
        number("armour", "Armour Rating of body armour", 0, most=20, help="Counts from 3 upwards (Ruling B17)."),
        flag("agile", "Agile"),
        dice("dice", "The two dice", 2, "Leave empty for the chance alone."),
    ),
    group=TABLE,
    examples=({"initiative": "2"}, {"initiative": "1", "armour": "3", "agile": "true", "dice": "4,4"}),
    source=CHECK,
)
FALL = Calculator(
    key="fall",
    name="A fall",
    help="What a fall does.",
    fields=(
        length(INCHES, "inches", "Inches fallen", 3),
        BODY,
        dice("dice", "The two dice", 2, "Leave empty for the chances alone."),
        dice("die", "Die for a large body", 1, "For a Critical result."),
    ),
    group=TABLE,
    examples=({"inches": "4"}, {"inches": "6.5", "dice": "3,5"}),
    source=FALLING,
)
DROWNING = Calculator(
    key="drowning",
    name="Drowning",
    help="The chance to drown: Stunned in the water, or on entering a river.",
    fields=(
        flag("heavy_armour", "In heavy armour"),
        flag("entering", "Enters the river", help="In Hold the Bridge."),
        dice("die", "The die against drowning", 1, "Leave empty for the chance alone."),
    ),
    group=TABLE,
    examples=({"heavy_armour": "true"}, {"entering": "true"}),
    source=WATER,
)

QUESTIONS = (Question(DEXTERITY, _dexterity), Question(FALL, _fall), Question(DROWNING, _drowning))
