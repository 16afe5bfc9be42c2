"""Minor objectives of a Skirmish: which one a side really has, and whether the log shows it achieved.

Rule book: "Skirmish". Rulings S2, S3, S4.
"""

from collections.abc import Callable, Iterable, Mapping

from rulebook.dice.committed import aside
from rulebook.dice.rolls import Generator, d6
from rulebook.ruleset import BattleSetup, LoggedEvent, OwnSecret, Settings
from rulebook.systems.en_garde.book.house_rules import setting
from rulebook.systems.en_garde.book.scenarios import MinorObjective, find_scenario, minor_objective
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState

COPY = 6


def objective_of(state: PlayState, side: str) -> MinorObjective | None:
    """A side's minor objective: a 6 copies the opponent's, two of them are none; None if nothing was rolled."""
    rolled = {key: event.rolled for key, event in state.rolled.items() if event.rolled is not None}
    own = rolled.get(side)
    if own != COPY:
        return None if own is None else minor_objective(own)
    others = [die for key, die in rolled.items() if key != side and die != COPY]
    return minor_objective(others[0]) if others else None


def is_secret(settings: Settings) -> bool:
    """Are minor objectives kept from the opponent? House rule "minor_objectives"."""
    return bool(setting(settings, "minor_objectives") == "secret")


def drawn_in_secret(setup: BattleSetup) -> tuple[str, ...]:
    """The sides for which Muster has thrown in secret, so that they cannot bring a die of their own any more."""
    return tuple(setup.set_up.get("secrets_drawn", ()))


def secrets_open(setup: BattleSetup, events: Iterable[LoggedEvent]) -> bool:
    """Has a log told a secret minor objective by Muster's die, even if that was struck out since?"""
    told = any(event.kind == "minor_objective" and event.data.get("thrown") == "app" for event in events)
    return told and is_secret(setup.settings)


def objective_dice(side: str) -> str:
    """What the dice apart are for by which a side's secret minor objective is thrown."""
    return f"objective {side}"


def own_secret(setup: BattleSetup, side: str, generator: Generator) -> OwnSecret | None:
    """What a side alone may know: its minor objective by Muster's die, None where it is no secret, or not Muster's.

    A 6 copies the opponent's, which nobody knows before the end; its sentence says so.
    """
    asked = "minor_objective" in find_scenario(setup.scenario).event_kinds
    thrown_by_muster = is_secret(setup.settings) and setting(setup.settings, "dice") != "table"
    if not (asked and thrown_by_muster):
        return None
    purpose = objective_dice(side)
    die = d6(aside(generator, purpose))
    return OwnSecret(side, "Minor objective", die, minor_objective(die).sentence, "Ruling S4", purpose)


def achieved(state: PlayState, side: str) -> bool:
    """Has a side achieved its minor objective, as far as the log has come?"""
    objective = objective_of(state, side)
    return objective is not None and ACHIEVED[objective.key](state, side)


def _captive(state: PlayState, side: str) -> bool:
    return any(each.fighter.rank >= 2 for each in captives_of(state, side))


def captives_of(state: PlayState, side: str) -> tuple[CombatantState, ...]:
    """The enemies that a side has captured, in the order in which they went out of action."""
    taken = (each for each in state.enemies(side) if each.captor and state.side_of(each.captor) == side)
    return tuple(sorted(taken, key=lambda each: each.out_since or 0))


def _quarters(state: PlayState, side: str) -> bool:
    return state.rolled[side].achieved is True


def _leader(state: PlayState, side: str) -> bool:
    return any(each.dead for each in state.enemies(side) if each.fighter.leader)


def _intact(state: PlayState, side: str) -> bool:
    own = state.own(side)
    return _weight(state, [each for each in own if each.lost]) * 4 <= _weight(state, own)


def _destroy(state: PlayState, side: str) -> bool:
    enemies = [each for each in state.enemies(side) if not each.summoned]
    return _weight(state, [each for each in enemies if each.dead]) * 4 > _weight(state, enemies) * 3


def _weight(state: PlayState, combatants: tuple[CombatantState, ...] | list[CombatantState]) -> int:
    """Fighters or points, as the house rule has it. Ruling S2."""
    if state.settings["lost_share"] == "fighters":
        return len(combatants)
    return sum(each.fighter.points for each in combatants)


ACHIEVED: Mapping[str, Callable[[PlayState, str], bool]] = {
    "captive": _captive,
    "quarters": _quarters,
    "leader": _leader,
    "intact": _intact,
    "destroy": _destroy,
}
