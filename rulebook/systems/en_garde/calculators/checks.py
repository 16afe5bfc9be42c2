"""Rolls other than shots and blows: Priority, Morale, Stunned counters, Dexterity, falls, deep
water.

Chances use the rules of the events of a battle, over every way in which the dice can fall.
"""

from fractions import Fraction

from rulebook.calculators.asking import two_dice, wrong_dice
from rulebook.calculators.questions import Values
from rulebook.calculators.wording import reasoned, reasons
from rulebook.ruleset import RulesError
from rulebook.systems.en_garde.book import problem
from rulebook.systems.en_garde.calculators.wounds import (
    WOUND_TABLE,
    final_result,
    outcome_table,
    result_figure,
)
from rulebook.systems.en_garde.odds.chances import FACES, MISS, chance_that, on_body, throw_odds
from rulebook.systems.en_garde.table import morale, moving
from rulebook.systems.en_garde.table.combatant import Combatant, total
from rulebook.systems.en_garde.table.morale import Morale, WarbandInBattle, resolve_morale
from rulebook.systems.en_garde.table.wounds import WoundTable
from rulebook.values.answers import (
    Answer,
    Figure,
    ReasonLine,
    chance_table,
    chances_answer,
    in_words,
)

PRIORITY = 'Rule book: "Determine priority"'
REMOVAL = 'Rule book: "Remove stunned counters"'
CHECK = 'Rule book: "Dexterity Check"'
FALLING = 'Rule book: "Falling"'
WATER = 'Rule book: "Terrain"'
BRIDGE = 'Rule book: "Hold the Bridge"'
TWO_DICE = "Every combination of two dice counts once."
SIDES = {"first": "The first side", "second": "The second side"}


# Priority. Rule book: "Determine priority", "Scout", "Tactician".


def priority(values: Values) -> Answer:
    """Return the chance of two sides to have Priority."""
    chance = chance_of_priority(values)
    outcomes = {"first": chance, "second": 1 - chance}
    thrown = two_dice(values, "Each side rolls one die")
    scouts = [values[f"{side}_scouts"] for side in SIDES]
    # Dice that were given are judged by the same rule as those that are counted.
    rolled: tuple[Figure, ...] = ()
    if thrown:
        winners = _winners(values, *thrown)
        result = SIDES[winners[0]] if len(winners) == 1 else "a tie: roll again"
        rolled = (Figure("result", "Priority", result, PRIORITY),)
    more = (
        morale.priority_modifier(own, its, values["turn"]) for own, its in (scouts, scouts[::-1])
    )
    return chances_answer(
        f"The first side has Priority in {in_words(chance)} of all cases.",
        outcomes,
        tables=(chance_table("outcomes", "Priority", outcomes, SIDES, PRIORITY),),
        sums=tuple(
            reasoned(
                f"Added to the die of the {side} side",
                ReasonLine(each, "more Scouts in the first turn", 'Rule book: "Scout"'),
            )
            for side, each in zip(SIDES, more, strict=True)
        ),
        rolled=rolled,
        assumptions=(
            "Ties are rolled again. The only side with a Tactician has Priority without a roll "
            "(Ruling B28).",
        ),
    )


def chance_of_priority(values: Values) -> Fraction:
    """Return the chance that the first side has Priority; who ties throws again until somebody has
    it."""
    odds = throw_odds(lambda *dice: _winners(values, *dice), 2)
    first, second = (odds.get((side,), Fraction(0)) for side in SIDES)
    return first / (first + second)


def _winners(values: Values, first: int, second: int) -> tuple[str, ...]:
    tacticians = frozenset(side for side in SIDES if values[f"{side}_tactician"])
    scouts = {side: values[f"{side}_scouts"] for side in SIDES}
    return morale.sides_with_priority(
        {"first": first, "second": second}, tacticians, scouts, values["turn"]
    )


# Morale. Rule book: "Test morale".


def morale_test(values: Values) -> Answer:
    """Return whether a warband has to test its Morale, what is added, and the chance to pass."""
    kwargs = {
        key: value for key, value in values.items() if key not in ("dice", "reroll", "morale")
    }
    warband = WarbandInBattle(morale=Morale(values["morale"]), **kwargs)
    if warband.strength > warband.start:
        raise RulesError(problem("too-strong", value=warband.strength, start=warband.start))
    chance = chance_to_pass(warband)
    outcomes = {"passed": chance, "failed": 1 - chance}
    # Inspiring fighters and banners change how often is thrown, not what is added.
    assumption = TWO_DICE
    if morale.passes_unrolled(warband):
        assumption = (
            "The warband passes without a roll: an Inspiring fighter is in play, and "
            "this is its first test."
        )
    elif warband.banner:
        assumption = (
            "The banner is in play, so a failed test is rolled again. The second roll counts."
        )
    passed, failed = (
        morale.after_test(warband.morale, passed=each).value for each in (True, False)
    )
    after = {passed: chance, failed: 1 - chance}
    why = ", ".join(morale.must_test(warband)) or "nothing makes it test"
    return chances_answer(
        f"The warband passes in {in_words(chance)} of all cases.",
        outcomes,
        tables=(
            chance_table("outcomes", "The test", outcomes),
            chance_table("after", "The warband afterwards", after, rule=morale.RULE),
        ),
        figures=(
            Figure(
                "needed", "Total of dice and modifiers at most", str(warband.rating), morale.RULE
            ),
            Figure("reasons", "Why it tests", why, morale.RULE),
        ),
        sums=(
            reasoned(
                "Added to two dice (a high total is bad)",
                *reasons(morale.morale_modifiers(warband)),
            ),
        ),
        rolled=_rolled_test(warband, values),
        assumptions=(assumption,),
    )


def chance_to_pass(warband: WarbandInBattle) -> Fraction:
    """Return the chance that a warband passes its Morale Test, the banner's second throw
    included."""
    if morale.passes_unrolled(warband):
        return Fraction(1)
    once = chance_that(lambda *dice: resolve_morale(warband, dice).passed, 2)
    return once + (1 - once) * once if warband.banner else once


def _rolled_test(warband: WarbandInBattle, values: Values) -> tuple[Figure, ...]:
    if morale.passes_unrolled(warband):
        return ()
    dice = two_dice(values, "A Morale Test uses two dice")
    if dice is None:
        return ()
    test = resolve_morale(warband, dice)
    if values["reroll"]:
        if not test.may_reroll or len(values["reroll"]) != 2:
            raise wrong_dice(
                "reroll",
                "Roll two more dice only if a banner is in play and the first two failed.",
            )
        test = resolve_morale(warband, values["reroll"])
    return (
        Figure("score", "Morale Test", str(test.score), morale.RULE),
        Figure("result", "Result", "passed" if test.passed else "failed", morale.RULE),
        Figure("after", "The warband is", test.after.value, morale.RULE),
    )


# Stunned counters. Rule book: "Remove stunned counters".


def stun_removal(values: Values) -> Answer:
    """Return what is left of a fighter's Stunned counters after the End Phase."""
    counters: int = values["counters"]
    table = WoundTable.LARGE if values["large"] else WoundTable.STANDARD
    fighter = Combatant(
        "", "The fighter", 1, table=table, attributes={"tough": ()} if values["tough"] else {}
    )
    if morale.shakes_off_unrolled(fighter):
        certain = {str(counters - 1): Fraction(1)}
        rule = 'Rule book: "Large Models"'
        return chances_answer(
            "A large body removes one counter without a roll.",
            certain,
            tables=(chance_table("outcomes", "Stunned counters left", certain, rule=rule),),
            assumptions=("Large bodies do not roll for this.",),
        )
    modifiers = morale.stun_modifiers(fighter, engaged=values["engaged"], rested=values["rested"])

    def left_by(score: int) -> str:
        return str(max(0, counters - morale.stuns_removed(score)))

    # From all counters left down to none, also what no die brings about.
    odds = throw_odds(lambda die: left_by(die + total(modifiers)), 1)
    left = {str(count): odds.get(str(count), Fraction(0)) for count in range(counters, -1, -1)}
    rolled: tuple[Figure, ...] = ()
    if values["die"]:
        score = values["die"][0] + total(modifiers)
        rolled = (
            Figure("score", "Total", str(score), REMOVAL),
            Figure("result", "Counters left", left_by(score), REMOVAL),
        )
    what = "its Stunned counter" if counters == 1 else f"its {counters} Stunned counters"
    return chances_answer(
        f"The fighter removes {what} in {in_words(left['0'])} of all cases.",
        left,
        tables=(chance_table("outcomes", "Stunned counters left", left, rule=REMOVAL),),
        sums=(reasoned("Added to a die", *reasons(modifiers)),),
        rolled=rolled,
        assumptions=(
            "Each face of the die counts once. 5 or 6 removes a counter, 7 and more up to two.",
        ),
    )


# Feats and mishaps. Rule book: "Dexterity Check", "Falling", "Terrain" (Water).


def dexterity(values: Values) -> Answer:
    """Return the chance of a jump, a climb or another feat."""
    agile = {"agile": ()} if values["agile"] else {}
    fighter = Combatant(
        "",
        "The fighter",
        1,
        initiative=values["initiative"],
        worn=values["armour"],
        attributes=agile,
    )
    modifiers = moving.dexterity_modifiers(fighter)
    chance = chance_that(lambda *dice: moving.check_dexterity(fighter, dice).passed, 2)
    outcomes = {"passed": chance, "failed": 1 - chance}
    thrown = two_dice(values, "This check uses two dice")
    rolled: tuple[Figure, ...] = ()
    if thrown:
        check = moving.check_dexterity(fighter, thrown)
        result = "succeeds" if check.passed else "fails"
        rolled = (
            Figure("score", "Total", str(check.score), CHECK),
            Figure("result", "The check", result, CHECK),
        )
    return chances_answer(
        f"The check succeeds in {in_words(chance)} of all cases.",
        outcomes,
        tables=(chance_table("outcomes", "The check", outcomes, rule=CHECK),),
        figures=(Figure("needed", "Total needed", str(moving.DEXTERITY_NEEDED), CHECK),),
        sums=(reasoned("Added to two dice", *reasons(modifiers)),),
        rolled=rolled,
        assumptions=(TWO_DICE, "The check uses current Initiative."),
    )


def what_a_fall_does(values: Values) -> Answer:
    """Return the chance of each result of a fall."""
    height = values["inches"]
    table = WoundTable(values["table"])
    outcomes = fall_outcomes(height, table)
    thrown = two_dice(values, "This check uses two dice")
    rolled: tuple[Figure, ...] = ()
    if thrown:
        fall = moving.fall(thrown, height, table)
        rolled = (
            Figure("wound-score", "Final Wound Score", str(fall.score), FALLING),
            result_figure(final_result(fall.result, table, values), WOUND_TABLE),
        )
    return chances_answer(
        f"A fall of {height:g} inches causes a wound in {in_words(1 - outcomes['scratch'])} of all "
        "cases.",
        outcomes,
        tables=(outcome_table("outcomes", "Each result", outcomes),),
        sums=(
            reasoned(
                "Added to two dice for the Final Wound Score",
                *reasons(moving.fall_modifiers(height)),
            ),
        ),
        rolled=rolled,
        assumptions=(f"Armour does not help. {TWO_DICE}",),
    )


def fall_outcomes(height: float, table: WoundTable = WoundTable.STANDARD) -> dict[str, Fraction]:
    """Return the chance of each result of a fall from so many inches; a soft landing counts as a
    scratch."""
    results = throw_odds(lambda *dice: moving.fall(dice, height, table).result, 2)
    return {
        result: chance
        for result, chance in on_body(results.items(), table).items()
        if result != MISS
    }


def drowning(values: Values) -> Answer:
    """Return the chance to drown: Stunned in the water, or on entering a river."""
    heavy, rule = values["heavy_armour"], WATER
    deadly = [die for die in FACES if moving.drowns(die, heavy_armour=heavy)]
    chance = Fraction(len(deadly), len(FACES))
    outcomes = {"drowns": chance, "lives": 1 - chance}
    assumption = "The fighter is in the water and has received a Stunned counter."
    if values["entering"]:
        swept, rule = chance_that(moving.swept_away, 1), BRIDGE
        chance *= swept
        outcomes = {"drowns": chance, "swept-away": swept - chance, "keeps-its-feet": 1 - swept}
        assumption = (
            "On a 6 the river sweeps the fighter away and Stuns it. Only then roll "
            "against drowning."
        )
    rolled: tuple[Figure, ...] = ()
    if values["die"]:
        result = "drowns" if moving.drowns(values["die"][0], heavy_armour=heavy) else "lives"
        rolled = (Figure("result", "The die against drowning", result, WATER),)
    return chances_answer(
        f"The fighter drowns in {in_words(chance)} of all cases.",
        outcomes,
        tables=(chance_table("outcomes", "The water", outcomes, rule=rule),),
        figures=(Figure("needed", "Drowns on", " or ".join(map(str, deadly)), WATER),),
        rolled=rolled,
        assumptions=(assumption,),
    )
