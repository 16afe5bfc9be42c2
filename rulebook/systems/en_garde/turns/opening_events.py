"""Events that may come before the first turn: duellists are named, Scouts go ahead, reserves are kept back."""

from typing import Annotated, ClassVar

from msgspec import Meta

from rulebook.battle_log.kinds import FighterId, FighterIds, Inches, SideKey
from rulebook.systems.en_garde.turns.turn_event import Opening


class DuellistNamed(Opening, frozen=True, kw_only=True):
    """A side names its duellist of a Duel, or another one once the first is dead."""

    key: ClassVar[str] = "duellist"
    label: ClassVar[str] = "Duellist"
    help: ClassVar[str] = "In a Duel, one for each side before the first turn."
    rule: ClassVar[str] = 'Rule book: "Duel"'

    fighter: Annotated[FighterId, Meta(title="Who")]


class ScoutPlaced(Opening, frozen=True, kw_only=True):
    """A Scout moves before the game, or begins it Hidden, or both."""

    key: ClassVar[str] = "scout"
    label: ClassVar[str] = "Scout"
    help: ClassVar[str] = "Before the first turn."
    rule: ClassVar[str] = 'Rule book: "Scout"'

    fighter: Annotated[FighterId, Meta(title="Who")]
    inches: Annotated[Inches, Meta(title="Inches", description="How far ahead it begins.")] = 0
    hidden: Annotated[bool, Meta(title="Begins Hidden")] = False


class ReservesKept(Opening, frozen=True, kw_only=True):
    """Who of a side waits off the table; it comes on by a move, in turn 2 or later."""

    key: ClassVar[str] = "reserves"
    label: ClassVar[str] = "Reserves"
    help: ClassVar[str] = "Before the first turn, where the scenario has them or both sides agree."
    about: ClassVar[str] = "fighters"

    side: Annotated[SideKey, Meta(title="Side")]
    fighters: Annotated[FighterIds, Meta(title="Who waits")]
