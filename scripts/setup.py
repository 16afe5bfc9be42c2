"""Create .venv and install the packages of a lock file.

Run it with `python3 -m scripts.setup [run|develop]`.

This runs before anything is installed. It must also run on an old Python, to report that it is too
old.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from scripts import system

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
# The packages for running Muster, with its manual, are a subset of those for developing it.
LOCKS = {"run": "requirements-manual.lock", "develop": "requirements-dev.lock"}


def main(purpose: str = "develop") -> None:
    """Install everything that the purpose needs; fast if nothing is missing."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this is where an old Python is told so
        sys.exit(
            f"Muster needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}."
        )
    try:
        system.ensure("documents")
        if not (VENV / "made").exists():
            make_environment()
    except system.Missing as error:
        sys.exit(f"Setup stops here.\n{error}")
    if not any(is_current(LOCKS[each]) for each in {purpose, "develop"}):
        install(LOCKS[purpose])


def make_environment() -> None:
    """Create an empty virtual environment. Raises Missing if Python has no module for it."""
    system.ensure("python")
    print("Making the virtual environment .venv", flush=True)
    subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    (VENV / "made").touch()


def install(lock: str) -> None:
    """Install the packages of the lock file, checking every hash."""
    print(f"Installing Python packages from {lock}", flush=True)
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        [*pip, "--require-hashes", "-r", str(ROOT / lock)], capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"pip failed:\n{done.stdout}{done.stderr}")
    _stamp(lock).write_text(_hash(lock))


def is_current(lock: str) -> bool:
    """Return whether exactly this lock file was installed."""
    return _stamp(lock).exists() and _stamp(lock).read_text() == _hash(lock)


def _stamp(lock: str) -> Path:
    return VENV / f"installed-from-{lock}"


def _hash(lock: str) -> str:
    return hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()


if __name__ == "__main__":
    main(*sys.argv[1:])
