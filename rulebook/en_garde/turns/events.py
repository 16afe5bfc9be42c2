"""The kinds of event of a battle that is logged turn by turn, each by the name under which a log keeps it."""

from collections.abc import Mapping

from rulebook.en_garde.turns.combat_events import (
    Attacked,
    Challenged,
    CombatOpened,
    FreeAttack,
    Passed,
    WeaponSwitched,
)
from rulebook.en_garde.turns.event_parts import DICE, Activation, TurnEvent, has_dice
from rulebook.en_garde.turns.move_events import Acted, DexterityChecked, InWater, Moved, ObjectHandled, Ordered
from rulebook.en_garde.turns.phase_events import MoraleTested, PriorityRolled, StunRolled, TurnStarted
from rulebook.en_garde.turns.shot_events import ShotFired, SpellCast

__all__ = [
    "DICE",
    "TURN_BY_TURN",
    "Acted",
    "Activation",
    "Attacked",
    "Challenged",
    "CombatOpened",
    "DexterityChecked",
    "FreeAttack",
    "InWater",
    "MoraleTested",
    "Moved",
    "ObjectHandled",
    "Ordered",
    "Passed",
    "PriorityRolled",
    "ShotFired",
    "SpellCast",
    "StunRolled",
    "TurnEvent",
    "TurnStarted",
    "WeaponSwitched",
    "has_dice",
]

TURN_BY_TURN: Mapping[str, type[TurnEvent]] = {
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
    "free_attack": FreeAttack,
    "combat": CombatOpened,
    "attack": Attacked,
    "pass": Passed,
    "switch_weapon": WeaponSwitched,
    "stun_roll": StunRolled,
    "morale": MoraleTested,
}
"""Kinds of a log that is kept turn by turn."""
