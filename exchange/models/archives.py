"""Archives on their way: what somebody has asked to take away, and what somebody has brought."""

import uuid
from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from core.models import Job
from documents.models import Language

User = AbstractBaseUser | AnonymousUser

EXPORTS_KEPT = timedelta(days=7)
"""How long the file of an export can be fetched."""
UPLOADS_KEPT = timedelta(days=1)
"""How long an uploaded archive waits for its importing."""


class ArchiveKind(models.TextChoices):
    """What an archive is of."""

    WARBAND = "warband", gettext_lazy("Warband")
    CAMPAIGN = "campaign", gettext_lazy("Campaign")
    CLUB = "club", gettext_lazy("Club")


class ExportState(models.TextChoices):
    """How far an export has come."""

    QUEUED = "queued", gettext_lazy("Queued")
    RUNNING = "running", gettext_lazy("Being packed")
    READY = "ready", gettext_lazy("Ready")
    FAILED = "failed", gettext_lazy("Failed")
    EXPIRED = "expired", gettext_lazy("Deleted")


class ImportState(models.TextChoices):
    """How far an import has come."""

    UPLOADED = "uploaded", gettext_lazy("Being checked")
    CHECKED = "checked", gettext_lazy("Checked")
    RUNNING = "running", gettext_lazy("Being imported")
    DONE = "done", gettext_lazy("Imported")
    FAILED = "failed", gettext_lazy("Failed")
    EXPIRED = "expired", gettext_lazy("Deleted")


class ErrandQuerySet(models.QuerySet[Any]):
    """Exports and imports are the affair of whoever asked."""

    def visible_to(self, user: User) -> Self:
        """One's own."""
        return self.filter(asked_by=user.pk) if user.is_authenticated else self.none()


class ArchiveJob(Job):
    """What both have: who asked, in which language, how far it is, and a file that is not kept for
    long."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    language = models.CharField(max_length=2, choices=Language, default=Language.ENGLISH)
    """In which failures and findings are told."""
    failure = models.TextField(blank=True, default="")
    """In words, for whoever asked."""
    size = models.PositiveBigIntegerField(default=0)
    """Bytes."""
    asked_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    """When the file is deleted."""

    class Meta:
        abstract = True
        ordering = ("-asked_at", "id")


def export_path(export: "Export", name: str) -> str:
    """Where the file of an export lies."""
    return f"exports/{export.pk.hex[:2]}/{export.pk}/{name}"


def import_path(brought: "Import", name: str) -> str:
    """Where an uploaded archive lies, whatever it was called."""
    return f"imports/{brought.pk.hex[:2]}/{brought.pk}/archive.zip"


class Export(ArchiveJob):
    """An archive that somebody has asked for, or the wish for one. One row per asker and subject:
    asking again makes a new file in the place of the old one."""

    kind = models.CharField(max_length=10, choices=ArchiveKind)
    subject = models.UUIDField()
    """The warband, campaign or club that it is of."""
    name = models.CharField(max_length=100)
    """What the subject was called."""
    state = models.CharField(max_length=10, choices=ExportState, default=ExportState.QUEUED)
    progress = models.PositiveSmallIntegerField(default=0)
    """Percent."""
    file = models.FileField(upload_to=export_path, max_length=200, blank=True)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    """Of the file, in hex digits."""
    contents = models.JSONField(default=dict, blank=True)
    """What is in the file (``exchange.archive_contents.Contents``); empty until there is one."""

    objects = ErrandQuerySet.as_manager()

    class Meta(ArchiveJob.Meta):
        indexes = (
            models.Index(fields=("state", "asked_at"), name="export_state_asked"),
            models.Index(
                fields=("expires_at",), condition=~models.Q(file=""), name="export_file_expires"
            ),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("asked_by", "kind", "subject"), name="one_export_per_asker"
            ),
            models.CheckConstraint(
                condition=Q(progress__lte=100), name="export_progress_is_percent"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Import(ArchiveJob):
    """An archive that somebody has brought: checked, shown, and made into rows when its bringer
    says so."""

    name = models.CharField(max_length=200, blank=True, default="")
    """What the uploaded file was called."""
    state = models.CharField(max_length=10, choices=ImportState, default=ImportState.UPLOADED)
    file = models.FileField(upload_to=import_path, max_length=200, blank=True)
    people = models.JSONField(default=dict, blank=True)
    """Who becomes whom: the id of a user here by the reference in the archive, None for a
    placeholder."""
    club = models.UUIDField(null=True, blank=True)
    """Of a campaign's archive: the club here that takes the campaign in; None: its own club is made
    anew."""
    preview = models.JSONField(default=dict, blank=True)
    """What was found (``exchange.archive_structs.ArchivePreview``); empty until it is checked."""
    result = models.JSONField(default=dict, blank=True)
    """What was made of it (``exchange.archive_structs.ImportedArchive``); empty until it is."""

    objects = ErrandQuerySet.as_manager()

    class Meta(ArchiveJob.Meta):
        indexes = (
            models.Index(fields=("state", "asked_at"), name="import_state_asked"),
            models.Index(
                fields=("expires_at",), condition=~models.Q(file=""), name="import_file_expires"
            ),
        )

    def __str__(self) -> str:
        return self.name
