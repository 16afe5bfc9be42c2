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
"""As ``SealedOrder.lapsed``, for queries."""


class SealedOrderQuerySet(models.QuerySet["SealedOrder"]):
    """Sealed orders are read by who sealed them, and by nobody else before they are open."""

    def standing(self) -> Self:
        """Those that are open, or wait to be: nobody has to seal them again."""
        return self.exclude(LAPSED)

    def sealed_by(self, user: User) -> Self:
        """Those that the user sealed."""
        return self.filter(sealed_by=user.pk) if user.is_authenticated else self.none()


class SealedOrder(Signed):
    """Which fighters a player of a classic campaign sends into which small game, under seal until
    all orders are in.

    The plan itself is nowhere in the row but in ``sealed``, encrypted
    (docs/decisions/sealed-orders.md).
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
    """SHA-256 of the plan with a secret beside it: anybody can check after the reveal that nothing
    was exchanged."""
    sealed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    sealed_at = models.DateTimeField()
    sequence = models.PositiveIntegerField(null=True, editable=False)
    """How far its warband's chronicle had come when it was sealed; None if nobody noted it."""
    lapsed_at = models.DateTimeField(null=True, blank=True)
    """When it turned out that its warband cannot follow it; its player has to seal another one."""
    revealed_at = models.DateTimeField(null=True, blank=True)
    text = models.TextField(blank=True, default="", editable=False)
    """What was under the seal, once it is open: the text that the commitment is the SHA-256 of."""

    objects = SealedOrderQuerySet.as_manager()

    class Meta:
        ordering = ("sealed_at", "id")

    def __str__(self) -> str:
        return "a sealed order"

    def described(self) -> str:
        """Return whose order it is."""
        return f"of {self.enrolment}"

    @property
    def lapsed(self) -> bool:
        """Whether it has to be sealed again: anything at all has happened to its warband since.

        It lapses whatever it says: else a change of the roster would tell whether it names a
        certain fighter.
        """
        if self.revealed_at is not None:
            return False
        return self.lapsed_at is not None or self.sequence not in (
            None,
            self.enrolment.warband.sequence,
        )
