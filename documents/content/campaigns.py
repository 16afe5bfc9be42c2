"""A whole campaign: table, battles, veterans, memorial, rosters. A fixed number of queries, however long it went on."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Max
from django.utils.translation import gettext, ngettext

from battles.models import Battle
from battles.reading import result_of
from battles.standings import Standings, StandingsRow, standings
from battles.summaries.winners import winner_in_words
from campaigns.house_rules import house_rule_values
from campaigns.models import Campaign, CampaignState, Format
from campaigns.scoring import scoring_under
from campaigns.terms import ruleset_of
from documents.content.battles import account_of, ordered_results, sides_of, tales
from documents.content.course import course_of_play, honours, verdict
from documents.content.highlights import Account, Rise, of_campaign
from documents.content.kinds import CampaignCounts, CampaignSummary, Fallen, Place, Verdict, Veteran
from documents.content.people import Service, players_of
from documents.content.pieces import Noted, RosterSheet
from documents.content.rosters import roster_sheet
from documents.content.stories import campaign_story
from documents.content.words import ended_by, house, label
from documents.prose import prose
from rulebook.chronicle.facts import RankedUp, decode
from rulebook.chronicle.fold import effective_at
from rulebook.chronicle.states import GONE, FighterState, WarbandState
from rulebook.ruleset import Fate, Ruleset
from rulebook.values.rosters import counted
from warbands.models import ChronicleEntry, Visibility, Warband
from warbands.reading import read_states, rules_of

MOST_VETERANS = 20


def campaign_content(campaign: Campaign) -> CampaignSummary:
    """The content of a campaign's summary. Fifteen queries; ``campaign.club`` should be selected with it."""
    rules = ruleset_of(campaign)
    table, scoring = standings(campaign), scoring_under(campaign.scoring, campaign.shown)
    battles = ordered_results(campaign)
    warbands = _warbands(table)
    states = read_states(warbands)
    sides = sides_of(battles)
    told = tales(battles, campaign, sides)
    accounts = {battle.pk: account_of(battle, sides[battle.pk]) for battle in battles if not battle.friendly}
    winner = winner_in_words(campaign)
    people = _people(warbands, states)
    fallen = _memorial(people, battles, {UUID(tale.id): tale.title for tale in told})
    shown = [warband for warband in warbands if open_like(campaign, warband)]
    return CampaignSummary(
        title=campaign.name,
        subtitle=gettext("Campaign summary"),
        dated=_dated(campaign, battles, warbands),
        ruleset=rules.name,
        club=campaign.club.name,
        state=_state(campaign, battles),
        format=house(Format(campaign.format).label),
        words=label(rules, campaign.house_rules),
        points=campaign.points,
        counts=CampaignCounts(len(table.rows), len(battles), len(fallen)),
        games=campaign.games,
        began=battles[0].fought_on.isoformat() if battles else "",
        ended=battles[-1].fought_on.isoformat() if battles and _over(campaign, winner) else "",
        story=campaign.story,
        told=campaign_story(
            of_campaign(
                tuple(accounts.values()),
                serving={each.fighter.id for each in people if each.fighter.fate not in GONE},
                first_rise=_first_rise(warbands, states, battles, accounts),
            ),
            told,
        ),
        standings=tuple(_place(row) for row in table.rows),
        tie_rule=prose().tie_rule(scoring),
        winner=winner,
        verdict=Verdict() if winner or not battles else verdict(table, over=_over(campaign, winner)),
        course=course_of_play(campaign, table),
        honours=honours(rules, people),
        scoring=prose().scoring(scoring),
        house_rules=_house_rules(campaign),
        battles=told,
        tallies=rules.tallies,
        veterans=_veterans(rules, people),
        memorial=fallen,
        rosters=_rosters(campaign, shown, states),
        private_rosters=tuple(warband.name for warband in warbands if warband not in shown),
    )


def open_like(campaign: Campaign, warband: Warband) -> bool:
    """Whether everybody who may see the campaign may see the warband's roster too."""
    return campaign.visibility == Visibility.PRIVATE or warband.visibility != Visibility.PRIVATE


def _warbands(table: Standings) -> list[Warband]:
    """The warbands of the table, in its order."""
    rows = Warband.objects.select_related("owner").in_bulk([row.warband for row in table.rows])
    return [rows[row.warband] for row in table.rows]


def _rosters(
    campaign: Campaign, warbands: Sequence[Warband], states: Mapping[UUID, WarbandState]
) -> tuple[RosterSheet, ...]:
    players = players_of(warbands, campaign)
    return tuple(roster_sheet(warband, states[warband.pk], players[warband.pk]) for warband in warbands)


def _place(row: StandingsRow) -> Place:
    return Place(
        position=row.position,
        warband=row.name + (" (" + gettext("withdrawn") + ")" if row.withdrawn else ""),
        player=row.player_name,
        played=row.played,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        points_for=row.victory_points,
        points_against=row.victory_points_against,
        points=row.points,
        roster=str(row.warband),
        colour=row.colour,
    )


def _house_rules(campaign: Campaign) -> tuple[Noted, ...]:
    """The house rules that differ from the defaults; what the rule book does not know at all says so."""
    values = house_rule_values(ruleset_of(campaign), campaign.house_rules)
    return tuple(
        Noted(each.rule.label, each.shown + ("" if each.rule.book else " (" + gettext("Muster’s own") + ")"))
        for each in values
        if each.changed
    )


def _people(warbands: Iterable[Warband], states: Mapping[UUID, WarbandState]) -> list[Service]:
    return [Service(fighter, warband) for warband in warbands for fighter in states[warband.pk].fighters.values()]


def _veterans(rules: Ruleset, people: Iterable[Service]) -> tuple[Veteran, ...]:
    """Those who live and have fought, by what they have earned."""
    people = [each for each in people if each.fighter.battles and each.fighter.fate not in GONE]
    people.sort(key=lambda each: _renown(rules, each.fighter))
    return tuple(
        Veteran(
            name=each.fighter.name,
            warband=each.warband.name,
            profile=each.fighter.profile_name,
            rank=each.fighter.rank,
            battles=each.fighter.battles,
            earned=each.fighter.earned,
            tallies=counted(rules.tallies, each.fighter.tallies),
        )
        for each in people[:MOST_VETERANS]
    )


def _renown(rules: Ruleset, fighter: FighterState) -> tuple[Any, ...]:
    """What puts those first who earned most; of equals the highest rank, then the weightiest tally, then the name."""
    done = (-fighter.tallies.get(tally.key, 0) for tally in reversed(rules.tallies))
    return (-fighter.earned, -fighter.rank, *done, fighter.name)


def _memorial(people: Iterable[Service], battles: Iterable[Battle], titles: Mapping[UUID, str]) -> tuple[Fallen, ...]:
    """The dead, in the order in which they died; those whom an organiser declared dead come last."""
    deaths = {fighter: battle for battle in battles if not battle.friendly for fighter in _killed_in(battle)}
    dead = [each for each in people if each.fighter.fate is Fate.DEAD]
    dead.sort(key=lambda each: (_fell_on(deaths.get(each.fighter.id)), each.warband.name, each.fighter.place))
    return tuple(_fallen(each, deaths.get(each.fighter.id), titles) for each in dead)


def _killed_in(battle: Battle) -> list[str]:
    result = result_of(battle)
    sides = result.sides if result else ()
    return [record.fighter for side in sides for record in side.records if record.fate is Fate.DEAD]


def _fell_on(battle: Battle | None) -> date:
    return battle.fought_on if battle else date.max


def _fallen(dead: Service, battle: Battle | None, titles: Mapping[UUID, str]) -> Fallen:
    return Fallen(
        name=dead.fighter.name,
        warband=dead.warband.name,
        profile=dead.fighter.profile_name,
        rank=dead.fighter.rank,
        battle=titles[battle.pk] if battle else "",
        fought_on=battle.fought_on.isoformat() if battle else "",
        by=dead.fighter.end,
        how=ended_by(rules_of(dead.warband).loss_phrase(dead.fighter.wounds)),
        battles=dead.fighter.battles,
    )


def _first_rise(
    warbands: Sequence[Warband],
    states: Mapping[UUID, WarbandState],
    battles: Sequence[Battle],
    accounts: Mapping[UUID, Account],
) -> Rise | None:
    """Who rose first once battles had been confirmed, and after which; None where two did at once. One query."""
    rows = ChronicleEntry.objects.filter(warband__in=warbands, kind__in=("ranked-up", "corrected"))
    entries: dict[UUID, list[ChronicleEntry]] = {warband.pk: [] for warband in warbands}
    for entry in rows.order_by("sequence"):
        entries[entry.warband_id].append(entry)
    risen = []
    for warband in warbands:
        moments = {entry.sequence: entry.recorded_at for entry in entries[warband.pk]}
        current = effective_at((entry.sequence, decode(entry.payload)) for entry in entries[warband.pk])
        known = states[warband.pk].fighters
        risen += [
            (moments[place], known[fact.fighter].name, warband)
            for place, fact in current
            if isinstance(fact, RankedUp) and fact.fighter in known
        ]
    begun = [(battle.confirmed_at, battle.pk) for battle in battles if battle.confirmed_at and battle.pk in accounts]
    risen = sorted((each for each in risen if begun and each[0] >= min(begun)[0]), key=lambda each: each[0])
    if not risen or (len(risen) > 1 and risen[1][0] == risen[0][0]):
        return None
    moment, name, warband = risen[0]
    _, after = max(each for each in begun if each[0] <= moment)
    return Rise(name, warband.name, accounts[after])


def _dated(campaign: Campaign, battles: Iterable[Battle], warbands: Iterable[Warband]) -> str:
    """The day of the latest thing in the summary."""
    told = ChronicleEntry.objects.filter(warband__in=list(warbands)).aggregate(last=Max("recorded_at"))["last"]
    moments = [campaign.created_at, campaign.started_at, campaign.finished_at, told]
    moments += [battle.confirmed_at for battle in battles]
    moments += [revision.made_at for battle in battles for revision in battle.revisions.all()]
    return max(_day(moment) for moment in moments)


def _day(moment: datetime | None) -> str:
    return moment.date().isoformat() if moment else ""


def _over(campaign: Campaign, winner: str) -> bool:
    """Whether it is finished, or won."""
    return campaign.state == CampaignState.FINISHED or bool(winner)


def _state(campaign: Campaign, battles: Sequence[Battle]) -> str:
    """How far it has come, in words."""
    if campaign.state == CampaignState.PLANNED or not battles:
        return house(CampaignState(campaign.state).label)
    count = {"battles": len(battles)}
    if campaign.state == CampaignState.RUNNING:
        return ngettext("After %(battles)s battle", "After %(battles)s battles", len(battles)) % count
    return ngettext("Final, after %(battles)s battle", "Final, after %(battles)s battles", len(battles)) % count
