"""Members, players, organisers, printers and strangers at once, while everything is killed."""

from pathlib import Path

import pytest

from scripts import system
from scripts.services import scratch_folder
from tests.load.run import report, run_load

USERS, MINUTES = 100, 10
FEW_USERS, SECONDS = 10, 40


@pytest.mark.worker
# Ten minutes of load, up to ten until the workers have finished (tests/load/proof.py), the proof.
@pytest.mark.timeout(2400)
@pytest.mark.soak(
    f"minutes of {USERS} users at once, while processes are killed and stores restart",
    each=MINUTES,
    sample=1,
)
def test_nothing_is_lost_or_doubled_while_everything_is_killed(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    if missing := [name for name in ("initdb", "redis-server") if not system.program(name)]:
        pytest.skip(f"needs {' and '.join(missing)}")
    # It has its own PostgreSQL and Redis, which the other tests need not do without.
    whole = pytestconfig.getoption("soak")
    users, seconds = (USERS, MINUTES * 60) if whole else (FEW_USERS, SECONDS)
    with scratch_folder() as folder:
        findings = run_load(folder, users=users, seconds=seconds, seed=1)
    assert not findings.faults, report(findings)
