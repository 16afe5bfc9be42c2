"""Leave all clubs when an account is deleted (docs/decisions/campaigns.md)."""

from collections.abc import Iterable
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct

from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import Campaign, Enrolment, HandOver, HandOverState, JournalEntry
from clubs.models import Attendance, CalendarLink, Club, Invitation, Membership, Role
from clubs.services.members import free_variant
from clubs.services.permissions import locked
from core.errors import InvalidInput
from core.users import Visibility
from rulebook.ruleset import Problem
from warbands.services.account_deletion import warbands_of
from warbands.signed import save_signed, update_signed


class ClubLeft(Struct, frozen=True):
    """A club of a user who deletes their account, and what happens to it."""

    id: UUID
    name: str
    called: str
    """The user's name in the club."""
    heir: int | None
    """The account that will keep warbands in a campaign: the longest-standing other organiser."""
    heir_name: str
    needs_organiser: bool
    """True if another member must be made an organiser first."""
    empty: bool
    """True if no other member with an account is in it. Then nobody can see the club any more."""


class WarbandLeft(Struct, frozen=True):
    """A leaving user's warband in a running campaign, and the organiser who will keep it."""

    id: UUID
    name: str
    campaign: str
    keeper: int
    keeper_name: str


def clubs_left(user: User) -> tuple[ClubLeft, ...]:
    """Return the clubs of the user. Two queries."""
    memberships = list(
        Membership.objects.filter(user=user).select_related("club").order_by("club__name", "club")
    )
    others: dict[UUID, list[Membership]] = {member.club_id: [] for member in memberships}
    people = Membership.objects.filter(user__is_active=True, user__club_bot=None)
    rest = people.filter(club__in=others).exclude(user=user)
    for other in rest.order_by("joined_at", "pk"):
        others[other.club_id].append(other)
    return tuple(_club_left(member, others[member.club_id]) for member in memberships)


def _club_left(member: Membership, others: list[Membership]) -> ClubLeft:
    heir = next((other for other in others if other.role == Role.ORGANISER), None)
    return ClubLeft(
        id=member.club_id,
        name=member.club.name,
        called=member.name,
        heir=heir.user_id if heir else None,
        heir_name=heir.name if heir else "",
        needs_organiser=bool(others) and heir is None,
        empty=not others,
    )


def warbands_left(user: User, clubs: Iterable[ClubLeft]) -> tuple[WarbandLeft, ...]:
    """Return the warbands that the user owns or keeps and that are in campaigns of these clubs.

    One query.
    """
    club_by_id = {club.id: club for club in clubs if club.heir}
    rows = Enrolment.objects.current().filter(
        warband__in=warbands_of(user), campaign__club__in=club_by_id
    )
    rows = rows.select_related("warband", "campaign").order_by("warband__name", "pk")
    with_club = [(row, club_by_id[row.campaign.club_id]) for row in rows]
    return tuple(
        WarbandLeft(row.warband_id, row.warband.name, row.campaign.name, club.heir, club.heir_name)
        for row, club in with_club
        if club.heir is not None
    )


def expect_organisers(clubs: Iterable[ClubLeft]) -> None:
    """Raise InvalidInput "last-organiser" with a problem for each club without another one."""
    orphaned = [club for club in clubs if club.needs_organiser]
    if orphaned:
        sentence = gettext(
            "%(club)s has no other organiser. Make another member an organiser first."
        )
        problems = [
            Problem("last-organiser", sentence % {"club": club.name}, value=str(club.id))
            for club in orphaned
        ]
        raise InvalidInput(
            "last-organiser", " ".join(problem.sentence for problem in problems), problems=problems
        )


@transaction.atomic
def leave_clubs(*, user: User, name: str | None) -> tuple[WarbandLeft, ...]:
    """Leave every club, and return the warbands that the clubs' organisers keep from now on.

    Memberships without enrolments, journal entries, transfers or substitutions are deleted. The
    others are renamed to ``name``, or keep their names if it is None. The membership of a player in
    a running campaign becomes that of a guest player. Raises InvalidInput "last-organiser".
    """
    joined = Membership.objects.filter(user=user).values("club")
    # Clubs are locked in the order of their ids, as everywhere, to avoid deadlocks. They are read
    # after the lock because they may have changed before it.
    list(locked(Club.objects.filter(pk__in=joined)).order_by("pk"))
    clubs = clubs_left(user)
    expect_organisers(clubs)
    kept = warbands_left(user, clubs)
    for member in (
        Membership.objects.filter(user=user).select_related("club", "user").order_by("club")
    ):
        _leave_seat(member, name)
    empty = [club.id for club in clubs if club.empty]
    update_signed(Campaign.objects.filter(club__in=empty), visibility=Visibility.PRIVATE)
    update_signed(Club.objects.filter(pk__in=empty), visibility=Visibility.PRIVATE)
    Invitation.objects.filter(club__in=empty).update(uses_left=0)
    CalendarLink.objects.filter(user=user).delete()
    offers = HandOver.objects.offered().filter(Q(giver=user) | Q(receiver=user))
    update_signed(offers, state=HandOverState.WITHDRAWN, settled_at=timezone.now())
    return kept


def _leave_seat(member: Membership, name: str | None) -> None:
    record(Verb.MEMBER_LEFT, member, user=member.user, club=member.club_id)
    played = Enrolment.objects.filter(player=member)
    wrote = JournalEntry.objects.filter(author=member)
    others = (member.given_warbands, member.substituted_sides)
    if not (played.exists() or wrote.exists() or any(each.exists() for each in others)):
        member.delete()
        return
    member.user, member.role = None, Role.PLAYER
    member.left_at = None if played.current().exists() else timezone.now()
    if name is not None:
        member.name = free_variant(member.club_id, name, member)
    save_signed(member, "user", "role", "left_at", "name")
    member.invitations.all().delete()
    # Merges hold names of former guests, and cannot be undone without the account.
    member.merges.all().delete()
    Attendance.objects.filter(member=member, evening__starts_at__gt=timezone.now()).delete()
