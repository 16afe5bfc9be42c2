"""A fighter's build as a form: what its rule system asks about it, and what of a build that makes."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django import forms

from core.forms import PageForm
from core.ruleset_forms import form_field, said
from rulebook.ruleset import BuildData, Ruleset
from rulebook.values.fields import TRUE, Field, as_text, nested

PREFIX = "build."


class BuildForm(PageForm):
    """What can be chosen for a fighter. What nobody is asked about stays as ``build`` has it."""

    def __init__(self, *args: Any, build: BuildData, asked: Iterable[Field], rules: Ruleset, **named: Any) -> None:
        super().__init__(*args, **named)
        self.rules = rules
        self.asked = [*asked]
        settled = {field.key.partition(".")[0] for field in self.asked}
        self.before = {key: value for key, value in build.items() if key not in settled}
        for field in self.asked:
            self.fields[PREFIX + field.key] = form_field(field, tiles=not field.group)

    def place_of(self, field: str) -> str | None:
        """Services speak of "fighters.0.build.options.weapon", the rules of "options.weapon"."""
        name = re.sub(r"^fighters\.\d+\.", "", field)
        return super().place_of(name) or super().place_of(PREFIX + name)

    @property
    def build(self) -> dict[str, Any]:
        """The build as the rule system reads it."""
        chosen = {field.key: self.cleaned_data.get(PREFIX + field.key) for field in self.asked}
        # A box that is not ticked says nothing, but for one that is ticked unless somebody says no.
        ticked = (field for field in self.asked if field.kind == "flag" and as_text(field.default) in TRUE)
        declined = {field.key: False for field in ticked if not chosen[field.key]}
        sent = nested(said(chosen) | declined)
        shown = {field.key: as_text(field.default) for field in self.asked}
        changed = nested({key: value for key, value in chosen.items() if as_text(value) != shown[key]})
        # A form sends every field: those that nobody has changed give way to what the changes imply.
        implied = {key: value for key, value in self.rules.implied_changes(changed).items() if key not in changed}
        return {**self.before, **sent, **implied}

    @property
    def groups(self) -> Iterator[forms.BoundField]:
        """The fields that make the build, in order."""
        return (self[PREFIX + field.key] for field in self.asked)
