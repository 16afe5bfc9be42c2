"""Alice's guards and Bob's Landsknechts in a campaign that Alice organises.

Dora spectates, and Charlie is a stranger.
"""

from tests.pages.conftest import begun as begun
from tests.pages.conftest import campaign as campaign
from tests.pages.conftest import club as club
from tests.pages.conftest import guards as guards
from tests.pages.conftest import haufen as haufen
