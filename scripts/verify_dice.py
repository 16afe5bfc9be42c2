#!/usr/bin/env python3
"""Check the dice of a battle. Needs nothing but Python.

    python3 scripts/verify_dice.py battle.json

Get the file from a battle's dice page or `GET /api/v1/battles/{id}/dice/` once the battle is over.
It has the battle's id, the commitment that was published before the first roll, the revealed seed,
and every roll with the number of its first die.
"""

import hashlib
import hmac
import json
import pathlib
import sys
from typing import Any


def die(seed: str, battle: str, number: int, faces: int) -> int:
    """Return die `number` of a battle by repeating the roll."""
    fair, block = 256 - 256 % faces, 0
    while True:
        for byte in hmac.new(
            seed.encode(), f"{battle}:{number}:{block}".encode(), "sha256"
        ).digest():
            if byte < fair:
                return byte % faces + 1
        block += 1


def faults(record: dict[str, Any]) -> list[str]:
    """Return everything that is wrong with the dice of a battle; empty if they are honest."""
    if not record.get("seed"):
        return ["The seed has not been revealed yet: the battle is not over."]
    problems = []
    if hashlib.sha256(record["seed"].encode()).hexdigest() != record["commitment"]:
        problems.append("The seed is not the one that was committed to.")
    expected = 1
    for throw in record["throws"]:
        if throw["first"] != expected:
            problems.append(
                f"Event {throw['event']}: die {expected} comes next, not die {throw['first']}."
            )
        expected = throw["first"] + len(throw["dice"])
        for number, (shown, faces) in enumerate(
            zip(throw["dice"], throw["faces"], strict=True), start=throw["first"]
        ):
            proper = die(record["seed"], record["battle"], number, faces)
            if shown != proper:
                problems.append(
                    f"Event {throw['event']}: die {number} shows {shown}, it should be {proper}."
                )
    return problems + apart_faults(record)


def apart_faults(record: dict[str, Any]) -> list[str]:
    """Return everything that is wrong with dice of their own number: recovery, and secret rolls."""
    recovery, secrets = record.get("recovery", []), record.get("asides", [])
    throws = [
        (f"Recovery of {each['fighter']}", f"recovery {each['fighter']}", each["die"])
        for each in recovery
    ]
    throws += [
        (f"Secret die of side {each['side']}", each["purpose"], each["die"]) for each in secrets
    ]
    problems = []
    for what, purpose, shown in throws:
        proper = die(record["seed"], f"{record['battle']} {purpose}", 1, 6)
        if shown != proper:
            problems.append(f"{what}: the die shows {shown}, it should be {proper}.")
    return problems


if __name__ == "__main__":
    problems = faults(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
    print("\n".join(problems) or "Every die matches the seed.")
    sys.exit(bool(problems))
