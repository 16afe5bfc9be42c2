"""Check-in, no-shows and wishes at a club night, and members who are never paired."""

from datetime import timedelta
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import UNSET, UnsetType

from audit.services.recording import record
from audit.verbs import Verb
from clubs.models import DOORS_OPEN, Answer, Attendance, Evening, ForbiddenPair, Loan, Membership
from clubs.services.members import LONGEST_NAME, add_guest
from clubs.services.permissions import (
    expect_organiser,
    find,
    locked_evening,
    organised_club,
    present_member,
)
from core.cleaning import field_error
from core.errors import Forbidden, StateConflict
from core.inputs import Input, field, validate_fields

MAX_FORBIDDEN = 200
"""The most pairs of a club that are kept apart."""


class CheckIn(Input, frozen=True, kw_only=True, rename={"member_id": "member"}):
    """The member who is there: the user, or from organisers anybody."""

    member_id: Annotated[UUID | None, field(_("Member"))] = None


class Absence(Input, frozen=True, kw_only=True, rename={"member_id": "member"}):
    """A member who did not come."""

    member_id: Annotated[UUID, field(_("Member"))]


class WalkIn(Input, frozen=True, kw_only=True):
    """Somebody without an account who walks in: becomes a guest player of the club."""

    name: Annotated[str, field(_("Name"), max_length=LONGEST_NAME, min_length=1, line=True)]


class Wishes(Input, frozen=True, kw_only=True):
    """A member's wishes for a club night; absent fields stay."""

    seeks_opponent: Annotated[bool | UnsetType, field(_("I am looking for an opponent"))] = UNSET
    loan: Annotated[Loan | UnsetType, field(_("Warband"))] = UNSET


class KeepApart(
    Input, frozen=True, kw_only=True, rename={"first_id": "first", "second_id": "second"}
):
    """Two members who are never paired."""

    first_id: Annotated[UUID, field(_("Member"))]
    second_id: Annotated[UUID, field(_("Never against"))]


@transaction.atomic
def check_in(*, evening_id: UUID, user: User, member_id: UUID | None = None) -> Attendance:
    """Store that a member is there, and return the answer, which becomes Going.

    Members check themselves in, organisers anybody, also after a no-show. Raises NotFound,
    Forbidden "members-only" or "organisers-only", StateConflict "evening-cancelled",
    "evening-over" or "too-early".
    """
    evening = locked_evening(evening_id, user)
    own = present_member(evening.club_id, user)
    if own is None:
        raise Forbidden(
            "members-only",
            gettext("Only members of the club can check in. Ask an organiser for an invitation."),
        )
    member = own
    if member_id is not None and member_id != own.pk:
        expect_organiser(evening.club_id, user)
        members = Membership.objects.present().filter(club=evening.club_id)
        member = find(members, member_id, "member")
    _expect_doors_open(evening)
    answer = Attendance.objects.filter(evening=evening, member=member).first()
    if answer is not None and answer.arrived_at is not None and not answer.no_show:
        return answer
    answer, _created = Attendance.objects.update_or_create(
        evening=evening,
        member=member,
        defaults={"arrived_at": timezone.now(), "no_show": False, "answer": Answer.COMING},
        create_defaults={
            "arrived_at": timezone.now(),
            "answer": Answer.COMING,
            "answered_at": timezone.now(),
            "by_organiser": member.user_id != user.pk,
        },
    )
    _audit(Verb.CHECKED_IN, evening, user, person=member.user_id)
    return answer


@transaction.atomic
def add_walk_in(*, evening_id: UUID, user: User, name: str) -> Attendance:
    """Add a guest player who walked in, checked in. Return the answer.

    Raises NotFound, Forbidden, StateConflict as ``check_in``, InvalidInput "name-taken".
    """
    evening = find(Evening.objects.visible_to(user), evening_id, "evening")
    guest = add_guest(club_id=evening.club_id, user=user, name=name)
    return check_in(evening_id=evening_id, user=user, member_id=guest.pk)


@transaction.atomic
def mark_absent(*, evening_id: UUID, user: User, member_id: UUID) -> Attendance:
    """Mark a member who was expected as a no-show, and return the answer.

    Raises NotFound "unknown-evening" or "unknown-member" (not expected), Forbidden.
    """
    evening = locked_evening(evening_id, user)
    expect_organiser(evening.club_id, user)
    members = Membership.objects.filter(attendances__evening=evening)
    member = find(members, member_id, "member")
    answer = evening.attendances.get(member=member)
    answer.no_show, answer.arrived_at = True, None
    answer.save(update_fields=["no_show", "arrived_at"])
    _audit(Verb.NO_SHOW, evening, user, person=member.user_id)
    return answer


@transaction.atomic
def edit_wishes(
    *,
    evening_id: UUID,
    user: User,
    seeks_opponent: bool | UnsetType = UNSET,
    loan: str | UnsetType = UNSET,
) -> Attendance:
    """Store whether the user looks for an opponent, and needs or lends a warband.

    Without an answer so far, the user answers Going. Raises NotFound, Forbidden "members-only",
    InvalidInput, StateConflict "evening-cancelled" or "evening-over".
    """
    evening = locked_evening(evening_id, user)
    member = present_member(evening.club_id, user)
    if member is None:
        raise Forbidden("members-only", gettext("Only members of the club can do this."))
    _expect_on(evening)
    sent = {"seeks_opponent": seeks_opponent, "loan": loan}
    changes = validate_fields(
        Wishes, {name: value for name, value in sent.items() if value is not UNSET}
    )
    answer, _created = Attendance.objects.get_or_create(
        evening=evening,
        member=member,
        defaults={"answer": Answer.COMING, "answered_at": timezone.now()},
    )
    for name, value in changes.items():
        setattr(answer, name, value)
    answer.save(update_fields=[*changes])
    _audit(Verb.EVENING_ANSWERED, evening, user, answer=answer.answer, person=member.user_id)
    return answer


@transaction.atomic
def forbid_pair(*, club_id: UUID, user: User, first_id: UUID, second_id: UUID) -> ForbiddenPair:
    """Keep two members apart at all club nights, and return the pair.

    Raises NotFound, Forbidden, InvalidInput "same-member" or "too-many-pairs".
    """
    club = organised_club(club_id, user)
    if first_id == second_id:
        raise field_error("second", "same-member", gettext("Choose two different members."))
    # The smaller id comes first, so that each pair is stored once.
    members = club.memberships.present()
    first, second = sorted(
        (find(members, first_id, "member"), find(members, second_id, "member")),
        key=lambda member: member.pk,
    )
    pairs = ForbiddenPair.objects.filter(club=club)
    if pairs.count() >= MAX_FORBIDDEN:
        raise field_error(
            "first",
            "too-many-pairs",
            gettext("A club can keep %(most)s pairs apart at most.") % {"most": MAX_FORBIDDEN},
        )
    pair, created = pairs.get_or_create(first=first, second=second, defaults={"club": club})
    if created:
        record(Verb.PAIR_FORBIDDEN, first, user=user, club=club_id)
    return pair


@transaction.atomic
def allow_pair(*, club_id: UUID, user: User, pair_id: UUID) -> None:
    """Let two members be paired again. Raises NotFound, Forbidden."""
    club = organised_club(club_id, user)
    pair = find(ForbiddenPair.objects.filter(club=club).select_related("first"), pair_id, "pair")
    record(Verb.PAIR_ALLOWED, pair.first, user=user, club=club_id)
    pair.delete()


def _expect_on(evening: Evening) -> None:
    if evening.cancelled_at is not None:
        raise StateConflict("evening-cancelled", gettext("This club night is cancelled."))
    if evening.ends_at <= timezone.now():
        raise StateConflict("evening-over", gettext("This club night is over."))


def _expect_doors_open(evening: Evening) -> None:
    _expect_on(evening)
    if not evening.takes_check_ins(timezone.now()):
        raise StateConflict(
            "too-early",
            gettext("Check-in opens %(hours)s hours before the club night begins.")
            % {"hours": DOORS_OPEN // timedelta(hours=1)},
        )


def _audit(verb: Verb, evening: Evening, user: User, **details: Any) -> None:
    day = evening.local_start.date().isoformat()
    record(verb, evening, user=user, club=evening.club_id, name=day, **details)
