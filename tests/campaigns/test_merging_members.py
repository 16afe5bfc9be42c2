"""Organisers merge two members who are the same person, and can take that back."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.utils import timezone

from audit.models import AuditEntry
from battles.models import Side
from campaigns.models import Campaign, Enrolment, Fixture, JournalEntry, Method, Round
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from campaigns.services.hand_overs import hand_over_warband
from campaigns.services.leaving import leave_clubs
from campaigns.services.merging import merge_members, preview_merge, undo_merge
from clubs.models import Attendance, Club, Evening, Membership, Merge, Role
from clubs.services.evenings import answer_evening, make_evenings
from clubs.services.members import add_guest, change_role, rename_member
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from tests.campaigns.conftest import Muster, battle_of, seat
from warbands.models import Warband


@pytest.fixture
def guest(club: Club, campaign: Campaign, muster: Muster, alice: User) -> Membership:
    """Return the guest player Gaston. Alice keeps his warband, which is in the campaign."""
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    warband = muster(None, "Gaston's Reds", keeper=alice)
    enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=alice, player_id=guest.pk)
    return guest


@pytest.fixture
def evening(club: Club, alice: User) -> Evening:
    start = timezone.now() + timedelta(days=3)
    return make_evenings(
        club_id=club.pk, user=alice, starts_at=start, ends_at=start + timedelta(hours=4)
    )[0]


def test_merge_moves_everything_of_the_guest(
    guest: Membership, club: Club, campaign: Campaign, evening: Evening, alice: User, dora: User
) -> None:
    answer_evening(evening_id=evening.pk, user=alice, answer="coming", member_id=guest.pk)
    today = timezone.now()
    JournalEntry.objects.create(
        campaign=campaign, author=guest, text="Snow.", on=today.date(), written_at=today
    )
    preview = preview_merge(seat_id=guest.pk, into=seat(club, "Dora"), user=alice)
    assert [(each.name, each.campaigns, each.new_owner) for each in preview.warbands] == [
        ("Gaston's Reds", ("The Long Winter",), True)
    ]
    assert (preview.enrolments, preview.answers, preview.journal_entries) == (1, 1, 1)
    assert preview.notices == ("Dora becomes a player.",) and preview.problems == ()
    assert Membership.objects.filter(pk=guest.pk).exists()

    merge_members(seat_id=guest.pk, into=seat(club, "Dora"), user=alice)
    member = Membership.objects.get(club=club, user=dora)
    warband = Warband.objects.get(name="Gaston's Reds")
    assert (member.name, member.role) == ("Dora", Role.PLAYER)
    assert (warband.owner, warband.keeper) == (dora, None)
    assert Enrolment.objects.get().player == member
    assert Attendance.objects.get().member == member
    assert JournalEntry.objects.get().author == member
    assert not Membership.objects.filter(pk=guest.pk).exists()
    entry = AuditEntry.objects.get(verb="member.merged")
    assert (entry.subject_id, entry.details, entry.person) == (member.pk, {"seat": "Gaston"}, dora)


def test_undo_gives_everything_back(
    guest: Membership, club: Club, campaign: Campaign, evening: Evening, alice: User, dora: User
) -> None:
    answer_evening(evening_id=evening.pk, user=alice, answer="coming", member_id=guest.pk)
    answer_evening(evening_id=evening.pk, user=dora, answer="not-coming")
    today = timezone.now()
    JournalEntry.objects.create(
        campaign=campaign, author=guest, text="Snow.", on=today.date(), written_at=today
    )
    before = Membership.objects.values().get(pk=guest.pk)
    assert preview_merge(seat_id=guest.pk, into=seat(club, "Dora"), user=alice).notices[0] == (
        "Both have answered for 1 club night: the answer of Dora counts."
    )
    merge = merge_members(seat_id=guest.pk, into=seat(club, "Dora"), user=alice)
    assert [each.answer for each in Attendance.objects.all()] == ["not-coming"]

    back = undo_merge(merge_id=merge.pk, user=alice)
    assert Membership.objects.values().get(pk=guest.pk) == before
    assert Enrolment.objects.get().player == back
    warband = Warband.objects.get(name="Gaston's Reds")
    assert (warband.owner, warband.keeper) == (None, alice)
    assert JournalEntry.objects.get().author == back
    answers = {
        each.member.name: each.answer for each in Attendance.objects.select_related("member")
    }
    assert answers == {"Gaston": "coming", "Dora": "not-coming"}
    assert Membership.objects.get(user=dora).role == Role.SPECTATOR
    assert AuditEntry.objects.filter(verb="member.merge-undone").count() == 1
    with pytest.raises(StateConflict) as again:
        undo_merge(merge_id=merge.pk, user=alice)
    assert again.value.code == "merge-undone"


def test_merge_moves_history_and_undo_returns_it(
    guest: Membership, club: Club, campaign: Campaign, muster: Muster, alice: User, bob: User
) -> None:
    warbands = [muster(alice, "Alice's"), muster(alice, "More of Alice's")]
    side = battle_of(campaign, warbands, alice).sides.get(place=0)
    Side.objects.filter(pk=side.pk).update(substitute=guest)
    done = hand_over_warband(warband_id=guest.enrolments.get().warband_id, player="bob", user=alice)

    def named() -> tuple[str, str]:
        side.refresh_from_db()
        done.refresh_from_db()
        assert side.substitute and done.giver_seat
        return side.substitute.name, done.giver_seat.name

    merge = merge_members(seat_id=guest.pk, into=seat(club, "Dora"), user=alice)
    assert named() == ("Dora", "Dora")
    undo_merge(merge_id=merge.pk, user=alice)
    assert named() == ("Gaston", "Gaston")


def test_undo_takes_along_what_the_warband_has_joined_since(
    guest: Membership, club: Club, campaign: Campaign, alice: User, dora: User
) -> None:
    merge = merge_members(seat_id=guest.pk, into=seat(club, "Dora"), user=alice)
    enrolment = Enrolment.objects.get()
    enrolment.left_at = timezone.now()
    enrolment.save()
    other = Campaign.objects.create(club=club, name="Spring", ruleset="toy", edition="1")
    Enrolment.objects.create(
        campaign=other, warband=enrolment.warband, player=merge.member, enrolled_at=timezone.now()
    )
    rename_member(member_id=merge.member_id, user=dora, name="Gaston")
    back = undo_merge(merge_id=merge.pk, user=alice)
    assert set(Enrolment.objects.values_list("player", flat=True)) == {back.pk}
    assert back.name == "Gaston 2"


def test_undo_is_refused_when_a_warband_has_changed_hands(
    guest: Membership, club: Club, alice: User, bob: User
) -> None:
    merge = merge_members(seat_id=guest.pk, into=seat(club, "Dora"), user=alice)
    Warband.objects.update(owner=bob)
    with pytest.raises(InvalidInput) as refused:
        undo_merge(merge_id=merge.pk, user=alice)
    assert refused.value.code == "merge-overtaken"
    assert "Gaston's Reds has changed hands" in refused.value.sentence
    assert not Membership.objects.filter(pk=guest.pk).exists()


def test_undo_is_refused_after_30_days(guest: Membership, club: Club, alice: User) -> None:
    merge = merge_members(seat_id=guest.pk, into=seat(club, "Dora"), user=alice)
    Merge.objects.update(merged_at=timezone.now() - timedelta(days=30, seconds=1))
    with pytest.raises(InvalidInput) as refused:
        undo_merge(merge_id=merge.pk, user=alice)
    assert refused.value.code == "merge-too-old"


def test_two_who_play_in_one_campaign_are_not_merged(
    guest: Membership, club: Club, campaign: Campaign, muster: Muster, alice: User, bob: User
) -> None:
    enrol_warband(campaign_id=campaign.pk, warband_id=muster(bob, "Bob's Reds").pk, user=bob)
    (problem,) = preview_merge(seat_id=guest.pk, into=seat(club, "Bob"), user=alice).problems
    assert problem.code == "both-play" and "The Long Winter" in problem.sentence
    with pytest.raises(InvalidInput) as refused:
        merge_members(seat_id=guest.pk, into=seat(club, "Bob"), user=alice)
    assert refused.value.code == "members-clash"
    assert not Merge.objects.exists()
    withdraw_warband(enrolment_id=Enrolment.objects.get(player__name="Bob").pk, user=bob)
    merge_members(seat_id=guest.pk, into=seat(club, "Bob"), user=alice)


def test_two_who_were_paired_with_each_other_are_not_merged(
    guest: Membership, club: Club, campaign: Campaign, muster: Muster, alice: User, bob: User
) -> None:
    enrol_warband(campaign_id=campaign.pk, warband_id=muster(bob, "Bob's Reds").pk, user=bob)
    first, second = Enrolment.objects.order_by("enrolled_at")
    round_ = Round.objects.create(campaign=campaign, number=1, method=Method.BY_HAND)
    Fixture.objects.create(round=round_, place=0, home=first, away=second)
    Enrolment.objects.update(left_at=timezone.now())
    (problem,) = preview_merge(seat_id=guest.pk, into=seat(club, "Bob"), user=alice).problems
    assert problem.code == "paired"


def test_a_member_with_an_account_is_not_merged_into_another(club: Club, alice: User) -> None:
    for into in ("Bob", "Alice"):
        with pytest.raises(InvalidInput) as refused:
            merge_members(seat_id=seat(club, "Dora"), into=seat(club, into), user=alice)
        assert refused.value.code == "has-account"


def test_a_guest_is_not_merged_into_himself_or_a_stranger(
    guest: Membership, alice: User, charlie: User
) -> None:
    elsewhere = Membership.objects.create(
        club=Club.objects.create(name="Another"), user=charlie, name="Charlie"
    )
    for into, code in (
        (guest.pk, "same-member"),
        (elsewhere.pk, "unknown-member"),
        (uuid4(), "unknown-member"),
    ):
        with pytest.raises(InvalidInput) as refused:
            merge_members(seat_id=guest.pk, into=into, user=alice)
        assert (refused.value.code, refused.value.field) == (code, "into")


def test_two_guests_can_be_merged(guest: Membership, club: Club, alice: User) -> None:
    other = add_guest(club_id=club.pk, user=alice, name="Gaston the Elder")
    merge_members(seat_id=guest.pk, into=other.pk, user=alice)
    warband = Warband.objects.get(name="Gaston's Reds")
    assert (warband.owner, warband.keeper) == (None, alice)
    assert Enrolment.objects.get().player == other


def test_only_organisers_merge_and_undo(
    guest: Membership, club: Club, alice: User, bob: User, charlie: User
) -> None:
    into = seat(club, "Dora")
    for user, error in ((bob, Forbidden), (charlie, NotFound)):
        for verb in (preview_merge, merge_members):
            with pytest.raises(error):
                verb(seat_id=guest.pk, into=into, user=user)
    merge = merge_members(seat_id=guest.pk, into=into, user=alice)
    for user in (bob, charlie):
        with pytest.raises(NotFound):
            undo_merge(merge_id=merge.pk, user=user)


def test_a_keeper_who_has_stepped_down_does_not_get_the_warband_back(
    guest: Membership, club: Club, alice: User, bob: User
) -> None:
    change_role(member_id=seat(club, "Bob"), user=alice, role=Role.ORGANISER)
    merge = merge_members(seat_id=guest.pk, into=seat(club, "Dora"), user=alice)
    change_role(member_id=seat(club, "Alice"), user=alice, role=Role.PLAYER)
    undo_merge(merge_id=merge.pk, user=bob)
    assert Warband.objects.get(name="Gaston's Reds").keeper == bob


def test_who_deletes_the_account_leaves_no_merge_behind(
    guest: Membership, club: Club, alice: User, dora: User
) -> None:
    merge_members(seat_id=guest.pk, into=seat(club, "Dora"), user=alice)
    leave_clubs(user=dora, name="Former member")
    assert not Merge.objects.exists()


def test_merge_through_the_api(guest: Membership, club: Club, as_alice: Any, as_bob: Any) -> None:
    into = {"into": str(seat(club, "Dora"))}
    address = f"/api/v1/members/{guest.pk}/merge/"
    preview = as_alice.get(address, into)
    assert (preview.status_code, preview.data["enrolments"], preview.data["problems"]) == (
        200,
        1,
        (),
    )
    assert as_bob.get(address, into).status_code == 403
    made = as_alice.post(address, into, format="json")
    assert (made.status_code, made.data["member"], made.data["name"]) == (
        201,
        seat(club, "Dora"),
        "Gaston",
    )
    listed = as_alice.get(f"/api/v1/clubs/{club.pk}/merges/").data["results"]
    assert [row["id"] for row in listed] == [made.data["id"]]
    assert as_bob.post(f"/api/v1/merges/{made.data['id']}/undo/").status_code == 404
    undone = as_alice.post(f"/api/v1/merges/{made.data['id']}/undo/")
    assert (undone.status_code, undone.data["name"], undone.data["has_account"]) == (
        200,
        "Gaston",
        False,
    )
    again = as_alice.post(f"/api/v1/merges/{made.data['id']}/undo/")
    assert (again.status_code, again.data["code"]) == (409, "merge-undone")
    removal = as_alice.get(f"/api/v1/members/{guest.pk}/removal/").data
    assert [problem["code"] for problem in removal["problems"]] == ["warbands-enrolled"]


def test_two_who_fought_each_other_are_not_merged(
    guest: Membership, club: Club, campaign: Campaign, muster: Muster, alice: User, bob: User
) -> None:
    warband = muster(bob, "Bob's Reds")
    enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=bob)
    battle_of(campaign, [warband, Warband.objects.get(name="Gaston's Reds")], alice)
    Enrolment.objects.update(left_at=timezone.now())
    problems = preview_merge(seat_id=guest.pk, into=seat(club, "Bob"), user=alice).problems
    assert [problem.code for problem in problems] == ["paired"]
    assert preview_merge(seat_id=guest.pk, into=seat(club, "Dora"), user=alice).problems == ()


def test_somebody_who_was_a_substitute_against_the_other_is_not_merged(
    guest: Membership, club: Club, campaign: Campaign, muster: Muster, alice: User, bob: User
) -> None:
    first, second = muster(bob, "Bob's Reds"), muster(alice, "Alice's Reds")
    for owner, warband in ((bob, first), (alice, second)):
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=owner)
    battle = battle_of(campaign, [first, second], alice)
    battle.sides.filter(warband=second).update(substitute=guest)
    Enrolment.objects.update(left_at=timezone.now())
    problems = preview_merge(seat_id=guest.pk, into=seat(club, "Bob"), user=alice).problems
    assert [problem.code for problem in problems] == ["paired"]


def test_every_link_to_a_member_is_moved_or_left_for_a_reason() -> None:
    moved = {
        "Enrolment.player",
        "Attendance.member",
        "JournalEntry.author",
        "HandOver.giver_seat",
        "HandOver.receiver_seat",
        "Side.substitute",
        "Substitute.player",
        "TableGame.first",
        "TableGame.second",
        "ForbiddenPair.first",
        "ForbiddenPair.second",
        "PastFact.member",
        "PastFact.opponent_member",
    }
    # Invitations to a seat that is gone stop working; merges into a guest who is merged later
    # cannot be undone.
    left = {"Invitation.seat", "Merge.member"}
    links = {
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model is Membership
    }
    assert links == moved | left
