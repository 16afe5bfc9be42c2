"""The folders of kept releases, and what is in ``release.json``."""

import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

FOLDER = Path(__file__).parent
DESCRIPTION, ANSWERS, FORMS, MIGRATIONS = (
    "release.json",
    "answers.json.xz",
    "forms.json",
    "migrations.json",
)
API = "api.json.xz"
ARCHIVE, PASSPORT = "club.archive.zip", "warband.passport.json"


class Release(Struct, frozen=True, kw_only=True):
    """A kept release. Its secrets belong to an installation that exists nowhere else."""

    muster: str
    """The version that wrote it, such as "1.0.0rc1"."""
    secret_key: str
    organiser: str
    """The user name of the club's organiser."""
    password: str
    token: str
    """The organiser's token, with the scope `read`."""
    webhook_secret: str
    rows: Mapping[str, int]
    """The number of rows of each table that has any."""


def kept_releases() -> list[Path]:
    """Return the folder of each kept release, oldest first."""
    folders = [file.parent for file in FOLDER.glob(f"*/{DESCRIPTION}")]
    return sorted(folders, key=lambda folder: [int(part) for part in folder.name.split(".")])


def release_of(folder: Path) -> Release:
    """Return the description of a kept release."""
    return msgspec.json.decode((folder / DESCRIPTION).read_bytes(), type=Release)


def read_json(folder: Path, name: str) -> Any:
    """Return the content of a JSON file of a kept release."""
    content = (folder / name).read_bytes()
    return msgspec.json.decode(lzma.decompress(content) if name.endswith(".xz") else content)


def write_json(folder: Path, name: str, content: Mapping[str, Any]) -> None:
    """Write a JSON object with one line for each of its keys, so that differences can be read."""
    lines = (
        f"{msgspec.json.encode(key).decode()}: "
        f"{msgspec.json.encode(value, order='deterministic').decode()}"
        for key, value in content.items()
    )
    text = ("{\n" + ",\n".join(lines) + "\n}\n").encode()
    (folder / name).write_bytes(lzma.compress(text, preset=9) if name.endswith(".xz") else text)


def released_version(version: str) -> str:
    """Return the release that a version becomes: "1.0.0" for "1.0.0rc1"."""
    return version.partition("rc")[0]
