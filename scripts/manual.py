"""Build the manual for organisers and players from ``manual/`` into ``static/manual/``.

`make docs` builds it; a dead link is an error. `make run` builds it if its sources have changed.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "manual"
SITE = ROOT / "static" / "manual"
STAMP = SITE / "sources.sha256"


def main() -> int:
    """Build the manual. Return the exit code of mkdocs."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=SOURCE, env=environment)
    if built.returncode:
        # Half a manual would look like a whole one.
        shutil.rmtree(SITE, ignore_errors=True)
        return built.returncode
    STAMP.write_text(_digest(), encoding="utf-8")
    return 0


def build_if_changed() -> None:
    """Build the manual if there is none, or if its sources have changed since."""
    if not STAMP.exists() or STAMP.read_text(encoding="utf-8") != _digest():
        main()


def _digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in SOURCE.rglob("*") if path.is_file()):
        digest.update(path.relative_to(SOURCE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
