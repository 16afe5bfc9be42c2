"""A late battle goes out with its place, comes in, and is proved there; battles of before have none
and hold too."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from battles.log_seals import battle_signature
from battles.models import Battle
from battles.services.verification import check_battles
from core.errors import InvalidInput
from exchange.passports.file_format import open_file
from exchange.passports.verification import broken_entry, first_difference
from exchange.services.passports import issue_fighter, issue_warband
from rulebook.chronicle.facts import Fought
from rulebook.chronicle.replay import effective
from tests.exchange.archives import archive_of, changed, written_and_gone
from tests.exchange.test_importing_archives import (
    alice_again,
    expect_proved,
    expect_the_same,
    imported,
)
from tests.pages import world
from warbands.models import Warband
from warbands.rulebook_values import read_chronicles

pytestmark = pytest.mark.django_db


def forgotten() -> tuple[str, Any, User]:
    """Return a club whose second battle was played two weeks before the first."""
    alice, bob = (User.objects.create(username=name) for name in ("alice", "bob"))
    club = world.club_of(alice, players=[bob])
    ours, theirs = world.landsknechts(bob), world.guards(alice)
    campaign = world.campaign_of(club, alice, ours, theirs)
    first = world.confirmed_battle(bob, alice, campaign, ours, theirs, title="The Old Mill")
    world.confirmed_battle(
        bob,
        alice,
        campaign,
        ours,
        theirs,
        title="Forgotten",
        fought_on=first.fought_on - timedelta(days=14),
    )
    return "club", club, alice


def titles_in_order() -> list[list[str]]:
    """Return the titles of each warband's battles in the order in which they take effect."""
    chronicles = read_chronicles(Warband.objects.values_list("pk", flat=True))
    facts = [[fact for _, fact in effective(chronicle)] for chronicle in chronicles.values()]
    return [[fact.title for fact in each if isinstance(fact, Fought)] for each in facts]


def test_a_late_battle_is_exported_imported_and_proved() -> None:
    archive = written_and_gone(forgotten)
    alice, people = alice_again(archive)
    made = imported(archive, alice, people)
    expect_proved()
    assert titles_in_order() == [["Forgotten", "The Old Mill"]] * 2
    expect_the_same(archive, archive_of("club", made.subject, alice))


@pytest.mark.parametrize("column", ["fought_on", "place_in_day"])
def test_another_day_or_place_in_an_archive_is_refused(column: str) -> None:
    archive = written_and_gone(forgotten)
    alice, people = alice_again(archive)
    values = {"fought_on": "2026-01-01", "place_in_day": "2026-01-01T12:00:00Z"}
    forged = changed(archive, "battles", lambda rows: rows[0].update({column: values[column]}))
    with pytest.raises(InvalidInput, match="is not valid"):
        imported(forged, alice, people)


def test_battles_of_before_come_in_without_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def before() -> tuple[str, Any, User]:
        """As a Muster made it that knew no place in the day."""
        with monkeypatch.context() as patched:
            patched.setattr("battles.chronicle_facts.place_in_day", lambda battle: "")
            made = forgotten()
        Battle.objects.update(place_in_day=None)
        for battle in Battle.objects.all():
            Battle.objects.filter(pk=battle.pk).update(signature=battle_signature(battle))
        assert list(check_battles()) == []
        return made

    archive = written_and_gone(before)
    archive = changed(archive, "battles", lambda rows: [row.pop("place_in_day") for row in rows])
    alice, people = alice_again(archive)
    imported(archive, alice, people)
    expect_proved()
    assert titles_in_order() == [["The Old Mill", "Forgotten"]] * 2


def test_passports_tell_a_late_battle_in_its_place() -> None:
    forgotten()
    bob, hans = User.objects.get(username="bob"), world.named("Hans")
    for content in (
        issue_warband(warband_id=hans.warband_id, user=bob),
        issue_fighter(fighter_id=hans.pk, user=bob),
    ):
        passport = open_file(content).passport
        assert [battle.title for battle in passport.battles] == ["Forgotten", "The Old Mill"]
        assert broken_entry(passport) is None
        assert first_difference(passport) == ""
