"""The child processes of a worker: a task that runs is finished before the worker stops."""

import subprocess
import sys

import pytest

STOPPING = """
import os, time
from celery import platforms
from config.pool import BlockingPool

def sleep_and_report():
    time.sleep(2)
    return os.getpid()

def die_with_parent():
    platforms.set_pdeathsig("SIGKILL")

pool = BlockingPool(1, initializer=die_with_parent, maxtasksperchild=1)
first = pool.apply_async(os.getpid)
second = pool.apply_async(sleep_and_report)
while not second._accepted:
    time.sleep(0.01)
pool.close()
pool.join()
print("replaced and finished" if second.get() != first.get() else "not replaced")
"""
"""The first child ends after one task. The second one, which replaces it, is at work when the pool
is closed."""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills children with their parent")
def test_replacement_finishes_its_task_when_the_worker_stops() -> None:
    run = subprocess.run(
        [sys.executable, "-c", STOPPING], capture_output=True, text=True, timeout=60, check=False
    )
    assert run.stdout.strip() == "replaced and finished", run.stderr
