"""Minor objectives of a Skirmish: which one a side really has, and whether the log shows it achieved.

Rule book: "Skirmish". Rulings S2, S3, S4.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, ClassVar, Self

from msgspec import Meta
from msgspec.structs import replace

from rulebook.at_table.sentences import name_of
from rulebook.battle_log.kinds import Die, Names, SideKey, ThrownBy
from rulebook.dice.committed import aside
from rulebook.dice.cup import Cup
from rulebook.dice.rolls import Generator, d6
from rulebook.ruleset import BattleSetup, LoggedEvent, OwnSecret
from rulebook.systems.en_garde.book.house_rules import settled
from rulebook.systems.en_garde.book.scenarios import MinorObjective, find_scenario, minor_objective
from rulebook.systems.en_garde.play.event import Event
from rulebook.systems.en_garde.play.people import side_problems
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState, RolledObjective
from rulebook.values.problems import Problem

COPY = 6


class MinorObjectiveRolled(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A side's minor objective, and, where the log cannot show it, whether it was achieved.

    Without ``rolled`` Muster throws. Where minor objectives are secret that die is one apart, which a side may learn
    before the others do (``own_secret``).
    """

    key: ClassVar[str] = "minor_objective"
    label: ClassVar[str] = "Minor objective"
    help: ClassVar[str] = "Whether it was achieved follows from the log, save for the quarters of the table."
    rule: ClassVar[str] = 'Rule book: "Skirmish"'
    about: ClassVar[str] = "side"
    some_battles: ClassVar[bool] = True

    side: Annotated[SideKey, Meta(title="Side")]
    rolled: Annotated[Die | None, Meta(title="Rolled", description="Empty: Muster throws.")] = None
    achieved: Annotated[bool | None, Meta(title="Achieved", description="Only for the quarters of the table.")] = None
    thrown: Annotated[ThrownBy, Meta(title="Dice by")] = ""

    def complete(self, state: PlayState) -> Self:
        """The die that was thrown for the side before, if there is one."""
        before = state.rolled.get(self.side)
        if before is None:
            return self
        rolled = before.rolled if self.rolled is None else self.rolled
        return replace(self, rolled=rolled, thrown=before.thrown)

    def throw(self, state: PlayState, cup: Cup) -> Self:
        """The die of the objective; a secret one is thrown apart, and is none of the battle's dice. Ruling S4."""
        secret = state.settings.minor_objectives == "secret"
        return replace(self, rolled=cup.one_apart(objective_dice(self.side)) if secret else cup.one())

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Everything that is wrong with a minor objective. Rulings S2, S4.

        Where they are secret, no log knows them before the battle has ended: what is not there cannot be read.
        """
        yield from side_problems(state, self.side)
        if state.settings.minor_objectives == "secret" and not state.ended:
            sentence = "Minor objectives are secret here: log the end of the battle first, then what each side had."
            yield Problem("kept-secret", sentence, field="rolled", source="Ruling S4")
        before = state.rolled.get(self.side)
        if before is not None and (before.achieved is not None or before.rolled != self.rolled):
            sentence = f"Side {self.side!r} has its minor objective already ({before.rolled}): correct that event."
            yield Problem("minor-objective-known", sentence, field="rolled", value=str(self.rolled))
        elif before is None:
            yield from self._die_problems(state)
        if self.achieved is not None and self.rolled not in (2, 6):
            sentence = "Whether this was achieved follows from the log: leave 'achieved' out."
            yield Problem(
                "follows-from-the-log", sentence, field="achieved", value=str(self.achieved), source="Ruling S2"
            )

    def _die_problems(self, state: PlayState) -> Iterator[Problem]:
        """Somebody throws; Muster does where the house rules say so, and where a side has let it throw in secret."""
        drawn = self.side in drawn_in_secret(state.setup)
        if self.rolled is None:
            sentence = "Give the die as it fell, or let Muster throw while the battle is under way."
            yield Problem("wrong-dice", sentence, field="rolled")
        elif self.thrown != "app" and (drawn or state.settings.dice == "app"):
            why = "Muster has thrown for this side in secret" if drawn else "In this campaign Muster throws the dice"
            yield Problem("typed-dice", f"{why}: leave 'rolled' out.", field="rolled", source="House rule: dice")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after a minor objective was rolled, or said to be achieved or not."""
        return replace(
            state, rolled={**state.rolled, self.side: RolledObjective(self.rolled, self.achieved, self.thrown)}
        )

    def sentence(self, names: Names) -> str:
        """ "The Guards rolled 2 for its minor objective, achieved"."""
        achieved = "" if self.achieved is None else ", achieved" if self.achieved else ", not achieved"
        return f"{name_of(names, self.side)} rolled {self.rolled or 'a die'} for its minor objective{achieved}"


def objective_of(state: PlayState, side: str) -> MinorObjective | None:
    """A side's minor objective: a 6 copies the opponent's, two of them are none; None if nothing was rolled."""
    rolled = {key: event.rolled for key, event in state.rolled.items() if event.rolled is not None}
    own = rolled.get(side)
    if own != COPY:
        return None if own is None else minor_objective(own)
    others = [die for key, die in rolled.items() if key != side and die != COPY]
    return minor_objective(others[0]) if others else None


def drawn_in_secret(setup: BattleSetup) -> tuple[str, ...]:
    """The sides for which Muster has thrown in secret, so that they cannot bring a die of their own any more."""
    return tuple(setup.set_up.get("secrets_drawn", ()))


def secrets_open(setup: BattleSetup, events: Iterable[LoggedEvent]) -> bool:
    """Has a log told a secret minor objective by Muster's die, even if that was struck out since?"""
    told = any(event.kind == "minor_objective" and event.data.get("thrown") == "app" for event in events)
    return told and settled(setup.settings).minor_objectives == "secret"


def objective_dice(side: str) -> str:
    """What the dice apart are for by which a side's secret minor objective is thrown."""
    return f"objective {side}"


def own_secret(setup: BattleSetup, side: str, generator: Generator) -> OwnSecret | None:
    """What a side alone may know: its minor objective by Muster's die, None where it is no secret, or not Muster's.

    A 6 copies the opponent's, which nobody knows before the end; its sentence says so.
    """
    asked, rules = "minor_objective" in find_scenario(setup.scenario).event_kinds, settled(setup.settings)
    thrown_by_muster = rules.minor_objectives == "secret" and rules.dice != "table"
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
    if state.settings.lost_share == "fighters":
        return len(combatants)
    return sum(each.fighter.points for each in combatants)


ACHIEVED: Mapping[str, Callable[[PlayState, str], bool]] = {
    "captive": _captive,
    "quarters": _quarters,
    "leader": _leader,
    "intact": _intact,
    "destroy": _destroy,
}
