"""The rules alone: replay a chronicle, apply one fact, offer rank-ups. No database."""

import sys
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice

import msgspec
from msgspec.structs import replace

from rulebook.battle_log import play
from rulebook.chronicle.facts import (
    AnyFact,
    Enrolled,
    Fought,
    Mustered,
    RankedUp,
    Recruit,
    Recruited,
    encode,
)
from rulebook.chronicle.replay import replay_chronicle, step
from rulebook.chronicle.states import ReplayResult, WarbandState
from rulebook.registry import find_ruleset, newest_ruleset
from rulebook.ruleset import (
    BattleSetup,
    CampaignTerms,
    FieldedFighter,
    FieldedSide,
    LoggedEvent,
    RankUp,
    SideResult,
)
from scripts.bench.findings import Finding, at_least_a_second, at_most_seconds
from scripts.bench.forces import BUILDS, FACTION, sixty_events
from scripts.bench.timing import Pair, side_by_side
from warbands.roster_rules import affordable_rank_ups

RULES = newest_ruleset("en-garde")
TERMS = CampaignTerms(FACTION)
VETERAN = 20
"""Experience that pays for any rank-up."""


def rule_findings(battles: int, turns: int) -> list[Finding]:
    """Return the findings for the rules; ``battles`` is the length of the chronicle."""
    chronicle = chronicle_of(battles)
    return [*_replaying(chronicle, turns), *_offering(turns)]


def chronicle_of(battles: int) -> list[AnyFact]:
    """Return the facts of a warband of twenty after this many battles, with rank-ups."""
    names = [f"fighter-{place}" for place in range(len(BUILDS))]
    recruits = tuple(
        Recruit(name, name, RULES.clean_build(build, TERMS))
        for name, build in zip(names, BUILDS, strict=True)
    )
    facts: list[AnyFact] = [
        Mustered(ruleset=RULES.key, edition=RULES.edition, faction=FACTION, name="The Bench"),
        Recruited(recruits=recruits),
        Enrolled(campaign="campaign", agreed_points=500),
    ]
    state = replay_chronicle(facts, find_ruleset).state
    for number in range(battles):
        for fact in _evening(state, number):
            state = step(state, fact, find_ruleset).state
            facts.append(fact)
    return facts


def _evening(state: WarbandState, number: int) -> list[AnyFact]:
    """Return a battle, and a rank-up for the first fighter who can pay for one after it."""
    fought = _fought(state, number)
    return [fought, *_rises(step(state, fought, find_ruleset).state)]


def _fought(state: WarbandState, number: int) -> Fought:
    side_result = _result(state)
    return Fought(
        battle=f"battle-{number}",
        title=f"Battle {number}",
        scenario="skirmish",
        fought_on="2026-01-01",
        side=side_result.side,
        role="warband",
        against=("The Others",),
        outcome=side_result.outcome,
        victory_points=side_result.victory_points,
        records=side_result.records,
        deeds=side_result.deeds,
    )


def _result(state: WarbandState) -> SideResult:
    ours, theirs = list(state.fighters), [f"enemy-{place}" for place in range(len(BUILDS))]
    people = list(state.fighters.values())
    us = [FieldedFighter(each.id, each.name, each.build, each.rank, each.points) for each in people]
    them = [replace(each, id=name) for each, name in zip(us, theirs, strict=True)]
    sides = (
        FieldedSide("a", "We", "warband", FACTION, tuple(us)),
        FieldedSide("b", "They", "warband", FACTION, tuple(them)),
    )
    events = tuple(
        LoggedEvent(place, *event)
        for place, event in enumerate(sixty_events(ours, theirs), start=1)
    )
    return RULES.result(play.replay(RULES.log, BattleSetup("skirmish", sides), events)).sides[0]


def _rises(state: WarbandState) -> list[RankedUp]:
    offers = affordable_rank_ups(RULES, state)
    return [
        RankedUp(fighter=fighter, step=steps[0].key) for fighter, steps in list(offers.items())[:1]
    ]


def _replaying(chronicle: list[AnyFact], turns: int) -> list[Finding]:
    stored = [msgspec.json.encode(encode(fact)) for fact in chronicle]
    last = max(place for place, fact in enumerate(chronicle) if isinstance(fact, Fought))
    before = replay_chronicle(chronicle[:last], find_ruleset).state
    whole = side_by_side(
        partial(replay_chronicle, chronicle, find_ruleset), partial(_decode, stored), turns
    )
    pair = side_by_side(
        partial(_step, before, chronicle[last]),
        partial(_decode, stored[last : last + 1]),
        turns * 5,
    )
    battles = sum(isinstance(fact, Fought) for fact in chronicle)
    remark = f"{len(chronicle)} facts, {sum(map(len, stored)) / 2**20:.1f} MiB of JSON."
    return [
        at_most_seconds(
            f"Replay {len(BUILDS)} fighters over {battles} battles",
            whole,
            0.050,
            "decoding",
            remark,
        ),
        at_most_seconds(f"One battle further, after {battles}", pair, 0.002, "decoding"),
    ]


def _decode(stored: list[bytes]) -> list[AnyFact]:
    return [msgspec.json.decode(fact, type=AnyFact) for fact in stored]


def _step(state: WarbandState, fact: AnyFact) -> ReplayResult:
    return step(state, fact, find_ruleset)


def _offering(turns: int) -> list[Finding]:
    """Return findings for full rosters with cached builds, and for new builds."""
    lists = [faction["key"] for faction in RULES.catalogue({})["factions"]]
    full = [veterans_of(faction, len(BUILDS)) for faction in lists]
    single = [veterans_of(faction) for faction in lists]
    warm = side_by_side(partial(_offers, full), partial(msgspec.json.encode, _offers(full)), turns)
    cold = side_by_side(
        forgetful(partial(_offers, single)), partial(msgspec.json.encode, _offers(single)), turns
    )
    return [
        _offered(
            f"Rank-up options, rosters of {len(BUILDS)}",
            warm,
            full,
            5000,
            "Every list; builds are remembered.",
        ),
        _offered(
            "Rank-up options, every build new",
            cold,
            single,
            None,
            "One of each profile; nothing is remembered.",
        ),
    ]


def _offered(
    what: str, pair: Pair, states: list[WarbandState], least: float | None, remark: str
) -> Finding:
    fighters = sum(len(state.fighters) for state in states)
    return at_least_a_second(
        what, pair, fighters, least, "encoding", f"{fighters} fighters. {remark}"
    )


def veterans_of(faction: str, size: int | None = None) -> WarbandState:
    """Return a warband of the profiles of a faction in turn, or of one each.

    Every fighter can pay for any rank-up.
    """
    terms = CampaignTerms(faction, settings={"fantastical": True})
    listed = next(each for each in RULES.catalogue({})["factions"] if each["key"] == faction)
    builds = [
        RULES.clean_build({"profile": profile["key"]}, terms) for profile in listed["profiles"]
    ]
    served = islice(cycle(builds), len(builds) if size is None else size)
    recruits = tuple(Recruit(f"f{place}", f"f{place}", build) for place, build in enumerate(served))
    mustered = Mustered(ruleset=RULES.key, edition=RULES.edition, faction=faction, name="The Bench")
    enrolled = Enrolled(campaign="campaign", settings=terms.settings)
    state = replay_chronicle([mustered, enrolled, Recruited(recruits=recruits)], find_ruleset).state
    rich = {key: replace(fighter, experience=VETERAN) for key, fighter in state.fighters.items()}
    return replace(state, fighters=rich)


def _offers(states: list[WarbandState]) -> list[dict[str, tuple[RankUp, ...]]]:
    return [affordable_rank_ups(RULES, state) for state in states]


def forgetful(work: Callable[[], object]) -> Callable[[], object]:
    """Return the work with all bounded caches of the rules emptied first.

    Unbounded caches hold the faction lists, and are kept.
    """
    modules = [module for name, module in sys.modules.items() if name.startswith("rulebook.")]
    caches = [
        each
        for module in modules
        for each in vars(module).values()
        if hasattr(each, "cache_parameters")
    ]
    bounded = [each for each in caches if each.cache_parameters()["maxsize"] is not None]

    def forget_and_work() -> object:
        for each in bounded:
            each.cache_clear()
        return work()

    return forget_and_work
