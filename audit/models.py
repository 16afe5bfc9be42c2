"""Entries of the audit: who did what in a club."""

from typing import Self

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Value
from django.db.models.functions import Coalesce

from audit.origin import Origin


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    """Entries recorded here, and entries that came with archives."""

    def recorded_here(self) -> Self:
        """Without those that came with an archive."""
        return self.filter(origin__isnull=True)

    def as_told(self, installation: str) -> Self:
        """Each with ``told_origin`` and ``told_number``, by which archives know it.
        ``installation`` is this one."""
        return self.annotate(
            told_origin=Coalesce("origin", Value(installation), output_field=models.CharField()),
            told_number=Coalesce("number", "id", output_field=models.BigIntegerField()),
        )


class AuditEntry(models.Model):
    """One act. Never changed, never deleted: triggers in the database refuse both.

    It points to nothing by a constraint, so that it outlives whatever it tells of. Of people with
    an account it keeps no name: names are read when they are shown, so that an account that is gone
    is nameless here as well.
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
    """Who did it; None where Muster did."""
    club = models.UUIDField(null=True)
    """The id of the club in which it was done; None for what belongs to no club."""
    campaign = models.UUIDField(null=True)
    verb = models.CharField(max_length=40)
    """A code of ``verbs.Verb``."""
    subject_kind = models.CharField(max_length=20)
    """The kind of thing that it was done to: "battle", "warband", "membership", ..."""
    subject_id = models.UUIDField(null=True)
    subject_name = models.CharField(max_length=200, blank=True, default="")
    """What the thing was called then; empty for a member."""
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    """The account of whom it was done to, if it was done to somebody."""
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    """A reason, what was changed from what into what, numbers. Never anything that is secret or
    sealed."""
    face = models.CharField(max_length=8, choices=Origin)
    request = models.CharField(max_length=40, blank=True, default="")
    """The id of the request, as the server's log has it."""
    origin = models.CharField(max_length=32, null=True)
    """Of an entry that came with an archive: the installation that recorded it, as the archive
    says. The fingerprint of its first signing key. None for what was recorded here."""
    number = models.BigIntegerField(null=True)
    """Of an entry that came with an archive: its id where it was recorded."""
    brought_by = models.CharField(max_length=32, null=True)
    """Of an entry that came with an archive: the fingerprint of the key that signed the archive."""
    imported_at = models.DateTimeField(null=True)
    """Of an entry that came with an archive: when it came."""
    chain = models.PositiveSmallIntegerField(null=True)
    """The number of its chain (``audit.chains``). Columns of the chain may be empty only because
    SQLite would lose the triggers if they were not."""
    place = models.PositiveIntegerField(null=True)
    """Its place in the chain, from 1."""
    seal = models.CharField(max_length=64, null=True)
    """The SHA-256 of the entry and of the seal before."""

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        ordering = ("-at", "-id")
        verbose_name_plural = "audit entries"
        indexes = (
            models.Index(fields=("club", "-at", "-id"), name="audit_of_club"),
            models.Index(fields=("club", "actor", "-at", "-id"), name="audit_of_person"),
            models.Index(fields=("club", "campaign", "-at", "-id"), name="audit_of_campaign"),
            # For the data of a member, whose entries are in any club and in none.
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
        # With a condition it is an index of its own: without one SQLite would rebuild the table,
        # and lose the triggers.
        constraints = (
            models.UniqueConstraint(
                fields=("chain", "place"),
                condition=models.Q(chain__isnull=False),
                name="one_place_in_an_audit_chain",
            ),
        )

    def __str__(self) -> str:
        return f"{self.verb} {self.subject_name}".rstrip()


class AuditChain(models.Model):
    """The end of a chain of entries, signed. Migrations make all of them: one that is missing was
    deleted."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    length = models.PositiveIntegerField(default=0)
    """How many entries it has."""
    seal = models.CharField(max_length=64, blank=True, default="")
    """The seal of its last entry."""
    signature = models.CharField(max_length=64, blank=True, default="")

    def __str__(self) -> str:
        return f"chain {self.pk} of {self.length} entries"
