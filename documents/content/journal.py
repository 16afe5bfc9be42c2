"""What people wrote into the journal of a campaign, between its battles."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec.structs import replace

from campaigns.models import Campaign, JournalEntry
from documents.content.pieces import BattleTale, Written


def journal_of(campaign: Campaign) -> list[JournalEntry]:
    """The entries that nobody removed, by the days of which they tell. One query."""
    kept = campaign.journal.filter(removed_at__isnull=True).select_related("author")
    return list(kept.order_by("on", "written_at", "id"))


def with_journal(
    battles: Sequence[BattleTale], entries: Iterable[JournalEntry]
) -> tuple[tuple[BattleTale, ...], tuple[Written, ...]]:
    """The battles, each with what was written of the days since the one before, and what was written after the last.

    What tells of the day of a battle stands behind it.
    """
    written = [Written(entry.on.isoformat(), entry.author.name, entry.text) for entry in entries]
    days = ["", *(battle.fought_on for battle in battles)]
    told = tuple(
        replace(battle, journal=tuple(each for each in written if before <= each.on < day))
        for battle, (before, day) in zip(battles, pairwise(days), strict=True)
    )
    return told, tuple(each for each in written if each.on >= days[-1])
