"""Composition: what each list, the warband types and the calculator ask, each problem both ways,
and when it binds."""

from typing import Any

import pytest

from rulebook.ruleset import Fate, Roster, RosterFighter, RosterPurpose, RulesError, Severity
from rulebook.systems.en_garde.rosters.assembled_roster import default_leader
from rulebook.systems.en_garde.rosters.roster_problems import roster_problems
from tests.rulebook.en_garde.rosters import codes, fighter, found, roster, terms

LIGHT = "landsknecht"
CROSSBOW = {"profile": "landsknecht", "options": {"exchange-pike": "crossbow"}}
OFFICER = {"profile": "officer", "options": {"pistol": True}}


def has(code, list_key, raws, *, extras=None, **settings) -> bool:
    return code in found(roster(terms(list_key, extras=extras, **settings), raws))


LEGAL: dict[str, list[str | dict[str, Any]]] = {
    "landsknechts": ["landsknecht", CROSSBOW, "doppelsoldner", "hauptmann", "oberst"],
    "three-musketeers": [
        "athos",
        "aramis",
        "porthos",
        "dartagnan",
        "servant",
        "servant",
        "servant",
        "servant",
    ],
    "cardinals-guard": ["ruffian", "guard", "guard", "officer", "milady-de-winter", "general"],
    "conquistadors": ["militia", "soldier", "warhound", "veteran", "knight", "aztecs/peasant"],
    "aztecs": ["peasant", "macehualli", "macehualli", "military-order", "chieftain", "noble"],
    "border-reivers": ["broken-man", "reiver", "veteran-reiver", "lord"],
    "english-civil-war": ["militia", "regular-foot", "regular-foot", "veteran-foot", "general"],
    "swashbucklers": ["seaman", "able-seaman", "petty-officer", "captain"],
    "ottoman-empire": ["yamak", "azab", "akinci", "janissary", "siphai", "corbaci"],
    "native-north-americans": ["peasant", "macehualli", "military-order", "noble"],
    "custom": ["rank-1", "rank-2", "rank-3", "rank-3", "rank-4", "rank-1"],
}


@pytest.mark.parametrize("list_key", LEGAL)
def test_every_list_has_a_legal_warband(list_key: str):
    assert found(roster(terms(list_key), LEGAL[list_key])) == {}


@pytest.mark.parametrize(
    ("code", "list_key", "good", "bad"),
    [
        ("too-few-low-ranks", "aztecs", ["peasant", "noble"], ["peasant", "noble", "chieftain"]),
        (
            "too-few-low-ranks",
            "cardinals-guard",
            ["guard", "officer"],
            ["guard", "officer", "officer"],
        ),
        (
            "too-few-low-ranks",
            "cardinals-guard",
            ["officer", "general"],
            ["guard", "officer", "general"],
        ),
        ("too-few-low-ranks", "border-reivers", ["reiver", "lord"], ["lord", "chieftain"]),
        (
            "too-few-low-ranks",
            "english-civil-war",
            ["horse", "life-guard"],
            ["horse", "life-guard", "general"],
        ),
        ("too-few-low-ranks", "swashbucklers", ["seaman", "captain"], ["captain"]),
        (
            "too-few-low-ranks",
            "ottoman-empire",
            ["janissary", "siphai"],
            ["azab", "janissary", "siphai"],
        ),
        (
            "too-few-low-ranks",
            "conquistadors",
            ["warhound", "veteran"],
            ["warhound", "veteran", "knight"],
        ),
        ("too-many-rank-5", "landsknechts", ["oberst"], ["oberst", "oberst"]),
        ("too-many-missiles", "landsknechts", [LIGHT, CROSSBOW], [LIGHT, CROSSBOW, CROSSBOW]),
        ("too-many-allies", "conquistadors", ["militia", "aztecs/peasant"], ["aztecs/peasant"]),
        ("unique-twice", "three-musketeers", ["athos"], ["athos", "athos"]),
        (
            "unique-twice",
            "cardinals-guard",
            ["milady-de-winter"],
            ["milady-de-winter", "milady-de-winter"],
        ),
        (
            "too-many-servants",
            "three-musketeers",
            ["athos", "servant"],
            ["athos", "servant", "servant"],
        ),
        (
            "too-few-handlers",
            "conquistadors",
            ["soldier", *["warhound"] * 3],
            ["soldier", *["warhound"] * 4],
        ),
        ("no-fighters", "landsknechts", [LIGHT], []),
        ("too-many-fighters", "landsknechts", [LIGHT] * 20, [LIGHT] * 21),
    ],
)
def test_each_problem_of_a_roster_is_found_and_only_there(code, list_key, good, bad):
    assert not has(code, list_key, good)
    assert has(code, list_key, bad)


def test_more_than_20_fighters_warn_unless_the_campaign_forbids_it():
    for setting, severity in (("warn", Severity.WARNS), ("forbid", Severity.FORBIDS)):
        by_code = found(roster(terms("landsknechts", size_limit=setting), [LIGHT] * 21))
        assert by_code["too-many-fighters"].severity is severity


def rider(profile: str) -> dict[str, object]:
    return {"profile": profile, "options": {"mount": "horse"}}


def test_a_mounted_general_counts_as_mounted():
    assert not has("too-few-low-ranks", "english-civil-war", ["horse", rider("general")])


def test_a_broken_man_rides_only_if_everybody_rides():
    assert not has("not-all-mounted", "border-reivers", [rider("broken-man"), rider("reiver")])
    assert not has("not-all-mounted", "border-reivers", [rider("reiver"), "reiver"])
    assert has("not-all-mounted", "border-reivers", [rider("broken-man"), "reiver"])


def test_a_handler_walks_and_has_no_optional_equipment():
    armed = {"profile": "soldier", "options": {"weapon": "pike"}}
    gifted = {"profile": "veteran", "options": {"attributes": ["tough"]}}
    assert has("too-few-handlers", "conquistadors", [armed, "knight", "warhound"])
    assert not has("too-few-handlers", "conquistadors", [gifted, "knight", "warhound"])


@pytest.mark.parametrize(
    ("list_key", "profile", "option", "most", "of"),
    [
        ("conquistadors", "soldier", {"commander": True}, 1, 5),
        ("english-civil-war", "regular-foot", {"commander": True}, 1, 5),
        ("english-civil-war", "dragoon", {"commander": True}, 1, 5),
        ("english-civil-war", "horse", {"commander": True}, 1, 3),
        ("aztecs", "macehualli", {"scout-or-archer": "scout"}, 1, 2),
        ("ottoman-empire", "yamak", {"bow": True}, 1, 2),
        ("ottoman-empire", "azab", {"scout-or-archer": "archer"}, 1, 2),
        ("ottoman-empire", "janissary", {"attributes": ["commander", "tough"]}, 1, 4),
        ("ottoman-empire", "siphai", {"attributes": ["commander"]}, 1, 4),
    ],
)
def test_an_option_for_some_is_a_share_of_its_own_profile(list_key, profile, option, most, of):
    taker = {"profile": profile, "options": option}
    assert not has("share-exceeded", list_key, [taker] * most + [profile] * (of - most))
    assert has("share-exceeded", list_key, [taker] * most + [profile] * (of - most - 1))
    assert has("share-exceeded", list_key, [taker] * (most + 1) + [profile] * (of - most - 1))


def test_four_soldiers_give_no_commander_unless_the_campaign_grants_one():
    four = [{"profile": "soldier", "options": {"commander": True}}, *["soldier"] * 3]
    assert has("share-exceeded", "conquistadors", four)
    assert not has("share-exceeded", "conquistadors", four, share_rounding="at-least-one")


def test_other_attributes_of_a_janissary_are_not_limited():
    tough = {"profile": "janissary", "options": {"attributes": ["tough", "agile"]}}
    assert not has("share-exceeded", "ottoman-empire", [tough])


def test_pistols_count_as_missile_weapons_only_if_the_campaign_says_so():
    assert not has("too-many-missiles", "cardinals-guard", [OFFICER])
    assert has("too-many-missiles", "cardinals-guard", [OFFICER], missile_limit="all")


def test_a_list_that_names_its_missile_weapons_limits_those_alone():
    musket = {"profile": "seaman", "options": {"weapon": "musket"}}
    pistol = {"profile": "captain", "options": {"pistol": True}}
    assert has("too-many-missiles", "swashbucklers", [musket])
    assert not has("too-many-missiles", "swashbucklers", [pistol], missile_limit="all")
    assert has("too-many-missiles", "english-civil-war", ["dragoon"])


def test_the_crew_of_a_gun_is_not_armed_with_missile_weapons():
    extras = {"ordnance": [{"gun": "swivel-gun"}]}
    assert not has("too-many-missiles", "landsknechts", [LIGHT, LIGHT], extras=extras)


@pytest.mark.parametrize(
    ("code", "crew", "raws"),
    [
        ("gun-crew-missing", [], [LIGHT]),
        ("gun-crew-missing", [], [LIGHT, CROSSBOW, "doppelsoldner"]),
        ("gun-crew-missing", ["f0"], [LIGHT, LIGHT]),
        ("gun-crew-not-eligible", ["f0", "f1"], [LIGHT, CROSSBOW]),
        ("gun-crew-not-eligible", ["f0", "f1"], [LIGHT, "oberst"]),
        ("gun-crew-unknown", ["f0", "f9"], [LIGHT, LIGHT]),
        ("gun-crew-twice", ["f0", "f0"], [LIGHT, LIGHT]),
    ],
)
def test_a_gun_needs_its_crew(code, crew, raws):
    extras = {"ordnance": [{"gun": "swivel-gun", "crew": crew}]}
    on = terms("landsknechts", extras=extras)
    assert code in found(
        Roster(on, tuple(fighter(n, raw, terms("landsknechts")) for n, raw in enumerate(raws)))
    )


@pytest.mark.parametrize("crew", [[], ["f0", "f1"]])
def test_two_landsknechts_without_options_serve_a_swivel_gun(crew):
    extras = {"ordnance": [{"gun": "swivel-gun", "crew": crew}]}
    assert found(roster(terms("landsknechts", extras=extras), [LIGHT, LIGHT, "oberst"])) == {}


def test_nobody_serves_two_guns_of_a_custom_warband():
    extras = {"ordnance": [{"gun": "swivel-gun"}, {"gun": "ballista"}]}
    assert has("gun-crew-missing", "custom", ["rank-1"] * 3, extras=extras)
    assert not has("gun-crew-missing", "custom", ["rank-1"] * 4, extras=extras)


@pytest.mark.parametrize(
    ("code", "template", "good", "bad"),
    [
        ("too-few-low-ranks", "standard", ["rank-1", "rank-3"], ["rank-3"]),
        ("low-ranks-not-allowed", "elite", ["rank-3"], ["rank-3", "rank-2"]),
        ("too-few-rank-3", "elite", ["rank-3"], ["rank-3", "rank-4"]),
        ("too-few-rank-3", "elite", ["rank-3", "rank-3", "rank-4"], ["rank-4"]),
        ("too-few-rank-3", "standard", ["rank-1", "rank-2"], ["rank-1", "rank-4"]),
        ("too-many-rank-5", "elite", ["rank-5"], ["rank-5", "rank-5"]),
    ],
)
def test_a_custom_warband_is_standard_or_elite(code, template, good, bad):
    assert not has(code, "custom", good, extras={"template": template})
    assert has(code, "custom", bad, extras={"template": template})


def test_a_list_obeys_the_templates_only_if_the_campaign_says_so():
    raws = ["oberst", "doppelsoldner"]
    assert not has("too-few-low-ranks", "landsknechts", raws)
    assert has("too-few-low-ranks", "landsknechts", raws, composition="list-and-template")
    elite = {"template": "elite"}
    assert not has(
        "too-few-low-ranks", "landsknechts", raws, composition="list-and-template", extras=elite
    )


def test_barbarian_and_thief_need_the_limit_on_rank_5_lifted():
    pair = ["barbarian", "thief"]
    assert has("too-many-rank-5", "fantastical", pair, fantastical=True)
    assert not has("too-many-rank-5", "fantastical", pair, fantastical=True, rank_5_limit="any")


def test_a_fantastical_figure_needs_a_campaign_that_allows_it():
    on = terms("landsknechts")
    hired = fighter(0, "fantastical/revenant", terms("landsknechts", fantastical=True))
    assert "fantastical-not-allowed" in found(Roster(on, (hired,)))


def test_a_custom_fighter_above_its_base_profile_warns_unless_the_campaign_is_strict():
    hero = {"profile": "rank-3", "characteristics": {"fight": 4}}
    for strict, severity in ((False, Severity.WARNS), (True, Severity.FORBIDS)):
        by_code = found(roster(terms("custom", strict_characteristics=strict), ["rank-1", hero]))
        assert by_code["above-base-profile"].severity is severity
    assert not has(
        "above-base-profile",
        "custom",
        ["rank-1", {"profile": "rank-3", "characteristics": {"fight": 3}}],
    )


def test_a_rank_has_an_allowance_of_attributes():
    def sergeant(*attributes: str) -> dict[str, object]:
        return {"profile": "rank-3", "options": {"attributes": [*attributes]}}

    assert not has("too-many-attributes", "custom", ["rank-1", sergeant("tough", "agile")])
    assert has("too-many-attributes", "custom", ["rank-1", sergeant("tough", "agile", "dodge")])


def test_half_of_the_custom_fighters_of_rank_2_may_have_an_attribute():
    gifted = {"profile": "rank-2", "options": {"attributes": ["tough"]}}
    assert not has("too-many-gifted", "custom", [gifted, "rank-2"])
    assert has("too-many-gifted", "custom", [gifted, gifted, "rank-2"])


@pytest.mark.parametrize(
    ("code", "list_key", "raw"),
    [
        (
            "two-handed-mounted",
            "landsknechts",
            {"options": {"weapon": "halberd", "mount": "horse"}, "profile": "oberst"},
        ),
        (
            "two-handed-with-shield",
            "custom",
            {"profile": "rank-3", "equipment": ["pike", "buckler"]},
        ),
        (
            "never-mounted",
            "border-reivers",
            {"profile": "reiver", "options": {"weapon": "longbow", "mount": "horse"}},
        ),
        (
            "attribute-without-weapon",
            "border-reivers",
            {"profile": "lord", "options": {"attributes": ["sharpshooter:bow"]}},
        ),
        (
            "attribute-without-weapon",
            "landsknechts",
            {"profile": "oberst", "options": {"attributes": ["weapon-master:halberd"]}},
        ),
    ],
)
def test_what_cannot_be_used_is_allowed_with_a_warning(code, list_key, raw):
    by_code = found(roster(terms(list_key), [raw]))
    assert by_code[code].severity is Severity.WARNS


@pytest.mark.parametrize(
    ("list_key", "raw"),
    [
        ("landsknechts", {"profile": "oberst", "options": {"attributes": ["weapon-master:sword"]}}),
        (
            "cardinals-guard",
            {
                "profile": "general",
                "options": {"pistol": True, "attributes": ["weapon-master:pistol-in-close-combat"]},
            },
        ),
        ("landsknechts", {"profile": "oberst", "options": {"weapon": "halberd"}}),
    ],
)
def test_what_can_be_used_brings_no_warning(list_key, raw):
    by_code = found(roster(terms(list_key), [raw]))
    assert (
        not {"attribute-without-weapon", "two-handed-mounted", "two-handed-with-shield"}
        & by_code.keys()
    )


def test_a_leader_should_be_named_and_must_be_able_to_lead():
    on = terms("conquistadors")
    raws = ["warhound", "soldier", "militia"]
    assert "leader-missing" in found(roster(on, raws, posts={}))
    assert "leader-absent" in found(roster(on, raws, posts={"leader": ("f9",)}))
    assert found(roster(on, raws, posts={"leader": ("f0",)}))["leader-not-eligible"].fighters == (
        "f0",
    )
    assert (
        not {"leader-missing", "leader-absent", "leader-not-eligible"}
        & found(roster(on, raws)).keys()
    )


def test_the_highest_rank_leads_if_nobody_is_named():
    on = terms("conquistadors")
    assert default_leader(roster(on, ["militia", "warhound", "soldier"], posts={})) == "f2"
    assert default_leader(roster(on, ["warhound"], posts={})) is None


def test_a_warband_keeps_within_the_agreed_points():
    on = terms("landsknechts")
    assert "over-points-limit" not in found(roster(on, [LIGHT], points_limit=15))
    assert found(roster(on, [LIGHT], points_limit=14))["over-points-limit"].value == "15"


def test_the_dead_bear_no_blame():
    on = terms("landsknechts")
    generals = (fighter(0, "oberst", on), fighter(1, "oberst", on, fate=Fate.DEAD))
    assert "too-many-rank-5" not in found(Roster(on, generals))


def test_unreadable_build_is_reported_and_others_checked():
    on = terms("landsknechts")
    broken = RosterFighter("f0", "Broken", {"profile": "landsknechts/none"})
    by_code = found(Roster(on, (broken, fighter(1, "oberst", on), fighter(2, "oberst", on))))
    assert by_code["unknown-profile"].fighters == ("f0",)
    assert "too-many-rank-5" in by_code


def test_marks_of_a_promotion_that_never_was_are_refused():
    on = terms("landsknechts")
    raw = {"profile": "doppelsoldner", "kept": {"numbers": {"fight": 9}}}
    assert "unearned-rank" in found(Roster(on, (fighter(0, raw, on),)))
    assert "unearned-rank" not in found(Roster(on, (fighter(0, raw, on, promoted=True),)))


def test_all_problems_of_a_roster_come_at_once_each_with_its_fighters():
    by_code = found(
        roster(terms("landsknechts"), ["oberst", "oberst", CROSSBOW, CROSSBOW, CROSSBOW, CROSSBOW])
    )
    assert by_code["too-many-rank-5"].fighters == ("f0", "f1")
    assert by_code["too-many-missiles"].fighters == ("f2", "f3", "f4", "f5")


def test_an_unknown_list_is_refused():
    with pytest.raises(RulesError):
        roster_problems(Roster(terms("martians"), ()), RosterPurpose.BUILD)


def severities(checked: Roster, purpose: RosterPurpose) -> set[Severity]:
    return {problem.severity for problem in roster_problems(checked, purpose)}


BROKEN = ["oberst", "oberst", CROSSBOW, CROSSBOW, CROSSBOW]


@pytest.mark.parametrize("purpose", [RosterPurpose.BUILD, RosterPurpose.ENROL])
def test_composition_forbids_when_a_warband_is_built_or_enrolled(purpose):
    assert severities(roster(terms("landsknechts"), BROKEN), purpose) == {Severity.FORBIDS}


def test_a_lenient_campaign_only_warns():
    assert severities(
        roster(terms("landsknechts", legality="warn"), BROKEN), RosterPurpose.ENROL
    ) == {Severity.WARNS}


def test_later_composition_only_warns():
    late = roster(terms("landsknechts"), BROKEN, games_played=1, points_limit=10)
    assert severities(late, RosterPurpose.CARRY_ON) == {Severity.WARNS}


def test_a_campaign_may_go_on_asking_for_composition_and_for_nothing_else():
    """Ruling C19."""
    late = roster(
        terms("landsknechts", later_composition="forbid"), BROKEN, games_played=1, points_limit=10
    )
    by_code = {each.code: each.severity for each in roster_problems(late, RosterPurpose.CARRY_ON)}
    assert by_code["too-many-missiles"] is Severity.FORBIDS
    assert by_code["over-points-limit"] is by_code["too-many-rank-5"] is Severity.WARNS
    lenient = roster(
        terms("landsknechts", later_composition="forbid", legality="warn"), BROKEN, games_played=1
    )
    assert severities(lenient, RosterPurpose.CARRY_ON) == {Severity.WARNS}


def test_too_many_of_rank_5_by_promotion_warns_unless_the_campaign_forbids():
    for setting, severity in (("warn", Severity.WARNS), ("forbid", Severity.FORBIDS)):
        on = terms("landsknechts", second_rank_5=setting)
        pair = (fighter(0, "oberst", on), fighter(1, "oberst", on, promoted=True))
        by_code = found(
            Roster(on, pair, posts={"leader": ("f0",)}, games_played=1), RosterPurpose.CARRY_ON
        )
        assert by_code["too-many-rank-5"].severity is severity


def late(list_key, veterans, joining, *, limit=None, **settings):
    on = terms(list_key, **settings)
    old = [fighter(number, raw, on) for number, raw in enumerate(veterans)]
    new = [fighter(10 + number, raw, on, recruited_after=2) for number, raw in enumerate(joining)]
    checked = Roster(
        on, (*old, *new), posts={"leader": ("f0",)}, games_played=2, points_limit=limit
    )
    return found(checked, RosterPurpose.RECRUIT)


def test_after_the_first_game_only_rank_1_may_join():
    assert late("cardinals-guard", ["guard"], ["ruffian"]) == {}
    assert late("cardinals-guard", ["guard"], ["guard"])["recruit-above-rank-1"].fighters == (
        "f10",
    )


def test_landsknechts_find_no_recruits_but_conquistadors_find_peasants_and_hounds():
    assert "recruit-above-rank-1" in late("landsknechts", [LIGHT], [LIGHT])
    assert late("conquistadors", ["soldier", "soldier"], ["aztecs/peasant", "warhound"]) == {}


def test_recruits_keep_within_the_agreed_points():
    assert late("cardinals-guard", ["guard"], ["ruffian"], limit=12) == {}
    assert (
        late("cardinals-guard", ["guard"], ["ruffian"], limit=11)["over-points-limit"].severity
        is Severity.FORBIDS
    )


def test_a_campaign_may_take_no_recruits_at_all():
    assert "no-recruits" in late("cardinals-guard", ["guard"], ["ruffian"], recruits="none")


BASE_HIRE = {"profile": "custom/rank-1", "equipment": ["hand-weapon", "spear"]}


def test_a_list_without_rank_1_may_hire_the_base_profile_after_the_first_game_by_house_rule():
    """Ruling C17."""
    assert codes(BASE_HIRE, terms("landsknechts")) == ["profile-not-in-list", "arms-not-in-list"]
    assert late("landsknechts", [LIGHT], [BASE_HIRE], rank_1_recruits="base") == {}
    assert "profile-not-in-list" in codes(BASE_HIRE, terms("swashbucklers", rank_1_recruits="base"))
    assert "profile-not-in-list" in codes(
        "custom/rank-2", terms("landsknechts", rank_1_recruits="base")
    )
    on = terms("landsknechts", rank_1_recruits="base")
    early = Roster(
        on, (fighter(0, LIGHT, on), fighter(1, BASE_HIRE, on)), posts={"leader": ("f0",)}
    )
    assert found(early, RosterPurpose.RECRUIT)["recruit-too-early"].fighters == ("f1",)


def test_before_the_first_game_everybody_may_join():
    on = terms("cardinals-guard")
    early = Roster(on, (fighter(0, "guard", on),), posts={"leader": ("f0",)})
    assert found(early, RosterPurpose.RECRUIT) == {}


def test_recruits_answer_for_what_they_break_and_not_for_old_breaches():
    archer = {"profile": "peasant", "options": {"weapon": "bow"}}
    old = late("aztecs", [archer, "noble", "noble"], ["peasant"])
    assert {code: problem.severity for code, problem in old.items()} == {
        "too-many-rank-5": Severity.WARNS
    }
    new = late("aztecs", ["peasant"], [archer, archer])
    assert new["too-many-missiles"].severity is Severity.FORBIDS
    worse = late("aztecs", [archer, archer, "peasant"], [archer])
    assert worse["too-many-missiles"].severity is Severity.FORBIDS


@pytest.mark.parametrize(
    ("weapon", "counted"),
    [
        ("sling", True),
        ("javelin", True),
        ("blunderbuss", True),
        ("grenade", False),
        ("thrown-weapon", False),
    ],
)
def test_grenades_and_thrown_weapons_are_not_missiles(weapon: str, counted: bool):
    armed = {"profile": "rank-1", "equipment": [weapon]}
    assert has("too-many-missiles", "custom", [armed]) is counted
