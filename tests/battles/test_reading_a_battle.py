"""The page, rows and records of a battle, and the preview of its confirmation."""

from uuid import UUID

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from battles.selectors.battle_page import battle_pages
from battles.selectors.battle_rows import battle_rows
from battles.selectors.confirmation_preview import preview_confirmation
from battles.selectors.permissions import battle_permissions
from battles.selectors.rivalries import rivalries_of
from battles.services.corrections import Correction, correct_battle
from battles.services.review import confirm_side, dispute_side
from campaigns.models import Campaign
from clubs.models import Club
from core.errors import StateConflict
from rulebook.chronicle.facts import Adjusted, Left
from rulebook.ruleset import Fate
from tests.battles.field import (
    battle_page,
    begin,
    confirmed,
    fight,
    fighters,
    log,
    muster,
    note,
    plan,
    run_campaign,
    state,
    wound,
)
from warbands.models import Fighter, Warband
from warbands.services.chronicle import append_facts

pytestmark = pytest.mark.one_database


@pytest.fixture
def submitted(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    """Return a battle submitted by Alice, in which a recruit of hers wounded one and killed one."""
    striker, victims = fighters(reds)[1], fighters(blues)
    events = [
        wound(striker, victims[1], turn=2),
        wound(striker, victims[2], "dead", turn=4),
        note("They fled."),
    ]
    return fight(alice, campaign, reds, blues, events=events)


def test_battle_page_shows_sides_and_fates(submitted: Battle, blues: Warband) -> None:
    page = battle_page(submitted.pk)
    assert (page.name, page.scenario_name, page.campaign_name) == (
        "Brawl",
        "Brawl",
        "The Long Winter",
    )
    assert [(side.warband_name, side.player, side.role_name) for side in page.sides] == [
        ("Reds", "alice", "Side"),
        ("Blues", "bob", "Side"),
    ]
    striker = page.sides[0].combatants[1]
    assert (striker.profile_name, striker.rank) == ("Recruit", 1)
    assert [(each.label, each.count) for each in striker.tallies] == [("Hits", 2), ("Felled", 1)]
    fallen = page.sides[1].combatants[2]
    assert (fallen.fighter, fallen.fate, fallen.wounds, fallen.experience) == (
        fighters(blues)[2].pk,
        "dead",
        "critical",
        0,
    )
    assert [line.points for line in page.sides[0].score] == [1]
    assert (page.sides[0].outcome, page.verdict) == ("won", "a wins.")


def test_awards_come_with_their_reasons_before_and_after_confirmation(
    submitted: Battle, bob: User
) -> None:
    def awards() -> list[tuple[int, str]]:
        striker = battle_page(submitted.pk).sides[0].combatants[1]
        assert striker.experience == 3
        return [(award.amount, award.sentence) for award in striker.awards]

    before = awards()
    assert before == [(1, "Survived the battle."), (1, "Wounded Blues 1."), (1, "Wounded Blues 2.")]
    confirm_side(battle_id=submitted.pk, user=bob)
    assert awards() == before


def test_log_lines_are_sentences(submitted: Battle) -> None:
    hit, kill, line = battle_page(submitted.pk).log
    assert hit.sentence == "Wound: attacker Reds 1, victim Blues 1, result Light wound"
    assert [(detail.label, detail.value) for detail in kill.details][2] == ("Result", "Killed")
    assert (kill.turn, kill.recorded_by, line.sentence) == (4, "alice", "They fled.")


def test_badges_show_progress(
    submitted: Battle, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    assert [badge.key for badge in battle_page(submitted.pk).badges] == ["submitted"]
    confirm_side(battle_id=submitted.pk, user=bob)
    correct_battle(
        battle_id=submitted.pk, user=alice, correction=Correction((note("Also."),), "Forgotten.")
    )
    assert [badge.label for badge in battle_page(submitted.pk).badges] == ["Confirmed", "Corrected"]
    one_off = plan(alice, None, reds, blues)
    assert [badge.key for badge in battle_page(one_off.pk).badges] == [
        "planned",
        "friendly",
        "one-off",
    ]


def test_a_page_keeps_corrections_with_their_reasons(
    submitted: Battle, alice: User, bob: User
) -> None:
    confirm_side(battle_id=submitted.pk, user=bob)
    correct_battle(
        battle_id=submitted.pk, user=alice, correction=Correction((note("Also."),), "Forgotten.")
    )
    page = battle_page(submitted.pk)
    assert [(each.number, each.reason, each.made_by) for each in page.revisions] == [
        (1, "Forgotten.", "alice")
    ]
    assert [line.revision for line in page.log] == [0, 0, 0, 1]


def test_a_page_shows_what_is_wrong_with_the_forces_until_it_is_submitted(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband, submitted: Battle
) -> None:
    assert [
        problem.code for problem in battle_page(plan(alice, campaign, reds, blues).pk).problems
    ] == ["empty-side"] * 2
    assert battle_page(submitted.pk).problems == ()


def test_a_page_shows_disputes(submitted: Battle, bob: User) -> None:
    dispute_side(battle_id=submitted.pk, user=bob, reason="He only fainted.")
    side = battle_page(submitted.pk).sides[1]
    assert (side.verdict, side.dispute, side.decided_by) == ("disputed", "He only fainted.", "bob")


def test_a_fighter_struck_from_the_roster_is_still_remembered(alice: User) -> None:
    warbands = muster(alice, "Reds"), muster(alice, "Blues")
    battle = begin(alice, None, *warbands)
    gone = fighters(warbands[0])[2]
    append_facts({warbands[0].pk: Left(fighter=str(gone.pk), reason="struck")}, user=alice)
    assert battle_page(battle.pk).sides[0].combatants[2].name == gone.name


def test_a_row_names_its_sides(submitted: Battle) -> None:
    (row,) = battle_rows(Battle.objects.filter(pk=submitted.pk).for_rows())
    assert [(side.warband_name, side.outcome) for side in row.sides] == [
        ("Reds", ""),
        ("Blues", ""),
    ]


def test_what_confirming_will_do_is_what_it_does(
    submitted: Battle, bob: User, alice: User, reds: Warband, blues: Warband
) -> None:
    preview = preview_confirmation(submitted.pk)
    assert (preview.verdict, preview.sides[0].outcome, preview.sides[0].victory_points) == (
        "a wins.",
        "won",
        1,
    )
    confirm_side(battle_id=submitted.pk, user=bob)
    for side, warband in zip(preview.sides, (reds, blues), strict=True):
        after = {UUID(key): fighter for key, fighter in state(warband).fighters.items()}
        for row in side.fighters:
            real = after[row.fighter]
            assert (row.fate_after, row.experience_after, row.misses) == (
                real.fate,
                real.experience,
                real.misses,
            )
    striker = preview.sides[0].fighters[1]
    assert (striker.experience_before, striker.experience_after, striker.may_rank_up) == (
        0,
        3,
        True,
    )
    assert not preview.sides[0].fighters[2].may_rank_up
    with pytest.raises(StateConflict):
        preview_confirmation(submitted.pk)


def test_a_preview_follows_a_log_that_is_still_being_written(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    battle = begin(alice, campaign, reds, blues)
    assert preview_confirmation(battle.pk).sides[0].outcome == "drew"
    log(alice, battle, wound(fighters(reds)[0], fighters(blues)[0], "dead"))
    assert preview_confirmation(battle.pk).sides[0].outcome == "won"


def test_a_preview_says_what_stands_in_the_way_and_where_a_die_decides(
    club: Club, alice: User, reds: Warband, blues: Warband
) -> None:
    campaign = run_campaign(club, alice, reds, blues, missed_game=True)
    battle = fight(
        alice,
        campaign,
        reds,
        blues,
        events=[wound(fighters(reds)[0], fighters(blues)[0], "grievous")],
    )
    append_facts(
        {reds.pk: Adjusted(fighter=str(fighters(reds)[2].pk), fate=Fate.DEAD, reason="Fever")},
        user=alice,
    )
    preview = preview_confirmation(battle.pk)
    assert [fighter.die for fighter in preview.sides[1].fighters] == [True, False, False]
    assert [problem.code for problem in preview.sides[0].problems] == ["fighter-gone"]


def test_doors_open_to_those_who_may(
    submitted: Battle, alice: User, bob: User, dora: User, charlie: User
) -> None:
    assert battle_permissions(submitted, alice).actions == (
        "describe",
        "reopen",
        "dispute",
        "decide",
        "void",
    )
    assert battle_permissions(submitted, bob).actions == (
        "describe",
        "reopen",
        "confirm",
        "dispute",
    )
    assert (
        battle_permissions(submitted, bob).sides,
        battle_permissions(submitted, bob).may_decide,
    ) == (("b",), False)
    assert (
        battle_permissions(submitted, dora).actions
        == battle_permissions(submitted, charlie).actions
        == ()
    )


def test_a_page_costs_the_same_queries_for_five_and_for_forty(
    club: Club, alice: User, django_assert_num_queries: object
) -> None:
    for size in (5, 40):
        warbands = [
            muster(alice, f"{name} {size}", *["recruit"] * size) for name in ("Reds", "Blues")
        ]
        campaign = run_campaign(club, alice, *warbands)
        reds, blues = map(fighters, warbands)
        hits = [wound(reds[place % size], blues[place % size]) for place in range(size)]
        battles = [confirmed(alice, campaign, *warbands, events=hits) for _ in range(size // 5)]
        with django_assert_num_queries(10):  # type: ignore[operator]
            battle_page(battles[0].pk)
        with django_assert_num_queries(10):  # type: ignore[operator]
            assert len(battle_pages(Battle.objects.filter(campaign=campaign).for_pages())) == len(
                battles
            )
        open_battle = begin(alice, campaign, *warbands)
        with django_assert_num_queries(5):  # type: ignore[operator]
            preview_confirmation(open_battle.pk)
        with django_assert_num_queries(2):  # type: ignore[operator]
            battle_permissions(open_battle, alice)


def test_rivals_wounded_each_other(
    submitted: Battle, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    striker, victims = fighters(reds)[1], fighters(blues)

    def met(fighter: Fighter) -> list[tuple[str, int, int, bool, bool]]:
        row = Fighter.objects.select_related("warband").get(pk=fighter.pk)
        return [
            (foe.name, foe.given, foe.taken, foe.felled, foe.killer)
            for foe in rivalries_of(row, alice)
        ]

    assert met(striker) == [], "nothing counts before it is confirmed"
    confirm_side(battle_id=submitted.pk, user=bob)
    assert sorted(met(striker)) == sorted(
        [(victims[1].name, 1, 0, False, False), (victims[2].name, 1, 0, True, False)]
    )
    assert met(victims[1]) == [(striker.name, 0, 1, False, False)]
    assert met(victims[2]) == [(striker.name, 0, 1, False, True)]
    assert met(victims[0]) == []
