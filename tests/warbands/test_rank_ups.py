"""Rank-ups: prepared after a battle, taken, taken back."""

from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from battles.models import Battle, BattleState, Combatant, Side
from campaigns.models import Campaign
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from rulebook.ruleset import Fate, RulesError
from tests.pages import world
from tests.warbands.conftest import fight, fighter_of
from warbands.models import RankUpOffer, Warband
from warbands.rulebook_values import read_state
from warbands.services.rank_up_offers import prepare_offers
from warbands.services.rank_ups import take_rank_up, undo_rank_up
from warbands.services.roster import (
    NewFighter,
    adjust_fighter,
    equip_fighter,
    recruit_fighters,
    release_fighter,
)
from warbands.services.roster_order import Arranging, arrange_warband
from warbands.services.verification import prove
from warbands.tasks import prepare_rank_up_offers


@pytest.fixture
def jack(reds: Warband, campaign: Campaign) -> UUID:
    """Return Jack, a recruit with 4 experience after one battle; a step costs him 3."""
    fight(reds, {"Jack": 3})
    return fighter_of(reds, "Jack").pk


def offered(warband: Warband) -> dict[str, list[str]]:
    offers = RankUpOffer.objects.filter(fighter__warband=warband).select_related("fighter")
    return {offer.fighter.name: [step["key"] for step in offer.steps] for offer in offers}


def fresh(warband: Warband) -> Warband:
    return Warband.objects.get(pk=warband.pk)


def test_offer_needs_enough_experience(reds: Warband, jack: UUID) -> None:
    assert prepare_offers(warband_id=reds.pk) == 1
    assert offered(reds) == {"Jack": ["veteran"]}
    assert RankUpOffer.objects.get().sequence == fresh(reds).sequence


def test_offers_are_the_same_when_prepared_twice(reds: Warband, jack: UUID) -> None:
    prepare_rank_up_offers(str(reds.pk))
    before = offered(reds)
    prepare_rank_up_offers(str(reds.pk))
    assert offered(reds) == before


def test_an_offer_goes_when_there_is_nothing_left_to_spend(
    reds: Warband, jack: UUID, bob: User
) -> None:
    prepare_offers(warband_id=reds.pk)
    take_rank_up(fighter_id=jack, step="veteran", user=bob)
    assert prepare_offers(warband_id=reds.pk) == 0
    assert offered(reds) == {}


def test_a_step_taken_by_one_leaves_the_offers_of_the_others(
    reds: Warband, jack: UUID, alice: User, bob: User
) -> None:
    adjust_fighter(
        fighter_id=fighter_of(reds, "Jill").pk, experience=2, reason="a gift", user=alice
    )
    assert offered(reds) == {"Jack": ["veteran"], "Jill": ["veteran"]}
    take_rank_up(fighter_id=jack, step="veteran", user=bob)
    assert offered(reds) == {"Jill": ["veteran"]}
    undo_rank_up(fighter_id=jack, user=bob)
    assert offered(reds) == {"Jack": ["veteran"], "Jill": ["veteran"]}
    sequences = set(RankUpOffer.objects.values_list("sequence", flat=True))
    assert sequences == {fresh(reds).sequence}


def test_the_fallen_have_no_offer(reds: Warband, jack: UUID, bob: User) -> None:
    release_fighter(fighter_id=jack, reason="retired", user=bob)
    assert prepare_offers(warband_id=reds.pk) == 0


def test_a_task_for_a_warband_that_is_gone_does_nothing(db: None) -> None:
    prepare_rank_up_offers(str(uuid4()))


def test_a_step_is_paid_and_gives_what_was_picked(reds: Warband, jack: UUID, bob: User) -> None:
    take_rank_up(fighter_id=jack, step="veteran", picks={"option": "sword"}, user=bob)
    fighter = read_state(reds).fighters[str(jack)]
    assert (fighter.rank, fighter.points, fighter.experience, fighter.promotions) == (2, 11, 1, 1)
    assert prove(fresh(reds)) == []


def test_a_step_that_is_too_dear_is_refused(reds: Warband, jack: UUID, bob: User) -> None:
    with pytest.raises(InvalidInput) as refusal:
        take_rank_up(fighter_id=fighter_of(reds, "Jill").pk, step="veteran", user=bob)
    assert refusal.value.code == "unaffordable-rank-up"
    assert fighter_of(reds, "Jill").rank == 1


def test_a_step_that_does_not_exist_is_refused(jack: UUID, bob: User) -> None:
    with pytest.raises(InvalidInput) as refusal:
        take_rank_up(fighter_id=jack, step="emperor", user=bob)
    assert (refusal.value.code, refusal.value.field) == ("unknown-step", "step")


def test_a_pick_that_does_not_exist_is_refused(jack: UUID, bob: User) -> None:
    with pytest.raises(RulesError):
        take_rank_up(fighter_id=jack, step="veteran", picks={"option": "wand"}, user=bob)


def test_the_dead_take_no_steps(reds: Warband, jack: UUID, bob: User) -> None:
    fight(reds, dead=("Jack",))
    with pytest.raises(InvalidInput) as refusal:
        take_rank_up(fighter_id=jack, step="veteran", user=bob)
    assert refusal.value.code == "fighter-gone"


def test_an_offer_of_yesterday_is_not_taken_for_todays(
    reds: Warband, jack: UUID, bob: User
) -> None:
    prepare_offers(warband_id=reds.pk)
    sequence = RankUpOffer.objects.get().sequence
    fight(reds)
    with pytest.raises(StateConflict):
        take_rank_up(fighter_id=jack, step="veteran", user=bob, sequence=sequence)


def test_readers_and_strangers_take_no_steps(jack: UUID, dora: User, charlie: User) -> None:
    with pytest.raises(Forbidden):
        take_rank_up(fighter_id=jack, step="veteran", user=dora)
    with pytest.raises(NotFound):
        take_rank_up(fighter_id=jack, step="veteran", user=charlie)
    with pytest.raises(NotFound):
        undo_rank_up(fighter_id=jack, user=charlie)


def test_a_step_can_be_taken_back_and_its_price_returns(
    reds: Warband, jack: UUID, bob: User
) -> None:
    take_rank_up(fighter_id=jack, step="veteran", user=bob)
    undo_rank_up(fighter_id=jack, user=bob)
    fighter = read_state(reds).fighters[str(jack)]
    assert (fighter.rank, fighter.experience, fighter.promotions) == (1, 4, 0)
    assert prove(fresh(reds)) == []
    take_rank_up(fighter_id=jack, step="veteran", user=bob)


def test_several_steps_are_taken_back_from_the_last(
    reds: Warband, jack: UUID, alice: User, bob: User
) -> None:
    adjust_fighter(fighter_id=jack, experience=10, reason="a gift", user=alice)
    take_rank_up(fighter_id=jack, step="veteran", user=bob)
    take_rank_up(fighter_id=jack, step="captain", user=bob)
    undo_rank_up(fighter_id=jack, user=bob)
    assert read_state(reds).fighters[str(jack)].rank == 2
    undo_rank_up(fighter_id=jack, user=bob)
    assert read_state(reds).fighters[str(jack)].rank == 1


def test_nothing_is_undone_that_was_not_done(jack: UUID, reds: Warband, bob: User) -> None:
    with pytest.raises(InvalidInput) as refusal:
        undo_rank_up(fighter_id=fighter_of(reds, "Jill").pk, user=bob)
    assert refusal.value.code == "battle-since"


def test_a_step_stands_once_a_battle_was_fought_with_it(
    reds: Warband, jack: UUID, bob: User
) -> None:
    take_rank_up(fighter_id=jack, step="veteran", user=bob)
    fight(reds, friendly=True)
    fight(reds)
    with pytest.raises(InvalidInput) as refusal:
        undo_rank_up(fighter_id=jack, user=bob)
    assert refusal.value.code == "battle-since"


def test_a_step_stands_while_a_battle_is_under_way(reds: Warband, jack: UUID, bob: User) -> None:
    take_rank_up(fighter_id=jack, step="veteran", user=bob)
    battle = Battle.objects.create(
        ruleset="toy",
        edition="1",
        scenario="brawl",
        state=BattleState.UNDER_WAY,
        fought_on=timezone.now().date(),
        created_by=bob,
    )
    side = Side.objects.create(battle=battle, key="a", place=0, warband=reds, role="side")
    Combatant.objects.create(
        side=side, fighter_id=jack, place=0, name="Jack", rank=2, points=10, build={}
    )
    with pytest.raises(InvalidInput) as refusal:
        undo_rank_up(fighter_id=jack, user=bob)
    assert refusal.value.code == "battle-under-way"


def test_a_step_stands_once_the_build_was_changed(jack: UUID, alice: User, bob: User) -> None:
    take_rank_up(fighter_id=jack, step="veteran", user=bob)
    equip_fighter(
        fighter_id=jack,
        build={"profile": "veteran", "options": ["sword"]},
        user=alice,
        reason="his reward",
    )
    with pytest.raises(InvalidInput) as refusal:
        undo_rank_up(fighter_id=jack, user=bob)
    assert refusal.value.code == "build-changed-since"


# The order of the roster


def names_and_ranks(warband: Warband) -> list[tuple[str, int]]:
    """Return the roster as it is shown."""
    return [(each.name, each.rank) for each in read_state(fresh(warband)).fighters.values()]


def test_rank_up_and_its_undo_keep_the_order_of_rank(reds: Warband, jack: UUID, bob: User) -> None:
    before = names_and_ranks(reds)
    last = before[-1][0]
    assert [rank for _, rank in before] == sorted((rank for _, rank in before), reverse=True)
    fight(reds, {last: 3})
    riser = fighter_of(reds, last).pk
    take_rank_up(fighter_id=riser, step="veteran", user=bob)
    after = names_and_ranks(reds)
    assert [rank for _, rank in after] == sorted((rank for _, rank in after), reverse=True)
    assert after.index((last, 2)) < len(after) - 1
    undo_rank_up(fighter_id=riser, user=bob)
    assert sorted(names_and_ranks(reds)) == sorted(before)
    ranks = [rank for _, rank in names_and_ranks(reds)]
    assert ranks == sorted(ranks, reverse=True)
    assert prove(fresh(reds)) == []


def test_recruit_joins_at_its_rank(bob: User) -> None:
    warband = world.landsknechts(bob)
    assert (ranks := [rank for _, rank in names_and_ranks(warband)])[-1] == min(ranks)
    recruit_fighters(
        warband_id=warband.pk, user=bob, fighters=[NewFighter(build={"profile": "hauptmann"})]
    )
    ranks = [rank for _, rank in names_and_ranks(warband)]
    assert ranks == sorted(ranks, reverse=True)


def test_rank_up_leaves_a_players_own_order(reds: Warband, jack: UUID, bob: User) -> None:
    keys = [UUID(key) for key in reversed([*read_state(fresh(reds)).fighters])]
    arrange_warband(warband_id=reds.pk, groups=[Arranging("", tuple(keys))], user=bob)
    order = [name for name, _ in names_and_ranks(reds)]
    take_rank_up(fighter_id=jack, step="veteran", user=bob)
    assert [name for name, _ in names_and_ranks(reds)] == order


# Overruling


def test_an_organiser_gives_experience_with_a_reason(
    reds: Warband, jack: UUID, alice: User
) -> None:
    adjust_fighter(fighter_id=jack, experience=2, reason="held the bridge alone", user=alice)
    line = reds.ledger.last()
    assert line is not None
    assert (line.amount, line.balance, line.sentence) == (2, 6, "held the bridge alone")


def test_an_organiser_changes_a_fate_with_a_reason(reds: Warband, jack: UUID, alice: User) -> None:
    fight(reds, dead=("Jack",))
    adjust_fighter(fighter_id=jack, fate=Fate.FIT, reason="it was his brother", user=alice)
    assert fighter_of(reds, "Jack").fate == Fate.FIT
    assert prove(fresh(reds)) == []


def test_a_player_in_a_campaign_adjusts_nobody(jack: UUID, bob: User, charlie: User) -> None:
    with pytest.raises(Forbidden):
        adjust_fighter(fighter_id=jack, experience=2, reason="please", user=bob)
    with pytest.raises(NotFound):
        adjust_fighter(fighter_id=jack, experience=2, reason="please", user=charlie)


def test_outside_any_campaign_the_book_is_ones_own(reds: Warband, bob: User) -> None:
    adjust_fighter(
        fighter_id=fighter_of(reds, "Jack").pk, experience=2, reason="an old hand", user=bob
    )
    assert fighter_of(reds, "Jack").experience == 2


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"experience": 2, "reason": " "}, "reason-needed"),
        ({"experience": 0, "reason": "why not"}, "nothing-to-adjust"),
        ({"fate": Fate.FIT, "reason": "he is"}, "nothing-to-adjust"),
        ({"experience": -5, "reason": "a fine"}, "balance-below-zero"),
        ({"experience": 101, "reason": "a lot"}, "out-of-range"),
        ({"experience": 1, "reason": "x" * 301}, "too-long"),
    ],
)
def test_an_adjustment_that_makes_no_sense_is_refused(
    jack: UUID, alice: User, change: dict[str, object], code: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        adjust_fighter(fighter_id=jack, user=alice, **change)  # type: ignore[arg-type]
    assert refusal.value.code == code
