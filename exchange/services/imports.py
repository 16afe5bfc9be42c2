"""Upload an archive, check it, choose people's accounts, and import it.

The code for workers may run twice, run twice at the same time, or be killed half way.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import IO, Any, BinaryIO, cast
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files import File
from django.db import transaction
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext

from audit.verbs import Verb
from clubs.models import Club, Membership, Role
from core.display_names import account_name, display_name
from core.errors import InvalidInput, NotFound, StateConflict, TooLarge, Unavailable
from core.file_stores import delete_quietly, local_copy
from core.jobs.claims import ClaimLost, claim_first, release
from core.jobs.queue import send_after_commit
from core.users import expect_person
from documents.models import Language
from exchange.archive_structs import ArchivePreview
from exchange.models import ArchivedPerson, ArchiveKind, Import, ImportState
from exchange.models.archives import UPLOADS_KEPT
from exchange.services.exports import record_archive, run_archive_job
from exchange.services.import_rows import import_archive, preview_archive
from exchange.services.read_archive import open_archive

ADVANCE = "exchange.tasks.advance_import"
WORKING = (ImportState.UPLOADED, ImportState.RUNNING)
"""States in which the job waits for a worker."""
CHOOSING = (ImportState.CHECKED, ImportState.FAILED)
"""States in which the job waits for a decision of the user."""
MAX_WAITING = 3
"""The number of uploaded archives kept for one member. Older ones are deleted."""


def upload_archive(
    *, user: User, file: IO[bytes], size: int, name: str, language: Language
) -> Import:
    """Store an uploaded archive and queue its check.

    Raises InvalidInput (`empty-archive`), TooLarge (`upload-too-large`) and Unavailable
    (`store-unusable`), and Forbidden "people-only" for a bot.
    """
    expect_person(user)
    if size > settings.ARCHIVE_LIMIT:
        sentence = gettext(
            "This archive has %(size)s. At most %(most)s are allowed. The person who runs this "
            "site can import it."
        )
        sentence %= {"size": filesizeformat(size), "most": filesizeformat(settings.ARCHIVE_LIMIT)}
        raise TooLarge("upload-too-large", sentence, field="file")
    if not size:
        raise InvalidInput("empty-archive", gettext("This file is empty."), field="file")
    now = timezone.now()
    brought = Import(asked_by=user, name=name[:200], size=size, language=language)
    brought.asked_at, brought.expires_at = now, now + UPLOADS_KEPT
    try:
        brought.file.save("archive.zip", File(file), save=False)
    except OSError as error:
        raise Unavailable(
            "store-unusable",
            gettext("The store for archives does not answer. Nothing was saved. Try again later."),
        ) from error
    try:
        with transaction.atomic():
            brought.save(force_insert=True)
            queue_import(brought.pk)
    except BaseException:
        delete_quietly(str(brought.file.name))
        raise
    waiting = (
        Import.objects.filter(asked_by=user).exclude(file="").exclude(state=ImportState.RUNNING)
    )
    for older in waiting.order_by("-asked_at")[MAX_WAITING:]:
        forget_upload(older)
    return brought


def queue_import(import_id: UUID) -> None:
    """Queue the next step of an import after the current transaction commits."""
    send_after_commit(ADVANCE, str(import_id))


def candidates(user: User) -> dict[str, User]:
    """Return the accounts that a user may choose for people in an archive, by user name.

    These are the user, and the players of clubs that the user organises.
    """
    organised = Membership.objects.present().filter(user=user, role=Role.ORGANISER).values("club")
    members = Membership.objects.present().filter(club__in=organised, user__isnull=False)
    players = User.objects.filter(pk__in=members.values("user"), is_active=True).exclude(pk=user.pk)
    return {display_name(each): each for each in (user, *players.order_by("username"))}


def choose_people(
    *, user: User, import_id: UUID, people: Mapping[str, str | None], club: UUID | None = None
) -> Import:
    """Choose the accounts of people by user name, and check the archive again.

    None, or no entry, means a placeholder. ``club``: for a campaign's archive, the user's club
    that gets it. Raises NotFound (`unknown-import`), StateConflict (`wrong-state`) and
    InvalidInput (`unknown-person`, `not-your-player`, `one-account-twice`, `not-your-club`).
    """
    with transaction.atomic():
        brought = _locked(user, import_id, *CHOOSING)
        _choose(brought, user, people, club)
        _await(brought, ImportState.UPLOADED)
    return brought


def carry_out(
    *,
    user: User,
    import_id: UUID,
    people: Mapping[str, str | None] | None = None,
    club: UUID | None = None,
) -> Import:
    """Queue the import that the preview shows, with these people if any are given.

    Raises the errors of ``choose_people``, and InvalidInput (`not-importable`) if the preview has
    refusals.
    """
    with transaction.atomic():
        brought = _locked(user, import_id, ImportState.CHECKED)
        if not preview_of(brought).importable:
            raise InvalidInput(
                "not-importable",
                gettext("The archive cannot be imported. See the errors in the preview."),
            )
        if people is not None:
            _choose(brought, user, people, club)
        _await(brought, ImportState.RUNNING)
    return brought


def preview_of(brought: Import) -> ArchivePreview:
    """Return the preview of a checked archive."""
    return msgspec.convert(brought.preview, ArchivePreview)


def _locked(user: User, import_id: UUID, *states: ImportState) -> Import:
    """Lock and return the user's import, if it is in one of these states.

    Raises NotFound (`unknown-import`) and StateConflict (`wrong-state`).
    """
    brought = (
        Import.objects.visible_to(user).select_for_update(of=("self",)).filter(pk=import_id).first()
    )
    if brought is None:
        raise NotFound("unknown-import", gettext("Import not found, or it is not yours."))
    if brought.state not in states or not brought.file or not brought.preview:
        sentence = gettext(
            "This import is %(state)s, so there is nothing to choose. Reload the page, or upload "
            "the archive again."
        )
        raise StateConflict(
            "wrong-state", sentence % {"state": brought.get_state_display().lower()}
        )
    return brought


def _choose(
    brought: Import, user: User, people: Mapping[str, str | None], club: UUID | None
) -> None:
    """Set the chosen people as ids of users, and the club. Raises InvalidInput."""
    references = {person.reference for person in preview_of(brought).people}
    for reference in people.keys() - references:
        sentence = gettext("“%(reference)s” is not in this archive.") % {
            "reference": reference[:40]
        }
        raise InvalidInput("unknown-person", sentence, field=f"people.{reference}")
    mine = candidates(user)
    chosen: dict[str, int | None] = dict.fromkeys(references)
    for reference, name in people.items():
        if name is None:
            continue
        called = account_name(name)
        account = (
            mine.get(called)
            or (user.is_staff and User.objects.filter(username=called).first())
            or None
        )
        if account is None:
            sentence = gettext(
                "“%(name)s” is neither you nor a member of a club that you organise."
            ) % {"name": name[:40]}
            raise InvalidInput("not-your-player", sentence, field=f"people.{reference}")
        if account.pk in chosen.values():
            sentence = gettext("“%(name)s” cannot be two people.") % {"name": name[:40]}
            raise InvalidInput("one-account-twice", sentence, field=f"people.{reference}")
        chosen[reference] = account.pk
    if club is not None and not Club.objects.editable_by(user).filter(pk=club).exists():
        raise InvalidInput(
            "not-your-club",
            gettext("Club not found, or you are not one of its organisers."),
            field="club",
        )
    brought.people, brought.club = chosen, club


def _await(brought: Import, state: ImportState) -> None:
    """Set the state and queue the next step for a worker."""
    brought.state, brought.failure, brought.attempts, brought.finished_at = state, "", 0, None
    brought.save(update_fields=["people", "club", "state", "failure", "attempts", "finished_at"])
    queue_import(brought.pk)


def advance_import(import_id: UUID, *, task: str = "") -> None:
    """Check an uploaded import, or carry one out; do nothing if another worker has claimed it.

    ``task`` is the id of the message. Transient errors are raised after releasing the import;
    every other failure is written to it as a sentence, and then nothing is imported.
    """
    waiting = Import.objects.filter(pk=import_id, state__in=WORKING).select_related("asked_by")
    brought = claim_first(waiting, task)
    if brought is not None:
        work = _check if brought.state == ImportState.UPLOADED else _carry_out
        run_archive_job(brought, partial(work, brought))


def _check(brought: Import) -> None:
    if not brought.preview:
        brought.people = _known_again(brought)
    _show(brought, _previewed(brought))


def _known_again(brought: Import) -> dict[str, int | None]:
    """Return the accounts here that have a reference of the archive and that the user may choose.

    So a club that returns to its installation gets its people back.
    """
    with _opened(brought) as file, open_archive(file) as opened:
        people = ArchivedPerson.objects.filter(reference__in=opened.people, placeholder=False)
    users = [user.pk for user in candidates(brought.asked_by).values()]
    return {str(person.reference): person.user_id for person in people.filter(user__in=users)}


def _previewed(brought: Import) -> ArchivePreview:
    with _opened(brought) as file:
        return preview_archive(file=file, **_asked(brought))


@contextmanager
def _opened(brought: Import) -> Iterator[BinaryIO]:
    with brought.file.open("rb") as file, local_copy(file) as copy:
        yield cast("BinaryIO", copy)


def _asked(brought: Import) -> dict[str, Any]:
    """Return the arguments of the import: the user, the people and the club."""
    return {"user": brought.asked_by, "people": brought.people, "club": brought.club}


def _show(brought: Import, preview: ArchivePreview, failure: str = "") -> None:
    """Store the preview, with the accounts that it proposes for people."""
    people = {person.reference: person.user for person in preview.people}
    values = {
        "preview": msgspec.to_builtins(preview),
        "people": people,
        "failure": failure,
        "attempts": 0,
    }
    release(brought, state=ImportState.CHECKED, **values)


def _carry_out(brought: Import) -> None:
    """Import what was previewed, in one transaction with the update of the row.

    A worker that is killed therefore imports nothing.
    """
    shown = preview_of(brought)
    if {person.reference: person.user for person in shown.people} != brought.people or brought.club:
        preview = _previewed(brought)
        if _made_by(preview) != _made_by(shown):
            _show(
                brought,
                preview,
                gettext("The preview has changed. Check it again."),
            )
            return
        shown = preview
    with suppress(ClaimLost), _opened(brought) as file, transaction.atomic():
        made = import_archive(file=file, digest=shown.digest, **_asked(brought))
        record_archive(
            Verb.ARCHIVE_IMPORTED, ArchiveKind(made.kind), made.subject, brought.asked_by
        )
        values = {
            "result": msgspec.to_builtins(made),
            "file": "",
            "failure": "",
            "finished_at": timezone.now(),
        }
        upload = str(brought.file.name)
        if not release(brought, state=ImportState.DONE, **values):
            raise ClaimLost
        transaction.on_commit(partial(delete_quietly, upload))


def _made_by(preview: ArchivePreview) -> object:
    return preview.made, preview.counts, preview.refused


def forget_upload(brought: Import) -> bool:
    """Delete an uploaded file that no worker has claimed. Return whether there was one."""
    over = dict.fromkeys((ImportState.UPLOADED, ImportState.CHECKED), ImportState.EXPIRED)
    state = over.get(ImportState(brought.state), brought.state)
    mine = Import.objects.filter(pk=brought.pk, state=brought.state, claimed_by="").exclude(file="")
    if not mine.update(file="", state=state):
        return False
    delete_quietly(str(brought.file.name))
    return True
