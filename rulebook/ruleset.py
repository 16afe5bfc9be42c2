"""The protocol of a rule system: a core that every system implements, and optional abilities.

A rule system is mostly data, with a few functions. Apps, pages and documents use only this protocol
and never check which rule system they have. An ability that a system lacks answers with a default:
no points, no ranks, nothing to set up. The frozen values of the protocol (``rulebook.values``) can
be imported from here too. Each can be written as JSON, read back and compared.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
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
from rulebook.values.moments import BattleMoments
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
    """The ability to count points. By default there are none, and none are shown."""

    counted: ClassVar[bool] = False
    """True if fighters have points."""
    limit_rule: ClassVar[str] = ""
    """The rule behind ``battle_limit``."""
    suggested: ClassVar[int | None] = None
    """A usual points limit, which the form of a new campaign suggests."""

    def battle_limit(self, agreed: int, settings: Settings) -> int | None:
        """Return the points limit of every battle of a campaign with these agreed points.

        Returns None if each battle has its own limit.
        """
        return None


class Progression:
    """The ability of fighters to improve.

    By default there is no experience, no rank and no recovery die.
    """

    ranks: ClassVar[bool] = False
    """True if fighters have a rank."""
    counts_steps: ClassVar[bool] = False
    """True if a step depends on the rank-ups since the last battle (``Roster.risen``)."""
    clears_experience: ClassVar[bool] = False
    """True if an award can remove unspent experience (``Award.clears``)."""

    def experience(self, settings: Settings) -> bool:
        """Return whether battles give experience under these house rules."""
        return False

    def awards(
        self, records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings
    ) -> tuple[Award, ...]:
        """Return the experience that a battle gives to a warband's fighters, with reasons."""
        return ()

    def fate_after(self, record: Record, settings: Settings) -> tuple[Fate, int]:
        """Return a fighter's fate after a battle, and how many games the fighter misses."""
        return record.fate, 0

    def recovery_dice(self, records: tuple[Record, ...], settings: Settings) -> tuple[str, ...]:
        """Return the ids of fighters who roll a six-sided die after the battle."""
        return ()

    def rank_up_cost(self, build: BuildData, terms: CampaignTerms) -> int | None:
        """Return the experience that a canonical build's next step costs, None without a step."""
        return None

    def rank_ups(self, fighter: RosterFighter, roster: Roster) -> tuple[RankUp, ...]:
        """Return every legal step of a fighter, whether or not the fighter can afford it."""
        return ()

    def take_rank_up(
        self, build: BuildData, terms: CampaignTerms, key: str, picks: Mapping[str, Any]
    ) -> RankUpStep:
        """Return the result of the step ``key`` with these picks for a build.

        Raises RulesError if the step or the picks are not legal.
        """
        raise RulesError(
            Problem("unknown-step", f"There is no step up {key!r} here.", field="step", value=key)
        )


class OneStep(Progression):
    """Progression by a house rule, in which a build has at most one next step."""

    def next_step(self, build: BuildData, terms: CampaignTerms) -> tuple[str, RankUpStep] | None:
        """Return the key and result of a canonical build's next step, or None."""
        raise NotImplementedError

    def card(self, build: BuildData, terms: CampaignTerms, condition: Condition) -> Sheet:
        """Return everything that a card prints for a build."""
        raise NotImplementedError

    def step_problems(
        self, fighter: RosterFighter, roster: Roster, key: str
    ) -> tuple[Problem, ...]:
        """Return the problems of the step ``key`` of a fighter in this roster."""
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
    """The ability to set up a table before a battle. By default nothing is rolled or entered."""

    @property
    def laid_out(self) -> bool:
        """Return whether there is a setup: only a rule system's own subclass has one."""
        return type(self) is not SetUp

    def roll(self, setup: BattleSetup, generator: Generator) -> Mapping[str, Any]:
        """Return everything that is rolled before deployment, with all rolls.

        Keeps values that are already in ``setup``.
        """
        return setup.set_up

    def fields(self, setup: BattleSetup) -> tuple[Field, ...]:
        """Return the fields of the setup that a user may enter. Keys with dots lead into maps."""
        return ()

    def lines(self, setup: BattleSetup) -> tuple[SetUpLine, ...]:
        """Return the setup as lines of text. Returns none before it is complete."""
        return ()

    def given(self, scenario: str) -> tuple[SetUpLine, ...]:
        """Return what a scenario says about the setup before anything is rolled, for paper.

        A label can have several lines: players choose one, or roll the dice in ``how``.
        """
        return ()


class Secrets:
    """The ability to keep information of one side from the others. By default there is none."""

    def private_roll(
        self, setup: BattleSetup, side: str, generator: Generator
    ) -> PrivateRoll | None:
        """Return what a side may know before the others, or None if there is no secret.

        The result is always the same for the dice of the same battle. ``set_up["secrets_drawn"]``
        of a battle lists the sides that have seen theirs and are bound by it.
        """
        return None


class Calculators:
    """The ability to answer questions about rules and compute odds. By default there is none."""

    def all(self) -> tuple[Calculator, ...]:
        """Return all calculators. Keys are unique among those about the same thing."""
        return ()

    def ask(self, key: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a calculator's answer about numbers, as the JSON of an ``answers.Answer``.

        Values may be texts from a query string. Raises RulesError with the field, value and
        solution of each invalid value, or (`unknown-calculator`) if there is no such calculator.
        """
        raise _unknown_calculator(key)

    def odds_between(
        self, key: str, attacker: Opponent, target: Opponent, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return a calculator's answer about two fighters of rosters.

        The fighters are unhurt unless ``values`` say otherwise.
        """
        raise _unknown_calculator(key)

    def odds_in_battle(
        self, key: str, play: Play[Any], attacker: str, target: str, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return a calculator's answer about two combatants in the current state of a battle."""
        raise _unknown_calculator(key)


class VisibleNumbers(Struct, frozen=True):
    """The numbers of a rule system that pages and prints show."""

    points: bool
    experience: bool
    ranks: bool
    victory_points: bool

    @property
    def rises(self) -> bool:
        """Return whether fighters can rank up or spend experience."""
        return self.ranks or self.experience


class Ruleset(ABC):
    """A rule system. All methods are pure.

    Methods that read a build raise RulesError if it is invalid.

    The abstract methods are the core. Everything else, including abilities, has a default for
    systems without it.
    """

    key: str
    name: str
    edition: str
    words: Words
    log: BattleLog[Any]
    """The log of its battles: the kinds of events that it accepts, and their replay."""
    house_rule_book: HouseRuleBook[Any] | None = None
    """The settings that a club can choose, or None."""
    victory_points: ClassVar[bool] = False
    """True if sides score victory points, so that a battle has a score such as 7 to 4."""

    length: LengthMeasure | None = None
    """The unit of lengths on the table, or None if nothing is measured."""
    columns: tuple[SheetColumn, ...] = ()
    """The columns of a printed roster, from left to right. If empty, the numbers of the profile."""
    tallies: tuple[Tally, ...] = ()
    """The counts of a fighter's service record, the most important last."""

    names: tuple[NameList, ...] = ()
    """Lists of suggested names for fighters. The first list that fits a fighter is used."""
    group_field: str = ""
    """The field of a build with the fighter's group, or "" in a system without groups."""
    place_field: str = ""
    """The field of a build with the fighter's place in the group, or "" without places. Its choices
    are in the order of the places."""

    translations: Mapping[str, Mapping[str, str]] = {}
    """Translations by language and English word: of ``words``, ``tallies`` and casualties
    (``loss_phrase``, ``wound_phrase``). Words that Muster translates itself need no entry."""

    points: Points = Points()
    progression: Progression = Progression()
    set_up: SetUp = SetUp()
    secrets: Secrets = Secrets()
    calculators: Calculators = Calculators()
    classic: ClassicFormat | None = None
    """The rules of its classic campaign, or None if it has none."""

    @abstractmethod
    def catalogue(self, settings: Settings) -> Mapping[str, Any]:
        """Return the catalogue as JSON: factions, profiles, options, arms, Attributes, etc."""

    @abstractmethod
    def scenarios(self) -> tuple[Scenario, ...]:
        """Return all scenarios that a battle can be played as."""

    @abstractmethod
    def clean_build(self, raw: BuildData, terms: CampaignTerms) -> BuildData:
        """Return the build in its canonical form. Raises RulesError with all its problems."""

    @abstractmethod
    def sheet(
        self, build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
    ) -> Sheet:
        """Return everything that a card prints for a canonical build in this condition."""

    @abstractmethod
    def result(self, play: Play[Any]) -> BattleResult:
        """Return the result of a battle that ends in its current state."""

    def house_rules(self) -> tuple[HouseRule, ...]:
        """Return every setting that a campaign may change, with its default."""
        return self.house_rule_book.rules if self.house_rule_book else ()

    def fighter_facts(
        self, build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
    ) -> FighterFacts:
        """Return rank, points and profile name of a canonical build in this condition."""
        card = self.sheet(build, terms, condition)
        return FighterFacts(card.rank, card.points, card.profile_name)

    def roster_totals(self, roster: Roster) -> RosterTotals:
        """Return the sums of a roster. Dead, retired and captured fighters do not count."""
        serving = [each for each in roster.fighters if each.fate in (Fate.FIT, Fate.RECOVERING)]
        facts = (self.fighter_facts(each.build, roster.terms, each.condition) for each in serving)
        return RosterTotals(sum(each.points for each in facts), len(serving))

    def roster_problems(self, roster: Roster, purpose: RosterPurpose) -> tuple[Problem, ...]:
        """Return all problems of a roster. An empty tuple means that it is legal."""
        return ()

    def force_problems(self, setup: BattleSetup) -> tuple[Problem, ...]:
        """Return all problems of the forces of a battle before it starts.

        By default, only the number and roles of the sides are checked.
        """
        scenarios = (each for each in self.scenarios() if each.key == setup.scenario)
        return tuple(
            problem for scenario in scenarios for problem in sides_problems(setup, scenario)
        )

    def play_state(self, play: Play[Any]) -> Mapping[str, Any]:
        """Return the state of play as JSON: turn, sides, combatants, overridden rules."""
        state: Mapping[str, Any] = to_builtins(play.state)
        return {**state, "overruled": to_builtins(play.overruled)}

    def bare_build(self, faction: str, profile: str) -> BuildData:
        """Return the build of a profile before anything is chosen, for a form."""
        return {"profile": profile}

    def ready_builds(self, faction: str) -> tuple[ReadyBuild, ...]:
        """Return common builds of a list's profiles, each legal without changes. By default none.

        Pages offer each with one tap and use them to auto-fill rosters. Their names come from the
        game.
        """
        return ()

    def starting_build(self, faction: str, profile: str) -> BuildData:
        """Return the first values of a form for a new fighter: the profile's first usual build."""
        ready = (
            each.build
            for each in self.ready_builds(faction)
            if each.usual and each.profile == profile
        )
        return next(ready, self.bare_build(faction, profile))

    def choice_notes(self) -> Mapping[str, str]:
        """Return what choices of a rank-up do, in a few words of our own, by their keys."""
        return {}

    def largest_fill(self) -> int:
        """Return the most fighters that Auto-fill brings a roster to."""
        return 50

    def fill_choices(self, roster: Roster) -> Iterator[tuple[BuildData, ...]] | None:
        """Yield the builds that Auto-fill can add next to a roster, the best first.

        The builds of a tuple join together or not at all, for example a brigade's commander and
        first unit. By default None: Auto-fill chooses from all builds by their points.
        """
        return None

    def build_fields(self, build: BuildData, terms: CampaignTerms) -> tuple[Field, ...]:
        """Return the choices for a fighter of this build's profile, with the build as defaults.

        Keys with dots lead into the maps of a build. Raises RulesError for an unknown profile.
        """
        return ()

    def implied_changes(self, changes: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the changes of other fields that follow from changes of some fields of a build.

        Example: a unit that becomes a gun has no bases. Pages apply them to fields that the user
        has not changed. A build that a client sends is not changed.
        """
        return {}

    @cached_property
    def build_forms(self) -> tuple[BuildForm, ...]:
        """Return the build form of each profile of each list, under the default house rules."""
        factions = self.catalogue({}).get("factions", ())
        profiles = [(each["key"], profile) for each in factions for profile in each["profiles"]]
        # If there is only one profile, a build need not name it.
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
        """Raise RulesError (`unknown-list`) if the rule system does not have this list."""
        find(
            {each["key"]: each for each in self.catalogue({})["factions"]},
            faction,
            "faction",
            "list",
        )

    # Methods that most systems do not override

    def visible_numbers(self, settings: Settings) -> VisibleNumbers:
        """Return the numbers that pages and prints show under these house rules."""
        grows = self.progression
        return VisibleNumbers(
            self.points.counted, grows.experience(settings), grows.ranks, self.victory_points
        )

    def extras_fields(self, roster: Roster) -> tuple[Field, ...]:
        """Return the fields for purchases of the whole warband, with what it has as defaults."""
        return ()

    def clean_extras(self, raw: Mapping[str, Any], terms: CampaignTerms) -> Mapping[str, Any]:
        """Return the purchases of a warband as a whole, in canonical form. Raises RulesError."""
        if not raw:
            return {}
        sentence = "There is nothing of that name to buy."
        raise RulesError(
            *(Problem("unknown-extra", sentence, field=f"extras.{key}") for key in raw)
        )

    def tick_boxes(
        self, build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
    ) -> tuple[TickBoxes, ...]:
        """Return the tick boxes of a fighter on printed rosters and cards. Raises RulesError."""
        return ()

    def blank_boxes(self, build: BuildData, terms: CampaignTerms) -> tuple[TickBoxes, ...]:
        """Return the tick boxes of a fighter with this build on a blank roster."""
        return self.tick_boxes(build, terms)

    def roster_boxes(self, roster: Roster, group: str = "") -> tuple[TickBoxes, ...]:
        """Return the tick boxes of a whole warband, such as losses, Morale, turns.

        With ``group``, return those of that group.
        """
        return ()

    def roster_tables(self, roster: Roster) -> tuple[TableSection, ...]:
        """Return the quick reference of a printed roster: tables to look up during a game.

        For an empty roster without a list, return the tables of all lists.
        """
        return ()

    def condition_lines(
        self, build: BuildData, terms: CampaignTerms, condition: Condition
    ) -> tuple[ConditionLine, ...]:
        """Return a fighter's condition as lines of text, empty if there is nothing to report.

        A system with conditions writes ``Record.condition`` and reads those of fighters in a
        line-up. Raises RulesError.
        """
        return ()

    def reference(self, settings: Settings) -> Reference:
        """Return the lists and tables that people browse.

        By default, the profiles of the catalogue with their prices.
        """
        return Reference(
            profile_lists(
                self.catalogue(settings).get("factions", ()), (), plain_profile_line, lambda _: ()
            )
        )

    def wound_phrase(self, wounds: str) -> str:
        """Return the words for a fighter's wounds after a battle, by the key of its record."""
        return wounds.replace("-", " ")

    def loss_phrase(self, wounds: str) -> str:
        """Return the words for a fighter's death, by the key of the last record ("" if unknown)."""
        return "killed"

    def deed_phrase(self, deed: Deed) -> str:
        """Return what a fighter did in a battle, as a phrase with the fighter as its subject."""
        done = "killed" if deed.killed else deed.kind.replace("-", " ")
        return f"{done} {deed.victim_name}".rstrip()

    def deed_weapon(self, deed: Deed) -> str:
        """Return the weapon of a deed in the middle of a sentence, or "" if it is not known."""
        return ""

    def tallied(self, deed: Deed) -> tuple[str, ...]:
        """Return the keys of the tallies that a deed increases by one.

        By default, the tallies whose keys are its kind or its result.
        """
        named = () if deed.friendly else (deed.kind, deed.result)
        return tuple(tally.key for tally in self.tallies if tally.key in named)

    def posts(self, terms: CampaignTerms) -> tuple[Post, ...]:
        """Return the warband roles of a warband on these terms, in their usual order."""
        return ()

    def post_problem(self, post: str, build: BuildData, terms: CampaignTerms) -> Problem | None:
        """Return why a fighter with this build cannot fill a warband role, or None."""
        return None

    def default_posts(self, roster: Roster) -> Posts:
        """Return the warband roles of a roster, including those that the rules fill by default."""
        return roster.posts

    def groups(self, roster: Roster) -> tuple[Group, ...]:
        """Return the groups of a roster in order. Fighters need not be in a group.

        In a group, fighters with a warband role come first; then the places decide the order. The
        figures of a group are its points and the ``brief`` figures of a roster of just this group.
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

        # Fighters with a warband role come first, then the order of the places decides, and within
        # a place the order of the roster.
        ids = sorted(
            place_of,
            key=lambda fighter: (fighter not in post_names, order.get(place_of[fighter], 0)),
        )
        places: dict[str, str] = {}
        for fighter in ids:
            if place := post_names.get(fighter) or place_names.get(place_of[fighter], ""):
                places[fighter] = place

        # The group's figures are those of a roster without the purchases of the whole warband.
        sums = self.roster_totals(Roster(replace(terms, extras={}), tuple(members)))
        figures = [figure for figure in sums.figures if figure.brief]
        if self.points.counted:
            figures.insert(0, RosterFigure("points", "Points", sums.points))
        return Group(
            key=name, name=name, fighters=tuple(ids), places=places, figures=tuple(figures)
        )

    def group_key(self, side: str, build: BuildData) -> str:
        """Return the key of a fighter's group in a log, or "" if events do not name groups."""
        return ""

    def regrouped(self, build: BuildData, group: str, terms: CampaignTerms) -> BuildData:
        """Return a canonical build after its fighter has moved to this group, "" for none.

        Raises RulesError.
        """
        if self.group_field:
            return self.clean_build({**build, self.group_field: group}, terms)
        sentence = f"There are no {self.words.groups} in {self.name}."
        raise RulesError(Problem("no-groups", sentence, field="groups", value=group))

    def at_table(self, play: Play[Any], who: str = "") -> TableView | None:
        """Return the view of the table, with the actions of ``who``.

        ``who`` is the id of a fighter, the key of a side, or "" for the table itself. Returns None
        if battles are not logged turn by turn.
        """
        return None

    def follow_up(self, play: Play[Any], follow: str, plan: Mapping[str, Any]) -> FollowUp | None:
        """Return the event that is logged automatically next, or None.

        ``follow`` is that of the ``Action`` whose event was logged. ``plan`` has the values of its
        ``plan`` fields, keys with dots as maps. This is called again after each event, so it must
        come to an end.
        """
        return None

    def light_way(self, play: Play[Any]) -> LightWay:
        """Return how to log a battle with only turns and casualties, as its event kinds declare."""
        return light_way(play)

    def moments(self, play: Play[Any]) -> BattleMoments:
        """Return what happened in a battle, in the words of no rule system, for stories.

        ``play`` is the replay of a whole log. Returns none by default: then a story comes from
        the result alone.
        """
        return BattleMoments()

    def bystanders(self, setup: BattleSetup) -> tuple[tuple[str, str], ...]:
        """Return combatants of a battle who are on no roster: keys in the log, and names."""
        return ()

    def side_assets(self, setup: BattleSetup) -> Mapping[str, tuple[SetUpLine, ...]]:
        """Return the assets of each side as lines of text, by the side's key.

        Examples are guns with their crews.
        """
        return {}


def _with_json_default(field: Field) -> Purchase:
    """Return a build's field with the default of a flag as true or false, not as text."""
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
