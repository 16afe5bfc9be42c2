"""Sealed orders of classic campaigns."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from campaigns.models.campaigns import Enrolment
from core.users import User
from warbands.signed import Signed

LAPSED = Q(revealed_at__isnull=True) & (
    Q(lapsed_at__isnull=False)
    | Q(sequence__isnull=False) & ~Q(sequence=F("enrolment__warband__sequence"))
)
"""The same condition as ``SealedOrder.lapsed``, for queries."""


class SealedOrderQuerySet(models.QuerySet["SealedOrder"]):
    """Sealed orders. Only the member who sealed an order can read it before it is revealed."""

    def standing(self) -> Self:
        """Return the orders that are revealed or can be: those that need not be sealed again."""
        return self.exclude(LAPSED)

    def sealed_by(self, user: User) -> Self:
        """Return the orders that the user sealed."""
        return self.filter(sealed_by=user.pk) if user.is_authenticated else self.none()


class SealedOrder(Signed):
    """A player's distribution of fighters to small games, sealed until all orders are in.

    The plan itself is stored only in ``sealed``, encrypted (docs/decisions/campaigns.md).
    """

    signed = (
        "enrolment",
        "commitment",
        "sealed_by",
        "sealed_at",
        "sequence",
        "lapsed_at",
        "revealed_at",
        "text",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    enrolment = models.OneToOneField(Enrolment, models.CASCADE, related_name="order")
    sealed = models.BinaryField(editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    """SHA-256 of the plan together with a secret.

    After the reveal, anyone can check that the plan was not replaced.
    """
    sealed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    sealed_at = models.DateTimeField()
    sequence = models.PositiveIntegerField(null=True, editable=False)
    """The warband's sequence number at the time of sealing; None if it was not recorded."""
    lapsed_at = models.DateTimeField(null=True, blank=True)
    """When it turned out that its warband cannot follow it; the player must seal another one."""
    revealed_at = models.DateTimeField(null=True, blank=True)
    text = models.TextField(blank=True, default="", editable=False)
    """The plan and the secret, once the order is revealed.

    The commitment is the SHA-256 of this text.
    """

    objects = SealedOrderQuerySet.as_manager()

    class Meta:
        ordering = ("sealed_at", "id")

    def __str__(self) -> str:
        return "a sealed order"

    def described(self) -> str:
        """Return which enrolment's order it is."""
        return f"of {self.enrolment}"

    @property
    def lapsed(self) -> bool:
        """True if it must be sealed again because anything has happened to its warband since.

        It lapses whatever it says. Otherwise a change of the roster would reveal whether the order
        names a certain fighter.
        """
        if self.revealed_at is not None:
            return False
        return self.lapsed_at is not None or self.sequence not in (
            None,
            self.enrolment.warband.sequence,
        )
