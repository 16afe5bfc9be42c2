"""The time zone and the language of a member."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from home.models import Mail, Preferences


def chosen_by(user: Any) -> tuple[ZoneInfo, str]:
    """Return the time zone of a member, or else the installation's, and their language.

    The language is "" for that of the browser. One query, and none for an account that was read
    with its session.
    """
    row: Preferences | None = getattr(user, "inbox_preferences", None)
    zone, language = (row.time_zone, row.language) if row else ("", "")
    return ZoneInfo(zone or settings.TIME_ZONE), language


HOUR = 8


def last_morning(mail: str, local_time: datetime) -> date:
    """Return the day of the last digest that should have been sent by now.

    ``local_time`` is the time in the member's zone. For weekly e-mails this is a Monday; otherwise
    it is today from 8:00 on, and yesterday before.
    """
    day = local_time.date() if local_time.hour >= HOUR else local_time.date() - timedelta(days=1)
    return last_monday(day) if mail == Mail.WEEKLY else day


def last_monday(day: date) -> date:
    """Return the last Monday up to this day."""
    return day - timedelta(days=day.weekday())
