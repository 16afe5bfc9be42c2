"""Dexterity Checks and falls in the log, in a move and apart from it; rivers and drowning.

Rule book: "Dexterity Check", "Jumping", "Climbing", "Falling", "Ships", "Terrain" (Water), "Hold
the Bridge".
"""

from collections.abc import Iterable, Iterator, Mapping
from math import ceil
from typing import Annotated

from msgspec import Struct

from rulebook.at_table.sentences import dice_in, die_in, name_of
from rulebook.battle_log.kinds import (
    CombatantNames,
    Die,
    FighterId,
    ReplayStep,
    Text,
    TwoDice,
    field_meta,
    kind,
)
from rulebook.systems.en_garde.book import violation
from rulebook.systems.en_garde.play.checking import out_of_action
from rulebook.systems.en_garde.play.play_state import PlayState, Somebody, action_of
from rulebook.systems.en_garde.table.combatant import present_numbers
from rulebook.systems.en_garde.table.moving import check_dexterity, drowns, fall, swept_away
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import WoundCause, WoundEvent, die_wanted, harm
from rulebook.systems.en_garde.turns.turn_event import Inches, LargeDie, TurnEvent
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Violation
from rulebook.values.table import Action, EventOutcome


class Leap(Struct, frozen=True):
    """A Dexterity Check, and the fall of who fails it: ``inches`` deep, if it falls at all.

    ``field`` is what its event calls the dice of the check.
    """

    fighter: str
    field: str
    dice: tuple[int, ...]
    fall_dice: tuple[int, ...]
    die: int | None
    falls: bool
    inches: float

    def succeeds(self, state: PlayState) -> bool:
        """Return whether the check succeeds. Its dice have to be there."""
        fighter = present(state, self.fighter)
        first, second = self.dice
        return check_dexterity(
            fighter, (first, second), present_numbers(fighter, state.settings).initiative
        ).passed

    def dice_wanted(self, state: PlayState) -> Iterator[Mapping[str, int]]:
        """Yield a die for entering, two for the drift of who is swept away, one against
        drowning for him and the Stunned.
        """
        yield {self.field: 2}
        yield {"fall_dice": 2 if self.falls and not self.succeeds(state) else 0}
        yield {
            "die": int(
                bool(self.fall_dice) and die_wanted(state, self.fighter, self._result(state))
            )
        }

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        if not self.fall_dice:
            return state
        return harm(
            state,
            logged,
            WoundEvent(
                victim=self.fighter, result=self._result(state), means=WoundCause.FALL, die=self.die
            ),
        )

    def _result(self, state: PlayState) -> WoundResult:
        first, second = self.fall_dice
        return fall((first, second), ceil(self.inches), present(state, self.fighter).table).result


@kind(
    "dexterity",
    "Dexterity Check",
    'Rule book: "Dexterity Check"',
    always_rolls=True,
    offered_to="fighter",
    asked_first=("words", "falls"),
)
class DexterityChecked(TurnEvent, frozen=True, kw_only=True):
    """A Dexterity Check, and the inches that a failure drops the fighter."""

    fighter: Annotated[FighterId, field_meta("Fighter")]
    dice: Annotated[TwoDice, field_meta("Dice")] = ()
    falls: Annotated[Inches, field_meta("Inches to fall")] = 0
    fall_dice: Annotated[TwoDice, field_meta("Dice of the fall")] = ()
    die: LargeDie = None
    words: Annotated[Text, field_meta("Reason", "Anything else to record.", max_length=300)] = ""

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether a fighter or Civilian can act."""
        return (actor in state.combatants or actor in state.civilians) and state.somebody(
            actor
        ).standing

    @property
    def leap(self) -> Leap:
        """Return the check; who fails falls only if there is somewhere to fall to."""
        return Leap(
            self.fighter,
            "dice",
            self.dice,
            self.fall_dice,
            self.die,
            falls=self.falls > 0,
            inches=self.falls,
        )

    def violations(self, state: PlayState, logged: LoggedEvent) -> tuple[Violation, ...]:
        """Return the violation of a fighter who is out of action, and makes no Dexterity Check."""
        return out_of_action(state, self.fighter)

    def dice_wanted(self, state: PlayState) -> Iterator[Mapping[str, int]]:
        return self.leap.dice_wanted(state)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        return self.leap.apply(state, logged)

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        sentence = "The check succeeds." if self.leap.succeeds(step.before) else "The check fails."
        return EventOutcome((sentence,), (), (self.rule,))

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.fighter)} checks Dexterity{dice_in(self.dice)}"


@kind("water", "Water", 'Rule book: "Terrain"', rolls_for_drowning=True)
class InWater(TurnEvent, frozen=True, kw_only=True):
    """A fighter enters a river (``entering``), or rolls against drowning because it is Stunned in
    the water.

    ``drift`` are the dice of the inches that the river sweeps it downstream.
    """

    fighter: Annotated[FighterId, field_meta("Fighter")]
    entering: Annotated[bool, field_meta("Enters the river")] = False
    die: Annotated[Die | None, field_meta("Die", "Only if the result needs one.")] = None
    drift: Annotated[
        TwoDice,
        field_meta(
            "Dice of the drift downstream", "Two dice, if the river sweeps the fighter away."
        ),
    ] = ()
    drowning: Annotated[
        Die | None, field_meta("Die against drowning", "For a fighter Stunned in the water.")
    ] = None

    @classmethod
    def offers(cls, state: PlayState, actor: str) -> Iterator[Action]:
        """Yield that a fighter or Civilian enters the river, if it can act, and that it is Stunned
        in the water."""
        if actor not in state.combatants and actor not in state.civilians:
            return
        somebody, given = state.somebody(actor), {"fighter": actor}
        if somebody.standing:
            yield action_of(cls, state, "Into the river", {**given, "entering": True}, key="river")
        if somebody.on_table:
            yield action_of(cls, state, "Stunned in the water", given, without=("entering",))

    @property
    def is_swept_away(self) -> bool:
        """Return whether the river sweeps it away on entering."""
        return self.entering and self.die is not None and swept_away(self.die)

    def dice_wanted(self, state: PlayState) -> Iterator[Mapping[str, int]]:
        """Yield a die for entering, two for the drift of who is swept away, one against
        drowning for him and the Stunned.
        """
        yield {"die": int(self.entering)}
        yield {
            "drift": 2 if self.is_swept_away else 0,
            "drowning": int(self.is_swept_away or not self.entering),
        }

    def violations(self, state: PlayState, logged: LoggedEvent) -> tuple[Violation, ...]:
        """Yield what forbids a roll against drowning: only a fighter just Stunned rolls, once for
        each counter."""
        if self.entering or not state.somebody(self.fighter).on_table:
            return out_of_action(state, self.fighter)
        if state.table.of(self.fighter).undrowned:
            return ()
        return (violation("no-new-counter", name=state.named(self.fighter)),)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        if self.is_swept_away:
            stunned = WoundEvent(
                victim=self.fighter, result=WoundResult.STUNNED, means=WoundCause.OTHER
            )
            state = harm(state, logged, stunned)
        state = state.with_fighter(self.fighter, in_water=True, undrowned=False)
        armoured = present(state, self.fighter).heavy_armour
        if self.drowning is None or not drowns(self.drowning, heavy_armour=armoured):
            return state
        drowned = WoundEvent(
            victim=self.fighter, result=WoundResult.CRITICAL, means=WoundCause.DROWNING, die=6
        )
        return harm(state, logged, drowned)

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        return EventOutcome(
            ("The river sweeps the fighter away.",) if self.is_swept_away else (), (), (self.rule,)
        )

    def sentence(self, names: CombatantNames) -> str:
        does = "enters the river" if self.entering else "is in the water"
        return (
            f"{name_of(names, self.fighter)} "
            f"{does}{dice_in(die_in(self.die), self.drift, die_in(self.drowning))}"
        )


# Who is in the water and Stunned, and has yet to roll against drowning.


def stunned_since(state: PlayState, changed: Iterable[tuple[str, Somebody, Somebody]]) -> PlayState:
    """Return the state in which those who received a Stunned counter may have to roll against
    drowning."""
    for key, was, now in changed:
        before, after = was.wounds, now.wounds
        # One counter more, or the third, which turned all of them into a wound.
        third = before.stunned > after.stunned == 0 and before.wound is not after.wound
        if after.stunned > before.stunned or third:
            state = state.with_fighter(key, undrowned=True)
    return state
