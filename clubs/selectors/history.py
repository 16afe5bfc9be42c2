"""Imported seasons of a club, for its pages, its records and the API."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Max, Min, Q, QuerySet
from msgspec import Struct

from clubs.models import Club, PastFact, PastKind, PastOutcome
from core.compiled_queries import CompiledQuery

MOST_CHAMPIONS = 500


class PastChampion(Struct, frozen=True):
    """The champion of an imported season."""

    player: str
    warband: str


class PastSeason(Struct, frozen=True):
    """An imported season: its days, champions, and numbers of results and deaths."""

    name: str
    first: str
    last: str
    results: int
    deaths: int
    champions: tuple[PastChampion, ...]


class PastRecord(Struct, frozen=True):
    """The imported results of one player. ``member`` is None if the name is no member's."""

    member: UUID | None
    name: str
    here: bool
    won: int
    drawn: int
    lost: int


def past_facts(club: Club) -> QuerySet[PastFact]:
    """Return the imported facts of a club, the latest import first."""
    facts = PastFact.objects.filter(batch__club=club)
    return facts.order_by("-batch__made_at", "batch", "row")


def past_seasons(club: Club) -> tuple[PastSeason, ...]:
    """Return the imported seasons of a club, the latest first. Two queries."""
    facts = PastFact.objects.filter(batch__club=club).exclude(season="").order_by()
    seasons = facts.values("season").annotate(
        first=Min("day"),
        last=Max("day"),
        results=Count("pk", filter=Q(kind=PastKind.RESULT)),
        deaths=Count("pk", filter=Q(kind=PastKind.DEATH)),
    )
    champions: dict[str, list[PastChampion]] = {}
    crowned = facts.filter(kind=PastKind.CHAMPION).order_by("season", "row")
    for fact in crowned[:MOST_CHAMPIONS]:
        champions.setdefault(fact.season, []).append(PastChampion(fact.player, fact.warband))
    rows = sorted(seasons, key=lambda row: (str(row["last"] or ""), row["season"]), reverse=True)
    return tuple(
        PastSeason(
            row["season"],
            str(row["first"] or ""),
            str(row["last"] or ""),
            row["results"],
            row["deaths"],
            tuple(champions.get(row["season"], ())),
        )
        for row in rows
    )


def past_records(club: Club) -> Sequence[PastRecord]:
    """Return the imported results of each player, if the club's records count them. One query.

    A result counts for both players. Players who are not members are told apart by their names.
    """
    return [
        PastRecord(
            row["key"],
            row["named"] or row["typed"],
            row["key"] is not None and row["left"] is None,
            row["won"],
            row["drawn"],
            row["lost"],
        )
        for row in RESULTS.rows(club.pk)
    ]


def _results(club: UUID) -> QuerySet[PastFact, Any]:
    """Return the numbers of results of each player of first sides, then of second sides."""
    results = PastFact.objects.filter(
        batch__club=club, batch__counted=True, kind=PastKind.RESULT
    ).order_by()
    home = _counted(results, "player", "member", PastOutcome.WON, PastOutcome.LOST)
    away = _counted(results, "opponent", "opponent_member", PastOutcome.LOST, PastOutcome.WON)
    return home.union(away, all=True)


RESULTS = CompiledQuery(lambda key, _: _results(key))


def _counted(
    results: QuerySet[PastFact], name: str, member: str, won: PastOutcome, lost: PastOutcome
) -> QuerySet[PastFact, Any]:
    return results.values(
        typed=F(name), key=F(member), named=F(f"{member}__name"), left=F(f"{member}__left_at")
    ).annotate(
        won=Count("pk", filter=Q(outcome=won)),
        drawn=Count("pk", filter=Q(outcome=PastOutcome.DREW)),
        lost=Count("pk", filter=Q(outcome=lost)),
    )
