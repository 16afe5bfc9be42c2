"""Passports that were uploaded here (docs/decisions/exchange.md)."""

import uuid
from typing import Self

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import models

from core.queries import ids_of_any
from warbands.models import Warband
from warbands.signed import Signed, set_null_signed

User = AbstractBaseUser | AnonymousUser


class ReceivedPassportQuerySet(models.QuerySet["ReceivedPassport"]):
    """Queries about who may see uploaded passports."""

    def visible_to(self, user: User) -> Self:
        """Filter the user's own passports, and those whose imported warband the user may see."""
        seen = Warband.objects.visible_to(user).values("pk")
        every = ReceivedPassport.objects
        if not user.is_authenticated:
            return self.filter(warband__in=seen)
        return self.filter(
            pk__in=ids_of_any(every.filter(user=user.pk), every.filter(warband__in=seen))
        )


class ReceivedPassport(Signed):
    """A passport that a user has uploaded.

    If its warband is imported, the passport is kept with it.
    """

    signed = (
        "user",
        "content",
        "name",
        "fingerprint",
        "origin",
        "warband",
        "taken_on_at",
        "length",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, set_null_signed, null=True, related_name="received_passports"
    )
    content = models.BinaryField()
    """The content of the file, unchanged."""
    name = models.CharField(max_length=100)
    """The name of the warband or fighter."""
    fingerprint = models.CharField(max_length=32)
    """The fingerprint of the key that signed it."""
    origin = models.CharField(max_length=200)
    """The address of the installation that issued it, as the passport states it."""
    received_at = models.DateTimeField(auto_now_add=True)
    warband = models.OneToOneField(
        Warband, models.CASCADE, null=True, related_name="received_passport"
    )
    """The warband that was imported with this passport."""
    taken_on_at = models.DateTimeField(null=True, blank=True)
    length = models.PositiveIntegerField(default=0)
    """The number of entries in the chronicle when it was imported."""

    objects = ReceivedPassportQuerySet.as_manager()

    class Meta:
        ordering = ("-received_at", "id")

    def __str__(self) -> str:
        return self.name
