"""German prose from facts: its own order of words, cases and genders, „Anführungszeichen“, dashes and minus."""

from collections.abc import Sequence

from campaigns.scoring import IN_WORDS, Scoring
from documents.content.kinds import CourseOfPlay, Fallen, Verdict
from documents.content.pieces import SideTale
from documents.content.words import house
from documents.prose.english import minus
from drawings.bars import Standing

NUMBERS = ("kein", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf")


def numbered(number: int) -> str:
    """ "zwei", "zwölf", "13": for two and more."""
    return NUMBERS[number] if 2 <= number < len(NUMBERS) else minus(number)


def listed(names: Sequence[str]) -> str:
    """ "A", "A und B", "A, B und C"."""
    return " und ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def verdict(told: Verdict) -> str:
    """Who won a campaign or leads it, and by what; "" where nobody has fought."""
    if not told.best:
        return ""
    points = _points(told.points)
    if len(told.best) > 1:
        verb = "teilen sich den ersten Platz" if told.over else "liegen gleichauf an der Spitze"
        return f"{listed(told.best)} {verb}, mit je {points}; nichts entscheidet zwischen ihnen."
    who = told.best[0]
    opening = f"Gewonnen hat {who} mit {points}" if told.over else f"{who} führt die Tabelle mit {points} an"
    if not told.runner_up:
        return f"{opening}."
    if told.ahead:
        ahead = "einen Punkt" if told.ahead == 1 else f"{numbered(told.ahead)} Punkte"
        return f"{opening}, {ahead} vor {told.runner_up}."
    if not told.parted_by:
        return f"{opening}."
    return f"{opening}, punktgleich mit {told.runner_up}; es entschied: {told.parted_by}."


def _points(number: int) -> str:
    """In the dative, which comes after "mit"."""
    if number == 1:
        return "einem Punkt"
    return f"{'null' if number == 0 else numbered(number)} Punkten"


def battle_verdict(sides: Sequence[SideTale], scored: bool) -> str:
    """Who won a battle, with victory points where they are ``scored``."""
    winners = [side for side in sides if side.outcome == "won"]
    score = " zu ".join(minus(side.victory_points) for side in sorted(sides, key=lambda side: -side.victory_points))
    by = f" mit {score} Siegpunkten" if scored and len(sides) > 1 else ""
    if not winners:
        return f"Das Gefecht endete unentschieden{by}." if sides else ""
    verb = "gewinnt" if len(winners) == 1 else "gewinnen gemeinsam"
    return f"{listed([side.warband for side in winners])} {verb}{by}."


def scoring(scoring: Scoring) -> str:
    """How the points of a table are given."""
    text = f"{scoring.win} für einen Sieg, {scoring.draw} für ein Unentschieden, {scoring.loss} für eine Niederlage"
    if scoring.clear_win:
        text += f", {scoring.clear_win} mehr für einen Sieg mit mindestens {scoring.margin} Siegpunkten Vorsprung"
    return f"Punkte: {text}."


def tie_rule(scoring: Scoring) -> str:
    """How ties of a table are broken."""
    if not scoring.tie_breakers:
        return "Wer gleich viele Punkte hat, teilt sich den Platz."
    order = ", dann ".join(house(IN_WORDS[criterion]) for criterion in scoring.tie_breakers)
    return f"Bei gleicher Punktzahl entscheiden {order}; wer dann noch gleich ist, teilt sich den Platz."


def casualties(marks: Sequence[Standing]) -> str:
    """How everybody of a side left the field, for whoever cannot see the strip."""
    words = {"well": "unverletzt", "hurt": "verletzt", "out": "fortgetragen", "gone": "fort", "dead": "tot"}
    told = [f"{marks.count(mark)} {word}" for mark, word in words.items() if mark in marks]
    return f"Von {len(marks)} im Feld: {', '.join(told)}."


def slayings(fallen: Sequence[Fallen]) -> str:
    """Who slew whom, for whoever cannot see the arcs."""
    by_slayer: dict[str, list[str]] = {}
    for each in fallen:
        by_slayer.setdefault(each.by, []).append(each.name)
    return "; ".join(f"{slayer} tötete {listed(names)}" for slayer, names in by_slayer.items()) + "."


def positions_chart(course: CourseOfPlay) -> str:
    """What the chart of positions shows, for whoever cannot see it."""
    ends = sorted(
        (row.positions[-1], row.warband) for row in course.rows if row.positions and row.positions[-1] is not None
    )
    order = "; ".join(f"{position}. {warband}" for position, warband in ends)
    days = "dem Spieltag" if len(course.days) == 1 else f"jedem der {numbered(len(course.days))} Spieltage"
    return f"Die Tabelle nach {days}. Am Ende steht sie so: {order}."


def strength_chart(course: CourseOfPlay) -> str:
    """What the chart of strength shows."""
    brought = {row.warband: [each for each in row.strengths if each is not None] for row in course.rows}
    told = "; ".join(f"{warband} {line[0]}, dann {line[-1]}" for warband, line in brought.items() if line)
    return f"Was in das erste und in das letzte Gefecht geführt wurde: {told}."


def head_to_head_grid(course: CourseOfPlay) -> str:
    """What the grid of results shows."""
    met = "; ".join(
        f"{course.rows[each.row].warband} gegen {course.rows[each.column].warband} "
        f"{each.won} gewonnen, {each.drawn} unentschieden, {each.lost} verloren"
        for each in course.met
        if each.row < each.column
    )
    return f"Gefechte gegeneinander, gewonnen, unentschieden und verloren: {met}."


def score_chart(sides: Sequence[SideTale]) -> str:
    """What the bars of a battle show."""
    return f"Siegpunkte: {'; '.join(f'{side.warband} {minus(side.victory_points)}' for side in sides)}."


def arms(name: str) -> str:
    """Whose arms a crest shows."""
    return f"Das Wappen: {name}"
