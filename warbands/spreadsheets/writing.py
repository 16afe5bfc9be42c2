"""Writer of rosters as cells that read back as the same roster, and of empty templates."""

import json
from collections.abc import Mapping, Sequence

from core.csv_files import COMMENT, escape_formula, write_csv
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.registry import find_ruleset, newest_ruleset
from rulebook.ruleset import BuildData, CampaignTerms, Roster, RosterFighter, RulesError, Ruleset
from rulebook.values.fields import Field, as_text, nested
from warbands.drafts.changes import merged
from warbands.spreadsheets.cell_codec import CellProblem, read_cell, write_cell
from warbands.spreadsheets.columns import (
    Column,
    Layout,
    OpenProfile,
    Use,
    is_of_fighters,
    layout_of,
)

LONGEST_HELP = 400


def template(ruleset: str, faction: str) -> str:
    """Return the template of a roster as CSV: headings, and a row of help that readers skip.

    Raises RulesError for an unknown rule system or faction.
    """
    rules = newest_ruleset(ruleset)
    terms = CampaignTerms(faction=faction)
    rules.expect_faction(faction)
    columns = [each for each in layout_of(rules, terms).columns if each.use is not Use.FURTHER]
    first, *others = (_cut(each.takes) for each in columns)
    return write_csv([[each.heading for each in columns], [f"{COMMENT} {first}", *others]])


def written_roster(state: WarbandState) -> str:
    """Return the roster of a warband as CSV, with purchases and without fighters that are gone."""
    rules, terms = find_ruleset(state.ruleset, state.edition), state.terms
    serving = [each for each in state.fighters.values() if not each.gone]
    fighters = tuple(RosterFighter(each.id, each.name, each.build) for each in serving)
    layout = layout_of(rules, terms, fighters)
    rows = [_row(rules, state, layout, fighter) for fighter in serving] or [{}]
    _write_purchases(rules, state, fighters, rows)
    columns = [
        each
        for each in layout.columns
        if each.use is not Use.FURTHER or any(_key(each) in row for row in rows)
    ]
    cells = ([row.get(_key(each), "") for each in columns] for row in rows)
    return write_csv([[each.heading for each in columns], *cells])


def file_name(name: str) -> str:
    """Return a file name for the roster of a warband with this name."""
    plain = "".join(letter if letter.isalnum() else "-" for letter in name)
    return "-".join(part for part in plain.split("-") if part)[:80] or "roster"


CellsOfRow = dict[tuple[Use, str], str]


def _key(column: Column) -> tuple[Use, str]:
    return column.use, column.key


def _row(rules: Ruleset, state: WarbandState, layout: Layout, fighter: FighterState) -> CellsOfRow:
    """Return the cells of a fighter, by their use."""
    terms = state.terms
    row: CellsOfRow = {(Use.NAME, ""): escape_formula(fighter.name)}
    held = set(state.posts_of(fighter.id))
    if posts := [post.name for post in rules.posts(terms) if post.key in held]:
        row[Use.POSTS, ""] = escape_formula("; ".join(posts))
    profile = layout.profile(fighter.build)
    if profile is None:
        row[Use.FURTHER, ""] = _json(fighter.build)
        return row
    row[Use.PROFILE, ""] = escape_formula(profile.name)
    usual = {field.key: field for field in rules.build_fields(profile.build, terms)}
    fields = rules.build_fields(fighter.build, terms)
    row |= {(Use.BUILD, field.key): write_cell(field, usual.get(field.key)) for field in fields}
    if further := _unsaid(rules, terms, fighter.build, profile, fields, row):
        row[Use.FURTHER, ""] = _json(further)
    return row


def _unsaid(
    rules: Ruleset,
    terms: CampaignTerms,
    build: BuildData,
    profile: OpenProfile,
    fields: Sequence[Field],
    row: CellsOfRow,
) -> BuildData:
    """Return the part of a build that its cells do not hold, {} if they hold all of it."""
    values = {}
    for field in fields:
        if cell := row[Use.BUILD, field.key]:
            try:
                values[field.key] = read_cell(field, cell)
            except CellProblem:
                continue
    top_keys = {field.key.partition(".")[0] for field in fields}
    for further in (
        {},
        {key: value for key, value in build.items() if key not in {*top_keys, *profile.build}},
        build,
    ):
        try:
            if (
                rules.clean_build(merged({**profile.build, **further}, nested(values)), terms)
                == build
            ):
                return further
        except RulesError:
            continue
    return build


def _write_purchases(
    rules: Ruleset,
    state: WarbandState,
    fighters: Sequence[RosterFighter],
    rows: Sequence[CellsOfRow],
) -> None:
    """Write purchases into the first row, and crews into the rows of their members."""
    fighter_ids = [each.id for each in fighters]
    bare = Roster(CampaignTerms(faction=state.faction, settings=state.settings), ())
    usual = {field.key: field for field in rules.extras_fields(bare)}
    for field in rules.extras_fields(state.roster):
        if is_of_fighters(field, fighter_ids):
            serving = as_text(field.default).split(",")
            for fighter, row in zip(fighters, rows, strict=True):
                if fighter.id in serving:
                    row[Use.CREW, field.key] = "yes"
        else:
            rows[0][Use.PURCHASE, field.key] = write_cell(field, usual.get(field.key))


def _json(build: Mapping[str, object]) -> str:
    return json.dumps(build, ensure_ascii=False, sort_keys=True)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_HELP else f"{text[: LONGEST_HELP - 1]}…"
