"""Extra points, giving up, the end of a battle and dice of recovery in the log."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.at_table.sentences import name_of
from rulebook.battle_log.kinds import FighterId, Names, SideKey, Text, TurnNumber
from rulebook.systems.en_garde.play.event import Event
from rulebook.systems.en_garde.play.people import combatant_problems, side_problems
from rulebook.systems.en_garde.play.play_state import AgreedPoints, PlayState
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem


class Ending(StrEnum):
    """Why a battle ended."""

    LAST_TURN = "last-turn"
    DESTROYED = "destroyed"
    WITHDREW = "withdrew"
    CONCEDED = "conceded"
    LEFT_TABLE = "left-table"
    AGREED = "agreed"


WHY: Mapping[Ending, str] = {
    Ending.LAST_TURN: "the last turn was played",
    Ending.DESTROYED: "one side was destroyed",
    Ending.WITHDREW: "one side withdrew",
    Ending.CONCEDED: "one side conceded",
    Ending.LEFT_TABLE: "one side left the table",
    Ending.AGREED: "both sides agreed",
}


class ExtraPoints(Event, frozen=True, kw_only=True):
    """Victory points that the players agree upon, with a reason."""

    key: ClassVar[str] = "points"
    label: ClassVar[str] = "Extra victory points"
    about: ClassVar[str] = "side"

    side: Annotated[SideKey, Meta(title="Side")]
    amount: Annotated[int, Meta(title="Points", ge=-99, le=99)]
    reason: Annotated[Text, Meta(title="Reason", min_length=3, max_length=300)]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Everything that is wrong with extra victory points."""
        yield from side_problems(state, self.side)
        if self.amount == 0:
            yield Problem("no-points", "No points are no event: give more or fewer.", field="amount", value="0")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after extra victory points were agreed."""
        return replace(state, extra=(*state.extra, AgreedPoints(self.side, self.amount, self.reason)))

    def sentence(self, names: Names) -> str:
        """ "The Guards: +2 victory points, for courage"."""
        return f"{name_of(names, self.side)}: {self.amount:+d} victory points, {self.reason}"


class Withdrew(Event, frozen=True, kw_only=True):
    """A side leaves the field in good order."""

    key: ClassVar[str] = "withdrew"
    label: ClassVar[str] = "Withdrew"
    rule: ClassVar[str] = 'Rule book: "Check victory conditions"'
    about: ClassVar[str] = "side"

    side: Annotated[SideKey, Meta(title="Side")]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Is there such a side, and is it still there?"""
        return _still_there(state, self.side)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after a side has withdrawn."""
        return replace(state, withdrew=(*state.withdrew, self.side))

    def sentence(self, names: Names) -> str:
        """ "The Guards withdrew"."""
        return f"{name_of(names, self.side)} withdrew"


class Conceded(Event, frozen=True, kw_only=True):
    """A side gives the battle up."""

    key: ClassVar[str] = "conceded"
    label: ClassVar[str] = "Conceded"
    rule: ClassVar[str] = 'Rule book: "Check victory conditions"'
    about: ClassVar[str] = "side"

    side: Annotated[SideKey, Meta(title="Side")]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Is there such a side, and is it still there?"""
        return _still_there(state, self.side)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after a side has conceded."""
        return replace(state, conceded=(*state.conceded, self.side))

    def sentence(self, names: Names) -> str:
        """ "The Guards conceded"."""
        return f"{name_of(names, self.side)} conceded"


def _still_there(state: PlayState, side: str) -> Iterator[Problem]:
    yield from side_problems(state, side)
    if side in (*state.withdrew, *state.conceded):
        yield Problem("gone-already", f"Side {side!r} has gone already.", field="side", value=side)


class Ended(Event, frozen=True, kw_only=True):
    """The battle is over."""

    key: ClassVar[str] = "ended"
    label: ClassVar[str] = "The battle ended"
    rule: ClassVar[str] = 'Rule book: "Check victory conditions"'
    about: ClassVar[str] = ""

    turn: Annotated[TurnNumber | None, Meta(title="Turns played")] = None
    how: Annotated[Ending, Meta(title="Why")] = Ending.LAST_TURN

    @property
    def ends_combat_phase(self) -> bool:
        """Is the last turn played to its end? A battle broken off does not show it."""
        return self.how is Ending.LAST_TURN

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Everything that is wrong with the end."""
        if state.ended:
            yield Problem("ended-already", "The battle has ended already: correct that event.", field="kind")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state when all is over."""
        return replace(state, ended=True, turns=self.turn or logged.turn or state.turns)

    def sentence(self, names: Names) -> str:
        """ "The battle ended after 6 turns: one side withdrew"."""
        turns = f" after {self.turn} turns" if self.turn else ""
        return f"The battle ended{turns}: {WHY[self.how]}"


class RecoveryRolled(Event, frozen=True, kw_only=True):
    """The die thrown at the table after the battle for a gravely wounded fighter (Rulings C7, C15)."""

    key: ClassVar[str] = "recovery"
    label: ClassVar[str] = "Recovery die"
    help: ClassVar[str] = "Only where the house rules throw one and the table has: else Muster throws."
    rule: ClassVar[str] = 'Rule book: "Campaigns"'

    fighter: Annotated[FighterId, Meta(title="Who")]
    die: Annotated[int, Meta(title="Die", ge=1, le=6)]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Everything that is wrong with a die of recovery."""
        unknown = list(combatant_problems(state, self.fighter, "fighter"))
        yield from unknown
        if unknown:
            return
        if state.settings.wounds_after != "grievous-roll":
            yield Problem("no-recovery-dice", "In this campaign nobody throws for recovery.", field="die")
        elif state.settings.dice == "app":
            yield Problem("typed-dice", "In this campaign Muster throws the dice: leave it out.", field="die")
        elif self.fighter in state.recovery:
            yield Problem(
                "thrown-already", "One die a fighter: correct that event.", field="fighter", value=self.fighter
            )

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state with a die of recovery noted; whether it was needed shows in the result."""
        return replace(state, recovery={**state.recovery, self.fighter: self.die})

    def sentence(self, names: Names) -> str:
        """ "Athos throws 4 for recovery"."""
        return f"{name_of(names, self.fighter)} throws {self.die} for recovery"
