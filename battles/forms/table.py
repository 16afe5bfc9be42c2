"""One thing that is done at the table, as a form: only what has to be asked, and what was thrown if it was thrown."""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

from django import forms
from msgspec.structs import replace

from battles.forms.events import Names
from battles.services.logbook import NewEvent
from config.pages.forms import PageForm, choices_of
from rulebook.ruleset import Action, Problem, RulesError
from rulebook.values.fields import Field
from warbands.errors import MusterError

NOBODY = "Nobody or none"
OVERRULED = "overruled"
"""What the rules call the reason for which a table sets them aside."""


class Dice(forms.CharField):
    """Six-sided dice as they fell: "3,4", "3 4" or "34"."""

    def clean(self, value: Any) -> list[int]:
        """The dice. Raises ValidationError for anything that no such die shows."""
        told = re.sub(r"[\s,;]+", "", super().clean(value))
        if not re.fullmatch(r"[1-6]*", told):
            raise forms.ValidationError("Dice show 1 to 6: write them like 3,4.")
        return [int(die) for die in told]


class Inches(forms.FloatField):
    """Inches, whole ones as whole numbers."""

    def clean(self, value: Any) -> Any:
        """The inches; None if nothing was said."""
        told = super().clean(value)
        return int(told) if told is not None and told == int(told) else told


class ActionForm(PageForm):
    """Something that is done at the table. ``problems`` is what was refused; ``refused`` says that it may be overruled.

    ``client_id`` makes a double tap one event; ``version`` is what of the battle was seen.
    """

    client_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    version = forms.IntegerField(widget=forms.HiddenInput)
    overruled = forms.CharField(
        label="Overrule it, because", max_length=300, required=False, help_text="The reason is kept in the log."
    )

    def __init__(self, *args: Any, action: Action, names: Names, secret: str = "", **named: Any) -> None:
        super().__init__(*args, **named)
        self.whole = action
        self.secret = secret
        self.action = _alone(action, secret) if secret else action
        self.problems: list[Problem] = []
        for field in self.action.fields:
            self.fields[field.key] = table_field(field, names)

    def take(self, error: RulesError | MusterError) -> None:
        """Keep what was refused, each problem beside its field if it has one here."""
        super().take(error)
        self.problems = list(error.problems)

    def place_of(self, field: str) -> str | None:
        """The log counts what was sent: "0.inches"; a problem of the rules is told above, with its rule."""
        name = re.sub(r"^\d+\.", "", field)
        return None if name in (OVERRULED, "version", "client_id") else super().place_of(name)

    @property
    def refused(self) -> bool:
        """Whether the rules said no, and a reason would do."""
        said = any(problem.field.endswith(OVERRULED) for problem in self.problems)
        return said or bool(self["overruled"].value())

    @property
    def other_errors(self) -> list[str]:
        """What is wrong with the whole, where no rule was named."""
        told = {problem.sentence for problem in self.problems}
        return [str(error) for error in self.non_field_errors() if str(error) not in told]

    def group(self, name: str) -> list[forms.BoundField]:
        """The fields of a group."""
        return [self[field.key] for field in self.action.fields if field.group == name]

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
        data = self.cleaned_data
        told = {key: data[key] for key in self._asked if data.get(key) not in (None, "", [], False)}
        whole = joined(self.action.given, nested(told))
        return NewEvent(client_id=data["client_id"], kind=self.action.kind, data=whole, turn=self.action.turn)

    @property
    def _asked(self) -> Iterable[str]:
        return (OVERRULED, *(field.key for field in self.action.fields))


def _alone(action: Action, secret: str) -> Action:
    """The action with this one of its secret choices, and nothing else to ask."""
    return replace(action, fields=tuple(field for field in action.fields if field.key == secret))


def nested(told: Mapping[str, Any]) -> dict[str, Any]:
    """Values under keys with dots as the maps and lists that they lead into: {"a.0": 1} is {"a": [1]}."""
    found: dict[str, Any] = {}
    for key, value in told.items():
        *path, last = key.split(".")
        place = found
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return {key: _listed(value) for key, value in found.items()}


def _listed(value: Any) -> Any:
    """Maps whose keys are places as lists."""
    if not isinstance(value, dict):
        return value
    inner = {key: _listed(each) for key, each in value.items()}
    return [inner[key] for key in sorted(inner, key=int)] if all(key.isdecimal() for key in inner) else inner


def joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Both together, maps within maps too; the second has the last word."""
    inner = {
        key: joined(first[key], value)
        for key, value in second.items()
        if isinstance(value, dict) and isinstance(first.get(key), Mapping)
    }
    return {**first, **second, **inner}


def table_field(field: Field, names: Names, empty: str = NOBODY) -> forms.Field:
    """The form's field: tiles for a choice that is asked at once, a list to choose from for the rest.

    ``empty`` is what a tile says that leaves a choice open.
    """
    common: dict[str, Any] = {"label": field.label, "help_text": field.help, "required": field.required}
    match field.kind:
        case "choice" | "side" | "combatant":
            return _choice(field, names, common, empty)
        case "numbers":
            choices = choices_of(field.choices, "" if field.required else empty)
            return forms.TypedChoiceField(choices=choices, widget=forms.RadioSelect, coerce=_numbers, **common)
        case "list":
            whom = field.choices or names.combatants
            return forms.MultipleChoiceField(choices=whom, widget=forms.CheckboxSelectMultiple, **common)
        case "flag":
            return forms.BooleanField(**{**common, "required": False})
    return _typed(field, common)


def _choice(field: Field, names: Names, common: dict[str, Any], empty: str) -> forms.Field:
    """Somebody, a side, or one of several things."""
    if field.kind == "combatant":
        return forms.ChoiceField(choices=[("", "–"), *names.combatants], **common)
    pairs = names.sides if field.kind == "side" else field.choices
    nothing = "" if field.required or field.default else "–" if field.group else empty
    widget = forms.Select if field.group else forms.RadioSelect
    return forms.ChoiceField(
        choices=choices_of(pairs, nothing), widget=widget, initial=field.default or ("" if nothing else None), **common
    )


def _typed(field: Field, common: dict[str, Any]) -> forms.Field:
    bounds: dict[str, Any] = {"min_value": field.least, "max_value": field.most}
    match field.kind:
        case "number":
            return forms.IntegerField(**bounds, **common, widget=forms.NumberInput(attrs={"inputmode": "numeric"}))
        case "inches":
            attributes = {"inputmode": "decimal", "step": "any"}
            return Inches(**bounds, **common, widget=forms.NumberInput(attrs=attributes))
        case "dice":
            return Dice(**common, max_length=60, widget=forms.TextInput(attrs={"inputmode": "numeric"}))
    return forms.CharField(max_length=2000, **common)


def _numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(",")]
