"""The checks that need neither a server nor a test, from lint to the API's schema."""

import os
import sys

from scripts.stages import Stages

PYTHON = sys.executable
SLOWEST = "types"
CHECKS = {
    "lint": (".venv/bin/ruff", "check", "."),
    "form": (".venv/bin/ruff", "format", "--check", "."),
    "templates": (".venv/bin/djlint", "--lint", "--quiet", "templates"),
    "wording": (PYTHON, "-m", "scripts.wording"),
    "types": (".venv/bin/mypy",),
    "arrows": (".venv/bin/lint-imports", "--no-cache", "--no-logo"),
    "system checks": (PYTHON, "manage.py", "check", "--fail-level", "WARNING"),
    "migrations are complete": (PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"),
    "schema": (
        PYTHON,
        "manage.py",
        "spectacular",
        "--validate",
        "--fail-on-warn",
        "--file",
        os.devnull,
    ),
}


def run_checks(stages: Stages) -> None:
    """Run every check, as one stage each: the slowest at the same time as the others."""
    others = {name: command for name, command in CHECKS.items() if name != SLOWEST}
    with stages.beside(SLOWEST, *CHECKS[SLOWEST]):
        for name, command in others.items():
            stages.run(name, *command)


if __name__ == "__main__":
    everything = Stages()
    run_checks(everything)
    everything.finish()
