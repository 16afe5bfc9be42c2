"""`manage.py restore FILE`: restore a backup and check the result."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.backup import FILES, Manifest
from operations.database_dumps import BackupError, holds_data
from operations.restore import rehearse_restore, restore_backup


class Command(BaseCommand):
    """A command that exits with 1 if the backup is refused or a later check fails."""

    help = (
        "Restore a backup of `manage.py backup` into this installation, and check chronicles, "
        "battles and documents."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the backup and the options."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--force", action="store_true", help="replace the existing data, which is lost"
        )
        parser.add_argument(
            "--other-key", action="store_true", help="restore even without the backup's SECRET_KEY"
        )
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="check the backup and count its rows, without changing anything",
        )

    def handle(
        self, *, file: Path, force: bool, other_key: bool, dry_run: bool, **options: Any
    ) -> None:
        """Restore the backup, then check it."""
        try:
            if dry_run:
                self._rehearse(*rehearse_restore(file, other_key=other_key))
                return
            manifest = restore_backup(file, force=force, other_key=other_key)
        except BackupError as error:
            raise CommandError(str(error)) from error
        files = sum(member.name.startswith(FILES) for member in manifest.members)
        self.stdout.write(
            f"Restored the backup of {manifest.made_at}: the database and {files} files."
            if manifest.files
            else f"Restored the backup of {manifest.made_at}: the database. The backup has no "
            "documents and pictures: those of this installation were not changed."
        )
        wrong = [
            complaint
            for command in ("check_chronicle", "check_documents")
            if (complaint := self._complaint(command))
        ]
        if wrong:
            raise CommandError(f"Everything was restored, but checks failed: {' '.join(wrong)}")

    def _rehearse(self, manifest: Manifest, tables: dict[str, int]) -> None:
        files = [member.size for member in manifest.members if member.name.startswith(FILES)]
        for name, rows in sorted(tables.items()):
            if rows:
                self.stdout.write(f"{rows:>10,}  {name}")
        counted = f"{sum(tables.values()):,} rows" if tables else "a dump without a row count"
        self.stdout.write(
            f"The backup of {manifest.made_at} (Muster {manifest.muster}, {manifest.engine}) can "
            "be restored here: "
            f"{counted}, {len(files)} files, {sum(files) / 1e6:.1f} MB. Nothing was changed."
        )
        if holds_data():
            self.stdout.write(
                "This installation already has data. To replace it with the backup, add --force."
            )

    def _complaint(self, command: str) -> str:
        """Return the error of a check command, or "" if it succeeds."""
        try:
            call_command(command, stdout=self.stdout, stderr=self.stderr)
        except CommandError as error:
            return str(error)
        return ""
