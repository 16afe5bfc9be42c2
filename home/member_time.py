"""The time zone and the language of a member."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings

from home.models import Mail, Preferences
from home.user_cache import forget, kept

SECONDS = 3600
"""The time for which a choice is cached. A new choice deletes it."""


def chosen_by(user_id: int) -> tuple[ZoneInfo, str]:
    """Return the time zone of a member, or else the installation's, and their language.

    The language is "" for that of the browser. Takes one query, and usually none.
    """

    def chosen() -> str:
        row = Preferences.objects.filter(user=user_id).values_list("time_zone", "language").first()
        zone, language = row or ("", "")
        return f"{zone or settings.TIME_ZONE} {language}"

    zone, _, language = kept(_key(user_id), SECONDS, chosen).partition(" ")
    return ZoneInfo(zone), language


def forget_choice(user_id: int) -> None:
    """Delete the cached choice after a member has chosen another zone or language."""
    forget(_key(user_id))


def _key(user_id: int) -> str:
    return f"inbox-zone-and-language:{user_id}"


HOUR = 8


def last_morning(mail: str, local_time: datetime) -> date:
    """Return the day of the last digest that should have been sent by now.

    ``local_time`` is the time in the member's zone. For weekly e-mails this is a Monday; otherwise
    it is today from 8:00 on, and yesterday before.
    """
    day = local_time.date() if local_time.hour >= HOUR else local_time.date() - timedelta(days=1)
    return day - timedelta(days=day.weekday()) if mail == Mail.WEEKLY else day
