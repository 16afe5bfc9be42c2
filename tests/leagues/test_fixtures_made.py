"""Making rounds and changing fixtures: pairings, deadlines, walkovers, challenges, and the battles
played for them."""

from collections.abc import Iterable, Mapping
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from battles.selectors.standings import standings
from battles.services.corrections import void_battle
from battles.services.planning import count_in_campaign
from campaigns.models import Campaign, Enrolment, Fixture, Method, Round
from campaigns.services.campaigns import edit_campaign, finish_campaign
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from clubs.models import Club
from core.errors import Forbidden, InvalidInput, MusterError, NotFound, StateConflict
from home.selectors.calendar import campaign_calendar, own_calendar
from home.selectors.cards import cards_for
from leagues.selectors.fixtures import FixtureRow, campaign_fixtures, open_fixtures
from leagues.services.fixtures import (
    add_fixture,
    add_latecomer,
    challenge,
    delete_fixture,
    delete_round,
    edit_fixture,
    edit_round,
    give_walkover,
    link_battle,
    swap_entrants,
)
from leagues.services.rounds import RoundTerms, Seeding, draft_rounds, make_rounds
from tests.pages import world
from tests.pages.world import DAY

pytestmark = pytest.mark.one_database

Entered = Mapping[str, Enrolment]


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    return world.club_of(alice, players=[bob], spectators=[dora])


def entered_by(club: Club, owners: Mapping[str, User], organiser: User) -> Entered:
    warbands = [
        world.warband_of(owner, name, "landsknechts", world.LANDSKNECHTS[:2])
        for name, owner in owners.items()
    ]
    campaign = world.campaign_of(club, organiser, *warbands)
    return {
        row.warband.name: row for row in campaign.enrolments.select_related("warband", "campaign")
    }


@pytest.fixture
def entered(club: Club, alice: User, bob: User) -> Entered:
    """Return five warbands in a campaign: a, c and e are Alice's, b and d Bob's."""
    return entered_by(club, {"a": alice, "b": bob, "c": alice, "d": bob, "e": alice}, alice)


@pytest.fixture
def campaign(entered: Entered) -> Campaign:
    return entered["a"].campaign


def names(rows: Iterable[FixtureRow]) -> list[str]:
    return [" v ".join(side.name for side in row.sides) for row in rows]


def shown(campaign: Campaign) -> list[list[str]]:
    return [names(each.fixtures) for each in campaign_fixtures(campaign, DAY)]


def fixture_of(campaign: Campaign, *between: str) -> Fixture:
    """Return the first fixture between these warbands."""
    for each in campaign_fixtures(campaign, DAY):
        for row in each.fixtures:
            if {side.name for side in row.sides} == {*between}:
                return Fixture.objects.get(pk=row.id)
    raise AssertionError(between)


def row_of(fixture: Fixture) -> FixtureRow:
    rounds = campaign_fixtures(fixture.round.campaign, DAY)
    return next(row for each in rounds for row in each.fixtures if row.id == fixture.pk)


def fight(organiser: User, winner: Enrolment, loser: Enrolment) -> Battle:
    """Return a confirmed battle that the first one won."""
    battle = world.confirmed_battle(
        organiser, organiser, winner.campaign, winner.warband, loser.warband
    )
    battle.sides.filter(warband=winner.warband).update(
        outcome="won", victory_points=5, victory_points_against=2
    )
    battle.sides.filter(warband=loser.warband).update(
        outcome="lost", victory_points=2, victory_points_against=5
    )
    return battle


def refused(code: str, error: type[MusterError] = InvalidInput):
    return pytest.raises(error, check=lambda raised: raised.code == code)


def test_what_is_written_is_what_was_shown(
    campaign: Campaign, entered: Entered, alice: User, bob: User
) -> None:
    terms = RoundTerms(
        method=Method.ROUND_ROBIN, seeding=Seeding.LOT, deadline=DAY, days=14, name="Spring"
    )
    draft = draft_rounds(campaign_id=campaign.pk, user=alice, terms=terms)
    assert not Round.objects.exists()
    same = RoundTerms(
        **{name: getattr(terms, name) for name in terms.__struct_fields__} | {"seed": draft.seed}
    )
    rounds = make_rounds(
        campaign_id=campaign.pk, user=alice, terms=same, fingerprint=draft.fingerprint
    )
    assert [each.deadline for each in rounds] == [
        DAY + timedelta(days=14 * place) for place in range(5)
    ]
    assert [str(each) for each in rounds][:2] == ["Spring, round 1", "Spring, round 2"]
    written = [
        [
            (str(each.home_id), str(each.away_id or ""))
            for each in one_round.fixtures.order_by("place")
        ]
        for one_round in rounds
    ]
    assert written == [
        [(each.home, each.away) for each in one_round.fixtures] for one_round in draft.rounds
    ]
    with refused("draft-differs", StateConflict):
        make_rounds(campaign_id=campaign.pk, user=alice, terms=same, fingerprint=draft.fingerprint)
    swiss = RoundTerms(method=Method.SWISS)
    before = draft_rounds(campaign_id=campaign.pk, user=alice, terms=swiss)
    withdraw_warband(enrolment_id=entered["b"].pk, user=bob)
    with refused("draft-differs", StateConflict):
        make_rounds(
            campaign_id=campaign.pk, user=alice, terms=swiss, fingerprint=before.fingerprint
        )


def test_only_organisers_make_and_change(
    campaign: Campaign, alice: User, bob: User, charlie: User
) -> None:
    terms = RoundTerms(method=Method.ROUND_ROBIN)
    with pytest.raises(Forbidden):
        draft_rounds(campaign_id=campaign.pk, user=bob, terms=terms)
    with pytest.raises(NotFound):
        make_rounds(campaign_id=campaign.pk, user=charlie, terms=terms)
    first_round = make_rounds(campaign_id=campaign.pk, user=alice, terms=terms)[0]
    fixture = first_round.fixtures.filter(bye=False)[0]
    for user, error in ((bob, Forbidden), (charlie, NotFound)):
        with pytest.raises(error):
            edit_round(round_id=first_round.pk, user=user, deadline=DAY)
        with pytest.raises(error):
            give_walkover(fixture_id=fixture.pk, user=user, walkover="home", reason="I say so.")
        with pytest.raises(error):
            delete_round(round_id=first_round.pk, user=user)
        with pytest.raises(error):
            edit_fixture(fixture_id=fixture.pk, user=user, deadline=DAY)


def test_terms_that_make_no_sense_are_refused(
    campaign: Campaign, entered: Entered, alice: User, bob: User
) -> None:
    def make(**terms: object) -> None:
        make_rounds(campaign_id=campaign.pk, user=alice, terms=RoundTerms(**terms))  # type: ignore[arg-type]

    with refused("too-few-entrants"):
        make(method=Method.SWISS, entrants=(entered["a"].pk,))
    with refused("too-few-entrants"):
        make(method=Method.GROUPS, groups=3)
    with refused("out-of-range"):
        make(method=Method.ROUND_ROBIN, legs=9)
    with refused("no-groups"):
        make(method=Method.KNOCKOUT, advance=2)
    make(method=Method.LADDER)
    with refused("ladder-exists"):
        make(method=Method.LADDER)
    withdraw_warband(enrolment_id=entered["b"].pk, user=bob)
    with refused("unknown-enrolment"):
        make(method=Method.SWISS, entrants=(entered["a"].pk, entered["b"].pk))
    finish_campaign(campaign_id=campaign.pk, user=alice)
    with refused("campaign-finished"):
        make(method=Method.SWISS)
    assert open_fixtures(alice, DAY) == ()


def test_a_slow_player_blocks_no_swiss_round_and_byes_count(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    terms = RoundTerms(method=Method.SWISS)
    make_rounds(campaign_id=campaign.pk, user=alice, terms=terms)
    assert shown(campaign) == [["a v c", "b v d", "e"]]
    fight(alice, entered["c"], entered["a"])
    draft = draft_rounds(campaign_id=campaign.pk, user=alice, terms=terms)
    assert draft.warnings == ("Unplayed fixtures: 1. They do not count yet and stay open.",)
    make_rounds(campaign_id=campaign.pk, user=alice, terms=terms)
    assert shown(campaign)[1] == ["c v e", "b v a", "d"], (
        "nobody again, and the bye to somebody else"
    )
    rows = {row.name: row for row in standings(campaign).rows}
    assert [(rows[name].points, rows[name].byes, rows[name].played) for name in "ced"] == [
        (3, 0, 1),
        (1, 1, 0),
        (1, 1, 0),
    ]
    assert "A bye is worth 1" in standings(campaign).rule and rows["e"].beside_battles == "1 bye"
    edit_campaign(
        campaign_id=campaign.pk,
        version=Campaign.objects.get().version,
        user=alice,
        scoring={"bye": 0},
    )
    assert {row.name: row.points for row in standings(Campaign.objects.get()).rows}["e"] == 0
    assert [row.state for row in campaign_fixtures(campaign, DAY)[0].fixtures] == [
        "confirmed",
        "open",
        "bye",
    ]


def test_who_comes_late_plays_the_next_swiss_round(
    campaign: Campaign, alice: User, bob: User
) -> None:
    make_rounds(campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.SWISS))
    late = world.warband_of(bob, "f", "landsknechts", world.LANDSKNECHTS[:2])
    enrol_warband(campaign_id=campaign.pk, warband_id=late.pk, user=bob)
    make_rounds(campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.SWISS))
    assert any("f" in pair for pair in shown(campaign)[1])


def test_a_latecomer_of_a_round_robin_plays_everybody_and_first_those_who_rest(
    campaign: Campaign, entered: Entered, alice: User, bob: User
) -> None:
    make_rounds(campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.ROUND_ROBIN))
    resting = [
        row.home.name
        for each in campaign_fixtures(campaign, DAY)
        for row in each.fixtures
        if row.away is None
    ]
    late = world.warband_of(bob, "f", "landsknechts", world.LANDSKNECHTS[:2])
    newcomer = enrol_warband(campaign_id=campaign.pk, warband_id=late.pk, user=bob)
    with pytest.raises(Forbidden):
        add_latecomer(enrolment_id=newcomer.pk, user=bob)
    add_latecomer(enrolment_id=newcomer.pk, user=alice)
    assert [pairs[0] for pairs in shown(campaign)] == [f"{name} v f" for name in resting]
    assert all(len(pairs) == 3 for pairs in shown(campaign))
    with refused("has-fixtures", StateConflict):
        add_latecomer(enrolment_id=newcomer.pk, user=alice)
    assert standings(campaign).rows[0].points == 0, "rests of a round robin are worth nothing"
    withdraw_warband(enrolment_id=newcomer.pk, user=bob)
    assert {row.byes for row in standings(campaign).rows} == {1}, (
        "and an opponent who leaves is a bye"
    )


def test_a_battle_fills_the_open_fixture_of_its_two_and_two_can_play_ahead(
    campaign: Campaign, entered: Entered, alice: User, bob: User
) -> None:
    make_rounds(
        campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.ROUND_ROBIN, legs=2)
    )
    first = fixture_of(campaign, "a", "b")
    battle = world.planned_battle(bob, campaign, entered["b"].warband, entered["a"].warband)
    assert battle.fixture_id == first.pk and row_of(first).state == "planned"
    ahead = world.planned_battle(bob, campaign, entered["b"].warband, entered["a"].warband)
    assert ahead.fixture_id not in (None, first.pk), "the second leg"
    beyond = world.planned_battle(bob, campaign, entered["b"].warband, entered["a"].warband)
    assert beyond.fixture_id is None
    with refused("fixture-taken", StateConflict):
        world.planned_battle(
            bob, campaign, entered["b"].warband, entered["a"].warband, fixture=first.pk
        )
    with refused("other-sides"):
        world.planned_battle(
            bob,
            campaign,
            entered["b"].warband,
            entered["c"].warband,
            fixture=fixture_of(campaign, "a", "c").pk,
        )
    with refused("fixture-begun", StateConflict):
        swap_entrants(
            fixture_id=first.pk, user=alice, leaving=entered["a"].pk, coming=entered["c"].pk
        )
    with refused("round-begun", StateConflict):
        delete_round(round_id=first.round_id, user=alice)
    with refused("fixture-taken", StateConflict):
        link_battle(fixture_id=first.pk, battle_id=beyond.pk, user=bob)
    void_battle(battle_id=battle.pk, user=alice)
    assert row_of(first).state == "open"
    one_off = world.planned_battle(bob, None, entered["b"].warband, entered["c"].warband)
    counted = count_in_campaign(battle_id=one_off.pk, campaign_id=campaign.pk, user=bob)
    assert counted.fixture_id == fixture_of(campaign, "b", "c").pk, (
        "one that counts later is linked as well"
    )
    with refused("other-sides"):
        link_battle(fixture_id=fixture_of(campaign, "c", "d").pk, battle_id=beyond.pk, user=bob)
    link_battle(fixture_id=first.pk, battle_id=beyond.pk, user=bob)
    assert row_of(first).battle == beyond.pk
    assert any(each.fixture.id == first.pk for each in open_fixtures(bob, DAY)), (
        "till it is confirmed"
    )


def test_knockout_winners_advance_until_battle_is_void(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    order = tuple(entered[name].pk for name in "abcde")
    terms = RoundTerms(
        method=Method.KNOCKOUT,
        seeding=Seeding.GIVEN,
        entrants=order,
        third_place=True,
        name="The Cup",
        deadline=DAY,
    )
    rounds = make_rounds(campaign_id=campaign.pk, user=alice, terms=terms)
    assert [each.name for each in rounds] == [
        "The Cup: Quarter-finals", "The Cup: Semi-finals", "The Cup: Final and third place",
    ]  # fmt: skip
    assert shown(campaign)[:2] == [["a", "d v e", "b", "c"], ["a v Winner of d v. e", "b v c"]]
    won = fight(alice, entered["e"], entered["d"])
    assert shown(campaign)[1] == ["a v e", "b v c"]
    assert shown(campaign)[2] == [
        "Winner of a v. e v Winner of b v. c",
        "Loser of a v. e v Loser of b v. c",
    ]
    semi = fixture_of(campaign, "b", "c")
    drawn = world.confirmed_battle(
        alice, alice, campaign, entered["b"].warband, entered["c"].warband
    )
    drawn.sides.update(outcome="drew")
    assert row_of(semi).undecided and shown(campaign)[2][0] == "Winner of a v. e v Winner of b v. c"
    points = {row.name: row.points for row in standings(campaign).rows}
    give_walkover(fixture_id=semi.pk, user=alice, walkover="away", reason="By lot.")
    assert shown(campaign)[2] == ["Winner of a v. e v c", "Loser of a v. e v b"]
    assert {row.name: row.points for row in standings(campaign).rows} == points, (
        "it only says who goes on"
    )
    with refused("rounds-follow", StateConflict):
        delete_fixture(fixture_id=fixture_of(campaign, "a", "e").pk, user=alice)
    void_battle(battle_id=won.pk, user=alice, reason="The wrong lists.")
    assert shown(campaign)[1][0] == "a v Winner of d v. e"


def test_a_walkover_needs_a_reason_counts_in_the_table_and_can_be_taken_back(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    make_rounds(campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.ROUND_ROBIN))
    fixture = fixture_of(campaign, "a", "b")
    home = row_of(fixture).home.name
    with refused("reason-needed"):
        give_walkover(fixture_id=fixture.pk, user=alice, walkover="home")
    with refused("unknown-walkover"):
        give_walkover(fixture_id=fixture.pk, user=alice, walkover="both", reason="Because.")
    give_walkover(fixture_id=fixture.pk, user=alice, walkover="home", reason="Ill.", version=1)
    with refused("stale-version", StateConflict):
        give_walkover(fixture_id=fixture.pk, user=alice, walkover="away", reason="Ill.", version=1)
    winner = next(row for row in standings(campaign).rows if row.name == home)
    assert (winner.points, winner.walkovers, winner.won, winner.played) == (3, 1, 0, 1)
    assert [side.outcome for side in row_of(fixture).sides] == ["won", "lost"]
    give_walkover(fixture_id=fixture.pk, user=alice, walkover="nobody", reason="Neither came.")
    assert sum(row.forfeits for row in standings(campaign).rows) == 2
    give_walkover(fixture_id=fixture.pk, user=alice, walkover="")
    assert row_of(fixture).state == "open" and not standings(campaign).unplayed
    fight(alice, entered["a"], entered["b"])
    with refused("fixture-played", StateConflict):
        give_walkover(fixture_id=fixture.pk, user=alice, walkover="home", reason="Too late.")


def test_pairings_are_swapped_added_moved_deleted(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    swiss = make_rounds(
        campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.SWISS, deadline=DAY)
    )[0]
    first, _, bye = swiss.fixtures.order_by("place")
    swap_entrants(fixture_id=first.pk, user=alice, leaving=entered["c"].pk, coming=entered["e"].pk)
    assert shown(campaign) == [["a v e", "b v d", "c"]], "the bye changes hands"
    with refused("not-in-this-fixture"):
        swap_entrants(
            fixture_id=first.pk, user=alice, leaving=entered["c"].pk, coming=entered["b"].pk
        )
    with refused("same-warband"):
        swap_entrants(
            fixture_id=first.pk, user=alice, leaving=entered["a"].pk, coming=entered["e"].pk
        )
    edit_fixture(fixture_id=first.pk, user=alice, deadline=DAY + timedelta(days=3))
    assert row_of(first).deadline == DAY + timedelta(days=3)
    edit_fixture(fixture_id=first.pk, user=alice, deadline=None)
    edit_round(round_id=swiss.pk, user=alice, deadline=DAY + timedelta(days=1), name="Opening")
    assert row_of(first).deadline == DAY + timedelta(days=1)
    one_more, other = entered["a"].pk, entered["b"].pk
    extra = add_fixture(
        round_id=swiss.pk,
        user=alice,
        home_id=one_more,
        away_id=other,
        agreed="They are here anyway.",
    )
    with refused("same-warband"):
        add_fixture(round_id=swiss.pk, user=alice, home_id=entered["a"].pk, away_id=entered["a"].pk)
    assert shown(campaign)[0][3:] == ["a v b"]
    delete_fixture(fixture_id=extra.pk, user=alice)
    delete_round(round_id=swiss.pk, user=alice)
    assert shown(campaign) == [] and bye.pk


def test_a_group_stage_has_its_tables_and_its_first_go_on(
    club: Club, alice: User, bob: User
) -> None:
    entered = entered_by(
        club, {name: (alice if name in "aceg" else bob) for name in "abcdef"}, alice
    )
    campaign = entered["a"].campaign
    order = tuple(entered[name].pk for name in "abcdef")
    terms = RoundTerms(method=Method.GROUPS, groups=2, entrants=order, seeding=Seeding.GIVEN)
    make_rounds(campaign_id=campaign.pk, user=alice, terms=terms)
    for winner, loser in (("d", "a"), ("c", "b")):
        fixture = fixture_of(campaign, winner, loser)
        side = "home" if row_of(fixture).home.name == winner else "away"
        give_walkover(fixture_id=fixture.pk, user=alice, walkover=side, reason="Ill.")
    ko = RoundTerms(method=Method.KNOCKOUT, advance=2)
    draft = draft_rounds(campaign_id=campaign.pk, user=alice, terms=ko)
    assert draft.warnings == ("Unplayed group fixtures: 4. The current group standings are used.",)
    make_rounds(campaign_id=campaign.pk, user=alice, terms=ko)
    semis = next(each for each in campaign_fixtures(campaign, DAY) if each.name == "Semi-finals")
    assert names(semis.fixtures) == ["d v b", "c v a"], "winners against seconds of the other group"


def test_ladder_challenger_takes_the_place(
    campaign: Campaign, entered: Entered, alice: User, bob: User, dora: User
) -> None:
    order = tuple(entered[name].pk for name in "abcde")
    terms = RoundTerms(method=Method.LADDER, seeding=Seeding.GIVEN, entrants=order, reach=2)
    ladder = make_rounds(campaign_id=campaign.pk, user=alice, terms=terms)[0]

    def dare(user: User, challenger: str, other: str) -> Fixture:
        return challenge(
            round_id=ladder.pk,
            user=user,
            challenger_id=entered[challenger].pk,
            opponent_id=entered[other].pk,
            deadline=DAY,
        )

    with refused("out-of-reach"):
        dare(bob, "d", "a")
    with refused("out-of-reach"):
        dare(bob, "b", "c")
    for user in (bob, dora):
        with pytest.raises(Forbidden):
            dare(user, "c", "a")
    dare(bob, "d", "b")
    with refused("challenge-open", StateConflict):
        dare(alice, "c", "b")
    fight(alice, entered["d"], entered["b"])
    shown_ladder = campaign_fixtures(campaign, DAY)[0].ladder
    assert [each.name for each in shown_ladder] == ["a", "d", "b", "c", "e"]
    dare(bob, "d", "a")
    withdraw_warband(enrolment_id=entered["a"].pk, user=alice)
    assert [each.name for each in campaign_fixtures(campaign, DAY)[0].ladder] == [
        "d",
        "b",
        "c",
        "e",
    ]
    assert [row.state for row in campaign_fixtures(campaign, DAY)[0].fixtures] == [
        "confirmed",
        "void",
    ]


def test_a_ladder_follows_the_order_of_play(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    order = tuple(entered[name].pk for name in "abcde")
    terms = RoundTerms(method=Method.LADDER, seeding=Seeding.GIVEN, entrants=order, reach=2)
    ladder = make_rounds(campaign_id=campaign.pk, user=alice, terms=terms)[0]
    for challenger, day in (("c", DAY), ("b", DAY - timedelta(days=7))):
        ids = {"challenger_id": entered[challenger].pk, "opponent_id": entered["a"].pk}
        challenge(round_id=ladder.pk, user=alice, deadline=DAY, **ids)
        battle = fight(alice, entered[challenger], entered["a"])
        Battle.objects.filter(pk=battle.pk).update(fought_on=day)
    assert [each.name for each in campaign_fixtures(campaign, DAY)[0].ladder] == [
        "b",
        "c",
        "a",
        "d",
        "e",
    ]


def test_a_postponed_fixture_says_why_to_everybody_and_to_who_plays_it(
    campaign: Campaign, entered: Entered, alice: User, bob: User
) -> None:
    make_rounds(
        campaign_id=campaign.pk,
        user=alice,
        terms=RoundTerms(method=Method.ROUND_ROBIN, deadline=DAY),
    )
    fixture = fixture_of(campaign, "a", "b")
    later = DAY + timedelta(days=30)
    edit_fixture(
        fixture_id=fixture.pk, user=alice, deadline=later, postponed="  The hall is  closed. "
    )
    row = row_of(fixture)
    assert (row.deadline, row.postponed) == (later, "The hall is closed.")
    mine = next(each for each in open_fixtures(bob, DAY) if each.fixture.id == fixture.pk)
    assert mine.fixture.postponed == "The hall is closed."
    cards = {card.subject: card for card in cards_for(bob, DAY) if card.kind == "play"}
    assert cards[fixture.pk].sentence.endswith("against a. Postponed: The hall is closed.")
    assert cards[fixture.pk].deadline == later
    entry = next(each for each in own_calendar(bob, DAY, later) if each.id == fixture.pk)
    assert (entry.day, entry.note) == (later, "Postponed: The hall is closed.")
    shown_to_all = [
        each for each in campaign_calendar(campaign, DAY, later) if each.kind == "fixture"
    ]
    names = {each.name for each in row.sides}
    assert len(shown_to_all) == 1 and all(name in shown_to_all[0].title.split() for name in names)
    assert (shown_to_all[0].day, shown_to_all[0].note) == (entry.day, entry.note)
    edit_fixture(fixture_id=fixture.pk, user=alice, deadline=later + timedelta(days=1))
    assert row_of(fixture).postponed == "The hall is closed.", "as it was"
    edit_fixture(fixture_id=fixture.pk, user=alice, deadline=None)
    assert row_of(fixture).postponed == ""


@pytest.mark.parametrize("year", [26, 2062, 9999])
def test_a_deadline_of_another_age_is_refused(
    campaign: Campaign, entered: Entered, alice: User, year: int
) -> None:
    away = DAY.replace(year=year)
    first_round = make_rounds(
        campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.SWISS)
    )[0]
    fixture = first_round.fixtures.order_by("place")[0]
    by_hand = make_rounds(
        campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.BY_HAND)
    )[0]
    home, away_side = entered["a"].pk, entered["b"].pk
    for change in (
        lambda: edit_fixture(fixture_id=fixture.pk, user=alice, deadline=away),
        lambda: edit_round(round_id=first_round.pk, user=alice, deadline=away),
        lambda: add_fixture(
            round_id=by_hand.pk, user=alice, home_id=home, away_id=away_side, deadline=away
        ),
        lambda: make_rounds(
            campaign_id=campaign.pk,
            user=alice,
            terms=RoundTerms(method=Method.SWISS, deadline=away),
        ),
    ):
        with refused("out-of-range"):
            change()
