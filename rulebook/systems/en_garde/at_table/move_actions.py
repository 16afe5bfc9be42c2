"""What a fighter can do in the Move Phase. Rule book: "Move phase"."""

from collections.abc import Iterator

from rulebook.systems.en_garde.at_table.action_building import (
    MOVE,
    action,
    enemies_of,
    luck_of,
    not_asked,
    on_table,
    people,
    spent,
)
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import weapon_name
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.magic import spells_known
from rulebook.systems.en_garde.table.moving import Gait, reach
from rulebook.systems.en_garde.turns.duels import duellists_alone
from rulebook.systems.en_garde.turns.fighters import fewest_counters, is_hound, present, served_by, to_load
from rulebook.systems.en_garde.turns.shots import shot_this_turn
from rulebook.values.table import Action

GAITS = {Gait.NORMAL: "Normal", Gait.SHORT: "Short", Gait.RUN: "Run"}
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
    known, hound = state.table.of(fighter), is_hound(state, fighter)
    stepping = known.has("may-step", "rides-on")
    heavy = any(known.carries.values())
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
    return action(
        state,
        "shot",
        "Shoot",
        {"shooter": fighter},
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


def _spell(state: PlayState, fighter: str, now: Combatant) -> Action:
    known = catalogue().spells
    return action(
        state,
        "spell",
        "Cast a spell",
        {"magician": fighter},
        ("spell", "target", "inches", "resisted_by"),
        choices={
            "spell": tuple((key, f"{known[key].name}, {known[key].magic_points} points") for key in spells_known(now)),
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
