"""Forms about clubs: a club, its members, invitations."""

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import BattlesRunBy, Club, Membership, Role
from clubs.services.clubs import ClubEdit, ClubFound
from clubs.services.invitations import Accept, Invite
from clubs.services.members import MemberEdit
from core.forms import PageForm, choices_of
from core.input_forms import Maker, chosen, form_class, hidden, like, radio, story_area
from core.search_text import plain_name
from core.time_zones import time_zone_choices
from core.users import Visibility

USES = 10
"""The default number of people who can use a link."""
OPEN_OR_NOT = [
    (Visibility.PRIVATE.value, _("Private: members only")),
    (Visibility.PUBLIC.value, _("Public: anyone can view, only members can edit")),
]


class ClubPage(PageForm):
    """A club's details. An empty time zone or permission to run battles stays as it is."""

    field_order = ("name", "member_name")

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["time_zone"].choices = time_zone_choices()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Return the values that were filled in or chosen."""
        cleaned = {**(super().clean() or {})}
        return {
            name: value
            for name, value in cleaned.items()
            if value or name not in ("time_zone", "battles_run_by")
        }


OWN: dict[str, Maker] = {
    "story": story_area(5),
    "visibility": radio(OPEN_OR_NOT, initial=Visibility.PRIVATE),
    "time_zone": chosen(required=False),
    "battles_run_by": radio(initial=BattlesRunBy.THOSE_WHO_PLAY, required=False),
}
ClubForm = form_class(ClubEdit, ClubPage, without=(), **OWN)
FoundingForm = form_class(ClubFound, ClubPage, without=(), **OWN)
MemberForm = form_class(
    MemberEdit, PageForm, without=("role",), name=like(label=_("Name in the club"), required=True)
)
RoleForm = form_class(MemberEdit, PageForm, without=("name",), role=radio())


class GuestsForm(PageForm):
    """The names of new players without an account, one on each line."""

    name = forms.CharField(
        label=_("Names"),
        help_text=_("One player per line."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def clean_name(self) -> str:
        """Return the names. Raises ValidationError for a name that is there twice."""
        text: str = self.cleaned_data["name"]
        seen: set[str] = set()
        for line in text.splitlines():
            name = plain_name(line).casefold()
            if name and name in seen:
                raise forms.ValidationError(
                    gettext("%(name)s is in the list twice. Choose another name."),
                    code="name-taken",
                    params={"name": line.strip()},
                )
            seen.add(name)
        return text

    @property
    def names(self) -> list[str]:
        """The submitted names without empty lines."""
        return [line for line in self.cleaned_data["name"].splitlines() if line.strip()]


class MergeForm(PageForm):
    """The choice of the member to merge a member without an account into."""

    places = {"member": "into"}
    into = forms.TypedChoiceField(label=_("Merge into"), coerce=UUID, empty_value=None)

    def __init__(self, *args: Any, seat: Membership, **named: Any) -> None:
        super().__init__(*args, **named)
        others = Membership.objects.present().filter(club=seat.club_id).exclude(pk=seat.pk)
        choices = choices_of(
            ((str(other.pk), other.name) for other in others), gettext("Choose a member")
        )
        self.fields["into"].choices = choices  # type: ignore[attr-defined]


class InvitingPage(PageForm):
    """A link into the club; the choices are players without an account."""

    def __init__(self, *args: Any, club: Club, **named: Any) -> None:
        super().__init__(*args, **named)
        seats = Membership.objects.present().vacant().filter(club=club)
        choices = choices_of(
            ((str(seat.pk), seat.name) for seat in seats), gettext("Nobody: a new member")
        )
        self.fields["seat_id"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Return the terms; a link for an organiser or a guest player can only be used once."""
        cleaned = {**(super().clean() or {})}
        if "uses" in cleaned and (cleaned.get("seat_id") or cleaned.get("role") == Role.ORGANISER):
            cleaned["uses"] = 1
        return cleaned


InvitationForm = form_class(
    Invite, InvitingPage, role=radio(), seat_id=chosen(), uses=like(initial=USES)
)
JoiningForm = form_class(Accept, PageForm, secret=hidden())
