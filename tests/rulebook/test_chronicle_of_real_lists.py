"""The fold under the rules of En Garde!: random campaigns of real fighters, with the rank-ups that the rules offer."""

import json
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.chronicle import replay, step
from rulebook.facts import AnyFact, Enrolled, Fought, Mustered, RankedUp, Recruit, Recruited, decode, encode
from rulebook.registry import find_ruleset, newest_ruleset
from rulebook.ruleset import Deed, Fate, Outcome, Record, RosterPurpose, Severity, Terms
from rulebook.states import WarbandState, roster_fighter

RULES = newest_ruleset("en-garde")
LISTS = {
    "landsknechts": ("landsknecht", "doppelsoldner"),
    "conquistadors": ("militia", "soldier", "warhound", "veteran"),
    "ottoman-empire": ("yamak", "azab", "janissary"),
    "three-musketeers": ("servant",),
    "custom": ("rank-1", "rank-2", "rank-3"),
}
RECORDS = st.sampled_from(("fit", "fit", "fit", "grievous", "dead", "captured"))


def start(faction: str, profiles: list[str]) -> list[AnyFact]:
    """A warband of these profiles in a campaign, fighters "0", "1" ..."""
    builds = [RULES.clean_build({"profile": profile}, Terms(faction)) for profile in profiles]
    recruits = tuple(Recruit(str(number), f"Fighter {number}", build) for number, build in enumerate(builds))
    return [
        Mustered(ruleset=RULES.key, edition=RULES.edition, faction=faction, name="Any"),
        Recruited(recruits=recruits),
        Enrolled(campaign="c", agreed_points=300, settings={"wounds_after": "grievous-roll"}),
    ]


def battle(state: WarbandState, draw: Any) -> Fought:
    """A battle of everybody who is fit."""
    fit = [fighter for fighter in state.fighters.values() if fighter.fate is Fate.FIT]
    records = tuple(_record(fighter.id, fighter.rank, draw(RECORDS), draw(st.integers(1, 6))) for fighter in fit)
    deeds = tuple(
        Deed(fighter.id, "wound", fighter.rank, victim_name="Enemy", victim_rank=5, result="light", means="melee")
        for fighter in fit
        for _ in range(draw(st.integers(0, 3)))
    )
    return Fought(battle="b", outcome=draw(st.sampled_from(Outcome)), records=records, deeds=deeds)


def _record(fighter: str, rank: int, end: str, die: int) -> Record:
    fate = Fate(end) if end in ("dead", "captured") else Fate.FIT
    wounds = "grievous" if end == "grievous" else ""
    return Record(fighter, rank, fate, survived=fate is Fate.FIT, wounds=wounds, recovery_roll=die)


def rank_ups(state: WarbandState) -> list[RankedUp]:
    """Every step that somebody can pay for."""
    return [
        RankedUp(fighter=fighter.id, step=offered.key)
        for fighter in state.fighters.values()
        if fighter.fate is Fate.FIT
        for offered in RULES.rank_ups(roster_fighter(fighter), state.roster)
        if offered.cost <= fighter.experience
    ]


@st.composite
def campaigns(draw: Any) -> list[AnyFact]:
    faction = draw(st.sampled_from(sorted(LISTS)))
    history = start(faction, draw(st.lists(st.sampled_from(LISTS[faction]), min_size=2, max_size=6)))
    for _ in range(draw(st.integers(1, 6))):
        state = replay(history, find_ruleset).state
        history.append(battle(state, draw))
        offered = rank_ups(replay(history, find_ruleset).state)
        if offered:
            history.append(draw(st.sampled_from(offered)))
    return history


def stored(state: WarbandState) -> WarbandState:
    return msgspec.convert(json.loads(json.dumps(msgspec.to_builtins(state))), WarbandState)


@settings(max_examples=40)
@given(campaigns())
def test_a_real_campaign_steps_as_it_replays_and_nothing_in_it_is_impossible(history: list[AnyFact]) -> None:
    state = WarbandState()
    for fact in history:
        turned = step(state, decode(json.loads(json.dumps(encode(fact)))), find_ruleset)
        assert turned.conflicts == ()
        state = stored(turned.state)
    assert state == stored(replay(history, find_ruleset).state)


@settings(max_examples=40)
@given(campaigns())
def test_promotions_never_make_a_roster_forbidden(history: list[AnyFact]) -> None:
    state = replay(history, find_ruleset).state
    problems = RULES.roster_problems(state.roster, RosterPurpose.CARRY_ON)
    assert not [problem for problem in problems if problem.severity is Severity.FORBIDS]
    for fighter in state.fighters.values():
        assert RULES.sheet(fighter.build, state.terms).points == fighter.points
