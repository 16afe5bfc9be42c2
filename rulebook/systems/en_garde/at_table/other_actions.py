"""What else can be logged: of the End Phase, of the whole turn, of a side, and what happens beside the phases."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from rulebook.systems.en_garde.at_table.action_building import END, MOVE, PRIORITY, action, under
from rulebook.systems.en_garde.at_table.people_choices import enemies_of, on_table, people
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.duels import duellists_alone
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.nerve import sides_to_test
from rulebook.systems.en_garde.turns.phases import lone_tactician
from rulebook.values.fields import Field
from rulebook.values.table import BESIDE, Action

LEAST_RANK_TO_CHALLENGE = 3


def end_phase(state: PlayState, fighter: str) -> Iterator[Action]:
    """The die against Stunned counters. Rule book: "Remove stunned counters"."""
    if state.combatants[fighter].wounds.stunned:
        rolled = state.table.of(fighter).rolled_stun == state.table.turn > 0
        shaken = action(state, "stun_roll", "Shake off Stunned", phase=END, given={"fighter": fighter})
        yield under(shaken, "stun_roll", hurdle="has rolled" if rolled else "")


def other_actions(state: PlayState, fighter: str) -> Iterator[Action]:
    """What may happen to a fighter at any time."""
    there = state.combatants[fighter]
    if not state.table.turn and present(state, fighter).has("scout"):
        yield under(
            _fighters(state, "scout", "Goes ahead as a Scout", fighter, "inches", "hidden"), "scout", phase=PRIORITY
        )
    if there.standing:
        yield from _challenge(state, fighter)
        yield _fighters(state, "dexterity", "Dexterity Check", fighter, "words", "falls")
        yield under(_fighters(state, "water", "Into the river", fighter), "river", given=_given(fighter, entering=True))
        yield _fighters(state, "water", "Stunned in the water", fighter)
    if there.on_table:
        yield _harm(state, fighter)
        yield _captured(state, fighter)
        yield _fighters(state, "left", "Leaves the table", fighter, "edge")
        yield _fighters(state, "routed", "Routs off the table", fighter)
    if there.wounds.stunned:
        yield _fighters(state, "removed_stun", "Loses Stunned counters", fighter, "counters")


def _given(fighter: str, **more: Any) -> dict[str, Any]:
    return {"fighter": fighter, **more}


def _fighters(state: PlayState, kind: str, label: str, fighter: str, *main: str) -> Action:
    return action(state, kind, label, phase=BESIDE, given=_given(fighter), main=main, without=("entering",))


def _challenge(state: PlayState, fighter: str) -> Iterator[Action]:
    if state.combatants[fighter].fighter.rank < LEAST_RANK_TO_CHALLENGE:
        return
    yield action(
        state,
        "challenge",
        "Challenge to a duel",
        phase=PRIORITY,
        given={"challenger": fighter},
        main=("challenged", "inches", "accepted"),
        choices={"challenged": people(state, enemies_of(state, fighter))},
    )


def _harm(state: PlayState, victim: str) -> Action:
    others = (each for each in on_table(state) if each != victim)
    return action(
        state,
        "wound",
        "Is hurt (by hand)",
        phase=BESIDE,
        given={"victim": victim},
        main=("result", "means", "attacker"),
        choices={"attacker": people(state, others)},
    )


def _captured(state: PlayState, fighter: str) -> Action:
    foes = (each for each in enemies_of(state, fighter) if each in state.combatants)
    choices = {"by": people(state, foes)}
    given = {"fighter": fighter}
    return action(
        state, "captured", "Is captured", phase=BESIDE, given=given, main=("by",), without=("banner",), choices=choices
    )


def of_a_civilian(state: PlayState, civilian: str) -> Iterator[Action]:
    """What may happen to a Civilian. Rule book: "Civilians"."""
    yield action(
        state,
        "civilian",
        "What became of it",
        phase=BESIDE,
        given={"civilian": civilian},
        main=("outcome", "by"),
        choices={"by": people(state, on_table(state))},
    )
    yield _harm(state, civilian)


def of_a_side(state: PlayState, side: str) -> Iterator[Action]:
    """What a side does or has: Morale, what the scenario asks about, points, giving up."""
    test = action(state, "morale", "Morale Test", phase=END, given={"side": side})
    yield under(test, "morale", hurdle="" if side in sides_to_test(state) else "none is due")
    done = action(state, "done", "Passes: no more moves", phase=MOVE, given={"side": side})
    yield under(done, "done", hurdle="has passed" if side in state.table.done else "")
    own = people(state, (there.fighter.id for there in state.own(side) if there.on_table))
    for kind, label in _asked_of_sides(state):
        main = {"minor_objective": ("rolled", "achieved"), "objective": ("by", "how", "what")}.get(kind, ("fighters",))
        given = {"side": side}
        yield action(state, kind, label, phase=BESIDE, given=given, main=main, choices={"fighters": own, "by": own})
    if duellists_alone(state):
        choices = {"fighter": own}
        yield action(
            state, "duellist", "Names its duellist", phase=PRIORITY, given={}, main=("fighter",), choices=choices
        )
    yield _banner(state, side)
    yield action(state, "points", "Extra victory points", phase=BESIDE, given={"side": side}, main=("amount", "reason"))
    yield action(state, "withdrew", "Withdraws", phase=BESIDE, given={"side": side})
    yield action(state, "conceded", "Concedes", phase=BESIDE, given={"side": side})


def _asked_of_sides(state: PlayState) -> Iterator[tuple[str, str]]:
    labels = {
        "minor_objective": "Minor objective",
        "objective": "Holds the objective",
        "position": "On the Defender's bank",
        "touching": "Touches the centre",
        "duel_penalty": "Broke the duel",
    }
    return ((kind, labels[kind]) for kind in state.scenario.event_kinds if kind in labels)


def _banner(state: PlayState, side: str) -> Action:
    foes = (there.fighter.id for there in state.enemies(side) if there.on_table)
    lost = action(
        state,
        "captured",
        "Loses its banner",
        phase=BESIDE,
        given={"banner": side},
        main=("by",),
        without=("fighter",),
        choices={"by": people(state, foes)},
    )
    return under(lost, "banner")


def of_the_table(state: PlayState) -> Iterator[Action]:
    """What belongs to nobody: turns, Priority, notes, the end."""
    yield _next_turn(state)
    yield _priority(state)
    if state.scenario.rising is not None:
        yield action(state, "length", "Roll for the end of the game", phase=END, given={}, main=("die",))
    yield action(state, "note", "Note", phase=BESIDE, given={}, main=("text",))
    yield action(
        state, "ended", "The battle ends", phase=BESIDE, given={"turn": max(1, state.table.turn)}, main=("how",)
    )


def _next_turn(state: PlayState) -> Action:
    turn = state.table.turn + 1
    return replace(action(state, "turn", f"Begin turn {turn}", phase=PRIORITY, given={}), turn=turn)


def _priority(state: PlayState) -> Action:
    rolled = action(state, "priority", "Roll for Priority", phase=PRIORITY, given={})
    if state.settings.dice == "app" or lone_tactician(state):
        return rolled
    dice = tuple(
        Field(f"rolls.0.{side}", f"Die of {state.side(side).name}", "number", False, least=1, most=6, group="dice")
        for side in state.sides
    )
    again = tuple(replace(field, key=field.key.replace("rolls.0", "rolls.1"), label=f"{field.label}, after a tie")
                  for field in dice)  # fmt: skip
    return replace(rolled, fields=(*rolled.fields, *dice, *again), rule='Rule book: "Determine priority"')
