"""The world of the pages, for tests of pictures."""

from tests.pages.conftest import browsers, campaign, club, confirmed, guards, haufen, submitted

__all__ = ["browsers", "campaign", "club", "confirmed", "guards", "haufen", "submitted"]
