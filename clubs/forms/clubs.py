"""What people fill in about clubs: a club, its members, invitations."""

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import BattlesRunBy, Club, Membership, Role
from core.forms import PageForm, choices_of
from core.time_zones import time_zone_choices
from core.users import Visibility

MAX_STORY = 20_000
OPEN_OR_NOT = [
    (Visibility.PRIVATE.value, _("Private: only its members see it")),
    (Visibility.PUBLIC.value, _("Public: everybody may look, nobody but members may touch")),
]


class ClubForm(PageForm):
    """A club's name, story and openness."""

    name = forms.CharField(label=_("Name"), max_length=100)
    story = forms.CharField(
        label=_("About the club"), max_length=MAX_STORY, required=False, widget=forms.Textarea(attrs={"rows": 5})
    )
    visibility = forms.ChoiceField(
        label=_("Who may look"), choices=OPEN_OR_NOT, initial=Visibility.PRIVATE, widget=forms.RadioSelect
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"), choices=time_zone_choices, required=False, help_text=_("By whose clocks the club plays.")
    )
    battles_run_by = forms.ChoiceField(
        label=_("Who may run battles"),
        choices=BattlesRunBy.choices,
        initial=BattlesRunBy.THOSE_WHO_PLAY,
        required=False,
        widget=forms.RadioSelect,
        help_text=_("Plans, logs and submits them. Each side still confirms for itself."),
    )

    def clean(self) -> dict[str, Any]:
        """What was filled in; what nobody named of the time zone and of who runs battles stays as it is."""
        cleaned = {**(super().clean() or {})}
        return {name: value for name, value in cleaned.items() if value or name not in ("time_zone", "battles_run_by")}


class FoundingForm(ClubForm):
    """A club that does not exist yet, and the name of its founder in it."""

    member_name = forms.CharField(
        label=_("Your name in the club"), max_length=80, required=False, help_text=_("Empty: the name of your account.")
    )
    field_order = ("name", "member_name", "story", "visibility", "time_zone", "battles_run_by")


class GuestForm(PageForm):
    """A player who has no account."""

    name = forms.CharField(label=_("Name"), max_length=80)


class MemberForm(PageForm):
    """A member's name in the club."""

    name = forms.CharField(label=_("Name in the club"), max_length=80)


class RoleForm(PageForm):
    """What a member may do in the club."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, widget=forms.RadioSelect)


class MergeForm(PageForm):
    """Into whom a member without an account is merged."""

    places = {"member": "into"}
    into = forms.TypedChoiceField(label=_("Merge into"), coerce=UUID, empty_value=None)

    def __init__(self, *args: Any, seat: Membership, **named: Any) -> None:
        super().__init__(*args, **named)
        others = Membership.objects.present().filter(club=seat.club_id).exclude(pk=seat.pk)
        choices = choices_of(((str(other.pk), other.name) for other in others), gettext("Choose a member"))
        self.fields["into"].choices = choices  # type: ignore[attr-defined]


class InvitationForm(PageForm):
    """A link into the club: for whom, how often, how long."""

    places = {"seat": "seat_id"}
    role = forms.ChoiceField(label=_("As"), choices=Role.choices, initial=Role.PLAYER, widget=forms.RadioSelect)
    seat_id = forms.TypedChoiceField(
        label=_("Takes over the seat of"),
        coerce=UUID,
        required=False,
        empty_value=None,
        help_text=_("A player without an account; the warbands kept for that player go with the seat."),
    )
    uses = forms.IntegerField(label=_("Good for so many people"), min_value=1, max_value=100, initial=1)
    days = forms.IntegerField(label=_("Good for so many days"), min_value=1, max_value=90, initial=14)

    def __init__(self, *args: Any, club: Club, **named: Any) -> None:
        super().__init__(*args, **named)
        seats = Membership.objects.present().vacant().filter(club=club)
        choices = choices_of(((str(seat.pk), seat.name) for seat in seats), gettext("Nobody: a new seat"))
        self.fields["seat_id"].choices = choices  # type: ignore[attr-defined]


class JoiningForm(PageForm):
    """Accepting an invitation."""

    secret = forms.CharField(widget=forms.HiddenInput)
    name = forms.CharField(
        label=_("Your name in the club"), max_length=80, required=False, help_text=_("Empty: the name of your account.")
    )
