"""Run commands one after the other, measure clock and processor time, and print a summary."""

import os
import resource
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass, field

# Let processes share compiled files, even if Python is set not to keep them, as in many images.
# pytest rewrites every assertion as it compiles, which takes longer than most tests.
KEPT = {"PYTHONDONTWRITEBYTECODE": ""}


@dataclass
class Stages:
    """The stages that were run, their times, and their failures.

    A failure does not stop later stages.

    The processor time of all its processes is the cost of a stage; clock time depends on other
    load.
    """

    done: list[tuple[str, float, float, bool]] = field(default_factory=list)

    def run(self, name: str, *command: str, environment: dict[str, str] | None = None) -> bool:
        """Run one command and show its output. Return whether it exits with 0."""
        print(f"\n=== {name}: {shlex.join(command)}", flush=True)
        started, used = time.monotonic(), processor_seconds()
        exit_code = subprocess.run(
            command, env={**os.environ, **KEPT, **(environment or {})}
        ).returncode
        self.note(name, time.monotonic() - started, exit_code == 0, processor_seconds() - used)
        return exit_code == 0

    def note(self, name: str, seconds: float, well: bool = True, used: float = 0) -> None:
        """Record a stage that was done in another way.

        ``used`` is the processor time in seconds.
        """
        print(f"--- {name}: {'done' if well else 'FAILED'} in {seconds:.1f} s", flush=True)
        self.done.append((name, seconds, used, well))

    @property
    def failed(self) -> list[str]:
        return [name for name, _, _, well in self.done if not well]

    def finish(self, last_line: str = "") -> None:
        """Print the table of stages and a last line; exit with 1 if any failed, else 0."""
        print("\nStages: seconds by the clock, and of the processor")
        for name, seconds, used, well in self.done:
            print(f"  {seconds:7.1f}  {used:7.1f}  {'ok    ' if well else 'FAILED'}  {name}")
        total, verdict = (
            sum(seconds for _, seconds, _, _ in self.done),
            "FAILED" if self.failed else "all well",
        )
        print(
            f"  {total:7.1f}  {processor_seconds():7.1f}  {verdict}, with the services that were "
            "started for it"
        )
        if last_line:
            print(last_line)
        sys.exit(1 if self.failed else 0)


def processor_seconds() -> float:
    """Return the processor time in seconds of all ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
