"""The time zones that a club can choose from."""

from functools import cache
from zoneinfo import available_timezones

REGIONS = (
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
)


@cache
def time_zones() -> frozenset[str]:
    """Return the IANA names of all time zones that this machine knows."""
    return frozenset(available_timezones())


@cache
def time_zone_choices() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return the time zones of places by region, and UTC, as grouped choices for a select."""
    places: dict[str, list[tuple[str, str]]] = {region: [] for region in REGIONS}
    for name in sorted(time_zones()):
        region, _, place = name.partition("/")
        if region in places and place:
            places[region].append((name, place.replace("_", " ").replace("/", ", ")))
    regions = tuple((region, tuple(cities)) for region, cities in places.items() if cities)
    return (("Everywhere", (("UTC", "UTC"),)), *regions)
