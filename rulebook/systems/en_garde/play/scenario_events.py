"""Events that only some scenarios ask for: objectives, ground that scores, Civilians, broken duels,
and the minor objectives of a Skirmish, with whether the log shows them achieved.

Rule book: "Skirmish", "Victory Points", "Civilians", "Duel". Rulings S2, S3, S4, S12, X8.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Annotated, ClassVar, Self

from msgspec.structs import replace

from rulebook.at_table.sentences import all_of, name_of
from rulebook.battle_log.kinds import (
    CombatantNames,
    Die,
    FighterId,
    SideKey,
    Text,
    ThrownBy,
    field_meta,
    kind,
)
from rulebook.dice.committed import aside
from rulebook.dice.cup import Cup
from rulebook.dice.rolls import Generator, d6
from rulebook.ruleset import PrivateRoll
from rulebook.systems.en_garde.book import problem
from rulebook.systems.en_garde.book.house_rules import settled
from rulebook.systems.en_garde.book.scenarios import MinorObjective, find_scenario, minor_objective
from rulebook.systems.en_garde.play.checking import (
    already_out,
    combatant_problems,
    not_of_side,
    side_problems,
)
from rulebook.systems.en_garde.play.offers import on_table, own_on_table, people
from rulebook.systems.en_garde.play.play_state import (
    CombatantState,
    Event,
    ObjectiveControl,
    PlayState,
    RolledObjective,
    action_of,
)
from rulebook.systems.en_garde.rosters.assembled_roster import LEADER
from rulebook.values.battles import BattleSetup, LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem
from rulebook.values.table import Action


class Hold(StrEnum):
    """Ways to hold an objective when the battle ends."""

    HELD = "held"
    CARRIED_OFF = "carried-off"


class CivilianOutcome(StrEnum):
    """Fates of a Civilian."""

    KILLED = "killed"
    TAKEN = "taken"
    HARMED = "harmed"
    UNHARMED = "unharmed"
    ESCORTED = "escorted"


FATES: Mapping[CivilianOutcome, str] = {
    CivilianOutcome.KILLED: "was killed",
    CivilianOutcome.TAKEN: "was taken away",
    CivilianOutcome.HARMED: "was harmed",
    CivilianOutcome.UNHARMED: "is unharmed",
    CivilianOutcome.ESCORTED: "was brought across",
}


class Offence(StrEnum):
    """Offences that an outsider to a Duel must not commit first."""

    ATTACK = "attack"
    GROUND = "ground"


@kind(
    "objective",
    "Objective",
    'Rule book: "Victory Points"',
    help="The side that controls it at the end. The first fighter is its holder (Ruling X8).",
    about="side",
    some_battles=True,
    offered_to="side",
    offered_as="Holds the objective",
    asked_first=("by", "how", "what"),
)
class ObjectiveHeld(Event, frozen=True, kw_only=True):
    """The control of the objective; the last entry counts. No side: nobody controls it."""

    side: Annotated[SideKey | None, field_meta("Side", "Leave blank if nobody controls it.")] = None
    by: Annotated[tuple[str, ...], field_meta("Fighters in control", max_length=60)] = ()
    how: Annotated[Hold, field_meta("How")] = Hold.HELD
    what: Annotated[Text, field_meta("Objective", max_length=60)] = ""

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is a side, or the table, which may note that nobody holds the
        objective."""
        named_by_scenario = cls.key in state.scenario.event_kinds
        return named_by_scenario and (not actor or super().is_open_to(state, actor))

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        return {"by": own_on_table(state, actor)}

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        if actor:
            return super().offer(state, actor)
        without = ("side", "by", "how")
        return action_of(cls, state, "Nobody holds the objective", {}, ("what",), without=without)

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Yield everything that is wrong with the control of an objective. Ruling X8."""
        if self.side is None and self.by:
            yield problem("side-needed")
        if self.side is None:
            return
        yield from side_problems(state, self.side)
        if not self.by:
            yield problem("holder-needed")
        wrong = list(not_of_side(state, self.side, self.by, "by"))
        yield from wrong
        for fighter in () if wrong else self.by:
            holder = state.combatants[fighter]
            gone_with_it = self.how is Hold.CARRIED_OFF and holder.edge
            if not holder.standing and not gone_with_it:
                yield already_out(holder, "by")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state after the last word on who controls the objective."""
        return replace(
            state,
            control=None
            if self.side is None
            else ObjectiveControl(self.side, self.by, self.how.value, self.what),
        )

    def sentence(self, names: CombatantNames) -> str:
        if self.side is None:
            return "Nobody controls the objective"
        by = f" ({all_of(names, self.by)})" if self.by else ""
        verb = "carried off" if self.how is Hold.CARRIED_OFF else "controls"
        return f"{name_of(names, self.side)} {verb} {self.what or 'the objective'}{by}"


class OnGround(Event, frozen=True, kw_only=True):
    """Everybody of one side who stands on the ground that scores; the last word for a side counts.

    ``words`` stand between the side and its fighters when people tell it.
    """

    about: ClassVar[str] = "fighters"
    some_battles: ClassVar[bool] = True
    offered_to: ClassVar[str] = "side"
    asked_first: ClassVar[tuple[str, ...]] = ("fighters",)
    words: ClassVar[str] = ""

    side: Annotated[SideKey, field_meta("Side")]
    fighters: Annotated[tuple[str, ...], field_meta("Fighters", max_length=60)]

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        return {"fighters": own_on_table(state, actor)}

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        wrong = [
            *side_problems(state, self.side),
            *not_of_side(state, self.side, self.fighters, "fighters"),
        ]
        yield from wrong
        for fighter in () if wrong else self.fighters:
            if not state.combatants[fighter].on_table:
                yield already_out(state.combatants[fighter], "fighters")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state after the last word on who of a side stands on the ground that
        scores."""
        return replace(state, ground={**state.ground, self.side: self.fighters})

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.side)} {self.words}: {all_of(names, self.fighters)}"


@kind(
    "position",
    "On the Defender's bank",
    'Rule book: "Hold the Bridge"',
    help="All fighters of one side who are there at the end.",
    words="has on the Defender’s bank",
)
class Position(OnGround, frozen=True, kw_only=True):
    """Everybody of one side who stands on the Defender's bank."""


@kind(
    "touching",
    "Touching the centre",
    'Rule book: "Occupy"',
    help="All fighters of one side whose bases touch it at the end.",
    offered_as="Touches the centre",
    words="touches the centre with",
)
class Touching(OnGround, frozen=True, kw_only=True):
    """Everybody of one side whose base touches the centre."""


@kind(
    "civilian",
    "Civilian",
    'Rule book: "Civilians"',
    about="civilian",
    some_battles=True,
    offered_to="civilian",
    asked_first=("civilian", "outcome", "by"),
)
class CivilianFate(Event, frozen=True, kw_only=True):
    """The fate of a Civilian; the last entry on each counts."""

    civilian: Annotated[FighterId, field_meta("Civilian")]
    outcome: Annotated[CivilianOutcome, field_meta("Result")]
    by: Annotated[FighterId | None, field_meta("Fighter responsible")] = None

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is a Civilian, or the table, which names one of the Civilians."""
        if cls.key not in state.scenario.event_kinds:
            return False
        return actor in state.civilians or (not actor and bool(state.civilians))

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        by = people(state, on_table(state))
        return {"by": by} if actor else {"civilian": people(state, state.civilians), "by": by}

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        label = "Result" if actor else "Result for a Civilian"
        return replace(super().offer(state, actor), label=label)

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        allowed = state.scenario.civilian_outcomes
        if self.outcome not in allowed:
            yield problem(
                "no-such-outcome",
                value=self.outcome,
                name=state.scenario.name,
                allowed=", ".join(allowed),
                source=state.scenario.source,
            )
        civilian = state.civilians.get(self.civilian)
        if civilian is None:
            ids = f"There are {len(state.civilians)}" + (
                ", civilian-1 and so on." if state.civilians else "."
            )
            yield problem("unknown-civilian", value=self.civilian, known=ids)
        elif civilian.wounds.dead and self.outcome != "killed":
            yield problem("civilian-killed", value=self.civilian, name=civilian.name)
        if self.by is not None:
            yield from combatant_problems(state, self.by, "by")
            yield from self._taker_problems(state, civilian.side if civilian else "")

    def _taker_problems(self, state: PlayState, owner: str) -> Iterator[Problem]:
        taker = state.combatants.get(self.by or "")
        if taker is None:
            return
        if self.outcome is CivilianOutcome.TAKEN and taker.side == owner:
            yield problem("takes-own-civilian", value=self.by or "")
        if not taker.standing and not taker.edge:
            yield already_out(taker, "by")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state after the last word on a Civilian."""
        civilian = state.civilians[self.civilian]
        return state.with_civilian(replace(civilian, outcome=self.outcome.value, by=self.by))

    def sentence(self, names: CombatantNames) -> str:
        by = f" by {name_of(names, self.by)}" if self.by else ""
        return f"{name_of(names, self.civilian)} {FATES[self.outcome]}{by}"


@kind(
    "duel_penalty",
    "Broken duel",
    'Rule book: "Duel"',
    help="Each penalty counts once a battle, for the first to do it.",
    about="side",
    some_battles=True,
    offered_to="side",
    offered_as="Broke the duel",
)
class DuelPenalty(Event, frozen=True, kw_only=True):
    """The first outsider of the battle to do what only duellists may (Ruling S12)."""

    side: Annotated[SideKey, field_meta("Side")]
    which: Annotated[
        Offence,
        field_meta(
            "Offence", "The first other fighter to attack, or to enter the duelling ground."
        ),
    ]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Yield everything that is wrong with an offence in a Duel. Ruling S12."""
        yield from side_problems(state, self.side)
        if self.which in state.offences:
            yield problem("first-only", value=self.which, side=state.offences[self.which])

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state after the first offence of its kind."""
        return replace(state, offences={**state.offences, self.which.value: self.side})

    def sentence(self, names: CombatantNames) -> str:
        attacked = self.which is Offence.ATTACK
        deed = "attacked first" if attacked else "entered the duelling ground first"
        return f"{name_of(names, self.side)} {deed}"


COPY = 6


@kind(
    "minor_objective",
    "Minor objective",
    'Rule book: "Skirmish"',
    in_light=True,
    help="Muster works out from the log if it was achieved, except for the quarters of the table.",
    about="side",
    some_battles=True,
    offered_to="side",
    asked_first=("rolled", "achieved"),
)
class MinorObjectiveRolled(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A side's minor objective, and, where the log cannot show it, whether it was achieved.

    Without ``rolled`` Muster throws. Where minor objectives are secret that die is one apart, which
    a side may learn before the others do (``private_roll``).
    """

    side: Annotated[SideKey, field_meta("Side")]
    rolled: Annotated[Die | None, field_meta("Rolled", "Leave blank to let Muster roll.")] = None
    achieved: Annotated[
        bool | None, field_meta("Achieved", "Only for the quarters of the table.")
    ] = None
    thrown: Annotated[ThrownBy, field_meta("Dice by")] = ""

    def complete(self, state: PlayState) -> Self:
        """Return the die that was thrown for the side before, if there is one."""
        before = state.rolled.get(self.side)
        if before is None:
            return self
        rolled = before.rolled if self.rolled is None else self.rolled
        return replace(self, rolled=rolled, thrown=before.thrown)

    def throw(self, state: PlayState, cup: Cup) -> Self:
        """Return the die of the objective; a secret one is thrown apart, and is none of the
        battle's dice.

        Ruling S4.
        """
        secret = state.settings.minor_objectives == "secret"
        return replace(
            self, rolled=cup.one_apart(objective_dice(self.side)) if secret else cup.one()
        )

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Yield everything that is wrong with a minor objective. Rulings S2, S4.

        Where they are secret, no log knows them before the battle has ended: what is not there
        cannot be read.
        """
        yield from side_problems(state, self.side)
        if state.settings.minor_objectives == "secret" and not state.ended:
            yield problem("kept-secret")
        # Muster throws where the house rules say so, and where a side has let it throw in secret.
        drawn = self.side in state.setup.set_up.get("secrets_drawn", ())
        before = state.rolled.get(self.side)
        if before is not None and (before.achieved is not None or before.rolled != self.rolled):
            yield problem(
                "minor-objective-known", value=self.rolled, side=self.side, rolled=before.rolled
            )
        elif before is None and self.rolled is None:
            yield problem("wrong-objective-die")
        elif before is None and self.thrown != "app" and (drawn or state.settings.dice == "app"):
            why = (
                "Muster has rolled for this side in secret"
                if drawn
                else "Muster rolls the dice in this campaign"
            )
            yield problem("typed-secret-die", why=why)
        if self.achieved is not None and self.rolled not in (2, 6):
            yield problem("follows-from-the-log", value=self.achieved)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        return replace(
            state,
            rolled={
                **state.rolled,
                self.side: RolledObjective(self.rolled, self.achieved, self.thrown),
            },
        )

    def sentence(self, names: CombatantNames) -> str:
        achieved = {None: "", True: ", achieved", False: ", not achieved"}[self.achieved]
        which = f": {minor_objective(self.rolled).sentence}" if self.rolled else ""
        return (
            f"{name_of(names, self.side)} rolled {self.rolled or 'a die'} for its minor "
            f"objective{which}{achieved}"
        )


def objective_of(state: PlayState, side: str) -> MinorObjective | None:
    """Return a side's minor objective: a 6 copies the opponent's, two of them are none.

    None if nothing was rolled.
    """
    rolled = {key: event.rolled for key, event in state.rolled.items() if event.rolled is not None}
    own = rolled.get(side)
    if own != COPY:
        return None if own is None else minor_objective(own)
    others = [die for key, die in rolled.items() if key != side and die != COPY]
    return minor_objective(others[0]) if others else None


def secrets_open(setup: BattleSetup, events: Iterable[LoggedEvent]) -> bool:
    """Return whether a log has revealed a secret minor objective by Muster's die, even if that was
    undone since."""
    thrown_by_muster = any(
        event.kind == "minor_objective" and event.data.get("thrown") == "app" for event in events
    )
    return thrown_by_muster and settled(setup.settings).minor_objectives == "secret"


def objective_dice(side: str) -> str:
    """Return what the dice apart are for by which a side's secret minor objective is thrown."""
    return f"objective {side}"


def private_roll(setup: BattleSetup, side: str, generator: Generator) -> PrivateRoll | None:
    """Return a side's secret minor objective by Muster's die, or None if it is open or rolled at
    the table.

    A 6 copies the opponent's, which nobody knows before the end; its sentence says so.
    """
    has_objectives = "minor_objective" in find_scenario(setup.scenario).event_kinds
    rules = settled(setup.settings)
    thrown_by_muster = rules.minor_objectives == "secret" and rules.dice != "table"
    if not (has_objectives and thrown_by_muster):
        return None
    purpose = objective_dice(side)
    die = d6(aside(generator, purpose))
    return PrivateRoll(
        side, "Minor objective", die, minor_objective(die).sentence, "Ruling S4", purpose
    )


def achieved(state: PlayState, side: str) -> bool:
    """Return whether a side has achieved its minor objective, as far as the log has come."""
    objective, own = objective_of(state, side), state.own(side)
    enemies = [each for each in state.enemies(side) if not each.summoned]
    match objective and objective.key:
        case "captive":
            return any(each.fighter.rank >= 2 for each in captives_of(state, side))
        case "quarters":
            return state.rolled[side].achieved is True
        case "leader":
            return any(each.dead for each in state.enemies(side) if each.fighter.fills(LEADER))
        case "intact":
            return _weight(state, [each for each in own if each.lost]) * 4 <= _weight(state, own)
        case "destroy":
            return (
                _weight(state, [each for each in enemies if each.dead]) * 4
                > _weight(state, enemies) * 3
            )
    return False


def captives_of(state: PlayState, side: str) -> tuple[CombatantState, ...]:
    """Return the enemies that a side has captured, in the order in which they went out of
    action."""
    taken = (
        each for each in state.enemies(side) if each.captor and state.side_of(each.captor) == side
    )
    return tuple(sorted(taken, key=lambda each: each.out_since or 0))


def _weight(state: PlayState, combatants: tuple[CombatantState, ...] | list[CombatantState]) -> int:
    """Return the number or the points of these fighters, according to the house rule. Ruling S2."""
    if state.settings.lost_share == "fighters":
        return len(combatants)
    return sum(each.fighter.points for each in combatants)
