"""Run commands one after the other, time them, and sum up."""

import os
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass, field


@dataclass
class Stages:
    """What was run, how long it took, and what went wrong. A failure does not stop the stages after it."""

    done: list[tuple[str, float, bool]] = field(default_factory=list)

    def run(self, name: str, *command: str, environment: dict[str, str] | None = None) -> bool:
        """Run one command, showing what it says. True if it exits with 0."""
        print(f"\n=== {name}: {shlex.join(command)}", flush=True)
        started = time.monotonic()
        exit_code = subprocess.run(command, env={**os.environ, **(environment or {})}).returncode
        self.note(name, time.monotonic() - started, exit_code == 0)
        return exit_code == 0

    def note(self, name: str, seconds: float, well: bool = True) -> None:
        """Remember a stage that was done in some other way."""
        print(f"--- {name}: {'done' if well else 'FAILED'} in {seconds:.1f} s", flush=True)
        self.done.append((name, seconds, well))

    @property
    def failed(self) -> list[str]:
        return [name for name, _, well in self.done if not well]

    def finish(self) -> None:
        """Print the table of stages, and leave with 1 if any of them failed, else with 0."""
        print("\nStages")
        for name, seconds, well in self.done:
            print(f"  {seconds:7.1f} s  {'ok    ' if well else 'FAILED'}  {name}")
        print(f"  {sum(seconds for _, seconds, _ in self.done):7.1f} s  {'FAILED' if self.failed else 'all well'}")
        sys.exit(1 if self.failed else 0)
