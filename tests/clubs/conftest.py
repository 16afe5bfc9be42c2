"""The club of tests/campaigns.

Alice organises, Bob plays, Dora spectates, Charlie is a stranger.
"""

from tests.campaigns.conftest import campaign as campaign
from tests.campaigns.conftest import club as club
from tests.campaigns.conftest import enrolled as enrolled
from tests.campaigns.conftest import muster as muster
from tests.campaigns.conftest import toy as toy
from tests.full_toy import register_toy as register_toy
