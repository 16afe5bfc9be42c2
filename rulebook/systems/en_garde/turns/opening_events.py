"""Events that may come before the first turn: duellists are named, Scouts go ahead, reserves are kept back."""

from typing import Annotated, ClassVar

from msgspec import Meta

from rulebook.systems.en_garde.play.events import COMBATANT, SIDE
from rulebook.systems.en_garde.turns.event_parts import Fighters, Inches, Opening


class DuellistNamed(Opening, frozen=True, kw_only=True):
    """A side names its duellist of a Duel, or another one once the first is dead."""

    label: ClassVar[str] = "Duellist"
    help: ClassVar[str] = "In a Duel, one for each side before the first turn."

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]


class ScoutPlaced(Opening, frozen=True, kw_only=True):
    """A Scout moves before the game, or begins it Hidden, or both."""

    label: ClassVar[str] = "Scout"
    help: ClassVar[str] = "Before the first turn."

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    inches: Annotated[Inches, Meta(title="Inches", extra={"kind": "number"})] = 0
    hidden: Annotated[bool, Meta(title="Begins Hidden")] = False


class ReservesKept(Opening, frozen=True, kw_only=True):
    """Who of a side waits off the table; it comes on by a move, in turn 2 or later."""

    label: ClassVar[str] = "Reserves"
    help: ClassVar[str] = "Before the first turn, where the scenario has them or both sides agree."

    side: Annotated[str, Meta(title="Side", extra=SIDE)]
    fighters: Annotated[Fighters, Meta(title="Who waits")]
