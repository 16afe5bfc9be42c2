"""What the referee has fighters do in the Move Phase: cast, shoot, load, walk at the enemy, or run."""

from collections.abc import Iterator

from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.referee.table import DEPTH, Referee
from rulebook.systems.en_garde.table.missiles import missile
from rulebook.systems.en_garde.table.morale import Morale
from rulebook.systems.en_garde.table.moving import Gait, reach, rout_reach
from rulebook.systems.en_garde.table.sight import sight_limit
from rulebook.systems.en_garde.turns.combat_membership import room_around


def activate(table: Referee, fighter: str) -> None:
    """Let a fighter who is free do something: run if its warband Routs, else cast, shoot or walk at the enemy."""
    side = table.state.side_of(fighter)
    if table.engaged(fighter):
        return
    if table.state.table.morale_of(side) is Morale.ROUTING and not table.now(fighter).has("fearless"):
        _retreat(table, fighter)
    elif not (_cast(table, fighter) or _shoot(table, fighter)):
        _advance(table, fighter)


def _retreat(table: Referee, fighter: str) -> None:
    """A fighter of a Routing warband rolls; if it does not hold, it runs, and is gone once it passes its own edge."""
    table.tell("move", fighter=fighter, gait="normal")
    rolled = table.events[-1].data.get("resolve")
    if rolled is None or rolled + table.now(fighter).rank >= 7:
        return
    table.places[fighter] -= rout_reach(table.now(fighter)).inches
    if table.places[fighter] <= 0:
        table.tell("routed", fighter=fighter)


def _cast(table: Referee, fighter: str) -> bool:
    """A Magician casts what it can at the nearest enemy; False if it casts nothing."""
    magician = table.now(fighter)
    target = next(iter(_nearest(table, fighter)), None)
    if not magician.has("magician") or target is None:
        return False
    spent = table.state.table.of(fighter).magic
    for spell in ("drain-life", "power-blast"):
        row = catalogue().spells[spell]
        able = spell in magician.attributes["magician"] and 2 * magician.rank - spent >= row.magic_points
        if able and table.apart(fighter, target) <= row.range:
            inches = table.apart(fighter, target)
            table.tell("spell", magician=fighter, spell=spell, target=target, inches=inches, resisted_by=target)
            return True
    return False


def _shoot(table: Referee, fighter: str) -> bool:
    """Shoot at the nearest free enemy in range, or load; False if there is nothing to do with a missile weapon."""
    if table.duellists_only():
        return False
    for weapon in _missiles(table, fighter):
        if table.state.table.of(fighter).reload.get(weapon):
            table.tell("action", fighter=fighter, what="reload", weapon=weapon)
            return True
        target = _mark(table, fighter, weapon)
        if target is not None:
            table.tell("shot", shooter=fighter, target=target, weapon=weapon, inches=table.apart(fighter, target))
            return True
    return False


def _missiles(table: Referee, fighter: str) -> Iterator[str]:
    """Missile weapons that the fighter can use at all in this weather."""
    shooter = table.now(fighter)
    raining = "rain" in str(table.state.setup.set_up.get("weather", ""))
    used = table.state.table.of(fighter).used_up
    for key in shooter.weapons:
        if key in catalogue().arms.missiles and key not in used:
            weapon = missile(key)
            if not (weapon.match and raining) and not (weapon.never_mounted and shooter.mounted):
                yield key


def _mark(table: Referee, fighter: str, weapon: str) -> str | None:
    """The nearest enemy that is free of friends and within reach of eye and weapon."""
    set_up = table.state.setup.set_up
    seen = sight_limit(str(set_up.get("weather", "")), str(set_up.get("hour", "")), table.turn or 1)
    far = min(missile(weapon).range, DEPTH if seen is None else seen)
    free = (foe for foe in _nearest(table, fighter) if not table.engaged(foe))
    return next((foe for foe in free if table.apart(fighter, foe) <= far), None)


def _nearest(table: Referee, fighter: str) -> list[str]:
    """Enemies who stand and may fight, the nearest first."""
    foes = [each.fighter.id for each in table.foes(table.state.side_of(fighter)) if table.may_act(each.fighter.id)]
    return sorted(foes, key=lambda foe: table.apart(fighter, foe))


def _advance(table: Referee, fighter: str) -> None:
    """Walk at the nearest enemy who has room, into contact if it is near enough."""
    mover = table.now(fighter)
    foe = next((each for each in _nearest(table, fighter) if _has_room(table, fighter, each)), None)
    step = reach(mover, Gait.NORMAL).inches
    if foe is None:
        table.tell("action", fighter=fighter, what="rest")
    elif table.apart(fighter, foe) <= step + 1:
        table.tell("move", fighter=fighter, gait="normal", contacts=[foe])
        table.places[fighter] = DEPTH - table.places[foe]
    else:
        table.tell("move", fighter=fighter, gait="normal", inches=step)
        table.places[fighter] += step


def _has_room(table: Referee, mover: str, foe: str) -> bool:
    """May another join in against this enemy? It must be the single one of its combat, with room around its base."""
    contacts = table.state.table.of(foe).contacts
    room = room_around(table.state, foe, (*contacts, mover))
    return len(contacts) < room and all(len(table.state.table.of(each).contacts) == 1 for each in contacts)
