"""What a blow of the log comes to: its dice, how both stand, whom it harms and how badly."""

from collections.abc import Iterator

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.arms_in_hand import Grip
from rulebook.systems.en_garde.table.blows import Blow, Stance, attack_dice, defence_dice, rerollable, resolve_blow
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.mounts import blow_at_mount, steed_as_combatant
from rulebook.systems.en_garde.table.rounds import needs_nerve, nerve_holds
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.systems.en_garde.turns.checking import missing_dice, superfluous_die
from rulebook.systems.en_garde.turns.combat_events import Attacked, FreeAttack
from rulebook.systems.en_garde.turns.combats import fight_of, grip_of
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import die_wanted
from rulebook.systems.en_garde.turns.luck import NOBODY_LUCKY, with_luck

STRIKE = Attacked | FreeAttack
MASTERS = "Only a Weapon Master with his weapon in hand throws his lowest die again, and only a 1 or 2."
MASTERY = 'Rule book: "Weapon Master"'


def nerve_wanted(state: PlayState, event: STRIKE) -> bool:
    """Does a Beguiling target make the attacker roll first? Its mount does not."""
    answered = event.attacker in state.table.of(event.target).struck
    attacker, target = present(state, event.attacker), present(state, event.target)
    at_mount = isinstance(event, Attacked) and event.at_mount
    return needs_nerve(attacker, target, struck_by_target=answered) == "beguiling" and not at_mount


def blow_dice(state: PlayState, event: STRIKE) -> Iterator[Problem]:
    """Are the dice there: that of nerve, and those of the blow if it is struck?"""
    lacking = tuple(missing_dice("nerve", event.nerve, int(nerve_wanted(state, event))))
    if lacking or not dares(state, event):
        yield from lacking
        return
    yield from strike_dice(state, event)


def dares(state: PlayState, event: STRIKE) -> bool:
    """Does the attacker bring itself to strike?"""
    equal = state.settings["beguiling_roll"] == "equal"
    return event.nerve is None or nerve_holds(present(state, event.attacker).rank, event.nerve, equal_will_do=equal)


def dice_counts(state: PlayState, event: STRIKE) -> tuple[int, int]:
    """Dice of attack and of defence."""
    if isinstance(event, FreeAttack):
        return 2, defence_dice(present(state, event.target), frozenset(), state.settings)
    up = 2 if event.by_mount else attack_dice(frozenset(event.ploys))
    if event.at_mount:
        return up, 1
    return up, defence_dice(present(state, event.target), frozenset(event.answers), state.settings)


def strike_dice(state: PlayState, event: STRIKE) -> Iterator[Problem]:
    """Are there as many dice as the blow needs?"""
    up, down = dice_counts(state, event)
    lacking = (*missing_dice("dice", event.dice, up), *missing_dice("defence_dice", event.defence_dice, down))
    yield from lacking
    if lacking:
        return
    if not may_reroll(state, event):
        yield from superfluous_die("reroll", event.reroll, MASTERS, MASTERY)
    if not may_reroll_defence(state, event):
        yield from superfluous_die("defence_reroll", event.defence_reroll, MASTERS, MASTERY)
    if not event.lucky:
        yield from superfluous_die("luck", event.luck, NOBODY_LUCKY, 'Rule book: "Lucky"')
    yield from missing_dice("die", event.die, int(large_die_wanted(state, event)))


def may_reroll(state: PlayState, event: STRIKE) -> bool:
    """May the attacking Weapon Master throw his lowest die again?"""
    if isinstance(event, Attacked) and event.by_mount:
        return False
    return rerollable(present(state, event.attacker), grip_in(state, event, event.attacker), event.dice) is not None


def may_reroll_defence(state: PlayState, event: STRIKE) -> bool:
    """May the defending Weapon Master throw his lowest die again?"""
    if isinstance(event, Attacked) and event.at_mount:
        return False
    return rerollable(present(state, event.target), grip_in(state, event, event.target), event.defence_dice) is not None


def goes_against(state: PlayState, event: STRIKE) -> bool:
    """Does the blow go against the Lucky: a miss of its own, or a hit on it?"""
    hit = outcome(state, event).hit
    return not hit if event.lucky == event.attacker else hit


def large_die_wanted(state: PlayState, event: STRIKE) -> bool:
    """Does the result on a large body ask for a die?"""
    victim, result = harmed(event, outcome(state, event))
    struck = isinstance(event, Attacked) and (event.at_mount if victim == event.target else event.by_mount)
    return result is not None and die_wanted(state, victim, result, on_mount=struck)


def outcome(state: PlayState, event: STRIKE) -> Blow:
    """What the blow comes to with its dice."""
    attacker, target = striker(state, event), present(state, event.target)
    up, down = thrown(event.dice, event.reroll), thrown(event.defence_dice, event.defence_reroll)
    up = with_luck(up, event.luck, own=event.lucky == event.attacker)
    attack, defence = attack_stance(state, event), defence_stance(state, event)
    if isinstance(event, Attacked) and event.at_mount:
        return blow_at_mount(attacker, attack, target, up, down[0], state.settings)
    free = isinstance(event, FreeAttack)
    return resolve_blow(attacker, attack, target, defence, up, down, free=free, settings=state.settings)


def thrown(dice: tuple[int, ...], reroll: int | None) -> tuple[int, ...]:
    """The dice with the lowest one thrown again, if it was."""
    if reroll is None:
        return dice
    place = dice.index(min(dice))
    return (*dice[:place], reroll, *dice[place + 1 :])


def harmed(event: STRIKE, blow: Blow) -> tuple[str, WoundResult | None]:
    """Who is harmed by a blow, and how badly: the target, or the attacker (a warhorse's is its rider) by a Riposte."""
    if blow.riposte is not None:
        return event.attacker, blow.riposte
    return event.target, blow.result


def striker(state: PlayState, event: STRIKE) -> Combatant:
    """Who strikes: the fighter, or the warhorse beneath it."""
    attacker = present(state, event.attacker)
    return steed_as_combatant(attacker) if isinstance(event, Attacked) and event.by_mount else attacker


def is_by_mount(event: STRIKE) -> bool:
    """Is it the warhorse that strikes?"""
    return isinstance(event, Attacked) and event.by_mount


def attack_stance(state: PlayState, event: STRIKE) -> Stance:
    """How the attacker stands; the counter for the attack itself is already off."""
    fight = fight_of(state, event.attacker, event.target)
    if fight is None or isinstance(event, FreeAttack):
        return Stance(grip_in(state, event, event.attacker))
    if event.by_mount:
        return Stance(Grip())
    fencer = fight.fencer(event.attacker)
    return Stance(
        grip=grip_in(state, event, event.attacker),
        ploys=frozenset(event.ploys),
        attack_counters=fight.pools[fencer.side].attack - 1,
        enemies=_enemies(state, event.attacker),
        feinted=fencer.feinted,
    )


def defence_stance(state: PlayState, event: STRIKE) -> Stance:
    """How the defender stands."""
    fight = fight_of(state, event.attacker, event.target)
    if fight is None or isinstance(event, FreeAttack):
        return Stance(grip_in(state, event, event.target))
    fencer = fight.fencer(event.target)
    return Stance(
        grip=grip_in(state, event, event.target),
        ploys=frozenset(event.answers),
        defence_counters=fight.pools[fencer.side].defence,
        enemies=_enemies(state, event.target),
        riposted=fencer.riposted,
    )


def grip_in(state: PlayState, event: STRIKE, fighter: str) -> Grip:
    """How a fighter strikes or parries: with the weapon declared for a free attack, else with the one in hand."""
    declared = event.weapon if isinstance(event, FreeAttack) and fighter == event.attacker else ""
    return grip_of(state, fighter, declared=declared)


def _enemies(state: PlayState, fighter: str) -> int:
    """How many fight it: in the simplified procedure those alone who reach it. Rule book: "Appendix A"."""
    fight = state.table.fight
    if fight is None:
        return 1
    fencer = fight.fencer(fighter)
    return sum(fencer in fight.foes(each) for each in fight.fencers if not each.out)
