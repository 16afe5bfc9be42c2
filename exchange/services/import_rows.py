"""Import an archive: the same code previews the import and carries it out.

An import writes rows with their original ids, and chronicles with their original seals. Fighters,
ledgers and plays are computed again from chronicles and logs. Then everything is verified like all
data here, and signed by this installation. A preview does all this and rolls it back
(docs/decisions/exchange.md).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any, BinaryIO
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.db import DataError, IntegrityError, transaction
from django.utils.translation import gettext, ngettext

from battles.models import Battle
from campaigns.models import Campaign, Enrolment
from clubs.models import Club, Membership, Role
from core.errors import Forbidden, InvalidInput, MusterError, StateConflict
from core.signatures import canonical_bytes, digest
from exchange.archive_structs import (
    ArchivePreview,
    ImportedArchive,
    Line,
    PreviewPerson,
    Refusal,
    TableCount,
)
from exchange.services import verify_import
from exchange.services.archive_people import remap_users
from exchange.services.compare_rows import BATCH, Row, StoredRows, keep_pictures
from exchange.services.read_archive import OpenedArchive, bad_row, open_archive, signer_of
from exchange.services.write_archive import plain_rows
from exchange.tables import TABLES, ExportTable, find_table
from rulebook.chronicle.facts import Withdrawn
from rulebook.ruleset import Problem
from warbands.models import Fighter, Warband
from warbands.services.chronicle import append_facts
from warbands.services.import_chronicle import RecordedElsewhere, adopt_warband
from warbands.services.rank_up_offers import queue_offers
from warbands.signed import create_signed, save_signed

MAX_TOLD = 50
"""The number of refusals that a preview lists."""
LINES = {"clubs": Club, "campaigns": Campaign, "warbands": Warband, "battles": Battle}
ELSEWHERE = "It came here from another installation without its campaign."


def preview_archive(
    *, file: BinaryIO, user: User, people: Mapping[str, int | None], club: UUID | None = None
) -> ArchivePreview:
    """Return what an import would create, the accounts of people, and the refusals.

    Write nothing.

    ``people`` maps references to account ids; None or no entry means a placeholder. ``club``: for
    a campaign's archive, the club here that gets the campaign; None for the club of the archive.

    Raises InvalidInput (`not-an-archive`, `newer-archive`, `archive-too-large`, `archive-broken`,
    `archive-forged`, `bad-row`, `unknown-person`, `not-your-player`, `one-account-twice`) and
    Forbidden (`not-your-club`).
    """
    with open_archive(file) as opened, transaction.atomic():
        taken = _Import(opened, user, people, club)
        taken.run()
        preview = taken.preview()
        transaction.set_rollback(True)
    return preview


def import_archive(
    *,
    file: BinaryIO,
    user: User,
    people: Mapping[str, int | None],
    club: UUID | None = None,
    digest: str = "",
) -> ImportedArchive:
    """Import an archive completely or not at all.

    With the digest of a preview, import only if the preview would still be the same. Raises the
    errors of ``preview_archive``, InvalidInput (`archive-refused`) with a problem for each
    refusal, and StateConflict (`preview-outdated`).
    """
    with open_archive(file) as opened, transaction.atomic():
        taken = _Import(opened, user, people, club)
        taken.run()
        preview = taken.preview()
        if digest and digest != preview.digest:
            sentence = gettext("The data has changed since the preview. Check the preview again.")
            raise StateConflict("preview-outdated", sentence)
        if preview.refused:
            problems = [
                Problem(each.code, each.sentence, field=each.where) for each in preview.refused
            ]
            raise InvalidInput("archive-refused", preview.refused[0].sentence, problems=problems)
        queue_offers(taken.store.made["warbands"])
        keep_pictures(taken.store)
        return ImportedArchive(
            kind=preview.kind,
            subject=preview.subject,
            name=preview.name,
            made=preview.made,
            counts=preview.counts,
        )


class _Import:
    """The import of one archive."""

    def __init__(
        self, opened: OpenedArchive, user: User, people: Mapping[str, int | None], club: UUID | None
    ) -> None:
        self._opened, self._user, self._club = opened, user, club
        self._chosen = {key: user_id for key, user_id in people.items() if user_id is not None}
        self._notices: list[str] = []
        self._manifest = opened.manifest
        self.store = StoredRows(
            opened, remap_users(opened.people, people, user), Warband.objects.editable_by(user)
        )

    def run(self) -> None:
        """Store and verify everything, until something is refused."""
        try:
            with transaction.atomic():
                self._take()
                if not self.store.refused:
                    self.store.refused += self._proved()
                if not self.store.refused:
                    self._settle()
        except (IntegrityError, DataError, OverflowError) as error:
            sentence = gettext(
                "Rows of the archive contradict each other or the data here: %(why)s."
            )
            self.store.refused.append(
                Refusal("/data", "rows-contradict", sentence % {"why": _constraint(error)})
            )

    def preview(self) -> ArchivePreview:
        """Return the preview of what was stored."""
        opened, store = self._opened, self.store
        names = dict(
            User.objects.filter(pk__in=store.people.values()).values_list("pk", "username")
        )
        people = tuple(
            PreviewPerson(
                reference=str(reference),
                name=person.name,
                user=self._chosen.get(str(reference)),
                user_name=names[store.people[reference]],
                places=tuple(
                    TableCount(*counted)
                    for counted in sorted(store.named.get(reference, {}).items())
                ),
            )
            for reference, person in sorted(
                opened.people.items(), key=lambda each: (each[1].name, each[0].bytes)
            )
        )
        preview = ArchivePreview(
            kind=self._manifest.kind,
            subject=self._manifest.subject,
            name=self._manifest.name,
            muster=self._manifest.muster,
            made_at=self._manifest.made_at,
            signer=signer_of(opened, self._user),
            made=tuple(self._lines(store.made)),
            here=tuple(self._lines(store.here)),
            counts=tuple(
                TableCount(name, number) for name, number in store.counts.items() if number
            ),
            people=people,
            notices=tuple(self._notices),
            refused=tuple(store.refused[:MAX_TOLD]),
            left_out=self._manifest.left_out,
            digest="",
        )
        content = canonical_bytes([opened.digest, str(self._club or ""), preview])
        return msgspec.structs.replace(preview, digest=digest(content))

    def _lines(self, ids: Mapping[str, set[UUID]]) -> Iterator[Line]:
        """Yield the clubs, campaigns, warbands and battles with their names here."""
        for name, model in LINES.items():
            rows: Any = model.objects.filter(pk__in=ids[name]).order_by("pk")  # type: ignore[attr-defined]
            yield from (Line(name[:-1], row.pk, str(row)) for row in rows)

    def _take(self) -> None:
        """Store the rows of every table, in the order of ``TABLES``."""
        for table in TABLES:
            if table.name == "clubs" and self._manifest.kind == "campaign":
                self._take_club_of_campaign()
            elif table.name == "memberships" and self.store.moved["clubs"]:
                self._take_seats()
            elif table.name == "warbands":
                self._take_warbands()
            elif table.name not in ("chronicle", "fighters"):
                self.store.take(table.name)
        self._expect_subject()
        self._organise()

    def _expect_subject(self) -> None:
        """Check that the archive holds its subject. Raises InvalidInput (`archive-broken`)."""
        name = f"{self._manifest.kind}s"
        subjects = self.store.made[name] | self.store.here[name]
        if self._manifest.subject not in subjects and not self.store.refused:
            sentence = gettext("The archive does not contain its own %(kind)s.") % {
                "kind": self._manifest.kind
            }
            raise InvalidInput("archive-broken", sentence, field="/manifest.json")

    def _take_club_of_campaign(self) -> None:
        """Put the campaign into the chosen club, or into its own, which is created if missing.

        Raises Forbidden (`not-your-club`).
        """
        table = find_table("clubs")
        rows = list(self.store.rows("clubs"))
        for _, row in rows:
            target = Club.objects.filter(pk=self._club or row["id"]).first()
            if target is None and self._club is None:
                continue
            if (
                target is None
                or not Club.objects.editable_by(self._user).filter(pk=target.pk).exists()
            ):
                sentence = gettext(
                    "You can import a campaign only into a club that you organise. Choose "
                    "another club."
                )
                raise Forbidden("not-your-club", sentence)
            self.store.moved["clubs"][row["id"]] = target.pk
            sentence = gettext("The campaign will be in the club %(name)s.") % {"name": target.name}
            self._notices.append(sentence)
            return
        self.store.take_rows(table, rows)

    def _take_seats(self) -> None:
        """Use the existing member of the club for each person, or create a new member."""
        table, store = find_table("memberships"), self.store
        club = next(iter(store.moved["clubs"].values()))
        seats = {seat.pk: seat for seat in Membership.objects.filter(club=club)}
        by_user = {seat.user_id: seat.pk for seat in seats.values() if seat.user_id is not None}
        names = {seat.name for seat in seats.values()}
        new: list[tuple[int, Row]] = []
        for number, row in store.rows("memberships"):
            seat = row["id"] if row["id"] in seats else by_user.get(row["user"])
            if seat is not None:
                store.moved["memberships"][row["id"]] = seat
                continue
            name, row["name"] = row["name"], _free_name(row["name"], names)
            if name != row["name"]:
                notice = gettext(
                    "%(name)s will be called %(new)s in the club, because the name is taken."
                )
                self._notices.append(notice % {"name": name, "new": row["name"]})
            names.add(row["name"])
            # An import into an existing club makes nobody an organiser.
            new.append(
                (
                    number,
                    {**row, "role": Role.PLAYER if row["role"] == Role.ORGANISER else row["role"]},
                )
            )
        store.take_rows(table, new)

    def _take_warbands(self) -> None:
        """Store the warbands with their chronicles one by one, and then their fighters."""
        table, store = find_table("warbands"), self.store
        chronicles = groupby(store.rows("chronicle"), key=lambda numbered: numbered[1]["warband"])
        current = next(chronicles, None)
        for number, row in store.rows("warbands"):
            entries: list[tuple[int, Row]] = []
            if current is not None and current[0] == row["id"]:
                entries = list(current[1])
                current = next(chronicles, None)
            for _ in store.sorted_out(table, [(number, row)]):
                self._adopt(table, number, row, entries)
                store.counts["warbands"] += 1
                store.counts["chronicle"] += len(entries)
        if current is not None:
            first = next(current[1])
            raise bad_row(
                find_table("chronicle"),
                first[0],
                "warband",
                gettext("This warband is missing from the archive."),
            )
        self._take_fighters()

    def _adopt(
        self, table: ExportTable, number: int, row: Row, entries: Sequence[tuple[int, Row]]
    ) -> None:
        warband = Warband(**table.attributes(row))
        recorded = [
            RecordedElsewhere(
                each["payload"], each["recorded_as"], each["seal"], each["recorded_by"]
            )
            for _, each in entries
        ]
        try:
            adopt_warband(warband=warband, entries=recorded)
        except (*verify_import.UNREADABLE, RecursionError) as error:
            name, why = (
                row["name"],
                error.sentence if isinstance(error, MusterError) else str(error),
            )
            sentence = gettext("The history of %(name)s was rejected. %(why)s") % {
                "name": name,
                "why": why,
            }
            raise bad_row(table, number, "", sentence) from error
        Warband.objects.filter(pk=warband.pk).update(created_at=row["created_at"])
        self._expect_told(table, number, row, Warband.objects.filter(pk=warband.pk))
        stored = {
            entry["sequence"]: entry
            for entry in plain_rows(find_table("chronicle"), warband.chronicle.all())
        }
        for entry_number, entry in entries:
            _expect_equal(find_table("chronicle"), entry_number, stored[entry["sequence"]], entry)

    def _expect_told(self, table: ExportTable, number: int, row: Row, rows: Any) -> None:
        """Check that the derived columns of a row equal what was computed again."""
        _expect_equal(table, number, next(plain_rows(table, rows)), row)

    def _take_fighters(self) -> None:
        """Check the fighters computed from the chronicles, and store their other columns."""
        table, store = find_table("fighters"), self.store
        beside = [column for column in table.columns if column not in ("id", "warband")]
        missing = set(
            Fighter.objects.filter(warband__in=store.made["warbands"]).values_list("pk", flat=True)
        )
        rows = store.rows("fighters")
        for batch in _in_batches(rows):
            ours = [
                (number, row) for number, row in batch if row["warband"] in store.made["warbands"]
            ]
            others = [
                (number, row)
                for number, row in batch
                if row["warband"] not in store.made["warbands"]
            ]
            for number, _ in store.sorted_out(table, others):
                raise bad_row(
                    table, number, "warband", gettext("This warband is missing from the archive.")
                )
            stored_fighters = Fighter.objects.filter(pk__in=[row["id"] for _, row in ours])
            by_id = {row["id"]: row for row in plain_rows(table, stored_fighters)}
            for number, row in ours:
                stored = by_id.get(row["id"])
                if stored is None:
                    raise bad_row(
                        table, number, "id", gettext("This fighter is missing from the history.")
                    )
                _expect_equal(
                    table, number, {**stored, **{column: row[column] for column in beside}}, row
                )
                missing.discard(row["id"])
            # A column that travels may have a default that is not empty: what differs is written.
            changed = [
                row
                for _, row in ours
                if any(row[column] != by_id[row["id"]][column] for column in beside)
            ]
            fighters = [
                Fighter(**{table.attribute(column): row[column] for column in table.columns})
                for row in changed
            ]
            Fighter.objects.bulk_update(fighters, beside, BATCH)
            store.made["fighters"].update(row["id"] for _, row in ours)
            store.counts["fighters"] += len(ours)
        if missing:
            reason = gettext("Fighters of the histories are missing from the archive.")
            raise bad_row(table, 0, "", reason)

    def _organise(self) -> None:
        """Make the user an organiser of each new club."""
        for club in Club.objects.filter(pk__in=self.store.made["clubs"]):
            seat = Membership.objects.filter(club=club, user=self._user).first()
            if seat is None:
                names = set(Membership.objects.filter(club=club).values_list("name", flat=True))
                name = _free_name(self._user.get_username()[:70], names)
                create_signed(
                    Membership, club=club, user=self._user, name=name, role=Role.ORGANISER
                )
                self._notices.append(
                    gettext("You will also organise the club %(name)s.") % {"name": club.name}
                )
            elif seat.role != Role.ORGANISER or seat.left_at is not None:
                seat.role, seat.left_at = Role.ORGANISER, None
                save_signed(seat, "role", "left_at")
                self._notices.append(
                    gettext("You will also organise the club %(name)s.") % {"name": club.name}
                )

    def _proved(self) -> list[Refusal]:
        """Return what does not hold: first of campaigns, then of warbands, links and battles."""
        made = self.store.made
        warbands = Warband.objects.filter(pk__in=made["warbands"]).order_by("pk")
        battles = Battle.objects.filter(pk__in=made["battles"]).order_by("pk")
        return list(
            chain(
                verify_import.prove_campaigns(
                    Campaign.objects.filter(pk__in=made["campaigns"]).order_by("pk")
                ),
                verify_import.prove_warbands(warbands.iterator(BATCH), self._manifest),
                verify_import.prove_places(made),
                verify_import.prove_battles(battles.iterator(BATCH), self._manifest),
            )
        )

    def _settle(self) -> None:
        """Adapt the data to this installation: leave missing campaigns, report new dice seeds."""
        self._withdraw()
        unsettled = Battle.objects.filter(
            pk__in=self.store.made["battles"], confirmed_at=None
        ).exclude(state="void")
        if number := unsettled.count():
            notice = ngettext(
                "%(number)s battle is not over. Its dice get a new seed, and secret choices must "
                "be made again.",
                "%(number)s battles are not over. Their dice get new seeds, and secret choices "
                "must be made again.",
                number,
            )
            self._notices.append(notice % {"number": number})

    def _withdraw(self) -> None:
        """Withdraw warbands whose campaign was not imported, so that they can play here."""
        made = Warband.objects.filter(pk__in=self.store.made["warbands"]).order_by("pk")
        enrolled = set(
            Enrolment.objects.current().filter(warband__in=made).values_list("warband", flat=True)
        )
        for warband in made:
            campaign = warband.state.get("campaign")
            if campaign is not None and warband.pk not in enrolled:
                fact = Withdrawn(campaign=campaign, reason=ELSEWHERE)
                append_facts({warband.pk: fact}, user=self._user)
                notice = gettext(
                    "%(name)s leaves its campaign, because the archive does not contain it."
                )
                self._notices.append(notice % {"name": warband.name})


def _in_batches(rows: Iterator[tuple[int, Row]]) -> Iterator[list[tuple[int, Row]]]:
    batch: list[tuple[int, Row]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _expect_equal(table: ExportTable, number: int, stored: Row, row: Row) -> None:
    """Check that a stored row equals the row of the archive in every column.

    Raises InvalidInput.
    """
    for column in table.sent:
        if msgspec.json.encode(stored[column], order="deterministic") != msgspec.json.encode(
            row[column], order="deterministic"
        ):
            reason = gettext("It is %(found)s, but should be %(proper)s.")
            values = {"found": str(row[column])[:80], "proper": str(stored[column])[:80]}
            raise bad_row(table, number, column, reason % values)


def _free_name(name: str, taken: set[str]) -> str:
    """Return the name, with a number after it if the name is taken."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name[:74]} {number}"
    return free


def _constraint(error: Exception) -> str:
    return str(error).splitlines()[0][:200]
