"""Preparing a sealed order: which fighters go into which small game."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from core.forms import PageForm
from warbands.models import Fighter

PREFIX = "in."


class OrderForm(PageForm):
    """A tick box for each fighter and scenario. The service checks points and who may serve."""

    warband = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, fighters: Sequence[Fighter], scenarios: Sequence[tuple[str, str]], **named: Any
    ) -> None:
        super().__init__(*args, **named)
        self.rows, self.scenarios = fighters, scenarios
        choices = [(str(row.pk), row.name) for row in fighters]
        for key, name in scenarios:
            self.fields[PREFIX + key] = forms.MultipleChoiceField(
                label=name, choices=choices, required=False, widget=forms.CheckboxSelectMultiple
            )

    def place_of(self, field: str) -> str | None:
        """The service names a small warband by its scenario."""
        return super().place_of(PREFIX + field)

    @property
    def lines(self) -> list[tuple[Fighter, list[tuple[str, Any]]]]:
        """Each fighter with its tick box for every scenario, named for people."""
        columns = [(name, list(self[PREFIX + key])) for key, name in self.scenarios]
        return [(row, [(name, boxes[place]) for name, boxes in columns]) for place, row in enumerate(self.rows)]

    @property
    def sums(self) -> list[tuple[str, int, int]]:
        """For each scenario its name, and the points and the number of those who are ticked."""
        return [(name, *self._sum(key)) for key, name in self.scenarios]

    def _sum(self, key: str) -> tuple[int, int]:
        ticked = {str(fighter) for fighter in self[PREFIX + key].value() or ()}
        chosen = [row.points for row in self.rows if str(row.pk) in ticked]
        return sum(chosen), len(chosen)

    @property
    def plan(self) -> Mapping[str, tuple[str, ...]]:
        """The plan as the service takes it."""
        return {key: tuple(self.cleaned_data[PREFIX + key]) for key, _ in self.scenarios}
