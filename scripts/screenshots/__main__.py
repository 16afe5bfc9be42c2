"""`make screenshots`: take pictures of every page of the demonstration and of hard cases.

They are saved in ``var/screenshots/``: a folder for each campaign, a picture for each page, size
and theme. For each page it reports violations that axe finds, sideways scrolling, and too much
length for a phone. The demonstration is played once and kept (``--again`` plays it again).
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts import system
from scripts.demo.__main__ import ROOT, embedded

FOLDER = ROOT / "var" / "screenshots"


def main(arguments: Sequence[str]) -> int:
    """Return 0 if no page has a problem, else 1."""
    parser = argparse.ArgumentParser(prog="make screenshots", description=__doc__)
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help="where databases and pictures go"
    )
    parser.add_argument("--again", action="store_true", help="play the demonstration again")
    parser.add_argument(
        "--only", choices=("demo", "cases"), help="only the demonstration, or only the hard cases"
    )
    parser.add_argument(
        "names", nargs="*", help="show only these campaigns, by the names of their folders"
    )
    wish = parser.parse_args(arguments)
    system.ensure("tests")
    folder = wish.folder.resolve()
    kinds = [wish.only] if wish.only else ["demo", "cases"]
    failed = [
        _album(kind, folder, _database(kind, folder, wish.again), wish.names) for kind in kinds
    ]
    print(f"\nThe pictures are in {folder}.")
    return int(any(failed))


def _database(kind: str, folder: Path, again: bool) -> Path:
    """Return the folder of the database: played for the demonstration, empty for cases."""
    database = folder / "played" / kind
    if kind == "cases" or again or not (database / "muster.sqlite3").exists():
        shutil.rmtree(database, ignore_errors=True)
        database.mkdir(parents=True)
        if kind == "demo":
            subprocess.run(
                [sys.executable, "-m", "scripts.demo", "--folder", str(database)],
                cwd=ROOT,
                check=True,
            )
    return database


def _album(kind: str, folder: Path, database: Path, names: Sequence[str]) -> int:
    environment = {**os.environ, **embedded(database)}
    command = [sys.executable, "-m", "scripts.screenshots.album", kind, str(folder), *names]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
