"""Builds that can join a roster with one tap: bare profiles and builds that are often used."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from rulebook.chronicle.states import WarbandState
from rulebook.ruleset import BuildData, ReadyBuild, RulesError, Ruleset, Sheet
from rulebook.values.reference import ListSection, ProfileLine
from warbands.rulebook_values import open_lists

BARE = ""
"""The key of a profile's build without any choices."""


class OfferedBuild(Struct, frozen=True):
    """A build on offer. ``value`` is the value of its button; ``points`` is "" without a price.

    ``kit`` says what a usual build carries.
    """

    value: str
    name: str
    points: str
    kit: str = ""


class OfferedProfile(Struct, frozen=True):
    """A profile of a list and its builds on offer.

    ``bare`` is None if ``usual`` builds replace it; ``more`` builds are collapsed on the page.
    """

    profile: ProfileLine
    bare: OfferedBuild | None
    usual: tuple[OfferedBuild, ...]
    more: tuple[OfferedBuild, ...]


class OfferedList(Struct, frozen=True):
    """A list and its profiles on offer."""

    section: ListSection
    profiles: tuple[OfferedProfile, ...]


def builds_on_offer(rules: Ruleset, state: WarbandState) -> dict[str, ReadyBuild]:
    """Return every build that a button of the builder adds, by the button's value.

    The value is "list/profile" or "list/profile/build".
    """
    return dict(_on_offer(rules, open_lists(rules.catalogue(state.settings), state.faction)))


def offered_lists(
    rules: Ruleset, state: WarbandState, sections: Iterable[ListSection]
) -> tuple[OfferedList, ...]:
    """Return the lists open to a warband with their priced builds. No queries."""
    return tuple(OfferedList(each, tuple(_profiles(rules, state, each))) for each in sections)


def _on_offer(
    rules: Ruleset, lists: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[str, ReadyBuild]]:
    for entry in lists:
        ready = rules.ready_builds(entry["key"])
        for profile in entry["profiles"]:
            value, build = (
                f"{entry['key']}/{profile['key']}",
                rules.starting_build(entry["key"], profile["key"]),
            )
            yield (
                value,
                ReadyBuild(key=BARE, profile=profile["key"], name=profile["name"], build=build),
            )
            for ready_build in ready:
                if ready_build.profile == profile["key"]:
                    yield f"{value}/{ready_build.key}", ready_build


def _profiles(
    rules: Ruleset, state: WarbandState, section: ListSection
) -> Iterator[OfferedProfile]:
    ready = rules.ready_builds(section.key)
    for profile in section.profiles:
        value = f"{section.key}/{profile.key}"
        own_builds = [
            each
            for each in ready
            if each.profile == profile.key and _fits(rules, state, each.build)
        ]
        builds = {
            usual: tuple(
                OfferedBuild(
                    f"{value}/{each.key}",
                    each.name,
                    _points(rules, state, each.build),
                    kit_line(_sheet(rules, state, each.build)) if usual else "",
                )
                for each in own_builds
                if each.usual is usual
            )
            for usual in (True, False)
        }
        bare = None if builds[True] else OfferedBuild(value, profile.name, profile.points)
        yield OfferedProfile(profile, bare, builds[True], builds[False])


def _fits(rules: Ruleset, state: WarbandState, build: BuildData) -> bool:
    """Return whether the build is possible under the warband's house rules."""
    try:
        rules.clean_build(build, state.terms)
    except RulesError:
        return False
    return True


def kit_line(sheet: Sheet) -> str:
    """Return the equipment and Attributes of a card as one line, or else its first figures."""
    carried = [item.name for item in (*sheet.equipment, *sheet.attributes)]
    if carried:
        return ", ".join(carried)
    return ", ".join(f"{each.label} {each.value}" for each in sheet.characteristics[:4])


def _points(rules: Ruleset, state: WarbandState, build: BuildData) -> str:
    points = rules.fighter_facts(rules.clean_build(build, state.terms), state.terms).points
    return str(points) if points else ""


def _sheet(rules: Ruleset, state: WarbandState, build: BuildData) -> Sheet:
    return rules.sheet(rules.clean_build(build, state.terms), state.terms)
