"""Dexterity Checks and falls in the log, in a move and apart from it.

Rule book: "Dexterity Check", "Jumping", "Climbing", "Falling", "Ships".
"""

from collections.abc import Iterator
from math import ceil
from typing import Annotated, ClassVar, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from rulebook.at_table.sentences import dice_in, name_of
from rulebook.battle_log.kinds import FighterId, Inches, Names, ReplayStep, Text, TwoDice
from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.combatant import present_numbers
from rulebook.systems.en_garde.table.moving import check_dexterity, fall
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.systems.en_garde.turns.checking import missing_dice, unknown_fighters
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import Means, WoundEvent, die_wanted, harm
from rulebook.systems.en_garde.turns.turn_event import LargeDie, TurnEvent
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem
from rulebook.values.table import EventOutcome


class Leap(Struct, frozen=True):
    """A Dexterity Check, if there is one, and the fall of who fails it: ``inches`` deep, if it falls at all.

    ``field`` is what its event calls the dice of the check.
    """

    fighter: str
    checked: bool
    field: str
    dice: tuple[int, ...]
    fall_dice: tuple[int, ...]
    die: int | None
    falls: bool
    inches: float

    def succeeds(self, state: PlayState) -> bool:
        """Does the check succeed, if there is one? Its dice have to be there."""
        if not self.checked:
            return True
        fighter = present(state, self.fighter)
        first, second = self.dice
        return check_dexterity(fighter, (first, second), present_numbers(fighter, state.settings).initiative).passed

    def problems(self, state: PlayState) -> Iterator[Problem]:
        """Are the dice of the check there, and those of the fall if it fails?"""
        lacking = tuple(missing_dice(self.field, self.dice, 2 if self.checked else 0))
        if not lacking:
            falls = self.falls and not self.succeeds(state)
            lacking = tuple(missing_dice("fall_dice", self.fall_dice, 2 if falls else 0))
        yield from lacking
        if not lacking:
            yield from missing_dice("die", self.die, int(self._large_die_wanted(state)))

    def throw(self, state: PlayState, cup: Cup) -> Self:
        """The leap with the dice of its check, and with those of the fall of who fails."""
        if self.dice or not self.checked:
            return self
        thrown = replace(self, dice=cup.some(2))
        if thrown.falls and not thrown.succeeds(state):
            thrown = replace(thrown, fall_dice=cup.some(2))
        return replace(thrown, die=cup.one()) if thrown._large_die_wanted(state) else thrown

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after the fall, if there was one."""
        if not self.fall_dice:
            return state
        return harm(
            state, logged, WoundEvent(victim=self.fighter, result=self._result(state), means=Means.FALL, die=self.die)
        )

    def _result(self, state: PlayState) -> WoundResult:
        first, second = self.fall_dice
        return fall((first, second), ceil(self.inches), present(state, self.fighter).table).result

    def _large_die_wanted(self, state: PlayState) -> bool:
        return bool(self.fall_dice) and die_wanted(state, self.fighter, self._result(state))


class DexterityChecked(TurnEvent, frozen=True, kw_only=True):
    """A Dexterity Check, and the inches that a failure drops the fighter."""

    key: ClassVar[str] = "dexterity"
    label: ClassVar[str] = "Dexterity Check"
    rule: ClassVar[str] = 'Rule book: "Dexterity Check"'
    always_rolls: ClassVar[bool] = True

    fighter: Annotated[FighterId, Meta(title="Who")]
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    falls: Annotated[Inches, Meta(title="Inches to fall")] = 0
    fall_dice: Annotated[TwoDice, Meta(title="Dice of the fall")] = ()
    die: LargeDie = None
    words: Annotated[Text, Meta(title="What for", description="Whatever is worth telling.", max_length=300)] = ""

    @property
    def leap(self) -> Leap:
        """The check; who fails falls only if there is somewhere to fall to."""
        return Leap(
            self.fighter, True, "dice", self.dice, self.fall_dice, self.die, falls=self.falls > 0, inches=self.falls
        )

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Two dice, and two more for a fall if the check fails."""
        unknown = tuple(unknown_fighters(state, fighter=self.fighter))
        yield from unknown or self.leap.problems(state)

    def throw(self, state: PlayState, cup: Cup) -> Self:
        """The dice of the check, and of the fall of who fails."""
        leap = self.leap.throw(state, cup)
        return replace(self, dice=leap.dice, fall_dice=leap.fall_dice, die=leap.die)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after the fall, if there was one."""
        return self.leap.apply(state, logged)

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        """Whether the check was passed."""
        sentence = "The check is passed." if self.leap.succeeds(step.before) else "The check fails."
        return EventOutcome((sentence,), (), (self.rule,))

    def sentence(self, names: Names) -> str:
        """ "Athos checks Dexterity [3, 4]"."""
        return f"{name_of(names, self.fighter)} checks Dexterity{dice_in(self.dice)}"
