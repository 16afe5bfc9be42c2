"""Sealing the orders of a classic campaign, and opening them together. Rulings C1 to C4."""

import hashlib

import pytest
from django.contrib.auth.models import User

from audit.models import AuditEntry
from battles.models import Battle, Combatant
from battles.services.planning import BattlePlan, PlannedSide, plan_battle
from campaigns.models import Campaign, SealedOrder
from campaigns.order_seals import opened as open_seal
from campaigns.order_seals import seal
from campaigns.services.enrolments import check_enrolment, enrol_warband, withdraw_warband
from clubs.models import Club, Membership, Role
from core.errors import Forbidden, InvalidInput, MusterError, StateConflict
from leagues.selectors.classic import classic_page
from leagues.selectors.sealed_order import own_order
from leagues.services.classic import seal_order
from tests.leagues.classic import world
from warbands.models import Warband
from warbands.services.roster import release_fighter

pytestmark = pytest.mark.one_database


def codes(error: pytest.ExceptionInfo[InvalidInput]) -> set[str]:
    return {problem.code for problem in error.value.problems}


def test_one_order_alone_opens_nothing(campaign: Campaign, reds: Warband, alice: User) -> None:
    world.sealed(campaign, alice, reds)
    order = SealedOrder.objects.get()
    assert (order.revealed_at, order.text, str(order)) == (None, "", "a sealed order")
    assert not Battle.objects.exists()


def test_the_last_order_opens_all_and_plans_the_three_games(
    opened: Campaign, reds: Warband, blues: Warband
) -> None:
    assert SealedOrder.objects.exclude(revealed_at=None).count() == 2
    entries = AuditEntry.objects.order_by("-id").values_list("verb", "details")
    assert [*entries[:2]] == [("order.revealed", {}), ("order.sealed", {})], (
        "one entry, whatever follows from it"
    )
    games = Battle.objects.filter(campaign=opened)
    assert {(game.scenario, game.part, game.state) for game in games} == {
        (scenario, "small-game", "planned") for scenario in world.SCENARIOS
    }
    for warband in (reds, blues):
        plan = world.plan_of(warband)
        for scenario in world.SCENARIOS:
            side = world.game(opened, scenario).sides.get(warband=warband)
            assert set(side.plan) == set(plan[scenario])
            fielded = Combatant.objects.filter(side=side)
            assert {str(row.fighter_id) for row in fielded} == set(plan[scenario])
            assert fielded.filter(posts=["leader"]).count() == 1


def test_the_row_of_a_sealed_order_tells_nothing(
    campaign: Campaign, reds: Warband, alice: User
) -> None:
    world.sealed(campaign, alice, reds)
    audit_entry = AuditEntry.objects.get(verb="order.sealed")
    assert (audit_entry.subject_id, audit_entry.club, audit_entry.details) == (
        reds.pk,
        campaign.club_id,
        {},
    )
    row = repr(SealedOrder.objects.values().get())
    assert not any(
        str(fighter.pk) in row or fighter.name in row for fighter in world.fighters(reds)
    )
    assert not any(f'"{scenario}"' in row for scenario in world.SCENARIOS)


def test_every_seal_has_the_same_length_and_none_is_like_another() -> None:
    few, many = seal({"duel": ("a",)}), seal({"duel": tuple("abcdefghij"), "raid": tuple("klmnop")})
    assert len(few[0]) == len(many[0])
    assert seal({"duel": ("a",)})[0] != few[0]
    assert open_seal(many[0]).plan["raid"] == tuple("klmnop")


def test_the_commitment_is_of_what_is_opened(opened: Campaign) -> None:
    for order in SealedOrder.objects.all():
        assert hashlib.sha256(order.text.encode()).hexdigest() == order.commitment


def test_a_seal_cannot_be_opened_under_another_secret_key_but_under_a_former_one(settings) -> None:
    sealed, _ = seal({"duel": ("a",)})
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another secret key of this site"
    with pytest.raises(InvalidInput) as refused:
        open_seal(sealed)
    assert refused.value.code == "unreadable-order"
    settings.SECRET_KEY_FALLBACKS = [former]
    assert open_seal(sealed).plan == {"duel": ("a",)}


def test_an_order_can_be_exchanged_until_all_are_in(
    campaign: Campaign, reds: Warband, alice: User
) -> None:
    world.sealed(campaign, alice, reds)
    before = SealedOrder.objects.get().commitment
    other = world.plan_of(reds, {**world.SHARES, "raid": (4, 5, 6, 8)})
    world.sealed(campaign, alice, reds, plan=other)
    assert SealedOrder.objects.get().commitment != before
    assert {key: set(keys) for key, keys in own_order(campaign, alice).plan.items()} == {
        key: set(keys) for key, keys in other.items()
    }


def test_nothing_can_be_exchanged_once_they_are_open(
    opened: Campaign, reds: Warband, alice: User
) -> None:
    with pytest.raises(StateConflict) as lost:
        world.sealed(opened, alice, reds)
    assert lost.value.code == "orders-revealed"


@pytest.mark.parametrize(
    ("shares", "code"),
    [
        ({"duel": (0,), "capture": (1, 2, 3)}, "wrong-scenarios"),
        ({"duel": (0,), "capture": (1, 2, 3), "skirmish": (4, 5, 6)}, "wrong-scenarios"),
        ({**world.SHARES, "raid": (3, 4, 5, 6)}, "in-two-warbands"),
        ({**world.SHARES, "raid": (5, 6, 7)}, "wrong-size"),
        ({**world.SHARES, "raid": (4, 4, 5, 6, 7)}, "named-twice"),
    ],
)
def test_what_the_book_forbids_is_not_sealed(
    campaign: Campaign, reds: Warband, alice: User, shares, code
) -> None:
    with pytest.raises(InvalidInput) as refused:
        world.sealed(campaign, alice, reds, plan=world.plan_of(reds, shares))
    assert code in codes(refused)
    assert not SealedOrder.objects.exists()


def test_nobody_sends_the_opponents_fighters(
    campaign: Campaign, reds: Warband, blues: Warband, alice: User
) -> None:
    with pytest.raises(InvalidInput) as refused:
        world.sealed(campaign, alice, reds, plan=world.plan_of(blues))
    assert "not-on-roster" in codes(refused)


def test_only_the_player_seals(
    campaign: Campaign, reds: Warband, blues: Warband, alice: User, bob: User
) -> None:
    """Not even the organiser, for somebody who has an account."""
    for user, warband in ((alice, blues), (bob, reds)):
        with pytest.raises(Forbidden):
            world.sealed(campaign, user, warband)
        with pytest.raises(Forbidden):
            own_order(campaign, user, warband.pk)


def test_a_spectator_has_no_order(campaign: Campaign, dora: User, reds: Warband) -> None:
    with pytest.raises(Forbidden):
        seal_order(campaign_id=campaign.pk, user=dora, plan=world.plan_of(reds))


@pytest.mark.parametrize("place", [1, 8], ids=["named in the order", "named nowhere in it"])
def test_an_order_lapses_with_any_change_of_its_roster_whatever_it_says(
    campaign: Campaign, reds: Warband, blues: Warband, alice: User, bob: User, place: int
) -> None:
    """Otherwise the fighters in it could be found out: remove one of them, and see whether it
    lapses."""
    world.sealed(campaign, bob, blues)
    release_fighter(fighter_id=world.fighters(blues)[place].pk, user=alice, reason="retired")
    page = classic_page(campaign, alice)
    assert page is not None
    assert [row.state for row in page.orders] == ["awaited", "lapsed"]
    assert [row.commitment for row in page.orders] == ["", ""]
    assert own_order(campaign, bob).state == "lapsed"
    world.sealed(campaign, alice, reds)
    assert not Battle.objects.exists(), "Alice's order is the last one, and nothing opens"
    assert SealedOrder.objects.standing().get().sealed_by == alice


def test_an_order_that_was_sealed_again_after_a_change_stands(
    campaign: Campaign, reds: Warband, blues: Warband, alice: User, bob: User
) -> None:
    world.sealed(campaign, bob, blues)
    release_fighter(fighter_id=world.fighters(blues)[8].pk, user=bob, reason="retired")
    world.sealed(campaign, bob, blues)
    world.sealed(campaign, alice, reds)
    assert Battle.objects.count() == 3
    assert SealedOrder.objects.standing().count() == 2


def test_an_order_that_the_roster_cannot_follow_any_more_lapses(
    campaign: Campaign, reds: Warband, blues: Warband, alice: User, bob: User
) -> None:
    world.sealed(campaign, alice, reds)
    release_fighter(fighter_id=world.fighters(reds)[1].pk, user=alice, reason="retired")
    world.sealed(campaign, bob, blues)
    page = classic_page(campaign, bob)
    assert page is not None
    assert [(row.state, row.plan) for row in page.orders] == [("lapsed", ()), ("sealed", ())]
    assert not Battle.objects.exists()
    left = [place for place, fighter in enumerate(world.fighters(reds)) if fighter.fate == "fit"]
    again = {"duel": left[:1], "capture": left[1:4], "raid": left[4:]}
    world.sealed(campaign, alice, reds, plan=world.plan_of(reds, again))
    assert Battle.objects.count() == 3


def test_a_warband_that_withdraws_takes_its_order_along(
    campaign: Campaign, reds: Warband, alice: User
) -> None:
    world.sealed(campaign, alice, reds)
    withdraw_warband(enrolment_id=campaign.enrolments.get(warband=reds).pk, user=alice)
    assert not SealedOrder.objects.exists()


def test_only_a_running_classic_campaign_has_orders(
    club: Club, alice: User, reds: Warband, blues: Warband
) -> None:
    planned = world.classic(club, alice, reds, blues, start=False)
    with pytest.raises(InvalidInput) as refused:
        world.sealed(planned, alice, reds)
    assert refused.value.code == "campaign-not-running"
    Campaign.objects.update(format="linked")
    with pytest.raises(InvalidInput) as refused:
        world.sealed(planned, alice, reds)
    assert refused.value.code == "not-classic"


def test_nobody_plans_another_game_of_the_campaign(
    opened: Campaign, reds: Warband, blues: Warband, bob: User
) -> None:
    sides = tuple(PlannedSide(warband.pk, "warband") for warband in (reds, blues))
    day = Battle.objects.all()[0].fought_on
    with pytest.raises(InvalidInput) as refused:
        plan_battle(
            user=bob,
            plan=BattlePlan(scenario="skirmish", sides=sides, fought_on=day, campaign=opened.pk),
        )
    assert codes(refused) == {"planned-by-orders"}


# Guests: players without an account, for whom an organiser writes.


@pytest.fixture
def guests(alice: User) -> Warband:
    """Return the company of a guest player, kept by Alice."""
    return world.guards(None, "Greys", keeper=alice)


def test_an_organiser_who_plays_seals_his_own_order_first(
    club: Club, alice: User, reds: Warband, guests: Warband
) -> None:
    campaign = world.classic(club, alice, reds, guests)
    with pytest.raises(InvalidInput) as refused:
        world.sealed(campaign, alice, guests)
    assert refused.value.code == "own-order-first"
    world.sealed(campaign, alice, reds)
    world.sealed(campaign, alice, guests)
    assert Battle.objects.count() == 3


def test_who_has_written_for_a_guest_cannot_exchange_his_own(
    club: Club, alice: User, reds: Warband, guests: Warband
) -> None:
    campaign = world.classic(club, alice, reds, guests)
    world.sealed(campaign, alice, reds)
    SealedOrder.objects.create(
        enrolment=campaign.enrolments.get(warband=guests),
        sealed=seal(world.plan_of(guests))[0],
        commitment="",
        sealed_by=alice,
        sealed_at=campaign.created_at,
    )
    with pytest.raises(InvalidInput) as refused:
        world.sealed(campaign, alice, reds)
    assert refused.value.code == "order-bound"


def test_an_organiser_who_does_not_play_writes_for_guests(
    club: Club, alice: User, bob: User, blues: Warband, guests: Warband
) -> None:
    campaign = world.classic(club, alice, blues, guests)
    world.sealed(campaign, alice, guests)
    assert own_order(campaign, alice, guests.pk).plan
    with pytest.raises(Forbidden):
        own_order(campaign, bob, guests.pk)
    world.sealed(campaign, bob, blues)
    assert Battle.objects.count() == 3


def test_another_organiser_neither_reads_nor_replaces_a_guests_order(
    club: Club, alice: User, bob: User, charlie: User, blues: Warband, guests: Warband
) -> None:
    Membership.objects.create(club=club, user=charlie, name="charlie", role=Role.ORGANISER)
    campaign = world.classic(club, alice, blues, guests)
    world.sealed(campaign, alice, guests)
    assert (
        own_order(campaign, charlie, guests.pk).plan,
        own_order(campaign, charlie, guests.pk).text,
    ) == ({}, "")
    with pytest.raises(Forbidden):
        world.sealed(campaign, charlie, guests)


def test_a_player_does_not_write_for_a_guest(
    club: Club, alice: User, bob: User, blues: Warband, guests: Warband
) -> None:
    campaign = world.classic(club, alice, blues, guests)
    with pytest.raises(MusterError):
        world.sealed(campaign, bob, guests)


def test_a_third_warband_does_not_get_in(campaign: Campaign, bob: User) -> None:
    """Ruling C14."""
    with pytest.raises(InvalidInput) as refused:
        enrol_warband(campaign_id=campaign.pk, warband_id=world.guards(bob, "Third").pk, user=bob)
    assert refused.value.code == "campaign-full"


def test_check_tells_a_third_warband_that_the_campaign_is_full(
    campaign: Campaign, bob: User, reds: Warband
) -> None:
    third = world.guards(bob, "Third")
    with pytest.raises(InvalidInput) as refused:
        check_enrolment(campaign_id=campaign.pk, warband_id=third.pk, user=bob)
    assert refused.value.code == "campaign-full"
    check_enrolment(campaign_id=campaign.pk, warband_id=reds.pk, user=bob)


def test_open_orders_list_scenarios_in_order_of_play(
    campaign: Campaign, reds: Warband, blues: Warband, alice: User
) -> None:
    campaign = world.revealed(campaign, reds, blues)
    page = classic_page(campaign, alice)
    assert page is not None
    for row in page.orders:
        assert [small.scenario for small in row.plan] == list(world.SCENARIOS)
