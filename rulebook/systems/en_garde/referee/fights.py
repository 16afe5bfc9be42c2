"""How the referee has fighters fight in the Combat Phase: who against whom, counters, ploys."""

from rulebook.systems.en_garde.referee.table import Referee
from rulebook.systems.en_garde.table.pools import never_defends, pool_size
from rulebook.systems.en_garde.table.rounds import Fencer, Round, may_strike
from rulebook.systems.en_garde.turns.combat_membership import room_around
from rulebook.systems.en_garde.turns.fighters import weapon_now


def combat_phase(table: Referee) -> None:
    """Fight out every combat of the turn."""
    for group in _groups(table):
        standing = {
            side: [each for each in fighters if table.state.combatants[each].on_table]
            for side, fighters in group.items()
        }
        if all(any(table.state.combatants[each].standing for each in side) for side in standing.values()):
            _round(table, standing)


def _groups(table: Referee) -> list[dict[str, list[str]]]:
    """Combats: one fighter against all who touch it and find room, each fighter in one of them."""
    found: list[dict[str, list[str]]] = []
    seen: set[str] = set()
    crowded = sorted(table.state.combatants, key=lambda key: -len(table.state.table.of(key).contacts))
    for fighter in crowded:
        foes = [each for each in table.state.table.of(fighter).contacts if each not in seen]
        if fighter in seen or not foes:
            continue
        while len(foes) > room_around(table.state, fighter, foes):
            foes.pop()
        found.append({table.state.side_of(fighter): [fighter], table.state.side_of(foes[0]): foes})
        seen |= {fighter, *foes}
    return found


def _round(table: Referee, fighters: dict[str, list[str]]) -> None:
    counters = {side: _counters(table, those) for side, those in fighters.items()}
    table.tell("combat", fighters=fighters, counters=counters)
    for _ in range(60):
        fight = table.state.table.fight
        if fight is None or fight.next is None:
            return
        _opportunity(table, fight, fight.next)


def _counters(table: Referee, fighters: list[str]) -> list[int]:
    """Half and half, the odd counter for attack; who never defends only attacks."""
    able = tuple(table.now(each) for each in fighters)
    size = pool_size(able)
    defenders = pool_size(tuple(each for each in able if not never_defends(each)))
    defence = min(size // 2, defenders)
    return [size - defence, defence]


def _opportunity(table: Referee, fight: Round, fencer: Fencer) -> None:
    target = next((each for each in fight.foes(fencer) if each.able), None)
    if target is None or fencer.passes or not may_strike(fight, fencer):
        table.tell("pass", fighter=fencer.id)
        return
    answers = _answer(table, fight, fencer, target)
    table.tell(
        "attack", attacker=fencer.id, target=target.id, ploys=_ploys(table, fight, fencer, target), answers=answers
    )


def _ploys(table: Referee, fight: Round, fencer: Fencer, target: Fencer) -> list[str]:
    """A Mighty Blow with a spare counter against an equal or better."""
    spare = fight.pools[fencer.side].attack >= 2
    return ["mighty-blow"] if spare and table.now(target.id).fight >= table.now(fencer.id).fight else []


def _answer(table: Referee, fight: Round, fencer: Fencer, target: Fencer) -> list[str]:
    """A Riposte against a stronger enemy if it can, else a Parry while counters last."""
    defender = table.now(target.id)
    if fight.pools[target.side].defence < 1 or defender.wounds.unconscious or never_defends(defender):
        return []
    weapon = weapon_now(table.state, target.id)
    master = weapon in ("sword", "longsword") and table.now(target.id).has_for("weapon-master", weapon)
    stronger = table.now(fencer.id).fight >= table.now(target.id).fight
    return ["riposte"] if master and stronger and not target.riposted else ["parry"]
