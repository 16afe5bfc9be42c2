"""`make prints`: print the demonstration's documents and the hard cases, with pictures.

They are saved in ``var/prints/``: a folder for each campaign, a PDF for each document and paper, a
sheet with its pages next to each other, and a PNG for each page. The words of the demonstration's
stories are counted, and how full the pages of its battles are. The demonstration is played once and
kept (``--again`` plays it again).
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scripts.demo.__main__ import ROOT, embedded

FOLDER = ROOT / "var" / "prints"


def main(arguments: Sequence[str]) -> int:
    """Return 0 if everything was printed, else 1."""
    parser = argparse.ArgumentParser(prog="make prints", description=__doc__)
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help="where databases, PDFs and pictures go"
    )
    parser.add_argument("--again", action="store_true", help="play the demonstration again")
    parser.add_argument(
        "names", nargs="*", help="print only these campaigns, by the names of their folders"
    )
    wish = parser.parse_args(arguments)
    folder = wish.folder.resolve()
    with ThreadPoolExecutor(2) as presses:
        done = [
            presses.submit(_print_demonstration, folder, wish.again, wish.names),
            presses.submit(_print_hard_cases, folder, wish.names),
        ]
        failed = [each.result() for each in done]
    print(f"\nThe prints are in {folder}.")
    return int(any(failed))


def _print_demonstration(folder: Path, again: bool, names: Sequence[str]) -> int:
    database = folder / "played" / "demo"
    if again or not (database / "muster.sqlite3").exists():
        shutil.rmtree(database, ignore_errors=True)
        played = subprocess.run(
            # All documents are printed afterwards, on all papers.
            [sys.executable, "-m", "scripts.demo", "--folder", str(database), "--print"],
            cwd=ROOT,
        )
        if played.returncode:
            return played.returncode
    return _press("demo", folder, database, names) or _count_words(database)


def _print_hard_cases(folder: Path, names: Sequence[str]) -> int:
    """Print the hard cases from a new database: playing them takes a few seconds."""
    database = folder / "played" / "hard-cases"
    shutil.rmtree(database, ignore_errors=True)
    database.mkdir(parents=True)
    return _press("hard-cases", folder, database, names)


def _count_words(database: Path) -> int:
    """Count the words of the stories; return 1 if one is too short or too long."""
    environment = {**os.environ, **embedded(database)}
    command = [sys.executable, "-m", "scripts.prints.stories"]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


def _press(which: str, folder: Path, database: Path, names: Sequence[str]) -> int:
    environment = {**os.environ, **embedded(database), "CELERY_BROKER_URL": "memory://"}
    command = [sys.executable, "-m", "scripts.prints.press", which, str(folder), *names]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
