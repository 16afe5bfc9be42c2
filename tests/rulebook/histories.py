"""Random histories of warbands under the toy's rules, valid and invalid facts mixed."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from rulebook.chronicle.facts import (
    Adjusted,
    AnyFact,
    Appointed,
    Arranged,
    Enrolled,
    Equipped,
    Fought,
    Furnished,
    Left,
    Mustered,
    RankedUp,
    Recruit,
    Recruited,
    Renamed,
    RulesChanged,
    Withdrawn,
)
from rulebook.chronicle.replay import step
from rulebook.chronicle.states import WarbandState
from rulebook.ruleset import Deed, Fate, Outcome, Record
from tests.full_toy import find_toy
from tests.toy.ruleset import OPTIONS, PROFILES

MUSTERED = Mustered(ruleset="toy", edition="1", faction="reds", name="The Reds")
IDS = tuple(f"f{number}" for number in range(8))
Draw = Callable[[st.SearchStrategy[Any]], Any]

builds = st.fixed_dictionaries(
    {
        "profile": st.sampled_from(sorted(PROFILES)),
        "options": st.lists(st.sampled_from(sorted(OPTIONS)), unique=True).map(sorted),
    }
)
house_rules = st.fixed_dictionaries(
    {}, optional={"surviving": st.integers(0, 3), "missed_game": st.booleans()}
)
anybody = st.sampled_from(IDS)


def recruit(fighter: str, profile: str = "recruit") -> Recruit:
    """Return a recruit with its own id."""
    return Recruit(fighter, fighter.upper(), {"profile": profile, "options": []})


def recruited(*fighters: str) -> Recruited:
    """Return a fact by which Rank 1 fighters join."""
    return Recruited(recruits=tuple(recruit(fighter) for fighter in fighters))


def survived(fighter: str, **changes: Any) -> Record:
    """Return the record of a fighter who survived, unless the changes say otherwise."""
    return replace(Record(fighter, rank=1, fate=Fate.FIT), **changes)


def died(fighter: str) -> Record:
    """Return the record of a fighter who died."""
    return survived(
        fighter, fate=Fate.DEAD, survived=False, wounds="critical", killed_by="Black Tom"
    )


def fought(
    *records: Record, deeds: tuple[Deed, ...] = (), outcome: Outcome = Outcome.WON
) -> Fought:
    """Return a battle of this warband."""
    return Fought(battle="b", outcome=outcome, records=records, deeds=deeds)


def wounded(fighter: str, *, killed: bool = False) -> Deed:
    """Return a wound dealt to an enemy of Rank 3."""
    return Deed(
        fighter,
        "wound",
        1,
        victim="enemy",
        victim_name="Enemy",
        victim_rank=3,
        result="light",
        killed=killed,
    )


def told(*facts: AnyFact) -> WarbandState:
    """Return the state after these facts, one step after the other."""
    state = WarbandState()
    for fact in facts:
        state = step(state, fact, find_toy).state
    return state


@st.composite
def records(draw: Draw, fighter: str) -> Record:
    fate = draw(st.sampled_from((Fate.FIT, Fate.FIT, Fate.FIT, Fate.DEAD, Fate.CAPTURED)))
    return survived(
        fighter,
        fate=fate,
        survived=fate is Fate.FIT,
        wounds=draw(st.sampled_from(("", "light", "grievous"))),
        recovery_roll=draw(st.one_of(st.none(), st.integers(1, 6))),
    )


@st.composite
def battles(draw: Draw) -> Fought:
    """Draw a battle of some fighters, present or not, alive or not.

    About one in eight is friendly, and one in six parallel.
    """
    fielded = draw(st.lists(anybody, unique=True, min_size=1))
    deeds = draw(st.lists(st.sampled_from(fielded).map(wounded), max_size=4))
    return Fought(
        battle="b",
        outcome=draw(st.sampled_from(Outcome)),
        friendly=draw(st.integers(0, 7)) == 0,
        parallel=draw(st.integers(0, 5)) == 0,
        records=tuple(draw(records(fighter)) for fighter in fielded),
        deeds=tuple(deeds),
    )


def recruitments() -> st.SearchStrategy[Recruited]:
    """Return a strategy for one to three fighters joining, some perhaps for the second time."""
    recruit = st.builds(Recruit, fighter=anybody, name=st.text(max_size=8), build=builds)
    return st.builds(Recruited, recruits=st.lists(recruit, min_size=1, max_size=3).map(tuple))


facts: st.SearchStrategy[AnyFact] = st.one_of(
    recruitments(),
    battles(),
    battles(),
    st.builds(RankedUp, fighter=anybody, step=st.sampled_from(("veteran", "captain"))),
    st.builds(Equipped, fighter=anybody, build=builds),
    st.builds(Adjusted, fighter=anybody, experience=st.integers(-3, 6), reason=st.just("because")),
    st.builds(Left, fighter=anybody, reason=st.sampled_from(("retired", "struck"))),
    st.builds(
        Appointed,
        posts=st.dictionaries(
            st.sampled_from(("leader", "captain")), st.tuples(anybody), max_size=2
        ),
    ),
    st.builds(
        Arranged,
        order=st.lists(anybody, max_size=6).map(tuple),
        moved=st.dictionaries(anybody, st.sampled_from(("", "left")), max_size=2),
    ),
    st.builds(Renamed, fighter=st.none() | anybody, name=st.text(min_size=1, max_size=8)),
    st.builds(Furnished, extras=st.sampled_from(({}, {"banner": True}))),
    st.builds(Enrolled, campaign=st.sampled_from(("c", "d")), settings=house_rules),
    st.builds(Withdrawn, campaign=st.sampled_from(("c", "d"))),
    st.builds(RulesChanged, settings=house_rules),
)
histories: st.SearchStrategy[list[AnyFact]] = st.builds(
    lambda first, rest: [MUSTERED, first, *rest], recruitments(), st.lists(facts, max_size=20)
)
