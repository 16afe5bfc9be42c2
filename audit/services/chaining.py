"""Append entries to the end of a chain while it is locked."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models.expressions import RawSQL

from audit.chains import extend_chain
from audit.models import AuditChain, AuditEntry

BATCH = 500
CLUB_OF_CAMPAIGN = "(SELECT club_id FROM campaigns_campaign WHERE id = %s)"
NEXT_NUMBERS = (
    "ARRAY(SELECT nextval(pg_get_serial_sequence('audit_auditentry', 'id')) FROM "
    "generate_series(1, %s))"
)
LAST_NUMBER = "(SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = 'audit_auditentry')"


class ChainEnd(NamedTuple):
    """The locked end of a chain, ids for new entries, and the club of the given campaign."""

    chain: AuditChain
    numbers: Sequence[int]
    club: UUID | None


def lock_chain(number: int, *, campaign: UUID | None = None, entries: int = 1) -> ChainEnd:
    """Lock the end of a chain until the transaction ends and reserve ``entries`` ids. One query.

    The seal covers the id, so the id must be known before the insert. The club is read with plain
    SQL because this app must not import the apps that know campaigns. Most services take this lock
    last. If two transactions still wait for each other, PostgreSQL ends one of them, and that
    request is answered with 503 (``core.locks``).
    """
    numbers = (NEXT_NUMBERS, (entries,)) if _on_postgres() else (LAST_NUMBER, ())
    columns: dict[str, Any] = {"numbers": RawSQL(*numbers)}  # noqa: S611 - SQL of this module alone
    if campaign:
        columns["club"] = RawSQL(CLUB_OF_CAMPAIGN, (_key(campaign),))  # noqa: S611 - as above
    rows = AuditChain.objects.select_for_update().filter(pk=number)
    chain = rows.annotate(**columns).first()
    if chain is None:
        # The row was deleted. Members can continue, and check_chronicle reports the chain, because
        # the new row is not signed.
        AuditChain.objects.get_or_create(pk=number)
        chain = rows.annotate(**columns).get()
    reserved: Any = chain.numbers  # type: ignore[attr-defined]
    if not _on_postgres():
        # On SQLite there are no concurrent writers.
        reserved = range(reserved + 1, reserved + 1 + entries)
    return ChainEnd(chain, reserved, _club(getattr(chain, "club", None)))


def append_entries(end: ChainEnd, entries: list[AuditEntry]) -> None:
    """Write entries with the reserved ids to the end of a chain. Two queries for 500 entries."""
    extend_chain(end.chain, entries)
    AuditEntry.objects.bulk_create(entries, BATCH)
    end.chain.save(update_fields=["length", "seal", "signature"])


def import_entries(number: int, entries: list[AuditEntry]) -> None:
    """Write entries that came with an archive to the end of a chain, within a transaction."""
    if not entries:
        return
    end = lock_chain(number, entries=len(entries))
    for entry, key in zip(entries, end.numbers, strict=True):
        entry.pk = key
    append_entries(end, entries)


def club_of(campaign: UUID) -> UUID | None:
    """Return the club of a campaign. One query."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {CLUB_OF_CAMPAIGN}", [_key(campaign)])
        (club,) = cursor.fetchone()
    return _club(club)


def _key(campaign: UUID) -> Any:
    return AuditEntry._meta.get_field("campaign").get_db_prep_value(campaign, connection)


def _club(value: Any) -> UUID | None:
    """Return a key that was read with plain SQL as a UUID. SQLite stores keys as text."""
    return UUID(value) if isinstance(value, str) else value


def _on_postgres() -> bool:
    return connection.vendor == "postgresql"
