"""Asking for archives, and packing them. What a worker does here may be run twice, twice at once,
or die half way."""

import hashlib
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryFile
from typing import IO, Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files import File
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import Campaign
from clubs.models import Club, Membership, Role
from core.errors import Forbidden, NotFound, StateConflict, Unavailable
from core.jobs.claims import claim_first, release, write
from core.jobs.queue import send_after_commit
from core.jobs.running import Progress, run_job
from core.jobs.stored_files import forget_other_files, store_file
from documents.languages import speaking
from documents.models import Language
from exchange.archive_contents import contents_of
from exchange.archive_structs import Manifest
from exchange.models import ArchiveKind, Export, ExportState, Import
from exchange.models.archives import EXPORTS_KEPT
from exchange.services.write_archive import write_archive
from warbands.models import Warband
from warbands.services.locking import record_warband

MAKE = "exchange.tasks.make_export"
WANTED = (ExportState.QUEUED, ExportState.RUNNING)
MAX_AT_ONCE = 2
"""Archives that are packed for one member at a time."""

SUBJECTS: dict[ArchiveKind, type[Warband] | type[Campaign] | type[Club]] = {
    ArchiveKind.WARBAND: Warband,
    ArchiveKind.CAMPAIGN: Campaign,
    ArchiveKind.CLUB: Club,
}


def request_export(
    *, user: User, kind: ArchiveKind, subject: UUID, language: Language = Language.ENGLISH
) -> Export:
    """The export of a subject, on its way. Asking twice is asking once; asking after it is ready
    makes a new file.

    For whoever may change the warband, and for organisers of the campaign or the club. Raises
    NotFound "unknown-subject", Forbidden "not-yours-to-export", StateConflict "too-many-exports".
    """
    name = expect_exportable(user, kind, subject)
    values = {"name": name, "language": language, "asked_at": timezone.now()}
    with transaction.atomic():
        # Two that ask at once wait here for each other, so that they are counted.
        User.objects.select_for_update().filter(pk=user.pk).first()
        export, _ = Export.objects.get_or_create(
            asked_by=user,
            kind=kind,
            subject=subject,
            defaults={**values, "state": ExportState.FAILED},
        )
        if export.state in WANTED:
            return export
        if Export.objects.filter(asked_by=user, state__in=WANTED).count() >= MAX_AT_ONCE:
            sentence = ngettext(
                "%(number)d archive is being packed for you. Wait until it is done.",
                "%(number)d archives are being packed for you. Wait until one is done.",
                MAX_AT_ONCE,
            )
            raise StateConflict("too-many-exports", sentence % {"number": MAX_AT_ONCE})
        initial = {
            "state": ExportState.QUEUED,
            "progress": 0,
            "failure": "",
            "attempts": 0,
            "finished_at": None,
        }
        for column, value in {**values, **initial}.items():
            setattr(export, column, value)
        export.save(update_fields=[*values, *initial])
        record_archive(Verb.ARCHIVE_ASKED_FOR, kind, subject, user)
        send_after_commit(MAKE, str(export.pk))
    return export


def record_archive(verb: Verb, kind: ArchiveKind, subject: UUID, user: User) -> None:
    """Record in the club that something of it leaves, or has come."""
    row = SUBJECTS[kind].objects.get(pk=subject)
    if isinstance(row, Warband):
        record_warband(verb, row, user)
    elif isinstance(row, Campaign):
        record(verb, row, user=user, club=row.club_id, campaign=row.pk)
    else:
        record(verb, row, user=user, club=row.pk)


def expect_exportable(user: User, kind: ArchiveKind, subject: UUID) -> str:
    """The name of what the user may export. Raises NotFound "unknown-subject", Forbidden
    "not-yours-to-export"."""
    rows: Any = SUBJECTS[kind].objects.all()
    row = rows.visible_to(user).filter(pk=subject).first()
    if row is None:
        sentence = gettext("There is no such thing here, or it is not yours to see.")
        raise NotFound("unknown-subject", sentence, field="subject")
    if not rows.editable_by(user).filter(pk=subject).exists():
        sentence = gettext(
            "A warband is exported by whoever may change it, a campaign or a club by its "
            "organisers."
        )
        raise Forbidden("not-yours-to-export", sentence)
    return str(row.name)


def exporter_of(kind: ArchiveKind, subject: UUID) -> User | None:
    """Somebody who may export the subject: of a warband its owner, else its keeper; of a campaign
    or a club the member who has organised it longest. None if there is nobody."""
    if kind == ArchiveKind.WARBAND:
        warband = Warband.objects.filter(pk=subject).select_related("owner", "keeper").first()
        return None if warband is None else warband.owner or warband.keeper
    of = "club__campaigns" if kind == ArchiveKind.CAMPAIGN else "club"
    organisers = Membership.objects.present().filter(
        **{of: subject}, role=Role.ORGANISER, user__isnull=False
    )
    first = organisers.select_related("user").order_by("joined_at", "pk").first()
    return None if first is None else first.user


def make_export(export_id: UUID, *, task: str = "") -> None:
    """Pack an export that is wanted and that nobody has in hand. ``task`` names the message that
    asks for it.

    Raises what is transient after letting go of the export; every other failure is written to it in
    words.
    """
    wanted_exports: QuerySet[Export] = Export.objects.filter(pk=export_id, state__in=WANTED)
    export = claim_first(wanted_exports.select_related("asked_by"), task)
    if export is not None:
        how_far = _HowFar()
        run_archive_job(
            export, partial(_pack, export, how_far), progress=lambda: {"progress": how_far.percent}
        )


def run_archive_job(
    job: Export | Import, work: Callable[[], None], *, progress: Progress | None = None
) -> None:
    """Do some work on a claimed export or import, in its language. A failure is written to the row
    in words.

    An older file of an export stays until its time is over.
    """

    def fail(failure: str) -> None:
        # The state has the same name in both tables.
        release(job, state=ExportState.FAILED, failure=failure, finished_at=timezone.now())

    with speaking(job.language):
        run_job(
            job,
            work,
            fail=fail,
            wait=lambda failure: write(job, failure=failure),
            progress=progress,
        )


class _HowFar:
    """Percent of an export; 100 is told when it is ready."""

    percent = 0

    def __call__(self, done: int, whole: int) -> None:
        self.percent = min(99, 100 * done // max(whole, 1))


def _pack(export: Export, how_far: _HowFar) -> None:
    """Write the archive beside, put it in its place, then say so in the row."""
    expect_exportable(export.asked_by, ArchiveKind(export.kind), export.subject)
    if not write(export, state=ExportState.RUNNING, progress=0):
        return
    with TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as file:
        manifest = write_archive(
            kind=export.kind,
            subject_id=export.subject,
            user=export.asked_by,
            file=file,
            report_progress=how_far,
        )
        _keep(export, file, manifest)


def _keep(export: Export, file: IO[bytes], manifest: Manifest) -> None:
    file.seek(0)
    sha256 = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
    size = file.tell()
    file.seek(0)
    old, now = export.file.name, timezone.now()
    fields: dict[str, Any] = {"size": size, "sha256": sha256, "failure": "", "attempts": 0}
    fields |= {"contents": msgspec.to_builtins(contents_of(manifest)), "name": manifest.name[:100]}
    fields |= {
        "state": ExportState.READY,
        "progress": 100,
        "finished_at": now,
        "expires_at": now + EXPORTS_KEPT,
    }
    name = f"{export.attempts}-{sha256[:16]}.zip"
    if stored := store_file(
        export.file, name, File(file), keep=lambda path: release(export, file=path, **fields)
    ):
        forget_other_files(stored, old=old)


def open_export(*, user: User, export: Export) -> IO[bytes]:
    """The file of an export, for whoever may still export its subject.

    Raises NotFound and Forbidden as ``request_export``; StateConflict "not-ready" where there is no
    file (any more); Unavailable "store-unusable".
    """
    expect_exportable(user, ArchiveKind(export.kind), export.subject)
    if not export.file:
        raise StateConflict(
            "not-ready", gettext("There is no file: the archive is not ready yet, or was deleted.")
        )
    try:
        file: IO[bytes] = export.file.open("rb")
    except FileNotFoundError as error:
        Export.objects.filter(pk=export.pk, state=ExportState.READY).update(
            state=ExportState.EXPIRED, file=""
        )
        raise StateConflict("not-ready", gettext("The file is gone. Export again.")) from error
    except OSError as error:
        raise Unavailable(
            "store-unusable", gettext("The disk on which archives are kept cannot be read.")
        ) from error
    return file
