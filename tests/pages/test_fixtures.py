"""The pages of fixtures: the tab, making rounds, changing them, and planning the battle of a
fixture."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle
from campaigns.models import Campaign, Enrolment, Fixture, Method, Round
from clubs.models import Club
from leagues.services.rounds import RoundTerms, Seeding, make_rounds
from rulebook.ruleset import Outcome
from tests.pages import world
from tests.pages.conftest import Clients
from warbands.models import Warband
from warbands.services.warbands import muster_warband
from warbands.signed import update_signed

pytestmark = pytest.mark.one_database

ROUNDS = {
    "method": "round-robin", "seeding": "standings", "deadline": "", "days": "7", "name": "", "legs": "1",
    "groups": "2", "advance": "0", "reach": "2",
}  # fmt: skip


@pytest.fixture
def third(campaign: Campaign, bob: User) -> Enrolment:
    """Return a third warband in the campaign, which is Bob's."""
    warband = world.landsknechts(bob, "Die Späten")
    world.enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=bob)
    return Enrolment.objects.get(warband=warband)


def tab(browser: Client, campaign: Campaign, query: str = "") -> str:
    return browser.get(reverse("leagues:fixtures", args=[campaign.pk]) + query).content.decode()


def terms(campaign: Campaign, **more: str) -> dict[str, object]:
    return {**ROUNDS, "entrants": [str(row.pk) for row in campaign.enrolments.all()], **more}


def made(
    campaign: Campaign, organiser: User, method: Method = Method.ROUND_ROBIN, **more: object
) -> list[Round]:
    terms = RoundTerms(method=method, **more)  # type: ignore[arg-type]
    return make_rounds(campaign_id=campaign.pk, user=organiser, terms=terms)


def test_rounds_are_previewed_then_created(
    browsers: Clients, campaign: Campaign, third: Enrolment
) -> None:
    where = reverse("leagues:make-rounds", args=[campaign.pk])
    assert "No pairings yet" in tab(browsers.bob, campaign)
    sent = terms(campaign, seeding="lot", deadline="2026-03-07")
    looked = browsers.alice.post(where, {**sent, "preview": "1"})
    assert looked.status_code == 200 and not Round.objects.exists()
    draft = looked.context["draft"]
    body = looked.content.decode()
    assert body.count("<small>bye</small>") == 3 and "by 7 Mar 2026" in " ".join(body.split())
    assert f'value="{draft.seed}"' in body and f'value="{draft.fingerprint}"' in body
    stale = {**sent, "commit": "1", "seed": draft.seed, "fingerprint": "0" * 32}
    assert browsers.alice.post(where, stale).status_code == 409
    agreed = {**sent, "commit": "1", "seed": draft.seed, "fingerprint": draft.fingerprint}
    assert browsers.alice.post(where, agreed).status_code == 302
    shown = [[(each.home, each.away) for each in one_round.fixtures] for one_round in draft.rounds]
    written = [
        [
            (str(each.home_id), str(each.away_id or ""))
            for each in one_round.fixtures.order_by("place")
        ]
        for one_round in Round.objects.order_by("number")
    ]
    assert written == shown
    assert browsers.alice.post(where, {**sent, "legs": "0", "preview": "1"}).status_code == 400
    assert (
        browsers.alice.post(where, {**sent, "method": "groups", "preview": "1"}).status_code == 400
    ), "too few"
    for method, text in (
        ("swiss", "bye"),
        ("knockout", "Semi-finals"),
        ("ladder", '<ol class="ladder">'),
    ):
        page = browsers.alice.post(where, {**sent, "method": method, "preview": "1"})
        assert page.status_code == 200 and text in page.content.decode()


def test_the_tab_shows_this_round_first_what_is_overdue_and_a_button_to_plan(
    browsers: Clients, campaign: Campaign, third: Enrolment, alice: User
) -> None:
    today = timezone.localdate()
    made(campaign, alice, deadline=today - timedelta(days=7), days=7)
    body = tab(browsers.bob, campaign)
    assert "This round: Round 2" in body and "Still to play from earlier rounds" in body
    assert body.index("This round") < body.index("Still to play") < body.index("Earlier rounds")
    assert "Overdue" in body and "Plan battle" in body and "Create rounds" not in body
    assert "Plan battle" not in tab(browsers.dora, campaign), "who looks on plans nothing"
    narrowed = tab(browsers.bob, campaign, f"?warband={third.pk}")
    assert narrowed.count("Compagnie du Cardinal</a>") < body.count("Compagnie du Cardinal</a>")
    assert "This round" in tab(browsers.bob, campaign, "?warband=nonsense")


def test_a_fixture_opens_the_plan_with_everything_filled_and_two_clicks_plan_it(
    browsers: Clients, campaign: Campaign, alice: User
) -> None:
    fixture = made(campaign, alice)[0].fixtures.get()
    address = f"{reverse('leagues:plan')}?campaign={campaign.pk}&fixture={fixture.pk}"
    page = browsers.bob.get(address)
    form = page.context["form"]
    filled = {field.name: field.value() for field in form if field.value() not in (None, False)}
    assert "Round 1" in page.content.decode()
    assert browsers.bob.post(address, filled).status_code == 302
    battle = Battle.objects.get()
    assert battle.fixture_id == fixture.pk
    body = tab(browsers.bob, campaign)
    assert reverse("battles:battle", args=[battle.pk]) in body and "Plan battle" not in body
    refused = browsers.bob.post(address, {**filled, "client_id": str(uuid4())})
    assert refused.status_code == 409 and "You cannot plan a battle" in refused.content.decode()
    for wrong in (uuid4(), "nonsense"):
        assert (
            browsers.bob.get(
                f"{reverse('leagues:plan')}?campaign={campaign.pk}&fixture={wrong}"
            ).status_code
            == 404
        )


def test_plan_presets_club_night_of_fixture(
    browsers: Clients, campaign: Campaign, alice: User
) -> None:
    deadline = timezone.localdate() + timedelta(days=6)
    fixture = made(campaign, alice, deadline=deadline)[0].fixtures.get()
    for days in (3, 5, 20):
        world.evening_of(campaign.club, alice, days=days)
    address = f"{reverse('leagues:plan')}?campaign={campaign.pk}&fixture={fixture.pk}"
    form = browsers.bob.get(address).context["form"]
    assert form["fought_on"].value() == timezone.localdate() + timedelta(days=3)
    Fixture.objects.update(deadline=timezone.localdate() + timedelta(days=2))
    form = browsers.bob.get(address).context["form"]
    assert form["fought_on"].value() == timezone.localdate(), "No club night is in time."


def test_a_battle_that_was_played_already_is_counted_for_its_fixture(
    browsers: Clients, campaign: Campaign, alice: User
) -> None:
    home, away = (row.warband for row in campaign.enrolments.all())
    played = world.planned_battle(alice, campaign, home, away)
    fixture = made(campaign, alice)[0].fixtures.get()
    where = reverse("leagues:link", args=[fixture.pk])
    result = reverse("battles:fixture-result", args=[fixture.pk])
    assert result in tab(browsers.bob, campaign) and result not in tab(browsers.dora, campaign)
    assert where in browsers.bob.get(result).content.decode()
    assert str(played.pk) in browsers.bob.get(where).content.decode()
    assert browsers.bob.post(where, {"battle_id": str(uuid4())}).status_code == 400
    assert browsers.bob.post(where, {"battle_id": str(played.pk)}).status_code == 302
    assert Battle.objects.get().fixture_id == fixture.pk
    assert result not in tab(browsers.bob, campaign)
    assert "No unlinked battle between these two" in browsers.bob.get(where).content.decode()


def test_organiser_changes_fixtures(
    browsers: Clients, campaign: Campaign, third: Enrolment, alice: User
) -> None:
    row = made(campaign, alice, Method.SWISS)[0]
    fixture = row.fixtures.get(bye=False)
    page = browsers.alice.get(reverse("leagues:fixture", args=[fixture.pk])).content.decode()
    assert "Swap pairings" in page and "Result without a battle" in page

    def post(route: str, key: object, **data: object) -> int:
        return browsers.alice.post(reverse(f"leagues:{route}", args=[key]), data).status_code

    assert post("fixture", fixture.pk, deadline="2026-03-09", version=1) == 302
    assert post("fixture", fixture.pk, deadline="2026-03-10", version=1) == 409
    assert post("fixture", fixture.pk, deadline="soon", version=2) == 400
    resting = row.fixtures.get(bye=True).home_id
    assert post("swap", fixture.pk, leaving=fixture.home_id, coming=resting, version=2) == 302
    fixture.refresh_from_db()
    assert fixture.home_id == resting
    assert post("swap", fixture.pk, leaving=uuid4(), coming=resting, version=3) == 400
    assert post("walkover", fixture.pk, walkover="home", version=3) == 400, "say why"
    assert post("walkover", fixture.pk, walkover="home", reason="Snowed in.", version=3) == 302
    body = tab(browsers.dora, campaign)
    assert "Walkover" in body and "Snowed in." in body
    standings = browsers.dora.get(reverse("leagues:standings", args=[campaign.pk])).content.decode()
    assert "1 walkover" in standings and "1 forfeit" in standings and "1 bye" in standings
    assert "A bye is worth 1" in standings
    assert (
        post("delete-fixture", fixture.pk) == 302 and Fixture.objects.filter(pk=fixture.pk).exists()
    )
    assert post("add-fixture", row.pk, home_id=third.pk, away_id="", deadline="") == 400, (
        "it plays or rests already"
    )
    other = str(row.fixtures.filter(bye=False)[0].away_id)
    again = {"home_id": fixture.home_id, "away_id": other, "deadline": ""}
    assert post("add-fixture", row.pk, **again) == 400
    assert post("add-fixture", row.pk, **again, agreed="Both are here tonight.") == 302
    assert "Second game by agreement: Both are here tonight." in tab(browsers.dora, campaign)
    assert post("add-fixture", row.pk, home_id=third.pk, away_id=third.pk, deadline="") == 400
    assert post("round", row.pk, name="Opening", deadline="2026-03-11", version=1) == 302
    assert post("delete-round", row.pk) == 302 and Round.objects.filter(name="Opening").exists()
    assert post("walkover", fixture.pk, walkover="", version=4) == 302
    assert (
        "This also deletes"
        in browsers.alice.get(reverse("leagues:delete-round", args=[row.pk])).content.decode()
    )
    assert Round.objects.exists(), "asked, not done"
    assert post("delete-round", row.pk) == 302 and not Round.objects.exists()


def test_walkover_that_replaces_finalists_is_asked_about(
    browsers: Clients, campaign: Campaign, third: Enrolment, alice: User
) -> None:
    order = tuple(campaign.enrolments.order_by("enrolled_at").values_list("pk", flat=True))
    made(campaign, alice, Method.KNOCKOUT, seeding=Seeding.GIVEN, entrants=order)
    semi, final = (
        Fixture.objects.get(round__number=1, bye=False),
        Fixture.objects.get(round__number=2),
    )
    data = {"walkover": "home", "reason": "Snowed in.", "version": 1}
    where = reverse("leagues:walkover", args=[semi.pk])
    assert browsers.alice.post(where, data).status_code == 302, "nobody has built on it yet"
    pair = Enrolment.objects.filter(pk__in=(order[0], order[1])).order_by("enrolled_at")
    planned = world.planned_battle(
        alice, campaign, *(row.warband for row in pair), fixture=final.pk
    )
    response = browsers.alice.post(where, {**data, "walkover": "away", "version": 2})
    assert (
        response.status_code == 200
        and "Its planned battle will be voided." in response.content.decode()
    )
    semi.refresh_from_db()
    assert semi.walkover == "home"
    assert (
        browsers.alice.post(
            where, {**data, "walkover": "away", "version": 2, "commit": "1"}
        ).status_code
        == 302
    )
    assert Battle.objects.get(pk=planned.pk).state == "void"


def test_a_latecomer_gets_fixtures_and_a_ladder_is_climbed_by_its_players(
    browsers: Clients, campaign: Campaign, alice: User, bob: User
) -> None:
    made(campaign, alice)
    late = world.landsknechts(bob, "Die Späten")
    world.enrol_warband(campaign_id=campaign.pk, warband_id=late.pk, user=bob)
    enrolment = Enrolment.objects.get(warband=late)
    assert "No fixtures in the round robin yet" in tab(
        browsers.alice, campaign
    ) and "Without fixtures" not in tab(browsers.bob, campaign)
    browsers.alice.post(reverse("leagues:latecomer", args=[enrolment.pk]))
    assert "No fixtures in the round robin yet" not in tab(browsers.alice, campaign)
    order = tuple(campaign.enrolments.order_by("enrolled_at").values_list("pk", flat=True))
    ladder = made(campaign, alice, Method.LADDER, seeding=Seeding.GIVEN, entrants=order)[0]
    body = tab(browsers.bob, campaign)
    assert body.count("Challenge<span") == 3, "each of his two those above"
    data = {"challenger_id": order[1], "opponent_id": order[0]}
    browsers.bob.post(reverse("leagues:challenge", args=[ladder.pk]), data)
    assert ladder.fixtures.count() == 1
    page = browsers.bob.post(reverse("leagues:challenge", args=[ladder.pk]), data, follow=True)
    assert "already has an open challenge" in page.content.decode()


def test_groups_have_their_tables_and_a_classic_campaign_has_no_fixtures(
    browsers: Clients, club: Club, campaign: Campaign, third: Enrolment, alice: User, bob: User
) -> None:
    fourth = world.guards(alice, "Les Autres")
    world.enrol_warband(campaign_id=campaign.pk, warband_id=fourth.pk, user=alice)
    made(campaign, alice, Method.GROUPS, groups=2)
    body = tab(browsers.dora, campaign)
    assert 'aria-label="Group A"' in body and "1 to play" in body
    classic = world.campaign_of(club, alice, running=False, format="classic", name="The Small One")
    assert browsers.alice.get(reverse("leagues:fixtures", args=[classic.pk])).status_code == 404
    assert (
        "Fixtures</a>"
        not in browsers.alice.get(reverse("leagues:campaign", args=[classic.pk])).content.decode()
    )


@pytest.fixture
def large_campaign(campaign: Campaign, alice: User) -> Campaign:
    """Return a round robin of 32 warbands: 31 rounds of 16 fixtures.

    The first two warbands play late.
    """
    for number in range(32 - campaign.enrolments.count()):
        warband = muster_warband(
            user=alice, ruleset="en-garde", faction="landsknechts", name=f"Company {number}"
        )
        reason = "Their fighters come later."
        world.enrol_warband(
            campaign_id=campaign.pk, warband_id=warband.pk, user=alice, overrule=reason
        )
    rounds = made(campaign, alice)
    today = timezone.localdate()
    rounds[0].deadline = rounds[1].deadline = today - timedelta(days=1)
    Round.objects.bulk_update(rounds[:2], ["deadline"])
    return campaign


def test_the_page_of_a_large_campaign_is_light_and_shows_each_round(
    browsers: Clients, large_campaign: Campaign
) -> None:
    rounds = list(Round.objects.order_by("number"))
    assert [row.fixtures.count() for row in rounds] == [16] * 31
    page = tab(browsers.alice, large_campaign)
    assert len(page.encode()) < 150_000
    assert page.count('<div class="pairing">') == 16 + 20
    assert "12 more are listed under their rounds below." in " ".join(page.split())
    for row in rounds[:2] + rounds[3:]:
        assert f'href="?round={row.pk}#fixtures"' in page
    other = tab(browsers.alice, large_campaign, f"?round={rounds[30].pk}")
    assert len(other.encode()) < 150_000
    assert [str(each.pk) in other for each in rounds[30].fixtures.all()] == [True] * 16
    assert f'href="?round={rounds[2].pk}#fixtures"' in other and "Still to play" not in other
    own = Enrolment.objects.filter(campaign=large_campaign).first()
    assert own is not None
    mine = tab(browsers.alice, large_campaign, f"?warband={own.pk}")
    assert len(mine.encode()) < 150_000 and mine.count("<details") >= 30
    assert tab(browsers.alice, large_campaign, "?round=x") and tab(
        browsers.alice, large_campaign, f"?round={uuid4()}"
    )


def test_fixture_shows_winner_of_conceded_game(
    browsers: Clients, campaign: Campaign, alice: User, guards: Warband, haufen: Warband
) -> None:
    made(campaign, alice)
    battle = world.confirmed_battle(alice, alice, campaign, guards, haufen)
    for key, outcome in (("a", Outcome.WON), ("b", Outcome.LOST)):
        update_signed(battle.sides.filter(key=key), victory_points=0, outcome=outcome)
    html = " ".join(tab(browsers.bob, campaign).split())
    assert html.count(">0</b>") == 2 and html.count("<small>won</small>") == 1
