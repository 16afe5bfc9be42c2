"""The operating system's packages that Muster needs, and how to install them.

This runs before anything is installed. It must also run on an old Python, to report that it is too
old.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

LIBRARY, PROGRAM, MODULE, FONTS = "library", "program", "Python module", "fonts"

# For each purpose: the kind, the thing to look for, and its package in Debian and Ubuntu.
NEEDS = {
    "python": [(MODULE, "ensurepip", "python3-venv")],
    "documents": [
        (LIBRARY, "libgobject-2.0.so.0", "libpango-1.0-0"),
        (LIBRARY, "libpango-1.0.so.0", "libpango-1.0-0"),
        (LIBRARY, "libpangoft2-1.0.so.0", "libpangoft2-1.0-0"),
        (LIBRARY, "libharfbuzz.so.0", "libpango-1.0-0"),
        (LIBRARY, "libharfbuzz-subset.so.0", "libharfbuzz-subset0"),
        (LIBRARY, "libfontconfig.so.1", "fontconfig"),
        (FONTS, "/usr/share/fonts", "fonts-dejavu-core"),
    ],
    "tests": [
        (PROGRAM, "initdb", "postgresql"),
        (PROGRAM, "pgbouncer", "pgbouncer"),
        (PROGRAM, "redis-server", "redis-server"),
        (PROGRAM, "chromium", "chromium"),
        (PROGRAM, "bash", "bash"),
        (PROGRAM, "curl", "curl"),
        (PROGRAM, "jq", "jq"),
        (PROGRAM, "caddy", "caddy"),
        (PROGRAM, "systemd-analyze", "systemd"),
    ],
    # A release that has an older Node than scripts/clients.py needs gets a message from there.
    "clients": [
        (PROGRAM, "node", "nodejs"),
        (PROGRAM, "npm", "npm"),
    ],
}
OTHER_NAMES = {"chromium": ("chromium-browser", "google-chrome")}
# Debian keeps the programs of a database server outside the PATH, by version.
POSTGRES = Path("/usr/lib/postgresql")


class Missing(Exception):
    """Something is missing that we cannot install; the text says what, and how to get it."""


def program(name: str) -> str | None:
    """Return the path of a program, or None. Tries its other names and Debian's folders too."""
    # Debian keeps PgBouncer where only root looks for programs.
    path = os.environ.get("PATH", os.defpath)
    path = os.pathsep.join([*_postgres_folders(), path, "/usr/sbin"])
    paths = (shutil.which(each, path=path) for each in (name, *OTHER_NAMES.get(name, ())))
    return next((place for place in paths if place), None)


def missing(purpose: str) -> list[tuple[str, str]]:
    """Return (what, package) for everything that the purpose needs and that is missing."""
    return [(what, package) for kind, what, package in NEEDS[purpose] if not _is_there(kind, what)]


def ensure(*purposes: str) -> None:
    """Install what is missing, as root on Debian or Ubuntu.

    Raises Missing elsewhere, and if something is still missing afterwards.
    """
    missing_programs = [need for purpose in purposes for need in missing(purpose)]
    if not missing_programs:
        return
    packages = sorted({package for _, package in missing_programs})
    if not (shutil.which("apt-get") and os.geteuid() == 0):
        raise Missing(_request(missing_programs, packages))
    print(f"Installing system packages: {' '.join(packages)}", flush=True)
    _apt("update", "-qq")
    _apt("install", "-y", "-qq", "--no-install-recommends", *packages)
    importlib.invalidate_caches()
    still = [what for purpose in purposes for what, _ in missing(purpose)]
    if still:
        raise Missing(f"Installed {' '.join(packages)}, and still missing: {', '.join(still)}.")


def _apt(*arguments: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(["apt-get", *arguments], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"`apt-get {' '.join(arguments)}` failed:\n{done.stdout}{done.stderr}")


def _request(missing_programs: list[tuple[str, str]], packages: list[str]) -> str:
    what = f"Missing on this machine: {', '.join(name for name, _ in missing_programs)}.\n"
    if shutil.which("apt-get"):
        return (
            f"{what}Please run:  sudo apt-get install --no-install-recommends {' '.join(packages)}"
        )
    return (
        f"{what}Please install what your system calls these Debian packages: {' '.join(packages)}"
    )


def _is_there(kind: str, what: str) -> bool:
    if kind == MODULE:
        return importlib.util.find_spec(what) is not None
    if kind == PROGRAM:
        return program(what) is not None
    if kind == FONTS:
        return sys.platform == "darwin" or any(Path(what).rglob("*.[ot]tf"))
    return _loads(what)


def _loads(library: str) -> bool:
    """Return whether a library loads, by its Linux name or by this system's name for it."""
    plain = library.removeprefix("lib").partition(".so")[0]
    return _opens(library) or _opens(ctypes.util.find_library(plain))


def _opens(library: str | None) -> bool:
    try:
        return bool(library and ctypes.CDLL(library))
    except OSError:
        return False


def _postgres_folders() -> list[str]:
    """Return the folders of PostgreSQL's programs, newest version first."""
    versions = [folder for folder in POSTGRES.glob("*") if folder.name.isdecimal()]
    return [
        str(folder / "bin")
        for folder in sorted(versions, key=lambda folder: int(folder.name), reverse=True)
    ]
