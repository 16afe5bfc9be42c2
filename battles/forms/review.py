"""Forms for the review of a submitted battle, and for corrections with their conflicts."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from battles.services.correction_conflicts import (
    ConflictAnswers,
    LaterConflict,
    LetStandAnswer,
    Undo,
)
from battles.services.corrections import Correction
from battles.services.review import Decision, Dispute, Ruling
from core.forms import PageForm
from core.input_forms import area, field_for, form_class, like, radio
from rulebook.battle_log.kinds import MIN_REASON


class VersionForm(PageForm):
    """A button that acts only on the version that the user has seen."""

    version = forms.IntegerField(widget=forms.HiddenInput)


DisputeForm = form_class(Dispute, VersionForm, reason=area(3))
DECISIONS = [
    (Decision.AS_LOGGED.value, gettext_lazy("Confirm as logged")),
    (Decision.REOPEN.value, gettext_lazy("Reopen the log")),
]


class ReasonedForm(VersionForm):
    """A decision with a reason, which is required for a dispute."""

    def __init__(self, *args: Any, disputed: bool = False, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["reason"].required = disputed


DecideForm = form_class(Ruling, ReasonedForm, decision=radio(DECISIONS, initial=Decision.AS_LOGGED))


class CorrectionForm(VersionForm):
    """The reason for correcting or voiding a confirmed battle, and an answer to each conflict."""

    # The log accepts no shorter reason of a correction.
    reason = field_for(Correction, "reason", like(min_length=MIN_REASON))

    def __init__(self, *args: Any, conflicts: Iterable[LaterConflict] = (), **named: Any) -> None:
        super().__init__(*args, **named)
        self.conflicts = [*conflicts]
        for conflict in self.conflicts:
            name = name_of(conflict)
            self.fields[name] = forms.ChoiceField(
                label=f"{conflict.where}: {conflict.sentence}",
                choices=[("", gettext("Choose an answer")), *ways_of(conflict)],
                required=False,
            )
            # A preview needs no answers yet, but confirming does: the label must not say
            # "optional".
            self.fields[name].needed = True  # type: ignore[attr-defined]
            self.fields[f"{name}-reason"] = forms.CharField(
                label=gettext("Keep it. Reason"), max_length=300, required=False
            )

    @property
    def answers(self) -> ConflictAnswers:
        """The answers as the service takes them."""
        data = self.cleaned_data
        answers = [
            (conflict, data.get(name_of(conflict)), data.get(f"{name_of(conflict)}-reason", ""))
            for conflict in self.conflicts
        ]
        return ConflictAnswers(
            undo=tuple(
                Undo(each.warband, each.sequence) for each, way, _ in answers if way == "undo"
            ),
            stand=tuple(
                LetStandAnswer(each.warband, each.sequence, why)
                for each, way, why in answers
                if way == "stand"
            ),
        )

    @property
    def questions(self) -> list[tuple[LaterConflict, forms.BoundField, forms.BoundField]]:
        """Each conflict with its two fields."""
        return [
            (each, self[name_of(each)], self[f"{name_of(each)}-reason"]) for each in self.conflicts
        ]


class LateForm(CorrectionForm):
    """The answers to the conflicts of a late battle, with the fields of its confirmation."""

    reason = forms.CharField(max_length=300, required=False, widget=forms.HiddenInput)
    decision = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)
    side = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)


class EntryForm(CorrectionForm):
    """A correction of one entry: changed, or removed."""

    strike = forms.BooleanField(label=gettext_lazy("Remove this entry"), required=False)


def name_of(conflict: LaterConflict) -> str:
    """Return the name of the field that answers a conflict."""
    return f"answer-{conflict.warband}-{conflict.sequence}"


def ways_of(conflict: LaterConflict) -> list[tuple[str, str]]:
    """Return the possible answers to a conflict."""
    undo = [("undo", gettext("Undo"))] if conflict.may_be_undone else []
    return [*undo, ("stand", gettext("Keep it, with a reason"))]
