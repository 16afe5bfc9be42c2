"""Every number on a card, in a ledger, on an offer or on a printed sheet leads to its reason and
its rule."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from msgspec.structs import replace

from battles.models import Battle
from campaigns.models import Campaign
from core.rule_links import rule_links
from documents.content.battles import battle_content
from documents.content.careers import career_content
from documents.content.rank_ups import rank_ups_content
from documents.content.rosters import roster_content
from rulebook.ruleset import RosterPurpose
from tests.conftest import browser_of
from tests.pages import world
from tests.pages.markup import Markup, faults
from tests.pages.world import named
from warbands.models import ChronicleEntry, Warband
from warbands.rulebook_values import read_state, ruleset_of_warband
from warbands.selectors.explanations import explain_fighter
from warbands.selectors.warband_page import warband_page
from warbands.services.roster import adjust_fighter

pytestmark = pytest.mark.one_database

CHARACTERISTICS = ("move", "combat_pool", "initiative", "fight", "shoot", "armour_rating")


@pytest.fixture
def alices(alice: User) -> Client:
    return browser_of(alice)


@pytest.fixture
def fought(alice: User, campaign: Campaign, guards: Warband, haufen: Warband) -> Battle:
    return world.confirmed_battle(alice, alice, campaign, guards, haufen)


def body(page: Any) -> str:
    assert page.status_code == 200
    text: str = page.content.decode()
    assert list(faults(text)) == []
    return text


def links(text: str) -> set[str]:
    return {each.get("href", "") for each in Markup(text).all("a")}


def is_a_rule(named_rule: str) -> bool:
    return any(link.anchor for link in rule_links("en-garde", named_rule))


# Cards and their fighters.


def test_every_number_of_a_card_leads_to_its_reasons(
    alices: Client, fought: Battle, guards: Warband
) -> None:
    fighter = reverse("warbands:fighter", args=[named("Jussac").pk])
    expected = {
        f"{fighter}?why={key}#why-{key}"
        for key in (*CHARACTERISTICS, "rank", "points", "experience")
    }
    cards = body(alices.get(reverse("warbands:warband", args=[guards.pk])))
    assert expected <= links(cards)
    rows = body(alices.get(reverse("warbands:warband", args=[guards.pk]), {"view": "list"}))
    assert expected | {f"{fighter}?why=battles#why-battles"} <= links(rows)


def test_the_reasons_asked_for_lie_open_where_the_link_leads(
    alices: Client, fought: Battle
) -> None:
    text = body(
        alices.get(reverse("warbands:fighter", args=[named("Jussac").pk]), {"why": "fight"})
    )
    details = [
        each for each in Markup(text).all("details") if each.get("id", "").startswith("why-")
    ]
    assert [each["id"] for each in details if "open" in each] == ["why-fight"]
    assert {
        f"why-{key}"
        for key in (*CHARACTERISTICS, "rank", "points", "experience", "fate", "battles", "kills")
    } <= {each["id"] for each in details}
    unasked = Markup(body(alices.get(reverse("warbands:fighter", args=[named("Hans").pk])))).all(
        "details"
    )
    assert not [
        each for each in unasked if each.get("id", "").startswith("why-") and "open" in each
    ]


def test_every_number_of_a_fighter_has_lines_facts_or_a_rule(fought: Battle) -> None:
    for explanation in explain_fighter(named("Jussac")):
        assert explanation.lines or explanation.facts or explanation.value in ("0", "fit"), (
            explanation.key
        )
    by_key = {explanation.key: explanation for explanation in explain_fighter(named("Jussac"))}
    assert all(is_a_rule(by_key[key].rule) for key in CHARACTERISTICS)
    assert all(is_a_rule(line.source) for line in by_key["points"].lines)
    assert all(is_a_rule(line.source) for line in by_key["experience"].lines)


def test_a_ledger_line_leads_to_its_entry_and_its_rule(
    alices: Client, fought: Battle, guards: Warband
) -> None:
    text = body(alices.get(reverse("warbands:fighter", args=[named("Jussac").pk])))
    chronicle = reverse("warbands:chronicle", args=[guards.pk])
    entry = ChronicleEntry.objects.get(warband=guards, kind="fought").sequence
    assert {f"{chronicle}?entry={entry}#entry-{entry}", "/rulesets/en-garde/#progression"} <= links(
        text
    )
    assert f"#ledger-{entry}" in links(text) and f'id="ledger-{entry}"' in text


# Warbands.


def test_warband_sums_are_explained_line_by_line(
    alices: Client, fought: Battle, guards: Warband, alice: User
) -> None:
    address = reverse("warbands:warband", args=[guards.pk])
    text = body(alices.get(address, {"why": "points"}))
    assert {
        "?why=points#why-points",
        "?why=experience#why-experience",
        "?why=morale#why-morale",
    } <= links(text)
    assert {"/rulesets/en-garde/#warband-morale", "/rulesets/en-garde/#ruling-b4"} <= links(text)
    page = warband_page(Warband.objects.get(pk=guards.pk), alice)
    counted = sum(card.points for card in page.fighters if card.counts) + sum(
        line.points for line in page.bought
    )
    assert counted == page.points
    assert sum(card.earned for card in page.fighters) == page.experience
    assert all(is_a_rule(rule) for rule in page.sources.values())


def test_what_is_wrong_with_a_roster_names_its_rule_as_a_link(alices: Client, alice: User) -> None:
    band = [*[("knight", name) for name in "ABC"], ("militia", "D")]
    lone = world.warband_of(alice, "Mostly Knights", "conquistadors", band)
    text = body(alices.get(reverse("warbands:warband", args=[lone.pk])))
    sources = [problem.source for problem in warband_page(lone, alice).problems if problem.source]
    assert sources
    notice = text[text.index('<div class="notice warn">') :]
    assert 'href="/rulesets/en-garde/#' in notice[: notice.index("</ul>")]


def test_points_error_names_limit_rule(guards: Warband) -> None:
    roster = replace(read_state(guards).roster, points_limit=1)
    by_code = {
        each.code: each.source
        for each in ruleset_of_warband(guards).roster_problems(roster, RosterPurpose.BUILD)
    }
    assert is_a_rule(by_code["over-points-limit"])


def test_a_part_of_many_pages_finds_the_rule_system_of_its_page(guards: Warband) -> None:
    shown = Template('{% load rules %}{% source "Ruling B10" %}')
    link = 'Ruling <a href="/rulesets/en-garde/#ruling-b10">B10</a>'
    assert shown.render(Context({"ruleset": "en-garde"})) == link
    assert shown.render(Context({"warband": guards})) == link
    assert shown.render(Context({"page": object(), "campaign": guards})) == link
    assert shown.render(Context({})) == "Ruling B10"


def test_rulings_of_every_system_are_links_and_where_a_rule_stands_goes_without_saying() -> None:
    shown = Template('{% load rules %}{% rule "argad" told %}')
    ruling = shown.render(Context({"told": "Ruling A-G3"}))
    assert ruling == 'Ruling <a href="/rulesets/argad/#ruling-a-g3">A-G3</a>'
    heading = shown.render(Context({"told": 'Sheet: "Melee"'}))
    assert heading == '<a href="/rulesets/argad/#melee">Melee</a>'
    assert shown.render(Context({"told": "House rule: Renown"})) == "House rule: Renown"


# The chronicle.


def test_an_entry_is_found_on_its_page_of_the_chronicle(
    alices: Client, alice: User, fought: Battle, guards: Warband
) -> None:
    for place in range(60):
        adjust_fighter(
            fighter_id=named("Jussac").pk, user=alice, experience=1, reason=f"Reason {place}"
        )
    address = reverse("warbands:chronicle", args=[guards.pk])
    first = body(alices.get(address, {"entry": "2"}))
    assert 'id="entry-2"' in first and "Page 2 of 2" in first
    newest = ChronicleEntry.objects.filter(warband=guards).count()
    assert f'id="entry-{newest}"' in body(alices.get(address, {"entry": str(newest)}))
    for odd in ("0", "-1", "x", "9" * 30, "²"):
        assert alices.get(address, {"entry": odd}).status_code == 200
    assert 'id="entry-2"' not in body(alices.get(address, {"entry": "2", "page": "1"}))
    with CaptureQueriesContext(connection) as seen:
        alices.get(address, {"entry": "2"})
    with CaptureQueriesContext(connection) as again:
        alices.get(address)
    assert len(seen) == len(again)


# Rank-ups.


def test_an_offer_says_what_it_costs_and_what_its_points_are_made_of(
    alices: Client, alice: User, campaign: Campaign
) -> None:
    adjust_fighter(fighter_id=named("Cahusac").pk, user=alice, experience=5, reason="Long service")
    text = body(alices.get(reverse("warbands:rank-ups", args=[named("Cahusac").pk])))
    assert "5 of the 5 experience in hand, for the step from Rank 2 to 3" in " ".join(text.split())
    assert {"/rulesets/en-garde/#progression", "/rulesets/en-garde/#customisation"} <= links(text)
    page = alices.get(reverse("warbands:rank-ups", args=[named("Cahusac").pk])).context["page"]
    for choice in page.rank_ups:
        assert (
            sum(line.points for line in choice.step.sheet.price.lines) == choice.step.points_after
        )


# In print.


def test_printed_rosters_say_what_points_are_made_of_and_by_which_rules(
    fought: Battle, guards: Warband
) -> None:
    roster = roster_content(Warband.objects.get(pk=guards.pk), ["prices"]).roster
    assert roster.prices
    assert all(sum(line.amount for line in price.lines) == price.points for price in roster.prices)
    notes = {what: source.note for source in roster.sources for what in source.name.split(", ")}
    assert {
        "Points",
        "Morale",
        "Morale test after losing",
        "Experience",
        "Fight",
        "Armour Rating",
    } <= set(notes)
    assert all(is_a_rule(rule) for rule in notes.values())


def test_printed_careers_offers_and_battles_name_their_rules(
    fought: Battle, alice: User, guards: Warband
) -> None:
    career = career_content(named("Jussac"))
    assert sum(line.amount for line in career.price) == career.card.points and career.sources
    adjust_fighter(fighter_id=named("Cahusac").pk, user=alice, experience=5, reason="Long service")
    sheet = rank_ups_content(Warband.objects.get(pk=guards.pk))
    steps = [step for candidate in sheet.ready for step in candidate.steps]
    assert steps and all(
        sum(line.amount for line in step.price) == step.points_after for step in steps
    )
    assert all(is_a_rule(step.rule) for step in steps)
    sides = battle_content(Battle.objects.get(pk=fought.pk)).battle.sides
    assert any(side.earned for side in sides)
    assert all(
        side.earned_by and all(map(is_a_rule, side.earned_by)) for side in sides if side.earned
    )


# House rules.


def test_house_rules_lead_to_the_rulings_that_they_change(
    alices: Client, campaign: Campaign
) -> None:
    for page in ("leagues:settings", "campaigns:house-rules"):
        text = body(alices.get(reverse(page, args=[campaign.pk])))
        assert {"/rulesets/en-garde/#ruling-b16", "/rulesets/en-garde/#ruling-x2"} <= links(text)
