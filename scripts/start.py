"""Become one of a server's processes: `python -m scripts.start web`, `worker` or `beat`.

The units of deploy/systemd and docker-compose.yml start processes by these names, so that their
commands stand here and in `scripts.serve` alone.
"""

import os
import sys

from scripts.serve import WEB, WORKER

# The clock is a process of its own here.
ON_A_SERVER = {
    "web": WEB,
    "worker": [word for word in WORKER if word != "--beat"],
    "beat": ["celery", "--quiet", "-A", "config", "beat", "--pidfile="],
}


def command(name: str) -> list[str]:
    """The words that start the process of that name. Raises KeyError."""
    words = [sys.executable, "-m", *ON_A_SERVER[name]]
    if name == "web":
        words += [
            "--bind",
            f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}",
        ]
    return words


def main(arguments: list[str]) -> None:
    """Take the place of this process, so that signals reach the server itself."""
    if len(arguments) != 1 or arguments[0] not in ON_A_SERVER:
        sys.exit(f"Say which process to start: {', '.join(ON_A_SERVER)}.")
    # Read by gunicorn, unless GUNICORN_CMD_ARGS says otherwise.
    os.environ.setdefault("WEB_CONCURRENCY", "2")
    words = command(arguments[0])
    os.execv(words[0], words)  # noqa: S606


if __name__ == "__main__":
    main(sys.argv[1:])
