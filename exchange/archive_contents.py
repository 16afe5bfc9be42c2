"""The contents of an archive as text for users: its tables, and what was left out."""

from collections.abc import Iterable
from datetime import datetime

from django.utils.translation import gettext, gettext_lazy
from msgspec import Struct

from exchange.archive_structs import Line, Manifest, Omission, TableCount

TABLES = {
    "clubs": gettext_lazy("Clubs"),
    "memberships": gettext_lazy("Members"),
    "evenings": gettext_lazy("Club nights"),
    "attendances": gettext_lazy("Answers to club nights"),
    "campaigns": gettext_lazy("Campaigns"),
    "warbands": gettext_lazy("Warbands"),
    "chronicle": gettext_lazy("History entries"),
    "fighters": gettext_lazy("Fighters"),
    "enrolments": gettext_lazy("Campaign entries"),
    "hand-overs": gettext_lazy("Warband transfers"),
    "orders": gettext_lazy("Orders"),
    "rounds": gettext_lazy("Rounds"),
    "fixtures": gettext_lazy("Fixtures"),
    "journal": gettext_lazy("Journal entries"),
    "battles": gettext_lazy("Battles"),
    "sides": gettext_lazy("Sides of battles"),
    "combatants": gettext_lazy("Fighters in battles"),
    "events": gettext_lazy("Battle log entries"),
    "revisions": gettext_lazy("Battle corrections"),
    "disputes": gettext_lazy("Disputes"),
    "pictures": gettext_lazy("Pictures"),
    "audit": gettext_lazy("Activity log entries"),
    "secret-choices": gettext_lazy("Secret choices"),
    "dice-seeds": gettext_lazy("Dice seeds"),
}
"""User-facing names of the tables, and of other data that can be left out."""
KINDS = {
    "club": gettext_lazy("Clubs"),
    "campaign": gettext_lazy("Campaigns"),
    "warband": gettext_lazy("Warbands"),
    "battle": gettext_lazy("Battles"),
}
"""Plural names of the kinds of lines in a preview."""
REASONS = {
    "not-yours-to-see": gettext_lazy("not visible to you"),
    "not-all-warbands-go": gettext_lazy("not all warbands of the battle are included"),
    "still-sealed": gettext_lazy("still sealed"),
    "battle-not-over": gettext_lazy("the battle is not over"),
    "file-is-lost": gettext_lazy("the file is missing"),
}
"""Why something was left out, by reason code."""
HOMES = {
    "club": "home:club",
    "campaign": "leagues:campaign",
    "warband": "warbands:warband",
    "battle": "battles:battle",
}
"""The URL name of the page of each kind."""
MAX_NAMED = 30


class Contents(Struct, frozen=True, kw_only=True):
    """The contents of an archive: its tables, the number of files, and what was left out.

    ``origin`` is the fingerprint of the key that signed it.
    """

    version: int
    muster: str
    made_at: datetime
    origin: str
    tables: tuple[TableCount, ...]
    files: int
    left_out: tuple[Omission, ...]


class Group(Struct, frozen=True):
    """The objects of one kind: their number, and the first ``MAX_NAMED`` of them by name."""

    label: str
    home: str
    number: int
    named: tuple[Line, ...]

    @property
    def more(self) -> int:
        """The number of objects that are not named."""
        return self.number - len(self.named)


def contents_of(manifest: Manifest) -> Contents:
    """Return the contents of a manifest, without its list of files and its chain heads."""
    return Contents(
        version=manifest.version,
        muster=manifest.muster,
        made_at=manifest.made_at,
        origin=manifest.origin,
        tables=manifest.tables,
        files=len(manifest.members),
        left_out=manifest.left_out,
    )


def table_name(name: str) -> str:
    """Return the user-facing name of a table."""
    return str(TABLES.get(name, name))


def filled_tables(tables: Iterable[TableCount]) -> list[tuple[TableCount, str]]:
    """Return the tables that have rows, each with its user-facing name."""
    return [(table, table_name(table.name)) for table in tables if table.rows]


def left_out_reasons(left_out: Iterable[Omission]) -> list[str]:
    """Return one sentence per omission: what was left out, how many, and why."""
    line = gettext("%(what)s: %(number)s, %(why)s")
    return [
        line
        % {
            "what": table_name(omission.what),
            "number": omission.number,
            "why": REASONS.get(omission.why, omission.why),
        }
        for omission in left_out
    ]


def grouped(lines: Iterable[Line]) -> list[Group]:
    """Group the lines of a preview by kind: clubs, campaigns, warbands and battles."""
    by_kind: dict[str, list[Line]] = {kind: [] for kind in KINDS}
    for line in lines:
        by_kind[line.kind].append(line)
    return [
        Group(str(KINDS[kind]), HOMES[kind], len(rows), tuple(rows[:MAX_NAMED]))
        for kind, rows in by_kind.items()
        if rows
    ]
