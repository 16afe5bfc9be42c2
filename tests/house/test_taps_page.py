"""The page of counted taps: the script writes the figures and keeps what is written by hand."""

from datetime import date

from scripts.taps import JOBS, PAGE, Tapped, by_hand, page


def test_part_written_by_hand_is_kept() -> None:
    jobs = by_hand(PAGE.read_text(encoding="utf-8"))
    assert jobs.startswith(f"\n{JOBS}\n") and "Rank up a fighter" in jobs
    rows = [Tapped("En Garde!", "light", 8, 25, 34, 91, 110)]
    written = page(rows, date(2026, 12, 24), jobs)
    assert "| En Garde! | light | 8 | 25 | 34 | 91 | 110 |" in written
    assert by_hand(written) == jobs
    assert by_hand(page(rows, date(2026, 12, 24))) == ""
