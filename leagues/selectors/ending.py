"""The open matters of a campaign, shown before an organiser ends it."""

from typing import Annotated
from uuid import UUID

from django.db.models import F
from django.utils import timezone
from msgspec import Struct

from battles.models import Battle, BattleState
from battles.selectors.battle_rows import name_of
from campaigns.models import Campaign
from leagues.selectors.fixtures import FixtureRow, campaign_fixtures
from rulebook.values.described import closed
from warbands.models import RankUpOffer


class OpenBattleRow(Struct, frozen=True):
    """A battle that must be confirmed, decided or voided before the campaign can end."""

    id: UUID
    name: str
    state: Annotated[str, closed("BattleState", BattleState)]
    label: str
    sides: tuple[str, ...]


class RankUpsWaiting(Struct, frozen=True):
    """A warband whose fighters can rank up. They still can when the campaign has ended."""

    warband: UUID
    name: str
    fighters: int


class CampaignEnding(Struct, frozen=True):
    """The open matters of a campaign: battles, fixtures and rank-ups.

    Battles prevent the end; fixtures will not be played.
    """

    battles: tuple[OpenBattleRow, ...]
    fixtures: tuple[FixtureRow, ...]
    rank_ups: tuple[RankUpsWaiting, ...]

    @property
    def anything(self) -> bool:
        """Return whether anything is open."""
        return bool(self.battles or self.fixtures or self.rank_ups)


def campaign_ending(campaign: Campaign) -> CampaignEnding:
    """Return the open matters of a running campaign. At most six queries."""
    settled = (BattleState.CONFIRMED, BattleState.VOID)
    battles = (
        Battle.objects.filter(campaign=campaign)
        .exclude(state__in=settled)
        .for_rows()
        .order_by("fought_on", "pk")
    )
    rounds = campaign_fixtures(campaign, timezone.localdate())
    waiting = (
        row for each in rounds for row in each.fixtures if row.unsettled or row.state == "waiting"
    )
    return CampaignEnding(
        battles=tuple(_battle_row(each) for each in battles),
        fixtures=tuple(row for row in waiting if row.battle is None),
        rank_ups=_rank_ups(campaign),
    )


def _battle_row(battle: Battle) -> OpenBattleRow:
    label = str(BattleState(battle.state).label)
    sides = tuple(side.warband.name for side in battle.sides.all())
    return OpenBattleRow(battle.pk, name_of(battle), battle.state, label, sides)


def _rank_ups(campaign: Campaign) -> tuple[RankUpsWaiting, ...]:
    """Return the warbands of the campaign with available rank-ups. One query."""
    enrolled = campaign.enrolments.current().values("warband")
    current_offers = RankUpOffer.objects.filter(
        fighter__warband__in=enrolled, sequence=F("fighter__warband__sequence")
    )
    counted: dict[tuple[str, UUID], int] = {}
    for key, name in current_offers.values_list("fighter__warband", "fighter__warband__name"):
        counted[name, key] = counted.get((name, key), 0) + 1
    return tuple(
        RankUpsWaiting(key, name, number) for (name, key), number in sorted(counted.items())
    )
