"""The jobs of archives: exports that members have requested, and archives to import."""

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
"""The time for which the file of an export can be downloaded."""
UPLOADS_KEPT = timedelta(days=1)
"""The time for which an uploaded archive is kept before it is imported."""


class ArchiveKind(models.TextChoices):
    """The kind of subject of an archive."""

    WARBAND = "warband", gettext_lazy("Warband")
    CAMPAIGN = "campaign", gettext_lazy("Campaign")
    CLUB = "club", gettext_lazy("Club")


class ExportState(models.TextChoices):
    """The state of an export."""

    QUEUED = "queued", gettext_lazy("Queued")
    RUNNING = "running", gettext_lazy("Being created")
    READY = "ready", gettext_lazy("Ready")
    FAILED = "failed", gettext_lazy("Failed")
    EXPIRED = "expired", gettext_lazy("Deleted")


class ImportState(models.TextChoices):
    """The state of an import."""

    UPLOADED = "uploaded", gettext_lazy("Being checked")
    CHECKED = "checked", gettext_lazy("Checked")
    RUNNING = "running", gettext_lazy("Being imported")
    DONE = "done", gettext_lazy("Imported")
    FAILED = "failed", gettext_lazy("Failed")
    EXPIRED = "expired", gettext_lazy("Deleted")


class ErrandQuerySet(models.QuerySet[Any]):
    """Exports and imports are visible only to the user who requested them."""

    def visible_to(self, user: User) -> Self:
        """Filter the jobs of the user."""
        return self.filter(asked_by=user.pk) if user.is_authenticated else self.none()


class ArchiveJob(Job):
    """The common fields of exports and imports: user, language, progress, and the file."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    language = models.CharField(max_length=2, choices=Language, default=Language.ENGLISH)
    """The language of failures and findings."""
    failure = models.TextField(blank=True, default="")
    """Why the job failed, as a sentence for the user who requested it."""
    size = models.PositiveBigIntegerField(default=0)
    """The size of the file in bytes."""
    asked_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    """When the file is deleted."""

    class Meta:
        abstract = True
        ordering = ("-asked_at", "id")


def export_path(export: "Export", name: str) -> str:
    """Return the storage path of an export's file."""
    return f"exports/{export.pk.hex[:2]}/{export.pk}/{name}"


def import_path(brought: "Import", name: str) -> str:
    """Return the storage path of an uploaded archive, independent of its original name."""
    return f"imports/{brought.pk.hex[:2]}/{brought.pk}/archive.zip"


class Export(ArchiveJob):
    """An archive that a user has requested, ready or not.

    There is one row per user and subject: a new request replaces the old file.
    """

    kind = models.CharField(max_length=10, choices=ArchiveKind)
    subject = models.UUIDField()
    """The id of the warband, campaign or club."""
    name = models.CharField(max_length=100)
    """The name of the subject at the time of the export."""
    state = models.CharField(max_length=10, choices=ExportState, default=ExportState.QUEUED)
    progress = models.PositiveSmallIntegerField(default=0)
    """Percent."""
    file = models.FileField(upload_to=export_path, max_length=200, blank=True)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    """The hash of the file, in hex digits."""
    contents = models.JSONField(default=dict, blank=True)
    """The contents of the file (``exchange.archive_contents.Contents``); empty until it exists."""

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
    """An archive that a user has uploaded.

    It is checked, previewed, and imported when they confirm.
    """

    name = models.CharField(max_length=200, blank=True, default="")
    """The name of the uploaded file."""
    state = models.CharField(max_length=10, choices=ImportState, default=ImportState.UPLOADED)
    file = models.FileField(upload_to=import_path, max_length=200, blank=True)
    people = models.JSONField(default=dict, blank=True)
    """The id of the user for each reference in the archive; None for a placeholder."""
    club = models.UUIDField(null=True, blank=True)
    """For a campaign's archive: the club here that gets the campaign.

    None for the campaign's own club, which is created if it does not exist here.
    """
    preview = models.JSONField(default=dict, blank=True)
    """The preview (``exchange.archive_structs.ArchivePreview``); empty until checked."""
    result = models.JSONField(default=dict, blank=True)
    """The result (``exchange.archive_structs.ImportedArchive``); empty until the import is done.
    """

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
