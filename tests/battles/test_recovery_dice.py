"""The die for the gravely wounded: thrown once, by the server, and the same however often the log
is read."""

from collections import Counter

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from battles.models import Battle
from battles.rulebook_values import read_result
from battles.services.corrections import Correction, correct_battle, preview_correction
from battles.services.outcomes import recovery_die, with_recovery_dice
from battles.services.planning import plan_battle
from battles.services.review import confirm_side, submit_battle
from campaigns.models import Campaign
from clubs.models import Club
from rulebook.ruleset import Record
from tests.battles.field import begin, confirmed, fighters, log, note, planned, run_campaign, wound
from tests.full_toy import TOY
from warbands.models import Warband

pytestmark = pytest.mark.one_database


@pytest.fixture
def campaign(club: Club, alice: User, reds: Warband, blues: Warband) -> Campaign:
    """Return a campaign in which grievously wounded fighters miss a game on 1 to 3."""
    return run_campaign(club, alice, reds, blues, missed_game=True)


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    """Return a confirmed battle in which a Blue was grievously wounded."""
    return confirmed(
        alice,
        campaign,
        reds,
        blues,
        events=[wound(fighters(reds)[0], fighters(blues)[1], "grievous")],
    )


def records(battle: Battle) -> dict[str, Record]:
    """Return the records of the stored result by fighter."""
    result = read_result(Battle.objects.get(pk=battle.pk))
    assert result is not None
    return {record.fighter: record for side in result.sides for record in side.records}


def test_the_die_is_thrown_for_the_gravely_wounded_alone_and_decides_their_fate(
    battle: Battle, blues: Warband
) -> None:
    hurt = fighters(blues)[1]
    thrown = {
        fighter: record.recovery_roll
        for fighter, record in records(battle).items()
        if record.recovery_roll
    }
    assert thrown.keys() == {str(hurt.pk)}
    assert hurt.fate == ("recovering" if thrown[str(hurt.pk)] <= 3 else "fit")


@pytest.mark.parametrize(("result", "again"), [("light", False), ("grievous", True)])
def test_confirming_writes_the_result_sheet_again_only_where_a_die_came_into_it(
    campaign: Campaign,
    alice: User,
    bob: User,
    reds: Warband,
    blues: Warband,
    result: str,
    again: bool,
) -> None:
    battle = begin(alice, campaign, reds, blues)
    log(alice, battle, wound(fighters(reds)[0], fighters(blues)[1], result))
    submit_battle(battle_id=battle.pk, user=alice)
    with CaptureQueriesContext(connection) as statements:
        confirm_side(battle_id=battle.pk, user=bob)
    (written,) = [
        each["sql"] for each in statements if each["sql"].startswith('UPDATE "battles_battle" ')
    ]
    assert ('"result"' in written) is again


def test_a_correction_keeps_the_die_that_was_thrown(
    battle: Battle, alice: User, blues: Warband
) -> None:
    hurt = str(fighters(blues)[1].pk)
    before = records(battle)[hurt].recovery_roll
    correction = Correction((note("A word more."),), "Forgotten.")
    assert preview_correction(battle_id=battle.pk, user=alice, correction=correction).fighters == ()
    correct_battle(battle_id=battle.pk, user=alice, correction=correction)
    assert records(battle)[hurt].recovery_roll == before


def test_a_dry_run_and_its_correction_throw_the_same_new_die(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    event = wound(fighters(blues)[0], fighters(reds)[2], "grievous")
    correction = Correction((event,), "Forgotten.")
    dry = preview_correction(battle_id=battle.pk, user=alice, correction=correction)
    correct_battle(battle_id=battle.pk, user=alice, correction=correction)
    foretold = {change.name: change.fate_after for change in dry.fighters}
    assert fighters(reds)[2].fate == foretold.get("Reds 2", "fit")


def test_a_die_typed_in_the_log_is_left_as_it_is(battle: Battle, blues: Warband) -> None:
    result = read_result(battle)
    assert result is not None
    hurt = str(fighters(blues)[1].pk)
    typed = [
        replace(record, recovery_roll=2) if record.fighter == hurt else record
        for record in result.sides[1].records
    ]
    sheet = replace(result, sides=(result.sides[0], replace(result.sides[1], records=tuple(typed))))
    assert with_recovery_dice(battle, sheet) == sheet
    assert TOY.progression.recovery_dice(tuple(typed), battle.house_rules) == (hurt,)


def test_no_two_battles_share_their_dice_and_all_faces_come_up(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    battles = [
        plan_battle(user=alice, plan=planned(alice, reds, blues, campaign=campaign.pk))
        for _ in range(2)
    ]
    assert battles[0].dice_seed != battles[1].dice_seed
    throws = Counter(recovery_die(battles[0], str(number)) for number in range(600))
    assert throws.keys() == {1, 2, 3, 4, 5, 6}
    assert [recovery_die(battles[0], "a")] * 3 == [recovery_die(battles[0], "a") for _ in range(3)]
