"""What a shot of the log comes to: its circumstances, its dice, and whom it strikes."""

from msgspec.structs import replace

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import LastShot
from rulebook.systems.en_garde.table.missiles import Missile, missile
from rulebook.systems.en_garde.table.rounds import needs_nerve, nerve_holds
from rulebook.systems.en_garde.table.shooting import Cover, Shot, ShotResult, may_reroll_shot, resolve_shot
from rulebook.systems.en_garde.table.sight import Sight, sees, sight_limit
from rulebook.systems.en_garde.table.surroundings import cover_behind
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import die_wanted
from rulebook.systems.en_garde.turns.loading import fewest_counters
from rulebook.systems.en_garde.turns.luck import with_luck
from rulebook.systems.en_garde.turns.shot_events import ShotFired


def weapon_of(event: ShotFired) -> Missile:
    """The weapon or gun of the shot."""
    return missile(event.weapon, grapeshot=event.grapeshot)


def is_sequel(event: ShotFired) -> bool:
    """Is it no shot of its own: one gone wide that may strike another, or one more under a blast or spray?"""
    return bool(event.wide_of or event.beside)


def shares_dice(state: PlayState, event: ShotFired) -> bool:
    """One more under a blast is struck by the dice of the shot itself. Ruling B13."""
    return bool(event.beside and weapon_of(event).blast and state.table.of(event.shooter).last_shot)


def shot_this_turn(state: PlayState, fighter: str) -> LastShot | None:
    """The fighter's last shot of its own, if it was in this turn."""
    last = state.table.of(fighter).last_shot
    return last if last is not None and last.turn == state.table.turn else None


def nerve_wanted(state: PlayState, event: ShotFired) -> bool:
    """Does a Beguiling target make the shooter roll first? Not if the shot was meant for another, or for no one."""
    if is_sequel(event) or event.at_point:
        return False
    answered = event.shooter in state.table.of(event.target).struck
    shooter, target = present(state, event.shooter), present(state, event.target)
    return needs_nerve(shooter, target, struck_by_target=answered) == "beguiling"


def dares(state: PlayState, event: ShotFired) -> bool:
    """Does the shooter bring itself to shoot?"""
    equal = state.settings["beguiling_roll"] == "equal"
    rank = present(state, event.shooter).rank
    return event.nerve is None or nerve_holds(rank, event.nerve, equal_will_do=equal)


def rerolls(state: PlayState, event: ShotFired) -> bool:
    """May a Sharpshooter throw his lowest die again?"""
    return bool(may_reroll_shot(present(state, event.shooter), weapon_of(event), event.dice))


def rider_die_wanted(state: PlayState, event: ShotFired) -> bool:
    """Does a hit have to be drawn between mount and rider?"""
    mounted = present(state, event.target).mounted
    return mounted and outcome(state, replace(event, rider_die=6)).hit


def goes_against(state: PlayState, event: ShotFired) -> bool:
    """Does the shot go against the Lucky: a miss of its own, or a hit on it?"""
    hit = outcome(state, replace(event, rider_die=6)).hit
    return not hit if event.lucky == event.shooter else hit


def large_die_wanted(state: PlayState, event: ShotFired) -> bool:
    """Does the result on a large body ask for a die?"""
    found = outcome(state, event)
    return found.result is not None and die_wanted(state, event.target, found.result, on_mount=found.on_mount)


def circumstances(state: PlayState, event: ShotFired) -> Shot:
    """Everything that the table knows of a shot, and what the event says of it."""
    table, known = state.table, state.table.of(event.shooter)
    weather = str(state.setup.set_up.get("weather", ""))
    return Shot(
        inches=event.inches,
        cover=Cover.NONE if event.at_point else cover_behind(event.shelter, event.cover),
        moved_short=event.moved or known.moved_short == table.turn > 0,
        aimed_last_turn=_aimed(state, event.shooter),
        shooter_engaged=table.engaged(event.shooter),
        target_engaged=table.engaged(event.target),
        from_front=not event.from_behind,
        twice=event.twice,
        grapeshot=event.grapeshot,
        at_point=event.at_point,
        wind="wind" in weather,
        rain="rain" in weather,
        mist_spell=0 < table.turn <= table.mist_until,
        sight=seen_to(state),
        line_of_sight=_in_sight(state, event),
        target_hidden=is_hidden(state, event.target) and not event.at_point and not event.beside,
        reload_counters=0 if is_sequel(event) else fewest_counters(state, event.shooter, event.weapon),
        used_up=event.weapon in known.used_up and not is_sequel(event),
    )


def _aimed(state: PlayState, shooter: str) -> bool:
    """Does the aim of the turn before help? It does with the next roll alone. Rule book: "Aim". Ruling B11."""
    known = state.table.of(shooter)
    aimed = known.aimed > 0 and known.aimed == state.table.turn - 1 != known.fought
    return aimed and shot_this_turn(state, shooter) is None


def seen_to(state: PlayState) -> float | None:
    """How far can be seen in this turn, in inches, None without a limit."""
    set_up = state.setup.set_up
    return sight_limit(str(set_up.get("weather", "")), str(set_up.get("hour", "")), state.table.turn)


def is_hidden(state: PlayState, fighter: str) -> bool:
    """Is it Hidden? Nobody who is Engaged rests in hiding."""
    return state.table.of(fighter).hidden and not state.table.engaged(fighter)


def _in_sight(state: PlayState, event: ShotFired) -> bool:
    """Is the line of sight free of bodies but for one friend who shoots on the same order, and of thick foliage?"""
    known, turn = state.table.of(event.shooter), state.table.turn
    comrades = known.order_group if known.ordered == turn and known.order_targets else ()
    over_a_friend = any(each in comrades for each in event.between)
    return event.sight is Sight.CLEAR and sees(len(event.between), event.foliage, over_a_friend=over_a_friend)


def outcome(state: PlayState, event: ShotFired) -> ShotResult:
    """What the shot comes to with its dice."""
    return resolve_shot(
        present(state, event.shooter),
        present(state, event.target),
        weapon_of(event),
        circumstances(state, event),
        dice_of(state, event),
        rider_die=event.rider_die,
        hit_score=_shared_score(state, event),
        settings=state.settings,
    )


def _shared_score(state: PlayState, event: ShotFired) -> int | None:
    """The Hit Score of the blast by which this target is struck too, None for a shot of its own."""
    last = state.table.of(event.shooter).last_shot
    return last.hit_score if last is not None and shares_dice(state, event) else None


def dice_of(state: PlayState, event: ShotFired) -> tuple[int, int]:
    """The two dice as they count: with a Sharpshooter's new one and luck's, or those of the blast."""
    last = state.table.of(event.shooter).last_shot
    if last is not None and shares_dice(state, event):
        return last.dice
    dice = list(event.dice)
    if event.reroll is not None:
        dice[dice.index(min(dice))] = event.reroll
    first, second = with_luck((dice[0], dice[1]), event.luck, own=event.lucky == event.shooter)
    return first, second
