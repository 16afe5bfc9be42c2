"""Common parts of all histories: filters, periods, joined lines, pages and files."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from msgspec import Struct
from msgspec.structs import replace

from audit.models import AuditEntry
from audit.origin import Origin
from audit.verbs import Verb
from core import history
from core.history import History, days_between, join_lines, narrow

BEGUN = datetime(2030, 1, 31, 20, tzinfo=UTC)


class Promotion(Struct, frozen=True):
    at: datetime
    names: str
    kind: str = "promotion"


def promotions(*names: str) -> list[Promotion]:
    return [Promotion(BEGUN, name, "promotion" if name.istitle() else "other") for name in names]


def names_of(*names: str, adjacent: bool) -> list[str]:
    lines = join_lines(
        promotions(*names),
        lambda line: line.kind if line.kind == "promotion" else None,
        lambda first, later: replace(first, names=first.names + later.names),
        adjacent=adjacent,
    )
    return [line.names for line in lines]


def test_join_lines_joins_to_the_first_line_of_a_key() -> None:
    assert names_of("A", "B", "x", "x", "C", adjacent=False) == ["ABC", "x", "x"]


def test_join_lines_of_adjacent_lines_stops_at_another() -> None:
    assert names_of("A", "B", "x", "C", "D", adjacent=True) == ["AB", "x", "CD"]


def test_narrow_ignores_what_was_left_empty() -> None:
    entries = AuditEntry.objects.all()
    assert str(narrow(entries, actor=None, verb="").query) == str(entries.query)
    assert "WHERE" in str(narrow(entries, actor=7, verb="").query)


def test_period_has_both_its_days_by_the_clocks_of_the_zone() -> None:
    berlin, day = ZoneInfo("Europe/Berlin"), date(2030, 3, 31)
    lookups = days_between("at", day, day, berlin)
    assert lookups == {
        "at__gte": datetime(2030, 3, 30, 23, tzinfo=UTC),
        "at__lt": datetime(2030, 3, 31, 22, tzinfo=UTC),
    }
    assert set(days_between("at", None, None, berlin).values()) == {None}


def acts(entries: Iterable[AuditEntry]) -> list[Promotion]:
    return [Promotion(entry.at, entry.subject_name) for entry in entries]


@pytest.fixture
def whole_history() -> History[Promotion]:
    club = uuid4()
    columns = {
        "club": club,
        "verb": Verb.BATTLE_STARTED,
        "subject_kind": "battle",
        "face": Origin.PAGE,
    }
    AuditEntry.objects.bulk_create(
        AuditEntry(
            at=BEGUN + timedelta(minutes=place),
            subject_id=uuid4(),
            subject_name=str(place),
            **columns,
        )
        for place in range(5)
    )
    return History(entries=AuditEntry.objects.filter(club=club).order_by("-at"), read=acts)


@pytest.mark.django_db
def test_history_is_cut_into_pages_newest_first(
    whole_history: History[Promotion], monkeypatch: pytest.MonkeyPatch, django_assert_num_queries
) -> None:
    with django_assert_num_queries(1):
        page, lines = whole_history.page("1")
    assert [line.names for line in lines] == list("43210")
    assert not page.has_next()
    monkeypatch.setattr(history, "LINES_ON_A_PAGE", 2)
    with django_assert_num_queries(2):
        page, lines = whole_history.page("99")
        assert (page.number, [line.names for line in lines]) == (3, ["0"])


@pytest.mark.django_db
def test_history_is_read_in_batches_for_a_file(
    whole_history: History[Promotion], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "LINES_AT_ONCE", 2)
    lines = [*whole_history.lines()]
    assert all(first.at > later.at for first, later in pairwise(lines))
    assert len(lines) == 5
    assert whole_history.newest(3) == tuple(lines[:3])
