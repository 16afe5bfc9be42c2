"""What every event of En Garde! is asked beside what the engine asks."""

from typing import ClassVar

from rulebook.battle_log.kinds import EventKind
from rulebook.systems.en_garde.play.play_state import PlayState


class Event(EventKind[PlayState], frozen=True, kw_only=True):
    """An event of a log, of a result sheet or of a battle logged turn by turn.

    ``hurts`` marks kinds by which somebody is hurt or leaves: turn by turn, none comes after the end. ``drowning_told``
    marks one that makes the roll against drowning itself.
    """

    hurts: ClassVar[bool] = False
    drowning_told: ClassVar[bool] = False

    @property
    def ends_combat_phase(self) -> bool:
        """Does it show that the Combat Phase of its turn is over?"""
        return False
