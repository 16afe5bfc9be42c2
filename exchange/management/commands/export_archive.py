"""Export an archive: `manage.py export_archive KIND ID FILE [--as USERNAME]`."""

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, BinaryIO, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.errors import MusterError
from exchange.archive_contents import filled_tables, left_out_reasons
from exchange.archive_structs import Manifest
from exchange.models import ArchiveKind
from exchange.services.exports import exporter_of
from exchange.services.write_archive import write_archive


class Command(BaseCommand):
    help = (
        "Write an archive of a warband, a campaign or a club, as somebody who may export it would "
        "get it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=ArchiveKind.values)
        parser.add_argument("id", type=UUID)
        parser.add_argument(
            "file", type=Path, help="where to write it; a file that is there already is replaced"
        )
        parser.add_argument(
            "--as", dest="username", default="", help="who sees what goes; by default an organiser"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        kind, subject, path = ArchiveKind(options["kind"]), options["id"], options["file"]
        name = options["username"]
        user = User.objects.filter(username=name).first() if name else exporter_of(kind, subject)
        if user is None:
            raise CommandError(
                f"There is no {kind} {subject}, or nobody who may export it: name somebody by --as."
            )
        try:
            manifest = _written(kind, subject, path, user)
        except MusterError as error:
            raise CommandError(error.sentence) from error
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error}") from error
        rows = ", ".join(f"{label} {table.rows}" for table, label in filled_tables(manifest.tables))
        self.stdout.write(
            f"{path}: {manifest.name}, as {user} sees it, {path.stat().st_size} bytes. {rows}."
        )
        for line in left_out_reasons(manifest.left_out):
            self.stdout.write(f"Stayed here: {line}.")


def _written(kind: ArchiveKind, subject: UUID, path: Path, user: User) -> Manifest:
    """Write the archive to a temporary file next to the path first.

    So an incomplete archive never has the final name.
    """
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as beside:
        try:
            manifest = write_archive(
                kind=kind,
                subject_id=subject,
                user=user,
                file=cast("BinaryIO", beside),
                report_progress=lambda done, whole: None,
            )
        except BaseException:
            Path(beside.name).unlink()
            raise
    Path(beside.name).replace(path)
    return manifest
