"""Models of campaigns: enrolments, rounds and fixtures, sealed orders, transfers, the journal."""

from campaigns.models.campaigns import (
    Campaign,
    CampaignQuerySet,
    CampaignState,
    Enrolment,
    Format,
    fresh_seed,
)
from campaigns.models.fixtures import Fixture, FixtureQuerySet, Method, Round, Substitute, Walkover
from campaigns.models.hand_overs import HandOver, HandOverState
from campaigns.models.journal import JournalEntry
from campaigns.models.nights import TableGame, TableGameQuerySet
from campaigns.models.orders import SealedOrder

__all__ = [
    "Campaign",
    "CampaignQuerySet",
    "CampaignState",
    "Enrolment",
    "Fixture",
    "FixtureQuerySet",
    "Format",
    "HandOver",
    "HandOverState",
    "JournalEntry",
    "Method",
    "Round",
    "SealedOrder",
    "Substitute",
    "TableGame",
    "TableGameQuerySet",
    "Walkover",
    "fresh_seed",
]
