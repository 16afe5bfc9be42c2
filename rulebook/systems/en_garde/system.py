"""En Garde! as a rule system: what the protocol asks, answered by the modules that decide it."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rulebook.book.data import read_toml
from rulebook.book.headings import headings_json, rulings_json
from rulebook.book.house_rules import house_rules_json
from rulebook.book.names import read_names
from rulebook.ruleset import (
    Calculators,
    Points,
    Progression,
    Ruleset,
    Secrets,
    Settings,
    SetUp,
    Words,
)
from rulebook.systems.en_garde.at_table.follow_ups import follow_up
from rulebook.systems.en_garde.at_table.table_view import at_table
from rulebook.systems.en_garde.book.catalogue import DATA, EDITION, catalogue
from rulebook.systems.en_garde.book.house_rules import HEADINGS, HOUSE_RULES
from rulebook.systems.en_garde.book.scenarios import scenarios
from rulebook.systems.en_garde.calculators.registry import (
    ask,
    calculators,
    odds_between,
    odds_in_battle,
)
from rulebook.systems.en_garde.classic import ClassicFormat
from rulebook.systems.en_garde.experience.awards import (
    TALLIES,
    awards,
    deed_phrase,
    fate_after,
    recovery_dice,
    tallied,
    wound_phrase,
)
from rulebook.systems.en_garde.experience.rank_ups import rank_up_cost, rank_ups, take_rank_up
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.log.moments import moments
from rulebook.systems.en_garde.log.result import play_state, result
from rulebook.systems.en_garde.play.scenario_events import private_roll
from rulebook.systems.en_garde.play.words import deed_weapon
from rulebook.systems.en_garde.quick_reference import quick_reference
from rulebook.systems.en_garde.reference import catalogue_json, reference
from rulebook.systems.en_garde.rosters.assembled_roster import (
    default_posts,
    post_problem,
    posts,
    roster_totals,
)
from rulebook.systems.en_garde.rosters.composition import extras_fields
from rulebook.systems.en_garde.rosters.extras import clean_extras, side_assets
from rulebook.systems.en_garde.rosters.forces import battle_limit, bystanders, force_problems
from rulebook.systems.en_garde.rosters.forms import build_fields, clean_build
from rulebook.systems.en_garde.rosters.ready_builds import ready_builds
from rulebook.systems.en_garde.rosters.roster_problems import roster_problems
from rulebook.systems.en_garde.rosters.sheets import (
    COLUMNS,
    blank_boxes,
    fighter_facts,
    sheet,
    tick_boxes,
)
from rulebook.systems.en_garde.rosters.table_aids import roster_boxes
from rulebook.systems.en_garde.table.set_up_forms import (
    given_lines,
    laid_table,
    set_up_fields,
    set_up_lines,
)
from rulebook.systems.en_garde.turns.turn_event import INCHES
from rulebook.values.rosters import BuildData


class EnGardePoints(Points):
    """Every fighter and everything that a warband buys has its points."""

    counted = True
    limit_rule = "Ruling C18"
    suggested = 300
    battle_limit = staticmethod(battle_limit)


class EnGardeProgression(Progression):
    """Experience, ranks, and the dice that house rules throw after a battle."""

    ranks = True
    awards = staticmethod(awards)
    fate_after = staticmethod(fate_after)
    recovery_dice = staticmethod(recovery_dice)
    rank_up_cost = staticmethod(rank_up_cost)
    rank_ups = staticmethod(rank_ups)
    take_rank_up = staticmethod(take_rank_up)

    def experience(self, settings: Settings) -> bool:
        return True


class EnGardeSetUp(SetUp):
    """The rolls before deployment."""

    roll = staticmethod(laid_table)
    fields = staticmethod(set_up_fields)
    lines = staticmethod(set_up_lines)
    given = staticmethod(given_lines)


class EnGardeSecrets(Secrets):
    """The minor objective that a side has drawn."""

    private_roll = staticmethod(private_roll)


class EnGardeCalculators(Calculators):
    """Every table and test of the book, and exact odds."""

    all = staticmethod(calculators)
    ask = staticmethod(ask)
    odds_between = staticmethod(odds_between)
    odds_in_battle = staticmethod(odds_in_battle)


class EnGarde(Ruleset):
    """The rule system En Garde!, in one edition of Muster's data."""

    key = "en-garde"
    name = "En Garde!"
    edition = EDITION
    victory_points = True
    words = Words(fighter="fighter", fighters="fighters", warband="warband", warbands="warbands")
    length = INCHES
    columns = COLUMNS
    tallies = TALLIES
    points = EnGardePoints()
    progression = EnGardeProgression()
    set_up = EnGardeSetUp()
    secrets = EnGardeSecrets()
    calculators = EnGardeCalculators()
    classic = ClassicFormat()

    scenarios = staticmethod(scenarios)
    clean_build = staticmethod(clean_build)
    clean_extras = staticmethod(clean_extras)
    build_fields = staticmethod(build_fields)
    extras_fields = staticmethod(extras_fields)
    fighter_facts = staticmethod(fighter_facts)
    sheet = staticmethod(sheet)
    tick_boxes = staticmethod(tick_boxes)
    blank_boxes = staticmethod(blank_boxes)
    roster_boxes = staticmethod(roster_boxes)
    roster_tables = staticmethod(quick_reference)
    roster_totals = staticmethod(roster_totals)
    roster_problems = staticmethod(roster_problems)
    force_problems = staticmethod(force_problems)
    reference = staticmethod(reference)
    wound_phrase = staticmethod(wound_phrase)
    deed_phrase = staticmethod(deed_phrase)
    deed_weapon = staticmethod(deed_weapon)
    tallied = staticmethod(tallied)
    posts = staticmethod(posts)
    post_problem = staticmethod(post_problem)
    default_posts = staticmethod(default_posts)
    bystanders = staticmethod(bystanders)
    log = LOG
    names = read_names(DATA)
    translations = read_toml(DATA / "translations.toml")
    house_rule_book = HOUSE_RULES
    side_assets = staticmethod(side_assets)
    play_state = staticmethod(play_state)
    at_table = staticmethod(at_table)
    follow_up = staticmethod(follow_up)
    result = staticmethod(result)
    moments = staticmethod(moments)

    def bare_build(self, faction: str, profile: str) -> BuildData:
        """Return the build of a profile, named with its list: an army may recruit from several."""
        return {"profile": f"{faction}/{profile}"}

    ready_builds = staticmethod(ready_builds)

    def choice_notes(self) -> Mapping[str, str]:
        """Return the notes of Attributes and spells."""
        tables = catalogue()
        attributes = {key: each.note for key, each in tables.attributes.items()}
        return attributes | {key: each.note for key, each in tables.spells.items()}

    def largest_fill(self) -> int:
        """Return the most fighters of a warband without a warning."""
        return catalogue().calculator.most_fighters

    def catalogue(self, settings: Settings) -> Mapping[str, Any]:
        """Return the whole catalogue as JSON, with scenarios, house rules, headings and rulings.

        Raises RulesError for a wrong setting.
        """
        HOUSE_RULES.complete(settings)
        return {
            **catalogue_json(settings),
            "scenarios": msgspec.to_builtins([*scenarios()]),
            "house_rules": house_rules_json(HOUSE_RULES.rules),
            "headings": headings_json(HEADINGS.heading),
            "rulings": rulings_json(HEADINGS.rulings, HOUSE_RULES.rules),
        }
