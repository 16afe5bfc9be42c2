"""A fighter of a battle as the rules at the table see it now, from its build, its wounds and what the log knows."""

from collections.abc import Iterable
from functools import cache, lru_cache

from msgspec.structs import replace

from rulebook.battle_log.remembering import remembered
from rulebook.ruleset import BuildData, Terms
from rulebook.systems.en_garde.book.catalogue import catalogue, faction
from rulebook.systems.en_garde.play.play_state import PlayState, outfit
from rulebook.systems.en_garde.rosters.builds import (
    Build,
    HouseTerms,
    from_json,
    house_terms,
    house_terms_of,
    plain,
    weapon_of,
)
from rulebook.systems.en_garde.rosters.loadouts import loadout, may_handle, rate_on_foot
from rulebook.systems.en_garde.rosters.sheets import numbers_in_battle
from rulebook.systems.en_garde.table.arms_in_hand import BARE_HANDS
from rulebook.systems.en_garde.table.combatant import Combatant, Steed
from rulebook.systems.en_garde.table.magic import armoured
from rulebook.systems.en_garde.table.wounds import WoundTable

HOUND = "conquistadors/warhound"
FANTASTICAL = "fantastical"


@lru_cache(maxsize=8192)
def unhurt(build: Build, terms: HouseTerms) -> Combatant:
    """A fighter fresh on the table, without name or id."""
    worn = loadout(build)
    numbers = numbers_in_battle(build, terms)
    gear = worn.gear
    return Combatant(
        id="",
        name=worn.profile.name,
        rank=worn.rank,
        rate=numbers.move,
        combat_pool=numbers.combat_pool,
        initiative=numbers.initiative,
        fight=numbers.fight,
        shoot=numbers.shoot,
        worn=numbers.armour.body,
        heavy_armour="heavy-armour" in gear,
        buckler="buckler" in gear,
        shield="shield" in gear,
        weapons=tuple(dict.fromkeys(_weapons(worn.equipment))),
        attributes=_attributes(build, worn.attributes),
        steed=_steed(worn.equipment, numbers.armour.mount),
        table=_table(worn.knows),
        striking=_enchanted(worn.equipment, "weapon-of-striking"),
        wounding=_enchanted(worn.equipment, "weapon-of-wounding"),
        poisoned=_enchanted(worn.equipment, "poison"),
        fantastical=build.list_key == FANTASTICAL,
        beast=build.profile == HOUND,
    )


def _weapons(equipment: Iterable[str]) -> list[str]:
    arms = catalogue().arms
    carried = [plain(key) for key in equipment]
    known = [key for key in carried if key in arms.close_combat or key in arms.missiles or key in arms.magic_items]
    return known + (["staff"] if "staff-of-solomon" in carried else [])


def _attributes(build: Build, keys: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key in keys:
        weapon = weapon_of(key)
        found[plain(key)] = (*found.get(plain(key), ()), *((weapon,) if weapon else ()))
    if "magician" in found:
        found["magician"] = tuple(build.spells or loadout(build).profile.spells)
    if build.profile == HOUND:
        found["no-defence"] = ()
    return found


def _steed(equipment: Iterable[str], barding: int) -> Steed | None:
    key = next((plain(each) for each in equipment if plain(each) in catalogue().arms.mounts), None)
    return None if key is None else Steed(key, barding, heavy="heavy-barding" in [*equipment])


def _table(knows: Iterable[str]) -> WoundTable:
    if "huge" in knows:
        return WoundTable.HUGE
    return WoundTable.LARGE if "large" in knows else WoundTable.STANDARD


def _enchanted(equipment: Iterable[str], magic: str) -> tuple[str, ...]:
    return tuple(weapon_of(key) for key in equipment if plain(key) == magic)


def combatant_of(build: BuildData, terms: Terms, *, identity: str = "", name: str = "") -> Combatant:
    """A fighter off the roster, unhurt, for questions that no battle asks. Raises RulesError for a wrong build."""
    fresh = unhurt(from_json(build), house_terms(terms))
    return replace(fresh, id=identity, name=name or fresh.name)


def terms_of(state: PlayState, side: str) -> HouseTerms:
    """What the numbers of a side's fighters depend on. Raises RulesError for an unknown list."""
    serving = state.side(side)
    return house_terms_of(serving.faction, serving.extras, state.settings)


@remembered
def present(state: PlayState, fighter: str) -> Combatant:
    """A fighter of a battle right now: wounds, mount and spells included; a Civilian is all zeroes.

    Raises KeyError for somebody who is not in the battle. Rule book: "Civilians".
    """
    if fighter in state.civilians:
        civilian = state.civilians[fighter]
        plain = Combatant(id=fighter, name=civilian.name, rank=0, fight=0, wounds=civilian.wounds, civilian=True)
        return _under_spells(state, plain)
    there = state.combatants[fighter]
    terms = state.table.terms.get(there.side) or terms_of(state, there.side)
    build = from_json(there.fighter.build)
    fresh = unhurt(build, terms)
    known = state.table.of(fighter)
    on_foot = fresh.steed is not None and (there.thrown or known.dismounted)
    now = replace(
        fresh,
        id=fighter,
        name=there.fighter.name,
        wounds=there.wounds,
        fantastical=fresh.fantastical or there.summoned,
        rate=rate_on_foot(loadout(build)) if on_foot else fresh.rate,
        steed=None if on_foot or fresh.steed is None else replace(fresh.steed, wounds=there.mount),
    )
    now = _fearless(now) if kept_fearless(state, there.side) else now
    return _under_spells(state, now)


def _under_spells(state: PlayState, fighter: Combatant) -> Combatant:
    """The fighter with Armour and Transfix upon it. Rule book: "Spells"."""
    known, turn = state.table.of(fighter.id), state.table.turn
    fighter = armoured(fighter) if known.armoured_until >= turn > 0 and known.armoured_until else fighter
    return _halved(fighter) if known.transfixed == turn > 0 else fighter


def is_hound(state: PlayState, fighter: str) -> bool:
    """Does it need a handler?"""
    return outfit(state.combatants[fighter].fighter).profile.fighters_per_handler > 0


def handlers_left(state: PlayState, side: str) -> int:
    """How many of a side's standing fighters may mind hounds. Ruling P20."""
    return sum(there.standing and may_handle(outfit(there.fighter)) for there in state.own(side))


@remembered
def kept_fearless(state: PlayState, side: str) -> bool:
    """Does somebody on the table keep the whole warband Fearless? Rule book: "The Three Musketeers". Ruling D23."""
    bold = _bold(state.side(side).faction)
    if not bold:
        return False
    own = (there for there in state.combatants.values() if there.side == side)
    return any(there.fighter.build.get("profile") in bold and there.on_table for there in own)


@cache
def _bold(army: str) -> frozenset[str]:
    """The profiles of a list that keep its warband Fearless."""
    return frozenset(f"{army}/{key}" for key in faction(army).fearless_while)


def _fearless(fighter: Combatant) -> Combatant:
    return replace(fighter, attributes={**fighter.attributes, "fearless": ()})


def _halved(fighter: Combatant) -> Combatant:
    """Under Transfix every number counts half, rounded down; Rank and armour stay. Ruling B34."""
    return replace(
        fighter,
        combat_pool=fighter.combat_pool // 2,
        initiative=fighter.initiative // 2,
        fight=fighter.fight // 2,
        shoot=fighter.shoot // 2,
    )


def primary_weapon(fighter: Combatant) -> str:
    """The weapon in hand if nobody says otherwise: the first close combat weapon that it can use, else bare hands."""
    rows = catalogue().arms.close_combat
    usable = [key for key in fighter.weapons if key in rows and not (fighter.mounted and rows[key].hands == "two")]
    best = sorted(usable, key=lambda key: -rows[key].points)
    return best[0] if best else BARE_HANDS


@remembered
def weapon_now(state: PlayState, fighter: str) -> str:
    """The weapon in a fighter's hand: the one declared in this turn's combat, else its primary one."""
    return state.table.grips.get(fighter) or primary_weapon(present(state, fighter))


@remembered
def number_with(state: PlayState, side: str, attribute: str) -> int:
    """How many of a side's standing fighters have this Attribute."""
    standing = (there for there in state.own(side) if there.standing)
    return sum(present(state, there.fighter.id).has(attribute) for there in standing)
