"""Battles of Argad! from the plan to the chronicle, its pages and its prints: no points, no ranks,
a condition."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.rulebook_values import read_setup, sides_of
from battles.services.review import submit_battle
from documents.models import DocumentKind
from tests.battles.war import War
from tests.documents.conftest import ask, made
from tests.documents.reading_pdfs import text
from warbands.models import ExperienceEntry, Fighter, Warband
from warbands.roster_rules import affordable
from warbands.rulebook_values import read_state, ruleset_of_warband
from warbands.services.rank_ups import take_rank_up
from warbands.services.verification import prove

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
HOUSE_RULES = {"renown": True, "renown_threshold": 1, "out_of_action_check": True}
BUILDS: tuple[dict[str, Any], ...] = (
    {
        "class": 4,
        "mount": "cavalry",
        "clothing": "half-armour",
        "firearm": "pistol",
        "role": "Captain",
    },
    {"class": 3, "weapon": "pike", "trained": True, "close_order": True, "group": "Pikes"},
    {"class": 2, "firearm": "musket"},
    {"class": 3, "firearm": "arquebus"},
)


def war_of(alice: User, **house_rules: Any) -> War:
    """Return a campaign of two companies of Alice's."""
    return War(
        alice,
        "argad",
        ("company", "company"),
        tuple(build for build in BUILDS for _ in range(2)),
        **house_rules,
    )


@pytest.fixture
def war(alice: User) -> War:
    return war_of(alice)


def test_battles_are_fought_and_confirmed_and_the_chronicle_proves_it(war: War) -> None:
    for seed in range(2):
        assert war.fight(seed).state == "confirmed"
    for company in war.companies:
        assert prove(Warband.objects.get(pk=company.pk)) == []
    dead = Fighter.objects.filter(fate="dead")
    assert dead.count()
    assert set(Fighter.objects.values_list("points", flat=True)) == {0}


def test_without_house_rules_nobody_earns_anything(war: War) -> None:
    war.fight(1)
    assert set(Fighter.objects.values_list("experience", flat=True)) == {0}


def test_renown_raises_a_class_and_the_check_brings_some_back(alice: User) -> None:
    war = war_of(alice, **HOUSE_RULES)
    battle = war.fight(1)
    assert battle.state == "confirmed"
    company = Warband.objects.get(pk=war.companies[0].pk)
    company_state = read_state(company)
    able = next(
        each
        for each in company_state.fighters.values()
        if affordable(ruleset_of_warband(company), company_state, each)
    )
    before = able.build["class"]
    fighter = Fighter.objects.get(pk=able.id)
    take_rank_up(fighter_id=fighter.pk, step=f"class-{before + 1}", user=alice)
    after = read_state(Warband.objects.get(pk=company.pk)).fighters[able.id]
    assert after.build["class"] == before + 1
    spent = ExperienceEntry.objects.get(fighter=fighter, code="rank-up")
    assert spent.sentence == f"Class {before + 1}"


def test_who_is_missing_carries_it_to_the_next_battle(war: War) -> None:
    battle = war.start()
    lost = Fighter.objects.filter(warband=war.companies[0]).order_by("place")[0]
    war.log(battle, ("loss", {"fighter": str(lost.pk), "gone": "missing"}), ("ended", {}))
    submit_battle(battle_id=battle.pk, user=war.alice)
    assert read_state(war.companies[0]).fighters[str(lost.pk)].condition == {"missing": True}
    again = war.start()
    setup = read_setup(again, sides_of(again))
    fielded = {each.id: each for side in setup.sides for each in side.fighters}
    assert fielded[str(lost.pk)].condition == {"missing": True}


def test_every_page_of_a_company_and_of_its_battles_opens(war: War, client: Client) -> None:
    done, open_one = war.fight(1), war.start()
    client.force_login(war.alice)
    company = war.companies[0]
    fighter = Fighter.objects.filter(warband=company, fate="fit")[0]
    other = Fighter.objects.filter(warband=war.companies[1], fate="fit")[0]
    war.log(open_one, ("turn", {}), ("move", {"fighter": str(fighter.pk)}))
    pages = [
        reverse("warbands:warband", args=[company.pk]),
        reverse("warbands:build", args=[company.pk]),
        reverse("warbands:recruit", args=[company.pk, "company", "character"]),
        reverse("warbands:chronicle", args=[company.pk]),
        reverse("warbands:fighter", args=[fighter.pk]),
        reverse("warbands:equip", args=[fighter.pk]),
        reverse("battles:odds", args=[fighter.pk]) + f"?against={other.pk}",
        reverse("reference:rules", args=["argad"]),
        reverse("reference:ask", args=["argad", "duel"]),
        reverse("battles:battle", args=[done.pk]),
        reverse("battles:table", args=[open_one.pk]),
        reverse("battles:table", args=[open_one.pk]) + f"?who={fighter.pk}&do=shot",
        reverse("battles:table", args=[open_one.pk]) + f"?who={fighter.pk}&do=melee",
        reverse("battles:sheet", args=[open_one.pk]),
        reverse("battles:review", args=[open_one.pk]),
        reverse("battles:dice", args=[open_one.pk]),
        reverse("battles:odds-in-battle", args=[open_one.pk]),
        reverse("leagues:campaign", args=[war.campaign.pk]),
    ]
    for page in pages:
        assert client.get(page).status_code == 200, page


@pytest.mark.parametrize(
    "kind", [DocumentKind.ROSTER, DocumentKind.BATTLE, DocumentKind.CAMPAIGN, DocumentKind.CAREER]
)
def test_prints_do_not_mention_ranks(war: War, kind: DocumentKind) -> None:
    battle = war.fight(1)
    veteran = Fighter.objects.filter(fate="fit")[0]
    subjects = {
        DocumentKind.ROSTER: war.companies[0].pk,
        DocumentKind.BATTLE: battle.pk,
        DocumentKind.CAMPAIGN: war.campaign.pk,
        DocumentKind.CAREER: veteran.pk,
    }
    document = made(ask(war.alice, kind, subjects[kind]))
    assert (document.state, document.failure) == ("ready", "")
    with document.file.open("rb") as file:
        printed = text(file.read())
    assert "Rank" not in printed
