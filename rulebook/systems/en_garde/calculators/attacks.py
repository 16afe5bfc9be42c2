"""An attack: everything that is added, the chance of each result, and what given dice come to.

Rule book: "Making an attack", "Ploys".
"""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from rulebook.calculators.asking import one_die, wrong_dice
from rulebook.calculators.questions import Values
from rulebook.calculators.wording import reasoned, reasons, violation_warnings
from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.calculators import wounds
from rulebook.systems.en_garde.calculators.shots import (
    NOTHING,
    WOUND_SCORE,
    luck_assumptions,
    nerve_figures,
)
from rulebook.systems.en_garde.odds import chances, lucky
from rulebook.systems.en_garde.table import blows, combatant
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

MAKING = 'Rule book: "Making an attack"'
RIPOSTE = 'Rule book: "Riposte"'
RIPOSTE_TABLE = "Each result of the Riposte on the attacker"
MASTER = (
    "A Weapon Master re-rolls the lowest die if it shows 1 or 2, before a Mighty Blow discards one."
)
ASSUMPTIONS = (
    "The chances assume a legal attack that passes any roll against the Beguiling.",
    MASTER,
    "Of a Mighty Blow's three dice the lowest is discarded.",
)
HARMLESS = {blows.Ploy.FEINT: "feinted", blows.Ploy.DISENGAGE: "disengaged"}
"""Ploys by which a blow that lands does no harm, and what it does instead."""


class Strike(blows.Melee, frozen=True):
    """An attack about to be made, and what else is asked about it.

    ``struck_back`` says that a Beguiling defender has attacked the attacker before. ``lucky`` says
    who uses a Lucky re-roll: "attacker", "target" or nobody. ``rider`` sits on the mount that is
    struck.
    """

    struck_back: bool = False
    lucky: str = ""
    rider: combatant.Combatant | None = None

    @property
    def harmless(self) -> str:
        """Return what a blow that lands does if it does no harm: "feinted", "disengaged" or ""."""
        return next((word for ploy, word in HARMLESS.items() if ploy in self.attack.ploys), "")

    @property
    def answered(self) -> bool:
        """Return whether the defender tries a Riposte."""
        return blows.Ploy.RIPOSTE in self.defence.ploys

    @property
    def poisons(self) -> bool:
        """Return whether the weapon in hand poisons the fighters it wounds. Mounts are not."""
        return self.attack.grip.weapon in self.attacker.poisoned and self.rider is None


def attack_answer(strike: Strike) -> Answer:
    """Return everything about an attack but the dice. Rule book: "Making an attack"."""
    outcomes = chances.results_of_attack(odds_of(strike), _scores(strike))
    headline = wounds.hit_headline(outcomes, "The attack")
    main = outcomes
    if strike.harmless:
        # A Feint or a Disengage succeeds or misses: what a blow would do plays no part.
        missed = outcomes[chances.MISS]
        ploy = "The Feint" if strike.harmless == "feinted" else "The attempt to get away"
        headline = f"{ploy} succeeds in {in_words(1 - missed)} of all cases."
        main = {chances.MISS: missed, strike.harmless: 1 - missed}
    return chances_answer(
        headline,
        main,
        source=MAKING,
        tables=tuple(_tables(strike, main)),
        figures=tuple(_figures(strike, outcomes)),
        sums=tuple(_sums(strike)),
        forbidden=violation_warnings(
            (
                *combatant.grip_violations(strike.attacker, strike.attack.grip),
                *blows.attacker_violations(strike.attacker, strike.attack, strike.settings),
                *blows.defender_violations(strike.defender, strike.defence, strike.settings),
            )
        ),
        assumptions=(*ASSUMPTIONS, *_more_assumptions(strike)),
    )


def _figures(strike: Strike, outcomes: chances.Outcomes) -> Iterator[Figure]:
    if not strike.harmless:
        yield from wounds.hit_figures(outcomes, MAKING)
    weapon = strike.attack.grip.weapon.replace("-", " ").capitalize()
    yield Figure("weapon", "Weapon in hand", weapon, 'Rule book: "Which weapon?"')
    if strike.rider is not None and not strike.harmless:
        thrown = wounds.chance_thrown(strike.rider, outcomes)
        yield Figure("thrown", "The rider is thrown", in_words(thrown), wounds.THROWN)
    yield from nerve_figures(
        strike.attacker, strike.defender, strike.settings, struck_back=strike.struck_back
    )


def odds_of(strike: Strike) -> chances.AttackOdds:
    """Return the attack in numbers."""
    attacker = strike.attacker
    defender = strike.defender
    _, defence_dice = strike.dice_counts
    return chances.AttackOdds(
        fight=strike.attacking_fight,
        defender_fight=strike.defending_fight,
        modifier=combatant.total(strike.modifiers),
        wound_modifier=combatant.total(strike.wound_modifiers),
        armour_rating=strike.armour,
        parry=defence_dice == 2,
        mighty_blow=blows.Ploy.MIGHTY_BLOW in strike.attack.ploys,
        weapon_master=attacker.has_for("weapon-master", strike.attack.grip.weapon),
        defender_weapon_master=defender.has_for("weapon-master", strike.defence.grip.weapon),
        helpless=defender.wounds.unconscious,
        table=defender.table,
    )


def _scores(strike: Strike) -> chances.Scores:
    riposte = _riposte(strike) if strike.answered else None
    return lucky.lucky_attack_scores(
        odds_of(strike), strike.lucky, riposte, harmless=bool(strike.harmless)
    )


def _riposte(strike: Strike) -> chances.RiposteOdds:
    """Return the Riposte in numbers.

    The count takes off its two points itself, which stand among its modifiers.
    """
    added = combatant.total(strike.riposte_modifiers) - blows.RIPOSTE_WOUND
    return chances.RiposteOdds(added, strike.attackers_armour, strike.attacker.table)


def _tables(strike: Strike, main: chances.Outcomes) -> Iterator[ChanceTable]:
    yield wounds.outcome_table("outcomes", "Each result", main)
    if not strike.harmless:
        subdue = blows.Ploy.SUBDUE in strike.attack.ploys
        ends = wounds.afterwards(
            strike.defender.wounds, main, subdue=subdue, settings=strike.settings
        )
        yield wounds.ends_table("target-after", "The defender afterwards", ends)
        if strike.poisons:
            yield wounds.poison_table(strike.defender.wounds, main, subdue=subdue)
        if strike.rider is not None:
            unhurt = {strike.rider.wounds: Fraction(1)}
            ends = wounds.with_fall(strike.rider, unhurt, wounds.chance_thrown(strike.rider, main))
            yield wounds.ends_table("rider-after", "The rider afterwards", ends, wounds.THROWN)
    if strike.answered:
        turned = chances.results_of_riposte(_riposte(strike), _scores(strike))
        yield wounds.outcome_table("riposte", RIPOSTE_TABLE, turned, RIPOSTE)
        ends = wounds.afterwards(strike.attacker.wounds, turned, settings=strike.settings)
        yield wounds.ends_table("attacker-after", "The attacker afterwards", ends)


# Line by line.


def _sums(strike: Strike) -> Iterator[ReasonedSum]:
    dice = (
        "three dice, of which two count,"
        if blows.Ploy.MIGHTY_BLOW in strike.attack.ploys
        else "two dice"
    )
    fight = _fight_lines(strike.attacker, strike.attack, strike.settings)
    yield reasoned(f"Added to {dice} for the Attack Score", *fight, *reasons(strike.modifiers))
    _, defence_dice = strike.dice_counts
    held = ("nothing", "one die", "two dice")[defence_dice]
    defence = _fight_lines(strike.defender, strike.defence, strike.settings)
    yield reasoned(f"Added to {held} for the Defence Score", *defence)
    if not strike.harmless:
        yield _wound_sum(WOUND_SCORE, strike.wound_modifiers, strike.armour)
    if strike.answered:
        yield _wound_sum(
            "Added to the Riposte's Hit Score", strike.riposte_modifiers, strike.attackers_armour
        )


def _fight_lines(
    fighter: combatant.Combatant, stance: blows.Stance, settings: HouseRules
) -> Iterator[ReasonLine]:
    """Yield Fight as wounds leave it, and what many enemies take off it."""
    alone = blows.fight_now(fighter, replace(stance, enemies=1), settings)
    yield ReasonLine(alone, "Current Fight", MAKING)
    if less := blows.fight_now(fighter, stance, settings) - alone:
        yield ReasonLine(less, "Against three or more", 'Rule book: "Modifiers"')


def _wound_sum(title: str, extra: tuple[combatant.Modifier, ...], armour: int) -> ReasonedSum:
    return reasoned(
        title, *reasons(extra), ReasonLine(-armour, "Armour Rating that counts here", "Ruling B18")
    )


def _more_assumptions(strike: Strike) -> Iterator[str]:
    yield from luck_assumptions(strike.lucky)
    if strike.answered:
        yield (
            "A Riposte wounds the attacker only if the Defence Score is higher than the Attack "
            "Score."
        )
    if strike.defender.mounted:
        yield "The attack is at the rider. Only a wounded mount throws its rider."
    if strike.rider is not None:
        yield (
            "A mount with a Grievous wound or worse throws its rider, who takes a Stunned counter."
        )
    if strike.poisons:
        yield wounds.POISON_ASSUMPTION


# From plain numbers.

PLAIN = (
    *(
        "fight",
        "defender_fight",
        "modifier",
        "wound_modifier",
        "armour_rating",
        "mighty_blow",
        "weapon_master",
    ),
    *("defender_weapon_master", "helpless"),
)


def odds_of_an_attack(values: Values) -> Answer:
    """Return the chance of each result of an attack that is given in numbers."""
    plain = {key: values[key] for key in PLAIN}
    attack = chances.AttackOdds(
        **plain, parry=values["parry"] or values["riposte"], table=WoundTable(values["table"])
    )
    # A Riposte includes a Parry, and turns the blow against the attacker.
    riposte = chances.RiposteOdds(
        values["riposte_wound_modifier"], values["attacker_armour_rating"]
    )
    scores = lucky.lucky_attack_scores(
        attack, values["lucky"], riposte if values["riposte"] else None
    )
    outcomes = chances.results_of_attack(attack, scores)
    turned = chances.results_of_riposte(riposte, scores)
    return chances_answer(
        wounds.hit_headline(outcomes, "The attack"),
        outcomes,
        tables=(
            wounds.outcome_table("outcomes", "Each result", outcomes),
            *(
                (wounds.outcome_table("riposte", RIPOSTE_TABLE, turned, RIPOSTE),)
                if values["riposte"]
                else ()
            ),
        ),
        figures=wounds.hit_figures(outcomes, MAKING),
        sums=(
            reasoned(
                "Added to the attacker's dice",
                ReasonLine(attack.fight, "Fight", MAKING),
                ReasonLine(attack.modifier, "All other modifiers", MAKING),
            ),
            reasoned(
                "Added to the defender's dice", ReasonLine(attack.defender_fight, "Fight", MAKING)
            ),
            reasoned(
                WOUND_SCORE,
                ReasonLine(attack.wound_modifier, "Weapons, ploys and Attributes", MAKING),
                ReasonLine(-attack.armour_rating, "Armour Rating", MAKING),
            ),
        ),
        assumptions=(
            "Every combination of dice counts once. A Parry adds a die to the defence.",
            MASTER,
            NOTHING,
            "A Riposte rolls two dice for its one counter (Ruling B1) and has -2 on its Wound "
            "Score.",
            *luck_assumptions(values["lucky"]),
        ),
    )


# What fields tell of.


def ploys_of(values: Values) -> tuple[frozenset[blows.Ploy], frozenset[blows.Ploy]]:
    """Return the ploys that were ticked: the attacker's and the defender's."""
    ticked = frozenset(ploy for ploy in blows.Ploy if values.get(ploy.value.replace("-", "_")))
    return ticked - blows.DEFENDERS, ticked & blows.DEFENDERS


def rolled_attack(strike: Strike, values: Values) -> tuple[Figure, ...]:
    """Return what given dice come to, if there are any.

    Raises RulesError for dice that are missing or too many.
    """
    if not values.get("dice") and not values.get("defence_dice"):
        return ()
    attack_roll = _rethrown(strike.attacker, strike.attack, values, "dice", "reroll")
    defence_roll = _rethrown(
        strike.defender, strike.defence, values, "defence_dice", "defence_reroll"
    )
    try:
        blow = blows.resolve_blow(strike, attack_roll, defence_roll)
    except ValueError as error:
        up, down = strike.dice_counts
        expected = f"{up} for the attack and {down} for the defence"
        raise wrong_dice("dice", f"{error} Give {expected}.") from error
    # A Feint or a Disengage harms nobody; what a Riposte does counts on the attacker.
    figures = (
        Figure("attack-score", "Attack Score", str(blow.attack_score), MAKING),
        Figure("defence-score", "Defence Score", str(blow.defence_score), MAKING),
        Figure("hit-score", "Hit Score", str(blow.hit_score), MAKING),
    )
    if strike.harmless and blow.hit:
        word = "Succeeds" if blow.feinted else "Gets away"
        return (*figures, Figure("result", "Result", word, 'Rule book: "Ploys"'))
    turned = blow.riposte is not None
    wound, score = (blow.riposte, blow.riposte_score) if turned else (blow.result, blow.final_score)
    if wound is None:
        return (*figures, wounds.result_figure(None, MAKING))
    result = wounds.final_result(
        wound, (strike.attacker if turned else strike.defender).table, values
    )
    struck = "attacker, by the Riposte" if turned else "defender"
    return (
        *figures,
        Figure("wound-score", "Final Wound Score", str(score), MAKING),
        wounds.result_figure(result, wounds.WOUND_TABLE, f"Result on the {struck}"),
    )


def _rethrown(
    fighter: combatant.Combatant, stance: blows.Stance, values: Values, key: str, again: str
) -> tuple[int, ...]:
    """Return the dice of one of the two as they stand after a re-roll.

    Raises RulesError for one that is not allowed.
    """
    dice: tuple[int, ...] = values[key]
    reroll = one_die(values, again)
    if reroll is not None and blows.rerollable(fighter, stance.grip, dice) is None:
        raise wrong_dice(again, "Only a Weapon Master can re-roll, and only a 1 or 2.")
    return blows.with_lowest_again(dice, reroll)
