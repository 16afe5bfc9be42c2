"""The format of a passport file: the structures to write, and the strict parser."""

import base64
import binascii
import json
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from django.utils.translation import gettext
from msgspec import Struct

from core.cleaning import storable_json
from core.errors import InvalidInput
from core.signatures import PublicKey, Signature, fingerprint_of

FORMAT = "muster-passport"
VERSION = 1
MAX_BYTES = 4 * 1024 * 1024
"""The limit of a passport file. It has room for the battles of about twelve years."""
DEEPEST = 12
Shape = TypeVar("Shape", bound=Struct)


class SignedFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The file: the signed bytes in base64, the public key and the signature.

    The key has 64 hex digits and the signature 128.
    """

    passport: str
    key: str
    signature: str


class Entry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An entry of the chronicle: its seal, and the text whose SHA-256 is the seal.

    The seal has 64 hex digits. Without a text, only the seal of the entry is disclosed.
    """

    seal: str
    text: str | None = None


class PassportBattle(Struct, frozen=True, forbid_unknown_fields=True):
    """A battle as the chronicle records it.

    ``campaign`` is the name of the campaign that the warband was in, ``club`` that of its club.
    """

    sequence: int
    battle: str
    title: str
    scenario: str
    fought_on: str
    campaign: str
    club: str
    against: tuple[str, ...]
    outcome: str
    victory_points: int
    victory_points_against: int
    friendly: bool


class PassportLedgerLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the experience ledger.

    ``sequence`` is the place of its fact in the chronicle, ``fighter`` an id, ``code``,
    ``sentence`` and ``rule`` give the reason, and ``balance`` is the amount afterwards.
    """

    sequence: int
    fighter: str
    amount: int
    code: str
    sentence: str
    rule: str
    balance: int


class PassportFighter(Struct, frozen=True, forbid_unknown_fields=True):
    """A fighter after all entries of its history."""

    id: str
    name: str
    profile: str
    rank: int
    points: int
    experience: int
    earned: int
    battles: int
    fate: str


class PassportWarband(Struct, frozen=True, forbid_unknown_fields=True):
    """The warband after all entries of its chronicle."""

    id: UUID
    name: str
    ruleset: str
    edition: str
    faction: str


class Provenance(Struct, frozen=True, forbid_unknown_fields=True):
    """An installation that had the warband before.

    ``until`` is the last entry recorded there, ``origin`` the address, and ``key`` the fingerprint
    of the key that signed.
    """

    until: int
    origin: str
    key: str


class Passport(Struct, frozen=True, forbid_unknown_fields=True):
    """The content that is signed.

    ``subject`` is "warband" or "fighter"; ``fighter`` is the fighter's id, or empty for a warband.
    """

    format: str
    version: int
    subject: str
    fighter: str
    origin: str
    issued_at: str
    issued_by: str
    warband: PassportWarband
    fighters: tuple[PassportFighter, ...]
    battles: tuple[PassportBattle, ...]
    ledger: tuple[PassportLedgerLine, ...]
    stations: tuple[Provenance, ...]
    entries: tuple[Entry, ...]

    @property
    def name(self) -> str:
        """The name of the warband or fighter of the passport."""
        return self.fighters[0].name if self.fighter and self.fighters else self.warband.name


class OpenedFile(Struct, frozen=True):
    """A parsed file: the signed bytes, their content, the public key and the signature."""

    body: bytes
    passport: Passport
    key: PublicKey
    signature: Signature


def body_of(passport: Passport) -> bytes:
    """Return the bytes to sign."""
    return msgspec.json.encode(passport)


def file_of(body: bytes, key: PublicKey, signature: Signature) -> bytes:
    """Return the passport as a file."""
    signed = SignedFile(base64.b64encode(body).decode(), key.public, signature.signature)
    return msgspec.json.format(msgspec.json.encode(signed), indent=1) + b"\n"


def open_file(content: bytes) -> OpenedFile:
    """Parse a file without verifying it.

    Raises InvalidInput (`passport-too-large`, `not-a-passport`, `newer-passport`).
    """
    if len(content) > MAX_BYTES:
        raise too_large(len(content))
    file = _shaped(strict_json(content), SignedFile)
    try:
        body = base64.b64decode(file.passport, validate=True)
        fingerprint = fingerprint_of(file.key)
    except (binascii.Error, ValueError) as error:
        raise _no_passport(str(error)) from error
    body_data = strict_json(body)
    if not isinstance(body_data, dict) or body_data.get("format") != FORMAT:
        raise _no_passport(f"format {FORMAT}")
    version = body_data.get("version")
    if isinstance(version, int) and version > VERSION:
        sentence = gettext(
            "This passport has version %(version)s. This site can read versions up to %(most)s. "
            "Upgrade Muster first."
        )
        raise InvalidInput("newer-passport", sentence % {"version": version, "most": VERSION})
    passport = _shaped(body_data, Passport)
    if passport.version != VERSION or (passport.subject == "fighter") is not bool(passport.fighter):
        raise _no_passport("version, subject")
    return OpenedFile(body, passport, PublicKey(file.key), Signature(fingerprint, file.signature))


def strict_json(content: bytes | str) -> Any:
    """Parse JSON that every parser reads alike.

    It must be UTF-8, have no name twice in an object and no NaN, and be storable and not too deep.
    Raises InvalidInput (`not-a-passport`).
    """
    try:
        text = content if isinstance(content, str) else content.decode()
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise _no_passport(str(error)[:200]) from error
    if not storable_json(value, 4 * DEEPEST):
        raise _no_passport("too deep, or with a number or a sign that cannot be stored")
    return value


def too_large(size: int) -> InvalidInput:
    """Return the error for a file that is larger than any passport. ``size`` is in bytes."""
    sentence = gettext(
        "The file is %(size)s bytes. A passport can be no larger than %(most)s bytes."
    ) % {
        "size": size,
        "most": MAX_BYTES,
    }
    return InvalidInput("passport-too-large", sentence)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return value


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _shaped(value: Any, shape: type[Shape]) -> Shape:
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise _no_passport(str(error)) from error


def _no_passport(why: str) -> InvalidInput:
    return InvalidInput(
        "not-a-passport", gettext("This is not a Muster passport (%(why)s).") % {"why": why}
    )
