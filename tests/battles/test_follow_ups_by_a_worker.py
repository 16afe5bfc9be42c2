"""The consequences of a battle, done by a real worker through the real broker."""

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from tests.battles.test_fighting_en_garde import Season
from tests.live import LiveWorker, eventually
from warbands.models import RankUpOffer, Warband
from warbands.roster_rules import affordable_rank_ups
from warbands.rulebook_values import read_state, ruleset_of_warband

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]


def test_a_confirmed_battle_is_followed_by_offers_for_every_veteran(
    worker: LiveWorker, alice: User
) -> None:
    season = Season(alice)
    for seed in range(4):
        season.fight("skirmish", seed=seed, idle=12)
    eventually(lambda: not Battle.objects.filter(follow_ups_due_since__isnull=False).exists())
    expected = set()
    for warband in Warband.objects.all():
        expected |= set(affordable_rank_ups(ruleset_of_warband(warband), read_state(warband)))
    assert expected
    eventually(
        lambda: (
            {str(key) for key in RankUpOffer.objects.values_list("fighter", flat=True)} == expected
        )
    )


def test_follow_ups_wait_for_a_worker_that_was_killed(worker: LiveWorker, alice: User) -> None:
    worker.kill()
    Season(alice).fight("skirmish", seed=1, idle=12)
    assert Battle.objects.get().follow_ups_due_since is not None
    worker.start()
    eventually(lambda: Battle.objects.get().follow_ups_due_since is None)
