"""Fingerprints of the migrations of a release, which nobody edits any more."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from django.apps import apps

ROOT = Path(__file__).parents[2]


def fingerprints() -> dict[str, str]:
    """Return the SHA-256 of each of our migrations, by app and name."""
    return {
        f"{file.parent.parent.name}.{file.stem}": sha256(file.read_bytes()).hexdigest()
        for file in _files()
    }


def edited(kept: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return the migrations of a release that have changed since, or are gone."""
    return sorted(name for name, digest in kept.items() if now.get(name) != digest)


def what_to_do(version: str) -> str:
    """Return what to do if a migration of this release has changed."""
    return (
        f"These migrations are not those that were kept with {version}. Databases of {version} have "
        "applied them and never run them again. If it is out: put them back, and add a new "
        f"migration. If it is not out yet: run `make keep-release` to keep {version} again."
    )


def _files() -> Iterator[Path]:
    for app in apps.get_app_configs():
        folder = Path(app.path)
        if folder.parent == ROOT:
            yield from sorted((folder / "migrations").glob("[!_]*.py"))
