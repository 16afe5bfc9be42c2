"""The kinds of event of a battle that is logged turn by turn, each by the name under which a log keeps it."""

from collections.abc import Mapping

from rulebook.systems.en_garde.turns.combat_events import (
    Attacked,
    Challenged,
    CombatOpened,
    FreeAttack,
    Passed,
    WeaponSwitched,
)
from rulebook.systems.en_garde.turns.event_parts import DICE, Activation, Opening, TurnEvent, has_dice
from rulebook.systems.en_garde.turns.move_events import (
    Acted,
    DexterityChecked,
    InWater,
    Moved,
    ObjectHandled,
    Ordered,
    SideDone,
)
from rulebook.systems.en_garde.turns.opening_events import DuellistNamed, ReservesKept, ScoutPlaced
from rulebook.systems.en_garde.turns.phase_events import (
    EndRolled,
    MoraleTested,
    PriorityRolled,
    StunRolled,
    TurnStarted,
)
from rulebook.systems.en_garde.turns.shot_events import ShotFired, SpellCast

__all__ = [
    "DICE",
    "TURN_BY_TURN",
    "Acted",
    "Activation",
    "Attacked",
    "Challenged",
    "CombatOpened",
    "DexterityChecked",
    "DuellistNamed",
    "EndRolled",
    "FreeAttack",
    "InWater",
    "MoraleTested",
    "Moved",
    "ObjectHandled",
    "Opening",
    "Ordered",
    "Passed",
    "PriorityRolled",
    "ReservesKept",
    "ScoutPlaced",
    "ShotFired",
    "SideDone",
    "SpellCast",
    "StunRolled",
    "TurnEvent",
    "TurnStarted",
    "WeaponSwitched",
    "has_dice",
]

TURN_BY_TURN: Mapping[str, type[TurnEvent]] = {
    "duellist": DuellistNamed,
    "scout": ScoutPlaced,
    "reserves": ReservesKept,
    "turn": TurnStarted,
    "priority": PriorityRolled,
    "challenge": Challenged,
    "move": Moved,
    "action": Acted,
    "order": Ordered,
    "shot": ShotFired,
    "spell": SpellCast,
    "object": ObjectHandled,
    "dexterity": DexterityChecked,
    "water": InWater,
    "done": SideDone,
    "free_attack": FreeAttack,
    "combat": CombatOpened,
    "attack": Attacked,
    "pass": Passed,
    "switch_weapon": WeaponSwitched,
    "stun_roll": StunRolled,
    "morale": MoraleTested,
    "length": EndRolled,
}
"""Kinds of a log that is kept turn by turn."""
