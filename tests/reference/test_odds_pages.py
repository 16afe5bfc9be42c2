"""The odds between two as pages: off their rosters, and in a battle under way."""

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from playwright.sync_api import Page, expect
from rest_framework.test import APIClient

from battles.models import Battle
from battles.services.logbook import NewEvent, log_events
from campaigns.models import Campaign
from rulebook.ruleset import Ruleset
from tests.battles.field import muster
from tests.conftest import PASSWORD, browser_of
from tests.full_toy import register_toy as register_toy
from tests.pages import world
from tests.pages.markup import Markup, faults
from tests.pages.world import named
from warbands.models import Fighter, Warband

pytestmark = pytest.mark.one_database

KINDS = ("attack", "round", "best-split", "equilibrium")


@pytest.fixture
def alices(alice: User) -> Client:
    return browser_of(alice)


@pytest.fixture
def pair(begun: Battle) -> dict[str, str]:
    return {"attacker": str(named("Jussac").pk), "target": str(named("Hans").pk)}


def between(client: Client, name: str = "Jussac", against: str = "", **query: Any) -> Any:
    defaults = {"against": named(against).pk} if against else {}
    return client.get(reverse("battles:odds", args=[named(name).pk]), {**defaults, **query})


def now(client: Client, battle: Battle, **query: Any) -> Any:
    return client.get(reverse("battles:odds-in-battle", args=[battle.pk]), query)


def body(page: Any) -> str:
    text: str = page.content.decode()
    assert list(faults(text)) == []
    return text


def queries(client: Client, address: str, **query: Any) -> int:
    client.get(address, query)  # The number in the header is counted once and kept.
    with CaptureQueriesContext(connection) as seen:
        assert client.get(address, query).status_code == 200
    return len(seen)


# Off their rosters.


def test_a_fighters_page_leads_to_its_odds(alices: Client, campaign: Campaign) -> None:
    jussac = named("Jussac")
    page = alices.get(reverse("warbands:fighter", args=[jussac.pk]))
    assert {"class": "button second", "href": f"/fighters/{jussac.pk}/odds/"} in Markup(
        body(page)
    ).all("a")


def test_first_one_chooses_an_opponent_by_warband(alices: Client, campaign: Campaign) -> None:
    page = between(alices)
    parties = {
        party.name: [name for _, name in party.members] for party in page.context["form"].parties
    }
    assert list(parties) == ["Der schwarze Haufen"], "nobody is measured against his own side"
    text = body(page)
    assert "Hans" in text and 'id="answer"' not in text


@pytest.mark.parametrize("kind", KINDS)
def test_odds_page_matches_api(
    alices: Client, as_alice: APIClient, campaign: Campaign, kind: str
) -> None:
    page = between(alices, against="Hans", kind=kind)
    address = f"/api/v1/fighters/{named('Jussac').pk}/odds/"
    answer = as_alice.get(address, {"against": str(named("Hans").pk), "kind": kind}).json()
    assert json.loads(json.dumps(page.context["form"].answer)) == answer
    text = body(page).replace("&#x27;", "'")
    for sentence in (answer["headline"], *answer["assumptions"]):
        assert sentence in text
    rows = [row for table in answer["tables"] for row in table["rows"]]
    assert all(f'<rect width="{row["percent"]}"' in text and row["chance"] in text for row in rows)


def test_without_a_kind_the_first_that_can_be_answered_is_shown(
    alices: Client, campaign: Campaign
) -> None:
    assert between(alices, against="Hans").context["calculator"].key == "attack", (
        "Jussac carries nothing to shoot with"
    )
    assert (
        between(alices, "Le Rat", against="Hans", kind="shot", weapon="pistol")
        .context["calculator"]
        .key
        == "shot"
    )


def test_odds_page_keeps_values_in_address(alices: Client, campaign: Campaign) -> None:
    page = between(alices, against="Hans", kind="attack", parry="true", mighty_blow="on")
    sums = page.context["form"].answer["sums"]
    assert [each["title"].partition(" for ")[0] for each in sums][:2] == [
        "Added to three dice, of which two count,",
        "Added to two dice",
    ]
    ticked = {each["name"] for each in Markup(body(page)).all("input") if "checked" in each}
    assert ticked == {"parry", "mighty_blow"}


def test_tabs_and_swap_keep_both_fighters(alices: Client, campaign: Campaign) -> None:
    jussac, hans = named("Jussac").pk, named("Hans").pk
    page = between(alices, against="Hans", kind="round", target_wound="light")
    links = {each.get("href", "") for each in Markup(body(page)).all("a")}
    assert f"/fighters/{jussac}/odds/?kind=attack&against={hans}" in links
    assert f"/fighters/{hans}/odds/?against={jussac}&kind=round" in links
    assert f"/fighters/{jussac}/odds/?kind=round&against={hans}&target_wound=light" in links, (
        "a link to the answer"
    )


def test_odds_page_shows_errors_at_fields(alices: Client, campaign: Campaign) -> None:
    page = between(alices, against="Hans", kind="attack", enemies="9")
    assert page.status_code == 400 and page.context["form"].errors["enemies"]
    assert 'href="#id_enemies"' in body(page)
    odd = alices.get(reverse("battles:odds", args=[named("Jussac").pk]), {"against": "Hans"})
    assert odd.status_code == 400 and odd.context["form"].errors["against"]
    body(odd)
    assert between(alices, against="Hans", kind="wrestle").status_code == 404


def test_permissions_of_the_odds_between_fighters(
    alices: Client, bob: User, charlie: User, dora: User, client: Client, campaign: Campaign
) -> None:
    for user in (bob, dora):
        assert between(browser_of(user), against="Hans").status_code == 200
    assert between(browser_of(charlie), against="Hans").status_code == 404
    assert between(client, against="Hans").status_code == 302
    assert alices.post(reverse("battles:odds", args=[named("Jussac").pk])).status_code == 405
    nobody = {"against": str(uuid4())}
    assert alices.get(reverse("battles:odds", args=[named("Jussac").pk]), nobody).status_code == 404
    assert alices.get(reverse("battles:odds", args=[uuid4()])).status_code == 404


def test_a_hidden_opponent_is_neither_listed_nor_found(
    alices: Client, guards: Warband, haufen: Warband
) -> None:
    assert "Hans" not in body(between(alices))
    assert between(alices, against="Hans").status_code == 404
    Warband.objects.filter(pk=haufen.pk).update(visibility="unlisted")
    assert "Hans" not in body(between(alices))
    page = between(alices, against="Hans", kind="attack")
    assert page.status_code == 200, "whoever has the link may ask"
    assert "Hans" in [name for party in page.context["form"].parties for _, name in party.members]


def test_the_dead_and_other_systems_are_not_offered(
    alices: Client, alice: User, campaign: Campaign, register_toy: Ruleset
) -> None:
    Fighter.objects.filter(name="Veit").update(fate="dead")
    stranger = Fighter.objects.filter(warband=muster(alice, "Reds")).first()
    assert stranger is not None
    page = between(alices)
    offered = [name for party in page.context["form"].parties for _, name in party.members]
    assert "Veit" not in offered and stranger.name not in offered and "Hans" in offered
    page = between(alices, against=stranger.name)
    assert page.status_code == 400 and "different rule systems" in body(page)


def test_the_queries_stay_the_same_however_many_warbands_there_are(
    alices: Client, bob: User, alice: User, campaign: Campaign
) -> None:
    address = reverse("battles:odds", args=[named("Jussac").pk])
    kwargs = {"against": named("Hans").pk, "kind": "round"}
    before = queries(alices, address, **kwargs)
    for place in range(3):
        world.guards(alice, f"Compagnie {place}")
        world.warbands_see_each_other(world.landsknechts(bob, f"Haufen {place}"))
    assert (
        queries(alices, address, **{**kwargs, "against": Fighter.objects.filter(name="Hans")[1].pk})
        == before
        == 5
    )


def test_in_a_campaign_nobody_of_another_one_is_offered(
    alices: Client, bob: User, campaign: Campaign
) -> None:
    world.warbands_see_each_other(world.landsknechts(bob, "Fremder Haufen"))
    assert [party.name for party in between(alices).context["form"].parties] == [
        "Der schwarze Haufen"
    ]


def test_outside_a_campaign_every_other_warband_is_offered(
    alices: Client, alice: User, guards: Warband
) -> None:
    world.landsknechts(alice)
    assert [party.name for party in between(alices).context["form"].parties] == [
        "Der schwarze Haufen"
    ]


# In a battle under way.


def test_two_of_a_battle_are_measured_as_the_log_leaves_them(
    alices: Client, alice: User, begun: Battle, pair: dict[str, str]
) -> None:
    fresh = now(alices, begun, **pair, kind="attack").context["form"].answer
    event = world.wound(named("Hans"), named("Jussac"), "light")
    log_events(battle_id=begun.pk, events=[event], user=alice)
    page = now(alices, begun, **pair, kind="attack")
    hurt = page.context["form"].answer
    assert hurt["sums"][0]["total"] == fresh["sums"][0]["total"] - 1
    assert "Jussac against Hans" in body(page)


def test_in_a_battle_one_chooses_among_its_sides(alices: Client, begun: Battle) -> None:
    page = now(alices, begun)
    assert [party.name for party in page.context["form"].parties] == [
        "Compagnie du Cardinal",
        "Der schwarze Haufen",
    ]
    assert 'name="attacker"' in body(page) and 'name="target"' in body(page)


def test_in_a_battle_nobody_strikes_at_his_own_side(
    alices: Client, begun: Battle, pair: dict[str, str]
) -> None:
    groups = [
        each["label"]
        for each in Markup(body(now(alices, begun, attacker=pair["attacker"]))).all("optgroup")
    ]
    assert groups == ["Compagnie du Cardinal", "Der schwarze Haufen", "Der schwarze Haufen"]


def test_odds_page_keeps_chosen_fighter(
    alices: Client, begun: Battle, pair: dict[str, str]
) -> None:
    page = now(alices, begun, attacker=pair["attacker"])
    assert page.context["names"] == ["Jussac", ""]
    chosen = [each["value"] for each in Markup(body(page)).all("option") if "selected" in each]
    assert chosen == [pair["attacker"], ""]


def test_each_kind_in_a_battle_is_a_well_made_page(
    alices: Client, begun: Battle, pair: dict[str, str]
) -> None:
    for kind in KINDS:
        page = now(alices, begun, **pair, kind=kind)
        assert page.context["form"].answer["headline"] in body(page).replace("&#x27;", "'")
    turned = f"?kind=attack&attacker={pair['target']}&target={pair['attacker']}"
    links = [
        each.get("href", "")
        for each in Markup(body(now(alices, begun, **pair, kind="attack"))).all("a")
    ]
    assert any(link.endswith(turned) for link in links)


def test_odds_page_rejects_dead_fighters(
    alices: Client, alice: User, begun: Battle, pair: dict[str, str]
) -> None:
    event = world.wound(named("Jussac"), named("Hans"), "critical")
    log_events(battle_id=begun.pk, events=[event], user=alice)
    page = now(alices, begun, **pair, kind="attack")
    assert page.status_code == 400 and page.context["form"].errors["target"]
    assert "is dead" in body(page)
    page = now(alices, begun, **pair | {"target": "nobody"})
    assert page.status_code == 400 and page.context["form"].errors["target"]


def test_permissions_of_the_odds_in_a_battle(
    bob: User, charlie: User, dora: User, client: Client, begun: Battle, pair: dict[str, str]
) -> None:
    for user in (bob, dora):
        assert now(browser_of(user), begun, **pair).status_code == 200
    assert now(browser_of(charlie), begun, **pair).status_code == 404
    assert now(client, begun, **pair).status_code == 302
    assert browser_of(bob).get(reverse("battles:odds-in-battle", args=[uuid4()])).status_code == 404


def test_the_queries_stay_the_same_however_long_the_log_is(
    alices: Client, alice: User, begun: Battle, pair: dict[str, str]
) -> None:
    address = reverse("battles:odds-in-battle", args=[begun.pk])
    before = queries(alices, address, **pair)
    notes = [NewEvent(uuid4(), "note", {"text": f"Note {number}"}) for number in range(30)]
    log_events(battle_id=begun.pk, events=notes, user=alice)
    assert queries(alices, address, **pair) == before == 5


def test_long_fractions_have_a_line_of_their_own_on_a_phone(
    alices: Client, campaign: Campaign
) -> None:
    assert 'class="table chances long"' in body(between(alices, against="Hans", kind="round"))
    assert 'class="table chances long"' not in body(between(alices, against="Hans", kind="attack"))


@pytest.mark.browser
def test_another_opponent_is_met_without_leaving_the_page(
    page: Page, alice: User, campaign: Campaign
) -> None:
    address = reverse("battles:odds", args=[named("Jussac").pk])
    page.goto(address)
    page.locator("[name=login]").fill("alice")
    page.locator("[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    # With two stars the address of the sign-in page, which ends with this one, would do.
    page.wait_for_url(address)
    page.get_by_label("Against").select_option(label="Hans")
    page.get_by_role("button", name="Show odds").click()
    page.get_by_role("heading", name="Jussac against Hans").wait_for()
    page.get_by_label("Against").select_option(label="Veit")
    page.get_by_role("heading", name="Jussac against Veit").wait_for()
    link = page.get_by_role("link", name="Odds of a round")
    expect(link).to_have_attribute("href", re.compile(str(named("Veit").pk)))
