"""The memory of processes in megabytes, on Linux."""

from pathlib import Path


def proportional_megabytes(pid: int) -> float:
    """Return a process's own memory and its share of what others share (PSS), 0 if it has ended."""
    return _kilobytes(Path(f"/proc/{pid}/smaps_rollup"), "Pss:") * 1024 / 1_000_000


def peak_megabytes(pid: int) -> float:
    """Return the largest resident set of a process so far, 0 if it has ended."""
    return _kilobytes(Path(f"/proc/{pid}/status"), "VmHWM:") * 1024 / 1_000_000


def _kilobytes(file: Path, name: str) -> int:
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)
