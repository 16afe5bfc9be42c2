"""Transfers of warbands: offers to a new player, and their outcomes."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaigns import Campaign
from clubs.models.clubs import Membership
from core.display_names import display_name
from core.queries import ids_of_any
from core.users import User
from warbands.models import Warband
from warbands.signed import Signed, set_null_signed


class HandOverState(models.TextChoices):
    """The stages of a transfer."""

    OFFERED = "offered", _("Offered")
    DONE = "done", _("Done")
    DECLINED = "declined", _("Declined")
    WITHDRAWN = "withdrawn", _("Withdrawn")


class HandOverQuerySet(models.QuerySet["HandOver"]):
    """Transfers that users can see."""

    def offered(self) -> Self:
        """Return the offers that wait for an answer."""
        return self.filter(state=HandOverState.OFFERED)

    def done(self) -> Self:
        """Return the transfers that took effect."""
        return self.filter(state=HandOverState.DONE)

    def visible_to(self, user: User) -> Self:
        """Return the transfers that the user can see.

        These are the user's own on either side, all of warbands that the user can change, and the
        completed ones of visible warbands.
        """
        if not user.is_authenticated:
            return self.none()
        every = HandOver.objects
        return self.filter(
            pk__in=ids_of_any(
                every.filter(receiver=user.pk),
                every.filter(giver=user.pk),
                every.filter(made_by=user.pk),
                every.filter(
                    state=HandOverState.DONE,
                    warband__in=Warband.objects.all_visible_to(user).values("pk"),
                ),
                every.filter(warband__in=Warband.objects.all_editable_by(user).values("pk")),
            )
        )


class HandOver(Signed):
    """A warband that is offered to another player, or that was transferred.

    ``giver`` and ``receiver`` are accounts. They are None for a player without an account, who is
    known by the membership in the club (``giver_seat``, ``receiver_seat``). They are
    members of the club of its campaign, if the warband was in one.
    """

    signed = (
        "warband",
        "giver",
        "giver_seat",
        "receiver",
        "receiver_seat",
        "made_by",
        "campaign",
        "state",
        "made_at",
        "settled_at",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    warband = models.ForeignKey(Warband, models.CASCADE, related_name="hand_overs")
    giver = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    giver_seat = models.ForeignKey(
        Membership, set_null_signed, null=True, blank=True, related_name="given_warbands"
    )
    receiver = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    receiver_seat = models.ForeignKey(
        Membership, set_null_signed, null=True, blank=True, related_name="+"
    )
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    """The owner who offered it, or the organiser who transferred it."""
    campaign = models.ForeignKey(Campaign, set_null_signed, null=True, blank=True, related_name="+")
    """The campaign that the warband was in at the transfer."""
    state = models.CharField(max_length=10, choices=HandOverState, default=HandOverState.OFFERED)
    made_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    """When it took effect, was declined or was withdrawn."""

    objects = HandOverQuerySet.as_manager()

    class Meta:
        ordering = ("-made_at", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("warband",),
                condition=Q(state="offered"),
                name="one_offer_of_a_warband_at_a_time",
            ),
        )

    def __str__(self) -> str:
        return str(self.warband)

    @property
    def giver_name(self) -> str:
        """The former player's name in the club, or else in the account. No query if loaded."""
        return self.giver_seat.name if self.giver_seat else display_name(self.giver)

    @property
    def receiver_name(self) -> str:
        """The new player's name in the club, or else in the account. No query if loaded."""
        return self.receiver_seat.name if self.receiver_seat else display_name(self.receiver)
