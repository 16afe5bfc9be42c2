"""Import of rosters from spreadsheets, as a whole or not at all.

A spreadsheet becomes part of a roster that is being built, or a new warband.
"""

from typing import Any
from uuid import UUID, uuid5

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from warbands.models import Warband
from warbands.services.drafts import (
    carry_out_draft,
    draft_content,
    draft_row,
    expect_version,
    keep_draft,
    sent_before,
)
from warbands.services.locking import lock_warband
from warbands.services.warbands import muster_warband
from warbands.spreadsheets.drafting import draft_of_spreadsheet, roster_locked

OF_SPREADSHEETS = UUID("5f0c3f0e-7a51-4f0e-9d55-6d2a4a5f1c20")
"""Namespace for ids of warbands from spreadsheets: the same request gives the same id."""


@transaction.atomic
def import_spreadsheet(
    *,
    warband_id: UUID,
    user: User,
    csv: bytes | str,
    in_place: bool = False,
    client_id: UUID | None = None,
    digest: str = "",
    version: int | None = None,
    sequence: int | None = None,
) -> int:
    """Add a spreadsheet's fighters to a roster, with its present draft; return how many joined.

    ``in_place`` makes the spreadsheet the whole roster. A ``client_id`` that was sent before
    changes nothing: see ``sent_before`` for ``digest``. With ``version`` and ``sequence``, draft
    and chronicle must still have these. Raises NotFound, Forbidden, StateConflict, InvalidInput
    "roster-locked", "nothing-to-record", "roster-full", UnreadableSpreadsheet with every invalid
    cell.
    """
    locked = lock_warband(warband_id, user)
    row = draft_row(locked)
    if sent_before(row, client_id, digest):
        return 0
    lock_warband(warband_id, user, sequence=sequence)
    expect_version(row, version)
    if locked.in_play:
        raise roster_locked()
    draft, _ = draft_of_spreadsheet(
        csv, locked.state, draft_content(row, locked), in_place=in_place
    )
    keep_draft(row, draft)
    return carry_out_draft(warband_id=warband_id, user=user, client_id=client_id, digest=digest)


def muster_from_spreadsheet(
    *,
    user: User,
    csv: bytes | str,
    ruleset: str,
    faction: str,
    name: str,
    client_id: UUID | None = None,
    digest: str = "",
    **kwargs: Any,
) -> Warband:
    """Create a warband with the roster of a spreadsheet and return it.

    ``kwargs`` are further arguments of ``muster_warband``. A ``client_id`` that was sent before
    creates no second warband: see ``sent_before`` for ``digest``. Raises the same errors as
    ``muster_warband`` and ``import_spreadsheet``.
    """
    warband_id = None if client_id is None else uuid5(OF_SPREADSHEETS, f"{user.pk}/{client_id}")
    made = _made(warband_id, client_id, digest)
    if made is not None:
        return made
    try:
        with transaction.atomic():
            warband = muster_warband(
                user=user,
                ruleset=ruleset,
                faction=faction,
                name=name,
                warband_id=warband_id,
                **kwargs,
            )
            import_spreadsheet(
                warband_id=warband.pk, user=user, csv=csv, client_id=client_id, digest=digest
            )
    except IntegrityError:
        # Another process carried out the same request in the meantime.
        made = _made(warband_id, client_id, digest)
        if made is None:
            raise
        return made
    warband.refresh_from_db()
    return warband


def _made(warband_id: UUID | None, client_id: UUID | None, digest: str) -> Warband | None:
    """Return the warband that this request created, or None.

    Raises StateConflict "client-id-reused" if another request created it.
    """
    if warband_id is None:
        return None
    made = Warband.objects.filter(pk=warband_id).select_related("draft").first()
    if made is not None and hasattr(made, "draft"):
        sent_before(made.draft, client_id, digest)
    return made
