"""Forms for transferring warbands."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext

from campaigns.services.enrolments import NamePlayer
from campaigns.services.hand_overs import ToPlayer
from clubs.models import Membership
from core.forms import PageForm, choices_of
from core.input_forms import chosen, field_for, form_class

HandOverForm = form_class(ToPlayer, PageForm)


class NamePlayerForm(PageForm):
    """The new player of a warband that is in a campaign: a member of its club."""

    player = field_for(NamePlayer, "player_id", chosen())

    def __init__(self, *args: Any, members: Iterable[Membership], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = choices_of(((str(row.pk), row.name) for row in members), gettext("Choose…"))
        self.fields["player"].choices = choices  # type: ignore[attr-defined]
