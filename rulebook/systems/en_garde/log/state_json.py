"""The state of play as JSON for pages and scripts: everything that people ask about while they play."""

from collections.abc import Mapping
from typing import Any

from rulebook.battle_log.play import Play
from rulebook.dice.rolls import Generator
from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState
from rulebook.systems.en_garde.table import setting_up
from rulebook.systems.en_garde.table.combatant import present_numbers
from rulebook.systems.en_garde.table.magic import magic_points
from rulebook.systems.en_garde.table.typed_set_up import with_typed
from rulebook.systems.en_garde.turns.fighters import present, weapon_now
from rulebook.systems.en_garde.turns.nerve import rating_of, sides_to_test
from rulebook.systems.en_garde.victory import score


def set_up(setup: BattleSetup, generator: Generator) -> Mapping[str, Any]:
    """Everything that is rolled before deployment; what the set-up says already stays as it was typed in.

    Raises RulesError for an unknown scenario and for what cannot be typed in. Rule book: "Setting up the game".
    """
    points = setup.points_limit or max((sum(each.points for each in side.fighters) for side in setup.sides), default=0)
    sides = tuple(side.key for side in setup.sides)
    roles = {side.key: side.role for side in setup.sides if side.role}
    rolled = setting_up.as_data(setting_up.set_up(setup.scenario, points, sides, roles, generator))
    return with_typed(rolled, setup.set_up)


def play_state(play: Play[PlayState]) -> Mapping[str, Any]:
    """The state of play as JSON."""
    state = play.state
    table = state.table
    fight = table.fight
    return {
        "turn": table.turn,
        "priority": table.priority,
        "ended": state.ended,
        "sides": [_side(state, key) for key in state.sides],
        "fighters": [_fighter(state, there) for there in state.combatants.values()],
        "civilians": [
            {"key": each.key, "side": each.side, "outcome": each.outcome, "wounds": each.wounds.worst}
            for each in state.civilians.values()
        ],
        "next": fight.next.id if fight is not None and fight.next is not None else None,
        "counters": {} if fight is None else {side: [pool.attack, pool.defence] for side, pool in fight.pools.items()},
        "morale_tests": list(sides_to_test(state)),
        "overruled": [
            {"event": each.sequence, "code": each.code, "rule": each.rule, "reason": each.reason}
            for each in play.overruled
        ],
    }


def _side(state: PlayState, key: str) -> dict[str, Any]:
    own = state.own(key)
    lines = score(state, key)
    return {
        "key": key,
        "name": state.side(key).name,
        "morale": state.table.morale_of(key).value,
        "morale_rating": rating_of(state, key),
        "strength": sum(there.standing for there in own),
        "fielded": len(own),
        "victory_points": sum(line.points for line in lines),
        "lines": [{"points": line.points, "sentence": line.sentence, "rule": line.rule} for line in lines],
    }


def _fighter(state: PlayState, there: CombatantState) -> dict[str, Any]:
    identity = there.fighter.id
    known, now = state.table.of(identity), present(state, identity)
    numbers = present_numbers(now, state.settings)
    return {
        "fighter": identity,
        "name": there.fighter.name,
        "side": there.side,
        "rank": there.fighter.rank,
        "out": there.why_out,
        "stunned": there.wounds.stunned,
        "wound": there.wounds.wound.value,
        "mounted": now.mounted,
        "initiative": numbers.initiative,
        "fight": numbers.fight,
        "shoot": numbers.shoot,
        "combat_pool": now.combat_pool,
        "weapon": weapon_now(state, identity),
        "reload": {weapon: counters for weapon, counters in known.reload.items() if counters},
        "magic_points": magic_points(now) - known.magic,
        "contacts": list(known.contacts),
        "acted": known.acted == state.table.turn > 0,
        "hidden": known.hidden,
        "carries": sorted(known.carries),
        "poisoned": known.poisoned,
    }
