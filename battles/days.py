"""The days of battles: which are possible, which are unusual, and what else was played on a day."""

from datetime import date, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from battles.models import Battle, BattleState, Side
from core.queries import ids_of_any
from rulebook.ruleset import Problem, Severity

FIRST_YEAR = 1900
YEARS_AHEAD = 10
"""The number of years ahead that a day can be; later years are typing errors."""
USUAL = timedelta(days=366)
"""Days further ahead give a warning."""
LONG_AGO = timedelta(days=5 * 366)
"""Days longer ago give a warning."""


def day_problems(battle: Battle) -> tuple[Problem, ...]:
    """Return a warning if a battle's day is so far away that the year may be a typing error."""
    today, day = timezone.localdate(), battle.fought_on
    if today - LONG_AGO <= day <= today + USUAL:
        return ()
    sentence = gettext("The battle’s day is %(day)s. If that is a mistake, change the day.") % {
        "day": date_format(day, gettext("j M Y"))
    }
    return (
        Problem("unusual-day", sentence, Severity.WARNS, field="fought_on", value=day.isoformat()),
    )


def battles_of_the_day(battle: Battle, day: date) -> list[Battle]:
    """Return the other battles of a day that share a warband or the campaign with this one.

    They are in the order of play. One query. Battles that are void or have no place in the day yet
    are left out.
    """
    of_the_campaign = Battle.objects.filter(campaign=battle.campaign_id, campaign__isnull=False)
    of_a_warband = Side.objects.filter(warband__in=battle.sides.values("warband"))
    concerned = ids_of_any(of_the_campaign, of_a_warband.values("battle"))
    rows = Battle.objects.filter(pk__in=concerned, fought_on=day, place_in_day__isnull=False)
    others = rows.exclude(pk=battle.pk).exclude(state=BattleState.VOID)
    return list(others.order_by("place_in_day", "confirmed_at", "pk"))
