"""The moments of a battle of En Garde!, found in the steps of its log."""

from collections.abc import Iterator, Mapping

from rulebook.battle_log.kinds import ReplayStep
from rulebook.battle_log.moments import (
    Exchange,
    by_event,
    chance_of_low_total,
    chance_of_total,
    duels,
    fielded,
    gathered,
    in_order,
    tallies,
)
from rulebook.battle_log.play import Play
from rulebook.ruleset import Deed
from rulebook.systems.en_garde.play import endings, scenario_events
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import arm
from rulebook.systems.en_garde.table.blows import kept
from rulebook.systems.en_garde.table.morale import Morale, resolve_morale
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.systems.en_garde.turns.attacks import Attacked
from rulebook.systems.en_garde.turns.blows import Strike
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import HAND_TO_HAND, WoundCause, WoundEvent
from rulebook.systems.en_garde.turns.moves import Moved
from rulebook.systems.en_garde.turns.nerve import MoraleTested, warband_of
from rulebook.systems.en_garde.turns.shots import ShotFired
from rulebook.systems.en_garde.turns.turn_event import INCHES
from rulebook.systems.en_garde.victory import score_so_far, total
from rulebook.values.moments import BattleMoments, Moment, MomentKind, Somebody, TurnTally

Step = ReplayStep[PlayState]
MEANS: Mapping[str, str] = {
    WoundCause.MELEE: "blow",
    WoundCause.SHOOTING: "shot",
    WoundCause.ORDNANCE: "gun",
    WoundCause.SPELL: "spell",
    WoundCause.RIPOSTE: "riposte",
    WoundCause.FREE_ATTACK: "free",
}
"""The neutral words for the ways to deal a wound."""
EFFECTS = {"light": "light", "grievous": "grave", "critical": "grave"}
STATES = {Morale.STEADY: "steady", Morale.WAVERING: "shaken", Morale.ROUTING: "broken"}
NO_WEAPON = ("hands-and-feet", "bare-hands")


def moments(play: Play[PlayState]) -> BattleMoments:
    """Return the moments of a battle from its whole log."""
    people = _people(play)
    side_of = {key: each.side for key, each in people.items()}
    from_steps = [moment for step in play.steps for moment in _of_step(step)]
    exchanges = [each for step in play.steps for each in _exchanges(step)]
    start = play.steps[0].before if play.steps else play.state
    return BattleMoments(
        moments=by_event((*gathered(from_steps, side_of), *duels(exchanges, side_of))),
        turns=tallies(play.steps, lambda state: state.table.turn, _tally),
        opening=_tally(start, 0).strength,
        people=people,
        in_order=in_order(play.steps),
        measure=INCHES,
    )


def _people(play: Play[PlayState]) -> dict[str, Somebody]:
    """Return everybody in the battle: those in the line-ups, Civilians and the summoned."""
    people = fielded(play.setup)
    for key, civilian in play.state.civilians.items():
        people[key] = Somebody(civilian.name, civilian.side)
    for key, combatant in play.state.combatants.items():
        people.setdefault(key, Somebody(combatant.fighter.name, combatant.side))
    return people


def _tally(state: PlayState, turn: int) -> TurnTally:
    return TurnTally(
        turn,
        {side: sum(each.standing for each in state.own(side)) for side in state.sides},
        {side: total(score_so_far(state, side)) for side in state.sides},
    )


def _of_step(step: Step) -> Iterator[Moment]:
    yield from _harm(step)
    yield from _mishaps(step)
    event, turn, events = step.event, _turn(step), (step.logged.sequence,)
    match event:
        case Moved():
            yield from _charge(step, event)
        case MoraleTested():
            yield _test(step, event)
        case WoundEvent(result=WoundResult.STUNNED, on_mount=False, friendly=False):
            yield from _stun(step, event)
        case endings.Routed():
            yield Moment(kind=MomentKind.FLIGHT, events=events, turn=turn, actor=event.fighter)
        case endings.Captured():
            kind = MomentKind.COLOURS if event.banner else MomentKind.CAPTURE
            target = event.banner or event.fighter or ""
            yield Moment(kind=kind, events=events, turn=turn, actor=event.by, target=target)
        case scenario_events.ObjectiveHeld() if event.side:
            actor = event.by[0] if event.by else event.side
            yield Moment(kind=MomentKind.OBJECTIVE, events=events, turn=turn, actor=actor)
        case endings.Withdrew() | endings.Conceded():
            yield Moment(
                kind=MomentKind.END, events=events, turn=turn, actor=event.side, effect=event.key
            )
        case endings.Ended():
            yield Moment(
                kind=MomentKind.END,
                events=events,
                turn=turn,
                actor=event.side,
                effect=event.how.value,
            )


def _turn(step: Step) -> int:
    return step.logged.turn or step.after.table.turn


def _harm(step: Step) -> Iterator[Moment]:
    """Yield the wounds of a step: its new deeds, from light wounds to deaths."""
    for deed in step.after.deeds[len(step.before.deeds) :]:
        victim = deed.victim or str(deed.detail.get("civilian", ""))
        if deed.kind != "wound" or not victim:
            # The summoned are on no roster, and no deed names them by a key.
            continue
        weapon = str(deed.detail.get("weapon", ""))
        dice, chance = _dice(step, deed)
        effect = "out" if "subdued" in deed.detail else EFFECTS.get(deed.result, "light")
        yield Moment(
            kind=MomentKind.KILL if deed.killed else MomentKind.HIT,
            events=(step.logged.sequence,),
            turn=_turn(step),
            actor=deed.fighter,
            target=victim,
            weapon=_arm(weapon),
            means=MEANS.get(deed.means, ""),
            distance=_distance(step),
            dice=dice,
            chance=chance,
            effect="dead" if deed.killed else effect,
            friendly=deed.friendly,
        )


def _stun(step: Step, event: WoundEvent) -> Iterator[Moment]:
    """Yield a stunning blow or shot that was logged as such. It is nobody's deed."""
    if event.attacker:
        yield Moment(
            kind=MomentKind.HIT,
            events=(step.logged.sequence,),
            turn=_turn(step),
            actor=event.attacker,
            target=event.victim,
            weapon=_arm(event.weapon),
            means=MEANS.get(event.means, ""),
            effect="dazed",
        )


def _arm(weapon: str) -> str:
    """Return a weapon as a plain noun, "" for none."""
    return arm(weapon) if weapon and weapon not in NO_WEAPON else ""


def _dice(step: Step, deed: Deed) -> tuple[tuple[int, ...], float]:
    """Return the two dice by which a wound was dealt, with the chance of as good a throw."""
    event = step.event
    dice: tuple[int, ...] = ()
    if isinstance(event, ShotFired) and event.dice and not event.beside:
        dice = event.counted_dice(step.before)
    elif isinstance(event, Strike) and deed.means == WoundCause.RIPOSTE:
        dice = event.defence_roll()
    elif isinstance(event, Strike):
        ploys = frozenset(event.ploys) if isinstance(event, Attacked) else frozenset()
        dice = kept(event.attack_roll(), ploys) if not ploys else ()
    return dice, chance_of_total(dice)


def _distance(step: Step) -> float:
    """Return the measured range of a shot in inches, 0 for blows and for ranges by bands."""
    event = step.event
    return event.inches if isinstance(event, ShotFired) and not event.band else 0


def _mishaps(step: Step) -> Iterator[Moment]:
    """Yield the deaths that are nobody's deed, such as falls."""
    blamed = {deed.victim for deed in step.after.deeds[len(step.before.deeds) :] if deed.killed}
    for key, combatant in step.after.combatants.items():
        before = step.before.combatants.get(key)
        if before is combatant or before is None or before.dead or not combatant.dead:
            continue
        if key not in blamed and not combatant.summoned:
            causes = {"a fall": "fall", "drowning": "drowning", "poison": "poison"}
            yield Moment(
                kind=MomentKind.MISHAP,
                events=(step.logged.sequence,),
                turn=_turn(step),
                target=key,
                effect=causes.get(combatant.killed_by, ""),
            )


def _charge(step: Step, event: Moved) -> Iterator[Moment]:
    """Yield a move into contact of somebody who was in none, with the enemies that it reached.

    ``passed`` says that no friend was in contact anywhere, ``number`` is how many enemies stood.
    """
    before, after = step.before.table, step.after.table
    reached = after.of(event.fighter).contacts
    if not reached or before.of(event.fighter).contacts:
        return
    side = step.after.side_of(event.fighter) if event.fighter in step.after.combatants else ""
    engaged = any(
        after.engaged(each.fighter.id)
        for each in step.after.combatants.values()
        if each.side == side and each.standing and each.fighter.id != event.fighter
    )
    standing = sum(each.standing for each in step.after.enemies(side))
    yield Moment(
        kind=MomentKind.CHARGE,
        events=(step.logged.sequence,),
        turn=_turn(step),
        actor=event.fighter,
        target=reached[0],
        others=reached[1:],
        distance=event.inches or 0,
        effect="mounted" if present(step.before, event.fighter).mounted else "",
        passed=not engaged,
        number=standing,
    )


def _test(step: Step, event: MoraleTested) -> Moment:
    dice = event.reroll or event.dice
    test = resolve_morale(warband_of(step.before, event.side), dice, step.before.settings)
    chance = chance_of_low_total(dice) if test.passed else chance_of_total(dice)
    return Moment(
        kind=MomentKind.TEST,
        events=(step.logged.sequence,),
        turn=_turn(step),
        actor=event.side,
        dice=dice,
        chance=chance,
        effect=STATES[test.after],
        passed=test.passed,
    )


def _exchanges(step: Step) -> Iterator[Exchange]:
    """Yield the blow of a step, hit or miss."""
    event = step.event
    if isinstance(event, Strike) and event.target in step.after.combatants:
        new = step.after.deeds[len(step.before.deeds) :]
        killed = {deed.victim for deed in new if deed.killed and deed.means in HAND_TO_HAND}
        attacker, target = event.attacker, event.target
        if attacker in killed:
            attacker, target = target, attacker
        yield Exchange(step.logged.sequence, _turn(step), attacker, target, bool(killed))
