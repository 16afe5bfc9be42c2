"""Sealed orders of classic campaigns."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models

from campaigns.models.campaigns import Enrolment
from warbands.models import User


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
