"""Count the taps of a battle in the live log, and write docs/taps.md.

Runs by `make soak`, or `python -m scripts.taps`.
"""

import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "taps.md"
TESTS = ("tests/browser/test_taps.py", "tests/browser/test_whole_battles.py")
SUFFIX = ".taps"
"""The suffix of a file with counted taps, which has the same name as the file of a soak's table."""
INTRODUCTION = """# Taps

How many taps it takes to log a battle live. A script plays it in a browser on two phones of
390 x 844. `make soak` writes this page; `python -m scripts.taps` writes it alone.

- A touch counts as 1 tap, a choice from a native list as 2. Both phones count together, from the
  first turn until the result is confirmed.
- **In full**: every charge, combat, Morale test and stun roll is logged, with odds and dice. Moves
  without contact are passed.
- **Light**: only turns and casualties are logged. A turn takes 1 tap, a casualty 3 (victim, result,
  attacker). Experience, deeds and story are the same; the test compares each deed.
- The light battle of En Garde! has the casualties of the battle played in full. In the other
  systems a referee plays a battle by the rules, and its casualties are logged.
- **In full, other systems**: a player follows every proposal of the bar and acts with most units,
  including the set-up of turn steps. Casualties are the fighters and units out at the end.
"""

JOBS = "## Jobs"
"""The heading of the part that is written by hand. It is kept as it is."""


class Tapped(msgspec.Struct, frozen=True):
    """A battle that was logged by taps: its size, the taps, and their limit (None: none)."""

    system: str
    way: str
    turns: int
    casualties: int
    entries: int
    taps: int
    most: int | None = None


def main() -> int:
    """Count the taps, and write the page if nothing failed. Return pytest's exit code."""
    with TemporaryDirectory(prefix="muster-taps-") as folder:
        file = Path(folder) / "taps.json"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--soak",
            "--soak-table",
            str(file),
            *TESTS,
        ]
        code = subprocess.run(command, cwd=ROOT).returncode
        if not code:
            write(Path(folder))
    return code


def write(folder: Path) -> None:
    """Write the page from the counts in this folder. Without counts it stays unchanged."""
    rows = [row for file in sorted(folder.glob(f"*{SUFFIX}")) for row in decoded(file)]
    if rows:
        jobs = by_hand(PAGE.read_text(encoding="utf-8"))
        PAGE.write_text(page(rows, date.today(), jobs), encoding="utf-8")
        print(f"\n{table(rows)}\n\nWritten to {PAGE.relative_to(ROOT)}.")


def decoded(file: Path) -> list[Tapped]:
    """Return the rows of a file."""
    return msgspec.json.decode(file.read_bytes(), type=list[Tapped])


def table(rows: Sequence[Tapped]) -> str:
    """Return a line for each battle, as Markdown."""
    headings = ("System", "Way", "Turns", "Casualties", "Entries", "Taps", "At most")
    cells = [
        (
            row.system,
            row.way,
            *map(str, (row.turns, row.casualties, row.entries, row.taps)),
            str(row.most or ""),
        )
        for row in sorted(rows, key=lambda row: (row.system != "En Garde!", row.system, row.way))
    ]
    lines = [headings, ("---", "---", *["--:"] * 5), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def by_hand(written: str) -> str:
    """Return the part of the page that is written by hand: from its heading on, "" without it."""
    _, heading, jobs = written.partition(f"\n{JOBS}\n")
    return f"{heading}{jobs}"


def page(rows: Sequence[Tapped], on: date, jobs: str = "") -> str:
    """Return the complete page; ``jobs`` is its part that is written by hand."""
    return f"{INTRODUCTION}\n## Figures of {on.isoformat()}\n\n{table(rows)}\n{jobs}"


if __name__ == "__main__":
    sys.exit(main())
