"""The kinds of event that a log of En Garde! takes, in the order in which forms show them, and the log itself."""

from collections.abc import Mapping
from typing import Any

from rulebook.battle_log.kinds import Correction, Note
from rulebook.battle_log.log import BattleLog
from rulebook.systems.en_garde.at_table.event_sentences import SENTENCES, event_sentence
from rulebook.systems.en_garde.at_table.outcomes import TELLERS
from rulebook.systems.en_garde.play.endings import Conceded, Ended, ExtraPoints, RecoveryRolled, Withdrew
from rulebook.systems.en_garde.play.leaving import Captured, LeftTable, Routed
from rulebook.systems.en_garde.play.minor_objectives import MinorObjectiveRolled
from rulebook.systems.en_garde.play.play_state import PlayState, opening
from rulebook.systems.en_garde.play.scenario_events import (
    CivilianFate,
    DuelPenalty,
    ObjectiveHeld,
    Position,
    Touching,
)
from rulebook.systems.en_garde.turns import (
    attacks,
    combats,
    free_attacks,
    opportunities,
)
from rulebook.systems.en_garde.turns.actions import Acted, ObjectHandled, Ordered, SideDone
from rulebook.systems.en_garde.turns.combat_events import (
    Attacked,
    CombatOpened,
    FreeAttack,
    Passed,
    WeaponSwitched,
)
from rulebook.systems.en_garde.turns.duels import Challenged, DuellistNamed
from rulebook.systems.en_garde.turns.harm import StunRemoved, WoundEvent
from rulebook.systems.en_garde.turns.leaps import DexterityChecked
from rulebook.systems.en_garde.turns.moves import Moved
from rulebook.systems.en_garde.turns.nerve import MoraleTested, StunRolled
from rulebook.systems.en_garde.turns.openings import ReservesKept, ScoutPlaced
from rulebook.systems.en_garde.turns.phases import EndRolled, PriorityRolled, TurnStarted
from rulebook.systems.en_garde.turns.policy import TurnPolicy
from rulebook.systems.en_garde.turns.shots import ShotFired
from rulebook.systems.en_garde.turns.spells import SpellCast
from rulebook.systems.en_garde.turns.turn_rule import TurnRule
from rulebook.systems.en_garde.turns.water import InWater
from rulebook.values.battles import LoggedEvent

KINDS = (
    WoundEvent,
    StunRemoved,
    Routed,
    LeftTable,
    Captured,
    ExtraPoints,
    Withdrew,
    Conceded,
    Ended,
    RecoveryRolled,
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
    MinorObjectiveRolled,
    ObjectiveHeld,
    DuelPenalty,
    CivilianFate,
    Position,
    Touching,
)

RULES: Mapping[type[Any], TurnRule] = {
    **combats.RULES,
    **opportunities.RULES,
    **attacks.RULES,
    **free_attacks.RULES,
}
"""Kinds whose classes do not say yet how they are dealt with."""


class _Log(BattleLog[PlayState]):
    def sentence(self, logged: LoggedEvent, names: Any) -> str:
        return event_sentence(logged, names) if logged.kind in SENTENCES else super().sentence(logged, names)


LOG: BattleLog[PlayState] = _Log(KINDS, opening, TurnPolicy(RULES, TELLERS), PlayState)
