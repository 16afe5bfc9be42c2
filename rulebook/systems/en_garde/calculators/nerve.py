"""Morale Tests and the removal of Stunned counters. Rule book: "Test morale", "Remove stunned counters"."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from msgspec.structs import replace

from rulebook.calculators.questions import TABLE, Question, Values, choice, dice, flag, number
from rulebook.calculators.wording import reasoned, reasons
from rulebook.dice.rolls import distribution
from rulebook.ruleset import Calculator, Problem, RulesError
from rulebook.systems.en_garde.calculators.shot_odds import wrong_dice
from rulebook.systems.en_garde.table.combatant import Combatant, total
from rulebook.systems.en_garde.table.morale import (
    RULE,
    Morale,
    WarbandInBattle,
    morale_modifiers,
    must_test,
    passes_unrolled,
    resolve_morale,
    stun_modifiers,
    stuns_removed,
)
from rulebook.values.answers import Answer, ChanceTable, Figure, chance_table, in_words, percentages, texts

FACES = range(1, 7)
REMOVAL = 'Rule book: "Remove stunned counters"'
BOTH = ("dice", "reroll")


def _warband(values: Values) -> WarbandInBattle:
    told = {key: value for key, value in values.items() if key not in (*BOTH, "morale")}
    warband = WarbandInBattle(morale=Morale(values["morale"]), **told)
    if warband.strength > warband.start:
        sentence = f"No more than the {warband.start} who started can be left: give 'strength' as that or less."
        raise RulesError(Problem("out-of-range", sentence, field="strength", value=str(warband.strength)))
    return warband


def chance_to_pass(warband: WarbandInBattle) -> Fraction:
    """The chance that a warband passes its Morale Test, the banner's second throw included."""
    if passes_unrolled(warband):
        return Fraction(1)
    throws = [resolve_morale(warband, thrown).passed for thrown in product(FACES, repeat=2)]
    once = Fraction(sum(throws), len(throws))
    return once + (1 - once) * once if warband.banner else once


def _morale_test(values: Values) -> Answer:
    warband = _warband(values)
    chance = chance_to_pass(warband)
    outcomes = {"passed": chance, "failed": 1 - chance}
    asked_for = must_test(warband)
    return Answer(
        headline=f"The warband passes in {in_words(chance)} of all cases.",
        outcomes=texts(outcomes),
        percentages=percentages(outcomes),
        tables=(chance_table("outcomes", "The test", outcomes), _morale_after(warband, chance)),
        figures=(
            Figure("needed", "Total of dice and modifiers at most", str(warband.rating), RULE),
            Figure("reasons", "Why it tests", ", ".join(asked_for) or "nothing makes it test", RULE),
        ),
        sums=(reasoned("Added to two dice; a high total is bad", *reasons(morale_modifiers(warband))),),
        rolled=_rolled_test(warband, values),
        assumptions=_morale_assumptions(warband),
    )


def _morale_after(warband: WarbandInBattle, chance: Fraction) -> ChanceTable:
    ends = {_after(warband, passed=True): chance, _after(warband, passed=False): 1 - chance}
    return chance_table("after", "The warband afterwards", ends, rule=RULE)


def _after(warband: WarbandInBattle, *, passed: bool) -> str:
    sure = replace(warband, rating=99 if passed else -99, inspiring=False)
    return resolve_morale(sure, (3, 4)).after.value


def _morale_assumptions(warband: WarbandInBattle) -> tuple[str, ...]:
    if passes_unrolled(warband):
        return ("An Inspiring fighter is in play and the warband has not tested yet: it passes without a roll.",)
    if warband.banner:
        return ("The banner is in play: a failed test is thrown a second time, and the second throw stands.",)
    return ("Every way that two dice can fall is counted once.",)


def _rolled_test(warband: WarbandInBattle, values: Values) -> tuple[Figure, ...]:
    if not values["dice"] or passes_unrolled(warband):
        return ()
    if len(values["dice"]) != 2:
        raise wrong_dice("dice", "A Morale Test is thrown with two dice: give both, such as 3,4.")
    test = resolve_morale(warband, values["dice"])
    if values["reroll"]:
        if not test.may_reroll or len(values["reroll"]) != 2:
            raise wrong_dice("reroll", "Two more dice are thrown where a banner is in play and the first two failed.")
        test = resolve_morale(warband, values["reroll"])
    return (
        Figure("score", "Morale Test", str(test.score), RULE),
        Figure("result", "Result", "passed" if test.passed else "failed", RULE),
        Figure("after", "The warband is", test.after.value, RULE),
    )


MORALE = Calculator(
    key="morale",
    name="Morale Test",
    help="Whether a warband has to test its Morale, what is added, and the chance to pass.",
    fields=(
        number("rating", "Morale Rating", 7, least=2, most=12),
        number("start", "Fighters at the start", 10, least=1, most=200),
        number("strength", "Fighters left", 10, most=200, help="Neither killed, routed, captured nor unconscious."),
        choice("morale", "Morale now", (("steady", "Steady"), ("wavering", "Wavering")), "steady"),
        number("killed", "Killed in the turn that counts", 0, most=200),
        flag("leader_killed", "The Leader was killed in it"),
        flag("commander", "A Commander is in play"),
        flag("banner", "The banner is in play"),
        flag("inspiring", "An Inspiring fighter is in play"),
        flag("inspired_already", "It has tested before"),
        dice("dice", "The two dice", 2, "Leave empty for the chance alone."),
        dice("reroll", "The banner's second throw", 2),
    ),
    group=TABLE,
    examples=(
        {"rating": "7", "start": "10", "strength": "6", "killed": "3", "commander": "true"},
        {"rating": "8", "start": "12", "strength": "5", "morale": "wavering", "banner": "true", "dice": "5,4"},
    ),
    source=RULE,
)


# Stunned counters.


def _stun_removal(values: Values) -> Answer:
    if values["large"]:
        return _shaken_off(values["counters"])
    fighter = Combatant("", "The fighter", 1, attributes={"tough": ()} if values["tough"] else {})
    modifiers = stun_modifiers(fighter, engaged=values["engaged"], rested=values["rested"])
    left: dict[str, Fraction] = {str(count): Fraction(0) for count in range(values["counters"], -1, -1)}
    for die, chance in distribution("D6").items():
        left[_left(values["counters"], die + total(modifiers))] += chance
    free = left["0"]
    return Answer(
        headline=f"The fighter is rid of {_counters(values['counters'])} in {in_words(free)} of all cases.",
        outcomes=texts(left),
        percentages=percentages(left),
        tables=(chance_table("outcomes", "Stunned counters left", left, rule=REMOVAL),),
        sums=(reasoned("Added to a die", *reasons(modifiers)),),
        rolled=_rolled_stun(values, total(modifiers)),
        assumptions=("Each face of the die is counted once. 5 or 6 takes a counter, 7 and more up to two.",),
    )


def _left(counters: int, score: int) -> str:
    return str(max(0, counters - stuns_removed(score)))


def _counters(number: int) -> str:
    return "its Stunned counter" if number == 1 else f"its {number} Stunned counters"


def _rolled_stun(values: Values, added: int) -> tuple[Figure, ...]:
    if not values["die"]:
        return ()
    score = values["die"][0] + added
    left = _left(values["counters"], score)
    return Figure("score", "Total", str(score), REMOVAL), Figure("result", "Counters left", left, REMOVAL)


def _shaken_off(counters: int) -> Answer:
    left: Mapping[str, Fraction] = {str(counters - 1): Fraction(1)}
    rule = 'Rule book: "Large Models"'
    return Answer(
        headline="A large body shakes one counter off without a roll.",
        outcomes=texts(left),
        percentages=percentages(left),
        tables=(chance_table("outcomes", "Stunned counters left", left, rule=rule),),
        assumptions=("Large bodies never roll for it.",),
    )


STUN_REMOVAL = Calculator(
    key="stun-removal",
    name="Removing Stunned counters",
    help="What is left of a fighter's Stunned counters after the End Phase.",
    fields=(
        number("counters", "Stunned counters", 1, least=1, most=2),
        flag("engaged", "Engaged"),
        flag("rested", "Rested in the Move Phase"),
        flag("tough", "Tough"),
        flag("large", "A large body"),
        dice("die", "The die", 1, "Leave empty for the chances alone."),
    ),
    group=TABLE,
    examples=({"counters": "2", "rested": "true"}, {"counters": "1", "engaged": "true", "die": "5"}),
    source=REMOVAL,
)

QUESTIONS = (Question(MORALE, _morale_test), Question(STUN_REMOVAL, _stun_removal))
