"""Import an archive, or preview the import.

`manage.py import_archive FILE --as USERNAME [--preview] [--person REFERENCE=USERNAME ...] [--club
ID]`
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.errors import MusterError
from exchange.archive_contents import filled_tables, grouped
from exchange.archive_structs import ArchivePreview
from exchange.services.import_rows import import_archive, preview_archive


class Command(BaseCommand):
    help = (
        "Import an archive of a warband, a campaign or a club; with --preview, say what that would "
        "make."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--as", dest="username", required=True, help="who brings it, and organises what is made"
        )
        parser.add_argument("--preview", action="store_true", help="make nothing")
        parser.add_argument(
            "--person",
            action="append",
            default=[],
            metavar="REFERENCE=USERNAME",
            help="accounts of people, by the references of the preview; the others become "
            "guest players",
        )
        parser.add_argument("--club", type=UUID, help="the club for a campaign")

    def handle(self, *args: Any, **options: Any) -> None:
        user = _account(options["username"])
        kwargs = {"user": user, "people": _people(options["person"]), "club": options["club"]}
        try:
            with options["file"].open("rb") as file:
                preview = preview_archive(file=file, **kwargs)
                self._show(preview)
                if preview.refused:
                    raise CommandError("It cannot be imported as it is: nothing was made.")
                if not options["preview"]:
                    file.seek(0)
                    made = import_archive(file=file, digest=preview.digest, **kwargs)
                    self.stdout.write(f"Imported: {len(made.made)} of {made.name!r}.")
        except MusterError as error:
            sentences = [error.sentence, *(problem.sentence for problem in error.problems)]
            raise CommandError("\n".join(dict.fromkeys(sentences))) from error
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error}") from error

    def _show(self, preview: ArchivePreview) -> None:
        signer = preview.signer
        self.stdout.write(
            f"{preview.kind} {preview.name!r}, signed by {signer.fingerprint} ({signer.standing})"
        )
        for heading, lines in (("Would be made", preview.made), ("Here already", preview.here)):
            for group in grouped(lines):
                self.stdout.write(f"{heading}: {group.label} {group.number}")
        rows = ", ".join(f"{label} {table.rows}" for table, label in filled_tables(preview.counts))
        self.stdout.write(f"Tables: {rows}")
        for person in preview.people:
            self.stdout.write(
                f"Person {person.reference} {person.name!r}: {person.user_name or 'a placeholder'}"
            )
        for sentence in (
            *preview.notices,
            *(f"Refused, {each.where}: {each.sentence}" for each in preview.refused),
        ):
            self.stdout.write(sentence)


def _people(arguments: Iterable[str]) -> dict[str, int | None]:
    """Return the ids of accounts by reference. Raises CommandError for an unknown user name."""
    pairs = [each.partition("=") for each in arguments]
    return {reference: _account(name).pk for reference, _, name in pairs}


def _account(name: str) -> User:
    """Return the account with this user name. Raises CommandError if there is none."""
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"There is no account {name!r} here.")
    return user
