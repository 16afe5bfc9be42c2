"""A shot between two fighters: everything that is added, the chance of each result, and what given dice come to."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.calculators.wording import reasoned, reasons, violation_warnings
from rulebook.ruleset import Problem, RulesError
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.calculators.aftermath import (
    POISON_ASSUMPTION,
    THROWN,
    afterwards,
    chance_thrown,
    ends_table,
    poison_table,
    shared,
    with_fall,
)
from rulebook.systems.en_garde.calculators.wording import hit_figures, hit_headline, outcome_table, result_name
from rulebook.systems.en_garde.odds import lucky
from rulebook.systems.en_garde.odds.chances import HIT_ABSORBED, MISS, OUTCOMES, Outcomes, ShotOdds, results_of_shot
from rulebook.systems.en_garde.table.combatant import Combatant, present_numbers, total
from rulebook.systems.en_garde.table.rounds import needs_nerve
from rulebook.systems.en_garde.table.shooting import (
    Missile,
    Shot,
    ShotResult,
    may_reroll_shot,
    misfires,
    never_misses,
    rating_against,
    resolve_shot,
    shooting_modifiers,
    shot_violations,
    shot_wound_modifiers,
)
from rulebook.systems.en_garde.table.wounds import WoundTable, converted, needs_die
from rulebook.values.answers import Answer, ChanceTable, Figure, ReasonedSum, ReasonLine, in_words, percentages, texts

PROCEDURE = 'Rule book: "Shooting procedure"'
INTO_COMBAT = 'Rule book: "Shooting into combat"'
AT_MOUNT = Fraction(4, 6)
ASSUMPTIONS = (
    "The shot is taken: a die against the Beguiling, and whether the rules allow it, stand apart from the chances.",
    "A Sharpshooter throws his lowest die again if it shows 1 or 2.",
)
NO_LUCK = "Lucky re-rolls are not used."


class Aim(Struct, frozen=True):
    """A shot about to be taken. ``struck_back`` says that a Beguiling target has attacked the shooter before.

    ``lucky`` says who uses a Lucky re-roll: "attacker", "target" or nobody. ``others`` fight in the target's combat:
    a miss may strike one of them. Rule book: "Lucky", "Shooting into combat".
    """

    shooter: Combatant
    target: Combatant
    weapon: Missile
    shot: Shot
    settings: HouseRules = USUAL
    struck_back: bool = False
    lucky: str = ""
    others: tuple[Combatant, ...] = ()


def shot_answer(aim: Aim) -> Answer:
    """Everything about a shot but the dice. Rule book: "Shooting procedure"."""
    outcomes, main = outcomes_at(aim), drawn_outcomes(aim)
    return Answer(
        headline=hit_headline(main, aim.weapon.name),
        source=PROCEDURE,
        outcomes=texts(main),
        percentages=percentages(main),
        tables=tuple(_tables(aim, main, outcomes)),
        figures=(*hit_figures(main, PROCEDURE), *_more_figures(aim)),
        sums=(roll_sum(aim), wound_sum(aim), *((wound_sum(aim, on_mount=True),) if aim.target.mounted else ())),
        forbidden=violation_warnings(shot_violations(aim.shooter, aim.weapon, aim.shot)),
        assumptions=(*ASSUMPTIONS, *_more_assumptions(aim)),
    )


def drawn_outcomes(aim: Aim) -> Outcomes:
    """The chance of each result on the target; of a mounted one, "mount" holds every hit on its mount."""
    outcomes = outcomes_at(aim)
    return _drawn(outcomes, outcomes_at(aim, on_mount=True)) if aim.target.mounted else outcomes


def outcomes_at(aim: Aim, *, on_mount: bool = False) -> Outcomes:
    """The chance of each result on the target, or on the mount beneath it if that were what is hit."""
    scores = lucky.lucky_shot_scores(_odds(aim), aim.lucky)
    return results_of_shot(_odds(aim, on_mount=on_mount), scores)


def _odds(aim: Aim, *, on_mount: bool = False) -> ShotOdds:
    added = shooting_modifiers(aim.shooter, aim.target, aim.weapon, aim.shot, aim.settings)
    return ShotOdds(
        shoot=present_numbers(aim.shooter, aim.settings).shoot,
        modifier=total(added),
        wound_modifier=total(shot_wound_modifiers(aim.shooter, aim.weapon)),
        armour_rating=rating_against(aim.target, aim.shot, on_mount=on_mount, settings=aim.settings),
        sharpshooter=_sharp(aim),
        spray=never_misses(aim.weapon, aim.settings),
        table=WoundTable.LARGE if on_mount else aim.target.table,
    )


def _sharp(aim: Aim) -> bool:
    return bool(may_reroll_shot(aim.shooter, aim.weapon, (1,)))


def _drawn(rider: Outcomes, mount: Outcomes) -> dict[str, Fraction]:
    """The results of a shot at a mounted target: two hits of three are the mount's."""
    shared = {each: rider[each] * (1 - AT_MOUNT) for each in OUTCOMES if each != MISS}
    return {MISS: rider[MISS], "mount": (1 - mount[MISS]) * AT_MOUNT, **shared}


def _tables(aim: Aim, main: Outcomes, rider: Outcomes) -> Iterator[ChanceTable]:
    yield outcome_table("outcomes", "Each result", main)
    if aim.target.mounted:
        yield from _mounted_tables(aim, rider)
    else:
        ends = afterwards(aim.target.wounds, rider, settings=aim.settings)
        yield ends_table("target-after", "The target afterwards", ends)
    if aim.weapon.key in aim.shooter.poisoned:
        share = 1 - AT_MOUNT if aim.target.mounted else Fraction(1)
        yield poison_table(aim.target.wounds, shared(rider, share))
    yield from _wide_tables(aim, main[MISS])


def _mounted_tables(aim: Aim, rider: Outcomes) -> Iterator[ChanceTable]:
    """What becomes of the rider, hit himself or thrown by a hurt mount, and the results on the mount."""
    mount = shared(outcomes_at(aim, on_mount=True), AT_MOUNT)
    hit = afterwards(aim.target.wounds, shared(rider, 1 - AT_MOUNT), settings=aim.settings)
    yield ends_table(
        "target-after", "The rider afterwards", with_fall(aim.target, hit, chance_thrown(aim.target, mount))
    )
    yield outcome_table("on-mount", "Each result on the mount", mount, 'Rule book: "Shooting at mounted models"')


def _wide_tables(aim: Aim, miss: Fraction) -> Iterator[ChanceTable]:
    """What a miss does to others in the combat: one of them at random is shot at anew."""
    named = {MISS: "Not hit"}
    for place, (other, outcomes) in enumerate(_wide(aim, miss)):
        title = f"Each result on {other.name}, should the shot go wide"
        yield outcome_table(f"other-{place + 1}", title, outcomes, INTO_COMBAT, named)


def _wide(aim: Aim, miss: Fraction) -> Iterator[tuple[Combatant, Outcomes]]:
    for other in aim.others:
        again = drawn_outcomes(replace(aim, target=other, lucky="", others=()))
        yield other, shared(again, miss / len(aim.others))


def roll_sum(aim: Aim) -> ReasonedSum:
    """What is added to 2D6."""
    added = shooting_modifiers(aim.shooter, aim.target, aim.weapon, aim.shot, aim.settings)
    shoot = ReasonLine(present_numbers(aim.shooter, aim.settings).shoot, "Shoot, as it stands", PROCEDURE)
    absorbed = ReasonLine(-HIT_ABSORBED, "Taken off every Shooting Attack Roll", PROCEDURE)
    return reasoned("Added to two dice for the Hit Score", shoot, *reasons(added), absorbed)


def wound_sum(aim: Aim, *, on_mount: bool = False) -> ReasonedSum:
    """What is added to the Hit Score."""
    added = shot_wound_modifiers(aim.shooter, aim.weapon)
    rating = rating_against(aim.target, aim.shot, on_mount=on_mount, settings=aim.settings)
    armour = ReasonLine(-rating, "Armour Rating that counts here", "Ruling B26" if on_mount else "Ruling B18")
    title = "Added to the Hit Score for the Final Wound Score"
    return reasoned(f"{title}, on the mount" if on_mount else title, *reasons(added), armour)


def _more_figures(aim: Aim) -> Iterator[Figure]:
    if misfires(aim.weapon, (1, 1)):
        chance = Fraction(1, 216) if _sharp(aim) else Fraction(1, 36)
        yield Figure("misfire", "Misfires, before any luck", in_words(chance), 'Rule book: "Misfires"')
    if aim.weapon.reload:
        yield Figure("reload", "Reload counters after it", str(aim.weapon.reload), 'Rule book: "Reload"')
    if aim.target.mounted:
        chance = chance_thrown(aim.target, shared(outcomes_at(aim, on_mount=True), AT_MOUNT))
        yield Figure("thrown", "Thrown from the saddle", in_words(chance), THROWN)
    if aim.others:
        struck = sum((1 - each[MISS] for _, each in _wide(aim, drawn_outcomes(aim)[MISS])), Fraction(0))
        yield Figure("other", "Strikes another in the combat", in_words(struck), INTO_COMBAT)
    yield from nerve_figures(aim.shooter, aim.target, aim.settings, struck_back=aim.struck_back)


def nerve_figures(
    attacker: Combatant, target: Combatant, settings: HouseRules, *, struck_back: bool = False
) -> Iterator[Figure]:
    """How likely an attacker dares to attack a Beguiling target at all. Ruling B16."""
    if needs_nerve(attacker, target, struck_by_target=struck_back) != "beguiling":
        return
    faces = attacker.rank if settings.beguiling_roll == "equal" else attacker.rank - 1
    chance = Fraction(min(6, max(0, faces)), 6)
    yield Figure("nerve", "Brings itself to attack", in_words(chance), "Ruling B16")


def _more_assumptions(aim: Aim) -> Iterator[str]:
    yield from lucky.ASSUMPTIONS if aim.lucky else (NO_LUCK,)
    if aim.target.mounted:
        yield "A hit is drawn between mount and rider; a mount with a Grievous wound or worse throws its rider."
    if aim.target.mounted and aim.lucky:
        yield "Luck looks at what the shot would do to the rider."
    if aim.others:
        yield "A miss is a new shot at one of the others in the combat, each as likely; it goes no further."
        yield "The others are at the same range and in the same cover."
    elif aim.shot.target_engaged:
        yield "A miss may strike another in the combat: who is there is not known, so that is not counted."
    if aim.weapon.spray or aim.weapon.blast:
        yield "These are the chances of one fighter under the template or within the blast."
    if aim.weapon.key in aim.shooter.poisoned:
        yield POISON_ASSUMPTION


# Dice that were thrown.


class ShotDice(Struct, frozen=True):
    """Dice of a shot as they fell; what was not thrown is None."""

    dice: tuple[int, int]
    reroll: int | None = None
    rider_die: int | None = None
    die: int | None = None


def rolled_shot(aim: Aim, thrown: ShotDice) -> tuple[Figure, ...]:
    """What these dice come to. Raises RulesError for dice that are missing or too many."""
    found = _resolved(aim, thrown)
    figures = (
        Figure("attack-roll", "Shooting Attack Roll", str(found.attack_roll), PROCEDURE),
        Figure("hit-score", "Hit Score", str(found.hit_score), PROCEDURE),
    )
    if found.result is None:
        return (*figures, Figure("result", "Result", result_name(None), PROCEDURE))
    table = WoundTable.LARGE if found.on_mount else aim.target.table
    if needs_die(found.result, table) and thrown.die is None:
        raise wrong_dice("die", "A Critical result on a large body takes one more die.")
    result = converted(found.result, table, thrown.die)
    struck = "mount" if found.on_mount else "target"
    return (
        *figures,
        Figure("wound-score", "Final Wound Score", str(found.final_score), PROCEDURE),
        Figure("result", f"Result on the {struck}", result_name(result), 'Rule book: "Wound Table"'),
    )


def _resolved(aim: Aim, thrown: ShotDice) -> ShotResult:
    dice = thrown.dice
    if thrown.reroll is not None:
        if not may_reroll_shot(aim.shooter, aim.weapon, dice):
            raise wrong_dice("reroll", "Only a Sharpshooter throws again, and only a 1 or 2.")
        dice = (thrown.reroll, max(dice))
    rider_die = thrown.rider_die or 6
    found = resolve_shot(
        aim.shooter, aim.target, aim.weapon, aim.shot, dice, rider_die=rider_die, settings=aim.settings
    )
    if found.hit and aim.target.mounted and thrown.rider_die is None:
        raise wrong_dice("rider_die", "A hit on a mounted target takes a die: 1-4 the mount, 5-6 the rider.")
    return found


def wrong_dice(field: str, sentence: str) -> RulesError:
    """The complaint about dice that are missing or too many."""
    return RulesError(Problem("wrong-dice", sentence, field=field))


def told_apart(answer: Answer, aim: Aim, values: dict[str, Any]) -> Answer:
    """The answer with what the given dice come to, if there are any."""
    if not values.get("dice"):
        return answer
    first, *more = values["dice"]
    if len(more) != 1:
        raise wrong_dice("dice", "A shot is thrown with two dice: give both, such as 3,4.")
    single = {key: one_die(values, key) for key in ("reroll", "rider_die", "die")}
    return replace(answer, rolled=rolled_shot(aim, ShotDice((first, more[0]), **single)))


def one_die(values: dict[str, Any], key: str) -> int | None:
    """The one die of a field, None if it is empty."""
    return values[key][0] if values.get(key) else None
