"""A form for another day of a battle, or another place among the battles of its day."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext, gettext_lazy

from battles.forms.review import CorrectionForm
from battles.models import Battle
from battles.selectors.battle_rows import name_of
from battles.services.days import NewDay

BEFORE, AFTER = "before", "after"


class DayForm(CorrectionForm):
    """The day on which a battle was played.

    For a confirmed battle it is a correction, with a reason and answers.
    """

    places = {"played_before": "place", "played_after": "place"}
    fought_on = forms.DateField(
        label=gettext_lazy("Day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    place = forms.ChoiceField(label=gettext_lazy("Place in the day"), required=False)
    field_order = ("fought_on", "place", "reason", "version")

    def __init__(
        self, *args: Any, others: Sequence[Battle] = (), confirmed: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["place"].choices = [  # type: ignore[attr-defined]
            ("", gettext("No change")),
            *(
                (f"{side}:{other.pk}", label % {"battle": name_of(other)})
                for other in others
                for side, label in (
                    (BEFORE, gettext("Before %(battle)s")),
                    (AFTER, gettext("After %(battle)s")),
                )
            ),
        ]
        if not confirmed:
            self.fields["reason"].required = False
            self.fields["reason"].widget = forms.HiddenInput()

    @property
    def day(self) -> NewDay:
        """The day as the service takes it."""
        side, _, other = self.cleaned_data.get("place", "").partition(":")
        beside = UUID(other) if other else None
        return NewDay(
            fought_on=self.cleaned_data["fought_on"],
            before=beside if side == BEFORE else None,
            after=beside if side == AFTER else None,
        )
