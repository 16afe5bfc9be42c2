"""How a campaign went, for its printed story: who leads, by what, the course of the table, and the honours."""

from uuid import UUID

from battles.course import course
from battles.standings import Standings
from campaigns.models import Campaign
from campaigns.scoring import IN_WORDS
from documents.content.kinds import CourseOfPlay, Honour, Met, Row, Verdict
from documents.content.records import best
from documents.content.remembered import Rolls
from documents.content.words import house


def verdict(table: Standings, *, over: bool) -> Verdict:
    """Who stands first in a table, and by what. At least one battle has been fought."""
    best = [row for row in table.rows if row.position == 1]
    others = table.rows[len(best) :]
    runner_up = others[0] if others else None
    return Verdict(
        best=tuple(row.name for row in best),
        runner_up=runner_up.name if runner_up else "",
        points=best[0].points if best else 0,
        ahead=best[0].points - runner_up.points if best and runner_up else 0,
        parted_by=house(IN_WORDS[table.parted_by]) if table.parted_by else "",
        over=over,
    )


def course_of_play(campaign: Campaign, table: Standings) -> CourseOfPlay:
    """The campaign's days of play with a row for each warband of its table, in its order. One query."""
    told = course(campaign, table.rows)
    lines = {line.warband: line for line in told.lines}
    places: dict[UUID, int] = {row.warband: place for place, row in enumerate(table.rows)}
    return CourseOfPlay(
        days=tuple(day.isoformat() for day in told.days),
        rows=tuple(
            Row(row.name, row.colour, line.positions, line.points, line.strengths)
            for row in table.rows
            if (line := lines[row.warband])
        ),
        met=tuple(
            Met(places[met.warband], places[met.opponent], met.won, met.drawn, met.lost)
            for met in told.records
            if met.warband in places and met.opponent in places
        ),
    )


def honours(rolls: Rolls) -> tuple[Honour, ...]:
    """For each tally of the rule system who has the most, living or dead; none where nobody has any, or too many do."""
    people = [each for each in rolls.people.values() if each.fighter.battles]
    return tuple(
        honour
        for tally in rolls.rules.tallies
        for honour in best(
            tally.label, ((rolls.holder(each.fighter.id), each.fighter.tallies.get(tally.key, 0)) for each in people)
        )
    )
