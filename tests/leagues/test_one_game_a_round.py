"""Everyone has one game or one bye in a round, by agreement more games, and never a bye with a
game."""

from collections.abc import Mapping

import pytest
from django.contrib.auth.models import User

from battles.selectors.fixture_results import FixtureState, fixture_results
from battles.selectors.standings import standings
from campaigns.models import Campaign, Enrolment, Fixture, Method, Round
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from core.errors import InvalidInput, MusterError, StateConflict
from leagues.services.fixtures import add_fixture, add_latecomer, challenge, swap_entrants
from leagues.services.rounds import RoundTerms, Seeding, make_rounds
from tests.pages import world

pytestmark = pytest.mark.one_database

Entered = Mapping[str, Enrolment]
AGREED = "Both are away next week."


@pytest.fixture
def entered(alice: User) -> Entered:
    """Return five warbands of Alice's in a campaign."""
    warbands = [
        world.warband_of(alice, name, "landsknechts", world.LANDSKNECHTS[:2]) for name in "abcde"
    ]
    campaign = world.campaign_of(world.club_of(alice), alice, *warbands)
    return {
        row.warband.name: row for row in campaign.enrolments.select_related("warband", "campaign")
    }


@pytest.fixture
def campaign(entered: Entered) -> Campaign:
    return entered["a"].campaign


@pytest.fixture
def swiss(campaign: Campaign, entered: Entered, alice: User) -> Round:
    """Return a Swiss round: a v c, b v d, and a bye for e."""
    return make(campaign, alice, Method.SWISS)[0]


def make(campaign: Campaign, user: User, method: Method, **terms: object) -> list[Round]:
    order = tuple(
        campaign.enrolments.current().order_by("warband__name").values_list("pk", flat=True)
    )
    given = {"seeding": Seeding.GIVEN, "entrants": order, **terms}
    return make_rounds(campaign_id=campaign.pk, user=user, terms=RoundTerms(method=method, **given))  # type: ignore[arg-type]


def refused(code: str, field: str, error: type[MusterError] = InvalidInput):
    return pytest.raises(error, check=lambda raised: (raised.code, raised.field) == (code, field))


def between(campaign: Campaign, *names: str) -> Fixture:
    results = fixture_results(Fixture.objects.filter(round__campaign=campaign))
    result = next(
        each for each in results if {entrant.name for entrant in each.entrants} == {*names}
    )
    return Fixture.objects.get(pk=result.id)


def expect_one_game_a_round(campaign: Campaign) -> None:
    """Check that nobody has both a bye and a game, and that second games are agreed."""
    results = fixture_results(Fixture.objects.filter(round__campaign=campaign))
    engaged: dict[tuple[object, object], list[tuple[bool, bool]]] = {}
    for each in sorted(results, key=lambda result: bool(result.agreed)):
        rests = each.state is FixtureState.BYE
        playing = (
            [each.winner] if rests else [] if each.state is FixtureState.VOID else each.entrants
        )
        for entrant in playing:
            assert entrant is not None
            engaged.setdefault((each.round, entrant.enrolment), []).append(
                (rests, bool(each.agreed))
            )
    for games in engaged.values():
        assert not any(rests for rests, _ in games) or len(games) == 1, (
            "no bye beside a game, nor two"
        )
        assert sum(not agreed for _, agreed in games) <= 1, "a second game is agreed"


def test_who_plays_in_a_round_gets_neither_a_bye_nor_a_second_game(
    campaign: Campaign, swiss: Round, entered: Entered, alice: User
) -> None:
    ids = {name: row.pk for name, row in entered.items()}
    with refused("plays-already", "home"):
        add_fixture(round_id=swiss.pk, user=alice, home_id=ids["a"])
    with refused("plays-already", "home"):
        add_fixture(round_id=swiss.pk, user=alice, home_id=ids["a"], agreed=AGREED)
    for home, away in (("a", "c"), ("a", "b")):
        with refused("plays-already", "home"):
            add_fixture(round_id=swiss.pk, user=alice, home_id=ids[home], away_id=ids[away])
    for home, away, field in (("e", "a", "home"), ("a", "e", "away")):
        with refused("has-bye", field):
            add_fixture(
                round_id=swiss.pk, user=alice, home_id=ids[home], away_id=ids[away], agreed=AGREED
            )
    with refused("has-bye", "home"):
        add_fixture(round_id=swiss.pk, user=alice, home_id=ids["e"])
    assert swiss.fixtures.count() == 3


def test_a_second_game_is_added_by_agreement(
    campaign: Campaign, swiss: Round, entered: Entered, alice: User
) -> None:
    ids = {name: row.pk for name, row in entered.items()}
    second = add_fixture(
        round_id=swiss.pk, user=alice, home_id=ids["a"], away_id=ids["b"], agreed=f" {AGREED} "
    )
    assert second.agreed == AGREED
    expect_one_game_a_round(campaign)
    empty = make(campaign, alice, Method.BY_HAND)[0]
    first = add_fixture(
        round_id=empty.pk, user=alice, home_id=ids["a"], away_id=ids["b"], agreed=AGREED
    )
    assert first.agreed == "", "there is nothing to agree to"


def test_the_reason_is_kept_in_a_round_that_waits_for_winners(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    ids = {name: row.pk for name, row in entered.items()}
    *_, final = make(campaign, alice, Method.KNOCKOUT)
    game = add_fixture(
        round_id=final.pk, user=alice, home_id=ids["a"], away_id=ids["b"], agreed=AGREED
    )
    assert game.agreed == AGREED, "both may come into the final"


def test_agreed_game_replaces_bye(
    campaign: Campaign, swiss: Round, entered: Entered, alice: User
) -> None:
    add_fixture(
        round_id=swiss.pk,
        user=alice,
        home_id=entered["a"].pk,
        away_id=entered["b"].pk,
        agreed=AGREED,
    )
    withdraw_warband(enrolment_id=entered["c"].pk, user=alice)
    expect_one_game_a_round(campaign)
    assert {row.name: row.points for row in standings(campaign).rows}["a"] == 0
    withdraw_warband(enrolment_id=entered["b"].pk, user=alice)
    expect_one_game_a_round(campaign)
    assert {row.name: row.points for row in standings(campaign).rows}["a"] == 1, "one bye, not two"


def test_who_is_back_can_play_in_a_round_given_up_and_the_opponent_keeps_the_bye(
    campaign: Campaign, swiss: Round, entered: Entered, alice: User
) -> None:
    withdraw_warband(enrolment_id=entered["c"].pk, user=alice)
    enrol_warband(campaign_id=campaign.pk, warband_id=entered["c"].warband_id, user=alice)
    with refused("has-bye", "away"):
        add_fixture(round_id=swiss.pk, user=alice, home_id=entered["c"].pk, away_id=entered["a"].pk)
    withdraw_warband(enrolment_id=entered["d"].pk, user=alice)
    with refused("unknown-enrolment", "away"):
        add_fixture(round_id=swiss.pk, user=alice, home_id=entered["c"].pk, away_id=entered["d"].pk)
    add_fixture(round_id=swiss.pk, user=alice, home_id=entered["c"].pk)
    expect_one_game_a_round(campaign)


def test_a_ladder_has_no_byes_and_one_challenge_at_a_time(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    ladder = make(campaign, alice, Method.LADDER)[0]
    with refused("no-byes-here", "away"):
        add_fixture(round_id=ladder.pk, user=alice, home_id=entered["a"].pk)
    challenge(
        round_id=ladder.pk, user=alice, challenger_id=entered["b"].pk, opponent_id=entered["a"].pk
    )
    with pytest.raises(StateConflict, check=lambda raised: raised.code == "challenge-open"):
        add_fixture(
            round_id=ladder.pk, user=alice, home_id=entered["a"].pk, away_id=entered["c"].pk
        )
    add_fixture(round_id=ladder.pk, user=alice, home_id=entered["d"].pk, away_id=entered["c"].pk)


def test_swap_never_pairs_warband_with_itself(
    campaign: Campaign, swiss: Round, entered: Entered, alice: User
) -> None:
    ids = {name: row.pk for name, row in entered.items()}
    second = add_fixture(
        round_id=swiss.pk, user=alice, home_id=ids["b"], away_id=ids["c"], agreed=AGREED
    )
    first = between(campaign, "a", "c")
    for fixture, leaving, coming in ((second, "c", "a"), (first, "a", "b"), (second, "b", "d")):
        with refused("same-warband", "coming"):
            swap_entrants(
                fixture_id=fixture.pk, user=alice, leaving=ids[leaving], coming=ids[coming]
            )
    with refused("plays-already", "leaving"):
        swap_entrants(fixture_id=first.pk, user=alice, leaving=ids["c"], coming=ids["e"])
    with refused("plays-already", "coming"):
        swap_entrants(
            fixture_id=between(campaign, "e").pk, user=alice, leaving=ids["e"], coming=ids["c"]
        )
    expect_one_game_a_round(campaign)


def test_who_has_left_gets_no_bye_by_a_swap(
    campaign: Campaign, swiss: Round, entered: Entered, alice: User
) -> None:
    withdraw_warband(enrolment_id=entered["c"].pk, user=alice)
    alone = between(campaign, "a", "c")
    with refused("unknown-enrolment", "coming"):
        swap_entrants(
            fixture_id=between(campaign, "b", "d").pk,
            user=alice,
            leaving=entered["b"].pk,
            coming=entered["c"].pk,
        )
    swap_entrants(fixture_id=alone.pk, user=alice, leaving=entered["c"].pk, coming=entered["e"].pk)
    assert swiss.fixtures.count() == 2 and not swiss.fixtures.filter(bye=True).exists()
    assert {row.points for row in standings(campaign).rows} == {0}


def test_a_latecomer_takes_the_place_of_who_has_left_and_second_games_are_agreed(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    make(campaign, alice, Method.ROUND_ROBIN)
    withdraw_warband(enrolment_id=entered["c"].pk, user=alice)
    for name in "fgh":
        late = world.warband_of(alice, name, "landsknechts", world.LANDSKNECHTS[:2])
        newcomer = enrol_warband(campaign_id=campaign.pk, warband_id=late.pk, user=alice)
        made = add_latecomer(enrolment_id=newcomer.pk, user=alice)
        assert len(made) == campaign.enrolments.current().count() - 1
        assert name != "f" or any(not each.agreed for each in made), (
            "the first one finds byes to play in"
        )
        expect_one_game_a_round(campaign)
