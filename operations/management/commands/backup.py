"""`manage.py backup FILE` or `manage.py backup --keep 7 FOLDER`: back up a running Muster."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.backup import FILES, KEYS, dated_name, drop_old_backups, make_backup
from operations.database_dumps import BackupError


class Command(BaseCommand):
    """A command that exits with 1 and leaves no file behind if the backup cannot be made."""

    help = "Save the database, documents, pictures and, in embedded mode, the keys to one file."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the target, and how many backups to keep."""
        parser.add_argument(
            "target", type=Path, help="a file, or a folder for a file with the date in its name"
        )
        parser.add_argument(
            "--keep", type=int, help="number of daily backups to keep (the target must be a folder)"
        )
        parser.add_argument("--force", action="store_true", help="replace an existing file")
        parser.add_argument(
            "--portable",
            action="store_true",
            help="write the database as SQLite, to move it to another machine",
        )
        parser.add_argument(
            "--without-files",
            action="store_true",
            help="leave documents and pictures out: for a bucket that is backed up in another way",
        )

    def handle(
        self,
        *,
        target: Path,
        keep: int | None,
        force: bool,
        portable: bool,
        without_files: bool,
        **options: Any,
    ) -> None:
        """Make a backup, then delete old ones."""
        if keep is not None and keep < 1:
            raise CommandError("--keep must be 1 or more.")
        file = target / dated_name() if keep or target.is_dir() else target
        try:
            manifest = make_backup(file, force=force, portable=portable, files=not without_files)
            dropped = drop_old_backups(target, keep=keep) if keep else []
        except BackupError as error:
            raise CommandError(str(error)) from error
        files = sum(member.name.startswith(FILES) for member in manifest.members)
        contents = f"the database and {files} files" if manifest.files else "the database alone"
        self.stdout.write(f"{file}: {contents}, {file.stat().st_size / 1e6:.1f} MB.")
        if not manifest.files:
            place = f"bucket {settings.S3_BUCKET}" if settings.S3_BUCKET else settings.FILES_DIR
            self.stderr.write(
                f"Documents and pictures are not in it. Back up the {place} in another way."
            )
        keys = [
            member.name.removeprefix(KEYS)
            for member in manifest.members
            if member.name.startswith(KEYS)
        ]
        if keys:
            self.stderr.write(
                f"It contains keys of this installation: {', '.join(keys)}. Keep it secret."
            )
        if "secret_key" not in keys:
            self.stderr.write(
                f"SECRET_KEY (fingerprint {manifest.key}) is not in it: keep it elsewhere."
            )
        for name in dropped:
            self.stdout.write(f"Deleted {name}.")
