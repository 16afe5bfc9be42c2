"""How far can be seen, by weather and hour."""

from collections.abc import Mapping


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
