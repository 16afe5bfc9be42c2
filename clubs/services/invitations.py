"""Invitations: links with a secret, recognised by its SHA-256.

Organisers can show a link as often as they like.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.services.recording import record
from audit.verbs import Verb
from clubs.models import Club, Invitation, Membership, Role
from clubs.services.clubs import account_name
from clubs.services.members import free_name
from clubs.services.permissions import find, locked, organised_club
from core.cleaning import clean_number, field_error
from core.errors import InvalidInput, NotFound
from core.inputs import Input, column, field, validate_fields
from core.secret_links import INVITATIONS, digest_of, fresh_secret, sealed_secret
from core.users import expect_person
from warbands.models import Warband
from warbands.signed import create_signed, save_signed, update_signed

MAX_USES = 100
MAX_DAYS = 90


class Invite(Input, frozen=True, kw_only=True, rename={"seat_id": "seat"}):
    """The terms of an invitation link."""

    role: Annotated[Role, field(_("Role"))] = Role.PLAYER
    seat_id: Annotated[
        UUID | None,
        field(
            _("Guest player"),
            _("The new member takes over this player's name, warbands and battles."),
            api="The guest player that the new member takes over.",
        ),
    ] = None
    uses: Annotated[
        int,
        field(
            _("Maximum uses"),
            _("A link for an organiser or a guest player can only be used once."),
            ge=1,
            le=MAX_USES,
        ),
    ] = 1
    days: Annotated[
        int,
        field(
            _("Valid for (days)"), api="The number of days that the link works.", ge=1, le=MAX_DAYS
        ),
    ] = 14


class Accept(Input, frozen=True, kw_only=True):
    """The secret of a link, and a name in the club."""

    secret: Annotated[str, field(min_length=1, max_length=200)]
    name: Annotated[
        str,
        column(
            Membership,
            "name",
            _("Your name in the club"),
            _("Leave blank to use your account name."),
            line=True,
        ),
    ] = ""


@dataclass(frozen=True)
class NewInvitation:
    """A new invitation and its secret."""

    invitation: Invitation
    secret: str


@transaction.atomic
def invite(
    *,
    club_id: UUID,
    user: User,
    role: str = Role.PLAYER,
    seat_id: UUID | None = None,
    uses: int = 1,
    days: int = 14,
) -> NewInvitation:
    """Create a link into the club for ``uses`` people and ``days`` days; return it.

    ``uses`` are 1 to 100, ``days`` 1 to 90. With ``seat_id``, the person who accepts takes over
    that player without an account, together with the warbands kept for the player. Such a link, and
    one for an organiser, can be used only once. Raises NotFound, Forbidden, InvalidInput.
    """
    club = organised_club(club_id, user)
    seat = None if seat_id is None else _free_seat(club, seat_id)
    role = validate_fields(Invite, {"role": role})["role"] if seat is None else seat.role
    once = seat is not None or role == Role.ORGANISER
    uses = clean_number("uses", uses, least=1, most=1 if once else MAX_USES)
    expires_at = timezone.now() + timedelta(**validate_fields(Invite, {"days": days}))
    secret = fresh_secret()
    invitation = Invitation.objects.create(
        club=club,
        digest=digest_of(secret),
        sealed=sealed_secret(secret, INVITATIONS),
        role=role,
        seat=seat,
        uses_left=uses,
        expires_at=expires_at,
        created_by=user,
    )
    if seat is None:
        record(
            Verb.INVITATION_MADE,
            invitation,
            user=user,
            club=club_id,
            name="",
            role=role,
            uses=uses,
            days=days,
        )
    else:
        record(Verb.SEAT_OFFERED, seat, user=user, club=club_id, days=days)
    return NewInvitation(invitation, secret)


@transaction.atomic
def revoke_invitation(*, invitation_id: UUID, user: User) -> None:
    """Revoke a link. Raises NotFound if the user does not organise the club."""
    invitation = find(Invitation.objects.visible_to(user), invitation_id, "invitation")
    record(
        Verb.INVITATION_WITHDRAWN,
        invitation,
        user=user,
        club=invitation.club_id,
        name="",
        role=invitation.role,
    )
    invitation.delete()


def find_invitation(secret: str) -> Invitation:
    """Return the invitation of a link with its club and seat, to show what it offers.

    Raises NotFound "unknown-invitation", InvalidInput "invitation-expired" or "invitation-used-up".
    """
    invitation = (
        Invitation.objects.select_related("club", "seat").filter(digest=digest_of(secret)).first()
    )
    return _usable(invitation)


@transaction.atomic
def accept_invitation(*, secret: str, user: User, name: str = "") -> Membership:
    """Accept an invitation and return the new membership.

    ``name`` is the name in the club, by default the account's. Raises NotFound
    "unknown-invitation", InvalidInput "invitation-expired", "invitation-used-up", "already-member",
    "name-taken"; Forbidden "people-only" for a bot.
    """
    expect_person(user)
    club = find(locked(Club.objects.all()), find_invitation(secret).club_id, "club")
    # Read it again after the lock: someone may have used the last use of the link meanwhile.
    invitation = _usable(locked(Invitation.objects.all()).filter(digest=digest_of(secret)).first())
    member_already = club.memberships.filter(user=user).first()
    if member_already is not None:
        raise InvalidInput("already-member", already_member(invitation, member_already))
    if invitation.seat is not None:
        # Record this before the guest's row changes.
        record(Verb.SEAT_TAKEN, invitation.seat, user=user, club=club.pk, person=user.pk)
        return _take_seat(invitation.seat, user)
    invitation.uses_left -= 1
    invitation.save(update_fields=["uses_left"])
    name = free_name(club, name or account_name(user))
    member = create_signed(Membership, club=club, user=user, name=name, role=invitation.role)
    record(Verb.INVITATION_ACCEPTED, member, user=user, club=club.pk, role=invitation.role)
    return member


def already_member(invitation: Invitation, member: Membership) -> str:
    """Return why a member cannot accept the invitation, and what to do instead.

    A link never merges two members.
    """
    named = {"club": invitation.club, "name": member.name}
    if invitation.seat is None:
        return (
            gettext("You are already in %(club)s, as %(name)s. An organiser can change your role.")
            % named
        )
    named["seat"] = invitation.seat.name
    return (
        gettext(
            "You are already in %(club)s, as %(name)s. If you are also %(seat)s, ask an "
            "organiser to merge the two members."
        )
        % named
    )


def _usable(invitation: Invitation | None) -> Invitation:
    if invitation is None:
        raise NotFound(
            "unknown-invitation",
            gettext("This link does not work: it is mistyped or was revoked. Ask for a new one."),
        )
    if invitation.uses_left < 1:
        raise InvalidInput(
            "invitation-used-up",
            gettext("This link has no uses left. Ask for a new one."),
        )
    if timezone.now() >= invitation.expires_at:
        raise InvalidInput(
            "invitation-expired", gettext("This link has expired. Ask for a new one.")
        )
    return invitation


def _free_seat(club: Club, seat_id: UUID) -> Membership:
    seat = find(club.memberships.all(), seat_id, "seat")
    if not seat.vacant:
        raise field_error(
            "seat",
            "seat-taken",
            gettext("%(name)s already has an account. Invite a new member instead.")
            % {"name": seat.name},
        )
    return seat


def _take_seat(seat: Membership, user: User) -> Membership:
    """Give a guest's membership and its warbands to the user."""
    # A placeholder of an imported archive may be in other clubs too: move only what belongs to this
    # membership.
    former = Q(owner=None) if seat.user is None else Q(owner=None) | Q(owner=seat.user)
    played = seat.enrolments.values("warband")
    update_signed(Warband.objects.filter(former, pk__in=played), owner=user, keeper=None)
    seat.user, seat.left_at = user, None
    save_signed(seat, "user", "left_at")
    seat.invitations.all().delete()
    return seat
