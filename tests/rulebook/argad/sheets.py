"""Short notation for fighters, shots and melees of Argad! in tests, and its plain-text tables."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from rulebook.systems.argad.book import HouseRules, book
from rulebook.systems.argad.fighters import Fighter
from rulebook.systems.argad.melee import Contender, Exchange, Melee, exchange, resolve_blow
from rulebook.systems.argad.shooting import Shot

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[list[str]]:
    """Return the rows of a plain-text table, split at the bars."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [
        [cell.strip() for cell in line.split("|")]
        for line in lines
        if line and not line.startswith("#")
    ]


def said(cell: str) -> list[tuple[str, Any]]:
    """Parse a cell: "class=2, trained" is [("class", 2), ("trained", True)], a dash nothing."""
    parts = [part.partition("=") for part in cell.split(", ") if cell != "-"]
    return [
        (name, (int(value) if value.isdigit() else value) if equals else True)
        for name, equals, value in parts
    ]


def fight_turn(fought: Melee, dice: tuple[int, ...], answer: tuple[int, ...]) -> Exchange:
    """Return a turn of melee with these dice of both sides."""
    return exchange(fought, resolve_blow(fought, dice), resolve_blow(fought.turned(), answer))


def dice(cell: str) -> tuple[int, ...]:
    """Return the dice of a cell."""
    return () if cell == "-" else tuple(int(die) for die in cell.split())


def fighter(cell: str = "-", **more: Any) -> Fighter:
    """Return a fighter from a cell. Default: class 3, light clothing, on foot, with a sword."""
    values = {"class_" if key == "class" else key: value for key, value in said(cell)}
    return Fighter(**values, **more)


def shot(shooter: str = "-", target: str = "-", cell: str = "-") -> Shot:
    """Return a shot from cells. Default: with an arquebus at 10 cm."""
    values = dict(said(cell))
    ticked = tuple(values.pop(key) and key for key in [*values] if key in book().circumstance)
    armed = shooter if "firearm" in shooter else f"firearm=arquebus, {shooter}".replace(", -", "")
    return Shot(fighter(armed), fighter(target), **{"cm": 10, "circumstances": ticked, **values})


def melee(first: str = "-", second: str = "-", cell: str = "-", **settings: Any) -> Melee:
    """Return a melee from cells.

    "stands=..." is a stance of the first contender, "faces=..." one of the second.
    """
    sides, more = [Contender(fighter(first)), Contender(fighter(second))], {}
    for key, value in said(cell):
        if key == "turn":
            sides = [replace(each, turn=value) for each in sides]
        elif key in ("stands", "faces"):
            place = int(key == "faces")
            sides[place] = replace(sides[place], stances=(*sides[place].stances, value))
        else:
            more[key] = value
    return Melee(sides[0], sides[1], **more, settings=HouseRules(**settings))
