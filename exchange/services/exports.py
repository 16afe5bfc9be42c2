"""Request archives and write them.

The code for workers may run twice, run twice at the same time, or be killed half way.
"""

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
"""The number of archives that are written for one member at the same time."""

SUBJECTS: dict[ArchiveKind, type[Warband] | type[Campaign] | type[Club]] = {
    ArchiveKind.WARBAND: Warband,
    ArchiveKind.CAMPAIGN: Campaign,
    ArchiveKind.CLUB: Club,
}


def request_export(
    *, user: User, kind: ArchiveKind, subject: UUID, language: Language = Language.ENGLISH
) -> Export:
    """Queue an export of a subject.

    A second request returns the export in progress; a request after it is ready makes a new file.
    For users who may edit the warband, and for organisers of the campaign or the club. Raises
    NotFound (`unknown-subject`), Forbidden (`not-yours-to-export`) and StateConflict
    (`too-many-exports`).
    """
    name = expect_exportable(user, kind, subject)
    values = {"name": name, "language": language, "asked_at": timezone.now()}
    with transaction.atomic():
        # Lock the user: two requests at the same time wait for each other, so that both are
        # counted.
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
                "Muster is creating %(number)d archive for you. Wait until it is ready.",
                "Muster is creating %(number)d archives for you. Wait until one is ready.",
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
    """Record in the activity log that an archive of the subject was requested or imported."""
    row = SUBJECTS[kind].objects.get(pk=subject)
    if isinstance(row, Warband):
        record_warband(verb, row, user)
    elif isinstance(row, Campaign):
        record(verb, row, user=user, club=row.club_id, campaign=row.pk)
    else:
        record(verb, row, user=user, club=row.pk)


def expect_exportable(user: User, kind: ArchiveKind, subject: UUID) -> str:
    """Return the name of the subject if the user may export it.

    Raises NotFound (`unknown-subject`) and Forbidden (`not-yours-to-export`).
    """
    rows: Any = SUBJECTS[kind].objects.all()
    row = rows.visible_to(user).filter(pk=subject).first()
    if row is None:
        sentence = gettext("Not found, or you don't have access.")
        raise NotFound("unknown-subject", sentence, field="subject")
    if not rows.editable_by(user).filter(pk=subject).exists():
        sentence = gettext(
            "Only people who can edit a warband can export it. Only organisers can export a "
            "campaign or club."
        )
        raise Forbidden("not-yours-to-export", sentence)
    return str(row.name)


def exporter_of(kind: ArchiveKind, subject: UUID) -> User | None:
    """Return a user who may export the subject; None if there is none.

    For a warband this is its owner, or else its keeper; for a campaign or a club the member who
    has been an organiser for longest.
    """
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
    """Write an export that is queued and that no other worker has claimed.

    ``task`` is the id of the message. Transient errors are raised after releasing the export;
    every other failure is written to it as a sentence.
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
    """Run some work on a claimed export or import, in the language of the job.

    A failure is written to the row as a sentence. An older file of an export stays until it
    expires.
    """

    def fail(failure: str) -> None:
        # The state has the same value in both models.
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
    """The percentage of an export. It stays below 100 until the export is ready."""

    percent = 0

    def __call__(self, done: int, whole: int) -> None:
        self.percent = min(99, 100 * done // max(whole, 1))


def _pack(export: Export, how_far: _HowFar) -> None:
    """Write the archive to a temporary file, move it to its place, then update the row."""
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
    """Open the file of an export, for a user who may still export its subject.

    Raises NotFound and Forbidden as ``request_export``; StateConflict (`not-ready`) if there is no
    file (any more); Unavailable (`store-unusable`).
    """
    expect_exportable(user, ArchiveKind(export.kind), export.subject)
    if not export.file:
        raise StateConflict(
            "not-ready", gettext("No file: the archive is not ready yet, or was deleted.")
        )
    try:
        file: IO[bytes] = export.file.open("rb")
    except FileNotFoundError as error:
        Export.objects.filter(pk=export.pk, state=ExportState.READY).update(
            state=ExportState.EXPIRED, file=""
        )
        raise StateConflict("not-ready", gettext("The file is missing. Export again.")) from error
    except OSError as error:
        raise Unavailable(
            "store-unusable", gettext("The disk for archives cannot be read.")
        ) from error
    return file
