"""A shot: everything that is added, the chance of each result, and what given dice come to.

Rule book: "Shooting procedure", "Shooting into combat", "Shooting at mounted models".
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from rulebook.calculators.asking import one_die, two_dice, wrong_dice
from rulebook.calculators.questions import Values
from rulebook.calculators.wording import reasoned, reasons, violation_warnings
from rulebook.systems.en_garde.book.arms import MissileWeapon
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.calculators import wounds
from rulebook.systems.en_garde.odds import lucky
from rulebook.systems.en_garde.odds.chances import (
    MISS,
    OUTCOMES,
    Outcomes,
    ShotOdds,
    chance_that,
    results_of_shot,
)
from rulebook.systems.en_garde.table import shooting
from rulebook.systems.en_garde.table.blows import with_lowest_again
from rulebook.systems.en_garde.table.combatant import Combatant, Modifier, present_numbers, total
from rulebook.systems.en_garde.table.rounds import needs_nerve, nerve_holds
from rulebook.systems.en_garde.table.shooting import ABSORBED, PROCEDURE
from rulebook.systems.en_garde.table.wounds import WoundTable
from rulebook.values.answers import (
    Answer,
    ChanceTable,
    Figure,
    ReasonedSum,
    ReasonLine,
    chances_answer,
    in_words,
)

INTO_COMBAT = 'Rule book: "Shooting into combat"'
AT_MOUNT = chance_that(shooting.hits_mount, 1)
WOUND_SCORE = "Added to the Hit Score for the Final Wound Score"
NOTHING = "A Hit Score of 0 or less is a miss. A Final Wound Score of 0 or less is a scratch."
SHARP = "A Sharpshooter re-rolls the lowest die if it shows 1 or 2."
ASSUMPTIONS = (
    "The chances assume a legal shot that passes any roll against the Beguiling.",
    SHARP,
)


class Aim(Struct, frozen=True):
    """A shot about to be taken. ``struck_back`` says that a Beguiling target has attacked the
    shooter before.

    ``lucky`` says who uses a Lucky re-roll: "attacker", "target" or nobody. ``others`` fight in the
    target's combat: a miss may strike one of them. Rule book: "Lucky", "Shooting into combat".
    """

    shooter: Combatant
    target: Combatant
    weapon: MissileWeapon
    shot: shooting.Shot
    settings: HouseRules = USUAL
    struck_back: bool = False
    lucky: str = ""
    others: tuple[Combatant, ...] = ()

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """Return what is added to the roll besides Shoot."""
        return shooting.shooting_modifiers(
            self.shooter, self.target, self.weapon, self.shot, self.settings
        )

    @property
    def shoot(self) -> int:
        """Return the Shoot of the shooter as it stands."""
        return present_numbers(self.shooter, self.settings).shoot

    @property
    def sharp(self) -> bool:
        """Return whether the shooter, as a Sharpshooter, may throw a low die again."""
        return bool(shooting.may_reroll_shot(self.shooter, self.weapon, (1,)))

    def armour(self, *, on_mount: bool = False) -> int:
        """Return the Armour Rating that counts, of the target or of the mount beneath it."""
        return shooting.rating_against(
            self.target, self.shot, on_mount=on_mount, settings=self.settings
        )


def shot_answer(aim: Aim) -> Answer:
    """Return everything about a shot but the dice. Rule book: "Shooting procedure"."""
    outcomes, main = outcomes_at(aim), drawn_outcomes(aim)
    return chances_answer(
        wounds.hit_headline(main, aim.weapon.name),
        main,
        source=PROCEDURE,
        tables=tuple(_tables(aim, main, outcomes)),
        figures=(*wounds.hit_figures(main, PROCEDURE), *_more_figures(aim)),
        sums=(
            _roll_sum(aim),
            _wound_sum(aim),
            *((_wound_sum(aim, on_mount=True),) if aim.target.mounted else ()),
        ),
        forbidden=violation_warnings(shooting.shot_violations(aim.shooter, aim.weapon, aim.shot)),
        assumptions=(*ASSUMPTIONS, *_more_assumptions(aim)),
    )


def drawn_outcomes(aim: Aim) -> Outcomes:
    """Return the chance of each result on the target.

    Of a mounted one, "mount" holds every hit on its mount: two of three.
    """
    rider = outcomes_at(aim)
    if not aim.target.mounted:
        return rider
    on_mount = (1 - outcomes_at(aim, on_mount=True)[MISS]) * AT_MOUNT
    return {
        MISS: rider[MISS],
        "mount": on_mount,
        **{each: rider[each] * (1 - AT_MOUNT) for each in OUTCOMES[1:]},
    }


def outcomes_at(aim: Aim, *, on_mount: bool = False) -> Outcomes:
    """Return the chance of each result on the target, or on the mount beneath it if that were what
    is hit."""
    scores = lucky.lucky_shot_scores(_odds(aim), aim.lucky)
    return results_of_shot(_odds(aim, on_mount=on_mount), scores)


def _odds(aim: Aim, *, on_mount: bool = False) -> ShotOdds:
    return ShotOdds(
        shoot=aim.shoot,
        modifier=total(aim.modifiers),
        wound_modifier=total(shooting.shot_wound_modifiers(aim.shooter, aim.weapon)),
        armour_rating=aim.armour(on_mount=on_mount),
        sharpshooter=aim.sharp,
        spray=shooting.never_misses(aim.weapon, aim.settings),
        table=WoundTable.LARGE if on_mount else aim.target.table,
    )


def _tables(aim: Aim, main: Outcomes, rider: Outcomes) -> Iterator[ChanceTable]:
    yield wounds.outcome_table("outcomes", "Each result", main)
    own = wounds.shared(rider, 1 - AT_MOUNT if aim.target.mounted else Fraction(1))
    ends = wounds.afterwards(aim.target.wounds, own, settings=aim.settings)
    if aim.target.mounted:
        mount = wounds.shared(outcomes_at(aim, on_mount=True), AT_MOUNT)
        ends = wounds.with_fall(aim.target, ends, wounds.chance_thrown(aim.target, mount))
        yield wounds.ends_table("target-after", "The rider afterwards", ends)
        yield wounds.outcome_table(
            "on-mount", "Each result on the mount", mount, 'Rule book: "Shooting at mounted models"'
        )
    else:
        yield wounds.ends_table("target-after", "The target afterwards", ends)
    if aim.weapon.key in aim.shooter.poisoned:
        yield wounds.poison_table(aim.target.wounds, own)
    for place, (other, outcomes) in enumerate(_wide(aim, main[MISS])):
        title = f"Each result on {other.name} if the shot misses"
        yield wounds.outcome_table(
            f"other-{place + 1}", title, outcomes, INTO_COMBAT, {MISS: "Not hit"}
        )


def _wide(aim: Aim, miss: Fraction) -> Iterator[tuple[Combatant, Outcomes]]:
    """Yield what a miss does to others in the combat: a random one of them is shot at."""
    for other in aim.others:
        again = drawn_outcomes(replace(aim, target=other, lucky="", others=()))
        yield other, wounds.shared(again, miss / len(aim.others))


def _roll_sum(aim: Aim) -> ReasonedSum:
    """Return what is added to 2D6."""
    shoot = ReasonLine(aim.shoot, "Current Shoot", PROCEDURE)
    return reasoned(
        "Added to two dice for the Hit Score", shoot, *reasons((*aim.modifiers, ABSORBED))
    )


def _wound_sum(aim: Aim, *, on_mount: bool = False) -> ReasonedSum:
    """Return what is added to the Hit Score."""
    added = shooting.shot_wound_modifiers(aim.shooter, aim.weapon)
    rule = "Ruling B26" if on_mount else "Ruling B18"
    armour = ReasonLine(-aim.armour(on_mount=on_mount), "Armour Rating that counts here", rule)
    return reasoned(
        f"{WOUND_SCORE}, on the mount" if on_mount else WOUND_SCORE, *reasons(added), armour
    )


def luck_assumptions(lucky_one: str) -> tuple[str, ...]:
    """Return how a Lucky re-roll is used, or that none is."""
    return lucky.ASSUMPTIONS if lucky_one else ("Lucky re-rolls are not used.",)


def _more_figures(aim: Aim) -> Iterator[Figure]:
    if chance := lucky.throw_chance(
        2, reroll=aim.sharp, rule=partial(shooting.misfires, aim.weapon)
    ):
        yield Figure(
            "misfire", "Misfires, before any luck", in_words(chance), 'Rule book: "Misfires"'
        )
    if aim.weapon.reload:
        yield Figure(
            "reload", "Reload counters after it", str(aim.weapon.reload), 'Rule book: "Reload"'
        )
    if aim.target.mounted:
        chance = wounds.chance_thrown(
            aim.target, wounds.shared(outcomes_at(aim, on_mount=True), AT_MOUNT)
        )
        yield Figure("thrown", "Thrown from the mount", in_words(chance), wounds.THROWN)
    if aim.others:
        struck = sum(
            (1 - each[MISS] for _, each in _wide(aim, drawn_outcomes(aim)[MISS])), Fraction(0)
        )
        yield Figure("other", "Hits another fighter in the combat", in_words(struck), INTO_COMBAT)
    yield from nerve_figures(aim.shooter, aim.target, aim.settings, struck_back=aim.struck_back)


def nerve_figures(
    attacker: Combatant, target: Combatant, settings: HouseRules, *, struck_back: bool = False
) -> Iterator[Figure]:
    """Yield how likely an attacker dares to attack a Beguiling target at all. Ruling B16."""
    if needs_nerve(target, struck_by_target=struck_back) != "beguiling":
        return
    equal = settings.beguiling_roll == "equal"
    chance = chance_that(lambda die: nerve_holds(attacker.rank, die, equal_will_do=equal), 1)
    yield Figure("nerve", "Passes the roll to attack", in_words(chance), "Ruling B16")


def _more_assumptions(aim: Aim) -> Iterator[str]:
    yield from luck_assumptions(aim.lucky)
    if aim.target.mounted:
        yield (
            "A die decides if mount or rider is hit. A mount with a Grievous wound or worse "
            "throws its rider."
        )
    if aim.target.mounted and aim.lucky:
        yield "The Lucky re-roll considers the result on the rider."
    if aim.others:
        yield ("A miss is a new shot at one of the others in the combat, each equally likely.")
        yield "The others have the same range and cover."
    elif aim.shot.target_engaged:
        yield (
            "A miss can hit another fighter in the combat. This is not counted, as the others "
            "are not known."
        )
    if aim.weapon.spray or aim.weapon.blast:
        yield "These are the chances of one fighter under the template or within the blast."
    if aim.weapon.key in aim.shooter.poisoned:
        yield wounds.POISON_ASSUMPTION


# From plain numbers.


def odds_of_a_shot(values: Values) -> Answer:
    """Return the chance of each result of a shot that is given in numbers."""
    keys = ("shoot", "modifier", "wound_modifier", "armour_rating", "sharpshooter", "spray")
    odds = ShotOdds(**{key: values[key] for key in keys}, table=WoundTable(values["table"]))
    # Luck changes the dice, so the chance of each Hit Score comes first.
    outcomes = results_of_shot(odds, lucky.lucky_shot_scores(odds, values["lucky"]))
    return chances_answer(
        wounds.hit_headline(outcomes, "The shot"),
        outcomes,
        tables=(wounds.outcome_table("outcomes", "Each result", outcomes),),
        figures=wounds.hit_figures(outcomes, PROCEDURE),
        sums=(
            reasoned(
                "Added to two dice for the Hit Score",
                ReasonLine(odds.shoot, "Shoot", PROCEDURE),
                ReasonLine(odds.modifier, "All other modifiers", PROCEDURE),
                *reasons((ABSORBED,)),
            ),
            reasoned(
                WOUND_SCORE,
                ReasonLine(odds.wound_modifier, "Weapon and Attributes", PROCEDURE),
                ReasonLine(-odds.armour_rating, "Armour Rating", PROCEDURE),
            ),
        ),
        assumptions=(
            "Every way that two dice can fall is counted once.",
            NOTHING,
            SHARP,
            *luck_assumptions(values["lucky"]),
        ),
    )


# What fields tell of.


def shot_of(values: Values) -> shooting.Shot:
    """Return the circumstances that fields give."""
    return shooting.Shot(
        inches=values["inches"],
        cover=shooting.Cover(values["cover"]),
        moved_short=values["moved"],
        aimed_last_turn=values["aimed"],
        target_engaged=values["target_engaged"],
        from_front=not values["from_behind"],
        twice=values["twice"],
        grapeshot=values["grapeshot"],
        wind=values["wind"],
        rain=values["rain"],
        mist_spell=values["mist"],
    )


def others_of(values: Values) -> tuple[Combatant, ...]:
    """Return those who fight with or against an Engaged target, all alike."""
    count = values["others"] if values["target_engaged"] else 0
    names = (f"another ({place + 1})" if count > 1 else "another" for place in range(count))
    return tuple(Combatant("", name, 1, worn=values["others_armour"]) for name in names)


def rolled_shot(aim: Aim, values: Values) -> tuple[Figure, ...]:
    """Return what given dice come to, if there are any.

    Raises RulesError for dice that are missing or too many.
    """
    dice = two_dice(values, "A shot uses two dice")
    if dice is None:
        return ()
    # The Sharpshooter's re-roll comes before the score, the die between mount and rider after a
    # hit.
    again = one_die(values, "reroll")
    rider_die = one_die(values, "rider_die")
    if again is not None:
        if not shooting.may_reroll_shot(aim.shooter, aim.weapon, dice):
            raise wrong_dice("reroll", "Only a Sharpshooter can re-roll, and only a 1 or 2.")
        first, second = with_lowest_again(dice, again)
        dice = first, second
    shot = shooting.resolve_shot(
        aim.shooter,
        aim.target,
        aim.weapon,
        aim.shot,
        dice,
        rider_die=rider_die or 6,
        settings=aim.settings,
    )
    if shot.hit and aim.target.mounted and rider_die is None:
        raise wrong_dice(
            "rider_die", "A hit on a mounted target needs a die: 1–4 the mount, 5–6 the rider."
        )
    figures = (
        Figure("attack-roll", "Shooting Attack Roll", str(shot.attack_roll), PROCEDURE),
        Figure("hit-score", "Hit Score", str(shot.hit_score), PROCEDURE),
    )
    if shot.result is None:
        return (*figures, wounds.result_figure(None, PROCEDURE))
    result = wounds.final_result(
        shot.result, WoundTable.LARGE if shot.on_mount else aim.target.table, values
    )
    return (
        *figures,
        Figure("wound-score", "Final Wound Score", str(shot.final_score), PROCEDURE),
        wounds.result_figure(
            result, wounds.WOUND_TABLE, f"Result on the {'mount' if shot.on_mount else 'target'}"
        ),
    )
