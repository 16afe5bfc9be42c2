"""The outcome of a log: the result sheet with its scores, outcomes, records and deeds, and the
state of play as JSON for pages and scripts.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.battle_log.play import Play
from rulebook.ruleset import BattleResult, Deed, Fate, Outcome, Record, ScoreLine, SideResult
from rulebook.systems.en_garde.experience.awards import has_survived
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState
from rulebook.systems.en_garde.play.scenario_events import captives_of, objective_of
from rulebook.systems.en_garde.table.combatant import present_numbers
from rulebook.systems.en_garde.table.magic import magic_points
from rulebook.systems.en_garde.turns.fighters import present, weapon_now
from rulebook.systems.en_garde.turns.nerve import rating_of, sides_to_test
from rulebook.systems.en_garde.victory import Decision, decide, score, total, verdict

Lines = dict[str, tuple[ScoreLine, ...]]


def result(play: Play[PlayState]) -> BattleResult:
    """Return the result sheet of a battle that ends as it stands."""
    return read_result(play.state)


def read_result(state: PlayState) -> BattleResult:
    """Return the result sheet of a battle that ends in this state."""
    lines: Lines = {side: score(state, side) for side in state.sides}
    decision = decide(state, {side: total(lines[side]) for side in state.sides})
    return BattleResult(
        sides=tuple(_side_result(state, side, lines[side], decision) for side in state.sides),
        verdict=verdict(state, decision),
        turns=state.turns,
        winner=decision.winner,
    )


def _side_result(
    state: PlayState, side: str, lines: tuple[ScoreLine, ...], decision: Decision
) -> SideResult:
    outcome = Outcome.LOST
    if side in decision.best:
        outcome = Outcome.WON if decision.winner == side else Outcome.DREW
    return SideResult(
        side=side,
        victory_points=total(lines),
        lines=lines,
        outcome=outcome,
        records=tuple(_record(state, own) for own in state.own(side)),
        deeds=tuple(_deeds(state, side)),
        captives=tuple(captive.fighter.id for captive in captives_of(state, side)),
    )


def _record(state: PlayState, combatant: CombatantState) -> Record:
    fate = Fate.CAPTURED if combatant.captor else Fate.FIT
    if combatant.dead:
        fate = Fate.DEAD
    record = Record(
        fighter=combatant.fighter.id,
        rank=combatant.fighter.rank,
        fate=fate,
        wounds=combatant.wounds.worst,
        routed=combatant.routed,
        captured=bool(combatant.captor),
        killed_by=combatant.killed_by,
        recovery_roll=state.recovery.get(combatant.fighter.id),
    )
    return replace(record, survived=has_survived(record, state.settings))


def _deeds(state: PlayState, side: str) -> Iterator[Deed]:
    """Yield what a side's fighters did: wounds in the order of the log, then captives, banners and
    objectives.

    The summoned are on no roster, and left out.
    """
    own = {each.fighter.id for each in state.own(side)}
    yield from (deed for deed in state.deeds if deed.fighter in own)
    yield from _captives(state, side)
    for owner, captor in state.banners.items():
        if state.side_of(captor) == side:
            yield _held(
                state, captor, "banner", f"the banner of {state.side(owner).name}", {"side": owner}
            )
    yield from _objective(state, side)
    yield from _civilians(state, side)


def _captives(state: PlayState, side: str) -> Iterator[Deed]:
    """Yield the captives; the first of Rank 2 or more is marked where capturing it is the minor
    objective.

    Ruling X8.
    """
    objective = objective_of(state, side)
    open_still = objective is not None and objective.key == "captive"
    for captive in captives_of(state, side):
        counts = open_still and captive.fighter.rank >= 2
        open_still = open_still and not counts
        yield Deed(
            fighter=captive.captor,
            kind="captive",
            rank=state.combatants[captive.captor].fighter.rank,
            victim=captive.fighter.id,
            victim_name=captive.fighter.name,
            victim_rank=captive.fighter.rank,
            detail={"objective": True} if counts else {},
        )


def _objective(state: PlayState, side: str) -> Iterator[Deed]:
    """Yield who controls the objective, its holder first. Ruling X8."""
    if state.control is None or state.control.side != side:
        return
    for place, fighter in enumerate(state.control.by):
        what = state.control.what or "the objective"
        yield _held(state, fighter, "objective", what, {"holder": True} if place == 0 else {})


def _civilians(state: PlayState, side: str) -> Iterator[Deed]:
    """Yield the Civilians who were taken away, each an objective of its own. Ruling X8."""
    for civilian in state.civilians.values():
        if (
            civilian.outcome == "taken"
            and civilian.by is not None
            and state.side_of(civilian.by) == side
        ):
            detail = {"holder": True, "civilian": civilian.key}
            yield _held(state, civilian.by, "objective", civilian.name, detail)


def _held(state: PlayState, fighter: str, kind: str, what: str, detail: dict[str, object]) -> Deed:
    rank = state.combatants[fighter].fighter.rank
    return Deed(fighter=fighter, kind=kind, rank=rank, victim_name=what, detail=detail)


def play_state(play: Play[PlayState]) -> Mapping[str, Any]:
    """Return the state of play as JSON."""
    state = play.state
    table = state.table
    fight = table.fight
    return {
        "turn": table.turn,
        "priority": table.priority,
        "ended": state.ended,
        "sides": [_side(state, key) for key in state.sides],
        "fighters": [_fighter(state, combatant) for combatant in state.combatants.values()],
        "civilians": [
            {
                "key": each.key,
                "side": each.side,
                "outcome": each.outcome,
                "wounds": each.wounds.worst,
            }
            for each in state.civilians.values()
        ],
        "next": fight.next.id if fight is not None and fight.next is not None else None,
        "counters": {}
        if fight is None
        else {side: [pool.attack, pool.defence] for side, pool in fight.pools.items()},
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
        "strength": sum(combatant.standing for combatant in own),
        "fielded": len(own),
        "victory_points": sum(line.points for line in lines),
        "lines": [
            {"points": line.points, "sentence": line.sentence, "rule": line.rule} for line in lines
        ],
    }


def _fighter(state: PlayState, combatant: CombatantState) -> dict[str, Any]:
    identity = combatant.fighter.id
    on_table = state.table.of(identity)
    now = present(state, identity)
    numbers = present_numbers(now, state.settings)
    return {
        "fighter": identity,
        "name": combatant.fighter.name,
        "side": combatant.side,
        "rank": combatant.fighter.rank,
        "out": combatant.why_out,
        "stunned": combatant.wounds.stunned,
        "wound": combatant.wounds.wound.value,
        "mounted": now.mounted,
        "initiative": numbers.initiative,
        "fight": numbers.fight,
        "shoot": numbers.shoot,
        "combat_pool": now.combat_pool,
        "weapon": weapon_now(state, identity),
        "reload": {weapon: counters for weapon, counters in on_table.reload.items() if counters},
        "magic_points": magic_points(now) - on_table.magic,
        "contacts": list(on_table.contacts),
        "acted": on_table.has("acted"),
        "hidden": on_table.hidden,
        "carries": sorted(on_table.carries),
        "poisoned": on_table.poisoned,
    }
