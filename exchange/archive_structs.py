"""What an archive says of itself, what an import would make, and what it has made
(docs/archives.md)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Struct

from exchange.models import ArchiveKind
from exchange.selectors.keys import KeyTrust
from rulebook.values.described import closed

FORMAT = "muster-archive"
VERSION = 1
"""Of the format. An older one is brought up to date by
``exchange.services.read_archive.UPGRADES``."""
KINDS = ("warband", "campaign", "club")
MANIFEST, SIGNATURE, README, PEOPLE = "manifest.json", "manifest.sig", "README.txt", "people.json"


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """A file in the archive: its length in bytes, and its SHA-256."""

    name: str
    size: int
    sha256: str


class TableCount(Struct, frozen=True, forbid_unknown_fields=True):
    """A table and its number of rows."""

    name: str
    rows: int


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a chain: of a warband's chronicle, or of a settled battle's log."""

    id: UUID
    entries: int
    seal: str


class Omission(Struct, frozen=True, forbid_unknown_fields=True):
    """How many things stayed behind, and why, as stable codes."""

    what: str
    number: int
    why: str


class Manifest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``manifest.json``: what the archive holds. ``manifest.sig`` signs its bytes, and so all of
    the archive.

    ``muster`` is the version of Muster that wrote it, ``origin`` the fingerprint of the
    installation's signing key.
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
    """``manifest.sig``: the key's fingerprint, its 32 bytes and the signature, all in hex
    digits."""

    key: str
    public: str
    signature: str


class Person(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody with an account where the archive was written: nothing but a reference and a
    name."""

    reference: UUID
    name: str


class ArchiveSigner(Struct, frozen=True):
    """Who vouches for an archive. ``standing``: "own" (this installation), "trusted" or
    "unknown"."""

    standing: Annotated[str, closed("Standing", KeyTrust)]
    fingerprint: str
    name: str = ""


class Line(Struct, frozen=True):
    """A club, campaign, warband or battle."""

    kind: Annotated[str, closed("ArchiveLineKind", ("club", "campaign", "warband", "battle"))]
    id: UUID
    name: str


class PreviewPerson(Struct, frozen=True):
    """Somebody in the archive, and who it becomes: ``user`` is None for a placeholder. ``places``
    tells in how many rows of each table the person is named."""

    reference: str
    name: str
    user: int | None
    user_name: str
    places: tuple[TableCount, ...]


class Refusal(Struct, frozen=True):
    """What cannot be taken in: where (a table and the row's key), a stable code, and a sentence."""

    where: str
    code: str
    sentence: str


class ArchivePreview(Struct, frozen=True, kw_only=True):
    """What an import would make. ``digest`` names it: an import that is given it does exactly this,
    or nothing."""

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
        """Whether nothing is refused."""
        return not self.refused


class ImportedArchive(Struct, frozen=True, kw_only=True):
    """What an import has made: nothing but what was not here already."""

    kind: Annotated[str, closed("ExportKindEnum", ArchiveKind)]
    subject: UUID
    name: str
    made: tuple[Line, ...]
    counts: tuple[TableCount, ...]
