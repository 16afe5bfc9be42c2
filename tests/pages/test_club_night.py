"""The pages of a club night: pairings, check-in, the poster, the hall screen."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle
from campaigns.models import Campaign, TableGame
from clubs.models import Attendance, Club, Evening, ForbiddenPair, Membership
from clubs.services.clubs import edit_club
from clubs.services.evenings import answer_evening
from clubs.services.members import add_guests
from home.selectors.cards import cards_for
from tests.pages import world
from tests.pages.conftest import Clients, shown_text
from tests.pages.test_fixture_results import sent
from warbands.models import Warband

pytestmark = pytest.mark.one_database


@pytest.fixture
def evening(club: Club, alice: User, bob: User) -> Evening:
    """Return tonight's club night, to which Alice, Bob and two guests go."""
    start = timezone.now() + timedelta(hours=1)
    hours: dict[str, Any] = {"starts_at": start, "ends_at": start + timedelta(hours=4)}
    evening = world.evening_of(club, alice, **hours)
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    answer_evening(evening_id=evening.pk, user=alice, answer="coming")
    for guest in add_guests(club_id=club.pk, user=alice, names=["Greta", "Konrad"]):
        answer_evening(evening_id=evening.pk, user=alice, answer="coming", member_id=guest.pk)
    return evening


def post(browsers: Clients, page: str, evening: Evening, **data: object) -> str:
    """Post as Alice and return where the answer leads."""
    answer = browsers.alice.post(reverse(f"leagues:{page}", args=[evening.pk]), data)
    assert answer.status_code == 302, answer.content
    return str(answer["Location"])


def test_organiser_pairs_and_publishes_without_script(
    browsers: Clients, evening: Evening, club: Club
) -> None:
    page = reverse("leagues:pairings", args=[evening.pk])
    assert "4 players are going or here" in shown_text(browsers.alice.get(page))
    assert post(browsers, "draw-pairings", evening, tables=3, large_tables=1, seed=5) == page
    drawn = shown_text(browsers.alice.get(page))
    assert "Draft: only organisers see it" in drawn
    assert "not published yet" in shown_text(browsers.bob.get(page))
    game, other = TableGame.objects.order_by("table")
    post(browsers, "swap-players", evening, first_id=game.first_id, second_id=other.first_id)
    assert TableGame.objects.get(pk=game.pk).first_id == other.first_id
    post(browsers, "move-game", evening, game_id=game.pk, table=3)
    assert TableGame.objects.get(pk=game.pk).table == 3
    post(browsers, "publish-pairings", evening)
    assert "Published" in shown_text(browsers.alice.get(page))
    assert "You play" in shown_text(browsers.bob.get("/"))
    assert page in browsers.bob.get("/").content.decode()
    post(browsers, "begin-game", evening, game_id=game.pk, begun="true")
    assert TableGame.objects.get(pk=game.pk).started_at is not None
    assert shown_text(browsers.alice.get(page)).count("not here yet") == 2
    post(browsers, "begin-game", evening, game_id=game.pk, begun="false")
    assert TableGame.objects.get(pk=game.pk).started_at is None


def test_published_pairings_are_only_replaced_on_purpose(
    browsers: Clients, evening: Evening
) -> None:
    post(browsers, "draw-pairings", evening)
    page = reverse("leagues:pairings", args=[evening.pk])
    assert "Another draft" in shown_text(browsers.alice.get(page))
    post(browsers, "publish-pairings", evening)
    shown = shown_text(browsers.alice.get(page))
    assert "Another draft" not in shown and "Replace the published pairings" in shown
    games = set(TableGame.objects.values_list("pk", flat=True))
    post(browsers, "draw-pairings", evening, seed=7)
    assert set(TableGame.objects.values_list("pk", flat=True)) == games
    assert "The pairings are published. To draw again" in shown_text(browsers.alice.get(page))
    post(browsers, "draw-pairings", evening, seed=7, replace="true")
    assert games.isdisjoint(TableGame.objects.values_list("pk", flat=True))


def test_check_in_by_code_and_by_organiser(browsers: Clients, evening: Evening, club: Club) -> None:
    page = reverse("leagues:check-in", args=[evening.pk])
    poster = browsers.alice.get(reverse("leagues:door", args=[evening.pk]))
    assert page in shown_text(poster) and "<svg" in poster.content.decode()
    assert browsers.bob.get(reverse("leagues:door", args=[evening.pk])).status_code == 403
    assert "I'm here" in shown_text(browsers.bob.get(page))
    browsers.bob.post(page, {"back": page})
    assert "You are checked in." in shown_text(browsers.bob.get(page))
    browsers.bob.post(
        reverse("leagues:wishes", args=[evening.pk]),
        {"seeks_opponent": ["false", "true"], "loan": "needed"},
    )
    answer = Attendance.objects.get(member__user__username="bob")
    assert (answer.seeks_opponent, answer.loan, answer.arrived_at is None) == (
        True,
        "needed",
        False,
    )
    greta = Membership.objects.get(name="Greta")
    post(browsers, "check-in", evening, member_id=greta.pk)
    post(browsers, "walk-in", evening, name="Wanda")
    assert Attendance.objects.exclude(arrived_at=None).count() == 3
    post(browsers, "no-show", evening, member_id=greta.pk)
    assert Attendance.objects.get(member=greta).no_show


def test_card_leaves_out_no_shows_and_players_with_a_game(
    browsers: Clients, evening: Evening
) -> None:
    page = reverse("home:evening", args=[evening.pk])
    browsers.bob.post(
        reverse("leagues:wishes", args=[evening.pk]), {"seeks_opponent": "true", "loan": ""}
    )
    shown = shown_text(browsers.bob.get(page))
    assert "Looking for an opponent: bob" in shown and "<b>4</b> going" in shown
    post(browsers, "draw-pairings", evening)
    post(browsers, "publish-pairings", evening)
    assert "Looking for an opponent" not in shown_text(browsers.bob.get(page))
    greta = Membership.objects.get(name="Greta")
    post(browsers, "no-show", evening, member_id=greta.pk)
    shown = shown_text(browsers.bob.get(page))
    assert "<b>3</b> going" in shown and "Greta" not in shown


def test_late_comers_are_offered_and_paired(browsers: Clients, evening: Evening) -> None:
    post(browsers, "draw-pairings", evening)
    for name in ("Wanda", "Xaver"):
        post(browsers, "walk-in", evening, name=name)
    page = reverse("leagues:pairings", args=[evening.pk])
    shown = shown_text(browsers.alice.get(page))
    assert "Pair late comers" in shown and "Wanda, Xaver" in shown
    post(browsers, "pair-late", evening)
    assert TableGame.objects.exclude(second=None).count() == 3


def test_player_who_cancels_is_marked_and_removed(
    browsers: Clients, evening: Evening, bob: User
) -> None:
    post(browsers, "draw-pairings", evening)
    answer_evening(evening_id=evening.pk, user=bob, answer="not-coming")
    page = reverse("leagues:pairings", args=[evening.pk])
    shown = shown_text(browsers.alice.get(page))
    assert "not going any more" in shown and "Remove bob" in shown
    post(browsers, "no-show", evening, member_id=Membership.objects.get(user=bob).pk)
    assert TableGame.objects.filter(second=None).count() == 1
    assert "Remove bob" not in shown_text(browsers.alice.get(page))


def test_pairs_are_kept_apart(browsers: Clients, evening: Evening, club: Club) -> None:
    greta, konrad = Membership.objects.filter(name__in=["Greta", "Konrad"])
    target = reverse("leagues:forbid-pair", args=[club.pk])
    both = {"first_id": greta.pk, "second_id": konrad.pk}
    assert browsers.bob.post(target, both).status_code == 403
    browsers.alice.post(target, both)
    pair = ForbiddenPair.objects.get()
    page = reverse("leagues:pairings", args=[evening.pk])
    shown = shown_text(browsers.alice.get(page))
    assert "Greta – Konrad" in shown and "The next draw keeps the two apart." in shown
    assert "Greta – Konrad" not in shown_text(browsers.bob.get(page))
    browsers.alice.post(reverse("leagues:allow-pair", args=[club.pk, pair.pk]))
    assert not ForbiddenPair.objects.exists()


def test_strangers_see_no_pairings(
    browsers: Clients, evening: Evening, club: Club, alice: User
) -> None:
    post(browsers, "draw-pairings", evening)
    post(browsers, "publish-pairings", evening)
    page = reverse("leagues:pairings", args=[evening.pk])
    assert browsers.charlie.get(page).status_code == 404
    edit_club(club_id=club.pk, user=alice, visibility="public")
    assert browsers.charlie.get(page).status_code == 403
    assert browsers.nobody.get(page).status_code == 302


def test_hall_screen_shows_published_games_and_answers_304(
    browsers: Clients, evening: Evening, club: Club, alice: User, copies_of_pages: None
) -> None:
    page = reverse("leagues:hall", args=[club.pk])
    assert browsers.nobody.get(page).status_code == 404
    assert browsers.charlie.get(page).status_code == 404
    assert browsers.bob.get(page).status_code == 200
    edit_club(club_id=club.pk, user=alice, visibility="public")
    post(browsers, "draw-pairings", evening)
    assert "Greta" not in browsers.nobody.get(page).content.decode()
    post(browsers, "publish-pairings", evening)
    shown = browsers.nobody.get(page)
    assert "Greta" in shown.content.decode()
    assert 'http-equiv="refresh" content="10"' in shown.content.decode()
    again = browsers.nobody.get(page, headers={"if-none-match": shown["ETag"]})
    assert again.status_code == 304


def test_hall_screen_hides_private_campaigns(
    browsers: Clients, evening: Evening, club: Club, alice: User, bob: User
) -> None:
    campaign = world.campaign_of(club, alice, world.guards(alice), world.landsknechts(bob))
    world.paired(campaign, alice)
    edit_club(club_id=club.pk, user=alice, visibility="public")
    post(browsers, "draw-pairings", evening)
    post(browsers, "publish-pairings", evening)
    page = reverse("leagues:hall", args=[club.pk])
    assert "Compagnie du Cardinal" in browsers.bob.get(page).content.decode()
    assert "Compagnie du Cardinal" not in browsers.nobody.get(page).content.decode()
    Campaign.objects.update(visibility="public")
    assert "Compagnie du Cardinal" in browsers.nobody.get(page).content.decode()


@pytest.mark.parametrize(("guests", "rows"), [(0, 2), (20, 2), (32, 0)])
def test_hall_screen_has_standings_only_where_they_fit(
    browsers: Clients, evening: Evening, club: Club, alice: User, bob: User, guests: int, rows: int
) -> None:
    world.campaign_of(club, alice, world.guards(alice), world.landsknechts(bob))
    names = [f"Guest {number}" for number in range(guests)]
    for guest in add_guests(club_id=club.pk, user=alice, names=names):
        answer_evening(evening_id=evening.pk, user=alice, answer="coming", member_id=guest.pk)
    post(browsers, "draw-pairings", evening)
    post(browsers, "publish-pairings", evening)
    screen = browsers.alice.get(reverse("leagues:hall", args=[club.pk])).content.decode()
    assert screen.count('<td class="n"><b>') == rows


def test_card_leads_to_the_result_of_the_own_fixture(
    browsers: Clients, evening: Evening, club: Club, alice: User, bob: User
) -> None:
    campaign = world.campaign_of(club, alice, world.guards(alice), world.landsknechts(bob))
    world.paired(campaign, alice)
    post(browsers, "draw-pairings", evening)
    game = TableGame.objects.exclude(fixture=None).get()
    link = reverse("leagues:game-result", args=[game.pk])
    assert link not in browsers.bob.get("/").content.decode()
    post(browsers, "publish-pairings", evening)
    assert link in browsers.bob.get("/").content.decode()
    form = reverse("battles:fixture-result", args=[game.fixture_id])
    assert browsers.bob.get(link)["Location"] == form
    assert browsers.bob.get(form).status_code == 200


def test_result_of_game_without_fixture_is_entered_from_its_page(
    browsers: Clients, evening: Evening, club: Club, alice: User, bob: User
) -> None:
    world.campaign_of(club, alice, world.guards(alice), world.landsknechts(bob))
    for name in ("Greta", "Konrad"):
        post(browsers, "no-show", evening, member_id=Membership.objects.get(name=name).pk)
    post(browsers, "draw-pairings", evening)
    post(browsers, "publish-pairings", evening)
    game = TableGame.objects.get()
    assert game.fixture is None
    page = reverse("leagues:pairings", args=[evening.pk])
    link = reverse("leagues:game-result", args=[game.pk])
    for browser in (browsers.alice, browsers.bob):
        assert link in browser.get(page).content.decode()
        assert link in browser.get("/").content.decode()
    # The page that plans a battle has both sides as well.
    plan = re.search(
        r'href="(/battles/plan/\?campaign[^"]*)"', browsers.bob.get(page).content.decode()
    )
    assert plan
    planned = browsers.bob.get(html.unescape(plan[1]) + "&scenario=skirmish").content.decode()
    guards, haufen = (Warband.objects.get(owner=user).pk for user in (alice, bob))
    assert f'value="{haufen}" selected' in planned
    assert re.search(rf'name="warband.1" value="{guards}"[^>]* checked', planned)
    shown = shown_text(browsers.bob.get(link))
    assert "Compagnie du Cardinal" in shown and "Der schwarze Haufen" in shown
    where = f"{link}?scenario=skirmish"
    data = {**sent(browsers.bob, where), "score_a": "2", "score_b": "1"}
    answer = browsers.bob.post(where, data)
    battle = Battle.objects.get()
    assert answer["Location"] == reverse("battles:battle", args=[battle.pk])
    assert (battle.state, battle.fought_on) == ("submitted", evening.local_start.date())
    # Now the battle is shown instead, on the pages and at the link.
    for address in (page, "/"):
        assert link not in browsers.bob.get(address).content.decode()
    assert browsers.bob.get(link)["Location"] == reverse("battles:battle", args=[battle.pk])
    assert [card.kind for card in cards_for(bob, timezone.localdate())].count(
        "club-night-game"
    ) == 0
    Battle.objects.update(state="confirmed")
    home = shown_text(browsers.bob.get("/"))
    assert "You played <b>alice</b>" in home and "You play <b>" not in home
    assert browsers.charlie.get(link).status_code == 404


def test_friendly_game_has_no_result_to_enter(browsers: Clients, evening: Evening) -> None:
    post(browsers, "draw-pairings", evening)
    post(browsers, "publish-pairings", evening)
    page = reverse("leagues:pairings", args=[evening.pk])
    game = TableGame.objects.all()[0]
    link = reverse("leagues:game-result", args=[game.pk])
    assert link not in browsers.alice.get(page).content.decode()
    assert browsers.alice.get(link)["Location"] == page
    assert "Results need a running campaign" in shown_text(browsers.alice.get(page))


def test_page_names_due_fixture_of_pair_that_never_meets(
    browsers: Clients, evening: Evening, club: Club, alice: User, bob: User
) -> None:
    campaign = world.campaign_of(club, alice, world.guards(alice), world.landsknechts(bob))
    world.paired(campaign, alice)
    both = {
        name: Membership.objects.get(user=user).pk
        for name, user in (("first_id", alice), ("second_id", bob))
    }
    browsers.alice.post(reverse("leagues:forbid-pair", args=[club.pk]), both)
    post(browsers, "draw-pairings", evening)
    shown = shown_text(browsers.alice.get(reverse("leagues:pairings", args=[evening.pk])))
    assert "These fixtures are due, but their players are never paired" in shown
    assert f"alice – bob ({campaign.name}" in " ".join(shown.split())


def test_mistaken_walk_in_is_removed_or_merged_from_the_page(
    browsers: Clients, evening: Evening, club: Club
) -> None:
    for name in ("Wanda", "Bobby"):
        post(browsers, "walk-in", evening, name=name)
    wanda, bobby = (Membership.objects.get(name=name) for name in ("Wanda", "Bobby"))
    page = reverse("leagues:pairings", args=[evening.pk])
    shown = browsers.alice.get(page).content.decode()
    merge = reverse("campaigns:merge", args=[bobby.pk])
    assert f"{merge}?back={page}" in shown
    # Guests that came before the doors opened have no other night either, so they count as new.
    post(browsers, "remove-walk-in", evening, member_id=wanda.pk)
    assert not Membership.objects.filter(pk=wanda.pk).exists()
    assert "Guest player removed." in shown_text(browsers.alice.get(page))
    preview = browsers.alice.get(f"{merge}?back={page}").content.decode()
    assert f'name="back" value="{page}"' in preview
    bob = Membership.objects.get(user__username="bob")
    answer = browsers.alice.post(merge, {"into": bob.pk, "back": page})
    assert answer["Location"] == page
    assert Attendance.objects.get(member=bob).arrived_at is not None


def test_organiser_answers_for_member_who_phoned(
    browsers: Clients, evening: Evening, club: Club, alice: User
) -> None:
    page = reverse("home:evening", args=[evening.pk])
    member = Membership.objects.get(user__username="bob")
    shown = " ".join(shown_text(browsers.alice.get(page)).split())
    assert "Answer for a member" in shown and "bob (Going)" in shown
    assert "Answer for a member" not in shown_text(browsers.bob.get(page))
    target = reverse("home:answer-evening", args=[evening.pk])
    sent_form = {"member": member.pk, "shown_on": "evening"}
    browsers.alice.post(target, {**sent_form, "answer": "not-coming"})
    assert "An organiser answered for you. You can change it." in shown_text(browsers.bob.get(page))
    browsers.alice.post(target, {**sent_form, "answer": "coming"})
    shown = " ".join(shown_text(browsers.bob.get(page)).split())
    assert "Answered by an organiser: bob" in shown
    browsers.bob.post(target, {"answer": "coming"})
    assert "Answered by an organiser" not in shown_text(browsers.bob.get(page))


def test_pulse_page_is_for_organisers(
    browsers: Clients, club: Club, alice: User, bob: User
) -> None:
    campaign = world.campaign_of(club, alice, world.guards(alice), world.landsknechts(bob))
    world.paired(campaign, alice)
    page = reverse("leagues:pulse", args=[campaign.pk])
    shown = shown_text(browsers.alice.get(page))
    assert "Suggestions" in shown and "Make a second member an organiser" in shown
    overview = browsers.alice.get(reverse("leagues:campaign", args=[campaign.pk]))
    assert page in overview.content.decode()
    assert browsers.bob.get(page).status_code == 403
    assert browsers.charlie.get(page).status_code == 404
    invite = reverse("clubs:invite", args=[club.pk]) + "?role=organiser"
    assert invite in browsers.alice.get(reverse("home:club", args=[club.pk])).content.decode()
    assert 'value="organiser"' in browsers.alice.get(invite).content.decode()
