"""Create and change clubs."""

from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import UNSET, UnsetType

from audit.services.recording import differences, record
from audit.verbs import Verb
from clubs.models import BattlesRunBy, Club, Membership, Role
from clubs.services.evenings import keep_hours
from clubs.services.permissions import organised_club
from core.cleaning import MAX_STORY, clean_member_name, field_error
from core.inputs import Input, column, field, validate_fields
from core.time_zones import time_zones
from core.users import Visibility, expect_person
from warbands.signed import create_signed, save_signed, sign_new


def clean_time_zone(field: str, name: str) -> str:
    """Return the IANA name of a time zone that this machine knows.

    Raises InvalidInput "unknown-choice".
    """
    if name not in time_zones():
        raise field_error(
            field,
            "unknown-choice",
            gettext("“%(name)s” is not a time zone. Example: Europe/London.") % {"name": name},
            name[:40],
        )
    return name


class ClubEdit(Input, frozen=True, kw_only=True):
    """Changes of a club."""

    name: Annotated[str, column(Club, "name", _("Name"), min_length=1, line=True)]
    story: Annotated[str | UnsetType, field(_("About the club"), max_length=MAX_STORY)] = UNSET
    visibility: Annotated[Visibility | UnsetType, field(_("Visibility"))] = UNSET
    time_zone: Annotated[
        str | UnsetType,
        column(
            Club,
            "time_zone",
            _("Time zone"),
            _("Club nights use this time."),
            api=("The IANA name, such as Europe/London. Future club nights keep their local time."),
            min_length=1,
        ),
    ] = UNSET
    battles_run_by: Annotated[
        BattlesRunBy | UnsetType,
        field(
            _("Who can run battles"),
            _("Plan, record and submit them. Each side still confirms its own result."),
            api=(
                "Who can plan, record and submit battles of its campaigns. Each side still "
                "confirms its own result."
            ),
        ),
    ] = UNSET


class ClubFound(ClubEdit, frozen=True, kw_only=True):
    """A new club, with its first organiser's name in it."""

    member_name: Annotated[
        str,
        column(
            Membership,
            "name",
            _("Your name in the club"),
            _("Leave blank to use your account name."),
            api="Your name in the club; by default your account name.",
            line=True,
        ),
    ] = ""


@transaction.atomic
def found_club(*, user: User, member_name: str = "", **details: Any) -> Club:
    """Create a club with the user as its organiser, and return it.

    The organiser is called ``member_name``, or else by the account's name. ``details`` are fields
    of ``ClubEdit``, among them ``name``. Raises InvalidInput for an invalid text or choice, and
    Forbidden "people-only" for a bot.
    """
    expect_person(user)
    club = Club(**validate_fields(ClubEdit, {"name": "", **details}, time_zone=clean_time_zone))
    sign_new([club])[0].save()
    name = clean_member_name("member_name", member_name) or account_name(user)
    create_signed(Membership, club=club, user=user, name=name, role=Role.ORGANISER)
    record(Verb.CLUB_FOUNDED, club, user=user, club=club.pk)
    return club


@transaction.atomic
def edit_club(*, club_id: UUID, user: User, **changes: Any) -> Club:
    """Change a club and return it. ``changes`` are fields of ``ClubEdit``; others stay as they are.

    If its time zone changes, future club nights keep their hours in local time. Raises NotFound,
    Forbidden, or InvalidInput for invalid values.
    """
    club = organised_club(club_id, user)
    former = club.zone
    cleaned = validate_fields(ClubEdit, changes, time_zone=clean_time_zone)
    changed = differences(club, cleaned)
    for name, value in cleaned.items():
        setattr(club, name, value)
    save_signed(club, *cleaned)
    if club.zone != former:
        keep_hours(club, former)
    if changed:
        record(Verb.CLUB_CHANGED, club, user=user, club=club_id, changes=changed)
    return club


def account_name(user: User) -> str:
    """Return the name that an account uses in a new club, at most 80 characters."""
    return (user.get_full_name() or user.get_username())[:80]
