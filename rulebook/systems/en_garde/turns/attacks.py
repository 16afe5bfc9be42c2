"""Blows in the log: attacks within a round of combat."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import Table, touched
from rulebook.systems.en_garde.table.blows import Blow, attacker_violations, defender_violations
from rulebook.systems.en_garde.table.mounts import targets
from rulebook.systems.en_garde.table.pools import steed_pool
from rulebook.systems.en_garde.table.rounds import Round, fallen, its_turn, passed, steed_struck, struck
from rulebook.systems.en_garde.table.strikes import strike_violations
from rulebook.systems.en_garde.turns.blow_effects import harmed_by, pistol_fired
from rulebook.systems.en_garde.turns.blow_outcomes import (
    attack_stance,
    blow_dice,
    dares,
    defence_stance,
    grip_in,
    outcome,
)
from rulebook.systems.en_garde.turns.checking import civilians_idle, same_side, unknown_fighters
from rulebook.systems.en_garde.turns.combat_events import Attacked
from rulebook.systems.en_garde.turns.combats import fight_of, no_combat
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.luck import luck_used, lucky_violations
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation

RIDERS_STRIKE_RIDERS = Violation("rider-strikes-rider", "Riders strike riders.", 'Rule book: "Mounted combat"')


def attack_input_errors(state: PlayState, event: Attacked, logged: LoggedEvent) -> Iterator[Problem]:
    """Is there a combat with both in it, and are the dice there?"""
    named = {"attacker": event.attacker, "target": event.target, "lucky": event.lucky or None}
    unknown = (*unknown_fighters(state, **named), *civilians_idle(state, "attacker", event.attacker))
    yield from unknown
    if unknown:
        return
    if fight_of(state, event.attacker, event.target) is None:
        yield no_combat("attacker", event.attacker)
        return
    if event.at_mount and not present(state, event.target).mounted:
        yield Problem("not-mounted", "There is no mount to strike.", field="at_mount", value="true")
        return
    if event.by_mount and not present(state, event.attacker).mounted:
        yield Problem("not-mounted", "There is no mount to strike with.", field="by_mount", value="true")
        return
    if event.at_mount and event.answers:
        sentence = "A mount answers no blow, nor does its rider for it: leave 'answers' out."
        source = 'Rule book: "Mounted combat"'
        yield Problem("mount-answers", sentence, field="answers", value=", ".join(event.answers), source=source)
        return
    yield from blow_dice(state, event)


def attack_violations(state: PlayState, event: Attacked, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Everything that forbids the blow and its ploys."""
    fight = fight_of(state, event.attacker, event.target)
    luck = lucky_violations(state, event.lucky, event.attacker, event.target)
    if fight is None or event.by_mount:
        return (*_mount_violations(state, event), *_answer_violations(state, event), *luck)
    attacker, target = present(state, event.attacker), present(state, event.target)
    aim = "mount" if event.at_mount else "rider"
    wrong_aim = aim not in targets(attacker, target)
    return (
        *strike_violations(fight, event.attacker, event.target),
        *attacker_violations(attacker, attack_stance(state, event), state.settings),
        *_answer_violations(state, event),
        *((RIDERS_STRIKE_RIDERS,) if wrong_aim else ()),
        *_pistol_violations(state, event),
        *_twice_violations(state, event),
        *luck,
    )


def _answer_violations(state: PlayState, event: Attacked) -> tuple[Violation, ...]:
    """Everything that forbids the defender's Ploys, whoever or whatever strikes."""
    return defender_violations(present(state, event.target), defence_stance(state, event), state.settings)


def _twice_violations(state: PlayState, event: Attacked) -> tuple[Violation, ...]:
    """Two attacks in a row are for the Fast, once a turn."""
    fight = fight_of(state, event.attacker)
    fencer = fight.fencer(event.attacker) if fight is not None else None
    if not event.again or fencer is None or (fencer.fast and not fencer.doubled):
        return ()
    return (Violation("not-twice", "Only the Fast strike twice in a row, once a turn.", 'Rule book: "Fast"'),)


def _pistol_violations(state: PlayState, event: Attacked) -> tuple[Violation, ...]:
    """A pistol that was fired in this combat has to be loaded, or another weapon taken. Rule book: "Pistol"."""
    grip = grip_in(state, event, event.attacker)
    if grip.weapon != "pistol" or not grip.pistol_reload:
        return ()
    return (Violation("pistol-empty", "The pistol is not loaded.", 'Rule book: "Pistol"'),)


def _mount_violations(state: PlayState, event: Attacked) -> tuple[Violation, ...]:
    rule = 'Rule book: "Mounted combat"'
    known = state.table.of(event.attacker)
    able = steed_pool(present(state, event.attacker), ride_by=state.table.ride_by) > 0
    rider, target = state.somebody(event.attacker), state.somebody(event.target)
    checks = (
        (not rider.standing, "out-of-action", f"Its rider is {rider.why_out}."),
        (not target.on_table, "target-out", f"{state.named(event.target)} is {target.why_out}."),
        (same_side(state, event.attacker, event.target), "own-side", "Both are of the same side."),
        (not able, "no-warhorse", "Only a warhorse strikes, and not in a ride-by attack."),
        (known.mount_fought == state.table.turn > 0, "mount-fought", "The warhorse has struck this turn."),
        (bool(event.ploys), "no-ploys", "A horse knows no Ploys."),
        (
            not _side_may_strike(state, event),
            "not-its-turn",
            "The other side strikes, or no counter is left.",
        ),
        (present(state, event.target).mounted != event.at_mount, "mounts-strike-mounts", "Mounts strike mounts."),
    )
    return tuple(Violation(code, sentence, rule) for wrong, code, sentence in checks if wrong)


def _side_may_strike(state: PlayState, event: Attacked) -> bool:
    """In the simplified procedure a warhorse takes its side's opportunity, and a counter of its side."""
    fight = fight_of(state, event.attacker)
    if fight is None or not fight.simplified:
        return True
    fencer = fight.fencer(event.attacker)
    return its_turn(fight, fencer) and fight.pools[fencer.side].attack > 0


def take_attack(state: PlayState, event: Attacked, logged: LoggedEvent) -> PlayState:
    """The state after the blow: counters spent, harm done, contact broken by a Disengage."""
    blow = outcome(state, event) if dares(state, event) else None
    after = luck_used(_spent(state, event, blow), event.lucky)
    if blow is None:
        return after
    after = pistol_fired(after, event)
    known = after.table.of(event.attacker).struck
    after = replace(after, table=after.table.with_fighter(event.attacker, struck=(*known, event.target)))
    if blow.disengaged:
        return replace(after, table=_disengaged(after, event.attacker))
    return harmed_by(after, event, logged, blow)


def _spent(state: PlayState, event: Attacked, blow: Blow | None) -> PlayState:
    """Counters are spent; who does not bring itself to strike loses the opportunity alone (Ruling B16)."""
    assert state.table.fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
    if event.by_mount:
        fight = _after_the_steed(state, event)
        table = _once_a_turn(state, event, fight).with_fighter(event.attacker, mount_fought=state.table.turn)
        return replace(state, table=replace(table, fight=fight))
    if blow is None:
        return replace(state, table=replace(state.table, fight=passed(state.table.fight, event.attacker)))
    fight = struck(
        state.table.fight,
        event.attacker,
        event.target,
        frozenset(event.ploys),
        frozenset(event.answers),
        state.settings,
        feint_landed=blow.feinted,
        again=event.again,
    )
    return replace(state, table=replace(_once_a_turn(state, event, fight), fight=fight))


def _once_a_turn(state: PlayState, event: Attacked, fight: Round) -> Table:
    """The table with what both have done of what is done once a turn, in whatever combat."""
    turn, table = state.table.turn, state.table
    for fighter in (event.attacker, event.target):
        fencer = fight.fencer(fighter)
        done = {"feinted": fencer.feinted, "riposted": fencer.riposted, "doubled": fencer.doubled}
        if any(done.values()):
            table = table.with_fighter(fighter, **{key: turn for key, was in done.items() if was})
    return table


def _after_the_steed(state: PlayState, event: Attacked) -> Round:
    assert state.table.fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
    return steed_struck(state.table.fight, event.attacker, event.target, frozenset(event.answers), state.settings)


def _disengaged(state: PlayState, fighter: str) -> Table:
    table = touched(state.table, fighter, ())
    return replace(table, fight=fallen(table.fight, fighter)) if table.fight is not None else table


RULES: Rules = {Attacked: TurnRule(attack_input_errors, attack_violations, take_attack)}
