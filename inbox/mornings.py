"""When digests are due: at eight in the morning where the member lives."""

from datetime import date, datetime, timedelta

from inbox.models import Mail

HOUR = 8


def last_morning(mail: str, local_time: datetime) -> date:
    """The day of the last digest that should have gone out by then; ``local_time`` is the time where the member lives.

    For weekly mail a Monday; for every other the day itself, or the day before as long as it is not eight.
    """
    day = local_time.date() if local_time.hour >= HOUR else local_time.date() - timedelta(days=1)
    return day - timedelta(days=day.weekday()) if mail == Mail.WEEKLY else day
