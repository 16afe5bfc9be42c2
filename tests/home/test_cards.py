"""Each kind of card is there exactly as long as something is to be done, for those who can do it
and nobody else."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from rest_framework.test import APIClient

from battles.models import Battle, BattleState, Combatant, Part, Side, Verdict
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.logbook import log_events
from battles.services.review import (
    Decision,
    confirm_side,
    decide_battle,
    dispute_side,
    submit_battle,
)
from campaigns.models import Campaign, CampaignState, Enrolment, Fixture, Format, Round, TableGame
from campaigns.services.campaigns import finish_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from clubs.models import Club, Membership
from clubs.services.evenings import answer_evening, cancel_evening, change_evening
from core.errors import InvalidInput
from home.context_processors import keep_number
from home.models import Dismissal
from home.selectors.cards import cards_for, fold_cards, inbox_of
from home.selectors.waiting import number_waiting
from home.services.preferences import dismiss
from leagues.services.club_night import draw_pairings, publish_pairings, start_game
from rulebook.registry import rulesets
from tests.home.conftest import kinds, the_card
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.markup import Markup
from warbands.models import Fighter, RankUpOffer, Warband

TODAY = timezone.localdate


def fielded(battle: Battle, side: str, user: User) -> None:
    """Choose all fighters as the line-up of a side."""
    row = battle.sides.get(key=side)
    fighters = list(Fighter.objects.filter(warband=row.warband_id).order_by("place"))
    force = Force(tuple(each.pk for each in fighters), {"leader": (fighters[0].pk,)})
    field_combatants(battle_id=battle.pk, side=side, force=force, user=user)


def test_cards_of_campaign_from_start_to_end(
    alice: User, bob: User, charlie: User, dora: User, club: Club, guards: Warband, haufen: Warband
) -> None:
    campaign = world.campaign_of(club, alice, running=False, games=1)
    assert kinds(alice) == kinds(bob) == ["enrol"]
    enrol_warband(campaign_id=campaign.pk, warband_id=haufen.pk, user=bob)
    assert kinds(bob) == ["recruit"]
    assert the_card(bob, "recruit").sentence.startswith(f"{haufen.points} of 300 points.")
    enrol_warband(campaign_id=campaign.pk, warband_id=guards.pk, user=alice)
    assert kinds(alice) == ["begin", "recruit"]
    settings = reverse("leagues:settings", args=[campaign.pk])
    assert the_card(alice, "begin").url == f"{settings}#start"

    start_campaign(campaign_id=campaign.pk, user=alice)
    assert kinds(alice) == kinds(bob) == ["recruit", "plan"]
    battle = world.planned_battle(alice, campaign, guards, haufen)
    assert kinds(bob) == ["field", "recruit"]
    assert the_card(bob, "field").url.endswith("/sides/b/")
    fielded(battle, "b", bob)
    assert kinds(bob) == ["recruit"], "the other side has not chosen"
    fielded(battle, "a", alice)
    assert kinds(alice) == kinds(bob) == ["start", "recruit"]
    start_battle(battle_id=battle.pk, user=alice)
    assert kinds(alice) == kinds(bob) == ["log"], (
        "after the first battle has begun, nothing is added up to the limit"
    )
    assert the_card(bob, "log").url == f"/battles/{battle.pk}/", (
        "it is open how the battle is logged"
    )

    hans, jussac = world.named("Hans"), world.named("Jussac")
    log_events(battle_id=battle.pk, events=[world.wound(hans, jussac)], user=bob)
    submit_battle(battle_id=battle.pk, user=bob)
    assert (kinds(alice), kinds(bob)) == (["confirm"], [])
    dispute_side(battle_id=battle.pk, user=alice, reason="It was a scratch")
    assert (kinds(alice), kinds(bob)) == (["decide"], ["answer"])
    assert the_card(bob, "answer").sentence.startswith("Disputed by alice: “It was a scratch”")
    decide_battle(battle_id=battle.pk, user=alice, decision=Decision.REOPEN, reason="Play on.")
    assert kinds(alice) == kinds(bob) == ["log"]
    assert the_card(bob, "log").url == f"/battles/{battle.pk}/table/", "its log has turns"
    submit_battle(battle_id=battle.pk, user=bob)
    confirm_side(battle_id=battle.pk, user=alice)
    assert (kinds(alice), kinds(bob)) == (["finish"], [])
    assert the_card(alice, "finish").url == reverse("leagues:finish", args=[campaign.pk])
    finish_campaign(campaign_id=campaign.pk, user=alice)
    assert kinds(alice) == kinds(bob) == []
    assert kinds(charlie) == kinds(dora) == [], (
        "strangers and spectators have nothing to do in any of it"
    )


@pytest.mark.one_database
@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.key)
def test_cards_use_words_of_rule_system(rules, alice: User, bob: User, club: Club) -> None:
    system = {"ruleset": rules.key, "edition": rules.edition}
    agreed = 300 if rules.points.counted else None
    campaign = Campaign.objects.create(club=club, name="The Long Winter", points=agreed, **system)
    enrol = the_card(bob, "enrol")
    assert rules.name in enrol.sentence and rules.words.warband in enrol.button
    assert ("300 points" in enrol.sentence) is rules.points.counted
    warband = Warband.objects.create(
        owner=bob, name="Blues", faction="blues", points=116, fighter_count=1, **system
    )
    seat = Membership.objects.get(user=bob)
    Enrolment.objects.create(
        campaign=campaign, warband=warband, player=seat, enrolled_at=timezone.now()
    )
    assert kinds(bob) == (["recruit"] if rules.points.counted else [])
    Warband.objects.update(points=271)
    assert kinds(bob) == [], "nearly full is full"
    Warband.objects.update(fighter_count=0, points=0)
    assert rules.words.fighters in the_card(bob, "recruit").button, (
        "nobody serves, whatever is counted"
    )
    Warband.objects.update(archived_at=timezone.now())
    assert kinds(bob) == []
    Warband.objects.update(archived_at=None, points=300, fighter_count=2)

    veterans = [
        Fighter.objects.create(
            warband=warband,
            name=name,
            profile_name="Old",
            rank=1,
            points=9,
            fate="fit",
            place=place,
        )
        for place, name in enumerate(("Ann", "Ben"))
    ]
    RankUpOffer.objects.bulk_create(
        RankUpOffer(fighter=each, sequence=warband.sequence, prepared_at=timezone.now())
        for each in veterans
    )
    rising = the_card(bob, "rank-up")
    others = f"Ann and 1 more {rules.words.fighter}"
    assert rising.sentence == f"{others} are ready for a {rules.words.step}."
    assert rising.url == reverse("warbands:rank-ups", args=[veterans[0].pk])
    Warband.objects.update(sequence=7)
    assert kinds(bob) == [], "the chronicle has gone on, and the offers are old"

    battle = Battle.objects.create(
        campaign=campaign,
        scenario="x",
        title="The ford",
        fought_on=TODAY(),
        created_by=alice,
        **system,
    )
    side = Side.objects.create(battle=battle, key="a", place=0, warband=warband, role="x")
    assert rules.words.fighters in the_card(bob, "field").sentence
    Combatant.objects.create(
        side=side, fighter=veterans[0], place=0, name="Ann", rank=1, points=9, build={}
    )
    assert kinds(bob) == ["start"]
    Battle.objects.update(fought_on=TODAY() + timedelta(days=1))
    assert kinds(bob) == [], "its day has not come"
    assert inbox_of(bob).coming.startswith("Next: The ford on ")
    Battle.objects.update(state=BattleState.UNDER_WAY)
    assert kinds(bob) == ["log"]
    Battle.objects.update(state=BattleState.VOID)
    assert kinds(bob) == []


def test_card_names_opponent_in_german(bob: User, planned: Battle, guards: Warband) -> None:
    with translation.override("de"):
        assert the_card(bob, "field").title.endswith(f"gegen {guards}")


def test_cards_of_classic_campaign(
    alice: User, bob: User, club: Club, guards: Warband, haufen: Warband
) -> None:
    campaign = world.campaign_of(club, alice, guards, haufen, running=False, format=Format.CLASSIC)
    Warband.objects.update(points=300)
    assert the_card(alice, "begin").url == reverse("campaigns:begin", args=[campaign.pk])
    Membership.objects.create(club=club, user=User.objects.create_user("erna"), name="erna")
    assert kinds(User.objects.get(username="erna")) == [], "it is for two, and two are in it"
    Campaign.objects.update(state=CampaignState.RUNNING, scenarios=["duel", "raid"])
    assert kinds(bob) == ["seal"]
    Enrolment.objects.filter(warband=haufen).update(
        player=Membership.objects.create(club=club, name="Guest")
    )
    assert kinds(alice) == ["seal", "seal"], "an organiser seals for a guest"
    common = {
        "campaign": campaign,
        "ruleset": "en-garde",
        "edition": campaign.edition,
        "fought_on": TODAY(),
    }
    games = [
        Battle.objects.create(
            scenario=scenario,
            part=Part.SMALL,
            state=BattleState.CONFIRMED,
            created_by=alice,
            **common,
        )
        for scenario in campaign.scenarios or ("duel", "raid")
    ]
    assert "final" in kinds(alice) and "final" in kinds(bob)
    Battle.objects.filter(pk=games[1].pk).update(state=BattleState.VOID)
    assert "final" not in kinds(bob), "a voided game has to be played again"
    Battle.objects.filter(pk=games[1].pk).update(state=BattleState.CONFIRMED)
    Battle.objects.create(
        scenario="skirmish",
        part=Part.FINAL,
        state=BattleState.CONFIRMED,
        created_by=alice,
        **common,
    )
    assert "final" not in kinds(bob)
    assert "finish" in kinds(alice) and "finish" not in kinds(bob)


def test_fixture_card_names_opponent_and_deadline(
    alice: User, bob: User, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    first, second = campaign.enrolments.order_by("enrolled_at")
    due = TODAY() + timedelta(days=3)
    round_ = Round.objects.create(campaign=campaign, number=1, deadline=due)
    fixture = Fixture.objects.create(round=round_, place=0, home=first, away=second)
    assert kinds(bob) == ["play", "recruit"], (
        "a round says more than that a battle should be planned"
    )
    card = the_card(bob, "play")
    assert (card.sentence, card.deadline) == (f"Play alice: {haufen} against {guards}.", due)
    assert card.url.endswith(f"?campaign={campaign.pk}&against={guards.pk}")
    battle = world.planned_battle(alice, campaign, guards, haufen)
    assert Battle.objects.get().fixture == fixture
    assert kinds(bob) == ["field", "recruit"]
    Battle.objects.filter(pk=battle.pk).update(state=BattleState.VOID)
    assert kinds(bob) == ["play", "recruit"]


def test_fixture_beyond_agreed_games_has_no_card(
    browsers: Clients,
    alice: User,
    bob: User,
    campaign: Campaign,
    guards: Warband,
    haufen: Warband,
    confirmed: Battle,
) -> None:
    first, second = campaign.enrolments.order_by("enrolled_at")
    Fixture.objects.create(
        round=Round.objects.create(campaign=campaign, number=1), place=0, home=first, away=second
    )
    fixtures = reverse("leagues:fixtures", args=[campaign.pk])
    Campaign.objects.update(games=2)
    assert "play" in kinds(bob) and "Plan battle" in browsers.bob.get(fixtures).content.decode()
    Campaign.objects.update(games=1)
    assert "play" not in kinds(bob)
    body = browsers.bob.get(fixtures).content.decode()
    assert (
        "Plan battle" not in body
        and "All games of one side are played." in body
        and "Enter result" in body
    )
    with pytest.raises(InvalidInput, match="has played its only game"):
        world.planned_battle(alice, campaign, guards, haufen)


def test_cards_after_leaving_and_for_guests(
    alice: User, bob: User, campaign: Campaign, haufen: Warband, planned: Battle
) -> None:
    Membership.objects.filter(user=bob).update(user=None, left_at=timezone.now())
    assert kinds(bob) == ["field", "recruit"], "the battles of one's own warband stay one's own"
    Battle.objects.update(state=BattleState.VOID)
    assert "plan" not in kinds(bob) and "enrol" not in kinds(bob), (
        "the campaign is private, and no page of it opens"
    )
    Warband.objects.filter(pk=haufen.pk).update(owner=None, keeper=alice)
    assert kinds(alice).count("recruit") == kinds(alice).count("plan") == 2
    assert kinds(bob) == []


def test_cards_result_first_then_by_deadline(
    bob: User,
    club: Club,
    campaign: Campaign,
    planned: Battle,
    alice: User,
    guards: Warband,
    haufen: Warband,
) -> None:
    later = world.planned_battle(
        alice, campaign, guards, haufen, fought_on=TODAY() + timedelta(days=9)
    )
    world.submitted_battle(alice, campaign, guards, haufen)
    world.campaign_of(club, alice, running=False, name="The Long Winter")
    assert kinds(bob) == ["confirm", "field", "field", "enrol"]
    cards = cards_for(bob, TODAY())
    assert [card.deadline for card in cards[1:3]] == [world.DAY, later.fought_on]


def test_cards_dispute_before_result_battle_fixture_and_club_night(
    bob: User, club: Club, campaign: Campaign, alice: User, guards: Warband, haufen: Warband
) -> None:
    world.campaign_of(club, alice, running=False, name="The Long Winter")
    world.evening_of(club, alice, 3)
    world.evening_of(club, alice, 30)
    first, second = campaign.enrolments.order_by("enrolled_at")
    for number, days in ((1, 60), (2, 6)):
        round_ = Round.objects.create(
            campaign=campaign, number=number, deadline=TODAY() + timedelta(days=days)
        )
        Fixture.objects.create(round=round_, place=0, home=first, away=second)
    going = world.submitted_battle(alice, campaign, guards, haufen)
    Battle.objects.filter(pk=going.pk).update(state=BattleState.UNDER_WAY, fixture=None)
    world.submitted_battle(alice, campaign, guards, haufen)
    disputed = world.submitted_battle(alice, campaign, guards, haufen)
    Battle.objects.update(fixture=None)
    dispute_side(battle_id=disputed.pk, user=alice, reason="No")
    assert kinds(bob) == ["answer", "confirm", "log", "play", "club-night", "play", "enrol"]


def test_inbox_folds_later_fixtures_and_campaigns_to_enter(
    browsers: Clients,
    bob: User,
    club: Club,
    campaign: Campaign,
    alice: User,
) -> None:
    for name in ("One", "Two", "Three"):
        world.campaign_of(club, alice, running=False, name=name)
    first, second = campaign.enrolments.order_by("enrolled_at")
    for number in range(1, 6):
        day = TODAY() + timedelta(weeks=number)
        round_ = Round.objects.create(campaign=campaign, number=number, deadline=day)
        Fixture.objects.create(round=round_, place=0, home=first, away=second)
    folds = fold_cards(cards_for(bob, TODAY()), TODAY())
    titles = [fold.title for fold in folds]
    last = date_format(TODAY() + timedelta(weeks=5), "j F")
    assert titles.count("") == 2, "the next fixture, and fighters to add"
    assert f"4 more fixtures until {last}" in titles and "3 campaigns to enter" in titles
    body = browsers.bob.get("/").content.decode()
    assert body.count('<li class="fold">') == 2
    buttons = [each for each in Markup(body).all("a") if "button" in each.get("class", "").split()]
    assert len([each for each in buttons if "second" not in each["class"].split()]) == 1


def test_club_night_card_until_answered_or_cancelled(
    browsers: Clients, bob: User, dora: User, alice: User, club: Club
) -> None:
    evening = world.evening_of(club, alice, place="The Three Tuns")
    card = the_card(bob, "club-night")
    assert card.sentence == "19:00–23:00, The Three Tuns. Are you going?"
    assert kinds(dora) == [], "spectators do not play"
    page = browsers.bob.get("/")
    body = page.content.decode()
    assert page.context["inbox"].number == 1 and f'id="evening-{evening.pk}"' in body
    assert 'class="inbox"' not in body, "its buttons at the top are enough"
    answer = reverse("home:answer-evening", args=[evening.pk])
    data = {"answer": "coming", "shown_on": "home"}
    assert browsers.bob.post(answer, data)["Location"] == f"/#evening-{evening.pk}"
    assert kinds(bob) == []
    cancel_evening(evening_id=evening.pk, user=alice, reason="Flooded")
    assert the_card(bob, "club-night-off").sentence.endswith("cancelled: Flooded")
    assert kinds(alice) == [], "she has never answered"
    assert f'id="evening-{evening.pk}"' not in browsers.bob.get("/").content.decode()
    dismiss(user=bob, kind="club-night-off", subject=evening.pk)
    assert kinds(bob) == []


def test_club_night_is_remembered_the_day_before(
    browsers: Clients, bob: User, alice: User, club: Club
) -> None:
    evening = world.evening_of(club, alice, days=1, place="The Three Tuns")
    assert kinds(bob) == ["club-night", "club-night-eve"], "he has not answered"
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    assert the_card(bob, "club-night-eve").sentence == "Tomorrow: 19:00–23:00, The Three Tuns."
    dismiss(user=bob, kind="club-night-eve", subject=evening.pk)
    assert kinds(bob) == []
    answer_evening(evening_id=evening.pk, user=alice, answer="not-coming")
    assert kinds(alice) == []


def test_published_game_is_a_card_until_it_begins(
    browsers: Clients, bob: User, alice: User, club: Club
) -> None:
    evening = world.evening_of(club, alice, days=2)
    for user in (alice, bob):
        answer_evening(evening_id=evening.pk, user=user, answer="coming")
    draw_pairings(evening_id=evening.pk, user=alice)
    assert kinds(bob) == []
    publish_pairings(evening_id=evening.pk, user=alice)
    assert the_card(bob, "club-night-game").sentence == "You play alice at table 1."
    game = TableGame.objects.get()
    start_game(evening_id=evening.pk, user=bob, game_id=game.pk)
    assert kinds(bob) == []


@pytest.mark.parametrize("has_fixture", [True, False])
def test_published_game_leaves_the_cards_once_its_battle_has_begun(
    bob: User, alice: User, club: Club, guards: Warband, haufen: Warband, has_fixture: bool
) -> None:
    campaign = world.campaign_of(club, alice, guards, haufen)
    evening = world.evening_of(club, alice, days=1)
    for user in (alice, bob):
        answer_evening(evening_id=evening.pk, user=user, answer="coming")
    if has_fixture:
        world.paired(campaign, alice)
    draw_pairings(evening_id=evening.pk, user=alice)
    publish_pairings(evening_id=evening.pk, user=alice)
    assert (TableGame.objects.get().fixture is not None) == has_fixture

    def is_card(**changes: object) -> bool:
        Battle.objects.update(**changes)
        return "club-night-game" in kinds(bob)

    assert is_card()
    world.begun_battle(alice, campaign, guards, haufen)
    day = evening.local_start.date()
    assert not is_card(fought_on=day)
    for state in ("submitted", "disputed", "confirmed"):
        assert not is_card(state=state)
    assert is_card(state="planned") and is_card(state="void")
    # Without a fixture, only a battle of that day is this game.
    assert is_card(state="confirmed", fought_on=day - timedelta(days=7)) != has_fixture


def test_moved_club_night_asks_those_who_go_again(bob: User, alice: User, club: Club) -> None:
    evening = world.evening_of(club, alice)
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    change_evening(evening_id=evening.pk, user=alice, note="Bring dice.")
    assert kinds(bob) == [], "a note moves nothing"
    start = evening.starts_at + timedelta(days=1)
    end = start + timedelta(hours=4)
    change_evening(evening_id=evening.pk, user=alice, starts_at=start, ends_at=end)
    assert the_card(bob, "club-night-moved").sentence == (
        "New time or place: 19:00–23:00. Are you still going?"
    )
    assert kinds(alice) == ["club-night"], "she has never answered"
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    assert kinds(bob) == []


def test_dismissible_card_can_be_dismissed(
    browsers: Clients, bob: User, as_bob: APIClient, as_charlie: APIClient, alice: User, club: Club
) -> None:
    first, second = (
        world.campaign_of(club, alice, running=False, name=name) for name in ("One", "Two")
    )
    assert browsers.bob.get("/").context["inbox"].number == 2
    data = {"kind": "enrol", "subject": str(first.pk)}
    assert browsers.bob.post(reverse("home:dismiss"), data).status_code == 302
    assert [card["title"] for card in as_bob.get("/api/v1/me/inbox/").json()["cards"]] == ["Two"]
    where, wish = "/api/v1/me/inbox/dismissals/", {"kind": "enrol", "subject": str(second.pk)}
    assert as_charlie.post(where, wish).json()["code"] == "unknown-card"
    assert as_bob.post(where, wish).status_code == as_bob.post(where, wish).status_code == 204
    assert (
        as_bob.post(where, {"kind": "confirm", "subject": str(second.pk)}).json()["code"]
        == "invalid"
    )
    assert kinds(bob) == [] and kinds(alice) == ["enrol", "enrol"]
    assert Dismissal.objects.count() == 2


def test_page_and_api_show_same_cards(
    browsers: Clients, as_bob: APIClient, as_charlie: APIClient, submitted: Battle
) -> None:
    page = browsers.bob.get("/")
    body = page.content.decode()
    (card,) = as_bob.get("/api/v1/me/inbox/").json()["cards"]
    assert card["url"] == f"/battles/{submitted.pk}/"
    assert f'href="{card["url"]}"' in body and card["sentence"] in body and "Check result" in body
    assert 'class="inbox-number"' in body
    assert browsers.bob.get(card["url"]).status_code == 200
    empty = as_charlie.get("/api/v1/me/inbox/").json()
    assert (empty["number"], empty["cards"]) == (0, []) and empty["coming"].startswith(
        "Create a club"
    )
    body = browsers.charlie.get("/").content.decode()
    assert "You're all caught up." in body and 'class="inbox-number"' not in body


def test_inbox_number_updates_without_more_queries(
    browsers: Clients, bob: User, submitted: Battle
) -> None:
    address = reverse("home:preferences")
    assert browsers.bob.get(address).context["inbox_number"] == 1
    with CaptureQueriesContext(connection) as seen:
        browsers.bob.get(address)
    assert len(seen) == 4, (
        "session with its user, preferences, addresses, devices, and nothing for the header"
    )
    browsers.bob.post(
        reverse("battles:confirm", args=[submitted.pk]), {"version": submitted.version, "side": "b"}
    )
    assert browsers.bob.get(address).context["inbox_number"] == 0
    with CaptureQueriesContext(connection) as counted:
        assert kinds(bob) == []
    assert len(counted) < 40


def test_unchanged_page_is_new_with_another_inbox_number(
    browsers: Clients, bob: User, submitted: Battle
) -> None:
    warband = Warband.objects.filter(owner=bob)[0]
    address = reverse("warbands:warband", args=[warband.pk])
    browsers.bob.get(address)
    tag = {"if-none-match": browsers.bob.get(address).headers["ETag"]}
    assert browsers.bob.get(address, headers=tag).status_code == 304
    keep_number(bob, 77)
    page = browsers.bob.get(address, headers=tag)
    assert page.status_code == 200
    assert "</span>77</a>" in page.content.decode()


def test_counting_for_the_header_takes_three_queries(
    alice: User, bob: User, campaign: Campaign, submitted: Battle
) -> None:
    world.paired(campaign, alice)
    today = timezone.localdate()
    with CaptureQueriesContext(connection) as counted:
        number = number_waiting(bob, today)
    assert number == len(cards_for(bob, today)) > 0
    assert len(counted) == 3, "the rows of all kinds, the campaigns, and their fixtures"


def test_coming_names_unconfirmed_battle(bob: User, submitted: Battle) -> None:
    Side.objects.filter(battle=submitted, key="b").update(verdict=Verdict.CONFIRMED)
    assert kinds(bob) == []
    assert inbox_of(bob).coming.endswith("Your opponent has not confirmed it yet.")


def test_player_without_cards_is_told_to_plan_the_next_battle(bob: User, submitted: Battle) -> None:
    Battle.objects.update(state=BattleState.CONFIRMED)
    assert kinds(bob) == []
    assert inbox_of(bob).coming.startswith("Next: plan a battle in ")
