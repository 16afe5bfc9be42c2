"""Start and stop programs that run as child processes."""

import atexit
import os
import runpy
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

POLITE_SECONDS = 15


class Process:
    """A program in its own process group, so that its children are stopped with it."""

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
        self._process: subprocess.Popen[bytes] | Fork = subprocess.Popen(
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
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, or None while it runs."""
        return self._process.poll()

    def wait(self) -> int:
        """Wait until it ends, and return its exit code."""
        return self._process.wait()

    def ask_to_stop(self, number: int = signal.SIGTERM) -> None:
        """Send the signal once, because a second one would mean "at once" to some programs.

        Does not wait.
        """
        if self.exit_code is None and not self._asked:
            self._asked = True
            self._process.send_signal(number)

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Ask it to stop, then kill it and everything in its process group."""
        self.ask_to_stop(number)
        try:
            self._process.wait(POLITE_SECONDS)
        except subprocess.TimeoutExpired:
            self._signal_group(signal.SIGKILL)
            self._process.wait()
        self._signal_group(signal.SIGKILL)

    def kill(self) -> None:
        """Kill it and its children at once, like a power cut."""
        self._signal_group(signal.SIGKILL)
        self._process.wait()

    def _signal_group(self, number: int) -> None:
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return

    def last_words(self, lines: int = 30) -> str:
        """Return the end of its log."""
        if not self.log or not self.log.exists():
            return ""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


class Fork:
    """A function that runs in a fork of this process, with the memory of what is loaded here.

    It has those methods of `subprocess.Popen` that `Process` needs.
    """

    def __init__(self, function: Callable[[], object], *, log: Path | None = None) -> None:
        self.returncode: int | None = None
        self.pid = os.fork()
        if not self.pid:
            self._run(function, log)

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        if self.returncode is None:
            number, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if number else None
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it ends. Raises TimeoutExpired."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while (exit_code := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            time.sleep(0.05)
        return exit_code

    def send_signal(self, number: int) -> None:
        """Send the signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def _run(self, function: Callable[[], object], log: Path | None) -> None:
        """Call the function, and end the process. Never returns."""
        code: object = 1
        try:
            os.setsid()
            if log:
                output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
                os.dup2(output, 1)
                os.dup2(output, 2)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            function()
            code = 0
        except SystemExit as end:
            code = end.code
        except BaseException:
            traceback.print_exc()
        finally:
            # What called this belongs to the parent: do not return to it.
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code if isinstance(code, int) else int(bool(code)))


class ForkedProcess(Process):
    """A function in a fork of this process: `Process` without a new interpreter."""

    def __init__(
        self, name: str, function: Callable[[], object], *, log: Path | None = None
    ) -> None:
        self.name = name
        self.log = log
        self._asked = False
        self._process = Fork(function, log=log)


def run_module(*words: str) -> None:
    """Run a module with arguments, as `python -m` does."""
    sys.argv = list(words)
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


def stop_all(*processes: Process) -> None:
    """Stop all processes at the same time."""
    for process in processes:
        process.ask_to_stop()
    for process in processes:
        process.stop()


class NotStarted(Exception):
    """A program ended, or did not answer in time; the text has the end of its log."""


def stop_on_signals() -> None:
    """Treat SIGTERM and SIGHUP like Ctrl-C, so that everything we started is stopped."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def wait_for(question: Callable[[], bool], *processes: Process, seconds: float = 60) -> None:
    """Wait until the question returns True.

    Raises NotStarted if a process ends first, or when the time is over.
    """
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
    """Return a TCP port of this machine that is free at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    """Return whether a server listens on this port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
