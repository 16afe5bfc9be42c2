"""A club night: pairings, late comers, no-shows, tables, publishing, rights."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from battles.models import Battle
from campaigns.models import Campaign, Fixture, Method, TableGame
from campaigns.services.campaigns import plan_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from campaigns.services.merging import merge_members, undo_merge
from clubs.models import Attendance, Club, Evening, ForbiddenPair, Membership, Role
from clubs.services.check_in import add_walk_in, allow_pair, check_in, edit_wishes, forbid_pair
from clubs.services.clubs import found_club
from clubs.services.evenings import answer_evening, make_evenings
from core.errors import Forbidden, InvalidInput, NotFound, StaleVersion, StateConflict
from leagues.selectors.club_night import (
    NightPairings,
    night_pairings,
    results_of,
    warbands_of,
)
from leagues.services.club_night import (
    draw_pairings,
    mark_no_show,
    move_game,
    pair_late_comers,
    publish_pairings,
    remove_walk_in,
    start_game,
    swap_players,
)
from leagues.services.rounds import RoundTerms, make_rounds
from tests.campaigns.conftest import Muster, battle_of
from tests.campaigns.conftest import muster as muster
from tests.conftest import api_of
from warbands.signed import create_signed

NAMES = "bea carl dan eva finn"


@pytest.fixture
def users(make_user: Callable[[str], User]) -> dict[str, User]:
    return {name: make_user(name) for name in NAMES.split()}


@pytest.fixture
def club(alice: User, users: dict[str, User], dora: User) -> Club:
    """Return Alice's club with five players, and Dora who reads."""
    club = found_club(user=alice, name="The Old Guard", member_name="alice")
    for name, user in users.items():
        create_signed(Membership, club=club, user=user, name=name, role=Role.PLAYER)
    create_signed(Membership, club=club, user=dora, name="dora", role=Role.SPECTATOR)
    return club


@pytest.fixture
def evening(club: Club, alice: User, users: dict[str, User]) -> Evening:
    """Return tonight's club night, to which Alice and three others go."""
    start = timezone.now() + timedelta(hours=1)
    evening = make_evenings(
        club_id=club.pk, user=alice, starts_at=start, ends_at=start + timedelta(hours=4)
    )[0]
    for user in (alice, users["bea"], users["carl"], users["dan"]):
        answer_evening(evening_id=evening.pk, user=user, answer="coming")
    return evening


@pytest.fixture
def league(club: Club, alice: User, users: dict[str, User], muster: Muster) -> Campaign:
    """Return a running league of Alice, Bea, Carl and Dan with a first round."""
    campaign = plan_campaign(club_id=club.pk, user=alice, name="League", ruleset="toy", points=50)
    for user in (alice, users["bea"], users["carl"], users["dan"]):
        warband = muster(user, f"{user.username}'s Reds")
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=user)
    return start_campaign(campaign_id=campaign.pk, user=alice)


def read(evening: Evening, user: User) -> NightPairings:
    row = Evening.objects.select_related("club").get(pk=evening.pk)
    return night_pairings(row, user)


def pairs(night: NightPairings) -> set[frozenset[str]]:
    return {frozenset(side.name for side in game.sides) for game in night.games}


def member(club: Club, name: str) -> UUID:
    return Membership.objects.get(club=club, name=name).pk


def test_draw_takes_due_fixtures_first(evening: Evening, league: Campaign, alice: User) -> None:
    make_rounds(campaign_id=league.pk, user=alice, terms=RoundTerms(method=Method.ROUND_ROBIN))
    draw_pairings(evening_id=evening.pk, user=alice, tables=4, large_tables=1)
    night = read(evening, alice)
    first_round = Fixture.objects.filter(round__number=1)
    assert {game.fixture for game in night.games} == set(first_round.values_list("pk", flat=True))
    assert sorted(game.table or 0 for game in night.games) == [1, 2]
    assert night.games[0].campaign_name == "League"
    assert {side.warband for game in night.games for side in game.sides} == {
        f"{name}'s Reds" for name in ("alice", "bea", "carl", "dan")
    }


def test_draw_avoids_rematches_and_forbidden_pairs(
    evening: Evening, league: Campaign, club: Club, alice: User
) -> None:
    warbands = {each.player.name: each.warband for each in league.enrolments.all()}
    battle_of(league, [warbands["alice"], warbands["bea"]], alice)
    pair = forbid_pair(
        club_id=club.pk,
        user=alice,
        first_id=member(club, "alice"),
        second_id=member(club, "carl"),
    )
    for seed in range(1, 6):
        draw_pairings(evening_id=evening.pk, user=alice, seed=seed)
        assert pairs(read(evening, alice)) == {
            frozenset(("alice", "dan")),
            frozenset(("bea", "carl")),
        }
    allow_pair(club_id=club.pk, user=alice, pair_id=pair.pk)
    assert read(evening, alice).forbidden_pairs == ()


def test_same_seed_draws_same_pairings(evening: Evening, alice: User) -> None:
    drafts = []
    for seed in (7, 8, 7):
        draw_pairings(evening_id=evening.pk, user=alice, seed=seed)
        drafts.append([(game.table, game.first.name) for game in read(evening, alice).games])
    assert drafts[0] == drafts[2]


def test_late_comer_leaves_begun_games(
    evening: Evening, club: Club, alice: User, users: dict[str, User]
) -> None:
    draw_pairings(evening_id=evening.pk, user=alice)
    publish_pairings(evening_id=evening.pk, user=alice)
    before = pairs(read(evening, alice))
    game = read(evening, alice).games[0]
    start_game(evening_id=evening.pk, user=alice, game_id=game.id)
    check_in(evening_id=evening.pk, user=users["eva"])
    assert [person.name for person in read(evening, alice).waiting] == ["eva"]
    pair_late_comers(evening_id=evening.pk, user=alice)
    night = read(evening, alice)
    assert pairs(night) == before | {frozenset(("eva",))}
    check_in(evening_id=evening.pk, user=users["finn"])
    pair_late_comers(evening_id=evening.pk, user=alice)
    night = read(evening, alice)
    assert pairs(night) == before | {frozenset(("eva", "finn"))}
    assert {game.table for game in night.games} == {1, 2, 3}
    with pytest.raises(StateConflict, match="Nobody is waiting"):
        pair_late_comers(evening_id=evening.pk, user=alice)
    # A new draw leaves the game that has begun, too.
    draw_pairings(evening_id=evening.pk, user=alice, seed=99)
    assert game.id in {each.id for each in read(evening, alice).games}
    with pytest.raises(StateConflict, match="has begun"):
        swap_players(
            evening_id=evening.pk,
            user=alice,
            first_id=game.first.member,
            second_id=member(club, "eva"),
        )
    with pytest.raises(StateConflict, match="has begun"):
        move_game(evening_id=evening.pk, user=alice, game_id=game.id, table=3)


def test_no_show_leaves_opponent_without_game(evening: Evening, club: Club, alice: User) -> None:
    draw_pairings(evening_id=evening.pk, user=alice)
    game = next(
        each for each in read(evening, alice).games if "bea" in {side.name for side in each.sides}
    )
    other = next(side.name for side in game.sides if side.name != "bea")
    mark_no_show(evening_id=evening.pk, user=alice, member_id=member(club, "bea"))
    night = read(evening, alice)
    assert [each.first.name for each in night.sitting_out] == [other]
    assert [person.name for person in night.absent] == ["bea"]
    assert "bea" not in {person.name for person in night.people}
    check_in(evening_id=evening.pk, user=alice, member_id=member(club, "bea"))
    pair_late_comers(evening_id=evening.pk, user=alice)
    assert frozenset(("bea", other)) in pairs(read(evening, alice))
    assert not Attendance.objects.filter(no_show=True).exists()


def test_swap_and_table_move_change_places(evening: Evening, club: Club, alice: User) -> None:
    draw_pairings(evening_id=evening.pk, user=alice, tables=3)
    night = read(evening, alice)
    first, second = night.games
    version = night.version
    swap_players(
        evening_id=evening.pk,
        user=alice,
        first_id=first.first.member,
        second_id=second.first.member,
        version=version,
    )
    assert first.second is not None
    assert frozenset((second.first.name, first.second.name)) in pairs(read(evening, alice))
    move_game(evening_id=evening.pk, user=alice, game_id=first.id, table=2)
    tables = {game.id: game.table for game in read(evening, alice).games}
    assert tables == {first.id: 2, second.id: 1}
    with pytest.raises(StaleVersion):
        move_game(evening_id=evening.pk, user=alice, game_id=first.id, table=3, version=version)
    ours = read(evening, alice).games[0].sides
    with pytest.raises(InvalidInput, match="already play"):
        swap_players(
            evening_id=evening.pk,
            user=alice,
            first_id=ours[0].member,
            second_id=ours[1].member,
        )
    with pytest.raises(InvalidInput, match="not in the pairings"):
        swap_players(
            evening_id=evening.pk,
            user=alice,
            first_id=first.first.member,
            second_id=member(club, "finn"),
        )


def test_members_see_published_pairings_only(
    evening: Evening, alice: User, users: dict[str, User]
) -> None:
    with pytest.raises(StateConflict, match="Draw the pairings first"):
        publish_pairings(evening_id=evening.pk, user=alice)
    draw_pairings(evening_id=evening.pk, user=alice)
    assert read(evening, users["bea"]).games == ()
    assert not TableGame.objects.visible_to(users["bea"]).exists()
    publish_pairings(evening_id=evening.pk, user=alice)
    night = read(evening, users["bea"])
    assert len(night.games) == 2
    assert night.own is not None
    assert {game.note for game in night.games} == {""}


def test_walk_in_is_guest_and_checked_in(evening: Evening, alice: User, bob: User) -> None:
    answer = add_walk_in(evening_id=evening.pk, user=alice, name="Konrad")
    assert (answer.member.name, answer.member.user, answer.answer) == ("Konrad", None, "coming")
    draw_pairings(evening_id=evening.pk, user=alice)
    assert len(read(evening, alice).sitting_out) == 1
    with pytest.raises(NotFound):
        add_walk_in(evening_id=evening.pk, user=bob, name="Other")


def test_check_in_needs_open_doors(evening: Evening, users: dict[str, User]) -> None:
    later = timezone.now() + timedelta(hours=7)
    Evening.objects.update(starts_at=later, ends_at=later + timedelta(hours=1))
    with pytest.raises(StateConflict, match="6 hours"):
        check_in(evening_id=evening.pk, user=users["eva"])
    Evening.objects.update(
        starts_at=timezone.now() - timedelta(hours=9), ends_at=timezone.now() - timedelta(hours=1)
    )
    with pytest.raises(StateConflict, match="over"):
        check_in(evening_id=evening.pk, user=users["eva"])


def test_players_cannot_change_pairings(
    evening: Evening, club: Club, alice: User, users: dict[str, User]
) -> None:
    draw_pairings(evening_id=evening.pk, user=alice)
    publish_pairings(evening_id=evening.pk, user=alice)
    bea = users["bea"]
    ids: dict[str, Any] = {"evening_id": evening.pk, "user": bea}
    games = read(evening, bea).games
    attempts: list[Callable[[], Any]] = [
        lambda: draw_pairings(**ids),
        lambda: pair_late_comers(**ids),
        lambda: publish_pairings(**ids),
        lambda: mark_no_show(**ids, member_id=member(club, "carl")),
        lambda: check_in(**ids, member_id=member(club, "carl")),
        lambda: move_game(**ids, game_id=games[0].id, table=2),
        lambda: start_game(**ids, game_id=next(each.id for each in games if not each.mine)),
    ]
    for attempt in attempts:
        with pytest.raises(Forbidden):
            attempt()
    own = next(each.id for each in games if each.mine)
    start_game(**ids, game_id=own)
    assert TableGame.objects.get(pk=own).started_at is not None


def test_wishes_keep_answer_and_show(evening: Evening, alice: User, users: dict[str, User]) -> None:
    answer_evening(evening_id=evening.pk, user=users["eva"], answer="perhaps")
    answer = edit_wishes(evening_id=evening.pk, user=users["eva"], seeks_opponent=True)
    assert (answer.answer, answer.seeks_opponent, answer.loan) == ("perhaps", True, "")
    edit_wishes(evening_id=evening.pk, user=users["bea"], loan="needed")
    assert [person.name for person in read(evening, alice).borrowers] == ["bea"]


def test_one_player_has_no_pairings(club: Club, alice: User) -> None:
    start = timezone.now() + timedelta(days=1)
    evening = make_evenings(
        club_id=club.pk, user=alice, starts_at=start, ends_at=start + timedelta(hours=4)
    )[0]
    with pytest.raises(StateConflict, match="at least 2 players"):
        draw_pairings(evening_id=evening.pk, user=alice)


def test_api_plays_organisers_evening(
    evening: Evening, club: Club, league: Campaign, as_alice: APIClient, users: dict[str, User]
) -> None:
    here = f"/api/v1/evenings/{evening.pk}/"
    drawn = as_alice.post(f"{here}pairings/draw/", {"tables": 3, "seed": 4}, format="json")
    assert drawn.status_code == 200, drawn.content
    assert (drawn.json()["tables"], drawn.json()["seed"], len(drawn.json()["games"])) == (3, 4, 2)
    bea = api_of(users["bea"])
    assert bea.get(f"{here}pairings/").json()["games"] == []
    assert as_alice.post(f"{here}pairings/publish/").status_code == 200
    games = bea.get(f"{here}pairings/").json()["games"]
    assert [game["mine"] for game in games].count(True) == 1
    assert bea.post(f"{here}check-in/", {}, format="json").status_code == 200
    assert bea.post(f"{here}pairings/draw/", {}, format="json").status_code == 403
    refused = as_alice.post(f"{here}pairings/draw/", {"tables": -1}, format="json")
    assert refused.status_code == 400
    moved = as_alice.post(
        f"{here}pairings/table/", {"game": games[0]["id"], "table": 3}, format="json"
    )
    assert 3 in {game["table"] for game in moved.json()["games"]}
    stale = {"game": games[0]["id"], "table": 1, "version": 1}
    assert as_alice.post(f"{here}pairings/table/", stale, format="json").status_code == 409
    both = {"first": str(member(club, "bea")), "second": str(member(club, "carl"))}
    pair = as_alice.post(f"/api/v1/clubs/{club.pk}/forbidden-pairs/", both, format="json")
    assert pair.status_code == 201, pair.content
    assert bea.get(f"/api/v1/clubs/{club.pk}/forbidden-pairs/").status_code == 403
    gone = as_alice.delete(f"/api/v1/clubs/{club.pk}/forbidden-pairs/{pair.json()['id']}/")
    assert gone.status_code == 204


def test_queries_do_not_depend_on_players(
    evening: Evening,
    club: Club,
    alice: User,
    django_assert_max_num_queries: Any,
) -> None:
    draw_pairings(evening_id=evening.pk, user=alice)
    row = Evening.objects.select_related("club").get(pk=evening.pk)
    with django_assert_max_num_queries(14) as few:
        night_pairings(row, alice)
    for number in range(12):
        add_walk_in(evening_id=evening.pk, user=alice, name=f"Guest {number}")
    draw_pairings(evening_id=evening.pk, user=alice)
    row = Evening.objects.select_related("club").get(pk=evening.pk)
    with django_assert_max_num_queries(len(few)):
        assert len(night_pairings(row, alice).games) == 8


def test_due_fixture_of_pair_that_never_meets_is_listed(
    evening: Evening, league: Campaign, club: Club, alice: User, users: dict[str, User]
) -> None:
    make_rounds(campaign_id=league.pk, user=alice, terms=RoundTerms(method=Method.ROUND_ROBIN))
    fixture = Fixture.objects.filter(round__number=1).select_related("home", "away")[0]
    assert fixture.home and fixture.away
    both = (fixture.home.player_id, fixture.away.player_id)
    pair = forbid_pair(club_id=club.pk, user=alice, first_id=both[0], second_id=both[1])
    draw_pairings(evening_id=evening.pk, user=alice)
    night = read(evening, alice)
    assert fixture.pk not in {game.fixture for game in night.games}
    assert [(each.fixture, {each.first, each.second}) for each in night.left_out] == [
        (fixture.pk, set(both))
    ]
    assert night.left_out[0].campaign_name == "League"
    assert night.left_out[0].first_name < night.left_out[0].second_name
    # Members learn nothing of it, and a pair that may meet again is not left out.
    publish_pairings(evening_id=evening.pk, user=alice)
    assert read(evening, users["bea"]).left_out == ()
    allow_pair(club_id=club.pk, user=alice, pair_id=pair.pk)
    assert read(evening, alice).left_out == ()


def test_new_walk_in_is_removed_and_opponent_sits_out(
    evening: Evening, club: Club, alice: User, users: dict[str, User]
) -> None:
    walk_in = add_walk_in(evening_id=evening.pk, user=alice, name="Konrad").member
    check_in(evening_id=evening.pk, user=users["eva"])
    draw_pairings(evening_id=evening.pk, user=alice)
    night = read(evening, alice)
    assert [person.name for person in night.people if person.new_guest] == ["Konrad"]
    game = next(each for each in night.games if walk_in.pk in {side.member for side in each.sides})
    other = next(side.name for side in game.sides if side.name != "Konrad")
    with pytest.raises(Forbidden):
        remove_walk_in(evening_id=evening.pk, user=users["bea"], member_id=walk_in.pk)
    start_game(evening_id=evening.pk, user=alice, game_id=game.id)
    with pytest.raises(StateConflict, match="has begun"):
        remove_walk_in(evening_id=evening.pk, user=alice, member_id=walk_in.pk)
    start_game(evening_id=evening.pk, user=alice, game_id=game.id, begun=False)
    version = read(evening, alice).version
    remove_walk_in(evening_id=evening.pk, user=alice, member_id=walk_in.pk)
    assert not Membership.objects.filter(pk=walk_in.pk).exists()
    night = read(evening, alice)
    assert [each.first.name for each in night.sitting_out] == [other]
    assert night.version > version


def test_known_guests_and_members_are_not_removed_as_walk_ins(
    evening: Evening, club: Club, alice: User, muster: Muster, league: Campaign
) -> None:
    walk_in = add_walk_in(evening_id=evening.pk, user=alice, name="Konrad").member
    warband = muster(None, "Konrad's Reds", keeper=alice)
    enrol_warband(campaign_id=league.pk, warband_id=warband.pk, user=alice, player_id=walk_in.pk)
    older = add_walk_in(evening_id=evening.pk, user=alice, name="Greta").member
    other = make_evenings(
        club_id=club.pk,
        user=alice,
        starts_at=evening.starts_at + timedelta(days=7),
        ends_at=evening.ends_at + timedelta(days=7),
    )[0]
    answer_evening(evening_id=other.pk, user=alice, answer="coming", member_id=older.pk)
    assert not any(person.new_guest for person in read(evening, alice).people)
    for key in (walk_in.pk, older.pk, member(club, "bea")):
        with pytest.raises(InvalidInput) as refused:
            remove_walk_in(evening_id=evening.pk, user=alice, member_id=key)
        assert refused.value.code == "not-a-new-guest"


def test_api_removes_walk_in(evening: Evening, alice: User, as_alice: APIClient) -> None:
    walk_in = add_walk_in(evening_id=evening.pk, user=alice, name="Konrad").member
    address = f"/api/v1/evenings/{evening.pk}/walk-ins/{walk_in.pk}/"
    assert as_alice.delete(address).status_code == 204
    assert as_alice.delete(address).status_code == 404
    assert not Membership.objects.filter(pk=walk_in.pk).exists()


def test_merged_walk_in_checks_the_member_in_and_leaves_one_game(
    evening: Evening, club: Club, alice: User, users: dict[str, User]
) -> None:
    walk_in = add_walk_in(evening_id=evening.pk, user=alice, name="Beatrix").member
    bea = member(club, "bea")
    draw_pairings(evening_id=evening.pk, user=alice)
    apart = forbid_pair(
        club_id=club.pk, user=alice, first_id=walk_in.pk, second_id=member(club, "finn")
    )
    before = {game.pk: (game.first_id, game.second_id) for game in TableGame.objects.all()}
    merge = merge_members(seat_id=walk_in.pk, into=bea, user=alice)
    answer = Attendance.objects.get(evening=evening, member=bea)
    assert answer.arrived_at is not None and answer.answer == "coming"
    night = read(evening, alice)
    # Nobody plays against themselves: if the two were paired, their game is gone.
    paired = any(set(sides) == {bea, walk_in.pk} for sides in before.values())
    names = [side.name for game in night.games for side in game.sides]
    assert names.count("bea") == (0 if paired else 1)
    assert {(pair.first_name, pair.second_name) for pair in night.forbidden_pairs} == {
        ("bea", "finn")
    }
    undo_merge(merge_id=merge.pk, user=alice)
    answer = Attendance.objects.get(evening=evening, member=bea)
    assert answer.arrived_at is None
    assert Attendance.objects.get(evening=evening, member=walk_in.pk).arrived_at is not None
    night = read(evening, alice)
    assert [(pair.first_name, pair.second_name) for pair in night.forbidden_pairs] == [
        ("Beatrix", "finn")
    ]
    assert not ForbiddenPair.objects.filter(pk=apart.pk).exists()
    assert before.keys() >= set(TableGame.objects.values_list("pk", flat=True))


def test_result_in_campaign_counts_for_game_without_fixture(
    evening: Evening, league: Campaign, club: Club, alice: User
) -> None:
    """Also if the battle was linked to a fixture of a later round."""
    draw_pairings(evening_id=evening.pk, user=alice)
    game = next(each for each in read(evening, alice).games if each.mine)
    assert game.can_be_reported and game.second and game.against
    assert game.plan_query == f"campaign={league.pk}&against={game.against}"
    make_rounds(campaign_id=league.pk, user=alice, terms=RoundTerms(method=Method.ROUND_ROBIN))
    Evening.objects.update(starts_at=timezone.now() - timedelta(hours=1))
    row = TableGame.objects.select_related("evening__club").get(pk=game.id)
    assert results_of([row]) == {}
    battle = battle_of(league, [*warbands_of([row]).values()], alice)
    for day, counts in ((0, True), (-1, False), (7, False)):
        fought_on = row.evening.local_start.date() + timedelta(days=day)
        Battle.objects.filter(pk=battle.pk).update(fought_on=fought_on)
        assert (game.id in results_of([row])) == counts


def test_member_who_left_the_club_is_taken_out_of_the_game(
    evening: Evening, club: Club, league: Campaign, alice: User, users: dict[str, User]
) -> None:
    draw_pairings(evening_id=evening.pk, user=alice)
    bea = member(club, "bea")
    game = next(
        each for each in read(evening, alice).games if bea in {side.member for side in each.sides}
    )
    other = next(side.name for side in game.sides if side.member != bea)
    Membership.objects.filter(pk=bea).update(user=None, left_at=timezone.now())
    Attendance.objects.filter(member=bea).delete()
    sides = {side.member: side for each in read(evening, alice).games for side in each.sides}
    assert sides[bea].not_coming
    with pytest.raises(Forbidden):
        mark_no_show(evening_id=evening.pk, user=users["carl"], member_id=bea)
    mark_no_show(evening_id=evening.pk, user=alice, member_id=bea)
    night = read(evening, alice)
    assert [each.first.name for each in night.sitting_out] == [other]
    with pytest.raises(NotFound):
        mark_no_show(evening_id=evening.pk, user=alice, member_id=bea)


@pytest.mark.parametrize("late", [1, 2, 3])
def test_late_comers_leave_every_paired_game(
    evening: Evening, club: Club, alice: User, late: int
) -> None:
    draw_pairings(evening_id=evening.pk, user=alice)
    publish_pairings(evening_id=evening.pk, user=alice)
    kept = set(TableGame.objects.values_list("pk", "first", "second", "table"))
    for number in range(late):
        add_walk_in(evening_id=evening.pk, user=alice, name=f"Late {number}")
    pair_late_comers(evening_id=evening.pk, user=alice)
    games = set(TableGame.objects.values_list("pk", "first", "second", "table"))
    assert kept <= games and len(games - kept) == (late + 1) // 2
