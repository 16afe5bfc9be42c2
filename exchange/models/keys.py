"""Signing keys and trusted keys, and the people of archives.

See docs/decisions/passports.md and docs/decisions/archives.md.
"""

import uuid
from typing import Self

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q

from clubs.models import Club
from core.queries import ids_of_any
from warbands.signed import Signed, set_null_signed

User = AbstractBaseUser | AnonymousUser


class SigningKey(Signed):
    """An Ed25519 key of this installation. The one with the highest number signs.

    Older keys are kept, so that their signatures can still be verified.
    """

    signed = ("fingerprint", "public", "retired_at")

    number = models.PositiveIntegerField(primary_key=True)
    """1 for the first key.

    If two requests create the next key at the same time, only one succeeds.
    """
    fingerprint = models.CharField(max_length=32, unique=True)
    public = models.CharField(max_length=64)
    """The 32 bytes of the public part, in hex digits."""
    sealed = models.BinaryField()
    """The 32 bytes of the private part, encrypted with the installation's secret key."""
    made_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-number",)

    def __str__(self) -> str:
        return self.fingerprint


class TrustedKeyQuerySet(models.QuerySet["TrustedKey"]):
    """Queries about who trusts which keys."""

    def in_force(self) -> Self:
        """Exclude the keys whose trust was withdrawn."""
        return self.filter(withdrawn_at__isnull=True)

    def visible_to(self, user: User) -> Self:
        """Filter the keys of visible clubs and of the installation; none for anonymous users."""
        if not user.is_authenticated:
            return self.none()
        of_clubs = TrustedKey.objects.filter(club__in=Club.objects.visible_to(user).values("pk"))
        return self.filter(
            pk__in=ids_of_any(TrustedKey.objects.filter(club__isnull=True), of_clubs)
        )

    def trusted_for(self, user: User) -> Self:
        """Filter the keys trusted by the installation or by one of the user's clubs."""
        clubs = Club.objects.filter(memberships__user=user.pk, memberships__left_at__isnull=True)
        of_clubs = TrustedKey.objects.filter(club__in=clubs.values("pk"))
        return self.in_force().filter(
            pk__in=ids_of_any(TrustedKey.objects.filter(club__isnull=True), of_clubs)
        )


class TrustedKey(Signed):
    """The public key of another installation, which a club trusts.

    The whole installation trusts it if ``club`` is None.
    """

    signed = (
        "club",
        "fingerprint",
        "public",
        "name",
        "address",
        "trusted_by",
        "withdrawn_by",
        "withdrawn_at",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(
        Club, models.CASCADE, null=True, blank=True, related_name="trusted_keys"
    )
    fingerprint = models.CharField(max_length=32)
    public = models.CharField(max_length=64)
    """The 32 bytes of the public key, in hex digits."""
    name = models.CharField(max_length=100)
    """The name that the user who trusts the key gave to the other installation."""
    address = models.CharField(max_length=200, blank=True, default="")
    """The URL of the other installation, or a remark about it."""
    trusted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, set_null_signed, null=True, related_name="+"
    )
    trusted_at = models.DateTimeField(auto_now_add=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, set_null_signed, null=True, blank=True, related_name="+"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = TrustedKeyQuerySet.as_manager()

    class Meta:
        ordering = ("name", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("club", "fingerprint"),
                condition=Q(withdrawn_at__isnull=True, club__isnull=False),
                name="club_trusts_a_key_once",
            ),
            models.UniqueConstraint(
                fields=("fingerprint",),
                condition=Q(withdrawn_at__isnull=True, club__isnull=True),
                name="installation_trusts_a_key_once",
            ),
        )

    def __str__(self) -> str:
        return self.name


class ArchivedPerson(Signed):
    """The reference by which archives name an account, and whether the account is a placeholder.

    A placeholder stands for a person in an imported archive without an account here.
    Nobody can sign in as a placeholder (docs/decisions/archives.md).
    """

    signed = ("user", "reference", "name", "placeholder", "brought_by")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="archived_person"
    )
    reference = models.UUIDField(default=uuid.uuid4, db_index=True)
    name = models.CharField(max_length=150, blank=True, default="")
    """For a placeholder: the person's name in the archive."""
    placeholder = models.BooleanField(default=False)
    brought_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, set_null_signed, null=True, related_name="+"
    )
    """The user who imported the archive that a placeholder comes from."""

    class Meta:
        ordering = ("reference",)

    def __str__(self) -> str:
        return self.name or str(self.reference)
