"""`make keep-release`: keep the database of this version for the upgrade tests of later ones.

It plays a small installation on SQLite, copies it to PostgreSQL, and writes both with an archive, a
passport and the API's answers to ``tests/kept/<release>/``, from the beginning each time. It also
pins the format of archives (``tests/exchange/archive_form.json``). Run it just before a release,
when no migration will change any more, and commit what it writes: see docs/testing.md.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
if __name__ == "__main__":
    django.setup()

from django.conf import settings

from scripts.demo.__main__ import embedded
from scripts.demo.client import Unexpected
from scripts.demo.people import PASSWORD
from scripts.demo.progress import Progress
from scripts.processes import NotStarted
from scripts.serve import running_muster
from scripts.services import postgres, scratch_folder
from tests.exchange import archive_form
from tests.kept import releases
from tests.kept.api_forms import form_of_api, schema_of_api
from tests.kept.databases import keep_postgres, keep_sqlite, tables_of
from tests.kept.migrations import fingerprints
from tests.kept.releases import Release, write_json
from tests.kept.stored_forms import form_of_stored
from tests.kept.world import Played, answers_of, play, wait_until_ready

ROOT = Path(__file__).parents[2]


def keep_release(folder: Path, say: Progress) -> None:
    """Write everything that a release keeps. Raises Unexpected, NotStarted or CalledProcessError."""
    with TemporaryDirectory(prefix="muster-kept-") as scratch:
        own, written = Path(scratch) / "muster", Path(scratch) / "written"
        own.mkdir()
        written.mkdir()
        environment = embedded(own)
        with running_muster(environment=environment, logs=own) as muster:
            played = play(muster.url, own, say)
            say.heading("Archive, passport and answers of the API")
            _download(played, written)
            write_json(written, releases.ANSWERS, answers_of(played.reader))
        say.heading("Checking")
        _manage(environment, "check_chronicle")
        _keep_databases(own, environment, written, say)
        _describe(own, played, written)
        write_json(written, releases.FORMS, form_of_stored())
        write_json(written, releases.API, form_of_api(schema_of_api()))
        write_json(written, releases.MIGRATIONS, fingerprints())
        archive_form.write()
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(written, folder)
    say.heading("Kept")
    for file in sorted(folder.iterdir()):
        say.line(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")


def _download(played: Played, folder: Path) -> None:
    organiser, club = played.club.organiser, played.club.id
    export = organiser.post("exports/", {"kind": "club", "subject": club})["id"]
    wait_until_ready(organiser, f"exports/{export}/")
    organiser.download(f"/api/v1/exports/{export}/file/", folder / releases.ARCHIVE)
    path = f"/api/v1/warbands/{played.warband}/passport/"
    organiser.download(path, folder / releases.PASSPORT)


def _keep_databases(own: Path, environment: dict[str, str], folder: Path, say: Progress) -> None:
    """Keep the database on SQLite, and the same rows on PostgreSQL."""
    say.heading("Copying it to PostgreSQL")
    backup = own / "backup.zip"
    _manage(environment, "backup", str(backup))
    keep_sqlite(own / "muster.sqlite3", folder)
    secret = (own / "secret_key").read_text("ascii").strip()
    with scratch_folder() as cluster, postgres(cluster / "postgres") as address:
        other = {"DATABASE_URL": address, "VAR_DIR": str(own / "other"), "SECRET_KEY": secret}
        _manage({**environment, **other}, "restore", str(backup))
        _manage({**environment, **other}, "check_chronicle")
        keep_postgres(address, folder)


def _describe(own: Path, played: Played, folder: Path) -> None:
    release = Release(
        muster=settings.VERSION,
        secret_key=(own / "secret_key").read_text("ascii").strip(),
        organiser=played.club.organiser_name,
        password=PASSWORD,
        token=played.reader.token,
        webhook_secret=played.webhook_secret,
        rows=tables_of(own / "muster.sqlite3"),
    )
    write_json(
        folder,
        releases.DESCRIPTION,
        {name: getattr(release, name) for name in release.__struct_fields__},
    )


def _manage(environment: dict[str, str], *command: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={**os.environ, **environment},
        check=True,
    )


def main() -> int:
    """Keep the release that this version becomes, and return the exit code."""
    folder = releases.FOLDER / releases.released_version(settings.VERSION)
    try:
        keep_release(folder, Progress())
    except (Unexpected, NotStarted, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"\nNothing was kept.\n{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
