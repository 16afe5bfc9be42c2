"""Clubs, who belongs to them, and the campaigns that they run."""

from campaigns.models.campaigns import Campaign, CampaignQuerySet, CampaignState, Enrolment, Format, fresh_seed
from campaigns.models.clubs import Club, ClubQuerySet, Invitation, Membership, Role, clubs_of
from campaigns.models.fixtures import Fixture, FixtureQuerySet, Method, Round, Walkover
from campaigns.models.orders import SealedOrder

__all__ = [
    "Campaign",
    "CampaignQuerySet",
    "CampaignState",
    "Club",
    "ClubQuerySet",
    "Enrolment",
    "Fixture",
    "FixtureQuerySet",
    "Format",
    "Invitation",
    "Membership",
    "Method",
    "Role",
    "Round",
    "SealedOrder",
    "Walkover",
    "clubs_of",
    "fresh_seed",
]
