"""The times of club nights as text, for pages, calendars and print."""

from datetime import datetime, timedelta

from django.utils.formats import date_format
from django.utils.translation import gettext


def hours(starts_at: datetime, ends_at: datetime) -> str:
    """Return the times as text: "19:00–23:00", or "10:00–Sunday 18:00" from 20 hours on."""
    days = ends_at - starts_at >= timedelta(hours=20)
    end = date_format(ends_at, "l H:i") if days else f"{ends_at:%H:%M}"
    return gettext("%(start)s–%(end)s") % {"start": f"{starts_at:%H:%M}", "end": end}


def zone_name(time_zone: str) -> str:
    """Return a time zone as text: "London time" for "Europe/London", and "UTC" for itself."""
    _, slash, city = time_zone.rpartition("/")
    return gettext("%(city)s time") % {"city": city.replace("_", " ")} if slash else time_zone
