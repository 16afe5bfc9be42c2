"""The toy's campaign of tests/battles, for tests of rounds."""

from tests.battles.conftest import blues as blues
from tests.battles.conftest import campaign as campaign
from tests.battles.conftest import club as club
from tests.battles.conftest import reds as reds
from tests.battles.conftest import toy as toy
from tests.full_toy import register_toy as register_toy
