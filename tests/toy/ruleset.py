"""The toy in two forms.

The plain one has groups and a condition; the ranked one has points, ranks and experience.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.battle_log.play import Play
from rulebook.book.house_rules import HouseRuleBook
from rulebook.ruleset import Points, Progression, Ruleset
from rulebook.values import battles, rosters
from rulebook.values.battles import Award, Deed, Record
from rulebook.values.fields import Choices, Field, Purchase, read_fields
from rulebook.values.problems import Problem, RulesError, Settings, Words
from rulebook.values.rosters import (
    AS_RECRUITED,
    BuildData,
    CampaignTerms,
    Condition,
    ConditionLine,
    Roster,
    Sheet,
)
from rulebook.values.table import TableView
from tests.toy.battle import DATA, FULL, LOG, TOML, State, read_result, strength, table_view

Rows = Mapping[str, Mapping[str, Any]]
PROFILES: Rows = DATA["profiles"]
OPTIONS: Rows = DATA["options"]
WEAR, RULE = 'Toy rules: "Wear"', 'Toy rules: "Experience"'


class PlainToy(Ruleset):
    """Pocket Parade: the core of the protocol, with groups and a condition."""

    key = "plain-toy"
    name = "Pocket Parade"
    edition = "1"
    words = Words("trooper", "troopers", "company", "companies")
    log = LOG
    heals = False
    group_field = "group"

    def catalogue(self, settings: Settings) -> Mapping[str, Any]:
        profiles = [{"key": key, **row} if self.points.counted else {"key": key, "name": row["name"]}
                    for key, row in PROFILES.items()]  # fmt: skip
        factions = [
            {"key": key, "name": name, "profiles": profiles}
            for key, name in DATA["factions"].items()
        ]
        return {"key": self.key, "name": self.name, "edition": self.edition, "factions": factions}

    def scenarios(self) -> tuple[battles.Scenario, ...]:
        return msgspec.convert(DATA["scenario"], tuple[battles.Scenario, ...])

    def build_fields(self, build: BuildData, terms: CampaignTerms) -> tuple[Field, ...]:
        prices = {key: row["points"] for key, row in OPTIONS.items() if self.points.counted}
        taken, group = ",".join(build.get("options", ())), build.get("group", "")
        options = Purchase(
            "options", "Options", "list", False, names_of(OPTIONS), default=taken, prices=prices
        )
        return options, *(Field("group", "Group", "text", False, default=group, most=60),) * bool(
            self.group_field
        )

    def clean_build(self, raw: BuildData, terms: CampaignTerms) -> BuildData:
        profile = Field("profile", "Profile", "choice", choices=names_of(PROFILES))
        values = read_fields((profile, *self.build_fields({}, terms)), raw, "A fighter")
        return {**values, "options": sorted(values["options"])}

    def price(self, build: BuildData, condition: Condition) -> tuple[rosters.PriceLine, ...]:
        """Return what a fighter costs, line by line; nothing if there are no points."""
        rows = (PROFILES[build["profile"]], *(OPTIONS[key] for key in build["options"]))
        return tuple(
            rosters.PriceLine(row["name"], row["points"]) for row in rows if self.points.counted
        )

    def sheet(
        self, build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
    ) -> Sheet:
        row, lines = (
            PROFILES[self.clean_build(build, terms)["profile"]],
            self.price(build, condition),
        )
        price = rosters.Price(sum(each.points for each in lines), lines)
        figures = (
            rosters.Characteristic(
                "strength", "Strength", "S", str(strength(condition)), source=WEAR
            ),
        )
        carried = tuple(
            rosters.Item(key, OPTIONS[key]["name"], "weapon") for key in build["options"]
        )
        rank = row["rank"] if self.progression.ranks else 0
        return Sheet(build["profile"], row["name"], rank, price.points, price, figures, carried)

    def condition_lines(
        self, build: BuildData, terms: CampaignTerms, condition: Condition
    ) -> tuple[ConditionLine, ...]:
        line = ConditionLine("strength", "Strength", f"{strength(condition)} of {FULL}", WEAR)
        return () if self.heals else (line,)

    def at_table(self, play: Play[State], who: str = "") -> TableView:
        return table_view(play.state, who)

    def result(self, play: Play[State]) -> battles.BattleResult:
        return read_result(play.state, scored=self.victory_points, heals=self.heals)


def names_of(rows: Rows) -> Choices:
    """Return keys with their names."""
    return tuple((key, row["name"]) for key, row in rows.items())


class HouseRules(Struct, frozen=True, kw_only=True):
    """The house rules of a club, with their default."""

    surviving: int = 1


HOUSE_RULES = HouseRuleBook(TOML, HouseRules)


class ToyPoints(Points):
    """Fighters and their options have points."""

    counted = True


class ToyProgression(Progression):
    """Experience for surviving and for wounding an equal; three ranks, two steps."""

    ranks = True

    def experience(self, settings: Settings) -> bool:
        return True

    def awards(
        self, records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings
    ) -> tuple[Award, ...]:
        amount, sentence = HOUSE_RULES.settled(settings).surviving, "Survived the battle."
        alive = {each.fighter for each in records if each.fate != "dead"}
        survived = (
            Award(each.fighter, amount, "survived", sentence, RULE)
            for each in records
            if each.survived
        )
        equals = (each for each in deeds if not each.friendly and each.victim_rank >= each.rank)
        wounds = (
            Award(each.fighter, 1, "wound", f"Wounded {each.victim_name}.", RULE) for each in equals
        )
        return tuple(each for each in (*survived, *wounds) if each.amount and each.fighter in alive)

    def rank_up_cost(self, build: BuildData, terms: CampaignTerms) -> int | None:
        return PROFILES[build["profile"]].get("cost")

    def take_rank_up(
        self, build: BuildData, terms: CampaignTerms, key: str, picks: Mapping[str, Any]
    ) -> rosters.RankUpStep:
        cost = self.rank_up_cost(build, terms)
        if cost is None or key != PROFILES[build["profile"]]["next"]:
            raise RulesError(
                Problem("unknown-step", f"{key!r} will not do.", field="step", value=key)
            )
        options = [*build["options"], *filter(None, [picks.get("option")])]
        better = RANKED.clean_build({"profile": key, "options": options}, terms)
        card = RANKED.sheet(better, terms)
        return rosters.RankUpStep(better, card.rank, card.points, cost, card.profile_name, RULE)

    def rank_ups(
        self, fighter: rosters.RosterFighter, roster: Roster
    ) -> tuple[rosters.RankUp, ...]:
        if self.rank_up_cost(fighter.build, roster.terms) is None:
            return ()
        key, before = (
            PROFILES[fighter.build["profile"]]["next"],
            RANKED.sheet(fighter.build, roster.terms),
        )
        step = self.take_rank_up(fighter.build, roster.terms, key, {})
        values = (
            key,
            step.name,
            step.rank,
            step.cost,
            step.build,
            RANKED.sheet(step.build, roster.terms),
            (step.name,),
        )
        picks = (rosters.RankUpPick("option", "Option", names_of(OPTIONS)),)
        return (
            rosters.RankUp(
                *values, fighter.build["options"], picks, before.points, step.points, source=RULE
            ),
        )


class RankedToy(PlainToy):
    """Pocket Skirmish: the core, points and progression; fighters heal between battles."""

    key = "ranked-toy"
    name = "Pocket Skirmish"
    words = Words("fighter", "fighters", "warband", "warbands")
    heals = True
    group_field = ""
    victory_points = True
    points = ToyPoints()
    progression = ToyProgression()
    house_rule_book = HOUSE_RULES

    def roster_problems(
        self, roster: Roster, purpose: rosters.RosterPurpose
    ) -> tuple[Problem, ...]:
        points, limit = self.roster_totals(roster).points, roster.points_limit
        problem = Problem("over-points", f"{points} points, of {limit} agreed.", value=str(points))
        return (problem,) if limit is not None and points > limit else ()


RANKED = RankedToy()
