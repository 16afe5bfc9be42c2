"""Drawings of pages are made once, and again after every change of what they show."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.models import Battle
from battles.services.corrections import Correction, correct_battle, void_battle
from battles.services.days import NewDay
from campaigns.models import Campaign
from campaigns.services.campaigns import edit_campaign
from drawings import cache
from drawings.canvas import Canvas, Drawing
from leagues.selectors.dashboard import Dashboard
from leagues.services.fixtures import give_walkover
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.world import DAY, named
from warbands.models import Warband
from warbands.services.warbands import rename_warband

pytestmark = pytest.mark.one_database
CHARTS = 4
"""Positions and points, each for a desk and for a phone."""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of what has been drawn, by alternative text; ornaments are left out."""
    sentences: list[str] = []
    finish = Canvas.finish

    def counted(canvas: Canvas) -> Drawing:
        if canvas.alternative:
            sentences.append(canvas.alternative)
        return finish(canvas)

    monkeypatch.setattr(Canvas, "finish", counted)
    cache._drawn.cache_clear()
    return sentences


@pytest.fixture(autouse=True)
def charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw charts of two warbands too, whose positions never change here."""
    monkeypatch.setattr(Dashboard, "has_charts", True)


@pytest.fixture
def two_days(
    alice: User, campaign: Campaign, confirmed: Battle, guards: Warband, haufen: Warband
) -> Battle:
    """Return a second battle of the campaign a week later: a chart needs two days."""
    day = DAY + timedelta(days=7)
    return world.confirmed_battle(alice, alice, campaign, guards, haufen, fought_on=day)


@pytest.fixture
def visit(
    browsers: Clients, campaign: Campaign, drawn: list[str]
) -> Callable[..., tuple[int, str]]:
    """Return a function that opens the campaign's page, and returns the number of drawings and
    the page.
    """

    def opened(client: Client | None = None, **headers: str) -> tuple[int, str]:
        drawn.clear()
        address = reverse("leagues:campaign", args=[campaign.pk])
        answer = (client or browsers.dora).get(address, headers=headers)
        return len(drawn), answer.content.decode()

    return opened


Visit = Callable[..., tuple[int, str]]


def test_second_visit_draws_nothing(two_days: Battle, browsers: Clients, visit: Visit) -> None:
    first, page = visit()
    assert first == CHARTS == page.count('role="img" class="drawing"')
    again, same = visit()
    assert again == 0
    assert same.count('role="img" class="drawing"') == CHARTS
    assert visit(browsers.bob)[0] == 0, "all members see the same charts"


def test_each_language_is_drawn_once(two_days: Battle, visit: Visit) -> None:
    _, english = visit()
    german, page = visit(**{"Accept-Language": "de"})
    assert german == CHARTS
    assert "Plätze nach jedem" in page and "Positions after each" in english
    assert visit(**{"Accept-Language": "de"})[0] == visit()[0] == 0


def test_confirmed_battle_is_drawn(
    two_days: Battle,
    visit: Visit,
    alice: User,
    campaign: Campaign,
    guards: Warband,
    haufen: Warband,
) -> None:
    visit()
    day = DAY + timedelta(days=14)
    submitted = world.submitted_battle(alice, campaign, guards, haufen, fought_on=day)
    assert visit()[0] == 0, "a submitted battle does not count yet"
    world.decide_battle(battle_id=submitted.pk, user=alice, decision=world.Decision.AS_LOGGED)
    charts, page = visit()
    assert charts == CHARTS and "after each of 3 days of play" in page


def test_correction_is_drawn(two_days: Battle, visit: Visit, alice: User) -> None:
    visit()
    later = NewDay(fought_on=DAY + timedelta(days=5))
    correct_battle(
        battle_id=two_days.pk,
        user=alice,
        correction=Correction((), "It was two days before.", day=later),
    )
    assert visit()[0] == CHARTS


def test_voided_battle_is_not_drawn(
    two_days: Battle,
    visit: Visit,
    alice: User,
    campaign: Campaign,
    guards: Warband,
    haufen: Warband,
) -> None:
    day = DAY + timedelta(days=14)
    third = world.confirmed_battle(alice, alice, campaign, guards, haufen, fought_on=day)
    assert "after each of 3 days of play" in visit()[1]
    void_battle(battle_id=third.pk, user=alice, reason="It was a trial.")
    charts, page = visit()
    assert charts == CHARTS and "after each of 2 days of play" in page


def test_walkover_is_drawn(two_days: Battle, visit: Visit, alice: User, campaign: Campaign) -> None:
    fixture = world.paired(campaign, alice).fixtures.get()
    visit()
    give_walkover(fixture_id=fixture.pk, user=alice, walkover="home", reason="Nobody came.")
    assert visit()[0] == CHARTS


def test_change_of_scoring_is_drawn(
    two_days: Battle, visit: Visit, alice: User, campaign: Campaign
) -> None:
    visit()
    campaign.refresh_from_db()
    edit_campaign(
        campaign_id=campaign.pk, version=campaign.version, user=alice, scoring={"win": 5, "draw": 2}
    )
    assert visit()[0] > 0


def test_renamed_warband_is_drawn(
    two_days: Battle, visit: Visit, alice: User, guards: Warband
) -> None:
    visit()
    rename_warband(warband_id=guards.pk, name="The Red Dukes", user=alice)
    charts, page = visit()
    assert charts == CHARTS
    assert "The Red Dukes" in page and guards.name not in page.partition('id="content"')[2]


def test_other_pages_draw_once(
    two_days: Battle, browsers: Clients, drawn: list[str], campaign: Campaign
) -> None:
    fighter = reverse("warbands:fighter", args=[named("Jussac").pk])
    honours = reverse("leagues:honours", args=[campaign.pk])
    battle = reverse("battles:battle", args=[two_days.pk])
    for address in (fighter, honours, battle):
        drawn.clear()
        assert browsers.alice.get(address).status_code == 200
        assert drawn, address
        drawn.clear()
        browsers.alice.get(address)
        assert drawn == [], address
