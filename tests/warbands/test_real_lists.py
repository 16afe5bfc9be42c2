"""The verbs of a roster with the real lists: prices, recruits, the calculator, rank-ups, reasons
with their rules."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from campaigns.models import Campaign, CampaignState, Enrolment
from clubs.models import Club, Membership
from core.errors import InvalidInput
from rulebook.chronicle.facts import Enrolled
from rulebook.registry import newest_ruleset
from rulebook.ruleset import Fate, RulesError, Severity
from tests.warbands.conftest import fight, fighter_of
from warbands.models import Fighter, Warband
from warbands.selectors.explanations import explain_fighter
from warbands.selectors.fighter_page import rank_up_list
from warbands.selectors.warband_page import problem_list, warband_page
from warbands.services.chronicle import append_facts
from warbands.services.posts import appoint, furnish_warband
from warbands.services.rank_up_offers import prepare_offers
from warbands.services.rank_ups import take_rank_up, undo_rank_up
from warbands.services.roster import (
    NewFighter,
    adjust_fighter,
    equip_fighter,
    recruit_fighters,
    release_fighter,
)
from warbands.services.verification import prove
from warbands.services.warbands import copy_warband, muster_warband

pytestmark = pytest.mark.one_database

HALBERD = {"profile": "doppelsoldner", "options": {"exchange-pike": "halberd"}}


def mustered(owner: User, faction: str, *fighters: NewFighter, **extras: object) -> Warband:
    warband = muster_warband(
        user=owner, ruleset="en-garde", faction=faction, name=faction.title(), extras=extras
    )
    if fighters:
        recruit_fighters(warband_id=warband.pk, fighters=fighters, user=owner)
    return fresh(warband)


def fresh(warband: Warband) -> Warband:
    return Warband.objects.select_related("owner", "keeper").get(pk=warband.pk)


@pytest.fixture
def lands(bob: User) -> Warband:
    """Return ten Landsknechts of 184 points, with a banner, under a Hauptmann."""
    warband = mustered(
        bob,
        "landsknechts",
        NewFighter({"profile": "hauptmann"}, name="Götz"),
        NewFighter(HALBERD, name="Veit", count=2),
        NewFighter({"profile": "landsknecht"}, count=7),
        banner=True,
    )
    appoint(warband_id=warband.pk, posts={"leader": fighter_of(warband, "Götz").pk}, user=bob)
    return fresh(warband)


@pytest.fixture
def seamen(bob: User) -> Warband:
    """Return swashbucklers: a list with recruits of Rank 1."""
    warband = mustered(
        bob,
        "swashbucklers",
        NewFighter({"profile": "captain"}, name="Anne"),
        NewFighter({"profile": "petty-officer"}, count=2),
        NewFighter({"profile": "able-seaman"}, count=3),
        NewFighter({"profile": "seaman"}, count=4),
    )
    appoint(warband_id=warband.pk, posts={"leader": fighter_of(warband, "Anne").pk}, user=bob)
    return fresh(warband)


def enrol(warband: Warband, club: Club, points: int, **house_rules: object) -> None:
    campaign = Campaign.objects.create(
        club=club, name="The Long Winter", ruleset="en-garde", edition=warband.edition, points=points,
        state=CampaignState.RUNNING, house_rules=house_rules,
    )  # fmt: skip
    player = Membership.objects.get(club=club, user=warband.owner)
    Enrolment.objects.create(
        campaign=campaign, warband=warband, player=player, enrolled_at=timezone.now()
    )
    fact = Enrolled(campaign=str(campaign.pk), agreed_points=points, settings=house_rules)
    append_facts({warband.pk: fact}, user=None)


def codes(refusal: InvalidInput | RulesError) -> list[str]:
    return [problem.code for problem in refusal.problems if problem.severity is Severity.FORBIDS]


def test_a_printed_list_costs_what_it_prints(lands: Warband, bob: User) -> None:
    page = warband_page(lands, bob)
    assert page.points == 29 + 2 * 23 + 7 * 15 + 5 == lands.points
    assert [figure.value for figure in page.figures] == [8, 3]
    assert [card.sheet.price.printed for card in page.fighters if card.sheet][:2] == [29, 22]
    assert [problem for problem in page.problems if problem.severity is Severity.FORBIDS] == []


def test_an_option_of_another_profile_is_refused_with_a_way_out(lands: Warband, bob: User) -> None:
    with pytest.raises(RulesError) as refusal:
        equip_fighter(
            fighter_id=fighter_of(lands, "Götz").pk,
            build={"profile": "hauptmann", "options": {"exchange-pike": "halberd"}},
            user=bob,
        )
    assert all(problem.field.startswith("build.") for problem in refusal.value.problems)
    assert "—" not in str(refusal.value)


def test_two_unique_figures_are_a_problem_of_the_draft(bob: User) -> None:
    guard = mustered(bob, "cardinals-guard", NewFighter({"profile": "milady-de-winter"}, count=2))
    problems = problem_list(guard).problems
    assert any(
        problem.severity is Severity.FORBIDS and len(problem.fighters) == 2 for problem in problems
    )


def test_crew_of_a_gun_can_change_in_play(lands: Warband, club: Club, bob: User) -> None:
    crew = [str(fighter_of(lands, f"Landsknecht {number}").pk) for number in (1, 2, 3)]

    def gun(*served_by: str) -> dict[str, object]:
        return {"banner": True, "ordnance": [{"gun": "swivel-gun", "crew": list(served_by)}]}

    furnish_warband(warband_id=lands.pk, extras=gun(*crew[:2]), user=bob)
    enrol(fresh(lands), club, 200)
    fight(lands, dead=("Landsknecht 1",))
    furnish_warband(warband_id=lands.pk, extras=gun(*crew[1:]), user=bob)
    with pytest.raises(InvalidInput) as refusal:
        furnish_warband(warband_id=lands.pk, extras={"banner": True}, user=bob)
    assert refusal.value.code == "roster-locked"
    assert fresh(lands).state["extras"]["ordnance"] == [{"gun": "swivel-gun", "crew": crew[1:]}]
    assert prove(fresh(lands)) == []


def test_custom_fighters_come_from_the_calculator(bob: User) -> None:
    build = {
        "profile": "rank-3",
        "name": "Reeve",
        "characteristics": {"shoot": 0},
        "equipment": ["sword", "light-armour"],
    }
    warband = mustered(
        bob,
        "custom",
        NewFighter(build, count=2),
        NewFighter({"profile": "rank-1", "equipment": ["spear"]}),
        morale=8,
    )
    reeve, _, peasant = warband.fighters.all()
    assert (reeve.name, reeve.points) == ("Reeve 1", 15 - 2 + 2 + 1)
    assert peasant.rank == 1
    assert warband_page(warband, bob).figures[0].value == 8
    assert prove(warband) == []


def test_after_the_first_game_seamen_may_join_and_officers_not(
    seamen: Warband, club: Club, bob: User
) -> None:
    enrol(seamen, club, 120)
    fight(seamen, dead=("Seaman 1",))
    recruit_fighters(
        warband_id=seamen.pk, fighters=[NewFighter({"profile": "seaman"}, count=2)], user=bob
    )
    with pytest.raises(InvalidInput) as refusal:
        recruit_fighters(
            warband_id=seamen.pk, fighters=[NewFighter({"profile": "officer"})], user=bob
        )
    assert "recruit-above-rank-1" in codes(refusal.value)
    with pytest.raises(InvalidInput) as refusal:
        recruit_fighters(
            warband_id=seamen.pk, fighters=[NewFighter({"profile": "seaman"}, count=9)], user=bob
        )
    assert "over-points-limit" in codes(refusal.value)


def test_a_campaign_without_recruits_takes_none(
    seamen: Warband, club: Club, bob: User, alice: User
) -> None:
    enrol(seamen, club, 120, recruits="none")
    fight(seamen)
    with pytest.raises(InvalidInput) as refusal:
        recruit_fighters(
            warband_id=seamen.pk, fighters=[NewFighter({"profile": "seaman"})], user=bob
        )
    assert codes(refusal.value) == ["no-recruits"]
    recruit_fighters(
        warband_id=seamen.pk,
        fighters=[NewFighter({"profile": "seaman"})],
        user=alice,
        overrule="press gang",
    )


def test_a_promotion_cannot_be_smuggled_in_as_a_recruit(
    seamen: Warband, club: Club, bob: User
) -> None:
    enrol(seamen, club, 120)
    fight(seamen)
    kept = {"profile": "seaman", "kept": {"points": 0, "numbers": {"fight": 6}}}
    with pytest.raises(InvalidInput) as refusal:
        recruit_fighters(warband_id=seamen.pk, fighters=[NewFighter(kept)], user=bob)
    assert "unearned-rank" in codes(refusal.value)


def test_a_veteran_rises_keeps_what_he_has_and_may_think_again(
    lands: Warband, club: Club, alice: User, bob: User
) -> None:
    enrol(lands, club, 250)
    fight(lands, {"Landsknecht 1": 2})
    hans = fighter_of(lands, "Landsknecht 1").pk
    assert prepare_offers(warband_id=lands.pk) == 0
    adjust_fighter(fighter_id=hans, experience=2, reason="held the gate", user=alice)
    assert prepare_offers(warband_id=lands.pk) == 1
    (choice,) = rank_up_list(Fighter.objects.select_related("warband").get(pk=hans)).steps
    assert (choice.step.rank, choice.step.cost, choice.affordable) == (3, 5, True)
    picks = {"attributes": ["agile", "fearless"], "exchange-pike": ["halberd"]}
    take_rank_up(fighter_id=hans, step=choice.step.key, picks=picks, user=bob)
    risen = Fighter.objects.get(pk=hans)
    assert (risen.profile_name, risen.rank, risen.experience) == ("Doppelsoldner", 3, 0)
    assert risen.points == 22 + 1 + 6
    undo_rank_up(fighter_id=hans, user=bob)
    assert Fighter.objects.get(pk=hans).experience == 5
    assert prove(fresh(lands)) == []


def test_every_number_has_its_rule(lands: Warband, club: Club) -> None:
    enrol(lands, club, 250)
    fight(lands, {"Veit 1": 1})
    by_key = {
        explanation.key: explanation
        for explanation in explain_fighter(
            Fighter.objects.select_related("warband").get(name="Veit 1")
        )
    }
    assert by_key["points"].value == "23"
    assert sum(line.points for line in by_key["points"].lines) == 23
    assert all(line.source for line in by_key["points"].lines)
    assert [line.rule for line in [*by_key["experience"].facts]] == [
        'Rule book: "Progression"; Ruling X7',
        'Rule book: "Progression"; Ruling X2',
    ]
    assert by_key["combat_pool"].value == "3"


def test_a_hound_does_not_lead(bob: User) -> None:
    dogs = mustered(
        bob,
        "conquistadors",
        NewFighter({"profile": "soldier"}, count=3),
        NewFighter({"profile": "warhound"}),
    )
    with pytest.raises(InvalidInput) as refusal:
        appoint(warband_id=dogs.pk, posts={"leader": fighter_of(dogs, "Warhound 1").pk}, user=bob)
    assert refusal.value.code == "cannot-lead"


def test_who_is_captured_costs_nothing_until_set_free(
    lands: Warband, alice: User, bob: User
) -> None:
    adjust_fighter(
        fighter_id=fighter_of(lands, "Veit 1").pk, fate=Fate.CAPTURED, reason="ambushed", user=bob
    )
    assert fresh(lands).points == lands.points - 23
    release_fighter(fighter_id=fighter_of(lands, "Veit 2").pk, reason="retired", user=bob)
    assert fresh(lands).points == lands.points - 46


def test_a_copy_of_veterans_shows_what_they_earned_as_a_problem(
    lands: Warband, club: Club, alice: User, bob: User
) -> None:
    enrol(lands, club, 250)
    hans = fighter_of(lands, "Landsknecht 1").pk
    adjust_fighter(fighter_id=hans, experience=5, reason="a hero", user=alice)
    take_rank_up(fighter_id=hans, step="landsknechts/doppelsoldner", user=bob)
    copied = copy_warband(warband_id=lands.pk, user=bob)
    start = copy_warband(warband_id=lands.pk, user=bob, starting=True)
    assert copied.points == fresh(lands).points
    assert start.points == lands.points
    assert prove(copied) == prove(start) == []


def test_every_profile_of_every_list_can_be_recruited_and_explained(as_bob: APIClient) -> None:
    for faction in newest_ruleset("en-garde").catalogue({})["factions"]:
        body = {"ruleset": "en-garde", "faction": faction["key"], "name": faction["name"]}
        base = f"/api/v1/warbands/{as_bob.post('/api/v1/warbands/', body).json()['id']}/"
        fighters = [{"build": {"profile": profile["key"]}} for profile in faction["profiles"]]
        answer = as_bob.post(f"{base}fighters/", {"fighters": fighters})
        assert answer.status_code == 201, answer.content
        prices = [card["points"] for card in answer.json()["fighters"]]
        if faction["key"] != "custom":
            assert prices == [profile["points"] for profile in faction["profiles"]], faction["key"]
