"""Forms of a fighter: build, recruiting, equipment, details, rank-up."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext, gettext_lazy

from core.forms import PageForm
from core.input_forms import field_for, form_class, hidden, like, radio, story_area
from core.ruleset_forms import filled_values, form_field
from core.ruleset_words import state_label as in_a_word
from rulebook.ruleset import BuildData, Fate, RankUp, RankUpPick, Ruleset
from rulebook.values.fields import TRUE, Field, as_text, nested
from warbands.services.rank_ups import RankUpChoice
from warbands.services.roster import (
    Adjustment,
    FighterEdit,
    Leaving,
    NewBuild,
    NewFighter,
    NewFighters,
)

PREFIX = "build."


class BuildForm(PageForm):
    """The form of a fighter's build. Fields that are not asked for stay as in ``build``."""

    def __init__(
        self,
        *args: Any,
        build: BuildData,
        rules_fields: Iterable[Field],
        rules: Ruleset,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.rules_fields = [*rules_fields]
        settled = {field.key.partition(".")[0] for field in self.rules_fields}
        self.before = {key: value for key, value in build.items() if key not in settled}
        for field in self.rules_fields:
            self.fields[PREFIX + field.key] = form_field(field, tiles=not field.group)

    def place_of(self, field: str) -> str | None:
        """Return the form's field for the field of an error.

        Services name "fighters.0.build.options.weapon", the rules "options.weapon".
        """
        name = re.sub(r"^fighters\.\d+\.", "", field)
        return super().place_of(name) or super().place_of(PREFIX + name)

    @property
    def build(self) -> dict[str, Any]:
        """The build as the rule system reads it."""
        chosen = {
            field.key: self.cleaned_data.get(PREFIX + field.key) for field in self.rules_fields
        }
        # An unticked box sends nothing. This matters only for boxes that are ticked by default.
        ticked = (
            field
            for field in self.rules_fields
            if field.kind == "flag" and as_text(field.default) in TRUE
        )
        declined = {field.key: False for field in ticked if not chosen[field.key]}
        values = nested(filled_values(chosen) | declined)
        shown = {field.key: as_text(field.default) for field in self.rules_fields}
        changed = nested(
            {key: value for key, value in chosen.items() if as_text(value) != shown[key]}
        )
        # A form sends every field: fields that were not changed give way to what the changes imply.
        implied = {
            key: value
            for key, value in self.rules.implied_changes(changed).items()
            if key not in changed
        }
        return {**self.before, **values, **implied}

    @property
    def groups(self) -> Iterator[forms.BoundField]:
        """The fields of the build, in order."""
        return (self[PREFIX + field.key] for field in self.rules_fields)


MAX_AT_ONCE = 20


class RecruitForm(BuildForm):
    """The form to recruit fighters. ``client_id`` prevents a form sent twice recruiting twice."""

    def __init__(self, *args: Any, overrules: bool, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["name"] = field_for(NewFighter, "name")
        # A page draws the sheet of each, so it takes fewer at once than the API.
        self.fields["count"] = field_for(NewFighter, "count", like(max_value=MAX_AT_ONCE))
        self.fields["client_id"] = field_for(
            NewFighter, "client_id", hidden(required=True, initial=uuid4)
        )
        if overrules:
            self.fields["overrule"] = field_for(NewFighters, "overrule")


class EquipForm(BuildForm):
    """The form to change a fighter's build."""

    def __init__(self, *args: Any, locked: bool, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["sequence"] = field_for(NewBuild, "sequence", hidden(required=True))
        if locked:
            self.fields["reason"] = field_for(NewBuild, "reason", like(required=True))


FighterForm = form_class(FighterEdit, PageForm, name=like(required=True), story=story_area(5))


class ReleaseForm(PageForm):
    """The form to remove a fighter from the roster."""

    reason = field_for(Leaving, "reason", radio(()))

    def __init__(self, *args: Any, locked: bool, **named: Any) -> None:
        super().__init__(*args, **named)
        ways = [
            ("retired", gettext("Retires with honour")),
            ("dismissed", gettext("Is dismissed")),
            ("deserted", gettext("Has deserted")),
        ]
        struck = [] if locked else [("struck", gettext("Is struck off, as if it had never joined"))]
        self.fields["reason"].choices = [*struck, *ways]  # type: ignore[attr-defined]
        self.fields["reason"].initial = (struck or ways)[0][0]


class AdjustedForm(PageForm):
    """The form for an organiser's decision about a fighter outside the rules."""

    def __init__(self, *args: Any, earns: bool, **named: Any) -> None:
        super().__init__(*args, **named)
        if not earns:
            del self.fields["experience"]

    def clean_experience(self) -> int:
        """Return 0 if nothing was filled in."""
        return self.cleaned_data["experience"] or 0


AdjustForm = form_class(
    Adjustment,
    AdjustedForm,
    experience=like(required=False),
    fate=forms.TypedChoiceField(
        label=gettext_lazy("Fate"),
        choices=lambda: [
            ("", gettext("As it is")),
            *((fate.value, in_a_word(fate).capitalize()) for fate in Fate),
        ],
        coerce=Fate,
        required=False,
        empty_value=None,
    ),
    sequence=hidden(required=True),
)


class RankUpForm(PageForm):
    """The form for one rank-up of a fighter and the owner's picks with it."""

    step = field_for(RankUpChoice, "step", hidden())
    sequence = field_for(RankUpChoice, "sequence", hidden(required=True))

    def __init__(self, *args: Any, rank_up: RankUp, **named: Any) -> None:
        super().__init__(*args, **named)
        for pick in rank_up.picks:
            self.fields[f"picks.{pick.key}"] = form_field(pick_field(pick), tiles=True)

    @property
    def picks(self) -> Mapping[str, Any]:
        """The picks, by key."""
        picked = {
            name.removeprefix("picks."): self.cleaned_data[name]
            for name in self.fields
            if "." in name
        }
        return filled_values(picked)


def pick_field(pick: RankUpPick) -> Field:
    """Return a field to pick several things, one thing several times, or at most one of several."""
    nothing = () if pick.least else (("", gettext("Nothing of it")),)
    if pick.most > 1 and len(pick.choices) > 1:
        return Field(
            pick.key,
            pick.label,
            "list",
            False,
            pick.choices,
            gettext("%(most)s at most.") % {"most": pick.most},
        )
    choices = pick.choices
    if pick.most > 1:
        ((key, label),) = pick.choices
        names = (label, *(f"{many} × {label}" for many in range(2, pick.most + 1)))
        choices = tuple((",".join([key] * many), name) for many, name in enumerate(names, start=1))
    first = choices[0][0] if pick.least else ""
    return Field(
        pick.key, pick.label, "picks", bool(pick.least), (*nothing, *choices), default=first
    )
