"""Entries of the activity log: who did what in a club."""

import uuid
from typing import Self

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Value
from django.db.models.functions import Coalesce

from audit.origin import Origin


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    """Entries that were recorded here and entries that were imported with an archive."""

    def recorded_here(self) -> Self:
        """Exclude the entries that were imported with an archive."""
        return self.filter(origin__isnull=True)

    def as_told(self, installation: str) -> Self:
        """Annotate each entry with ``told_origin`` and ``told_number``, its identity in archives.

        ``installation`` is the fingerprint of this installation.
        """
        return self.annotate(
            told_origin=Coalesce("origin", Value(installation), output_field=models.CharField()),
            told_number=Coalesce("number", "id", output_field=models.BigIntegerField()),
        )


class AuditEntry(models.Model):
    """One act in the activity log. Database triggers refuse to change or delete an entry.

    Its references have no database constraints, so that an entry outlives the objects that it is
    about. It stores no names of people with an account. Names are read for display, so a deleted
    account has no name here either.
    """

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    """The account that acted; None if Muster itself acted."""
    club = models.UUIDField(null=True)
    """The id of the club in which it was done; None if it belongs to no club."""
    campaign = models.UUIDField(null=True)
    verb = models.CharField(max_length=40)
    """A code of ``verbs.Verb``."""
    subject_kind = models.CharField(max_length=20)
    """The kind of the subject: "battle", "warband", "membership", ..."""
    subject_id = models.UUIDField(null=True)
    subject_name = models.CharField(max_length=200, blank=True, default="")
    """The name of the subject at that time; empty for a member."""
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    """The account that was affected, if any."""
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    """A reason, old and new values, numbers. Never anything secret or sealed."""
    face = models.CharField(max_length=8, choices=Origin)
    request = models.CharField(max_length=40, blank=True, default="")
    """The id of the request, as it is in the server's log."""
    origin = models.CharField(max_length=32, null=True)
    """The installation that recorded an imported entry, as the archive names it.

    It is the fingerprint of that installation's first signing key. None if the entry was recorded
    here.
    """
    number = models.BigIntegerField(null=True)
    """The id that an imported entry has in the installation that recorded it."""
    brought_by = models.CharField(max_length=32, null=True)
    """The fingerprint of the key that signed the archive of an imported entry."""
    imported_at = models.DateTimeField(null=True)
    """The time at which an imported entry was imported."""
    chain = models.PositiveSmallIntegerField(null=True)
    """The number of the chain (``audit.chains``).

    The columns of the chain are nullable only because SQLite would lose the triggers otherwise.
    """
    place = models.PositiveIntegerField(null=True)
    """The place in the chain, from 1."""
    seal = models.CharField(max_length=64, null=True)
    """The SHA-256 of the entry and of the previous seal."""

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        ordering = ("-at", "-id")
        verbose_name_plural = "audit entries"
        indexes = (
            models.Index(fields=("club", "-at", "-id"), name="audit_of_club"),
            models.Index(fields=("club", "actor", "-at", "-id"), name="audit_of_person"),
            models.Index(fields=("campaign", "club", "-at", "-id"), name="audit_of_campaign"),
            # For the export of a member's data: their entries may be in any club or in none.
            models.Index(
                fields=("actor",), condition=models.Q(actor__isnull=False), name="audit_by_actor"
            ),
            models.Index(
                fields=("person",),
                condition=models.Q(person__isnull=False),
                name="audit_about_person",
            ),
            models.Index(fields=("-at", "-id"), name="audit_newest_first"),
            models.Index(
                fields=("request",), condition=~models.Q(request=""), name="audit_of_request"
            ),
        )
        # A constraint with a condition is a separate index. For one without a condition, SQLite
        # would rebuild the table and lose the triggers.
        constraints = (
            models.UniqueConstraint(
                fields=("chain", "place"),
                condition=models.Q(chain__isnull=False),
                name="one_place_in_an_audit_chain",
            ),
        )

    def __str__(self) -> str:
        return f"{self.verb} {self.subject_name}".rstrip()


class Change(models.Model):
    """An act that other programs can read: its id for them, and its place in their order.

    It is written in the transaction of the act. Its ``cursor`` comes later: ids of entries are
    reserved before the commit, so a transaction that takes long commits an id that is lower than
    those that programs have read already. They would never see it. ``audit.services.numbering``
    therefore numbers only what is committed, one run at a time.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    """The same for everybody and for each repetition, so that receivers can drop doubles."""
    entry = models.OneToOneField(
        AuditEntry, models.DO_NOTHING, db_constraint=False, related_name="change"
    )
    cursor = models.BigIntegerField(null=True, unique=True)
    """The place in the order in which programs read, from 1; None until it is numbered."""

    class Meta:
        ordering = ("cursor",)
        indexes = (
            models.Index(
                fields=("entry",), condition=models.Q(cursor=None), name="changes_without_cursor"
            ),
        )

    def __str__(self) -> str:
        return f"change {self.cursor}"


class ChangeCounter(models.Model):
    """The last number that a change got. Its only row is the lock of those who number."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    last = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.last} changes"


class AuditChain(models.Model):
    """The signed end of a chain of entries.

    Migrations create all chains, so a missing row was deleted.
    """

    id = models.PositiveSmallIntegerField(primary_key=True)
    length = models.PositiveIntegerField(default=0)
    """The number of entries in the chain."""
    seal = models.CharField(max_length=64, blank=True, default="")
    """The seal of the last entry."""
    signature = models.CharField(max_length=64, blank=True, default="")

    def __str__(self) -> str:
        return f"chain {self.pk} of {self.length} entries"
