"""Builds that join an army with one tap, and the brigades that Auto-fill makes of them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from typing import Any

from msgspec import convert
from msgspec.structs import replace

from rulebook.systems.avant_garde.book import HOUSE_RULES, HouseRules, book, read_data
from rulebook.systems.avant_garde.fighters import Fighter, read_build
from rulebook.systems.avant_garde.points import has_price
from rulebook.systems.avant_garde.roster import CHIEF, Row, brigades, default_posts, serving
from rulebook.values.rosters import BuildData, ReadyBuild, Roster

Brigades = Mapping[str, tuple[Row, ...]]


@cache
def ready_builds() -> Mapping[str, ReadyBuild]:
    """Return the builds that can be recruited with one tap, by their keys."""
    rows = convert(read_data("ready")["ready"], tuple[ReadyBuild, ...])
    return {each.key: each for each in rows}


def fill_choices(roster: Roster) -> Iterator[tuple[BuildData, ...]]:
    """Yield what can join next when an army is filled: whole brigades, each with its commander.

    Commanders have a rating with a price, so that the total is complete (ruling N-P1).
    """
    plan, of_roster = read_data("ready")["fill"], brigades(serving(roster))
    rating = _priced_rating(HOUSE_RULES.settled(roster.terms.settings))

    # Step 1: what the army lacks. Without brigades, its Commander-in-Chief joins with the first.
    chief = () if CHIEF in default_posts(roster) else (_ready("chief", rating=rating),)
    if chief and of_roster:
        yield chief
    for name, rows in of_roster.items():
        if all(row.fighter.arm != "commander" for row in rows):
            yield (_ready("brigadier", rating=rating, brigade=name),)

    # Step 2: the units that each brigade lacks of its pattern.
    yield from _missing_builds(plan, of_roster)

    # Step 3: a new brigade; the first one may have a single unit.
    name = next(name for name in map("Brigade {}".format, count(1)) if name not in of_roster)
    pattern = plan["brigades"][len(of_roster) % len(plan["brigades"])]
    for size in (2,) if of_roster else (2, 1):
        troops = (_ready(key, brigade=name) for key in pattern[:size])
        yield (*chief, _ready("brigadier", rating=rating, brigade=name), *troops)

    # Step 4: single units for the points that are left, in the smallest brigade first.
    for name, rows in sorted(of_roster.items(), key=lambda each: len(each[1])):
        if _has_room(plan, rows):
            yield from ((_ready(key, brigade=name),) for key in plan["spare"])


def _missing_builds(
    plan: Mapping[str, Any], of_roster: Brigades
) -> Iterator[tuple[BuildData, ...]]:
    patterns: Sequence[Sequence[str]] = plan["brigades"]
    for place, (name, rows) in enumerate(of_roster.items()):
        if not _has_room(plan, rows):
            continue
        unmatched = [replace(row.fighter, brigade="") for row in rows]
        for key in patterns[place % len(patterns)]:
            build = read_build(_ready(key))
            if build in unmatched:
                unmatched.remove(build)
            else:
                yield (_ready(key, brigade=name),)


def _has_room(plan: Mapping[str, Any], rows: Sequence[Row]) -> bool:
    troops = sum(row.fighter.arm != "commander" for row in rows)
    return troops < int(plan["largest"])


def _ready(key: str, **values: str) -> BuildData:
    return {**ready_builds()[key].build, **values}


def _priced_rating(rules: HouseRules) -> str:
    """Return the rating of commanders that join: competent, or another if that has no price."""
    ratings = ("competent", *book().rating)
    return next(each for each in ratings if has_price(Fighter("commander", rating=each), rules))
