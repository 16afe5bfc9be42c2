"""A form that logs a casualty with three taps: who was hit, what happened, who did it.

More can be added.
"""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from battles.forms.events import CombatantNames
from battles.forms.table import NOBODY, LoggingForm
from battles.services.logbook import NewEvent
from core.ruleset_forms import filled_values, form_field
from rulebook.values.fields import nested
from rulebook.values.table import CasualtyBoard, CasualtyResult

CASUALTY = "casualty"
"""The value of the query parameter that shows the board."""
VICTIM, RESULT, BY = "tap_victim", "tap_result", "tap_by"


class CasualtyForm(LoggingForm):
    """The casualty board as a form.

    Each of its three steps is one field, and the last one submits the form.
    """

    def __init__(
        self,
        *args: Any,
        board: CasualtyBoard,
        names: CombatantNames,
        turn: int | None = None,
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        self.board, self.turn = board, turn
        self.results = {each.key: each for each in board.results}
        people = [*names.combatants]
        self.fields[VICTIM] = forms.ChoiceField(label=board.victim_label, choices=people)
        results = [(each.key, each.label) for each in board.results]
        self.fields[RESULT] = forms.ChoiceField(
            label=gettext_lazy("What happened?"), choices=results, required=False
        )
        self.fields[BY] = forms.ChoiceField(
            label=board.by_label, choices=[("", NOBODY), *people], required=False
        )
        for field in (*([board.how] if board.how else []), *board.more):
            self.fields[field.key] = form_field(
                field, names.people, tiles=field is board.how, empty=str(NOBODY)
            )

    @property
    def result(self) -> CasualtyResult:
        """The tapped result; the board's first one if only other fields were filled in."""
        return self.results.get(self.cleaned_data.get(RESULT) or "", self.board.results[0])

    @property
    def step(self) -> str:
        """The step that is shown first: a submitted form continues where it was."""
        return "by" if self.is_bound and self[VICTIM].value() else ""

    @property
    def how(self) -> forms.BoundField | None:
        """The field for how it was done, None without one."""
        return self[self.board.how.key] if self.board.how else None

    @property
    def more(self) -> list[forms.BoundField]:
        """The fields that can be added."""
        return [self[field.key] for field in self.board.more]

    def clean(self) -> dict[str, Any]:
        """Check that something happened to the fighter."""
        data = {**self.cleaned_data}
        if not data.get(RESULT) and not filled_values({key: data.get(key) for key in self._added}):
            self.add_error(RESULT, gettext("Choose what happened."))
        return data

    def place_of(self, field: str) -> str | None:
        """Return the tapped field for the rules' field, which depends on the tapped result."""
        name = field.rpartition(".")[2]
        if self.is_bound and hasattr(self, "cleaned_data"):
            result = self.result
            named = {result.victim: VICTIM, result.by: BY, **dict.fromkeys(result.given, RESULT)}
            name = named.get(name, name) if name else name
        return (
            name
            if name in self.fields and name not in ("overruled", "version", "client_id")
            else None
        )

    @property
    def event(self) -> NewEvent:
        """The event of the taps, with the added fields if they are of the same kind."""
        data, result = self.cleaned_data, self.result
        values: dict[str, Any] = {"overruled": data.get("overruled")}
        if result.kind == self.board.kind:
            values |= {key: data.get(key) for key in self._added}
            values |= {self.board.how.key: data.get(self.board.how.key)} if self.board.how else {}
        if result.by:
            values[result.by] = data.get(BY)
        tapped = result.given if data.get(RESULT) else {}
        whole = {**nested(filled_values(values)), **tapped, result.victim: data[VICTIM]}
        return NewEvent(client_id=data["client_id"], kind=result.kind, data=whole, turn=self.turn)

    @property
    def _added(self) -> Iterable[str]:
        return [field.key for field in self.board.more]
