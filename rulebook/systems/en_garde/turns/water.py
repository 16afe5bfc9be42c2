"""Rivers and drowning in the log. Rule book: "Terrain" (Water), "Hold the Bridge"."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

from msgspec import Meta
from msgspec.structs import replace

from rulebook.at_table.sentences import dice_in, die_in, name_of
from rulebook.battle_log.kinds import Die, FighterId, Names, ReplayStep, TwoDice
from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.moving import drowns, swept_away
from rulebook.systems.en_garde.table.wounds import WoundResult, WoundState
from rulebook.systems.en_garde.turns.checking import missing_dice, out_of_action, unknown_fighters
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import Means, WoundEvent, harm
from rulebook.systems.en_garde.turns.turn_event import TurnEvent
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import EventOutcome


class InWater(TurnEvent, frozen=True, kw_only=True):
    """A fighter enters a river (``entering``), or rolls against drowning because it is Stunned in the water.

    ``drift`` are the dice of the inches that the river sweeps it downstream.
    """

    key: ClassVar[str] = "water"
    label: ClassVar[str] = "Water"
    rule: ClassVar[str] = 'Rule book: "Terrain"'
    drowning_told: ClassVar[bool] = True

    fighter: Annotated[FighterId, Meta(title="Who")]
    entering: Annotated[bool, Meta(title="Enters the river")] = False
    die: Annotated[Die | None, Meta(title="Die", description="Only if the result asks for one.")] = None
    drift: Annotated[
        TwoDice, Meta(title="Dice of the drift downstream", description="Two dice, if the river sweeps it on.")
    ] = ()
    drowning: Annotated[
        Die | None, Meta(title="Die against drowning", description="For who is Stunned in the water.")
    ] = None

    @property
    def swept(self) -> bool:
        """Does the river take it on entering?"""
        return self.entering and self.die is not None and swept_away(self.die)

    @property
    def may_drown(self) -> bool:
        """Is there a roll against drowning: in the water already, or swept away on entering?"""
        return self.swept or not self.entering

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """A die for entering, two for the drift of who is swept away, and one against drowning for the Stunned."""
        lacking = tuple(unknown_fighters(state, fighter=self.fighter))
        lacking = lacking or tuple(missing_dice("die", self.die, int(self.entering)))
        yield from lacking
        if not lacking:
            yield from missing_dice("drift", self.drift, 2 if self.swept else 0)
            yield from missing_dice("drowning", self.drowning, int(self.may_drown))

    def violations(self, state: PlayState, logged: LoggedEvent) -> tuple[Violation, ...]:
        """Only who has just been Stunned rolls against drowning, once for it."""
        if self.entering:
            return out_of_action(state, self.fighter)
        if state.table.of(self.fighter).stunned_on > 0:
            return ()
        sentence = f"{state.named(self.fighter)} has received no Stunned counter since its last roll."
        return (Violation("not-stunned", sentence, 'Rule book: "Water"'),)

    def throw(self, state: PlayState, cup: Cup) -> Self:
        """The die of the river, the drift, and the die against drowning."""
        event = self
        if event.entering and event.die is None:
            event = replace(event, die=cup.one())
        if event.swept and not event.drift:
            event = replace(event, drift=cup.some(2))
        if event.may_drown and event.drowning is None:
            event = replace(event, drowning=cup.one())
        return event

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after the water had its way."""
        if self.swept:
            stunned = WoundEvent(victim=self.fighter, result=WoundResult.STUNNED, means=Means.OTHER)
            state = harm(state, logged, stunned)
        state = replace(state, table=state.table.with_fighter(self.fighter, in_water=True, stunned_on=0))
        armoured = present(state, self.fighter).heavy_armour
        if self.drowning is None or not drowns(self.drowning, heavy_armour=armoured):
            return state
        drowned = WoundEvent(victim=self.fighter, result=WoundResult.CRITICAL, means=Means.DROWNING, die=6)
        return harm(state, logged, drowned)

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        """Whether the river took it."""
        return EventOutcome(("The river sweeps it along.",) if self.swept else (), (), (self.rule,))

    def sentence(self, names: Names) -> str:
        """ "Athos enters the river [4]"."""
        does = "enters the river" if self.entering else "is in the water"
        return f"{name_of(names, self.fighter)} {does}{dice_in(die_in(self.die), self.drift, die_in(self.drowning))}"


# Who is in the water and Stunned, and has yet to roll against drowning.


def stunned_since(before: PlayState, after: PlayState) -> PlayState:
    """The state in which whoever received a Stunned counter may yet have to roll against drowning for it."""
    if not after.table.turn:
        return after
    for old, new in ((before.combatants, after.combatants), (before.civilians, after.civilians)):
        for key, there in old.items():
            if new[key] is not there and _stunned_more(there.wounds, new[key].wounds):
                after = replace(after, table=after.table.with_fighter(key, stunned_on=after.table.turn))
    return after


def _stunned_more(before: WoundState, after: WoundState) -> bool:
    """One counter more, or the third, which turned all of them into a wound."""
    third = before.stunned > after.stunned == 0 and before.wound is not after.wound
    return after.stunned > before.stunned or third


def in_danger(state: PlayState) -> tuple[str, ...]:
    """Those in the water who have been Stunned and not yet rolled against drowning."""
    return tuple(key for key, known in state.table.fighters.items() if known.in_water and known.stunned_on)
