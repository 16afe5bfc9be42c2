"""Melee: who strikes first, what is added, what a blow does, and blows at the same moment.

Sheet: "Melee", "Melee modifiers". Rulings A-M1 to A-M17.
"""

from enum import StrEnum

from msgspec import Struct

from rulebook.ruleset import Settings
from rulebook.systems.argad.book import book, setting
from rulebook.systems.argad.dice import Dice, is_triple, natural
from rulebook.systems.argad.fighters import Fighter, weapon_length
from rulebook.systems.argad.movement import ground
from rulebook.values.answers import ReasonLine

MELEE = 'Sheet: "Melee"'
MODIFIERS = 'Sheet: "Melee modifiers"'


class Strike(StrEnum):
    """What a blow does."""

    MISS = "miss"
    RECOIL = "recoil"
    KILL = "kill"


class Contender(Struct, frozen=True):
    """One side of a melee, and how he stands.

    ``charging`` is for cavalry; ``immobile`` waits for a charge straight at him; ``behind_obstacle`` is attacked
    through a bank, a door or the like; ``uphill`` has his enemy above him; ``indoors`` has no room for a heavy weapon.
    """

    fighter: Fighter
    charging: bool = False
    immobile: bool = False
    behind_obstacle: bool = False
    uphill: bool = False
    indoors: bool = False
    disorder: bool = False


class Melee(Struct, frozen=True):
    """Two who fight: on which ground, in which of their turns of melee, under which house rules."""

    first: Contender
    second: Contender
    turn: int = 1
    terrain: str = "open"
    settings: Settings = {}

    def turned(self) -> "Melee":
        """The same melee seen by the other."""
        return Melee(self.second, self.first, self.turn, self.terrain, self.settings)


class Blow(Struct, frozen=True):
    """What a blow of the first on the second came to."""

    natural: int
    lines: tuple[ReasonLine, ...]
    total: int
    result: Strike


def weapon_in_hand(fighter: Fighter, turn: int) -> str:
    """A pike out of close order gives way to the sword after the first turn. Sheet: "Melee modifiers"; A-M13."""
    return "sword" if fighter.weapon == "pike" and turn > 1 and not fighter.close_order else fighter.weapon


def length_in_hand(fighter: Fighter, turn: int, settings: Settings) -> str:
    """How long the weapon in his hand is: a length that is his own belongs to his own weapon. Ruling A-M1."""
    weapon = weapon_in_hand(fighter, turn)
    return weapon_length(weapon, settings, fighter.length if weapon == fighter.weapon else "")


def strikes_first(melee: Melee) -> int:
    """1 where the first has the longer weapon, -1 where the second has, 0 where both strike at once."""
    order = tuple(book().lengths)
    first, second = (
        order.index(length_in_hand(each.fighter, melee.turn, melee.settings)) for each in (melee.first, melee.second)
    )
    return (second > first) - (second < first)


def blow_modifiers(melee: Melee) -> tuple[ReasonLine, ...]:
    """All that the first adds when he strikes the second; cells add up without a cap. Rulings A-M7, A-M15."""
    listed = (*_arms(melee), *_places(melee), *_mounts(melee))
    return tuple(ReasonLine(amount, reason, rule) for amount, reason, rule in listed if amount)


Listed = tuple[tuple[int, str, str], ...]


def _arms(melee: Melee) -> Listed:
    me = melee.first.fighter
    weapon = book().weapon[weapon_in_hand(me, melee.turn)]
    weak = me.class_ == 2 or (me.class_ == 1 and setting(melee.settings, "class_one_in_melee"))
    wields = weapon.heavy and me.on_foot and not (melee.first.indoors or me.close_order)
    clumsy = "makeshift weapon" if weapon.improvised else f"class {me.class_}"
    rule = "Ruling A-M12" if me.class_ == 1 and not weapon.improvised else MODIFIERS
    return (
        (-int(weapon.improvised or weak), clumsy, rule),
        (int(wields), "heavy weapon in both hands", MODIFIERS),
    )


def _places(melee: Melee) -> Listed:
    held = melee.first.behind_obstacle and melee.first.fighter.on_foot
    return (
        (int(held), "attacked through an obstacle", MODIFIERS),
        (-int(melee.first.uphill), "enemy on higher ground", MODIFIERS),
    )


def _mounts(melee: Melee) -> Listed:
    """Rulings A-M7, A-M10, A-M11, A-M16."""
    me, enemy = melee.first.fighter, melee.second.fighter
    mine, theirs = (ground(each, melee.terrain) for each in (me, enemy))
    weapon = book().weapon[weapon_in_hand(me, melee.turn)]
    charged, lance = charges(melee.turned()), weapon.key == "lance" and charges(melee)
    rides_down = me.cavalry and (enemy.on_foot or enemy.mounted_infantry) and mine == "open"
    ridden_down = (me.on_foot or me.mounted_infantry) and enemy.cavalry and theirs != "very-difficult"
    halberd = me.on_foot and weapon.key == "halberd" and not enemy.on_foot and not charged
    braced = me.on_foot and weapon.pole and me.trained and melee.first.immobile and charged
    return (
        (int(rides_down), "cavalry against foot", MODIFIERS),
        (-int(ridden_down), "foot against cavalry", MODIFIERS),
        (int(halberd), "halberd against a rider", MODIFIERS),
        (int(charges(melee)), "charge", MODIFIERS),
        (int(lance), "couched lance", "Ruling A-M7"),
        (int(braced), "waits for the charge with a pole weapon, trained", MODIFIERS),
    )


def charges(melee: Melee) -> bool:
    """Does the first charge? Only cavalry does, and not in rough ground."""
    return melee.first.charging and melee.first.fighter.cavalry and ground(melee.first.fighter, melee.terrain) == "open"


def resolve_blow(melee: Melee, dice: Dice) -> Blow:
    """What the first does to the second with these dice. Rulings A-M3, A-M14.

    A natural 1 misses, three sixes kill; else above the class kills, at the class drives back, below it misses. Armour
    above the class turns a kill that does not exceed it into a recoil.
    """
    lines = blow_modifiers(melee)
    shown = natural(dice, disorder=melee.first.disorder)
    total = shown + sum(line.amount for line in lines)
    return Blow(shown, lines, total, _result(dice, total, melee.second.fighter))


def _result(dice: Dice, total: int, enemy: Fighter) -> Strike:
    if is_triple(dice):
        return Strike.KILL
    if dice[0] == 1 or total < enemy.class_:
        return Strike.MISS
    return Strike.KILL if total > max(enemy.class_, enemy.armour) else Strike.RECOIL


class Exchange(Struct, frozen=True):
    """What both came to in a turn: what the first did, what the second did, and why one result is void ("" if none)."""

    first: Strike
    second: Strike
    reason: str = ""
    rule: str = ""


def settle(melee: Melee, first: Blow, second: Blow) -> Exchange:
    """Two blows at the same moment: a kill voids a recoil (A-M5); of two alike the tie-breaks let one stand (A-M6)."""
    both = Exchange(first.result, second.result)
    if {first.result, second.result} == {Strike.KILL, Strike.RECOIL}:
        return _only(first.result is Strike.KILL, both, "a kill voids a recoil", "Ruling A-M5")
    if first.result is not second.result or first.result is Strike.MISS:
        return both
    me, enemy = melee.first.fighter, melee.second.fighter
    breaks = (
        (me.class_, enemy.class_, "higher class", MELEE),
        (me.armour, enemy.armour, "higher armour", "Ruling A-M9"),
        (first.natural, second.natural, "higher natural die", "Ruling A-M8"),
        (_sum(first), _sum(second), "higher modifiers", MELEE),
    )
    for mine, theirs, reason, rule in breaks:
        if mine != theirs:
            return _only(mine > theirs, both, reason, rule)
    return Exchange(both.first, both.second, "nothing tells them apart", "Ruling A-M6")


def _sum(blow: Blow) -> int:
    return sum(line.amount for line in blow.lines)


def _only(first: bool, both: Exchange, reason: str, rule: str) -> Exchange:
    if first:
        return Exchange(both.first, Strike.MISS, reason, rule)
    return Exchange(Strike.MISS, both.second, reason, rule)


def fight_turn(melee: Melee, dice: Dice, other_dice: Dice) -> Exchange:
    """A turn of melee with everybody's dice: who recoils or dies from a longer weapon does not strike (A-M2)."""
    order = strikes_first(melee)
    first, second = resolve_blow(melee, dice), resolve_blow(melee.turned(), other_dice)
    if order == 0:
        return settle(melee, first, second)
    earlier = first if order > 0 else second
    if earlier.result is Strike.MISS:
        return Exchange(first.result, second.result)
    rule = MELEE if earlier.result is Strike.KILL else "Ruling A-M2"
    return _only(order > 0, Exchange(first.result, second.result), "the longer weapon struck first", rule)
