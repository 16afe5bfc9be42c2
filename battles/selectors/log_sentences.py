"""The log of a battle as sentences, from the event forms of its rule system."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from battles.models import BattleEvent
from core.display_names import display_name
from core.ruleset_words import WrittenText
from rulebook.ruleset import BattleSetup, LoggedEvent, Ruleset
from rulebook.values.battles import EventForm
from rulebook.values.fields import Field

NOTE = "note"
"""The kind of event whose sentence a user wrote."""


class EventDetail(Struct, frozen=True):
    """A detail of an event, as label and value."""

    label: str
    value: str


class EventLine(Struct, frozen=True):
    """An event as text. ``revision`` is the correction that added it, 0 for the log itself."""

    sequence: int
    kind: str
    label: str
    sentence: str
    details: tuple[EventDetail, ...]
    turn: int | None
    revision: int
    recorded_by: str
    recorded_at: datetime
    client_id: str
    data: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The sentence for a page. That of a note is not read as a sentence of the rules."""
        return page_text(self.kind, self.sentence)


def page_text(kind: str, sentence: str) -> str:
    """Return the sentence of an event for a page: marked as a user's own words if it is a note."""
    return WrittenText(sentence) if kind == NOTE else sentence


class Wording:
    """Turns the events of one battle into text: knows its combatants and sides by name."""

    def __init__(self, rules: Ruleset, setup: BattleSetup) -> None:
        self.rules = rules
        self.kinds: Mapping[str, EventForm] = {kind.key: kind for kind in rules.log.forms()}
        self.sides = {side.key: side.name for side in setup.sides}
        combatants = {fighter.id: fighter.name for side in setup.sides for fighter in side.fighters}
        self.people = {**combatants, **dict(rules.bystanders(setup))}

    def line(self, event: BattleEvent) -> EventLine:
        """Return the event as a line of the log. No queries if ``recorded_by`` is loaded."""
        logged = LoggedEvent(event.sequence, event.kind, event.data, event.turn)
        label, details = self._labelled(logged)
        return EventLine(
            sequence=event.sequence,
            kind=event.kind,
            label=label,
            sentence=self.sentence_of(logged),
            details=details,
            turn=event.turn,
            revision=event.revision,
            recorded_by=display_name(event.recorded_by),
            recorded_at=event.recorded_at,
            client_id=str(event.client_id),
            data=event.data,
        )

    def sentence_of(self, logged: LoggedEvent) -> str:
        """Return an event as a sentence, whether or not it is in the log in this form.

        No queries.
        """
        return self.rules.log.sentence(logged, {**self.people, **self.sides}) or _sentence(
            *self._labelled(logged)
        )

    def _labelled(self, logged: LoggedEvent) -> tuple[str, tuple[EventDetail, ...]]:
        kind = self.kinds.get(logged.kind)
        return (kind.label, tuple(self._details(kind, logged.data))) if kind else (logged.kind, ())

    def _details(self, kind: EventForm, data: Mapping[str, Any]) -> Iterator[EventDetail]:
        for field in kind.fields:
            value = data.get(field.key)
            if value in (None, "", False, [], {}):
                continue
            yield EventDetail(field.label, self._value(field, value))

    def _value(self, field: Field, value: Any) -> str:
        if isinstance(value, list):
            return ", ".join(self._value(field, each) for each in value)
        if isinstance(value, dict):
            return ", ".join(f"{key}: {self._value(field, each)}" for key, each in value.items())
        if value is True:
            return "yes"
        named = self.sides if field.kind == "side" else self.people
        return named.get(str(value)) or dict(field.choices).get(str(value), str(value))


def _sentence(label: str, details: tuple[EventDetail, ...]) -> str:
    """Return a label with its details: "Wound: attacker Athos, target Jussac".

    A single detail needs no label.
    """
    if not details:
        return label
    if len(details) == 1:
        return f"{label}: {details[0].value}"
    return f"{label}: " + ", ".join(f"{detail.label.lower()} {detail.value}" for detail in details)
