"""Taking a rank-up: what may be picked with it, what is refused, and careers to the top."""

from typing import Any

import pytest

from rulebook.ruleset import RankUp, Roster
from rulebook.systems.en_garde.experience.rank_ups import rank_ups, take_rank_up
from rulebook.systems.en_garde.rosters.builds import from_json
from rulebook.systems.en_garde.rosters.loadouts import loadout
from tests.rulebook.en_garde.rising import OPEN, RUNGS, step, steps, violations
from tests.rulebook.en_garde.rosters import build, fighter, terms

LANDSKNECHTS = terms("landsknechts")


def test_taking_a_step_with_picks_prices_them():
    old = build("landsknecht", LANDSKNECHTS)
    picks = {
        "exchange-pike": "halberd",
        "attributes": [{"key": "weapon-master", "weapon": "halberd"}, "tough"],
    }
    taken = take_rank_up(old, LANDSKNECHTS, "landsknechts/doppelsoldner", picks)
    assert (taken.name, taken.rank, taken.cost, taken.points) == ("Doppelsoldner", 3, 5, 22 + 1 + 6)
    assert taken.build["options"]["attributes"] == ["tough", "weapon-master:halberd"]


@pytest.mark.parametrize(("list_key", "key", "leads"), [rung for rung in RUNGS if rung[2]])
def test_taking_a_step_without_picks_gives_what_was_offered(list_key: str, key: str, leads: str):
    on = terms(list_key, **OPEN)
    old = build(key, on)
    for each in steps(list_key, key, **OPEN):
        taken = take_rank_up(old, on, each.key, {})
        assert (taken.build, taken.rank, taken.cost) == (each.build, each.rank, each.cost)
        assert (taken.points, taken.name) == (each.points_after, each.name)


@pytest.mark.parametrize("more", [{}, {"barding_for_lists": True}], ids=["plain", "barding"])
@pytest.mark.parametrize(("list_key", "key", "leads"), [rung for rung in RUNGS if rung[2]])
def test_every_pick_that_is_offered_can_be_taken(
    list_key: str, key: str, leads: str, more: dict[str, Any]
):
    on = terms(list_key, **OPEN, **more)
    old = build(key, on)
    for each in steps(list_key, key, **OPEN, **more):
        for pick in each.picks:
            for choice, _ in pick.choices:
                picks: dict[str, Any] = {pick.key: [choice] if pick.key != "choice" else choice}
                lacking = violations(old, on, each.key, picks)
                assert violations(old, on, each.key, {**picks, **remedies(each, lacking)}) == []


REMEDIES = {
    "not-mounted": "mount",
    "attribute-missing": "commander",
    "too-much-armour": "exchange-shield",
}
MAGIC = {"attributes": ["magician"]}


def remedies(rank_up: RankUp, lacking: list[str]) -> dict[str, list[str]]:
    """Return what the same step offers to fulfil the conditions of a pick.

    Examples are a mount, a Commander's rank, or no shield.
    """
    if lacking == ["no-magician"]:
        worn = [pick.key for pick in rank_up.picks if pick.key == "exchange-shield"]
        return MAGIC | {key: ["great-weapon"] for key in worn}
    keys = {REMEDIES[code] for code in lacking}
    return {pick.key: [pick.choices[0][0]] for pick in rank_up.picks if pick.key in keys}


@pytest.mark.parametrize(
    ("code", "key", "picks"),
    [
        ("unknown-rank-up", "landsknechts/oberst", {}),
        ("unknown-rank-up", "nonsense", {}),
        ("unknown-option", "landsknechts/doppelsoldner", {"mount": "horse"}),
        ("not-offered", "landsknechts/doppelsoldner", {"attributes": ["charming"]}),
        (
            "too-many-picks",
            "landsknechts/doppelsoldner",
            {"attributes": ["tough", "agile", "dodge"]},
        ),
        ("wrong-rank", "landsknechts/doppelsoldner", {"attributes": ["lucky"]}),
        ("weapon-missing", "landsknechts/doppelsoldner", {"attributes": ["weapon-master"]}),
    ],
)
def test_an_illegal_step_or_pick_is_refused(code, key, picks):
    assert code in violations(build("landsknecht", LANDSKNECHTS), LANDSKNECHTS, key, picks)


def test_an_attribute_that_was_kept_cannot_be_picked_again():
    on = terms("cardinals-guard")
    old = build({"profile": "officer", "options": {"attributes": ["tough"]}}, on)
    assert "attribute-twice" in violations(
        old, on, "cardinals-guard/senior-officer", {"attributes": ["tough"]}
    )


def test_kept_attributes_can_fill_the_allowance():
    on = terms("cardinals-guard", promotion_allowance="inside")
    old = build({"profile": "officer", "options": {"attributes": ["tough"]}}, on)
    assert violations(old, on, "cardinals-guard/senior-officer", {"attributes": ["agile"]}) == []
    assert "too-many-picks" in violations(
        old, on, "cardinals-guard/senior-officer", {"attributes": ["agile", "dodge"]}
    )


@pytest.mark.parametrize(
    ("list_key", "raw", "key", "rules", "most"),
    [
        ("three-musketeers", "servant", "custom/rank-2", {}, 1),
        ("custom", "rank-3", "custom/rank-4", {}, 3),
        (
            "custom",
            {"profile": "rank-3", "options": {"attributes": ["scout"]}},
            "custom/rank-4",
            {},
            3,
        ),
        (
            "custom",
            {"profile": "rank-3", "options": {"attributes": ["scout", "archer"]}},
            "custom/rank-4",
            {"promotion_allowance": "inside"},
            1,
        ),
    ],
    ids=["a servant", "custom", "custom with an Attribute", "counted in"],
)
def test_base_profile_allows_only_attributes_of_rank(list_key, raw, key, rules, most):
    on = terms(list_key, **rules)
    picks = ["agile", "dodge", "fast", "tough"]
    (offered,) = (pick for pick in step(list_key, raw, **rules).picks if pick.key == "attributes")
    assert offered.most == most
    assert violations(build(raw, on), on, key, {"attributes": picks[:most]}) == []
    assert violations(build(raw, on), on, key, {"attributes": picks[: most + 1]}) == [
        "too-many-picks"
    ]


def test_highest_rank_cannot_rank_up():
    on = terms("cardinals-guard")
    assert violations(build("general", on), on, "cardinals-guard/general", {}) == ["no-rank-up"]


@pytest.mark.parametrize(
    ("list_key", "key"),
    [(list_key, key) for list_key, key, _ in RUNGS if list_key not in ("fantastical",)],
)
def test_a_career_can_be_climbed_to_the_top(list_key: str, key: str):
    on = terms(list_key)
    current = build(key, on)
    riser = fighter(0, current, on)
    while offered := rank_ups(riser, Roster(on, (riser,))):
        taken = take_rank_up(current, on, offered[-1].key, first_attribute(offered[-1]))
        assert build(taken.build, on) == taken.build
        current = dict(taken.build)
        riser = fighter(0, current, on, promoted=True)
    profile = loadout(from_json(current)).profile
    assert profile.rank == 5 or profile.unique or not profile.promotes


def first_attribute(rank_up: RankUp) -> dict[str, list[str]]:
    return {pick.key: [pick.choices[0][0]] for pick in rank_up.picks if pick.key == "attributes"}
