"""Slow connections of strangers, held by the dozen: the site answers everybody else meanwhile, with and without Caddy."""

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import requests
from django.contrib.auth.models import User

from scripts import system
from scripts.processes import Process, free_port, stop_all, wait_for
from scripts.serve import ROOT, WEB
from tests.battles.test_a_flood_of_batches import UNHURRIED, asked, bystander  # noqa: F401 - a fixture
from tests.conftest import PASSWORD
from tests.hardship.slow_clients import KINDS, SlowClients
from tests.live import database_url

HELD = 64
WORST = 0.5
"""Seconds, beyond what a server with nothing to do takes meanwhile on a machine that may be busy itself."""
LONGEST = 45
"""Seconds that any of them lasts: more than every deadline for a head or a body of so few bytes."""
EXPECTED = {"all kinds": tuple(KINDS), "heads": ("head", "nothing"), "bodies": ("body", "chunked body", "API body"), "readers": ("reader", "idle")}
