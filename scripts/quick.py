"""`make quick`: lint, types, and the tests that the change at hand needs, in under a minute.

A change is what differs from the main branch, committed or not; `NEEDS` says which tests it needs. When the minute is
over, the tests that are left say so and are skipped: `make test` runs everything.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.check import CHECKS
from scripts.services import ROOT
from scripts.stages import Stages

MINUTE = 55
"""Seconds after which no test begins any more."""
ALWAYS = ("tests/house/test_arrows.py", "tests/house/test_glossary.py")
"""What any change can break: it is quick, and runs last."""
CHEAP_CHECKS = ("lint", "form", "types", "arrows")
NEEDS: dict[str, tuple[str, ...]] = {
    "rulebook/systems/argad/": ("tests/rulebook/argad",),
    "rulebook/systems/avant_garde/": ("tests/rulebook/avant_garde",),
    "rulebook/systems/en_garde/": ("tests/rulebook/en_garde", "tests/playthroughs"),
    "rulebook/systems/wards/": ("tests/rulebook/wards",),
    "rulebook/": ("tests/rulebook", "tests/playthroughs", "tests/warbands/test_writing_chronicles.py"),
    "drawings/": ("tests/drawings",),
    "audit/": ("tests/audit",),
    "warbands/": ("tests/warbands", "tests/pages/test_warbands.py", "tests/pages/test_fighters.py"),
    "campaigns/": ("tests/campaigns", "tests/classic", "tests/pages/test_campaigns.py"),
    "battles/": ("tests/battles", "tests/pages/test_battles.py", "tests/pages/test_at_the_table.py"),
    "pictures/": ("tests/pictures",),
    "documents/": ("tests/documents", "tests/pages/test_documents.py"),
    "exchange/": ("tests/exchange",),
    "inbox/": ("tests/inbox", "tests/pages/test_home.py"),
    "search/": ("tests/pages/test_search.py",),
    "config/": ("tests/house", "tests/pages/test_home.py", "tests/pages/test_refusals.py", "tests/calculators"),
    "templates/print/": ("tests/documents",),
    "templates/": ("tests/pages", "tests/calculators"),
    "static/print/": ("tests/documents",),
    "static/": ("tests/pages/test_markup.py", "tests/documents/test_edition.py"),
    "scripts/": ("tests/house", "tests/demo", "tests/bench"),
    "docs/": ("tests/house",),
}
"""The tests that a change in a room needs: of the beginnings of its path the first that fits. Nearest tests first."""


def main(arguments: Sequence[str]) -> None:
    """Check, test, and print the table of times. Exits with 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="make quick", description=__doc__)
    parser.add_argument("--base", help="compare with this commit, not with the main branch")
    base = parser.parse_args(arguments).base or where_we_left_main()
    deadline = time.time() + MINUTE
    tests = needed_tests(changed_since(base))
    print(f"Changed since {base[:12]}; it needs: {' '.join(tests)}", flush=True)
    stages = Stages()
    for name in CHEAP_CHECKS:
        stages.run(name, *CHECKS[name])
    with TemporaryDirectory(prefix="muster-quick-") as folder:
        embedded = {"VAR_DIR": folder, "DATABASE_URL": "", "CELERY_BROKER_URL": "", "TESTS_END_AT": str(deadline)}
        command = [sys.executable, "-m", "pytest", "-q", "-n", str(os.cpu_count()), "--maxfail", "5"]
        stages.run("tests", *command, "-m", "not (worker or browser or postgres)", *tests, environment=embedded)
    stages.finish()


def needed_tests(changed: Sequence[str]) -> list[str]:
    """Files and folders of tests, each once: those that were changed, those of the changed rooms, and the core."""
    own = [name for name in changed if is_test(name)]
    wanted = dict.fromkeys(own + [test for name in changed for test in needed_by(name)] + list(ALWAYS))
    return [name for name in wanted if not any(str(folder) in wanted for folder in Path(name).parents)]


def is_test(name: str) -> bool:
    return name.startswith("tests/") and Path(name).match("test_*.py") and (ROOT / name).exists()


def needed_by(name: str) -> Iterator[str]:
    """What the change of this file needs: for what tests lean on, the tests of the nearest folder that has some."""
    if name.startswith("tests/"):
        if not Path(name).match("test_*.py"):
            folders = [folder for folder in Path(name).parents[:-2] if any((ROOT / folder).glob("test_*.py"))]
            yield from map(str, folders[:1])
        return
    yield from next((tests for room, tests in NEEDS.items() if name.startswith(room)), ())


def where_we_left_main() -> str:
    """The last commit that this branch shares with the main branch; without one, the last commit."""
    for trunk in ("main", "origin/main"):
        found = subprocess.run(["git", "merge-base", "HEAD", trunk], cwd=ROOT, capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.strip()
    return "HEAD"


def changed_since(base: str) -> list[str]:
    """The paths of all files that differ from that commit, new ones included."""
    differing = git("diff", "--name-only", "--no-renames", base, "--")
    return sorted({*differing, *git("ls-files", "--others", "--exclude-standard")})


def git(*words: str) -> list[str]:
    """The lines of its answer."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


if __name__ == "__main__":
    main(sys.argv[1:])
