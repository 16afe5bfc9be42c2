"""The moments of a battle of Argad!, found in the steps of its log."""

from collections.abc import Iterator

from rulebook.battle_log.kinds import ReplayStep
from rulebook.battle_log.moments import (
    Exchange,
    by_event,
    chance_of_open_ended,
    duels,
    fielded,
    in_order,
    tallies,
)
from rulebook.battle_log.play import Play
from rulebook.ruleset import Deed
from rulebook.systems.argad.book import CENTIMETRES
from rulebook.systems.argad.events import Ended, Fought, Lost, ShotFired
from rulebook.systems.argad.state import State
from rulebook.values.moments import BattleMoments, Moment, MomentKind, TurnTally

Step = ReplayStep[State]
WEAPONS = {
    "two-handed": "great sword",
    "heavy-tool": "heavy tool",
    "tool": "tool",
    "butt": "musket butt",
    "bare-hands": "",
    "none": "",
}
"""Plain nouns for weapons whose keys are none."""


def moments(play: Play[State]) -> BattleMoments:
    """Return the moments of a battle from its whole log."""
    people = fielded(play.setup)
    side_of = {key: each.side for key, each in people.items()}
    exchanges = [each for step in play.steps for each in _exchanges(step)]
    from_steps = [moment for step in play.steps for moment in _of_step(step)]
    start = play.steps[0].before if play.steps else play.state
    return BattleMoments(
        moments=by_event((*from_steps, *duels(exchanges, side_of))),
        turns=tallies(play.steps, lambda state: state.turn, _tally),
        opening=_tally(start, 0).strength,
        people=people,
        in_order=in_order(play.steps),
        measure=CENTIMETRES,
        far=30,
    )


def turn_of(step: Step) -> int:
    """Return the turn of a step, 0 on a sheet that does not say it."""
    return step.logged.turn or step.after.turn


def _tally(state: State, turn: int) -> TurnTally:
    strength = {side: sum(not each.gone for each in state.of(side)) for side in state.sides}
    return TurnTally(turn, strength)


def _of_step(step: Step) -> Iterator[Moment]:
    event, turn, events = step.event, turn_of(step), (step.logged.sequence,)
    if isinstance(event, Fought) and "charging" in event.stances:
        yield Moment(
            kind=MomentKind.CHARGE,
            events=events,
            turn=turn,
            actor=event.fighter,
            target=event.enemy,
            effect="mounted",
        )
    new = step.after.deeds[len(step.before.deeds) :]
    for deed in new:
        yield _harm(step, deed)
    if isinstance(event, Fought):
        yield from _driven_back(step, event)
    if isinstance(event, Lost) and not new:
        # Nobody is named for it.
        killed = event.gone == "killed"
        yield Moment(
            kind=MomentKind.KILL if killed else MomentKind.MISHAP,
            events=events,
            turn=turn,
            target=event.fighter,
            effect="dead" if killed else "",
        )
    if isinstance(event, Ended):
        yield Moment(kind=MomentKind.END, events=events, turn=turn, effect="declared")


def _driven_back(step: Step, event: Fought) -> Iterator[Moment]:
    """Yield who was driven back by a blow that did not kill."""
    for victim, enemy in ((event.fighter, event.enemy), (event.enemy, event.fighter)):
        before, after = (state.combatants[victim] for state in (step.before, step.after))
        if after.gone or after.done.count("recoiled") <= before.done.count("recoiled"):
            continue
        yield Moment(
            kind=MomentKind.HIT,
            events=(step.logged.sequence,),
            turn=turn_of(step),
            actor=enemy,
            target=victim,
            weapon=_weapon(step, event, enemy),
            means="blow",
            effect="back",
        )


def deed_weapon(deed: Deed) -> str:
    """Return the weapon of a deed as a plain noun, or "" if it is not known."""
    key = str(deed.detail.get("weapon", ""))
    return WEAPONS.get(key, key)


def _weapon(step: Step, event: Fought, who: str) -> str:
    """Return the weapon with which one of two fought, as a plain noun."""
    melee = event.melee(step.before)
    key = (melee.first if who == event.fighter else melee.second).weapon
    return WEAPONS.get(key, key)


def _harm(step: Step, deed: Deed) -> Moment:
    """Return a deed as a moment: a kill, a capture, or somebody who is out of action."""
    event = step.event
    weapon, distance = "", 0.0
    dice: tuple[int, ...] = ()
    if isinstance(event, ShotFired):
        weapon = step.before.combatants[deed.fighter].fighter.firearm
        distance, dice = event.cm, event.dice
    elif isinstance(event, Fought):
        weapon = _weapon(step, event, deed.fighter)
        dice = event.dice if deed.fighter == event.fighter else event.enemy_dice
    kind, effect = MomentKind.HIT, "out"
    if deed.killed:
        kind, effect = MomentKind.KILL, "dead"
    elif deed.kind == "captive":
        kind, effect = MomentKind.CAPTURE, ""
    return Moment(
        kind=kind,
        events=(step.logged.sequence,),
        turn=turn_of(step),
        actor=deed.fighter,
        target=deed.victim or "",
        weapon=weapon,
        means={"shot": "shot", "melee": "blow"}.get(deed.means, ""),
        distance=distance,
        dice=dice,
        chance=chance_of_open_ended(dice),
        effect=effect,
        friendly=deed.friendly,
    )


def _exchanges(step: Step) -> Iterator[Exchange]:
    """Yield the blows of a turn of melee, as one."""
    event = step.event
    if isinstance(event, Fought):
        new = step.after.deeds[len(step.before.deeds) :]
        killer = next((deed.fighter for deed in new if deed.killed), "")
        attacker, target = event.fighter, event.enemy
        if killer == target:
            attacker, target = target, attacker
        yield Exchange(step.logged.sequence, turn_of(step), attacker, target, bool(killer))
