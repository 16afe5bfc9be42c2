"""Blows in the log: attacks within a round of combat."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.en_garde.events import Means, WoundEvent
from rulebook.en_garde.play_state import PlayState
from rulebook.en_garde.table.arms_in_hand import Grip
from rulebook.en_garde.table.blows import (
    Blow,
    Stance,
    attack_dice,
    attacker_refusals,
    defence_dice,
    defender_refusals,
    rerollable,
    resolve_blow,
)
from rulebook.en_garde.table.combatant import Combatant, Refusal
from rulebook.en_garde.table.missiles import missile
from rulebook.en_garde.table.mounts import blow_at_mount, steed_as_combatant, targets
from rulebook.en_garde.table.pools import steed_pool
from rulebook.en_garde.table.rounds import fallen, needs_nerve, nerve_holds, passed, strike_refusals, struck
from rulebook.en_garde.turns.checking import Rules, TurnRule, missing_dice, unknown_fighters
from rulebook.en_garde.turns.combats import fight_of, grip_of, no_combat
from rulebook.en_garde.turns.events import Attacked, FreeAttack
from rulebook.en_garde.turns.fighters import present
from rulebook.en_garde.turns.harm import die_wanted, harm
from rulebook.en_garde.turns.loading import fired
from rulebook.en_garde.turns.luck import luck_used, lucky_refusals, with_luck
from rulebook.en_garde.turns.state import Table, touched
from rulebook.en_garde.wounds import WoundResult
from rulebook.ruleset import LoggedEvent, Problem

STRIKE = Attacked | FreeAttack
RIDERS_STRIKE_RIDERS = Refusal("rider-strikes-rider", "Riders strike riders.", 'Rule book: "Mounted combat"')


def attack_slips(state: PlayState, event: Attacked, logged: LoggedEvent) -> Iterator[Problem]:
    """Is there a combat with both in it, and are the dice there?"""
    named = {"attacker": event.attacker, "target": event.target, "lucky": event.lucky}
    unknown = tuple(unknown_fighters(state, **named))
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
    yield from _attack_dice(state, event)


def _attack_dice(state: PlayState, event: Attacked) -> Iterator[Problem]:
    lacking = tuple(missing_dice("nerve", event.nerve, int(nerve_wanted(state, event))))
    if lacking or not dares(state, event):
        yield from lacking
        return
    yield from strike_dice(state, event)


def strike_dice(state: PlayState, event: STRIKE) -> Iterator[Problem]:
    """Are there as many dice as the blow needs?"""
    up, down = dice_counts(state, event)
    lacking = (*missing_dice("dice", event.dice, up), *missing_dice("defence_dice", event.defence_dice, down))
    yield from lacking
    if lacking:
        return
    if event.reroll is not None and not may_reroll(state, event):
        yield from missing_dice("reroll", event.reroll, 0)
    if event.defence_reroll is not None and not may_reroll_defence(state, event):
        yield from missing_dice("defence_reroll", event.defence_reroll, 0)
    if isinstance(event, Attacked) and event.luck is not None and not event.lucky:
        yield from missing_dice("luck", event.luck, 0)
    yield from missing_dice("die", event.die, int(large_die_wanted(state, event)))


def goes_against(state: PlayState, event: Attacked) -> bool:
    """Does the blow go against the Lucky: a miss of its own, or a hit on it?"""
    hit = outcome(state, event).hit
    return not hit if event.lucky == event.attacker else hit


def dice_counts(state: PlayState, event: STRIKE) -> tuple[int, int]:
    """Dice of attack and of defence."""
    if isinstance(event, FreeAttack):
        return 2, defence_dice(present(state, event.target), frozenset(), state.settings)
    up = 2 if event.by_mount else attack_dice(frozenset(event.ploys))
    if event.at_mount:
        return up, 1
    return up, defence_dice(present(state, event.target), frozenset(event.answers), state.settings)


def nerve_wanted(state: PlayState, event: Attacked) -> bool:
    """Does a Beguiling target make the attacker roll first?"""
    answered = event.attacker in state.table.of(event.target).struck
    attacker, target = present(state, event.attacker), present(state, event.target)
    return needs_nerve(attacker, target, struck_by_target=answered) == "beguiling" and not event.at_mount


def dares(state: PlayState, event: Attacked) -> bool:
    """Does the attacker bring itself to strike?"""
    equal = state.settings["beguiling_roll"] == "equal"
    return event.nerve is None or nerve_holds(present(state, event.attacker).rank, event.nerve, equal_will_do=equal)


def may_reroll(state: PlayState, event: STRIKE) -> bool:
    """May the attacking Weapon Master throw his lowest die again?"""
    if isinstance(event, Attacked) and event.by_mount:
        return False
    return rerollable(present(state, event.attacker), _grip(state, event, event.attacker), event.dice) is not None


def may_reroll_defence(state: PlayState, event: STRIKE) -> bool:
    """May the defending Weapon Master throw his lowest die again?"""
    if isinstance(event, Attacked) and event.at_mount:
        return False
    return rerollable(present(state, event.target), _grip(state, event, event.target), event.defence_dice) is not None


def large_die_wanted(state: PlayState, event: STRIKE) -> bool:
    """Does the result on a large body ask for a die?"""
    victim, result = harmed(event, outcome(state, event))
    on_mount = isinstance(event, Attacked) and event.at_mount
    return result is not None and die_wanted(state, victim, result, on_mount=on_mount and victim == event.target)


def harmed(event: STRIKE, blow: Blow) -> tuple[str, WoundResult | None]:
    """Who is harmed by a blow, and how badly: the target, or the attacker by a Riposte."""
    if blow.riposte is not None:
        return event.attacker, blow.riposte
    return event.target, blow.result


def _grip(state: PlayState, event: STRIKE, fighter: str) -> Grip:
    grip = grip_of(state, fighter)
    declared = event.weapon if isinstance(event, FreeAttack) and fighter == event.attacker else ""
    return replace(grip, weapon=declared) if declared else grip


def thrown(dice: tuple[int, ...], reroll: int | None) -> tuple[int, ...]:
    """The dice with the lowest one thrown again, if it was."""
    if reroll is None:
        return dice
    place = dice.index(min(dice))
    return (*dice[:place], reroll, *dice[place + 1 :])


def outcome(state: PlayState, event: STRIKE) -> Blow:
    """What the blow comes to with its dice."""
    attacker, target = striker(state, event), present(state, event.target)
    up, down = thrown(event.dice, event.reroll), thrown(event.defence_dice, event.defence_reroll)
    if isinstance(event, Attacked):
        up = with_luck(up, event.luck, own=event.lucky == event.attacker)
    attack, defence = attack_stance(state, event), defence_stance(state, event)
    if isinstance(event, Attacked) and event.at_mount:
        return blow_at_mount(attacker, attack, target, up, down[0], state.settings)
    free = isinstance(event, FreeAttack)
    return resolve_blow(attacker, attack, target, defence, up, down, free=free, settings=state.settings)


def striker(state: PlayState, event: STRIKE) -> Combatant:
    """Who strikes: the fighter, or the warhorse beneath it."""
    attacker = present(state, event.attacker)
    return steed_as_combatant(attacker) if isinstance(event, Attacked) and event.by_mount else attacker


def attack_stance(state: PlayState, event: STRIKE) -> Stance:
    """How the attacker stands; the counter for the attack itself is already off."""
    fight = fight_of(state, event.attacker, event.target)
    if fight is None or isinstance(event, FreeAttack):
        return Stance(_grip(state, event, event.attacker))
    if event.by_mount:
        return Stance(Grip())
    fencer = fight.fencer(event.attacker)
    return Stance(
        grip=_grip(state, event, event.attacker),
        ploys=frozenset(event.ploys),
        attack_counters=fight.pools[fencer.side].attack - 1,
        enemies=_enemies(state, event.attacker),
        feinted=fencer.feinted,
    )


def defence_stance(state: PlayState, event: STRIKE) -> Stance:
    """How the defender stands."""
    fight = fight_of(state, event.attacker, event.target)
    if fight is None or isinstance(event, FreeAttack):
        return Stance(_grip(state, event, event.target))
    fencer = fight.fencer(event.target)
    return Stance(
        grip=_grip(state, event, event.target),
        ploys=frozenset(event.answers),
        defence_counters=fight.pools[fencer.side].defence,
        enemies=_enemies(state, event.target),
        riposted=fencer.riposted,
    )


def _enemies(state: PlayState, fighter: str) -> int:
    fight = state.table.fight
    if fight is None:
        return 1
    side = fight.fencer(fighter).side
    return sum(each.side != side and not each.out for each in fight.fencers)


def attack_forbidden(state: PlayState, event: Attacked, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """Everything that forbids the blow and its ploys."""
    fight = fight_of(state, event.attacker, event.target)
    luck = lucky_refusals(state, event.lucky, event.attacker, event.target)
    if fight is None or event.by_mount:
        return (*_mount_refusals(state, event), *luck)
    attacker, target = present(state, event.attacker), present(state, event.target)
    aim = "mount" if event.at_mount else "rider"
    wrong_aim = aim not in targets(attacker, target)
    return (
        *strike_refusals(fight, event.attacker, event.target),
        *attacker_refusals(attacker, attack_stance(state, event), state.settings),
        *defender_refusals(target, defence_stance(state, event), state.settings),
        *((RIDERS_STRIKE_RIDERS,) if wrong_aim else ()),
        *_pistol_refusals(state, event),
        *luck,
    )


def _pistol_refusals(state: PlayState, event: Attacked) -> tuple[Refusal, ...]:
    """A pistol that was fired in this combat has to be loaded, or another weapon taken. Rule book: "Pistol"."""
    grip = _grip(state, event, event.attacker)
    if grip.weapon != "pistol" or not grip.pistol_reload:
        return ()
    return (Refusal("pistol-empty", "The pistol is not loaded.", 'Rule book: "Pistol"'),)


def _mount_refusals(state: PlayState, event: Attacked) -> tuple[Refusal, ...]:
    rule = 'Rule book: "Mounted combat"'
    known = state.table.of(event.attacker)
    able = steed_pool(present(state, event.attacker), ride_by=state.table.ride_by) > 0
    checks = (
        (not able, "no-warhorse", "Only a warhorse strikes, and not in a ride-by attack."),
        (known.mount_fought == state.table.turn > 0, "mount-fought", "The warhorse has struck this turn."),
        (bool(event.ploys), "no-ploys", "A horse knows no Ploys."),
        (present(state, event.target).mounted != event.at_mount, "mounts-strike-mounts", "Mounts strike mounts."),
    )
    return tuple(Refusal(code, sentence, rule) for wrong, code, sentence in checks if wrong)


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
    if event.by_mount:
        return replace(state, table=state.table.with_fighter(event.attacker, mount_fought=state.table.turn))
    assert state.table.fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
    if blow is None:
        return replace(state, table=replace(state.table, fight=passed(state.table.fight)))
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
    return replace(state, table=replace(state.table, fight=fight))


def pistol_fired(state: PlayState, event: STRIKE) -> PlayState:
    """The state with a pistol emptied, if that is what the blow was struck with. Rule book: "Pistol"."""
    if _by_mount(event) or _grip(state, event, event.attacker).weapon != "pistol":
        return state
    return fired(state, event.attacker, "pistol", missile("pistol").reload)


def _disengaged(state: PlayState, fighter: str) -> Table:
    table = touched(state.table, fighter, ())
    return replace(table, fight=fallen(table.fight, fighter)) if table.fight is not None else table


def harmed_by(state: PlayState, event: STRIKE, logged: LoggedEvent, blow: Blow) -> PlayState:
    """The state with whoever a blow or its riposte has hurt."""
    victim, result = harmed(event, blow)
    if result is None:
        return state
    riposte = blow.riposte is not None
    striking = event.target if riposte else event.attacker
    wound = WoundEvent(
        victim=victim,
        result=result,
        means=_means(event, riposte),
        attacker=striking,
        weapon="" if _by_mount(event) else _grip(state, event, striking).weapon,
        subdue=blow.subdued,
        on_mount=blow.on_mount,
        die=event.die,
    )
    return harm(state, logged, wound)


def _by_mount(event: STRIKE) -> bool:
    return isinstance(event, Attacked) and event.by_mount


def _means(event: STRIKE, riposte: bool) -> Means:
    if riposte:
        return Means.RIPOSTE
    if isinstance(event, FreeAttack):
        return Means.FREE_ATTACK
    return Means.MOUNT if event.by_mount else Means.MELEE


RULES: Rules = {Attacked: TurnRule(attack_slips, attack_forbidden, take_attack)}
