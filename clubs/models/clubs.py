"""Clubs, who belongs to them, and how one joins."""

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
    """What a member may do in a club."""

    ORGANISER = "organiser", _("Organiser: runs campaigns, keeps warbands, decides disputes")
    PLAYER = "player", _("Player: brings a warband, logs battles")
    SPECTATOR = "spectator", _("Spectator: looks on")


class BattlesRunBy(models.TextChoices):
    """Who plans, logs and submits battles of a club's campaigns."""

    THOSE_WHO_PLAY = "those-who-play", _("Organisers, and whoever plays in the battle")
    EVERY_PLAYER = "every-player", _("Every player of the club, also battles between two others")


def clubs_of(user: User, *roles: Role) -> models.QuerySet["Membership", Any]:
    """The ids of the clubs that a signed-in user belongs to, as a subquery; with roles: in one of
    these roles."""
    mine = Membership.objects.filter(user=user.pk, user__isnull=False)
    return (mine.filter(role__in=roles) if roles else mine).values("club")


def clubs_run_by(user: User) -> models.QuerySet["Membership", Any]:
    """The ids of the clubs in which a signed-in user may run battles between others, as a
    subquery."""
    lets_players = Q(role=Role.PLAYER, club__battles_run_by=BattlesRunBy.EVERY_PLAYER)
    return Membership.objects.filter(Q(role=Role.ORGANISER) | lets_players, user=user.pk).values(
        "club"
    )


class ClubQuerySet(models.QuerySet["Club"]):
    """Who may see and run clubs."""

    def visible_to(self, user: User) -> Self:
        """Public and unlisted clubs, and one's own.

        Asks each club: right for one. For a whole list see ``listed_for``.
        """
        if not user.is_authenticated:
            return self.filter(OPEN_TO_ALL)
        return self.filter(OPEN_TO_ALL | Q(pk__in=clubs_of(user)))

    def listed_for(self, user: User) -> Self:
        """What a list shows: as ``visible_to``, without what is merely unlisted."""
        if not user.is_authenticated:
            return self.public()
        return self.filter(pk__in=ids_of_any(Club.objects.public(), clubs_of(user)))

    def public(self) -> Self:
        """Those that everybody may see listed."""
        return self.filter(visibility=Visibility.PUBLIC)

    def known_to(self, user: User) -> Self:
        """Those that one sees whether they are public or not: one's own."""
        return self.filter(pk__in=clubs_of(user)) if user.is_authenticated else self.none()

    def editable_by(self, user: User) -> Self:
        """Clubs that the user organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(pk__in=clubs_of(user, Role.ORGANISER))


def installation_time_zone() -> str:
    """The time zone of the installation: that of a club which names no other."""
    return settings.TIME_ZONE


class Club(Searchable, Signed):
    """People who play together."""

    signed = ("name", "visibility", "time_zone", "battles_run_by")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100)
    story = models.TextField(blank=True, default="")
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PRIVATE)
    time_zone = models.CharField(max_length=64, default=installation_time_zone)
    """The IANA name of the zone by whose clocks the club plays."""
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
"""Of a membership: nobody can sign in for it."""


class MembershipQuerySet(models.QuerySet["Membership"]):
    """Who may see and change the members of clubs."""

    def present(self) -> Self:
        """Without those who have left the club."""
        return self.filter(left_at__isnull=True)

    def vacant(self) -> Self:
        """Those for whom nobody can sign in: guests, and placeholders of an imported archive."""
        return self.filter(VACANT)

    def with_accounts(self) -> Self:
        """With what ``Membership.vacant`` asks for, so that it costs no query."""
        return self.select_related("user__archived_person")

    def visible_to(self, user: User) -> Self:
        """The members of clubs that one can see."""
        return self.filter(club__in=Club.objects.visible_to(user))

    def editable_by(self, user: User) -> Self:
        """Oneself, and the members of clubs that one organises."""
        if not user.is_authenticated:
            return self.none()
        organised = Membership.objects.filter(club__in=clubs_of(user, Role.ORGANISER))
        return self.filter(pk__in=ids_of_any(Membership.objects.filter(user=user.pk), organised))


class Membership(Searchable, Signed):
    """Somebody in a club, under the name used there. Without a user: a player who has no account
    (yet), or who left."""

    signed = ("club", "user", "name", "role", "left_at")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="memberships"
    )
    name = models.CharField(max_length=80)
    role = models.CharField(max_length=10, choices=Role, default=Role.PLAYER)
    promotion = models.UUIDField(null=True, blank=True, editable=False)
    """Names the occasion on which another organiser made the member an organiser, for the card that
    says so."""
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)
    """Who has played and left keeps the seat, without the account, so that tables and chronicles
    keep the name."""

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
        """Whether nobody can sign in for it, so that it can be offered to somebody."""
        return self.user is None or is_placeholder(self.user)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Invitations are the organisers' own affair."""

    def visible_to(self, user: User) -> Self:
        """The invitations of clubs that one organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(club__in=clubs_of(user, Role.ORGANISER))


class Invitation(models.Model):
    """A link that lets somebody join a club, or take over the seat of a player without an
    account."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the link's secret, by which the link is known again."""
    sealed = models.BinaryField(default=b"", editable=False)
    """The secret under the installation's key, to be shown to organisers again; empty for links of
    older times."""
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
        """The secret of its link, for its organisers' eyes; "" if it was not kept, or the site has
        another key."""
        return opened_secret(self.sealed, INVITATIONS)

    def usable(self, now: datetime) -> bool:
        """Whether somebody can still join by it."""
        return self.uses_left > 0 and now < self.expires_at
