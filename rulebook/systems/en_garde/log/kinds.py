"""The kinds of event that a log of En Garde! takes, in the order in which forms show them, and the
log itself."""

from rulebook.battle_log.kinds import Correction, Note
from rulebook.battle_log.log import BattleLog
from rulebook.systems.en_garde.play import endings, scenario_events
from rulebook.systems.en_garde.play.play_state import PlayState, opening
from rulebook.systems.en_garde.turns.actions import Acted, ObjectHandled, Ordered, SideDone
from rulebook.systems.en_garde.turns.attacks import Attacked, FreeAttack
from rulebook.systems.en_garde.turns.combats import CombatOpened
from rulebook.systems.en_garde.turns.duels import Challenged, DuellistNamed
from rulebook.systems.en_garde.turns.harm import StunRemoved, WoundEvent
from rulebook.systems.en_garde.turns.hazards import DexterityChecked, InWater
from rulebook.systems.en_garde.turns.moves import Moved
from rulebook.systems.en_garde.turns.nerve import MoraleTested, StunRolled
from rulebook.systems.en_garde.turns.opportunities import Passed, WeaponSwitched
from rulebook.systems.en_garde.turns.phases import (
    EndRolled,
    PriorityRolled,
    ReservesKept,
    ScoutPlaced,
    TurnStarted,
)
from rulebook.systems.en_garde.turns.policy import TurnPolicy
from rulebook.systems.en_garde.turns.shots import ShotFired
from rulebook.systems.en_garde.turns.spells import SpellCast

KINDS = (
    WoundEvent,
    StunRemoved,
    endings.Routed,
    endings.LeftTable,
    endings.Captured,
    endings.ExtraPoints,
    endings.Withdrew,
    endings.Conceded,
    endings.Ended,
    endings.RecoveryRolled,
    Note,
    Correction,
    DuellistNamed,
    ScoutPlaced,
    ReservesKept,
    TurnStarted,
    PriorityRolled,
    Challenged,
    Moved,
    Acted,
    Ordered,
    ShotFired,
    SpellCast,
    ObjectHandled,
    DexterityChecked,
    InWater,
    SideDone,
    FreeAttack,
    CombatOpened,
    Attacked,
    Passed,
    WeaponSwitched,
    StunRolled,
    MoraleTested,
    EndRolled,
    scenario_events.MinorObjectiveRolled,
    scenario_events.ObjectiveHeld,
    scenario_events.DuelPenalty,
    scenario_events.CivilianFate,
    scenario_events.Position,
    scenario_events.Touching,
)

LOG: BattleLog[PlayState] = BattleLog(KINDS, opening, TurnPolicy(), PlayState)
