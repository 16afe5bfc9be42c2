"""When the time is over that `make quick` has, no further test begins: it says so and is skipped."""

import os
import time

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Skip, if the environment names a moment (seconds since the epoch) and it has passed."""
    end = os.environ.get("TESTS_END_AT")
    if end and time.time() > float(end):
        pytest.skip("the minute of `make quick` is over; `make test` runs everything")
