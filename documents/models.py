"""Documents: what gets printed, from the asking to the file."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class DocumentKind(models.TextChoices):
    """What a document shows."""

    CAMPAIGN = "campaign", "Campaign summary"
    ROSTER = "roster", "Warband roster"
    CAREER = "career", "Fighter's career"
    BATTLE = "battle", "Battle summary"
    RANK_UPS = "rank-ups", "Rank-up sheet"


class DocumentState(models.TextChoices):
    """How far a document has come."""

    QUEUED = "queued", "Queued"
    RENDERING = "rendering", "Rendering"
    READY = "ready", "Ready"
    FAILED = "failed", "Failed"


class Paper(models.TextChoices):
    """The sheet it is printed on."""

    A4 = "A4", "A4"
    LETTER = "Letter", "Letter"


class Document(models.Model):
    """A rendered file, or the wish for one. One row per kind, subject and paper; rendering again replaces the file."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=DocumentKind)
    subject = models.UUIDField()
    """The campaign, warband, fighter or battle that it shows."""
    paper = models.CharField(max_length=6, choices=Paper, default=Paper.A4)
    title = models.CharField(max_length=200, blank=True, default="")
    state = models.CharField(max_length=10, choices=DocumentState, default=DocumentState.QUEUED)
    progress = models.PositiveSmallIntegerField(default=0)
    """Percent."""
    content_hash = models.CharField(max_length=64, blank=True, default="")
    """Of the content that the file shows; the same content is not rendered again."""
    file = models.FileField(upload_to="documents/%Y/%m/", blank=True)
    pages = models.PositiveIntegerField(default=0)
    size = models.PositiveIntegerField(default=0)
    """Bytes."""
    failure = models.TextField(blank=True, default="")
    """In words, for whoever asked."""
    attempts = models.PositiveIntegerField(default=0)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-asked_at", "id")
        constraints = (
            models.UniqueConstraint(fields=("kind", "subject", "paper"), name="one_document_per_subject"),
            models.CheckConstraint(condition=Q(progress__lte=100), name="progress_is_percent"),
        )

    def __str__(self) -> str:
        return self.title or self.kind


class DocumentPart(models.Model):
    """A part of a big document that any worker can render; merged when all are there."""

    id = models.BigAutoField(primary_key=True)
    document = models.ForeignKey(Document, models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    content = models.JSONField()
    file = models.FileField(upload_to="parts/%Y/%m/", blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("document", "number")
        constraints = (models.UniqueConstraint(fields=("document", "number"), name="part_has_one_place"),)

    def __str__(self) -> str:
        return f"part {self.number}"
