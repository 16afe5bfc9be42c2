"""Recruits, changes of build, leavers: free in a draft, by the rules in play."""

from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace

from campaigns.models import Campaign
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from rulebook.chronicle.facts import Recruited
from rulebook.ruleset import Fate, RulesError
from tests.warbands.conftest import Enrol, fight, fighter_of
from warbands.models import Fighter, Warband
from warbands.rulebook_values import read_state
from warbands.services.chronicle import read_chronicle
from warbands.services.roster import (
    NewFighter,
    equip_fighter,
    recruit_fighters,
    release_fighter,
    rename_fighter,
)
from warbands.services.verification import prove
from warbands.services.warbands import muster_warband

RECRUIT = {"profile": "recruit"}
VETERAN = {"profile": "veteran"}


def recruit(warband: Warband, user: User, *fighters: NewFighter, overrule: str = "") -> list[UUID]:
    return recruit_fighters(
        warband_id=warband.pk,
        fighters=fighters or [NewFighter(RECRUIT)],
        user=user,
        overrule=overrule,
    )


def names(warband: Warband) -> list[str]:
    return list(warband.fighters.values_list("name", flat=True))


# Recruits


def test_recruits_keep_order_and_price(reds: Warband) -> None:
    assert names(reds) == ["Hector", "Jack", "Jill"]
    assert (reds.points, reds.fighter_count) == (26, 3)
    assert prove(reds) == []


def test_several_of_a_kind_are_numbered_on(reds: Warband, bob: User) -> None:
    recruit(reds, bob, NewFighter(RECRUIT, count=2))
    recruit(reds, bob, NewFighter(RECRUIT, name="Pike", count=2), NewFighter(RECRUIT))
    assert names(reds)[3:] == ["Recruit 1", "Recruit 2", "Pike 1", "Pike 2", "Recruit 3"]


def test_a_request_sent_twice_recruits_once(reds: Warband, bob: User) -> None:
    new_fighter = NewFighter(RECRUIT, count=2, client_id=uuid4())
    first, second = recruit(reds, bob, new_fighter), recruit(reds, bob, new_fighter)
    assert first == second
    assert reds.fighters.count() == 5


def test_a_client_id_gives_other_fighters_in_another_warband(reds: Warband, bob: User) -> None:
    new_fighter = NewFighter(RECRUIT, client_id=uuid4())
    blues = muster_warband(user=bob, ruleset="toy", faction="blues", name="The Blues")
    assert recruit(reds, bob, new_fighter) != recruit(blues, bob, new_fighter)
    assert reds.fighters.count() == 4


def test_a_client_id_cannot_be_used_for_a_larger_request(reds: Warband, bob: User) -> None:
    key = uuid4()
    recruit(reds, bob, NewFighter(RECRUIT, client_id=key))
    with pytest.raises(StateConflict) as refusal:
        recruit(reds, bob, NewFighter(RECRUIT, count=2, client_id=key))
    assert refusal.value.code == "client-id-reused"


@pytest.mark.parametrize(
    "other",
    [
        NewFighter(VETERAN, name="Pike", count=2),
        NewFighter(RECRUIT, name="Sword", count=2),
        NewFighter(RECRUIT, count=2),
        NewFighter(RECRUIT, name="Pike"),
    ],
)
def test_recruit_rejects_client_id_of_other_fighters(
    reds: Warband, bob: User, other: NewFighter
) -> None:
    key = uuid4()
    recruit(reds, bob, NewFighter(RECRUIT, name="Pike", count=2, client_id=key))
    with pytest.raises(StateConflict) as refusal:
        recruit(reds, bob, replace(other, client_id=key))
    assert (refusal.value.code, refusal.value.field) == ("fighter-differs", "fighters.0.client_id")


def test_recruit_repeats_after_fighter_was_renamed(reds: Warband, bob: User) -> None:
    new_fighter = NewFighter(RECRUIT, name="Pike", client_id=uuid4())
    (first,) = recruit(reds, bob, new_fighter)
    rename_fighter(fighter_id=first, name="Old Pike", user=bob)
    assert recruit(reds, bob, new_fighter) == [first]


def test_recruit_reports_every_problem_at_once(reds: Warband, bob: User) -> None:
    with pytest.raises(RulesError) as refusal:
        recruit(
            reds,
            bob,
            NewFighter({"profile": "dragon"}),
            NewFighter({"profile": "recruit", "options": ["wand"]}),
        )
    assert [(problem.code, problem.field) for problem in refusal.value.problems] == [
        ("not-a-choice", "fighters.0.build.profile"),
        ("not-a-choice", "fighters.1.build.options"),
    ]
    assert reds.fighters.count() == 3


@pytest.mark.parametrize(
    ("fighters", "code", "field"),
    [
        ([], "out-of-range", "fighters"),
        ([NewFighter(RECRUIT, count=0)], "out-of-range", "fighters.0.count"),
        ([NewFighter(RECRUIT, count=51)], "out-of-range", "fighters.0.count"),
        (
            [NewFighter(RECRUIT, count=30), NewFighter(RECRUIT, count=30)],
            "out-of-range",
            "fighters",
        ),
        ([NewFighter(RECRUIT, name="x" * 101)], "too-long", "fighters.0.name"),
        ([NewFighter({"profile": "\0"})], "unstorable-json", "fighters.0.build"),
        ([NewFighter({"profile": 2**40})], "unstorable-json", "fighters.0.build"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused(
    reds: Warband, bob: User, fighters: list[NewFighter], code: str, field: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        recruit_fighters(warband_id=reds.pk, fighters=fighters, user=bob)
    assert (refusal.value.code, refusal.value.field) == (code, field)


def test_a_draft_may_be_illegal_while_it_is_built(reds: Warband, bob: User) -> None:
    recruit(reds, bob, NewFighter({"profile": "captain"}))
    assert reds.fighters.count() == 4


def test_recruit_refuses_stale_roster(reds: Warband, bob: User) -> None:
    with pytest.raises(StateConflict) as refusal:
        recruit_fighters(warband_id=reds.pk, fighters=[NewFighter(RECRUIT)], user=bob, sequence=1)
    assert refusal.value.code == "chronicle-went-on"


# Recruits in play


def test_after_the_first_game_rank_1_may_join_within_the_agreed_points(
    reds: Warband, bob: User, enrol: Enrol
) -> None:
    enrol(reds, points=40)
    fight(reds, dead=("Jill",))
    recruit(reds, bob, NewFighter(RECRUIT, count=3))
    with pytest.raises(InvalidInput) as refusal:
        recruit(reds, bob)
    assert [problem.code for problem in refusal.value.problems] == ["over-points"]


def test_after_the_first_game_no_veteran_joins_unless_an_organiser_says_why(
    reds: Warband, campaign: Campaign, bob: User, alice: User
) -> None:
    fight(reds)
    with pytest.raises(InvalidInput) as refusal:
        recruit(reds, bob, NewFighter(VETERAN))
    assert [problem.code for problem in refusal.value.problems] == ["late-veteran"]
    with pytest.raises(Forbidden):
        recruit(reds, bob, NewFighter(VETERAN), overrule="He is my friend")
    late = NewFighter(VETERAN, client_id=uuid4())
    joined = recruit(reds, alice, late, overrule="His ship was late")
    (fact,) = (
        each for each in read_chronicle(reds.pk) if isinstance(each, Recruited) and each.reason
    )
    assert fact.reason == "His ship was late"
    with pytest.raises(StateConflict) as lost:
        recruit(reds, alice, late, overrule="He was ill")
    assert (lost.value.code, lost.value.field) == ("fighter-differs", "overrule")
    assert recruit(reds, alice, late, overrule="His ship was late") == joined


def test_a_problem_that_was_there_before_does_not_keep_recruits_out(
    reds: Warband, bob: User, enrol: Enrol
) -> None:
    recruit(reds, bob, NewFighter({"profile": "captain"}))
    enrol(reds, points=60)
    fight(reds)
    recruit(reds, bob)
    assert reds.fighters.count() == 5


def test_a_campaign_that_only_warns_lets_everybody_in(
    reds: Warband, bob: User, enrol: Enrol
) -> None:
    enrol(reds, points=30, legality="warn")
    fight(reds)
    recruit(reds, bob, NewFighter(VETERAN), overrule="")
    assert reds.fighters.count() == 4


def test_no_reason_is_kept_where_none_was_needed(
    reds: Warband, campaign: Campaign, alice: User
) -> None:
    recruit(reds, alice, overrule="just in case")
    assert getattr(read_chronicle(reds.pk)[-1], "reason", None) == ""


# Builds


def test_a_draft_is_equipped_freely(reds: Warband, bob: User) -> None:
    jack = fighter_of(reds, "Jack")
    equip_fighter(
        fighter_id=jack.pk, build={"profile": "recruit", "options": ["shield", "sword"]}, user=bob
    )
    reds.refresh_from_db()
    assert (fighter_of(reds, "Jack").points, reds.points) == (8, 29)


def test_unchanged_build_writes_nothing(reds: Warband, bob: User) -> None:
    before = reds.sequence
    equip_fighter(fighter_id=fighter_of(reds, "Jack").pk, build=RECRUIT, user=bob)
    reds.refresh_from_db()
    assert reds.sequence == before


def test_a_build_that_the_rules_refuse_changes_nothing(reds: Warband, bob: User) -> None:
    with pytest.raises(RulesError) as refusal:
        equip_fighter(fighter_id=fighter_of(reds, "Jack").pk, build={"profile": "dragon"}, user=bob)
    assert refusal.value.problems[0].field == "build.profile"
    with pytest.raises(InvalidInput):
        equip_fighter(fighter_id=fighter_of(reds, "Jack").pk, build=["recruit"], user=bob)  # type: ignore[arg-type]


def test_in_play_only_an_organiser_changes_a_build_and_says_why(
    reds: Warband, campaign: Campaign, alice: User, bob: User
) -> None:
    jack = fighter_of(reds, "Jack")
    with pytest.raises(InvalidInput) as refusal:
        equip_fighter(fighter_id=jack.pk, build=VETERAN, user=bob)
    assert refusal.value.code == "roster-locked"
    with pytest.raises(Forbidden):
        equip_fighter(fighter_id=jack.pk, build=VETERAN, user=bob, reason="please")
    with pytest.raises(InvalidInput):
        equip_fighter(fighter_id=jack.pk, build=VETERAN, user=alice)
    equip_fighter(fighter_id=jack.pk, build=VETERAN, user=alice, reason="written down wrong")
    assert fighter_of(reds, "Jack").rank == 2


def test_a_warband_that_has_fought_stays_locked_outside_any_campaign(
    reds: Warband, bob: User
) -> None:
    fight(reds)
    jack = fighter_of(reds, "Jack")
    with pytest.raises(InvalidInput):
        equip_fighter(fighter_id=jack.pk, build=VETERAN, user=bob)
    equip_fighter(fighter_id=jack.pk, build=VETERAN, user=bob, reason="my own book")


def test_a_friendly_battle_locks_nothing(reds: Warband, bob: User) -> None:
    fight(reds, friendly=True)
    equip_fighter(fighter_id=fighter_of(reds, "Jack").pk, build=VETERAN, user=bob)


# Names and leavers


def test_a_fighter_takes_another_name(reds: Warband, bob: User) -> None:
    jack = fighter_of(reds, "Jack")
    rename_fighter(fighter_id=jack.pk, name="Black Jack", user=bob)
    jack.refresh_from_db()
    assert jack.name == "Black Jack"


def test_who_is_struck_from_a_draft_has_never_been(reds: Warband, bob: User) -> None:
    release_fighter(fighter_id=fighter_of(reds, "Jack").pk, reason="struck", user=bob)
    reds.refresh_from_db()
    assert (names(reds), reds.points) == (["Hector", "Jill"], 21)
    recruit(reds, bob, NewFighter(RECRUIT, name="Joe"))
    assert names(reds) == ["Hector", "Jill", "Joe"]
    assert prove(Warband.objects.get(pk=reds.pk)) == []


def test_in_play_fighters_retire_and_stay_on_the_roll(
    reds: Warband, campaign: Campaign, bob: User
) -> None:
    jack = fighter_of(reds, "Jack")
    with pytest.raises(InvalidInput) as refusal:
        release_fighter(fighter_id=jack.pk, reason="struck", user=bob)
    assert refusal.value.code == "roster-locked"
    release_fighter(fighter_id=jack.pk, reason="dismissed", user=bob)
    state = read_state(reds).fighters[str(jack.pk)]
    assert (state.fate, state.end) == (Fate.RETIRED, "dismissed")
    with pytest.raises(InvalidInput) as refusal:
        release_fighter(fighter_id=jack.pk, reason="retired", user=bob)
    assert refusal.value.code == "fighter-gone"


def test_nobody_leaves_for_a_reason_that_is_none(reds: Warband, bob: User) -> None:
    with pytest.raises(InvalidInput) as refusal:
        release_fighter(fighter_id=fighter_of(reds, "Jack").pk, reason="bored", user=bob)
    assert refusal.value.code == "unknown-choice"


def test_strangers_do_not_find_fighters(reds: Warband, charlie: User) -> None:
    jack = fighter_of(reds, "Jack")
    for change in (
        lambda: rename_fighter(fighter_id=jack.pk, name="Mine", user=charlie),
        lambda: release_fighter(fighter_id=jack.pk, reason="struck", user=charlie),
        lambda: equip_fighter(fighter_id=jack.pk, build=VETERAN, user=charlie),
        lambda: recruit(reds, charlie),
    ):
        with pytest.raises(NotFound):
            change()
    assert Fighter.objects.get(pk=jack.pk).name == "Jack"
