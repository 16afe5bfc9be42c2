"""The referee: plays a whole battle between two or more warbands, turn by turn, by the rules.

How it chooses is simple on purpose. The table is a line: each side starts behind its own edge, and a fighter's place is
how many inches it has come forward, so that two enemies are apart by what both have still to go. Every fighter shoots
if it can, loads if it must, and else walks at the nearest enemy who has room for it. Attack and Defence counters are
drawn half and half, the odd one for attack; whoever can parries, a Weapon Master ripostes a stronger enemy, and a
spare counter goes into a Mighty Blow against an equal. Magicians blast or drain. Nobody lays ambushes, and nobody
gives orders. Dice come from the generator that is handed in; each event passes the same checks as a human's.
"""

from rulebook.dice.rolls import Generator, d6
from rulebook.ruleset import BattleSetup, LoggedEvent
from rulebook.systems.en_garde.book.house_rules import settled
from rulebook.systems.en_garde.play.play_state import CombatantState
from rulebook.systems.en_garde.referee.fights import combat_phase
from rulebook.systems.en_garde.referee.moves import activate
from rulebook.systems.en_garde.referee.quick_result import ENDINGS
from rulebook.systems.en_garde.referee.table import Referee
from rulebook.systems.en_garde.turns.alternation import free_fighters, next_side
from rulebook.systems.en_garde.turns.consequences import after_poison
from rulebook.systems.en_garde.turns.duels import duellists_alone
from rulebook.systems.en_garde.turns.nerve import sides_to_test

MOST_TURNS = 12


def referee(setup: BattleSetup, generator: Generator) -> tuple[LoggedEvent, ...]:
    """The whole log of a battle that the referee has played; the same seed plays the same battle.

    Raises RulesError for an unknown scenario or a build that cannot be read.
    """
    table = Referee(setup, generator)
    secret = settled(table.state.settings).minor_objectives == "secret"
    if not secret:
        _roll_minor_objectives(table, generator)
    last = _play(table)
    over = _decided(table)
    ENDINGS[setup.scenario](table)
    table.tell("ended", turn=last, how="destroyed" if over else "last-turn")
    if secret:
        _roll_minor_objectives(table, generator)
    return tuple(table.events)


def _roll_minor_objectives(table: Referee, generator: Generator) -> None:
    if "minor_objective" in table.state.scenario.event_kinds:
        typed = settled(table.state.settings).dice == "table"
        for side in table.state.sides:
            table.tell("minor_objective", side=side, **({"rolled": d6(generator)} if typed else {}))


def _play(table: Referee) -> int:
    """Play turn after turn; returns the number of the last."""
    facts = table.state.scenario
    length = table.state.setup.set_up.get("turns") or facts.turns or 6 + table.luck.randint(1, 6)
    final = MOST_TURNS if facts.rising is not None else int(length)
    turn = 0
    while turn < final and not _decided(table):
        turn += 1
        _turn(table, turn)
        if facts.rising is not None and facts.rising <= turn < final:
            table.tell("length", **_typed_die(table))
            final = table.state.table.final or final
    return turn


def _typed_die(table: Referee) -> dict[str, int]:
    """A die that the referee throws itself where the house rules leave all dice to the table."""
    return {"die": d6(table.luck)} if settled(table.state.settings).dice == "table" else {}


def _decided(table: Referee) -> bool:
    """Has all but one side nobody left who can act?"""
    return sum(bool(table.standing(side)) for side in table.state.sides) < 2


def _turn(table: Referee, turn: int) -> None:
    _name_duellists(table)
    table.turn = turn
    table.tell("turn")
    table.tell("priority")
    while not _decided(table) and (side := next_side(table.state)):
        activate(table, next(free_fighters(table.state, side)))
    combat_phase(table)
    _end_phase(table)


def _name_duellists(table: Referee) -> None:
    """In a Duel, the best fighter of each side; another one once that one is dead."""
    for side in table.state.sides if duellists_alone(table.state) else ():
        named = table.state.table.duellists.get(side, ())
        able = sorted(table.standing(side), key=lambda each: -each.fighter.rank)
        if able and all(table.state.combatants[each].dead for each in named):
            table.tell("duellist", fighter=able[0].fighter.id)


def _end_phase(table: Referee) -> None:
    for side in sides_to_test(table.state):
        if table.standing(side):
            table.tell("morale", side=side)
    for fighter in table.state.combatants:
        if _stunned(after_poison(table.state).combatants[fighter]):
            table.tell("stun_roll", fighter=fighter)


def _stunned(combatant: CombatantState) -> bool:
    return combatant.on_table and combatant.wounds.stunned > 0
