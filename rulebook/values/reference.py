"""A rule system as a page to browse: lists of profiles, and tables of things."""

from msgspec import Struct


class Column(Struct, frozen=True):
    """A column of a table: its name, and a short one if there is one."""

    name: str
    short: str = ""


class ProfileLine(Struct, frozen=True):
    """A profile in its list: ``numbers`` in the order of the list's columns, ``options`` each in a
    line.

    ``points`` is "" where a system has none; ``printed`` the book's own figure where that differs.
    """

    key: str
    name: str
    numbers: tuple[str, ...] = ()
    points: str = ""
    printed: str = ""
    note: str = ""
    unique: bool = False
    carries: str = ""
    knows: str = ""
    options: tuple[str, ...] = ()


class ListSection(Struct, frozen=True):
    """A list with its profiles. ``facts`` are what holds for the list as a whole."""

    key: str
    name: str
    summary: str
    facts: tuple[str, ...]
    columns: tuple[Column, ...]
    profiles: tuple[ProfileLine, ...]

    @property
    def anchor(self) -> str:
        """Return where it stands on the rule system's page."""
        return f"list-{self.key}"

    @property
    def priced(self) -> bool:
        """Return whether any of its profiles has a price by itself: not where a price comes with
        how one is built."""
        return any(profile.points for profile in self.profiles)


class TableSection(Struct, frozen=True):
    """A table of things: arms, armour, Attributes. The first cell of a row is its name."""

    anchor: str
    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Reference(Struct, frozen=True):
    """What a rule system has to browse."""

    lists: tuple[ListSection, ...] = ()
    tables: tuple[TableSection, ...] = ()
