"""Wards as a rule system: what the protocol asks, answered by the modules that decide it."""

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from rulebook.battle_log.play import Play
from rulebook.book.headings import headings_json, read_headings, rulings_json
from rulebook.ruleset import Ruleset
from rulebook.systems.wards.aftermath import Steadiness
from rulebook.systems.wards.book import DATA, HOUSE_RULES, broken, read_data
from rulebook.systems.wards.calculators import Values, WardsCalculators
from rulebook.systems.wards.log import LOG, result_of
from rulebook.systems.wards.roster import (
    build_fields,
    groups,
    lost_halves,
    present,
    read_build,
    roster_figures,
    roster_problems,
    sheet,
)
from rulebook.systems.wards.state import GONE, State
from rulebook.systems.wards.table import table_view
from rulebook.systems.wards.units import bases_in_words
from rulebook.values.battles import BattleResult, BattleSetup, Deed, Scenario
from rulebook.values.fields import Field, HouseRule
from rulebook.values.problems import Problem, Settings, Words
from rulebook.values.rosters import (
    BuildData,
    Condition,
    ConditionLine,
    Fate,
    Post,
    Roster,
    RosterPurpose,
    RosterTotals,
    Tally,
    Terms,
)
from rulebook.values.table import TableView

GENERALS = ("first-general", "second-general", "third-general")


class Wards(Ruleset):
    """The rule system Wards, in one edition of Muster's data. It has no points, no ranks and no lists."""

    key = "wards"
    name = "Wards"
    edition = "1"
    words = Words("unit", "units", "army", "armies")
    log = LOG
    tallies = (Tally("killed", "Enemies destroyed", "D", "enemy destroyed", "enemies destroyed"),)
    progression = Steadiness()
    calculators = WardsCalculators()
    sheet = staticmethod(sheet)
    groups = staticmethod(groups)

    def house_rules(self) -> tuple[HouseRule, ...]:
        return HOUSE_RULES.rules

    def scenarios(self) -> tuple[Scenario, ...]:
        return msgspec.convert(read_data("scenarios")["scenario"], tuple[Scenario, ...])

    def catalogue(self, settings: Settings) -> Values:
        """The tables of the sheet, headings and rulings, and one profile: the sheet has no lists."""
        HOUSE_RULES.complete(settings)
        tables = {**read_data("units"), **read_data("turn"), "dice": read_data("dice"), **read_data("army")}
        told = read_headings(DATA)
        rulings = rulings_json(told.rulings, HOUSE_RULES.rules)
        return {**tables, "edition": self.edition, "headings": headings_json(told.heading), "rulings": rulings}

    def build_fields(self, build: BuildData, terms: Terms) -> tuple[Field, ...]:
        return tuple(replace(each, default=build.get(each.key, each.default)) for each in build_fields())

    def clean_build(self, raw: BuildData, terms: Terms) -> BuildData:
        unit = read_build(raw)
        return {**to_builtins(unit), "attributes": [*unit.attributes]}

    def roster_totals(self, roster: Roster) -> RosterTotals:
        """Units that serve, and bases as plain counts: the sheet has no points."""
        serving = sum(each.fate in (Fate.FIT, Fate.RECOVERING) for each in roster.fighters)
        return RosterTotals(0, serving, (), tuple(roster_figures(roster)))

    def roster_problems(self, roster: Roster, purpose: RosterPurpose) -> tuple[Problem, ...]:
        return roster_problems(roster)

    def force_problems(self, setup: BattleSetup) -> tuple[Problem, ...]:
        return ()

    def posts(self, terms: Terms) -> tuple[Post, ...]:
        names = ("First General", "Second General", "Third General")
        return tuple(Post(key, name) for key, name in zip(GENERALS, names, strict=True))

    def post_problem(self, post: str, build: BuildData, terms: Terms) -> Problem | None:
        found = broken((not read_build(build).general, "post-of-a-general"))
        return Problem(found[0].code, found[0].sentence, source=found[0].rule) if found else None

    def condition_lines(self, build: BuildData, terms: Terms, condition: Condition) -> tuple[ConditionLine, ...]:
        if not lost_halves(condition):
            return ()
        now, unit = present(read_build(build), condition), read_build(build)
        told = f"{bases_in_words(now.halves)} of {bases_in_words(unit.halves)} bases"
        return (ConditionLine("lost", "Bases", told, "House rule: Lost bases stay lost"),)

    def wound_phrase(self, wounds: str) -> str:
        return GONE.get(wounds, wounds)

    def tallied(self, deed: Deed) -> tuple[str, ...]:
        return ("killed",) if deed.killed and not deed.friendly else ()

    def play_state(self, play: Play[State]) -> Values:
        return {**to_builtins(play.state), "overruled": to_builtins(play.overruled)}

    def at_table(self, play: Play[State], who: str = "") -> TableView:
        return table_view(play.state, who)

    def result(self, play: Play[State]) -> BattleResult:
        return result_of(play.state, play.setup)
