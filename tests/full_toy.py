"""The toy with every ability that tests of the apps need: posts, weather, odds, dice afterwards.

``register_toy`` registers it as "toy", and ``register_worn_toy`` the same with fighters that do
not heal.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from rulebook.battle_log.play import Play
from rulebook.book.house_rules import HouseRuleBook
from rulebook.dice.rolls import Generator
from rulebook.registry import RULESETS
from rulebook.ruleset import Calculators, Ruleset, SetUp
from rulebook.values import rosters
from rulebook.values.answers import Answer, chance_table, percentages, texts
from rulebook.values.battles import BattleSetup, Calculator, Deed, Opponent, Record
from rulebook.values.fields import Field, HouseRule, read_fields
from rulebook.values.problems import Problem, RulesError, Settings, Severity
from rulebook.values.rosters import (
    AS_RECRUITED,
    BuildData,
    CampaignTerms,
    Condition,
    Fate,
    Roster,
    Sheet,
)
from tests.toy import ruleset as toy
from tests.toy.battle import DATA, FULL, NAMES, State, strength
from tests.toy.ruleset import PROFILES, RULE, WEAR

STEPS = {row["rank"]: (row["next"], row["cost"]) for row in PROFILES.values() if "next" in row}
Values = Mapping[str, Any]


class HouseRules(toy.HouseRules, frozen=True, kw_only=True):
    """The house rules of a club, with their defaults."""

    legality: str = "strict"
    missed_game: bool = False


HOUSE_RULES = HouseRuleBook(Path(__file__).with_suffix(".toml"), HouseRules)


class FullProgression(toy.ToyProgression):
    """A die after the battle for grievously wounded fighters, if the house rules ask for it."""

    def fate_after(self, record: Record, settings: Settings) -> tuple[Fate, int]:
        absent = self.recovery_dice((record,), settings) and (record.recovery_roll or 6) <= 3
        return (Fate.RECOVERING, 1) if absent else (record.fate, 0)

    def recovery_dice(self, records: tuple[Record, ...], settings: Settings) -> tuple[str, ...]:
        hurt = (
            each.fighter for each in records if each.wounds == "grievous" and each.fate is Fate.FIT
        )
        return tuple(hurt) if HOUSE_RULES.settled(settings).missed_game else ()


class Weather(SetUp):
    """A set-up with random weather."""

    def roll(self, setup: BattleSetup, generator: Generator) -> Values:
        return {"weather": generator.randint(1, 6), **setup.set_up}


class Odds(Calculators):
    """The odds of one die."""

    def all(self) -> tuple[Calculator, ...]:
        needed = Field(
            "needed", "Needed", "number", False, least=1, most=6, default="4", group="The throw"
        )
        hit = Calculator(
            "hit",
            "Odds of a hit",
            "One die.",
            (needed,),
            "odds",
            examples=({"needed": "5"},),
            source=RULE,
        )
        surprise = Calculator(
            "surprise", "Surprise", "One die.", (needed,), "at the table", source=RULE
        )
        return hit, surprise, replace(hit, about="fighters"), replace(hit, about="battle")

    def ask(self, key: str, values: Values) -> Values:
        calculator = next((each for each in self.all() if each.key == key), None)
        return (
            super().ask(key, values)
            if calculator is None
            else self._odds(calculator, values, "One die.")
        )

    def odds_between(
        self, key: str, attacker: Opponent, target: Opponent, values: Values
    ) -> Values:
        return self._odds(self.all()[0], values, f"{attacker.name} against {target.name}.")

    def odds_in_battle(
        self, key: str, play: Play[State], attacker: str, target: str, values: Values
    ) -> Values:
        return self._odds(self.all()[0], values, f"After {len(play.state.wounds)} wounds.")

    def _odds(self, calculator: Calculator, values: Values, assumption: str) -> Values:
        answers = read_fields(calculator.fields, values, calculator.name)
        chances = {
            "hit": Fraction(7 - answers["needed"], 6),
            "miss": Fraction(answers["needed"] - 1, 6),
        }
        answer = Answer(
            headline=f"A hit in {chances['hit']}.",
            calculator=calculator.key,
            name=calculator.name,
            source=RULE,
            asked=answers,
            outcomes=texts(chances),
            percentages=percentages(chances),
            tables=(chance_table("outcomes", "Each result", chances),),
            assumptions=(assumption,),
        )
        result: Values = to_builtins(answer)
        return result


class ToyRuleset(toy.RankedToy):
    """Pocket Skirmish with everything that a rule system can have, except a classic campaign."""

    key = "toy"
    columns = (rosters.SheetColumn("rank", "Rank"),)
    tallies = (
        rosters.Tally("wounds_dealt", "Hits", "H", "hit", "hits"),
        rosters.Tally("kills", "Felled", "F", "felled", "felled"),
    )
    set_up = Weather()
    calculators = Odds()
    progression = FullProgression()

    def house_rules(self) -> tuple[HouseRule, ...]:
        return HOUSE_RULES.rules

    def price(self, build: BuildData, condition: Condition) -> tuple[rosters.PriceLine, ...]:
        """Return what a fighter costs. Each permanently lost point of strength saves one point."""
        left = FULL if self.heals else strength(condition)
        worn = (rosters.PriceLine("Strength", left - FULL, WEAR),) if left < FULL else ()
        return *super().price(build, condition), *worn

    def sheet(
        self, build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
    ) -> Sheet:
        card = super().sheet(build, terms, condition)
        price = replace(card.price, printed=PROFILES[card.profile]["points"])
        return replace(
            card,
            price=price,
            characteristics=(rosters.Characteristic("rank", "Rank", "R", str(card.rank)),),
        )

    def tick_boxes(
        self, build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
    ) -> tuple[rosters.TickBoxes, ...]:
        shield = (
            (rosters.TickBoxes("shield", "Shield broken", ("",)),)
            if "shield" in build["options"]
            else ()
        )
        return (rosters.TickBoxes("wound", "Hurt", tuple(NAMES.values())), *shield)

    def extras_fields(self, roster: rosters.Roster) -> tuple[Field, ...]:
        return (
            Field(
                "banner", "Banner", "flag", False, default=bool(roster.terms.extras.get("banner"))
            ),
        )

    def clean_extras(self, raw: Values, terms: CampaignTerms) -> Values:
        if terms.faction not in DATA["factions"]:
            raise RulesError(
                Problem("unknown-faction", "There is no such faction.", field="faction")
            )
        super().clean_extras({key: value for key, value in raw.items() if key != "banner"}, terms)
        return {"banner": True} if raw.get("banner") else {}

    def posts(self, terms: CampaignTerms) -> tuple[rosters.Post, ...]:
        bearer = rosters.Post("banner", "Standard-bearer", open=bool(terms.extras.get("banner")))
        return rosters.Post("leader", "Chief"), bearer

    def post_problem(self, post: str, build: BuildData, terms: CampaignTerms) -> Problem | None:
        refused = post in self.sheet(build, terms).unfit_for
        return Problem("cannot-lead", "Not this one.", field="leader") if refused else None

    def roster_totals(self, roster: Roster) -> rosters.RosterTotals:
        plain = super().roster_totals(roster)
        lines = (rosters.PriceLine("Banner", 5),) if roster.terms.extras.get("banner") else ()
        points = plain.points + sum(line.points for line in lines)
        courage = rosters.RosterFigure(
            "courage", "Courage", 7, "Everybody is brave.", RULE, brief=True
        )
        return replace(plain, points=points, lines=lines, figures=(courage,))

    def roster_problems(
        self, roster: Roster, purpose: rosters.RosterPurpose
    ) -> tuple[Problem, ...]:
        strict = HOUSE_RULES.settled(roster.terms.settings).legality == "strict"
        forbids = strict and purpose is not rosters.RosterPurpose.CARRY_ON
        severity = Severity.FORBIDS if forbids else Severity.WARNS
        problems = (*super().roster_problems(roster, purpose), *self._illegal(roster, purpose))
        problems = tuple(replace(each, severity=severity) for each in problems)
        unled = (
            roster.holder("leader") is None
            and roster.fighters
            and purpose is rosters.RosterPurpose.ENROL
        )
        return (
            (*problems, Problem("no-leader", "Name a Leader.", field="leader"))
            if unled
            else problems
        )

    def _illegal(self, roster: Roster, purpose: rosters.RosterPurpose) -> Iterator[Problem]:
        captains = tuple(
            each.id for each in roster.fighters if each.build.get("profile") == "captain"
        )
        if len(captains) > 1:
            yield Problem("two-captains", "Only one Captain is allowed.", fighters=captains)
        veterans = (
            each
            for each in roster.fighters
            if each.build.get("profile") != "recruit" and not each.promoted
        )
        late = tuple(each.id for each in veterans if each.recruited_after)
        if late and purpose is rosters.RosterPurpose.RECRUIT and roster.games_played:
            yield Problem("late-veteran", "Only Rank 1 joins after the first game.", fighters=late)

    def force_problems(self, setup: BattleSetup) -> tuple[Problem, ...]:
        empty = (side for side in setup.sides if not side.fighters)
        return tuple(
            Problem("empty-side", f"{side.name} fields nobody.", field=side.key) for side in empty
        )

    def play_state(self, play: Play[State]) -> Values:
        return {"turn": 0, "wounds": len(play.state.wounds)}

    def wound_phrase(self, wounds: str) -> str:
        return NAMES.get(wounds, wounds)

    def deed_phrase(self, deed: Deed) -> str:
        return f"{'killed' if deed.killed else 'wounded'} {deed.victim_name}"

    def tallied(self, deed: Deed) -> tuple[str, ...]:
        counts = deed.kind == "wound" and not deed.friendly
        return ("wounds_dealt", *(("kills",) if deed.killed else ())) if counts else ()


class WornToyRuleset(ToyRuleset):
    """Pocket Skirmish whose fighters do not heal between battles."""

    heals = False


TOY: Ruleset = ToyRuleset()
WORN_TOY: Ruleset = WornToyRuleset()


def find_toy(key: str, edition: str) -> Ruleset:
    """Return the toy for any key: for tests of the replay, which need no registry."""
    return TOY


def find_worn_toy(key: str, edition: str) -> Ruleset:
    """Return the toy with a condition for any key."""
    return WORN_TOY


@pytest.fixture
def register_toy(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """Register the toy as a rule system ("toy", edition "1") during a test."""
    monkeypatch.setitem(RULESETS, "toy", {"1": TOY})
    return TOY


@pytest.fixture
def register_worn_toy(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """Register the toy with a condition instead of the plain one during a test."""
    monkeypatch.setitem(RULESETS, "toy", {"1": WORN_TOY})
    return WORN_TOY
