"""What can be logged beside moves and combats: of a fighter at any time, of a Civilian, a side, the whole table."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.systems.en_garde.at_table.action_building import PRIORITY, action, enemies_of, on_table, people
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.duels import duellists_alone
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.nerve import sides_to_test
from rulebook.systems.en_garde.turns.phases import lone_tactician
from rulebook.values.fields import Field
from rulebook.values.table import Action

LEAST_RANK_TO_CHALLENGE = 3
ASKED_OF_SIDES = {
    "minor_objective": ("Minor objective", ("rolled", "achieved")),
    "objective": ("Holds the objective", ("by", "how", "what")),
    "position": ("On the Defender's bank", ("fighters",)),
    "touching": ("Touches the centre", ("fighters",)),
    "duel_penalty": ("Broke the duel", ("fighters",)),
}
"""What a scenario may ask of a side: the label, and what is asked at once."""


def other_actions(state: PlayState, fighter: str) -> Iterator[Action]:
    """What may happen to a fighter at any time, and its die against Stunned counters in the End Phase."""
    there, given, turn = state.combatants[fighter], {"fighter": fighter}, state.table.turn
    if turn and there.on_table and there.wounds.stunned:
        hurdle = "has rolled" if state.table.of(fighter).has("stun-rolled") else ""
        yield action(state, "stun_roll", "Shake off Stunned", given, hurdle=hurdle)
    if not turn and present(state, fighter).has("scout"):
        yield action(state, "scout", "Goes ahead as a Scout", given, ("inches", "hidden"), phase=PRIORITY)
    if there.standing:
        if there.fighter.rank >= LEAST_RANK_TO_CHALLENGE:
            main, foes = ("challenged", "inches", "accepted"), {"challenged": people(state, enemies_of(state, fighter))}
            yield action(state, "challenge", "Challenge to a duel", {"challenger": fighter}, main, choices=foes)
        yield action(state, "dexterity", "Dexterity Check", given, ("words", "falls"))
        yield action(state, "water", "Into the river", {**given, "entering": True}, key="river")
        yield action(state, "water", "Stunned in the water", given, without=("entering",))
    if there.on_table:
        yield _harm(state, fighter)
        foes = {"by": people(state, (each for each in enemies_of(state, fighter) if each in state.combatants))}
        yield action(state, "captured", "Is captured", given, ("by",), without=("banner",), choices=foes)
        yield action(state, "left", "Leaves the table", given, ("edge",))
        yield action(state, "routed", "Routs off the table", given)
    if there.wounds.stunned:
        yield action(state, "removed_stun", "Loses Stunned counters", given, ("counters",))


def _harm(state: PlayState, victim: str) -> Action:
    others = {"attacker": people(state, (each for each in on_table(state) if each != victim))}
    main = ("result", "means", "attacker")
    return action(state, "wound", "Is hurt (by hand)", {"victim": victim}, main, choices=others)


def of_a_civilian(state: PlayState, civilian: str) -> Iterator[Action]:
    """What may happen to a Civilian. Rule book: "Civilians"."""
    given, by = {"civilian": civilian}, {"by": people(state, on_table(state))}
    yield action(state, "civilian", "What became of it", given, ("outcome", "by"), choices=by)
    yield _harm(state, civilian)


def of_a_side(state: PlayState, side: str) -> Iterator[Action]:
    """What a side does or has: Morale, what the scenario asks about, points, giving up."""
    given, own = {"side": side}, people(state, (each.fighter.id for each in state.own(side) if each.on_table))
    yield action(state, "morale", "Morale Test", given, hurdle="" if side in sides_to_test(state) else "none is due")
    yield action(state, "done", "Passes: no more moves", given, hurdle="has passed" if side in state.table.done else "")
    for kind in (each for each in state.scenario.event_kinds if each in ASKED_OF_SIDES):
        label, main = ASKED_OF_SIDES[kind]
        yield action(state, kind, label, given, main, choices={"fighters": own, "by": own})
    if duellists_alone(state):
        choices = {"fighter": own}
        yield action(state, "duellist", "Names its duellist", {}, ("fighter",), choices=choices, phase=PRIORITY)
    foes = {"by": people(state, (each.fighter.id for each in state.enemies(side) if each.on_table))}
    banner = {"banner": side}
    yield action(
        state, "captured", "Loses its banner", banner, ("by",), without=("fighter",), choices=foes, key="banner"
    )
    yield action(state, "points", "Extra victory points", given, ("amount", "reason"))
    yield action(state, "withdrew", "Withdraws", given)
    yield action(state, "conceded", "Concedes", given)


def of_the_table(state: PlayState) -> Iterator[Action]:
    """What belongs to nobody: turns, Priority, notes, the end."""
    turn = state.table.turn + 1
    yield action(state, "turn", f"Begin turn {turn}", {}, phase=PRIORITY, turn=turn)
    yield _priority(state)
    if state.scenario.rising is not None:
        yield action(state, "length", "Roll for the end of the game", {}, ("die",))
    yield action(state, "note", "Note", {}, ("text",))
    yield action(state, "ended", "The battle ends", {"turn": max(1, state.table.turn)}, ("how",))


def _priority(state: PlayState) -> Action:
    rolled = action(state, "priority", "Roll for Priority", {})
    if state.settings.dice == "app" or lone_tactician(state):
        return rolled
    names = {side: f"Die of {state.side(side).name}" for side in state.sides}
    told = [(f"rolls.0.{side}", name) for side, name in names.items()]
    told += [(f"rolls.1.{side}", f"{name}, after a tie") for side, name in names.items()]
    dice = (Field(key, label, "number", False, least=1, most=6, group="dice") for key, label in told)
    return replace(rolled, fields=(*rolled.fields, *dice), rule='Rule book: "Determine priority"')
