"""Shots in the log. Rule book: "Use a missile weapon", "Shooting into combat", "Beguiling", "Lucky"."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import LastShot
from rulebook.systems.en_garde.table.orders import order_target_violations
from rulebook.systems.en_garde.table.shooting import ShotResult, shot_violations
from rulebook.systems.en_garde.turns.checking import (
    acts,
    civilians_idle,
    missing_dice,
    once_a_turn,
    out_of_action,
    unknown_among,
    unknown_fighters,
)
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import Means, WoundEvent, harm
from rulebook.systems.en_garde.turns.loading import counters_on, fired, gun_violations, guns_of, readiest, with_counters
from rulebook.systems.en_garde.turns.luck import luck_used, lucky_violations
from rulebook.systems.en_garde.turns.shot_events import ShotFired
from rulebook.systems.en_garde.turns.shot_outcomes import (
    circumstances,
    dares,
    is_sequel,
    large_die_wanted,
    nerve_wanted,
    outcome,
    rerolls,
    rider_die_wanted,
    shares_dice,
    shot_this_turn,
    weapon_of,
)
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation


def shot_input_errors(state: PlayState, event: ShotFired, logged: LoggedEvent) -> Iterator[Problem]:
    """Is everybody and the weapon known, and are the dice there?"""
    named: dict[str, str | None] = {"shooter": event.shooter, "target": event.target}
    named |= {"wide_of": event.wide_of or None, "beside": event.beside or None, "lucky": event.lucky or None}
    unknown = (
        *unknown_fighters(state, **named),
        *unknown_among(state, "between", event.between),
        *civilians_idle(state, "shooter", event.shooter),
    )
    yield from unknown
    if unknown:
        return
    arms = catalogue().arms
    if event.weapon not in arms.missiles and event.weapon not in arms.guns:
        yield Problem("unknown-weapon", "There is no such missile weapon or gun.", field="weapon", value=event.weapon)
        return
    yield from _dice(state, event)


def _dice(state: PlayState, event: ShotFired) -> Iterator[Problem]:
    wanted = int(nerve_wanted(state, event))
    lacking = tuple(missing_dice("nerve", event.nerve, wanted))
    if lacking or not dares(state, event):
        yield from lacking
        return
    lacking = tuple(missing_dice("dice", event.dice, 0 if shares_dice(state, event) else 2))
    yield from lacking
    if lacking:
        return
    if event.reroll is not None and not rerolls(state, event):
        yield from missing_dice("reroll", event.reroll, 0)
    if event.luck is not None and not event.lucky:
        yield from missing_dice("luck", event.luck, 0)
    yield from _later_dice(state, event)


def _later_dice(state: PlayState, event: ShotFired) -> Iterator[Problem]:
    lacking = tuple(missing_dice("rider_die", event.rider_die, int(rider_die_wanted(state, event))))
    yield from lacking
    if not lacking:
        yield from missing_dice("die", event.die, int(large_die_wanted(state, event)))


def shot_event_violations(state: PlayState, event: ShotFired, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Everything that forbids the shot."""
    shooter = present(state, event.shooter)
    return (
        *out_of_action(state, event.shooter),
        *_spent(state, event),
        *_sequel_violations(state, event),
        *_ordered_at(state, event),
        *_unarmed(state, event),
        *(() if shares_dice(state, event) else shot_violations(shooter, weapon_of(event), circumstances(state, event))),
        *lucky_violations(state, event.lucky, event.shooter, event.target),
        *_gone(state, event),
    )


def _spent(state: PlayState, event: ShotFired) -> tuple[Violation, ...]:
    """One shot a turn, two for an Archer who shoots twice; what follows from a shot is none of its own."""
    if is_sequel(event):
        return ()
    last = shot_this_turn(state, event.shooter)
    second = event.twice and last is not None and last.twice and state.table.of(event.shooter).shots == 1
    return () if second else once_a_turn(state, event.shooter, "shoot", after_step=True)


def _sequel_violations(state: PlayState, event: ShotFired) -> tuple[Violation, ...]:
    """A miss into combat may strike one other there; blast and spray strike everybody once."""
    last = shot_this_turn(state, event.shooter)
    same = last is not None and last.weapon == event.weapon and last.target == (event.wide_of or event.beside)
    if event.wide_of and not (same and last is not None and last.wide and _fights_with(state, event)):
        sentence = "Only a shot that has missed its target in a combat may strike one other fighter there."
        return (Violation("not-wide", sentence, 'Rule book: "Shooting into combat"'),)
    weapon = weapon_of(event)
    spreads = last is not None and event.target not in last.at and (weapon.spray or (weapon.blast and last.hit))
    if event.beside and not (same and spreads):
        sentence = "Only a spray, or a blast that has hit, strikes others, and each of them once."
        return (Violation("no-spread", sentence, 'Rule book: "Blast", "Spray"'),)
    return ()


def _ordered_at(state: PlayState, event: ShotFired) -> tuple[Violation, ...]:
    """On a Shoot order, one of those whom it allows; what follows from a shot strikes whom it will."""
    known = state.table.of(event.shooter)
    on_order = known.ordered == state.table.turn and not is_sequel(event)
    return order_target_violations(event.target, known.order_targets) if on_order else ()


def _fights_with(state: PlayState, event: ShotFired) -> bool:
    """Is the new target in the combat of whom the shot was meant for?"""
    others = state.table.of(event.wide_of).contacts
    allies = (each for other in others for each in state.table.of(other).contacts)
    return event.target != event.wide_of and event.target in (*others, *allies)


def _unarmed(state: PlayState, event: ShotFired) -> tuple[Violation, ...]:
    if event.grapeshot and not weapon_of(event).spray:
        return (
            Violation("no-grapeshot", f"The {weapon_of(event).name.lower()} fires none.", 'Rule book: "Grapeshot"'),
        )
    brought = (bought.gun for bought in guns_of(state, event.shooter))
    if event.weapon in (*present(state, event.shooter).weapons, *brought):
        return gun_violations(state, event.shooter, event.weapon)
    sentence = f"{state.named(event.shooter)} has no {weapon_of(event).name.lower()}."
    return (Violation("not-carried", sentence, 'Rule book: "Missile weapons"'),)


def _gone(state: PlayState, event: ShotFired) -> tuple[Violation, ...]:
    there = state.somebody(event.target)
    if there.on_table:
        return out_of_action(state, event.target) if state.table.of(event.target).reserve else ()
    return (Violation("target-gone", f"{state.named(event.target)} is {there.why_out}.", 'Rule book: "Wounds"'),)


def take_shot(state: PlayState, event: ShotFired, logged: LoggedEvent) -> PlayState:
    """The state after the shot."""
    known = state.table.of(event.shooter)
    shots = known.shots + 1 if shot_this_turn(state, event.shooter) else 1
    after = state if is_sequel(event) else acts(state, event.shooter, **_shooting(state, event, shots))
    after = luck_used(after, event.lucky)
    if not dares(state, event):
        return after
    found = outcome(state, event)
    remembered = _remembered(state, event, found)
    after = _jammed(after, event, remembered, found) if is_sequel(event) else _loaded(after, event, found)
    changes = {"struck": (*known.struck, event.target), "last_shot": remembered}
    after = replace(after, table=after.table.with_fighter(event.shooter, **changes))
    return _hit(after, event, logged, found)


def _shooting(state: PlayState, event: ShotFired, shots: int) -> dict[str, object]:
    """What the table keeps of a shot as an action; a short move with it is a move."""
    return {"shots": shots, "moved": state.table.turn} if event.moved else {"shots": shots}


def _remembered(state: PlayState, event: ShotFired, found: ShotResult) -> LastShot:
    """What a later shot has to know of this one, or of the one that it followed from."""
    last = state.table.of(event.shooter).last_shot
    if last is not None and is_sequel(event):
        return replace(last, wide=False, at=(*last.at, event.target))
    return LastShot(
        turn=state.table.turn,
        weapon=event.weapon,
        target=event.target,
        dice=found.dice,
        hit=found.hit,
        hit_score=found.hit_score,
        wide=not found.hit and state.table.engaged(event.target) and not event.at_point,
        twice=event.twice,
        at=(event.target,),
        piece=readiest(state, event.shooter, event.weapon),
    )


def _jammed(state: PlayState, event: ShotFired, last: LastShot, found: ShotResult) -> PlayState:
    """A second shot into combat is a roll of its own, and two ones jam the weapon. Rule book: "Misfires"."""
    if not (event.wide_of and found.misfired):
        return state
    counters = counters_on(state, event.shooter, event.weapon).get(last.piece, 0)
    return with_counters(state, event.shooter, last.piece, counters + 1)


def _loaded(state: PlayState, event: ShotFired, found: ShotResult) -> PlayState:
    """Reload counters after the shot, and what can be used only once."""
    state = fired(state, event.shooter, event.weapon, found.reload)
    known = state.table.of(event.shooter)
    used = (*known.used_up, event.weapon) if weapon_of(event).one_use else known.used_up
    return replace(state, table=state.table.with_fighter(event.shooter, used_up=used))


def _hit(state: PlayState, event: ShotFired, logged: LoggedEvent, found: ShotResult) -> PlayState:
    if found.result is None:
        return state
    wound = WoundEvent(
        victim=event.target,
        result=found.result,
        means=Means.ORDNANCE if weapon_of(event).gun else Means.SHOOTING,
        attacker=event.shooter,
        weapon=event.weapon,
        on_mount=found.on_mount,
        die=event.die,
    )
    return harm(state, logged, wound)


RULES: Rules = {ShotFired: TurnRule(shot_input_errors, shot_event_violations, take_shot)}
