"""Become one of a server's processes: `python -m scripts.start web`, `worker` or `beat`.

deploy/systemd and docker-compose.yml start processes by these names, so that their commands are
only here and in `scripts.serve`.
"""

import os
import sys

from scripts.serve import WEB, WORKER

# On a server, beat is a separate process.
ON_A_SERVER = {
    "web": WEB,
    "worker": [word for word in WORKER if word != "--clock"],
    "beat": ["celery", "--quiet", "-A", "config", "beat", "--pidfile="],
}


def command(name: str) -> list[str]:
    """Return the command of the process with that name. Raises KeyError."""
    words = [sys.executable, "-m", *ON_A_SERVER[name]]
    if name == "web":
        words += [
            "--bind",
            f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}",
        ]
    return words


def main(arguments: list[str]) -> None:
    """Replace this process, so that signals reach the server itself."""
    if len(arguments) != 1 or arguments[0] not in ON_A_SERVER:
        sys.exit(f"Say which process to start: {', '.join(ON_A_SERVER)}.")
    # gunicorn reads this, unless GUNICORN_CMD_ARGS overrides it.
    os.environ.setdefault("WEB_CONCURRENCY", "2")
    words = command(arguments[0])
    os.execv(words[0], words)  # noqa: S606


if __name__ == "__main__":
    main(sys.argv[1:])
