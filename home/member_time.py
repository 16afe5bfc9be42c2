"""By whose clock times are shown, and in which language pages speak."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings

from home.models import Mail, Preferences
from home.user_cache import forget, kept

SECONDS = 3600
"""How long a choice is kept; choosing otherwise forgets it."""


def chosen_by(user_id: int) -> tuple[ZoneInfo, str]:
    """The time zone of a member, else this installation's, and their language, "" for the
    browser's.

    One query, mostly none.
    """

    def chosen() -> str:
        row = Preferences.objects.filter(user=user_id).values_list("time_zone", "language").first()
        zone, language = row or ("", "")
        return f"{zone or settings.TIME_ZONE} {language}"

    zone, _, language = kept(_key(user_id), SECONDS, chosen).partition(" ")
    return ZoneInfo(zone), language


def forget_choice(user_id: int) -> None:
    """Another zone or language was chosen."""
    forget(_key(user_id))


def _key(user_id: int) -> str:
    return f"inbox-zone-and-language:{user_id}"


HOUR = 8


def last_morning(mail: str, local_time: datetime) -> date:
    """The day of the last digest that should have gone out by then; ``local_time`` is the time
    where the member lives.

    For weekly mail a Monday; for every other the day itself, or the day before as long as it is not
    eight.
    """
    day = local_time.date() if local_time.hour >= HOUR else local_time.date() - timedelta(days=1)
    return day - timedelta(days=day.weekday()) if mail == Mail.WEEKLY else day
