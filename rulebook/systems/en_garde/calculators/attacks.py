"""Attacks: their odds from plain numbers, and with weapons and ploys by name. Rule book: "Making an attack"."""

from rulebook.calculators.questions import ODDS, TABLE, Question, Values, dice, flag, grouped, number
from rulebook.calculators.wording import reasoned
from rulebook.ruleset import Calculator
from rulebook.systems.en_garde.calculators.attack_dice import with_dice
from rulebook.systems.en_garde.calculators.attack_odds import MAKING, Strike, attack_answer
from rulebook.systems.en_garde.calculators.people import (
    BODY,
    BUILD,
    MOUNT,
    STUNNED,
    WOUND,
    armed,
    fighter_of,
    grip_of,
    is_listed,
    profile_field,
    skill,
    skilled,
    weapon_field,
)
from rulebook.systems.en_garde.calculators.shot_odds import NO_LUCK
from rulebook.systems.en_garde.calculators.shots import ANY, LUCKY, OPEN
from rulebook.systems.en_garde.calculators.wording import hit_figures, hit_headline, outcome_table
from rulebook.systems.en_garde.odds.chances import (
    AttackOdds,
    RiposteOdds,
    Scores,
    results_of_attack,
    results_of_riposte,
)
from rulebook.systems.en_garde.odds.lucky import ASSUMPTIONS as LUCK
from rulebook.systems.en_garde.odds.lucky import lucky_attack_scores
from rulebook.systems.en_garde.table.blows import Ploy, Stance
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.wounds import WoundTable
from rulebook.values.answers import Answer, ChanceTable, ReasonLine, percentages, texts
from rulebook.values.fields import Field

PLAIN = ("fight", "defender_fight", "modifier", "wound_modifier", "armour_rating", "mighty_blow", "weapon_master")


def _odds_of_an_attack(values: Values) -> Answer:
    told = {key: values[key] for key in (*PLAIN, "defender_weapon_master", "helpless")}
    attack = AttackOdds(**told, parry=values["parry"] or values["riposte"], table=WoundTable(values["table"]))
    riposte = RiposteOdds(values["riposte_wound_modifier"], values["attacker_armour_rating"])
    scores = lucky_attack_scores(attack, values["lucky"], riposte if values["riposte"] else None)
    outcomes = results_of_attack(attack, scores)
    return Answer(
        headline=hit_headline(outcomes, "The attack"),
        outcomes=texts(outcomes),
        percentages=percentages(outcomes),
        tables=(
            outcome_table("outcomes", "Each result", outcomes),
            *(_riposte_table(riposte, scores) if values["riposte"] else ()),
        ),
        figures=hit_figures(outcomes, MAKING),
        sums=(
            reasoned(
                "Added to the attacker's dice",
                ReasonLine(attack.fight, "Fight", MAKING),
                ReasonLine(attack.modifier, "Everything else added to the roll", MAKING),
            ),
            reasoned("Added to the defender's dice", ReasonLine(attack.defender_fight, "Fight", MAKING)),
            reasoned(
                "Added to the Hit Score for the Final Wound Score",
                ReasonLine(attack.wound_modifier, "Weapons, ploys and Attributes", MAKING),
                ReasonLine(-attack.armour_rating, "Armour Rating", MAKING),
            ),
        ),
        assumptions=(
            "Every way that the dice can fall is counted once; a Parry adds a die to the defence.",
            "A Weapon Master throws his lowest die again if it shows 1 or 2, before a Mighty Blow discards one.",
            "A Hit Score of 0 or less is a miss; a Final Wound Score of 0 or less is a scratch.",
            "A Riposte rolls two dice for its one counter (Ruling B1) and takes 2 off its Wound Score.",
            *(LUCK if values["lucky"] else (NO_LUCK,)),
        ),
    )


def _riposte_table(riposte: RiposteOdds, scores: Scores) -> tuple[ChanceTable, ...]:
    turned = results_of_riposte(riposte, scores)
    return (outcome_table("riposte", "Each result of the Riposte on the attacker", turned, 'Rule book: "Riposte"'),)


ODDS_OF_AN_ATTACK = Calculator(
    key="attack",
    name="Odds of an attack",
    help="The chance of each result of one attack in hand-to-hand combat, from plain numbers.",
    fields=(
        number("fight", "Attacker's Fight", 2),
        number("defender_fight", "Defender's Fight", 2),
        number("modifier", "Added to the Attack Roll", 0, help="Beside Fight.", **ANY),
        number("wound_modifier", "Added to the Wound Score", 0, help="By weapons, ploys and Attributes.", **ANY),
        number("armour_rating", "Defender's Armour Rating", 0),
        flag("parry", "The defender parries"),
        flag("mighty_blow", "Mighty Blow"),
        flag("weapon_master", "The attacker is a Weapon Master"),
        flag("defender_weapon_master", "The defender is a Weapon Master"),
        flag("riposte", "The defender tries a Riposte", help="It holds its Parry."),
        number("riposte_wound_modifier", "Added to the Riposte's Wound Score", 0, help="The 2 off aside.", **ANY),
        number("attacker_armour_rating", "Attacker's Armour Rating", 0),
        flag("helpless", "The defender is unconscious"),
        LUCKY,
        BODY,
    ),
    group=ODDS,
    examples=(
        {"fight": "3", "defender_fight": "2", "armour_rating": "1", "parry": "true"},
        {"fight": "4", "defender_fight": "3", "mighty_blow": "true", "weapon_master": "true"},
    ),
    source=MAKING,
)


# With weapons and ploys by name.

PLOYS = (flag("mighty_blow", "Mighty Blow"), flag("subdue", "Subdue"), flag("feint", "Feint"))
ESCAPES = (flag("disengage", "Disengage"),)
ANSWERS = (flag("parry", "Parry"), flag("riposte", "Riposte"))
DICE = (
    dice("dice", "Attack dice", 3, "Two, or three for a Mighty Blow. Leave empty for the odds alone."),
    dice("reroll", "Weapon Master's new die", 1),
    dice("defence_dice", "Defence dice", 2, "One, or two with a Parry or Riposte."),
    dice("defence_reroll", "Defending Weapon Master's new die", 1),
    dice("die", "Die for a large body", 1, "For a Critical result."),
)


def ploys_of(values: Values) -> tuple[frozenset[Ploy], frozenset[Ploy]]:
    """The ploys that were ticked: the attacker's and the defender's."""
    ticked = [ploy for ploy in Ploy if values.get(ploy.value.replace("-", "_"))]
    answers = {Ploy.PARRY, Ploy.RIPOSTE}
    return frozenset(set(ticked) - answers), frozenset(set(ticked) & answers)


def in_hand(values: Values, prefix: str, name: str) -> tuple[Combatant, str]:
    """The fighter that the fields describe, and the weapon in its hand."""
    fighter = fighter_of(values, prefix, name)
    fighter, weapon = armed(fighter, values[f"{prefix}weapon"], by_numbers=not is_listed(values, prefix))
    return skilled(fighter, values, prefix, weapon), weapon


def _resolve_attack(values: Values) -> Answer:
    attacker, weapon = in_hand(values, "", "The attacker")
    defender, other = in_hand(values, "defender_", "The defender")
    ploys, answers = ploys_of(values)
    indoors = values["indoors"]
    strike = Strike(
        attacker=attacker,
        attack=Stance(grip_of(attacker, weapon, indoors=indoors), ploys, 1, 0, values["enemies"]),
        defender=defender,
        defence=Stance(grip_of(defender, other, indoors=indoors), answers, 0, 2, values["defender_enemies"]),
        free=values["free"],
        lucky=values["lucky"],
    )
    return with_dice(attack_answer(strike), strike, dict(values))


def _person_fields() -> tuple[Field, ...]:
    return (
        profile_field(),
        BUILD,
        number("rank", "Rank", most=5, help=OPEN),
        number("fight", "Fight", help=OPEN),
        weapon_field(),
        number("armour", "Armour Rating of body armour", most=20, help="Left open: the profile's, or none."),
        flag("buckler", "Buckler"),
        MOUNT,
        BODY,
        WOUND,
        STUNNED,
        number("enemies", "Enemies it fights", 1, least=1, most=6),
        *map(skill, ("weapon-master", "powerful", "tough", "beguiling")),
    )


RESOLVE_ATTACK = Calculator(
    key="resolve-attack",
    name="An attack at the table",
    help="What is added to an attack with its ploys, line by line, the chance of each result, what your dice come to.",
    fields=(
        *grouped("The attack", *PLOYS, *ESCAPES, *ANSWERS),
        *grouped(
            "The attack", flag("free", "At one who leaves contact"), flag("indoors", "In a narrow building"), LUCKY
        ),
        *grouped("The attacker", *_person_fields()),
        *grouped("The defender", *_person_fields(), prefix="defender_"),
        *grouped("Dice", *DICE),
    ),
    group=TABLE,
    examples=(
        {"fight": "3", "weapon_master": "true", "mighty_blow": "true", "parry": "true", "dice": "4,3,5"}
        | {"defence_dice": "4,2"},
        {"profile": "three-musketeers/athos", "defender_profile": "cardinals-guard/guard", "parry": "true"},
    ),
    source=MAKING,
)

QUESTIONS = (Question(ODDS_OF_AN_ATTACK, _odds_of_an_attack), Question(RESOLVE_ATTACK, _resolve_attack))
