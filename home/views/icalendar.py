"""iCalendar files (RFC 5545) from calendar entries. The same entries give the same bytes."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta

from django.utils.translation import gettext
from icalendar import Calendar, Event
from icalendar.prop import vDuration

from clubs.models import Answer
from home.selectors.calendar import CalendarEntry

REFRESH = timedelta(hours=1)
"""The interval at which calendar programs are asked to refresh."""

Address = Callable[[CalendarEntry], str]
"""Returns the absolute URL of the page of an entry."""


def calendar_file(name: str, entries: Sequence[CalendarEntry], address: Address) -> bytes:
    """Return the calendar as a file. Times have their time zones, and days have none.

    The file names no attendees: some calendar programs would write to all of them.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Muster//Calendar//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", vDuration(REFRESH), parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", vDuration(REFRESH))
    for entry in entries:
        calendar.add_component(_event(entry, address(entry)))
    if entries:
        calendar.add_missing_timezones(
            first_date=date(min(entry.day for entry in entries).year - 1, 1, 1),
            last_date=date(max(entry.last_day for entry in entries).year + 1, 12, 31),
        )
    return calendar.to_ical()


def _event(entry: CalendarEntry, address: str) -> Event:
    event = Event()
    event.add("uid", f"{entry.kind}-{entry.id}@muster")
    event.add("dtstamp", entry.changed_at)
    event.add("last-modified", entry.changed_at)
    event.add("sequence", entry.version - 1)
    event.add(
        "summary",
        gettext("Cancelled: %(title)s") % {"title": entry.title}
        if entry.cancelled
        else entry.title,
    )
    if entry.starts_at is not None and entry.ends_at is not None:
        event.add("dtstart", entry.starts_at)
        event.add("dtend", entry.ends_at)
    else:
        event.add("dtstart", entry.day)
        event.add("dtend", entry.last_day + timedelta(days=1))
        event.add("transp", "TRANSPARENT")
    if entry.place:
        event.add("location", entry.place)
    if description := "\n".join(_description_lines(entry)):
        event.add("description", description)
    event.add("status", _state(entry))
    event.add("url", address)
    return event


def _description_lines(entry: CalendarEntry) -> Iterable[str]:
    return (line for line in (entry.note, entry.campaign_name) if line)


def _state(entry: CalendarEntry) -> str:
    if entry.cancelled:
        return "CANCELLED"
    return "TENTATIVE" if entry.kind == "evening" and entry.mine == Answer.PERHAPS else "CONFIRMED"
