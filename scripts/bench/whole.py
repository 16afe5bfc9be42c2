"""Whole programs: how long the demonstration takes, and the memory of Muster that is not used."""

import subprocess
import sys
import time

from scripts.bench.findings import Finding, at_most_megabytes, at_most_seconds_alone
from scripts.bench.idle import IDLE_SECONDS, idle_processes
from scripts.services import ROOT, scratch_folder

DEMO_SECONDS, IDLE_MEGABYTES = 60.0, 250.0
SHORTEST = ("--battles", "1", "--no-classic", "--systems", "--print")


def whole_findings(*, quick: bool) -> list[Finding]:
    """Return the findings for `make demo` and for `make run`."""
    return [_demo(quick=quick), _idle(0 if quick else IDLE_SECONDS)]


def _demo(*, quick: bool) -> Finding:
    with scratch_folder() as folder:
        command = [sys.executable, "-m", "scripts.demo", "--folder", str(folder)]
        started = time.monotonic()
        subprocess.run(
            [*command, *(SHORTEST if quick else ())],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        took = time.monotonic() - started
    return at_most_seconds_alone("`make demo`", took, DEMO_SECONDS, "By the clock.")


def _idle(seconds: int) -> Finding:
    processes = idle_processes(seconds)
    remark = (
        f"{len(processes)} processes. Shared memory is divided among those that share it (PSS)."
    )
    return at_most_megabytes("`make run`, idle", sum(processes.values()), IDLE_MEGABYTES, remark)
