"""The fantastical: magicians, casting and resisting, and what each spell does.

Rule book: "Appendix B: The fantastical". Rulings B30, B31, B32.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.en_garde.book import broken
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.table import wounds
from rulebook.systems.en_garde.table.combatant import (
    Combatant,
    Modifier,
    armour_against_shot,
    present_numbers,
    total,
)
from rulebook.systems.en_garde.table.shooting import ABSORBED
from rulebook.values.problems import Violation

Number = TypeVar("Number", int, float)
RULE = 'Rule book: "Casting a spell"'
SPELLS = 'Rule book: "Spells"'
ITEM_OF_POWER = 2
SUMMONED: Mapping[str, Any] = {
    "profile": "custom/rank-1",
    "name": "Summoned",
    "characteristics": {"combat_pool": 1, "initiative": 1, "fight": 1, "shoot": 0},
    "equipment": ["hand-weapon"],
    "kept": {"attributes": ["fearless"]},
}
"""The build of a summoned fighter, as a roster would write it: Fearless, with a hand weapon. Ruling
B32."""
DRAINED = wounds.WoundResult.LIGHT
"""The result of Drain Life, which takes no roll; the conversion for large bodies applies."""


def magic_points(magician: Combatant) -> int:
    """Return Magic Points at the start of a battle: twice the Rank, and 2 from an Item of Power.

    Rule book: "Magicians".
    """
    if not magician.has("magician"):
        return 0
    item = ITEM_OF_POWER if "item-of-power" in magician.weapons else 0
    return 2 * magician.rank + item


def spells_known(magician: Combatant) -> tuple[str, ...]:
    """Return the spells that a Magician knows, as many as its Rank."""
    return magician.attributes.get("magician", ())


def cast_violations(
    magician: Combatant,
    spell: str,
    points_left: int,
    *,
    inches: float | None = 0,
    engaged: bool = False,
    cast_this_turn: bool = False,
) -> tuple[Violation, ...]:
    """Return everything that forbids a spell; ``inches`` that nobody has said are None.

    Raises KeyError for an unknown one.
    """
    # Knowing the spell and having the points for it are asked of Magicians alone.
    row = catalogue().spells[spell]
    cost = row.magic_points
    name = row.name
    able = magician.has("magician")
    ignorant = able and spell not in spells_known(magician)
    return broken(
        (not able, "no-magician"),
        (ignorant, "unknown-spell"),
        (able and points_left < cost, "no-magic-points"),
        (engaged, "magician-engaged"),
        (cast_this_turn, "cast-already"),
        (magician.wounds.out, "out"),
        (row.range > 0 and inches is None, "spell-inches-untold"),
        (0 < row.range < (inches or 0), "spell-out-of-reach"),
        name=magician.name,
        spell=name,
        cost=cost,
        points_left=points_left,
        range=row.range,
    )


class Casting(Struct, frozen=True):
    """An attempt at a spell: both scores, None for resistance if nobody resisted, and whether it
    worked."""

    score: int
    resistance: int | None
    cast: bool
    points_spent: int


def resolve_casting(
    magician: Combatant,
    spell: str,
    dice: tuple[int, int],
    resisting: Combatant | None = None,
    resisting_dice: tuple[int, int] | None = None,
) -> Casting:
    """Return the result of 2D6 and Rank against 2D6 (and Rank, for a Magician or the like).

    The points are gone either way.

    Unresisted, the spell works. Raises ValueError if who resists has no dice.
    """
    score = sum(dice) + magician.rank
    cost = catalogue().spells[spell].magic_points
    if resisting is None:
        return Casting(score, None, cast=True, points_spent=cost)
    if resisting_dice is None:
        raise ValueError("The resister rolls two dice.")
    against = sum(resisting_dice) + resisting_rank(resisting)
    return Casting(score, against, cast=score > against, points_spent=cost)


def resists_as_magician(fighter: Combatant) -> bool:
    """Return whether it adds its Rank and may resist for others.

    Rule book: "Priest", "Magic items" (Holy Relic).
    """
    return fighter.has("magician") or fighter.has("priest") or "holy-relic" in fighter.weapons


def resisting_rank(fighter: Combatant) -> int:
    """Return what is added to the dice of who resists: the Rank of Magicians and the like."""
    return fighter.rank if resists_as_magician(fighter) else 0


def may_resist(fighter: Combatant, *, is_target: bool, of_enemy: bool) -> bool:
    """Return whether a fighter may resist a spell.

    The enemy target itself, or any enemy Magician on the table.
    """
    return of_enemy and not fighter.wounds.out and (is_target or resists_as_magician(fighter))


# What the spells do.


def armoured(fighter: Combatant) -> Combatant:
    """Return the fighter under Armour: AR +3 until the end of the next turn.

    It weighs nothing (Ruling B17).
    """
    return replace(fighter, worn=fighter.worn + 3, warded=fighter.warded + 3)


def drained(fighter: Combatant) -> wounds.WoundState:
    """Return the wounds after Drain Life, a wound without a roll."""
    return wounds.suffer(fighter.wounds, DRAINED, table=fighter.table)


def healed(fighter: Combatant) -> wounds.WoundState:
    """Return the wounds after Heal: every wound counter goes. The dead stay dead."""
    return fighter.wounds if fighter.wounds.dead else wounds.UNHURT


def blast_hits(magician: Combatant, dice: tuple[int, int], settings: HouseRules = USUAL) -> bool:
    """Return whether a Power Blast hits: two dice and Shoot, without any modifier. Ruling B30."""
    return _blast_score(magician, dice, settings) >= 1


def _blast_score(magician: Combatant, dice: tuple[int, int], settings: HouseRules) -> int:
    return sum(dice) + total(blast_modifiers(magician, settings))


def blast_modifiers(magician: Combatant, settings: HouseRules = USUAL) -> tuple[Modifier, ...]:
    """Return what is added to 2D6 for the Hit Score of a Power Blast: Shoot alone."""
    return Modifier(present_numbers(magician, settings).shoot, "Shoot", "Ruling B30"), ABSORBED


def blast_wound_modifiers(
    target: Combatant, settings: HouseRules = USUAL, *, on_mount: bool = False
) -> tuple[Modifier, ...]:
    """Return what is added to the Hit Score of a Power Blast for the Wound Score: armour and a
    shield count."""
    armour = armour_against_shot(target, from_front=True, settings=settings)
    rating = target.steed.armour_rating if on_mount and target.steed is not None else armour
    return (
        Modifier(catalogue().spells["power-blast"].wound, "Power Blast", SPELLS),
        Modifier(-rating, "Armour Rating that counts here", "Ruling B18"),
    )


def blasted(
    magician: Combatant,
    target: Combatant,
    dice: tuple[int, int],
    settings: HouseRules = USUAL,
    *,
    on_mount: bool = False,
) -> wounds.WoundResult | None:
    """Return the result of a Power Blast: a shot by Shoot alone, 2 more on the Wound Score; None
    for a miss.

    Ruling B30.

    ``on_mount`` is a hit on the mount and not on its rider. Rule book: "Shooting at mounted
    models".
    """
    if not blast_hits(magician, dice, settings):
        return None
    added = blast_wound_modifiers(target, settings, on_mount=on_mount)
    score = _blast_score(magician, dice, settings) + total(added)
    return wounds.wound_result(score, wounds.WoundTable.LARGE if on_mount else target.table)


def stunned_by_spell(state: wounds.WoundState, counters: int) -> wounds.WoundState:
    """Return the wounds after Stun: so many (D3) Stunned counters, one after the other.

    Everybody within 6" but the caster. Ruling B31.
    """
    for _ in range(counters):
        if state.dead:
            break
        state = wounds.stun(state)
    return state


def transfixed(fighter: Combatant) -> Combatant:
    """Return the fighter under Transfix, until the end of the turn: every number is halved, rounded
    down.

    Ruling B34.
    """
    return replace(
        fighter,
        combat_pool=halved(fighter.combat_pool),
        initiative=halved(fighter.initiative),
        fight=halved(fighter.fight),
        shoot=halved(fighter.shoot),
    )


def halved(number: Number) -> Number:
    """Return a characteristic, or the inches of a move, under Transfix. Ruling B34."""
    return number // 2
