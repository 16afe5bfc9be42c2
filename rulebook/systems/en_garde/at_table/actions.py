"""How an action is made, and what can be done in the Move Phase and beside the phases. Rule book: "Move phase"."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.at_table.offers import offered
from rulebook.systems.en_garde.at_table import follow_ups
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.play import endings, scenario_events
from rulebook.systems.en_garde.play.checking import once_a_turn, side_of
from rulebook.systems.en_garde.play.endings import Ending
from rulebook.systems.en_garde.play.offers import enemies_of, on_table, people
from rulebook.systems.en_garde.play.play_state import Event, PlayState, action_of, last_turn
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.play.words import weapon_name
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.magic import spells_known
from rulebook.systems.en_garde.table.moving import Gait, reach
from rulebook.systems.en_garde.table.shooting import band_words, bands_of, missile, never_misses
from rulebook.systems.en_garde.turns.actions import SideDone
from rulebook.systems.en_garde.turns.duels import Challenged, DuellistNamed, duellists_alone
from rulebook.systems.en_garde.turns.fighters import fewest_counters, is_hound, present, served_by, to_load
from rulebook.systems.en_garde.turns.harm import StunRemoved, WoundEvent
from rulebook.systems.en_garde.turns.hazards import DexterityChecked, InWater
from rulebook.systems.en_garde.turns.nerve import MoraleTested
from rulebook.systems.en_garde.turns.phases import ReservesKept, ScoutPlaced, lone_tactician
from rulebook.systems.en_garde.turns.policy import after_poison, waits_for
from rulebook.systems.en_garde.turns.shots import seen_to, shot_this_turn
from rulebook.values.fields import Choices, Field
from rulebook.values.table import BESIDE, Action

PRIORITY, MOVE, COMBAT, END = "priority", "move", "combat", "end"


def action(
    state: PlayState, kind: str, label: str, given: Mapping[str, Any], main: tuple[str, ...] = (), **more: Any
) -> Action:
    """Something that can be logged now, by the key of its kind: see ``action_of``."""
    return action_of(LOG.kinds[kind], state, label, given, main, **more)


def in_time(state: PlayState, offered: Action) -> Action:
    """The action, with a hurdle if its phase of this turn is over. Things can be dropped and riders ride on later."""
    late = offered.phase in {*TurnPhase} and TurnPhase(offered.phase).place < state.table.phase.place
    rides = offered.kind == "move" and state.table.of(offered.given["fighter"]).has("rides-on")
    if not late or offered.hurdle or rides or offered.kind == "object":
        return offered
    return replace(offered, hurdle="the phase is over")


def spent(state: PlayState, fighter: str, order: str = "", *, engaged: bool = True, step: bool = False) -> str:
    """Why a fighter can hardly act any more: it has, or (if ``engaged`` matters) it is Engaged. "" if it can.

    ``step`` says that a short move before it does not matter.
    """
    if side_of(state, fighter) in state.table.done:
        return "its side has passed"
    if once_a_turn(state, fighter, order, after_step=step):
        return "has acted"
    if first := waits_for(state, fighter):
        return f"{state.side(first).name} is next"
    return "is Engaged" if engaged and state.table.engaged(fighter) else ""


def luck_of(state: PlayState, fighters: Iterable[str]) -> Choices:
    """Those of these whose luck is not used up."""
    lucky = (each for each in fighters if present(state, each).has("lucky"))
    return people(state, (each for each in lucky if not state.table.of(each).lucky_used))


def not_asked(**needed: object) -> tuple[str, ...]:
    """The fields that mean nothing here: those for which nothing speaks."""
    return tuple(field for field, matters in needed.items() if not matters)


OF_A_FIGHTER: tuple[type[Event], ...] = (
    ScoutPlaced,
    Challenged,
    DexterityChecked,
    InWater,
    WoundEvent,
    endings.Captured,
    endings.LeftTable,
    endings.Routed,
    StunRemoved,
    endings.RecoveryRolled,
)
"""What may happen to a fighter at any time."""
ENDS_OF_A_SIDE = (endings.Captured, endings.ExtraPoints, endings.Withdrew, endings.Conceded)
"""What decides the battle for a side."""
OF_THE_SCENARIO: Mapping[str, type[Event]] = {
    kind.key: kind
    for kind in (
        scenario_events.MinorObjectiveRolled,
        scenario_events.ObjectiveHeld,
        scenario_events.Position,
        scenario_events.Touching,
        scenario_events.DuelPenalty,
    )
}
"""What a scenario may ask of a side, by the keys of the kinds."""
GAITS = {Gait.NORMAL: "Normal", Gait.SHORT: "Short", Gait.RUN: "Run"}
CLOSE = 3
"""Inches of the nearest band, which is rarely chosen."""
ACTIONS = {"aim": "Aim", "hide": "Hide", "rest": "Rest"}


def move_phase(state: PlayState, fighter: str) -> Iterator[Action]:
    """Moves, shots, spells, loading, orders and the rest, the commonest first."""
    now = present(state, fighter)
    yield _move(state, fighter, now)
    weapons = dict.fromkeys([key for key in now.weapons if key in catalogue().arms.missiles])
    weapons |= dict.fromkeys(served_by(state, fighter))
    if weapons:
        yield _shot(state, fighter, now, tuple(weapons))
    for weapon in weapons:
        if to_load(state, fighter, weapon)[1]:
            given = {"fighter": fighter, "what": "reload", "weapon": weapon}
            label, hurdle = f"Load the {weapon_name(weapon).lower()}", spent(state, fighter, "reload", engaged=False)
            yield action(state, "action", label, given, without=("cover",), key=f"reload-{weapon}", hurdle=hurdle)
    if now.has("magician"):
        yield _spell(state, fighter, now)
    if now.has("commander"):
        yield _order(state, fighter)
    yield from _actions(state, fighter, now)
    yield action(state, "object", "Pick up or drop", {"fighter": fighter}, ("what", "how", "heavy"), phase=MOVE)


def _move(state: PlayState, fighter: str, now: Combatant) -> Action:
    on_table, hound = state.table.of(fighter), is_hound(state, fighter)
    stepping = on_table.has("may-step") or on_table.has("rides-on")
    heavy = any(on_table.carries.values())
    reached = {gait: reach(now, gait, carries_heavy=heavy).inches for gait in GAITS}
    gaits = tuple((gait.value, f"{GAITS[gait]}, {inches:g}″") for gait, inches in reached.items())
    return action(
        state,
        "move",
        "Move",
        {"fighter": fighter},
        ("gait", "inches", "contacts"),
        without=not_asked(
            handler_away=hound, leash=hound, gun=served_by(state, fighter), enters_ground=duellists_alone(state)
        ),
        choices={"gait": gaits, "contacts": people(state, enemies_of(state, fighter))},
        hurdle="" if stepping else spent(state, fighter, "move", engaged=False),
        help="Tick every enemy that it touches afterwards: who is not ticked is left.",
    )


def _shot(state: PlayState, fighter: str, now: Combatant, weapons: tuple[str, ...]) -> Action:
    last, lucky = shot_this_turn(state, fighter), luck_of(state, on_table(state))
    loaded = {key: not fewest_counters(state, fighter, key) for key in weapons}
    ranges = bands_of([missile(key).range for key in weapons], seen_to(state))
    given: dict[str, Any] = {"shooter": fighter, "band": True}
    if all(never_misses(missile(key), state.settings) for key in weapons):
        # A spray hits everybody under it, at any range.
        given, ranges = {**given, "inches": ranges[0]}, ()
    shot = action(
        state,
        "shot",
        "Shoot",
        given,
        ("target", "weapon", "inches", "cover", "moved"),
        without=not_asked(
            twice=now.has("archer"), grapeshot=served_by(state, fighter), reroll=now.has("sharpshooter"), luck=lucky
        ),
        choices={
            "target": people(state, enemies_of(state, fighter)),
            "weapon": tuple((key, weapon_name(key) + " (not loaded)" * (not loaded[key])) for key in weapons),
            "wide_of": people(state, (last.target,)) if last and last.wide else (),
            "beside": people(state, (last.target,)) if last else (),
            "lucky": lucky,
            "between": people(state, (each for each in on_table(state) if each != fighter)),
        },
        hurdle="" if last else spent(state, fighter, "shoot", step=True),
    )
    likeliest = str(next((each for each in ranges if each > CLOSE), max(ranges, default=0)))
    choices = tuple((str(each), band_words(each).removeprefix("at ").capitalize()) for each in ranges)
    questions = (
        replace(field, label="Range", kind="number", choices=choices, default=likeliest, help="")
        if field.key == "inches"
        else field
        for field in shot.fields
    )
    return replace(shot, fields=tuple(questions))


def _spell(state: PlayState, fighter: str, now: Combatant) -> Action:
    spells = catalogue().spells
    return action(
        state,
        "spell",
        "Cast a spell",
        {"magician": fighter},
        ("spell", "target", "inches", "resisted_by"),
        choices={
            "spell": tuple(
                (key, f"{spells[key].name}, {spells[key].magic_points} points") for key in spells_known(now)
            ),
            "target": people(state, on_table(state)),
            "resisted_by": people(state, enemies_of(state, fighter)),
            "victims": people(state, (each for each in on_table(state) if each != fighter)),
            "lucky": luck_of(state, on_table(state)),
        },
        hurdle=spent(state, fighter, step=True),
    )


def _order(state: PlayState, fighter: str) -> Action:
    foes, own = people(state, enemies_of(state, fighter)), state.own(state.side_of(fighter))
    friends = people(state, (each.fighter.id for each in own if each.standing and each.fighter.id != fighter))
    return action(
        state,
        "order",
        "Give an order",
        {"commander": fighter},
        ("order", "fighters", "inches"),
        choices={"fighters": friends, "target": foes, "near": foes},
        hurdle=spent(state, fighter, engaged=False),
        help="Whoever is ordered acts afterwards, each with an entry of its own.",
    )


def _actions(state: PlayState, fighter: str, now: Combatant) -> Iterator[Action]:
    """To aim, hide and rest, to get off a mount or on it again, and what no rule names."""
    riding = {"dismount": "Dismount"} if now.mounted else {}
    walking = {"mount": "Mount"} if state.table.of(fighter).dismounted else {}
    for what, label in (ACTIONS | riding | walking | {"special": "Something special"}).items():
        main = {"special": ("words",), "hide": ("cover",)}.get(what, ())
        without = ("weapon", "die", *(() if what == "hide" else ("cover",)))
        hurdle = spent(state, fighter, engaged=what != "rest")
        given = {"fighter": fighter, "what": what}
        yield action(state, "action", label, given, main, without=without, key=what, hurdle=hurdle)


def other_actions(state: PlayState, fighter: str) -> Iterator[Action]:
    """What may happen to a fighter at any time, and its die against Stunned counters in the End Phase."""
    in_turn = state.table.turn and state.combatants[fighter].on_table
    if in_turn and after_poison(state).combatants[fighter].wounds.stunned:
        yield _stun_roll(state, fighter)
    yield from offered(OF_A_FIGHTER, state, fighter)


def _stun_roll(state: PlayState, fighter: str) -> Action:
    hurdle = "has rolled" if state.table.of(fighter).has("stun-rolled") else ""
    return action(state, "stun_roll", "Shake off Stunned", {"fighter": fighter}, hurdle=hurdle)


def of_a_civilian(state: PlayState, civilian: str) -> Iterator[Action]:
    """What may happen to a Civilian. Rule book: "Civilians"."""
    given, by = {"civilian": civilian}, {"by": people(state, on_table(state))}
    in_turn = state.table.turn and state.civilians[civilian].on_table
    turn = tuple(_turn_of_a_civilian(state, civilian)) if in_turn else ()
    # What belongs to a phase comes first, so that the card has one heading for everything else.
    yield from (each for each in turn if each.phase != BESIDE)
    if "civilian" in state.scenario.event_kinds:
        yield action(state, "civilian", "What became of it", given, ("outcome", "by"), choices=by)
    yield from WoundEvent.offers(state, civilian)
    yield from (each for each in turn if each.phase == BESIDE)


def _turn_of_a_civilian(state: PlayState, civilian: str) -> Iterator[Action]:
    """Yield what a Civilian can do in a turn: move as Infantry, rest, carry things and shake off Stunned counters."""
    state_of, given, now = state.civilians[civilian], {"fighter": civilian}, present(state, civilian)
    if state_of.standing:
        yield _move(state, civilian, now)
        yield from _actions(state, civilian, now)
        yield action(state, "object", "Pick up or drop", given, ("what", "how", "heavy"), phase=MOVE)
    yield from offered((DexterityChecked, InWater), state, civilian)
    if state_of.wounds.stunned:
        yield _stun_roll(state, civilian)


def of_a_side(state: PlayState, side: str) -> Iterator[Action]:
    """What a side does or has: Morale, what the scenario asks about, points, giving up."""
    yield from offered((MoraleTested, SideDone), state, side)
    asked_by_scenario = (OF_THE_SCENARIO[key] for key in state.scenario.event_kinds if key in OF_THE_SCENARIO)
    yield from offered(asked_by_scenario, state, side)
    yield from offered((ReservesKept, DuellistNamed, *ENDS_OF_A_SIDE), state, side)


def of_the_table(state: PlayState) -> Iterator[Action]:
    """What belongs to nobody: turns, Priority, notes, the end."""
    turn = state.table.turn + 1
    begins = action(state, "turn", f"Begin turn {turn}", {}, phase=PRIORITY, turn=turn)
    if state.settings.dice != "table":
        begins = replace(begins, follow=follow_ups.PRIORITY, plan=tuple(_priority_dice(state)))
    yield begins
    yield _priority(state)
    if state.scenario.rising is not None:
        yield action(state, "length", "Roll for the end of the game", {}, ("die",))
    yield action(state, "note", "Note", {}, ("text",))
    if "civilian" in state.scenario.event_kinds and state.civilians:
        choices = {"civilian": people(state, state.civilians), "by": people(state, on_table(state))}
        yield action(state, "civilian", "What became of a Civilian", {}, ("civilian", "outcome", "by"), choices=choices)
    if "objective" in state.scenario.event_kinds:
        yield action(state, "objective", "Nobody holds the objective", {}, ("what",), without=("side", "by", "how"))
    yield _ended(state)


def _ended(state: PlayState) -> Action:
    """The end, and why; by the last turn only in that turn, so that nobody says so by leaving the form as it is."""
    sides = tuple((side, state.side(side).name) for side in state.sides)
    given = {"turn": max(1, state.table.turn)}
    ended = action(state, "ended", "The battle ends", given, ("how", "side"), choices={"side": sides})
    if not 0 < state.table.turn < (last_turn(state) or 0):
        return ended
    how, *others = ended.fields
    ways = tuple(each for each in how.choices if each[0] != Ending.LAST_TURN)
    return replace(ended, fields=(replace(how, choices=ways, required=True, default=None), *others))


def _priority(state: PlayState) -> Action:
    rolled = action(state, "priority", "Roll for Priority", {})
    dice = tuple(_priority_dice(state))
    if not dice:
        return rolled
    return replace(rolled, fields=(*rolled.fields, *dice), rule='Rule book: "Determine priority"')


def _priority_dice(state: PlayState) -> Iterator[Field]:
    """The dice of Priority, where the table may type them: a throw for each side, and one after a tie."""
    if state.settings.dice == "app" or lone_tactician(state):
        return
    names = {side: f"Die of {state.side(side).name}" for side in state.sides}
    labels = [(f"rolls.0.{side}", name) for side, name in names.items()]
    labels += [(f"rolls.1.{side}", f"{name}, after a tie") for side, name in names.items()]
    for key, label in labels:
        yield Field(key, label, "number", False, least=1, most=6, group="dice")
