"""The result form: for each kind of event of a scenario, rows with its fields."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext, gettext_noop
from msgspec import Struct
from msgspec.structs import replace

from battles.services.logbook import NewEvent
from core.errors import MusterError
from core.ruleset_forms import People, filled_values, form_field
from rulebook.ruleset import Problem, RulesError, Ruleset, Scenario
from rulebook.values.battles import EventForm
from rulebook.values.fields import Field
from rulebook.values.problems import Repeated

CORRECTION = "correction"
MORE = 3
MAX_ROWS = 60


TURN = Field("turn_number", gettext_noop("Turn"), "number", False, least=1, most=99)
"""Added to every kind of event that has no turn of its own."""


class CombatantNames:
    """The names of a battle's participants: sides and groups by key, combatants by side."""

    def __init__(
        self,
        sides: Iterable[tuple[str, str]],
        combatants: Iterable[tuple[str, Sequence[tuple[str, str]]]],
        groups: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.sides = [*sides]
        self.groups = [*groups]
        self.combatants = [(name, [*fighters]) for name, fighters in combatants]
        self.by_id = {
            key: name for _, fighters in self.combatants for key, name in fighters
        } | dict(self.sides)

    @property
    def people(self) -> People:
        """The choices of fields that name sides, groups or combatants."""
        return {
            "side": self.sides,
            "group": self.groups,
            "combatant": self.combatants,
            "list": self.combatants,
        }

    def board_sides(
        self, states: Mapping[str, Any]
    ) -> list[tuple[str, list[tuple[str, str, Any]]]]:
        """Return the sides and fighters that a layout for tapping shows.

        ``states`` holds the states of fighters in the battle by key, as far as they are known.
        """
        return [
            (side, [(key, name, states.get(key)) for key, name in fighters])
            for side, fighters in self.combatants
        ]


class NamedChoice(Struct, frozen=True):
    """A fighter that a row is about: the id, the name, and the name of the side."""

    id: str
    name: str
    side: str


class EventRow(forms.Form):
    """One event; an empty row is none. ``about`` is the row's fighter, if it is fixed."""

    use_required_attribute = False

    def __init__(
        self,
        *args: Any,
        kind: EventForm,
        names: CombatantNames,
        client_id: UUID,
        about: NamedChoice | None = None,
        turn: int = 0,
        **named: Any,
    ) -> None:
        super().__init__(*args, **{"empty_permitted": True, **named})
        self.kind, self.client_id, self.about = kind, client_id, about
        self.turn = turn
        """The turn of an entry whose row names none; 0 for no turn."""
        self.repeated: Repeated | None = None
        """The entry of the log that is the same as the row, and that the row may replace."""
        own_turn = any(field.key == "turn" for field in kind.fields)
        for field in (
            *kind.fields,
            *(() if own_turn else (replace(TURN, label=gettext(TURN.label)),)),
        ):
            self.fields[field.key] = form_field(replace(field, default=""), names.people)
        if turn and not own_turn:
            self.fields[TURN.key].widget.attrs["placeholder"] = str(turn)
        if about is not None:
            self.fields[kind.each].initial, self.fields[kind.each].widget = (
                about.id,
                forms.HiddenInput(),
            )

    @property
    def filled(self) -> bool:
        """Return whether anything was filled in."""
        return self.is_bound and self.has_changed()

    @property
    def event(self) -> NewEvent:
        """The event as the service takes it; empty values are left out."""
        values = filled_values(self.cleaned_data)
        turn = values.pop(TURN.key, None) or self.turn or None
        return NewEvent(client_id=self.client_id, kind=self.kind.key, data=values, turn=turn)

    @property
    def main_fields(self) -> list[forms.BoundField]:
        """The fields that a row shows at first: choices, the turn, required and filled ones.

        A row about a fixed fighter shows all its fields.
        """
        if self.about is not None:
            return [bound for bound in self if bound.name != self.kind.each]
        shown = {
            name
            for name, field in self.fields.items()
            if field.required or getattr(field, "offers", False)
        }
        shown |= {TURN.key, *filled_values(self.initial)}
        return [
            bound
            for bound in self
            if bound.name in shown and not isinstance(bound.field.widget, forms.CheckboxInput)
        ]

    @property
    def extra_fields(self) -> list[forms.BoundField]:
        """The fields that can be added: texts and numbers."""
        shown = {bound.name for bound in (*self.main_fields, *self.flags)}
        return [bound for bound in self if bound.name not in shown and not bound.is_hidden]

    @property
    def flags(self) -> list[forms.BoundField]:
        """The checkboxes."""
        boxes = (bound for bound in self if isinstance(bound.field.widget, forms.CheckboxInput))
        return [] if self.about is not None else [*boxes]


class TapLayout(Struct, frozen=True):
    """A layout to log a kind of event by tapping: fields for victim, result and attacker.

    ``result`` and ``by`` are "" if the kind has no such field.
    """

    kind: EventForm
    subject: Field
    result: str
    by: str
    by_label: str


def board_of(kinds: Iterable[EventForm]) -> TapLayout | None:
    """Return the layout of the first kind of event with a victim; None if there is none."""
    for kind in kinds:
        named = [field for field in kind.fields if field.kind == "combatant"]
        victim_fields = [field for field in named if field.key == kind.each] or [
            field for field in named if field.required
        ]
        if victim_fields:
            by = next((field for field in named if field is not victim_fields[0]), None)
            return TapLayout(
                kind,
                victim_fields[0],
                _result_field(kind, by),
                by.key if by else "",
                by.label if by else "",
            )
    return None


def _result_field(kind: EventForm, by: Field | None) -> str:
    """Return the key of the choice that says what happened, "" without one.

    It is the required choice, otherwise the last one before the attacker.
    """
    before = kind.fields[: kind.fields.index(by)] if by else kind.fields
    choices = [field for field in kind.fields if field.kind == "choice"]
    optional = [field for field in choices if field in before] or choices
    return next(
        (field.key for field in choices if field.required), optional[-1].key if optional else ""
    )


class SheetForm:
    """All rows of a result form.

    ``more_<kind>`` in the data asks for more rows of that kind. With ``everybody`` a kind that
    concerns every fighter has a row for each one in the line-ups. Entries whose row names no turn
    get ``turn``, unless it is 0.
    """

    def __init__(
        self,
        data: Any,
        kinds: Sequence[EventForm],
        names: CombatantNames,
        *,
        everybody: bool = False,
        turn: int = 0,
    ) -> None:
        self.data = data
        self.turn = turn
        self.names = names
        fielded = [
            NamedChoice(key, name, side)
            for side, fighters in names.combatants
            for key, name in fighters
        ]
        self.fielded = fielded if everybody else []
        self.sections = [
            (kind, [self._row(kind, place) for place in range(self._count(kind))]) for kind in kinds
        ]
        self.problems: list[str] = []
        self.outrun = False
        self.before = 0
        """The number of events that are sent before those of the form."""

    @property
    def board(self) -> TapLayout | None:
        """The layout for logging its first kind of event by tapping."""
        return board_of(kind for kind, _ in self.sections)

    @property
    def rows(self) -> Iterator[EventRow]:
        """All rows, of every kind."""
        return (row for _, rows in self.sections for row in rows)

    @property
    def filled(self) -> list[EventRow]:
        """The rows in which something was filled in."""
        return [row for row in self.rows if row.filled]

    def is_valid(self) -> bool:
        """Return whether every filled row is valid."""
        wrong = [row for row in self.rows if not row.is_valid()]
        return self.data is not None and not wrong

    @property
    def errors(self) -> bool:
        """Return whether something must be corrected."""
        return bool(self.problems) or (
            self.data is not None and any(row.errors for row in self.rows)
        )

    @property
    def wrong_kinds(self) -> set[str]:
        """The kinds of event with invalid rows: their sections are shown open."""
        return {
            kind.key
            for kind, rows in self.sections
            if any(row.filled and row.errors for row in rows)
        }

    @property
    def events(self) -> tuple[NewEvent, ...]:
        """The events of all filled rows, in the order of the form."""
        return tuple(row.event for row in self.filled)

    @property
    def wants_more(self) -> bool:
        """Return whether the request only asks for more rows."""
        return self.data is not None and any(key.startswith("more_") for key in self.data)

    def add_errors(self, error: RulesError | MusterError) -> None:
        """Show every problem at the row that it names ("2.victim"), otherwise at the top."""
        for problem in error.problems:
            row, field = self._place(problem.field)
            if row is None:
                self.problems.append(problem.sentence)
                continue
            # A row about a fixed fighter hides the field that names it: such a problem is shown
            # above the row.
            shown = field in row.fields and not row[field].is_hidden
            row.add_error(field if shown else None, self._sentence(problem))
            if isinstance(problem, Repeated) and problem.correction is not None:
                row.repeated = problem
        if not error.problems:
            self.problems.append(str(error))

    def replaced(self, row: EventRow) -> int | None:
        """Return the entry of the log that a row's button replaces; None without one."""
        prefix, _, entry = (
            str(self.data.get("replace", "")).rpartition(":")
            if self.data is not None
            else ("", "", "")
        )
        return int(entry) if prefix == row.prefix and entry.isdecimal() and len(entry) < 9 else None

    def _sentence(self, problem: Problem) -> str:
        """Return a problem's sentence, with the name of the row that says the same, if any."""
        if not isinstance(problem, Repeated) or problem.beside is None:
            return problem.sentence
        place = problem.beside
        if not 0 <= place - self.before < len(self.filled):
            return problem.sentence
        other = self.filled[place - self.before]
        name = (
            gettext("the row of %(name)s") % {"name": other.about.name}
            if other.about
            else self._numbered(other)
        )
        values = {"problem": problem.earlier, "row": name}
        return gettext("%(problem)s (%(row)s). Leave one of the two rows empty.") % values

    def _numbered(self, row: EventRow) -> str:
        rows = next(rows for kind, rows in self.sections if kind.key == row.kind.key)
        return gettext("row %(number)s of “%(kind)s”") % {
            "number": rows.index(row) + 1,
            "kind": row.kind.label,
        }

    def _place(self, field: str) -> tuple[EventRow | None, str]:
        parts, filled = field.removeprefix("events.").split("."), self.filled
        if len(parts) < 2 or not parts[0].isdecimal():
            return None, ""
        place = int(parts[0]) - self.before
        return (filled[place], parts[-1]) if 0 <= place < len(filled) else (None, "")

    def _count(self, kind: EventForm) -> int:
        named = len(self.fielded) if kind.each else 0
        fresh = named or kind.rows
        if self.data is None:
            return fresh
        row_count = str(self.data.get(f"rows_{kind.key}", ""))
        count = int(row_count) if row_count.isdecimal() and len(row_count) < 4 else fresh
        return min(count + (MORE if f"more_{kind.key}" in self.data else 0), named + MAX_ROWS)

    def _row(self, kind: EventForm, place: int) -> EventRow:
        prefix = f"{kind.key}-{place}"
        sent = self.data.get(f"{prefix}-client_id", "") if self.data is not None else ""
        about = self.fielded[place] if kind.each and place < len(self.fielded) else None
        client_id = as_uuid(sent)
        return EventRow(
            self.data,
            prefix=prefix,
            kind=kind,
            names=self.names,
            client_id=client_id,
            about=about,
            turn=self.turn,
        )


def sheet_kinds(rules: Ruleset, scenario_key: str) -> list[EventForm]:
    """Return the kinds of event in a scenario's result form.

    The scenario's own kinds follow the first one; corrections are left out.
    """
    scenarios = rules.scenarios()
    special = {kind for scenario in scenarios for kind in scenario.event_kinds}
    scenario_kinds = next(
        (scenario.event_kinds for scenario in scenarios if scenario.key == scenario_key), ()
    )
    common = [
        kind
        for kind in rules.log.forms()
        if not kind.turn_by_turn and kind.key not in {*special, CORRECTION}
    ]
    own_kinds = [kind for kind in rules.log.forms() if kind.key in scenario_kinds]
    first, *others = sorted(common, key=lambda kind: not kind.each)
    return [first, *own_kinds, *others]


def as_uuid(text: str) -> UUID:
    """Return the text as a UUID, or a new one if it is not valid."""
    try:
        return UUID(text)
    except ValueError:
        return uuid4()


def scenario_of(rules: Ruleset, key: str) -> Scenario | None:
    """Return the scenario with that key, None if the rule system does not have it."""
    return next((scenario for scenario in rules.scenarios() if scenario.key == key), None)
