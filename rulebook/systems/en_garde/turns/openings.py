"""Before the first turn: Scouts go ahead, reserves are kept back; when those may come.

Rule book: "Scout", "Deployment". Ruling S14.
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.at_table.sentences import all_of, name_of
from rulebook.battle_log.kinds import FighterId, FighterIds, Inches, Names, SideKey
from rulebook.systems.en_garde.play.people import combatant_problems, not_of_side, side_problems
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.moving import scout_violations
from rulebook.systems.en_garde.table.setting_up import reserve_waves
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.turn_event import Opening
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

DEPLOYMENT = 'Rule book: "Deployment"'


class ScoutPlaced(Opening, frozen=True, kw_only=True):
    """A Scout moves before the game, or begins it Hidden, or both."""

    key: ClassVar[str] = "scout"
    label: ClassVar[str] = "Scout"
    help: ClassVar[str] = "Before the first turn."
    rule: ClassVar[str] = 'Rule book: "Scout"'

    fighter: Annotated[FighterId, Meta(title="Who")]
    inches: Annotated[Inches, Meta(title="Inches", description="How far ahead it begins.")] = 0
    hidden: Annotated[bool, Meta(title="Begins Hidden")] = False

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Was it fielded?"""
        yield from combatant_problems(state, self.fighter, "fighter")

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Only Scouts, once each, and before the first turn."""
        if state.table.turn > 0:
            yield Violation("battle-begun", "Scouts go ahead before the first turn.", self.rule)
        if state.table.of(self.fighter).scouted:
            yield Violation("scouted-already", "This Scout has gone ahead.", self.rule)
        yield from scout_violations(present(state, self.fighter), self.inches)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state with the Scout where it begins."""
        return replace(state, table=state.table.with_fighter(self.fighter, scouted=True, hidden=self.hidden))

    def sentence(self, names: Names) -> str:
        """ "Athos goes 12″ ahead, Hidden"."""
        ahead = f"goes {self.inches:g}″ ahead" if self.inches else "waits"
        return f"{name_of(names, self.fighter)} {ahead}{', Hidden' if self.hidden else ''}"


class ReservesKept(Opening, frozen=True, kw_only=True):
    """Who of a side waits off the table; it comes on by a move, in turn 2 or later."""

    key: ClassVar[str] = "reserves"
    label: ClassVar[str] = "Reserves"
    help: ClassVar[str] = "Before the first turn, where the scenario has them or both sides agree."
    about: ClassVar[str] = "fighters"

    side: Annotated[SideKey, Meta(title="Side")]
    fighters: Annotated[FighterIds, Meta(title="Who waits")]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Are these fighters of that side?"""
        wrong = tuple(side_problems(state, self.side))
        yield from wrong or not_of_side(state, self.side, self.fighters, "fighters")

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Half of a side, rounded down, where the scenario has reserves, before the first turn."""
        first, second, third = reserve_waves(len(state.own(self.side)))
        role, allowed = state.side(self.side).role, state.scenario.reserves
        wrong = f"{second + third} wait off the table, {first} do not."
        checks = (
            (state.table.turn > 0, "battle-begun", "Reserves are kept back before the first turn."),
            (allowed not in ("agreed", role), "no-reserves", f"{state.scenario.name} has no reserves for this side."),
            (len(self.fighters) != second + third, "wrong-reserves", wrong),
        )
        yield from (Violation(code, sentence, DEPLOYMENT) for forbidden, code, sentence in checks if forbidden)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state with these fighters off the table, and no others of their side."""
        for there in state.own(self.side):
            waits = there.fighter.id in self.fighters
            state = replace(state, table=state.table.with_fighter(there.fighter.id, reserve=waits))
        return state

    def sentence(self, names: Names) -> str:
        """ "The Guard keeps back: Jussac and Cahusac"."""
        return f"{name_of(names, self.side)} keeps back: {all_of(names, self.fighters)}"


def arrival_violations(state: PlayState, fighter: str) -> tuple[Violation, ...]:
    """Half of the reserves, rounded up, may come in turn 2, the others from turn 3 on."""
    side = state.side_of(fighter)
    waiting = sum(state.table.of(each.fighter.id).reserve for each in state.own(side))
    *_, third = reserve_waves(len(state.own(side)))
    early = state.table.turn < 2 or (state.table.turn == 2 and waiting <= third)
    return (Violation("in-reserve", f"{state.named(fighter)} comes in a later turn.", DEPLOYMENT),) if early else ()
