"""Properties of rosters: their order means nothing, sums add up, and a fighter who leaves removes
only their own problems."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rulebook.ruleset import (
    BuildData,
    CampaignTerms,
    Problem,
    Roster,
    RosterFighter,
    RosterPurpose,
    RulesError,
    Severity,
)
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.assembled_roster import default_leader, roster_totals
from rulebook.systems.en_garde.rosters.builds import offered_by
from rulebook.systems.en_garde.rosters.forms import clean_build
from rulebook.systems.en_garde.rosters.roster_problems import roster_problems
from rulebook.systems.en_garde.rosters.sheets import fighter_facts
from tests.soak import made_up

FACTIONS = sorted(catalogue.catalogue().factions)
HOUSE_RULES = st.fixed_dictionaries(
    {"fantastical": st.booleans()},
    optional={
        "legality": st.sampled_from(["strict", "warn"]),
        "composition": st.sampled_from(["list", "list-and-template"]),
        "missile_limit": st.sampled_from(["long-range", "all"]),
        "share_rounding": st.sampled_from(["exact", "at-least-one"]),
        "size_limit": st.sampled_from(["warn", "forbid"]),
        "rank_5_limit": st.sampled_from(["one", "any"]),
        "ally_prices": st.sampled_from(["printed", "adjusted"]),
        "strict_characteristics": st.booleans(),
    },
)


def sources(terms: CampaignTerms) -> list[str]:
    """Return the lists from which a warband may take fighters, as far as this test covers them."""
    allies = catalogue.faction(terms.faction).composition.allies
    return [
        terms.faction,
        *([allies] if allies else []),
        *(["fantastical"] if terms.settings["fantastical"] else []),
    ]


@st.composite
def forms(draw: st.DrawFn, terms: CampaignTerms) -> BuildData | None:
    """Draw a legal build; None if the drawn one is not legal."""
    profile = draw(
        st.sampled_from(catalogue.faction(draw(st.sampled_from(sources(terms)))).profiles)
    )
    reference = next(key for key, each in catalogue.catalogue().profiles.items() if each is profile)
    options = {
        option.key: [draw(st.sampled_from(offered_by(option, False)))]
        for option in profile.options
        if option.kind != "crew" and draw(st.integers(0, 3)) == 0
    }
    try:
        return clean_build({"profile": reference, "options": options}, terms)
    except RulesError:
        return None


@st.composite
def rosters(draw: st.DrawFn) -> Roster:
    """Draw a roster of legal fighters of one list, sometimes with a banner or guns.

    The roster as a whole may be illegal.
    """
    faction = catalogue.faction(draw(st.sampled_from(FACTIONS)))
    house_rules = draw(HOUSE_RULES) | (
        {"fantastical": True} if faction.kind == "fantastical" else {}
    )
    guns = (
        draw(st.lists(st.sampled_from(faction.composition.guns), max_size=2))
        if faction.composition.guns
        else []
    )
    extras: dict[str, Any] = {
        "banner": draw(st.booleans()),
        "ordnance": [{"gun": gun} for gun in guns],
    }
    terms = CampaignTerms(faction.key, extras, house_rules)
    builds = [build for build in draw(st.lists(forms(terms), max_size=12)) if build is not None]
    fighters = tuple(
        RosterFighter(
            f"f{number:02}", f"Fighter {number}", build, promoted=draw(st.integers(0, 9)) == 0
        )
        for number, build in enumerate(builds)
    )
    posts = {"leader": (draw(st.sampled_from(fighters)).id,)} if fighters else {}
    return Roster(terms, fighters, posts=posts, points_limit=draw(st.sampled_from([None, 50, 300])))


def whole(problems: tuple[Problem, ...]) -> set[tuple[str, Severity]]:
    return {(problem.code, problem.severity) for problem in problems}


def guilty(problems: tuple[Problem, ...]) -> set[tuple[str, str]]:
    """Return the fighters of each problem with its code.

    Uncrewed guns are left out, as any fighter could have served them.
    """
    return {
        (problem.code, key)
        for problem in problems
        for key in problem.fighters
        if not problem.code.startswith("gun-crew")
    }


@given(rosters(), st.randoms(use_true_random=False), st.sampled_from(RosterPurpose))
@made_up("random rosters", 250, sample=62)
def test_a_roster_is_as_legal_in_any_order(
    roster: Roster, luck: Any, purpose: RosterPurpose
) -> None:
    shuffled = list(roster.fighters)
    luck.shuffle(shuffled)
    other = Roster(
        roster.terms, tuple(shuffled), posts=roster.posts, points_limit=roster.points_limit
    )
    before, after = roster_problems(roster, purpose), roster_problems(other, purpose)
    assert whole(before) == whole(after)
    assert guilty(before) == guilty(after)
    assert roster_totals(roster) == roster_totals(other)


@given(rosters())
@made_up("random rosters", 200, sample=50)
def test_a_roster_is_worth_its_fighters_and_its_purchases(roster: Roster) -> None:
    totals = roster_totals(roster)
    fighters = sum(fighter_facts(each.build, roster.terms).points for each in roster.fighters)
    assert totals.points == fighters + sum(line.points for line in totals.lines)
    assert totals.fighters == len(roster.fighters)
    needed = int(totals.figure("morale_test_after") or 0)
    assert needed * 4 >= totals.fighters > (needed - 1) * 4 or not roster.fighters


@given(rosters())
@made_up("random rosters", 200, sample=50)
def test_who_leads_by_default_is_the_highest_of_those_who_can(roster: Roster) -> None:
    named = default_leader(roster)
    able = [each for each in roster.fighters if catalogue.profile(str(each.build["profile"])).leads]
    facts = {each.id: fighter_facts(each.build, roster.terms) for each in able}
    assert (named is None) == (not able)
    if named is not None:
        best = max((fact.rank, fact.points) for fact in facts.values())
        assert (facts[named].rank, facts[named].points) == best
        led = Roster(roster.terms, roster.fighters, {"leader": (named,)})
        codes = {each.code for each in roster_problems(led, RosterPurpose.ENROL)}
        assert not codes & {"leader-missing", "leader-absent", "leader-not-eligible"}


@given(rosters())
@made_up("random rosters", 200, sample=50)
def test_a_lenient_campaign_finds_the_same_and_forbids_nothing(roster: Roster) -> None:
    lenient = CampaignTerms(
        roster.terms.faction, roster.terms.extras, {**roster.terms.settings, "legality": "warn"}
    )
    strict = CampaignTerms(
        roster.terms.faction, roster.terms.extras, {**roster.terms.settings, "legality": "strict"}
    )
    lenient_problems, strict_problems = (
        roster_problems(
            Roster(on, roster.fighters, roster.posts, roster.points_limit), RosterPurpose.ENROL
        )
        for on in (lenient, strict)
    )
    assert {problem.code for problem in lenient_problems} == {
        problem.code for problem in strict_problems
    }
    assert {problem.severity for problem in lenient_problems} <= {Severity.WARNS}


@given(rosters())
@made_up("random rosters", 200, sample=50)
def test_a_fighter_who_is_to_blame_for_something_is_there(roster: Roster) -> None:
    ids = {each.id for each in roster.fighters}
    for problem in roster_problems(roster, RosterPurpose.ENROL):
        assert set(problem.fighters) <= ids
        assert problem.sentence.endswith(".")
