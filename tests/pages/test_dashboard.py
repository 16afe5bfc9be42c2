"""The page of a campaign: progress, head-to-head, results, tasks, ticker, champion."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle
from battles.services.corrections import void_battle
from battles.services.logbook import log_events
from battles.services.review import Decision, decide_battle, submit_battle
from campaigns.models import Campaign, Enrolment, Fixture, JournalEntry, Round
from campaigns.services.campaigns import finish_campaign
from clubs.models import Club
from leagues.selectors import dashboard
from leagues.selectors.dashboard import Dashboard
from rulebook.chronicle import facts
from tests.conftest import api_of
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.markup import Markup, faults
from tests.pages.world import DAY, named
from warbands.models import Warband
from warbands.services.chronicle import append_facts

pytestmark = pytest.mark.one_database


def front(browsers: Clients, campaign: Campaign) -> str:
    """Return the page as Dora sees it."""
    return browsers.dora.get(reverse("leagues:campaign", args=[campaign.pk])).content.decode()


def deadly_battle(alice: User, campaign: Campaign, guards: Warband, haufen: Warband) -> Battle:
    """Return a battle a week later in which Jussac kills Hans."""
    battle = world.begun_battle(
        alice, campaign, guards, haufen, fought_on=DAY + timedelta(days=7), title="<The> Mill"
    )
    killing = world.wound(named("Jussac"), named("Hans"), "critical")
    log_events(battle_id=battle.pk, events=[killing], user=alice)
    submit_battle(battle_id=battle.pk, user=alice)
    return decide_battle(battle_id=battle.pk, user=alice, decision=Decision.AS_LOGGED)


def test_overview_shows_campaign(
    browsers: Clients,
    alice: User,
    campaign: Campaign,
    confirmed: Battle,
    guards: Warband,
    haufen: Warband,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Charts of two warbands whose positions never change are left out otherwise.
    monkeypatch.setattr(Dashboard, "has_charts", True)
    battle = deadly_battle(alice, campaign, guards, haufen)
    waiting = world.planned_battle(alice, campaign, guards, haufen, title="The Reckoning")
    html = front(browsers, campaign)
    page = Markup(html)
    assert list(faults(html)) == []
    shown = (
        browsers.dora.get(reverse("leagues:campaign", args=[campaign.pk])).context["page"].dashboard
    )
    assert [(card.row.id, card.row.state) for card in shown.waiting] == [(waiting.pk, "planned")]
    assert [card.row.id for card in shown.results] == [battle.pk, confirmed.pk]
    assert [(record and record.won) for record in shown.grid[0].records] == [
        None,
        shown.grid[0].row.won,
    ]
    assert len(shown.course.days) == 2
    assert html.count('role="img" class="drawing"') == 4, (
        "two charts, each for a desk and for a phone"
    )
    assert "Positions after each of 2 days of play" in html and "Points after each" in html
    assert "Position by day" in html and "Show as a table" in html and "Head-to-head" in html
    rows = {each["data-row"] for each in page.all("tr") if "data-row" in each}
    drawn = {each["data-row"] for each in page.all("path") if "data-row" in each}
    assert rows == drawn == {"0", "1"}
    (death,) = [line for line in shown.ticker if line.kind == "death"]
    assert [(person.name, person.how, person.by) for person in death.people] == [
        ("Hans", "killed", "Jussac")
    ]
    assert (death.warband, death.battle, death.day) == (
        haufen.pk,
        battle.pk,
        DAY + timedelta(days=7),
    )
    assert "&lt;The&gt; Mill" in html and "<The>" not in html
    assert any("rows.js" in script.get("src", "") for script in page.all("script"))


def test_the_ticker_forgets_who_was_not_dead_after_all(
    browsers: Clients, alice: User, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    deadly_battle(alice, campaign, guards, haufen)
    hans = named("Hans")
    type(hans).objects.filter(pk=hans.pk).update(fate="fit")
    page = browsers.dora.get(reverse("leagues:campaign", args=[campaign.pk])).context["page"]
    assert [line for line in page.dashboard.ticker if line.kind == "death"] == []


def test_the_ticker_goes_by_the_days_of_play_and_not_by_when_somebody_typed(
    browsers: Clients, alice: User, club: Club, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    deadly_battle(alice, campaign, guards, haufen)
    author = club.memberships.get(user=alice)
    now = timezone.now()
    JournalEntry.objects.create(
        campaign=campaign, author=author, written_at=now, on=DAY, text="It rains on the mill."
    )
    page = browsers.dora.get(reverse("leagues:campaign", args=[campaign.pk])).context["page"]
    days = [line.day for line in page.dashboard.ticker]
    assert len(set(days)) > 1 and days == sorted(days, reverse=True)


def test_ticker_dates_rank_ups_before_later_deaths(
    browsers: Clients, alice: User, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    hans = str(named("Hans").pk)
    award = facts.Adjusted(fighter=hans, experience=20, reason="A good deed.")
    append_facts({haufen.pk: award}, user=alice)
    rank_up = facts.RankedUp(fighter=hans, step="landsknechts/hauptmann")
    append_facts({haufen.pk: rank_up}, user=alice)
    deadly_battle(alice, campaign, guards, haufen)
    page = browsers.dora.get(reverse("leagues:campaign", args=[campaign.pk])).context["page"]
    kinds = [line.kind for line in page.dashboard.ticker if line.warband == haufen.pk]
    assert kinds == ["death", "rank-up"], "Hans ranked up before he died"
    assert page.dashboard.ticker[-1].day == DAY + timedelta(days=7)
    html = browsers.dora.get(reverse("leagues:log", args=[campaign.pk])).content.decode()
    assert "14 March 2026" in html and "entered" in html


def test_finished_campaign_shows_champion_and_reason(
    browsers: Clients, alice: User, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    assert "champion" not in front(browsers, campaign)
    deadly_battle(alice, campaign, guards, haufen)
    assert "champion" not in front(browsers, campaign)
    finish_campaign(campaign_id=campaign.pk, user=alice)
    html = front(browsers, campaign)
    assert "Champion" in html and "3 ahead of" in html


def test_a_young_campaign_says_that_nothing_has_been_fought(
    browsers: Clients, campaign: Campaign
) -> None:
    html = front(browsers, campaign)
    assert "No results yet." in html and "Head-to-head" not in html and "Progress" not in html


def test_honours_remember_the_living_and_the_dead(
    browsers: Clients,
    alice: User,
    campaign: Campaign,
    confirmed: Battle,
    guards: Warband,
    haufen: Warband,
) -> None:
    where = reverse("leagues:honours", args=[campaign.pk])
    battle = deadly_battle(alice, campaign, guards, haufen)
    page = browsers.dora.get(where)
    html, shown = page.content.decode(), page.context["shown"]
    assert list(faults(html)) == []
    (fallen,) = shown.memorial
    assert (fallen.name, fallen.strip, fallen.battle, fallen.how) == (
        "Hans",
        ("hurt", "dead"),
        battle.pk,
        "killed",
    )
    assert (fallen.killer.name, fallen.fought_on) == ("Jussac", DAY + timedelta(days=7))
    veterans = [each.name for each in shown.veterans]
    assert veterans[0] == "Jussac" and "Hans" not in veterans
    assert {honour.label: [holder.name for holder in honour.holders] for honour in shown.honours}[
        "Kills"
    ] == ["Jussac"]
    assert "Battle by battle: hurt, lost." in html and "experience" in html
    body = api_of(alice).get(f"/api/v1/campaigns/{campaign.pk}/honours/").json()
    assert [(each["name"], each["slayer"]["name"]) for each in body["memorial"]] == [
        ("Hans", "Jussac")
    ]
    course = api_of(alice).get(f"/api/v1/campaigns/{campaign.pk}/course/").json()
    assert (
        len(course["days"]) == 2
        and course["verdict"]["over"] is False
        and course["ticker"][0]["kind"] == "death"
    )
    assert course["verdict"]["runner_up"] == next(iter(course["verdict"]["runners_up"]), "")
    void_battle(battle_id=battle.pk, user=alice, reason="Never played.")
    after = browsers.dora.get(where).context["shown"]
    assert after.memorial == () and "Hans" in [each.name for each in after.veterans], (
        "what was kept is read anew"
    )


def test_overview_shows_pairings_of_current_round(
    browsers: Clients, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    home, away = (Enrolment.objects.get(campaign=campaign, warband=row) for row in (guards, haufen))
    now = Round.objects.create(
        campaign=campaign, number=1, name="The first round", deadline=date(2999, 1, 31)
    )
    Fixture.objects.create(round=now, place=0, home=home, away=away)
    html = front(browsers, campaign)
    assert list(faults(html)) == []
    assert "The first round" in html and "31 January" in html and "Not played yet</span>" in html


def test_nobody_is_remembered_before_the_first_battle(
    browsers: Clients, campaign: Campaign
) -> None:
    page = browsers.dora.get(reverse("leagues:honours", args=[campaign.pk]))
    assert "No battles yet. Veterans" in page.content.decode()


def test_next_campaign_carries_warbands_on(
    browsers: Clients, alice: User, club: Club, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    deadly_battle(alice, campaign, guards, haufen)
    assert "Create next season" not in front(browsers, campaign)
    finish_campaign(campaign_id=campaign.pk, user=alice)
    where = reverse("leagues:campaign", args=[campaign.pk])
    assert "Create next season" in browsers.alice.get(where).content.decode()
    follow = reverse("campaigns:follow", args=[campaign.pk])
    terms = browsers.alice.get(follow).context["form"].initial
    assert (terms["points"], terms["format"]) == (300, "linked")
    data = {
        "name": "The Next Summer",
        "points": 10,
        "games": "",
        "format": "linked",
        "visibility": "private",
    }
    assert browsers.alice.post(follow, data).status_code == 302
    after = Campaign.objects.get(name="The Next Summer")
    page = browsers.bob.get(reverse("leagues:campaign", args=[after.pk]))
    html = page.content.decode()
    assert list(faults(html)) == []
    assert "Follows" in html and [warband.name for warband in page.context["page"].carry_on] == [
        haufen.name
    ]
    enrolment = {"enrolment": page.context["page"].carry_on[0].enrolment}
    carry_on = reverse("campaigns:carry-on", args=[after.pk])
    assert browsers.bob.post(carry_on, {"enrolment": "x"}).status_code == 404
    assert browsers.bob.post(carry_on, enrolment).status_code == 302
    row = Enrolment.objects.get(campaign=after)
    assert (row.warband, row.colour) == (
        haufen,
        Enrolment.objects.get(campaign=campaign, warband=haufen).colour,
    )
    assert row.overruled == "", "it comes in with what it has become, whatever the points say"
    assert "Followed by" in browsers.alice.get(where).content.decode()
    seasons = browsers.dora.get(reverse("home:seasons", args=[club.pk])).content.decode()
    assert list(faults(seasons)) == [] and campaign.name in seasons and after.name not in seasons


def test_journal_is_escaped_in_log_and_ticker(
    browsers: Clients, campaign: Campaign, bob: User
) -> None:
    where = reverse("campaigns:journal", args=[campaign.pk])
    assert browsers.bob.post(where, {"text": " "}).status_code == 400
    assert (
        browsers.bob.post(
            where, {"text": "<b>We</b> were there.\n\nAll of us.", "on": "2026-03-01"}
        ).status_code
        == 302
    )
    log = reverse("leagues:log", args=[campaign.pk])
    html = browsers.bob.get(log).content.decode()
    assert list(faults(html)) == []
    assert (
        "&lt;b&gt;We&lt;/b&gt; were there.</p>" in html
        and "1 March 2026" in html
        and "Edit or remove" in html
    )
    assert "Edit or remove" not in browsers.dora.get(log).content.decode()
    assert "were there." in front(browsers, campaign)
    assert "were there." in browsers.dora.get(log + "?kind=journal").content.decode()
    assert "were there." not in browsers.dora.get(log + "?kind=mustered").content.decode()
    entry = JournalEntry.objects.get()
    change = reverse("campaigns:change-entry", args=[entry.pk])
    assert list(faults(browsers.alice.get(change).content.decode())) == []
    assert (
        browsers.bob.post(
            change, {"text": "Nobody was.", "on": "2026-03-01", "version": 1}
        ).status_code
        == 302
    )
    assert (
        browsers.bob.post(change, {"text": "Late.", "on": "2026-03-01", "version": 1}).status_code
        == 409
    )
    assert (
        browsers.alice.post(reverse("campaigns:remove-entry", args=[entry.pk])).status_code == 302
    )
    html = browsers.dora.get(log).content.decode()
    assert "An entry by bob was removed." in html and "Nobody was." not in html


def test_overview_opens_while_a_battle_is_confirmed(
    browsers: Clients,
    alice: User,
    campaign: Campaign,
    confirmed: Battle,
    guards: Warband,
    haufen: Warband,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The sides are read after the battles, and may be those of one more or one fewer."""
    before, sides = dashboard.BATTLES.rows(campaign.pk), dashboard.SIDES.rows(campaign.pk)
    deadly_battle(alice, campaign, guards, haufen)
    after = dashboard.BATTLES.rows(campaign.pk)
    with monkeypatch.context() as patched:
        patched.setattr(dashboard.BATTLES, "rows", lambda key: before)
        assert front(browsers, campaign)
        assert [each.pk for each in dashboard._battles(campaign)] == [confirmed.pk]
    with monkeypatch.context() as patched:
        patched.setattr(dashboard.BATTLES, "rows", lambda key: after)
        patched.setattr(dashboard.SIDES, "rows", lambda key: sides)
        assert [each.pk for each in dashboard._battles(campaign)] == [confirmed.pk]
