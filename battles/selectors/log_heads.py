"""One seal over the logs of a campaign's battles, for print.

An old print proves a later forgery or loss.
"""

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db.models import Max
from msgspec import Struct

from battles.log_seals import log_seal, opening_seal
from battles.models import Battle, BattleQuerySet
from battles.rulebook_values import sides_of
from warbands.selectors.chronicle_heads import group_digits

MOMENT = "%Y-%m-%d %H:%M:%S UTC"


class LogsHead(Struct, frozen=True):
    """The number of battles confirmed before a time (UTC), and the start of their logs' seal."""

    battles: int
    moment: str
    seal: str


def logs_head(campaign: UUID) -> LogsHead | None:
    """Return the head of the present logs; None without a battle. One query.

    It covers the time up to the second after the last entry.
    """
    battles = _settled(campaign).annotate(last=Max("events__recorded_at"))
    rows = list(battles.values_list("pk", "log_seal", "confirmed_at", "last"))
    if not rows:
        return None
    latest = max(when for *_, confirmed, last in rows for when in (confirmed, last) if when)
    moment = latest.astimezone(UTC).replace(microsecond=0) + timedelta(seconds=1)
    return _head(((key, seal) for key, seal, *_ in rows), moment)


def logs_head_then(campaign: UUID, moment: datetime) -> LogsHead:
    """Return the head of the logs at a time, computed from the present entries.

    Later entries, such as corrections, do not count. Four queries for each battle.
    """
    battles = _settled(campaign).filter(confirmed_at__lt=moment)
    return _head(((battle.pk, _seal_then(battle, moment)) for battle in battles), moment)


def _settled(campaign: UUID) -> BattleQuerySet:
    """Return battles that are or were confirmed: such a battle is never deleted, only voided."""
    return Battle.objects.filter(campaign=campaign, confirmed_at__isnull=False).order_by(
        "confirmed_at", "pk"
    )


def _seal_then(battle: Battle, moment: datetime) -> str:
    events = battle.events.filter(recorded_at__lt=moment).order_by("sequence")
    return log_seal(opening_seal(battle, sides_of(battle)), events)


def _head(seals: Iterable[tuple[UUID, str]], moment: datetime) -> LogsHead:
    lines = [f"{key} {seal}" for key, seal in seals]
    whole = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return LogsHead(len(lines), moment.astimezone(UTC).strftime(MOMENT), group_digits(whole))
