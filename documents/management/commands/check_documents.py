"""Command to find missing or damaged files of documents, and with `--again` to remake them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from documents.models import Document
from documents.services.stored_files import damaged_documents, make_again


class Command(BaseCommand):
    help = (
        "Compare every document's file with what was printed. Exits with 1 if one is gone or "
        "damaged."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--again", action="store_true", help="have what is gone or damaged made again"
        )

    def handle(self, *args: Any, again: bool = False, **options: Any) -> None:
        try:
            damaged = list(damaged_documents())
        except OSError as error:
            raise CommandError(f"The files cannot be read: {error}") from error
        for document, damage in damaged:
            self.stdout.write(
                f"{document.pk} {document.get_kind_display()} {document.title!r}: {damage}"
            )
            if again:
                make_again(document)
        checked = f"{Document.objects.exclude(file='').count()} documents with files"
        if again:
            self.stdout.write(f"{checked}; {len(damaged)} were gone or damaged and are made again.")
        elif damaged:
            raise CommandError(
                f"{len(damaged)} files are gone or damaged: each is made again when it is asked "
                "for."
            )
        else:
            self.stdout.write(f"{checked}, all of them whole.")
