"""English prose from facts: right plurals, typographic dashes, quotes and minus."""

from collections.abc import Sequence

from campaigns.scoring import Scoring
from documents.content.kinds import CourseOfPlay, Fallen, Verdict
from documents.content.pieces import SideTale
from drawings.bars import Standing

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def counted(number: int, one: str, many: str = "") -> str:
    """ "two battles", "one battle", "no battles", "13 battles"."""
    return f"{NUMBERS[number] if 0 <= number < len(NUMBERS) else number} {one if number == 1 else many or one + 's'}"


def minus(number: int) -> str:
    """The number with a true minus: "−3"."""
    return str(number).replace("-", "−")


def listed(names: Sequence[str]) -> str:
    """ "A", "A and B", "A, B and C"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def verdict(told: Verdict) -> str:
    """Who won a campaign or leads it, and by what; "" where nobody has fought."""
    if not told.best:
        return ""
    with_points = f"with {counted(told.points, 'point')}"
    if len(told.best) > 1:
        verb = "share the first place" if told.over else "are level at the top"
        return f"{listed(told.best)} {verb} {with_points} each; no tie-breaker parts them."
    verb = "won the campaign" if told.over else "lead the table"
    opening = f"{told.best[0]} {verb} {with_points}"
    if not told.runner_up:
        return f"{opening}."
    if told.ahead:
        return f"{opening}, {counted(told.ahead, 'point')} ahead of {told.runner_up}."
    return f"{opening}, level with {told.runner_up}; {told.parted_by} decided." if told.parted_by else f"{opening}."


def battle_verdict(sides: Sequence[SideTale], scored: bool) -> str:
    """ "": the rules say in English who won a battle."""
    return ""


def scoring(scoring: Scoring) -> str:
    """How the points of a table are given."""
    return scoring.rule


def tie_rule(scoring: Scoring) -> str:
    """How ties of a table are broken."""
    return scoring.tie_rule


def casualties(marks: Sequence[Standing]) -> str:
    """How everybody of a side left the field, for whoever cannot see the strip."""
    words = {"well": "unhurt", "hurt": "hurt", "out": "carried off", "gone": "gone", "dead": "dead"}
    told = [f"{marks.count(mark)} {word}" for mark, word in words.items() if mark in marks]
    return f"Of {len(marks)} fielded: {', '.join(told)}."


def slayings(fallen: Sequence[Fallen]) -> str:
    """Who slew whom, for whoever cannot see the arcs."""
    by_slayer: dict[str, list[str]] = {}
    for each in fallen:
        by_slayer.setdefault(each.by, []).append(each.name)
    return "; ".join(f"{slayer} slew {listed(names)}" for slayer, names in by_slayer.items()) + "."


def positions_chart(course: CourseOfPlay) -> str:
    """What the chart of positions shows, for whoever cannot see it."""
    ends = sorted(
        (row.positions[-1], row.warband) for row in course.rows if row.positions and row.positions[-1] is not None
    )
    order = "; ".join(f"{position}. {warband}" for position, warband in ends)
    return f"The table after each of {counted(len(course.days), 'day')} of play. It ends so: {order}."


def strength_chart(course: CourseOfPlay) -> str:
    """What the chart of strength shows."""
    brought = {row.warband: [each for each in row.strengths if each is not None] for row in course.rows}
    told = "; ".join(f"{warband} {line[0]}, then {line[-1]}" for warband, line in brought.items() if line)
    return f"What each brought to its first and to its last battle: {told}."


def head_to_head_grid(course: CourseOfPlay) -> str:
    """What the grid of results shows."""
    met = "; ".join(
        f"{course.rows[each.row].warband} against {course.rows[each.column].warband} "
        f"{each.won} won, {each.drawn} drawn, {each.lost} lost"
        for each in course.met
        if each.row < each.column
    )
    return f"Battles won, drawn and lost against each other: {met}."


def score_chart(sides: Sequence[SideTale]) -> str:
    """What the bars of a battle show."""
    return f"Victory points: {'; '.join(f'{side.warband} {minus(side.victory_points)}' for side in sides)}."


def arms(name: str) -> str:
    """Whose arms a crest shows."""
    return f"The arms of {name}"
