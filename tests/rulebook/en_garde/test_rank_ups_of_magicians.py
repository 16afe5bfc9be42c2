"""Magic and rank-ups: armour that forbids it, and the spells that a new Rank brings. Rule book:
"Magicians"."""

from typing import Any

from rulebook.systems.en_garde.experience.rank_ups import take_rank_up
from tests.rulebook.en_garde.rising import OPEN, step, steps, violations
from tests.rulebook.en_garde.rosters import build, codes, terms

MAGICIAN = {
    "profile": "janissary",
    "options": {"attributes": ["magician"]},
    "spells": ["heal", "mist", "stun"],
}


def test_magic_is_offered_where_the_armour_can_be_light_enough():
    def offered(list_key: str, raw: Any, key: str) -> bool:
        picks = {pick.key: dict(pick.choices) for pick in step(list_key, raw, key, **OPEN).picks}
        return "magician" in picks["attributes"]

    assert offered("ottoman-empire", "azab", "janissary")
    assert offered("aztecs", "macehualli", "military-order")
    assert not offered("landsknechts", "landsknecht", "doppelsoldner")
    armoured = {"profile": "soldier", "options": {"exchange-light-armour": True}}
    assert not offered("conquistadors", armoured, "veteran")


def test_a_magician_rises_to_no_profile_whose_armour_forbids_magic():
    (rank_up,) = steps("ottoman-empire", MAGICIAN, **OPEN)
    assert (rank_up.key, rank_up.name) == ("custom/rank-4", "Janissary at Rank 4")
    assert "Magician" in rank_up.keeps
    assert steps("ottoman-empire", MAGICIAN, promotion_without_profile="none", **OPEN) == ()


def test_a_magician_who_rises_learns_as_many_spells_as_its_new_rank_allows():
    on = terms("custom", **OPEN)
    raw = {
        "profile": "rank-3",
        "options": {"attributes": ["magician"]},
        "spells": ["heal", "mist", "stun"],
    }
    old, rank_up = build(raw, on), step("custom", raw, **OPEN)
    (spells,) = (pick for pick in rank_up.picks if pick.key == "spells")
    assert (spells.most, spells.label, "heal" in dict(spells.choices)) == (1, "Spells", False)
    for choice in (["summon"], "summon"):
        assert take_rank_up(old, on, rank_up.key, {"spells": choice}).build["spells"] == [
            "heal",
            "mist",
            "stun",
            "summon",
        ]
    assert violations(old, on, rank_up.key, {"spells": ["summon", "armour"]}) == ["too-many-spells"]
    assert take_rank_up(old, on, rank_up.key, {}).build["spells"] == ["heal", "mist", "stun"]


def test_who_may_become_a_magician_is_offered_the_spells_with_it():
    on = terms("ottoman-empire", **OPEN)
    rank_up = step("ottoman-empire", "azab", "janissary", **OPEN)
    (spells,) = (pick for pick in rank_up.picks if pick.key == "spells")
    assert (spells.most, spells.label) == (3, "Spells; with Magician")
    old = build("azab", on)
    learned = take_rank_up(
        old, on, rank_up.key, {"attributes": "magician", "spells": ["heal", "mist"]}
    )
    assert learned.build["spells"] == ["heal", "mist"]
    assert violations(old, on, rank_up.key, {"spells": ["heal"]}) == ["no-magician"]
    assert "spells" not in [pick.key for pick in step("ottoman-empire", "azab", "janissary").picks]


def test_a_shield_that_cannot_be_exchanged_a_second_time_forbids_magic_too():
    raw = {
        "profile": "military-order",
        "options": {"exchange-shield": True, "attributes": ["magician"]},
    }
    assert (
        step("aztecs", {**raw, "spells": ["heal", "mist", "stun"]}, **OPEN).key == "custom/rank-4"
    )
    picks = {pick.key: dict(pick.choices) for pick in step("aztecs", EXCHANGED, **OPEN).picks}
    assert "magician" not in picks["attributes"]


EXCHANGED = {"profile": "macehualli", "options": {"exchange-shield": "great-weapon"}}


def test_kept_magic_forbids_armour_as_chosen_magic_does():
    on = terms("ottoman-empire", **OPEN)
    kept = {
        "profile": "ottoman-empire/corbaci",
        "kept": {"attributes": ["magician"]},
        "spells": ["heal"],
    }
    assert "too-much-armour" in codes(kept, on)
