"""What can be seen: how far by weather and hour, and past what."""

from collections.abc import Mapping
from enum import StrEnum

LIGHT_COVER_BLOCKS = 2


class Sight(StrEnum):
    """Can a target be seen past walls, hills and whatever else no list names? The players' word."""

    CLEAR = "clear"
    BLOCKED = "blocked"


def sight_limit(weather: str, hour: str, turn: int) -> float | None:
    """How far can be seen, in inches, None without a limit. Rule book: "Weather", "Time of day". Rulings D1, S16."""
    limits = [limit for limit in (_WEATHER.get(weather), _hour_limit(hour, turn)) if limit is not None]
    return min(limits, default=None)


_WEATHER: Mapping[str, float] = {"mist": 12, "rain": 24, "wind-and-rain": 24}


def _hour_limit(hour: str, turn: int) -> float | None:
    if hour == "night":
        return 12
    if hour == "dusk" and turn >= 3:
        return 18 if turn == 3 else 12
    return 18 if hour == "dawn" and turn <= 2 else None


def sees(bodies_between: int, light_cover: float = 0, *, hidden: bool = False, over_a_friend: bool = False) -> bool:
    """Is there a line of sight? Any body between blocks it, more than 2" of light cover does, and Hidden targets do.

    ``light_cover`` is inches of it in between. ``over_a_friend``: one friend in base contact who shoots on the same
    order does not count among the bodies. Rule book: "Line of sight and cover", "Shoot order".
    """
    blocked = bodies_between > int(over_a_friend) or light_cover > LIGHT_COVER_BLOCKS
    return not (blocked or hidden)
