"""Builds that players field often: ordinary fighters with each missile weapon that their list
offers."""

from collections.abc import Iterator
from functools import cache
from itertools import chain

from rulebook.ruleset import CampaignTerms, RulesError
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.forms import build_fields, clean_build
from rulebook.values.rosters import ReadyBuild

RANK_AND_FILE = 3
"""The highest Rank of ordinary fighters. Players arm those of higher Ranks one by one."""


@cache
def ready_builds(faction: str) -> tuple[ReadyBuild, ...]:
    """Return one build for each long-range weapon of each profile of a list, unique fighters left
    out."""
    army = catalogue.faction(faction)
    return tuple(chain.from_iterable(_armed(faction, profile.key) for profile in army.profiles))


def _armed(faction: str, key: str) -> Iterator[ReadyBuild]:
    profile = catalogue.profile(f"{faction}/{key}")
    missiles = catalogue.catalogue().arms.missiles
    if profile.unique or profile.rank > RANK_AND_FILE:
        return
    bare = {"profile": f"{faction}/{key}"}
    for field in build_fields(bare, CampaignTerms(faction)):
        option = field.key.removeprefix("options.")
        if field.kind != "picks" or option == field.key:
            continue
        for choice, _ in field.choices:
            weapon = missiles.get(choice)
            if weapon is None or not weapon.long_range:
                continue
            build = {**bare, "options": {option: [choice]}}
            try:
                clean_build(build, CampaignTerms(faction))
            except RulesError:
                # It needs another choice with it, so players use the form.
                continue
            name = f"{profile.name}, {weapon.name}"
            yield ReadyBuild(
                key=f"{key}-{choice}", profile=key, name=name, build=build, usual=False
            )
