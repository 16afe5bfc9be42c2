"""Find the fixture that a battle is planned for."""

from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext

from battles.selectors.fixture_results import (
    FixtureResult,
    FixtureState,
    campaign_fixture_results,
)
from campaigns.models import Campaign
from core.cleaning import field_error
from core.errors import StateConflict


def fixture_for(
    campaign: Campaign, warbands: Sequence[UUID], requested: UUID | None
) -> UUID | None:
    """Return the fixture that a battle of these warbands is played for, or None.

    It is the requested one, otherwise the first open one between them. The caller has locked the
    campaign. Raises InvalidInput "unknown-fixture", "other-sides", StateConflict "fixture-taken".
    """
    if not campaign.rounds.exists() and requested is None:
        return None
    results = campaign_fixture_results(campaign)
    if requested is None:
        between = [
            each
            for each in results
            if is_between(each, warbands) and each.state is FixtureState.OPEN
        ]
        return between[0].id if between else None
    fixture = next((each for each in results if each.id == requested), None)
    if fixture is None:
        raise field_error(
            "fixture",
            "unknown-fixture",
            gettext("Fixture not found in this campaign."),
            str(requested),
        )
    expect_open(fixture)
    if not is_between(fixture, warbands):
        raise field_error(
            "fixture",
            "other-sides",
            gettext("This fixture is between other warbands."),
            str(requested),
        )
    return fixture.id


def is_between(result: FixtureResult, warbands: Sequence[UUID]) -> bool:
    return len(warbands) == 2 and {each.warband for each in result.entrants} == set(warbands)


def expect_open(result: FixtureResult) -> None:
    if result.state is not FixtureState.OPEN:
        raise StateConflict(
            "fixture-taken",
            gettext("You cannot plan a battle for this fixture now."),
            field="fixture",
        )
