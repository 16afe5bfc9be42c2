"""The output of the demonstration while it plays: short lines."""

import time
from collections.abc import Sequence


class Progress:
    """Prints the progress, with the seconds since the start before each heading."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def heading(self, text: str) -> None:
        """Print a heading."""
        print(f"\n[{time.monotonic() - self._started:5.1f} s] {text}", flush=True)

    def line(self, text: str) -> None:
        """Print a line below the heading."""
        print(f"          {text}", flush=True)

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Print columns: text aligned to the left, numbers to the right."""
        cells = [[str(cell) for cell in row] for row in (headings, *rows)]
        widths = [max(len(row[place]) for row in cells) for place in range(len(headings))]
        for row, given in zip(cells, (headings, *rows), strict=True):
            aligned = (
                cell.rjust(width) if isinstance(value, int | float) else cell.ljust(width)
                for cell, width, value in zip(row, widths, given, strict=True)
            )
            self.line("  ".join(aligned).rstrip())


def counted(number: int, thing: str) -> str:
    """Return a number with its noun: "1 page", "2 pages"."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
