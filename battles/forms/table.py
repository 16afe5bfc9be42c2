"""The form of one action in the live log.

It has only the necessary fields, and dice that players rolled.
"""

import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from battles.forms.events import CombatantNames
from battles.services.validation import Course, NewEvent
from core.errors import MusterError
from core.forms import PageForm
from core.ruleset_forms import filled_values, form_field
from rulebook.ruleset import Action, Problem, RulesError
from rulebook.values.fields import Field, nested
from rulebook.values.problems import Repeated

NOBODY, NONE = gettext_lazy("Nobody"), gettext_lazy("None of these")
SOMEBODY = ("side", "combatant")
"""The kinds of field that name a side or a fighter."""
PLAN = "plan"
"""The prefix of the fields for an event's follow-ups."""
OVERRULED = "overruled"
"""The key of the reason for which players set the rules aside."""


class LoggingForm(PageForm):
    """A form of the live log.

    ``problems`` is what was refused; ``refused`` says that it may be overridden. ``client_id``
    makes a double tap one event; ``version`` is the version of the battle that the user saw.
    """

    client_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    version = forms.IntegerField(widget=forms.HiddenInput)
    replaces = forms.IntegerField(
        widget=forms.HiddenInput, required=False, min_value=1, max_value=10**8
    )
    """The entry that the event is to replace, from the button that a refusal offered."""
    overruled = forms.CharField(
        label=gettext_lazy("Override the rules. Reason"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("The log shows this reason."),
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.problems: list[Problem] = []
        self.refusal = ""
        """The code of the refusal, "" without one."""

    def add_errors(self, error: RulesError | MusterError) -> None:
        """Store the refusal, and show each problem at its field if it has one here."""
        super().add_errors(error)
        self.problems, self.refusal = list(error.problems), getattr(error, "code", "rules")

    @property
    def refused(self) -> bool:
        """Return whether the rules refuse it and a reason would override them."""
        is_refused = any(problem.field.endswith(OVERRULED) for problem in self.problems)
        return is_refused or bool(self["overruled"].value())

    @property
    def repeated(self) -> Repeated | None:
        """The earlier entry that is the same and may be replaced, None without one."""
        repeated = (
            each
            for each in self.problems
            if isinstance(each, Repeated) and each.correction is not None
        )
        return next(repeated, None)

    @property
    def other_errors(self) -> list[str]:
        """The errors of the whole form that are not problems of the rules."""
        rule_sentences = {problem.sentence for problem in self.problems}
        return [str(error) for error in self.non_field_errors() if str(error) not in rule_sentences]


class ActionForm(LoggingForm):
    """An action of one fighter or side, or of nobody in particular."""

    def __init__(
        self, *args: Any, action: Action, names: CombatantNames, secret: str = "", **named: Any
    ) -> None:
        super().__init__(*args, **named)
        self.whole = action
        self.secret = secret
        if secret:
            # Only one of its secret choices, and no other fields.
            action = replace(
                action,
                fields=tuple(field for field in action.fields if field.key == secret),
                plan=(),
            )
        self.action = action
        planned = (
            replace(field, key=f"{PLAN}.{field.key}", required=False) for field in action.plan
        )
        self.rules_fields = (*action.fields, *planned)
        for field in self.rules_fields:
            self.fields[field.key] = form_field(
                field, names.people, tiles=not field.group, empty=empty_of(field)
            )

    def place_of(self, field: str) -> str | None:
        """Return the field that the log names, such as "0.how_far".

        None for the form's own fields: their problems are shown at the top.
        """
        name = re.sub(r"^\d+\.", "", field)
        return None if name in (OVERRULED, "version", "client_id") else super().place_of(name)

    def group(self, name: str) -> list[forms.BoundField]:
        """Return the fields of a group."""
        return [self[field.key] for field in self.rules_fields if field.group == name]

    @property
    def shown_at_once(self) -> list[forms.BoundField]:
        """The fields that are shown at once."""
        return self.group("")

    @property
    def shown_as_dice(self) -> list[forms.BoundField]:
        """The fields for dice that players rolled themselves."""
        return self.group("dice")

    @property
    def takes_dice(self) -> bool:
        """Return whether it always needs dice."""
        return self.action.rolls

    @property
    def shown_folded(self) -> list[forms.BoundField]:
        """The optional fields, which are folded away."""
        return self.group("more")

    @property
    def event(self) -> NewEvent:
        """The event as the service takes it; empty values are left out."""
        data = {key: value for key, value in self._values.items() if key != PLAN}
        whole = joined(self.action.given, data)
        client_id = self.cleaned_data["client_id"]
        return NewEvent(
            client_id=client_id, kind=self.action.kind, data=whole, turn=self.action.turn
        )

    @property
    def course(self) -> Course | None:
        """The follow-ups that the rules log after the event, with their plan; None without any."""
        if not self.action.follow:
            return None
        return Course(self.action.follow, self._values.get(PLAN, {}))

    @property
    def _values(self) -> dict[str, Any]:
        """All values, with dotted keys as nested maps and lists."""
        keys = (OVERRULED, *(field.key for field in self.rules_fields))
        return nested(filled_values({key: self.cleaned_data.get(key) for key in keys}))


def empty_of(field: Field) -> str:
    """Return the label of the empty choice: nobody for fields that name somebody."""
    return str(NOBODY if field.kind in SOMEBODY else NONE)


def joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return both maps together, nested maps too; the second one takes precedence."""
    inner = {
        key: joined(first[key], value)
        for key, value in second.items()
        if isinstance(value, dict) and isinstance(first.get(key), Mapping)
    }
    return {**first, **second, **inner}
