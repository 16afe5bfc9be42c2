"""Short ways to write down fighters, shots and melees of Argad! in tests, and its plain-text
tables."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from rulebook.systems.argad.book import HouseRules, book
from rulebook.systems.argad.fighters import Fighter
from rulebook.systems.argad.melee import Contender, Exchange, Melee, exchange, resolve_blow
from rulebook.systems.argad.shooting import Shot

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[list[str]]:
    """The rows of a plain-text table, cut at the bars."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [
        [cell.strip() for cell in line.split("|")]
        for line in lines
        if line and not line.startswith("#")
    ]


def said(cell: str) -> list[tuple[str, Any]]:
    """What a cell says: "class=2, trained" is [("class", 2), ("trained", True)], a dash nothing."""
    parts = [part.partition("=") for part in cell.split(", ") if cell != "-"]
    return [
        (name, (int(value) if value.isdigit() else value) if equals else True)
        for name, equals, value in parts
    ]


def fight_turn(fought: Melee, dice: tuple[int, ...], answer: tuple[int, ...]) -> Exchange:
    """A turn of melee with everybody's dice."""
    return exchange(fought, resolve_blow(fought, dice), resolve_blow(fought.turned(), answer))


def dice(cell: str) -> tuple[int, ...]:
    """The dice of a cell."""
    return () if cell == "-" else tuple(int(die) for die in cell.split())


def fighter(cell: str = "-", **more: Any) -> Fighter:
    """A fighter as a cell tells him; class 3, light clothing, on foot, with a sword, else."""
    values = {"class_" if key == "class" else key: value for key, value in said(cell)}
    return Fighter(**values, **more)


def shot(shooter: str = "-", target: str = "-", cell: str = "-") -> Shot:
    """A shot as cells tell it: with an arquebus at 10 cm, else."""
    values = dict(said(cell))
    ticked = tuple(values.pop(key) and key for key in [*values] if key in book().circumstance)
    armed = shooter if "firearm" in shooter else f"firearm=arquebus, {shooter}".replace(", -", "")
    return Shot(fighter(armed), fighter(target), **{"cm": 10, "circumstances": ticked, **values})


def melee(first: str = "-", second: str = "-", cell: str = "-", **settings: Any) -> Melee:
    """A melee as cells tell it: "stands=..." is how the first stands, "faces=..." how the second
    does."""
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
