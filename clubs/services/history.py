"""Import of old seasons from a spreadsheet, all of it or nothing; undo; count them in records."""

from operator import attrgetter
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from msgspec.structs import replace

from audit.services.recording import record
from audit.verbs import Verb
from clubs.history_sheets import Chosen, HistorySheet, read_history
from clubs.models import Club, HistoryImport, PastFact
from clubs.services.permissions import expect_organiser, find, organised_club
from core.csv_files import plain
from core.errors import InvalidInput

CONTENT = (
    "kind",
    "season",
    "day",
    "player",
    "warband",
    "score",
    "opponent",
    "opponent_warband",
    "opponent_score",
    "outcome",
    "fighter",
    "note",
)
"""The fields of a fact that come from the spreadsheet. Two facts that agree in all are the same."""
MOST_FACTS = 50_000
"""The most imported facts of a club."""


def preview_history(
    *, club_id: UUID, user: User, content: bytes | str, columns: Chosen | None = None
) -> HistorySheet:
    """Return what a spreadsheet would import. Writes nothing. Three queries after the rights.

    ``columns`` says which of our columns the file's foreign ones are. Raises
    NotFound, Forbidden, and UnreadableSpreadsheet with every wrong cell.
    """
    club = find(Club.objects.visible_to(user), club_id, "club")
    expect_organiser(club_id, user)
    sheet = _read(club, content, columns)
    return replace(sheet, repeated=_repeated(club, sheet))


@transaction.atomic
def import_history(
    *, club_id: UUID, user: User, content: bytes | str, columns: Chosen | None = None
) -> HistoryImport:
    """Import the facts of a spreadsheet into a club, and return the import.

    Raises the errors of ``preview_history``, and InvalidInput "too-much-history".
    """
    club = organised_club(club_id, user)
    sheet = _read(club, content, columns)
    present = PastFact.objects.filter(batch__club=club).count()
    if present + len(sheet.facts) > MOST_FACTS:
        sentence = gettext(
            "A club can keep %(most)s imported rows. Undo an earlier import, or leave rows out."
        )
        raise InvalidInput("too-much-history", sentence % {"most": MOST_FACTS}, field="csv")
    counted = _is_counted(club)
    batch = HistoryImport.objects.create(
        club=club, made_by=user, number=len(sheet.facts), counted=counted
    )
    for fact in sheet.facts:
        fact.batch = batch
    PastFact.objects.bulk_create(sheet.facts, batch_size=1000)
    record(Verb.HISTORY_IMPORTED, club, user=user, club=club_id, number=batch.number)
    return batch


@transaction.atomic
def undo_history_import(*, import_id: UUID, user: User) -> None:
    """Delete an import with all its facts. Raises NotFound, Forbidden."""
    batch = find(HistoryImport.objects.visible_to(user), import_id, "history-import")
    club = organised_club(batch.club_id, user)
    # Another request may have undone it before the club was locked.
    batch = find(HistoryImport.objects.all(), import_id, "history-import")
    record(Verb.HISTORY_UNDONE, club, user=user, club=club.pk, number=batch.number)
    batch.delete()


@transaction.atomic
def count_history(*, club_id: UUID, user: User, counted: bool) -> None:
    """Set whether the club's records count imported results. Raises NotFound, Forbidden."""
    club = organised_club(club_id, user)
    changed = club.history_imports.exclude(counted=counted).update(counted=counted)
    if changed:
        verb = Verb.HISTORY_COUNTED if counted else Verb.HISTORY_NOT_COUNTED
        record(verb, club, user=user, club=club_id)


def _read(club: Club, content: bytes | str, columns: Chosen | None) -> HistorySheet:
    names = {plain(name): key for key, name in club.memberships.values_list("pk", "name")}
    return read_history(content, names, columns)


def _repeated(club: Club, sheet: HistorySheet) -> int:
    """Return how many facts of the spreadsheet the club has imported already, in any row."""
    present = set(PastFact.objects.filter(batch__club=club).values_list(*CONTENT))
    content = attrgetter(*CONTENT)
    return sum(content(fact) in present for fact in sheet.facts)


def _is_counted(club: Club) -> bool:
    """Return what the switch of the club says. It is the same for all imports."""
    latest = club.history_imports.first()
    return latest is None or latest.counted
