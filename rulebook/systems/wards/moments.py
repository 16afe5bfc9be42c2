"""The moments of a battle of Wards, found in the steps of its log."""

from collections.abc import Iterator

from rulebook.battle_log.kinds import ReplayStep
from rulebook.battle_log.moments import by_event, fielded, gathered, in_order, tallies
from rulebook.battle_log.play import Play
from rulebook.systems.wards.book import CAVALRY
from rulebook.systems.wards.combats import (
    Charged,
    Fought,
    GeneralStruck,
    GunShot,
    HandGunnersShot,
    WardShot,
)
from rulebook.systems.wards.ending import Arrived, Ended
from rulebook.systems.wards.events import MoraleTested
from rulebook.systems.wards.state import State, ward_name
from rulebook.values.moments import BattleMoments, Moment, MomentKind, Somebody, TurnTally

Step = ReplayStep[State]
NERVE = {"steady": "steady", "hesitation": "shaken", "stand": "shaken", "rout": "broken"}


def moments(play: Play[State]) -> BattleMoments:
    """Return the moments of a battle from its whole log."""
    people = _people(play)
    side_of = {key: each.side for key, each in people.items()}
    from_steps = [moment for step in play.steps for moment in _of_step(step)]
    start = play.steps[0].before if play.steps else play.state
    return BattleMoments(
        moments=by_event(gathered(from_steps, side_of)),
        turns=tallies(play.steps, lambda state: state.turn, _tally),
        opening=_tally(start, 0).strength,
        people=people,
        in_order=in_order(play.steps),
        strength="half-bases",
    )


def _people(play: Play[State]) -> dict[str, Somebody]:
    """Return the sides, their units and Generals, and their Wards."""
    people = fielded(play.setup, "unit")
    keys: dict[str, None] = {}
    for key, combatant in play.state.combatants.items():
        if combatant.fighter.general:
            people[key] = Somebody(combatant.name, combatant.side)
    for state in (play.state, *(step.before for step in play.steps)):
        keys |= dict.fromkeys(each.key for each in state.combatants.values() if each.key)
    for key in keys:
        name, side = ward_name(key), key.split("/", maxsplit=1)[0]
        people[key] = Somebody(name, side, "cavalry" if name == CAVALRY else "group")
    return people


def turn_of(step: Step) -> int:
    """Return the turn of a step, 0 on a sheet that does not say it."""
    return step.logged.turn or step.after.turn


def _tally(state: State, turn: int) -> TurnTally:
    """Return the half-bases of each side that are left in the battle."""
    return TurnTally(
        turn,
        {
            side: sum(each.halves for each in state.of(side) if not each.gone)
            for side in state.sides
        },
    )


def _of_step(step: Step) -> Iterator[Moment]:
    event, turn, events = step.event, turn_of(step), (step.logged.sequence,)
    actor = ""
    match event:
        case Fought() if not event.refuses:
            own, other = event.hits()
            winner, loser = event.winner_and_loser()
            hits = (own, other) if winner == event.ward else (other, own)
            charged = isinstance(event, Charged) and winner == event.ward
            actor = winner
            yield Moment(
                kind=MomentKind.FIGHT,
                events=events,
                turn=turn,
                actor=winner,
                target=loser,
                effect="mounted" if charged else "",
                number=hits[0],
                of=hits[1],
                # Whether the side that attacked has won.
                passed=winner == event.ward,
            )
        case WardShot() | GunShot():
            actor = event.ward if isinstance(event, WardShot) else event.fighter
            if hurt := event.casualties(step.before).total():
                yield Moment(
                    kind=MomentKind.LOSSES,
                    events=events,
                    turn=turn,
                    actor=actor,
                    target=event.target,
                    means="gun" if isinstance(event, GunShot) else "shot",
                    weapon="" if isinstance(event, GunShot) else "bow",
                    number=hurt,
                )
        case HandGunnersShot():
            actor = event.fighter
        case MoraleTested():
            key = step.after.ward(event.ward).morale
            yield Moment(
                kind=MomentKind.TEST,
                events=events,
                turn=turn,
                actor=event.ward,
                dice=event.dice,
                effect=NERVE.get(key, "steady"),
                passed=key == "steady",
            )
        case GeneralStruck() if not event.dies(step.before):
            yield Moment(kind=MomentKind.SAVED, events=events, turn=turn, actor=event.fighter)
        case Arrived():
            if arrived := event.arrived(step.before):
                yield Moment(
                    kind=MomentKind.ARRIVAL,
                    events=events,
                    turn=turn,
                    actor=event.side,
                    others=tuple(each.id for each in arrived),
                )
        case Ended():
            yield Moment(kind=MomentKind.END, events=events, turn=turn, effect="declared")
    yield from _gone(step, actor)


def _gone(step: Step, actor: str) -> Iterator[Moment]:
    """Yield the units and Generals that are gone by a step. ``actor`` is who brought it about if
    no deed says so, "" for nobody."""
    by = {
        deed.victim: deed.fighter
        for deed in step.after.deeds[len(step.before.deeds) :]
        if deed.kind == "loss"
    }
    for key, combatant in step.after.combatants.items():
        if not combatant.gone or step.before.combatants[key].gone:
            continue
        turn, events = turn_of(step), (step.logged.sequence,)
        if combatant.gone == "routed":
            yield Moment(kind=MomentKind.FLIGHT, events=events, turn=turn, actor=key)
            continue
        enemy = actor if actor.split("/", maxsplit=1)[0] != combatant.side else ""
        doer = by.get(key, "") or enemy
        # A unit is named for what it did, and not the enemy's General for his own death.
        if doer in step.after.combatants and step.after.combatants[doer].side == combatant.side:
            doer = ""
        yield Moment(
            kind=MomentKind.KILL,
            events=events,
            turn=turn,
            actor=doer,
            target=key,
            effect="dead" if combatant.fighter.general else "destroyed",
            means="blow" if isinstance(step.event, Fought) else "",
        )
