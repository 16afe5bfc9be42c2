"""What a fighter can do in the Combat Phase. Rule book: "Combat phase"."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.systems.en_garde.at_table.action_building import COMBAT, MOVE, action, under
from rulebook.systems.en_garde.at_table.opportunity_actions import chooses_grip, luck_of, opportunities
from rulebook.systems.en_garde.at_table.pending_combats import PendingCombat, pending_combat_of, splits_of
from rulebook.systems.en_garde.at_table.people_choices import enemies_of, people
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.checking import side_of
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import weapon_name
from rulebook.systems.en_garde.table.arms_in_hand import BARE_HANDS
from rulebook.systems.en_garde.table.rounds import fighter_pool, moved_on
from rulebook.systems.en_garde.turns.fighters import present, weapon_now
from rulebook.systems.en_garde.turns.opportunities import going_on_violations
from rulebook.values.fields import Choices, Field
from rulebook.values.table import Action


def combat_phase(state: PlayState, fighter: str) -> Iterator[Action]:
    """Opportunities in the open combat first, then what opens one."""
    yield from opportunities(state, fighter)
    pending = pending_combat_of(state, fighter)
    if pending is not None:
        hurdle = "another combat is open" if _is_open(state) else ""
        yield under(_combat(state, pending), "combat", hurdle=hurdle)
        yield under(_simplified(state, pending), "simplified", hurdle=hurdle)
    yield from _goes_on(state, fighter)
    if present(state, fighter).mounted and not state.table.engaged(fighter):
        yield _ride_by(state, fighter)


def _is_open(state: PlayState) -> bool:
    """Is a combat under way? Opening another one leaves it for good."""
    return state.table.fight is not None and not state.table.fight.over


def _combat(state: PlayState, pending: PendingCombat) -> Action:
    """A combat between those who touch: each side chooses its counters before it knows the other's."""
    fighters = [each for those in pending.values() for each in those]
    opened = action(
        state,
        "combat",
        "Fight it out",
        phase=COMBAT,
        given={"fighters": {side: list(those) for side, those in pending.items()}},
        without=("ride_by", "rider", "moved_on", "simplified", "initiative_by", "resolve", "nerve"),
        choices={each: people(state, fighters) for each in ("in_river", "doorway", "window")}
        | {"lucky": luck_of(state, tuple(fighters))},
    )
    counters = tuple(_split(state, side, those) for side, those in pending.items())
    more = (*_weapons(state, fighters), *_hands(state, fighters), *opened.fields, *_initiative(state, fighters))
    return replace(
        opened,
        fields=(*counters, *more),
        secrets={f"counters.{side}": side for side in pending},
        help="The counters are chosen in secret: hand the phone round, or show two hands of counters at once.",
        rule='Rule book: "Combat procedure"',
    )


def _simplified(state: PlayState, pending: PendingCombat) -> Action:
    """The same by the simplified procedure, with its own way to count. Rule book: "Appendix A"."""
    fighters = [each for those in pending.values() for each in those]
    given = {"fighters": {side: list(those) for side, those in pending.items()}, "simplified": True}
    opened = action(
        state,
        "combat",
        "Fight, simplified",
        phase=COMBAT,
        given=given,
        without=("ride_by", "rider", "moved_on", "in_river", "doorway", "window", "resolve", "nerve"),
        choices={"initiative_by": people(state, fighters), "lucky": luck_of(state, tuple(fighters))},
    )
    help_text = "One fighter’s Combat Pool, and a counter for each other one who takes part."
    counters = tuple(field for side in pending for field in _two(state, side, help_text))
    behind = tuple(_behind(state, fighters))
    more = (*behind, *opened.fields, *_initiative(state, fighters))
    return replace(opened, fields=(*counters, *more), rule='Rule book: "Appendix A: Simplified attack procedure"')


def _behind(state: PlayState, fighters: list[str]) -> Iterator[Field]:
    """Spears and pikes reach past a friend."""
    for fighter in fighters:
        if {"spear", "pike"} & {*present(state, fighter).weapons}:
            friends = [each for each in fighters if each != fighter and side_of(state, each) == side_of(state, fighter)]
            label = f"{state.named(fighter)} stands behind"
            if friends:
                yield Field(f"behind.{fighter}", label, "choice", False, people(state, friends), group="more")


def _split(state: PlayState, side: str, fighters: tuple[str, ...]) -> Field:
    names = " and ".join(state.named(each) for each in fighters)
    choices = tuple((f"{up},{down}", f"{up} Attack, {down} Defence") for up, down in splits_of(state, fighters))
    return Field(f"counters.{side}", f"Counters of {names}", "numbers", choices=choices)


def _weapons(state: PlayState, fighters: list[str]) -> Iterator[Field]:
    """The weapon in each fighter's hand, where there is a choice."""
    for fighter in fighters:
        choices = weapons_of(state, fighter)
        if len(choices) > 1:
            label = f"Weapon of {state.named(fighter)}"
            now = weapon_now(state, fighter)
            yield Field(f"weapons.{fighter}", label, "choice", False, choices, default=now, group="more")


def _hands(state: PlayState, fighters: list[str]) -> Iterator[Field]:
    """One hand or both, for those who carry a weapon that takes either."""
    for fighter in fighters:
        if chooses_grip(state, fighter):
            label = f"Hands on the weapon of {state.named(fighter)}"
            choices = (("one", "One hand"), ("two", "Both hands"))
            help_text = "Only for a weapon that takes one or two; else both hands if they are free."
            yield Field(f"hands.{fighter}", label, "choice", False, choices, help=help_text, group="more")


def weapons_of(state: PlayState, fighter: str) -> Choices:
    """The weapons that a fighter can take in hand."""
    rows = catalogue().arms.close_combat
    carried = [key for key in present(state, fighter).weapons if key in rows or key == "pistol"]
    return tuple((key, weapon_name(key)) for key in dict.fromkeys((*carried, BARE_HANDS)))


def _initiative(state: PlayState, fighters: list[str]) -> Iterator[Field]:
    if state.settings.dice == "app":
        return
    for fighter in fighters:
        label = f"Initiative die of {state.named(fighter)}"
        help_text = "After a tie the new dice behind the first: 4,2."
        yield Field(f"initiative.{fighter}", label, "dice", False, help=help_text, group="dice")


def _goes_on(state: PlayState, fighter: str) -> Iterator[Action]:
    """A short move to new opponents, with the counters that are left. Rule book: "Initiating a new combat"."""
    fight = state.table.last_round_of(fighter)
    if fight is None or any(going_on_violations(state, fighter)):
        return
    left = moved_on(fight, fighter)
    given = {"moved_on": fighter, **_against(state, fighter, [left.attack, left.defence])}
    yield under(
        _picking(
            state,
            fighter,
            "Go on to another enemy",
            given,
            ("ride_by", "rider", "simplified", "initiative_by", "resolve", "nerve"),
        ),
        "go-on",
    )


def _ride_by(state: PlayState, fighter: str) -> Action:
    """A ride-by attack on somebody. Rule book: "Ride-by attacks"."""
    own = fighter_pool(present(state, fighter), ride_by=True)
    given = {"ride_by": True, "rider": fighter, **_against(state, fighter, None)}
    found = _picking(state, fighter, "Ride-by attack", given, ("moved_on", "simplified", "initiative_by", "indoors"))
    mine = _two(state, side_of(state, fighter), f"{state.named(fighter)} has {own} in all.")
    return replace(under(found, "ride-by"), fields=(*found.fields[:1], *mine, *found.fields[1:]))


def _against(state: PlayState, fighter: str, counters: list[int] | None) -> dict[str, Any]:
    side = side_of(state, fighter)
    told: dict[str, Any] = {"fighters": {side: [fighter]}}
    return told | ({"counters": {side: counters}} if counters else {})


def _picking(state: PlayState, fighter: str, label: str, given: Mapping[str, Any], without: tuple[str, ...]) -> Action:
    """A combat whose other side is still to be named, of two-sided battles."""
    found = action(
        state, "combat", label, phase=COMBAT, given=given, without=(*without, "in_river", "doorway", "window")
    )
    foes = enemies_of(state, fighter)
    other = side_of(state, foes[0]) if foes else ""
    choices = people(state, (each for each in foes if side_of(state, each) == other))
    whom = Field(f"fighters.{other}", "Against whom", "list", choices=choices)
    return replace(found, fields=(whom, *_two(state, other, "As many as their Combat Pools."), *found.fields))


def _two(state: PlayState, side: str, help_text: str) -> tuple[Field, ...]:
    """Both counters of a side as numbers."""
    name = state.side(side).name if side else ""
    return (
        Field(f"counters.{side}.0", f"Attack counters, {name}", "number", help=help_text, least=0, most=60),
        Field(f"counters.{side}.1", f"Defence counters, {name}", "number", least=0, most=60),
    )


def free_attack(state: PlayState, fighter: str) -> Iterator[Action]:
    """A blow at somebody who leaves contact; it comes before the move that leaves."""
    contacts = state.table.of(fighter).contacts
    if not contacts:
        return
    free = action(
        state,
        "free_attack",
        "Free attack",
        phase=MOVE,
        given={"attacker": fighter},
        main=("target",),
        without=() if chooses_grip(state, fighter) else ("hands",),
        choices={
            "target": people(state, contacts),
            "weapon": weapons_of(state, fighter),
            "lucky": luck_of(state, (fighter, *contacts)),
        },
    )
    used = state.table.of(fighter).free_attack == state.table.turn > 0
    yield under(free, "free_attack", hurdle="one a turn" if used else "", help="Log it before the move that leaves.")
