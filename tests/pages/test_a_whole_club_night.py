"""A club night of 24 people, played by a script over HTTP: answers, check-in, pairings, results."""

import re
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle
from campaigns.models import Campaign, Fixture, TableGame
from clubs.models import Club, Evening, Membership
from clubs.services.clubs import edit_club
from tests.conftest import browser_of
from tests.pages import world
from tests.pages.conftest import shown_text
from tests.pages.test_fixture_results import sent

pytestmark = pytest.mark.one_database

PLAYERS, IN_THE_LEAGUE = 24, 12


class Night:
    """A club of 24 players, half of them in a league, and tonight's club night."""

    def __init__(self, make_user: Callable[[str], User]) -> None:
        self.users = [make_user(f"player{number:02}") for number in range(PLAYERS)]
        self.organiser = self.users[0]
        self.club: Club = world.club_of(self.organiser, players=self.users[1:])
        edit_club(club_id=self.club.pk, user=self.organiser, visibility="public")
        warbands = [
            world.landsknechts(user, f"Haufen of {user.username}")
            for user in self.users[:IN_THE_LEAGUE]
        ]
        self.campaign = world.campaign_of(self.club, self.organiser, *warbands)
        self.round = world.paired(self.campaign, self.organiser)
        start = timezone.now() + timedelta(hours=1)
        hours: dict[str, Any] = {"starts_at": start, "ends_at": start + timedelta(hours=4)}
        self.evening: Evening = world.evening_of(self.club, self.organiser, **hours)
        self.browsers = {user.username: browser_of(user) for user in self.users}

    def post(self, name: str, page: str, user: User | None = None, **data: Any) -> None:
        """Post a form of the club night as a user, by default as the organiser."""
        browser = self.browsers[(user or self.organiser).username]
        address = reverse(f"{name}:{page}", args=[self.evening.pk])
        answer = browser.post(address, data)
        assert answer.status_code == 302, answer.content

    def member(self, user: User) -> Membership:
        return Membership.objects.get(club=self.club, user=user)


@pytest.mark.soak("club nights of 24 players over HTTP", each=1, sample=0)
@pytest.mark.parametrize("seed", range(1, 4))
def test_club_night_of_24_is_played_over_http(make_user: Callable[[str], User], seed: int) -> None:
    night = Night(make_user)
    page = reverse("leagues:pairings", args=[night.evening.pk])

    # Step 1: all but two answer, most check in, one does not come.
    for user in night.users[:-2]:
        night.post("home", "answer-evening", user, answer="coming")
    for user in night.users[1:-2]:
        night.post("leagues", "check-in", user)

    # Step 2: the draft takes less than a second, and has the due fixtures first.
    began = time.perf_counter()
    night.post("leagues", "draw-pairings", tables=PLAYERS // 2, large_tables=2, seed=seed)
    assert time.perf_counter() - began < 1
    games = TableGame.objects.filter(evening=night.evening)
    assert games.exclude(second=None).count() == 11
    assert set(games.exclude(fixture=None).values_list("fixture", flat=True)) == set(
        Fixture.objects.filter(round=night.round).values_list("pk", flat=True)
    )
    night.post("leagues", "publish-pairings")
    for user in night.users[:-2]:
        assert "You play" in shown_text(night.browsers[user.username].get("/"))

    # Step 3: a game begins, somebody goes, two come late. Nobody else's game changes.
    free = games.filter(fixture=None)
    running, broken = free[0], free[1]
    night.post("leagues", "begin-game", game_id=running.pk, begun="true")
    before = set(games.exclude(pk=broken.pk).values_list("pk", "first", "second", "table"))
    night.post("leagues", "no-show", member_id=broken.first_id)
    for user in night.users[-2:]:
        night.post("leagues", "check-in", user)
    night.post("leagues", "pair-late")
    assert before <= set(games.values_list("pk", "first", "second", "table"))
    assert games.filter(second=None).count() == 1

    # Step 4: results of the fixtures, by one player, and confirmed by the other.
    hall = reverse("leagues:hall", args=[night.club.pk])
    for game in games.exclude(fixture=None).select_related("first__user", "second__user"):
        assert game.first.user and game.second and game.second.user
        enter(night.browsers[game.first.user.username], game)
        battle = Battle.objects.get(fixture=game.fixture)
        confirm = reverse("battles:confirm", args=[battle.pk])
        browser = night.browsers[game.second.user.username]
        shown = browser.get(reverse("battles:battle", args=[battle.pk])).content.decode()
        version = re.search(r'name="version" value="(\d+)"', shown)
        sides = battle.sides.filter(warband__owner=game.second.user)
        data = {"side": sides.get().key, "version": version[1] if version else ""}
        assert browser.post(confirm, data).status_code == 302
        battle.refresh_from_db()
        assert battle.state == "confirmed"

    # Step 5: the screen in the hall shows everything to strangers, once the campaign is public.
    Campaign.objects.update(visibility="public")
    screen = Client().get(hall)
    assert screen.status_code == 200
    assert screen.content.decode().count('class="won"') == IN_THE_LEAGUE // 2
    assert night.browsers["player01"].get(page).status_code == 200


def enter(browser: Client, game: TableGame) -> None:
    """Enter the result of a fixture: the first side wins by 2 to 1."""
    where = reverse("battles:fixture-result", args=[game.fixture_id]) + "?scenario=skirmish"
    data = {**sent(browser, where), "score_a": "2", "score_b": "1"}
    assert browser.post(where, data).status_code == 302
