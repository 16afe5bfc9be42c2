"""Suggestions before a battle, so that a player need only agree: line-up, scenario and day."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from uuid import UUID

from django.db.models import Count
from msgspec import Struct

from battles.models import Battle, BattleState, Combatant, Side, order_of_play
from campaigns.models import Campaign
from clubs.models import Club, Evening
from rulebook.ruleset import Posts, Scenario
from warbands.models import ChronicleEntry, Fighter

SET_OUT = (
    BattleState.UNDER_WAY,
    BattleState.SUBMITTED,
    BattleState.DISPUTED,
    BattleState.CONFIRMED,
)
"""The states of a battle that has begun, so that its line-ups were really used."""


class SuggestedForce(Struct, frozen=True):
    """A suggested line-up, with the holders of its posts."""

    fighters: tuple[UUID, ...]
    posts: Posts


def suggested_force(
    battle: Battle, side: Side, able: Sequence[Fighter], room: int | None
) -> SuggestedForce:
    """Return all able fighters, or those who fit in the points limit.

    Those who fought last time come first. Posts are filled as last time, or as the roster says if
    it was changed since then. Three queries.
    """
    last = _last_force(battle, side)
    before = {combatant.fighter_id for combatant in last}
    chosen = _within(sorted(able, key=lambda row: row.pk not in before), room)
    roster: Posts = side.warband.state.get("posts", {})
    first, second = (
        (roster, _posts_of(last)) if _appointed_since(side, last) else (_posts_of(last), roster)
    )

    def present(holders: Iterable[str]) -> tuple[str, ...]:
        return tuple(holder for holder in holders if UUID(holder) in chosen)

    # A fighter who held a post last time may be unfit today.
    posts = {
        post: present(first.get(post, ())) or present(second.get(post, ()))
        for post in (*first, *second)
    }
    return SuggestedForce(tuple(row.pk for row in able if row.pk in chosen), posts)


def _within(rows: Iterable[Fighter], room: int | None) -> set[UUID]:
    """Return as many of the fighters, in their order, as fit in the points."""
    chosen, total = set(), 0
    for row in rows:
        if room is None or total + row.points <= room:
            chosen.add(row.pk)
            total += row.points
    return chosen


def _last_force(battle: Battle, side: Side) -> list[Combatant]:
    """Return the warband's line-up in its previous battle. Two queries."""
    sides = Side.objects.filter(
        warband=side.warband_id, battle__state__in=SET_OUT, combatants__isnull=False
    )
    before = sides.exclude(battle=battle).filter(battle__fought_on__lte=battle.fought_on)
    last = before.order_by(*order_of_play("battle__", newest_first=True)).first()
    return list(last.combatants.order_by("place").select_related("side__battle")) if last else []


def _posts_of(force: Iterable[Combatant]) -> dict[str, tuple[str, ...]]:
    held: dict[str, tuple[str, ...]] = {}
    for combatant in force:
        held |= {post: (*held.get(post, ()), str(combatant.fighter_id)) for post in combatant.posts}
    return held


def _appointed_since(side: Side, force: Sequence[Combatant]) -> bool:
    """Return whether the roster has named a fighter for a post since that battle was planned.

    One query, none without a battle.
    """
    if not force:
        return True
    planned_at = force[0].side.battle.created_at
    entries = ChronicleEntry.objects.filter(
        warband=side.warband_id, kind="appointed", recorded_at__gt=planned_at
    )
    return entries.exists()


def suggested_scenario(campaign: Campaign, scenarios: Sequence[Scenario]) -> Scenario:
    """Return the scenario that a campaign has played least, the first of several.

    One query.
    """
    fought = campaign.battles.exclude(state=BattleState.VOID).order_by()
    played: Mapping[str, int] = dict(fought.values_list("scenario").annotate(times=Count("pk")))
    return min(scenarios, key=lambda scenario: played.get(scenario.key, 0))


RECENT = timedelta(days=7)


def next_club_night(club: Club, today: date, deadline: date | None = None) -> date:
    """Return the day of the next club night up to a deadline; ``today`` without one. One query."""
    nights = _club_nights(club, today, deadline or today + RECENT)
    return min(nights, default=today)


def last_club_night(club: Club, today: date) -> date:
    """Return the day of the last club night of the past week; ``today`` without one. One query."""
    return max(_club_nights(club, today - RECENT, today), default=today)


def _club_nights(club: Club, first: date, last: date) -> list[date]:
    """Return the days of the club's nights from ``first`` to ``last``, in its time zone."""
    # A day wider on both sides: the club's day may begin before or after that of UTC.
    around = (first - timedelta(days=1), last + timedelta(days=1))
    rows = Evening.objects.filter(
        club=club, cancelled_at=None, starts_at__date__range=around
    ).values_list("starts_at", flat=True)
    days = (start.astimezone(club.zone).date() for start in rows)
    return [day for day in days if first <= day <= last]
