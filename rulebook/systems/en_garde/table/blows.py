"""A single attack in hand-to-hand combat, at a fighter or the mount beneath it: ploys, rolls, and
what comes of it.

Rule book: "Making an attack", "Ploys", "Mounted combat". The dice are handed in as they stand after
re-rolls, see ``rerollable``.
"""

from collections.abc import Collection
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.en_garde.book import broken
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.table.combatant import (
    Combatant,
    Grip,
    Modifier,
    armour_in_combat,
    blow_modifiers,
    blow_wound_modifiers,
    present_numbers,
    total,
    uses_both_hands,
)
from rulebook.systems.en_garde.table.wounds import WoundResult, WoundTable, wound_result
from rulebook.values.problems import Violation

OUTNUMBERED_BY = 3
RIPOSTE_WOUND = -2
SUBDUE_WOUND = -1
SWORDS = frozenset({"sword", "longsword"})


class Ploy(StrEnum):
    """A trick of fence. Parry and Riposte are the defender's, the others the attacker's."""

    PARRY = "parry"
    RIPOSTE = "riposte"
    FEINT = "feint"
    MIGHTY_BLOW = "mighty-blow"
    SUBDUE = "subdue"
    DISENGAGE = "disengage"


DEFENDERS = frozenset({Ploy.PARRY, Ploy.RIPOSTE})


class Stance(Struct, frozen=True):
    """The stance of one fighter in an attack: grip, ploys, the counters left to its side, its
    enemies in the combat.

    ``riposted`` and ``feinted`` say whether it has used these this turn.
    """

    grip: Grip
    ploys: frozenset[Ploy] = frozenset()
    attack_counters: int = 0
    defence_counters: int = 0
    enemies: int = 1
    riposted: bool = False
    feinted: bool = False


def attacker_violations(
    attacker: Combatant, stance: Stance, settings: HouseRules = USUAL
) -> tuple[Violation, ...]:
    """Return everything that forbids the attacker's ploys; the counter for the attack itself is
    already spent."""
    ploys = stance.ploys
    master = attacker.has_for("weapon-master", stance.grip.weapon)
    one_ploy = settings.ploys_per_attack == "one"
    mighty = Ploy.MIGHTY_BLOW in ploys and stance.attack_counters < 1
    return broken(
        (attacker.civilian, "civilian-attacks"),
        (ploys & DEFENDERS, "defenders-ploy"),
        (Ploy.FEINT in ploys and not master, "no-weapon-master"),
        (Ploy.FEINT in ploys and stance.feinted, "feinted"),
        (mighty, "no-counter-for-mighty-blow"),
        (len(ploys) > 1 and one_ploy, "one-ploy"),
        ({Ploy.FEINT, Ploy.DISENGAGE} <= ploys, "feint-and-disengage"),
    )


def defender_violations(
    defender: Combatant, stance: Stance, settings: HouseRules = USUAL
) -> tuple[Violation, ...]:
    """Return everything that forbids the defender's ploys."""
    ploys = stance.ploys
    if not ploys:
        return ()
    short = stance.defence_counters < defence_cost(ploys, settings)
    master = stance.grip.weapon in SWORDS and defender.has_for("weapon-master", stance.grip.weapon)
    return broken(
        (ploys - DEFENDERS, "attackers-ploy"),
        (defender.wounds.unconscious, "unconscious"),
        (never_defends(defender), "never-defends"),
        (short, "no-counter-for-defence"),
        (Ploy.RIPOSTE in ploys and not master, "no-swordmaster"),
        (Ploy.RIPOSTE in ploys and stance.riposted, "riposted"),
        name=defender.name,
    )


def defence_cost(ploys: frozenset[Ploy], settings: HouseRules = USUAL) -> int:
    """Return Defence counters that the defender's ploys take.

    A Riposte holds its Parry, by default (Ruling B1).
    """
    if Ploy.RIPOSTE not in ploys:
        return int(Ploy.PARRY in ploys)
    return 1 + int(Ploy.PARRY in ploys and settings.riposte_dice == "parry")


def attack_dice(ploys: Collection[Ploy]) -> int:
    """Return the dice of the attacker: two, or three of which one is discarded.

    Rule book: "Mighty blow".
    """
    return 3 if Ploy.MIGHTY_BLOW in ploys else 2


def defence_dice(defender: Combatant, ploys: Collection[Ploy], settings: HouseRules = USUAL) -> int:
    """Return the dice of the defender: one, two with a Parry or Riposte, none for the unconscious.

    Ruling B1.
    """
    if defender.wounds.unconscious:
        return 0
    return 2 if parries(ploys, settings) else 1


def parries(ploys: Collection[Ploy], settings: HouseRules = USUAL) -> bool:
    """Return whether the defender's ploys add a die.

    A Parry does, and a Riposte that holds one, as by default. Ruling B1.
    """
    return Ploy.PARRY in ploys or (Ploy.RIPOSTE in ploys and settings.riposte_dice == "two")


def rerollable(fighter: Combatant, grip: Grip, dice: tuple[int, ...]) -> int | None:
    """Return the die (its pips) that a Weapon Master would roll again: his lowest, if it is a 1 or
    2.

    Else None.

    Before anything is discarded. Rule book: "Weapon Master".
    """
    if not dice or not fighter.has_for("weapon-master", grip.weapon):
        return None
    lowest = min(dice)
    return lowest if lowest <= 2 else None


def with_lowest_again(dice: tuple[int, ...], again: int | None) -> tuple[int, ...]:
    """Return the dice with the lowest one thrown again, if it was: by a Weapon Master or a
    Sharpshooter."""
    if again is None:
        return dice
    place = dice.index(min(dice))
    return (*dice[:place], again, *dice[place + 1 :])


def kept(dice: tuple[int, ...], ploys: frozenset[Ploy]) -> tuple[int, ...]:
    """Return the dice that count: of three, the two best. Rule book: "Mighty blow"."""
    return tuple(sorted(dice)[1:]) if Ploy.MIGHTY_BLOW in ploys else dice


def fight_now(fighter: Combatant, stance: Stance, settings: HouseRules = USUAL) -> int:
    """Return Fight right now; one less against three or more.

    Rule book: "Modifiers" (Making an attack).
    """
    if fighter.wounds.unconscious:
        return 0
    fight = present_numbers(fighter, settings).fight
    return max(0, fight - 1) if stance.enemies >= OUTNUMBERED_BY else fight


class Melee(Struct, frozen=True):
    """An attack, everything but its dice: attacker and target, how both stand, and by which house
    rules.

    ``free`` is the attack on one who leaves contact: +1, no ploys (Ruling B25). A mount that is
    struck at is a defender of its own, see ``steed_as_combatant``.
    """

    attacker: Combatant
    attack: Stance
    defender: Combatant
    defence: Stance
    settings: HouseRules = USUAL
    free: bool = False

    @property
    def attacking_fight(self) -> int:
        """Return the Fight of the attacker right now."""
        return fight_now(self.attacker, self.attack, self.settings)

    @property
    def defending_fight(self) -> int:
        """Return the Fight of the defender right now."""
        return fight_now(self.defender, self.defence, self.settings)

    @property
    def dice_counts(self) -> tuple[int, int]:
        """Return the dice of attack and of defence."""
        return attack_dice(self.attack.ploys), defence_dice(
            self.defender, self.defence.ploys, self.settings
        )

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """Return what is added to the Attack Roll besides Fight."""
        parting = (Modifier(1, "enemy leaves contact", 'Rule book: "Move"'),) if self.free else ()
        return (*parting, *blow_modifiers(self.attacker, self.attack.grip, self.defender))

    @property
    def wound_modifiers(self) -> tuple[Modifier, ...]:
        """Return what is added to the Basic Wound Score of the attack, ploys included."""
        extra = blow_wound_modifiers(self.attacker, self.attack.grip, self.defender, self.settings)
        if Ploy.SUBDUE not in self.attack.ploys:
            return extra
        return (*extra, Modifier(SUBDUE_WOUND, "Subdue", 'Rule book: "Subdue"'))

    @property
    def riposte_modifiers(self) -> tuple[Modifier, ...]:
        """Return what is added to the Basic Wound Score of a Riposte."""
        extra = blow_wound_modifiers(self.defender, self.defence.grip, self.attacker, self.settings)
        return (*extra, Modifier(RIPOSTE_WOUND, "Riposte", 'Rule book: "Riposte"'))

    @property
    def armour(self) -> int:
        """Return the Armour Rating of the defender that counts here."""
        return armour_in_combat(self.defender, uses_both_hands(self.defence.grip), self.settings)

    @property
    def attackers_armour(self) -> int:
        """Return the Armour Rating of the attacker that counts against a Riposte."""
        return armour_in_combat(self.attacker, uses_both_hands(self.attack.grip), self.settings)


class Blow(Struct, frozen=True):
    """The result of an attack. ``result`` is None where no wound can follow: a miss, a Feint, a
    Disengage.

    ``riposte`` is the result on the attacker, if there was a Riposte that turned the blow.
    """

    attack_score: int
    defence_score: int
    hit_score: int
    hit: bool
    attack_modifiers: tuple[Modifier, ...] = ()
    wound_modifiers: tuple[Modifier, ...] = ()
    armour_rating: int = 0
    final_score: int = 0
    result: WoundResult | None = None
    subdued: bool = False
    feinted: bool = False
    disengaged: bool = False
    riposte: WoundResult | None = None
    riposte_score: int = 0


def resolve_blow(melee: Melee, attack_roll: tuple[int, ...], defence_roll: tuple[int, ...]) -> Blow:
    """Return the result of an attack with these dice, as they stand after re-rolls and before a
    discard.

    Raises ValueError for a wrong number of dice. Rule book: "Making an attack".
    """
    thrown = (len(attack_roll), len(defence_roll))
    expected = melee.dice_counts
    if thrown != expected:
        raise ValueError(
            f"{expected[0]} and {expected[1]} dice are rolled here, not {thrown[0]} and "
            f"{thrown[1]}."
        )
    # Both scores: dice, Fight, and what is added to an Attack Roll.
    modifiers, ploys = melee.modifiers, melee.attack.ploys
    attack_score = sum(kept(attack_roll, ploys)) + melee.attacking_fight + total(modifiers)
    defence_score = sum(defence_roll) + melee.defending_fight
    blow = Blow(
        attack_score,
        defence_score,
        attack_score - defence_score,
        attack_score > defence_score,
        modifiers,
    )
    # A Feint or Disengage that lands does no harm, any other hit does.
    if Ploy.FEINT in ploys and blow.hit:
        return replace(blow, feinted=True)
    if Ploy.DISENGAGE in ploys and blow.hit:
        return replace(blow, disengaged=True)
    # A hit reads the Wound Table, and so does a Riposte, where the defender's score is higher.
    if blow.hit:
        extra, rating = melee.wound_modifiers, melee.armour
        score = blow.hit_score + total(extra) - rating
        subdued = Ploy.SUBDUE in ploys
        result = wound_result(score, melee.defender.table)
        return replace(
            blow,
            wound_modifiers=extra,
            armour_rating=rating,
            final_score=score,
            result=result,
            subdued=subdued,
        )
    # A Riposte strikes back where the Defence Score is higher.
    if Ploy.RIPOSTE in melee.defence.ploys and blow.defence_score > blow.attack_score:
        extra = melee.riposte_modifiers
        rating = melee.attackers_armour
        score = -blow.hit_score + total(extra) - rating
        riposte = wound_result(score, melee.attacker.table)
        return replace(
            blow, wound_modifiers=extra, armour_rating=rating, riposte_score=score, riposte=riposte
        )
    return blow


def steed_as_combatant(rider: Combatant) -> Combatant:
    """Return a mount as a fighter of its own, struck at with Fight 1 and armoured by barding alone:
    Rank 0, large.

    Raises ValueError if there is none. Rule book: "Mounted combat". Ruling B26.
    """
    if rider.steed is None:
        raise ValueError(f"{rider.name} has no mount.")
    row = catalogue().arms.mounts[rider.steed.key]
    return Combatant(
        id=f"{rider.id}:mount",
        name=f"{rider.name}'s {row.name.lower()}",
        rank=0,
        rate="cavalry",
        combat_pool=row.combat_pool,
        initiative=row.initiative,
        fight=row.fight,
        worn=rider.steed.armour_rating,
        table=WoundTable.LARGE,
        wounds=rider.steed.wounds,
        beast=True,
    )


def targets(attacker: Combatant, target: Combatant) -> tuple[str, ...]:
    """Return what an attack may be aimed at: "rider", "mount" or both.

    Rule book: "Mounted combat".
    """
    if not target.mounted:
        return ("rider",)
    return ("rider",) if attacker.mounted else ("rider", "mount")


def never_defends(fighter: Combatant) -> bool:
    """Return whether a fighter may draw no Defence counters: the Relentless and warhounds.

    Rule book: "Relentless", "Warhound".
    """
    return "relentless" in fighter.attributes or "no-defence" in fighter.attributes
