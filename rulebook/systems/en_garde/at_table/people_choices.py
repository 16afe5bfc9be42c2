"""Whom an action may be about: those at the table as choices, by name."""

from collections.abc import Iterable

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.values.fields import Choices


def people(state: PlayState, fighters: Iterable[str]) -> Choices:
    """Fighters and Civilians as choices, by name."""
    return tuple((each, state.named(each)) for each in fighters)


def enemies_of(state: PlayState, fighter: str) -> list[str]:
    """The enemies of a fighter who are on the table, those whom it touches first, Civilians last."""
    side = state.side_of(fighter)
    touched = state.table.of(fighter).contacts
    foes = [each.fighter.id for each in state.enemies(side) if each.on_table]
    civilians = [each.key for each in state.civilians.values() if each.side != side and not each.dead]
    return [*sorted(foes, key=lambda each: each not in touched), *civilians]


def friends_of(state: PlayState, fighter: str) -> list[str]:
    """The others of a fighter's side who can act."""
    own = state.own(state.side_of(fighter))
    return [each.fighter.id for each in own if each.standing and each.fighter.id != fighter]


def on_table(state: PlayState) -> list[str]:
    """Everybody who is on the table."""
    return [each.fighter.id for each in state.combatants.values() if each.on_table]
