"""The referee of En Garde!: plays a whole battle of two or more warbands by the rules.

Its choices are simple on purpose. The table is a line: each side starts behind its own edge, and a
fighter's place is the number of inches it has moved forward, so that the distance between two
enemies is what remains of the table's depth. Every fighter shoots if it can, loads if it must, and
else walks towards the nearest enemy who has room for it. Attack and Defence counters are drawn half
and half, with an odd one for attack. Every fighter who can parries, a Weapon Master ripostes a
stronger enemy, and a spare counter goes into a Mighty Blow against an equal. Magicians blast or
drain. Nobody lays ambushes or gives orders. Dice come from the given generator.

All its events are legal by the way they are chosen, so they are not checked while it plays. The
tests check each of them as a player's.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rulebook.battle_log.dice_commitment import rolled_step
from rulebook.dice.rolls import Generator, d6
from rulebook.ruleset import BattleSetup, LoggedEvent
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState
from rulebook.systems.en_garde.table.blows import SWORDS, never_defends
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.morale import Morale
from rulebook.systems.en_garde.table.moving import rate_over, rout_reach
from rulebook.systems.en_garde.table.rounds import (
    Fencer,
    Round,
    may_strike,
    most_against,
    pool_size,
)
from rulebook.systems.en_garde.table.shooting import missile, sight_limit
from rulebook.systems.en_garde.turns.alternation import next_fighter
from rulebook.systems.en_garde.turns.duels import duellists_alone, is_duellist
from rulebook.systems.en_garde.turns.fighters import present, weapon_now
from rulebook.systems.en_garde.turns.harm import after_poison
from rulebook.systems.en_garde.turns.nerve import sides_to_test
from rulebook.systems.en_garde.turns.opportunities import room_around
from scripts.demo.referees.quick_result import ENDINGS, Story

MAX_TURNS = 12
DEPTH = 30
"""Inches between the two lines of deployment."""
SURE_ROOM = most_against("smaller")
"""So many have room around anybody, whatever their bases."""


class Referee(Story):
    """A battle in progress.

    ``places`` has every fighter's inches forward from its own edge. With ``check`` an event that is
    not legal raises RulesError.
    """

    def __init__(self, setup: BattleSetup, generator: Generator, *, check: bool = False) -> None:
        super().__init__(setup, generator)
        self.check = check
        self.places: dict[str, float] = dict.fromkeys(self.state.combatants, 0.0)
        self._nearest: tuple[PlayState, str, list[str]] | None = None
        self._duels = duellists_alone(self.state)
        self._counted: Mapping[str, CombatantState] = {}
        self._over = False
        self._foes: dict[str, list[str]] = {}

    def tell(self, kind: str, **data: Any) -> None:
        """Log one event, with its dice rolled."""
        number, turn = len(self.events) + 1, self.turn
        logged = LoggedEvent(number, kind, data, turn)
        step = rolled_step(LOG, self.state, logged, self.luck, check=self.check)
        self.state = step.after
        # Only the data has the dice: none of them belongs to Muster's own dice of a battle.
        self.events.append(LoggedEvent(number, kind, step.logged.data, turn))

    def now(self, fighter: str) -> Combatant:
        """Return the present state of a fighter."""
        return present(self.state, fighter)

    def _count(self) -> None:
        """Count again who can act, as somebody has changed since the last time."""
        combatants = self.state.combatants
        acting = {each.side for each in combatants.values() if each.standing and not each.summoned}
        self._counted, self._over, self._foes = combatants, len(acting) < 2, {}

    @property
    def decided(self) -> bool:
        """Return whether at most one side has fighters left who can act."""
        if self.state.combatants is not self._counted:
            self._count()
        return self._over

    def standing_foes(self, side: str) -> list[str]:
        """Return the enemies of a side who can act."""
        if self.state.combatants is not self._counted:
            self._count()
        if side not in self._foes:
            self._foes[side] = [each.fighter.id for each in self.foes(side)]
        return self._foes[side]

    def apart(self, fighter: str, other: str) -> float:
        """Return the inches between two enemies, or 0 if they are in contact."""
        if other in self.state.table.of(fighter).contacts:
            return 0.0
        return max(1.0, DEPTH - self.places[fighter] - self.places[other])

    def nearest(self, fighter: str) -> list[str]:
        """Return the enemies who can fight, the nearest first, for a fighter who touches nobody.

        In the first turns of a Duel only duellists can. The answer is kept while nothing happens,
        as a fighter asks for it several times before it acts.
        """
        state = self.state
        if self._nearest is None or self._nearest[0] is not state or self._nearest[1] != fighter:
            foes = self.standing_foes(state.side_of(fighter))
            if self.duellists_only():
                foes = [each for each in foes if is_duellist(state, each)]
            places, close = self.places, DEPTH - self.places[fighter] - 1
            ranked = sorted(foes, key=places.__getitem__, reverse=True)
            # Up to an inch apart all are as near as can be, in the order of their side.
            if ranked and places[ranked[0]] >= close:
                near = [each for each in foes if places[each] >= close]
                ranked = near + ranked[len(near) :]
            self._nearest = state, fighter, ranked
        return self._nearest[2]

    def duellists_only(self) -> bool:
        """Return whether only the duellists act in this turn of a Duel."""
        return 0 < (self.turn or 0) <= self._duels

    def typed(self, name: str) -> dict[str, int]:
        """Return a die of the referee, if the house rules leave all dice to the players."""
        return {name: d6(self.luck)} if self.state.settings.dice == "table" else {}


def referee(
    setup: BattleSetup, generator: Generator, *, check: bool = False
) -> tuple[LoggedEvent, ...]:
    """Play a battle and return its whole log; the same seed plays the same battle.

    With ``check`` each event is judged before it counts, which takes half as long again.

    Raises RulesError for an unknown scenario or a build that cannot be read.
    """
    table = Referee(setup, generator, check=check)
    secret = table.state.settings.minor_objectives == "secret"
    if not secret:
        table.draw_objectives(lambda: table.typed("rolled"))
    last = _play(table)
    over = table.decided
    ENDINGS[setup.scenario](table)
    table.tell("ended", turn=last, how="destroyed" if over else "last-turn")
    if secret:
        table.draw_objectives(lambda: table.typed("rolled"))
    return tuple(table.events)


def _play(table: Referee) -> int:
    """Play turn after turn, and return the number of the last one."""
    facts = table.state.scenario
    length = table.state.setup.set_up.get("turns") or facts.turns or 6 + table.luck.randint(1, 6)
    final = MAX_TURNS if facts.rising is not None else int(length)
    turn = 0
    while turn < final and not table.decided:
        turn += 1
        _turn(table, turn)
        if facts.rising is not None and facts.rising <= turn < final:
            table.tell("length", **table.typed("die"))
            final = table.state.table.final or final
    return turn


def _turn(table: Referee, turn: int) -> None:
    _name_duellists(table)
    table.turn = turn
    table.tell("turn")
    table.tell("priority")
    while not table.decided and (fighter := next_fighter(table.state)):
        activate(table, fighter)
    combat_phase(table)
    _end_phase(table)


def _name_duellists(table: Referee) -> None:
    """Name the best fighter of each side in a Duel, and a new one when the duellist is dead."""
    for side in table.state.sides if duellists_alone(table.state) else ():
        named = table.state.table.duellists.get(side, ())
        able = sorted(table.standing(side), key=lambda each: -each.fighter.rank)
        if able and all(table.state.combatants[each].dead for each in named):
            table.tell("duellist", fighter=able[0].fighter.id)


def _end_phase(table: Referee) -> None:
    for side in sides_to_test(table.state):
        if table.standing(side):
            table.tell("morale", side=side)
    state = after_poison(table.state)
    for fighter in state.combatants:
        now = state.combatants[fighter]
        if now.wounds.stunned and now.on_table:
            table.tell("stun_roll", fighter=fighter)
            state = table.state


# The Move Phase


def activate(table: Referee, fighter: str) -> None:
    """Act with a free fighter: run if its warband Routs, else cast, shoot or walk."""
    if table.state.table.engaged(fighter):
        return
    actor = table.now(fighter)
    morale = table.state.table.morale_of(table.state.side_of(fighter))
    if morale is Morale.ROUTING and not actor.has("fearless"):
        _retreat(table, fighter)
    elif not (_cast(table, actor) or _shoot(table, actor)):
        _advance(table, actor)


def _retreat(table: Referee, fighter: str) -> None:
    """Roll for a fighter of a Routing warband.

    If it fails it runs, and is gone beyond its own edge.
    """
    table.tell("move", fighter=fighter, gait="normal")
    rolled = table.events[-1].data.get("resolve")
    if rolled is None or rolled + table.now(fighter).rank >= 7:
        return
    table.places[fighter] -= rout_reach(table.now(fighter)).inches
    if table.places[fighter] <= 0:
        table.tell("routed", fighter=fighter)


def _cast(table: Referee, magician: Combatant) -> bool:
    """Cast a possible spell at the nearest enemy with a Magician. Return whether one was cast."""
    if not magician.has("magician"):
        return False
    fighter = magician.id
    target = next(iter(table.nearest(fighter)), None)
    if target is None:
        return False
    spent = table.state.table.of(fighter).magic
    for spell in ("drain-life", "power-blast"):
        row = catalogue().spells[spell]
        able = (
            spell in magician.attributes["magician"]
            and 2 * magician.rank - spent >= row.magic_points
        )
        if able and table.apart(fighter, target) <= row.range:
            inches = table.apart(fighter, target)
            table.tell(
                "spell",
                magician=fighter,
                spell=spell,
                target=target,
                inches=inches,
                resisted_by=target,
            )
            return True
    return False


def _shoot(table: Referee, shooter: Combatant) -> bool:
    """Shoot at the nearest free enemy in range, or load.

    Return whether a missile weapon was used.
    """
    if table.duellists_only():
        return False
    fighter = shooter.id
    for weapon in _missiles(table, shooter):
        if table.state.table.of(fighter).reload.get(weapon):
            table.tell("action", fighter=fighter, what="reload", weapon=weapon)
            return True
        target = _mark(table, fighter, weapon)
        if target is not None:
            table.tell(
                "shot",
                shooter=fighter,
                target=target,
                weapon=weapon,
                inches=table.apart(fighter, target),
            )
            return True
    return False


def _missiles(table: Referee, shooter: Combatant) -> Iterator[str]:
    """Yield the missile weapons that the fighter can use in this weather."""
    missiles = [key for key in shooter.weapons if key in catalogue().arms.missiles]
    if not missiles:
        return
    raining = "rain" in str(table.state.setup.set_up.get("weather", ""))
    used = table.state.table.of(shooter.id).used_up
    for key in missiles:
        if key not in used:
            weapon = missile(key)
            if not (weapon.match and raining) and not (weapon.never_mounted and shooter.mounted):
                yield key


def _mark(table: Referee, fighter: str, weapon: str) -> str | None:
    """Return the nearest enemy in sight and range who is not in combat, or None."""
    set_up = table.state.setup.set_up
    seen = sight_limit(str(set_up.get("weather", "")), str(set_up.get("hour", "")), table.turn or 1)
    far = min(missile(weapon).range, DEPTH if seen is None else seen)
    free = (foe for foe in table.nearest(fighter) if not table.state.table.engaged(foe))
    return next((foe for foe in free if table.apart(fighter, foe) <= far), None)


def _advance(table: Referee, mover: Combatant) -> None:
    """Walk towards the nearest enemy who has room, into contact if it is near enough."""
    fighter = mover.id
    foe = _reachable(table, fighter)
    step = rate_over(mover).normal
    if foe is None:
        table.tell("action", fighter=fighter, what="rest")
    elif table.apart(fighter, foe) <= step + 1:
        table.tell("move", fighter=fighter, gait="normal", contacts=[foe])
        table.places[fighter] = DEPTH - table.places[foe]
    else:
        table.tell("move", fighter=fighter, gait="normal", inches=step)
        table.places[fighter] += step


def _reachable(table: Referee, mover: str) -> str | None:
    """Return the nearest enemy with room for another attacker, or None.

    An enemy in combat must be the single fighter of its side there, with room around its base.
    """
    fighters = table.state.table.fighters
    for foe in table.nearest(mover):
        contacts = fighters[foe].contacts if foe in fighters else ()
        if not contacts:
            return foe
        if max([len(fighters[each].contacts) for each in contacts]) > 1:
            continue
        number = len(contacts)
        if number < SURE_ROOM or number < room_around(table.state, foe, (*contacts, mover)):
            return foe
    return None


# The Combat Phase


def combat_phase(table: Referee) -> None:
    """Play every combat of the turn."""
    for group in _groups(table):
        standing = {
            side: [each for each in fighters if table.state.combatants[each].on_table]
            for side, fighters in group.items()
        }
        if all(
            any(table.state.combatants[each].standing for each in side)
            for side in standing.values()
        ):
            _round(table, standing)


def _groups(table: Referee) -> list[dict[str, list[str]]]:
    """Return the combats: a fighter against all in contact with room. Nobody is in two of them."""
    groups: list[dict[str, list[str]]] = []
    seen: set[str] = set()
    fighters = table.state.table.fighters
    touching = [key for key in table.state.combatants if key in fighters and fighters[key].contacts]
    for fighter in sorted(touching, key=lambda key: -len(fighters[key].contacts)):
        foes = [each for each in fighters[fighter].contacts if each not in seen]
        if fighter in seen or not foes:
            continue
        while len(foes) > SURE_ROOM and len(foes) > room_around(table.state, fighter, foes):
            foes.pop()
        groups.append({table.state.side_of(fighter): [fighter], table.state.side_of(foes[0]): foes})
        seen |= {fighter, *foes}
    return groups


def _round(table: Referee, fighters: dict[str, list[str]]) -> None:
    counters = {side: _counters(table, those) for side, those in fighters.items()}
    table.tell("combat", fighters=fighters, counters=counters)
    for _ in range(60):
        fight = table.state.table.fight
        fencer = fight.next if fight is not None else None
        if fight is None or fencer is None:
            return
        _opportunity(table, fight, fencer)


def _counters(table: Referee, fighters: list[str]) -> list[int]:
    """Return attack and defence counters: half and half, an odd one for attack.

    Fighters who never defend only get attack counters.
    """
    able = tuple([table.now(each) for each in fighters])
    size = pool_size(able)
    attackers = tuple([each for each in able if never_defends(each)])
    defence = min(size // 2, size - pool_size(attackers))
    return [size - defence, defence]


def _opportunity(table: Referee, fight: Round, fencer: Fencer) -> None:
    target = next((each for each in fight.foes(fencer) if each.able), None)
    if target is None or fencer.passes or not may_strike(fight, fencer):
        table.tell("pass", fighter=fencer.id)
        return
    striker, defender = table.now(fencer.id), table.now(target.id)
    answers = []
    if fight.pools[target.side].defence >= 1:
        answers = _answer(table, striker, defender, riposted=target.riposted)
    mighty = fight.pools[fencer.side].attack >= 2 and defender.fight >= striker.fight
    ploys = ["mighty-blow"] if mighty else []
    table.tell("attack", attacker=fencer.id, target=target.id, ploys=ploys, answers=answers)


def _answer(
    table: Referee, striker: Combatant, defender: Combatant, *, riposted: bool
) -> list[str]:
    """Return a Riposte against a stronger enemy if possible, else a Parry."""
    if defender.wounds.unconscious or never_defends(defender):
        return []
    weapon = weapon_now(table.state, defender.id)
    master = weapon in SWORDS and defender.has_for("weapon-master", weapon)
    stronger = striker.fight >= defender.fight
    return ["riposte"] if master and stronger and not riposted else ["parry"]
