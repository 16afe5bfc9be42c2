"""The people and battles of a campaign: the data of its book, certificates and memorial cards."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from msgspec import Struct

from battles.models import Battle
from battles.selectors.classic_games import classic_verdict
from battles.selectors.results import BattleWithResult, battles_with_results, ordered_results
from battles.selectors.standings import Standings, standings
from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, CampaignState
from documents.content.battles import NO_MOMENTS, battle_narratives
from documents.content.documents import Fallen, Won
from documents.content.histories import Chronicle, chronicles_of, rises_of
from documents.content.lives import Lives, lives_of, with_epitaphs
from documents.content.memorial import HonourLists, memorial
from documents.content.people import CampaignService, players_of
from documents.content.structs import BattleNarrative
from documents.content.visible_pictures import Album, album, fighters_of, open_like
from leagues.selectors.campaign_stats import campaign_stats
from pictures.subjects import PictureKind
from rulebook.chronicle.states import WarbandState
from rulebook.ruleset import Fate
from rulebook.values.classic import ClassicVerdict
from warbands.models import Warband
from warbands.rulebook_values import read_states


class CampaignPeople(Struct, frozen=True, kw_only=True):
    """The warbands, battles and people of a campaign.

    ``narratives`` belong to the battles in ``fought``, in the order of play. ``won`` is the
    result of a classic campaign. ``over`` is True at the end of the campaign.
    """

    table: Standings
    warbands: Sequence[Warband]
    states: Mapping[UUID, WarbandState]
    chronicles: Mapping[UUID, Chronicle]
    fought: Sequence[BattleWithResult]
    narratives: Sequence[BattleNarrative]
    rolls: HonourLists
    lives: Lives
    won: Won | None
    over: bool

    @property
    def battles_by_id(self) -> Mapping[str, tuple[BattleWithResult, BattleNarrative]]:
        """The battles that count, with their narratives, by id."""
        return self.lives.battles

    def fallen(self) -> tuple[Fallen, ...]:
        """Return the dead of the campaign with their epitaphs."""
        return with_epitaphs(self.lives, memorial(self.rolls, self.fought, self.narratives))


def campaign_people(campaign: Campaign, *, stories: bool = True) -> CampaignPeople:
    """Return the people and battles of a campaign. At most 18 queries.

    Without ``stories``, the logs of the battles are not read for theirs, which takes most of the
    time. ``campaign.club`` should be selected with the campaign.
    """
    table, battles = standings(campaign), ordered_results(campaign)
    warbands = warbands_of(table)
    states = read_states(warbands)
    shown = [warband for warband in warbands if open_like(campaign, warband)]
    people = {
        fighter.id: CampaignService(fighter, warband, states[warband.pk].terms)
        for warband in warbands
        for fighter in states[warband.pk].fighters.values()
    }
    dead = {fighter_id for fighter_id, each in people.items() if each.fighter.fate is Fate.DEAD}
    fought = battles_with_results(battles)
    places = dead | {fighter_id for fighter_id, each in people.items() if each.warband in shown}
    pictures = _pictures(campaign, shown, battles)
    narratives = battle_narratives(
        fought,
        campaign,
        places=places,
        remembered=dead,
        pictures=pictures,
        moments=None if stories else NO_MOMENTS,
    )
    players = players_of(warbands, campaign)
    chronicles = chronicles_of(campaign, warbands)
    rises = {
        fighter: each
        for chronicle in chronicles.values()
        for fighter, each in rises_of(chronicle).items()
    }
    annals = campaign_stats(fought)
    rules = ruleset_of_campaign(campaign)
    rolls = HonourLists(rules, people, players, annals, frozenset(places), pictures, rises)
    battles_by_id = {
        str(each.battle.pk): (each, tale)
        for each, tale in zip(fought, narratives, strict=True)
        if not each.battle.friendly
    }
    won = won_of(classic_verdict(campaign), warbands)
    over = campaign.state == CampaignState.FINISHED or bool(won and not won.open)
    return CampaignPeople(
        table=table,
        warbands=warbands,
        states=states,
        chronicles=chronicles,
        fought=fought,
        narratives=narratives,
        rolls=rolls,
        lives=lives_of(rolls, battles_by_id, chronicles, over=over),
        won=won,
        over=over,
    )


def warbands_of(table: Standings) -> list[Warband]:
    """Return the warbands of the table, in its order."""
    rows = Warband.objects.select_related("owner").in_bulk([row.warband for row in table.rows])
    return [rows[row.warband] for row in table.rows]


def _pictures(campaign: Campaign, shown: Sequence[Warband], battles: Sequence[Battle]) -> Album:
    """Return the pictures that everybody who may see the campaign may see. One query."""
    club = campaign.club
    return album(
        {
            PictureKind.CLUB: [club.pk] if open_like(campaign, club) else [],
            PictureKind.WARBAND: [warband.pk for warband in shown],
            PictureKind.FIGHTER: fighters_of(shown),
            PictureKind.BATTLE: [battle.pk for battle in battles],
        }
    )


def won_of(verdict: ClassicVerdict | None, warbands: Iterable[Warband]) -> Won | None:
    """Return the result of a classic campaign so far, or None for any other format."""
    names = {str(warband.pk): warband.name for warband in warbands}
    return (
        Won(names.get(verdict.winner or "", ""), verdict.open, verdict.totals) if verdict else None
    )
