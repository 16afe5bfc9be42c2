"""A rule system as a page to browse: lists of profiles, and tables of things."""

from msgspec import Struct


class Column(Struct, frozen=True):
    """A column of a table: its name, and a short name if there is one."""

    name: str
    short: str = ""


class ProfileLine(Struct, frozen=True):
    """A profile in its list. ``numbers`` are in the order of the list's columns.

    ``options`` has one text for each line. ``points`` is "" in systems without points. ``printed``
    is the book's own number if it differs.
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
    """A list with its profiles. ``facts`` apply to the list as a whole."""

    key: str
    name: str
    summary: str
    facts: tuple[str, ...]
    columns: tuple[Column, ...]
    profiles: tuple[ProfileLine, ...]

    @property
    def anchor(self) -> str:
        """The list's anchor on the rule system's page."""
        return f"list-{self.key}"

    @property
    def priced(self) -> bool:
        """Return whether any profile has its own price, not one that depends on the build."""
        return any(profile.points for profile in self.profiles)


class TableSection(Struct, frozen=True):
    """A table of things: arms, armour, Attributes. The first cell of a row is its name."""

    anchor: str
    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Reference(Struct, frozen=True):
    """The lists and tables of a rule system that people can browse."""

    lists: tuple[ListSection, ...] = ()
    tables: tuple[TableSection, ...] = ()
