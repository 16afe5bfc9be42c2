"""Update the lock files from pyproject.toml, with hashes, for every supported platform."""

import subprocess

UV = [
    ".venv/bin/uv",
    "pip",
    "compile",
    "--quiet",
    "--universal",
    "--generate-hashes",
    "--no-header",
    "--upgrade",
]


LOCKS = {
    "requirements.lock": [],
    "requirements-manual.lock": ["--extra", "manual", "-c", "requirements.lock"],
    "requirements-dev.lock": ["--extra", "dev", "--extra", "manual", "-c", "requirements.lock"],
}
"""The arguments for each lock file, in the order in which they depend on each other."""


def main() -> None:
    """Write the lock files: to run Muster, to build the manual as well, and to develop it."""
    for lock, arguments in LOCKS.items():
        subprocess.run([*UV, *arguments, "pyproject.toml", "-o", lock], check=True)


if __name__ == "__main__":
    main()
