"""Read an uploaded archive, and trust nothing in it before it is checked.

First check the zip itself (the number of members, their sizes and names), then the manifest and
its signature, then the hash of every member. Rows are read one by one, and each must have the type
of its table.
"""

import hashlib
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext
from msgspec import Struct

from core.cleaning import storable
from core.errors import InvalidInput
from exchange.archive_structs import (
    FORMAT,
    KINDS,
    MANIFEST,
    PEOPLE,
    README,
    SIGNATURE,
    VERSION,
    ArchiveSigner,
    Manifest,
    Member,
    Person,
    SignedBy,
)
from exchange.models import TrustedKey
from exchange.signing import Signature, own_key, verify
from exchange.tables import TABLES, ExportTable, row_type
from rulebook.ruleset import Problem

MAX_MEMBERS = 20_000
MAX_BYTES = 2 * 1024**3
"""The limit for all members together, unpacked."""
MAX_OF_A_TEXT = 16 * 1024**2
"""The limit for a member that is read at once: manifest, signature and people."""
MAX_OF_A_ROW = 4 * 1024**2
MAX_OF_A_PICTURE = 10 * 1024**2
MAX_RATIO = 200
"""The limit of the unpacked size relative to the packed size. Tables of rows reach about 30."""
CHUNK = 256 * 1024
TABLE_NAMES = "|".join(table.name for table in TABLES)
NAMES = re.compile(
    rf"{re.escape(MANIFEST)}|{re.escape(SIGNATURE)}|{re.escape(README)}|{re.escape(PEOPLE)}"
    rf"|data/({TABLE_NAMES})\.jsonl|csv/({TABLE_NAMES})\.csv|schema/({TABLE_NAMES})\.json"
    r"|pictures/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-(large|small)\.(jpg|webp)"
)
UPGRADES: Mapping[int, Callable[[str, dict[str, Any]], dict[str, Any]]] = {}
"""Functions that upgrade a row to the next version, by the version that they start from.

No older version exists yet.
"""


class OpenedArchive(Struct, frozen=True):
    """An archive whose members match its manifest, and whose manifest has a valid signature."""

    zip: zipfile.ZipFile
    manifest: Manifest
    digest: str
    """The SHA-256 of the manifest, which covers all members."""
    signed: SignedBy
    people: Mapping[UUID, Person]

    def rows(self, table: ExportTable) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the rows of a table with their numbers, from 1.

        Raises InvalidInput that names table, row and column.
        """
        decoder = msgspec.json.Decoder(row_type(table.name))
        number, before = 0, None
        for number, line in enumerate(self._lines(f"data/{table.name}.jsonl"), start=1):
            row = _row(self.manifest.version, table, number, line, decoder)
            key = tuple(_in_order(row[name]) for name in table.key)
            if before is not None and key <= before:
                raise bad_row(
                    table,
                    number,
                    table.key[0],
                    gettext("The rows are not sorted by their keys."),
                )
            before = key
            yield number, row
        if number != next(
            (count.rows for count in self.manifest.tables if count.name == table.name), 0
        ):
            reason = gettext("There are %(number)s rows. The manifest gives another number.") % {
                "number": number
            }
            raise bad_row(table, number, "", reason)

    def _lines(self, name: str) -> Iterator[bytes]:
        if name not in self.zip.NameToInfo:
            # The table is newer than the archive. Required tables were checked when it was opened.
            return
        with self.zip.open(name) as member:
            while line := member.readline(MAX_OF_A_ROW + 1):
                if len(line) > MAX_OF_A_ROW:
                    raise broken(name, gettext("A row is too long for a Muster archive."))
                yield line

    def picture(self, name: str) -> bytes | None:
        """Return the bytes of a picture's file; None if there is no such member."""
        if name not in self.zip.NameToInfo:
            return None
        return self.zip.read(name)


@contextmanager
def open_archive(file: BinaryIO) -> Iterator[OpenedArchive]:
    """Open an archive and check that it matches its signed manifest. The rows are not read yet.

    Raises InvalidInput (`not-an-archive`, `newer-archive`, `archive-too-large`, `archive-broken`
    or `archive-forged`).
    """
    try:
        with zipfile.ZipFile(file) as opened:
            _look_over(opened)
            yield _proved(opened)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise InvalidInput(
            "not-an-archive", gettext("This is not a complete Muster archive.")
        ) from error


def signer_of(opened: OpenedArchive, user: User) -> ArchiveSigner:
    """Return the signer of an archive, as far as the user or this installation knows it.

    Takes two queries.
    """
    key = opened.signed.key
    if own_key(key) is not None:
        return ArchiveSigner("own", key)
    trusted = (
        TrustedKey.objects.trusted_for(user)
        .filter(fingerprint=key, public=opened.signed.public)
        .first()
    )
    return ArchiveSigner("trusted", key, trusted.name) if trusted else ArchiveSigner("unknown", key)


def bad_row(table: ExportTable, number: int, column: str, reason: str) -> InvalidInput:
    """Return an error that names table, row and column."""
    where = gettext("%(table)s, row %(number)s") % {"table": table.name, "number": number}
    if column:
        where = gettext("%(where)s, column %(column)s") % {"where": where, "column": column}
    sentence = f"{where}: {reason}"
    pointer = "/".join(["", "data", table.name, str(number), *filter(None, [column])])
    return InvalidInput(
        "bad-row", sentence, field=pointer, problems=[Problem("bad-row", sentence, field=pointer)]
    )


def broken(name: str, reason: str, code: str = "archive-broken") -> InvalidInput:
    """Return an error that names a member."""
    sentence = f"{name}: {reason}"
    return InvalidInput(
        code, sentence, field=f"/{name}", problems=[Problem(code, sentence, field=f"/{name}")]
    )


def _look_over(opened: zipfile.ZipFile) -> None:
    """Check that a zip can be unpacked safely, without unpacking anything.

    Raises InvalidInput.
    """
    members = opened.infolist()
    if len(members) > MAX_MEMBERS:
        raise _too_large(gettext("Too many files: %(number)s.") % {"number": len(members)})
    seen: set[str] = set()
    for member in members:
        if not NAMES.fullmatch(member.filename):
            raise broken(
                member.filename[:80], gettext("A Muster archive has no file with this name.")
            )
        if member.filename in seen:
            raise broken(member.filename, gettext("The archive contains this file twice."))
        if member.flag_bits & 1 or member.compress_type not in (
            zipfile.ZIP_STORED,
            zipfile.ZIP_DEFLATED,
        ):
            raise broken(member.filename, gettext("Muster does not use this kind of compression."))
        if member.filename.startswith("pictures/") and member.file_size > MAX_OF_A_PICTURE:
            raise _too_large(gettext("A picture is larger than any picture in Muster."))
        seen.add(member.filename)
    whole, packed = (
        sum(each.file_size for each in members),
        sum(each.compress_size for each in members),
    )
    if whole > MAX_BYTES or whole > MAX_RATIO * packed + CHUNK:
        raise _too_large(gettext("It would take %(most)s bytes when unpacked.") % {"most": whole})
    for name in (
        MANIFEST,
        SIGNATURE,
        PEOPLE,
        *(f"data/{table.name}.jsonl" for table in TABLES if not table.later),
    ):
        if name not in seen:
            raise broken(name, gettext("This file is missing from the archive."), "not-an-archive")


def _proved(opened: zipfile.ZipFile) -> OpenedArchive:
    body = _text(opened, MANIFEST)
    manifest = _manifest(body)
    signed = _decoded(SIGNATURE, _text(opened, SIGNATURE), SignedBy)
    if not verify(body, Signature(signed.key, signed.signature), signed.public):
        reason = gettext("The signature does not match the manifest: someone changed the archive.")
        raise broken(SIGNATURE, reason, "archive-forged")
    _expect_members(opened, manifest)
    people = _decoded(PEOPLE, _text(opened, PEOPLE), list[Person])
    for person in people:
        if not person.name.strip() or len(person.name) > 150 or not storable(person.name):
            raise broken(PEOPLE, gettext("A name is empty or too long."))
    return OpenedArchive(
        opened,
        manifest,
        hashlib.sha256(body).hexdigest(),
        signed,
        {each.reference: each for each in people},
    )


def _manifest(body: bytes) -> Manifest:
    head = _decoded(MANIFEST, body, dict[str, Any])
    if head.get("format") != FORMAT or not isinstance(head.get("version"), int):
        raise InvalidInput("not-an-archive", gettext("This is not a complete Muster archive."))
    if head["version"] > VERSION:
        sentence = gettext(
            "The archive is from Muster %(muster)s. This site has the older version %(own)s."
        )
        raise InvalidInput(
            "newer-archive",
            sentence % {"muster": str(head.get("muster"))[:20], "own": settings.VERSION},
        )
    manifest = _decoded(MANIFEST, body, Manifest)
    if manifest.version < 1 or manifest.kind not in KINDS or not storable(manifest.name):
        raise broken(MANIFEST, gettext("The archive does not say what it contains."))
    return manifest


def _expect_members(opened: zipfile.ZipFile, manifest: Manifest) -> None:
    """Check that the members match the manifest, with its sizes and hashes.

    Raises InvalidInput (`archive-forged`).
    """
    listed: dict[str, Member] = {member.name: member for member in manifest.members}
    present = {member.filename for member in opened.infolist()} - {MANIFEST, SIGNATURE}
    for name in sorted(present ^ listed.keys()):
        if name in present:
            raise broken(name, gettext("The manifest does not list this file."), "archive-forged")
        raise broken(name, gettext("This file is missing from the archive."), "archive-forged")
    for name, member in listed.items():
        digest, size = hashlib.sha256(), 0
        with opened.open(name) as content:
            while piece := content.read(CHUNK):
                digest.update(piece)
                size += len(piece)
        if size != member.size or digest.hexdigest() != member.sha256:
            reason = gettext("The file does not match the manifest: its hash differs.")
            raise broken(name, reason, "archive-forged")


def _text(opened: zipfile.ZipFile, name: str) -> bytes:
    if opened.getinfo(name).file_size > MAX_OF_A_TEXT:
        raise _too_large(gettext("%(name)s is too long for a Muster archive.") % {"name": name})
    return opened.read(name)


def _decoded(name: str, body: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise broken(name, str(error)) from error


def _row(
    version: int, table: ExportTable, number: int, line: bytes, decoder: msgspec.json.Decoder[Any]
) -> dict[str, Any]:
    try:
        if version < VERSION:
            plain = msgspec.json.decode(line, type=dict[str, Any])
            for step in range(version, VERSION):
                plain = UPGRADES[step](table.name, plain)
            line = msgspec.json.encode(plain)
        row: dict[str, Any] = msgspec.structs.asdict(decoder.decode(line))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        reason = str(error)
        column = re.search(r"`\$\.(\w+)|field `(\w+)`", reason)
        raise bad_row(
            table, number, next(filter(None, column.groups()), "") if column else "", reason
        ) from error
    return row


def _in_order(value: Any) -> Any:
    return value.bytes if isinstance(value, UUID) else value


def _too_large(sentence: str) -> InvalidInput:
    return InvalidInput("archive-too-large", sentence)
