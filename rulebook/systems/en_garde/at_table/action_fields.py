"""What an action still has to ask: fields of its event, with only the choices that make sense now."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from rulebook.battle_log.forms import dice_fields, event_fields
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.values.battles import EventField

Choices = tuple[tuple[str, str], ...]
NEVER_ASKED = frozenset({"thrown", "overruled"})
"""The first is noted by the log itself; the second comes up only when the rules say no."""


class FieldSelection(Struct, frozen=True):
    """What to ask for a kind of event: ``main`` fields at once, in this order, those in ``without`` never.

    ``choices`` narrows fields down; a field with a single choice is filled in, one without any is left out.
    """

    kind: str
    given: Collection[str] = ()
    main: tuple[str, ...] = ()
    without: Collection[str] = ()
    choices: Mapping[str, Choices] = {}


def fields_of(state: PlayState, selection: FieldSelection) -> tuple[EventField, ...]:
    """The fields, the main ones first. Dice are left out where a campaign leaves them all to Muster."""
    found = {field.key: field for field in _asked(state, selection)}
    main = [found.pop(key) for key in selection.main if key in found]
    return (*main, *found.values())


def _asked(state: PlayState, selection: FieldSelection) -> Iterator[EventField]:
    hidden = {*NEVER_ASKED, *selection.given, *selection.without}
    kind = LOG.kinds[selection.kind]
    dice = dice_fields(kind)
    for field in event_fields(kind):
        choices = selection.choices.get(field.key, field.choices)
        lacking = field.key in selection.choices and not choices
        if field.key in hidden or field.kind == "map" or lacking:
            continue
        if field.key not in dice:
            yield _narrowed(field, choices, "" if field.key in selection.main else "more")
        elif state.settings["dice"] != "app":
            yield replace(field, group="dice", required=False)


def _narrowed(field: EventField, choices: Choices, group: str) -> EventField:
    if choices and field.kind not in ("list", "choice"):
        field = replace(field, kind="choice")
    default = choices[0][0] if len(choices) == 1 and field.required else field.default
    return replace(field, choices=choices, group=group, default=default)


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
