"""Campaigns of several rule systems side by side: pages and lists say which is which."""

import re

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from campaigns.models import Campaign
from campaigns.services.campaigns import plan_campaign
from clubs.models import Club
from documents.content.registry import systems_of
from documents.models import Document, DocumentKind
from documents.services.requesting import request_document
from rulebook.registry import system_name
from tests.battles.test_fighting_wards import war_of
from tests.battles.war import War
from tests.conftest import browser_of

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


def badge(name: str) -> str:
    return f'<span class="badge system">{name}</span>'


@pytest.fixture
def war(alice: User) -> War:
    return war_of(alice)


@pytest.fixture
def other(war: War) -> Campaign:
    """Return a campaign of another system in the same club."""
    return plan_campaign(
        club_id=war.campaign.club_id, user=war.alice, name="Other", ruleset="argad", house_rules={}
    )


def test_lists_of_campaigns_warbands_and_battles_name_the_system(war: War, other: Campaign) -> None:
    war.fight(1)
    browser = browser_of(war.alice)
    for address in (reverse("home:club", args=[other.club_id]), reverse("leagues:campaigns")):
        html = browser.get(address).content.decode()
        assert badge("Wards") in html, address
        assert badge("Argad!") in html, address
    for name in ("warbands:warbands", "battles:battles"):
        assert badge("Wards") in browser.get(reverse(name)).content.decode(), name


def test_a_warband_a_campaign_and_a_battle_say_it_at_their_heads(war: War) -> None:
    battle, browser = war.start(), browser_of(war.alice)
    for name, row in (
        ("warbands:warband", war.companies[0]),
        ("leagues:campaign", war.campaign),
        ("battles:battle", battle),
    ):
        assert badge("Wards") in browser.get(reverse(name, args=[row.pk])).content.decode(), name


def test_documents_say_it(war: War) -> None:
    battle = war.fight(1)
    subjects = {
        DocumentKind.ROSTER: war.companies[0].pk,
        DocumentKind.BATTLE: battle.pk,
        DocumentKind.CAREER: war.companies[0].fighters.all()[0].pk,
        DocumentKind.CAMPAIGN: war.campaign.pk,
    }
    documents = [
        request_document(user=war.alice, kind=kind, subject=key) for kind, key in subjects.items()
    ]
    assert set(systems_of(documents).values()) == {"wards"}
    assert len(systems_of(documents)) == len(documents)
    html = browser_of(war.alice).get(reverse("documents:documents")).content.decode()
    assert html.count(badge("Wards")) == len(documents)
    gone = Document(kind=DocumentKind.ROSTER, subject=Club.objects.get().pk)
    assert systems_of([gone]) == {}


def test_unknown_system_is_named_by_key() -> None:
    assert (system_name("wards"), system_name("of-old")) == ("Wards", "of-old")


def test_live_log_groups_units_with_remaining_strength(war: War) -> None:
    battle = war.start()
    page = browser_of(war.alice).get(reverse("battles:table", args=[battle.pk]))
    groups = page.context["page"].sides[0].groups
    assert [group.name for group in groups] == ["", "Van", "Rearguard", "Cavalry"]
    assert [group.standing for group in groups] == [3, 5, 4, 1]
    html = page.content.decode()
    assert re.search(r'<h3 class="token-group"> ?<a [^>]*>Van', " ".join(html.split()))
    assert '<span class="strength">4 of 4 bases</span>' in " ".join(html.split())


def test_where_nobody_has_a_rank_a_step_is_called_what_the_game_calls_it(alice: User) -> None:
    war = war_of(alice, steadiness=True, levy_wins=1, retinue_wins=1)
    war.fight(1)
    browser = browser_of(alice)
    for company in war.companies:
        for fighter in company.fighters.filter(experience__gt=0, fate="fit")[:1]:
            html = browser.get(reverse("warbands:rank-ups", args=[fighter.pk])).content.decode()
            assert "Promotions of" in html
            assert "Rank 0" not in " ".join(html.split())
            assert "points" not in html.lower()
