"""Builds that players field often.

Ordinary fighters with each missile weapon that their list offers, and custom fighters with weapons:
their base profiles have none.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain

from rulebook.ruleset import CampaignTerms, RulesError
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Profile
from rulebook.systems.en_garde.rosters.forms import build_fields, clean_build
from rulebook.values.rosters import ReadyBuild

RANK_AND_FILE = 3
"""The highest Rank of ordinary fighters. Players arm those of higher Ranks one by one."""

OWN_WEAPON = "hand-weapon"
"""The weapon of custom fighters until their player chooses others. It costs nothing."""
OWN_MISSILES = ("bow", "crossbow", "matchlock")
"""The missile weapons of custom fighters that are offered with one tap."""


@cache
def ready_builds(faction: str) -> tuple[ReadyBuild, ...]:
    """Return one build for each long-range weapon of each profile of a list, unique fighters left
    out.

    Custom fighters have a usual build as well, so that none is unarmed.
    """
    army = catalogue.faction(faction)
    if army.kind == "custom":
        return tuple(chain.from_iterable(_custom(faction, each) for each in army.profiles))
    return tuple(chain.from_iterable(_armed(faction, profile.key) for profile in army.profiles))


def _custom(faction: str, profile: Profile) -> Iterator[ReadyBuild]:
    """Yield the builds of a base profile: with a hand weapon, and with a missile weapon as well."""
    missiles = OWN_MISSILES if profile.rank <= RANK_AND_FILE else ()
    for equipment in ((OWN_WEAPON,), *((OWN_WEAPON, missile) for missile in missiles)):
        weapon = equipment[-1]
        yield ReadyBuild(
            key=f"{profile.key}-{weapon}",
            profile=profile.key,
            name=f"{profile.name}, {catalogue.item_name(weapon)}",
            build={"profile": f"{faction}/{profile.key}", "equipment": [*equipment]},
            usual=weapon == OWN_WEAPON,
        )


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
