"""The rule system Skeleton Game.

It implements the hooks of `rulebook/ruleset.py`; docs/hooks.md lists them. The five methods that
every system needs come first. Leave out everything that your game does not have: all other hooks
have a sensible default.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from rulebook.battle_log.play import Play
from rulebook.book.data import read_toml
from rulebook.book.names import read_names
from rulebook.ruleset import Points, Ruleset
from rulebook.values.battles import BattleResult, Scenario
from rulebook.values.fields import Choices, Field, Purchase, read_fields
from rulebook.values.problems import Problem, Settings, Words
from rulebook.values.rosters import (
    AS_RECRUITED,
    BuildData,
    CampaignTerms,
    Characteristic,
    Condition,
    Item,
    Price,
    PriceLine,
    ReadyBuild,
    Roster,
    RosterPurpose,
    Sheet,
    SheetColumn,
    Tally,
    TickBoxes,
)
from rulebook.values.table import TableView
from scripts.skeleton.battle import BLOWS, LOG, State, read_result, table_view
from scripts.skeleton.book import (
    ARMOURS,
    DATA,
    FACTIONS,
    GONE,
    HOUSE_RULES,
    PROFILES,
    TABLES,
    WEAPONS,
)


class SkeletonPoints(Points):
    """Fighters have points. Remove this class, and `points` below, in a game without them."""

    counted = True


class Skeleton(Ruleset):
    """The rule system Skeleton Game."""

    key = "skeleton"
    name = "Skeleton Game"
    edition = "1"
    words = Words("fighter", "fighters", "band", "bands")
    log = LOG
    house_rule_book = HOUSE_RULES
    victory_points = True
    names = read_names(DATA)
    translations = read_toml(DATA / "translations.toml")
    columns = msgspec.convert(TABLES["column"], tuple[SheetColumn, ...])
    tallies = msgspec.convert(TABLES["tally"], tuple[Tally, ...])
    points = SkeletonPoints()

    # What every system has

    def catalogue(self, settings: Settings) -> Mapping[str, Any]:
        """Return the factions with their profiles. Every faction here has the same profiles."""
        profiles = [
            {"key": key, "name": each.name, "points": each.points} for key, each in PROFILES.items()
        ]
        factions = [
            {"key": key, "name": name, "profiles": profiles} for key, name in FACTIONS.items()
        ]
        return {"key": self.key, "name": self.name, "edition": self.edition, "factions": factions}

    def scenarios(self) -> tuple[Scenario, ...]:
        """Return all scenarios."""
        return msgspec.convert(TABLES["scenario"], tuple[Scenario, ...])

    def clean_build(self, raw: BuildData, terms: CampaignTerms) -> BuildData:
        """Return the build with every choice filled in. Raises RulesError with everything wrong."""
        # The fields of the form validate the build too, so a choice is added in one place.
        profile = Field("profile", "Profile", "choice", choices=choices_of(PROFILES))
        return read_fields((profile, *self.build_fields({}, terms)), raw, "A fighter")

    def sheet(
        self, build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
    ) -> Sheet:
        """Return everything that a card shows."""
        clean = self.clean_build(build, terms)
        profile = PROFILES[clean["profile"]]
        weapon, armour = WEAPONS[clean["weapon"]], ARMOURS[clean["armour"]]
        bonus, defence = f"{profile.bonus + weapon.bonus:+d}", str(armour.defence)
        lines = tuple(PriceLine(each.name, each.points) for each in (profile, weapon, armour))
        points = sum(line.points for line in lines)
        return Sheet(
            profile=clean["profile"],
            profile_name=profile.name,
            rank=0,
            points=points,
            price=Price(points, lines),
            characteristics=(
                Characteristic("bonus", "Bonus", "B", bonus, source=BLOWS),
                Characteristic("defence", "Defence", "D", defence, source=BLOWS),
            ),
            equipment=(
                Item(clean["weapon"], weapon.name, "weapon", source=BLOWS),
                Item(clean["armour"], armour.name, "armour", source=BLOWS),
            ),
            looks=(weapon.look,),
        )

    def result(self, play: Play[State]) -> BattleResult:
        """Return the result of a battle that ends in its present state."""
        return read_result(play.state)

    # What this game adds

    def build_fields(self, build: BuildData, terms: CampaignTerms) -> tuple[Field, ...]:
        """Return the choices for a fighter, with those of the build as defaults."""
        return (
            _choice("weapon", "Weapon", WEAPONS, build.get("weapon", "sword")),
            _choice("armour", "Armour", ARMOURS, build.get("armour", "none")),
        )

    def ready_builds(self, faction: str) -> tuple[ReadyBuild, ...]:
        """Return the builds that can be recruited with one tap."""
        return msgspec.convert(TABLES["ready"], tuple[ReadyBuild, ...])

    def roster_problems(self, roster: Roster, purpose: RosterPurpose) -> tuple[Problem, ...]:
        """Return all problems of a roster."""
        points, limit = self.roster_totals(roster).points, roster.points_limit
        if limit is None or points <= limit:
            return ()
        sentence = (
            f"The roster has {points} points; {limit} are agreed. Remove somebody or something."
        )
        return (Problem("over-points", sentence, value=str(points)),)

    def tick_boxes(
        self, build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
    ) -> tuple[TickBoxes, ...]:
        """Return the boxes to tick with a pen: one for each hit and each way to be gone."""
        hits = HOUSE_RULES.settled(terms.settings).hits
        gone = tuple(phrase.capitalize() for phrase in GONE.values())
        return (TickBoxes("hits", "Hits", ("",) * hits), TickBoxes("gone", "", gone))

    def at_table(self, play: Play[State], who: str = "") -> TableView:
        """Return the table as users see it, with the present actions of ``who``."""
        return table_view(play.state, who)

    def wound_phrase(self, wounds: str) -> str:
        """Return how a fighter left the field."""
        return GONE.get(wounds, wounds)


def choices_of(table: Mapping[str, Any]) -> Choices:
    """Return the keys of a table with their names."""
    return tuple((key, each.name) for key, each in table.items())


def _choice(key: str, label: str, table: Mapping[str, Any], default: str) -> Purchase:
    """Return a choice among the entries of a table, with their points."""
    prices = {name: each.points for name, each in table.items()}
    return Purchase(
        key=key,
        label=label,
        kind="choice",
        required=False,
        choices=choices_of(table),
        default=default,
        prices=prices,
    )
