"""The data structures of archives: manifest, preview and result of an import (docs/archives.md)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Struct

from exchange.models import ArchiveKind
from exchange.selectors.keys import KeyTrust
from rulebook.values.described import closed

FORMAT = "muster-archive"
VERSION = 1
"""The version of the format.

``exchange.services.read_archive.UPGRADES`` upgrades rows of older versions.
"""
KINDS = ("warband", "campaign", "club")
MANIFEST, SIGNATURE, README, PEOPLE = "manifest.json", "manifest.sig", "README.txt", "people.json"


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """A file in the archive: its name, its length in bytes and its SHA-256."""

    name: str
    size: int
    sha256: str


class TableCount(Struct, frozen=True, forbid_unknown_fields=True):
    """A table and its number of rows."""

    name: str
    rows: int


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The head of a chain: of a warband's chronicle, or of the log of a confirmed battle."""

    id: UUID
    entries: int
    seal: str


class Omission(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of rows that were left out of an archive, and why, as stable codes."""

    what: str
    number: int
    why: str


class Manifest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``manifest.json``: the contents of the archive.

    ``manifest.sig`` signs the bytes of the manifest. As the manifest lists the hashes of all
    files, this covers the whole archive. ``muster`` is the version of Muster that wrote the
    archive and ``origin`` is the fingerprint of the installation's signing key.
    """

    format: str
    version: int
    kind: str
    subject: UUID
    name: str
    muster: str
    made_at: datetime
    origin: str
    tables: tuple[TableCount, ...]
    members: tuple[Member, ...]
    heads: tuple[Head, ...]
    battles: tuple[Head, ...]
    left_out: tuple[Omission, ...] = ()


class SignedBy(Struct, frozen=True, forbid_unknown_fields=True):
    """``manifest.sig``: the key's fingerprint, its 32 bytes and the signature, in hex digits."""

    key: str
    public: str
    signature: str


class Person(Struct, frozen=True, forbid_unknown_fields=True):
    """A person with an account on the installation that wrote the archive."""

    reference: UUID
    name: str


class ArchiveSigner(Struct, frozen=True):
    """The signer of an archive.

    ``standing`` is "own" (this installation), "trusted" or "unknown".
    """

    standing: Annotated[str, closed("Standing", KeyTrust)]
    fingerprint: str
    name: str = ""


class Line(Struct, frozen=True):
    """A club, campaign, warband or battle."""

    kind: Annotated[str, closed("ArchiveLineKind", ("club", "campaign", "warband", "battle"))]
    id: UUID
    name: str


class PreviewPerson(Struct, frozen=True):
    """A person in the archive, and the account that the import uses for them.

    ``user`` is None for a placeholder. ``places`` counts the rows of each table that name the
    person.
    """

    reference: str
    name: str
    user: int | None
    user_name: str
    places: tuple[TableCount, ...]


class Refusal(Struct, frozen=True):
    """A row that cannot be imported: its table and key, a stable code and a sentence."""

    where: str
    code: str
    sentence: str


class ArchivePreview(Struct, frozen=True, kw_only=True):
    """The preview of an import.

    ``digest`` identifies the preview: an import that gets it creates exactly this, or nothing.
    """

    kind: Annotated[str, closed("ExportKindEnum", ArchiveKind)]
    subject: UUID
    name: str
    muster: str
    made_at: datetime
    signer: ArchiveSigner
    made: tuple[Line, ...]
    here: tuple[Line, ...]
    counts: tuple[TableCount, ...]
    people: tuple[PreviewPerson, ...]
    notices: tuple[str, ...]
    refused: tuple[Refusal, ...]
    left_out: tuple[Omission, ...]
    digest: str

    @property
    def importable(self) -> bool:
        """Return whether the import refuses nothing."""
        return not self.refused


class ImportedArchive(Struct, frozen=True, kw_only=True):
    """The rows that an import has created, without those that existed here before."""

    kind: Annotated[str, closed("ExportKindEnum", ArchiveKind)]
    subject: UUID
    name: str
    made: tuple[Line, ...]
    counts: tuple[TableCount, ...]
