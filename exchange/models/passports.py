"""Passports that came here (docs/decisions/passports.md)."""

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
    """Who may look at passports that were brought here."""

    def visible_to(self, user: User) -> Self:
        """One's own, and those by which a warband was taken on that one may see."""
        seen = Warband.objects.visible_to(user).values("pk")
        every = ReceivedPassport.objects
        if not user.is_authenticated:
            return self.filter(warband__in=seen)
        return self.filter(
            pk__in=ids_of_any(every.filter(user=user.pk), every.filter(warband__in=seen))
        )


class ReceivedPassport(Signed):
    """A passport that somebody brought here. If a warband was taken on by it, it is kept with the
    warband."""

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
    """The file as it came."""
    name = models.CharField(max_length=100)
    """Of the warband or fighter."""
    fingerprint = models.CharField(max_length=32)
    """Of the key by which it is signed."""
    origin = models.CharField(max_length=200)
    """Which installation has issued it, as it says itself."""
    received_at = models.DateTimeField(auto_now_add=True)
    warband = models.OneToOneField(
        Warband, models.CASCADE, null=True, related_name="received_passport"
    )
    """The warband that was taken on by it."""
    taken_on_at = models.DateTimeField(null=True, blank=True)
    length = models.PositiveIntegerField(default=0)
    """How many entries its chronicle had when it came."""

    objects = ReceivedPassportQuerySet.as_manager()

    class Meta:
        ordering = ("-received_at", "id")

    def __str__(self) -> str:
        return self.name
