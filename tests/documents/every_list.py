"""Rosters of every list of every rule system, built from their catalogues without a database."""

from collections.abc import Collection, Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from documents.content.documents import WarbandRoster
from documents.content.people import Player
from documents.content.rosters import roster_sheet
from documents.content.visible_pictures import Album
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.registry import newest_ruleset, rulesets
from rulebook.ruleset import CampaignTerms, Fate, RulesError, Ruleset
from rulebook.values.fields import Field, nested
from warbands.models import Warband

FIRST = ("Rodrigo", "Jean-Baptiste", "Heinz", "Margarete", "Sir Humphrey", "Ocelotl", "Wolf")
LAST = ("de Villalobos", "Sauvageot", "Pfeiffer", "of Carrock", "Żółkiewski", "du Plessis-Morin")
GROUPS = ("Van", "Main", "Rearguard")
TRIES = 60


def every_list() -> list[tuple[str, str]]:
    """Return the keys of each rule system with those of its lists."""
    return [
        (rules.key, each["key"]) for rules in rulesets() for each in rules.catalogue({})["factions"]
    ]


def full_roster(
    ruleset: str, faction: str, number: int = 20, options: Collection[str] = (), dead: int = 0
) -> WarbandRoster:
    """Return a roster of ``number`` fighters of a list, with random equipment.

    It has all profiles in turn, in groups if the rules have groups. The first ``dead`` fighters
    are dead.
    """
    rules = newest_ruleset(ruleset)
    terms = CampaignTerms(faction, {}, {"fantastical": True} if faction == "fantastical" else {})
    fighters = {each.id: each for each in _fighters(rules, terms, number)}
    assert len(fighters) == number, (ruleset, faction, len(fighters))
    fighters |= {each.id: replace(each, fate=Fate.DEAD) for each in [*fighters.values()][:dead]}
    state = WarbandState(
        ruleset=rules.key,
        edition=rules.edition,
        faction=faction,
        name="The Long Company",
        settings=terms.settings,
        agreed_points=500,
        won=3,
        lost=2,
        fighters=fighters,
    )
    warband = Warband(ruleset=rules.key, edition=rules.edition, faction=faction, name=state.name)
    roster = roster_sheet(
        warband, state, Player("Bob", "#7a2e2e", "The Long Winter"), options, pictures=Album()
    )
    return WarbandRoster(
        state.name, "Warband roster", "2026-03-07", rules.name, roster, "The Long Winter"
    )


def _fighters(rules: Ruleset, terms: CampaignTerms, number: int) -> Iterator[FighterState]:
    listed = next(each for each in rules.catalogue({})["factions"] if each["key"] == terms.faction)
    profiles = [each["key"] for each in listed["profiles"]]
    chance = Random(f"{rules.key} {terms.faction}")
    for place in range(number):
        build = _armed(rules, terms, profiles[place % len(profiles)], chance)
        facts = rules.fighter_facts(build, terms)
        name = f"{FIRST[place % len(FIRST)]} {LAST[place % len(LAST)]}"
        yield FighterState(
            f"f{place}", name, build, facts.rank, facts.points, facts.profile_name, 3, place=place
        )


def _armed(rules: Ruleset, terms: CampaignTerms, profile: str, chance: Random) -> Any:
    """Return a build of a profile with random choices.

    If no tried choices fit together, return the bare build.
    """
    bare = rules.bare_build(terms.faction, profile)
    for _ in range(TRIES):
        chosen = {
            each.key: _chosen(rules, each, chance) for each in rules.build_fields(bare, terms)
        }
        values = {key: value for key, value in chosen.items() if value not in (None, "")}
        try:
            return rules.clean_build({**bare, **nested(values)}, terms)
        except RulesError:
            continue
    return rules.clean_build(bare, terms)


def _chosen(rules: Ruleset, field: Field, chance: Random) -> Any:
    if field.key == rules.group_field:
        return chance.choice(GROUPS)
    if field.kind == "choice":
        return chance.choice(field.choices)[0]
    if field.kind == "list" and field.choices:
        return [key for key, _ in chance.sample(field.choices, min(2, len(field.choices)))]
    return None
