"""What only some scenarios ask for in the log: objectives, ground that scores, Civilians, broken duels."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.at_table.sentences import all_of, name_of
from rulebook.battle_log.kinds import FighterId, Names, SideKey, Text
from rulebook.systems.en_garde.play.event import Event
from rulebook.systems.en_garde.play.people import combatant_problems, not_of_side, out_of_action, side_problems
from rulebook.systems.en_garde.play.play_state import ObjectiveControl, PlayState
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem


class Hold(StrEnum):
    """How an objective is held when the battle ends."""

    HELD = "held"
    CARRIED_OFF = "carried-off"


class CivilianOutcome(StrEnum):
    """What became of a Civilian."""

    KILLED = "killed"
    TAKEN = "taken"
    HARMED = "harmed"
    UNHARMED = "unharmed"
    ESCORTED = "escorted"


FATES: Mapping[CivilianOutcome, str] = {
    CivilianOutcome.KILLED: "was killed",
    CivilianOutcome.TAKEN: "was taken away",
    CivilianOutcome.HARMED: "came to harm",
    CivilianOutcome.UNHARMED: "is unharmed",
    CivilianOutcome.ESCORTED: "was brought across",
}


class Offence(StrEnum):
    """What an outsider to a Duel must not do first."""

    ATTACK = "attack"
    GROUND = "ground"


class ObjectiveHeld(Event, frozen=True, kw_only=True):
    """Who controls the objective; the last word on it counts. No side: nobody does."""

    key: ClassVar[str] = "objective"
    label: ClassVar[str] = "Objective"
    help: ClassVar[str] = "Who controls it at the end. The first fighter named is its holder (Ruling X8)."
    rule: ClassVar[str] = 'Rule book: "Victory Points"'
    about: ClassVar[str] = "side"
    some_battles: ClassVar[bool] = True

    side: Annotated[SideKey | None, Meta(title="Side", description="Empty: nobody controls it.")] = None
    by: Annotated[tuple[str, ...], Meta(title="Fighters in control", max_length=60)] = ()
    how: Annotated[Hold, Meta(title="How")] = Hold.HELD
    what: Annotated[Text, Meta(title="What it is", max_length=60)] = ""

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Everything that is wrong with the control of an objective. Ruling X8."""
        if self.side is None and self.by:
            yield Problem("side-needed", "Fighters in control belong to a side: name it.", field="side")
        if self.side is None:
            return
        yield from side_problems(state, self.side)
        if not self.by:
            sentence = "Name who controls the objective, the holder first; or no side, if nobody does."
            yield Problem("holder-needed", sentence, field="by", source="Ruling X8")
        wrong = list(not_of_side(state, self.side, self.by, "by"))
        yield from wrong
        for fighter in () if wrong else self.by:
            holder = state.combatants[fighter]
            gone_with_it = self.how is Hold.CARRIED_OFF and holder.edge
            if not holder.standing and not gone_with_it:
                yield out_of_action(holder, "by")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after the last word on who controls the objective."""
        return replace(
            state,
            control=None if self.side is None else ObjectiveControl(self.side, self.by, self.how.value, self.what),
        )

    def sentence(self, names: Names) -> str:
        """ "The Guards carried off the objective (Jussac)"."""
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
    words: ClassVar[str] = ""

    side: Annotated[SideKey, Meta(title="Side")]
    fighters: Annotated[tuple[str, ...], Meta(title="Fighters", max_length=60)]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Are these that side's, and on the table?"""
        wrong = [*side_problems(state, self.side), *not_of_side(state, self.side, self.fighters, "fighters")]
        yield from wrong
        for fighter in () if wrong else self.fighters:
            if not state.combatants[fighter].on_table:
                yield out_of_action(state.combatants[fighter], "fighters")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after the last word on who of a side stands on the ground that scores."""
        return replace(state, ground={**state.ground, self.side: self.fighters})

    def sentence(self, names: Names) -> str:
        """ "The Guards touches the centre with: Jussac"."""
        return f"{name_of(names, self.side)} {self.words}: {all_of(names, self.fighters)}"


class Position(OnGround, frozen=True, kw_only=True):
    """Everybody of one side who stands on the Defender's bank."""

    key: ClassVar[str] = "position"
    label: ClassVar[str] = "On the Defender's bank"
    help: ClassVar[str] = "All fighters of one side who are there at the end."
    rule: ClassVar[str] = 'Rule book: "Hold the Bridge"'
    words: ClassVar[str] = "has on the Defender’s bank"


class Touching(OnGround, frozen=True, kw_only=True):
    """Everybody of one side whose base touches the centre."""

    key: ClassVar[str] = "touching"
    label: ClassVar[str] = "Touching the centre"
    help: ClassVar[str] = "All fighters of one side whose bases touch it at the end."
    rule: ClassVar[str] = 'Rule book: "Occupy"'
    words: ClassVar[str] = "touches the centre with"


class CivilianFate(Event, frozen=True, kw_only=True):
    """What became of a Civilian; the last word on one counts."""

    key: ClassVar[str] = "civilian"
    label: ClassVar[str] = "Civilian"
    rule: ClassVar[str] = 'Rule book: "Civilians"'
    about: ClassVar[str] = ""
    some_battles: ClassVar[bool] = True

    civilian: Annotated[FighterId, Meta(title="Civilian")]
    outcome: Annotated[CivilianOutcome, Meta(title="What became of it")]
    by: Annotated[FighterId | None, Meta(title="By whom")] = None

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Everything that is wrong with what became of a Civilian."""
        allowed = state.scenario.civilian_outcomes
        if self.outcome not in allowed:
            sentence = f"In {state.scenario.name} a Civilian can be {', '.join(allowed)}, not {self.outcome}."
            yield Problem(
                "no-such-outcome", sentence, field="outcome", value=self.outcome, source=state.scenario.source
            )
        civilian = state.civilians.get(self.civilian)
        if civilian is None:
            known = f"There are {len(state.civilians)}" + (", civilian-1 and so on." if state.civilians else ".")
            sentence = f"There is no Civilian {self.civilian!r}. {known}"
            yield Problem("unknown-civilian", sentence, field="civilian", value=self.civilian)
        elif civilian.wounds.dead and self.outcome != "killed":
            sentence = f"{civilian.name} was killed: correct that event if it is wrong."
            yield Problem("out-of-action", sentence, field="civilian", value=self.civilian)
        if self.by is not None:
            yield from combatant_problems(state, self.by, "by")
            yield from self._taker_problems(state, civilian.side if civilian else "")

    def _taker_problems(self, state: PlayState, owner: str) -> Iterator[Problem]:
        taker = state.combatants.get(self.by or "")
        if taker is None:
            return
        if self.outcome is CivilianOutcome.TAKEN and taker.side == owner:
            sentence = "A Civilian is taken by the other side: name one of its fighters."
            yield Problem("own-side", sentence, field="by", value=self.by or "")
        if not taker.standing and not taker.edge:
            yield out_of_action(taker, "by")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after the last word on a Civilian."""
        civilian = state.civilians[self.civilian]
        return state.with_civilian(replace(civilian, outcome=self.outcome.value, by=self.by))

    def sentence(self, names: Names) -> str:
        """ "Civilian 1 was taken away by Jussac"."""
        by = f" by {name_of(names, self.by)}" if self.by else ""
        return f"{name_of(names, self.civilian)} {FATES[self.outcome]}{by}"


class DuelPenalty(Event, frozen=True, kw_only=True):
    """The first outsider of the battle to do what only duellists may (Ruling S12)."""

    key: ClassVar[str] = "duel_penalty"
    label: ClassVar[str] = "Broken duel"
    help: ClassVar[str] = "Each of the two falls once in a battle, on whoever does it first."
    rule: ClassVar[str] = 'Rule book: "Duel"'
    about: ClassVar[str] = "side"
    some_battles: ClassVar[bool] = True

    side: Annotated[SideKey, Meta(title="Side")]
    which: Annotated[Offence, Meta(title="What", description="Attacked first, or entered the ground first.")]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Everything that is wrong with an offence in a Duel. Ruling S12."""
        yield from side_problems(state, self.side)
        if self.which in state.offences:
            sentence = f"Side {state.offences[self.which]!r} was first at this already: it falls once in a battle."
            yield Problem("first-only", sentence, field="which", value=self.which, source="Ruling S12")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after the first offence of its kind."""
        return replace(state, offences={**state.offences, self.which.value: self.side})

    def sentence(self, names: Names) -> str:
        """ "Somebody of the Guards attacked before anybody else did"."""
        deed = "attacked" if self.which is Offence.ATTACK else "entered the duelling ground"
        return f"Somebody of {name_of(names, self.side)} {deed} before anybody else did"
