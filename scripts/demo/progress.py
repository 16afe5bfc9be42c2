"""The output of the demonstration while it plays: short lines."""

import time
from collections.abc import Sequence
from threading import Lock


class Progress:
    """Prints the progress, with the seconds since the start before each heading.

    What a second thread reports is kept until ``show_kept``, so that it does not appear between the
    lines of the first one.
    """

    def __init__(self, kept: list[str] | None = None) -> None:
        self._started = time.monotonic()
        self._kept = kept
        self._lock = Lock()

    def meanwhile(self) -> "Progress":
        """Return a progress for another thread: it counts from the same start, and keeps lines."""
        other = Progress(kept=[])
        other._started = self._started
        return other

    def show_kept(self) -> None:
        """Print the lines that were kept, and from now on each line at once."""
        with self._lock:
            for text in self._kept or ():
                print(text, flush=True)
            self._kept = None

    def heading(self, text: str) -> None:
        """Print a heading."""
        self._print(f"\n[{time.monotonic() - self._started:5.1f} s] {text}")

    def line(self, text: str) -> None:
        """Print a line below the heading."""
        self._print(f"          {text}")

    def _print(self, text: str) -> None:
        with self._lock:
            if self._kept is None:
                print(text, flush=True)
            else:
                self._kept.append(text)

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
