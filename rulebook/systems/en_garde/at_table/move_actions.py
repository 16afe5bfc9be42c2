"""What a fighter can do in the Move Phase. Rule book: "Move phase"."""

from collections.abc import Iterator

from rulebook.systems.en_garde.at_table.action_building import MOVE, action, spent, under
from rulebook.systems.en_garde.at_table.opportunity_actions import luck_of
from rulebook.systems.en_garde.at_table.people_choices import enemies_of, friends_of, on_table, people
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import weapon_name
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.magic import spells_known
from rulebook.systems.en_garde.table.moving import Gait, reach
from rulebook.systems.en_garde.turns.duels import duellists_alone
from rulebook.systems.en_garde.turns.fighters import fewest_counters, is_hound, present, served_by, to_load
from rulebook.systems.en_garde.turns.shots import shot_this_turn
from rulebook.values.fields import Choices
from rulebook.values.table import Action

ACTIONS = (("aim", "Aim"), ("hide", "Hide"), ("rest", "Rest"))


def move_phase(state: PlayState, fighter: str) -> Iterator[Action]:
    """Moves, shots, spells, loading, orders and the rest, the commonest first."""
    now = present(state, fighter)
    yield _move(state, fighter, now)
    yield from _shot(state, fighter, now)
    yield from _reload(state, fighter, now)
    yield from _spell(state, fighter, now)
    yield from _order(state, fighter, now)
    yield from _actions(state, fighter, now)
    yield _object(state, fighter)


def _move(state: PlayState, fighter: str, now: Combatant) -> Action:
    moved = action(
        state,
        "move",
        "Move",
        phase=MOVE,
        given={"fighter": fighter},
        main=("gait", "inches", "contacts"),
        without=_idle_in_a_move(state, fighter),
        choices={"gait": _gaits(state, fighter, now), "contacts": people(state, enemies_of(state, fighter))},
    )
    known, turn = state.table.of(fighter), state.table.turn
    stepping = turn > 0 and turn in (known.may_step, known.rode_by)
    help_text = "Tick every enemy that it touches afterwards: who is not ticked is left."
    return under(moved, "move", hurdle="" if stepping else spent(state, fighter, "move", engaged=False), help=help_text)


def _idle_in_a_move(state: PlayState, fighter: str) -> tuple[str, ...]:
    """Fields that mean nothing for this fighter in this battle."""
    hound = is_hound(state, fighter)
    checks = (
        ("handler_away", hound),
        ("leash", hound),
        ("gun", bool(served_by(state, fighter))),
        ("enters_ground", bool(duellists_alone(state))),
    )
    return tuple(field for field, matters in checks if not matters)


def _gaits(state: PlayState, fighter: str, now: Combatant) -> Choices:
    """Each gait with how far it goes over open ground."""
    heavy = any(state.table.of(fighter).carries.values())
    words = {Gait.NORMAL: "Normal", Gait.SHORT: "Short", Gait.RUN: "Run"}
    return tuple(
        (gait.value, f"{word}, {reach(now, gait, carries_heavy=heavy).inches:g}″") for gait, word in words.items()
    )


def _shot(state: PlayState, fighter: str, now: Combatant) -> Iterator[Action]:
    weapons = _missiles(state, fighter, now)
    if not weapons:
        return
    last = shot_this_turn(state, fighter)
    shot = action(
        state,
        "shot",
        "Shoot",
        phase=MOVE,
        given={"shooter": fighter},
        main=("target", "weapon", "inches", "cover", "moved"),
        without=_idle_in_a_shot(state, fighter, now),
        choices={
            "target": people(state, enemies_of(state, fighter)),
            "weapon": tuple((key, _loaded(state, fighter, key)) for key in weapons),
            "wide_of": people(state, (last.target,)) if last and last.wide else (),
            "beside": people(state, (last.target,)) if last else (),
            "lucky": _lucky(state),
            "between": people(state, (each for each in on_table(state) if each != fighter)),
        },
    )
    yield under(shot, "shot", hurdle="" if last else spent(state, fighter, "shoot", step=True))


def _missiles(state: PlayState, fighter: str, now: Combatant) -> list[str]:
    own = [key for key in now.weapons if key in catalogue().arms.missiles]
    return list(dict.fromkeys((*own, *served_by(state, fighter))))


def _loaded(state: PlayState, fighter: str, weapon: str) -> str:
    counters = fewest_counters(state, fighter, weapon)
    return f"{weapon_name(weapon)} (not loaded)" if counters else weapon_name(weapon)


def _idle_in_a_shot(state: PlayState, fighter: str, now: Combatant) -> tuple[str, ...]:
    """Fields that mean nothing for this shooter."""
    checks = (
        ("twice", now.has("archer")),
        ("grapeshot", bool(served_by(state, fighter))),
        ("reroll", now.has("sharpshooter")),
        ("luck", bool(_lucky(state))),
    )
    return tuple(field for field, matters in checks if not matters)


def _lucky(state: PlayState) -> Choices:
    """Those whose luck is not used up."""
    return luck_of(state, tuple(on_table(state)))


def _reload(state: PlayState, fighter: str, now: Combatant) -> Iterator[Action]:
    for weapon in _missiles(state, fighter, now):
        if to_load(state, fighter, weapon)[1]:
            given = {"fighter": fighter, "what": "reload", "weapon": weapon}
            load = action(
                state, "action", f"Load the {weapon_name(weapon).lower()}", phase=MOVE, given=given, without=("cover",)
            )
            yield under(load, f"reload-{weapon}", hurdle=spent(state, fighter, "reload", engaged=False))


def _spell(state: PlayState, fighter: str, now: Combatant) -> Iterator[Action]:
    if not now.has("magician"):
        return
    known = catalogue().spells
    spells = tuple((key, f"{known[key].name}, {known[key].magic_points} points") for key in spells_known(now))
    cast = action(
        state,
        "spell",
        "Cast a spell",
        phase=MOVE,
        given={"magician": fighter},
        main=("spell", "target", "inches", "resisted_by"),
        choices={
            "spell": spells,
            "target": people(state, on_table(state)),
            "resisted_by": people(state, enemies_of(state, fighter)),
            "victims": people(state, (each for each in on_table(state) if each != fighter)),
            "lucky": _lucky(state),
        },
    )
    yield under(cast, "spell", hurdle=spent(state, fighter, step=True))


def _order(state: PlayState, fighter: str, now: Combatant) -> Iterator[Action]:
    if not now.has("commander"):
        return
    foes = people(state, enemies_of(state, fighter))
    order = action(
        state,
        "order",
        "Give an order",
        phase=MOVE,
        given={"commander": fighter},
        main=("order", "fighters", "inches"),
        choices={"fighters": people(state, friends_of(state, fighter)), "target": foes, "near": foes},
    )
    help_text = "Whoever is ordered acts afterwards, each with an entry of its own."
    yield under(order, "order", hurdle=spent(state, fighter, engaged=False), help=help_text)


def _actions(state: PlayState, fighter: str, now: Combatant) -> Iterator[Action]:
    hurdle = spent(state, fighter)
    for what, label in ACTIONS:
        free = spent(state, fighter, engaged=what != "rest")
        yield under(_action(state, fighter, what, label), what, hurdle=free)
    if now.mounted:
        yield under(_action(state, fighter, "dismount", "Dismount"), "dismount", hurdle=spent(state, fighter))
    if state.table.of(fighter).dismounted:
        yield under(_action(state, fighter, "mount", "Mount"), "mount", hurdle=hurdle)
    yield under(_action(state, fighter, "special", "Something special"), "special", hurdle=hurdle)


def _action(state: PlayState, fighter: str, what: str, label: str) -> Action:
    main = {"special": ("words",), "hide": ("cover",)}.get(what, ())
    given = {"fighter": fighter, "what": what}
    return action(
        state,
        "action",
        label,
        phase=MOVE,
        given=given,
        main=main,
        without=("weapon", "die", *(() if what == "hide" else ("cover",))),
    )


def _object(state: PlayState, fighter: str) -> Action:
    handled = action(
        state, "object", "Pick up or drop", phase=MOVE, given={"fighter": fighter}, main=("what", "how", "heavy")
    )
    return under(handled, "object")
