"""The first pages of a campaign's battles and of a log, which programs read most.

Their SQL is built once. Other pages, orders and filters use querysets.
"""

from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import Count, Prefetch, QuerySet, prefetch_related_objects

from battles.models import LONG, Battle, BattleEvent, Side
from battles.selectors.battle_page import event_rows
from battles.selectors.battle_rows import with_sides
from core.api.defaults import NumberedPages
from core.api.views import FirstPage
from core.compiled_queries import CompiledQuery, Reader

SIZE = NumberedPages.page_size


def first_battles(campaign: UUID, user: Reader) -> FirstPage[Battle]:
    """Return the newest battles of a campaign that a user may see listed, as ``for_rows``."""
    return FirstPage(
        number=partial(_number, BATTLE_NUMBER, campaign, user),
        rows=partial(_battles, campaign, user),
    )


def first_events(battle: UUID) -> FirstPage[BattleEvent]:
    """Return the first events of a battle."""
    return FirstPage(
        number=partial(_number, EVENT_NUMBER, battle), rows=partial(EVENTS.rows, battle)
    )


def _number(numbers: CompiledQuery[int], *about: Any) -> int:
    # Without rows there is no group, and so no number.
    return numbers.first(*about) or 0


def _number_by(column: str, rows: QuerySet[Any, Any]) -> QuerySet[Any, int]:
    """Return the number of rows, all of which have the same value in the column."""
    groups = rows.order_by().values(column).annotate(number=Count("pk"))
    numbers: QuerySet[Any, int] = groups.values_list("number", flat=True)
    return numbers


def _battles(campaign: UUID, user: Reader) -> list[Battle]:
    battles = BATTLES.rows(campaign, user)
    with_sides(battles, SIDES.rows(campaign, user))
    # A new battle may have moved the last one off the page between the two queries: its sides are
    # read now. Those of the others are loaded.
    prefetch_related_objects(battles, Prefetch("sides", Side.objects.for_rows()))
    return battles


def _listed(campaign: UUID, user: Any) -> QuerySet[Battle, Any]:
    return Battle.objects.listed_in_campaign(campaign, user)


BATTLES: CompiledQuery[Battle] = CompiledQuery(
    lambda key, user: _listed(key, user).select_related("campaign").defer(*LONG)[:SIZE]
)
SIDES: CompiledQuery[Side] = CompiledQuery(
    lambda key, user: Side.objects.for_rows().filter(
        battle__in=_listed(key, user).values("pk")[:SIZE]
    )
)
BATTLE_NUMBER: CompiledQuery[int] = CompiledQuery(
    lambda key, user: _number_by("campaign", _listed(key, user)), plan_once=True
)
EVENTS: CompiledQuery[BattleEvent] = CompiledQuery(
    lambda key, _: event_rows(key)[:SIZE], plan_once=True
)
EVENT_NUMBER: CompiledQuery[int] = CompiledQuery(
    lambda key, _: _number_by("battle", BattleEvent.objects.filter(battle=key)), plan_once=True
)
