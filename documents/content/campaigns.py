"""The content of a campaign's summary: standings, battles, veterans, memorial, rosters.

The number of queries is the same for campaigns of any length.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext, ngettext
from msgspec.structs import replace

from battles.models import Battle
from battles.selectors.log_heads import logs_head
from battles.selectors.standings import Standings, StandingsRow
from campaigns.eligibility import ruleset_of_campaign
from campaigns.house_rules import house_rule_values
from campaigns.models import Campaign, CampaignState, Format, JournalEntry
from campaigns.scoring import scoring_under
from documents.content.battles import account_of
from documents.content.campaign_history import course_of_play, honours, verdict
from documents.content.campaign_people import campaign_people
from documents.content.documents import (
    CampaignCounts,
    CampaignSummary,
    Ending,
    MakeUp,
    Place,
    WarbandHistory,
)
from documents.content.highlights import BattleAccount, Rise, of_campaign
from documents.content.histories import (
    Chronicle,
    changes_of,
    steps_of,
)
from documents.content.labels import label
from documents.content.lives import Lives, ending_of, remains_of
from documents.content.memorial import veterans
from documents.content.people import Player, place_of
from documents.content.persons import encounters_of, index_of_persons, players_page
from documents.content.records import records
from documents.content.rosters import roster_sheet
from documents.content.stories import campaign_story, journal_of, with_journal
from documents.content.structs import (
    BattleNarrative,
    Glossed,
    Label,
    Person,
    PrintedPicture,
    RosterSheet,
)
from documents.content.visible_pictures import Album, open_like
from documents.prose import prose
from documents.prose.book import book_prose
from leagues.selectors.standings_columns import COLUMNS, View
from leagues.selectors.verdict import Verdict
from rulebook.chronicle.states import GONE, WarbandState
from rulebook.ruleset import Fate
from warbands.models import Warband
from warbands.rule_changes import Changes
from warbands.rulebook_values import faction_name
from warbands.selectors.chronicle_heads import heads_of


def campaign_content(campaign: Campaign, options: Collection[str] = ()) -> CampaignSummary:
    """Return the content of a campaign's summary. 22 queries, 23 after changed house rules.

    ``options`` are some of "booklet", "print-shop" and "cover-photo". ``campaign.club`` should be
    selected with the campaign.
    """
    scoring = scoring_under(campaign.scoring, campaign.shown)
    gathered = campaign_people(campaign)
    rules, table, fought = gathered.rolls.rules, gathered.table, gathered.fought
    warbands, states, chronicles = gathered.warbands, gathered.states, gathered.chronicles
    rolls, people, won, over = gathered.rolls, gathered.rolls.people, gathered.won, gathered.over
    players, pictures = rolls.players, rolls.pictures
    shown = [warband for warband in warbands if open_like(campaign, warband)]
    battles = [each.battle for each in fought]
    written = journal_of(campaign)
    narratives, journal = with_journal(gathered.narratives, written)
    words = label(rules, campaign.house_rules)
    battles_by_id = gathered.battles_by_id
    paired = zip(fought, narratives, strict=True)
    accounts = {
        each.battle.pk: account_of(each, tale.named) for each, tale in paired if not tale.friendly
    }
    winner = prose().classic_verdict(won) if won else ""
    standing = verdict(table, over=over) if battles and not winner else Verdict()
    lives = gathered.lives
    fallen = gathered.fallen()
    course, honoured = course_of_play(campaign, table), honours(rolls)
    recorded = records(rolls, words, narratives)
    victory = (winner or prose().verdict(standing)) if over else ""
    changes = changes_of(campaign, chronicles)
    rosters = [
        _roster(warband, states[warband.pk], players[warband.pk], pictures) for warband in shown
    ]
    ending = (
        ending_of(lives, table, warbands, course, won, victory, (*honoured, *recorded))
        if over and battles
        else None
    )
    return CampaignSummary(
        title=campaign.name,
        subtitle=gettext("Campaign book"),
        dated=_dated(campaign, battles, chronicles, written),
        ruleset=rules.name,
        club=campaign.club.name,
        state=state_of_campaign(campaign, battles),
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
                first_rise=_first_rise(warbands, chronicles, states, battles, accounts),
            ),
            narratives,
        ),
        standings=tuple(place_of_row(row) for row in table.rows),
        tie_rule=prose().tie_rule(scoring),
        winner=winner,
        verdict=standing,
        victory=victory,
        course=course,
        honours=honoured,
        records=recorded,
        scoring=prose().scoring(scoring, table.unplayed),
        house_rules=_house_rules(campaign),
        battles=narratives,
        journal=journal,
        veterans=veterans(rolls),
        memorial=fallen,
        rosters=tuple(roster for roster in rosters if roster.groups or roster.left or not battles),
        ending=ending,
        players=players_page(table, warbands, rolls, written),
        encounters=encounters_of(table, fought, narratives),
        warbands=tuple(
            _history(lives, table, warband, states[warband.pk], chronicles, changes, words)
            for warband in warbands
        ),
        index=index_of_persons(rolls, battles_by_id),
        private_rosters=tuple(warband.name for warband in warbands if warband not in shown),
        crest=pictures.of(campaign.club_id),
        heads=heads_of(warbands),
        logs=logs_head(campaign.pk),
        make_up=next((make_up for make_up in MakeUp if make_up in options), MakeUp.PAGES),
        cover_photo=_cover_photo(narratives, ending) if "cover-photo" in options else None,
    )


def _cover_photo(
    battles: Sequence[BattleNarrative], ending: Ending | None
) -> PrintedPicture | None:
    """Return the first photo of the deciding battle, else the first of all; None without photos."""
    decisive = [each for each in battles if ending and ending.battle_at == f"battle-{each.id}"]
    photos = (photo for battle in (*decisive, *battles) for photo in battle.photos)
    return next(photos, None)


def _roster(warband: Warband, state: WarbandState, player: Player, pictures: Album) -> RosterSheet:
    """Return the roster without cards and without the dead, who are in the memorial of the book."""
    left = (each for each in state.fighters.values() if each.fate is Fate.RETIRED)
    people = tuple(Person(each.name, place_of(each.id)) for each in left)
    return replace(roster_sheet(warband, state, player, pictures=pictures), left=people)


def place_of_row(row: StandingsRow) -> Place:
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


def _history(
    lives: Lives,
    table: Standings,
    warband: Warband,
    state: WarbandState,
    chronicles: Mapping[UUID, Chronicle],
    changes: Changes,
    words: Label,
) -> WarbandHistory:
    """Return the chapter of a warband. No queries."""
    row = next(row for row in table.rows if row.warband == warband.pk)
    chronicle, player = chronicles[warband.pk], lives.rolls.players[warband.pk]
    remains = remains_of(lives, row, len(table.rows))
    return WarbandHistory(
        id=str(warband.pk),
        name=warband.name,
        player=player.name,
        colour=player.colour,
        faction=faction_name(warband),
        arms=str(warband.pk),
        crest=lives.rolls.pictures.of(warband.pk),
        destroyed=not remains.serving and not remains.captive,
        remains=book_prose().remains(remains) if lives.battles else (),
        steps=steps_of(lives.rolls, chronicle, warband, state, lives.battles, changes, words),
    )


def _first_rise(
    warbands: Sequence[Warband],
    chronicles: Mapping[UUID, Chronicle],
    states: Mapping[UUID, WarbandState],
    battles: Sequence[Battle],
    accounts: Mapping[UUID, BattleAccount],
) -> Rise | None:
    """Return the first rank-up after the first confirmed battle, with the battle that preceded it.

    None if two fighters ranked up at the same moment. No queries.
    """
    risen = []
    for warband in warbands:
        chronicle, fighters = chronicles[warband.pk], states[warband.pk].fighters
        moments = {entry.sequence: entry.recorded_at for entry in chronicle.entries}
        risen += [
            (moments[place], fighters[fighter].name, warband)
            for place, fact in chronicle.facts
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
    chronicles: Mapping[UUID, Chronicle],
    written: Iterable[JournalEntry],
) -> str:
    """Return the day (ISO) of the latest change in the summary."""
    moments = [campaign.created_at, campaign.started_at, campaign.finished_at]
    moments += [chronicle.last_entry_at for chronicle in chronicles.values()]
    moments += [battle.confirmed_at for battle in battles]
    moments += [entry.edited_at or entry.written_at for entry in written]
    moments += [revision.made_at for battle in battles for revision in battle.revisions.all()]
    return max(_day(moment) for moment in moments)


def _day(moment: datetime | None) -> str:
    return moment.date().isoformat() if moment else ""


def state_of_campaign(campaign: Campaign, battles: Sequence[Battle]) -> str:
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
