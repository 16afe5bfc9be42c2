"""Documents in print, from the request to the file."""

import uuid
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy

from battles.models import Battle, sides_of
from campaigns.models import Campaign, Enrolment
from clubs.models import Club, Evening
from core.compiled_queries import CompiledIds
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
    RESULT_CARD = "result-card", gettext_lazy("Result card")
    CERTIFICATE = "certificate", gettext_lazy("Certificate")
    MEMORIAL = "memorial", gettext_lazy("Memorial card")
    HISTORY = "history", gettext_lazy("Warband history")
    QUICK_REFERENCE = "quick-reference", gettext_lazy("Quick reference")
    RESULT_SHEET = "result-sheet", gettext_lazy("Result sheet")
    STANDINGS = "standings", gettext_lazy("Standings chart")
    FIXTURES = "fixtures", gettext_lazy("Fixtures poster")
    PROGRAMME = "programme", gettext_lazy("Club night programme")


class SubjectKind(StrEnum):
    """The kind of subject of a document. Users who may see the subject may see the document."""

    CAMPAIGN = "campaign"
    WARBAND = "warband"
    FIGHTER = "fighter"
    BATTLE = "battle"
    RULESET = "ruleset"
    EVENING = "evening"


SUBJECT_OF = {
    DocumentKind.CAMPAIGN: SubjectKind.CAMPAIGN,
    DocumentKind.ROSTER: SubjectKind.WARBAND,
    DocumentKind.RANK_UPS: SubjectKind.WARBAND,
    DocumentKind.CAREER: SubjectKind.FIGHTER,
    DocumentKind.BATTLE: SubjectKind.BATTLE,
    DocumentKind.BLANK: SubjectKind.RULESET,
    DocumentKind.RESULT_CARD: SubjectKind.BATTLE,
    DocumentKind.CERTIFICATE: SubjectKind.CAMPAIGN,
    DocumentKind.MEMORIAL: SubjectKind.FIGHTER,
    DocumentKind.HISTORY: SubjectKind.WARBAND,
    DocumentKind.QUICK_REFERENCE: SubjectKind.RULESET,
    DocumentKind.RESULT_SHEET: SubjectKind.BATTLE,
    DocumentKind.STANDINGS: SubjectKind.CAMPAIGN,
    DocumentKind.FIXTURES: SubjectKind.CAMPAIGN,
    DocumentKind.PROGRAMME: SubjectKind.EVENING,
}
"""The kind of subject of each kind of document."""


def kinds_about(subject: SubjectKind) -> tuple[DocumentKind, ...]:
    """Return the kinds of documents about such a subject, in the order of ``DocumentKind``."""
    return tuple(kind for kind in DocumentKind if SUBJECT_OF[kind] == subject)


class DocumentOption(models.TextChoices):
    """Additions to the usual content, and the make-up of a book."""

    CARDS = "cards", gettext_lazy("Cards, 9 to a page")
    PRICES = "prices", gettext_lazy("Cost breakdown")
    DEAD = "dead", gettext_lazy("Fallen and retired")
    HONOURS = "honours", gettext_lazy("A certificate for each honour")
    NAMES = "names", gettext_lazy("Names of those who are going")
    BOOKLET = "booklet", gettext_lazy("A5 booklet, to print, fold and staple")
    PRINT_SHOP = "print-shop", gettext_lazy("For a print shop, with 3 mm bleed")
    COVER_PHOTO = "cover-photo", gettext_lazy("A photo on the cover")


OPTIONS_OF: dict[DocumentKind, tuple[DocumentOption, ...]] = {
    DocumentKind.CAMPAIGN: (
        DocumentOption.BOOKLET,
        DocumentOption.PRINT_SHOP,
        DocumentOption.COVER_PHOTO,
    ),
    DocumentKind.ROSTER: (DocumentOption.CARDS, DocumentOption.PRICES, DocumentOption.DEAD),
    DocumentKind.CERTIFICATE: (DocumentOption.HONOURS,),
    DocumentKind.PROGRAMME: (DocumentOption.NAMES,),
}
"""The options of each kind of document that has any, in the order in which they are stored."""
EXCLUSIVE_OPTIONS = frozenset({DocumentOption.BOOKLET, DocumentOption.PRINT_SHOP})
"""Options of which a document can have only one."""


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
    A3 = "A3", "A3"
    A6 = "A6", "A6"
    WIDE = "Wide", gettext_lazy("Wide, 1200 × 630 pixels")
    SQUARE = "Square", gettext_lazy("Square, 1080 × 1080 pixels")


STANDARD_PAPERS = (Paper.A4, Paper.LETTER)
POSTER_PAPERS = (Paper.A3, Paper.A4, Paper.LETTER)
PAPERS_OF: dict[DocumentKind, tuple[Paper, ...]] = {
    DocumentKind.MEMORIAL: (Paper.A6,),
    DocumentKind.RESULT_CARD: (Paper.WIDE, Paper.SQUARE),
    DocumentKind.STANDINGS: POSTER_PAPERS,
    DocumentKind.FIXTURES: POSTER_PAPERS,
    DocumentKind.PROGRAMME: POSTER_PAPERS,
}
"""The papers of each kind of document that does not come on ``STANDARD_PAPERS`` alone."""


def papers_of(kind: DocumentKind) -> tuple[Paper, ...]:
    """Return the papers on which a kind of document can be printed."""
    return PAPERS_OF.get(kind, STANDARD_PAPERS)


def default_paper(kind: DocumentKind) -> Paper:
    """Return A4, or the first paper of a kind of document that is not printed on it."""
    papers = papers_of(kind)
    return Paper.A4 if Paper.A4 in papers else papers[0]


class FileType(NamedTuple):
    """The type of a document's file: its name for people, and its content type."""

    name: str
    content_type: str

    @property
    def extension(self) -> str:
        """The end of a file's name, without the dot."""
        return self.name.lower()


PDF, PNG = FileType("PDF", "application/pdf"), FileType("PNG", "image/png")
FILE_TYPE_OF: dict[DocumentKind, FileType] = {DocumentKind.RESULT_CARD: PNG}
"""The type of the file of each kind of document that is not a PDF."""


class Language(models.TextChoices):
    """The language of the text."""

    ENGLISH = "en", "English"
    GERMAN = "de", "Deutsch"


class DocumentQuerySet(models.QuerySet["Document"]):
    """Documents by visibility: users may see a document if they may see its subject.

    Only members of a club may see the programmes with the names of those who are going.
    """

    def visible_to(self, user: User) -> Self:
        """Return documents of visible campaigns, warbands, fighters, battles and club nights.

        The subject of each row is checked by a subquery, which suits one document, or those of one
        subject. Use ``listed_for`` for a whole list.
        """
        subject = OuterRef("subject")
        warbands = Warband.objects.visible_to(user)
        rows: dict[SubjectKind, models.QuerySet[Any, Any]] = {
            SubjectKind.CAMPAIGN: Campaign.objects.visible_to(user),
            SubjectKind.WARBAND: warbands,
            SubjectKind.FIGHTER: Fighter.objects.filter(warband__in=warbands),
            SubjectKind.BATTLE: Battle.objects.visible_to(user),
            SubjectKind.EVENING: Evening.objects.visible_to(user),
        }
        visible = Q(kind__in=kinds_about(SubjectKind.RULESET))
        for about, subjects in rows.items():
            visible |= Q(Exists(subjects.filter(pk=subject)), kind__in=kinds_about(about))
        return self.filter(visible, _without_hidden_names(user))

    def listed_for(self, user: User) -> Self:
        """Return the documents for a list: as ``visible_to``, without unlisted ones."""
        warbands = Warband.objects.listed_for(user)
        listed = documents_about(
            {
                SubjectKind.CAMPAIGN: Campaign.objects.listed_for(user).values("pk"),
                SubjectKind.WARBAND: warbands.values("pk"),
                SubjectKind.FIGHTER: fighters_of(warbands),
                SubjectKind.BATTLE: Battle.objects.listed_for(user).values("pk"),
                SubjectKind.EVENING: Evening.objects.filter(
                    club__in=Club.objects.listed_for(user)
                ).values("pk"),
            }
        )
        return self.filter(_without_hidden_names(user), pk__in=ids_of_any(*listed))

    def concerning(self, user: User) -> Self:
        """Return the documents for the user's own list, as far as the user may see them.

        These are blank rosters, documents that the user requested, and those of the warbands,
        battles, campaigns and club nights that the user plays or organises. Others of a club are
        left out: their documents are on their own pages.
        """
        return self.filter(pk__in=_concerning(user))


def _without_hidden_names(user: User) -> Q:
    """Return the condition for documents without names that only members of a club may see."""
    subject = OuterRef("subject")
    hidden = Q(kind=DocumentKind.PROGRAMME, options__contains=DocumentOption.NAMES)
    return ~hidden | Q(Exists(Evening.objects.with_names_for(user).filter(pk=subject)))


def documents_about(
    subjects: Mapping[SubjectKind, models.QuerySet[Any, Any]],
) -> list[models.QuerySet["Document"]]:
    """Return the documents about each of the subjects, given by ids, and those of rule systems."""
    every = Document.objects
    return [
        every.filter(kind__in=kinds_about(SubjectKind.RULESET)),
        *(
            every.filter(kind__in=kinds_about(about), subject__in=ids)
            for about, ids in subjects.items()
        ),
    ]


def fighters_of(warbands: models.QuerySet[Any, Any]) -> models.QuerySet[Any, Any]:
    """Return the ids of the fighters of some warbands."""
    return Fighter.objects.filter(warband__in=warbands.values("pk")).values("pk")


@CompiledIds
def _concerning(user: User) -> models.QuerySet[Any, Any]:
    campaigns = Campaign.objects.visible_to(user).filter(
        pk__in=ids_of_any(
            Enrolment.objects.played_by(user).values("campaign"),
            Campaign.objects.editable_by(user),
        )
    )
    warbands = Warband.objects.all_editable_by(user)
    own = documents_about(
        {
            SubjectKind.CAMPAIGN: campaigns.values("pk"),
            SubjectKind.WARBAND: warbands.values("pk"),
            SubjectKind.FIGHTER: fighters_of(warbands),
            SubjectKind.BATTLE: ids_of_any(
                *(sides.values("battle") for sides in sides_of(user)),
                Battle.objects.filter(campaign__in=Campaign.objects.editable_by(user)),
            ),
            SubjectKind.EVENING: Evening.objects.editable_by(user).values("pk"),
        }
    )
    return ids_of_any(Document.objects.visible_to(user).filter(asked_by=user.pk), *own)


def document_name(kind: str, title: str) -> str:
    """Return the name of a document: its kind and its title."""
    label = str(DocumentKind(kind).label)
    # The titles of documents about a rule system name their kinds.
    if not title or SUBJECT_OF[DocumentKind(kind)] == SubjectKind.RULESET:
        return title or label
    return f"{label}: {title}"


def chosen_options(options: str) -> tuple[DocumentOption, ...]:
    """Return the options in a column of them."""
    return tuple(DocumentOption(option) for option in options.split(",") if option)


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
    kind = models.CharField(max_length=20, choices=DocumentKind)
    subject = models.UUIDField()
    """The campaign, warband, fighter, battle or club night that it shows.

    A rule system is identified by a UUID of its key.
    """
    paper = models.CharField(max_length=6, choices=Paper, default=Paper.A4)
    language = models.CharField(max_length=2, choices=Language, default=Language.ENGLISH)
    options = models.CharField(max_length=30, blank=True, default="")
    """Values of ``DocumentOption``, joined by commas; "" for none."""
    title = models.CharField(max_length=200, blank=True, default="")
    state = models.CharField(max_length=10, choices=DocumentState, default=DocumentState.QUEUED)
    progress = models.PositiveSmallIntegerField(default=0)
    """In percent."""
    content_hash = models.CharField(max_length=64, blank=True, default="")
    """The hash of the content in the file. The same content is not rendered again."""
    file = models.FileField(upload_to=document_path, max_length=200, blank=True)
    file_hash = models.CharField(max_length=64, blank=True, default="")
    """The SHA-256 of the printed file; empty for files from before hashes were stored."""
    audience = models.CharField(max_length=32, blank=True, default="", editable=False)
    """The intended readers of the file, as ``audience_of`` returns them."""
    pictures = models.JSONField(default=list, blank=True, editable=False)
    """The paths of the uploaded pictures in the file, which is made again if one is removed."""
    pages = models.PositiveIntegerField(default=0)
    size = models.PositiveIntegerField(default=0)
    """In bytes."""
    club = models.UUIDField(null=True, blank=True, editable=False)
    """The club whose quota it counts against: that of its subject when it was first requested.

    None outside of clubs: then it counts for the member who requested it.
    """
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
        indexes = (
            models.Index(fields=("state", "asked_at"), name="document_state_asked"),
            models.Index(fields=("club",), name="document_club"),
            models.Index(fields=("subject",), name="document_subject"),
        )
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
        return document_name(self.kind, self.title)

    @property
    def file_type(self) -> FileType:
        """The type of its file."""
        return FILE_TYPE_OF.get(DocumentKind(self.kind), PDF)

    @property
    def chosen(self) -> tuple[DocumentOption, ...]:
        """Its options."""
        return chosen_options(self.options)

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

    @property
    def pdf(self) -> bytes:
        """The part's file, which is read each time: all files of a book need much memory."""
        with self.file.open("rb") as file:
            data: bytes = file.read()
        return data
