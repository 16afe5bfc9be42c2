"""Run commands, also two at a time, measure clock and processor time, and print a summary."""

import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from threading import Thread, Timer
from typing import IO

# Let processes share compiled files, even if Python is set not to keep them, as in many images.
# pytest rewrites every assertion as it compiles, which takes longer than most tests.
KEPT = {"PYTHONDONTWRITEBYTECODE": ""}
SECONDS_TO_STOP = 10


@dataclass
class Stages:
    """The stages that were run, their times, and their failures.

    A failure does not stop later stages.

    The processor time of all its processes is the cost of a stage; clock time depends on other
    load.
    """

    done: list[tuple[str, float, float, bool]] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    def run(self, name: str, *command: str, environment: dict[str, str] | None = None) -> bool:
        """Run one command and show its output. Return whether it exits with 0."""
        print(f"\n=== {name}: {shlex.join(command)}", flush=True)
        stage = Stage(command, environment)
        try:
            stage.wait()
        except BaseException:
            stage.stop()
            stage.wait()
            raise
        self.note(name, stage.seconds, stage.exit_code == 0, stage.used)
        return stage.exit_code == 0

    @contextmanager
    def beside(
        self, name: str, *command: str, environment: dict[str, str] | None = None
    ) -> Iterator[None]:
        """Run one command while the block runs other stages; show its output after the block."""
        with TemporaryFile() as output:
            stage = Stage(command, environment, output)
            # A thread waits for it, so that its time does not include the rest of the block.
            waiting = Thread(target=stage.wait)
            waiting.start()
            try:
                yield
                waiting.join()
            finally:
                stage.stop()
                waiting.join()
            print(f"\n=== {name}: {shlex.join(command)}", flush=True)
            output.seek(0)
            shutil.copyfileobj(output, sys.stdout.buffer)
            self.note(name, stage.seconds, stage.exit_code == 0, stage.used)

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
        total, verdict = time.monotonic() - self.began, "FAILED" if self.failed else "all well"
        print(
            f"  {total:7.1f}  {processor_seconds():7.1f}  {verdict}, with the services that were "
            "started for it"
        )
        if last_line:
            print(last_line)
        sys.exit(1 if self.failed else 0)


class Stage:
    """A running command. ``used`` is its processor time in seconds, known once it has ended."""

    def __init__(
        self,
        command: tuple[str, ...],
        environment: dict[str, str] | None,
        output: IO[bytes] | None = None,
    ) -> None:
        self.started = time.monotonic()
        self.seconds = self.used = 0.0
        self.exit_code: int | None = None
        self.process = subprocess.Popen(
            command,
            env={**os.environ, **KEPT, **(environment or {})},
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
        )

    def wait(self) -> None:
        """Wait for the end of the command, and record its times and its exit code."""
        # The total of all children would include stages that end at the same time.
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = self.exit_code = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - self.started
        self.used = usage.ru_utime + usage.ru_stime

    def stop(self) -> None:
        """Interrupt the command if it still runs, as Ctrl-C does; kill it if that does not help."""
        if self.exit_code is None:
            self.process.send_signal(signal.SIGINT)
            kill = Timer(SECONDS_TO_STOP, self.process.kill)
            kill.daemon = True
            kill.start()


def processor_seconds() -> float:
    """Return the processor time in seconds of all ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
