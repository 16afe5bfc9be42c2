"""Comparison of pages with another version: measurements, verdicts, and a real run."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.bench.__main__ import missed
from scripts.bench.against import BUDGETS, Cost, judged
from scripts.bench.crowd import copied_id
from scripts.bench.federation import plans_in
from scripts.bench.load import WRITES
from scripts.bench.pages import PAGES
from scripts.bench.processor import Usage, family

ROOT = Path(__file__).parents[2]


def turns(*ratios: float) -> list[tuple[Cost, Cost]]:
    return [(Cost(0.008 * ratio, 0.002 * ratio), Cost(0.008, 0.002)) for ratio in ratios]


def test_the_median_of_the_ratios_is_judged():
    kept, defect = (
        judged("Home", "abc", turns(0.9, 1.1, 3), 1.1),
        judged("Home", "abc", turns(0.9, 1.11, 3), 1.1),
    )
    assert (kept.kept, defect.kept) == (True, False)
    assert defect.ratio == pytest.approx(1.11)
    assert "0.90 to 3.00" in defect.budget
    assert defect.floor == "abc: 10.0 ms (8.0 ms + 2.0 ms)"


def test_one_page_above_the_limit_fails_the_run():
    kept, defect = judged("Home", "abc", turns(1), 1.1), judged("Club", "abc", turns(1.2), 1.1)
    assert (missed([kept]), missed([kept, defect])) == (0, 1)


def test_usage_counts_children_and_those_that_have_ended():
    busy = "import time\nwhile time.process_time() < 0.2: pass\n"
    code = f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", {busy!r}])
child = subprocess.Popen([sys.executable, "-c", {busy!r} + "print(flush=True); input()"], stdin=subprocess.PIPE)
input()
"""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as parent:
        assert parent.stdout.readline()
        used, members = Usage(parent.pid).seconds(), family(parent.pid)
        # It sleeps now: nothing more is used.
        time.sleep(0.1)
        later = Usage(parent.pid).seconds()
        parent.communicate(b"\n")
    assert len(members) == 2
    assert used >= 0.39
    assert later - used < 0.05
    assert Usage(parent.pid).seconds() == 0


@pytest.mark.worker
@pytest.mark.soak("versions compared by the bench", each=1, sample=0)
def test_a_quick_comparison_opens_every_page_of_both_versions():
    command = [sys.executable, "-m", "scripts.bench", "--quick", "--against", "HEAD"]
    done = subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for page in PAGES:
        for state in ("cold", "warm"):
            row = rf"^{page.name}, {state}  .* ms \(.* at most 1.1 "
            assert re.search(row, done.stdout, re.MULTILINE), (page.name, state)
        assert (f"{page.name}, unchanged  " in done.stdout) == page.when_unchanged
    for row in ("2 users of 3 clubs, 80% reads: requests", "Book of 2 battles"):
        assert f"{row}  " in done.stdout
    assert re.search("reads: requests .* none may fail$", done.stdout, re.MULTILINE)


@pytest.mark.worker
@pytest.mark.soak("federations made by the bench", each=1, sample=0)
def test_a_quick_federation_is_proved_and_compared_with_a_small_one():
    command = [sys.executable, "-m", "scripts.bench", "--quick", "--world", "7"]
    done = subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "clubs_club 7, warbands_warband 32, battles_battle 23, " in done.stdout
    for page in PAGES:
        row = rf"^{page.name}, cold  .*  3 clubs: .* at most 1.2 "
        assert re.search(row, done.stdout, re.MULTILINE), page.name
    assert "plans of slow statements are in var/slow-plans.txt" in done.stdout


def test_every_budget_has_its_pages():
    assert {page.kind for page in PAGES} - {""} == set(BUDGETS)
    assert WRITES == 0.2


def test_ids_of_copies_differ_in_their_first_digits():
    key = "85485dc5-a594-4509-afbe-3dc021a94b81"
    assert copied_id(key, 0) == key
    assert copied_id(key, 255) == "000000ff-a594-4509-afbe-3dc021a94b81"


def test_plans_are_read_from_a_log_and_nothing_else():
    log = """2026-11-28 23:26:36.733 UTC [20674] LOG:  checkpoint starting: time
2026-11-28 23:26:37.733 UTC [20675] LOG:  duration: 7.1 ms  plan:
\tQuery Text: SELECT 1
\tResult  (cost=0.00..0.01 rows=1 width=4)
2026-11-28 23:26:38.733 UTC [20675] ERROR:  no such table
2026-11-28 23:26:39.733 UTC [20675] LOG:  duration: 8.1 ms  plan:
\tQuery Text: SELECT 2
"""
    first, second = plans_in(log)
    assert first.startswith("duration: 7.1 ms")
    assert first.endswith("width=4)")
    assert "SELECT 2" in second


def test_a_version_that_does_not_exist_is_named():
    command = [sys.executable, "-m", "scripts.bench", "--quick", "--against", "no-such-commit"]
    done = subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "no-such-commit" in done.stderr
