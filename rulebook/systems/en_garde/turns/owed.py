"""Obligations before another turn or the end of a battle: combats, drowning, Morale Tests, stun
rolls, its length.

Rule book: "Combat", "Terrain" (Water), "Move", "Test morale", "Remove stunned counters", "Hold the
Bridge". Rulings B3, B27, S15.
"""

from collections.abc import Iterator, Mapping

from rulebook.systems.en_garde.play.checking import side_of
from rulebook.systems.en_garde.play.play_state import PlayState, last_turn
from rulebook.systems.en_garde.turns.nerve import sides_to_test
from rulebook.systems.en_garde.turns.opportunities import room_around
from rulebook.values.problems import Obligation, join_names

PendingCombat = Mapping[str, tuple[str, ...]]
"""The fighters of a combat by side: one against one or several."""


def pending_combats(state: PlayState) -> tuple[PendingCombat, ...]:
    """Return the combats of this turn that are still to be fought, each fighter in one of them.

    The fighter in contact with most enemies comes first, with as many of them as find room. Rule
    book: "Combat".
    """
    combats: list[PendingCombat] = []
    # Those who fight no more in this turn, and in the course of it those who are in a combat
    # already.
    seen = set()
    for key, combatant in state.combatants.items():
        if state.table.of(key).has("fought") or not combatant.on_table:
            seen.add(key)
    touching = [key for key in state.combatants if state.table.engaged(key)]
    for fighter in sorted(touching, key=lambda key: -len(_foes(state, key, seen))):
        foes = _foes(state, fighter, seen)
        if fighter in seen or not foes:
            continue
        # Who finds no room around it fights in a combat of its own, if at all.
        while len(foes) > room_around(state, fighter, foes):
            foes.pop()
        combats.append({side_of(state, fighter): (fighter,), side_of(state, foes[0]): tuple(foes)})
        seen |= {fighter, *foes}
    return tuple(combats)


def _foes(state: PlayState, fighter: str, seen: set[str]) -> list[str]:
    """Return the enemies in contact who are in no combat yet, all of the same side as the first."""
    foes = [each for each in state.table.of(fighter).contacts if each not in seen]
    return [each for each in foes if side_of(state, each) == side_of(state, foes[0])]


def obligations(state: PlayState) -> Iterator[Obligation]:
    """Yield what is owed in this turn, in the order of the rules. A side that is left alone owes
    nothing.

    ``state`` is that after poison has worked: its Stunned counters are rolled for as well. What is
    rolled at the end of a turn for the next one, and changes no result, lets a battle end.
    """
    gone = (*state.conceded, *state.withdrew)
    if (
        not state.table.turn
        or state.ended
        or len([side for side in state.sides if side not in gone]) < 2
    ):
        return
    yield from _combats(state)
    yield from _hazards(state)
    for side in sides_to_test(state):
        yield Obligation(who=side, kind="morale", label=f"{state.side(side).name}: Morale Test")
    for fighter in stunned(state):
        label = f"{state.named(fighter)}: roll to remove Stunned counters"
        yield Obligation(who=fighter, kind="stun_roll", label=label, blocks_end=False)
    if length_due(state):
        rule = f"{state.scenario.source}; Ruling S15"
        yield Obligation(
            who="", kind="length", label="length of the battle", blocks_end=False, rule=rule
        )


def _combats(state: PlayState) -> Iterator[Obligation]:
    fight = state.table.fight
    following = fight.next if fight is not None else None
    if following is not None:
        yield Obligation(
            who=following.id, kind="pass", label=f"{state.named(following.id)}: attack or skip"
        )
    for pending in pending_combats(state):
        first, second = pending.values()
        against = join_names(state.named(each) for each in second)
        yield Obligation(
            who=first[0], kind="combat", label=f"{state.named(first[0])} against {against}: combat"
        )


def _hazards(state: PlayState) -> Iterator[Obligation]:
    """Yield the moves out of contact after a free attack, and the rolls against drowning."""
    table = state.table
    leaver = table.leaver
    if (
        leaver
        and state.somebody(leaver).standing
        and {*table.parting} & {*table.of(leaver).contacts}
    ):
        yield Obligation(
            who=leaver, kind="move", label=f"{state.named(leaver)}: short move out of contact"
        )
    for fighter, on_table in table.fighters.items():
        if on_table.in_water and on_table.undrowned and state.somebody(fighter).on_table:
            yield Obligation(
                who=fighter, kind="water", label=f"{state.named(fighter)}: roll against drowning"
            )


def stunned(state: PlayState) -> Iterator[str]:
    """Yield the fighters who have yet to roll for their Stunned counters in this turn."""
    for fighter, combatant in state.combatants.items():
        if (
            combatant.on_table
            and combatant.wounds.stunned
            and not state.table.of(fighter).has("stun-rolled")
        ):
            yield fighter


def length_due(state: PlayState) -> bool:
    """Return whether the length of the battle has yet to be rolled for in this turn. Ruling S15."""
    rising, turn = state.scenario.rising, state.table.turn
    open_end = last_turn(state) is None or turn < (last_turn(state) or 0)
    return (
        rising is not None
        and turn >= rising
        and open_end
        and not (state.table.end_rolled or state.table.final)
    )
