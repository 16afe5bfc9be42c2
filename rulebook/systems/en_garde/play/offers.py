"""Who can be chosen when an event is offered: fighters and Civilians by name, those on the table, enemies."""

from collections.abc import Iterable

from rulebook.systems.en_garde.play.checking import side_of
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.values.fields import Choices


def people(state: PlayState, fighters: Iterable[str]) -> Choices:
    """Return fighters and Civilians as choices, by name."""
    return tuple((each, state.named(each)) for each in fighters)


def on_table(state: PlayState) -> list[str]:
    """Return everybody who is on the table."""
    return [each.fighter.id for each in state.combatants.values() if each.on_table]


def own_on_table(state: PlayState, side: str) -> Choices:
    """Return the fighters of a side who are on the table, as choices."""
    return people(state, (each.fighter.id for each in state.own(side) if each.on_table))


def enemies_of(state: PlayState, fighter: str) -> list[str]:
    """Return the enemies of a fighter who are on the table, those whom it touches first, Civilians last."""
    side = side_of(state, fighter)
    touched = state.table.of(fighter).contacts
    foes = [each.fighter.id for each in state.enemies(side) if each.on_table]
    civilians = [each.key for each in state.civilians.values() if each.side != side and not each.dead]
    return [*sorted(foes, key=lambda each: each not in touched), *civilians]
