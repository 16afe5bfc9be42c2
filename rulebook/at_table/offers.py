"""The offer of an event kind in the live log: its actors, its choices, its hurdles, and what the
table proposes.

All of it is in the class of the kind: a rule system's own class of its events derives from
``OfferedEvent``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from rulebook.at_table.actions import action
from rulebook.battle_log.forms import event_fields
from rulebook.battle_log.kinds import EventKind, State
from rulebook.values.fields import Choices
from rulebook.values.table import Action, Due


class OfferedEvent(EventKind[State], frozen=True, kw_only=True):
    """A kind of event that the live log offers. A kind with nothing special declares nothing.

    The ``actor`` of its methods is the id of a fighter, the key of a side or group, or "" for the
    table. ``asked_first`` are fields that are asked for at once and in this order, whether they are
    required or not.
    """

    asked_first: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def offers(cls, state: State, actor: str) -> Iterable[Action]:
        """Yield the actions of this kind that an actor can log now: by default one, if it is open
        to the actor."""
        if cls.is_open_to(state, actor):
            yield cls.offer(state, actor)

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether an actor can log this kind now.

        By default a kind with the field ``about`` is for everybody, any other for the table, and
        each required field that has choices needs one.
        """
        if (cls.about in cls.__struct_fields__) != bool(actor):
            return False
        choices = cls.choices_for(state, actor)
        return all(
            choices[field.key]
            for field in event_fields(cls)
            if field.required and field.key in choices
        )

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        """Return the action of this kind for an actor who can log it."""
        return action(
            cls,
            given={cls.actor_field(state, actor): actor} if actor else {},
            main=cls.asked_first,
            choices=cls.choices_for(state, actor),
            turn=None if cls.starts_turn else getattr(state, "turn", 0) or None,
            hurdle=cls.hurdle_for(state, actor),
        )

    @classmethod
    def actor_field(cls, state: State, actor: str) -> str:
        """Return the field that names an actor, which is never asked for: by default ``about``."""
        return cls.about

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        """Return what an actor can choose now, by field. A field that is not named here keeps its
        own choices."""
        return {}

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        """Return in a few words why the rules are likely to refuse it, "" if nothing speaks against
        it."""
        return ""

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterable[Due]:
        """Yield what the table proposes of this kind to an actor in the phase of this key. By
        default nothing."""
        return ()


def offered(kinds: Iterable[type[OfferedEvent[Any]]], state: Any, actor: str) -> Iterator[Action]:
    """Yield what an actor can log now of some kinds, in their order."""
    for kind in kinds:
        yield from kind.offers(state, actor)


def proposed(
    kinds: Iterable[type[OfferedEvent[Any]]], state: Any, actors: Iterable[str], phase: str
) -> Iterator[Due]:
    """Yield what the table proposes in a phase: actor by actor, and to each the kinds in their
    order."""
    kinds = tuple(kinds)
    for actor in actors:
        for kind in kinds:
            yield from kind.due_for(state, actor, phase)
