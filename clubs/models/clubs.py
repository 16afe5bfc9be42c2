"""Clubs, their members, and invitations to join."""

import uuid
from datetime import datetime
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.display_names import is_placeholder
from core.models import Searchable
from core.queries import ids_of_any
from core.secret_links import INVITATIONS, opened_secret
from core.users import OPEN_TO_ALL, User, Visibility
from warbands.signed import Signed


class Role(models.TextChoices):
    """The role of a member, which decides what the member may do in a club."""

    ORGANISER = "organiser", _("Organiser: runs campaigns and decides disputes")
    PLAYER = "player", _("Player: plays a warband and records battles")
    SPECTATOR = "spectator", _("Spectator: view only")


class BattlesRunBy(models.TextChoices):
    """The members who may plan, log and submit battles of a club's campaigns."""

    THOSE_WHO_PLAY = "those-who-play", _("Organisers and the players of the battle")
    EVERY_PLAYER = "every-player", _("Every player of the club")


def clubs_of(user: User, *roles: Role) -> models.QuerySet["Membership", Any]:
    """Return the ids of a signed-in user's clubs as a subquery, optionally only in these roles."""
    mine = Membership.objects.filter(user=user.pk, user__isnull=False)
    return (mine.filter(role__in=roles) if roles else mine).values("club")


def clubs_run_by(user: User) -> models.QuerySet["Membership", Any]:
    """Return the ids of the clubs in which a user may run battles of others, as a subquery."""
    lets_players = Q(role=Role.PLAYER, club__battles_run_by=BattlesRunBy.EVERY_PLAYER)
    return Membership.objects.filter(Q(role=Role.ORGANISER) | lets_players, user=user.pk).values(
        "club"
    )


class ClubQuerySet(models.QuerySet["Club"]):
    """Clubs by what a user may see and change."""

    def visible_to(self, user: User) -> Self:
        """Return public and unlisted clubs, and the user's own.

        It checks each club, which suits a single one. For whole lists use ``listed_for``.
        """
        if not user.is_authenticated:
            return self.filter(OPEN_TO_ALL)
        return self.filter(OPEN_TO_ALL | Q(pk__in=clubs_of(user)))

    def listed_for(self, user: User) -> Self:
        """Return the clubs that a list shows: as ``visible_to``, without other unlisted ones."""
        if not user.is_authenticated:
            return self.public()
        return self.filter(pk__in=ids_of_any(Club.objects.public(), clubs_of(user)))

    def public(self) -> Self:
        """Return the public clubs."""
        return self.filter(visibility=Visibility.PUBLIC)

    def known_to(self, user: User) -> Self:
        """Return the user's own clubs, whatever their visibility."""
        return self.filter(pk__in=clubs_of(user)) if user.is_authenticated else self.none()

    def editable_by(self, user: User) -> Self:
        """Return the clubs that the user organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(pk__in=clubs_of(user, Role.ORGANISER))


def installation_time_zone() -> str:
    """Return the installation's time zone, the default for clubs."""
    return settings.TIME_ZONE


class Club(Searchable, Signed):
    """A group of people who play together."""

    signed = ("name", "visibility", "time_zone", "battles_run_by")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100)
    story = models.TextField(blank=True, default="")
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PRIVATE)
    time_zone = models.CharField(max_length=64, default=installation_time_zone)
    """The IANA name of the club's time zone."""
    battles_run_by = models.CharField(
        max_length=20, choices=BattlesRunBy, default=BattlesRunBy.THOSE_WHO_PLAY
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ClubQuerySet.as_manager()

    class Meta:
        ordering = ("name", "id")
        indexes = (
            models.Index(
                fields=("visibility", "name", "id"),
                condition=OPEN_TO_ALL,
                name="clubs_open_to_all_by_name",
            ),
            models.Index(fields=("name", "id"), name="clubs_by_name"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        """The club's time zone; UTC if this machine does not know it."""
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")


VACANT = Q(user=None) | Q(user__archived_person__placeholder=True)
"""The condition that a membership has no usable account."""


class MembershipQuerySet(models.QuerySet["Membership"]):
    """Members of clubs by what a user may see and change."""

    def present(self) -> Self:
        """Return the members without those who have left the club."""
        return self.filter(left_at__isnull=True)

    def vacant(self) -> Self:
        """Return the members without a usable account: guests and placeholders.

        Placeholders come from an imported archive.
        """
        return self.filter(VACANT)

    def with_accounts(self) -> Self:
        """Select what ``Membership.vacant`` needs, so that it costs no query."""
        return self.select_related("user__archived_person")

    def visible_to(self, user: User) -> Self:
        """Return the members of clubs that the user can see."""
        return self.filter(club__in=Club.objects.visible_to(user))

    def editable_by(self, user: User) -> Self:
        """Return the user's own memberships, and members of clubs that the user organises."""
        if not user.is_authenticated:
            return self.none()
        organised = Membership.objects.filter(club__in=clubs_of(user, Role.ORGANISER))
        return self.filter(pk__in=ids_of_any(Membership.objects.filter(user=user.pk), organised))


class Membership(Searchable, Signed):
    """A person in a club, under a name used there.

    Without a user: a player who has no account (yet), or who left.
    """

    signed = ("club", "user", "name", "role", "left_at")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="memberships"
    )
    name = models.CharField(max_length=80)
    role = models.CharField(max_length=10, choices=Role, default=Role.PLAYER)
    promotion = models.UUIDField(null=True, blank=True, editable=False)
    """The id of the occasion on which another organiser made the member an organiser.

    It identifies the notification about this.
    """
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)
    """When the member left. A member who has played stays without the account.

    Standings and chronicles then keep the name.
    """

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ("club", "name", "id")
        constraints = (
            models.UniqueConstraint(fields=("club", "user"), name="member_once_per_club"),
            models.UniqueConstraint(fields=("club", "name"), name="member_name_once_per_club"),
            models.CheckConstraint(
                condition=Q(user__isnull=False) | Q(role=Role.PLAYER),
                name="only_players_lack_an_account",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def vacant(self) -> bool:
        """Return whether it has no usable account, so that it can be offered to someone."""
        return self.user is None or is_placeholder(self.user)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Invitations, which only organisers see."""

    def visible_to(self, user: User) -> Self:
        """Return the invitations of clubs that the user organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(club__in=clubs_of(user, Role.ORGANISER))


class Invitation(models.Model):
    """A link by which people join a club, or take over a player without an account."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    digest = models.CharField(max_length=64, unique=True)
    """The SHA-256 of the link's secret, by which the link is recognised."""
    sealed = models.BinaryField(default=b"", editable=False)
    """The secret, encrypted with the installation's key, to show it to organisers again.

    Empty for old links.
    """
    role = models.CharField(max_length=10, choices=Role, default=Role.PLAYER)
    seat = models.ForeignKey(
        Membership, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    uses_left = models.PositiveIntegerField(default=1)
    expires_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")

    def __str__(self) -> str:
        return f"{self.club}: {self.role}"

    @property
    def secret(self) -> str:
        """The secret of its link, for organisers.

        It is "" if it was not stored, or if the site's key has changed.
        """
        return opened_secret(self.sealed, INVITATIONS)

    def usable(self, now: datetime) -> bool:
        """Return whether someone can still join with it."""
        return self.uses_left > 0 and now < self.expires_at
