"""Documents in print, from the request to the file."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy

from battles.models import Battle, Side
from campaigns.models import Campaign, Enrolment
from core.models import Job
from core.queries import ids_of_any
from core.users import User
from warbands.models import Fighter, Warband


class DocumentKind(models.TextChoices):
    """The kind of subject that a document shows."""

    CAMPAIGN = "campaign", gettext_lazy("Campaign book")
    ROSTER = "roster", gettext_lazy("Warband roster")
    CAREER = "career", gettext_lazy("Fighter's career")
    BATTLE = "battle", gettext_lazy("Battle summary")
    RANK_UPS = "rank-ups", gettext_lazy("Rank-up sheet")
    BLANK = "blank", gettext_lazy("Blank roster")


class RosterOption(models.TextChoices):
    """The options of a roster in addition to the sheet."""

    CARDS = "cards", gettext_lazy("Cards, 9 to a page")
    PRICES = "prices", gettext_lazy("Cost breakdown")
    DEAD = "dead", gettext_lazy("Fallen and retired")


class DocumentState(models.TextChoices):
    """The state of a document."""

    QUEUED = "queued", gettext_lazy("Queued")
    RENDERING = "rendering", gettext_lazy("Being created")
    READY = "ready", gettext_lazy("Ready")
    FAILED = "failed", gettext_lazy("Failed")


class Paper(models.TextChoices):
    """The size of the paper."""

    A4 = "A4", "A4"
    LETTER = "Letter", "Letter"


class Language(models.TextChoices):
    """The language of the text."""

    ENGLISH = "en", "English"
    GERMAN = "de", "Deutsch"


class DocumentQuerySet(models.QuerySet["Document"]):
    """Documents by visibility: users may see a document if they may see its subject."""

    def visible_to(self, user: User) -> Self:
        """Return documents of visible campaigns, warbands, fighters and battles.

        The subject of each row is checked by a subquery, which suits one document, or those of one
        subject. Use ``listed_for`` for a whole list.
        """
        subject = OuterRef("subject")
        warbands = Warband.objects.visible_to(user)
        fighters = Fighter.objects.filter(pk=subject, warband__in=warbands)
        return self.filter(
            Q(kind=DocumentKind.BLANK)
            | Q(
                Exists(Campaign.objects.visible_to(user).filter(pk=subject)),
                kind=DocumentKind.CAMPAIGN,
            )
            | Q(
                Exists(warbands.filter(pk=subject)),
                kind__in=(DocumentKind.ROSTER, DocumentKind.RANK_UPS),
            )
            | Q(Exists(fighters), kind=DocumentKind.CAREER)
            | Q(
                Exists(Battle.objects.visible_to(user).filter(pk=subject)), kind=DocumentKind.BATTLE
            )
        )

    def listed_for(self, user: User) -> Self:
        """Return the documents for a list: as ``visible_to``, without unlisted ones."""
        campaigns = Campaign.objects.listed_for(user)
        warbands, battles = Warband.objects.listed_for(user), Battle.objects.listed_for(user)
        fighters = Fighter.objects.filter(warband__in=warbands.values("pk"))
        every = Document.objects
        return self.filter(
            pk__in=ids_of_any(
                every.filter(kind=DocumentKind.BLANK),
                every.filter(kind=DocumentKind.CAMPAIGN, subject__in=campaigns.values("pk")),
                every.filter(
                    kind__in=(DocumentKind.ROSTER, DocumentKind.RANK_UPS),
                    subject__in=warbands.values("pk"),
                ),
                every.filter(kind=DocumentKind.CAREER, subject__in=fighters.values("pk")),
                every.filter(kind=DocumentKind.BATTLE, subject__in=battles.values("pk")),
            )
        )

    def concerning(self, user: User) -> Self:
        """Return the documents for the user's own list, as far as the user may see them.

        These are blank rosters, documents that the user requested, and those of the warbands,
        battles and campaigns that the user plays or organises. Other campaigns of a club are left
        out: their documents are on their own pages.
        """
        every = Document.objects
        campaigns = Campaign.objects.visible_to(user).filter(
            pk__in=ids_of_any(
                Enrolment.objects.played_by(user).values("campaign"),
                Campaign.objects.editable_by(user),
            )
        )
        warbands = Warband.objects.all_editable_by(user)
        fighters = Fighter.objects.filter(warband__in=warbands.values("pk"))
        battles = ids_of_any(
            Side.objects.played_by(user).values("battle"),
            Battle.objects.filter(campaign__in=Campaign.objects.editable_by(user)),
        )
        return self.filter(
            pk__in=ids_of_any(
                every.filter(kind=DocumentKind.BLANK),
                every.visible_to(user).filter(asked_by=user.pk),
                every.filter(kind=DocumentKind.CAMPAIGN, subject__in=campaigns.values("pk")),
                every.filter(
                    kind__in=(DocumentKind.ROSTER, DocumentKind.RANK_UPS),
                    subject__in=warbands.values("pk"),
                ),
                every.filter(kind=DocumentKind.CAREER, subject__in=fighters.values("pk")),
                every.filter(kind=DocumentKind.BATTLE, subject__in=battles),
            )
        )


def document_path(document: "Document", name: str) -> str:
    """Return the path of a document's file. It contains no date and no title."""
    return f"documents/{document.pk.hex[:2]}/{document.pk}/{name}"


def part_path(part: "DocumentPart", name: str) -> str:
    """Return the path of a part's file until the parts are merged."""
    return f"documents/{part.document_id.hex[:2]}/{part.document_id}/parts/{name}"


class Document(Job):
    """A rendered file, or the request for one.

    There is one row for each kind, subject, paper, language and options. Rendering again replaces
    the file. While its parts are being rendered, no worker has claimed the document itself.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=DocumentKind)
    subject = models.UUIDField()
    """The campaign, warband, fighter or battle that it shows.

    For a blank roster it is a UUID that identifies the rule system.
    """
    paper = models.CharField(max_length=6, choices=Paper, default=Paper.A4)
    language = models.CharField(max_length=2, choices=Language, default=Language.ENGLISH)
    options = models.CharField(max_length=30, blank=True, default="")
    """The options of a roster: values of ``RosterOption``, joined by commas; "" for none."""
    title = models.CharField(max_length=200, blank=True, default="")
    state = models.CharField(max_length=10, choices=DocumentState, default=DocumentState.QUEUED)
    progress = models.PositiveSmallIntegerField(default=0)
    """In percent."""
    content_hash = models.CharField(max_length=64, blank=True, default="")
    """The hash of the content in the file. The same content is not rendered again."""
    file = models.FileField(upload_to=document_path, max_length=200, blank=True)
    file_hash = models.CharField(max_length=64, blank=True, default="")
    """The SHA-256 of the printed file; empty for files from before hashes were stored."""
    pages = models.PositiveIntegerField(default=0)
    size = models.PositiveIntegerField(default=0)
    """In bytes."""
    failure = models.TextField(blank=True, default="")
    """The reason as text, for the user who requested the document."""
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    """The earliest time to make a queued document, so that several changes are printed only once.

    None if a user requested it; then it is made immediately.
    """
    started_at = models.DateTimeField(null=True, blank=True)
    """The time at which the content was last read. Later requests may need a newer one."""
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ("-asked_at", "id")
        indexes = (models.Index(fields=("state", "asked_at"), name="document_state_asked"),)
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "subject", "paper", "language", "options"),
                name="one_document_per_subject",
            ),
            models.CheckConstraint(condition=Q(progress__lte=100), name="progress_is_percent"),
        )

    def __str__(self) -> str:
        return self.title or self.kind

    @property
    def name(self) -> str:
        """The kind and the title: several documents show the same subject."""
        kind = str(self.get_kind_display())
        # The title of a blank roster names its kind.
        if not self.title or self.kind == DocumentKind.BLANK:
            return self.title or kind
        return f"{kind}: {self.title}"

    @property
    def chosen(self) -> tuple[RosterOption, ...]:
        """The options of a roster."""
        return tuple(RosterOption(option) for option in self.options.split(",") if option)

    @property
    def may_have_parts(self) -> bool:
        """True if the document can have parts, which exist only while it is being rendered."""
        return self.state == DocumentState.RENDERING


class DocumentPart(Job):
    """A part of a big document that any worker can render. All parts are merged at the end."""

    id = models.BigAutoField(primary_key=True)
    document = models.ForeignKey(Document, models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    content = models.JSONField()
    """The part's plan, as it was when the document was split."""
    anchors = models.JSONField(default=dict, blank=True)
    """The page of the part (from 0) of each anchor."""
    pages = models.PositiveIntegerField(default=0)
    file = models.FileField(upload_to=part_path, max_length=200, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("document", "number")
        constraints = (
            models.UniqueConstraint(fields=("document", "number"), name="part_has_one_place"),
        )

    def __str__(self) -> str:
        return f"part {self.number}"
