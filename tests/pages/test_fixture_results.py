"""The result of a fixture that was played without Muster is entered on one page."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle, BattleEvent
from battles.services.review import confirm_side
from campaigns.models import Campaign, Fixture, Method
from clubs.models import Club
from home.models import Mail, Preferences
from home.selectors.cards import cards_for
from home.services.letters import write_at_once
from leagues.services.rounds import RoundTerms, make_rounds
from tests.battles.test_fighting_wards import war_of
from tests.conftest import browser_of
from tests.pages import world
from tests.pages.conftest import Clients
from warbands import outbox
from warbands.models import Warband

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
INPUT = re.compile(r'<input type="(hidden|date)" name="([\w-]+)" value="([^"]*)"')
TICKED = re.compile(r'name="(force_[ab])" value="([^"]+)"[^>]*\bchecked')


@pytest.fixture
def fixture(campaign: Campaign, alice: User) -> Fixture:
    """Return the only fixture of a round robin of both warbands."""
    return world.paired(campaign, alice).fixtures.get()


def address(fixture: Fixture, scenario: str = "skirmish") -> str:
    return reverse("battles:fixture-result", args=[fixture.pk]) + f"?scenario={scenario}"


def sent(browser: Client, where: str) -> dict[str, Any]:
    """Return what the page submits without input."""
    body = " ".join(browser.get(where).content.decode().split())
    data: dict[str, Any] = {name: value for _, name, value in INPUT.findall(body)}
    for name, fighter in TICKED.findall(body):
        data.setdefault(name, []).append(fighter)
    return data


def home_of(fixture: Fixture) -> Warband:
    assert fixture.home is not None
    return fixture.home.warband


def test_result_is_submitted_from_score_alone(browsers: Clients, fixture: Fixture) -> None:
    where = address(fixture)
    tab = browsers.bob.get(reverse("leagues:fixtures", args=[fixture.round.campaign_id]))
    assert reverse("battles:fixture-result", args=[fixture.pk]) in tab.content.decode()
    data = sent(browsers.bob, where)
    answer = browsers.bob.post(where, {**data, "score_a": "2", "score_b": "1"})
    battle = Battle.objects.get()
    assert answer["Location"] == reverse("battles:battle", args=[battle.pk])
    assert battle.state == "submitted" and battle.fixture_id == fixture.pk
    sides = [(side.warband, side.outcome, side.victory_points) for side in _played(battle)]
    away = next(each for each in sides if each[0] != home_of(fixture))
    assert sides == [(home_of(fixture), "won", 2), away] and away[1:] == ("lost", 1)
    assert all(side.combatants.count() == 4 for side in battle.sides.all())


def test_entered_result_is_announced_like_a_logged_one(
    browsers: Clients,
    fixture: Fixture,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    queued: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(
        outbox.current_app, "send_task", lambda name, args, **_: queued.append((name, args))
    )
    data = {**sent(browsers.alice, address(fixture)), "score_a": "2", "score_b": "1"}
    with django_capture_on_commit_callbacks(execute=True):
        browsers.alice.post(address(fixture), data)
    battle = Battle.objects.get()
    assert ("home.tasks.queue_news_for", ["battle", str(battle.pk)]) in queued
    cards = [card for card in cards_for(bob, timezone.localdate()) if card.subject == battle.pk]
    assert [card.kind for card in cards] == ["confirm"]
    Preferences.objects.update_or_create(user=bob, defaults={"mail": Mail.THIS_WEEK})
    EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
    assert write_at_once(user_id=bob.pk) is True
    assert mail.outbox[-1].subject.endswith(": check result")
    confirm_side(battle_id=battle.pk, user=bob, side=_side_of(battle, bob))
    news = browsers.bob.get(reverse("leagues:log", args=[battle.campaign_id])).content.decode()
    assert reverse("battles:battle", args=[battle.pk]) in news


def _side_of(battle: Battle, user: User) -> str:
    return battle.sides.get(warband__owner=user).key


def _played(battle: Battle) -> list[Any]:
    """Return the sides with the result that the battle has before it is confirmed."""
    sides = {side["side"]: side for side in battle.result["sides"]}  # type: ignore[index]
    rows = list(battle.sides.select_related("warband").order_by("place"))
    for row in rows:
        row.outcome = sides[row.key]["outcome"]
        row.victory_points = sides[row.key]["victory_points"]
    return rows


def test_fighters_of_both_sides_can_be_tapped(browsers: Clients, fixture: Fixture) -> None:
    page = browsers.alice.get(address(fixture)).content.decode()
    victims = set(re.findall(r'data-fighter="([^"]+)"', page))
    assert victims == {fighter for _, fighter in TICKED.findall(" ".join(page.split()))}
    assert len(victims) == 8


def test_casualties_count_towards_score(browsers: Clients, fixture: Fixture) -> None:
    where = address(fixture)
    data = sent(browsers.alice, where)
    victim = data["force_b"][0]
    casualty = {"wound-0-victim": victim, "wound-0-result": "critical"}
    browsers.alice.post(where, {**data, **casualty, "score_a": "5", "score_b": "0"})
    battle = Battle.objects.get()
    first, second = _played(battle)
    assert (first.victory_points, second.victory_points) == (5, 0)
    kinds = [event.kind for event in battle.events.order_by("sequence")]
    assert kinds == ["wound", "points", "ended"]
    dead = [record["fate"] for record in battle.result["sides"][1]["records"]]  # type: ignore[index]
    assert dead.count("dead") == 1


def test_fighters_can_be_left_out(browsers: Clients, fixture: Fixture) -> None:
    where = address(fixture)
    data = sent(browsers.alice, where)
    data["force_a"] = data["force_a"][:2]
    browsers.alice.post(where, {**data, "score_a": "0", "score_b": "0"})
    battle = Battle.objects.get()
    assert [side.combatants.count() for side in battle.sides.order_by("place")] == [2, 4]


@pytest.mark.parametrize("wrong", [{"score_a": ""}, {"force_a": []}, {"wound-0-result": "light"}])
def test_nothing_is_written_when_something_is_missing(
    browsers: Clients, fixture: Fixture, wrong: dict[str, Any]
) -> None:
    where = address(fixture)
    data = {**sent(browsers.alice, where), "score_a": "2", "score_b": "1"}
    assert browsers.alice.post(where, {**data, **wrong}).status_code == 400
    assert not Battle.objects.exists() and not BattleEvent.objects.exists()


def test_illegal_casualty_is_shown_in_its_row(browsers: Clients, fixture: Fixture) -> None:
    where = address(fixture)
    data = {**sent(browsers.alice, where), "score_a": "2", "score_b": "1"}
    victim = data["force_b"].pop()
    casualty = {"wound-0-victim": victim, "wound-0-result": "critical"}
    answer = browsers.alice.post(where, {**data, **casualty})
    assert answer.status_code == 400 and "event-row wrong" in answer.content.decode()
    assert not Battle.objects.exists()


def test_illegal_line_up_is_shown_at_its_field(
    browsers: Clients, fixture: Fixture, campaign: Campaign
) -> None:
    where = address(fixture)
    data = {**sent(browsers.alice, where), "score_a": "2", "score_b": "1"}
    Campaign.objects.update(points=60)
    answer = browsers.alice.post(where, data)
    assert answer.status_code == 400
    form = answer.context["form"]
    assert [name for name in form.errors if name.startswith("force_")], form.errors
    assert not form.non_field_errors()
    # The folded line-up is open, so that the problem is seen.
    assert re.search(r"<details[^>]*side-fold[^>]*open", answer.content.decode())
    assert not Battle.objects.exists()


def test_preview_shows_result_and_writes_nothing(browsers: Clients, fixture: Fixture) -> None:
    where = address(fixture)
    data = {**sent(browsers.alice, where), "score_a": "2", "score_b": "1"}
    shown = browsers.alice.post(where, {**data, "look": "1"}).content.decode()
    assert f"Victory for {home_of(fixture).name}" in shown
    assert not Battle.objects.exists()


def test_same_report_sent_twice_makes_one_battle(browsers: Clients, fixture: Fixture) -> None:
    where = address(fixture)
    data = {**sent(browsers.alice, where), "score_a": "2", "score_b": "1"}
    answers = [browsers.alice.post(where, data)["Location"] for _ in range(2)]
    assert answers[0] == answers[1] and Battle.objects.count() == 1


def test_home_side_chooses_its_role(browsers: Clients, fixture: Fixture) -> None:
    where = address(fixture, "raid")
    data = {**sent(browsers.alice, where), "score_a": "2", "score_b": "1"}
    browsers.alice.post(where, {**data, "home_role": "defender"})
    roles = [side.role for side in Battle.objects.get().sides.order_by("place")]
    assert roles == ["defender", "attacker"]


def test_day_is_the_last_club_night(
    browsers: Clients, club: Club, alice: User, fixture: Fixture
) -> None:
    world.evening_of(club, alice, days=-2)
    day = sent(browsers.alice, address(fixture))["fought_on"]
    assert day == (timezone.localdate() - timedelta(days=2)).isoformat()


def test_players_say_who_won_where_rules_do_not(alice: User) -> None:
    war = war_of(alice)
    make_rounds(
        campaign_id=war.campaign.pk, user=alice, terms=RoundTerms(method=Method.ROUND_ROBIN)
    )
    fixture, browser = Fixture.objects.get(), browser_of(alice)
    where = reverse("battles:fixture-result", args=[fixture.pk])
    data = sent(browser, where)
    assert browser.post(where, data).status_code == 400
    browser.post(where, {**data, "winner": "b"})
    battle = Battle.objects.get()
    assert [side.outcome for side in battle.sides.order_by("place")] == ["lost", "won"]
    assert battle.state == "confirmed", "Alice plays both sides."


def test_page_leads_to_the_battle_once_there_is_one(browsers: Clients, fixture: Fixture) -> None:
    where = address(fixture)
    data = {**sent(browsers.alice, where), "score_a": "2", "score_b": "1"}
    battle = browsers.alice.post(where, data)["Location"]
    assert browsers.bob.get(where)["Location"] == battle


def test_result_form_is_closed_to_others(browsers: Clients, fixture: Fixture) -> None:
    where = address(fixture)
    assert browsers.dora.get(where).status_code == 403
    assert browsers.charlie.get(where).status_code == 404
    assert browsers.nobody.get(where).status_code == 302


def test_player_cannot_report_for_others(browsers: Clients, bob: User, fixture: Fixture) -> None:
    where = address(fixture)
    data = {**sent(browsers.bob, where), "score_a": "2", "score_b": "1"}
    Warband.objects.filter(owner=bob).update(owner=None)
    assert browsers.bob.post(where, data).status_code == 403
    assert not Battle.objects.exists()
