"""Line-ups: fit fighters of the side's own warband, in their present state."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles.models import Battle, Combatant
from battles.services.corrections import void_battle
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.logbook import log_events
from battles.services.planning import describe_battle
from battles.services.review import Decision, confirm_side, decide_battle, submit_battle
from campaigns.models import Campaign
from clubs.models import Club, Membership
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from rulebook.chronicle.facts import Adjusted, Renamed
from rulebook.ruleset import Fate
from tests.battles.field import (
    begin,
    field,
    fight,
    fighters,
    log,
    muster,
    plan,
    run_campaign,
    wound,
)
from warbands.models import Warband
from warbands.services.chronicle import append_facts


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    return plan(alice, campaign, reds, blues)


def refused(battle: Battle, user: User, force: Force, side: str = "a") -> list[str]:
    """Return the codes of the problems of a refused force."""
    with pytest.raises(InvalidInput) as refusal:
        field_combatants(battle_id=battle.pk, side=side, force=force, user=user)
    assert not Combatant.objects.exists()
    return [problem.code for problem in refusal.value.problems]


def test_a_fighter_is_fielded_as_it_is_now(battle: Battle, alice: User, reds: Warband) -> None:
    captain, recruit, _ = fighters(reds)
    force = Force((recruit.pk, captain.pk), {"leader": (captain.pk,), "banner": (recruit.pk,)})
    assert field_combatants(battle_id=battle.pk, side="a", force=force, user=alice) == ()
    first, second = Combatant.objects.order_by("place")
    assert (first.fighter, first.posts) == (recruit, ["banner"])
    assert (second.name, second.rank, second.points, second.posts) == (
        captain.name,
        3,
        16,
        ["leader"],
    )
    assert second.build == captain.state["build"]


def test_the_leader_of_the_roster_leads_if_nobody_else_is_named(
    battle: Battle, alice: User, reds: Warband
) -> None:
    field(alice, battle)
    assert Combatant.objects.get(posts=["leader"], side__key="a").fighter == fighters(reds)[0]


def test_fielding_again_replaces_the_force(battle: Battle, alice: User, reds: Warband) -> None:
    everybody = tuple(fighter.pk for fighter in fighters(reds))
    for force in (everybody, everybody[:1]):
        field_combatants(battle_id=battle.pk, side="a", force=Force(force), user=alice)
    assert [combatant.fighter_id for combatant in Combatant.objects.all()] == [everybody[0]]


def test_the_dead_the_unknown_and_the_enemy_are_refused_at_once(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    dead, fit, _ = fighters(reds)
    append_facts(
        {reds.pk: Adjusted(fighter=str(dead.pk), fate=Fate.DEAD, reason="Fever")}, user=alice
    )
    force = Force((dead.pk, fit.pk, fit.pk, uuid4(), fighters(blues)[0].pk), {"leader": (uuid4(),)})
    codes = refused(battle, alice, force)
    assert codes == [
        "not-fit",
        "fielded-twice",
        "unknown-fighter",
        "unknown-fighter",
        "not-fielded",
    ]


def test_a_side_with_nobody_is_refused_by_the_rules(battle: Battle, alice: User) -> None:
    with pytest.raises(InvalidInput) as refusal:
        field_combatants(battle_id=battle.pk, side="a", force=Force(()), user=alice)
        start_battle(battle_id=battle.pk, user=alice)
    assert refusal.value.code == "illegal-force"


def test_a_side_that_does_not_exist_is_not_found(
    battle: Battle, alice: User, reds: Warband
) -> None:
    with pytest.raises(NotFound):
        field_combatants(
            battle_id=battle.pk, side="z", force=Force((fighters(reds)[0].pk,)), user=alice
        )


def test_line_up_rejects_stale_version(battle: Battle, alice: User, reds: Warband) -> None:
    force = Force((fighters(reds)[0].pk,))
    field_combatants(battle_id=battle.pk, side="a", force=force, user=alice, version=1)
    with pytest.raises(StateConflict) as refusal:
        field_combatants(battle_id=battle.pk, side="a", force=force, user=alice, version=1)
    assert refusal.value.code == "stale-version"


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_two_sides_field_from_pages_of_the_same_version(
    battle: Battle, alice: User, reds: Warband, blues: Warband, order: str
) -> None:
    forces = {"a": Force((fighters(reds)[0].pk,)), "b": Force((fighters(blues)[0].pk,))}
    for side in order:
        field_combatants(battle_id=battle.pk, side=side, force=forces[side], user=alice, version=1)
    assert Combatant.objects.count() == 2
    with pytest.raises(StateConflict):
        field_combatants(
            battle_id=battle.pk, side=order[0], force=forces[order[0]], user=alice, version=1
        )
    field_combatants(
        battle_id=battle.pk, side=order[0], force=forces[order[0]], user=alice, version=2
    )


def test_a_version_that_nobody_has_seen_is_refused(
    battle: Battle, alice: User, reds: Warband
) -> None:
    force = Force((fighters(reds)[0].pk,))
    with pytest.raises(StateConflict) as refusal:
        field_combatants(battle_id=battle.pk, side="a", force=force, user=alice, version=77)
    assert refusal.value.code == "stale-version"


def test_other_line_up_does_not_conflict(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    """Only what starts a battle rests on both line-ups."""
    seen = battle.version
    first, second = fighters(reds)[0], fighters(blues)[0]
    field_combatants(battle_id=battle.pk, side="b", force=Force((second.pk,)), user=alice)
    describe_battle(battle_id=battle.pk, user=alice, title="The ford", version=seen)
    field_combatants(battle_id=battle.pk, side="a", force=Force((first.pk,)), user=alice)
    with pytest.raises(StateConflict):
        start_battle(battle_id=battle.pk, user=alice, version=seen)
    seen = start_battle(battle_id=battle.pk, user=alice).version
    field_combatants(battle_id=battle.pk, side="b", force=Force((second.pk,)), user=alice)
    log_events(battle_id=battle.pk, events=[wound(first, second)], user=alice, version=seen)
    with pytest.raises(StateConflict):
        log_events(battle_id=battle.pk, events=[wound(first, second)], user=alice, version=seen)


def test_each_of_three_sides_confirms_what_all_have_read(
    club: Club, alice: User, bob: User, charlie: User
) -> None:
    Membership.objects.create(club=club, user=charlie, name="charlie", role="player")
    warbands = muster(alice, "Reds"), muster(bob, "Blues"), muster(charlie, "Greens")
    battle = fight(alice, run_campaign(club, alice, *warbands), *warbands)
    seen = Battle.objects.get(pk=battle.pk).version
    confirm_side(battle_id=battle.pk, user=bob, version=seen)
    assert confirm_side(battle_id=battle.pk, user=charlie, version=seen).state == "confirmed"


def test_a_reader_fields_nobody(battle: Battle, dora: User, reds: Warband) -> None:
    with pytest.raises(Forbidden):
        field_combatants(
            battle_id=battle.pk, side="a", force=Force((fighters(reds)[0].pk,)), user=dora
        )


def test_battle_starts_with_present_fighters(battle: Battle, alice: User, reds: Warband) -> None:
    field(alice, battle)
    append_facts(
        {reds.pk: Renamed(fighter=str(fighters(reds)[0].pk), name="Old Gonzalo")}, user=alice
    )
    started = start_battle(battle_id=battle.pk, user=alice)
    assert started.state == "under-way"
    assert Combatant.objects.get(posts=["leader"], side__key="a").name == "Old Gonzalo"


def test_a_battle_does_not_start_with_somebody_who_has_died_since(
    battle: Battle, alice: User, reds: Warband
) -> None:
    field(alice, battle)
    append_facts(
        {reds.pk: Adjusted(fighter=str(fighters(reds)[1].pk), fate=Fate.DEAD, reason="Fever")},
        user=alice,
    )
    with pytest.raises(InvalidInput) as refusal:
        start_battle(battle_id=battle.pk, user=alice)
    assert [problem.code for problem in refusal.value.problems] == ["not-fit"]


def test_a_battle_does_not_start_with_an_empty_side(battle: Battle, alice: User) -> None:
    with pytest.raises(InvalidInput) as refusal:
        start_battle(battle_id=battle.pk, user=alice)
    assert [problem.code for problem in refusal.value.problems] == [
        "nobody-fielded",
        "nobody-fielded",
    ]


def test_a_battle_starts_once(battle: Battle, alice: User) -> None:
    field(alice, battle)
    start_battle(battle_id=battle.pk, user=alice)
    with pytest.raises(StateConflict) as refusal:
        start_battle(battle_id=battle.pk, user=alice)
    assert refusal.value.code == "wrong-state"


def test_line_up_changes_while_log_allows_it(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    battle = begin(alice, campaign, reds, blues)
    first, second, third = fighters(reds)
    log(alice, battle, wound(first, fighters(blues)[0]))
    field_combatants(battle_id=battle.pk, side="a", force=Force((first.pk, second.pk)), user=alice)
    with pytest.raises(InvalidInput) as refusal:
        field_combatants(
            battle_id=battle.pk, side="a", force=Force((second.pk, third.pk)), user=alice
        )
    assert refusal.value.code == "log-needs-them"
    assert Combatant.objects.filter(side__key="a").count() == 2


def test_line_up_warns_of_unfinished_battle(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    """Nobody has to wait for a slow opponent, but the dead of a log not confirmed yet had better
    stay at home."""

    def warnings() -> list[tuple[str, tuple[str, ...]]]:
        force = Force(tuple(fighter.pk for fighter in fighters(reds)))
        problems = field_combatants(battle_id=next_one.pk, side="a", force=force, user=alice)
        return [(problem.code, problem.fighters) for problem in problems]

    before, next_one = begin(alice, campaign, reds, blues), plan(alice, campaign, reds, blues)
    fallen = str(fighters(reds)[2].pk)
    assert [code for code, _ in warnings()] == ["fielded-elsewhere"] * 3
    log(alice, before, wound(fighters(blues)[0], fighters(reds)[2], "dead"))
    submit_battle(battle_id=before.pk, user=alice)
    assert warnings() == [("fate-pending", (fallen,))]
    decide_battle(battle_id=before.pk, user=alice, decision=Decision.REOPEN)
    void_battle(battle_id=before.pk, user=alice)
    assert warnings() == []


def test_fielding_forty_costs_as_many_queries_as_fielding_five(club: Club, alice: User) -> None:
    counts = set()
    for size in (5, 40):
        reds = muster(alice, f"Reds {size}", *["recruit"] * size)
        blues = muster(alice, f"Blues {size}", *["recruit"] * size)
        battle = plan(alice, run_campaign(club, alice, reds, blues), reds, blues)
        force = Force(tuple(fighter.pk for fighter in fighters(reds)))
        with CaptureQueriesContext(connection) as queries:
            field_combatants(battle_id=battle.pk, side="a", force=force, user=alice)
        counts.add(len(queries))
    assert counts == {20}, "three for the activity log, two for the signed side"
