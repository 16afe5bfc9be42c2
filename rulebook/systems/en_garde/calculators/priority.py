"""Who has Priority. Rule book: "Determine priority", "Scout", "Tactician"."""

from fractions import Fraction
from itertools import product

from rulebook.calculators.questions import TABLE, Question, Values, dice, flag, number
from rulebook.calculators.wording import reasoned
from rulebook.ruleset import Calculator
from rulebook.systems.en_garde.calculators.shot_odds import wrong_dice
from rulebook.systems.en_garde.table import morale
from rulebook.values.answers import Answer, Figure, ReasonLine, chance_table, in_words, percentages, texts

RULE = 'Rule book: "Determine priority"'
SIDES = ("first", "second")


def _winners(values: Values, first: int, second: int) -> tuple[str, ...]:
    tacticians = frozenset(side for side in SIDES if values[f"{side}_tactician"])
    scouts = {side: values[f"{side}_scouts"] for side in SIDES}
    return morale.sides_with_priority({"first": first, "second": second}, tacticians, scouts, values["turn"])


def chance_of_priority(values: Values) -> Fraction:
    """The chance that the first side has Priority; who ties throws again until somebody has it."""
    throws = [_winners(values, *pair) for pair in product(range(1, 7), repeat=2)]
    first = sum(winners == ("first",) for winners in throws)
    second = sum(winners == ("second",) for winners in throws)
    return Fraction(first, first + second)


def _priority(values: Values) -> Answer:
    chance = chance_of_priority(values)
    outcomes = {"first": chance, "second": 1 - chance}
    return Answer(
        headline=f"The first side has Priority in {in_words(chance)} of all cases.",
        outcomes=texts(outcomes),
        percentages=percentages(outcomes),
        tables=(chance_table("outcomes", "Priority", outcomes, LABELS, RULE),),
        sums=tuple(
            reasoned(
                f"Added to the die of the {side} side",
                ReasonLine(_scouts(values, side), "more Scouts in the first turn", 'Rule book: "Scout"'),
            )
            for side in SIDES
        ),
        rolled=_rolled(values),
        assumptions=(
            "Ties are thrown again. The only side with a Tactician has Priority without a roll (Ruling B28).",
        ),
    )


LABELS = {"first": "The first side", "second": "The second side"}


def _scouts(values: Values, side: str) -> int:
    other = SIDES[1 - SIDES.index(side)]
    return morale.priority_modifier(values[f"{side}_scouts"], values[f"{other}_scouts"], values["turn"])


def _rolled(values: Values) -> tuple[Figure, ...]:
    if not values["dice"]:
        return ()
    if len(values["dice"]) != 2:
        raise wrong_dice("dice", "Each side throws one die: give both, such as 3,4.")
    winners = _winners(values, *values["dice"])
    return (Figure("result", "Priority", LABELS[winners[0]] if len(winners) == 1 else "a tie: throw again", RULE),)


PRIORITY = Calculator(
    key="priority",
    name="Priority",
    help="The chance of two sides to have Priority.",
    fields=(
        number("turn", "Turn", 1, least=1, most=99),
        number("first_scouts", "Scouts of the first side", 0, most=60),
        number("second_scouts", "Scouts of the second side", 0, most=60),
        flag("first_tactician", "The first side has a Tactician"),
        flag("second_tactician", "The second side has a Tactician"),
        dice("dice", "A die for each side", 2, "Leave empty for the chance alone."),
    ),
    group=TABLE,
    examples=({"turn": "1", "first_scouts": "2", "second_scouts": "1"}, {"turn": "2", "first_tactician": "true"}),
    source=RULE,
)

QUESTIONS = (Question(PRIORITY, _priority),)
