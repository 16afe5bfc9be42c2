"""The whole bench with tiny numbers: whether it runs, not how fast."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OF_THE_RULE_BOOK = ("at most 50.0 ms", "at most 2.0 ms", "at least 5,000 a second")
"""The budgets of replaying and of offering steps."""
PAGES = 10
"""The number of pages whose database queries are counted."""
DOCUMENTS = ("Battle summary", "Warband roster", "Campaign book")


@pytest.mark.worker
@pytest.mark.soak("benches that measure everything once", each=1, sample=0)
def test_a_quick_bench_measures_everything_and_writes_nothing():
    page = ROOT / "docs" / "benchmarks.md"
    before = page.read_bytes() if page.exists() else b""
    command = [sys.executable, "-m", "scripts.bench", "--quick"]
    done = subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for what in (
        "Replay 20 fighters",
        "Confirm 2 x 20",
        "Campaign's page",
        *DOCUMENTS,
        "Correct the first of 2 battles",
        "`make demo`",
        "`make run`, idle",
        *OF_THE_RULE_BOOK,
    ):
        assert what in done.stdout
    budgets = re.findall(r" [1-9]\d* queries .* at most \d+ queries$", done.stdout, re.MULTILINE)
    assert len(budgets) == PAGES, "a missed budget ends with MISSED"
    assert re.search("Asked again, unchanged.* renders nothing$", done.stdout, re.MULTILINE), (
        "what has not changed is not rendered"
    )
    assert (page.read_bytes() if page.exists() else b"") == before
