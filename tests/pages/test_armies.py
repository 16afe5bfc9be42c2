"""Pages of the battle games: armies are called armies, and no page is empty where a system has
nothing to ask."""

import re

import pytest
from django.contrib.auth.models import User

from core.templatetags.muster import with_article
from tests.battles.war import War
from tests.conftest import browser_of
from tests.rulebook.avant_garde.field import ARMY

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
TABS = ("", "warbands/", "log/", "standings/", "settings/", "enrol/")
FIXED = re.compile(r">[^<]*\bwarbands?\b[^<]*<", re.IGNORECASE)
OF_THE_MASTHEAD = {">Warbands<"}


@pytest.fixture
def war(alice: User) -> War:
    """Return a war of the French against the British before their first battle."""
    return War(alice, "avant-garde", ("france", "britain"), tuple(ARMY.values()), points=5000)


def test_a_noun_gets_its_article() -> None:
    assert [with_article(noun) for noun in ("army", "warband", "")] == [
        "an army",
        "a warband",
        "a ",
    ]


def test_campaign_tabs_use_the_systems_words(war: War, alice: User) -> None:
    browser = browser_of(alice)
    pages = {
        tab: browser.get(f"/campaigns/{war.campaign.pk}/{tab}").content.decode() for tab in TABS
    }
    by_tab = {tab: {*FIXED.findall(page)} - OF_THE_MASTHEAD for tab, page in pages.items()}
    assert not any(by_tab.values()), by_tab
    assert "Enter another army" in " ".join(pages["warbands/"].split())


def test_what_a_system_does_not_ask_has_no_page(war: War, alice: User) -> None:
    browser, army, battle = browser_of(alice), war.companies[0].pk, war.start().pk
    answers = {
        path: browser.get(path).status_code
        for path in (
            f"/warbands/{army}/furnish/",
            f"/warbands/{army}/posts/",
            f"/battles/{battle}/set-up/",
        )
    }
    assert list(answers.values()) == [404, 200, 404]


def test_the_posts_say_who_fills_them_where_nobody_is_named(war: War, alice: User) -> None:
    page = browser_of(alice).get(f"/warbands/{war.companies[0].pk}/posts/").content.decode()
    assert page.count("Nobody (default: ") >= 2


def test_where_no_profile_has_a_price_of_its_own_there_is_no_column_for_it(
    war: War, alice: User
) -> None:
    page = browser_of(alice).get("/rulesets/avant-garde/").content.decode()
    lists = page[page.index('id="lists"') : page.index('id="things-')]
    assert "priced by its grade" in lists
    assert "Points</th>" not in lists
