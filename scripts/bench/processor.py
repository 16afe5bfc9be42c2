"""The processor time of a process and its descendants, on Linux."""

import os
import time
from collections import defaultdict
from pathlib import Path

TICK = 1 / os.sysconf("SC_CLK_TCK")
PARENT, ENDED_USER, ENDED_SYSTEM = 1, 13, 14
"""Positions in /proc/PID/stat, counted from the process's state, which follows its name."""


class Usage:
    """The processor time of a process and its descendants."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def seconds(self) -> float:
        """Return the seconds.

        They are exact to the nanosecond for running processes, to the hundredth for ended ones.
        """
        return sum(map(_running, family(self.pid))) + _ended(self.pid)


def family(pid: int) -> list[int]:
    """Return the ids of the process, its children, and theirs."""
    children = defaultdict(list)
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and (fields := _process_fields(int(folder.name))):
            children[int(fields[PARENT])].append(int(folder.name))
    members = [pid]
    for member in members:
        members += children[member]
    return members


def _running(pid: int) -> float:
    try:
        # The clock of another process: see clock_getcpuclockid(3) of the C library, which Python
        # does not provide.
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def _ended(pid: int) -> float:
    fields = _process_fields(pid)
    return (int(fields[ENDED_USER]) + int(fields[ENDED_SYSTEM])) * TICK if fields else 0.0


def _process_fields(pid: int) -> list[str]:
    """Return the fields after the process's name; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
