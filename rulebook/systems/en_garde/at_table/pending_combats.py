"""Who meets whom: the combats that wait to be fought, as contacts on the table make them."""

from collections.abc import Mapping

from rulebook.systems.en_garde.play.checking import side_of
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.blows import never_defends
from rulebook.systems.en_garde.table.rounds import pool_size
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.opportunities import room_around

PendingCombat = Mapping[str, tuple[str, ...]]
"""The fighters of a combat by side: one against one or several."""


def pending_combats(state: PlayState) -> tuple[PendingCombat, ...]:
    """The combats of this turn that are still to be fought, each fighter in one of them.

    Whoever touches most enemies comes first, with as many of them as find room. Rule book: "Combat".
    """
    found: list[PendingCombat] = []
    seen: set[str] = {each for each in state.combatants if _cannot_meet(state, each)}
    for fighter in sorted(state.combatants, key=lambda key: -len(_foes(state, key, seen))):
        foes = _foes(state, fighter, seen)
        if fighter in seen or not foes:
            continue
        while len(foes) > room_around(state, fighter, foes):
            foes.pop()
        found.append({side_of(state, fighter): (fighter,), side_of(state, foes[0]): tuple(foes)})
        seen |= {fighter, *foes}
    return tuple(found)


def _cannot_meet(state: PlayState, fighter: str) -> bool:
    fought = state.table.of(fighter).fought == state.table.turn > 0
    return fought or not state.combatants[fighter].on_table


def _foes(state: PlayState, fighter: str, seen: set[str]) -> list[str]:
    """Those whom it touches and who have not met anybody yet, all of the side of the first."""
    foes = [each for each in state.table.of(fighter).contacts if each not in seen]
    return [each for each in foes if side_of(state, each) == side_of(state, foes[0])]


def pending_combat_of(state: PlayState, fighter: str) -> PendingCombat | None:
    """The combat that waits for this fighter, None if none does."""
    return next((each for each in pending_combats(state) if any(fighter in those for those in each.values())), None)


def splits_of(state: PlayState, fighters: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Every choice of Attack and Defence counters that these have together, all attack first.

    Rule book: "Combat procedure", "Multiple combats", "Civilians", "Relentless", "Warhound".
    """
    everybody = tuple(present(state, each) for each in fighters)
    size = pool_size(everybody)
    attackers = pool_size(tuple(each for each in everybody if not each.civilian))
    defenders = pool_size(tuple(each for each in everybody if not never_defends(each)))
    every = ((attack, size - attack) for attack in range(size, -1, -1))
    return tuple((attack, defence) for attack, defence in every if attack <= attackers and defence <= defenders)
