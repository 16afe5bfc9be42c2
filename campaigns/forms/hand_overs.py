"""Forms of warbands that change hands."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Membership
from core.forms import PageForm, choices_of


class HandOverForm(PageForm):
    """Who is to lead a warband: a player of one's clubs."""

    player = forms.CharField(
        label=_("The player's account"),
        max_length=150,
        help_text=_("The name that it signs in with, in one of your clubs."),
    )


class NamePlayerForm(PageForm):
    """Who is to lead a warband that is in a campaign: a member of its club."""

    player = forms.TypedChoiceField(label=_("New player"), coerce=UUID)

    def __init__(self, *args: Any, members: Iterable[Membership], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = choices_of(((str(row.pk), row.name) for row in members), gettext("Choose…"))
        self.fields["player"].choices = choices  # type: ignore[attr-defined]
