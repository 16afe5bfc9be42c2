"""The number of cards of a member, and what comes next without any."""

from collections.abc import Sequence, Set
from datetime import date
from functools import lru_cache, partial
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import IntegerField, Model, TextField, Value
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from battles.models import Battle, BattleState, Side
from battles.selectors.battle_rows import name_of
from campaigns.models import Campaign, CampaignState, Format
from clubs.models import Club, Membership
from core.compiled_queries import compiled_sharing_ids
from core.prepared_statements import PLACEHOLDER, planned_once, with_constants
from home.selectors import battle_cards, campaign_cards, club_night_cards, member_cards
from home.selectors.card_kinds import KINDS, CardOfRows, ComputedCards
from warbands.models import Warband

DEFINED_IN = (battle_cards, campaign_cards, club_night_cards, member_cards)
"""The modules that define kinds of card."""
ANYBODY = User(pk=-1)
"""The placeholder for the member in the statement that is shared by all members."""
ANY_CLUB = UUID("ffffffff-ffff-4fff-bfff-ffffffffffff")
"""The placeholder for the club in the statement that is shared by all clubs."""


def number_waiting(user: User, today: date) -> int:
    """Return the number of cards of a member. Two queries."""
    others = (
        kind.number(user, today) for kind in KINDS.values() if isinstance(kind, ComputedCards)
    )
    return sum(map(len, rows_waiting(user, today).values())) + sum(others)


def rows_waiting(user: User, today: date) -> dict[str, list[str]]:
    """Return the ids of the rows with a card for a member, by kind. One query.

    Kinds without any are left out.
    """
    statement, values = _statement(connection.vendor, today)
    names = [kind.kind for kind in KINDS.values() if isinstance(kind, CardOfRows)]
    with planned_once(connection) as cursor:
        cursor.execute(statement, [user.pk if value == ANYBODY.pk else value for value in values])
        return {names[place]: ids.split(",") for place, ids in cursor.fetchall()}


@lru_cache(maxsize=8)
def _statement(vendor: str, today: date) -> tuple[str, tuple[Any, ...]]:
    """Return one statement that finds the rows of each kind of card on that day, and its values.

    Building it takes twenty times as long as running it. Within a day, only the member changes, so
    it is cached for the few days that are today in some time zone.
    """
    return with_constants(*compiled_sharing_ids(partial(_union, vendor, today), connection))


def _union(vendor: str, today: date) -> tuple[str, Sequence[Any]]:
    """Return the statement and its values, with the subqueries of rights in each place."""
    kinds = [kind for kind in KINDS.values() if isinstance(kind, CardOfRows)]
    # Ids of different types cannot be in one column, so they are text.
    first, *others = (
        kind.waiting(ANYBODY, today)
        .order_by()
        .annotate(card_kind=Value(place, output_field=IntegerField()), task=Cast("pk", TextField()))
        .values_list("card_kind", "task")
        for place, kind in enumerate(kinds)
    )
    rows, values = first.union(*others, all=True).query.sql_with_params()
    ids = _joined("TASK", vendor)
    return f"SELECT CARD_KIND, {ids} FROM ({rows}) WAITING GROUP BY CARD_KIND", values  # noqa: S608


def _joined(column: str, vendor: str) -> str:
    """Return the SQL of the texts of a group, joined by commas."""
    return f"STRING_AGG({column}, ',')" if vendor == "postgresql" else f"GROUP_CONCAT({column})"


def tasks_by_member(club: Club, today: date) -> dict[int, dict[str, list[UUID]]]:
    """Return the tasks in a club by member: the id of the user, kinds of card, and subjects.

    The members' own cards have the same rows. One query.
    """
    statement, values = _tasks_in_club(connection.vendor, today)
    key = Club._meta.pk.get_db_prep_value(club.pk, connection)
    with planned_once(connection) as cursor:
        cursor.execute(statement, [key if _is_any_club(value) else value for value in values])
        rows = cursor.fetchall()
    kinds = kinds_in_clubs()
    return {
        user: {
            kind: sorted({UUID(text) for text in subjects.split(",")})
            for kind, subjects in zip(kinds, columns, strict=True)
            if subjects
        }
        for user, *columns in rows
    }


@lru_cache(maxsize=8)
def _tasks_in_club(vendor: str, today: date) -> tuple[str, tuple[Any, ...]]:
    """Return one statement that lists the tasks in a club by member, and its values.

    It has a row for each member, with a column for each kind: a subquery with the statement of
    ``CardOfRows.waiting``, in which the id of the member is that of the row.
    """
    joined = _joined("TASK", vendor)
    columns: list[str] = []
    values: list[Any] = []
    for kind in kinds_in_clubs().values():
        rows = kind.waiting(ANYBODY, today).filter(**{kind.club_path: ANY_CLUB})
        tasks = rows.order_by().annotate(task=Cast("pk", TextField())).values_list("task")
        statement, parameters = tasks.query.sql_with_params()
        first, *others = PLACEHOLDER.split(statement)
        for value, text in zip(parameters, others, strict=True):
            if value == ANYBODY.pk:
                first += f'"person"."user_id"{text}'
            else:
                first += f"%s{text}"
                values.append(value)
        columns.append(f"(SELECT {joined} FROM ({first}) TASKS)")  # noqa: S608
    members = Membership.objects.present().filter(club=ANY_CLUB, user__isnull=False)
    people, parameters = members.order_by().values("pk").query.sql_with_params()
    source = f'"clubs_membership" "person" WHERE "person"."id" IN ({people})'
    statement = f'SELECT "person"."user_id", {", ".join(columns)} FROM {source}'  # noqa: S608
    return with_constants(statement, (*values, *parameters))


def kinds_in_clubs() -> dict[str, CardOfRows[Any]]:
    """Return the kinds of card that organisers see of the members of their club, by name."""
    return {
        name: kind
        for name, kind in KINDS.items()
        if isinstance(kind, CardOfRows) and kind.club_path
    }


def _is_any_club(value: object) -> bool:
    return str(value).replace("-", "") == ANY_CLUB.hex


def what_comes_next(
    user: User,
    memberships: Sequence[Membership] | None = None,
    without: Set[type[Model]] = frozenset(),
) -> str:
    """Return what comes next for the user, in one or two sentences. Three queries at most.

    ``memberships`` are the user's, with their clubs, if they are read already. The user has
    no rows of the models of ``without``.
    """
    if not without >= {Warband, Side}:
        mine = Battle.objects.filter(pk__in=Side.objects.open_for(user).values("battle"))
        battle = mine.order_by("fought_on", "created_at").first()
        if battle is not None:
            return _of_battle(battle)
    if memberships is None:
        members = Membership.objects.present().filter(user=user)
        memberships = list(members.select_related("club")[:1])
    if not memberships:
        return gettext(
            "Create a club, or ask an organiser for an invitation link. You can create a warband "
            "in the meantime."
        )
    running = Campaign.objects.filter(club__memberships__user=user).exclude(
        state=CampaignState.FINISHED
    )
    campaign = None if Campaign in without else running.order_by("created_at").first()
    if campaign is None:
        return gettext(
            "Next: a campaign of %(club)s. When an organiser creates one, you can enter it here."
        ) % {"club": memberships[0].club}
    if campaign.state == CampaignState.PLANNED:
        return gettext("Next: %(campaign)s. An organiser will start it.") % {"campaign": campaign}
    if campaign.format == Format.CLASSIC:
        return gettext("Next: %(campaign)s. Your tasks will appear here.") % {"campaign": campaign}
    return gettext("Next: plan a battle in %(campaign)s, or wait for your next fixture.") % {
        "campaign": campaign
    }


def _of_battle(battle: Battle) -> str:
    """Return what an open battle of the user waits for: it is not the user."""
    day = date_format(battle.fought_on, gettext("j F"))
    if battle.state == BattleState.PLANNED:
        if battle.fought_on > timezone.localdate():
            return gettext("Next: %(battle)s on %(day)s. Your line-up is ready.") % {
                "battle": name_of(battle),
                "day": day,
            }
        return gettext("Next: %(battle)s. Your opponent has not chosen a line-up yet.") % {
            "battle": name_of(battle)
        }
    return gettext("Next: %(battle)s of %(day)s. Your opponent has not confirmed it yet.") % {
        "battle": name_of(battle),
        "day": day,
    }
