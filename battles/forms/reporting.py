"""The form for the result of a fixture that was played without Muster."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext, gettext_lazy
from msgspec import Struct

from battles.services.fielding import Force
from battles.services.planning import BattlePlan, PlannedSide
from battles.services.reporting import MAX_SCORE
from core.errors import MusterError
from core.forms import PageForm
from core.input_forms import field_for
from rulebook.ruleset import Posts, RulesError
from rulebook.values.battles import ScenarioRole
from warbands.models import Fighter

DRAW = "draw"
KEYS = ("a", "b")


class ReportedSide(Struct, frozen=True, kw_only=True):
    """A side of the fixture: its warband, the fighters to choose from, and those suggested."""

    warband: UUID
    name: str
    able: Sequence[Fighter]
    chosen: Sequence[UUID]
    posts: Posts


class ReportForm(PageForm):
    """The winner, the score, the day and the line-ups. Casualties have their own form.

    ``scored`` asks for the score of both sides, ``declared`` asks who won.
    """

    within = ""
    """The path in the report of the error that is shown."""
    client_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    fought_on = field_for(BattlePlan, "fought_on")

    def __init__(
        self,
        *args: Any,
        sides: Sequence[ReportedSide],
        roles: Sequence[ScenarioRole],
        scored: bool,
        declared: bool,
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        self.reported, self.roles = sides, roles
        if declared:
            self.fields["winner"] = forms.ChoiceField(
                label=gettext("Winner"),
                choices=[
                    *((key, side.name) for key, side in zip(KEYS, sides, strict=True)),
                    (DRAW, gettext("Draw")),
                ],
                widget=forms.RadioSelect,
            )
        if roles[0].key != roles[1].key:
            self.fields["home_role"] = forms.ChoiceField(
                label=gettext("%(warband)s played as") % {"warband": sides[0].name},
                choices=[(role.key, role.name) for role in roles],
                initial=roles[0].key,
                widget=forms.RadioSelect,
            )
        for key, side in zip(KEYS, sides, strict=True):
            if scored:
                self.fields[f"score_{key}"] = forms.IntegerField(
                    label=side.name, min_value=-MAX_SCORE, max_value=MAX_SCORE
                )
            self.fields[f"force_{key}"] = forms.TypedMultipleChoiceField(
                label=gettext("Line-up of %(warband)s") % {"warband": side.name},
                choices=[(str(row.pk), row.name) for row in side.able],
                coerce=UUID,
                initial=[str(fighter) for fighter in side.chosen],
                widget=forms.CheckboxSelectMultiple,
                error_messages={"required": gettext_lazy("Choose at least one fighter.")},
            )

    def add_errors(self, error: RulesError | MusterError) -> None:
        """Show every problem next to its field: those within "forces.1" at that side's line-up."""
        self.within = error.within
        super().add_errors(error)

    def place_of(self, field: str) -> str | None:
        """Return the field for a problem, which lies in the path ``within`` of the report."""
        name, _, place = (self.within or field).partition(".")
        if name == "forces" and place[:1] in ("0", "1"):
            return f"force_{KEYS[int(place[:1])]}"
        return super().place_of(field)

    @property
    def scores(self) -> list[forms.BoundField]:
        """The fields of the score."""
        return [self[name] for name in self.fields if name.startswith("score_")]

    @property
    def line_ups(self) -> list[tuple[str, forms.BoundField, int]]:
        """The field of each side's line-up with the warband's name and the number of ticks."""
        fields = (self[f"force_{key}"] for key in KEYS)
        return [
            (side.name, field, len(field.value() or ()))
            for side, field in zip(self.reported, fields, strict=True)
        ]

    @property
    def planned_sides(self) -> tuple[PlannedSide, ...]:
        """The sides of the plan with their roles."""
        first, second = self.roles
        if self.cleaned_data.get("home_role", first.key) != first.key:
            first, second = second, first
        return tuple(
            PlannedSide(warband=side.warband, role=role.key)
            for side, role in zip(self.reported, (first, second), strict=True)
        )

    @property
    def forces(self) -> tuple[Force, ...]:
        """The line-ups; posts are held as suggested by those who are in them."""
        return tuple(
            self._force(self.cleaned_data[f"force_{key}"], side)
            for key, side in zip(KEYS, self.reported, strict=True)
        )

    def _force(self, fighters: Sequence[UUID], side: ReportedSide) -> Force:
        present = {str(fighter) for fighter in fighters}
        posts = {
            post: tuple(UUID(holder) for holder in holders if holder in present)
            for post, holders in side.posts.items()
        }
        return Force(tuple(fighters), posts)

    @property
    def reported_score(self) -> dict[str, int]:
        """The score of each side by its key; empty if it is not asked for."""
        values = ((key, self.cleaned_data.get(f"score_{key}")) for key in KEYS)
        return {key: value for key, value in values if value is not None}

    @property
    def reported_winner(self) -> str | None:
        """The key of the winner, "" for a draw; None if it is not asked for."""
        winner: str | None = self.cleaned_data.get("winner")
        return "" if winner == DRAW else winner
