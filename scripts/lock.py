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


def main() -> None:
    """Write requirements.lock, and requirements-dev.lock with the same versions plus the tools."""
    subprocess.run([*UV, "pyproject.toml", "-o", "requirements.lock"], check=True)
    subprocess.run(
        [
            *UV,
            "--extra",
            "dev",
            "-c",
            "requirements.lock",
            "pyproject.toml",
            "-o",
            "requirements-dev.lock",
        ],
        check=True,
    )


if __name__ == "__main__":
    main()
