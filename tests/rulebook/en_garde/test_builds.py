"""Builds: the friendly form, the one canonical form, and every problem of a build, each code both
ways."""

import pytest

from rulebook.ruleset import RulesError
from rulebook.systems.en_garde.rosters.builds import from_json
from rulebook.systems.en_garde.rosters.forms import clean_build
from rulebook.systems.en_garde.rosters.loadouts import loadout
from tests.rulebook.en_garde.rosters import build, codes, problems, terms

LANDSKNECHTS = terms("landsknechts")
CUSTOM = terms("custom")
STRANGE = terms("custom", fantastical=True, poison=True)


def test_a_build_says_only_what_was_chosen():
    raw = {
        "profile": "doppelsoldner",
        "options": {
            "attributes": [{"key": "weapon-master", "weapon": "sword"}, "fearless"],
            "exchange-pike": "halberd",
        },
    }
    assert build(raw, LANDSKNECHTS) == {
        "profile": "landsknechts/doppelsoldner",
        "options": {
            "exchange-pike": ["halberd"],
            "attributes": ["fearless", "weapon-master:sword"],
        },
    }


def test_true_takes_the_only_thing_that_an_option_offers():
    raw = {"profile": "hauptmann", "options": {"exchange-medium-armour": True}}
    assert build(raw, LANDSKNECHTS)["options"] == {"exchange-medium-armour": ["heavy-armour"]}


@pytest.mark.parametrize("nothing", [None, False, [], ""])
def test_an_option_that_is_not_taken_leaves_no_trace(nothing):
    assert build({"profile": "oberst", "options": {"mount": nothing}}, LANDSKNECHTS) == build(
        "oberst", LANDSKNECHTS
    )


def test_a_free_choice_falls_on_the_first_weapon_if_nothing_is_said():
    guard = terms("cardinals-guard")
    assert build("guard", guard)["choice"] == "hand-weapon"
    assert build({"profile": "guard", "choice": "sword"}, guard)["choice"] == "sword"


def test_an_ally_is_named_with_its_list():
    assert build("aztecs/peasant", terms("conquistadors")) == {"profile": "aztecs/peasant"}


def test_a_custom_build_forgets_what_its_base_profile_says_anyway():
    raw = {"profile": "rank-2", "characteristics": {"fight": 2, "shoot": 1}, "name": "  Old   Tom "}
    assert build(raw, CUSTOM) == {
        "profile": "custom/rank-2",
        "characteristics": {"shoot": 1},
        "name": "Old Tom",
    }


def test_an_exchange_gives_up_one_thing_for_another():
    raw = {"profile": "landsknecht", "options": {"exchange-pike": "matchlock"}}
    outfit = loadout(from_json(build(raw, LANDSKNECHTS)))
    assert outfit.equipment == ("sword", "medium-armour", "matchlock")


def test_what_a_fighter_may_have_is_added_and_takes_nothing_away():
    """Ruling P30."""
    halberd = loadout(
        from_json(build({"profile": "hauptmann", "options": {"weapon": "halberd"}}, LANDSKNECHTS))
    )
    assert halberd.gear == {"sword", "medium-armour", "halberd"}
    guard = {"profile": "guard", "choice": "sword", "options": {"weapon": "matchlock"}}
    assert loadout(from_json(build(guard, terms("cardinals-guard")))).gear == {"sword", "matchlock"}


def test_a_mounted_fighter_moves_as_cavalry():
    oberst = from_json(build({"profile": "oberst", "options": {"mount": "horse"}}, LANDSKNECHTS))
    assert (loadout(oberst).move, loadout(oberst).mounted) == ("cavalry", True)


def test_a_flying_fighter_moves_fast():
    flier = build({"profile": "rank-4", "options": {"attributes": ["fly"]}}, STRANGE)
    assert loadout(from_json(flier)).move == "fast"


def test_a_horse_master_of_the_akinci_carries_bow_and_horse():
    outfit = loadout(from_json(build("akinci", terms("ottoman-empire"))))
    assert outfit.gear == {"hand-weapon", "bow", "horse"}
    assert outfit.knows == {"archer", "horse-master"}


GOOD_AND_BAD = [
    ("unknown-profile", "landsknechts", "oberst", "obrist"),
    ("no-profile", "landsknechts", {"profile": "oberst"}, {"profile": ""}),
    ("profile-not-in-list", "landsknechts", "oberst", "aztecs/peasant"),
    ("profile-not-in-list", "landsknechts", "oberst", "custom/rank-2"),
    (
        "unknown-option",
        "landsknechts",
        {"profile": "oberst", "options": {"mount": "horse"}},
        {"profile": "hauptmann", "options": {"mount": "horse"}},
    ),
    (
        "not-offered",
        "landsknechts",
        {"profile": "landsknecht", "options": {"exchange-pike": "crossbow"}},
        {"profile": "landsknecht", "options": {"exchange-pike": "halberd"}},
    ),
    (
        "not-offered",
        "border-reivers",
        {"profile": "reiver", "options": {"scout-or-archer": "archer"}},
        {"profile": "reiver", "options": {"scout-or-archer": "tough"}},
    ),
    (
        "not-offered",
        "english-civil-war",
        {"profile": "horse", "options": {"commander": True, "attributes": "tough"}},
        {"profile": "horse", "options": {"attributes": "commander"}},
    ),
    (
        "too-many-picks",
        "conquistadors",
        {"profile": "veteran", "options": {"weapon": "pike"}},
        {"profile": "veteran", "options": {"weapon": ["pike", "buckler"]}},
    ),
    (
        "too-many-picks",
        "english-civil-war",
        {"profile": "horse", "options": {"pistol": ["pistol", "pistol"]}},
        {"profile": "horse", "options": {"pistol": ["pistol", "pistol", "pistol"]}},
    ),
    (
        "not-mounted",
        "conquistadors",
        {"profile": "hidalgo", "options": {"mount": "horse", "lance": True}},
        {"profile": "hidalgo", "options": {"lance": True}},
    ),
    (
        "not-mounted",
        "english-civil-war",
        {"profile": "general", "options": {"mount": "horse", "exchange-medium-armour": True}},
        {"profile": "general", "options": {"exchange-medium-armour": True}},
    ),
    (
        "attribute-missing",
        "conquistadors",
        {"profile": "soldier", "options": {"commander": True, "halberd": True}},
        {"profile": "soldier", "options": {"halberd": True}},
    ),
    (
        "not-alone",
        "conquistadors",
        {"profile": "soldier", "options": {"scout": True}},
        {"profile": "soldier", "options": {"scout": True, "weapon": "pike"}},
    ),
    (
        "crew-is-not-picked",
        "landsknechts",
        "landsknecht",
        {"profile": "landsknecht", "options": {"crew": "swivel-gun"}},
    ),
    (
        "choice-not-offered",
        "cardinals-guard",
        {"profile": "guard", "choice": "sword"},
        {"profile": "guard", "choice": "halberd"},
    ),
    (
        "attribute-twice",
        "landsknechts",
        {"profile": "oberst", "options": {"attributes": ["tough"]}},
        {"profile": "oberst", "options": {"attributes": ["commander"]}},
    ),
    (
        "weapon-missing",
        "landsknechts",
        {"profile": "oberst", "options": {"attributes": ["weapon-master:sword"]}},
        {"profile": "oberst", "options": {"attributes": ["weapon-master"]}},
    ),
    (
        "unknown-weapon",
        "border-reivers",
        {"profile": "lord", "options": {"attributes": ["sharpshooter:bow"]}},
        {"profile": "lord", "options": {"attributes": ["sharpshooter:sword"]}},
    ),
    (
        "no-weapon-needed",
        "landsknechts",
        {"profile": "oberst", "options": {"attributes": ["tough"]}},
        {"profile": "oberst", "options": {"attributes": ["tough:sword"]}},
    ),
    (
        "wrong-rank",
        "landsknechts",
        {"profile": "oberst", "options": {"attributes": ["lucky"]}},
        {"profile": "hauptmann", "options": {"attributes": ["lucky"]}},
    ),
    (
        "custom-only",
        "landsknechts",
        {"profile": "oberst", "characteristics": {"fight": 5}},
        {"profile": "oberst", "characteristics": {"fight": 6}},
    ),
    ("no-magician", "landsknechts", "oberst", {"profile": "oberst", "spells": ["heal"]}),
    ("no-pick", "landsknechts", "oberst", {"profile": "oberst", "options": {"weapon": True}}),
    ("unknown-field", "landsknechts", "oberst", {"profile": "oberst", "weapons": ["sword"]}),
    ("bad-field", "landsknechts", "oberst", {"profile": "oberst", "options": ["horse"]}),
]


@pytest.mark.parametrize(("code", "list_key", "good", "bad"), GOOD_AND_BAD)
def test_each_problem_of_a_build_is_found_and_only_there(code, list_key, good, bad):
    assert codes(good, terms(list_key)) == []
    assert code in codes(bad, terms(list_key))


CUSTOM_GOOD_AND_BAD = [
    ("unknown-item", {"equipment": ["sword"]}, {"equipment": ["katana"]}),
    (
        "unknown-weapon",
        {"equipment": ["sword", "poison:sword"]},
        {"equipment": ["sword", "poison:katana"]},
    ),
    (
        "slot-taken",
        {"equipment": ["light-armour"]},
        {"equipment": ["light-armour", "heavy-armour"]},
    ),
    ("slot-taken", {"equipment": ["shield"]}, {"equipment": ["shield", "buckler"]}),
    ("slot-taken", {"equipment": ["horse"]}, {"equipment": ["horse", "warhorse"]}),
    ("not-mounted", {"equipment": ["horse", "light-barding"]}, {"equipment": ["light-barding"]}),
    ("weapon-missing", {"equipment": ["musket", "bayonet"]}, {"equipment": ["bayonet"]}),
    (
        "weapon-missing",
        {"equipment": ["sword", "poison:sword"]},
        {"equipment": ["sword", "poison:dagger"]},
    ),
    ("no-weapon-needed", {"equipment": ["sword"]}, {"equipment": ["sword", "horse:sword"]}),
    ("already-carried", {"equipment": ["pistol", "pistol"]}, {"equipment": ["sword", "sword"]}),
    ("not-for-sale", {"equipment": ["light-armour"]}, {"equipment": ["natural-armour"]}),
    ("not-for-sale", {"equipment": ["staff"]}, {"equipment": ["staff-of-solomon"]}),
    ("not-for-sale", {"equipment": ["pistol"]}, {"equipment": ["pistol-in-close-combat"]}),
    ("out-of-range", {"characteristics": {"fight": 10}}, {"characteristics": {"fight": 11}}),
    ("out-of-range", {"characteristics": {"fight": 0}}, {"characteristics": {"fight": -1}}),
    ("unknown-movement", {"move": "slow"}, {"move": "teleport"}),
    (
        "wrong-rank",
        {"profile": "rank-3", "options": {"attributes": "magician"}},
        {"options": {"attributes": "magician"}},
    ),
    (
        "too-much-armour",
        {"profile": "rank-3", "equipment": ["light-armour"], "options": {"attributes": "magician"}},
        {
            "profile": "rank-3",
            "equipment": ["light-armour", "shield"],
            "options": {"attributes": "magician"},
        },
    ),
    (
        "too-many-spells",
        {
            "profile": "rank-3",
            "options": {"attributes": "magician"},
            "spells": ["heal", "mist", "stun"],
        },
        {
            "profile": "rank-3",
            "options": {"attributes": "magician"},
            "spells": ["heal", "mist", "stun", "summon"],
        },
    ),
    (
        "too-many-spells",
        {"profile": "rank-3", "options": {"attributes": "magician"}, "spells": ["heal"]},
        {"profile": "rank-3", "options": {"attributes": "magician"}, "spells": ["heal", "heal"]},
    ),
    (
        "unknown-spell",
        {"profile": "rank-3", "options": {"attributes": "magician"}, "spells": ["heal"]},
        {"profile": "rank-3", "options": {"attributes": "magician"}, "spells": ["fireball"]},
    ),
]


@pytest.mark.parametrize(("code", "good", "bad"), CUSTOM_GOOD_AND_BAD)
def test_each_problem_of_a_custom_build_is_found_and_only_there(code, good, bad):
    assert codes({"profile": "rank-2", **good}, STRANGE) == []
    assert code in codes({"profile": "rank-2", **bad}, STRANGE)


@pytest.mark.parametrize(
    ("setting", "code", "list_key", "raw"),
    [
        ("fantastical", "fantastical-not-allowed", "landsknechts", "fantastical/beast"),
        (
            "fantastical",
            "fantastical-not-allowed",
            "custom",
            {"profile": "rank-3", "equipment": ["holy-relic"]},
        ),
        (
            "fantastical",
            "not-offered",
            "custom",
            {"profile": "rank-3", "options": {"attributes": ["fly"]}},
        ),
        (
            "fantastical",
            "not-offered",
            "landsknechts",
            {"profile": "oberst", "options": {"attributes": ["huge"]}},
        ),
        (
            "poison",
            "poison-not-allowed",
            "custom",
            {"profile": "rank-3", "equipment": ["sword", "poison:sword"]},
        ),
        (
            "barding_for_lists",
            "unknown-option",
            "landsknechts",
            {"profile": "oberst", "options": {"mount": "horse", "barding": "light-barding"}},
        ),
    ],
)
def test_a_campaign_decides_what_may_be_bought(setting, code, list_key, raw):
    assert code in codes(raw, terms(list_key))
    assert codes(raw, terms(list_key, **{setting: True})) == []


def test_barding_needs_a_mount_and_a_profile_that_can_ride():
    on = terms("landsknechts", barding_for_lists=True)
    assert "not-mounted" in codes(
        {"profile": "oberst", "options": {"barding": "light-barding"}}, on
    )
    assert "unknown-option" in codes(
        {"profile": "hauptmann", "options": {"barding": "light-barding"}}, on
    )


def test_milady_has_poison_whatever_the_campaign_sells():
    assert codes("milady-de-winter", terms("cardinals-guard")) == []


def test_all_problems_come_at_once_each_with_field_and_way_out():
    raw = {
        "profile": "doppelsoldner",
        "choice": "axe",
        "options": {"mount": "horse", "exchange-pike": "bow"},
        "x": 1,
    }
    errors = problems(raw, LANDSKNECHTS)
    assert {problem.field for problem in errors} == {
        "x",
        "options.mount",
        "options.exchange-pike",
        "choice",
    }
    pike = next(problem for problem in errors if problem.field == "options.exchange-pike")
    assert pike.value == "bow"
    assert "great-weapon, matchlock, crossbow or halberd" in pike.sentence


@pytest.mark.parametrize(
    "nonsense", [None, [], "oberst", 5, {}, {"profile": 5}, {"profile": ["oberst"]}]
)
def test_nonsense_build_is_refused(nonsense):
    with pytest.raises(RulesError):
        clean_build(nonsense, LANDSKNECHTS)


@pytest.mark.parametrize(
    "stored", [None, [], {}, {"profile": 1}, {"profile": "a/b", "x": 1}, {"profile": object()}]
)
def test_a_stored_build_that_cannot_be_read_is_refused(stored):
    with pytest.raises(RulesError):
        from_json(stored)


def test_an_unknown_list_or_house_rule_is_refused():
    with pytest.raises(RulesError, match="landsknechts"):
        build("oberst", terms("martians"))
    with pytest.raises(RulesError, match="cheap"):
        build("oberst", terms("landsknechts", prices="cheap"))
