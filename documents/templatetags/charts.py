"""Charts of the printed page, each with a text alternative."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from html import escape, unescape
from itertools import accumulate, groupby

from django import template
from django.utils.formats import date_format, get_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from core.qr_codes import qr_modules
from documents.content.documents import (
    CampaignSummary,
    CourseOfPlay,
    CourseRow,
    Fallen,
    FighterCareer,
    MemorialEntry,
)
from documents.content.structs import (
    BattleNarrative,
    Card,
    Person,
    PrintedPicture,
    SideNarrative,
)
from documents.print_resources import (
    CHART_WIDTH,
    CREST,
    LITTLE_PORTRAIT,
    MAIN_WIDTH,
    PORTRAIT,
    TEXT_WIDTH,
    image,
)
from documents.prose import prose
from drawings.bars import casualty_strip as strip
from drawings.bars import casualty_track
from drawings.canvas import INK, Canvas, Drawing
from drawings.crests import crest
from drawings.encounters import Encounter
from drawings.encounters import encounter_graph as draw_encounters
from drawings.grids import Cell, Player, result_grid, slaying_arcs
from drawings.lines import Series, line_chart, sparkline
from drawings.marks import as_number
from drawings.shapes import HATS
from drawings.silhouettes import silhouette
from drawings.turns import SideHits, hits_by_turn
from leagues.selectors.verdict import Verdict
from rulebook.values.rosters import TickBoxes

register = template.Library()
NO_COLOUR, DARK, PALE, LOW = "#4a4a4a", "#8c1f16", "#d9d1c6", 150
MIN_SLAYINGS, SLAYINGS_A_PAGE, MIN_OF_A_LINE, MIN_OF_A_TRACK, LONGEST_IN_A_BOX = 2, 48, 2, 8, 2
QUIET_ZONE = 4
"""The margin of a QR code, in squares."""
UNDECIDED = "–"
"""The text for two warbands that met only in battles that others won."""
WORDS = re.compile(r"(?<=>)[^<>]+(?=</text>)")
"""The visible text of a drawing, without its title, which is only for screen readers."""


def by_letter(words: str) -> str:
    """Return visible text in the form that the printer needs.

    It sets letters one by one from the left. So right-to-left words are put into visual order, and
    Arabic letters into the forms that they have within a word.
    """
    # Loaded here, because they take 3 MB with fontTools, and most processes never print.
    from arabic_reshaper import reshape  # noqa: PLC0415 - see above
    from bidi import get_display  # noqa: PLC0415 - see above

    return str(get_display(reshape(words)))


def inline(drawing: Drawing) -> SafeString:
    """Return the drawing as markup, with its text in the form for the printer.

    This must be done after all texts are shortened.
    """
    svg = WORDS.sub(lambda match: escape(by_letter(unescape(match[0])), quote=False), drawing.svg)
    return mark_safe(svg)  # noqa: S308 - a drawing escapes all that people wrote (drawings.canvas)


@register.filter
def verdict(verdict: Verdict) -> str:
    """Return who won or leads, as a sentence."""
    return prose().verdict(verdict)


@register.filter
def positions_chart(course: CourseOfPlay) -> SafeString:
    """Return the chart of positions in the table after each day of play."""
    series = [_series(row, row.positions) for row in course.rows]
    return inline(
        line_chart(
            series,
            _days(course.days),
            prose().positions_chart(course),
            best_is_lowest=True,
            width=CHART_WIDTH,
        )
    )


@register.filter
def points_chart(course: CourseOfPlay) -> SafeString:
    """Return the chart of points in the table after each day of play."""
    series = [_series(row, row.points) for row in course.rows]
    return inline(
        line_chart(series, _days(course.days), prose().points_chart(course), width=CHART_WIDTH)
    )


@register.filter
def strength_chart(course: CourseOfPlay) -> SafeString:
    """Return the chart of the strength of each warband in its battles.

    A day without a battle has the strength of the last one.
    """
    series = [_series(row, _carried_on(row.strengths)) for row in course.rows]
    return inline(
        line_chart(
            series,
            _days(course.days),
            prose().strength_chart(course),
            width=CHART_WIDTH,
        )
    )


@register.filter
def head_to_head_grid(course: CourseOfPlay) -> SafeString:
    """Return the grid of results between warbands."""
    cells = {}
    for met in course.met:
        parts = (met.won, met.drawn, met.lost) if met.drawn else (met.won, met.lost)
        balance = (met.won - met.lost) / met.decided if met.decided else None
        cells[met.row, met.column] = Cell(
            "–".join(map(str, parts)) if met.decided else UNDECIDED, balance
        )
    players = [Player(row.warband, row.colour or NO_COLOUR) for row in course.rows]
    return inline(result_grid(players, cells, prose().head_to_head_grid(course), width=CHART_WIDTH))


@register.filter
def casualty_strip(side: SideNarrative) -> SafeString:
    """Return a strip with a mark for each fighter in the line-up of a side."""
    return inline(strip(side.marks, side.colour or NO_COLOUR, prose().casualties(side.marks)))


@register.simple_tag
def hits_chart(battle: BattleNarrative, tall: float, narrow: bool = False) -> SafeString:
    """Return the hits on each side turn by turn, as a chart of this height in mm.

    It is as wide as the text of a page, or ``narrow`` as the text of a battle.
    """
    sides = [
        SideHits(side.warband, side.colour or NO_COLOUR, side.hits)
        for side in battle.sides
        if side.hits
    ]
    counts = "; ".join(
        f"{side.name}: {', '.join(str(sum(turn)) for turn in side.turns)}" for side in sides
    )
    description = gettext("Hits by turn. %(counts)s") % {"counts": counts}
    scale = CHART_WIDTH / TEXT_WIDTH
    wide = MAIN_WIDTH if narrow else TEXT_WIDTH
    return inline(hits_by_turn(sides, description, width=wide * scale, height=tall * scale))


@register.simple_tag
def strength_by_turn(battle: BattleNarrative, tall: float) -> SafeString:
    """Return the strength of the sides turn by turn, as a chart of this height in mm."""
    series = [
        Series(side.warband, side.colour or NO_COLOUR, side.strength)
        for side in battle.sides
        if side.strength
    ]
    turns = max((len(each.values) for each in series), default=0)
    ends = "; ".join(f"{each.name}: {_ends(each.values)}" for each in series)
    description = gettext("Strength by turn. %(ends)s") % {"ends": ends}
    height = tall * CHART_WIDTH / TEXT_WIDTH
    numbers = [gettext("Start"), *(str(turn) for turn in range(1, turns))]
    return inline(line_chart(series, numbers, description, width=CHART_WIDTH, height=height))


def _ends(values: Sequence[float | None]) -> str:
    return " → ".join(as_number(value or 0) for value in (values[0], values[-1]))


@register.filter
def strength_caption(battle: BattleNarrative) -> str:
    """Return what the chart of the strength turn by turn shows."""
    captions = {
        "figures": gettext("The figures of each side at the start and after each turn."),
        "half-bases": gettext("The bases of each side at the start and after each turn."),
    }
    fighters = gettext("The fighters of each side at the start and after each turn.")
    return captions.get(battle.strength_of, fighters)


@register.filter
def slayings(content: CampaignSummary) -> list[SafeString]:
    """Return the charts of killers and victims, most victims first; [] for fewer than two deaths.

    Nobody is left out: more killings than fit on a page are on several charts.
    """
    kills = [(fallen.killer, fallen) for fallen in content.killings if fallen.killer]
    if len(kills) < MIN_SLAYINGS:
        return []
    busiest = [killer for killer, _ in Counter(killer for killer, _ in kills).most_common()]
    drawn = sorted(kills, key=lambda each: busiest.index(each[0]))
    pages = -(-len(drawn) // SLAYINGS_A_PAGE)
    size = -(-len(drawn) // pages)
    return [
        _slaying_chart(content, drawn[start : start + size]) for start in range(0, len(drawn), size)
    ]


def _slaying_chart(content: CampaignSummary, kills: Sequence[tuple[Person, Fallen]]) -> SafeString:
    shown = [fallen for _, fallen in kills]
    killers = {
        killer: Player(killer.name, fallen.killer_colour or NO_COLOUR) for killer, fallen in kills
    }
    order = list(killers)
    deeds = [(order.index(killer), place) for place, (killer, _) in enumerate(kills)]
    slain = [Player(fallen.name, fallen.colour or NO_COLOUR) for fallen in shown]
    sides = {player.colour for player in (*killers.values(), *slain)}
    named = [Player(name, colour) for name, colour in content.colours if colour in sides]
    return inline(
        slaying_arcs(
            list(killers.values()),
            slain,
            deeds,
            prose().slayings(shown),
            sides=named,
            width=CHART_WIDTH,
        )
    )


@register.filter
def encounter_graph(content: CampaignSummary) -> SafeString:
    """Return the graph of meetings between warbands."""
    players = [Player(entry.warband, entry.colour or NO_COLOUR) for entry in content.players]
    every = [each.day for each in content.encounters]
    days = dict(zip(every, _days(every), strict=True))
    encounters = [
        Encounter(each.number, days[each.day], each.rows, each.won) for each in content.encounters
    ]
    met = "; ".join(
        f"{each.number}. {prose().join_names([players[row].name for row in each.rows])}"
        for each in content.encounters
    )
    about = gettext("Who met in which battle: %(battles)s.") % {"battles": met}
    return inline(draw_encounters(players, encounters, about, width=CHART_WIDTH))


@register.filter
def is_track(ticked: TickBoxes) -> bool:
    """Return whether the boxes are one row, like those for losses, without text next to them.

    They are if there are many, or strokes between them.
    """
    short = all(len(word) <= LONGEST_IN_A_BOX for word in ticked.boxes)
    return short and (bool(ticked.strokes) or len(ticked.boxes) >= MIN_OF_A_TRACK)


@register.filter
def track(ticked: TickBoxes) -> SafeString:
    """Return a row of boxes to tick."""
    number = len(ticked.boxes)
    description = ngettext("%(number)d box to tick", "%(number)d boxes to tick", number) % {
        "number": number
    }
    if ticked.strokes:
        after = ", ".join(str(stroke) for stroke in ticked.strokes)
        description += gettext(", with a stroke after %(numbers)s") % {"numbers": after}
    return inline(
        casualty_track(
            number, ticked.strokes, description, words=ticked.boxes, width=15 * number + 4
        )
    )


@register.simple_tag
def arms(
    name: str,
    colour: str,
    seed: str = "",
    width: int = 40,
    engraved: bool = False,
    brought: PrintedPicture | None = None,
) -> SafeString:
    """Return the uploaded crest of a name, or else the arms of a warband's seed, or of the name.

    With ``engraved``, it is drawn in black and white.
    """
    description = prose().arms(name)
    drawn = image(brought, CREST, description)
    return drawn or inline(crest(seed or name, colour, description, width=width, engraved=engraved))


@register.simple_tag
def result_code(address: str) -> SafeString:
    """Return a QR code with the address of a result form."""
    return _code(address, gettext("QR code of the page on which the result is entered"))


@register.simple_tag
def page_code(address: str) -> SafeString:
    """Return a QR code with the address of a club night's page."""
    return _code(address, gettext("QR code of the page of the club night"))


def _code(address: str, description: str) -> SafeString:
    """Return a QR code with the margin that scanners need."""
    rows = qr_modules(address)
    side = len(rows) + 2 * QUIET_ZONE
    canvas = Canvas(side, side, description)
    runs = []
    for y, row in enumerate(rows, start=QUIET_ZONE):
        x = QUIET_ZONE
        for dark, squares in groupby(row):
            length = len(list(squares))
            if dark:
                runs.append(f"M{x} {y}h{length}v1h-{length}z")
            x += length
    canvas.draw("path", d="".join(runs), fill="#000000")
    return inline(canvas.finish())


@register.filter
def career_chart(career: FighterCareer) -> SafeString:
    """Return a chart of the experience that a fighter earned and kept after each battle.

    For a rule system without experience it shows deeds. It is "" if there are too few battles or if
    all values are 0.
    """
    if len(career.chapters) < MIN_OF_A_LINE or not any(_grown(career)):
        return SafeString()
    days = _days([chapter.fought_on for chapter in career.chapters])
    grown = _grown(career)
    if not career.words.shown.experience:
        description = gettext("Deeds after each battle: %(values)s.") % {
            "values": ", ".join(map(str, grown))
        }
        return inline(
            line_chart(
                [Series(gettext("Deeds"), DARK, grown)],
                days,
                description,
                width=CHART_WIDTH,
                height=LOW,
            )
        )
    description = gettext("Experience after each battle: %(values)s.") % {
        "values": ", ".join(map(str, grown))
    }
    left = tuple(chapter.balance for chapter in career.chapters)
    lines = [
        Series(gettext("Earned"), DARK, grown),
        Series(gettext("XP available"), NO_COLOUR, left),
    ]
    return inline(
        line_chart(lines[: 1 + (left != grown)], days, description, width=CHART_WIDTH, height=LOW)
    )


@register.filter
def career_line(career: FighterCareer) -> SafeString:
    """Return a career as a small line with a stroke at each rank-up.

    It is "" if there are too few battles or if all values are 0.
    """
    if len(career.chapters) < MIN_OF_A_LINE or not any(_grown(career)):
        return SafeString()
    risen = [place for place, chapter in enumerate(career.chapters) if chapter.rank_ups]
    description = ngettext("%(number)d battle", "%(number)d battles", len(career.chapters)) % {
        "number": len(career.chapters)
    }
    return inline(sparkline(_grown(career), description, marks=risen, width=180))


def _grown(career: FighterCareer) -> tuple[int, ...]:
    """Return the total experience earned after each battle.

    Return the number of deeds in a rule system without experience.
    """
    earns = career.words.shown.experience
    return tuple(accumulate(each.grown if earns else len(each.deeds) for each in career.chapters))


@register.simple_tag
def figure_of(card: Card | MemorialEntry, colour: str = "") -> SafeString:
    """Return a fighter's portrait, or else a silhouette in the colour of the warband.

    On a card, the silhouette of a fighter who has left is pale.
    """
    about = {"name": card.name, "profile": card.profile}
    size = LITTLE_PORTRAIT if isinstance(card, MemorialEntry) else PORTRAIT
    if portrait := image(card.picture, size, gettext("Portrait of %(name)s, %(profile)s") % about):
        return portrait
    hat = next((look for look in card.looks if look in HATS), "brim")
    description = gettext("Figure of %(name)s, %(profile)s") % about
    shade = PALE if isinstance(card, Card) and card.gone else colour or INK
    drawn = silhouette(
        card.looks, description, mounted="mounted" in card.looks, hat=hat, colour=shade
    )
    return inline(drawn)


def _series(row: CourseRow, values: tuple[int | None, ...]) -> Series:
    return Series(row.warband, row.colour or NO_COLOUR, values)


def _days(days: Sequence[str]) -> list[str]:
    """Return short days: "7 Mar", in German "7. Mär"."""
    short = get_format("MONTH_DAY_FORMAT").replace("F", "M")
    return [date_format(date.fromisoformat(day), short) for day in days]


def _carried_on(values: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Return the values with each gap filled by the value before it.

    Values before the first one and after the last one stay None.
    """
    last = max((place for place, value in enumerate(values) if value is not None), default=-1)
    filled: list[int | None] = []
    for place, value in enumerate(values):
        before = filled[-1] if filled and place < last else None
        filled.append(before if value is None else value)
    return tuple(filled)
