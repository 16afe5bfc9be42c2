"""The tables that travel in an archive, each declared once.

From a declaration follow the rows that are written, the rows that are read and checked on import, the JSON schema, and
the CSV. What a table holds and does not send stands beside it with the reason; so do the tables that stay at home
(``STAYS``). docs/archives.md tells strangers the same.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.db import models
from msgspec import Meta, Struct

from audit.models import AuditChain, AuditEntry
from audit.verbs import Verb
from battles.models import (
    Battle,
    BattleEvent,
    Combatant,
    Dispute,
    Revision,
    SecretChoice,
    Side,
    StoredOutcome,
    StoredPlay,
)
from campaigns.models import Campaign, Enrolment, Fixture, HandOver, JournalEntry, Round, SealedOrder, Substitute
from clubs.models import Attendance, CalendarLink, Club, Evening, Invitation, Membership, Merge
from pictures.models import Picture
from warbands.models import (
    ChronicleEntry,
    ChronicleRegister,
    ExperienceEntry,
    Fighter,
    RankUpOffer,
    RosterDraft,
    RosterTemplate,
    UnsentTask,
    Warband,
)

FOLDED = "Follows from the name; computed whenever a row is written."
NUMBERED = "Numbers rows within one installation, and nothing refers to it."
CHAINED = "Chains the entries of one installation, in the order in which they came there."
SIGNED = "Signed by a key of one installation, and signed anew by the one that takes the row in."
OBJECT = dict[str, Any]
TEXTS = list[str]
HASH = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""64 hex digits."""
FINGERPRINT = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""Of a key: 32 hex digits."""
HASHES = {"seal", "previous_seal", "head_seal", "log_seal", "dice_seed", "commitment", "digest"}
"""Columns that hold nothing else."""
COLOUR = Annotated[str, Meta(pattern="^#[0-9a-fA-F]{6}$")]


class Figure(Struct, frozen=True, forbid_unknown_fields=True):
    """A figure of a force as it took the field."""

    key: str
    label: str
    value: int | str


class ExportTable(Struct, frozen=True, kw_only=True):
    """A table that travels.

    ``columns`` are stored as they come. ``told`` columns follow from others: they are written for readers, and on
    import must be what is worked out anew. ``within`` is the column that names the row whose part a row is: it is new
    if that is. ``secret`` columns are null while what they hold is not open. ``shapes`` are types of JSON columns.
    ``ids`` are columns that hold the id of a row of a table without being foreign keys, ``filled`` those that are never
    null in an archive, whatever the database allows. Rows that ``outlive`` the row that they are within can be here
    without it. ``added`` are columns that archives of an earlier Muster do not have, with the value that is meant by
    that.
    """

    name: str
    model: type[models.Model]
    key: tuple[str, ...] = ("id",)
    columns: tuple[str, ...]
    told: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    left_out: Mapping[str, str] = {}
    within: str = ""
    outlive: bool = False
    ids: Mapping[str, str] = {}
    filled: tuple[str, ...] = ()
    shapes: Mapping[str, Any] = {}
    added: Mapping[str, Any] = {}
    later: bool = False
    """Whether archives of an earlier Muster lack the table."""

    @property
    def sent(self) -> tuple[str, ...]:
        """Every column of a row in the archive."""
        return (*self.columns, *self.told)

    @property
    def people(self) -> tuple[str, ...]:
        """The columns that name somebody with an account, by a reference of ``people.json``."""
        return tuple(name for name in self.columns if self.field(name).related_model is User)

    @property
    def links(self) -> Mapping[str, str]:
        """The columns that name a row of a table, with the table's name; but for ``UNTIED`` ones."""
        fields = {name: self.field(name) for name in self.columns if (self.name, name) not in UNTIED}
        tied = {name: table_of(field.related_model) for name, field in fields.items() if _links(field)}
        return {**tied, **self.ids}

    def field(self, name: str) -> Any:
        """The model's field of a column."""
        return self.model._meta.get_field(name)

    def attribute(self, name: str) -> str:
        """Where a column's value is found on a row: of a link its id."""
        return str(self.field(name).attname)


def _links(field: Any) -> bool:
    return field.related_model is not None and field.related_model is not User


def _columns(names: str) -> tuple[str, ...]:
    return tuple(names.split())


UNTIED = {("combatants", "fighter")}
"""A battle remembers fighters that are struck from their rosters: there need be no such row."""

TABLES: Sequence[ExportTable] = (
    ExportTable(
        name="clubs",
        model=Club,
        columns=_columns("id name story visibility time_zone battles_run_by created_at"),
        left_out={"row_signature": SIGNED, "folded": FOLDED},
    ),
    ExportTable(
        name="memberships",
        model=Membership,
        within="club",
        columns=_columns("id club user name role joined_at left_at"),
        left_out={"row_signature": SIGNED, "folded": FOLDED, "promotion": "Tells of a card of one installation."},
    ),
    ExportTable(
        name="evenings",
        model=Evening,
        within="club",
        columns=_columns(
            "id club series starts_at ends_at place note cancelled_at reason version changed_at created_by created_at"
        ),
    ),
    ExportTable(
        name="attendances",
        model=Attendance,
        within="evening",
        key=("evening", "member"),
        columns=("evening", "member", "answer", "answered_at"),
        left_out={"id": NUMBERED},
    ),
    ExportTable(
        name="campaigns",
        model=Campaign,
        columns=_columns(
            "id club name story ruleset edition format state points games house_rules scoring visibility "
            "created_at started_at finished_at reopened_at version scenarios dice_seed lots follows"
        ),
        added={"reopened_at": None},
        secret=("dice_seed",),
        left_out={
            "row_signature": SIGNED,
            "folded": FOLDED,
            "example": "Each installation chooses what its front page shows.",
        },
        shapes={"house_rules": OBJECT, "scoring": OBJECT, "scenarios": TEXTS, "lots": list[OBJECT]},
    ),
    ExportTable(
        name="warbands",
        model=Warband,
        columns=_columns("id owner keeper ruleset faction visibility story created_at archived_at"),
        told=_columns("name edition points fighter_count experience sequence head_seal"),
        left_out={
            "row_signature": SIGNED,
            "folded": FOLDED,
            "state": "The fold of the chronicle, made anew where it arrives.",
            "head_signature": SIGNED,
        },
    ),
    ExportTable(
        name="chronicle",
        model=ChronicleEntry,
        within="warband",
        key=("warband", "sequence"),
        columns=_columns("warband sequence payload recorded_by recorded_as seal"),
        told=("kind", "subject", "recorded_at", "previous_seal"),
        left_out={"id": NUMBERED},
        shapes={"payload": OBJECT},
    ),
    ExportTable(
        name="fighters",
        model=Fighter,
        within="warband",
        columns=("id", "warband", "story"),
        told=_columns("name profile_name rank points experience fate battles place condition"),
        left_out={"folded": FOLDED, "state": "The fold of the chronicle, made anew where it arrives."},
        shapes={"condition": OBJECT},
    ),
    ExportTable(
        name="enrolments",
        model=Enrolment,
        within="campaign",
        columns=_columns("id campaign warband player colour enrolled_at left_at overruled"),
        left_out={"row_signature": SIGNED},
        shapes={"colour": COLOUR},
    ),
    ExportTable(
        name="hand-overs",
        model=HandOver,
        within="warband",
        columns=_columns(
            "id warband giver giver_seat receiver receiver_seat made_by campaign state made_at settled_at"
        ),
        left_out={"row_signature": SIGNED},
        later=True,
    ),
    ExportTable(
        name="orders",
        model=SealedOrder,
        within="enrolment",
        columns=_columns("id enrolment commitment sealed_by sealed_at sequence lapsed_at revealed_at text"),
        left_out={
            "row_signature": SIGNED,
            "sealed": "Locked by a key of one installation; what was under the seal of an open order is text.",
        },
    ),
    ExportTable(
        name="rounds",
        model=Round,
        within="campaign",
        columns=_columns("id campaign number name method deadline order reach version"),
        left_out={"row_signature": SIGNED},
        shapes={"order": TEXTS},
    ),
    ExportTable(
        name="fixtures",
        model=Fixture,
        within="round",
        columns=_columns(
            "id round place home away home_from away_from of_losers bye group deadline walkover reason "
            "given_up_by agreed postponed decided_by decided_at version"
        ),
        left_out={"row_signature": SIGNED},
        shapes={"given_up_by": TEXTS},
        added={"given_up_by": [], "agreed": "", "postponed": ""},
    ),
    ExportTable(
        name="journal",
        model=JournalEntry,
        within="campaign",
        columns=_columns("id campaign author text on written_at edited_at removed_at version"),
        left_out={"row_signature": SIGNED},
    ),
    ExportTable(
        name="battles",
        model=Battle,
        columns=_columns(
            "id campaign fixture ruleset edition scenario title state friendly part fought_on place_in_day "
            "points_limit house_rules set_up story dice_seed dice_used result log_seal decision revision version "
            "last_sequence created_by created_at submitted_by submitted_at confirmed_at"
        ),
        secret=("dice_seed", "log_seal"),
        left_out={
            "row_signature": SIGNED,
            "folded": FOLDED,
            "client_id": "Answers the repeats of whoever planned the battle on that installation.",
            "signature": SIGNED,
            "shared_version": "Speaks of forms that are open on one installation.",
            "follow_ups_due_since": "Work that one installation has yet to do.",
        },
        added={"place_in_day": None},
        shapes={"house_rules": OBJECT, "set_up": OBJECT, "result": dict[str, Any] | None},
    ),
    ExportTable(
        name="sides",
        model=Side,
        within="battle",
        columns=_columns(
            "id battle key place warband substitute role extras plan figures outcome victory_points "
            "victory_points_against verdict dispute decided_by decided_at"
        ),
        left_out={"row_signature": SIGNED, "version": "Speaks of forms that are open on one installation."},
        added={"substitute": None},
        shapes={"extras": OBJECT, "plan": TEXTS, "figures": list[Figure]},
    ),
    ExportTable(
        name="combatants",
        model=Combatant,
        within="side",
        key=("side", "place", "fighter"),
        columns=_columns("side fighter place name rank points build condition posts"),
        left_out={"id": NUMBERED},
        shapes={"build": OBJECT, "condition": OBJECT, "posts": TEXTS},
    ),
    ExportTable(
        name="events",
        model=BattleEvent,
        within="battle",
        key=("battle", "sequence"),
        columns=_columns(
            "battle sequence client_id kind data asked first_die dice turn version revision recorded_by "
            "recorded_as recorded_at"
        ),
        left_out={"id": NUMBERED},
        shapes={"data": OBJECT, "asked": dict[str, Any] | None, "dice": list[int]},
    ),
    ExportTable(
        name="revisions",
        model=Revision,
        within="battle",
        key=("battle", "number"),
        columns=_columns("battle number reason result_before difference made_by made_at"),
        left_out={"row_signature": SIGNED, "id": NUMBERED},
        shapes={"result_before": OBJECT, "difference": OBJECT},
    ),
    ExportTable(
        name="disputes",
        model=Dispute,
        within="battle",
        columns=_columns("id battle side reason raised_by raised_at answer answer_reason answered_by answered_at"),
        left_out={"row_signature": SIGNED},
    ),
    ExportTable(
        name="pictures",
        model=Picture,
        columns=_columns(
            "id kind subject caption digest large small large_width large_height small_width small_height "
            "added_by added_at"
        ),
    ),
    ExportTable(
        name="audit",
        model=AuditEntry,
        within="club",
        outlive=True,
        key=("club", "at", "origin", "number"),
        columns=_columns(
            "club at origin number actor campaign verb subject_kind subject_id subject_name person details face"
        ),
        left_out={
            "id": NUMBERED,
            "request": "Leads to the server's log of one installation.",
            "brought_by": "Tells how an entry came to one installation.",
            "imported_at": "Tells how an entry came to one installation.",
            "chain": CHAINED,
            "place": CHAINED,
            "seal": CHAINED,
        },
        ids={"club": "clubs"},
        filled=("club", "origin", "number"),
        shapes={
            "origin": FINGERPRINT,
            "verb": Literal[tuple(Verb.values)],
            "subject_kind": Annotated[str, Meta(pattern="^[a-z]{1,20}$")],
            "details": OBJECT,
        },
        later=True,
    ),
)
"""In the order in which rows are written: whatever a row names stands before it, but for rows of its own table."""

STAYS: Mapping[type[models.Model], str] = {
    AuditChain: "The ends of the chains of one installation, under its key.",
    ChronicleRegister: "Counts the chronicles of one installation, under its key.",
    ExperienceEntry: "The fold of the chronicles, made anew where they arrive.",
    RankUpOffer: "Prepared anew from the roster.",
    UnsentTask: "Waits until the queue answers.",
    RosterDraft: "What an owner means to do, for nobody else's eyes; no fact.",
    RosterTemplate: "Belongs to a member alone, not to a club.",
    Substitute: "Named for a fixture that is to be played; a battle that was played has its own.",
    CalendarLink: "A secret address of one installation.",
    Invitation: "A secret link of one installation.",
    Merge: "What an organiser of one installation can undo there.",
    SecretChoice: "Under the seal of one installation until it is opened.",
    StoredPlay: "The fold of a log, made anew when it is asked for.",
    StoredOutcome: "The fold of a log, made anew when it is asked for.",
}
"""The tables that do not travel, and why."""


@cache
def table_of(model: type[models.Model]) -> str:
    """The name of the table that holds a model's rows in an archive."""
    return next(table.name for table in TABLES if table.model is model)


@cache
def row_type(name: str) -> type[Struct]:
    """The type of a table's rows as they are read: every column must be there but for added ones, and nothing else."""
    table = find_table(name)
    fields: list[Any] = [
        (column, column_type(table, column), *([table.added[column]] if column in table.added else []))
        for column in table.sent
    ]
    return msgspec.defstruct(name, fields, forbid_unknown_fields=True, frozen=True, kw_only=True)


def find_table(name: str) -> ExportTable:
    """The table of that name. Raises StopIteration for none."""
    return next(table for table in TABLES if table.name == name)


def schema_of(name: str) -> dict[str, Any]:
    """The JSON schema (2020-12) of a table's rows."""
    table = find_table(name)
    schema = msgspec.json.schema(row_type(name))
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A row of {name} in a Muster archive",
        "x-key": list(table.key),
        "x-people": list(table.people),
        "x-links": dict(table.links),
        "x-told": list(table.told),
        "x-left-out": dict(table.left_out),
    }
    return {**head, **schema}


def column_type(table: ExportTable, name: str) -> Any:
    """The type of a column's values in JSON, with None where there may be nothing."""
    kind = _type(table, name, table.field(name))
    empty = name in table.secret or (table.field(name).null and name not in table.filled)
    return kind | None if empty else kind


def _type(table: ExportTable, name: str, field: Any) -> Any:
    if name in table.shapes:
        return table.shapes[name]
    if name in HASHES:
        return HASH
    if field.related_model is not None:
        return UUID
    if field.choices:
        return Literal[tuple(value for value, _ in field.choices)]
    if isinstance(field, models.IntegerField) and not isinstance(field, models.BigIntegerField):
        return _bounded(field)
    simple = {
        models.UUIDField: UUID,
        models.BooleanField: bool,
        models.BigIntegerField: Annotated[int, Meta(ge=0, le=2**63 - 1)],
        models.DateTimeField: Annotated[datetime, Meta(tz=True)],
        models.DateField: date,
        models.TextField: Annotated[str, Meta(max_length=200_000)],
    }
    python_type = next((kind for column, kind in simple.items() if isinstance(field, column)), None)
    least = 1 if name == "name" and not field.blank else 0
    return python_type or Annotated[str, Meta(min_length=least, max_length=field.max_length)]


def _bounded(field: Any) -> Any:
    """A whole number that every database can hold in such a column."""
    small = isinstance(field, models.PositiveSmallIntegerField | models.SmallIntegerField)
    most = 2**15 - 1 if small else 2**31 - 1
    positive = isinstance(field, models.PositiveIntegerField | models.PositiveSmallIntegerField)
    return Annotated[int, Meta(ge=0 if positive else -most, le=most)]
