"""Clubs, who belongs to them, and the campaigns that they run."""

import secrets
import uuid
from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from warbands.models import User, Visibility, Warband


class Role(models.TextChoices):
    """What a member may do in a club."""

    ORGANISER = "organiser", "Organiser: runs campaigns, keeps warbands, decides disputes"
    PLAYER = "player", "Player: brings a warband, logs battles"
    SPECTATOR = "spectator", "Spectator: looks on"


def clubs_of(user: User, *roles: Role) -> models.QuerySet["Membership", Any]:
    """The ids of the clubs that a signed-in user belongs to, as a subquery; with roles: in one of these roles."""
    mine = Membership.objects.filter(user=user.pk, user__isnull=False)
    return (mine.filter(role__in=roles) if roles else mine).values("club")


class ClubQuerySet(models.QuerySet["Club"]):
    """Who may see and run clubs."""

    def visible_to(self, user: User) -> Self:
        """Public and unlisted clubs, and one's own."""
        open_to_all = Q(visibility__in=(Visibility.PUBLIC, Visibility.UNLISTED))
        if not user.is_authenticated:
            return self.filter(open_to_all)
        return self.filter(open_to_all | Q(pk__in=clubs_of(user)))

    def listed_for(self, user: User) -> Self:
        """What a list shows: as ``visible_to``, without what is merely unlisted."""
        if not user.is_authenticated:
            return self.filter(visibility=Visibility.PUBLIC)
        return self.filter(Q(visibility=Visibility.PUBLIC) | Q(pk__in=clubs_of(user)))

    def editable_by(self, user: User) -> Self:
        """Clubs that the user organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(pk__in=clubs_of(user, Role.ORGANISER))


class Club(models.Model):
    """People who play together."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100)
    story = models.TextField(blank=True, default="")
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PRIVATE)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ClubQuerySet.as_manager()

    class Meta:
        ordering = ("name", "id")

    def __str__(self) -> str:
        return self.name


class MembershipQuerySet(models.QuerySet["Membership"]):
    """Who may see and change the members of clubs."""

    def present(self) -> Self:
        """Without those who have left the club."""
        return self.filter(left_at__isnull=True)

    def visible_to(self, user: User) -> Self:
        """The members of clubs that one can see."""
        return self.filter(club__in=Club.objects.visible_to(user))

    def editable_by(self, user: User) -> Self:
        """Oneself, and the members of clubs that one organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(Q(user=user) | Q(club__in=clubs_of(user, Role.ORGANISER)))


class Membership(models.Model):
    """Somebody in a club, under the name used there. Without a user: a player who has no account (yet), or who left."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="memberships"
    )
    name = models.CharField(max_length=80)
    role = models.CharField(max_length=10, choices=Role, default=Role.PLAYER)
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)
    """Who has played and left keeps the seat, without the account, so that tables and chronicles keep the name."""

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ("club", "name", "id")
        constraints = (
            models.UniqueConstraint(fields=("club", "user"), name="member_once_per_club"),
            models.UniqueConstraint(fields=("club", "name"), name="member_name_once_per_club"),
            models.CheckConstraint(
                condition=Q(user__isnull=False) | Q(role=Role.PLAYER), name="only_players_lack_an_account"
            ),
        )

    def __str__(self) -> str:
        return self.name


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Invitations are the organisers' own affair."""

    def visible_to(self, user: User) -> Self:
        """The invitations of clubs that one organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(club__in=clubs_of(user, Role.ORGANISER))


class Invitation(models.Model):
    """A link that lets somebody join a club, or take over the seat of a player without an account."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the link's secret; the secret itself is shown once and never stored."""
    role = models.CharField(max_length=10, choices=Role, default=Role.PLAYER)
    seat = models.ForeignKey(Membership, models.CASCADE, null=True, blank=True, related_name="invitations")
    uses_left = models.PositiveIntegerField(default=1)
    expires_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")

    def __str__(self) -> str:
        return f"{self.club}: {self.role}"

    def usable(self, now: datetime) -> bool:
        """Whether somebody can still join by it."""
        return self.uses_left > 0 and now < self.expires_at


class CampaignState(models.TextChoices):
    """How far a campaign has come."""

    PLANNED = "planned", "Planned"
    RUNNING = "running", "Running"
    FINISHED = "finished", "Finished"


class Format(models.TextChoices):
    """What kind of linked games a campaign is."""

    LINKED = "linked", "Linked games with progression"
    CLASSIC = "classic", "Classic: three small warbands and a final Skirmish"
    TABLE = "table", "Many warbands and a table (Muster's own)"


class CampaignQuerySet(models.QuerySet["Campaign"]):
    """Who may see and run campaigns."""

    def visible_to(self, user: User) -> Self:
        """Public and unlisted campaigns, and those of one's clubs."""
        open_to_all = Q(visibility__in=(Visibility.PUBLIC, Visibility.UNLISTED))
        if not user.is_authenticated:
            return self.filter(open_to_all)
        return self.filter(open_to_all | Q(club__in=clubs_of(user)))

    def listed_for(self, user: User) -> Self:
        """What a list shows: as ``visible_to``, without what is merely unlisted."""
        if not user.is_authenticated:
            return self.filter(visibility=Visibility.PUBLIC)
        return self.filter(Q(visibility=Visibility.PUBLIC) | Q(club__in=clubs_of(user)))

    def editable_by(self, user: User) -> Self:
        """Campaigns of clubs that the user organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(club__in=clubs_of(user, Role.ORGANISER))


def fresh_seed() -> str:
    """64 hex digits that nobody can guess."""
    return secrets.token_hex(32)


class Campaign(models.Model):
    """Linked games of a club, under one rule system and its house rules."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="campaigns")
    name = models.CharField(max_length=100)
    story = models.TextField(blank=True, default="")
    ruleset = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    format = models.CharField(max_length=10, choices=Format, default=Format.LINKED)
    state = models.CharField(max_length=10, choices=CampaignState, default=CampaignState.PLANNED)
    points = models.PositiveIntegerField()
    """Agreed points of each master roster."""
    games = models.PositiveIntegerField(null=True, blank=True)
    """The set number of games for each warband; None for an open end."""
    house_rules = models.JSONField(default=dict, blank=True)
    """House rules that differ from the defaults."""
    scoring = models.JSONField(default=dict, blank=True)
    """How the table counts: points for a win, draw, loss; tie-breakers in order."""
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PRIVATE)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    scenarios = models.JSONField(default=list, blank=True)
    """The keys of a classic campaign's small games, agreed on or drawn when it starts."""
    dice_seed = models.CharField(max_length=64, default=fresh_seed, editable=False)
    """Where the dice of a classic campaign come from: secret until its orders are revealed."""
    lots = models.JSONField(default=list, blank=True)
    """Every die of a classic campaign as it fell: what it was for, its faces, and the number that came up."""

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")

    def __str__(self) -> str:
        return self.name


class EnrolmentQuerySet(models.QuerySet["Enrolment"]):
    """Who may see and end enrolments."""

    def current(self) -> Self:
        """Those of warbands that are still in the campaign."""
        return self.filter(left_at__isnull=True)

    def visible_to(self, user: User) -> Self:
        """The enrolments of campaigns that one can see."""
        return self.filter(campaign__in=Campaign.objects.visible_to(user))

    def editable_by(self, user: User) -> Self:
        """Those of one's own warbands and of warbands that one keeps, and those of campaigns that one organises."""
        if not user.is_authenticated:
            return self.none()
        organised = Q(campaign__in=Campaign.objects.editable_by(user))
        return self.filter(Q(warband__owner=user) | Q(warband__keeper=user) | organised)


class Enrolment(models.Model):
    """A warband in a campaign, and the member who plays it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="enrolments")
    warband = models.ForeignKey(Warband, models.PROTECT, related_name="enrolments")
    player = models.ForeignKey(Membership, models.PROTECT, related_name="enrolments")
    colour = models.CharField(max_length=7, default="#7a2e2e")
    enrolled_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)
    """When the warband withdrew, or the campaign's end."""
    overruled = models.TextField(blank=True, default="")
    """Why an organiser let the warband in although the rules forbid its roster; empty where they do not."""

    objects = EnrolmentQuerySet.as_manager()

    class Meta:
        ordering = ("campaign", "enrolled_at", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("warband",), condition=Q(left_at__isnull=True), name="warband_in_one_running_campaign"
            ),
            models.UniqueConstraint(fields=("campaign", "warband"), name="warband_once_per_campaign"),
        )

    def __str__(self) -> str:
        return f"{self.warband} in {self.campaign}"


class SealedOrderQuerySet(models.QuerySet["SealedOrder"]):
    """Sealed orders are read by who sealed them, and by nobody else before they are open."""

    def sealed(self) -> Self:
        """Those that wait to be revealed."""
        return self.filter(revealed_at__isnull=True, lapsed_at__isnull=True)

    def sealed_by(self, user: User) -> Self:
        """Those that the user sealed."""
        return self.filter(sealed_by=user.pk) if user.is_authenticated else self.none()


class SealedOrder(models.Model):
    """Which fighters a player of a classic campaign sends into which small game, under seal until all orders are in.

    The plan itself is nowhere in the row but in ``sealed``, encrypted (docs/decisions/sealed-orders.md).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    enrolment = models.OneToOneField(Enrolment, models.CASCADE, related_name="order")
    sealed = models.BinaryField(editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    """SHA-256 of the plan with a secret beside it: anybody can check after the reveal that nothing was exchanged."""
    sealed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    sealed_at = models.DateTimeField()
    lapsed_at = models.DateTimeField(null=True, blank=True)
    """When it turned out that its warband cannot follow it any more; its player has to seal another one."""
    revealed_at = models.DateTimeField(null=True, blank=True)
    text = models.TextField(blank=True, default="", editable=False)
    """What was under the seal, once it is open: the text that the commitment is the SHA-256 of."""

    objects = SealedOrderQuerySet.as_manager()

    class Meta:
        ordering = ("sealed_at", "id")

    def __str__(self) -> str:
        return "a sealed order"
