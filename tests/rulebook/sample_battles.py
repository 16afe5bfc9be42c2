"""A battle of each registered rule system, for tests of all of them.

The systems of books have their own battles and referees. Any other system gets a battle of its
ready builds, which is played by the offers of its table, so a new system needs no code in any
test.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from msgspec.structs import replace

from rulebook.battle_log.play import Play, open_play
from rulebook.registry import newest_ruleset
from rulebook.ruleset import (
    BattleSetup,
    CampaignTerms,
    FieldedFighter,
    FieldedSide,
    LoggedEvent,
    Roster,
    RosterFighter,
    Ruleset,
)
from scripts.demo.campaigns import REFEREES
from scripts.demo.referees.en_garde import referee
from tests.rulebook.argad import field as argad
from tests.rulebook.avant_garde import field as avant_garde
from tests.rulebook.conformance import askers, carried_out, plain_event, random_sheet, tried
from tests.rulebook.en_garde.refereed import battle
from tests.rulebook.wards import field as wards

Events = tuple[LoggedEvent, ...]
SETUPS: Mapping[str, Callable[[int], BattleSetup]] = {
    "en-garde": battle,
    "argad": lambda seed: argad.setup(),
    "wards": lambda seed: wards.setup(),
    "avant-garde": lambda seed: avant_garde.setup(),
}
"""Functions that make a battle of each system of a book from a seed."""
FIGHTERS, TURNS = 6, 6


def setup_of(key: str, seed: int) -> BattleSetup:
    """Return a battle of a rule system before its first event."""
    return SETUPS[key](seed) if key in SETUPS else sample_setup(newest_ruleset(key))


@cache
def refereed(key: str, seed: int) -> tuple[BattleSetup, Events]:
    """Return a battle played by the demonstration's referee; without one, by the table's offers.

    It is played once for all tests of a process.
    """
    setup = setup_of(key, seed)
    if key not in SETUPS:
        return setup, sample_events(newest_ruleset(key), setup, seed)
    play = REFEREES[key].battle if key in REFEREES else referee
    return setup, play(setup, Random(seed))


def sample_setup(rules: Ruleset) -> BattleSetup:
    """Return a battle of the first scenario with two sides or more, each with ready builds."""
    scenario, factions = rules.scenarios()[0], rules.catalogue({})["factions"]
    roles = [role.key for role in scenario.roles for _ in range(role.least)]
    roles += [scenario.roles[0].key] * (2 - len(roles))
    lists = [factions[place % len(factions)] for place in range(len(roles))]
    sides = (
        _side(rules, "abcdefgh"[place], role, lists[place]) for place, role in enumerate(roles)
    )
    return BattleSetup(scenario.key, tuple(sides))


def _side(rules: Ruleset, key: str, role: str, faction: Mapping[str, object]) -> FieldedSide:
    name = str(faction["key"])
    terms, profiles = (
        CampaignTerms(name),
        [each.profile for each in rules.build_forms if each.faction == name],
    )
    builds = [each.build for each in rules.ready_builds(name)]
    builds = builds or [rules.starting_build(name, profile) for profile in profiles]
    fighters = []
    for place in range(FIGHTERS):
        build = rules.clean_build(builds[place % len(builds)], terms)
        fighters.append(RosterFighter(f"{key}{place}", f"{key.upper()}lf {place}", build))
    posts = rules.default_posts(Roster(terms, tuple(fighters)))
    fielded = []
    for each in fighters:
        facts = rules.fighter_facts(each.build, terms)
        held = tuple(post for post, holders in posts.items() if each.id in holders)
        fielded.append(
            FieldedFighter(each.id, each.name, each.build, facts.rank, facts.points, held)
        )
    return FieldedSide(key, f"Side {key.upper()}", role, name, tuple(fielded))


def sample_events(rules: Ruleset, setup: BattleSetup, seed: int) -> Events:
    """Return a log of some turns in which everybody does the first offer, and the end if legal."""
    play, luck = open_play(rules.log, setup), Random(seed)
    if rules.at_table(play) is None:
        return random_sheet(rules, setup, luck, FIGHTERS)
    for _ in range(TURNS):
        play = _first_done(rules, play, luck, askers(rules, play), starts=True)
        for who in askers(rules, play):
            play = _first_done(rules, play, luck, [who], starts=False)
    for kind in rules.log.kinds.values():
        end = plain_event(rules, play, kind.key) if kind.ends_battle else None
        if end is not None and tried(play, end) == ():
            return (*play.events(), end)
    return play.events()


def _first_done(
    rules: Ruleset, play: Play[Any], luck: Random, people: Sequence[str], *, starts: bool
) -> Play[Any]:
    """Return the play after the first possible action of a turn, or that ``starts`` a turn."""
    for who in people:
        view = rules.at_table(play, who)
        for each in view.actions if view else ():
            kind = rules.log.kinds[each.kind]
            if not kind.turn_by_turn or kind.starts_turn != starts or each.hurdle:
                continue
            without_light = replace(
                each, fields=tuple(field for field in each.fields if field.key != "light")
            )
            if (after := carried_out(play, without_light, luck)) is not None:
                return after
    return play
