"""The moments of a battle of Avant-garde, found in the steps of its log."""

from collections.abc import Iterator
from typing import NamedTuple

from rulebook.battle_log.kinds import ReplayStep
from rulebook.battle_log.moments import (
    by_event,
    chance_of_hits,
    fielded,
    gathered,
    in_order,
    tallies,
)
from rulebook.battle_log.play import Play
from rulebook.systems.avant_garde.book import INCHES
from rulebook.systems.avant_garde.charging import ChargersRan, Reacted
from rulebook.systems.avant_garde.commanding import Arrived, BrigadeTested
from rulebook.systems.avant_garde.ending import Ended, LocationTaken
from rulebook.systems.avant_garde.fighting import BreakTested, Fought
from rulebook.systems.avant_garde.firing import (
    CasualtyTested,
    Fired,
    GunsFired,
    PanicTested,
    Struck,
)
from rulebook.systems.avant_garde.log import score_of
from rulebook.systems.avant_garde.morale import BROKEN, GOOD
from rulebook.systems.avant_garde.shooting import fire_need
from rulebook.systems.avant_garde.state import Combatant, State
from rulebook.values.moments import BattleMoments, Moment, MomentKind, Somebody, TurnTally

Step = ReplayStep[State]
TESTS = (CasualtyTested, PanicTested, BreakTested, BrigadeTested)


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
        measure=INCHES,
        strength="figures",
    )


def _people(play: Play[State]) -> dict[str, Somebody]:
    """Return the sides, their units and commanders, and groups of skirmishers."""
    people = fielded(play.setup, "unit")
    for key, combatant in play.state.combatants.items():
        sort = "person" if combatant.commander else "unit"
        people[key] = Somebody(combatant.name, combatant.side, sort)
    return people


def turn_of(step: Step) -> int:
    """Return the turn of a step, 0 on a sheet that does not say it."""
    return step.logged.turn or step.after.turn


def _tally(state: State, turn: int) -> TurnTally:
    """Return the figures of each side that are still in the battle, and the score."""
    return TurnTally(
        turn,
        {
            side: sum(each.figures for each in state.of(side) if not each.gone)
            for side in state.sides
        },
        {side: sum(line.points for line in score_of(state, side)) for side in state.sides},
    )


class Attack(NamedTuple):
    """An attack from afar: the shooter, the target and the weapon."""

    actor: str
    target: str
    means: str
    weapon: str = ""
    distance: float = 0


def _attack(step: Step) -> Attack | None:
    """Return the attack that an event is, None if it is none."""
    event, before = step.event, step.before
    match event:
        case Fired():
            weapon = event.fire(before).weapon
            return Attack(event.fighter, event.target, "shot", weapon, event.inches)
        case GunsFired():
            return Attack(event.fighter, event.target, "gun", event.round, event.inches)
        case Struck() if event.target:
            return Attack(event.fighter, event.target, "gun")
        case Reacted() if event.shots:
            fired = event.fired(before)
            return Attack(event.fighter, fired.target, "shot", fired.fire(before).weapon)
    return None


def _of_step(step: Step) -> Iterator[Moment]:
    event = step.event
    if attack := _attack(step):
        yield from _losses(step, attack)
    if isinstance(event, Fought):
        yield from _fight(step, event)
    if isinstance(event, TESTS):
        yield _test(step, event)
    yield from _movements(step)
    yield from _ends(step)


def _movements(step: Step) -> Iterator[Moment]:
    """Yield charges that arrive, reinforcements, places that are taken, and the end."""
    event, turn, events = step.event, turn_of(step), (step.logged.sequence,)
    match event:
        case ChargersRan() if event.arrives(step.before) and not event.around:
            charge = event.charge(step.before)
            rider = step.before.combatants[event.fighter].cavalry
            yield Moment(
                kind=MomentKind.CHARGE,
                events=events,
                turn=turn,
                actor=event.fighter,
                target=charge.target,
                effect="mounted" if rider else "",
            )
        case Arrived() if event.come(step.before):
            yield Moment(
                kind=MomentKind.ARRIVAL,
                events=events,
                turn=turn,
                actor=event.side,
                others=tuple(each.id for each in event.waiting(step.before)),
            )
        case LocationTaken():
            before = step.before.locations
            for place, side in step.after.locations.items():
                if side and before.get(place) != side:
                    yield Moment(kind=MomentKind.OBJECTIVE, events=events, turn=turn, actor=side)
        case Ended():
            yield Moment(kind=MomentKind.END, events=events, turn=turn)


def _losses(step: Step, attack: Attack) -> Iterator[Moment]:
    """Yield the figures that a unit lost by an attack, if it lost any."""
    before, after = (state.combatants[attack.target] for state in (step.before, step.after))
    lost = before.figures - after.figures
    if lost <= 0 or before.side == step.before.combatants[attack.actor].side:
        return
    event = step.event
    dice: tuple[int, ...] = ()
    chance = 1.0
    if isinstance(event, Fired):
        dice = event.shots
        hits = len(event.kills) + len(event.location)
        chance = chance_of_hits(len(dice), fire_need(event.fire(step.before)), hits)
    yield Moment(
        kind=MomentKind.LOSSES,
        events=(step.logged.sequence,),
        turn=turn_of(step),
        actor=attack.actor,
        target=attack.target,
        weapon=attack.weapon,
        means=attack.means,
        distance=attack.distance,
        dice=dice,
        chance=chance,
        number=lost,
        of=before.figures,
    )


def _fight(step: Step, event: Fought) -> Iterator[Moment]:
    """Yield who won a fight, with the figures that both lost; none for a draw."""
    fight, combat = event.fight(step.before), event.combat(step.before)
    killed, lost = event.killed(fight)
    by = event.won_by(fight)
    if by == 0:
        return
    winner, loser = (combat.fighter, combat.target) if by > 0 else (combat.target, combat.fighter)
    cost = (killed, lost) if by > 0 else (lost, killed)
    yield Moment(
        kind=MomentKind.FIGHT,
        events=(step.logged.sequence,),
        turn=turn_of(step),
        actor=winner,
        target=loser,
        effect="mounted" if step.before.combatants[winner].cavalry and by > 0 else "",
        number=cost[0],
        of=cost[1],
        passed=by > 0,
    )


def _test(step: Step, event: CasualtyTested | PanicTested | BreakTested | BrigadeTested) -> Moment:
    state = step.after.combatants[event.fighter]
    effect = {GOOD: "steady", BROKEN: "broken"}.get(state.order, "shaken")
    return Moment(
        kind=MomentKind.TEST,
        events=(step.logged.sequence,),
        turn=turn_of(step),
        actor=event.fighter,
        dice=event.again or event.dice,
        effect="broken" if state.gone else effect,
        passed=effect == "steady" or step.before.combatants[event.fighter].order == state.order,
    )


def _ends(step: Step) -> Iterator[Moment]:
    """Yield who is gone by a step, whose colours were taken, and which commander was unhorsed."""
    doers = {
        (deed.victim, deed.kind): deed.fighter
        for deed in step.after.deeds[len(step.before.deeds) :]
    }
    events, turn = (step.logged.sequence,), turn_of(step)
    for key, after in step.after.combatants.items():
        before = step.before.combatants.get(key)
        if before is None or before is after or after.parent:
            continue
        if after.colours_lost and not before.colours_lost and (key, "colours") in doers:
            actor = doers[key, "colours"]
            yield Moment(kind=MomentKind.COLOURS, events=events, turn=turn, actor=actor, target=key)
        if after.unhorsed and not before.unhorsed:
            yield Moment(
                kind=MomentKind.MISHAP, events=events, turn=turn, target=key, effect="unhorsed"
            )
        if after.gone and not before.gone:
            yield _end(step, after, doers.get((key, after.gone), ""))


def _end(step: Step, gone: Combatant, by: str) -> Moment:
    """Return the end of a unit or commander in the battle as a moment."""
    events, turn = (step.logged.sequence,), turn_of(step)
    if gone.gone == "left":
        return Moment(kind=MomentKind.FLIGHT, events=events, turn=turn, actor=gone.id)
    if gone.gone == "surrendered" and by:
        return Moment(kind=MomentKind.CAPTURE, events=events, turn=turn, actor=by, target=gone.id)
    return Moment(
        kind=MomentKind.KILL,
        events=events,
        turn=turn,
        actor=by,
        target=gone.id,
        effect="dead" if gone.commander else "destroyed",
    )
