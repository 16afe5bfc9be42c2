"""The bench in a database: twin worlds, bare SQL that writes the same rows, a history made in bulk."""

import pytest
from django.db import connection

from battles.models import Battle, BattleEvent, BattleState, Combatant
from battles.services.review import confirm_side
from scripts.bench.bare import bare_connection, write
from scripts.bench.confirming import confirming, rows_written, written
from scripts.bench.correcting import correction_findings
from scripts.bench.history import add_history
from scripts.bench.inside import campaign_of, on_sqlite
from scripts.bench.sizes import QUICK
from scripts.bench.twins import Twins
from scripts.bench.world import World, fought, make_world
from warbands.models import ChronicleEntry, ExperienceEntry, Warband
from warbands.rulebook_values import read_state


@pytest.fixture
def worlds(transactional_db: None) -> tuple[World, World]:
    """Return two worlds that change in the same way."""
    return make_world(), make_world()


def test_bare_sql_writes_what_a_confirmation_writes(worlds):
    world, twin = worlds
    twins = Twins(world, twin)
    battle, other = fought(world), fought(twin)
    twins.add_battle(battle, other)
    confirm_side(battle_id=battle, user=world.bob)
    with bare_connection() as bare:
        write(bare, written(battle, twins))
    assert Battle.objects.get(pk=other).state == BattleState.CONFIRMED
    for ours, theirs in zip(world.warbands, twin.warbands, strict=True):
        our_state, their_state = (
            read_state(Warband.objects.get(pk=each.pk)) for each in (ours, theirs)
        )
        assert [fighter.experience for fighter in our_state.fighters.values()] == [
            fighter.experience for fighter in their_state.fighters.values()
        ]
        assert (our_state.sequence, our_state.games_played) == (
            their_state.sequence,
            their_state.games_played,
        )
        lines = [ExperienceEntry.objects.filter(warband=each.pk).count() for each in (ours, theirs)]
        assert lines[0] == lines[1] > 0
    assert rows_written(battle) == rows_written(other) > 100


@pytest.mark.skipif(
    connection.vendor != "sqlite", reason="`test_bench_whole.py` does it on PostgreSQL"
)
def test_what_is_measured_on_sqlite_is_found(transactional_db):
    (finding,) = on_sqlite(QUICK)
    assert finding.what == "Confirm 2 x 20 fighters, 60 events, on SQLite"


@pytest.mark.soak("benchmarks of confirmations, counted", each=1, sample=0)
def test_confirmations_are_measured_one_after_the_other(worlds):
    pair = confirming(*worlds, turns=1)
    assert pair.turns == 1
    assert Battle.objects.filter(state=BattleState.CONFIRMED).count() == 6


@pytest.mark.postgres
def test_copied_battles_are_whole_and_the_warbands_fight_on(transactional_db):
    world = campaign_of(1)
    template = Battle.objects.get()
    events, combatants = BattleEvent.objects.count(), Combatant.objects.count()
    lines = ExperienceEntry.objects.count()
    add_history(template.pk, 3)
    assert Battle.objects.filter(campaign=world.campaign, state=BattleState.CONFIRMED).count() == 4
    assert (BattleEvent.objects.count(), Combatant.objects.count()) == (4 * events, 4 * combatants)
    assert ExperienceEntry.objects.count() == 4 * lines
    assert ChronicleEntry.objects.filter(kind="fought").values("subject").distinct().count() == 4
    warband = Warband.objects.get(pk=world.warbands[0].pk)
    last = ChronicleEntry.objects.filter(warband=warband).latest("sequence")
    assert (warband.sequence, warband.head_seal) == (last.sequence, last.seal)
    assert warband.state["sequence"] == last.sequence
    confirm_side(battle_id=fought(world), user=world.bob)
    assert Warband.objects.get(pk=warband.pk).sequence == last.sequence + 1


@pytest.mark.postgres
def test_corrections_of_the_first_battle_are_measured(transactional_db):
    world = campaign_of(3)
    (finding,) = correction_findings(world, 1)
    assert finding.what == "Correct the first of 3 battles"
    first = Battle.objects.earliest("confirmed_at")
    assert first.revision == 2


def test_a_bare_connection_is_one_of_the_same_database(transactional_db):
    make_world()
    with bare_connection() as bare:
        count = bare.cursor().execute("SELECT count(*) FROM warbands_warband").fetchone()[0]
    assert count == 2
    assert connection.vendor in ("postgresql", "sqlite")
