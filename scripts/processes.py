"""Starting and stopping programs that run beside us."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

POLITE_SECONDS = 15


class Process:
    """A program in a process group of its own, so that its children go with it."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: dict[str, str] | None = None,
        log: Path | None = None,
        user: str | None = None,
        folder: Path | None = None,
    ) -> None:
        self.name = name
        self.log = log
        self._asked = False
        output = log.open("ab") if log else None
        self._process = subprocess.Popen(
            command,
            env={**os.environ, **(environment or {})},
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            cwd=folder,
            user=user,
        )
        if output:
            output.close()

    @property
    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.poll()

    def ask_to_stop(self, number: int = signal.SIGTERM) -> None:
        """Send the signal, once: a second one would mean "at once" to some. Does not wait."""
        if self.exit_code is None and not self._asked:
            self._asked = True
            self._process.send_signal(number)

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Ask it to go, then insist; nothing of it is left afterwards."""
        self.ask_to_stop(number)
        try:
            self._process.wait(POLITE_SECONDS)
        except subprocess.TimeoutExpired:
            self._signal_group(signal.SIGKILL)
            self._process.wait()
        self._signal_group(signal.SIGKILL)

    def kill(self) -> None:
        """End it and its children at once, as a power cut would."""
        self._signal_group(signal.SIGKILL)
        self._process.wait()

    def _signal_group(self, number: int) -> None:
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return

    def last_words(self, lines: int = 30) -> str:
        """The end of its log."""
        if not self.log or not self.log.exists():
            return ""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


def stop_all(*processes: Process) -> None:
    """Stop them at the same time."""
    for process in processes:
        process.ask_to_stop()
    for process in processes:
        process.stop()


class NotStarted(Exception):
    """A program died, or did not answer in time; the text holds its last words."""


def stop_on_signals() -> None:
    """Let a polite request to stop, or a closed terminal, end us like Ctrl-C: whatever we started
    is stopped."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def wait_for(question: Callable[[], bool], *processes: Process, seconds: float = 60) -> None:
    """Wait until the question is answered with yes. Raises NotStarted when a process dies first, or
    time is up."""
    deadline = time.monotonic() + seconds
    while not question():
        for process in processes:
            if process.exit_code is not None:
                raise NotStarted(
                    f"{process.name} ended with {process.exit_code}.\n{process.last_words()}"
                )
        if time.monotonic() > deadline:
            words = "\n".join(process.last_words() for process in processes)
            raise NotStarted(f"No answer within {seconds:.0f} seconds.\n{words}")
        time.sleep(0.1)


def free_port() -> int:
    """A TCP port of this machine that nobody uses at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    """Does anybody listen on this port?"""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
