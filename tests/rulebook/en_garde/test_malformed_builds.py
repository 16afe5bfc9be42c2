"""Stored builds, purchases and picks of every wrong kind: each question answers, or says what
cannot be read."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.ruleset import (
    BattleSetup,
    CampaignTerms,
    FieldedFighter,
    FieldedSide,
    Roster,
    RosterFighter,
    RosterPurpose,
    RulesError,
)
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.extras import clean_extras
from rulebook.systems.en_garde.system import EnGarde
from tests.soak import made_up

RULES = EnGarde()
FOUND = catalogue.catalogue()
OPEN = {"fantastical": True, "poison": True, "barding_for_lists": True}
KEYS = sorted({*FOUND.arms.items, *FOUND.attributes, *FOUND.spells, *FOUND.rates})
STRANGE = [
    "",
    ":",
    "sword:",
    "a:b:c",
    "weapon-master:sword",
    "weapon-master:spoon",
    "poison:horse",
    "spoon",
]
OPTIONS = sorted({option.key for profile in FOUND.profiles.values() for option in profile.options})
WORDS = st.sampled_from([*KEYS, *STRANGE])
PICKS = st.lists(WORDS, max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=5,
)
NUMBERS = st.dictionaries(
    st.sampled_from(["combat_pool", "initiative", "fight", "shoot"]),
    st.integers(-5, 30),
    max_size=3,
)
KEPT = st.fixed_dictionaries(
    {}, optional={"numbers": NUMBERS, "equipment": PICKS, "attributes": PICKS}
)
PURCHASES = st.dictionaries(
    st.sampled_from(["morale", "banner", "ordnance", "template", "spoons"]), JSON, max_size=3
)


@st.composite
def stored_builds(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a build as a chronicle might store it: mostly of the right shape, with some known
    values.
    """
    profile = draw(st.sampled_from(sorted(FOUND.profiles)))
    own = [option.key for option in FOUND.profiles[profile].options] or OPTIONS
    fields = {
        "choice": WORDS,
        "options": st.dictionaries(
            st.sampled_from(own) | st.sampled_from(OPTIONS), PICKS, max_size=3
        ),
        "characteristics": NUMBERS,
        "move": WORDS,
        "equipment": PICKS,
        "spells": PICKS,
        "kept": KEPT,
    }
    build = draw(st.fixed_dictionaries({}, optional=fields))
    return {"profile": profile, **build}


def answered(question: Callable[..., Any], *about: Any) -> Any:
    """Return the answer of the rules; None if they raise RulesError with a reason."""
    try:
        return question(*about)
    except RulesError as error:
        assert all(problem.code and problem.sentence for problem in error.problems)
        return None


@given(stored_builds(), st.booleans())
@made_up("builds of every wrong kind", 400, sample=100)
def test_a_stored_build_is_answered_or_refused(build: dict[str, Any], promoted: bool) -> None:
    terms = CampaignTerms(build["profile"].partition("/")[0], {}, OPEN)
    facts, card = answered(RULES.fighter_facts, build, terms), answered(RULES.sheet, build, terms)
    assert (facts is None) == (card is None)
    assert card is None or card.points == facts.points
    answered(RULES.clean_build, build, terms)
    answered(RULES.progression.rank_up_cost, build, terms)
    fighter = RosterFighter("f", "F", build, promoted=promoted)
    answered(RULES.progression.rank_ups, fighter, Roster(terms, (fighter,)))


@given(
    st.lists(stored_builds(), min_size=1, max_size=4),
    st.sampled_from(sorted(FOUND.factions)),
    PURCHASES,
)
@made_up("builds of every wrong kind", 200, sample=50)
def test_roster_reports_each_unreadable_build(
    builds: list[dict[str, Any]], faction: str, extras: dict[str, Any]
) -> None:
    fighters = tuple(RosterFighter(f"f{number}", "F", build) for number, build in enumerate(builds))
    roster = Roster(CampaignTerms(faction, {}, OPEN), fighters, {"leader": ("f0",)})
    blamed = {
        fighter
        for problem in RULES.roster_problems(roster, RosterPurpose.ENROL)
        for fighter in problem.fighters
    }
    unreadable = {
        each.id
        for each in fighters
        if answered(RULES.fighter_facts, each.build, roster.terms) is None
    }
    assert unreadable <= blamed
    assert RULES.roster_totals(roster).fighters == len(fighters) - len(unreadable)
    answered(RULES.roster_totals, Roster(CampaignTerms(faction, extras, OPEN), fighters))
    answered(
        RULES.roster_problems,
        Roster(CampaignTerms(faction, extras, OPEN), fighters),
        RosterPurpose.RECRUIT,
    )


@given(stored_builds(), PURCHASES)
@made_up("builds of every wrong kind", 150, sample=37)
def test_forces_of_such_builds_are_checked_or_refused(
    build: dict[str, Any], extras: dict[str, Any]
) -> None:
    faction = build["profile"].partition("/")[0]
    sides = tuple(
        FieldedSide(
            key,
            key,
            "warband",
            faction,
            (FieldedFighter(key, key, build, 2, 8, ("leader",)),),
            extras=extras,
        )
        for key in ("a", "b")
    )
    answered(RULES.force_problems, BattleSetup("skirmish", sides, settings=OPEN))


@given(st.sampled_from(sorted(FOUND.factions)), JSON | PURCHASES)
@made_up("builds of every wrong kind", 300, sample=75)
def test_purchases_are_cleaned_or_refused(faction: str, raw: Any) -> None:
    clean = answered(clean_extras, raw, CampaignTerms(faction))
    assert clean is None or clean_extras(clean, CampaignTerms(faction)) == clean


@given(
    st.sampled_from(sorted(FOUND.profiles)),
    st.sampled_from(sorted(FOUND.profiles)),
    JSON,
    st.data(),
)
@made_up("builds of every wrong kind", 300, sample=75)
def test_picks_of_a_rank_up_are_taken_or_refused(
    profile: str, key: str, picks: Any, data: st.DataObject
) -> None:
    terms = CampaignTerms(profile.partition("/")[0], {}, OPEN)
    offered = [
        step.key
        for step in RULES.progression.rank_ups(
            RosterFighter("f", "F", {"profile": profile}), Roster(terms, ())
        )
    ]
    chosen = data.draw(st.sampled_from([key, *offered]))
    plausible = data.draw(
        st.dictionaries(st.sampled_from([*OPTIONS, "choice", "spells"]), JSON, max_size=2)
    )
    answered(RULES.progression.take_rank_up, {"profile": profile}, terms, chosen, picks)
    answered(RULES.progression.take_rank_up, {"profile": profile}, terms, chosen, plausible)


@pytest.mark.parametrize(
    ("build", "field", "value"),
    [
        ({"profile": "landsknechts/oberst", "options": {"hat": ["feather"]}}, "options.hat", "hat"),
        (
            {"profile": "landsknechts/oberst", "options": {"weapon": ["sword"]}},
            "options.weapon",
            "sword",
        ),
        (
            {"profile": "landsknechts/oberst", "options": {"attributes": ["brave"]}},
            "options.attributes",
            "brave",
        ),
        ({"profile": "landsknechts/oberst", "choice": "sword"}, "choice", "sword"),
        (
            {"profile": "landsknechts/oberst", "kept": {"attributes": ["brave"]}},
            "kept.attributes",
            "brave",
        ),
        (
            {"profile": "landsknechts/oberst", "kept": {"equipment": ["katana"]}},
            "kept.equipment",
            "katana",
        ),
        ({"profile": "custom/rank-2", "equipment": ["poison:spoon"]}, "equipment", "spoon"),
        ({"profile": "custom/rank-2", "move": "flying"}, "move", "flying"),
        ({"profile": "custom/rank-2", "spells": ["fireball"]}, "spells", "fireball"),
    ],
)
def test_a_stored_build_with_an_unknown_thing_is_refused_by_field_and_value(
    build: Mapping[str, Any], field: str, value: str
) -> None:
    with pytest.raises(RulesError) as error:
        RULES.fighter_facts(build, CampaignTerms("custom", {}, OPEN))
    assert [(problem.field, problem.value) for problem in error.value.problems] == [(field, value)]
