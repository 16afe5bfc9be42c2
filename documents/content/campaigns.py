"""The content of a campaign's summary: standings, battles, veterans, memorial, rosters.

The number of queries is the same for campaigns of any length.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Max
from django.utils.translation import gettext, ngettext
from msgspec.structs import replace

from battles.models import Battle
from battles.selectors.classic_games import classic_verdict
from battles.selectors.log_heads import logs_head
from battles.selectors.results import battles_with_results, ordered_results
from battles.selectors.standings import Standings, StandingsRow, standings
from campaigns.eligibility import ruleset_of_campaign
from campaigns.house_rules import house_rule_values
from campaigns.models import Campaign, CampaignState, Format, JournalEntry
from campaigns.scoring import scoring_under
from documents.content.battles import account_of, battle_narratives
from documents.content.campaign_history import course_of_play, honours, verdict
from documents.content.documents import CampaignCounts, CampaignSummary, Place, Won
from documents.content.highlights import BattleAccount, Rise, of_campaign
from documents.content.labels import label
from documents.content.memorial import HonourLists, memorial, veterans
from documents.content.people import CampaignService, Player, place_of, players_of
from documents.content.records import records
from documents.content.rosters import roster_sheet
from documents.content.stories import campaign_story, journal_of, with_journal
from documents.content.structs import Glossed, Person, RosterSheet
from documents.content.visible_pictures import Album, album, fighters_of, open_like
from documents.prose import prose
from leagues.selectors.campaign_stats import campaign_stats
from leagues.selectors.standings_columns import COLUMNS, View
from leagues.selectors.verdict import Verdict
from pictures.subjects import PictureKind
from rulebook.chronicle.facts import decode
from rulebook.chronicle.replay import effective_at
from rulebook.chronicle.states import GONE, WarbandState
from rulebook.ruleset import Fate
from rulebook.values.classic import ClassicVerdict
from warbands.models import ChronicleEntry, Warband
from warbands.rulebook_values import read_states
from warbands.selectors.chronicle_heads import heads_of


def campaign_content(campaign: Campaign) -> CampaignSummary:
    """Return the content of a campaign's summary. Eighteen queries.

    ``campaign.club`` should be selected with the campaign.
    """
    rules = ruleset_of_campaign(campaign)
    table, scoring = standings(campaign), scoring_under(campaign.scoring, campaign.shown)
    battles = ordered_results(campaign)
    warbands = _warbands(table)
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
    written = journal_of(campaign)
    pictures = _pictures(campaign, shown, battles)
    narratives, journal = with_journal(
        battle_narratives(fought, campaign, places=places, remembered=dead, pictures=pictures),
        written,
    )
    players = players_of(warbands, campaign)
    rolls = HonourLists(rules, people, players, campaign_stats(fought), frozenset(places), pictures)
    fallen = memorial(rolls, fought, narratives)
    words = label(rules, campaign.house_rules)
    paired = zip(fought, narratives, strict=True)
    accounts = {
        each.battle.pk: account_of(each, tale.named) for each, tale in paired if not tale.friendly
    }
    won = _won(classic_verdict(campaign), warbands)
    winner = prose().classic_verdict(won) if won else ""
    over = campaign.state == CampaignState.FINISHED or bool(won and not won.open)
    standing = verdict(table, over=over) if battles and not winner else Verdict()
    return CampaignSummary(
        title=campaign.name,
        subtitle=gettext("Campaign book"),
        dated=_dated(campaign, battles, warbands, written),
        ruleset=rules.name,
        club=campaign.club.name,
        state=_state(campaign, battles),
        format=str(Format(campaign.format).label),
        words=words,
        points=campaign.points,
        counts=CampaignCounts(len(table.rows), len(battles), len(fallen)),
        games=campaign.games,
        began=battles[0].fought_on.isoformat() if battles else "",
        ended=battles[-1].fought_on.isoformat() if battles and over else "",
        story=campaign.story,
        told=campaign_story(
            of_campaign(
                tuple(accounts.values()),
                serving={
                    fighter_id
                    for fighter_id, each in people.items()
                    if each.fighter.fate not in GONE
                },
                first_rise=_first_rise(warbands, states, battles, accounts),
            ),
            narratives,
        ),
        standings=tuple(_place(row) for row in table.rows),
        tie_rule=prose().tie_rule(scoring),
        winner=winner,
        verdict=standing,
        victory=(winner or prose().verdict(standing)) if over else "",
        course=course_of_play(campaign, table),
        honours=honours(rolls),
        records=records(rolls, words, narratives),
        scoring=prose().scoring(scoring, table.unplayed),
        house_rules=_house_rules(campaign),
        battles=narratives,
        journal=journal,
        veterans=veterans(rolls),
        memorial=fallen,
        rosters=tuple(
            _roster(warband, states[warband.pk], players[warband.pk], pictures) for warband in shown
        ),
        private_rosters=tuple(warband.name for warband in warbands if warband not in shown),
        crest=pictures.of(campaign.club_id),
        heads=heads_of(warbands),
        logs=logs_head(campaign.pk),
    )


def _warbands(table: Standings) -> list[Warband]:
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


def _roster(warband: Warband, state: WarbandState, player: Player, pictures: Album) -> RosterSheet:
    """Return the roster without cards and without the dead, who are in the memorial of the book."""
    left = (each for each in state.fighters.values() if each.fate is Fate.RETIRED)
    people = tuple(Person(each.name, place_of(each.id)) for each in left)
    return replace(roster_sheet(warband, state, player, pictures=pictures), left=people)


def _place(row: StandingsRow) -> Place:
    return Place(
        position=row.position,
        warband=row.name + (" (" + gettext("withdrawn") + ")" if row.withdrawn else ""),
        player=row.player_name,
        figures={column.key: column.value(row) for column in COLUMNS if View.PRINT in column.views},
        roster=str(row.warband),
        colour=row.colour,
    )


def _house_rules(campaign: Campaign) -> tuple[Glossed, ...]:
    """Return the house rules that differ from the defaults; those not in the rule book say so."""
    values = house_rule_values(ruleset_of_campaign(campaign), campaign.house_rules)
    return tuple(
        Glossed(
            each.rule.label,
            each.shown + ("" if each.rule.book else " (" + gettext("Muster") + ")"),
        )
        for each in values
        if each.changed
    )


def _first_rise(
    warbands: Sequence[Warband],
    states: Mapping[UUID, WarbandState],
    battles: Sequence[Battle],
    accounts: Mapping[UUID, BattleAccount],
) -> Rise | None:
    """Return the first rank-up after the first confirmed battle, with the battle that preceded it.

    None if two fighters ranked up at the same moment. One query.
    """
    rows = ChronicleEntry.objects.filter(warband__in=warbands, kind__in=("ranked-up", "corrected"))
    entries: dict[UUID, list[ChronicleEntry]] = {warband.pk: [] for warband in warbands}
    for entry in rows.order_by("sequence"):
        entries[entry.warband_id].append(entry)
    risen = []
    for warband in warbands:
        moments = {entry.sequence: entry.recorded_at for entry in entries[warband.pk]}
        current = effective_at(
            (entry.sequence, decode(entry.payload)) for entry in entries[warband.pk]
        )
        fighters = states[warband.pk].fighters
        risen += [
            (moments[place], fighters[fighter].name, warband)
            for place, fact in current
            for fighter in fact.promoted
            if fighter in fighters
        ]
    begun = [
        (battle.confirmed_at, battle.pk)
        for battle in battles
        if battle.confirmed_at and battle.pk in accounts
    ]
    risen = sorted(
        (each for each in risen if begun and each[0] >= min(begun)[0]), key=lambda each: each[0]
    )
    if not risen or (len(risen) > 1 and risen[1][0] == risen[0][0]):
        return None
    moment, name, warband = risen[0]
    _, after = max(each for each in begun if each[0] <= moment)
    return Rise(name, warband.name, accounts[after])


def _dated(
    campaign: Campaign,
    battles: Iterable[Battle],
    warbands: Iterable[Warband],
    written: Iterable[JournalEntry],
) -> str:
    """Return the day (ISO) of the latest change in the summary."""
    last_entry_at = ChronicleEntry.objects.filter(warband__in=list(warbands)).aggregate(
        last=Max("recorded_at")
    )["last"]
    moments = [campaign.created_at, campaign.started_at, campaign.finished_at, last_entry_at]
    moments += [battle.confirmed_at for battle in battles]
    moments += [entry.edited_at or entry.written_at for entry in written]
    moments += [revision.made_at for battle in battles for revision in battle.revisions.all()]
    return max(_day(moment) for moment in moments)


def _day(moment: datetime | None) -> str:
    return moment.date().isoformat() if moment else ""


def _won(verdict: ClassicVerdict | None, warbands: Iterable[Warband]) -> Won | None:
    """Return the result of a classic campaign so far, or None for any other format."""
    names = {str(warband.pk): warband.name for warband in warbands}
    return (
        Won(names.get(verdict.winner or "", ""), verdict.open, verdict.totals) if verdict else None
    )


def _state(campaign: Campaign, battles: Sequence[Battle]) -> str:
    """Return the state of a campaign as text, with the number of battles."""
    if campaign.state == CampaignState.PLANNED or not battles:
        return str(CampaignState(campaign.state).label)
    count = {"battles": len(battles)}
    if campaign.state == CampaignState.RUNNING:
        return (
            ngettext("After %(battles)s battle", "After %(battles)s battles", len(battles)) % count
        )
    return (
        ngettext(
            "Final, after %(battles)s battle", "Final, after %(battles)s battles", len(battles)
        )
        % count
    )
