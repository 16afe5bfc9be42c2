"""Several people at once, each with a connection of their own: orders are revealed once, and never
half."""

from functools import partial

import pytest
from django.contrib.auth.models import User

from battles.models import Battle, Part
from campaigns.models import Campaign, SealedOrder
from campaigns.order_seals import plan_in
from core.errors import StateConflict
from leagues.services.classic import plan_final, seal_order
from tests.battles.test_battles_at_once import at_once
from tests.leagues.classic import world
from warbands.models import Warband

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def sealing(
    campaign: Campaign, user: User, warband: Warband, **shares: tuple[int, ...]
) -> partial[SealedOrder]:
    plan = world.plan_of(warband, {**world.SHARES, **shares})
    return partial(seal_order, campaign_id=campaign.pk, user=user, plan=plan, warband_id=warband.pk)


def test_both_seal_at_once_and_are_revealed_once(
    campaign: Campaign, reds: Warband, blues: Warband, alice: User, bob: User
) -> None:
    answers = at_once(sealing(campaign, alice, reds), sealing(campaign, bob, blues))
    assert all(isinstance(answer, SealedOrder) for answer in answers)
    assert SealedOrder.objects.exclude(revealed_at=None).count() == 2
    assert Battle.objects.filter(part=Part.SMALL).count() == 3


def test_an_exchange_that_races_the_reveal_comes_in_time_or_is_refused(
    campaign: Campaign, reds: Warband, blues: Warband, alice: User, bob: User
) -> None:
    world.sealed(campaign, alice, reds)
    exchanged, _ = at_once(
        sealing(campaign, alice, reds, raid=(4, 5, 6, 8)), sealing(campaign, bob, blues)
    )
    stays = 7 if isinstance(exchanged, StateConflict) else 8
    order = SealedOrder.objects.get(enrolment__warband=reds)
    assert str(world.fighters(reds)[stays].pk) in plan_in(order.text)["raid"]
    side = world.game(campaign, "raid").sides.get(warband=reds)
    assert set(side.plan) == set(plan_in(order.text)["raid"]), "what is played is what was revealed"


def test_two_ask_for_the_final_at_once(
    campaign: Campaign, reds: Warband, blues: Warband, alice: User, bob: User
) -> None:
    opened = world.revealed(campaign, reds, blues)
    world.all_fought(alice, opened)
    answers = at_once(
        *(partial(plan_final, campaign_id=opened.pk, user=user) for user in (alice, bob))
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["Battle", "StateConflict"]
    assert Battle.objects.filter(part=Part.FINAL).count() == 1
