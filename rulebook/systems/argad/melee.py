"""Melee: who strikes first, what is added, what a blow does, blows at the same moment, and the
exact odds of it all.

Sheet: "Melee", "Melee modifiers". Rulings A-M1 to A-M17.
"""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from rulebook.dice.open_ended import Dice, throws
from rulebook.systems.argad.book import MOST, TRIPLE, USUAL, HouseRules, book, natural
from rulebook.systems.argad.fighters import Fighter, ground
from rulebook.values.answers import ReasonLine

MELEE = 'Sheet: "Melee"'
MODIFIERS = 'Sheet: "Melee modifiers"'


class Strike(StrEnum):
    """The effect of a blow."""

    MISS = "miss"
    RECOIL = "recoil"
    KILL = "kill"


class Contender(Struct, frozen=True):
    """One side of a melee: in which of his turns of it he is, and how he stands (see
    ``data/melee.toml``)."""

    fighter: Fighter
    turn: int = 1
    stances: tuple[str, ...] = ()

    @property
    def weapon(self) -> str:
        """Return a pike out of close order gives way to the sword after the first turn.

        Sheet: "Melee modifiers"; A-M13.
        """
        drawn = self.fighter.weapon == "pike" and self.turn > 1 and not self.fighter.close_order
        return "sword" if drawn else self.fighter.weapon

    def next_turn(self) -> "Contender":
        """Return the fighter in his next turn of melee: he no longer charges, and nobody charges
        him. Ruling A-M17."""
        stances = tuple(each for each in self.stances if each not in ("charging", "immobile"))
        return Contender(self.fighter, self.turn + 1, stances)

    def length(self, settings: HouseRules) -> int:
        """Return the place of his weapon among the lengths, 0 the longest.

        The length is his own, the printed or a suggested one (A-M1).
        """
        weapon = book().weapon[self.weapon]
        # A length of his own is that of the weapon he came with, not of the sword that he drew
        # instead of a pike.
        own = self.fighter.length if self.weapon == self.fighter.weapon else ""
        length = own or weapon.length or getattr(settings, weapon.length_rule)
        return [key for key, _ in book().lengths].index(length)


class Melee(Struct, frozen=True):
    """Two who fight: on which ground, under which house rules."""

    first: Contender
    second: Contender
    terrain: str = "open"
    settings: HouseRules = USUAL

    def turned(self) -> "Melee":
        """Return the same melee seen by the other."""
        return Melee(self.second, self.first, self.terrain, self.settings)

    def charges(self) -> bool:
        """Return whether the first fighter charges: only cavalry does, and not in rough ground."""
        rider = self.first.fighter
        return (
            "charging" in self.first.stances
            and rider.mount == "cavalry"
            and ground(rider, self.terrain) == "open"
        )


class Blow(Struct, frozen=True):
    """The outcome of a blow of the first on the second."""

    natural: int
    lines: tuple[ReasonLine, ...]
    total: int
    result: Strike


class Exchange(Struct, frozen=True):
    """The outcome of a turn for both: the effects of their blows, and why one is void ("" if
    none)."""

    first: Strike
    second: Strike
    reason: str = ""
    rule: str = ""


def strikes_first(melee: Melee) -> int:
    """1 where the first has the longer weapon, -1 where the second has, 0 where both strike at
    once."""
    first, second = (each.length(melee.settings) for each in (melee.first, melee.second))
    return (second > first) - (second < first)


def blow_modifiers(melee: Melee) -> tuple[ReasonLine, ...]:
    """Return what the first adds when he strikes the second; cells add up without a cap. Rulings
    A-M7, A-M15."""
    listed = (*_own(melee), *_mounted(melee))
    return tuple(ReasonLine(amount, reason, rule) for amount, reason, rule in listed if amount)


def _own(melee: Melee) -> tuple[tuple[int, str, str], ...]:
    """Return what his class, his weapon and his place bring. Ruling A-M12."""
    contender, me = melee.first, melee.first.fighter
    weapon = book().weapon[contender.weapon]
    # Class 2, or class 1 by house rule (A-M12), and a makeshift weapon take off 1 together, not 1
    # each.
    weak = me.class_ == 2 or (me.class_ == 1 and melee.settings.class_one_in_melee)
    clumsy = "makeshift weapon" if weapon.improvised else f"class {me.class_}"
    wields = weapon.heavy and me.on_foot and not ("indoors" in contender.stances or me.close_order)
    return (
        (-int(weapon.improvised or weak), clumsy, MODIFIERS),
        (int(wields), "heavy weapon in both hands", MODIFIERS),
        (
            int("behind-obstacle" in contender.stances and me.on_foot),
            "attacked through an obstacle",
            MODIFIERS,
        ),
        (-int("uphill" in contender.stances), "enemy on higher ground", MODIFIERS),
    )


def _mounted(melee: Melee) -> tuple[tuple[int, str, str], ...]:
    """Return what horses bring. Nobody on a farm horse is cavalry. Rulings A-M7, A-M10, A-M11,
    A-M16."""
    me = melee.first.fighter
    enemy = melee.second.fighter
    weapon = book().weapon[melee.first.weapon]
    charge = melee.charges()
    charged = melee.turned().charges()
    afoot = ("foot", "mounted-infantry")
    down = me.mount == "cavalry" and enemy.mount in afoot and ground(me, melee.terrain) == "open"
    up = (
        me.mount in afoot
        and enemy.mount == "cavalry"
        and ground(enemy, melee.terrain) != "very-difficult"
    )
    halberd = me.on_foot and weapon.key == "halberd" and not enemy.on_foot and not charged
    braced = (
        me.on_foot and weapon.pole and me.trained and "immobile" in melee.first.stances and charged
    )
    return (
        (int(down), "cavalry against foot", MODIFIERS),
        (-int(up), "foot against cavalry", MODIFIERS),
        (int(halberd), "halberd against a rider", MODIFIERS),
        (int(charge), "charge", MODIFIERS),
        (int(charge and weapon.key == "lance"), "couched lance", "Ruling A-M7"),
        (int(braced), "trained, waits for the charge with a pole weapon", MODIFIERS),
    )


def resolve_blow(melee: Melee, dice: Dice) -> Blow:
    """Return what the first does to the second with these dice.

    A natural 1 misses, three sixes kill; else above the class kills, at the class drives back,
    below it misses. Armour above the class turns a kill that does not exceed it into a recoil.
    Rulings A-M3, A-M14.
    """
    enemy, lines = melee.second.fighter, blow_modifiers(melee)
    shown = natural(dice, disorder="disorder" in melee.first.stances)
    total = shown + sum(line.amount for line in lines)
    result = Strike.RECOIL
    if dice == TRIPLE or (dice[0] > 1 and total > max(enemy.class_, enemy.armour)):
        result = Strike.KILL
    elif dice[0] == 1 or total < enemy.class_:
        result = Strike.MISS
    return Blow(shown, lines, total, result)


def exchange(melee: Melee, first: Blow | None, second: Blow | None) -> Exchange:
    """Return a turn of melee with both blows: who recoils or dies from a longer weapon does not
    strike (A-M2).

    None stands for a blow that was not struck, because nothing could come of it.
    """
    order = strikes_first(melee)
    if order == 0 and first and second:
        return settle(melee, first, second)
    both = Exchange(
        first.result if first else Strike.MISS, second.result if second else Strike.MISS
    )
    earlier = both.first if order > 0 else both.second
    if earlier is Strike.MISS:
        return both
    return _only(
        order > 0,
        both,
        "the longer weapon struck first",
        MELEE if earlier is Strike.KILL else "Ruling A-M2",
    )


def settle(melee: Melee, first: Blow, second: Blow) -> Exchange:
    """Return two blows at the same moment: a kill voids a recoil (A-M5).

    Of two alike the tie-breaks let one stand (A-M6).
    """
    both = Exchange(first.result, second.result)
    if {first.result, second.result} == {Strike.KILL, Strike.RECOIL}:
        return _only(first.result is Strike.KILL, both, "a kill voids a recoil", "Ruling A-M5")
    if first.result is not second.result or first.result is Strike.MISS:
        return both
    me, enemy = melee.first.fighter, melee.second.fighter
    breaks = (
        (me.class_ - enemy.class_, "higher class", MELEE),
        (me.armour - enemy.armour, "higher armour", "Ruling A-M9"),
        (first.natural - second.natural, "higher natural die", "Ruling A-M8"),
        (
            (first.total - first.natural) - (second.total - second.natural),
            "higher modifiers",
            MELEE,
        ),
    )
    for ahead, reason, rule in breaks:
        if ahead:
            return _only(ahead > 0, both, reason, rule)
    return Exchange(both.first, both.second, "nothing tells them apart", "Ruling A-M6")


def _only(first: bool, both: Exchange, reason: str, rule: str) -> Exchange:
    if first:
        return Exchange(both.first, Strike.MISS, reason, rule)
    return Exchange(Strike.MISS, both.second, reason, rule)


STANDING = {
    (False, False): "both",
    (True, False): "first",
    (False, True): "second",
    (True, True): "neither",
}


def blow_odds(melee: Melee) -> Mapping[str, Fraction]:
    """Return the chance of each result of the first's blow at the second; they sum to 1."""
    odds = {each.value: Fraction(0) for each in Strike}
    for dice, chance in throws(MOST).items():
        odds[resolve_blow(melee, dice).result] += chance
    return odds


def turn_odds(melee: Melee) -> Mapping[tuple[Strike, Strike], Fraction]:
    """Return the chance of each pair of results of one turn: what the first does and what the
    second does.

    The chances sum to 1.
    """
    odds: dict[tuple[Strike, Strike], Fraction] = {}
    every = throws(MOST).items()

    # Each throw is resolved once, and not again for every throw of the other.
    turned = melee.turned()
    mine = [(resolve_blow(melee, dice), chance) for dice, chance in every]
    theirs = [(resolve_blow(turned, dice), chance) for dice, chance in every]
    for (blow, chance), (other, share) in product(mine, theirs):
        ended = exchange(melee, blow, other)
        pair = (ended.first, ended.second)
        odds[pair] = odds.get(pair, Fraction(0)) + chance * share
    return odds


def duel_odds(melee: Melee, turns: int) -> tuple[Mapping[str, Fraction], ...]:
    """Return the chances of who is left after each turn of melee: "first", "second", "both" or
    "neither".

    The chances of a turn sum to 1. The charge, and waiting for it, are for the first turn; a recoil
    ends nothing but the turn (A-M4, A-M17).
    """
    odds = {
        "first": Fraction(0),
        "second": Fraction(0),
        "both": Fraction(1),
        "neither": Fraction(0),
    }
    courses = []
    for _ in range(turns):
        # Only where both still stand is there another turn; what it does is spread over the four
        # ends.
        going_on = odds["both"]
        odds = {**odds, "both": Fraction(0)}
        for (mine, theirs), chance in turn_odds(melee).items():
            standing = STANDING[mine is Strike.KILL, theirs is Strike.KILL]
            odds[standing] += going_on * chance
        courses.append(odds)
        melee = replace(melee, first=melee.first.next_turn(), second=melee.second.next_turn())
    return tuple(courses)
