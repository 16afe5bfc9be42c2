"""Argad! as a rule system: what the protocol asks, answered by the modules that decide it."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from rulebook.battle_log.play import Play
from rulebook.book.data import read_toml
from rulebook.book.headings import headings_json, read_headings, rulings_json
from rulebook.book.names import read_names
from rulebook.ruleset import Calculators, Ruleset
from rulebook.systems.argad.aftermath import Renown
from rulebook.systems.argad.book import CENTIMETRES, DATA, GONE, HOUSE_RULES, read_data, settled
from rulebook.systems.argad.calculators import Values, ask, battle_of_two, of_numbers, questions
from rulebook.systems.argad.log import LOG, read_result
from rulebook.systems.argad.moments import deed_weapon, moments
from rulebook.systems.argad.roster import (
    blank_boxes,
    build_fields,
    class_total,
    fill_choices,
    read_build,
    ready_builds,
    roster_boxes,
    roster_tables,
    sheet,
    tick_boxes,
)
from rulebook.systems.argad.state import State
from rulebook.systems.argad.table import table_view
from rulebook.values import rosters
from rulebook.values.battles import BattleResult, Opponent, Scenario
from rulebook.values.fields import Field
from rulebook.values.problems import Settings, Words
from rulebook.values.rosters import (
    BuildData,
    CampaignTerms,
    Condition,
    ConditionLine,
    Fate,
    Roster,
    RosterFigure,
)
from rulebook.values.table import TableView


class ArgadCalculators(Calculators):
    """Shots, blows, duels, moves and reloading."""

    def all(self) -> Any:
        return tuple(each.calculator for each in questions())

    def ask(self, key: str, values: Values) -> Values:
        return ask(key, "numbers", values, of_numbers)

    def odds_between(
        self, key: str, attacker: Opponent, target: Opponent, values: Values
    ) -> Values:
        return ask(
            key, "fighters", values, lambda _: (battle_of_two(attacker, target), "first", "second")
        )

    def odds_in_battle(
        self, key: str, play: Play[State], attacker: str, target: str, values: Values
    ) -> Values:
        return ask(key, "battle", values, lambda _: (play.state, attacker, target))


class Argad(Ruleset):
    """The rule system Argad!, in one edition of Muster's data: no points, no ranks, no rule for a
    whole company."""

    key = "argad"
    name = "Argad!"
    edition = "1"
    words = Words(
        *("character", "characters", "company", "companies"),
        rank="Class",
        step="promotion",
        steps="promotions",
    )
    log = LOG
    names = read_names(DATA)
    translations = read_toml(DATA / "translations.toml")
    house_rule_book = HOUSE_RULES
    tallies = msgspec.convert(read_data("prints")["tally"], tuple[rosters.Tally, ...])
    progression = Renown()
    calculators = ArgadCalculators()
    length = CENTIMETRES
    columns = msgspec.convert(read_data("prints")["column"], tuple[rosters.SheetColumn, ...])
    sheet = staticmethod(sheet)
    tick_boxes = staticmethod(tick_boxes)
    moments = staticmethod(moments)
    deed_weapon = staticmethod(deed_weapon)
    blank_boxes = staticmethod(blank_boxes)
    roster_boxes = staticmethod(roster_boxes)
    roster_tables = staticmethod(roster_tables)
    group_field = "group"

    def scenarios(self) -> tuple[Scenario, ...]:
        return msgspec.convert(read_data("scenarios")["scenario"], tuple[Scenario, ...])

    def catalogue(self, settings: Settings) -> Values:
        """Return the tables of the sheet, headings and rulings, and one profile: the sheet has no
        lists."""
        HOUSE_RULES.complete(settings)
        names = ("movement", "firearms", "shooting", "melee", "company")
        tables = {key: value for name in names for key, value in read_data(name).items()}
        headings = read_headings(DATA)
        rulings = rulings_json(headings.rulings, HOUSE_RULES.rules)
        return {
            **tables,
            "edition": self.edition,
            "headings": headings_json(headings.heading),
            "rulings": rulings,
        }

    def ready_builds(self, faction: str) -> tuple[rosters.ReadyBuild, ...]:
        return tuple(ready_builds().values())

    def fill_choices(self, roster: rosters.Roster) -> Iterator[tuple[BuildData, ...]]:
        return fill_choices(roster)

    def build_fields(self, build: BuildData, terms: CampaignTerms) -> tuple[Field, ...]:
        fields = build_fields(settled(terms.settings))
        return tuple(replace(each, default=build.get(each.key, each.default)) for each in fields)

    def clean_build(self, raw: BuildData, terms: CampaignTerms) -> BuildData:
        build: dict[str, Any] = to_builtins(read_build(raw, settled(terms.settings)))
        return build

    def roster_totals(self, roster: Roster) -> rosters.RosterTotals:
        """Heads and classes, as plain counts (A-G3); the killed, the captured and the retired do
        not count."""
        serving = [each for each in roster.fighters if each.fate in (Fate.FIT, Fate.RECOVERING)]
        total = class_total(
            read_build(each.build, settled(roster.terms.settings)) for each in serving
        )
        figure = RosterFigure(
            "classes", "Classes", total, "The sum of classes: no points value.", "Ruling A-G3", True
        )
        return replace(super().roster_totals(roster), figures=(figure,))

    def condition_lines(
        self, build: BuildData, terms: CampaignTerms, condition: Condition
    ) -> tuple[ConditionLine, ...]:
        return (
            (ConditionLine("missing", "Missing", "since his last battle", "Ruling A-G5"),)
            if condition
            else ()
        )

    def wound_phrase(self, wounds: str) -> str:
        return GONE.get(wounds, wounds)

    def at_table(self, play: Play[State], who: str = "") -> TableView:
        return table_view(play.state, who)

    def result(self, play: Play[State]) -> BattleResult:
        return read_result(play.state)
