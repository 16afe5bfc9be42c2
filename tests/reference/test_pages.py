"""The pages of rule systems: a catalogue to browse, calculators to ask, and links to the rule
behind each number."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override
from playwright.sync_api import Page, expect

from battles.services.logbook import log_events
from battles.services.review import Decision, decide_battle, submit_battle
from campaigns.models import Campaign
from core.rule_links import RuleLink, rule_links
from core.templatetags.rules import rule
from reference.selectors.rules_page import rules_page
from rulebook.registry import find_ruleset, newest_ruleset
from rulebook.ruleset import Calculator, Ruleset
from rulebook.systems.en_garde.calculators.registry import calculators
from tests.conftest import PASSWORD, browser_of
from tests.full_toy import register_toy as register_toy
from tests.pages import world
from tests.pages.markup import Markup, faults
from tests.pages.world import named
from warbands.models import Warband

pytestmark = pytest.mark.one_database

RULES = "/rulesets/en-garde/"
SHOT = f"{RULES}ask/shot/"
NUMBERS = [each for each in calculators() if each.about == "numbers"]


@pytest.fixture
def bobs(bob: User) -> Client:
    return browser_of(bob)


def ask(key: str) -> str:
    return reverse("reference:ask", args=["en-garde", key])


# Permissions


def test_the_catalogue_is_open_and_the_calculators_are_for_members(
    bobs: Client, client: Client
) -> None:
    for address in ("/rulesets/", RULES):
        assert client.get(address).status_code == bobs.get(address).status_code == 200
        assert client.post(address).status_code == 405
    answer = client.get(SHOT)
    assert answer.status_code == 302 and answer["Location"].startswith(
        "/accounts/login/?next=/rulesets/en-garde/ask/"
    )
    assert bobs.get(SHOT).status_code == 200
    assert bobs.post(SHOT).status_code == 405


@pytest.mark.parametrize(
    "address", ["/rulesets/chess/", "/rulesets/chess/ask/shot/", "/rulesets/en-garde/ask/wibble/"]
)
def test_what_is_not_there_is_not_found(bobs: Client, address: str) -> None:
    assert bobs.get(address).status_code == 404


def test_the_masthead_leads_to_the_rules(bobs: Client) -> None:
    assert {"href": "/rulesets/"} in Markup(bobs.get("/").content.decode()).all("a")


# The catalogue


def test_the_catalogue_holds_lists_arms_scenarios_house_rules_headings_and_rulings(
    client: Client,
) -> None:
    body = client.get(RULES).content.decode()
    for word in (
        "Doppelsoldner",
        "Great weapon",
        "Weapon Master",
        "Hold the Bridge",
        "Undergrowth",
        "Price of Aztec allies",
    ):
        assert word in body, word
    assert list(faults(body)) == []
    assert {"riposte", "shooting-procedure", "ruling-b10", "list-aztecs"} <= set(Markup(body).ids)


def test_the_catalogue_takes_no_query_of_the_database(client: Client, db: None) -> None:
    with CaptureQueriesContext(connection) as seen:
        client.get(RULES)
        client.get(f"{RULES}?q=pistol")
    assert len(seen) == 0


def test_profiles_show_prices_options_and_what_is_printed() -> None:
    page = rules_page(newest_ruleset("en-garde"))
    lists = {each.name: each for each in page.lists}
    assert [column.short for column in lists["Aztecs"].columns] == [
        "Rk",
        "M",
        "CP",
        "I",
        "F",
        "S",
        "AR",
    ]
    officer = next(
        line for line in lists["The Cardinal's Guard"].profiles if line.name == "Officer"
    )
    assert (officer.points, officer.printed, officer.numbers[0]) == ("18", "16", "3")
    assert "Mount: Horse +10" in officer.options
    soldner = next(line for line in lists["Landsknechts"].profiles if line.name == "Doppelsoldner")
    pikes = "Instead of pike: Great weapon free, Matchlock +1, Crossbow +1, Halberd +1"
    assert soldner.options[1:] == (pikes, "Up to 2 Attributes, +3 each")
    assert soldner.carries == "Pike, Sword, Medium armour"
    seaman = next(line for line in lists["Swashbucklers"].profiles if line.name == "Able Seaman")
    assert seaman.options[0] == "Spear +2, Great weapon +2, Matchlock +3 or Musket +5"


def test_a_search_keeps_what_holds_every_word(client: Client) -> None:
    page = rules_page(newest_ruleset("en-garde"), "mighty BLOW")
    assert [heading.name for chapter in page.chapters for heading in chapter.headings] == [
        "Mighty blow"
    ]
    assert page.lists == page.tables == page.scenarios == ()
    assert [
        line.name
        for each in rules_page(newest_ruleset("en-garde"), "hauptmann").lists
        for line in each.profiles
    ] == ["Hauptmann"]
    assert not rules_page(newest_ruleset("en-garde"), "wibble").any_match
    body = client.get(f"{RULES}?q=wibble").content.decode()
    assert "No results for “wibble”" in body and list(faults(body)) == []
    odd = client.get(RULES, {"q": "\0<script>" + "x" * 500}).content.decode()
    assert "<script>x" not in odd and list(faults(odd)) == []


def test_any_rule_system_has_a_page(client: Client, bobs: Client, register_toy: Ruleset) -> None:
    body = client.get("/rulesets/toy/").content.decode()
    assert "Captain" in body and list(faults(body)) == []
    assert "Pocket Skirmish" in client.get("/rulesets/").content.decode()
    body = bobs.get("/rulesets/toy/ask/hit/?needed=5").content.decode()
    assert "A hit in 1/3." in body and list(faults(body)) == []


# Asking


@pytest.mark.parametrize("each", NUMBERS, ids=lambda each: each.key)
def test_every_calculator_is_a_well_made_page(bobs: Client, each: Calculator) -> None:
    for query in ({}, *each.examples):
        page = bobs.get(ask(each.key), query)
        assert page.status_code == 200
        assert page.context["form"].answer["headline"] in page.content.decode().replace(
            "&#x27;", "'"
        )
        assert list(faults(page.content.decode())) == []


def test_the_address_is_the_question(bobs: Client) -> None:
    page = bobs.get(SHOT, {"shoot": "1", "modifier": "-1", "armour_rating": "1"})
    body = page.content.decode()
    assert "7/12 (58.3%)" in body
    assert '<rect width="41.7"' in body
    fields = {each["name"]: each for each in Markup(body).all("input") if "name" in each}
    assert (fields["modifier"]["value"], fields["shoot"]["value"]) == ("-1", "1")
    assert page.context["form"].address == "modifier=-1&armour_rating=1"


def test_boxes_and_choices_are_kept(bobs: Client) -> None:
    body = bobs.get(
        ask("attack"), {"parry": "on", "weapon_master": "1", "fight": "3"}
    ).content.decode()
    ticked = {each["name"] for each in Markup(body).all("input") if "checked" in each}
    assert ticked == {"parry", "weapon_master"}
    body = bobs.get(
        ask("custom-fighter"), {"equipment": "sword,horse", "rank": "3"}
    ).content.decode()
    assert {each["value"] for each in Markup(body).all("input") if "checked" in each} == {
        "sword",
        "horse",
    }
    body = bobs.get(ask("custom-fighter"), {"equipment": ["sword", "horse"]}).content.decode()
    assert "The fighter costs 19 points." in body


def test_no_is_an_answer_where_yes_is_the_default(bobs: Client) -> None:
    body = bobs.get(ask("round"), {"parry": "false"}).content.decode()
    assert "The first has 1 Attack and 1 Defence counters; it uses no ploys." in body
    assert re.search(r'name="parry".*?value="false" selected', body, re.DOTALL)


def test_calculator_page_shows_errors_at_fields(bobs: Client) -> None:
    page = bobs.get(SHOT, {"shoot": "many", "armour_rating": "-1", "wibble": "1"})
    body = page.content.decode()
    assert page.status_code == 400
    assert list(faults(body)) == []
    assert 'href="#id_shoot"' in body and body.count('aria-invalid="true"') == 2
    assert "&#x27;wibble&#x27; is not a field of" in body


def test_mistake_is_stated_once_with_and_without_a_script(bobs: Client) -> None:
    whole = bobs.get(SHOT, {"armour_rating": "-1"})
    [sentence] = map(escape, whole.context["form"].errors["armour_rating"])
    assert "HX-Request" in whole["Vary"]
    above = whole.content.decode().partition('id="errors"')[2].partition("</ul>")[0]
    assert whole.content.decode().count(sentence) == 1 and sentence not in above
    # A script exchanges the answer alone, without the fields.
    answer = bobs.get(
        SHOT, {"armour_rating": "-1"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert sentence in answer.partition('id="errors"')[2].partition("</ul>")[0]


def test_calculator_page_shows_build_errors(bobs: Client) -> None:
    page = bobs.get(ask("resolve-attack"), {"defender_build": '{"profile": "aztecs/nobody"}'})
    assert page.status_code == 400
    assert page.context["form"].errors["defender_build"]


def test_what_the_rules_forbid_is_shown_with_its_rule(bobs: Client) -> None:
    body = bobs.get(ask("resolve-attack"), {"weapon": "pike", "mount": "horse"}).content.decode()
    assert "The rules do not allow this" in body
    assert '<a href="/rulesets/en-garde/#mounted-combat">Mounted combat</a>' in body


def test_calculator_page_opens_changed_groups(bobs: Client) -> None:
    form = bobs.get(ask("resolve-attack"), {"defender_fight": "3"}).context["form"]
    assert [(group.name, group.is_open) for group in form.groups] == [
        ("The attack", False),
        ("The attacker", False),
        ("The defender", True),
        ("Dice", False),
    ]


# Why?


def test_a_rule_is_cut_into_words_and_links() -> None:
    assert rule_links("en-garde", 'Rule book: "Weather", "Time of day"') == (
        RuleLink("Rule book: "),
        RuleLink("Weather", "weather"),
        RuleLink(", "),
        RuleLink("Time of day", "time-of-day"),
    )
    assert rule_links("en-garde", "Rulings P31, S1")[1] == RuleLink("P31", "ruling-p31")
    assert rule_links("en-garde", "Army list") == (RuleLink("Army list", "landsknechts"),)
    assert rule_links("en-garde", 'Rule book: "Nowhere"') == (RuleLink('Rule book: "Nowhere"'),)
    assert rule_links("chess", "Ruling B10") == (RuleLink("Ruling B10"),)
    assert rule_links("en-garde", "") == ()


def test_a_rule_in_a_page_is_escaped() -> None:
    assert (
        rule("en-garde", "Ruling B10") == 'Ruling <a href="/rulesets/en-garde/#ruling-b10">B10</a>'
    )
    assert rule("chess", "<b>") == "&lt;b&gt;"


def test_rule_in_a_page_follows_the_language_of_its_reader() -> None:
    pages = []
    for language in ("de", "en-gb", "de"):
        with override(language):
            pages.append(rule("en-garde", 'Ruling B10, "Time of day"'))
    assert pages[0] == pages[2] != pages[1]
    assert 'lang="en">Time of day</a>' in pages[0]
    assert "lang=" not in pages[1]


def sources(answer: Any) -> set[str]:
    """Return every rule that an answer names."""
    if isinstance(answer, dict):
        own = {answer[key] for key in ("rule", "source") if answer.get(key)}
        return own.union(*map(sources, answer.values()))
    return set().union(*map(sources, answer)) if isinstance(answer, (list, tuple)) else set()


def test_every_rule_that_an_answer_names_is_on_the_page(client: Client) -> None:
    places = set(Markup(client.get(RULES).content.decode()).ids)
    system = find_ruleset("en-garde", newest_ruleset("en-garde").edition)
    named: set[str] = set()
    for each in NUMBERS:
        named = named.union(
            *(
                sources(system.calculators.ask(each.key, example))
                for example in ({}, *each.examples)
            )
        )
    assert len(named) > 20
    for rule_name in named - {"Muster"}:
        anchors = [link.anchor for link in rule_links("en-garde", rule_name) if link.anchor]
        assert anchors, rule_name
        assert set(anchors) <= places, rule_name


# In a browser


@pytest.mark.browser
def test_the_answer_changes_as_one_fills_in(page: Page, bob: User) -> None:
    page.goto(SHOT)
    page.get_by_label("Login").or_(page.locator("[name=login]")).first.fill("bob")
    page.locator("[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    # With two stars the address of the sign-in page, which ends with this one, would do.
    page.wait_for_url(SHOT)
    page.locator("#id_armour_rating").fill("1")
    page.locator("#id_armour_rating").press("Tab")
    page.locator("#answer-heading", has_text="wounds in 5/12 (41.7%)").wait_for()
    page.wait_for_url(re.compile("armour_rating=1"))
    page.goto(RULES)
    page.locator("#q").fill("mighty blow")
    page.get_by_text("Results for “mighty blow”").wait_for()
    expect(page.locator(".headings dt")).to_have_text(["Mighty blow"])


def test_numbers_of_fighters_and_battles_lead_to_their_rules(
    alice: User, guards: Warband, haufen: Warband, campaign: Campaign
) -> None:
    battle = world.begun_battle(alice, campaign, guards, haufen)
    log_events(
        battle_id=battle.pk,
        events=[world.wound(named("Jussac"), named("Veit"), "critical")],
        user=alice,
    )
    browser = browser_of(alice)
    assert "/rulesets/en-garde/#victory-points" in links_of(browser, "battles:review", battle.pk)
    submit_battle(battle_id=battle.pk, user=alice)
    decide_battle(battle_id=battle.pk, user=alice, decision=Decision.AS_LOGGED)
    assert "/rulesets/en-garde/#victory-points" in links_of(browser, "battles:battle", battle.pk)
    assert "/rulesets/en-garde/#progression" in links_of(
        browser, "warbands:fighter", named("Jussac").pk
    )
    why_its_points = links_of(browser, "warbands:fighter", named("Jussac").pk, "?why=points")
    assert "/rulesets/en-garde/#ruling-p1" in why_its_points


def links_of(browser: Client, name: str, key: Any, query: str = "") -> set[str]:
    page = browser.get(reverse(name, args=[key]) + query)
    assert page.status_code == 200
    return {each.get("href", "") for each in Markup(page.content.decode()).all("a")}
