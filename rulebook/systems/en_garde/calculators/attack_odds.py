"""An attack between two fighters: everything that is added, the chance of each result, and what given dice come to."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from rulebook.calculators.wording import reasoned, reasons, violation_warnings
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.calculators.aftermath import (
    POISON_ASSUMPTION,
    THROWN,
    afterwards,
    chance_thrown,
    ends_table,
    poison_table,
    with_fall,
)
from rulebook.systems.en_garde.calculators.shot_odds import NO_LUCK, nerve_figures
from rulebook.systems.en_garde.calculators.wording import hit_figures, hit_headline, outcome_table
from rulebook.systems.en_garde.odds import lucky
from rulebook.systems.en_garde.odds.chances import (
    MISS,
    RIPOSTE_COSTS,
    AttackOdds,
    Outcomes,
    RiposteOdds,
    Scores,
    results_of_attack,
    results_of_riposte,
)
from rulebook.systems.en_garde.table.arms_in_hand import grip_violations, uses_both_hands
from rulebook.systems.en_garde.table.blows import (
    OUTNUMBERED_BY,
    Ploy,
    Stance,
    attack_modifiers,
    attacker_violations,
    defence_dice,
    defender_violations,
    fight_now,
    riposte_modifiers,
    wound_modifiers,
)
from rulebook.systems.en_garde.table.combatant import Combatant, Modifier, armour_in_combat, present_numbers, total
from rulebook.values.answers import Answer, ChanceTable, Figure, ReasonedSum, ReasonLine, in_words, percentages, texts

MAKING = 'Rule book: "Making an attack"'
ASSUMPTIONS = (
    "The attack is made: a die against the Beguiling, and whether the rules allow it, stand apart from the chances.",
    "A Weapon Master throws his lowest die again if it shows 1 or 2, before a Mighty Blow discards one.",
    "Of a Mighty Blow's three dice the lowest is discarded.",
)
HARMLESS = {Ploy.FEINT: "feinted", Ploy.DISENGAGE: "disengaged"}
"""Ploys by which a blow that lands does no harm, and what it does instead."""


class Strike(Struct, frozen=True):
    """An attack about to be made. ``free`` is that on one who leaves contact (Ruling B25).

    ``lucky`` says who uses a Lucky re-roll: "attacker", "target" or nobody. ``rider`` sits on the mount that is struck.
    """

    attacker: Combatant
    attack: Stance
    defender: Combatant
    defence: Stance
    settings: HouseRules = USUAL
    free: bool = False
    struck_back: bool = False
    lucky: str = ""
    rider: Combatant | None = None

    @property
    def harmless(self) -> str:
        """What a blow that lands does if it does no harm: "feinted", "disengaged" or ""."""
        return next((word for ploy, word in HARMLESS.items() if ploy in self.attack.ploys), "")

    @property
    def answered(self) -> bool:
        """Does the defender try a Riposte?"""
        return Ploy.RIPOSTE in self.defence.ploys


def attack_answer(strike: Strike) -> Answer:
    """Everything about an attack but the dice. Rule book: "Making an attack"."""
    outcomes = outcomes_for(strike)
    main = _without_harm(strike, outcomes) if strike.harmless else outcomes
    weapon = strike.attack.grip.weapon.replace("-", " ")
    return Answer(
        headline=hit_headline(outcomes, "The attack") if not strike.harmless else _ploy_headline(strike, main),
        source=MAKING,
        outcomes=texts(main),
        percentages=percentages(main),
        tables=tuple(_tables(strike, main)),
        figures=(
            *(() if strike.harmless else hit_figures(outcomes, MAKING)),
            Figure("weapon", "Weapon in hand", weapon.capitalize(), 'Rule book: "Which weapon?"'),
            *_fall_figures(strike, outcomes),
            *nerve_figures(strike.attacker, strike.defender, strike.settings, struck_back=strike.struck_back),
        ),
        sums=tuple(_sums(strike)),
        forbidden=violation_warnings(
            (
                *grip_violations(strike.attacker, strike.attack.grip),
                *attacker_violations(strike.attacker, strike.attack, strike.settings),
                *defender_violations(strike.defender, strike.defence, strike.settings),
            )
        ),
        assumptions=(*ASSUMPTIONS, *_more_assumptions(strike)),
    )


def _ploy_headline(strike: Strike, main: Outcomes) -> str:
    what = "The Feint" if strike.harmless == "feinted" else "The attempt to get away"
    return f"{what} succeeds in {in_words(main[strike.harmless])} of all cases."


def odds_of(strike: Strike) -> AttackOdds:
    """The attack in numbers."""
    attacker, defender, settings = strike.attacker, strike.defender, strike.settings
    return AttackOdds(
        fight=fight_now(attacker, strike.attack, settings),
        defender_fight=fight_now(defender, strike.defence, settings),
        modifier=total(attack_modifiers(attacker, strike.attack, defender, free=strike.free)),
        wound_modifier=total(wound_modifiers(attacker, strike.attack, defender, settings)),
        armour_rating=armour_in_combat(defender, uses_both_hands(strike.defence.grip), settings),
        parry=defence_dice(defender, strike.defence.ploys, settings) == 2,
        mighty_blow=Ploy.MIGHTY_BLOW in strike.attack.ploys,
        weapon_master=attacker.has_for("weapon-master", strike.attack.grip.weapon),
        defender_weapon_master=defender.has_for("weapon-master", strike.defence.grip.weapon),
        helpless=defender.wounds.unconscious,
        table=defender.table,
    )


def outcomes_for(strike: Strike) -> Outcomes:
    """The chance of each result on the defender."""
    return results_of_attack(odds_of(strike), _scores(strike))


def riposte_for(strike: Strike) -> Outcomes:
    """The chance of each result of a Riposte on the attacker."""
    return results_of_riposte(_riposte(strike), _scores(strike))


def _scores(strike: Strike) -> Scores:
    riposte = _riposte(strike) if strike.answered else None
    return lucky.lucky_attack_scores(odds_of(strike), strike.lucky, riposte, harmless=bool(strike.harmless))


def _riposte(strike: Strike) -> RiposteOdds:
    """The Riposte in numbers. The count takes off its two points itself, which stand among its modifiers."""
    extra = total(riposte_modifiers(strike.defender, strike.defence, strike.attacker, strike.settings))
    rating = armour_in_combat(strike.attacker, uses_both_hands(strike.attack.grip), strike.settings)
    return RiposteOdds(extra + RIPOSTE_COSTS, rating, strike.attacker.table)


def _without_harm(strike: Strike, outcomes: Outcomes) -> dict[str, Fraction]:
    return {MISS: outcomes[MISS], strike.harmless: 1 - outcomes[MISS]}


def _tables(strike: Strike, main: Outcomes) -> Iterator[ChanceTable]:
    yield outcome_table("outcomes", "Each result", main)
    if not strike.harmless:
        subdue = Ploy.SUBDUE in strike.attack.ploys
        ends = afterwards(strike.defender.wounds, main, subdue=subdue, settings=strike.settings)
        yield ends_table("target-after", "The defender afterwards", ends)
        yield from _later_tables(strike, main)
    if strike.answered:
        turned = riposte_for(strike)
        yield outcome_table("riposte", "Each result of the Riposte on the attacker", turned, 'Rule book: "Riposte"')
        ends = afterwards(strike.attacker.wounds, turned, settings=strike.settings)
        yield ends_table("attacker-after", "The attacker afterwards", ends)


def _later_tables(strike: Strike, main: Outcomes) -> Iterator[ChanceTable]:
    """What poison, and a fall from the saddle, make of it."""
    if _poisons(strike):
        yield poison_table(strike.defender.wounds, main, subdue=Ploy.SUBDUE in strike.attack.ploys)
    if strike.rider is not None:
        before = {strike.rider.wounds: Fraction(1)}
        ends = with_fall(strike.rider, before, chance_thrown(strike.rider, main))
        yield ends_table("rider-after", "The rider afterwards", ends, THROWN)


def _poisons(strike: Strike) -> bool:
    return strike.attack.grip.weapon in strike.attacker.poisoned and strike.rider is None


def _fall_figures(strike: Strike, outcomes: Outcomes) -> Iterator[Figure]:
    if strike.rider is not None and not strike.harmless:
        yield Figure("thrown", "The rider is thrown", in_words(chance_thrown(strike.rider, outcomes)), THROWN)


# Line by line.


def _sums(strike: Strike) -> Iterator[ReasonedSum]:
    added = attack_modifiers(strike.attacker, strike.attack, strike.defender, free=strike.free)
    dice = "three dice, of which two count," if Ploy.MIGHTY_BLOW in strike.attack.ploys else "two dice"
    fight = _fight_lines(strike.attacker, strike.attack, strike.settings)
    yield reasoned(f"Added to {dice} for the Attack Score", *fight, *reasons(added))
    count = defence_dice(strike.defender, strike.defence.ploys, strike.settings)
    held = ("nothing", "one die", "two dice")[count]
    defence = _fight_lines(strike.defender, strike.defence, strike.settings)
    yield reasoned(f"Added to {held} for the Defence Score", *defence)
    if not strike.harmless:
        extra = wound_modifiers(strike.attacker, strike.attack, strike.defender, strike.settings)
        title = "Added to the Hit Score for the Final Wound Score"
        yield _wound_sum(title, extra, strike.defender, strike.defence, strike.settings)
    if strike.answered:
        extra = riposte_modifiers(strike.defender, strike.defence, strike.attacker, strike.settings)
        yield _wound_sum("Added to the Riposte's Hit Score", extra, strike.attacker, strike.attack, strike.settings)


def _fight_lines(fighter: Combatant, stance: Stance, settings: HouseRules) -> Iterator[ReasonLine]:
    present = 0 if fighter.wounds.unconscious else present_numbers(fighter, settings).fight
    yield ReasonLine(present, "Fight, as it stands", MAKING)
    if stance.enemies >= OUTNUMBERED_BY and present:
        yield ReasonLine(-1, "Against three or more", 'Rule book: "Modifiers"')


def _wound_sum(
    title: str, extra: tuple[Modifier, ...], target: Combatant, stance: Stance, settings: HouseRules
) -> ReasonedSum:
    rating = armour_in_combat(target, uses_both_hands(stance.grip), settings)
    return reasoned(title, *reasons(extra), ReasonLine(-rating, "Armour Rating that counts here", "Ruling B18"))


def _more_assumptions(strike: Strike) -> Iterator[str]:
    yield from lucky.ASSUMPTIONS if strike.lucky else (NO_LUCK,)
    if strike.answered:
        yield "A Riposte harms the attacker only where the Defence Score is higher than the Attack Score."
    if strike.defender.mounted:
        yield "The blow is aimed at the rider, who is not thrown by it: only a hurt mount throws."
    if strike.rider is not None:
        yield "A mount that comes to a Grievous wound or worse throws its rider, who takes a Stunned counter."
    if _poisons(strike):
        yield POISON_ASSUMPTION
