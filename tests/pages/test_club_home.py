"""The home page of a club: latest results, open tasks, all-time records and campaigns."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle
from battles.services.review import dispute_side
from campaigns.models import Campaign
from campaigns.services.campaigns import finish_campaign
from clubs.models import Club, Membership
from clubs.services.members import add_guest
from home.selectors.cards import cards_for
from home.selectors.club import club_home, members_of
from home.selectors.member_tasks import MemberNeeds, member_needs
from leagues.selectors.fixtures import open_fixtures_of_club
from tests.conftest import api_of
from tests.pages import world
from tests.pages.conftest import Clients, make_public
from tests.pages.test_query_counts import many_battles
from warbands.models import Fighter, Warband

pytestmark = pytest.mark.one_database


@pytest.fixture
def home(browsers: Clients, club: Club) -> Callable[..., str]:
    """Return a function that returns the home page for a browser."""
    return lambda browser: browser.get(reverse("home:club", args=[club.pk])).content.decode()


def needs_of(club: Club) -> tuple[MemberNeeds, ...]:
    fixtures = open_fixtures_of_club(club, timezone.localdate())
    return member_needs(club, members_of(club), fixtures)


def test_results_and_records_come_from_confirmed_battles_alone(
    club: Club, alice: User, bob: User, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    empty = club_home(club, bob)
    assert (empty.latest, empty.records.members, empty.records.fighters, empty.evenings) == (
        (),
        (),
        (),
        (),
    )
    battle = world.confirmed_battle(alice, alice, campaign, guards, haufen)
    world.submitted_battle(alice, campaign, guards, haufen, title="Nobody has confirmed it")
    friendly = world.confirmed_battle(alice, alice, campaign, guards, haufen, title="For fun")
    Battle.objects.filter(pk=friendly.pk).update(friendly=True)
    home = club_home(club, bob)
    assert {card.row.name for card in home.latest} == {"Skirmish", "For fun"}
    outcomes = {side.warband: side.outcome for side in battle.sides.select_related("warband")}
    by_name = {row.name: (row.played, row.won, row.drawn, row.lost) for row in home.records.members}
    assert by_name.keys() == {"alice", "bob"}, "the friendly one is not counted"
    assert by_name["alice"][0] == by_name["bob"][0] == 1
    assert (
        by_name["alice"][1] == (outcomes[guards] == "won")
        and by_name["alice"][1] == by_name["bob"][3]
    )


def test_a_record_of_fighters_is_their_rule_systems_own_tally(
    club: Club, bob: User, confirmed: Battle, haufen: Warband
) -> None:
    hans = world.named("Hans")
    hans.state["tallies"] = {"kills": 9, "wounds_dealt": 12}
    hans.battles = 30
    hans.save(update_fields=["state", "battles"])
    records = {record.label: record for record in club_home(club, bob).records.fighters}
    career, kills = records["Longest career, in battles"], records["Kills"]
    assert (career.count, [holder.name for holder in career.holders], career.others) == (
        30,
        ["Hans"],
        0,
    )
    assert (kills.count, kills.ruleset_name, kills.holders[0].warband_name) == (
        9,
        "En Garde!",
        haufen.name,
    )
    Fighter.objects.filter(warband=haufen).update(battles=30)
    shared = club_home(club, bob).records.fighters[0]
    assert (len(shared.holders), shared.others) == (3, 1)


def test_organisers_see_open_tasks_by_member(
    browsers: Clients,
    home: Callable[..., str],
    club: Club,
    alice: User,
    bob: User,
    submitted: Battle,
) -> None:
    add_guest(club_id=club.pk, user=alice, name="Gaston")
    rows = {row.name: row for row in needs_of(club)}
    assert rows.keys() == {"alice", "bob", "Gaston"}, "spectators need nothing"
    assert [need.kind for need in rows["bob"].needs] == ["confirm"]
    assert rows["Gaston"].needs == () and not rows["Gaston"].has_account
    page = home(browsers.alice)
    assert "Open tasks by member" in page and reverse("battles:battle", args=[submitted.pk]) in page
    for browser in (browsers.bob, browsers.dora):
        assert "Open tasks by member" not in home(browser)
    dispute_side(battle_id=submitted.pk, user=bob, reason="Not so")
    first = needs_of(club)[0]
    assert (first.name, first.needs[0].kind, first.needs[0].subject) == (
        "alice",
        "decide",
        submitted.pk,
    )


def test_open_tasks_match_each_inbox(
    club: Club, campaign: Campaign, alice: User, bob: User, guards: Warband, haufen: Warband
) -> None:
    world.evening_of(club, alice)
    world.campaign_of(club, alice, running=False, name="The Long Winter")
    world.paired(campaign, alice)
    world.submitted_battle(alice, campaign, guards, haufen)
    world.planned_battle(alice, campaign, guards, haufen)
    elsewhere = world.club_of(bob)
    world.campaign_of(elsewhere, bob, running=False, name="Secret")
    world.warband_of(bob, "Private", "landsknechts", [("landsknecht", "Hans")])
    rows = {row.name: row.needs for row in needs_of(club)}
    for user in (alice, bob):
        cards = [
            (card.kind, card.subject)
            for card in cards_for(user, timezone.localdate())
            if card.title not in ("Secret", "Private")
        ]
        assert [(need.kind, need.subject) for need in rows[user.username]] == cards
        assert len(cards) >= 3
    assert "Secret" not in str(rows), "tasks in other clubs are private"


def test_what_is_private_is_neither_shown_nor_counted_for_strangers(
    browsers: Clients, home: Callable[..., str], club: Club, alice: User, confirmed: Battle
) -> None:
    make_public(club, alice)
    for browser in (browsers.nobody, browsers.charlie):
        page = home(browser)
        assert (
            club.name in page and "The Long Summer" not in page and "All-time records" not in page
        )
    hidden = club_home(club, AnonymousUser())
    assert (hidden.latest, hidden.records.members, hidden.needs) == ((), (), ())
    Campaign.objects.update(visibility="public")
    assert "All-time records" in home(browsers.nobody) and "Open tasks by member" not in home(
        browsers.nobody
    )
    assert len(club_home(club, AnonymousUser()).latest) == 1


def test_finished_campaign_is_in_archive_and_records(
    browsers: Clients,
    home: Callable[..., str],
    club: Club,
    alice: User,
    campaign: Campaign,
    confirmed: Battle,
) -> None:
    finish_campaign(campaign_id=campaign.pk, user=alice)
    page = home(browsers.bob)
    assert "Archive: 1 finished" in page and "The Long Summer" in page
    assert [need.kind for row in needs_of(club) for need in row.needs] == []
    assert len(club_home(club, alice).records.members) == 2


def test_a_member_who_has_left_keeps_the_record(club: Club, alice: User, confirmed: Battle) -> None:
    Membership.objects.filter(name="bob").update(left_at=confirmed.confirmed_at, user=None)
    assert {row.name: row.here for row in club_home(club, alice).records.members} == {
        "alice": True,
        "bob": False,
    }


def test_records_of_many_battles_are_added_up_by_the_database(
    club: Club, alice: User, bob: User, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    many_battles(campaign, alice, [guards, haufen], 100)
    other = world.campaign_of(
        club, alice, world.guards(alice, "Second"), running=False, name="Next year"
    )
    assert other.pk
    body = api_of(bob).get(f"/api/v1/clubs/{club.pk}/home/").json()
    assert [(row["name"], row["drawn"], row["won"]) for row in body["records"]["members"]] == [
        ("alice", 100, 0),
        ("bob", 100, 0),
    ]
    assert (len(body["latest"]), body["needs"], body["role"]) == (4, [], "player")
