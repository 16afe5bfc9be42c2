"""A correction writes only the ledger lines that differ, and leaves what a full replay gives."""

from collections.abc import Iterable
from random import Random
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from core.errors import OpenConflicts
from rulebook.chronicle.facts import AnyFact, Corrected, Fought
from rulebook.chronicle.replay import effective
from tests.warbands.conftest import fight, fighter_of
from warbands.models import ExperienceEntry, Warband
from warbands.services import chronicle
from warbands.services.chronicle import correct_facts, read_chronicle
from warbands.services.rank_ups import take_rank_up
from warbands.services.verification import prove

NAMES = ("Jack", "Jill")


def battles_of(warband: Warband) -> list[tuple[int, Fought]]:
    """Return the battles that count, each with its place in the history."""
    facts = effective(read_chronicle(warband.pk))
    return [(place, fact) for place, fact in facts if isinstance(fact, Fought)]


def lines_of(warband: Warband) -> dict[int, tuple[int, int]]:
    """Return the fact and the balance of each stored line, by its id."""
    rows = ExperienceEntry.objects.filter(warband=warband).order_by("pk")
    return {
        pk: (sequence, balance)
        for pk, sequence, balance in rows.values_list("pk", "sequence", "balance")
    }


def changed(fought: Fought, luck: Random) -> Fought | None:
    """Return a battle voided, moved to another day, or with fewer or more deeds."""
    what = luck.choice(("void", "day", "fewer", "more"))
    if what == "void":
        return None
    if what == "day":
        day = f"2026-02-{luck.randint(10, 28)}"
        return replace(fought, fought_on=day, place_in_day=f"{day}T00:00:00.000000+00:00")
    deeds = fought.deeds[: luck.randint(0, len(fought.deeds))]
    return replace(fought, deeds=deeds if what == "fewer" else (*fought.deeds, *fought.deeds))


@pytest.mark.parametrize("seed", range(12))
def test_stored_lines_equal_replay_after_any_corrections(reds: Warband, seed: int) -> None:
    luck = Random(seed)
    for _ in range(5):
        fight(reds, {name: luck.randint(0, 3) for name in NAMES})
    for _ in range(6):
        place, fought = luck.choice(battles_of(reds) or [(0, Fought())])
        if not place:
            return
        correction = Corrected(target=place, replacement=changed(fought, luck))
        try:
            correct_facts({reds.pk: correction}, user=None)
        except OpenConflicts:
            continue
        assert prove(Warband.objects.get(pk=reds.pk)) == []


def test_correction_keeps_lines_of_earlier_battles(reds: Warband) -> None:
    for _ in range(3):
        fight(reds, {"Jack": 1})
    before = lines_of(reds)
    place, fought = battles_of(reds)[1]
    correct_facts(
        {reds.pk: Corrected(target=place, replacement=replace(fought, deeds=()))}, user=None
    )
    after = lines_of(reds)
    assert all(after[pk] == line for pk, line in before.items() if line[0] < place)
    assert after.keys() < before.keys(), "Jack's wound is gone, and no line has a new id"
    jack = fighter_of(reds, "Jack")
    assert [line.balance for line in jack.ledger.order_by("pk")] == [1, 2, 3, 4, 5]


def test_void_of_first_battle_shifts_later_balances(reds: Warband) -> None:
    for _ in range(3):
        fight(reds, {"Jack": 1})
    before = lines_of(reds)
    place, _ = battles_of(reds)[0]
    correct_facts({reds.pk: Corrected(target=place)}, user=None)
    after = lines_of(reds)
    assert after.keys() == {pk for pk, (sequence, _) in before.items() if sequence != place}
    assert prove(Warband.objects.get(pk=reds.pk)) == []


def queries_of_void(warband: Warband, place: int) -> int:
    with CaptureQueriesContext(connection) as queries:
        correct_facts({warband.pk: Corrected(target=place)}, user=None)
    return len(queries)


def test_void_takes_as_many_queries_among_many_battles(reds: Warband) -> None:
    numbers = set()
    for more in (3, 8):
        for _ in range(more):
            fight(reds, {"Jack": 1})
        numbers.add(queries_of_void(reds, battles_of(reds)[0][0]))
    assert len(numbers) == 1


def test_struck_wound_reads_and_writes_no_later_facts(
    reds: Warband, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        fight(reds, {"Jack": 1})
    before = lines_of(reds)
    place, fought = battles_of(reds)[0]
    read: list[list[UUID]] = []

    def read_whole(warband_ids: Iterable[UUID]) -> dict[UUID, list[AnyFact]]:
        read.append(list(warband_ids))
        return {}

    correction = Corrected(target=place, replacement=replace(fought, deeds=()))
    with monkeypatch.context() as patched:
        patched.setattr(chronicle, "read_chronicles", read_whole)
        correct_facts({reds.pk: correction}, user=None)
    assert read == [[]]
    assert prove(Warband.objects.get(pk=reds.pk)) == []
    jack = fighter_of(reds, "Jack")
    assert [line.balance for line in jack.ledger.order_by("pk")] == [1, 2, 3, 4, 5]
    assert lines_of(reds).keys() < before.keys(), "No line has a new id."


def test_struck_wounds_that_paid_for_a_rank_up_are_refused(reds: Warband, bob: User) -> None:
    fight(reds, {"Jack": 3})
    take_rank_up(fighter_id=fighter_of(reds, "Jack").pk, step="veteran", user=bob)
    fight(reds, {"Jack": 3})
    place, fought = battles_of(reds)[0]
    fewer = {
        number: Corrected(target=place, replacement=replace(fought, deeds=fought.deeds[:number]))
        for number in (1, 2)
    }
    with pytest.raises(OpenConflicts):
        correct_facts({reds.pk: fewer[1]}, user=None)
    before = fighter_of(reds, "Jack").experience
    correct_facts({reds.pk: fewer[2]}, user=None)
    assert fighter_of(reds, "Jack").experience == before - 1
    assert prove(Warband.objects.get(pk=reds.pk)) == []
