"""Set when a battle was played: its day, and its place among the battles of that day."""

from datetime import date, datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct

from battles.days import FIRST_YEAR, YEARS_AHEAD, battles_of_the_day
from battles.models import Battle, BattleState
from battles.services.locking import expect_organiser
from core.errors import InvalidInput
from rulebook.ruleset import Problem


class NewDay(Struct, frozen=True, kw_only=True):
    """The corrected time of a battle; values that are None do not change.

    ``before`` and ``after`` are the id of another battle of that day, directly before or after
    which this one was played.
    """

    fought_on: date | None = None
    before: UUID | None = None
    after: UUID | None = None


UNCHANGED = NewDay()


def clean_day(day: date, field: str = "fought_on") -> date:
    """Return the day of a battle if it is plausible.

    Raises InvalidInput "impossible-day" for a year that must be a typing error.
    """
    last = timezone.localdate().year + YEARS_AHEAD
    if FIRST_YEAR <= day.year <= last:
        return day
    sentence = gettext(
        "%(day)s cannot be the day of a battle. Enter a day from %(first)s to %(last)s."
    ) % {
        "day": day.isoformat(),
        "first": FIRST_YEAR,
        "last": last,
    }
    problem = Problem("impossible-day", sentence, field=field, value=day.isoformat())
    raise InvalidInput("impossible-day", sentence, problems=[problem], field=field)


def is_correction(battle: Battle, new: NewDay) -> bool:
    """Return whether a confirmed battle would get another day, or another place in it."""
    moves = (
        new.fought_on not in (None, battle.fought_on)
        or new.before is not None
        or new.after is not None
    )
    return battle.state == BattleState.CONFIRMED and moves


def set_day(battle: Battle, new: NewDay, user: User) -> bool:
    """Set a battle's day or its place in the day, and return whether that changes anything.

    Nothing is saved. Only organisers can change the place. Raises InvalidInput "impossible-day" or
    "not-that-day", Forbidden.
    """
    former = battle.fought_on, battle.place_in_day
    if new.fought_on is not None:
        battle.fought_on = clean_day(new.fought_on)
    neighbour = new.before or new.after
    if neighbour is not None:
        expect_organiser(battle, user)
        battle.place_in_day = _place_beside(battle, neighbour, before=new.before is not None)
    changed = (battle.fought_on, battle.place_in_day) != former
    if changed and battle.place_in_day is None and battle.state == BattleState.CONFIRMED:
        # The battle was confirmed before Muster stored a place in the day: use the time at which it
        # was planned.
        battle.place_in_day = battle.created_at
    return changed


def _place_beside(battle: Battle, neighbour: UUID, *, before: bool) -> datetime:
    """Return a time between the neighbour's place and that of the next battle on the given side."""
    others = battles_of_the_day(battle, battle.fought_on)
    places = sorted(each.place_in_day for each in others if each.place_in_day is not None)
    at = next((each.place_in_day for each in others if each.pk == neighbour), None)
    field = "played_before" if before else "played_after"
    if at is None:
        sentence = gettext(
            "Choose a battle that has begun, of the same day and campaign or of the same warbands."
        )
        raise InvalidInput("not-that-day", sentence, field=field)
    beyond = [each for each in places if (each < at if before else each > at)]
    gap = abs(at - (max(beyond) if before else min(beyond))) if beyond else timedelta(minutes=2)
    return at - gap / 2 if before else at + gap / 2
