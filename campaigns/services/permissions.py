"""Check who can change a campaign, and report the battles that prevent a change."""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext

from campaigns.models import Campaign
from clubs.services.permissions import expect_organiser, expect_row, locked
from core.compiled_queries import CompiledQuery
from core.errors import InvalidInput, StaleVersion
from rulebook.ruleset import Problem

MAX_NAMED = 20
"""The number of open battles that an error names at most."""
LOCKED_CAMPAIGN: CompiledQuery[Campaign] = CompiledQuery(
    lambda key, user: locked(Campaign.objects.visible_to(user).filter(pk=key)).order_by()
)
"""The campaign, if the user may see it. It is locked."""


def organised_campaign(campaign_id: UUID, user: User, version: int | None = None) -> Campaign:
    """Lock and return the campaign; with a version, only if that is its present version.

    Raises NotFound if the user cannot see it, Forbidden if the user is not an organiser,
    StateConflict "stale-version".
    """
    campaign = expect_row(LOCKED_CAMPAIGN.first(campaign_id, user), "campaign")
    expect_organiser(campaign.club_id, user)
    if version is not None and version != campaign.version:
        raise StaleVersion(
            gettext(
                "Someone else changed this campaign. Reload and try again (version %(version)s)."
            )
            % {"version": campaign.version},
            campaign.version,
        )
    return campaign


def battles_open(sentence: str, battles: QuerySet[Any]) -> InvalidInput:
    """Return the error for battles that are still open, with a problem for each.

    The value of a problem is the battle's id. Two queries.
    """
    rows = battles.order_by("fought_on", "pk").prefetch_related("sides__warband")
    problems = [
        Problem(
            "battle-open",
            gettext("%(sides)s, %(day)s: %(state)s")
            % {
                "sides": " v. ".join(str(side.warband) for side in battle.sides.all()),
                "day": date_format(battle.fought_on, gettext("j M Y")),
                "state": battle.get_state_display(),
            },
            field="battle",
            value=str(battle.pk),
        )
        for battle in rows[:MAX_NAMED]
    ]
    return InvalidInput("battles-open", sentence, problems=problems)
