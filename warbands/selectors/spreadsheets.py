"""Previews of rosters from spreadsheets, with the errors of each cell."""

from collections.abc import Sequence
from uuid import uuid4

import msgspec
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from core.csv_files import CellError, Grid, column_name
from core.errors import InvalidInput
from rulebook.chronicle.facts import Mustered
from rulebook.chronicle.replay import step
from rulebook.chronicle.states import WarbandState
from rulebook.registry import find_ruleset, newest_ruleset
from rulebook.ruleset import CampaignTerms, Ruleset
from warbands.drafts.values import Draft
from warbands.models import RosterDraft, Warband
from warbands.rulebook_values import read_state, ruleset_of_warband
from warbands.selectors.draft_page import DraftPage, draft_of, draft_page, drafted_state
from warbands.spreadsheets.columns import Column, Use, layout_of
from warbands.spreadsheets.drafting import draft_of_spreadsheet, roster_locked


class SpreadsheetPreview(Struct, frozen=True):
    """The effect of a spreadsheet on a roster.

    ``rows`` counts the rows with a fighter, ``joining`` the recruits, ``changed`` the fighters with
    a new build or name; ``struck`` names the fighters that would be removed; ``drafted`` counts the
    earlier changes of the draft that would be recorded too.

    ``encoding`` is that of a file: "UTF-8", "UTF-16" or "Windows-1252"; None for text. ``roster``
    is the resulting roster.
    """

    rows: int
    joining: int
    changed: int
    struck: tuple[str, ...]
    drafted: int
    encoding: str | None
    separator: str
    roster: DraftPage

    @property
    def guessed(self) -> bool:
        """Return whether the encoding was guessed, so that umlauts need checking."""
        return self.encoding == "Windows-1252"

    @property
    def nothing(self) -> bool:
        """Return whether nothing would be recorded."""
        return not self.roster.changes


class GridCell(Struct, frozen=True):
    """A cell to show, with its errors."""

    name: str
    heading: str
    text: str
    errors: tuple[CellError, ...]


class GridRow(Struct, frozen=True):
    """A row to show."""

    number: int
    cells: tuple[GridCell, ...]

    @property
    def wrong(self) -> bool:
        """Return whether one of its cells has an error."""
        return any(cell.errors for cell in self.cells)


class ShownGrid(Struct, frozen=True):
    """The cells of a spreadsheet, headings first, under the names of their columns."""

    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]


def preview_spreadsheet(
    warband: Warband, csv: bytes | str, *, in_place: bool = False
) -> tuple[SpreadsheetPreview, Grid]:
    """Return the effect of a spreadsheet on a warband's roster, and its cells. Two queries.

    Raises UnreadableSpreadsheet, InvalidInput "roster-locked" and "warband-archived".
    """
    if warband.locked:
        raise roster_locked()
    if warband.archived_at is not None:
        raise InvalidInput(
            "warband-archived", gettext("This warband is archived. Restore it first.")
        )
    return _preview(warband, read_state(warband), draft_of(warband), csv, in_place)


def preview_new(
    *, ruleset: str, faction: str, name: str, csv: bytes | str
) -> tuple[SpreadsheetPreview, Grid]:
    """Return the warband that a spreadsheet would create, and its cells. No queries.

    Raises UnreadableSpreadsheet, RulesError.
    """
    rules = newest_ruleset(ruleset)
    rules.clean_extras({}, CampaignTerms(faction=faction))
    fact = Mustered(ruleset=rules.key, edition=rules.edition, faction=faction, name=name)
    state = step(WarbandState(), fact, find_ruleset).state
    warband = Warband(
        id=uuid4(), ruleset=rules.key, edition=rules.edition, faction=faction, name=name
    )
    return _preview(warband, state, RosterDraft(warband=warband), csv, in_place=False)


def _preview(
    warband: Warband, state: WarbandState, row: RosterDraft, csv: bytes | str, in_place: bool
) -> tuple[SpreadsheetPreview, Grid]:
    before, _ = drafted_state(state, row)
    draft, read = draft_of_spreadsheet(csv, state, before, in_place=in_place)
    would = RosterDraft(
        warband_id=warband.pk, version=row.version, content=msgspec.to_builtins(draft)
    )
    page = draft_page(ruleset_of_warband(warband), warband, state, would)
    held = Draft() if in_place else before
    preview = SpreadsheetPreview(
        rows=len(read.fighters),
        joining=len(draft.joining),
        changed=len({*draft.builds, *draft.names}),
        struck=tuple(state.fighters[key].name for key in draft.struck),
        drafted=0
        if held.empty
        else draft_page(ruleset_of_warband(warband), warband, state, row).changes,
        encoding=read.grid.encoding,
        separator=read.grid.separator,
        roster=replace(page, can_undo=False),
    )
    return preview, read.grid


def shown_grid(grid: Grid, errors: Sequence[CellError]) -> ShownGrid:
    """Return a grid with its errors in their cells."""
    errors_by_cell: dict[tuple[int, int], list[CellError]] = {}
    for each in errors:
        errors_by_cell.setdefault((each.row, each.column), []).append(each)
    rows = (grid.headings, *grid.rows)
    width = max(len(row.cells) for row in rows)
    return ShownGrid(
        tuple(column_name(place) for place in range(width)),
        tuple(
            GridRow(
                row.number,
                tuple(
                    GridCell(
                        f"{column_name(place)}{row.number}",
                        grid.headings.cell(place),
                        row.cell(place),
                        tuple(errors_by_cell.get((row.number, place), ())),
                    )
                    for place in range(width)
                ),
            )
            for row in rows
        ),
    )


def columns_for(rules: Ruleset, terms: CampaignTerms) -> tuple[Column, ...]:
    """Return the columns of a template, with what each accepts."""
    return tuple(each for each in layout_of(rules, terms).columns if each.use is not Use.FURTHER)
