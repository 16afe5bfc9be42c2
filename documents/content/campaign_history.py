"""The history of a campaign for its printed summary: first place, standings by day, and honours."""

from uuid import UUID

from msgspec.structs import replace

from battles.selectors.standings import Standings
from campaigns.models import Campaign
from core.ruleset_words import translated_tallies
from documents.content.documents import CourseOfPlay, CourseRow, HeadToHeadCell, Honour
from documents.content.labels import translated
from documents.content.memorial import HonourLists
from documents.content.records import best
from leagues.selectors.standings_history import course
from leagues.selectors.verdict import Verdict
from leagues.selectors.verdict import verdict as first_of


def verdict(table: Standings, *, over: bool) -> Verdict:
    """Return the first place of the standings and its reason, in the active language.

    At least one battle must have been played.
    """
    first_place = first_of(table, over=over)
    return (
        replace(first_place, parted_by=translated(first_place.parted_by))
        if first_place.parted_by
        else first_place
    )


def course_of_play(campaign: Campaign, table: Standings) -> CourseOfPlay:
    """Return the campaign's days of play, with a row for each warband in the order of the table.

    One query.
    """
    by_days = course(campaign, table)
    lines = {line.warband: line for line in by_days.lines}
    places: dict[UUID, int] = {row.warband: place for place, row in enumerate(table.rows)}
    return CourseOfPlay(
        days=tuple(day.isoformat() for day in by_days.days),
        rows=tuple(
            CourseRow(row.name, row.colour, line.positions, line.points, line.strengths)
            for row in table.rows
            if (line := lines[row.warband])
        ),
        met=tuple(
            HeadToHeadCell(
                places[record.warband],
                places[record.opponent],
                record.won,
                record.drawn,
                record.lost,
            )
            for record in by_days.records
            if record.warband in places and record.opponent in places
        ),
    )


def honours(rolls: HonourLists) -> tuple[Honour, ...]:
    """Return the holders of the highest count for each tally of the rule system, living or dead.

    A tally is left out if all counts are 0, or if too many fighters share the highest one.
    """
    people = [each for each in rolls.people.values() if each.fighter.battles]
    return tuple(
        honour
        for tally in translated_tallies(rolls.rules.tallies)
        for honour in best(
            tally.label,
            (
                (rolls.holder(each.fighter.id), each.fighter.tallies.get(tally.key, 0))
                for each in people
            ),
        )
    )
