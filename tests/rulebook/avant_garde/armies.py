"""Rosters for the tests: a French army of two brigades."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulebook.values.rosters import CampaignTerms, Roster, RosterFighter

EXAMPLES = Path(__file__).parent / "data" / "points.txt"
ARMY: Mapping[str, Mapping[str, Any]] = {
    "Lannes": {"profile": "commander", "rating": "inspirational"},
    "Morand": {"profile": "commander", "rating": "uninspiring", "brigade": "First"},
    "13th Light": {
        "profile": "infantry",
        "grade": "veteran",
        "light_infantry": True,
        "brigade": "First",
    },
    "17th Line": {"profile": "infantry", "skirmishers": 4, "brigade": "First"},
    "Battery": {"profile": "artillery", "medium": 2, "howitzer": 1, "brigade": "First"},
    "Nansouty": {"profile": "commander", "rating": "competent", "brigade": "Horse"},
    "2nd Cuirassiers": {"profile": "cavalry", "mount": "cuirassier", "brigade": "Horse"},
}


def roster(builds: Mapping[str, Mapping[str, Any]] = ARMY, /, **kwargs: Any) -> Roster:
    """Return a roster of these builds by name; the names are the ids too.

    ``settings`` go to its terms.
    """
    terms = CampaignTerms("france", settings=kwargs.pop("settings", {}))
    conditions = kwargs.pop("conditions", {})
    fighters = (
        RosterFighter(key, key, build, condition=conditions.get(key, {}))
        for key, build in builds.items()
    )
    return Roster(terms, tuple(fighters), **kwargs)


def examples() -> list[tuple[dict[str, Any], int]]:
    """Return the worked examples: each build and its points."""
    rows = []
    for row in EXAMPLES.read_text(encoding="utf-8").splitlines():
        if row and not row.startswith("#"):
            words, points = row.split("|")
            arm, grade, *cells = words.split()
            pairs = (each.partition("=") for each in cells)
            rows.append(
                (
                    {
                        "profile": arm,
                        "grade": grade,
                        **{key: value or "yes" for key, _, value in pairs},
                    },
                    int(points),
                )
            )
    return rows
