"""The finished campaigns of a club: their winners and standings."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Prefetch
from msgspec import Struct

from battles.models import Battle, BattleState, Part, Side
from battles.selectors.classic_games import verdict_of, verdict_sentence
from battles.selectors.standings import Standings, StandingsRow, standings_of
from campaigns.models import Campaign, Enrolment, Format
from leagues.selectors.verdict import Verdict, verdict


class SeasonRow(Struct, frozen=True):
    """A finished campaign.

    ``best`` are the warbands in first place if a battle was fought; ``winner`` is the sentence
    about the winner of a classic campaign.
    """

    campaign: Campaign
    standings: Standings
    best: tuple[StandingsRow, ...]
    verdict: Verdict
    winner: str = ""


def seasons(campaigns: Sequence[Campaign]) -> tuple[SeasonRow, ...]:
    """Return the rows of finished campaigns, in their order.

    Takes three queries, and three more if one of them is classic.
    """
    tables = standings_of(campaigns)
    winners = _winners([each for each in campaigns if each.format == Format.CLASSIC])
    return tuple(_row(each, tables[each.pk], winners.get(each.pk, "")) for each in campaigns)


def _row(campaign: Campaign, table: Standings, winner: str) -> SeasonRow:
    fought = any(row.played for row in table.rows)
    best = tuple(row for row in table.rows if row.position == 1) if fought else ()
    return SeasonRow(campaign, table, best, verdict(table, over=True), winner)


def _winners(campaigns: Sequence[Campaign]) -> dict[UUID, str]:
    """Return a sentence about the winner of each of these classic campaigns.

    Three queries, or none.
    """
    if not campaigns:
        return {}
    sides = Prefetch("sides", Side.objects.select_related("warband").order_by("place"))
    played = (
        Battle.objects.filter(campaign__in=campaigns)
        .exclude(part=Part.NONE)
        .exclude(state=BattleState.VOID)
    )
    games = list(played.prefetch_related(sides).in_order_of_play())
    rows = list(
        Enrolment.objects.filter(campaign__in=campaigns)
        .select_related("warband")
        .order_by("enrolled_at")
    )
    sentences = {}
    for campaign in campaigns:
        players = [
            row
            for row in rows
            if row.campaign_id == campaign.pk and row.left_at == campaign.finished_at
        ]
        _, verdict = verdict_of(
            campaign, players, [game for game in games if game.campaign_id == campaign.pk]
        )
        sentences[campaign.pk] = verdict.sentence if verdict else ""
    return sentences


def winner_in_words(campaign: Campaign) -> str:
    """Return a sentence about the winner of a classic campaign, "" for other formats.

    Takes three queries, or none for other formats.
    """
    return verdict_sentence(campaign)
