"""A fighter of a battle as the rules at the table see it now: its numbers, what is loaded, what it
fights with.

Its build, its wounds and what the log knows make it. Of two weapons of a kind (pistols, guns) each
has Reload counters of its own: the second is kept as "pistol:2", and guns belong to their side.
Rule book: "Reload", "Pistol", "Ordinance special rules", "Close combat weapons", "Which weapon?".
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from msgspec.structs import replace

from rulebook.ruleset import BattleSetup, BuildData, CampaignTerms
from rulebook.systems.en_garde.book import problem, violation
from rulebook.systems.en_garde.book.catalogue import catalogue, faction
from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState, build_of, outfit
from rulebook.systems.en_garde.play.turn_state import NOTHING_LOGGED
from rulebook.systems.en_garde.rosters.builds import (
    Build,
    HouseRuleValues,
    from_json,
    house_terms,
    house_terms_of,
    plain,
    weapon_of,
)
from rulebook.systems.en_garde.rosters.extras import BoughtGun, read_extras
from rulebook.systems.en_garde.rosters.loadouts import loadout, may_handle, rate_on_foot
from rulebook.systems.en_garde.rosters.sheets import numbers_in_battle
from rulebook.systems.en_garde.table import magic
from rulebook.systems.en_garde.table.combatant import (
    BARE_HANDS,
    Combatant,
    Grip,
    Steed,
    held_with_both,
    takes_either,
)
from rulebook.systems.en_garde.table.wounds import WoundTable
from rulebook.values.problems import Problem, Violation
from rulebook.values.remembering import remembered

HOUND = "conquistadors/warhound"
FANTASTICAL = "fantastical"


@lru_cache(maxsize=8192)
def unhurt(build: Build, terms: HouseRuleValues) -> Combatant:
    """Return a fighter fresh on the table, without name or id."""
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
        table=WoundTable.of(worn.knows),
        striking=_enchanted(worn.equipment, "weapon-of-striking"),
        wounding=_enchanted(worn.equipment, "weapon-of-wounding"),
        poisoned=_enchanted(worn.equipment, "poison"),
        fantastical=build.list_key == FANTASTICAL,
        beast=build.profile == HOUND,
    )


def _weapons(equipment: Iterable[str]) -> list[str]:
    arms = catalogue().arms
    carried = [plain(key) for key in equipment]
    weapons = [
        key
        for key in carried
        if key in arms.close_combat or key in arms.missiles or key in arms.magic_items
    ]
    if "staff-of-solomon" in carried:
        weapons.append("staff")
    return weapons


def _attributes(build: Build, keys: Iterable[str]) -> dict[str, tuple[str, ...]]:
    attributes: dict[str, tuple[str, ...]] = {}
    for key in keys:
        weapon = weapon_of(key)
        weapons = (weapon,) if weapon else ()
        attributes[plain(key)] = attributes.get(plain(key), ()) + weapons
    if "magician" in attributes:
        attributes["magician"] = tuple(build.spells or loadout(build).profile.spells)
    if build.profile == HOUND:
        attributes["no-defence"] = ()
    return attributes


def _steed(equipment: Iterable[str], barding: int) -> Steed | None:
    key = next((plain(each) for each in equipment if plain(each) in catalogue().arms.mounts), None)
    return None if key is None else Steed(key, barding, heavy="heavy-barding" in [*equipment])


def _enchanted(equipment: Iterable[str], enchantment: str) -> tuple[str, ...]:
    return tuple(weapon_of(key) for key in equipment if plain(key) == enchantment)


def combatant_of(
    build: BuildData, terms: CampaignTerms, *, identity: str = "", name: str = ""
) -> Combatant:
    """Return a fighter off the roster, unhurt, for questions that no battle asks.

    Raises RulesError for a wrong build.
    """
    fresh = unhurt(from_json(build), house_terms(terms))
    return replace(fresh, id=identity, name=name or fresh.name)


def terms_of(state: PlayState, side: str) -> HouseRuleValues:
    """Return what the numbers of a side's fighters depend on.

    Raises RulesError for an unknown list.
    """
    return _terms_of(state.setup, side, state.settings)


@remembered
def _terms_of(setup: BattleSetup, side: str, settings: HouseRules) -> HouseRuleValues:
    serving = setup.sides_by_key[side]
    return house_terms_of(serving.faction, serving.extras, settings)


@remembered
def present(state: PlayState, fighter: str) -> Combatant:
    """Return a fighter of a battle as it is now: wounds, mount and spells included; a Civilian is
    all zeroes.

    Raises KeyError for somebody who is not in the battle. Rule book: "Civilians".
    """
    table = state.table
    on_table = table.fighters.get(fighter, NOTHING_LOGGED)
    if fighter in state.civilians:
        civilian = state.civilians[fighter]
        now = Combatant(
            id=fighter, name=civilian.name, rank=0, fight=0, wounds=civilian.wounds, civilian=True
        )
    else:
        combatant = state.combatants[fighter]
        side = combatant.side
        terms = table.terms.get(side) or terms_of(state, side)
        now = _with_wounds(combatant, terms)
        if now.steed is not None and (combatant.thrown or on_table.dismounted):
            now = replace(now, rate=rate_on_foot(loadout(combatant.build)), steed=None)
        bold = _bold(terms.faction)
        if bold and _somebody_bold(state, side, bold):
            now = replace(now, attributes={**now.attributes, "fearless": ()})
    # Rule book: "Spells".
    if on_table.armoured_until and on_table.armoured_until >= table.turn > 0:
        now = magic.armoured(now)
    return magic.transfixed(now) if "transfixed" in on_table.done else now


@remembered
def _with_wounds(combatant: CombatantState, terms: HouseRuleValues) -> Combatant:
    """Return a fighter with its wounds and those of its mount, but without what the table adds."""
    fresh = unhurt(combatant.build, terms)
    return replace(
        fresh,
        id=combatant.fighter.id,
        name=combatant.fighter.name,
        wounds=combatant.wounds,
        fantastical=fresh.fantastical or combatant.summoned,
        steed=None if fresh.steed is None else replace(fresh.steed, wounds=combatant.mount),
    )


def is_hound(state: PlayState, fighter: str) -> bool:
    """Return whether a fighter needs a handler. Civilians do not."""
    combatant = state.combatants.get(fighter)
    return combatant is not None and outfit(combatant.fighter).profile.fighters_per_handler > 0


def handlers_left(state: PlayState, side: str) -> int:
    """Return how many of a side's standing fighters may mind hounds. Ruling P20."""
    return sum(
        combatant.standing and may_handle(outfit(combatant.fighter))
        for combatant in state.own(side)
    )


def kept_fearless(state: PlayState, side: str) -> bool:
    """Return whether somebody on the table keeps the whole warband Fearless.

    Rule book: "The Three Musketeers". Ruling D23.
    """
    bold = _bold(state.setup.sides_by_key[side].faction)
    return bool(bold) and _somebody_bold(state, side, bold)


@remembered
def _somebody_bold(state: PlayState, side: str, bold: frozenset[str]) -> bool:
    own = (combatant for combatant in state.combatants.values() if combatant.side == side)
    return any(
        combatant.fighter.build.get("profile") in bold and combatant.on_table for combatant in own
    )


@cache
def _bold(army: str) -> frozenset[str]:
    """Return the profiles of a list that keep its warband Fearless."""
    return frozenset(f"{army}/{key}" for key in faction(army).fearless_while)


def primary_weapon(fighter: Combatant) -> str:
    """Return the weapon in hand if nobody says otherwise: the first close combat weapon that it
    can use, else bare hands.
    """
    return _primary_of(fighter.weapons, fighter.mounted)


@cache
def _primary_of(weapons: tuple[str, ...], mounted: bool) -> str:
    rows = catalogue().arms.close_combat
    usable = [key for key in weapons if key in rows and not (mounted and rows[key].hands == "two")]
    return max(usable, key=lambda key: rows[key].points, default=BARE_HANDS)


def weapon_now(state: PlayState, fighter: str) -> str:
    """Return the weapon in a fighter's hand: the one declared in this turn's combat, else its
    primary one."""
    return state.table.grips.get(fighter) or primary_weapon(present(state, fighter))


def number_with(state: PlayState, side: str, attribute: str) -> int:
    """Return how many of a side's standing fighters have this Attribute of their own."""
    with_it = _fielded_with(state.setup, side, attribute, state.settings)
    return len([each for each in with_it if state.combatants[each].standing])


@remembered
def _fielded_with(
    setup: BattleSetup, side: str, attribute: str, settings: HouseRules
) -> tuple[str, ...]:
    fielded = setup.sides_by_key[side].fighters
    terms = _terms_of(setup, side, settings)
    return tuple(each.id for each in fielded if unhurt(build_of(each), terms).has(attribute))


def guns_of(state: PlayState, fighter: str) -> tuple[BoughtGun, ...]:
    """Return the guns that a fighter's warband brought."""
    if fighter in state.civilians:
        return ()
    bought = state.side(state.side_of(fighter)).extras.get("ordnance", ())
    return read_extras({"ordnance": bought}).ordnance


def served_by(state: PlayState, fighter: str) -> tuple[str, ...]:
    """Return the guns that it may serve: those that name it in their crew, and those that name
    nobody."""
    return tuple(
        bought.gun
        for bought in guns_of(state, fighter)
        if not bought.crew or fighter in bought.crew
    )


def missiles_of(state: PlayState, fighter: str) -> tuple[str, ...]:
    """Return the keys of the missile weapons that a fighter carries and of the guns that it may
    serve, each once."""
    carried = [key for key in present(state, fighter).weapons if key in catalogue().arms.missiles]
    return tuple(dict.fromkeys((*carried, *served_by(state, fighter))))


def gun_violations(state: PlayState, fighter: str, weapon: str) -> tuple[Violation, ...]:
    """Return the violation of a gun that is served by others than its crew. Rule book: "Crew"."""
    brought = weapon in (bought.gun for bought in guns_of(state, fighter))
    if not brought or weapon in served_by(state, fighter):
        return ()
    name = catalogue().arms.guns[weapon].name.lower()
    return (violation("not-of-the-crew", name=state.named(fighter), gun=name),)


def unknown_gun(gun: str) -> tuple[Problem, ...]:
    """Return the problem of a gun that does not exist, if one is named."""
    if not gun or gun in catalogue().arms.guns:
        return ()
    return (problem("unknown-gun", value=gun, known=", ".join(catalogue().arms.guns)),)


def immobile_violations(gun: str) -> tuple[Violation, ...]:
    """Return the violation of moving an Immobile gun, which is only turned on the spot.

    Rule book: "Immobile".
    """
    row = catalogue().arms.guns.get(gun)
    if row is None or not row.immobile:
        return ()
    return (violation("immobile", thing=row.name.lower()),)


def gun_move_violations(state: PlayState, fighter: str, gun: str) -> tuple[Violation, ...]:
    """Return everything that forbids to take a gun along; nothing if none is."""
    if not gun:
        return ()
    if gun not in (bought.gun for bought in guns_of(state, fighter)):
        name = catalogue().arms.guns[gun].name.lower()
        return (violation("gun-not-there", name=state.named(fighter), gun=name),)
    return (*gun_violations(state, fighter, gun), *immobile_violations(gun))


def pieces(state: PlayState, fighter: str, weapon: str) -> tuple[str, ...]:
    """Return the names under which the counters of each such weapon are kept: one at least."""
    if weapon in catalogue().arms.guns:
        number = sum(bought.gun == weapon for bought in guns_of(state, fighter))
    else:
        combatant = state.combatants.get(fighter)
        equipment = () if combatant is None else outfit(combatant.fighter).equipment
        number = sum(plain(key) == weapon for key in equipment)
    return (weapon, *(f"{weapon}:{place}" for place in range(2, number + 1)))


def counters_on(state: PlayState, fighter: str, weapon: str) -> Mapping[str, int]:
    """Return the Reload counters of each such weapon, piece by piece."""
    kept = state.table.of(fighter).reload
    if weapon in catalogue().arms.guns:
        kept = state.table.guns.get(state.side_of(fighter), {})
    return {piece: kept.get(piece, 0) for piece in pieces(state, fighter, weapon)}


def fewest_counters(state: PlayState, fighter: str, weapon: str) -> int:
    """Return Reload counters on the piece that is nearest to being ready: 0 if any is loaded."""
    return min(counters_on(state, fighter, weapon).values())


def to_load(state: PlayState, fighter: str, weapon: str) -> tuple[str, int]:
    """Return the piece that is loaded next, and its counters: the one nearest to being ready,
    of those that are not.

    0 counters if all are ready.
    """
    empty = [
        (counters, piece)
        for piece, counters in counters_on(state, fighter, weapon).items()
        if counters
    ]
    counters, piece = min(empty, default=(0, weapon))
    return piece, counters


def readiest(state: PlayState, fighter: str, weapon: str) -> str:
    """Return the piece that is fired next: the first of those with the fewest counters."""
    counters = counters_on(state, fighter, weapon)
    return min(counters, key=lambda each: counters[each])


def fired(state: PlayState, fighter: str, weapon: str, counters: int) -> PlayState:
    """Return the state after a shot, with so many counters more on the first piece that was
    ready."""
    piece = readiest(state, fighter, weapon)
    return with_counters(
        state, fighter, piece, counters_on(state, fighter, weapon)[piece] + counters
    )


def with_counters(state: PlayState, fighter: str, piece: str, counters: int) -> PlayState:
    """Return the state with so many counters on this piece."""
    if piece.partition(":")[0] not in catalogue().arms.guns:
        reload = {**state.table.of(fighter).reload, piece: counters}
        return state.with_fighter(fighter, reload=reload)
    side = state.side_of(fighter)
    guns = {**state.table.guns, side: {**state.table.guns.get(side, {}), piece: counters}}
    return state.with_table(guns=guns)


def unknown_weapon(weapon: str, field: str, fighter: str) -> Iterator[Problem]:
    """Yield the problem of a weapon that is neither a close combat weapon nor a pistol."""
    if weapon not in catalogue().arms.close_combat and weapon != "pistol":
        yield problem("unknown-close-combat-weapon", fighters=(fighter,), field=field, value=weapon)


def hands_violations(weapon: str, hands: str) -> Iterator[Violation]:
    """Yield the violation of a weapon for two hands that is swung with one.

    ``grip_violations`` checks the opposite.
    """
    row = catalogue().arms.close_combat.get(weapon)
    if hands == "one" and row is not None and row.hands == "two":
        yield violation("two-handed")


@remembered
def grip_of(
    state: PlayState, fighter: str, declared: str = "", hands: str = "", indoors: bool | None = None
) -> Grip:
    """Return how a fighter holds its weapon: the declared one, else the one in its hand.

    A weapon for one hand or two is held with as many as ``hands`` says ("one" or "two"), else as
    was chosen when it was taken in hand, else with both if nothing else is held; a buckler is of no
    use with both. ``indoors`` is a combat in a narrow building, None means the combat that was
    opened last.
    """
    table = state.table
    weapon = declared or weapon_now(state, fighter)
    on_table = table.fighters.get(fighter, NOTHING_LOGGED)
    chosen = hands or table.hands.get(fighter, "")
    if chosen and not hands and weapon != weapon_now(state, fighter):
        chosen = ""
    with_both = chosen == "two"
    if not chosen and takes_either(weapon):
        with_both = held_with_both(present(state, fighter), weapon)
    return Grip(
        weapon=weapon,
        two_handed=with_both,
        first_round=not on_table.contacts or "engaged" in on_table.done,
        indoors=table.indoors if indoors is None else indoors,
        pistol_reload=fewest_counters(state, fighter, "pistol") if weapon == "pistol" else 0,
    )
