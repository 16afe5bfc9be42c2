"""Battles of Avant-garde from the plan to the chronicle, its pages and its prints: brigades,
points, lost figures."""

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from documents.models import DocumentKind
from rulebook.ruleset import OneStep
from tests.battles.war import War
from tests.documents.conftest import ask, made
from tests.documents.reading_pdfs import text
from tests.rulebook.avant_garde.field import ARMY
from warbands.models import ExperienceEntry, Fighter, Warband
from warbands.roster_rules import affordable
from warbands.rulebook_values import read_state, ruleset_of_warband
from warbands.services.rank_ups import take_rank_up
from warbands.services.verification import prove

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
HOUSE_RULES = {"returns": True, "seasoning": True, "seasoning_marks": 1, "price_competent": 60}


def war_of(alice: User, **house_rules: Any) -> War:
    """Return a campaign of the French against the British."""
    return War(
        alice,
        "avant-garde",
        ("france", "britain"),
        tuple(ARMY.values()),
        points=5000,
        **house_rules,
    )


@pytest.fixture
def war(alice: User) -> War:
    return war_of(alice)


def test_battles_are_fought_and_confirmed_and_the_chronicle_proves_it(alice: User) -> None:
    war = war_of(alice, **HOUSE_RULES)
    for seed in range(2):
        assert war.fight(seed).state == "confirmed"
    for company in war.companies:
        assert prove(Warband.objects.get(pk=company.pk)) == []
    states = [read_state(Warband.objects.get(pk=each.pk)) for each in war.companies]
    assert any(each.condition.get("lost") for state in states for each in state.fighters.values())


def test_where_casualties_do_not_carry_over_everybody_is_whole_again(alice: User) -> None:
    war = war_of(alice, casualties_carry_over=False)
    war.fight(1)
    assert set(Fighter.objects.values_list("experience", "fate")) == {(0, "fit")}
    assert not any(each.condition for each in read_state(war.companies[0]).fighters.values())


def test_seasoning_raises_a_grade_and_the_ledger_says_so(alice: User) -> None:
    war = war_of(alice, **HOUSE_RULES)
    war.fight(1)
    states = {each.pk: read_state(Warband.objects.get(pk=each.pk)) for each in war.companies}
    rules = ruleset_of_warband(war.companies[0])
    able = next(
        fighter
        for state in states.values()
        for fighter in state.fighters.values()
        if affordable(rules, state, fighter)
    )
    terms = next(state.terms for state in states.values() if able.id in state.fighters)
    assert isinstance(rules.progression, OneStep)
    next_step = rules.progression.next_step(able.build, terms)
    assert next_step is not None
    roster = next(state.roster for state in states.values() if able.id in state.fighters)
    (offer,) = rules.progression.rank_ups(
        next(each for each in roster.fighters if each.id == able.id), roster
    )
    take_rank_up(fighter_id=UUID(able.id), step=next_step[0], user=alice)
    assert (
        0
        < offer.points_before
        == able.points
        < offer.points_after
        == Fighter.objects.get(pk=able.id).points
    )
    assert (
        ExperienceEntry.objects.get(fighter_id=UUID(able.id), code="rank-up").sentence
        == next_step[1].name
    )


def test_every_page_of_an_army_and_of_its_battles_opens(war: War, client: Client) -> None:
    done, open_one = war.fight(2), war.start()
    client.force_login(war.alice)
    fit = {
        company: {
            each.build["profile"]: each.id
            for each in read_state(company).fighters.values()
            if each.fate == "fit"
        }
        for company in war.companies
    }
    # A battle may have cost an army its only battery: its pages are those of the army that has
    # every arm left.
    company, arms = max(fit.items(), key=lambda each: len(each[1]))
    battalion, battery, commander = (
        Fighter.objects.get(pk=arms[each]) for each in ("infantry", "artillery", "commander")
    )
    for kind, data in (("turn", {}), ("initiative", {}), ("location", {"name": "The bridge"})):
        war.log(open_one, (kind, data))
    table = reverse("battles:table", args=[open_one.pk])
    pages = [
        reverse("warbands:warband", args=[company.pk]),
        reverse("warbands:build", args=[company.pk]),
        *(
            reverse("warbands:recruit", args=[company.pk, read_state(company).terms.faction, arm])
            for arm in arms
        ),
        reverse("warbands:chronicle", args=[company.pk]),
        *(reverse("warbands:fighter", args=[each.pk]) for each in (battalion, battery, commander)),
        reverse("warbands:equip", args=[battalion.pk]),
        reverse("reference:rules", args=["avant-garde"]),
        reverse("battles:battle", args=[done.pk]),
        table,
        f"{table}?do=location",
        f"{table}?who={battalion.pk}&do=move",
        f"{table}?who={battalion.pk}&do=charge",
        f"{table}?who={battery.pk}&do=guns",
        reverse("battles:sheet", args=[open_one.pk]),
        reverse("battles:review", args=[open_one.pk]),
        reverse("battles:dice", args=[open_one.pk]),
        reverse("battles:odds-in-battle", args=[open_one.pk]),
        reverse("leagues:campaign", args=[war.campaign.pk]),
    ]
    for page in pages:
        assert client.get(page).status_code == 200, page


def test_battle_page_shows_detached_skirmishers(war: War, client: Client) -> None:
    battle = war.start()
    client.force_login(war.alice)
    reds = next(iter(battle.sides.order_by("place"))).combatants.order_by("place")
    light = next(each for each in reds if each.build.get("light_infantry"))
    group, name = f"{light.fighter_id}-skirmishers", f"Skirmishers of {light.name}"
    table = reverse("battles:table", args=[battle.pk])
    war.log(battle, ("turn", {}))
    assert name not in client.get(table).content.decode()
    war.log(battle, ("skirmish", {"fighter": str(light.fighter_id), "number": 6}))
    for page in (
        table,
        f"{table}?who={group}",
        f"{table}?who={group}&do=move",
        f"{table}?who={light.fighter_id}",
        reverse("battles:sheet", args=[battle.pk]),
        reverse("battles:odds-in-battle", args=[battle.pk]),
    ):
        answer = client.get(page)
        assert answer.status_code == 200, page
        assert name in answer.content.decode(), page
    war.log(battle, ("panic", {"fighter": group}))
    assert f"{name} takes a panic test" in client.get(table).content.decode()


def test_a_ball_misses_everybody_with_one_button_of_the_table(war: War, client: Client) -> None:
    battle = war.start()
    client.force_login(war.alice)
    reds, blues = (side.combatants.order_by("place") for side in battle.sides.order_by("place"))
    guns = next(each for each in reds if each.build["profile"] == "artillery")
    target = next(each for each in blues if each.build["profile"] == "infantry")
    shot = {
        "fighter": str(guns.fighter_id),
        "target": str(target.fighter_id),
        "inches": 12,
        "guns": 1,
    }
    for event in (
        ("turn", {}),
        ("initiative", {}),
        ("guns", {**shot, "shots": [4], "lengths": [3]}),
    ):
        war.log(battle, event)
    table = reverse("battles:table", args=[battle.pk])
    page = client.get(table).content.decode()
    assert "ball 1 of 1 runs 3 inches. Which units are hit?" in page
    form = page[page.index("do=missed") :]
    sent = {
        key: form.split(f'name="{key}"')[1].split('value="')[1].split('"')[0]
        for key in ("client_id", "version")
    }
    assert client.post(f"{table}?who={guns.fighter_id}&do=missed", sent).status_code == 302
    page = client.get(table).content.decode()
    assert "A round of" in page
    assert "hits nobody" in page
    assert "Which units are hit?" not in page


@pytest.mark.parametrize(
    "kind", [DocumentKind.ROSTER, DocumentKind.BATTLE, DocumentKind.CAMPAIGN, DocumentKind.CAREER]
)
def test_everything_is_printed(war: War, kind: DocumentKind) -> None:
    battle = war.fight(1)
    veteran = Fighter.objects.filter(fate="fit", warband=war.companies[0].pk)[0]
    subjects = {
        DocumentKind.ROSTER: war.companies[0].pk,
        DocumentKind.BATTLE: battle.pk,
        DocumentKind.CAMPAIGN: war.campaign.pk,
        DocumentKind.CAREER: veteran.pk,
    }
    document = made(ask(war.alice, kind, subjects[kind]))
    assert (document.state, document.failure) == ("ready", "")
    with document.file.open("rb") as file:
        assert text(file.read()).strip()


def test_post_has_place_for_each_eligible_fighter(war: War, client: Client) -> None:
    battle, army = war.start(), war.companies[0]
    client.force_login(war.alice)
    side = battle.sides.get(warband=army)
    commanders = sum(
        each.build["profile"] == "commander" for each in read_state(army).fighters.values()
    )
    for page in (
        reverse("battles:field", args=[battle.pk, side.key]),
        reverse("warbands:posts", args=[army.pk]),
    ):
        assert client.get(page).content.decode().count('<select name="post.') <= commanders + 1
