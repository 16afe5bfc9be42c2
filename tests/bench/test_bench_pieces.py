"""The bench's own pieces: what it measures, how it judges, and how it shows it. No times are
asserted here."""

import os
from datetime import date

import pytest

from rulebook.chronicle.facts import Fought, RankedUp
from rulebook.chronicle.replay import replay_chronicle
from rulebook.registry import find_ruleset
from scripts.bench import findings
from scripts.bench.findings import (
    at_least_a_second,
    at_most_count,
    at_most_megabytes,
    at_most_processor_seconds,
    at_most_seconds,
    at_most_seconds_alone,
    at_most_times,
    later,
    unchanged,
)
from scripts.bench.forces import BUILDS, EVENTS, sixty_events
from scripts.bench.machine import machine
from scripts.bench.memory import peak_megabytes, proportional_megabytes
from scripts.bench.page import Section, table, with_section
from scripts.bench.rules import chronicle_of, veterans_of
from scripts.bench.timing import Pair, best, side_by_side

SLOW, QUICK = Pair(took=0.4, floor=0.1, turns=1), Pair(took=0.2, floor=0.1, turns=1)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(2.5, "2.50 s"), (0.25, "250 ms"), (0.0125, "12.5 ms"), (0.000085, "85 µs"), (0.0, "0 µs")],
)
def test_span_is_readable(seconds, words):
    assert findings.span(seconds) == words


def test_a_budget_is_kept_up_to_its_limit_and_missed_beyond_it():
    assert at_most_times("x", QUICK, 2, "floor").kept is True
    assert at_most_times("x", SLOW, 3, "floor").kept is False
    assert at_most_seconds("x", QUICK, 0.2, "floor").kept is True
    assert at_most_seconds("x", SLOW, 0.3, "floor").kept is False
    assert at_least_a_second("x", QUICK, 100, 500, "floor").kept is True
    assert at_least_a_second("x", SLOW, 100, 500, "floor").kept is False
    assert at_most_count("x", 12, 12, "queries").kept is True
    assert at_most_count("x", 13, 12, "queries").kept is False
    assert later("x", QUICK.took, QUICK.took, 1.2).kept is True
    assert later("x", QUICK.took, SLOW.took, 1.2).kept is False
    assert unchanged("x", QUICK, True).kept is True
    assert unchanged("x", QUICK, False).kept is False


def test_floor_without_budget_is_not_judged():
    assert at_most_times("x", SLOW, None, "floor").kept is None
    assert at_least_a_second("x", SLOW, 100, None, "floor").kept is None


def test_work_and_floor_take_turns_after_warming_up(monkeypatch: pytest.MonkeyPatch) -> None:
    # All that the other tests have left takes long to look through.
    monkeypatch.setattr("scripts.bench.timing.gc.collect", lambda: None)
    done: list[str] = []
    work, floor, before = (
        lambda word=word: done.append(word) for word in ("work", "floor", "before")
    )
    pair = side_by_side(work, floor, 3, warm_up=1)
    assert done == ["work", "floor"] * 4
    assert pair.turns == 3
    done.clear()
    side_by_side(work, floor, 1, before=before)
    assert done == ["before", "work", "floor"] * 2


def test_the_best_turn_counts_for_each():
    pair = best([(5.0, 2.0), (3.0, 9.0), (4.0, 1.0)])
    assert (pair.took, pair.floor, pair.turns) == (3.0, 1.0, 3)


def test_the_log_has_sixty_events_and_everybody_is_hit():
    ours, theirs = [f"a{place}" for place in range(20)], [f"b{place}" for place in range(20)]
    events = sixty_events(ours, theirs)
    assert len(events) == EVENTS
    assert {data["victim"] for kind, data, _ in events if kind == "wound"} == {*ours, *theirs}
    assert events[-1][0] == "ended"


def test_the_chronicle_is_a_true_one_in_which_veterans_rise():
    chronicle = chronicle_of(4)
    result = replay_chronicle(chronicle, find_ruleset)
    assert result.conflicts == ()
    assert len(result.state.fighters) == len(BUILDS) == 20
    assert sum(isinstance(fact, Fought) for fact in chronicle) == 4
    assert any(isinstance(fact, RankedUp) for fact in chronicle)


def test_rosters_of_veterans_are_as_big_as_asked():
    assert len(veterans_of("landsknechts", 20).fighters) == 20
    assert len(veterans_of("landsknechts").fighters) == 4


def test_the_table_and_the_page_tell_misses_remarks_and_the_machine():
    findings = [
        at_most_times("Confirm", SLOW, 3, "bare SQL", "Some rows."),
        at_most_count("Page", 9, 12, "queries"),
    ]
    lines = table(findings).splitlines()
    assert lines[0].startswith("What")
    assert lines[1].endswith("MISSED")
    assert lines[2].endswith("at most 12 queries")
    page = with_section("", Section.FIGURES, findings, {"Processor": "abacus"}, date(2026, 1, 2))
    assert "## Figures of 2026-01-02" in page
    assert "- Processor: abacus" in page
    assert (
        "| Confirm | 400 ms | bare SQL: 100 ms | 4.00 | at most 3 times the floor, MISSED |" in page
    )
    assert "- **Confirm**: Some rows." in page


def test_the_machine_is_named_with_what_matters():
    facts = machine()
    assert "cores" in facts["Processor"]
    assert "weasyprint" in facts["Packages"]


def test_a_run_replaces_its_own_section_and_keeps_the_others():
    def page(before: str, section: Section, day: int) -> str:
        findings = [at_most_count(f"Page {day}", 9, 12, "queries")]
        return with_section(before, section, findings, {}, date(2026, 1, day))

    first = page(page("", Section.AGAINST, 1), Section.FIGURES, 2)
    again = page(first, Section.AGAINST, 3)
    assert "Page 1 " not in again
    assert again.index("## Figures of 2026-01-02") < again.index("## Two versions, 2026-01-03")
    assert again.count("# Benchmarks\n") == 1
    assert again == page(again, Section.AGAINST, 3)


def test_megabytes_and_seconds_without_a_floor_are_judged():
    assert at_most_megabytes("x", 250, 250).kept is True
    assert at_most_megabytes("x", 251, 250).kept is False
    assert at_most_seconds_alone("x", 60, 60).kept is True
    assert at_most_seconds_alone("x", 61, 60).kept is False
    assert at_most_processor_seconds("x", 0.1, 0.1).kept is True
    assert at_most_processor_seconds("x", 0.11, 0.1).kept is False


def test_the_memory_of_a_process_is_read():
    assert 5 < proportional_megabytes(os.getpid()) <= peak_megabytes(os.getpid())
    assert proportional_megabytes(0) == 0
