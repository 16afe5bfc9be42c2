"""Compare the rows of an archive with the rows here.

Each row is new, or exists here with the same values, or is refused with a reason.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from io import BytesIO
from itertools import islice
from typing import Any, cast
from uuid import UUID

import msgspec
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from audit.chains import import_chain_of
from audit.models import AuditEntry
from audit.services.chaining import import_entries
from battles.models import fresh_seed
from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign
from campaigns.order_seals import ORDERS, plan_in
from campaigns.selectors.audit_details import facts_of
from core.cleaning import storable_json, storable_moment
from core.derived_keys import lock
from core.file_stores import file_store
from exchange.archive_structs import Refusal
from exchange.services.picture_files import NoPicture, checked
from exchange.services.read_archive import OpenedArchive, bad_row
from exchange.services.verify_import import UNREADABLE
from exchange.services.write_archive import plain_rows
from exchange.tables import TABLES, ExportTable, find_table, validated_columns
from pictures.services.decoding import Decoded
from pictures.services.files import count_for_clubs, delete_files, named_files
from rulebook.dice.committed import commitment
from rulebook.ruleset import HouseRule, RulesError
from warbands.models import Warband
from warbands.signed import Signed, sign_new

BATCH = 500
DEEPEST = 20
ALONE = {("enrolments", "warband"), ("sides", "warband")}
"""Links from a new row that may lead to an existing row: to a warband that the user may edit."""
SHOWN = {"fighter": "fighters", "warband": "warbands", "club": "clubs", "battle": "battles"}
"""The table of the subject of a picture, by the picture's kind."""
SUBJECTS = {"club": "clubs", "membership": "memberships"}
"""The tables in which an existing row can replace one of the archive.

The keys are the activity log's names of their rows.
"""

Row = dict[str, Any]


class StoredRows:
    """The rows that an import has stored so far.

    ``here`` holds the ids of rows that existed before with the same values, ``made`` those of new
    rows. ``moved`` maps ids in the archive to ids of rows that replace them: the chosen club, and
    members of it.
    """

    def __init__(
        self, opened: OpenedArchive, people: Mapping[UUID, int], warbands: QuerySet[Warband]
    ) -> None:
        self.opened, self.people = opened, people
        self.made: dict[str, set[UUID]] = {table.name: set() for table in TABLES}
        self.here: dict[str, set[UUID]] = {table.name: set() for table in TABLES}
        self.moved: dict[str, dict[UUID, UUID]] = {"clubs": {}, "memberships": {}}
        self.counts: dict[str, int] = {table.name: 0 for table in TABLES}
        self.refused: list[Refusal] = []
        self.named: dict[UUID, dict[str, int]] = {}
        self.pictures: dict[UUID, Decoded] = {}
        self._barred: dict[str, set[UUID]] = {table.name: set() for table in TABLES}
        self._own_warbands = warbands
        self._later: list[tuple[ExportTable, int, str, UUID]] = []
        self._rules: dict[UUID | None, Mapping[str, HouseRule]] = {}
        self._now = timezone.now()

    def rows(self, name: str) -> Iterator[tuple[int, Row]]:
        """Yield the rows of a table, with people as accounts and links adjusted to ``moved``.

        Raises InvalidInput.
        """
        table = find_table(name)
        for number, row in self.opened.rows(table):
            yield number, self._settled(table, number, row)

    def take(self, name: str) -> None:
        """Store the new rows of a table, note the existing ones, and refuse contradicting ones."""
        table = find_table(name)
        rows = self.rows(name)
        while batch := list(islice(rows, BATCH)):
            self.take_rows(table, batch)
        for _, number, column, target_id in self._later:
            if target_id not in self.made[name] | self.here[name] | self._barred[name]:
                raise bad_row(table, number, column, _unknown(table))
        self._later = []

    def take_rows(self, table: ExportTable, batch: Sequence[tuple[int, Row]]) -> None:
        """Do the same as ``take`` for some rows."""
        new = [(number, row) for number, row in self.sorted_out(table, batch)]
        for number, row in new:
            self._expect_sound(table, number, row)
        insert(table, [self._columns(table, row) for _, row in new])
        self.counts[table.name] += len(new)

    def sorted_out(
        self, table: ExportTable, batch: Iterable[tuple[int, Row]]
    ) -> Iterator[tuple[int, Row]]:
        """Yield the rows that are new, and note or refuse the others. Two queries at most."""
        rows = list(batch)
        stored_rows = self._known(table, rows)
        for number, row in rows:
            stored = stored_rows.get(_key(table, row))
            part_of = self._part_of(table, row)
            if stored is not None and _same(table, stored, row):
                self._note(self.here, table, row)
            elif self._is_barred(table, row):
                self._note(self._barred, table, row)
            elif stored is not None or part_of:
                self._refuse(table, row, stored)
            else:
                self._expect_links(table, number, row)
                self._note(self.made, table, row)
                yield number, row

    def _settled(self, table: ExportTable, number: int, row: Row) -> Row:
        for column in table.people:
            if row[column] is not None:
                if row[column] not in self.people:
                    raise bad_row(
                        table, number, column, gettext("The archive does not say who this is.")
                    )
                counted = self.named.setdefault(row[column], {})
                counted[table.name] = counted.get(table.name, 0) + 1
                row[column] = self.people[row[column]]
        for column in table.shapes:
            row[column] = msgspec.to_builtins(row[column])
        for column, value in row.items():
            if isinstance(value, datetime) and not storable_moment(value):
                raise bad_row(table, number, column, gettext("This time does not exist in UTC."))
            # The type of a column already limits the numbers that are not inside JSON.
            if isinstance(value, str | dict | list) and not storable_json(value, DEEPEST):
                reason = gettext(
                    "It contains a NUL character or a number out of range, or is nested too deeply."
                )
                raise bad_row(table, number, column, reason)
        _expect_valid(table, number, row)
        for column, target in table.links.items():
            row[column] = self.moved.get(target, {}).get(row[column], row[column])
        if table.name == "audit":
            moved = self.moved.get(SUBJECTS.get(row["subject_kind"], ""), {})
            row["subject_id"] = moved.get(row["subject_id"], row["subject_id"])
        return row

    def _known(
        self, table: ExportTable, rows: Sequence[tuple[int, Row]]
    ) -> dict[tuple[Any, ...], Row]:
        """Return the rows here with the same keys. One query, or none if all parents are new."""
        if table.key == ("id",):
            conditions: dict[str, Any] = {"pk__in": [row["id"] for _, row in rows]}
        else:
            around = {row[table.within] for _, row in rows}
            if not table.outlive:
                around &= self.here[table.links[table.within]]
            if not around:
                return {}
            conditions = {
                f"{table.within}__in": around,
                f"{table.key[1]}__in": {row[table.key[1]] for _, row in rows},
            }
        stored_rows = table.model._default_manager.filter(**conditions)
        return {_key(table, row): row for row in plain_rows(table, stored_rows)}

    def _part_of(self, table: ExportTable, row: Row) -> bool:
        """Return whether the row belongs to something that existed here before."""
        if table.name == "pictures":
            return row["subject"] in self.here[SHOWN[row["kind"]]]
        if table.name == "audit" and row["club"] in self.moved["clubs"].values():
            # A new campaign brings its entries of the activity log into an existing club.
            return row["campaign"] not in self.made["campaigns"]
        return bool(table.within) and row[table.within] in self.here[table.links[table.within]]

    def _is_barred(self, table: ExportTable, row: Row) -> bool:
        """Return whether the row belongs to a refused row, so that no further refusal is needed."""
        links = {
            **table.links,
            **({"subject": SHOWN[row["kind"]]} if table.name == "pictures" else {}),
        }
        links |= {"campaign": "campaigns"} if table.name == "audit" else {}
        return any(row[column] in self._barred[target] for column, target in links.items())

    def _refuse(self, table: ExportTable, row: Row, stored: Row | None) -> None:
        name = str(row.get("name") or row.get("title") or "")
        if stored is None:
            sentence_format = gettext(
                "%(table)s %(name)s would change something that already exists here."
            )
        else:
            sentence_format = gettext("%(table)s %(name)s already exists here, with other values.")
        sentence = " ".join((sentence_format % {"table": table.name, "name": name}).split())
        where = f"/data/{table.name}/{'/'.join(str(each) for each in _key(table, row))}"
        self.refused.append(Refusal(where, "already-here", sentence))
        self._note(self._barred, table, row)

    def _note(self, noted: dict[str, set[UUID]], table: ExportTable, row: Row) -> None:
        if "id" in row:
            noted[table.name].add(row["id"])

    def _expect_links(self, table: ExportTable, number: int, row: Row) -> None:
        """Check that a new row links only to rows of the archive.

        No new row may link to existing rows of other users. Raises InvalidInput.
        """
        for column, target in table.links.items():
            target_id = row[column]
            if (
                target_id is None
                or target_id in self.made[target]
                or target_id in self.moved.get(target, {}).values()
            ):
                continue
            if target == table.name:
                self._later.append((table, number, column, target_id))
            elif target_id not in self.here[target]:
                raise bad_row(table, number, column, _unknown(find_table(target)))
            elif (table.name, column) not in ALONE or not self._own_warbands.filter(
                pk=target_id
            ).exists():
                reason = gettext("It would add to an existing record that is not yours.")
                raise bad_row(table, number, column, reason)

    def _expect_sound(self, table: ExportTable, number: int, row: Row) -> None:
        """Check what the database does not. Raises InvalidInput that names row and column."""
        if table.name == "orders" and commitment(row["text"]) != row["commitment"]:
            raise bad_row(
                table,
                number,
                "commitment",
                gettext("It does not match the commitment of the order."),
            )
        if table.name == "orders":
            try:
                plan_in(row["text"])
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise bad_row(table, number, "text", gettext("It contains no plan.")) from error
        if table.name == "pictures":
            self._expect_picture(table, number, row)
        if table.name == "audit":
            self._expect_readable(table, number, row)

    def _expect_readable(self, table: ExportTable, number: int, row: Row) -> None:
        """Check that the page of the activity log can show an entry: entries cannot be deleted."""
        try:
            facts_of(row["details"], self._house_rules(row["campaign"]))
        except (*UNREADABLE, ArithmeticError, RecursionError) as error:
            raise bad_row(
                table, number, "details", gettext("The activity log cannot show it.")
            ) from error
        if row["subject_kind"] == "evening":
            try:
                date.fromisoformat(row["subject_name"])
            except ValueError as error:
                raise bad_row(
                    table, number, "subject_name", gettext("It is not a date.")
                ) from error

    def _house_rules(self, campaign: UUID | None) -> Mapping[str, HouseRule]:
        """Return the house rules of a campaign by key. One query for each campaign."""
        if campaign not in self._rules:
            self._rules[campaign] = {}
            row = Campaign.objects.filter(pk=campaign).first() if campaign else None
            # ``prove_campaigns`` refuses a campaign with unknown rules.
            with suppress(RulesError):
                self._rules[campaign] = (
                    {rule.key: rule for rule in ruleset_of_campaign(row).house_rules()}
                    if row
                    else {}
                )
        return self._rules[campaign]

    def _expect_picture(self, table: ExportTable, number: int, row: Row) -> None:
        if row["subject"] not in self.made[SHOWN[row["kind"]]]:
            sentence = gettext("The archive does not contain the subject of this picture.")
            raise bad_row(table, number, "subject", sentence)
        large, small = (self.opened.picture(row[size]) for size in ("large", "small"))
        if large is None or small is None:
            raise bad_row(table, number, "large", gettext("Its file is missing from the archive."))
        try:
            decoded = checked(row, large, small)
        except NoPicture as error:
            raise bad_row(table, number, "large", str(error)) from error
        self.pictures[row["id"]] = Decoded(
            msgspec.structs.replace(decoded.large, content=b""),
            msgspec.structs.replace(decoded.small, content=b""),
            decoded.ending,
        )

    def _columns(self, table: ExportTable, row: Row) -> Row:
        """Return the columns to store for a row, including those made by each installation."""
        values = table.attributes(row)
        for column in table.secret:
            if values[column] is None:
                values[column] = fresh_seed() if column == "dice_seed" else ""
        if table.name == "orders":
            values["sealed"] = lock(ORDERS).encrypt(row["text"].encode())
        if table.name == "audit":
            values |= {"brought_by": self.opened.signed.key, "imported_at": self._now}
        if table.name == "pictures":
            values |= named_files(row["id"], row["digest"], self.pictures[row["id"]].ending)
            values["size"] = sum(
                self.opened.zip.NameToInfo[row[size]].file_size for size in ("large", "small")
            )
        return values


def insert(table: ExportTable, rows: Sequence[Row]) -> None:
    """Insert rows with all their columns, including those that Django sets to the current time."""
    objects = [table.model(**row) for row in rows]
    if table.name == "audit":
        entries = cast("list[AuditEntry]", objects)
        import_entries(import_chain_of(entries[0].club if entries else None), entries)
        return
    if issubclass(table.model, Signed):
        sign_new(cast("list[Signed]", objects))
    table.model._base_manager.bulk_create(objects, BATCH)
    stamps = [name for name in table.columns if _is_stamp(table.field(name))]
    if not stamps or not objects:
        return
    for made, row in zip(objects, rows, strict=True):
        for name in stamps:
            setattr(made, name, row[name])
    table.model._base_manager.bulk_update(objects, stamps, BATCH)


def keep_pictures(store: StoredRows) -> None:
    """Store the files of new pictures, and count them for the clubs of their subjects.

    An import is not refused because of a quota: only what comes after it is. Raises OSError, after
    deleting the files stored so far.
    """
    kept: list[tuple[UUID, list[str]]] = []
    try:
        for _, row in store.opened.rows(find_table("pictures")):
            if row["id"] not in store.pictures:
                continue
            names = named_files(row["id"], row["digest"], store.pictures[row["id"]].ending)
            kept.append((row["id"], list(names.values())))
            for size, name in names.items():
                # A file of this name was left by an import that was killed.
                file_store().replace(name, BytesIO(store.opened.picture(row[size]) or b""))
        count_for_clubs([key for key, _ in kept])
    except BaseException:
        for key, stored in kept:
            delete_files(key, stored)
        raise


def _expect_valid(table: ExportTable, number: int, row: Row) -> None:
    """Run the validators of the model. Raises InvalidInput that names row and column."""
    for column in validated_columns(table.name):
        try:
            table.field(column).run_validators(row[column])
        except ValidationError as error:
            raise bad_row(table, number, column, " ".join(error.messages)) from error


def _is_stamp(field: Any) -> bool:
    return bool(getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False))


def _key(table: ExportTable, row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in table.key)


def _same(table: ExportTable, stored: Row, row: Row) -> bool:
    """Return whether a stored row equals the row of the archive.

    ``follows`` is ignored, as the campaign that it names may have been left out of the archive.
    """
    return _as_json(table, stored) == _as_json(table, row)


def _as_json(table: ExportTable, row: Row) -> bytes:
    values = {name: row[name] for name in table.sent if name != "follows"}
    return msgspec.json.encode(values, order="deterministic")


def _unknown(table: ExportTable) -> str:
    return gettext("This row of %(table)s is missing from the archive.") % {"table": table.name}
