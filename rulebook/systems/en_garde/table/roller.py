"""Throws for a set-up, each kept under what it was for."""

from msgspec import Struct

from rulebook.dice.rolls import Generator, Roll, roll


class NamedRoll(Struct, frozen=True):
    """A roll and what it was for; ``by`` is "app" or "table"."""

    what: str
    notation: str
    dice: tuple[int, ...]
    total: int
    by: str = "app"


class Roller:
    """Throws dice and keeps what was thrown."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator
        self.kept: list[NamedRoll] = []

    def throw(self, what: str, notation: str = "D6") -> int:
        """The total of a throw that is kept under its purpose."""
        thrown: Roll = roll(notation, self.generator)
        self.kept.append(NamedRoll(what, notation, thrown.dice, thrown.total))
        return thrown.total
