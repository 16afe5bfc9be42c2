"""The pages of a classic campaign: beginning it, sealing an order without JavaScript, the final,
who may see them."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.models import Battle, Part
from campaigns.models import Campaign, SealedOrder
from clubs.models import Club
from tests.conftest import browser_of
from tests.leagues.classic import world
from warbands.models import Warband

pytestmark = pytest.mark.one_database


def ticked(warband: Warband, **more: str) -> dict[str, object]:
    """Return the form of the usual plan."""
    plan = world.plan_of(warband)
    return {
        "warband": str(warband.pk),
        **{f"in.{key}": list(keys) for key, keys in plan.items()},
        **more,
    }


def text_of(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_campaign_begins_with_the_scenarios_that_were_agreed_on(
    club: Club, alice: User, reds: Warband, blues: Warband
) -> None:
    campaign = world.classic(club, alice, reds, blues, start=False)
    browser, address = browser_of(alice), reverse("campaigns:begin", args=[campaign.pk])
    assert reverse("campaigns:begin", args=[campaign.pk]) in text_of(
        browser, reverse("leagues:campaign", args=[campaign.pk])
    )
    chosen = {f"scenario_{place}": key for place, key in enumerate(world.SCENARIOS)}
    assert browser.post(address, {**chosen, "scenario_2": "duel"}).status_code == 400
    assert browser.post(address, chosen).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.state, campaign.scenarios) == ("running", list(world.SCENARIOS))


def test_by_house_rule_they_are_drawn_when_it_begins(
    club: Club, alice: User, reds: Warband, blues: Warband
) -> None:
    campaign = world.classic(club, alice, reds, blues, start=False, classic_scenarios="drawn")
    browser, address = browser_of(alice), reverse("campaigns:begin", args=[campaign.pk])
    assert "scenarios by lot" in text_of(browser, address)
    assert browser.post(address, {}).status_code == 302
    campaign.refresh_from_db()
    assert len(set(campaign.scenarios)) == 3


def test_an_order_is_added_up_and_sealed_without_javascript(
    campaign: Campaign, reds: Warband, alice: User
) -> None:
    browser, address = browser_of(alice), reverse("leagues:seal", args=[campaign.pk])
    assert "17 to 33 points" in text_of(browser, address)
    looked = browser.post(address, ticked(reds, look="1")).content.decode()
    assert re.search(r'Capture:\s+<span\s+class="sum-total">24</span>', looked)
    assert not SealedOrder.objects.exists(), "adding up keeps nothing"
    assert browser.post(address, ticked(reds)).status_code == 302
    assert SealedOrder.objects.get().sealed_by == alice
    assert text_of(browser, address).count("checked") == 8, (
        "one's own order can be seen and exchanged"
    )


def test_errors_are_shown_at_their_scenario(campaign: Campaign, reds: Warband, alice: User) -> None:
    browser, address = browser_of(alice), reverse("leagues:seal", args=[campaign.pk])
    form = ticked(reds)
    form["in.raid"] = []
    answer = browser.post(address, form)
    assert answer.status_code == 400
    assert "A small warband costs 17 to 33" in answer.content.decode()


def test_the_last_order_leads_to_the_open_ones(
    campaign: Campaign, reds: Warband, blues: Warband, alice: User, bob: User
):
    world.sealed(campaign, alice, reds)
    address = reverse("leagues:seal", args=[campaign.pk])
    answer = browser_of(bob).post(address, ticked(blues), follow=True)
    text = answer.content.decode()
    assert "All orders are in" in text
    assert "Reds officer 0" in text
    assert browser_of(bob).post(address, ticked(blues)).status_code == 409


def test_the_final_is_a_button(opened: Campaign, alice: User, bob: User) -> None:
    browser, address = browser_of(bob), reverse("leagues:final", args=[opened.pk])
    assert "Plan final" not in text_of(browser, reverse("leagues:classic", args=[opened.pk]))
    browser.post(address)
    assert not Battle.objects.filter(part=Part.FINAL).exists()
    world.all_fought(alice, opened)
    assert "Plan final" in text_of(browser, reverse("leagues:classic", args=[opened.pk]))
    assert browser.post(address).status_code == 302
    assert Battle.objects.filter(part=Part.FINAL).exists()


def test_the_campaigns_front_page_names_the_winner(
    opened: Campaign, reds: Warband, alice: User
) -> None:
    address = reverse("leagues:campaign", args=[opened.pk])
    assert "has not been played yet" in text_of(browser_of(alice), address)


def test_a_side_of_a_small_game_is_chosen_from_its_small_warband(
    opened: Campaign, reds: Warband, alice: User
) -> None:
    game = world.game(opened, "duel")
    key = game.sides.get(warband=reds).key
    text = text_of(browser_of(alice), reverse("battles:field", args=[game.pk, key]))
    assert text.count('name="fighters"') == 1


PAGES = (
    ("leagues:classic", "get", 200, 200),
    ("leagues:seal", "get", 403, 200),
    ("leagues:seal", "post", 403, 400),
)
BUTTONS = (("leagues:final", "post", 403, 302), ("leagues:again", "post", 403, 302))


@pytest.mark.parametrize("route", (*PAGES, *BUTTONS), ids=lambda route: f"{route[1]} {route[0]}")
def test_permissions(
    campaign: Campaign,
    alice: User,
    bob: User,
    charlie: User,
    dora: User,
    route: tuple[str, str, int, int],
) -> None:
    name, method, reader, player = route
    address = reverse(name, args=[campaign.pk])
    nobody = getattr(Client(), method)(address)
    assert (nobody.status_code, nobody["Location"].startswith("/accounts/login/")) == (302, True)
    for user, expected in ((charlie, 404), (dora, reader), (bob, player), (alice, player)):
        assert getattr(browser_of(user), method)(address).status_code == expected
    other = reverse(name, args=["0b6c1a4e-7f52-4b0e-8f4e-0f5f5b9f3c77"])
    assert getattr(browser_of(alice), method)(other).status_code == 404


@pytest.mark.parametrize("method", ["get", "post"])
def test_only_organisers_start_campaign(
    club: Club,
    alice: User,
    bob: User,
    charlie: User,
    dora: User,
    reds: Warband,
    blues: Warband,
    method: str,
) -> None:
    campaign = world.classic(club, alice, reds, blues, start=False)
    address = reverse("campaigns:begin", args=[campaign.pk])
    assert getattr(Client(), method)(address).status_code == 302
    for user, expected in ((charlie, 404), (dora, 403), (bob, 403)):
        assert getattr(browser_of(user), method)(address).status_code == expected


def test_a_linked_campaign_has_no_such_pages(club: Club, alice: User, reds: Warband) -> None:
    Campaign.objects.all().delete()
    linked = world.classic(club, alice, start=False)
    Campaign.objects.update(format="linked")
    for name in ("leagues:classic", "leagues:seal"):
        assert browser_of(alice).get(reverse(name, args=[linked.pk])).status_code == 404
