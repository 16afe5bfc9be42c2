"""One thing that is done at the table, as a form: only what has to be asked, and what was thrown if
it was thrown."""

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
from core.ruleset_forms import form_field, said
from rulebook.ruleset import Action, Problem, RulesError
from rulebook.values.battles import EventForm
from rulebook.values.fields import Field, nested
from rulebook.values.problems import Repeated

NEVER_ASKED = ("thrown", "overruled")
NOBODY, NONE = gettext_lazy("Nobody"), gettext_lazy("None of these")
SOMEBODY = ("side", "combatant")
"""Kinds of field that name somebody."""
PLAN = "plan"
"""Under this name a form asks for what follows an event."""
OVERRULED = "overruled"
"""What the rules call the reason for which a table sets them aside."""


class LoggingForm(PageForm):
    """Something to be logged at the table. ``problems`` is what was refused; ``refused`` says that
    it may be overruled.

    ``client_id`` makes a double tap one event; ``version`` is what of the battle was seen.
    """

    client_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    version = forms.IntegerField(widget=forms.HiddenInput)
    replaces = forms.IntegerField(
        widget=forms.HiddenInput, required=False, min_value=1, max_value=10**8
    )
    """The entry whose place the event is to take, by the button that a refusal offered."""
    overruled = forms.CharField(
        label=gettext_lazy("Overrule it, because"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("The reason is kept in the log."),
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.problems: list[Problem] = []
        self.refusal = ""
        """The code of what was refused, "" for nothing."""

    def add_errors(self, error: RulesError | MusterError) -> None:
        """Keep what was refused, each problem beside its field if it has one here."""
        super().add_errors(error)
        self.problems, self.refusal = list(error.problems), getattr(error, "code", "rules")

    @property
    def refused(self) -> bool:
        """Whether the rules said no, and a reason would do."""
        is_refused = any(problem.field.endswith(OVERRULED) for problem in self.problems)
        return is_refused or bool(self["overruled"].value())

    @property
    def repeated(self) -> Repeated | None:
        """The entry that tells the same already and that may be replaced, None if there is none."""
        repeated = (
            each
            for each in self.problems
            if isinstance(each, Repeated) and each.correction is not None
        )
        return next(repeated, None)

    @property
    def other_errors(self) -> list[str]:
        """What is wrong with the whole, where no rule was named."""
        rule_sentences = {problem.sentence for problem in self.problems}
        return [str(error) for error in self.non_field_errors() if str(error) not in rule_sentences]


class ActionForm(LoggingForm):
    """Something that is done at the table by one, or by nobody in particular."""

    def __init__(
        self, *args: Any, action: Action, names: CombatantNames, secret: str = "", **named: Any
    ) -> None:
        super().__init__(*args, **named)
        self.whole = action
        self.secret = secret
        if secret:
            # One of its secret choices alone, and nothing else to ask.
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
        """The log counts what was sent: "0.how_far"; a problem of the rules is told above, with its
        rule."""
        name = re.sub(r"^\d+\.", "", field)
        return None if name in (OVERRULED, "version", "client_id") else super().place_of(name)

    def group(self, name: str) -> list[forms.BoundField]:
        """The fields of a group."""
        return [self[field.key] for field in self.rules_fields if field.group == name]

    @property
    def shown_at_once(self) -> list[forms.BoundField]:
        """What is asked at once."""
        return self.group("")

    @property
    def shown_as_dice(self) -> list[forms.BoundField]:
        """Dice, if they were thrown at the table."""
        return self.group("dice")

    @property
    def takes_dice(self) -> bool:
        """Whether it takes dice whatever happens."""
        return self.action.rolls

    @property
    def shown_folded(self) -> list[forms.BoundField]:
        """What can be said beside that."""
        return self.group("more")

    @property
    def event(self) -> NewEvent:
        """The event as the service takes it; what was left empty is left out."""
        data = {key: value for key, value in self._values.items() if key != PLAN}
        whole = joined(self.action.given, data)
        client_id = self.cleaned_data["client_id"]
        return NewEvent(
            client_id=client_id, kind=self.action.kind, data=whole, turn=self.action.turn
        )

    @property
    def course(self) -> Course | None:
        """What the rules log behind the event, with what was said of it; None where nothing
        follows."""
        if not self.action.follow:
            return None
        return Course(self.action.follow, self._values.get(PLAN, {}))

    @property
    def _values(self) -> dict[str, Any]:
        """Everything that was said, keys with dots as the maps and lists into which they lead."""
        keys = (OVERRULED, *(field.key for field in self.rules_fields))
        return nested(said({key: self.cleaned_data.get(key) for key in keys}))


def empty_of(field: Field) -> str:
    """Return what a tile says that chooses nothing: nobody where somebody is named."""
    return str(NOBODY if field.kind in SOMEBODY else NONE)


def joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Both together, maps within maps too; the second has the last word."""
    inner = {
        key: joined(first[key], value)
        for key, value in second.items()
        if isinstance(value, dict) and isinstance(first.get(key), Mapping)
    }
    return {**first, **second, **inner}


def by_hand_of(kind: EventForm, turn: int | None = None) -> Action:
    """A kind of event as something that may be done at any time: what it needs is asked at once,
    its dice apart."""
    askable = [field for field in kind.fields if field.key not in NEVER_ASKED]
    needed = {field.key for field in askable if field.required} or {
        field.key for field in askable[:2]
    }

    def group(field: Field) -> str:
        if field.kind == "dice":
            return "dice"
        return "" if field.key in needed else "more"

    fields = tuple(replace(field, group=group(field)) for field in askable)
    own_turn = any(field.key == "turn" for field in askable)
    return Action(
        key=kind.key,
        kind=kind.key,
        label=kind.label,
        fields=fields,
        turn=None if own_turn else turn,
        help=kind.help,
    )
