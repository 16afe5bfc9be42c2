"""The toy's battles: one kind of event, the state, the table, and the result."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.at_table.offers import OfferedEvent
from rulebook.battle_log.forms import unknown_names
from rulebook.battle_log.kinds import (
    Die,
    FighterId,
    Note,
    ReplayStep,
    RuledEvent,
    choice_meta,
    field_meta,
    kind,
)
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.policy import Policy
from rulebook.book.data import read_toml
from rulebook.values import battles, table
from rulebook.values.battles import BattleSetup, Deed, LoggedEvent, Outcome, Record
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation
from rulebook.values.rosters import Condition, Fate

TOML = Path(__file__).with_name("toy.toml")
DATA: dict[str, Any] = read_toml(TOML)
WOUNDS: dict[str, dict[str, Any]] = DATA["wounds"]
NAMES = {key: row["name"] for key, row in WOUNDS.items()}
FULL = 4


def strength(condition: Condition) -> int:
    """Return the remaining strength of a fighter; ``FULL`` by default."""
    return int(condition.get("strength", FULL))


class State(Struct, frozen=True):
    """The state of a battle: every wound, as a deed of the attacker."""

    setup: BattleSetup
    wounds: tuple[Deed, ...] = ()

    @property
    def fighters(self) -> dict[str, Any]:
        """All combatants by id, each with the key of the side."""
        return {each.id: (side.key, each) for side in self.setup.sides for each in side.fighters}

    def worst(self, fighter: str) -> str:
        """Return the worst wound of a combatant; "" for none."""
        return max(
            (each.result for each in self.wounds if each.victim == fighter),
            key=[*WOUNDS].index,
            default="",
        )


class ToyPolicy(Policy[State]):
    """A combatant who is dead has ended."""

    def end_of(self, state: State, who: str) -> str:
        ends = (each for each in state.wounds if each.victim == who and each.killed)
        return next(
            (
                f"{end.victim_name} was killed by {state.fighters[end.fighter][1].name}"
                for end in ends
            ),
            "",
        )


@kind(
    "wound",
    "Wound",
    'Toy rules: "Wounds"',
    about="attacker",
    ends=("victim",),
    asked_first=("victim", "result"),
)
class Wounded(
    OfferedEvent[State], RuledEvent[State], frozen=True, kw_only=True, omit_defaults=True
):
    """Somebody attacks somebody. Without a result, a die decides; dead fighters roll none."""

    attacker: Annotated[FighterId, field_meta("Attacker")]
    victim: Annotated[FighterId, field_meta("Victim")]
    result: Annotated[str, choice_meta({"": "As the die falls", **NAMES}), field_meta("Result")] = (
        ""
    )
    dice: Annotated[tuple[Die, ...], field_meta("Die", max_length=1)] = ()

    @property
    def wound(self) -> str:
        """Return the wound: a key of ``WOUNDS``, or "" for none."""
        return self.result or next(
            (key for key in reversed(WOUNDS) if WOUNDS[key]["die"] <= sum(self.dice)), ""
        )

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        stands = actor in state.fighters and state.worst(actor) != "dead"
        return stands and super().is_open_to(state, actor)

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {
            "victim": tuple(
                (key, each.name) for key, (_, each) in state.fighters.items() if key != actor
            )
        }

    def may_end(self, state: State, logged: LoggedEvent) -> Iterable[tuple[str, str]]:
        return super().may_end(state, logged) if self.result in ("", "dead") else ()

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        yield from unknown_names(self, state.fighters, ())
        if bool(self.result) == bool(self.dice):
            yield Problem("no-result", "Give a result, or the die that says it.", field="result")

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        if self.dice and state.worst(self.attacker) == "dead":
            yield Violation("dead", "The dead do not fight.", self.rule)

    def dice_wanted(self, state: State) -> tuple[Mapping[str, int], ...]:
        return ({"dice": int(not self.result)},)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        (home, by), (away, whom) = state.fighters[self.attacker], state.fighters[self.victim]
        kwargs: dict[str, Any] = {
            "killed": self.wound == "dead",
            "turn": logged.turn,
            "friendly": home == away,
        }
        deed = Deed(
            by.id, "wound", by.rank, whom.id, whom.name, whom.rank, result=self.wound, **kwargs
        )
        return replace(state, wounds=(*state.wounds, deed)) if self.wound else state

    def outcome_of(self, step: ReplayStep[State]) -> table.EventOutcome:
        return table.EventOutcome((f"{NAMES.get(self.wound, 'No wound')}.",), rules=(self.rule,))


LOG = BattleLog((Wounded,), State, ToyPolicy(), State)


def table_view(state: State, who: str) -> table.TableView:
    """Return the table: everybody's state, and what ``who`` can do."""
    views, sides = [], []
    for side in state.setup.sides:
        dead = {each.id: "dead" for each in side.fighters if state.worst(each.id) == "dead"}
        for fighter in side.fighters:
            view = table.FighterView(
                id=fighter.id,
                name=fighter.name,
                side=side.key,
                profile=DATA["profiles"][fighter.build["profile"]]["name"],
                rank=fighter.rank,
                out=dead.get(fighter.id, ""),
                marks=(),
                weapon="",
                foes=(),
                numbers=(),
                group=fighter.build.get("group", ""),
                strength=f"{strength(fighter.condition)} of {FULL}",
            )
            views.append(view)
        side_view = table.SideView(
            key=side.key,
            name=side.name,
            marks=(),
            strength=len(side.fighters) - len(dead),
            fielded=len(side.fighters),
            victory_points=0,
            lines=(),
        )
        sides.append(side_view)
    return table.TableView(
        turn=0,
        turns=None,
        ended=False,
        dice="both",
        phases=(table.Phase(key="fight", name="The fight", due=()),),
        sides=(*sides,),
        fighters=(*views,),
        combat=None,
        actions=(*Wounded.offers(state, who),) or (action(Note, given={}, main=("text",)),),
    )


def read_result(state: State, *, scored: bool, heals: bool) -> battles.BattleResult:
    """Return the result: most kills win. They are victory points if ``scored``.

    With ``heals``, fighters carry no condition to the next battle.
    """
    homes, sides = {key: side for key, (side, _) in state.fighters.items()}, []
    kills = {side.key: 0 for side in state.setup.sides}
    for deed in state.wounds:
        kills[homes[deed.fighter]] += deed.killed and not deed.friendly
    leaders = [key for key, count in kills.items() if count == max(kills.values())]
    winner = leaders[0] if len(leaders) == 1 else None
    for side in state.setup.sides:
        points = kills[side.key] if scored else 0
        lines = (battles.ScoreLine(points, "Enemies killed.", "Toy rules"),) if scored else ()
        outcome = (
            Outcome.DREW if winner is None else Outcome.WON if winner == side.key else Outcome.LOST
        )
        records, own = (
            [_record(state, each, heals) for each in side.fighters],
            {each.id for each in side.fighters},
        )
        deeds = tuple(each for each in state.wounds if each.fighter in own)
        side_result = battles.SideResult(
            side=side.key,
            victory_points=points,
            lines=lines,
            outcome=outcome,
            records=(*records,),
            deeds=deeds,
        )
        sides.append(side_result)
    verdict = f"{winner} wins." if winner else "A draw."
    return battles.BattleResult(sides=(*sides,), verdict=verdict, winner=winner)


def _record(state: State, fighter: battles.FieldedFighter, heals: bool) -> Record:
    worst = state.worst(fighter.id)
    left = max(strength(fighter.condition) - (WOUNDS[worst]["strength"] if worst else 0), 0)
    condition = {} if heals or left == FULL else {"strength": left}
    fate, left_as = (Fate.DEAD, "critical") if worst == "dead" else (Fate.FIT, worst)
    return Record(fighter.id, fighter.rank, fate, fate is Fate.FIT, left_as, condition=condition)
