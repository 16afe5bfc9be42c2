"""What the weapon in a fighter's hand does to Initiative and Wound Score, and when it can be used at all.

Rule book: "Close combat weapons", "Which weapon?", "Buildings".
"""

from msgspec import Struct

from rulebook.systems.en_garde.book.arms import CloseCombatWeapon
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.table.combatant import Combatant, Modifier, added
from rulebook.values.problems import Violation, violated

BARE_HANDS = "hands-and-feet"
TABLE = 'Rule book: "Close combat weapons"'
MOUNTED = 'Rule book: "Mounted combat"'
LONG_HANDLED = frozenset({"spear", "pike", "halberd", "great-weapon", "staff", "lance"})


class Grip(Struct, frozen=True):
    """How a fighter fights in a round: the weapon, both hands or one, and which round of the engagement it is.

    ``indoors`` is a combat inside a building without much room.
    """

    weapon: str = BARE_HANDS
    two_handed: bool = False
    first_round: bool = True
    indoors: bool = False
    pistol_reload: int = 0


def weapon_in_hand(grip: Grip) -> CloseCombatWeapon:
    """The row of the weapon; a pistol is used by its close combat row. Raises KeyError for an unknown one."""
    rows = catalogue().arms.close_combat
    return rows["pistol-in-close-combat"] if grip.weapon == "pistol" else rows[grip.weapon]


def uses_both_hands(grip: Grip) -> bool:
    """Does the weapon take both hands, by its nature or by choice?"""
    hands = weapon_in_hand(grip).hands
    return hands == "two" or (hands == "either" and grip.two_handed)


def grip_violations(fighter: Combatant, grip: Grip) -> tuple[Violation, ...]:
    """Everything that forbids to fight like this."""
    weapon = weapon_in_hand(grip)
    carried = grip.weapon == BARE_HANDS or grip.weapon in fighter.weapons
    both = uses_both_hands(grip)
    loaded = grip.weapon != "pistol" or grip.pistol_reload == 0
    if carried and loaded and not (both and fighter.mounted) and not (grip.two_handed and weapon.hands == "one"):
        return ()
    return violated(
        "{}",
        (not carried, "not-carried", f"{fighter.name} carries no {weapon.name.lower()}.", TABLE),
        (both and fighter.mounted, "two-handed-mounted", "Two hands are needed for it, one for the reins.", MOUNTED),
        (grip.two_handed and weapon.hands == "one", "one-handed", "It is a weapon for one hand.", TABLE),
        (not loaded, "pistol-empty", "The pistol is not loaded.", 'Rule book: "Pistol"'),
    )


def initiative_modifiers(
    fighter: Combatant,
    grip: Grip,
    *,
    ride_by: bool = False,
    in_river: bool = False,
    settings: HouseRules = USUAL,
) -> tuple[Modifier, ...]:
    """What is added to a die and Initiative at the start of a round; amounts of 0 are left out.

    ``in_river`` is a fighter in the water against one on dry ground. Rulings B22, B23, P21.
    """
    weapon = weapon_in_hand(grip)
    amount = weapon.initiative
    if not grip.first_round and weapon.initiative_later is not None:
        amount = weapon.initiative_later
    return added(
        (0 if _fights_by_nature(fighter, grip, settings) else amount, weapon.name, TABLE),
        (-1 if grip.indoors and grip.weapon in LONG_HANDLED else 0, "long weapon indoors", 'Rule book: "Buildings"'),
        (1 if ride_by else 0, "ride-by attack", 'Rule book: "Ride-by attacks"'),
        (-1 if in_river else 0, "in the river", 'Rule book: "Hold the Bridge"'),
    )


def _fights_by_nature(fighter: Combatant, grip: Grip, settings: HouseRules) -> bool:
    """Beasts fight with tooth and hoof and no penalty, people do not; hounds not either, by house rule. Ruling P21."""
    unarmed = grip.weapon == BARE_HANDS and fighter.beast
    return unarmed and not (fighter.has("no-defence") and settings.hounds_bare_handed)


def blow_modifiers(fighter: Combatant, grip: Grip, target: Combatant) -> tuple[Modifier, ...]:
    """What is added to an Attack Roll beside Fight: magic, and a long weapon in a narrow place."""
    holy = "staff-of-solomon" in fighter.weapons and grip.weapon == "staff" and target.fantastical
    return added(
        (-1 if grip.indoors and grip.weapon in LONG_HANDLED else 0, "long weapon indoors", 'Rule book: "Buildings"'),
        (1 if grip.weapon in fighter.striking else 0, "Weapon of Striking", 'Rule book: "Magic items"'),
        (2 if holy else 0, "Staff of Solomon", 'Rule book: "The Witch Hunter"'),
    )


def blow_wound_modifiers(
    fighter: Combatant, grip: Grip, target: Combatant, settings: HouseRules = USUAL
) -> tuple[Modifier, ...]:
    """What is added to the Basic Wound Score of a blow, before ploys. Rule book: "Powerful". Rulings B23, B36."""
    weapon = weapon_in_hand(grip)
    own = 0 if _fights_by_nature(fighter, grip, settings) else weapon.wound
    return added(
        (own, weapon.name, TABLE),
        (weapon.wound_two_handed if grip.two_handed else 0, f"{weapon.name} in both hands", TABLE),
        (weapon.wound_against_mounted if target.mounted else 0, f"{weapon.name} against a rider", "Ruling B36"),
        (weapon.wound_when_mounted if fighter.mounted else 0, f"{weapon.name} from the saddle", "Ruling B23"),
        (1 if fighter.has("powerful") else 0, "Powerful", 'Rule book: "Powerful"'),
        (1 if grip.weapon in fighter.wounding else 0, "Weapon of Wounding", 'Rule book: "Magic items"'),
    )
