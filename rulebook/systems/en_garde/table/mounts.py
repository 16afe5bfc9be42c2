"""Mounts in hand-to-hand combat: bodies of their own that can be struck, and warhorses that strike.

Rule book: "Mounts", "Mounted combat", "Large Models". Ruling B26.
"""

from msgspec.structs import replace

from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.table.arms_in_hand import Grip
from rulebook.systems.en_garde.table.blows import Blow, Stance, resolve_blow
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.wounds import WoundTable


def blow_at_mount(
    attacker: Combatant,
    attack: Stance,
    target: Combatant,
    attack_roll: tuple[int, ...],
    defence_die: int,
    settings: HouseRules = USUAL,
) -> Blow:
    """A fighter on foot, or another mount, strikes the mount and not its rider: Fight 1, armour of barding alone.

    Raises ValueError if there is no mount. Rule book: "Mounted combat". Ruling B26.
    """
    if target.steed is None:
        raise ValueError(f"{target.name} has no mount.")
    steed = steed_as_combatant(target)
    blow = resolve_blow(attacker, attack, steed, Stance(Grip()), attack_roll, (defence_die,), settings=settings)
    return replace(blow, on_mount=True)


def steed_as_combatant(rider: Combatant) -> Combatant:
    """A mount as a fighter of its own: Rank 0, large. Raises ValueError if there is none."""
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
    """What an attack may be aimed at: "rider", "mount" or both. Rule book: "Mounted combat"."""
    if not target.mounted:
        return ("rider",)
    return ("rider",) if attacker.mounted else ("rider", "mount")
