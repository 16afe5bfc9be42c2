"""Shots: their odds from plain numbers, and with every circumstance by name. Rule book: "Shooting procedure"."""

from msgspec.structs import replace

from rulebook.calculators.questions import (
    ODDS,
    TABLE,
    Question,
    Values,
    choice,
    dice,
    flag,
    grouped,
    length,
    number,
)
from rulebook.calculators.wording import reasoned
from rulebook.ruleset import Calculator, Problem, Severity
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.lengths import INCHES
from rulebook.systems.en_garde.calculators.people import (
    BODY,
    BUILD,
    MOUNT,
    STUNNED,
    WOUND,
    fighter_of,
    is_listed,
    profile_field,
    skill,
    skilled,
)
from rulebook.systems.en_garde.calculators.shot_odds import NO_LUCK, PROCEDURE, Aim, shot_answer, told_apart
from rulebook.systems.en_garde.calculators.wording import hit_figures, hit_headline, outcome_table
from rulebook.systems.en_garde.odds.chances import HIT_ABSORBED, ShotOdds, results_of_shot
from rulebook.systems.en_garde.odds.lucky import ASSUMPTIONS as LUCK
from rulebook.systems.en_garde.odds.lucky import ATTACKER, TARGET, lucky_shot_scores
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.shooting import Cover, Shot, missile
from rulebook.systems.en_garde.table.wounds import WoundTable
from rulebook.values.answers import Answer, ReasonLine, percentages, texts
from rulebook.values.fields import Field

ANY = {"least": -50, "most": 50}
OPEN = "Left open: as the profile has it, or the base profile of the Rank."


def _odds_of_a_shot(values: Values) -> Answer:
    odds = ShotOdds(
        shoot=values["shoot"],
        modifier=values["modifier"],
        wound_modifier=values["wound_modifier"],
        armour_rating=values["armour_rating"],
        sharpshooter=values["sharpshooter"],
        spray=values["spray"],
        table=WoundTable(values["table"]),
    )
    outcomes = results_of_shot(odds, lucky_shot_scores(odds, values["lucky"]))
    return Answer(
        headline=hit_headline(outcomes, "The shot"),
        outcomes=texts(outcomes),
        percentages=percentages(outcomes),
        tables=(outcome_table("outcomes", "Each result", outcomes),),
        figures=hit_figures(outcomes, PROCEDURE),
        sums=(
            reasoned(
                "Added to two dice for the Hit Score",
                ReasonLine(odds.shoot, "Shoot", PROCEDURE),
                ReasonLine(odds.modifier, "Everything else added to the roll", PROCEDURE),
                ReasonLine(-HIT_ABSORBED, "Taken off every Shooting Attack Roll", PROCEDURE),
            ),
            reasoned(
                "Added to the Hit Score for the Final Wound Score",
                ReasonLine(odds.wound_modifier, "Weapon and Attributes", PROCEDURE),
                ReasonLine(-odds.armour_rating, "Armour Rating", PROCEDURE),
            ),
        ),
        assumptions=(
            "Every way that two dice can fall is counted once.",
            "A Hit Score of 0 or less is a miss; a Final Wound Score of 0 or less is a scratch.",
            "A Sharpshooter throws his lowest die again if it shows 1 or 2.",
            *(LUCK if values["lucky"] else (NO_LUCK,)),
        ),
    )


LUCKY = choice(
    "lucky",
    "Lucky re-roll by",
    (("", "Nobody"), (ATTACKER, "The attacker"), (TARGET, "The target")),
    help="Once a game, by whoever is Lucky.",
)


ODDS_OF_A_SHOT = Calculator(
    key="shot",
    name="Odds of a shot",
    help="The chance of each result of one shot, from plain numbers.",
    fields=(
        number("shoot", "Shoot", 1),
        number("modifier", "Added to the roll", 0, help="Everything but Shoot: range, cover, aim, wounds...", **ANY),
        number("wound_modifier", "Added to the Wound Score", 0, help="By the weapon and by magic.", **ANY),
        number("armour_rating", "Armour Rating", 0),
        flag("sharpshooter", "Sharpshooter"),
        flag("spray", "Spray that never misses"),
        LUCKY,
        BODY,
    ),
    group=ODDS,
    examples=(
        {"shoot": "1", "modifier": "-1", "wound_modifier": "0", "armour_rating": "1"},
        {"shoot": "2", "modifier": "-2", "wound_modifier": "2", "sharpshooter": "true"},
    ),
    source=PROCEDURE,
)


# With every circumstance by name.


def missile_weapons() -> tuple[tuple[str, str], ...]:
    """Every missile weapon and gun as a choice."""
    arms = catalogue().arms
    weapons = tuple((row.key, row.name) for row in arms.missiles.values())
    return (*weapons, *((gun.key, gun.name) for gun in arms.guns.values()))


SITUATION = (
    length(INCHES, "inches", "Range in inches", 8),
    choice("cover", "Cover", tuple((each.value, each.value.capitalize()) for each in Cover), "none"),
    flag("moved", "With a short move"),
    flag("twice", "One of an Archer's two shots"),
    flag("from_behind", "From behind"),
    flag("grapeshot", "Grapeshot"),
)
"""What nobody but the players knows of a shot."""
WEATHER = (
    flag("aimed", "Aimed last turn"),
    flag("target_engaged", "The target is Engaged"),
    flag("wind", "Wind"),
    flag("rain", "Rain"),
    flag("mist", "The spell Mist"),
)
"""What a battle's log knows of a shot."""
OTHERS = (
    number("others", "Others in the target's combat", 0, most=5, help="A miss may strike one of them."),
    number("others_armour", "Their Armour Rating", 0, most=20),
)
"""Who else is in the combat that is shot into, where no log knows it."""
DICE = (
    dice("dice", "The two dice", 2, "Leave empty for the odds alone."),
    dice("reroll", "Sharpshooter's new die", 1),
    dice("rider_die", "Die for mount or rider", 1, "1-4 the mount, 5-6 the rider."),
    dice("die", "Die for a large body", 1, "For a Critical result."),
)


def shot_of(values: Values) -> Shot:
    """The circumstances that fields tell of."""
    return Shot(
        inches=values["inches"],
        cover=Cover(values["cover"]),
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
    """Those who fight beside or against an Engaged target, all alike."""
    count = values["others"] if values["target_engaged"] else 0
    names = (f"another ({place + 1})" if count > 1 else "another" for place in range(count))
    return tuple(Combatant("", name, 1, worn=values["others_armour"]) for name in names)


def _resolve_shot(values: Values) -> Answer:
    weapon = missile(values["weapon"], grapeshot=values["grapeshot"])
    shooter = skilled(fighter_of(values, name="The shooter"), values, "", weapon.key)
    target = skilled(fighter_of(values, "target_", name="The target"), values, "target_", "")
    aim = Aim(shooter, target, weapon, shot_of(values), lucky=values["lucky"], others=others_of(values))
    answer = told_apart(shot_answer(aim), aim, dict(values))
    unarmed = is_listed(values) and not weapon.gun and weapon.key not in shooter.weapons
    return replace(answer, forbidden=(*answer.forbidden, *((_not_carried(weapon.name),) if unarmed else ())))


def _not_carried(weapon: str) -> Problem:
    sentence = f"This fighter carries no {weapon.lower()}."
    return Problem("not-carried", sentence, Severity.WARNS, source='Rule book: "Missile weapons"')


def _shooter_fields() -> tuple[Field, ...]:
    return (
        profile_field(),
        BUILD,
        number("rank", "Rank", most=5, help=OPEN),
        number("shoot", "Shoot", help=OPEN),
        MOUNT,
        WOUND,
        STUNNED,
        *map(skill, ("sharpshooter", "archer", "horse-master", "tough")),
    )


def _target_fields() -> tuple[Field, ...]:
    return (
        profile_field(),
        BUILD,
        number("armour", "Armour Rating of body armour", most=20, help="Left open: the profile's, or none."),
        flag("shield", "Shield"),
        flag("buckler", "Buckler"),
        MOUNT,
        number("barding", "Armour Rating of barding", 0, most=5),
        BODY,
        WOUND,
        STUNNED,
        *map(skill, ("dodge", "beguiling", "tough")),
    )


RESOLVE_SHOT = Calculator(
    key="resolve-shot",
    name="A shot at the table",
    help="What is added to a shot, line by line, the chance of each result, and what your dice come to.",
    fields=(
        *grouped(
            "The shot", choice("weapon", "Weapon", missile_weapons(), "bow"), *SITUATION, *WEATHER, *OTHERS, LUCKY
        ),
        *grouped("The shooter", *_shooter_fields()),
        *grouped("The target", *_target_fields(), prefix="target_"),
        *grouped("Dice", *DICE),
    ),
    group=TABLE,
    examples=(
        {"weapon": "longbow", "inches": "23", "shoot": "1", "target_armour": "1", "dice": "3,4"},
        {"weapon": "musket", "inches": "14", "cover": "medium", "profile": "swashbucklers/able-seaman"},
    ),
    source=PROCEDURE,
)

QUESTIONS = (Question(ODDS_OF_A_SHOT, _odds_of_a_shot), Question(RESOLVE_SHOT, _resolve_shot))
