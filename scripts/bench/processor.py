"""The processor time of a process and its descendants, on Linux."""

import os
import time
from collections import defaultdict
from collections.abc import Mapping
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
        (used,) = seconds_of(self)
        return used


def seconds_of(*usages: Usage) -> list[float]:
    """Return the seconds of each. All processes of the machine are listed once."""
    children = _children()
    return [
        sum(map(_running, _family(usage.pid, children))) + _ended(usage.pid) for usage in usages
    ]


def family(pid: int) -> list[int]:
    """Return the ids of the process, its children, and theirs."""
    return _family(pid, _children())


def _children() -> Mapping[int, list[int]]:
    """Return the ids of the children of each process."""
    children = defaultdict(list)
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and (fields := _process_fields(int(folder.name))):
            children[int(fields[PARENT])].append(int(folder.name))
    return children


def _family(pid: int, children: Mapping[int, list[int]]) -> list[int]:
    members = [pid]
    for member in members:
        members += children.get(member, [])
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
