"""Wards as a rule system: what the protocol asks, answered by the modules that decide it."""

from collections.abc import Iterator

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from rulebook.battle_log.play import Play
from rulebook.book.data import read_toml
from rulebook.book.headings import headings_json, read_headings, rulings_json
from rulebook.book.names import read_names
from rulebook.ruleset import Ruleset
from rulebook.systems.wards.aftermath import Steadiness
from rulebook.systems.wards.book import DATA, GONE, HOUSE_RULES, read_data, reference_tables
from rulebook.systems.wards.calculators import Values, WardsCalculators
from rulebook.systems.wards.fighters import bases_in_words
from rulebook.systems.wards.log import LOG, read_result
from rulebook.systems.wards.moments import moments
from rulebook.systems.wards.roster import (
    blank_boxes,
    build_fields,
    fill_choices,
    implied_changes,
    present,
    read_build,
    read_sent_build,
    ready_builds,
    roster_boxes,
    roster_figures,
    roster_problems,
    roster_tables,
    sheet,
    tick_boxes,
)
from rulebook.systems.wards.state import State, ward_key
from rulebook.systems.wards.table import table_view
from rulebook.values import rosters
from rulebook.values.battles import BattleResult, Deed, Scenario
from rulebook.values.fields import Field
from rulebook.values.problems import Problem, Settings, Words
from rulebook.values.reference import Reference
from rulebook.values.rosters import BuildData, CampaignTerms, Condition, Roster
from rulebook.values.table import TableView


class Wards(Ruleset):
    """The rule system Wards, in one edition of Muster's data. It has no points, no ranks and no
    lists."""

    key = "wards"
    name = "Wards"
    edition = "1"
    words = Words(
        *("unit", "units", "army", "armies", "Rank", "promotion", "promotions", "lost"),
        *("Ward", "Wards", "losses", "unharmed"),
    )
    log = LOG
    names = read_names(DATA)
    translations = read_toml(DATA / "translations.toml")
    house_rule_book = HOUSE_RULES
    columns = msgspec.convert(read_data("prints")["column"], tuple[rosters.SheetColumn, ...])
    tallies = msgspec.convert(read_data("prints")["tally"], tuple[rosters.Tally, ...])
    progression = Steadiness()
    calculators = WardsCalculators()
    sheet = staticmethod(sheet)
    tick_boxes = staticmethod(tick_boxes)
    moments = staticmethod(moments)
    blank_boxes = staticmethod(blank_boxes)
    roster_boxes = staticmethod(roster_boxes)
    roster_tables = staticmethod(roster_tables)
    group_field, place_field = "ward", "place"

    def scenarios(self) -> tuple[Scenario, ...]:
        return msgspec.convert(read_data("scenarios")["scenario"], tuple[Scenario, ...])

    def catalogue(self, settings: Settings) -> Values:
        """Return the tables of the sheet, headings and rulings, and one profile: the sheet has no
        lists."""
        HOUSE_RULES.complete(settings)
        tables = {
            **read_data("units"),
            **read_data("turn"),
            "dice": read_data("dice"),
            **read_data("army"),
        }
        headings = read_headings(DATA)
        rulings = rulings_json(headings.rulings, HOUSE_RULES.rules)
        return {
            **tables,
            "edition": self.edition,
            "headings": headings_json(headings.heading),
            "rulings": rulings,
        }

    def reference(self, settings: Settings) -> Reference:
        return replace(super().reference(settings), tables=reference_tables())

    def ready_builds(self, faction: str) -> tuple[rosters.ReadyBuild, ...]:
        return tuple(ready_builds().values())

    def fill_choices(self, roster: Roster) -> Iterator[tuple[BuildData, ...]]:
        return fill_choices(roster)

    def build_fields(self, build: BuildData, terms: CampaignTerms) -> tuple[Field, ...]:
        return tuple(
            replace(each, default=build.get(each.key, each.default)) for each in build_fields()
        )

    def clean_build(self, raw: BuildData, terms: CampaignTerms) -> BuildData:
        fighter = read_sent_build(raw)
        return {**to_builtins(fighter), "attributes": [*fighter.attributes]}

    def implied_changes(self, changes: Values) -> Values:
        return implied_changes(changes)

    def group_key(self, side: str, build: BuildData) -> str:
        return ward_key(side, str(build.get("ward", "")))

    def roster_totals(self, roster: Roster) -> rosters.RosterTotals:
        """Return units that serve, and bases as plain counts: the sheet has no points."""
        return replace(super().roster_totals(roster), figures=tuple(roster_figures(roster)))

    def roster_problems(
        self, roster: Roster, purpose: rosters.RosterPurpose
    ) -> tuple[Problem, ...]:
        return roster_problems(roster)

    def condition_lines(
        self, build: BuildData, terms: CampaignTerms, condition: Condition
    ) -> tuple[rosters.ConditionLine, ...]:
        if not condition.get("lost"):
            return ()
        fighter = read_build(build)
        text = (
            f"{bases_in_words(present(fighter, condition).halves)} of "
            f"{bases_in_words(fighter.halves)}"
        )
        return (rosters.ConditionLine("lost", "Bases", text, "House rule: Lost bases stay lost"),)

    def wound_phrase(self, wounds: str) -> str:
        return GONE.get(wounds, wounds)

    def loss_phrase(self, wounds: str) -> str:
        return GONE.get(wounds, "lost")

    def deed_phrase(self, deed: Deed) -> str:
        did = {
            "won": "won a fight against",
            "destroyed": "destroyed",
            "killed": "killed",
            "routed": "routed",
        }
        return f"{did.get(deed.result, 'took')} {deed.victim_name}"

    def at_table(self, play: Play[State], who: str = "") -> TableView:
        return table_view(play.state, who)

    def result(self, play: Play[State]) -> BattleResult:
        return read_result(play.state, play.setup)
