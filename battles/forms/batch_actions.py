"""A form for the same action of several fighters, with exceptions for single ones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid5

from django import forms
from django.utils.translation import gettext
from msgspec.structs import replace

from battles.forms.events import CombatantNames
from battles.forms.table import LoggingForm, empty_of, joined
from battles.services.logbook import NewEvent
from core.errors import MusterError
from core.ruleset_forms import filled_values, form_field, is_filled
from rulebook.ruleset import Action, Problem, RulesError
from rulebook.values.fields import Field, as_text, nested, read_value


class SeveralForm(LoggingForm):
    """An action of several fighters.

    ``alike`` has the action of each, by id; ``called`` their names. ``problems`` are the refused
    entries, each with the name of its fighter. With ``some`` only fighters with own values act.
    """

    def __init__(
        self,
        *args: Any,
        alike: Mapping[str, Action],
        called: Mapping[str, str],
        names: CombatantNames,
        some: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.alike = alike
        self.some = some
        self.called = called
        self.shared = tuple(shared_fields(tuple(alike.values())))
        for field in self.shared:
            self.fields[field.key] = form_field(
                replace(field, required=False), names.people, tiles=True, empty=empty_of(field)
            )
        for place, who in enumerate(alike):
            for field in self._own(who):
                bare = replace(field, required=False, default="")
                rules_field = form_field(bare, names.people, tiles=some, empty=gettext("Default"))
                self.fields[f"{place}-{field.key}"] = rules_field

    @property
    def action(self) -> Action:
        """The action, as the first of them does it."""
        return next(iter(self.alike.values()))

    @property
    def shown_at_once(self) -> list[forms.BoundField]:
        """The fields that apply to all of them."""
        return [self[field.key] for field in self.shared]

    @property
    def each(self) -> list[tuple[str, list[forms.BoundField], bool]]:
        """The name of each, their own fields, and whether one of these has no shared field."""
        common = {field.key for field in self.shared}
        rows = []
        for place, who in enumerate(self.alike):
            own_fields = self._own(who)
            bound = [self[f"{place}-{field.key}"] for field in own_fields]
            rows.append(
                (self.called[who], bound, any(field.key not in common for field in own_fields))
            )
        return [row for row in rows if row[1]]

    def clean(self) -> dict[str, Any]:
        """Check that every acting fighter has the required values: shared ones or their own."""
        if not self.errors and not any(
            self._acts(place, who) for place, who in enumerate(self.alike)
        ):
            self.add_error(None, gettext("Fill in at least one fighter."))
        for place, who in enumerate(self.alike):
            for field in self._own(who) if self._acts(place, who) else ():
                if field.required and not (
                    is_filled(self._told(place, field.key)) or self._wrong(place, field.key)
                ):
                    key = field.key if field.key in self.fields else f"{place}-{field.key}"
                    self.add_error(
                        key, gettext("Required for %(name)s.") % {"name": self.called[who]}
                    )
        return self.cleaned_data

    def add_errors(self, error: RulesError | MusterError) -> None:
        """Store what was refused, each problem with the name of its fighter."""
        super().add_errors(error)
        self.problems = [
            replace(problem, sentence=self.named(problem)) for problem in error.problems
        ]

    @property
    def other_errors(self) -> list[str]:
        """The errors of the whole form; empty if problems of fighters are shown by name."""
        return [] if self.problems else super().other_errors

    def place_of(self, field: str) -> str | None:
        """Return None: problems of the rules are shown at the top, with the name of the fighter."""
        return None

    @property
    def events(self) -> tuple[NewEvent, ...]:
        """The events of all who act; empty values are left out."""
        return tuple(
            self._event(place, who)
            for place, who in enumerate(self.alike)
            if self._acts(place, who)
        )

    def _event(self, place: int, who: str) -> NewEvent:
        """Return the event of one fighter; if several act, each event says so."""
        action, first = self.alike[who], self.cleaned_data["client_id"]
        values = nested(
            filled_values({field.key: self._told(place, field.key) for field in self._own(who)})
        )
        given = {**action.given, **(action.together if len(self.alike) > 1 else {})}
        return NewEvent(uuid5(first, who), action.kind, joined(given, values), action.turn)

    def _acts(self, place: int, who: str) -> bool:
        """Return whether this fighter acts; with ``some`` only if it has values of its own."""
        return not self.some or any(
            is_filled(self.cleaned_data.get(f"{place}-{each.key}")) for each in self._own(who)
        )

    def _told(self, place: int, key: str) -> Any:
        """Return a fighter's value: its own, otherwise the shared one, otherwise the default."""
        own_value = self.cleaned_data.get(f"{place}-{key}")
        value = own_value if is_filled(own_value) else self.cleaned_data.get(key)
        if is_filled(value):
            return value
        field = next(each for each in [*self.alike.values()][place].fields if each.key == key)
        usual = as_text(field.default)
        return read_value(field, usual) if field.required and usual else value

    def _wrong(self, place: int, key: str) -> bool:
        return bool({key, f"{place}-{key}"} & set(self.errors))

    def _own(self, who: str) -> list[Field]:
        """Return the fields of a fighter, in the order of the shared fields."""
        common = {field.key for field in self.shared}
        own_fields = {field.key: field for field in self.alike[who].fields}
        apart = [
            field
            for field in own_fields.values()
            if field.required and not field.group and field.key not in common
        ]
        return [*(own_fields[field.key] for field in self.shared), *apart]

    def named(self, problem: Problem) -> str:
        """Return a problem's sentence with the name of its fighter.

        The log names the fighter by its place: "2.how_far".
        """
        match = re.match(r"(\d+)\.", problem.field)
        acting = [
            self.called[who] for place, who in enumerate(self.alike) if self._acts(place, who)
        ]
        name = acting[int(match[1])] if match and int(match[1]) < len(acting) else ""
        return f"{name}: {problem.sentence}" if name else problem.sentence


def common_actions(tables: Sequence[Sequence[Action]]) -> tuple[Action, ...]:
    """Return the actions that all of them can do, as the first of them does them."""
    by_key = [{each.key: each for each in actions} for actions in tables]
    return tuple(
        each
        for each in (by_key[0].values() if by_key else ())
        if all(each.key in actions for actions in by_key)
    )


def shared_fields(actions: Sequence[Action]) -> Iterator[Field]:
    """Yield the fields that all these actions share, with the choices that all have.

    The labels of all actions are joined.
    """
    for field in actions[0].fields:
        each = [
            action_field
            for action in actions
            for action_field in action.fields
            if action_field.key == field.key and not action_field.group
        ]
        if field.group or len(each) < len(actions):
            continue
        common = set.intersection(
            *({key for key, _ in action_field.choices} for action_field in each)
        )
        if field.choices and not common:
            continue
        labels = {
            key: dict.fromkeys(dict(action_field.choices)[key] for action_field in each)
            for key in common
        }
        choices = tuple((key, " / ".join(labels[key])) for key, _ in field.choices if key in common)
        yield replace(field, choices=choices)
