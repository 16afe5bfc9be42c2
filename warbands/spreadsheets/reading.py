"""Reader of a spreadsheet's rows: builds, names, posts and purchases, or every wrong cell."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from core.cleaning import clean_json, clean_name
from core.csv_files import CellError, Grid, GridRow, plain, read_grid, unescape_cell, wrong_cells
from core.errors import InvalidInput
from rulebook.ruleset import (
    BuildData,
    CampaignTerms,
    Post,
    Problem,
    Roster,
    RosterFighter,
    RulesError,
    Ruleset,
)
from rulebook.values.fields import Field, as_text, nested
from warbands.drafts.changes import merged
from warbands.spreadsheets.cell_codec import (
    CellProblem,
    found_in,
    is_nothing,
    names_of,
    nearest,
    read_cell,
    several,
)
from warbands.spreadsheets.columns import (
    Column,
    Layout,
    OpenProfile,
    Use,
    is_of_fighters,
    layout_of,
    purchases_of,
)

MAX_PASSES = 3
"""The most passes over purchases, since a purchase may ask for more, such as its crew."""
YES_OR_NO = Field("serves", "Serves", "flag", False)


class ReadFighter(Struct, frozen=True):
    """A row with a fighter; ``name`` is "" if it has no name of its own."""

    id: str
    row: int
    name: str
    build: BuildData


class ReadRoster(Struct, frozen=True):
    """The content of a spreadsheet.

    ``posts`` and ``extras`` are None if it has no column for them.
    """

    grid: Grid
    fighters: tuple[ReadFighter, ...]
    posts: Mapping[str, tuple[str, ...]] | None
    extras: Mapping[str, Any] | None


class GridReader:
    """A reader of one grid for a warband on these terms.

    It collects the wrong cells in ``errors``.
    """

    def __init__(self, rules: Ruleset, terms: CampaignTerms, content: bytes | str) -> None:
        self.rules, self.terms = rules, terms
        self.layout: Layout = layout_of(rules, terms)
        self.grid = read_grid(content, self.layout.knows)
        self.errors: list[CellError] = []
        self.columns: dict[int, Column] = {}
        self._read_headings(self.layout)

    def read(self, staying: tuple[RosterFighter, ...]) -> ReadRoster:
        """Return the roster; ``staying`` are the fighters that are already on it.

        Raises UnreadableSpreadsheet with every wrong cell.
        """
        extras = self._extras(Roster(self.terms, staying), {})
        terms = replace(self.terms, extras=extras)
        fighters = [
            fighter
            for row in self.grid.rows
            if self._is_fighter(row) and (fighter := self._fighter(row, terms))
        ]
        joined = (
            *staying,
            *(RosterFighter(each.id, each.name or str(each.row), each.build) for each in fighters),
        )
        by_row = {each.row: each.id for each in fighters}
        extras = self._extras(Roster(terms, joined), by_row)
        self._refuse_unknown_headings()
        posts = self._posts(replace(terms, extras=extras), fighters)
        if self.errors:
            raise wrong_cells(self.errors, self.grid)
        if not fighters and not self._has(Use.PURCHASE):
            self._refuse_cell(
                GridRow(self.grid.headings.number + 1, ()),
                0,
                "nobody-in-it",
                gettext("This file has no fighters."),
            )
            raise wrong_cells(self.errors, self.grid)
        bought = extras if self._has(Use.PURCHASE, Use.CREW) else None
        return ReadRoster(
            self.grid, tuple(fighters), posts if self._has(Use.POSTS) else None, bought
        )

    def _has(self, *uses: Use) -> bool:
        return any(column.use in uses for column in self.columns.values())

    def _places(self, *uses: Use) -> list[tuple[int, Column]]:
        return [(place, column) for place, column in self.columns.items() if column.use in uses]

    def _refuse_cell(
        self,
        row: GridRow,
        place: int,
        code: str,
        sentence: str,
        text: str | None = None,
        nearest: str = "",
    ) -> None:
        if not any((each.row, each.column) == (row.number, place) for each in self.errors):
            text = row.cell(place) if text is None else text
            self.errors.append(CellError(row.number, place, code, sentence, text[:60], nearest))

    # Headings

    def _read_headings(self, layout: Layout) -> None:
        """Find the columns of this layout that are not found yet."""
        for place, heading in enumerate(self.grid.headings.cells):
            column = layout.column(unescape_cell(heading))
            if place in self.columns or column is None:
                continue
            if any(
                (each.use, each.key) == (column.use, column.key) for each in self.columns.values()
            ):
                sentence = gettext("The column “%(heading)s” appears twice.") % {
                    "heading": heading[:60]
                }
                self._refuse_cell(self.grid.headings, place, "heading-twice", sentence)
            self.columns[place] = column
        if not self._has(Use.PROFILE):
            self._find_profiles(layout)

    def _find_profiles(self, layout: Layout) -> None:
        """Use an unknown column for profiles, if each of its cells is the name of one."""
        column = next((each for each in layout.columns if each.use is Use.PROFILE), None)
        names = {plain(name) for profile in layout.profiles for name in profile.names}
        for place in range(len(self.grid.headings.cells)):
            cells = {plain(unescape_cell(row.cell(place))) for row in self.grid.rows} - {""}
            if column is not None and place not in self.columns and cells and cells <= names:
                self.columns[place] = column
                return

    def _refuse_unknown_headings(self) -> None:
        headings = [column.heading for column in self.layout.columns]
        width = max((len(row.cells) for row in (self.grid.headings, *self.grid.rows)), default=0)
        for place in range(width):
            heading = self.grid.headings.cell(place)
            if place in self.columns:
                continue
            if heading:
                near = nearest(heading, headings)
                sentence = gettext("Unknown column “%(found)s”.") % {"found": heading[:60]}
                if near:
                    sentence += " " + gettext("Did you mean “%(nearest)s”?") % {"nearest": near}
                self._refuse_cell(
                    self.grid.headings, place, "unknown-heading", sentence, nearest=near
                )
                continue
            for row in self.grid.rows:
                if row.cell(place):
                    self._refuse_cell(
                        row, place, "no-heading", gettext("This column has no heading.")
                    )

    # Rows

    def _is_fighter(self, row: GridRow) -> bool:
        """Return whether there is a fighter in this row, and not only a purchase."""
        bought = {place for place, _ in self._places(Use.PURCHASE)}
        return any(cell for place, cell in enumerate(row.cells) if place not in bought)

    def _fighter(self, row: GridRow, terms: CampaignTerms) -> ReadFighter | None:
        """Return the fighter of a row, or None with errors collected."""
        before = len(self.errors)
        name = self._name(row)
        profile = self._profile(row)
        if profile is None:
            return None
        build = self._build(row, profile, terms)
        if build is None or len(self.errors) > before:
            return None
        return ReadFighter(str(uuid4()), row.number, name, build)

    def _name(self, row: GridRow) -> str:
        place = next((place for place, _ in self._places(Use.NAME)), None)
        text = "" if place is None else unescape_cell(row.cell(place))
        if not text or place is None:
            return ""
        try:
            return clean_name("name", text)
        except InvalidInput as error:
            self._refuse_cell(row, place, error.code, error.sentence)
            return ""

    def _profile(self, row: GridRow) -> OpenProfile | None:
        place = next((place for place, _ in self._places(Use.PROFILE)), None)
        text = "" if place is None else unescape_cell(row.cell(place))
        profiles = self.layout.profiles
        if not text:
            if len(profiles) == 1:
                return profiles[0]
            if self._further(row):
                return OpenProfile("", (), {})
            labels = [each.name for each in profiles]
            sentence = gettext("Enter a profile: %(some)s.") % {"some": ", ".join(labels[:8])}
            self._refuse_cell(row, place or 0, "no-profile", sentence)
            return None
        key_of = names_of(
            (str(number), name) for number, each in enumerate(profiles) for name in each.names
        )
        try:
            return profiles[int(found_in(key_of, text, [each.name for each in profiles]))]
        except CellProblem as error:
            self._refuse_cell(
                row, place or 0, "unknown-profile", error.sentence, nearest=error.nearest
            )
            return None

    def _build(self, row: GridRow, profile: OpenProfile, terms: CampaignTerms) -> BuildData | None:
        """Return the build of a row in canonical form, or None with errors collected."""
        fields = self.rules.build_fields(profile.build, terms) if profile.build else ()
        by_key = {field.key: field for field in fields}
        values: dict[str, Any] = {}
        places: dict[str, int] = {}
        for place, column in self._places(Use.BUILD):
            cell = row.cell(place)
            if not cell:
                continue
            field = by_key.get(column.key)
            if field is None:
                if not is_nothing(cell):
                    sentence = gettext("%(profile)s has no “%(heading)s”. Leave this cell empty.")
                    words = {"profile": profile.name, "heading": column.heading}
                    self._refuse_cell(row, place, "not-for-this-profile", sentence % words)
                continue
            places[column.key] = place
            try:
                values[column.key] = read_cell(field, cell)
            except CellProblem as error:
                self._refuse_cell(row, place, error.code, error.sentence, nearest=error.nearest)
        raw = merged({**profile.build, **self._further(row)}, nested(values))
        try:
            return clean_json("build", self.rules.clean_build(clean_json("build", raw), terms))
        except (RulesError, InvalidInput) as error:
            for problem in error.problems:
                self._refuse_build(row, problem, values, places)
            return None

    def _further(self, row: GridRow) -> Mapping[str, Any]:
        """Return the parts of a build that no other column has, as an export wrote them."""
        for place, _ in self._places(Use.FURTHER):
            cell = unescape_cell(row.cell(place))
            if not cell:
                continue
            try:
                content = json.loads(cell)
            except (ValueError, RecursionError):
                content = None
            if isinstance(content, dict):
                return content
            self._refuse_cell(
                row, place, "not-json", gettext("Leave this cell unchanged or blank.")
            )
        return {}

    def _refuse_build(
        self, row: GridRow, problem: Problem, values: Mapping[str, Any], places: Mapping[str, int]
    ) -> None:
        """Report a problem of a build in its cell, or else in that of the profile."""
        field = problem.field
        within = [key for key in places if key == field or (field and key.startswith(f"{field}."))]
        around = [key for key in places if field.startswith(f"{key}.")]
        holding = [
            key
            for key in within
            if problem.value and problem.value in as_text(values.get(key)).split(",")
        ]
        key = next(iter((*holding, *within, *around)), None)
        place = (
            next((at for at, _ in self._places(Use.PROFILE, Use.NAME)), 0)
            if key is None
            else places[key]
        )
        self._refuse_cell(row, place, problem.code, problem.sentence)

    # Posts and purchases

    def _posts(
        self, terms: CampaignTerms, fighters: Iterable[ReadFighter]
    ) -> dict[str, tuple[str, ...]]:
        """Return the holders of each post, in the order of the rows."""
        posts = self.rules.posts(terms)
        labels = [post.name for post in posts]
        key_of = names_of(
            (post.key, name) for post in posts for name in (post.name, post.short) if name
        )
        by_key = {post.key: post for post in posts}
        by_row = {each.row: each for each in fighters}
        held: dict[str, tuple[str, ...]] = {}
        for place, _ in self._places(Use.POSTS):
            for row in self.grid.rows:
                for text in several(row.cell(place)):
                    if is_nothing(text):
                        continue
                    try:
                        post = by_key[found_in(key_of, text, labels)]
                    except CellProblem as error:
                        self._refuse_cell(
                            row, place, "unknown-post", error.sentence, nearest=error.nearest
                        )
                        continue
                    fighter = by_row.get(row.number)
                    if fighter is None:
                        continue
                    holders = (*held.get(post.key, ()), fighter.id)
                    if wrong := self._post_problem(post, fighter, holders, terms):
                        self._refuse_cell(row, place, *wrong)
                    held[post.key] = holders
        return held

    def _post_problem(
        self, post: Post, fighter: ReadFighter, holders: Sequence[str], terms: CampaignTerms
    ) -> tuple[str, str] | None:
        wrong = self.rules.post_problem(post.key, fighter.build, terms)
        if wrong is not None:
            return wrong.code, wrong.sentence
        if len(holders) > post.most:
            sentence = gettext("%(post)s: %(most)s at most.") % {
                "post": post.name,
                "most": post.most,
            }
            return "too-many-holders", sentence
        return None

    def _extras(self, roster: Roster, by_row: Mapping[int, str]) -> Mapping[str, Any]:
        """Return the purchases of the warband as a whole.

        ``by_row`` are the ids of the fighters in the rows that were read so far.
        """
        terms, field_keys = roster.terms, set[str]()
        for _ in range(MAX_PASSES):
            now = replace(roster, terms=terms)
            fields = self.rules.extras_fields(now)
            if {field.key for field in fields} == field_keys:
                break
            field_keys = {field.key for field in fields}
            if by_row:
                purchases = purchases_of(self.rules, now)
                columns = [*self.layout.columns]
                columns += [
                    each for each in purchases if all(each.key != column.key for column in columns)
                ]
                self.layout = replace(self.layout, columns=tuple(columns))
                self._read_headings(self.layout)
            terms = replace(terms, extras=self._bought(fields, now, by_row))
        return terms.extras

    def _bought(
        self, fields: Iterable[Field], roster: Roster, by_row: Mapping[int, str]
    ) -> Mapping[str, Any]:
        """Return the purchases in canonical form. Purchases without a cell stay as they are."""
        fighter_ids = [each.id for each in roster.fighters]
        values: dict[str, Any] = {}
        has_cells = False
        # Step 1: read the cells, field by field.
        for field in fields:
            cells = [
                (row, place)
                for row in self.grid.rows
                for place in self._places_of(field)
                if row.cell(place)
            ]
            has_cells = has_cells or bool(cells)
            if is_of_fighters(field, fighter_ids):
                serving = [
                    each
                    for each in str(field.default or "").split(",")
                    if each in dict(field.choices)
                ]
                values[field.key] = [*serving, *self._serving(field, cells, by_row)]
            elif cells:
                values[field.key] = self._once(field, cells)
            else:
                values[field.key] = read_cell(field, "")
        # Step 2: the rules check all purchases together. Their errors are reported in the cell
        # concerned.
        if not has_cells:
            return roster.terms.extras
        try:
            raw = nested(
                {
                    key: value
                    for key, value in values.items()
                    if value is not False and value not in (None, "")
                }
            )
            return clean_json(
                "extras", self.rules.clean_extras(clean_json("extras", raw), roster.terms)
            )
        except (RulesError, InvalidInput) as error:
            for problem in error.problems:
                columns = self._places(Use.PURCHASE, Use.CREW)
                at = next(
                    (place for place, column in columns if problem.field in column.key),
                    columns[0][0],
                )
                row = next((row for row in self.grid.rows if row.cell(at)), self.grid.headings)
                self._refuse_cell(row, at, problem.code, problem.sentence)
            return roster.terms.extras

    def _places_of(self, field: Field) -> list[int]:
        return [
            place
            for place, column in self._places(Use.PURCHASE, Use.CREW)
            if column.key == field.key
        ]

    def _once(self, field: Field, cells: Sequence[tuple[GridRow, int]]) -> Any:
        """Return the value of a purchase, which may be in any row but only once."""
        first, place = cells[0]
        for row, at in cells[1:]:
            if plain(row.cell(at)) != plain(first.cell(place)):
                sentence = gettext("Row %(row)s has another value. Enter it once only.") % {
                    "row": first.number
                }
                self._refuse_cell(row, at, "said-twice", sentence)
        try:
            return read_cell(field, first.cell(place))
        except CellProblem as error:
            self._refuse_cell(first, place, error.code, error.sentence, nearest=error.nearest)
            return None

    def _serving(
        self, field: Field, cells: Sequence[tuple[GridRow, int]], by_row: Mapping[int, str]
    ) -> list[str]:
        """Return the ids of the fighters whose rows say yes."""
        serving: list[str] = []
        for row, place in cells:
            try:
                serves = read_cell(YES_OR_NO, row.cell(place))
            except CellProblem as error:
                self._refuse_cell(row, place, error.code, error.sentence)
                continue
            if serves and row.number in by_row:
                if by_row[row.number] not in dict(field.choices):
                    sentence = gettext("This fighter cannot be in the crew. Leave the cell empty.")
                    self._refuse_cell(row, place, "cannot-serve", sentence)
                else:
                    serving.append(by_row[row.number])
        return serving
