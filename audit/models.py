"""Entries of the audit: who did what in a club."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from audit.origin import Face


class AuditEntry(models.Model):
    """One act. Never changed, never deleted: triggers in the database refuse both.

    It points to nothing by a constraint, so that it outlives whatever it tells of. Of people with an account it keeps
    no name: names are read when they are shown, so that an account that is gone is nameless here as well.
    """

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
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
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
    )
    """The account of whom it was done to, if it was done to somebody."""
    details = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    """A reason, what was changed from what into what, numbers. Never anything that is secret or sealed."""
    face = models.CharField(max_length=8, choices=Face)
    request = models.CharField(max_length=40, blank=True, default="")
    """The id of the request, as the server's log has it."""

    class Meta:
        ordering = ("-at", "-id")
        verbose_name_plural = "audit entries"
        indexes = (
            models.Index(fields=("club", "-at", "-id"), name="audit_of_club"),
            models.Index(fields=("club", "actor", "-at", "-id"), name="audit_of_person"),
            models.Index(fields=("club", "campaign", "-at", "-id"), name="audit_of_campaign"),
        )

    def __str__(self) -> str:
        return f"{self.verb} {self.subject_name}".rstrip()
