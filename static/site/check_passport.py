#!/usr/bin/env python3
"""Check a Muster passport without Muster, and print its history.

    pip install cryptography        # and Python 3.11 or newer
    python3 check_passport.py FILE [--key PUBLIC_KEY]

docs/passports.md describes the format. Exits with 0 if the passport is valid, else with 1 and the
reason. The script cannot know whose key signed it: give the key that you trust with --key, or
compare the printed fingerprint with the one that its owner reads out to you. The rules of the game
are not checked.
"""

import argparse
import base64
import binascii
import hashlib
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FIRST_SEAL = "0" * 64


class Forged(Exception):
    """Something does not hold."""


def main() -> None:
    """Prove the file that the command line names."""
    parser = argparse.ArgumentParser(description="Prove a passport of Muster.")
    parser.add_argument("file", help="the passport: a file whose name ends in .passport.json")
    parser.add_argument("--key", help="the public key that you trust: 64 hex digits")
    arguments = parser.parse_args()
    try:
        passport, key = signed(read(Path(arguments.file).read_bytes(), "the file"), arguments.key)
        lines = list(show(passport, key, list(entries(passport))))
    except (Forged, OSError) as error:
        sys.exit(f"This passport does not hold: {printable(str(error))}.")
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        sys.exit(
            "This passport does not hold: it is not of the form that docs/passports.md tells "
            f"({error!r})."
        )
    print("\n".join(map(printable, lines)))


def read(content: bytes | str, what: str) -> Any:
    """JSON in which no name stands twice and no number is without end."""
    try:
        return json.loads(content, object_pairs_hook=once, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Forged(f"{what} is not proper JSON ({error})") from error


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object if each of its names is unique."""
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name occurs twice in one object")
    return values


def refuse(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which JSON does not have."""
    raise ValueError(f"{name} is not a number")


def signed(file: Any, trusted: str | None) -> tuple[Any, bytes]:
    """Return the content of the file and the key, if the key is trusted and signed the content."""
    if not isinstance(file, dict) or set(file) != {"passport", "key", "signature"}:
        raise Forged("the file needs passport, key and signature, and nothing else")
    try:
        body = base64.b64decode(file["passport"], validate=True)
        key, signature = bytes.fromhex(file["key"]), bytes.fromhex(file["signature"])
        Ed25519PublicKey.from_public_bytes(key).verify(signature, body)
    except (InvalidSignature, binascii.Error, TypeError, ValueError) as error:
        entry = first_broken(file)
        also = f" (first invalid entry: {entry})" if entry else ""
        raise Forged(f"the key did not sign this passport{also}") from error
    if trusted and "".join(trusted.split()).lower() != file["key"]:
        raise Forged(f"it is signed by a key that you do not trust: {file['key']}")
    passport = read(body, "what is signed")
    if not isinstance(passport, dict) or passport.get("format") != "muster-passport":
        raise Forged("this is not a passport")
    if passport.get("version") != 1:
        raise Forged(f"version {passport.get('version')} is unknown to this script")
    return passport, key


def first_broken(file: Any) -> str:
    """Return the first invalid entry of a forged file, or ""."""
    try:
        for _ in entries(read(base64.b64decode(file["passport"]), "what is signed")):
            pass
    except Forged as error:
        return str(error)
    except (KeyError, TypeError, ValueError):
        return ""
    return ""


def entries(passport: Any) -> Iterator[tuple[int, Any, str]]:
    """Yield place, fact and time of the complete entries, if the chain is valid."""
    warband, previous = passport["warband"]["id"], FIRST_SEAL
    if not passport["entries"]:
        raise Forged("it has no entries")
    for place, entry in enumerate(passport["entries"], start=1):
        if "text" in entry:
            if hashlib.sha256(entry["text"].encode()).hexdigest() != entry["seal"]:
                raise Forged(f"entry {place}: its seal does not match its content")
            sealed = read(entry["text"], f"entry {place}")
            if not isinstance(sealed, list) or len(sealed) != 5:
                raise Forged(f"entry {place}: it is not a sealed entry")
            if sealed[0] != previous:
                raise Forged(f"entry {place}: it does not follow the previous entry")
            if sealed[1] != warband or sealed[2] != place:
                raise Forged(f"entry {place}: it was sealed for a different position")
            yield place, sealed[3], sealed[4]
        previous = entry["seal"]


def show(passport: Any, key: bytes, entries: list[tuple[int, Any, str]]) -> Iterator[str]:
    """Yield the warband, the fighters and the battles, line by line."""
    digits, whole = hashlib.sha256(key).hexdigest()[:32], len(passport["entries"])
    yield (
        f"Passport of {name_of(passport)}, issued by {passport['origin']} on "
        f"{passport['issued_at']}."
    )
    yield f"Signed by the key {' '.join(digits[at : at + 4] for at in range(0, 32, 4))}."
    yield f"The chain is valid: {len(entries)} of {whole} entries are complete."
    yield "Battles:"
    for battle in passport["battles"]:
        where = (
            ", ".join(part for part in (battle["campaign"], battle["club"]) if part)
            or "outside any campaign"
        )
        score = (
            f"{battle['outcome']} {battle['victory_points']} to {battle['victory_points_against']}"
        )
        against = ", ".join(battle["against"])
        yield (
            f"  {battle['fought_on']} {battle['title'] or battle['scenario']}: {score}, against "
            f"{against}; {where}"
        )
    yield "Fighters:"
    for fighter in passport["fighters"]:
        yield (
            f"  {fighter['name']}, {fighter['profile']}: {fighter['battles']} battles, "
            f"{fighter['earned']} experience earned, {fighter['fate']}"
        )
    yield "Entries:"
    for place, fact, recorded in entries:
        when = datetime.fromtimestamp(float(recorded.split()[0]), UTC)
        yield f"  {place:4} {when:%Y-%m-%d %H:%M} {fact['kind']}"


def printable(line: str) -> str:
    """The line without what could steer a terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in line)


def name_of(passport: Any) -> str:
    """The warband, or the fighter and its warband."""
    if passport["subject"] == "fighter":
        return f"{passport['fighters'][0]['name']} of {passport['warband']['name']}"
    name: str = passport["warband"]["name"]
    return name


if __name__ == "__main__":
    main()
