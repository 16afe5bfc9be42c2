"""``check_chronicle`` describes the row that it names."""

from datetime import date

from battles.models import Battle, Revision
from campaigns.models import Enrolment, Fixture, Round
from warbands.models import Warband


def test_revision_names_its_battle() -> None:
    battle = Battle(title="The ford", fought_on=date(2026, 3, 7))
    assert Revision(number=1, battle=battle).described() == "1 of The ford, 2026-03-07"


def test_fixture_names_round_and_warbands() -> None:
    home, away = (Enrolment(warband=Warband(name=name)) for name in ("Eisenhut", "Tarras Riders"))
    fixture = Fixture(round=Round(number=2), home=home, away=away)
    assert fixture.described() == "of round 2, Eisenhut – Tarras Riders"
