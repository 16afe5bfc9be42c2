"""The replay under the rules of En Garde!: random campaigns of real fighters, with rank-ups that
the rules offer."""

import json
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rulebook.chronicle.facts import (
    AnyFact,
    Corrected,
    Enrolled,
    Fought,
    Mustered,
    RankedUp,
    Recruit,
    Recruited,
    RulesChanged,
    decode,
    encode,
)
from rulebook.chronicle.replay import replay_chronicle, step
from rulebook.chronicle.states import WarbandState, roster_fighter
from rulebook.registry import find_ruleset, newest_ruleset
from rulebook.ruleset import (
    CampaignTerms,
    Deed,
    Fate,
    Outcome,
    RankUp,
    Record,
    RosterPurpose,
    RulesError,
    Severity,
)

RULES = newest_ruleset("en-garde")
LISTS = {
    "landsknechts": ("landsknecht", "doppelsoldner"),
    "conquistadors": ("militia", "soldier", "warhound", "veteran"),
    "ottoman-empire": ("yamak", "azab", "janissary"),
    "three-musketeers": ("servant",),
    "custom": ("rank-1", "rank-2", "rank-3"),
}
HOUSE_RULES = st.fixed_dictionaries(
    {"wounds_after": st.sampled_from(["heal", "grievous-roll"])},
    optional={
        "captives": st.sampled_from(["miss-next", "return", "held"]),
        "progression": st.sampled_from([True, True, True, False]),
        "fantastical": st.booleans(),
        "experience_per_wound": st.sampled_from(["each", "enemy", "once"]),
        "survival": st.sampled_from(["free", "alive", "standing"]),
        "promotion_characteristics": st.sampled_from(["rise", "kept"]),
        "promotion_profiles": st.sampled_from(["any", "same-move"]),
        "promotion_allowance": st.sampled_from(["on-top", "inside"]),
        "promotion_price": st.sampled_from(["recomputed", "unchanged"]),
        "promotion_equipment": st.sampled_from(["keep-and-gain", "profile-only"]),
        "prices": st.sampled_from(["corrected", "printed"]),
        "buckler_price": st.sampled_from(["list", "table"]),
    },
)
RECORDS = st.sampled_from(("fit", "fit", "fit", "grievous", "dead", "captured"))


def start(faction: str, profiles: list[str]) -> list[AnyFact]:
    """Return the facts of a warband of these profiles in a campaign, with fighters "0", "1" ..."""
    builds = [
        RULES.clean_build({"profile": profile}, CampaignTerms(faction)) for profile in profiles
    ]
    recruits = tuple(
        Recruit(str(number), f"Fighter {number}", build) for number, build in enumerate(builds)
    )
    return [
        Mustered(ruleset=RULES.key, edition=RULES.edition, faction=faction, name="Any"),
        Recruited(recruits=recruits),
        Enrolled(campaign="c", agreed_points=300, settings={"wounds_after": "grievous-roll"}),
    ]


def battle(state: WarbandState, draw: Any) -> Fought:
    """Return a battle of all fit fighters."""
    fit = [fighter for fighter in state.fighters.values() if fighter.fate is Fate.FIT]
    records = tuple(
        _record(fighter.id, fighter.rank, draw(RECORDS), draw(st.integers(1, 6))) for fighter in fit
    )
    deeds = tuple(
        Deed(
            fighter.id,
            "wound",
            fighter.rank,
            victim_name="Enemy",
            victim_rank=5,
            result="light",
            means="melee",
        )
        for fighter in fit
        for _ in range(draw(st.integers(0, 3)))
    )
    return Fought(battle="b", outcome=draw(st.sampled_from(Outcome)), records=records, deeds=deeds)


def _record(fighter: str, rank: int, end: str, die: int) -> Record:
    fate = Fate(end) if end in ("dead", "captured") else Fate.FIT
    wounds = "grievous" if end == "grievous" else ""
    return Record(fighter, rank, fate, survived=fate is Fate.FIT, wounds=wounds, recovery_roll=die)


def picked(build: Any, terms: CampaignTerms, offered: RankUp, draw: Any) -> dict[str, Any]:
    """Return some picks of a step, as far as they fit together."""
    picks: dict[str, Any] = {}
    for pick in offered.picks:
        keys = [key for key, _ in pick.choices]
        some = draw(st.lists(st.sampled_from(keys), max_size=pick.most, unique=True))
        more = {**picks, pick.key: some[0] if pick.key == "choice" and some else some}
        try:
            RULES.progression.take_rank_up(build, terms, offered.key, more)
        except RulesError:
            continue
        picks = more
    return picks


def rank_ups(state: WarbandState) -> list[tuple[str, RankUp]]:
    """Return every step that a fighter can pay for, with the fighter."""
    return [
        (fighter.id, offered)
        for fighter in state.fighters.values()
        if fighter.fate is Fate.FIT
        for offered in RULES.progression.rank_ups(roster_fighter(fighter), state.roster)
        if offered.cost <= fighter.experience
    ]


@st.composite
def campaigns(draw: Any) -> list[AnyFact]:
    faction = draw(st.sampled_from(sorted(LISTS)))
    history = start(
        faction, draw(st.lists(st.sampled_from(LISTS[faction]), min_size=2, max_size=6))
    )
    for _ in range(draw(st.integers(1, 6))):
        state = replay_chronicle(history, find_ruleset).state
        history.append(battle(state, draw))
        if draw(st.integers(0, 3)) == 0:
            history.append(RulesChanged(settings=draw(HOUSE_RULES)))
        state = replay_chronicle(history, find_ruleset).state
        offered = rank_ups(state)
        if offered:
            fighter, step = draw(st.sampled_from(offered))
            picks = picked(state.fighters[fighter].build, state.terms, step, draw)
            history.append(RankedUp(fighter=fighter, step=step.key, picks=picks))
    return history


def stored(state: WarbandState) -> WarbandState:
    return msgspec.convert(json.loads(json.dumps(msgspec.to_builtins(state))), WarbandState)


@settings(max_examples=40)
@given(campaigns())
def test_a_real_campaign_steps_as_it_replays_and_nothing_in_it_is_impossible(
    history: list[AnyFact],
) -> None:
    state = WarbandState()
    for fact in history:
        turned = step(state, decode(json.loads(json.dumps(encode(fact)))), find_ruleset)
        assert turned.conflicts == ()
        state = stored(turned.state)
    assert state == stored(replay_chronicle(history, find_ruleset).state)


@settings(max_examples=40)
@given(campaigns(), st.data())
def test_corrected_battle_equals_correct_history(
    history: list[AnyFact], data: st.DataObject
) -> None:
    target = data.draw(
        st.sampled_from([n for n, fact in enumerate(history, 1) if isinstance(fact, Fought)])
    )
    truth = battle(replay_chronicle(history[: target - 1], find_ruleset).state, data.draw)
    corrected = replay_chronicle(
        [*history, Corrected(target=target, replacement=truth)], find_ruleset
    )
    proper = replay_chronicle([*history[: target - 1], truth, *history[target:]], find_ruleset)
    assert (corrected.ledger, corrected.conflicts) == (proper.ledger, proper.conflicts)
    assert corrected.state == replace(proper.state, sequence=len(history) + 1)
    for fighter in proper.state.fighters.values():
        lines = [line for line in proper.ledger if line.fighter == fighter.id]
        assert fighter.experience == sum(line.amount for line in lines) >= 0


@settings(max_examples=40)
@given(campaigns())
def test_promotions_never_make_a_roster_forbidden(history: list[AnyFact]) -> None:
    state = replay_chronicle(history, find_ruleset).state
    problems = RULES.roster_problems(state.roster, RosterPurpose.CARRY_ON)
    assert not [problem for problem in problems if problem.severity is Severity.FORBIDS]
    for fighter in state.fighters.values():
        assert RULES.sheet(fighter.build, state.terms).points == fighter.points
