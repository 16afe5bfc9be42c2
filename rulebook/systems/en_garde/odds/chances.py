"""The chance of each result of one shot, one attack, or any other rule of the table, as fractions.

Rule book: "Shooting procedure", "Making an attack", "Ploys", "Wound Table". Ruling B1.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import lcm
from typing import TypeVar

from msgspec import Struct

from rulebook.systems.en_garde.table.blows import RIPOSTE_WOUND
from rulebook.systems.en_garde.table.shooting import HIT_ABSORBED
from rulebook.systems.en_garde.table.wounds import (
    WoundResult,
    WoundTable,
    converted,
    needs_die,
    wound_result,
)

FACES = range(1, 7)
KEPT = 4096
"""Answers that are remembered: enough for a battle, and no more than a little memory whatever is
asked."""
MISS = "miss"
OUTCOMES = (MISS, *(result.value for result in WoundResult))
"""Every result of an attack, from nothing to the worst."""

Outcomes = Mapping[str, Fraction]
Scores = Mapping[int, Fraction]
"""The chance of each Hit Score."""
Result = TypeVar("Result", bound=Hashable)


def throw_odds(rule: Callable[..., Result], dice: int) -> dict[Result, Fraction]:
    """Return the chance of each result that a rule of the table has for a number of dice, over
    every way in which they can fall.

    The rule takes the dice one by one. For a few dice: four fall in 1,296 ways.

    >>> throw_odds(max, 2)[6]
    Fraction(11, 36)
    """
    ways = Counter(rule(*thrown) for thrown in product(FACES, repeat=dice))
    return {result: Fraction(number, 6**dice) for result, number in ways.items()}


def chance_that(rule: Callable[..., bool], dice: int) -> Fraction:
    """Return the chance that a rule of the table holds for a number of dice.

    >>> chance_that(lambda die: die >= 5, 1)
    Fraction(1, 3)
    """
    return throw_odds(rule, dice).get(True, Fraction(0))


@cache
def dice_totals(
    number: int, *, reroll: bool = False, drop_lowest: bool = False
) -> Mapping[int, Fraction]:
    """Return the chance of each sum of some dice.

    ``reroll``: the lowest die is thrown again if it is a 1 or 2, before ``drop_lowest`` discards
    the lowest of those that then lie there.

    >>> dice_totals(1, reroll=True)[6]
    Fraction(2, 9)
    """
    ways: Counter[int] = Counter()
    for dice in product(FACES, repeat=number):
        for final, weight in _rerolled(dice, reroll):
            ways[sum(final) - (min(final) if drop_lowest else 0)] += weight
    every = 6**number * 6
    return {total: Fraction(count, every) for total, count in sorted(ways.items())}


def _rerolled(dice: tuple[int, ...], reroll: bool) -> list[tuple[tuple[int, ...], int]]:
    """Return the dice as they may lie in the end, with weights that sum to six."""
    if not dice or not reroll or min(dice) > 2:
        return [(dice, 6)]
    place = dice.index(min(dice))
    return [((*dice[:place], face, *dice[place + 1 :]), 1) for face in FACES]


class AttackOdds(Struct, frozen=True):
    """An attack as numbers: ``modifier`` is added to the Attack Roll besides Fight, the other to
    the Wound Score.

    ``weapon_master`` and ``defender_weapon_master`` say who rolls his lowest die again, if it shows
    1 or 2.
    """

    fight: int
    defender_fight: int
    modifier: int = 0
    wound_modifier: int = 0
    armour_rating: int = 0
    parry: bool = False
    mighty_blow: bool = False
    weapon_master: bool = False
    defender_weapon_master: bool = False
    helpless: bool = False
    table: WoundTable = WoundTable.STANDARD

    @property
    def dice(self) -> int:
        """Return how many dice the attacker throws."""
        return 3 if self.mighty_blow else 2

    @property
    def defence_dice(self) -> int:
        """Return how many dice the defender throws."""
        if self.helpless:
            return 0
        return 2 if self.parry else 1

    @property
    def edge(self) -> int:
        """Return what is added to the attacker's dice less what is added to the defender's."""
        return self.fight + self.modifier - (0 if self.helpless else self.defender_fight)


class RiposteOdds(Struct, frozen=True):
    """The figures of a defender's Riposte: ``wound_modifier`` without the 2 that a Riposte
    costs."""

    wound_modifier: int = 0
    armour_rating: int = 0
    """The attacker's."""
    table: WoundTable = WoundTable.STANDARD
    """The attacker's."""


class ShotOdds(Struct, frozen=True):
    """A shot as numbers: ``modifier`` is everything added to the roll except Shoot; ``spray`` never
    misses."""

    shoot: int
    modifier: int = 0
    wound_modifier: int = 0
    armour_rating: int = 0
    sharpshooter: bool = False
    spray: bool = False
    table: WoundTable = WoundTable.STANDARD


@lru_cache(maxsize=KEPT)
def shot_outcomes(shot: ShotOdds) -> Outcomes:
    """Return the chance of each result of a shot, misses included; the chances sum to 1.

    Results that cannot be are 0.
    """
    return results_of_shot(shot, shot_scores(shot))


def shot_scores(shot: ShotOdds) -> Scores:
    """Return the chance of each Hit Score of a shot, before a spray's is raised to 1."""
    rolled = dice_totals(2, reroll=shot.sharpshooter)
    return {
        total + shot.shoot + shot.modifier - HIT_ABSORBED: chance
        for total, chance in rolled.items()
    }


def results_of_shot(shot: ShotOdds, scores: Scores) -> Outcomes:
    """Return the chance of each result of a shot with these Hit Scores."""
    hits = _at_least_one(scores) if shot.spray else scores
    return outcomes_of(hits, shot.wound_modifier - shot.armour_rating, shot.table)


def _at_least_one(hits: Scores) -> Scores:
    raised: dict[int, Fraction] = {}
    for score, chance in hits.items():
        raised[max(1, score)] = raised.get(max(1, score), Fraction(0)) + chance
    return raised


@lru_cache(maxsize=KEPT)
def attack_outcomes(attack: AttackOdds) -> Outcomes:
    """Return the chance of each result of an attack, misses included; the chances sum to 1."""
    return results_of_attack(attack, hit_scores(attack))


def results_of_attack(attack: AttackOdds, scores: Scores) -> Outcomes:
    """Return the chance of each result of an attack with these Hit Scores on the defender."""
    return outcomes_of(scores, attack.wound_modifier - attack.armour_rating, attack.table)


@lru_cache(maxsize=KEPT)
def hit_scores(attack: AttackOdds) -> Scores:
    """Return the chance of each Hit Score of an attack, negative ones included (a Riposte feeds on
    them)."""
    leads = _leads(
        attack.dice,
        attack.defence_dice,
        reroll=attack.weapon_master,
        defender_reroll=attack.defender_weapon_master,
        drop_lowest=attack.mighty_blow,
    )
    edge = attack.edge
    return {lead + edge: chance for lead, chance in leads.items()}


@cache
def _leads(
    dice: int, defence_dice: int, *, reroll: bool, defender_reroll: bool, drop_lowest: bool
) -> Mapping[int, Fraction]:
    """Return the chance of each difference between two throws, the lowest first.

    Characteristics only shift it, so there are few of these tables.
    """
    struck = dice_totals(dice, reroll=reroll, drop_lowest=drop_lowest)
    held = dice_totals(defence_dice, reroll=defender_reroll)
    leads: dict[int, Fraction] = {}
    for (up, chance), (down, other) in product(struck.items(), held.items()):
        leads[up - down] = leads.get(up - down, Fraction(0)) + chance * other
    return dict(sorted(leads.items()))


def outcomes_of(
    hits: Scores, wound_modifier: int, table: WoundTable = WoundTable.STANDARD
) -> Outcomes:
    """Return Hit Scores turned into results: 0 or less misses, the rest reads the Wound Table.

    A large body converts it.
    """
    results = (
        (wound_result(score + wound_modifier, table) if score >= 1 else None, chance)
        for score, chance in hits.items()
    )
    return on_body(results, table)


def on_body(
    results: Iterable[tuple[WoundResult | None, Fraction]], table: WoundTable
) -> dict[str, Fraction]:
    """Return the chance of each result as a body takes it, with the die of a large body.

    None is a miss.
    """
    counted = [(_sixths(result, table), chance) for result, chance in results]
    # Count in whole numbers over one denominator: adding fractions takes far longer.
    every = lcm(*[chance.denominator for _, chance in counted])
    ways = dict.fromkeys(OUTCOMES, 0)
    for sixths, chance in counted:
        share = chance.numerator * (every // chance.denominator)
        for outcome, faces in sixths:
            ways[outcome] += faces * share
    return {outcome: Fraction(number, 6 * every) for outcome, number in ways.items()}


@cache
def _sixths(result: WoundResult | None, table: WoundTable) -> tuple[tuple[str, int], ...]:
    """Return what a body makes of a result, each with its faces of a die; all six without one.

    None is a miss.
    """
    if result is None:
        return ((MISS, 6),)
    if not needs_die(result, table):
        return ((converted(result, table).value, 6),)
    return tuple(Counter(converted(result, table, die).value for die in FACES).items())


def results_of_riposte(riposte: RiposteOdds, scores: Scores) -> Outcomes:
    """Return the chance of each result of a Riposte on the attacker, whose attack had these Hit
    Scores."""
    turned = {-score: chance for score, chance in scores.items()}
    return outcomes_of(
        turned, riposte.wound_modifier + RIPOSTE_WOUND - riposte.armour_rating, riposte.table
    )


class Harm(Struct, frozen=True):
    """A wound with its chance, and the fighter it strikes: the target (0), or by a Riposte the
    striker (1)."""

    struck: int
    result: WoundResult
    chance: Fraction


@lru_cache(maxsize=KEPT)
def harms_of(
    attack: AttackOdds, riposte: RiposteOdds | None = None
) -> tuple[tuple[Harm, ...], Fraction]:
    """Return each wound that an attack may deal, and the chance of none.

    Of a riposted one at most one of the two is hurt.
    """
    scores = hit_scores(attack)
    # The target is hurt by the attack, the attacker by a riposte.
    outcomes = [results_of_attack(attack, scores)]
    if riposte:
        outcomes.append(results_of_riposte(riposte, scores))
    harms = []
    for struck, results in enumerate(outcomes):
        for result, chance in results.items():
            if chance and result not in (MISS, WoundResult.SCRATCH):
                harms.append(Harm(struck, WoundResult(result), chance))
    return tuple(harms), 1 - sum((harm.chance for harm in harms), Fraction(0))
