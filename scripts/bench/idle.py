"""Measure the memory of a Muster that has nothing to do: all processes of `make run`."""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.bench.memory import proportional_megabytes
from scripts.bench.processor import family
from scripts.processes import Process, free_port, wait_for
from scripts.serve import ROOT

IDLE_SECONDS = 20
"""The time before Muster is measured: by then the clock has sent its first tasks, and the worker
has done them."""


def idle_processes(seconds: float = IDLE_SECONDS) -> dict[str, float]:
    """Return the megabytes (PSS) of each idle process of `make run`, by process id and command.

    Raises NotStarted.
    """
    with TemporaryDirectory(prefix="muster-idle-") as folder:
        embedded = {"VAR_DIR": folder, "DATABASE_URL": "", "CELERY_BROKER_URL": "", "CACHE_URL": ""}
        port, log = free_port(), Path(folder) / "muster.log"
        started = Process(
            "Muster",
            [sys.executable, "-m", "scripts.serve"],
            environment={**embedded, "PORT": str(port), "MUSTER_MODE": "embedded"},
            log=log,
            folder=ROOT,
        )
        try:
            wait_for(lambda: "Muster is at" in log.read_text(), started, seconds=600)
            time.sleep(seconds)
            return {
                f"{pid} {command_of(pid)[:60]}": proportional_megabytes(pid)
                for pid in family(started.pid)
            }
        finally:
            started.stop()


def command_of(pid: int) -> str:
    """Return the title of a process, or its command; "" if it has ended."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
    except OSError:
        return ""
    return words.decode(errors="replace").strip()


def main() -> None:
    """Print each process and the sum. The argument is the number of seconds to wait."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else IDLE_SECONDS
    processes = idle_processes(seconds)
    for name, megabytes in processes.items():
        print(f"{megabytes:7.1f} MB  {name}")
    print(f"{sum(processes.values()):7.1f} MB  together")


if __name__ == "__main__":
    main()
