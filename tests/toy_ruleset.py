"""A tiny honest rule system, so that everything above the rulebook can be tested without a real one.

Two factions, three ranks, two options, one scenario. ``register_toy`` is the fixture that makes it known.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

import pytest
from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from rulebook.battle_log.kinds import EventKind, FighterId
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.play import Play
from rulebook.battle_log.policy import Policy
from rulebook.dice.rolls import Generator
from rulebook.registry import RULESETS
from rulebook.ruleset import (
    AS_RECRUITED,
    Award,
    BattleResult,
    BattleSetup,
    BuildData,
    Calculator,
    Calculators,
    Characteristic,
    Condition,
    Deed,
    Fate,
    Field,
    FieldedFighter,
    FighterFacts,
    HouseRule,
    Item,
    LoggedEvent,
    Opponent,
    Outcome,
    Points,
    Post,
    Price,
    PriceLine,
    Problem,
    Progression,
    RankUp,
    RankUpPick,
    RankUpStep,
    Record,
    Roster,
    RosterFighter,
    RosterFigure,
    RosterPurpose,
    RosterTotals,
    RulesError,
    Ruleset,
    Scenario,
    ScenarioRole,
    ScoreLine,
    Settings,
    SetUp,
    Severity,
    Sheet,
    SideResult,
    Tally,
    Terms,
    Words,
)
from rulebook.values.answers import Answer, chance_table, percentages, texts
from rulebook.values.fields import Purchase

FACTIONS = {"reds": "Reds", "blues": "Blues"}
PROFILES = {"recruit": ("Recruit", 1, 5), "veteran": ("Veteran", 2, 10), "captain": ("Captain", 3, 16)}
OPTIONS = {"sword": ("Sword", 1), "shield": ("Shield", 2)}
STEPS = {1: ("veteran", 3), 2: ("captain", 5)}
RESULTS = (("light", "Light wound"), ("grievous", "Grievous wound"), ("dead", "Killed"))
RULE = 'Toy rules: "Experience"'


class ToyWound(Struct, frozen=True):
    """Who wounded whom, and how badly."""

    attacker: str
    victim: str
    result: str
    turn: int | None = None


class ToyState(Struct, frozen=True):
    """What a toy battle has come to."""

    setup: BattleSetup
    wounds: tuple[ToyWound, ...] = ()


class Wounded(EventKind[ToyState], frozen=True, kw_only=True):
    """Somebody is wounded."""

    key: ClassVar[str] = "wound"
    label: ClassVar[str] = "Wound"
    about: ClassVar[str] = "attacker"

    attacker: Annotated[FighterId, Meta(title="Attacker")]
    victim: Annotated[FighterId, Meta(title="Victim")]
    result: Annotated[Literal["light", "grievous", "dead"], Meta(title="Result")]

    def input_errors(self, state: ToyState, logged: LoggedEvent) -> Iterable[Problem]:
        named = {"attacker": self.attacker, "victim": self.victim}
        known = _combatants(state.setup)
        return (_problem("unknown-combatant", field, who) for field, who in named.items() if who not in known)

    def apply(self, state: ToyState, logged: LoggedEvent) -> ToyState:
        wound = ToyWound(self.attacker, self.victim, self.result, logged.turn)
        return replace(state, wounds=(*state.wounds, wound))


TOY_LOG = BattleLog((Wounded,), ToyState, Policy(), ToyState)


class ToyPoints(Points):
    """Fighters, their options and the banner have points."""

    counted = True


class ToySetUp(SetUp):
    """The weather is rolled."""

    def roll(self, setup: BattleSetup, generator: Generator) -> Mapping[str, Any]:
        return {"weather": generator.randint(1, 6), **setup.set_up}


class ToyProgression(Progression):
    """Three ranks, two steps up."""

    ranks = True

    def __init__(self, rules: "ToyRuleset") -> None:
        self.rules = rules

    def experience(self, settings: Settings) -> bool:
        return True

    def awards(self, records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings) -> tuple[Award, ...]:
        surviving = settings.get("surviving", 1)
        found = [
            Award(record.fighter, surviving, "survived", "Survived the battle.", RULE)
            for record in records
            if record.survived and surviving
        ]
        found += [
            Award(deed.fighter, 1, "wound", f"Wounded {deed.victim_name}.", RULE)
            for deed in deeds
            if deed.kind == "wound" and not deed.friendly and deed.victim_rank >= deed.rank
        ]
        dead = {record.fighter for record in records if record.fate is Fate.DEAD}
        return tuple(award for award in found if award.fighter not in dead)

    def fate_after(self, record: Record, settings: Settings) -> tuple[Fate, int]:
        if record.fate is not Fate.FIT:
            return record.fate, 0
        hurt = settings.get("missed_game", False) and record.wounds == "grievous"
        return (Fate.RECOVERING, 1) if hurt and (record.recovery_roll or 6) <= 3 else (Fate.FIT, 0)

    def recovery_dice(self, records: tuple[Record, ...], settings: Settings) -> tuple[str, ...]:
        if not settings.get("missed_game", False):
            return ()
        return tuple(record.fighter for record in records if record.wounds == "grievous" and record.fate is Fate.FIT)

    def rank_up_cost(self, build: BuildData, terms: Terms) -> int | None:
        rank = self.rules.fighter_facts(build, terms).rank
        return STEPS[rank][1] if rank in STEPS else None

    def rank_ups(self, fighter: RosterFighter, roster: Roster) -> tuple[RankUp, ...]:
        before = self.rules.fighter_facts(fighter.build, roster.terms)
        if before.rank not in STEPS:
            return ()
        profile = STEPS[before.rank][0]
        taken = self.take_rank_up(fighter.build, roster.terms, profile, {})
        return (
            RankUp(
                key=profile,
                name=taken.name,
                rank=taken.rank,
                cost=taken.cost,
                build=taken.build,
                sheet=self.rules.sheet(taken.build, roster.terms),
                gains=(taken.name,),
                keeps=tuple(fighter.build["options"]),
                picks=(RankUpPick("option", "Option", tuple((key, name) for key, (name, _) in OPTIONS.items())),),
                points_before=before.points,
                points_after=taken.points,
                source=RULE,
            ),
        )

    def take_rank_up(self, build: BuildData, terms: Terms, key: str, picks: Mapping[str, Any]) -> RankUpStep:
        profile, cost = STEPS.get(self.rules.fighter_facts(build, terms).rank, ("", 0))
        if not profile or key != profile:
            raise RulesError(_problem("unknown-step", "step", key))
        added = [picks["option"]] if picks.get("option") else []
        raised = self.rules.clean_build({"profile": profile, "options": [*build["options"], *added]}, terms)
        known = self.rules.fighter_facts(raised, terms)
        return RankUpStep(raised, known.rank, known.points, cost, known.profile_name, RULE)


class ToyCalculators(Calculators):
    """The odds of one die."""

    def listed(self) -> tuple[Calculator, ...]:
        needed = Field("needed", "Needed", "number", False, least=1, most=6, default="4", group="The throw")
        hit = Calculator(
            "hit", "Odds of a hit", "One die.", (needed,), "odds", examples=({"needed": "5"},), source=RULE
        )
        surprise = Calculator("surprise", "Surprise", "One die.", (needed,), "at the table", source=RULE)
        return hit, surprise, replace(hit, about="fighters"), replace(hit, about="battle")

    def ask(self, key: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        if key not in ("hit", "surprise"):
            raise RulesError(_problem("unknown-calculator", "calculator", key))
        return self._odds(key, values, "One die.")

    def odds_between(
        self, key: str, attacker: Opponent, target: Opponent, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        return self._odds(key, values, f"{attacker.name} against {target.name}.")

    def odds_in_battle(
        self, key: str, play: Play[ToyState], attacker: str, target: str, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        known = _combatants(play.setup)
        if unknown := [
            _problem("unknown-combatant", "target", each) for each in (attacker, target) if each not in known
        ]:
            raise RulesError(*unknown)
        return self._odds(key, values, f"After {len(play.state.wounds)} wounds.")

    def _odds(self, key: str, values: Mapping[str, Any], assumption: str) -> Mapping[str, Any]:
        told = str(values.get("needed") or 4)
        if told not in "123456" or [name for name in values if name != "needed"] or key not in ("hit", "surprise"):
            raise RulesError(_problem("out-of-range", "needed", told))
        chances = {"hit": Fraction(7 - int(told), 6), "miss": Fraction(int(told) - 1, 6)}
        answer = Answer(
            headline=f"A hit in {chances['hit']}.",
            calculator=key,
            name="Odds of a hit",
            source=RULE,
            asked={"needed": int(told)},
            outcomes=texts(chances),
            percentages=percentages(chances),
            tables=(chance_table("outcomes", "Each result", chances),),
            assumptions=(assumption,),
        )
        data: Mapping[str, Any] = to_builtins(answer)
        return data


class ToyRuleset(Ruleset):
    """Pocket skirmish: enough rules to ask every question of the protocol."""

    key = "toy"
    name = "Pocket Skirmish"
    log = TOY_LOG
    edition = "1"
    victory_points = True
    words = Words("fighter", "fighters", "warband", "warbands")
    tallies = (Tally("wounds_dealt", "Hits", "H", "hit", "hits"), Tally("kills", "Felled", "F", "felled", "felled"))
    points = ToyPoints()
    set_up = ToySetUp()
    calculators = ToyCalculators()

    def __init__(self) -> None:
        self.progression = ToyProgression(self)

    def house_rules(self) -> tuple[HouseRule, ...]:
        legality = (("strict", "Strict"), ("warn", "Warn"))
        return (
            HouseRule(
                "legality",
                "Legality",
                "choice",
                choices=legality,
                default="strict",
                help="Whether an illegal roster is refused.",
            ),
            HouseRule("surviving", "Surviving", "number", help="Experience for surviving.", default=1, least=0, most=5),
            HouseRule("missed_game", "Missed game", "flag", help="Grievous wounds may cost a game.", default=False),
        )

    def catalogue(self, settings: Settings) -> Mapping[str, Any]:
        profiles = [{"key": key, "name": PROFILES[key][0], "rank": PROFILES[key][1], "points": PROFILES[key][2]}
                    for key in PROFILES]  # fmt: skip
        factions = [{"key": key, "name": name, "profiles": profiles} for key, name in FACTIONS.items()]
        return {"key": self.key, "name": self.name, "edition": self.edition, "factions": factions}

    def scenarios(self) -> tuple[Scenario, ...]:
        role = ScenarioRole("side", "Side", least=2, most=4)
        return (
            Scenario("brawl", "Brawl", "Everybody fights.", (role,), "Most kills wins.", "Until dusk", "Toy rules"),
        )

    # Builds

    def clean_build(self, raw: BuildData, terms: Terms) -> BuildData:
        problems = []
        if raw.get("profile") not in PROFILES:
            problems.append(_problem("unknown-profile", "profile", raw.get("profile")))
        options = raw.get("options", [])
        if not isinstance(options, (list, tuple)):
            raise RulesError(_problem("not-a-list", "options", options))
        problems += [_problem("unknown-option", "options", key) for key in options if key not in OPTIONS]
        problems += [_problem("unknown-field", key, raw[key]) for key in raw if key not in ("profile", "options")]
        if problems:
            raise RulesError(*problems)
        return {"profile": raw["profile"], "options": sorted(set(options))}

    def build_fields(self, build: BuildData, terms: Terms) -> tuple[Field, ...]:
        offered = tuple((key, name) for key, (name, _) in OPTIONS.items())
        prices = {key: points for key, (_, points) in OPTIONS.items()}
        taken = ",".join(build.get("options", ()))
        return (Purchase("options", "Options", "list", False, offered, default=taken, prices=prices),)

    def extras_fields(self, terms: Terms) -> tuple[Field, ...]:
        return (Field("banner", "Banner", "flag", False, default=bool(terms.extras.get("banner"))),)

    def clean_extras(self, raw: Mapping[str, Any], terms: Terms) -> Mapping[str, Any]:
        if terms.faction not in FACTIONS:
            raise RulesError(_problem("unknown-faction", "faction", terms.faction))
        if unknown := [_problem("unknown-extra", f"extras.{key}", raw[key]) for key in raw if key != "banner"]:
            raise RulesError(*unknown)
        return {"banner": True} if raw.get("banner") else {}

    def fighter_facts(self, build: BuildData, terms: Terms, condition: Condition = AS_RECRUITED) -> FighterFacts:
        if build.get("profile") not in PROFILES:
            raise RulesError(_problem("unknown-profile", "profile", build.get("profile")))
        name, rank, _ = PROFILES[build["profile"]]
        return FighterFacts(rank, sum(line.points for line in _lines(build)), name)

    def sheet(self, build: BuildData, terms: Terms, condition: Condition = AS_RECRUITED) -> Sheet:
        known = self.fighter_facts(build, terms, condition)
        return Sheet(
            profile=build["profile"],
            profile_name=known.profile_name,
            rank=known.rank,
            points=known.points,
            price=Price(known.points, _lines(build), PROFILES[build["profile"]][2]),
            characteristics=(Characteristic("rank", "Rank", "R", str(known.rank)),),
            equipment=tuple(Item(key, OPTIONS[key][0], "weapon") for key in build["options"]),
        )

    # Rosters

    def posts(self, terms: Terms) -> tuple[Post, ...]:
        borne = bool(terms.extras.get("banner"))
        return Post("leader", "Chief"), Post("banner", "Standard-bearer", open=borne, formerly="bearer")

    def wound_phrase(self, wounds: str) -> str:
        return dict(RESULTS).get(wounds, wounds)

    def deed_phrase(self, deed: Deed) -> str:
        return f"{'killed' if deed.killed else 'wounded'} {deed.victim_name}"

    def tallied(self, deed: Deed) -> tuple[str, ...]:
        counts = deed.kind == "wound" and not deed.friendly
        return ("wounds_dealt", *(("kills",) if deed.killed else ())) if counts else ()

    def post_problem(self, post: str, build: BuildData, terms: Terms) -> Problem | None:
        refused = post == "leader" and not self.sheet(build, terms).leads
        return Problem("cannot-lead", "Not this one.", field="leader") if refused else None

    def roster_totals(self, roster: Roster) -> RosterTotals:
        serving = [one for one in roster.fighters if one.fate in (Fate.FIT, Fate.RECOVERING)]
        lines = (PriceLine("Banner", 5),) if roster.terms.extras.get("banner") else ()
        points = sum(self.fighter_facts(one.build, roster.terms, one.condition).points for one in serving)
        extra = sum(line.points for line in lines)
        courage = RosterFigure("courage", "Courage", 7, "Everybody is brave.", RULE, brief=True)
        return RosterTotals(points + extra, len(serving), lines, (courage,))

    def roster_problems(self, roster: Roster, purpose: RosterPurpose) -> tuple[Problem, ...]:
        strict = roster.terms.settings.get("legality", "strict") == "strict"
        severity = Severity.FORBIDS if strict and purpose is not RosterPurpose.CARRY_ON else Severity.WARNS
        found = [*self._too_dear(roster), *self._captains(roster)]
        if purpose is RosterPurpose.RECRUIT and roster.games_played:
            found += self._late_veterans(roster)
        found = [replace(problem, severity=severity) for problem in found]
        if roster.holder("leader") is None and roster.fighters and purpose is RosterPurpose.ENROL:
            found.append(Problem("no-leader", "Name a Leader.", field="leader"))
        return tuple(found)

    def _too_dear(self, roster: Roster) -> list[Problem]:
        points = self.roster_totals(roster).points
        if roster.points_limit is None or points <= roster.points_limit:
            return []
        return [Problem("over-points", f"{points} points, of {roster.points_limit} agreed.", value=str(points))]

    def _captains(self, roster: Roster) -> list[Problem]:
        captains = tuple(one.id for one in roster.fighters if one.build.get("profile") == "captain")
        return [Problem("two-captains", "Only one Captain is allowed.", fighters=captains)] if len(captains) > 1 else []

    def _late_veterans(self, roster: Roster) -> list[Problem]:
        late = tuple(
            one.id
            for one in roster.fighters
            if one.recruited_after and not one.promoted and self.fighter_facts(one.build, roster.terms).rank > 1
        )
        return [Problem("late-veteran", "Only Rank 1 joins after the first game.", fighters=late)] if late else []

    # Battles

    def force_problems(self, setup: BattleSetup) -> tuple[Problem, ...]:
        return tuple(
            Problem("empty-side", f"{side.name} fields nobody.", field=side.key)
            for side in setup.sides
            if not side.fighters
        )

    def play_state(self, play: Play[ToyState]) -> Mapping[str, Any]:
        return {"turn": 0, "wounds": len(play.state.wounds)}

    def result(self, play: Play[ToyState]) -> BattleResult:
        setup, wounds = play.setup, play.state.wounds
        deeds = {side.key: tuple(_deeds(setup, side.key, wounds)) for side in setup.sides}
        kills = {key: sum(deed.killed and not deed.friendly for deed in done) for key, done in deeds.items()}
        best = max(kills.values())
        leaders = [key for key, points in kills.items() if points == best]
        winner = leaders[0] if len(leaders) == 1 else None
        sides = tuple(
            SideResult(
                side=side.key,
                victory_points=kills[side.key],
                lines=(ScoreLine(kills[side.key], "Enemies killed.", "Toy rules"),),
                outcome=_outcome(side.key, winner),
                records=tuple(_record(fighter, wounds) for fighter in side.fighters),
                deeds=deeds[side.key],
            )
            for side in setup.sides
        )
        return BattleResult(sides, f"{winner} wins." if winner else "A draw.", winner=winner)


def _problem(code: str, field: str, value: object) -> Problem:
    return Problem(code, f"{value!r} will not do.", field=field, value=str(value))


def _lines(build: BuildData) -> tuple[PriceLine, ...]:
    name, _, points = PROFILES[build["profile"]]
    return PriceLine(name, points), *(PriceLine(*OPTIONS[key]) for key in build["options"])


def _combatants(setup: BattleSetup) -> dict[str, tuple[str, FieldedFighter]]:
    return {fighter.id: (side.key, fighter) for side in setup.sides for fighter in side.fighters}


def _deeds(setup: BattleSetup, side: str, wounds: tuple[ToyWound, ...]) -> Iterator[Deed]:
    combatants = _combatants(setup)
    for wound in wounds:
        home, attacker = combatants[wound.attacker]
        away, victim = combatants[wound.victim]
        if home == side:
            yield Deed(
                fighter=attacker.id,
                kind="wound",
                rank=attacker.rank,
                victim=victim.id,
                victim_name=victim.name,
                victim_rank=victim.rank,
                result=wound.result,
                killed=wound.result == "dead",
                turn=wound.turn,
                friendly=home == away,
            )


def _record(fighter: FieldedFighter, wounds: tuple[ToyWound, ...]) -> Record:
    suffered = [wound.result for wound in wounds if wound.victim == fighter.id]
    worst = next((key for key, _ in reversed(RESULTS) if key in suffered), "")
    dead = worst == "dead"
    fate = Fate.DEAD if dead else Fate.FIT
    return Record(fighter.id, fighter.rank, fate, survived=not dead, wounds="critical" if dead else worst)


def _outcome(side: str, winner: str | None) -> Outcome:
    if winner is None:
        return Outcome.DREW
    return Outcome.WON if winner == side else Outcome.LOST


TOY: Ruleset = ToyRuleset()


def find_toy(key: str, edition: str) -> Ruleset:
    """The toy, whatever is asked for: for tests of the fold, which want no registry."""
    return TOY


@pytest.fixture
def register_toy(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """The toy is a registered rule system ("toy", edition "1") for the length of a test."""
    monkeypatch.setitem(RULESETS, "toy", {"1": TOY})
    return TOY
