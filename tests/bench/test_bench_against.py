"""Comparison of pages with another version: measurements, verdicts, and a real run."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.bench.__main__ import missed
from scripts.bench.against import PAGES, Cost, judged
from scripts.bench.processor import Usage, family

ROOT = Path(__file__).parents[2]


def turns(*ratios: float) -> list[tuple[Cost, Cost]]:
    return [(Cost(0.008 * ratio, 0.002 * ratio), Cost(0.008, 0.002)) for ratio in ratios]


def test_the_median_of_the_ratios_is_judged():
    kept, defect = (
        judged("Home", "abc", turns(0.9, 1.1, 3)),
        judged("Home", "abc", turns(0.9, 1.11, 3)),
    )
    assert (kept.kept, defect.kept) == (True, False)
    assert defect.ratio == pytest.approx(1.11)
    assert "0.90 to 3.00" in defect.budget
    assert defect.floor == "abc: 10.0 ms (8.0 ms + 2.0 ms)"


def test_one_page_above_the_limit_fails_the_run():
    kept, defect = judged("Home", "abc", turns(1)), judged("Club", "abc", turns(1.2))
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
def test_a_quick_comparison_opens_every_page_of_both_versions():
    command = [sys.executable, "-m", "scripts.bench", "--quick", "--against", "HEAD"]
    done = subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for page in (*PAGES, "The badge of a page"):
        assert re.search(rf"^{page}  .* ms \(.* at most 1.1 ", done.stdout, re.MULTILINE), page


def test_a_version_that_does_not_exist_is_named():
    command = [sys.executable, "-m", "scripts.bench", "--quick", "--against", "no-such-commit"]
    done = subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "no-such-commit" in done.stderr
