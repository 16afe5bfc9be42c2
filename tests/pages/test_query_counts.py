"""Every page takes the same number of queries, however much there is to show."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from battles.models import Battle, BattleState, Side
from campaigns.models import Campaign
from campaigns.services.journal import write_entry
from clubs.models import Club
from clubs.services.evenings import answer_evening
from clubs.services.invitations import invite
from leagues.selectors.honours import deeds_of
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.world import DAY, named
from warbands.models import Warband
from warbands.services.roster import NewFighter, recruit_fighters

pytestmark = pytest.mark.one_database


def queries(browser: Client, address: str) -> int:
    """Return the number of queries of a page."""
    with CaptureQueriesContext(connection) as seen:
        assert browser.get(address).status_code == 200
    return len(seen)


def many_battles(campaign: Campaign, user: User, warbands: list[Warband], number: int) -> None:
    """Create this many confirmed battles without logs."""
    battles = Battle.objects.bulk_create(
        Battle(
            campaign=campaign,
            ruleset=campaign.ruleset,
            edition=campaign.edition,
            scenario="skirmish",
            state=BattleState.CONFIRMED,
            fought_on=DAY + timedelta(days=place),
            created_by=user,
        )
        for place in range(number)
    )
    Side.objects.bulk_create(
        Side(
            battle=battle,
            key="ab"[place],
            place=place,
            warband=warband,
            role="warband",
            outcome="drew",
        )
        for battle in battles
        for place, warband in enumerate(warbands)
    )


@pytest.fixture
def grow(
    alice: User,
    bob: User,
    club: Club,
    campaign: Campaign,
    confirmed: Battle,
    guards: Warband,
    haufen: Warband,
) -> Callable[[], None]:
    """Return a function that creates many more rows of everything."""

    def more() -> None:
        many_battles(campaign, alice, [guards, haufen], 40)
        for place in range(3):
            write_entry(campaign_id=campaign.pk, user=alice, text=f"Page {place}")
        world.paired(campaign, alice)
        recruits = [NewFighter(build={"profile": "ruffian"}, name="Ruffian", count=6)]
        recruit_fighters(warband_id=guards.pk, fighters=recruits, user=alice, overrule="More hands")
        for place in range(3):
            world.landsknechts(bob, f"Haufen {place}")
            other = world.guards(alice, f"Compagnie {place}")
            world.campaign_of(club, alice, other, running=False, name=f"Campaign {place}")
        world.submitted_battle(alice, campaign, guards, haufen)
        for day in range(1, 21):
            evening = world.evening_of(club, alice, day)
            answer_evening(evening_id=evening.pk, user=bob, answer="coming")
            invite(club_id=club.pk, user=alice)

    return more


PAGES: tuple[tuple[str, str], ...] = (
    ("home", ""),
    ("home:clubs", ""),
    ("home:club", "club"),
    ("home:calendar", "club"),
    ("clubs:invitations", "club"),
    ("home:seasons", "club"),
    ("leagues:campaigns", ""),
    ("leagues:campaign", "campaign"),
    ("leagues:warbands", "campaign"),
    ("battles:campaign", "campaign"),
    ("leagues:fixtures", "campaign"),
    ("leagues:make-rounds", "campaign"),
    ("leagues:log", "campaign"),
    ("leagues:standings", "campaign"),
    ("leagues:honours", "campaign"),
    ("leagues:settings", "campaign"),
    ("campaigns:house-rules", "campaign"),
    ("campaigns:enrol", "campaign"),
    ("warbands:warbands", ""),
    ("warbands:warband", "guards"),
    ("warbands:chronicle", "guards"),
    ("warbands:build", "guards"),
    ("warbands:posts", "guards"),
    ("warbands:fighter", "fighter"),
    ("warbands:rank-ups", "fighter"),
    ("battles:battles", ""),
    ("battles:battle", "confirmed"),
    ("battles:correct", "confirmed"),
    ("documents:documents", ""),
)


def test_every_page_takes_the_same_queries_however_much_there_is(
    request: pytest.FixtureRequest, browsers: Clients, grow: Callable[[], None]
) -> None:
    def address(name: str, subject: str) -> str:
        key: Any = (
            named("Jussac").pk
            if subject == "fighter"
            else subject and request.getfixturevalue(subject).pk
        )
        return reverse(name, args=[key] if key else [])

    addresses = {name: address(name, subject) for name, subject in PAGES}
    browsers.alice.get("/account/")
    grow()
    some = {name: queries(browsers.alice, where) for name, where in addresses.items()}
    grow()
    deeds_of.cache_clear()  # Both times the honours are read anew.
    more = {name: queries(browsers.alice, where) for name, where in addresses.items()}
    assert more == some


@pytest.mark.postgres
def test_a_campaigns_page_with_a_thousand_battles_takes_twelve_queries_at_most(
    browsers: Clients, alice: User, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    many_battles(campaign, alice, [guards, haufen], 1000)
    # The number in the header and the time zone are kept from one page to the next.
    browsers.alice.get("/account/")
    for tab in (
        "leagues:campaign",
        "battles:campaign",
        "leagues:fixtures",
        "leagues:log",
        "leagues:standings",
        "leagues:honours",
    ):
        assert queries(browsers.alice, reverse(tab, args=[campaign.pk])) <= 12


@pytest.mark.postgres
def test_the_home_of_a_club_takes_as_many_queries_whatever_it_has_played(
    browsers: Clients, alice: User, club: Club, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    many_battles(campaign, alice, [guards, haufen], 1000)
    world.evening_of(club, alice)
    assert queries(browsers.alice, reverse("home:club", args=[club.pk])) <= 21
    assert queries(browsers.alice, reverse("home:calendar", args=[club.pk])) <= 17


def test_a_thousand_battles_are_shown_page_by_page(
    browsers: Clients, alice: User, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    many_battles(campaign, alice, [guards, haufen], 60)
    address = reverse("battles:campaign", args=[campaign.pk])
    first, last = browsers.alice.get(address), browsers.alice.get(f"{address}?page=99")
    assert len(first.context["rows"]) == 25
    assert len(last.context["rows"]) == 10
    assert "Page 3 of 3" in last.content.decode()


LONG = (
    '"battles_battle"."result"',
    '"battles_battle"."set_up"',
    '"battles_battle"."story"',
    '"battles_side"."extras"',
    '"campaigns_campaign"."lots"',
    '"warbands_warband"."state"',
)


@pytest.mark.postgres
def test_lists_of_battles_follow_an_index_and_read_nothing_that_may_be_long(
    browsers: Clients, confirmed: Battle, campaign: Campaign
) -> None:
    served = [list(index.fields) for index in Battle._meta.indexes]
    assert [*(Battle._meta.ordering or ())] in served
    browsers.alice.get("/account/")
    lists = (
        reverse("battles:battles"),
        reverse("battles:campaign", args=[campaign.pk]),
        reverse("battle-list"),
    )
    for address in lists:
        with CaptureQueriesContext(connection) as seen:
            answer = browsers.alice.get(address)
        assert str(confirmed.pk) in answer.content.decode()
        statements = [
            query["sql"] for query in seen if '"battles_battle"."fought_on"' in query["sql"]
        ]
        statements += [query["sql"] for query in seen if 'FROM "battles_side"' in query["sql"]]
        assert statements
        assert not [
            column for column in LONG for sql in statements if column in sql.partition(" FROM ")[0]
        ]
