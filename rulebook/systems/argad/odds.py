"""The exact chances of a blow, of a turn of melee and of a duel, as fractions."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from msgspec.structs import replace

from rulebook.systems.argad.dice import MOST, throws
from rulebook.systems.argad.melee import Contender, Exchange, Melee, Strike, fight_turn, resolve_blow

FIRST, SECOND, BOTH, NEITHER = "first", "second", "both", "neither"
"""Who stands when a duel is over."""


def blow_odds(melee: Melee) -> Mapping[Strike, Fraction]:
    """The chance of each result of the first's blow at the second; they sum to 1."""
    found = dict.fromkeys(Strike, Fraction(0))
    for dice, chance in throws(MOST).items():
        found[resolve_blow(melee, dice).result] += chance
    return found


def turn_odds(melee: Melee) -> Mapping[tuple[Strike, Strike], Fraction]:
    """The chance of each pair of results of one turn: what the first does and what the second does; they sum to 1."""
    found: dict[tuple[Strike, Strike], Fraction] = {}
    for (dice, chance), (other, share) in product(throws(MOST).items(), throws(MOST).items()):
        ended: Exchange = fight_turn(melee, dice, other)
        pair = (ended.first, ended.second)
        found[pair] = found.get(pair, Fraction(0)) + chance * share
    return found


def duel_odds(melee: Melee, turns: int) -> Mapping[str, Fraction]:
    """Who stands after so many turns of melee; the chances sum to 1. Ruling A-M17.

    The charge, and waiting for it, are for the first turn; a recoil ends nothing but the turn (A-M4).
    """
    found = {FIRST: Fraction(0), SECOND: Fraction(0), BOTH: Fraction(1), NEITHER: Fraction(0)}
    for turn in range(melee.turn, melee.turn + turns):
        going_on, found[BOTH] = found[BOTH], Fraction(0)
        for (first, second), chance in turn_odds(in_turn(melee, turn)).items():
            found[_standing(first, second)] += going_on * chance
    return found


def in_turn(melee: Melee, turn: int) -> Melee:
    """The same two in this turn of their melee."""
    if turn == 1:
        return melee
    first, second = (_no_more_charge(each) for each in (melee.first, melee.second))
    return replace(melee, first=first, second=second, turn=turn)


def _standing(first: Strike, second: Strike) -> str:
    if first is Strike.KILL:
        return NEITHER if second is Strike.KILL else FIRST
    return SECOND if second is Strike.KILL else BOTH


def _no_more_charge(contender: Contender) -> Contender:
    return replace(contender, charging=False, immobile=False)
