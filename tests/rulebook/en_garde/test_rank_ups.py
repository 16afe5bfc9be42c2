"""Rank-ups: where each profile leads, what it costs, gives, keeps, offers and does to the roster; and taking one."""

from typing import Any

import pytest

from rulebook.en_garde import catalogue
from rulebook.en_garde.builds import from_json
from rulebook.en_garde.loadouts import loadout
from rulebook.en_garde.rank_ups import rank_up_cost, rank_ups, take_rank_up
from rulebook.en_garde.sheets import sheet
from rulebook.ruleset import RankUp, Roster, RosterFighter, RulesError, Severity, Terms
from tests.rulebook.en_garde.rosters import build, codes, fighter, terms

COSTS = {1: 3, 2: 5, 3: 10, 4: 15}

# Where every profile leads; "custom" is the base profile of the next Rank, "" nowhere.
LADDERS = {
    "landsknechts": {
        "landsknecht": "doppelsoldner",
        "doppelsoldner": "hauptmann",
        "hauptmann": "oberst",
        "oberst": "",
    },
    "three-musketeers": {"athos": "", "aramis": "", "porthos": "", "dartagnan": "", "servant": "custom"},
    "cardinals-guard": {
        "ruffian": "guard",
        "guard": "officer",
        "officer": "senior-officer",
        "milady-de-winter": "",
        "senior-officer": "general",
        "general": "",
    },
    "conquistadors": {
        "militia": "soldier",
        "soldier": "veteran knight",
        "warhound": "",
        "veteran": "hidalgo",
        "knight": "hidalgo",
        "hidalgo": "general priest",
        "general": "",
        "priest": "",
    },
    "aztecs": {
        "peasant": "macehualli",
        "macehualli": "military-order",
        "military-order": "chieftain",
        "chieftain": "noble priest",
        "noble": "",
        "priest": "",
    },
    "border-reivers": {
        "broken-man": "reiver",
        "reiver": "veteran-reiver",
        "veteran-reiver": "chieftain",
        "chieftain": "lord",
        "lord": "",
    },
    "english-civil-war": {
        "militia": "regular-foot dragoon",
        "regular-foot": "veteran-foot horse",
        "dragoon": "horse veteran-foot",
        "veteran-foot": "life-guard",
        "horse": "life-guard",
        "life-guard": "general",
        "general": "",
    },
    "swashbucklers": {
        "seaman": "able-seaman",
        "able-seaman": "petty-officer",
        "petty-officer": "officer",
        "officer": "captain",
        "captain": "",
    },
    "ottoman-empire": {
        "yamak": "azab akinci",
        "azab": "janissary siphai",
        "akinci": "siphai janissary",
        "janissary": "boluk-bashi",
        "siphai": "boluk-bashi",
        "boluk-bashi": "corbaci",
        "corbaci": "",
    },
    "native-north-americans": {
        "peasant": "macehualli",
        "macehualli": "military-order",
        "military-order": "chieftain",
        "chieftain": "noble priest",
        "noble": "",
        "priest": "",
    },
    "custom": {"rank-1": "custom", "rank-2": "custom", "rank-3": "custom", "rank-4": "custom", "rank-5": ""},
    "fantastical": {
        "witch-hunter": "",
        "witch": "",
        "beast": "custom",
        "revenant": "custom",
        "barbarian": "",
        "thief": "",
    },
}
RUNGS = [(list_key, key, leads) for list_key, ladder in LADDERS.items() for key, leads in ladder.items()]
OPEN: dict[str, Any] = {"fantastical": True}


def steps(list_key: str, raw, **settings) -> tuple[RankUp, ...]:
    on = terms(list_key, **settings)
    one = fighter(0, raw, on)
    return rank_ups(one, Roster(on, (one,)))


def step(list_key: str, raw, key: str = "", **settings) -> RankUp:
    every = steps(list_key, raw, **settings)
    return next(each for each in every if each.key.endswith(key))


def test_every_profile_of_every_list_is_on_a_ladder():
    assert {(list_key, key) for list_key, key, _ in RUNGS} == {
        tuple(reference.split("/")) for reference in catalogue.catalogue().profiles
    }


@pytest.mark.parametrize(("list_key", "key", "leads"), RUNGS)
def test_a_profile_leads_where_the_list_says_its_own_movement_first(list_key: str, key: str, leads: str):
    rank = catalogue.profile(f"{list_key}/{key}").rank
    expected = [f"custom/rank-{rank + 1}" if each == "custom" else f"{list_key}/{each}" for each in leads.split()]
    assert [each.key for each in steps(list_key, key, **OPEN)] == expected


@pytest.mark.parametrize(("list_key", "key", "leads"), [rung for rung in RUNGS if rung[2]])
def test_a_step_costs_what_the_rank_costs_and_leads_to_a_sound_fighter(list_key: str, key: str, leads: str):
    on = terms(list_key, **OPEN)
    rank = catalogue.profile(f"{list_key}/{key}").rank
    for each in steps(list_key, key, **OPEN):
        assert (each.cost, each.rank) == (COSTS[rank], rank + 1)
        assert codes(each.build, on) == []
        assert each.build == build(each.build, on)
        assert each.sheet == sheet(each.build, on)
        assert each.sheet.points == each.points_after
        assert each.gains[0] == f"Rank {rank + 1}"
        assert not each.sheet.unique


@pytest.mark.parametrize(("list_key", "key", "leads"), [rung for rung in RUNGS if rung[2]])
def test_nobody_loses_anything_by_a_step(list_key: str, key: str, leads: str):
    on = terms(list_key, **OPEN)
    before = loadout(from_json(build(key, on)))
    for each in steps(list_key, key, **OPEN):
        after = loadout(from_json(each.build))
        for number in ("combat_pool", "initiative", "fight", "shoot"):
            assert getattr(after, number) >= getattr(before, number)
            assert getattr(after, number) >= getattr(after.profile, number)
        assert set(before.attributes) <= set(after.attributes)
        worn = {"light-armour", "medium-armour"}
        assert before.gear - worn <= after.gear


@pytest.mark.parametrize(
    ("profile", "cost"),
    [("ruffian", 3), ("guard", 5), ("officer", 10), ("senior-officer", 15), ("general", None)],
)
def test_each_rank_has_its_cost(profile: str, cost: int | None):
    assert rank_up_cost({"profile": f"cardinals-guard/{profile}"}, Terms("cardinals-guard")) == cost


def test_a_warhound_has_no_step_to_pay_for():
    assert rank_up_cost({"profile": "conquistadors/warhound"}, Terms("conquistadors")) is None


def test_a_landsknecht_becomes_a_doppelsoldner():
    crossbow = {"profile": "landsknecht", "options": {"exchange-pike": "crossbow"}}
    told = step("landsknechts", crossbow)
    assert told.gains == (
        "Rank 3",
        "Combat Pool 2 → 3",
        "Initiative 0 → 1",
        "Fight 2 → 3",
        "Shoot 0 → 1",
        "Pike",
    )
    assert told.keeps == ("Crossbow",)
    assert (told.points_before, told.points_after) == (16, 22 + 3)
    assert [pick.key for pick in told.picks] == ["exchange-medium-armour", "exchange-pike", "attributes"]


def test_becoming_a_knight_brings_the_horse():
    told = step("conquistadors", "soldier", "knight")
    assert {"Horse", "Cavalry movement", "Medium armour", "Commander"} <= set(told.gains)
    assert not told.offered_first
    assert told.points_after == 33


def test_better_armour_replaces_the_lesser():
    soldier = {"profile": "soldier", "options": {"exchange-light-armour": True}}
    assert loadout(from_json(step("conquistadors", soldier, "veteran").build)).gear == {"sword", "medium-armour"}
    heavy = {"profile": "doppelsoldner", "options": {"exchange-medium-armour": True}}
    told = step("landsknechts", heavy)
    assert told.sheet.points == 29 + 3 + 2
    assert told.keeps == ("Pike", "Heavy armour")


def test_numbers_that_were_better_stay_and_are_paid_for():
    told = step("conquistadors", "hidalgo", "priest")
    assert "Combat Pool 4" in told.keeps
    # The Priest's 16, then 2 x (2 + 2 + 2) for what is better, half an Initiative of 2 instead of 1, medium armour.
    assert told.points_after == 16 + 12 + 0 + 4


def test_attributes_are_kept_on_top_of_the_new_allowance():
    officer = {"profile": "officer", "options": {"attributes": ["tough"]}}
    told = step("cardinals-guard", officer)
    attributes = next(pick for pick in told.picks if pick.key == "attributes")
    assert attributes.most == 2
    assert "tough" not in dict(attributes.choices)
    assert "commander" not in dict(attributes.choices)
    assert told.keeps == ("Tough",)
    inside = step("cardinals-guard", officer, promotion_allowance="inside")
    assert next(pick for pick in inside.picks if pick.key == "attributes").most == 1


def test_a_horse_is_kept_and_not_offered_again():
    mounted = {"profile": "officer", "options": {"mount": "horse"}}
    told = step("cardinals-guard", mounted)
    assert told.sheet.characteristics[0].value == "Cavalry"
    assert "mount" not in [pick.key for pick in told.picks]
    assert told.points_after == 24 + 10


def test_a_free_choice_keeps_the_weapon_that_the_fighter_has():
    assert step("cardinals-guard", {"profile": "ruffian", "choice": "sword"}).build["choice"] == "sword"


def test_a_servant_rises_by_the_base_profile_under_its_old_name():
    told = step("three-musketeers", {"profile": "servant", "options": {"weapon": "matchlock"}})
    assert (told.name, told.points_after) == ("Servant at Rank 2", 9 + 3)
    assert told.keeps == ("Hand weapon", "Matchlock")
    assert [(pick.key, pick.most) for pick in told.picks] == [("attributes", 1)]


def test_the_base_profile_pays_the_surcharge_of_the_list():
    revenant = step("landsknechts", "fantastical/revenant", **OPEN)
    assert any(line.label == "Morale 8" and line.points == 1 for line in revenant.sheet.price.lines)


def test_a_custom_fighter_rises_to_the_base_profile_and_keeps_its_arms():
    raw = {
        "profile": "rank-2",
        "characteristics": {"fight": 1, "shoot": 2},
        "equipment": ["sword", "pistol"],
        "options": {"attributes": ["tough"]},
    }
    told = step("custom", raw)
    outfit = loadout(from_json(told.build))
    assert (outfit.combat_pool, outfit.initiative, outfit.fight, outfit.shoot) == (3, 2, 3, 2)
    assert outfit.equipment == ("sword", "pistol")
    assert next(pick for pick in told.picks).most == 2
    assert told.points_after == 15 + 2 + 5 + 3


def test_an_ally_rises_in_its_own_list():
    assert step("conquistadors", "aztecs/peasant").key == "aztecs/macehualli"


def test_a_campaign_may_keep_the_numbers():
    told = step("landsknechts", "landsknecht", promotion_characteristics="kept")
    outfit = loadout(from_json(told.build))
    assert (outfit.combat_pool, outfit.initiative, outfit.fight, outfit.shoot) == (2, 0, 2, 0)
    assert told.points_after == told.points_before


def test_a_campaign_may_ask_for_the_same_movement():
    assert [each.key for each in steps("conquistadors", "soldier", promotion_profiles="same-move")] == [
        "conquistadors/veteran"
    ]
    on_foot = steps("english-civil-war", "veteran-foot", promotion_profiles="same-move")
    assert [each.key for each in on_foot] == ["custom/rank-4"]


def test_a_campaign_may_leave_those_without_a_profile_where_they_are():
    assert steps("three-musketeers", "servant", promotion_without_profile="none") == ()
    assert len(steps("custom", "rank-1", promotion_without_profile="none")) == 1


def test_a_campaign_may_leave_the_price_unchanged():
    told = step("landsknechts", "landsknecht", promotion_price="unchanged")
    assert (told.points_before, told.points_after) == (15, 15)
    assert sheet(told.build, terms("landsknechts")).points == 22


def test_a_campaign_may_give_the_new_profiles_equipment_alone():
    crossbow = {"profile": "landsknecht", "options": {"exchange-pike": "crossbow"}}
    told = step("landsknechts", crossbow, promotion_equipment="profile-only")
    assert loadout(from_json(told.build)).gear == {"pike", "sword", "medium-armour"}
    servant = step("three-musketeers", "servant", promotion_equipment="profile-only")
    assert loadout(from_json(servant.build)).gear == {"hand-weapon"}


LANDSKNECHTS = terms("landsknechts")


def test_taking_a_step_with_picks_prices_them():
    old = build("landsknecht", LANDSKNECHTS)
    picks = {"exchange-pike": "halberd", "attributes": [{"key": "weapon-master", "weapon": "halberd"}, "tough"]}
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
def test_every_pick_that_is_offered_can_be_taken(list_key: str, key: str, leads: str, more: dict[str, bool]):
    on = terms(list_key, **OPEN, **more)
    old = build(key, on)
    for each in steps(list_key, key, **OPEN, **more):
        for pick in each.picks:
            for choice, _ in pick.choices:
                wanted: dict[str, Any] = {pick.key: [choice] if pick.key != "choice" else choice}
                lacking = refusals(old, on, each.key, wanted)
                assert refusals(old, on, each.key, {**wanted, **remedies(each, lacking)}) == []


REMEDIES = {"not-mounted": "mount", "attribute-missing": "commander", "too-much-armour": "exchange-shield"}
MAGIC = {"attributes": ["magician"]}


def remedies(told: RankUp, lacking: list[str]) -> dict[str, list[str]]:
    """What the same step offers against the conditions of a pick: a mount, a Commander's rank, no shield."""
    if lacking == ["no-magician"]:
        worn = [pick.key for pick in told.picks if pick.key == "exchange-shield"]
        return MAGIC | {key: ["great-weapon"] for key in worn}
    wanted = {REMEDIES[code] for code in lacking}
    return {pick.key: [pick.choices[0][0]] for pick in told.picks if pick.key in wanted}


def test_a_veteran_with_something_of_old_is_not_offered_what_stands_alone():
    def offered(raw: Any) -> list[str]:
        return [pick.key for pick in step("conquistadors", raw, "soldier").picks]

    assert "scout" in offered("militia")
    assert "scout" not in offered({"profile": "militia", "options": {"weapon": "pike"}})


MAGICIAN = {"profile": "janissary", "options": {"attributes": ["magician"]}, "spells": ["heal", "mist", "stun"]}


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
    (told,) = steps("ottoman-empire", MAGICIAN, **OPEN)
    assert (told.key, told.name) == ("custom/rank-4", "Janissary at Rank 4")
    assert "Magician" in told.keeps
    assert steps("ottoman-empire", MAGICIAN, promotion_without_profile="none", **OPEN) == ()


def test_a_magician_who_rises_learns_as_many_spells_as_its_new_rank_allows():
    on = terms("custom", **OPEN)
    raw = {"profile": "rank-3", "options": {"attributes": ["magician"]}, "spells": ["heal", "mist", "stun"]}
    old, told = build(raw, on), step("custom", raw, **OPEN)
    (spells,) = (pick for pick in told.picks if pick.key == "spells")
    assert (spells.most, spells.label, "heal" in dict(spells.choices)) == (1, "Spells", False)
    for one in (["summon"], "summon"):
        assert take_rank_up(old, on, told.key, {"spells": one}).build["spells"] == ["heal", "mist", "stun", "summon"]
    assert refusals(old, on, told.key, {"spells": ["summon", "armour"]}) == ["too-many-spells"]
    assert take_rank_up(old, on, told.key, {}).build["spells"] == ["heal", "mist", "stun"]


def test_who_may_become_a_magician_is_offered_the_spells_with_it():
    on = terms("ottoman-empire", **OPEN)
    told = step("ottoman-empire", "azab", "janissary", **OPEN)
    (spells,) = (pick for pick in told.picks if pick.key == "spells")
    assert (spells.most, spells.label) == (3, "Spells; with Magician")
    old = build("azab", on)
    learned = take_rank_up(old, on, told.key, {"attributes": "magician", "spells": ["heal", "mist"]})
    assert learned.build["spells"] == ["heal", "mist"]
    assert refusals(old, on, told.key, {"spells": ["heal"]}) == ["no-magician"]
    assert "spells" not in [pick.key for pick in step("ottoman-empire", "azab", "janissary").picks]


def test_a_shield_that_cannot_be_exchanged_a_second_time_forbids_magic_too():
    raw = {"profile": "military-order", "options": {"exchange-shield": True, "attributes": ["magician"]}}
    assert step("aztecs", {**raw, "spells": ["heal", "mist", "stun"]}, **OPEN).key == "custom/rank-4"
    picks = {pick.key: dict(pick.choices) for pick in step("aztecs", EXCHANGED, **OPEN).picks}
    assert "magician" not in picks["attributes"]


EXCHANGED = {"profile": "macehualli", "options": {"exchange-shield": "great-weapon"}}


def test_kept_magic_forbids_armour_as_chosen_magic_does():
    on = terms("ottoman-empire", **OPEN)
    kept = {"profile": "ottoman-empire/corbaci", "kept": {"attributes": ["magician"]}, "spells": ["heal"]}
    assert "too-much-armour" in codes(kept, on)


def refusals(old, on: Terms, key: str, picks) -> list[str]:
    try:
        take_rank_up(old, on, key, picks)
    except RulesError as error:
        return [problem.code for problem in error.problems]
    return []


@pytest.mark.parametrize(
    ("code", "key", "picks"),
    [
        ("unknown-rank-up", "landsknechts/oberst", {}),
        ("unknown-rank-up", "nonsense", {}),
        ("unknown-option", "landsknechts/doppelsoldner", {"mount": "horse"}),
        ("not-offered", "landsknechts/doppelsoldner", {"attributes": ["charming"]}),
        ("too-many-picks", "landsknechts/doppelsoldner", {"attributes": ["tough", "agile", "dodge"]}),
        ("wrong-rank", "landsknechts/doppelsoldner", {"attributes": ["lucky"]}),
        ("weapon-missing", "landsknechts/doppelsoldner", {"attributes": ["weapon-master"]}),
    ],
)
def test_an_illegal_step_or_pick_is_refused(code, key, picks):
    assert code in refusals(build("landsknecht", LANDSKNECHTS), LANDSKNECHTS, key, picks)


def test_an_attribute_that_was_kept_cannot_be_picked_again():
    on = terms("cardinals-guard")
    old = build({"profile": "officer", "options": {"attributes": ["tough"]}}, on)
    assert "attribute-twice" in refusals(old, on, "cardinals-guard/senior-officer", {"attributes": ["tough"]})


def test_kept_attributes_can_fill_the_allowance():
    on = terms("cardinals-guard", promotion_allowance="inside")
    old = build({"profile": "officer", "options": {"attributes": ["tough"]}}, on)
    assert refusals(old, on, "cardinals-guard/senior-officer", {"attributes": ["agile"]}) == []
    assert "too-many-picks" in refusals(old, on, "cardinals-guard/senior-officer", {"attributes": ["agile", "dodge"]})


@pytest.mark.parametrize(
    ("list_key", "raw", "key", "rules", "most"),
    [
        ("three-musketeers", "servant", "custom/rank-2", {}, 1),
        ("custom", "rank-3", "custom/rank-4", {}, 3),
        ("custom", {"profile": "rank-3", "options": {"attributes": ["scout"]}}, "custom/rank-4", {}, 3),
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
def test_a_base_profile_gives_the_attributes_of_its_rank_and_no_more(list_key, raw, key, rules, most):
    on = terms(list_key, **rules)
    picks = ["agile", "dodge", "fast", "tough"]
    (offered,) = (pick for pick in step(list_key, raw, **rules).picks if pick.key == "attributes")
    assert offered.most == most
    assert refusals(build(raw, on), on, key, {"attributes": picks[:most]}) == []
    assert refusals(build(raw, on), on, key, {"attributes": picks[: most + 1]}) == ["too-many-picks"]


def test_those_who_cannot_rise_are_told_so():
    on = terms("cardinals-guard")
    assert refusals(build("general", on), on, "cardinals-guard/general", {}) == ["no-rank-up"]


@pytest.mark.parametrize(
    ("list_key", "key"), [(list_key, key) for list_key, key, _ in RUNGS if list_key not in ("fantastical",)]
)
def test_a_career_can_be_climbed_to_the_top(list_key: str, key: str):
    on = terms(list_key)
    current = build(key, on)
    one = fighter(0, current, on)
    while offered := rank_ups(one, Roster(on, (one,))):
        taken = take_rank_up(current, on, offered[-1].key, first_attribute(offered[-1]))
        assert build(taken.build, on) == taken.build
        current = dict(taken.build)
        one = fighter(0, current, on, promoted=True)
    profile = loadout(from_json(current)).profile
    assert profile.rank == 5 or profile.unique or not profile.promotes


def first_attribute(told: RankUp) -> dict[str, list[str]]:
    return {pick.key: [pick.choices[0][0]] for pick in told.picks if pick.key == "attributes"}


def test_a_second_rank_5_is_told_as_a_warning_unless_the_campaign_forbids_it():
    for setting, severity in (("warn", Severity.WARNS), ("forbid", Severity.FORBIDS)):
        on = terms("landsknechts", second_rank_5=setting)
        riser = fighter(0, "hauptmann", on)
        (told,) = rank_ups(riser, Roster(on, (riser, fighter(1, "oberst", on))))
        assert [(each.code, each.severity) for each in told.problems] == [("too-many-rank-5", severity)]
        (alone,) = rank_ups(riser, Roster(on, (riser,)))
        assert alone.problems == ()


def test_a_step_that_breaks_the_lists_ranks_is_told_as_a_warning_unless_the_campaign_forbids_it():
    for setting, severity in (("warn", Severity.WARNS), ("forbid", Severity.FORBIDS)):
        on = terms("aztecs", later_composition=setting)
        riser = fighter(0, "macehualli", on)
        (told,) = rank_ups(riser, Roster(on, (riser, fighter(1, "noble", on))))
        assert [(each.code, each.severity) for each in told.problems] == [("too-few-low-ranks", severity)]


def test_who_was_hired_from_the_calculator_rises_in_the_list_that_hired_it():
    """Ruling C17."""
    raw = {"profile": "custom/rank-1", "equipment": ["hand-weapon", "sling"]}
    on = terms("landsknechts", rank_1_recruits="base")
    told = step("landsknechts", raw, rank_1_recruits="base")
    assert (told.key, told.keeps) == ("landsknechts/landsknecht", ("Hand weapon", "Sling"))
    assert (told.points_before, told.points_after) == (4 + 2 + 1, 15 + 2)
    taken = take_rank_up(build(raw, on), on, told.key, {})
    assert taken.build == told.build


def test_who_is_left_of_a_house_rule_that_has_gone_rises_by_the_base_profile_with_its_arms():
    raw = build({"profile": "custom/rank-1", "equipment": ["sling"]}, terms("landsknechts", rank_1_recruits="base"))
    on = terms("landsknechts")
    (told,) = rank_ups(RosterFighter("f0", "Hans", raw), Roster(on, ()))
    assert (told.key, told.keeps) == ("custom/rank-2", ("Sling",))
    assert take_rank_up(raw, on, told.key, {}).build == told.build


def test_what_was_broken_before_is_not_blamed_on_the_step():
    on = terms("aztecs")
    riser = fighter(0, "macehualli", on)
    others = (fighter(1, "chieftain", on), fighter(2, "chieftain", on))
    (told,) = rank_ups(riser, Roster(on, (riser, *others)))
    assert told.problems == ()


def test_a_crewman_who_rises_leaves_the_gun():
    on = terms("swashbucklers", extras={"ordnance": [{"gun": "swivel-gun", "crew": ["f0", "f1"]}]})
    riser = fighter(0, "able-seaman", on)
    (told,) = rank_ups(riser, Roster(on, (riser, fighter(1, "able-seaman", on), fighter(2, "seaman", on))))
    assert "gun-crew-not-eligible" in [each.code for each in told.problems]
