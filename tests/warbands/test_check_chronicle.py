"""``check_chronicle`` finds changed data; ``rebuild_projections`` restores projections."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from campaigns.models import Campaign
from tests.triggers import triggers_off
from tests.warbands.conftest import fight, fighter_of
from warbands.models import ChronicleEntry, ChronicleRegister, ExperienceEntry, Fighter, Warband
from warbands.services.chronicle import seal_of
from warbands.services.rank_ups import take_rank_up, undo_rank_up
from warbands.services.roster import write_fighter_story
from warbands.services.warbands import muster_warband

tampering = pytest.mark.soak("kinds of tampering, each found and named", each=1, sample=7)
"""All of them are tried always, and counted by `make soak`."""

SOUND = "Battles, campaigns, signed rows, keys and the activity log: all sound."


@pytest.fixture(autouse=True)
def battles_of_facts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the check of battles, as the facts here have none.

    tests/battles/test_proving_battles.py covers it.
    """
    monkeypatch.setattr("operations.management.commands.check_chronicle.check_battles", lambda: ())


@pytest.fixture
def veterans(reds: Warband, campaign: Campaign, bob: User) -> Warband:
    """Return the Reds after two battles, a death, and a rank-up: taken, undone and taken again."""
    fight(reds, {"Jack": 3})
    jack = fighter_of(reds, "Jack").pk
    take_rank_up(fighter_id=jack, step="veteran", user=bob)
    undo_rank_up(fighter_id=jack, user=bob)
    take_rank_up(fighter_id=jack, step="veteran", user=bob)
    fight(reds, {"Jill": 1}, dead=("Hector",))
    return Warband.objects.get(pk=reds.pk)


def behind_its_back() -> AbstractContextManager[Any]:
    """Disable the triggers of chronicles, as the owner of the database can."""
    return triggers_off("warbands_chronicleentry")


def check(*warbands: Warband, **options: Any) -> str:
    out = StringIO()
    call_command(
        "check_chronicle",
        *(str(warband.pk) for warband in warbands),
        stdout=out,
        stderr=out,
        **options,
    )
    return out.getvalue()


def complaint(**options: Any) -> str:
    """Return the output of the command, which must exit with 1."""
    err = StringIO()
    with pytest.raises(CommandError) as refusal:
        call_command("check_chronicle", stdout=err, stderr=err, **options)
    assert refusal.value.returncode == 1
    return err.getvalue()


def test_untouched_warbands_are_proved_right(veterans: Warband) -> None:
    assert check() == f"1 warband matches its chronicle.\n{SOUND}\n"
    assert check(veterans) == "1 warband matches its chronicle.\n"


def test_an_unknown_warband_is_an_error(veterans: Warband) -> None:
    with pytest.raises(CommandError, match="Warband not found"):
        call_command("check_chronicle", str(uuid4()))


def spoil_points(warband: Warband) -> None:
    Warband.objects.filter(pk=warband.pk).update(points=1)


def spoil_balance(warband: Warband) -> None:
    Fighter.objects.filter(warband=warband, name="Jack").update(experience=99)


def spoil_state(warband: Warband) -> None:
    jack = fighter_of(warband, "Jack")
    jack.state["fate"] = "dead"
    jack.save()


def spoil_ledger(warband: Warband) -> None:
    line = ExperienceEntry.objects.filter(warband=warband).first()
    assert line is not None
    line.amount += 1
    line.save()


def lose_a_line(warband: Warband) -> None:
    ExperienceEntry.objects.filter(warband=warband, sequence=4, line=1).delete()


def lose_a_fighter(warband: Warband) -> None:
    fighter_of(warband, "Jill").delete()


def add_a_fighter(warband: Warband) -> None:
    Fighter.objects.create(
        warband=warband, name="Ghost", profile_name="Captain", rank=3, points=16, fate="fit"
    )


PROJECTIONS = [
    (spoil_points, "warband points: stored 1, proper"),
    (spoil_balance, "experience: stored 99, proper"),
    (spoil_state, "state: stored"),
    (spoil_ledger, "ledger line"),
    (lose_a_line, "stored not there, proper"),
    (lose_a_fighter, "stored not on the roster, proper on the roster"),
    (add_a_fighter, "stored on the roster, proper not on the roster"),
]


@tampering
@pytest.mark.parametrize(("spoil", "message"), PROJECTIONS)
def test_check_finds_and_rebuilds_changed_projection(
    veterans: Warband, spoil: Callable[[Warband], None], message: str
) -> None:
    spoil(veterans)
    assert message in complaint()
    call_command("rebuild_projections", stdout=StringIO())
    assert SOUND in check()


def test_only_the_first_difference_is_named_unless_all_are_asked_for(veterans: Warband) -> None:
    spoil_points(veterans)
    spoil_ledger(veterans)
    assert len(complaint().splitlines()) == 2
    assert len(complaint(every=True).splitlines()) > 2


def test_rebuild_keeps_stories_and_sound_warbands(veterans: Warband, bob: User) -> None:
    write_fighter_story(fighter_id=fighter_of(veterans, "Jack").pk, story="Mine.", user=bob)
    out = StringIO()
    call_command("rebuild_projections", stdout=out)
    assert out.getvalue() == "0 of 1 warbands were rebuilt.\n"
    spoil_state(veterans)
    call_command("rebuild_projections", str(veterans.pk), stdout=out)
    assert fighter_of(veterans, "Jack").story == "Mine."


# The chronicle itself


def a_battle(warband: Warband) -> ChronicleEntry:
    entry = warband.chronicle.filter(kind="fought").first()
    assert entry is not None
    return entry


def test_the_database_refuses_to_change_or_delete_an_entry(veterans: Warband) -> None:
    entry = a_battle(veterans)
    for change in (
        lambda: ChronicleEntry.objects.filter(pk=entry.pk).update(kind="left"),
        lambda: ChronicleEntry.objects.filter(pk=entry.pk).delete(),
        lambda: ChronicleEntry.objects.bulk_update([entry], ["payload"]),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()
    assert a_battle(veterans) == entry


@tampering
def test_a_changed_fact_breaks_its_seal(veterans: Warband) -> None:
    entry = a_battle(veterans)
    entry.payload["victory_points"] = 1000
    with behind_its_back():
        entry.save()
    assert f"seal of chronicle entry {entry.sequence}" in complaint()


@tampering
def test_a_fact_with_a_forged_seal_breaks_the_chain(veterans: Warband) -> None:
    entry = a_battle(veterans)
    entry.payload["victory_points"] = 1000
    entry.seal = seal_of(entry, entry.previous_seal)
    with behind_its_back():
        entry.save()
    assert f"seal of chronicle entry {entry.sequence + 1}" in complaint()


@tampering
def test_another_author_breaks_the_seal(veterans: Warband, charlie: User) -> None:
    with behind_its_back():
        ChronicleEntry.objects.filter(pk=a_battle(veterans).pk).update(recorded_by=charlie)
    assert "seal of chronicle entry" in complaint()


@tampering
def test_a_missing_last_entry_is_missed(veterans: Warband) -> None:
    last = veterans.chronicle.last()
    assert last is not None
    with behind_its_back():
        ChronicleEntry.objects.filter(pk=last.pk).delete()
    assert "head of the chain" in complaint()


@tampering
def test_a_missing_entry_in_the_middle_is_missed(veterans: Warband) -> None:
    with behind_its_back():
        ChronicleEntry.objects.filter(pk=a_battle(veterans).pk).delete()
    assert "chronicle entry 4: stored sequence 5, proper sequence 4" in complaint()


@tampering
def test_a_warband_without_a_chronicle_is_found(db: None) -> None:
    Warband.objects.create(name="Nobody's", ruleset="toy", edition="1", faction="reds")
    assert "no entries" in complaint()


@tampering
def test_another_kind_of_an_entry_is_found(veterans: Warband) -> None:
    with behind_its_back():
        ChronicleEntry.objects.filter(pk=a_battle(veterans).pk).update(kind="left")
    assert "kind of chronicle entry" in complaint()


@tampering
def test_another_subject_of_an_entry_is_found(veterans: Warband) -> None:
    with behind_its_back():
        ChronicleEntry.objects.filter(pk=a_battle(veterans).pk).update(subject=uuid4())
    assert "subject of chronicle entry" in complaint()


@tampering
def test_a_chain_that_was_cut_at_its_end_is_found(veterans: Warband) -> None:
    """Everything made from it was cut too, so that without the key nothing shows the last entry."""
    *_, before, last = veterans.chronicle.order_by("sequence")
    with behind_its_back():
        ChronicleEntry.objects.filter(pk=last.pk).delete()
    Warband.objects.filter(pk=veterans.pk).update(head_seal=before.seal, sequence=before.sequence)
    assert "signature of the chain" in complaint()
    with pytest.raises(CommandError, match="seals"):
        call_command("rebuild_projections", stdout=StringIO())


@tampering
def test_check_finds_resealed_chain(veterans: Warband) -> None:
    entries = list(veterans.chronicle.order_by("sequence"))
    a_fact = next(entry for entry in entries if entry.kind == "fought")
    a_fact.payload["victory_points"] = 1000
    seal = entries[0].previous_seal
    with behind_its_back():
        for entry in entries:
            entry.previous_seal, seal = seal, seal_of(entry, seal)
            entry.seal = seal
            entry.save()
    Warband.objects.filter(pk=veterans.pk).update(head_seal=seal)
    assert "signature of the chain" in complaint()


def delete_warband(warband: Warband) -> None:
    """Delete a warband with all rows about it."""
    with behind_its_back():
        ChronicleEntry.objects.filter(warband=warband).delete()
    warband.enrolments.all().delete()
    warband.delete()


@tampering
def test_a_deleted_warband_is_missed(veterans: Warband, bob: User) -> None:
    muster_warband(user=bob, ruleset="toy", faction="reds", name="Others")
    assert "2 warbands match" in check()
    delete_warband(veterans)
    assert (
        "register of chronicles: stored 1 chronicles, proper the 2 that were begun" in complaint()
    )
    muster_warband(user=bob, ruleset="toy", faction="reds", name="In their place")
    assert "register of chronicles" in complaint(), "another one does not fill the gap"


@tampering
def test_a_register_that_was_counted_down_is_found(veterans: Warband) -> None:
    ChronicleRegister.objects.update(count=0, digest="0" * 64)
    delete_warband(veterans)
    assert "register of chronicles" in complaint()


@pytest.mark.postgres
def test_the_table_of_the_chronicle_cannot_be_emptied(veterans: Warband) -> None:
    for statement in ("TRUNCATE warbands_chronicleentry", "TRUNCATE warbands_warband CASCADE"):
        with (
            pytest.raises(DatabaseError, match="append-only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(statement)


def test_signatures_outlive_a_change_of_the_secret_key(
    veterans: Warband, bob: User, settings: Any
) -> None:
    former, settings.SECRET_KEY = (
        settings.SECRET_KEY,
        "another key that is long enough for anybody to use",
    )
    assert "signature of the chain" in complaint()
    with pytest.raises(CommandError):
        call_command("renew_keys", stdout=StringIO())
    settings.SECRET_KEY_FALLBACKS = [former]
    muster_warband(user=bob, ruleset="toy", faction="reds", name="Others")
    assert "2 warbands match" in check()
    call_command("renew_keys", stdout=StringIO())
    settings.SECRET_KEY_FALLBACKS = []
    assert "2 warbands match" in check()


def test_who_trusts_the_database_as_it_is_signs_it(veterans: Warband) -> None:
    Warband.objects.update(head_signature="")
    assert "signature of the chain: missing, or not made with the key" in complaint()
    call_command("sign_chronicles", stdout=StringIO())
    assert "1 warband matches" in check()


@tampering
def test_a_chronicle_that_was_touched_is_not_built_upon(veterans: Warband) -> None:
    entry = a_battle(veterans)
    entry.payload["victory_points"] = 1000
    with behind_its_back():
        entry.save()
    with pytest.raises(CommandError, match="seals"):
        call_command("rebuild_projections", stdout=StringIO())
