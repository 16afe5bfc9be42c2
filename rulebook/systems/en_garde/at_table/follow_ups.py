"""Events that follow another one automatically: Priority, forced passes, and the rest of a round of
combat.

A page that logs an action with one of these procedures asks for one event after the other. Each of
them is legal when it comes: where the rules no longer allow what was planned, the fighter strikes a
plain blow, or else passes. Rule book: "Determine priority", "Combat procedure", "Ploys", "Mounted
combat". Ruling B40.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulebook.battle_log.play import Play
from rulebook.systems.en_garde.play.offers import FOLLOW_FORCED, FOLLOW_PRIORITY, FOLLOW_ROUND
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table import blows, rounds
from rulebook.systems.en_garde.turns.attacks import Attacked
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.policy import TurnPolicy
from rulebook.values.battles import LoggedEvent
from rulebook.values.table import FollowUp

Ploys = tuple[blows.Ploy, ...]
ANSWERS: Mapping[str, tuple[Ploys, ...]] = {
    "parry": ((blows.Ploy.PARRY,),),
    "riposte": ((blows.Ploy.RIPOSTE,), (blows.Ploy.PARRY, blows.Ploy.RIPOSTE), (blows.Ploy.PARRY,)),
    "none": (),
}
"""The Ploys that are tried in answer to a blow, the best first, by what a plan calls them."""
POLICY = TurnPolicy()


def follow_up(play: Play[PlayState], follow: str, plan: Mapping[str, Any]) -> FollowUp | None:
    """Return the event that follows automatically, None if there is none."""
    state = play.state
    if follow == FOLLOW_PRIORITY:
        due = bool(state.table.turn) and not (state.table.priority or state.ended or state.light)
        dice = plan.get("rolls")
        return FollowUp("priority", {"rolls": dice} if dice else {}) if due else None
    if follow in (FOLLOW_FORCED, FOLLOW_ROUND):
        return _in_combat(state, plan if follow == FOLLOW_ROUND else None)
    return None


def forced_to_pass(fight: rounds.Round, fencer: rounds.Fencer) -> bool:
    """Return whether a fencer has to pass: after a Riposte, or with nothing to strike with."""
    return bool(fencer.passes) or not rounds.may_strike(fight, fencer)


def _in_combat(state: PlayState, plan: Mapping[str, Any] | None) -> FollowUp | None:
    """Return the next event of the open round: a forced pass or, with a plan, a blow."""
    fight = state.table.fight
    following = None if fight is None else fight.next
    if fight is None or following is None or state.ended:
        return None
    if plan is not None:
        blow = _warhorse(state, fight, following, plan) or _planned_blow(
            state, fight, following, plan
        )
        if blow is not None:
            return FollowUp("attack", blow)
    elif not forced_to_pass(fight, following):
        return None
    return FollowUp("pass", {"fighter": following.id})


def _warhorse(
    state: PlayState, fight: rounds.Round, rider: rounds.Fencer, plan: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the blow of a warhorse, once a turn: at its rider's first opportunity, before the
    rider's own."""
    strikes = rounds.steed_pool(present(state, rider.id), ride_by=state.table.ride_by) > 0
    if fight.simplified or not strikes or state.table.of(rider.id).has("mount-fought"):
        return None
    for target in _targets(fight, rider, plan):
        at_mount = present(state, target).mounted
        answers = () if at_mount else _answers(state, rider.id, target, plan, by_mount=True)
        data = _attack(rider.id, target, answers=answers, at_mount=at_mount, by_mount=True)
        if _legal(state, data):
            return data
    return None


def _planned_blow(
    state: PlayState, fight: rounds.Round, following: rounds.Fencer, plan: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the planned blow of the next fighter, None if it passes."""
    for fencer in _able_to_strike(fight, following):
        own = plan.get(fencer.id, {})
        if own.get("holds"):
            continue
        for target in _targets(fight, fencer, plan):
            at_mount = "rider" not in blows.targets(
                present(state, fencer.id), present(state, target)
            )
            ploys = _ploys(state, fencer, target, own.get("ploys", ()))
            for tried in dict.fromkeys((ploys, ())):
                answers = () if at_mount else _answers(state, fencer.id, target, plan)
                data = _attack(fencer.id, target, ploys=tried, answers=answers, at_mount=at_mount)
                if _legal(state, data):
                    return data
    return None


def _able_to_strike(fight: rounds.Round, following: rounds.Fencer) -> Iterator[rounds.Fencer]:
    """Yield the fencers who may strike now: the next one, or in the simplified procedure anybody of
    its side."""
    own = [
        following,
        *(each for each in fight.fencers if fight.simplified and each.side == following.side),
    ]
    for fencer in dict.fromkeys(own):
        if rounds.its_turn(fight, fencer) and not forced_to_pass(fight, fencer):
            yield fencer


def _targets(fight: rounds.Round, fencer: rounds.Fencer, plan: Mapping[str, Any]) -> list[str]:
    """Return its possible targets: the conscious first, and among them the one that the plan
    names."""
    chosen = plan.get(fencer.id, {}).get("target", "")
    foes = fight.foes(fencer)
    return [each.id for each in sorted(foes, key=lambda foe: (foe.helpless, foe.id != chosen))]


def _ploys(state: PlayState, fencer: rounds.Fencer, target: str, planned: Iterable[str]) -> Ploys:
    """Return those of the planned Ploys that the rules allow together now."""
    able = present(state, fencer.id)
    chosen: Ploys = ()
    for ploy in map(blows.Ploy, planned):
        tried: Ploys = (*chosen, ploy)
        stance, _ = Attacked(attacker=fencer.id, target=target, ploys=tried).stances(state)
        if not blows.attacker_violations(able, stance, state.settings):
            chosen = tried
    return chosen


def _answers(
    state: PlayState, attacker: str, target: str, plan: Mapping[str, Any], *, by_mount: bool = False
) -> Ploys:
    """Return the Ploys with which the target answers, as planned if the rules and the counters
    allow it."""
    for tried in ANSWERS[plan.get(target, {}).get("answers") or "parry"]:
        _, stance = Attacked(
            attacker=attacker, target=target, answers=tried, by_mount=by_mount
        ).stances(state)
        if not blows.defender_violations(present(state, target), stance, state.settings):
            return tried
    return ()


def _attack(
    attacker: str,
    target: str,
    ploys: Ploys = (),
    answers: Ploys = (),
    *,
    at_mount: bool = False,
    by_mount: bool = False,
) -> dict[str, Any]:
    """Return the data of an attack, without fields that have their default."""
    data: dict[str, Any] = {"attacker": attacker, "target": target}
    if ploys:
        data["ploys"] = [ploy.value for ploy in ploys]
    if answers:
        data["answers"] = [ploy.value for ploy in answers]
    if at_mount:
        data["at_mount"] = True
    if by_mount:
        data["by_mount"] = True
    return data


def _legal(state: PlayState, data: Mapping[str, Any]) -> bool:
    """Return whether the rules allow such a blow now, whatever its dice show."""
    event = Attacked(
        attacker=data["attacker"],
        target=data["target"],
        ploys=tuple(map(blows.Ploy, data.get("ploys", ()))),
        answers=tuple(map(blows.Ploy, data.get("answers", ()))),
        at_mount=data.get("at_mount", False),
        by_mount=data.get("by_mount", False),
    )
    logged = LoggedEvent(0, "attack", data, state.table.turn)
    return not (
        any(event.input_errors(state, logged)) or any(POLICY.violations(state, event, logged))
    )
