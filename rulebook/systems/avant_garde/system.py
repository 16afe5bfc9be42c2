"""Avant-garde as a rule system: what the protocol asks, answered by the modules that decide it."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from rulebook.battle_log.play import Play
from rulebook.book.data import read_toml
from rulebook.book.headings import headings_json, read_headings, rulings_json
from rulebook.book.names import read_names
from rulebook.ruleset import Points, Ruleset
from rulebook.systems.avant_garde import cards, roster
from rulebook.systems.avant_garde.aftermath import Seasoning
from rulebook.systems.avant_garde.book import (
    ARMS,
    DATA,
    HOUSE_RULES,
    INCHES,
    STATES,
    book,
    read_data,
    tables,
    words,
)
from rulebook.systems.avant_garde.calculators import AvantGardeCalculators
from rulebook.systems.avant_garde.fighters import build_fields, build_of, read_sent_build
from rulebook.systems.avant_garde.filling import fill_choices, ready_builds
from rulebook.systems.avant_garde.log import LOG, read_result
from rulebook.systems.avant_garde.moments import moments
from rulebook.systems.avant_garde.reference import left_to_the_players, reference
from rulebook.systems.avant_garde.skirmishers import groups_of
from rulebook.systems.avant_garde.state import GONE, State
from rulebook.systems.avant_garde.table import table_view
from rulebook.values import rosters
from rulebook.values.battles import BattleResult, BattleSetup, Deed, Scenario
from rulebook.values.fields import Field
from rulebook.values.problems import Problem, Settings, Words
from rulebook.values.reference import Reference
from rulebook.values.rosters import BuildData, CampaignTerms
from rulebook.values.table import TableView


class AvantGardePoints(Points):
    """Every unit has its points; a battle has the limit that its table types."""

    counted = True
    limit_rule = "Ruling N-P11"
    suggested = 1000


class AvantGarde(Ruleset):
    """The rule system Avant-garde, in one edition of Muster's data. It has points and victory
    points, and no ranks."""

    key = "avant-garde"
    name = "Avant-garde"
    edition = "1"
    words = Words(
        *("unit", "units", "army", "armies", "Rank", "promotion", "promotions", "lost"),
        *("brigade", "brigades", "losses", "unharmed"),
    )
    log = LOG
    names = read_names(DATA)
    translations = read_toml(DATA / "translations.toml")
    house_rule_book = HOUSE_RULES
    victory_points = True
    length = INCHES
    tallies = msgspec.convert(read_data("prints")["tally"], tuple[rosters.Tally, ...])
    points = AvantGardePoints()
    progression = Seasoning()
    calculators = AvantGardeCalculators()
    sheet = staticmethod(cards.sheet)
    tick_boxes = staticmethod(cards.tick_boxes)
    blank_boxes = staticmethod(cards.blank_boxes)
    columns = msgspec.convert(read_data("prints")["column"], tuple[rosters.SheetColumn, ...])
    condition_lines = staticmethod(cards.condition_lines)
    group_field = "brigade"
    posts = staticmethod(roster.posts)
    post_problem = staticmethod(roster.post_problem)
    default_posts = staticmethod(roster.default_posts)
    roster_boxes = staticmethod(roster.roster_boxes)
    roster_tables = staticmethod(roster.roster_tables)
    roster_totals = staticmethod(roster.roster_totals)
    roster_problems = staticmethod(roster.roster_problems)
    bystanders = staticmethod(groups_of)
    moments = staticmethod(moments)

    def scenarios(self) -> tuple[Scenario, ...]:
        return msgspec.convert(read_data("scenarios")["scenario"], tuple[Scenario, ...])

    def catalogue(self, settings: Settings) -> Mapping[str, Any]:
        """Return the nations with what they field, the tables of the text, headings and rulings.

        The text has no lists.
        """
        HOUSE_RULES.complete(settings)
        profiles = [
            {"key": key, "name": name, "note": "priced by its grade or rating"}
            for key, name in ARMS.items()
        ]
        factions = [
            {"key": each.key, "name": each.name, "summary": each.says, "profiles": profiles}
            for each in book().nation.values()
        ]
        headings = read_headings(DATA)
        return {
            **tables(),
            "edition": self.edition,
            "factions": factions,
            "figures": read_data("figures"),
            "modifiers": read_data("modifiers"),
            "headings": headings_json(headings.heading),
            "rulings": rulings_json(headings.rulings, HOUSE_RULES.rules),
        }

    def reference(self, settings: Settings) -> Reference:
        return replace(super().reference(settings), tables=(*reference(), left_to_the_players()))

    def fill_choices(self, roster: rosters.Roster) -> Iterator[tuple[BuildData, ...]]:
        return fill_choices(roster)

    def ready_builds(self, faction: str) -> tuple[rosters.ReadyBuild, ...]:
        return tuple(ready_builds().values())

    def build_fields(self, build: BuildData, terms: CampaignTerms) -> tuple[Field, ...]:
        fields = build_fields(str(build.get("profile", "infantry")))
        return tuple(replace(each, default=build.get(each.key, each.default)) for each in fields)

    def clean_build(self, raw: BuildData, terms: CampaignTerms) -> BuildData:
        return build_of(read_sent_build(raw))

    def force_problems(self, setup: BattleSetup) -> tuple[Problem, ...]:
        return (*super().force_problems(setup), *roster.force_problems(setup))

    def wound_phrase(self, wounds: str) -> str:
        return {**STATES, **GONE}.get(wounds, wounds.replace("-", " "))

    def loss_phrase(self, wounds: str) -> str:
        return words("lost").get(wounds) or GONE.get(wounds, "lost")

    def deed_phrase(self, deed: Deed) -> str:
        return f"{words('deeds').get(deed.kind, 'saw off')} {deed.victim_name}"

    def at_table(self, play: Play[State], who: str = "") -> TableView:
        return table_view(play.state, who)

    def result(self, play: Play[State]) -> BattleResult:
        return read_result(play.state, play.setup)
