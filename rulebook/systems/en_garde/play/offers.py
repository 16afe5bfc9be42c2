"""Choices and follow-ups that the offers of event kinds have in common."""

from collections.abc import Iterable

from rulebook.systems.en_garde.play.checking import side_of
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.values.fields import Choices

FOLLOW_PRIORITY = "priority"
"""After a new turn: who has Priority."""
FOLLOW_FORCED = "forced"
"""After any event of a combat: passes that a fighter has to make."""
FOLLOW_ROUND = "round"
"""After the first event of a round: all its blows as they were planned."""


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
    """Return the enemies of a fighter who are on the table, those that it touches first, Civilians
    last."""
    side = side_of(state, fighter)
    contacts = state.table.of(fighter).contacts
    foes = [each.fighter.id for each in state.enemies(side) if each.on_table]
    civilians = [
        each.key for each in state.civilians.values() if each.side != side and not each.dead
    ]
    return [*sorted(foes, key=lambda foe: foe not in contacts), *civilians]


def meaningless(**matters: object) -> tuple[str, ...]:
    """Return those of the named fields for which nothing speaks: whose value here is false or
    empty."""
    return tuple(field for field, value in matters.items() if not value)
