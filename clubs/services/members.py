"""Members of a club: guest players, roles, names, leaving.

Every change locks the club, so that two organisers cannot remove each other at the same moment.
"""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken
from msgspec import UNSET, Struct, UnsetType

from audit.services.recording import record
from audit.verbs import Verb
from clubs.models import Club, Membership, Role
from clubs.services.permissions import expect_organiser, find, locked, organised_club
from core.cleaning import clean_member_name, field_error
from core.errors import InvalidInput, NotFound
from core.inputs import Input, column, field, validate_fields
from core.search_text import plain_name, same_name
from rulebook.ruleset import Problem
from warbands.models import Warband
from warbands.news import announce
from warbands.signed import create_signed, save_signed, update_signed

ROLE_VERBS = {
    Role.ORGANISER: Verb.MADE_ORGANISER,
    Role.PLAYER: Verb.MADE_PLAYER,
    Role.SPECTATOR: Verb.MADE_SPECTATOR,
}

LONGEST_NAME = 80
"""The most characters of a member's name."""
NAME = column(Membership, "name", _("Name"), min_length=1, line=True)


class Guest(Input, frozen=True, kw_only=True):
    """A player without an account."""

    name: Annotated[str, NAME]


class MemberEdit(Input, frozen=True, kw_only=True):
    """Changes of a member: members change their own name, organisers name and role."""

    name: Annotated[str | UnsetType, NAME] = UNSET
    role: Annotated[Role | UnsetType, field(_("Role"))] = UNSET


@transaction.atomic
def add_guest(*, club_id: UUID, user: User, name: str) -> Membership:
    """Add a player without an account, and return the member.

    Organisers keep the guest's warbands until someone takes over the membership.
    """
    club = organised_club(club_id, user)
    member = create_signed(Membership, club=club, name=free_name(club, name), role=Role.PLAYER)
    record(Verb.GUEST_ADDED, member, user=user, club=club_id)
    return member


@transaction.atomic
def add_guests(*, club_id: UUID, user: User, names: Sequence[str]) -> list[Membership]:
    """Add several players without an account, all or none of them; return the members."""
    return [add_guest(club_id=club_id, user=user, name=name) for name in names]


@transaction.atomic
def change_role(*, member_id: UUID, user: User, role: str) -> Membership:
    """Change a member's role and return the member.

    Raises InvalidInput "last-organiser" and "guest-plays" (a guest can only be a player).
    """
    member = _organised_member(member_id, user)
    former = member.role
    member.role = validate_fields(MemberEdit, {"role": role})["role"]
    if member.vacant and member.role not in (Role.PLAYER, former):
        raise field_error(
            "role",
            "guest-plays",
            gettext(
                "A guest player can only have the role of player. Invite them to create an "
                "account first."
            ),
        )
    if member.role != Role.ORGANISER:
        _step_down(member)
    if member.role != former:
        promoted = member.role == Role.ORGANISER and member.user_id != user.pk
        member.promotion = uuid4() if promoted else None
    save_signed(member, "role", "promotion")
    if member.role != former:
        record(ROLE_VERBS[Role(member.role)], member, user=user, club=member.club_id)
        announce("member", member.pk)
    return member


@transaction.atomic
def appoint_organiser(*, club_id: UUID, username: str) -> Membership:
    """Make a member an organiser, for the host of the installation, and return the member.

    For clubs whose last organiser has vanished. The activity log names no account for it. Raises
    NotFound "unknown-club" or "unknown-member" (no present member with an active account).
    """
    club = find(locked(Club.objects.all()), club_id, "club")
    member = Membership.objects.present().filter(
        club=club, user__username=username, user__is_active=True
    )
    appointed = member.with_accounts().first()
    if appointed is None or appointed.vacant:
        raise NotFound(
            "unknown-member",
            f"{club.name} has no member with the active account “{username}”.",
            field="member",
        )
    if appointed.role != Role.ORGANISER:
        appointed.role, appointed.promotion = Role.ORGANISER, uuid4()
        save_signed(appointed, "role", "promotion")
        record(Verb.MADE_ORGANISER, appointed, user=None, club=club.pk)
        announce("member", appointed.pk)
    return appointed


@transaction.atomic
def rename_member(*, member_id: UUID, user: User, name: str) -> Membership:
    """Rename a member, as an organiser or the member; return the member.

    Raises InvalidInput "name-taken".
    """
    member = _own_or_organised_member(member_id, user)
    member.name = free_name(member.club, name, member)
    save_signed(member, "name")
    record(Verb.MEMBER_RENAMED, member, user=user, club=member.club_id)
    return member


class EnrolledWarband(Struct, frozen=True):
    """A warband that must be withdrawn before its member can leave the club."""

    warband: UUID
    name: str
    campaign: UUID
    campaign_name: str


class RemovalPreview(Struct, frozen=True):
    """The effect of a member's leaving or removal."""

    name: str
    problems: tuple[Problem, ...]
    """The problems that prevent it, each with its solution."""
    enrolled: tuple[EnrolledWarband, ...]
    """Warbands in campaigns that have not ended: they must be withdrawn first."""
    name_stays: bool
    """True if the name stays in standings and journals.

    A member who has done nothing leaves no trace.
    """
    kept_for_guests: int
    """The number of guests' warbands that the member keeps and that another organiser will keep."""
    heir_name: str
    """The name of that organiser; "" if the member is not an organiser, or the only one."""


def preview_removal(*, member_id: UUID, user: User) -> RemovalPreview:
    """Return the effect of a member's leaving or removal; write nothing.

    Raises NotFound, Forbidden.
    """
    member = _own_or_organised_member(member_id, user, lock=False)
    problems, heir = [], None
    for check in (_refuse_enrolled, _heir):
        try:
            heir = check(member)
        except InvalidInput as refused:
            problems.append(Problem(refused.code, refused.sentence, field=refused.field))
    current = (
        member.enrolments.current()
        .select_related("warband", "campaign")
        .order_by("warband__name", "pk")
    )
    return RemovalPreview(
        name=member.name,
        problems=tuple(problems),
        enrolled=tuple(
            EnrolledWarband(
                each.warband_id, each.warband.name, each.campaign_id, each.campaign.name
            )
            for each in current
        ),
        name_stays=_has_a_past(member),
        kept_for_guests=_kept_by(member).count() if member.role == Role.ORGANISER else 0,
        heir_name=heir.name if heir else "",
    )


@transaction.atomic
def remove_member(*, member_id: UUID, user: User) -> None:
    """Remove a member from the club, as the member or an organiser.

    A member who has played or written into a journal stays without an account. Raises InvalidInput
    "last-organiser", and "warbands-enrolled" while warbands of the member are in a campaign.
    """
    member = _own_or_organised_member(member_id, user)
    _refuse_enrolled(member)
    _step_down(member)
    left = member.user_id == user.pk
    guest = member.name if member.user_id is None else ""
    verb = Verb.MEMBER_LEFT if left else Verb.MEMBER_REMOVED
    record(verb, member, user=user, club=member.club_id, name=guest)
    # A bot that is added again starts without tokens.
    AuthToken.objects.filter(user=member.user_id, user__club_bot__club=member.club_id).delete()
    if not _has_a_past(member):
        member.delete()
        return
    member.user, member.role, member.left_at = None, Role.PLAYER, timezone.now()
    save_signed(member, "user", "role", "left_at")
    member.invitations.all().delete()
    member.merges.all().delete()


def free_name(club: Club, name: str, member: Membership | None = None) -> str:
    """Return the cleaned name, if no other member has it. Raises InvalidInput "name-taken"."""
    name = clean_member_name("name", name)
    if not name:
        raise field_error("name", "too-short", gettext("Enter a value."))
    others = club.memberships.values_list("pk", "name")
    if any(same_name(name, other) for key, other in others if member is None or key != member.pk):
        raise field_error(
            "name",
            "name-taken",
            gettext("The club already has a member called %(name)s. Choose another name.")
            % {"name": name},
            name,
        )
    return name


def free_variant(club_id: UUID, name: str, member: Membership | None = None) -> str:
    """Return the name, with a number if another member has it."""
    others = Membership.objects.filter(club=club_id)
    if member is not None:
        others = others.exclude(pk=member.pk)
    taken = {plain_name(other).casefold() for other in others.values_list("name", flat=True)}
    number, variant = 1, name
    while plain_name(variant).casefold() in taken:
        number += 1
        variant = f"{name[: LONGEST_NAME - 6]} {number}"
    return variant


def _visible_member(member_id: UUID, user: User, *, lock: bool = True) -> Membership:
    """Return the member, with the club locked.

    The member is read again after the lock, since another change may have come first.
    """
    member = find(Membership.objects.visible_to(user), member_id, "member")
    clubs = Club.objects.all()
    club = find(locked(clubs) if lock else clubs, member.club_id, "club")
    member = find(club.memberships.with_accounts(), member_id, "member")
    member.club = club
    return member


def _organised_member(member_id: UUID, user: User) -> Membership:
    member = _visible_member(member_id, user)
    expect_organiser(member.club_id, user)
    return member


def _own_or_organised_member(member_id: UUID, user: User, *, lock: bool = True) -> Membership:
    member = _visible_member(member_id, user, lock=lock)
    if member.user_id != user.pk:
        expect_organiser(member.club_id, user)
    return member


def _step_down(member: Membership) -> None:
    """Give the warbands that an organiser keeps to another one.

    Raises InvalidInput "last-organiser" if there is no other.
    """
    heir = _heir(member)
    if heir is not None:
        update_signed(_kept_by(member), keeper=heir.user)


def _heir(member: Membership) -> Membership | None:
    """Return the organiser who takes over from this one; None if this one is not an organiser.

    Raises InvalidInput "last-organiser".
    """
    organisers = member.club.memberships.filter(role=Role.ORGANISER).order_by("joined_at", "pk")
    if not organisers.filter(pk=member.pk).exists():
        return None
    # Nobody can sign in as a placeholder of an imported archive or as the club's bot.
    people = organisers.filter(user__is_active=True, user__club_bot=None)
    heir = people.exclude(pk=member.pk).first()
    if heir is None:
        raise InvalidInput(
            "last-organiser",
            gettext("A club needs an organiser. Make another member an organiser first."),
            field="role",
        )
    return heir


def _kept_by(member: Membership) -> QuerySet[Warband]:
    """Return the warbands in the club's campaigns that an organiser keeps."""
    kept = Warband.objects.filter(
        keeper=member.user, keeper__isnull=False, enrolments__campaign__club=member.club
    )
    return Warband.objects.filter(pk__in=kept.values("pk"))


def _has_a_past(member: Membership) -> bool:
    """Return whether enrolments, journals, battles or warbands' history name the member."""
    rows = (
        member.enrolments,
        member.journal_entries,
        member.given_warbands,
        member.substituted_sides,
    )
    return any(each.exists() for each in rows)


def _refuse_enrolled(member: Membership) -> None:
    open_ones = list(member.enrolments.current().select_related("campaign", "warband"))
    if not open_ones:
        return
    named = ", ".join(f"{enrolment.warband} in {enrolment.campaign}" for enrolment in open_ones[:5])
    raise InvalidInput(
        "warbands-enrolled",
        gettext(
            "%(name)s is still playing %(named)s. Withdraw these warbands first, or finish the "
            "campaign."
        )
        % {"name": member.name, "named": named},
    )
