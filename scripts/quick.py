"""`make quick`: run checks and the tests that the present change needs, in under a minute.

A change is the difference from the main branch, committed or not; `NEEDS` says which tests it
needs. Tests of the whole project run first (`ALWAYS`). When the time is over, the remaining tests
are skipped; the last line says how many and where. It fails if no test that the change needs was
run. Types are checked last, because mypy takes minutes when its cache is empty, and that must not
use up the time of the tests. `make test` runs everything.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.check import CHECKS
from scripts.services import ROOT
from scripts.stages import Stages

MINUTE = 45
"""Seconds after which no test starts.

The rest of the minute is for running tests to end, and for types.
"""
ALWAYS = (
    "tests/house/test_arrows.py",
    "tests/house/test_glossary.py",
    "tests/house/test_translations.py",
    "tests/house/test_schema.py",
    "tests/kept/test_stored_forms.py",
    "tests/audit/test_every_service.py",
    "tests/permissions/test_matrix.py",
    "tests/permissions/test_generated_requests.py",
)
"""Tests that any change can break, because they find what they check automatically.

They run first.
"""
FIRST_CHECKS, LAST_CHECKS = ("lint", "form", "arrows", "templates"), ("types",)
CHECKED_FILES = {"templates": (".html",)}
"""The kinds of files that a check reads, by its name.

Other checks read Python and the project's settings.
"""
OF_PYTHON = (".py", ".pyi", ".toml", ".lock")
DATABASES = ROOT / "var" / "quick"
"""The folder with the migrated SQLite file that tests copy."""
NEEDS: dict[str, tuple[str, ...]] = {
    "rulebook/systems/en_garde/at_table/": (
        "tests/rulebook/en_garde/at_table",
        "tests/rulebook/en_garde/turns",
    ),
    "rulebook/systems/en_garde/calculators/": ("tests/rulebook/en_garde/calculators",),
    "rulebook/systems/en_garde/odds/": (
        "tests/rulebook/en_garde/odds",
        "tests/rulebook/en_garde/calculators",
    ),
    "rulebook/systems/en_garde/table/": (
        "tests/rulebook/en_garde/table",
        "tests/rulebook/en_garde/turns",
    ),
    "rulebook/systems/en_garde/turns/": ("tests/rulebook/en_garde/turns", "tests/playthroughs"),
    "rulebook/systems/en_garde/": ("tests/rulebook/en_garde", "tests/playthroughs"),
    "rulebook/": (
        "tests/rulebook",
        "tests/playthroughs",
        "tests/warbands/test_writing_chronicles.py",
    ),
    "drawings/": ("tests/drawings",),
    "core/": ("tests/core", "tests/house", "tests/pages/test_refusals.py", "tests/reference"),
    "accounts/": ("tests/accounts", "tests/pages/test_account.py", "tests/pages/test_leaving.py"),
    "operations/": ("tests/operations",),
    "audit/": ("tests/audit",),
    "warbands/": ("tests/warbands", "tests/pages/test_warbands.py", "tests/pages/test_fighters.py"),
    "clubs/": ("tests/clubs", "tests/pages/test_clubs.py", "tests/home"),
    "campaigns/": ("tests/campaigns", "tests/leagues/classic", "tests/pages/test_campaigns.py"),
    "battles/": (
        "tests/battles",
        "tests/pages/test_battles.py",
        "tests/pages/test_at_the_table.py",
    ),
    "reference/": ("tests/reference", "tests/pages/test_search.py"),
    "leagues/": ("tests/leagues", "tests/pages/test_campaigns.py"),
    "pictures/": ("tests/pictures",),
    "documents/": ("tests/documents", "tests/pages/test_documents.py"),
    "exchange/": ("tests/exchange",),
    "outbox/": ("tests/outbox",),
    "home/": ("tests/home", "tests/pages/test_home.py"),
    "search/": ("tests/pages/test_search.py",),
    "config/": (
        "tests/house",
        "tests/pages/test_home.py",
        "tests/pages/test_refusals.py",
        "tests/reference",
    ),
    "templates/print/": ("tests/documents",),
    "templates/accounts/": (
        "tests/accounts",
        "tests/pages/test_account.py",
        "tests/pages/test_leaving.py",
    ),
    "templates/battles/": (
        "tests/pages/test_battles.py",
        "tests/pages/test_at_the_table.py",
        "tests/pages/test_markup.py",
    ),
    "templates/campaigns/": ("tests/pages/test_campaigns.py", "tests/pages/test_markup.py"),
    "templates/clubs/": (
        "tests/pages/test_clubs.py",
        "tests/pages/test_members.py",
        "tests/pages/test_joining.py",
    ),
    "templates/exchange/": (
        "tests/exchange/test_exports.py",
        "tests/exchange/test_imports.py",
        "tests/pages/test_markup.py",
    ),
    "templates/outbox/": ("tests/outbox/test_pages.py",),
    "templates/home/": ("tests/pages/test_home.py", "tests/pages/test_club_home.py", "tests/home"),
    "templates/leagues/": (
        "tests/pages/test_fixtures.py",
        "tests/pages/test_campaigns.py",
        "tests/pages/test_markup.py",
    ),
    "templates/reference/": ("tests/reference",),
    "templates/search/": ("tests/pages/test_search.py",),
    "templates/warbands/": (
        "tests/pages/test_warbands.py",
        "tests/pages/test_fighters.py",
        "tests/pages/test_builder.py",
    ),
    "templates/": ("tests/pages", "tests/reference"),
    "static/print/": ("tests/documents",),
    "static/": ("tests/pages/test_markup.py", "tests/documents/test_edition.py"),
    "scripts/": ("tests/house", "tests/demo", "tests/bench"),
    "docs/": ("tests/house",),
}
"""The tests that a change needs, by the start of its path: the first match counts.

The nearest tests come first.
"""
SYSTEM = re.compile(r"rulebook/systems/(\w+)/")
OF_EVERY_SYSTEM = ("tests/rulebook/test_conformance.py", "tests/rulebook/test_every_system.py")
"""Tests that run for each rule system of the registry."""


def main(arguments: Sequence[str]) -> None:
    """Check, test, and print the table of times. Exits with 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="make quick", description=__doc__)
    parser.add_argument("--base", help="compare with this commit, not with the main branch")
    base = parser.parse_args(arguments).base or where_we_left_main()
    deadline = time.time() + MINUTE
    changed = changed_since(base)
    tests = needed_tests(changed)
    print(f"Changed since {base[:12]}; it needs: {' '.join(tests)}", flush=True)
    stages = Stages()
    for name in needed_checks(FIRST_CHECKS, changed):
        stages.run(name, *CHECKS[name])
    if changed:
        stages.run("wording", *CHECKS["wording"], *changed)
    with TemporaryDirectory(prefix="muster-quick-") as folder:
        counts = Path(folder) / "counts.json"
        embedded = {"VAR_DIR": folder, "DATABASE_URL": "", "CELERY_BROKER_URL": ""}
        started = time.time()
        if copy_migrated_database(stages, embedded, Path(folder) / "muster.sqlite3"):
            embedded["TESTS_COPY_DATABASE"] = "yes"
        # Migrations only run when they have changed. Add their time to the deadline, or else no
        # test might run.
        deadline += time.time() - started
        first = os.pathsep.join([*ALWAYS, *filter(is_test, changed)])
        order = {
            "TESTS_FIRST": first,
            "TESTS_END_AT": str(deadline),
            "TESTS_COUNTED_IN": str(counts),
        }
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            str(os.cpu_count()),
            "--maxfail",
            "5",
        ]
        which = ("-m", "not (worker or browser or postgres)")
        stages.run("tests", *command, *which, *tests, environment=embedded | order)
        ran, left = counted(counts)
    for name in needed_checks(LAST_CHECKS, changed):
        stages.run(name, *CHECKS[name])
    if nothing_needed_ran(ran, left):
        stages.note("no test that the change needs was run", 0, well=False)
    stages.finish(not_run(ran, left))


def needed_checks(names: Sequence[str], changed: Sequence[str]) -> list[str]:
    """Return the checks that read a kind of file that has changed."""
    kinds = {Path(name).suffix for name in changed}
    return [name for name in names if kinds.intersection(CHECKED_FILES.get(name, OF_PYTHON))]


def copy_migrated_database(stages: Stages, environment: Mapping[str, str], target: Path) -> bool:
    """Copy an SQLite file with all tables to the target, and return whether that worked.

    The file is kept until a migration or a package changes, because applying all migrations takes
    longer than most tests.
    """
    versions = hashlib.sha256()
    for file in [*sorted(ROOT.glob("*/migrations/*.py")), ROOT / "requirements.lock"]:
        versions.update(file.read_bytes())
    kept = DATABASES / f"{versions.hexdigest()[:16]}.sqlite3"
    if not kept.exists():
        command = (sys.executable, "manage.py", "migrate", "--verbosity", "0")
        if not stages.run(
            "migrations, as they have changed", *command, environment=dict(environment)
        ):
            return False
        shutil.rmtree(DATABASES, ignore_errors=True)
        DATABASES.mkdir(parents=True)
        shutil.copy(target, kept)
    shutil.copy(kept, target)
    return True


def counted(file: Path) -> tuple[Counter[str], Counter[str]]:
    """Return the number of tests run, and of tests skipped (tests/deadline.py), by file."""
    counts = json.loads(file.read_text("utf-8")) if file.exists() else {"ran": {}, "left": {}}
    return Counter(counts["ran"]), Counter(counts["left"])


def nothing_needed_ran(ran: Counter[str], left: Counter[str]) -> bool:
    """Return whether all tests were skipped, or all of those that run because of the change."""
    needed_ran, needed_left = (tests.keys() - set(ALWAYS) for tests in (ran, left))
    return bool(left) and (not ran or (bool(needed_left) and not needed_ran))


def not_run(ran: Counter[str], left: Counter[str]) -> str:
    """Return the last line: how many tests were not run, and in which folders."""
    if not left:
        return (
            f"Every test that the change needs was run ({ran.total():,}), except those with worker "
            "or browser."
        )
    folders: Counter[str] = Counter()
    for file, number in left.items():
        folders[str(Path(file).parent)] += number
    named = ", ".join(f"{folder} {number:,}" for folder, number in folders.most_common())
    return (
        f"NOT RUN for lack of time: {left.total():,} of {ran.total() + left.total():,} tests "
        f"({named}). "
        "`make test` runs everything."
    )


def needed_tests(changed: Sequence[str]) -> list[str]:
    """Return files and folders of tests without duplicates.

    These are the project's own tests, changed tests, and tests of changed packages.
    """
    own = [name for name in changed if is_test(name)]
    needed = dict.fromkeys([*ALWAYS, *own, *(test for name in changed for test in needed_by(name))])
    return [
        name for name in needed if not any(str(folder) in needed for folder in Path(name).parents)
    ]


def is_test(name: str) -> bool:
    return name.startswith("tests/") and Path(name).match("test_*.py") and (ROOT / name).exists()


def needed_by(name: str) -> Iterator[str]:
    """Yield the tests that a change of this file needs.

    For a helper file of tests these are the tests of the nearest folder that has any.
    """
    if name.startswith("tests/"):
        if not Path(name).match("test_*.py"):
            folders = [
                folder
                for folder in Path(name).parents[:-2]
                if any((ROOT / folder).glob("test_*.py"))
            ]
            yield from map(str, folders[:1])
        return
    rooms = {**tests_of_system(name), **NEEDS}
    yield from next((tests for package, tests in rooms.items() if name.startswith(package)), ())


def tests_of_system(name: str) -> dict[str, tuple[str, ...]]:
    """Return the tests of the rule system that a file belongs to: the folder of its name, if any.

    A system without its own tests needs those that run for every system.
    """
    match = SYSTEM.match(name)
    if match is None or match[0] in NEEDS:
        return {}
    own = f"tests/rulebook/{match[1]}"
    return {match[0]: (own,) if (ROOT / own).is_dir() else OF_EVERY_SYSTEM}


def where_we_left_main() -> str:
    """Return the last commit that this branch shares with the main branch, or else HEAD."""
    for trunk in ("main", "origin/main"):
        completed = subprocess.run(
            ["git", "merge-base", "HEAD", trunk], cwd=ROOT, capture_output=True, text=True
        )
        if completed.returncode == 0:
            return completed.stdout.strip()
    return "HEAD"


def changed_since(base: str) -> list[str]:
    """Return the paths of all files that differ from that commit, including new ones."""
    differing = git("diff", "--name-only", "--no-renames", base, "--")
    return sorted({*differing, *git("ls-files", "--others", "--exclude-standard")})


def git(*words: str) -> list[str]:
    """Run git and return the lines of its output."""
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()


if __name__ == "__main__":
    main(sys.argv[1:])
