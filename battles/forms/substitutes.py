"""Forms that name a substitute."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext, gettext_lazy

from campaigns.models import Enrolment
from clubs.models import Membership
from core.forms import PageForm, choices_of


class SubstituteForm(PageForm):
    """Who plays a side of a battle for the warband's player."""

    player = forms.TypedChoiceField(label=gettext_lazy("Substitute"), coerce=UUID, required=False, empty_value=None)

    def __init__(self, *args: Any, members: Iterable[Membership], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = choices_of(((str(row.pk), row.name) for row in members), gettext("Nobody: the player plays"))
        self.fields["player"].choices = choices  # type: ignore[attr-defined]


class FixtureSubstituteForm(SubstituteForm):
    """The same for a fixture, with the warband that is meant."""

    field_order = ("enrolment", "player")
    enrolment = forms.TypedChoiceField(label=gettext_lazy("Warband"), coerce=UUID)

    def __init__(self, *args: Any, enrolments: Iterable[Enrolment], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = [(str(row.pk), row.warband.name) for row in enrolments]
        self.fields["enrolment"].choices = choices  # type: ignore[attr-defined]
