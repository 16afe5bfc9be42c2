"""Properties of builds: cleaning twice changes nothing, prices add up, JSON goes round, nonsense is
only refused."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from rulebook.ruleset import CampaignTerms, RulesError
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.builds import from_json, offered_by, to_json
from rulebook.systems.en_garde.rosters.forms import clean_build
from rulebook.systems.en_garde.rosters.sheets import fighter_facts, sheet
from tests.soak import made_up

FACTIONS = sorted(catalogue.catalogue().factions)
OPEN = {"fantastical": True, "poison": True, "barding_for_lists": True}
KEYS = sorted(
    {
        *catalogue.catalogue().arms.items,
        *catalogue.catalogue().attributes,
        "weapon-master:sword",
        "nonsense",
    }
)


@st.composite
def forms(draw: st.DrawFn) -> tuple[dict[str, object], CampaignTerms]:
    """Draw a form with plausible picks; many are legal."""
    faction = catalogue.faction(draw(st.sampled_from(FACTIONS)))
    profile = draw(st.sampled_from(faction.profiles))
    options: dict[str, list[str]] = {}
    for option in profile.options:
        offered = [key for key in offered_by(option, True) if option.kind != "crew"]
        if offered:
            options[option.key] = draw(st.lists(st.sampled_from(offered), max_size=option.most))
    raw: dict[str, object] = {"profile": profile.key, "options": options}
    if profile.choice:
        raw["choice"] = draw(st.sampled_from(profile.choice))
    if faction.kind == "custom":
        raw["equipment"] = draw(st.lists(st.sampled_from(KEYS), max_size=4))
        raw["characteristics"] = {"fight": draw(st.integers(0, 10))}
        raw["move"] = draw(st.sampled_from(["", "slow", "infantry", "fast", "cavalry"]))
    return raw, CampaignTerms(
        faction.key, {}, {**OPEN, "prices": draw(st.sampled_from(["corrected", "printed"]))}
    )


@given(forms())
@made_up("random builds", 400, sample=100)
def test_cleaning_a_clean_build_changes_nothing(form):
    raw, terms = form
    try:
        clean = clean_build(raw, terms)
    except RulesError:
        return
    assert clean_build(clean, terms) == clean


@given(forms())
@made_up("random builds", 400, sample=100)
def test_a_price_is_the_sum_of_its_lines_and_a_sheet_agrees_with_the_facts(form):
    raw, terms = form
    try:
        clean = clean_build(raw, terms)
    except RulesError:
        return
    card, facts = sheet(clean, terms), fighter_facts(clean, terms)
    assert sum(line.points for line in card.price.lines) == card.price.points == card.points
    assert all(line.points for line in card.price.lines)
    assert (facts.rank, facts.points, facts.profile_name) == (
        card.rank,
        card.points,
        card.profile_name,
    )


@given(forms())
@made_up("random builds", 200, sample=50)
def test_a_canonical_build_survives_json(form):
    raw, terms = form
    try:
        clean = clean_build(raw, terms)
    except RulesError:
        return
    assert msgspec.json.decode(msgspec.json.encode(clean)) == clean
    assert to_json(from_json(clean)) == clean


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from(KEYS) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*KEYS, "key", "weapon"]), inner, max_size=3)
    ),
    max_leaves=6,
)
PROFILES = sorted(catalogue.catalogue().profiles)
FIELDS = [
    "choice",
    "options",
    "name",
    "characteristics",
    "move",
    "equipment",
    "spells",
    "kept",
    "rubbish",
]
OPTIONS = sorted(
    {
        option.key
        for profile in catalogue.catalogue().profiles.values()
        for option in profile.options
    }
)
PICKS = st.dictionaries(
    st.sampled_from(OPTIONS), st.lists(st.sampled_from(KEYS), max_size=3) | JSON, max_size=3
)
KEPT = st.fixed_dictionaries(
    {},
    optional={
        "equipment": st.lists(st.sampled_from(KEYS)),
        "attributes": st.lists(st.sampled_from(KEYS)),
    },
)


@given(
    st.sampled_from(PROFILES),
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4),
    st.fixed_dictionaries({}, optional={"options": PICKS, "kept": KEPT}),
)
@made_up("random builds", 500, sample=125)
def test_nonsense_is_refused_and_never_breaks_anything(profile, rubbish, plausible):
    terms = CampaignTerms(profile.partition("/")[0], {}, OPEN)
    try:
        clean = clean_build({**rubbish, **plausible, "profile": profile}, terms)
    except RulesError as error:
        assert all(
            problem.code and problem.sentence and problem.field for problem in error.problems
        )
    else:
        assert clean_build(clean, terms) == clean
        assert sheet(clean, terms).points == fighter_facts(clean, terms).points
