"""The kinds of event that a log of En Garde! takes, in the order in which forms show them, and the log itself."""

from collections.abc import Mapping
from typing import Any

from rulebook.battle_log.kinds import Correction, Note
from rulebook.battle_log.log import BattleLog
from rulebook.systems.en_garde.at_table.event_sentences import SENTENCES, event_sentence
from rulebook.systems.en_garde.at_table.outcomes import TELLERS
from rulebook.systems.en_garde.log import captures, routs
from rulebook.systems.en_garde.play import endings, leaving, scenario_rules, wounding
from rulebook.systems.en_garde.play.events import (
    Captured,
    Conceded,
    Ended,
    ExtraPoints,
    LeftTable,
    RecoveryRolled,
    Routed,
    StunRemoved,
    Withdrew,
    WoundEvent,
)
from rulebook.systems.en_garde.play.play_state import PlayState, opening
from rulebook.systems.en_garde.play.scenario_events import (
    CivilianFate,
    DuelPenalty,
    MinorObjectiveRolled,
    ObjectiveHeld,
    Position,
    Touching,
)
from rulebook.systems.en_garde.turns import (
    attacks,
    combats,
    duels,
    free_attacks,
    nerve,
    opportunities,
    priority,
    reserves,
    scouts,
    shots,
    spells,
)
from rulebook.systems.en_garde.turns.actions import Acted, ObjectHandled, Ordered, SideDone
from rulebook.systems.en_garde.turns.combat_events import (
    Attacked,
    Challenged,
    CombatOpened,
    FreeAttack,
    Passed,
    WeaponSwitched,
)
from rulebook.systems.en_garde.turns.harm import take_plain_wound
from rulebook.systems.en_garde.turns.leaps import DexterityChecked
from rulebook.systems.en_garde.turns.moves import Moved
from rulebook.systems.en_garde.turns.opening_events import DuellistNamed, ReservesKept, ScoutPlaced
from rulebook.systems.en_garde.turns.phase_events import (
    EndRolled,
    MoraleTested,
    PriorityRolled,
    StunRolled,
    TurnStarted,
)
from rulebook.systems.en_garde.turns.policy import TurnPolicy
from rulebook.systems.en_garde.turns.shot_events import ShotFired, SpellCast
from rulebook.systems.en_garde.turns.turn_rule import TurnRule, no_violations
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
    WoundEvent: TurnRule(wounding.wound_problems, no_violations, take_plain_wound),
    StunRemoved: TurnRule(wounding.stun_removed_problems, no_violations, wounding.take_stun_removed),
    Routed: TurnRule(leaving.leaving_problems, routs.rout_violations, leaving.take_rout),
    LeftTable: TurnRule(leaving.leaving_problems, no_violations, leaving.take_leave),
    Captured: TurnRule(captures.capture_input_errors, captures.capture_violations, captures.take_capture),
    ObjectiveHeld: TurnRule(scenario_rules.objective_problems, no_violations, scenario_rules.take_objective),
    Position: TurnRule(scenario_rules.ground_problems, no_violations, scenario_rules.take_ground),
    Touching: TurnRule(scenario_rules.ground_problems, no_violations, scenario_rules.take_ground),
    MinorObjectiveRolled: TurnRule(
        scenario_rules.minor_objective_problems, no_violations, scenario_rules.take_minor_objective
    ),
    CivilianFate: TurnRule(scenario_rules.civilian_problems, no_violations, scenario_rules.take_civilian),
    DuelPenalty: TurnRule(scenario_rules.duel_penalty_problems, no_violations, scenario_rules.take_duel_penalty),
    ExtraPoints: TurnRule(endings.extra_points_problems, no_violations, endings.take_extra_points),
    Withdrew: TurnRule(endings.giving_up_problems, no_violations, endings.take_withdrawal),
    Conceded: TurnRule(endings.giving_up_problems, no_violations, endings.take_concession),
    RecoveryRolled: TurnRule(endings.recovery_problems, no_violations, endings.take_recovery),
    Ended: TurnRule(endings.ending_problems, no_violations, endings.take_end),
    **duels.RULES,
    **scouts.RULES,
    **reserves.RULES,
    **priority.RULES,
    **shots.RULES,
    **spells.RULES,
    **combats.RULES,
    **opportunities.RULES,
    **attacks.RULES,
    **free_attacks.RULES,
    **nerve.RULES,
}
"""Kinds whose classes do not say yet how they are dealt with."""


class _Log(BattleLog[PlayState]):
    def sentence(self, logged: LoggedEvent, names: Any) -> str:
        return event_sentence(logged, names) if logged.kind in SENTENCES else super().sentence(logged, names)


LOG: BattleLog[PlayState] = _Log(KINDS, opening, TurnPolicy(RULES, TELLERS), PlayState)
