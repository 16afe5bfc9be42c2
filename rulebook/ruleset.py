"""The protocol of a rule system: a core that each one implements, and optional abilities.

A rule system is data first and a few functions last. The apps, the pages and the documents know
only this protocol: they never ask which rule system they are talking to. An ability that a system
does not have still answers, with its default: no points, no ranks, nothing to set up. The frozen
values that go in and come out (``rulebook.values``) are named here too; each can be written as
JSON, read back and compared.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from msgspec import Struct, to_builtins
from msgspec.structs import asdict, replace

from rulebook.at_table.light_way import light_way
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.play import Play
from rulebook.battle_log.sides import sides_problems
from rulebook.book.house_rules import HouseRuleBook
from rulebook.book.names import NameList
from rulebook.book.reference import plain_profile_line, profile_lists
from rulebook.dice.rolls import Generator
from rulebook.values.battles import (
    Award,
    BattleResult,
    BattleSetup,
    Calculator,
    Deed,
    FieldedFighter,
    FieldedSide,
    LoggedEvent,
    Loss,
    Opponent,
    Outcome,
    PrivateRoll,
    Record,
    Scenario,
    ScoreLine,
    SetUpLine,
    SideResult,
)
from rulebook.values.classic import ClassicFormat, ClassicScore
from rulebook.values.fields import TRUE, Field, HouseRule, LengthMeasure, Purchase, as_text
from rulebook.values.problems import Problem, RulesError, Settings, Severity, Words, find
from rulebook.values.reference import Reference, TableSection
from rulebook.values.rosters import (
    AS_RECRUITED,
    BuildData,
    BuildForm,
    CampaignTerms,
    Characteristic,
    Condition,
    ConditionLine,
    Fate,
    FighterFacts,
    Group,
    Item,
    Post,
    Posts,
    Price,
    PriceLine,
    RankUp,
    RankUpPick,
    RankUpStep,
    ReadyBuild,
    Roster,
    RosterFighter,
    RosterFigure,
    RosterPurpose,
    RosterTotals,
    Sheet,
    SheetColumn,
    Tally,
    TickBoxes,
)
from rulebook.values.table import Action, EventOutcome, FollowUp, LightWay, TableView


class Points:
    """The ability to say what things cost. As it stands: a system without points, that shows none
    anywhere."""

    counted: ClassVar[bool] = False
    """True if fighters have points."""
    limit_rule: ClassVar[str] = ""
    """The rule by which ``battle_limit`` holds."""

    def battle_limit(self, agreed: int, settings: Settings) -> int | None:
        """Return the points limit of every battle of a campaign with these agreed points.

        None where each battle has its own limit.
        """
        return None


class Progression:
    """The ability to let fighters grow. As it stands: a system without experience, ranks and dice
    after a battle."""

    ranks: ClassVar[bool] = False
    """True if fighters have a rank."""
    counts_steps: ClassVar[bool] = False
    """True if a step depends on the rank-ups since the last battle, which ``Roster.risen``
    lists."""

    def experience(self, settings: Settings) -> bool:
        """Return whether battles are worth experience under these house rules."""
        return False

    def awards(
        self, records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings
    ) -> tuple[Award, ...]:
        """Return the experience that a battle is worth to one warband's fighters, each with its
        reason."""
        return ()

    def fate_after(self, record: Record, settings: Settings) -> tuple[Fate, int]:
        """Return the fate of a fighter after a battle, and the number of games that it misses."""
        return record.fate, 0

    def recovery_dice(self, records: tuple[Record, ...], settings: Settings) -> tuple[str, ...]:
        """Return the ids of the fighters that throw a six-sided die after the battle, under these
        house rules."""
        return ()

    def rank_up_cost(self, build: BuildData, terms: CampaignTerms) -> int | None:
        """Return experience for the next step up of a canonical build, None where there is no step
        for it."""
        return None

    def rank_ups(self, fighter: RosterFighter, roster: Roster) -> tuple[RankUp, ...]:
        """Return every legal step for a fighter, whether or not it can afford it yet."""
        return ()

    def take_rank_up(
        self, build: BuildData, terms: CampaignTerms, key: str, picks: Mapping[str, Any]
    ) -> RankUpStep:
        """Return what a build becomes by the step ``key`` with these picks. Raise RulesError if
        they are not legal."""
        raise RulesError(
            Problem("unknown-step", f"There is no step up {key!r} here.", field="step", value=key)
        )


class OneStep(Progression):
    """Growth by one step at a time, each to one better build, by a house rule."""

    def next_step(self, build: BuildData, terms: CampaignTerms) -> tuple[str, RankUpStep] | None:
        """Return the key of the next step of a canonical build and what it makes of it, None where
        there is none."""
        raise NotImplementedError

    def card(self, build: BuildData, terms: CampaignTerms, condition: Condition) -> Sheet:
        """Return everything that a card prints of a build."""
        raise NotImplementedError

    def step_problems(
        self, fighter: RosterFighter, roster: Roster, key: str
    ) -> tuple[Problem, ...]:
        """Return what speaks against the step ``key`` of a fighter in this roster."""
        return ()

    def rank_up_cost(self, build: BuildData, terms: CampaignTerms) -> int | None:
        next_step = self.next_step(build, terms)
        if next_step is None:
            return None
        _, step = next_step
        return step.cost

    def take_rank_up(
        self, build: BuildData, terms: CampaignTerms, key: str, picks: Mapping[str, Any]
    ) -> RankUpStep:
        next_step = self.next_step(build, terms)
        if next_step is None or next_step[0] != key:
            return super().take_rank_up(build, terms, key, picks)
        _, step = next_step
        return step

    def rank_ups(self, fighter: RosterFighter, roster: Roster) -> tuple[RankUp, ...]:
        next_step = self.next_step(fighter.build, roster.terms)
        if next_step is None:
            return ()
        key, step = next_step
        card_before = self.card(fighter.build, roster.terms, fighter.condition)
        card_after = self.card(step.build, roster.terms, fighter.condition)
        rank_up = RankUp(
            key=key,
            name=step.name,
            rank=step.rank,
            cost=step.cost,
            build=step.build,
            sheet=card_after,
            gains=(step.name,),
            keeps=(),
            points_before=card_before.price.points,
            points_after=card_after.price.points,
            problems=self.step_problems(fighter, roster, key),
            source=step.rule,
        )
        return (rank_up,)


class SetUp:
    """The ability to lay a table out before a battle. As it stands: nothing is rolled and nothing
    asked for."""

    @property
    def laid_out(self) -> bool:
        """Return whether there is anything to lay out: only a system with a set-up of its own has
        something."""
        return type(self) is not SetUp

    def roll(self, setup: BattleSetup, generator: Generator) -> Mapping[str, Any]:
        """Return everything that is rolled before deployment, with every roll kept.

        Values that ``setup`` has already stay.
        """
        return setup.set_up

    def fields(self, setup: BattleSetup) -> tuple[Field, ...]:
        """Return what of the set-up a table may type in, enough to draw a form; keys with dots lead
        into maps."""
        return ()

    def lines(self, setup: BattleSetup) -> tuple[SetUpLine, ...]:
        """Return the set-up as text, line by line; empty before it is complete."""
        return ()


class Secrets:
    """The ability to tell one side what the others may not know yet. As it stands: there are no
    secrets."""

    def private_roll(
        self, setup: BattleSetup, side: str, generator: Generator
    ) -> PrivateRoll | None:
        """Return what a side may know before the others do, None if there is no secret.

        It is the same whenever it is asked for with the dice of the same battle.
        ``set_up["secrets_drawn"]`` of a battle names the sides that have learnt theirs, and so have
        to abide by it.
        """
        return None


class Calculators:
    """The ability to answer questions about rules and to compute chances. By default there is no
    calculator."""

    def all(self) -> tuple[Calculator, ...]:
        """Return every question that it answers; keys are unique among those about the same
        thing."""
        return ()

    def ask(self, key: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answer of a calculator about numbers: an ``Answer`` (see
        ``rulebook.values.answers``) as JSON.

        Values may be text, as they stand in an address. Raise RulesError with field, value and way
        out of each that is wrong, "unknown-calculator" if there is none of that key.
        """
        raise _unknown_calculator(key)

    def odds_between(
        self, key: str, attacker: Opponent, target: Opponent, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the answer of a calculator about two fighters of rosters, unhurt unless ``values``
        say otherwise."""
        raise _unknown_calculator(key)

    def odds_in_battle(
        self, key: str, play: Play[Any], attacker: str, target: str, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the answer of a calculator about a battle, for two combatants as they stand in it
        now."""
        raise _unknown_calculator(key)


class VisibleNumbers(Struct, frozen=True):
    """The numbers that a rule system has: pages and prints show these and no others."""

    points: bool
    experience: bool
    ranks: bool
    victory_points: bool

    @property
    def rises(self) -> bool:
        """Return whether fighters may step up, in rank or by what they have earned."""
        return self.ranks or self.experience


class Ruleset(ABC):
    """A rule system. Every method is pure; those that read a build raise RulesError if it makes no
    sense.

    What is abstract is the core. Everything else, abilities included, has a default that is true of
    a system without it.
    """

    key: str
    name: str
    edition: str
    words: Words
    log: BattleLog[Any]
    """The log of its battles: the kinds of event that it accepts, and how they are replayed."""
    house_rule_book: HouseRuleBook[Any] | None = None
    """The settings that a club can choose, None where there are none."""
    victory_points: ClassVar[bool] = False
    """True if sides score victory points, so that a battle ends 7 to 4 and not only won, lost or
    drawn."""

    length: LengthMeasure | None = None
    """The unit in which the table is measured, None where nothing is."""
    columns: tuple[SheetColumn, ...] = ()
    """The columns of a printed roster, from left to right; where there are none, the numbers of the
    profile."""
    tallies: tuple[Tally, ...] = ()
    """The counts of a fighter's service record, the most important last."""

    names: tuple[NameList, ...] = ()
    """Lists of names that are suggested for its fighters; of those that fit one the first
    counts."""
    group_field: str = ""
    """The field of a build that names the group to which a fighter belongs, "" where nobody stands
    in groups."""
    place_field: str = ""
    """The field of a build that says which place a fighter takes in its group, its choices in the
    order of the places; "" where there are none."""

    translations: Mapping[str, Mapping[str, str]] = {}
    """Its own words in other languages, by language and English word: those of ``words`` and
    ``tallies``, and casualties (``loss_phrase``, ``wound_phrase``). Words that Muster translates
    already need no entry."""

    points: Points = Points()
    progression: Progression = Progression()
    set_up: SetUp = SetUp()
    secrets: Secrets = Secrets()
    calculators: Calculators = Calculators()
    classic: ClassicFormat | None = None
    """The rules of its classic campaign, None if it has none."""

    @abstractmethod
    def catalogue(self, settings: Settings) -> Mapping[str, Any]:
        """Return the whole catalogue as JSON: factions, profiles, options, arms, Attributes,
        scenarios."""

    @abstractmethod
    def scenarios(self) -> tuple[Scenario, ...]:
        """Return everything that a battle can be played as."""

    @abstractmethod
    def clean_build(self, raw: BuildData, terms: CampaignTerms) -> BuildData:
        """Return the build in its one canonical form. Raise RulesError with every problem of the
        build alone."""

    @abstractmethod
    def sheet(
        self, build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
    ) -> Sheet:
        """Return everything that a card prints, from a canonical build in this condition."""

    @abstractmethod
    def result(self, play: Play[Any]) -> BattleResult:
        """Return the result sheet of a battle that ends as it stands."""

    def house_rules(self) -> tuple[HouseRule, ...]:
        """Return every setting that a campaign may change, with its default."""
        return self.house_rule_book.rules if self.house_rule_book else ()

    def fighter_facts(
        self, build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
    ) -> FighterFacts:
        """Return rank, points and profile of a canonical build in this condition, as its card has
        them."""
        card = self.sheet(build, terms, condition)
        return FighterFacts(card.rank, card.points, card.profile_name)

    def roster_totals(self, roster: Roster) -> RosterTotals:
        """Return sums of a roster; the dead, the retired and the captured do not count."""
        serving = [each for each in roster.fighters if each.fate in (Fate.FIT, Fate.RECOVERING)]
        facts = (self.fighter_facts(each.build, roster.terms, each.condition) for each in serving)
        return RosterTotals(sum(each.points for each in facts), len(serving))

    def roster_problems(self, roster: Roster, purpose: RosterPurpose) -> tuple[Problem, ...]:
        """Return everything that is wrong with a roster at once; the empty tuple is legal."""
        return ()

    def force_problems(self, setup: BattleSetup) -> tuple[Problem, ...]:
        """Return everything that is wrong with the forces of a battle before it starts.

        By default only the number and roles of the sides are checked.
        """
        scenarios = (each for each in self.scenarios() if each.key == setup.scenario)
        return tuple(
            problem for scenario in scenarios for problem in sides_problems(setup, scenario)
        )

    def play_state(self, play: Play[Any]) -> Mapping[str, Any]:
        """Return the state of play as JSON for people and scripts: turn, sides, combatants, what
        was overruled."""
        state: Mapping[str, Any] = to_builtins(play.state)
        return {**state, "overruled": to_builtins(play.overruled)}

    def bare_build(self, faction: str, profile: str) -> BuildData:
        """Return the build of a fighter of a list's profile before anything is chosen, for a
        form."""
        return {"profile": profile}

    def ready_builds(self, faction: str) -> tuple[ReadyBuild, ...]:
        """Return builds of a list's profiles that people field often, each legal as it stands; none
        as it stands.

        Pages offer each with one tap, and fill up rosters with them. Names are those of the game.
        """
        return ()

    def starting_build(self, faction: str, profile: str) -> BuildData:
        """Return what a form for a new fighter of this profile of a list begins with: its first
        usual build."""
        ready = (
            each.build
            for each in self.ready_builds(faction)
            if each.usual and each.profile == profile
        )
        return next(ready, self.bare_build(faction, profile))

    def build_fields(self, build: BuildData, terms: CampaignTerms) -> tuple[Field, ...]:
        """Return what can be chosen for a fighter of this build's profile; the defaults are what
        the build has.

        Keys with dots lead into the maps of a build. Raise RulesError for an unknown profile.
        """
        return ()

    def implied_changes(self, changes: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a change of some fields of a build changes of others: a unit that becomes a
        gun has no bases.

        Pages apply it to fields that nobody has changed. A build that a client sends is taken as it
        is.
        """
        return {}

    @cached_property
    def build_forms(self) -> tuple[BuildForm, ...]:
        """Return the form of a build for each profile of each list, under the default house
        rules."""
        factions = self.catalogue({}).get("factions", ())
        profiles = [(each["key"], profile) for each in factions for profile in each["profiles"]]
        # Where there is one profile only, a build need not name it.
        return tuple(self._build_form(*each, named=len(profiles) > 1) for each in profiles)

    def _build_form(self, faction: str, profile: Mapping[str, Any], *, named: bool) -> BuildForm:
        build = self.bare_build(faction, profile["key"])
        key, label = str(build["profile"]), profile["name"]
        chosen = Purchase(
            key="profile",
            label="Profile",
            kind="choice",
            required=named,
            choices=((key, label),),
            default=key,
        )
        fields = self.build_fields(build, CampaignTerms(faction=faction))
        purchases = (_with_json_default(each) for each in fields)
        return BuildForm(
            faction=faction,
            profile=profile["key"],
            label=label,
            build=build,
            fields=(chosen, *purchases),
        )

    def expect_faction(self, faction: str) -> None:
        """Raise RulesError "unknown-list" for a list that the rule system does not have."""
        find(
            {each["key"]: each for each in self.catalogue({})["factions"]},
            faction,
            "faction",
            "list",
        )

    # What most systems do not need

    def visible_numbers(self, settings: Settings) -> VisibleNumbers:
        """Return which numbers pages and prints show under these house rules, by its abilities."""
        grows = self.progression
        return VisibleNumbers(
            self.points.counted, grows.experience(settings), grows.ranks, self.victory_points
        )

    def extras_fields(self, roster: Roster) -> tuple[Field, ...]:
        """Return what a warband can buy as a whole, and for which of its fighters; the defaults are
        what it has."""
        return ()

    def clean_extras(self, raw: Mapping[str, Any], terms: CampaignTerms) -> Mapping[str, Any]:
        """Return what the warband buys as a whole, in canonical form. Raise RulesError."""
        if not raw:
            return {}
        sentence = "There is nothing of that name to buy."
        raise RulesError(
            *(Problem("unknown-extra", sentence, field=f"extras.{key}") for key in raw)
        )

    def tick_boxes(
        self, build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
    ) -> tuple[TickBoxes, ...]:
        """Return what is ticked of a fighter at the table, on printed rosters and cards. Raise
        RulesError."""
        return ()

    def blank_boxes(self, build: BuildData, terms: CampaignTerms) -> tuple[TickBoxes, ...]:
        """Return the tick boxes of a fighter with this build on a blank roster."""
        return self.tick_boxes(build, terms)

    def roster_boxes(self, roster: Roster, group: str = "") -> tuple[TickBoxes, ...]:
        """Return what is ticked for a warband as a whole, such as losses, Morale, turns.

        With ``group`` it is for that group alone.
        """
        return ()

    def roster_tables(self, roster: Roster) -> tuple[TableSection, ...]:
        """Return what is looked up at the table, for the foot of a printed roster."""
        return ()

    def condition_lines(
        self, build: BuildData, terms: CampaignTerms, condition: Condition
    ) -> tuple[ConditionLine, ...]:
        """Return what a fighter carries from battle to battle, line by line; empty where there is
        nothing to say.

        A system that carries something writes ``Record.condition`` and reads that of those fielded.
        Raise RulesError.
        """
        return ()

    def reference(self, settings: Settings) -> Reference:
        """Return the lists and tables that people browse.

        By default: the catalogue's profiles with what they cost.
        """
        return Reference(
            profile_lists(
                self.catalogue(settings).get("factions", ()), (), plain_profile_line, lambda _: ()
            )
        )

    def wound_phrase(self, wounds: str) -> str:
        """Return the state in which a fighter left the field, by the key of its record, as people
        say it."""
        return wounds.replace("-", " ")

    def loss_phrase(self, wounds: str) -> str:
        """Return how a fighter came to its end, by the key of its last record ("" if none tells),
        as people say it."""
        return "killed"

    def deed_phrase(self, deed: Deed) -> str:
        """Return what a fighter did in a battle, with the fighter as its subject."""
        done = "killed" if deed.killed else deed.kind.replace("-", " ")
        return f"{done} {deed.victim_name}".rstrip()

    def tallied(self, deed: Deed) -> tuple[str, ...]:
        """Return the keys of the tallies to which a deed adds one.

        By default: the tallies named like its kind or its result.
        """
        named = () if deed.friendly else (deed.kind, deed.result)
        return tuple(tally.key for tally in self.tallies if tally.key in named)

    def posts(self, terms: CampaignTerms) -> tuple[Post, ...]:
        """Return the posts that a warband on these terms has to fill, in the order in which people
        name them."""
        return ()

    def post_problem(self, post: str, build: BuildData, terms: CampaignTerms) -> Problem | None:
        """Return why a fighter of this build cannot fill a post; None if it can."""
        return None

    def default_posts(self, roster: Roster) -> Posts:
        """Return the posts of a roster with those filled that the rules fill where nobody is
        named."""
        return roster.posts

    def groups(self, roster: Roster) -> tuple[Group, ...]:
        """Return the groups of a roster in their order. Fighters can be in none of them.

        In a group the holders of posts come first, then its places decide.

        The sums of a group are those that are ``brief`` of a roster that is nothing but the group,
        and its points.
        """
        members: dict[str, list[RosterFighter]] = {}
        for fighter in roster.fighters:
            members.setdefault(fighter.build.get(self.group_field, ""), []).append(fighter)
        names = [name for name in members if name]
        filled = self.default_posts(roster) if names else {}
        post_names: dict[str, str] = {}
        for post in self.posts(roster.terms):
            post_names |= dict.fromkeys(filled.get(post.key, ()), post.name)
        return tuple(self._group(name, members[name], post_names, roster.terms) for name in names)

    def _group(
        self,
        name: str,
        members: list[RosterFighter],
        post_names: Mapping[str, str],
        terms: CampaignTerms,
    ) -> Group:
        fields = self.build_fields(members[0].build, terms)
        place_names = next(
            (dict(field.choices) for field in fields if field.key == self.place_field), {}
        )
        place_of = {fighter.id: fighter.build.get(self.place_field, "") for fighter in members}
        order = {place: index for index, place in enumerate(place_names)}

        # Who fills a post stands first, then the order of the places decides, and that of the
        # roster within them.
        ids = sorted(
            place_of,
            key=lambda fighter: (fighter not in post_names, order.get(place_of[fighter], 0)),
        )
        places: dict[str, str] = {}
        for fighter in ids:
            if place := post_names.get(fighter) or place_names.get(place_of[fighter], ""):
                places[fighter] = place

        # The group's own sums are those of a roster without anything that the warband has as a
        # whole.
        sums = self.roster_totals(Roster(replace(terms, extras={}), tuple(members)))
        figures = [figure for figure in sums.figures if figure.brief]
        if self.points.counted:
            figures.insert(0, RosterFigure("points", "Points", sums.points))
        return Group(
            key=name, name=name, fighters=tuple(ids), places=places, figures=tuple(figures)
        )

    def group_key(self, side: str, build: BuildData) -> str:
        """Return the key by which a log names the group of a fighter of this side; "" where no
        event names one."""
        return ""

    def regrouped(self, build: BuildData, group: str, terms: CampaignTerms) -> BuildData:
        """Return a canonical build after its fighter has gone to the group of this key, "" for
        none.

        Raise RulesError.
        """
        if self.group_field:
            return self.clean_build({**build, self.group_field: group}, terms)
        sentence = f"There are no {self.words.groups} in {self.name}."
        raise RulesError(Problem("no-groups", sentence, field="groups", value=group))

    def at_table(self, play: Play[Any], who: str = "") -> TableView | None:
        """Return the table as people see it, and what ``who`` can do now: a fighter, a side by its
        key, "" the table.

        None where no battle is logged turn by turn.
        """
        return None

    def follow_up(self, play: Play[Any], follow: str, plan: Mapping[str, Any]) -> FollowUp | None:
        """Return the event that comes next by itself, None where nothing more follows.

        ``follow`` is that of an ``Action`` whose event has been logged; ``plan`` holds what its
        ``plan`` fields said, keys with dots as maps. It is asked again after each event, and has to
        come to an end.
        """
        return None

    def light_way(self, play: Play[Any]) -> LightWay:
        """Return how a battle is logged by its turns and casualties alone: what its kinds of event
        declare."""
        return light_way(play)

    def bystanders(self, setup: BattleSetup) -> tuple[tuple[str, str], ...]:
        """Return those in a battle who belong to no roster, as a log names them, each with its name
        for people."""
        return ()

    def side_assets(self, setup: BattleSetup) -> Mapping[str, tuple[SetUpLine, ...]]:
        """Return the assets of each side as a whole, as text, by the key of the side.

        Examples are guns with their crews.
        """
        return {}


def _with_json_default(field: Field) -> Purchase:
    """Return the field of a build with a flag's default as true or false, not as text."""
    purchase = field if isinstance(field, Purchase) else Purchase(**asdict(field))
    if field.kind != "flag":
        return purchase
    return replace(purchase, default=as_text(field.default) in TRUE)


def _unknown_calculator(key: str) -> RulesError:
    return RulesError(
        Problem(
            "unknown-calculator", f"There is no calculator {key!r}.", field="calculator", value=key
        )
    )
