"""Short notation for battles logged turn by turn."""

from random import Random
from typing import Any

from rulebook.battle_log.kinds import Overruled
from rulebook.ruleset import BattleSetup, FieldedFighter, FieldedSide, LoggedEvent
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.values.table import EventOutcome
from tests.rulebook.en_garde.logs import event_problems, outcomes, overruled, replay, throw_plainly


def man(id: str, profile: str, rank: int, **build: Any) -> FieldedFighter:
    """Return a fighter of a profile, named by its id in capitals, with its posts."""
    posts = tuple(post for post in ("leader", "banner") if build.pop(post, False))
    return FieldedFighter(id, id.upper(), {"profile": profile, **build}, rank, 10, posts)


def side(key: str, faction: str, *fighters: FieldedFighter, **more: Any) -> FieldedSide:
    """Return a side of a Skirmish."""
    return FieldedSide(key, key.upper(), "warband", faction, fighters, **more)


SWORDS = BattleSetup(
    "skirmish",
    (
        side(
            "a",
            "three-musketeers",
            man("athos", "three-musketeers/athos", 5, leader=True),
            man("planchet", "three-musketeers/servant", 1, options={"weapon": ["matchlock"]}),
        ),
        side(
            "b",
            "cardinals-guard",
            man("jussac", "cardinals-guard/officer", 3, leader=True),
            man("guard", "cardinals-guard/guard", 2),
            man("milady", "cardinals-guard/milady-de-winter", 3),
        ),
    ),
)


class Told:
    """A log in progress: ``tell`` adds a valid event, ``errors`` checks an invalid one."""

    def __init__(self, setup: BattleSetup = SWORDS, seed: int | None = None) -> None:
        self.setup = setup
        self.events: tuple[LoggedEvent, ...] = ()
        self.luck = None if seed is None else Random(seed)

    def event(self, kind: str, data: dict[str, Any]) -> LoggedEvent:
        """Return the next event, with dice rolled if there is a seed."""
        turn = data.pop("turn", None)
        logged = LoggedEvent(len(self.events) + 1, kind, data, turn)
        if self.luck is None:
            return logged
        return LoggedEvent(
            logged.sequence, kind, throw_plainly(self.state, logged, self.luck).data, turn
        )

    def tell(self, kind: str, **data: Any) -> PlayState:
        """Add an event, which must be valid, and return the state after it.

        A turn may begin and a battle may end before due actions: these are overruled, as they are
        not the subject of the test.
        """
        logged = self.event(kind, dict(data))
        problems = event_problems(self.setup, self.events, logged)
        if [each.code for each in problems] == ["still-open"]:
            logged = self.event(kind, {**data, "overruled": "The test goes on."})
            problems = event_problems(self.setup, self.events, logged)
        assert not problems, problems
        self.events = (*self.events, logged)
        return self.state

    @property
    def overruled(self) -> tuple[Overruled, ...]:
        """The rules that were overruled so far."""
        return overruled(self.setup, self.events)

    def errors(self, kind: str, **data: Any) -> list[str]:
        """Return the codes of the problems of an event, without adding it."""
        return [
            problem.code
            for problem in event_problems(self.setup, self.events, self.event(kind, data))
        ]

    @property
    def outcome(self) -> EventOutcome:
        """The outcome of the last event."""
        return outcomes(self.setup, self.events)[self.events[-1].sequence]

    def turn(self, number: int, **priority: int) -> PlayState:
        """Start a turn with these dice of Priority."""
        self.tell("turn", turn=number)
        return self.tell("priority", rolls=[priority] if priority else [])

    def passes_until(self, fighter: str) -> None:
        """Pass for everybody until it is this fighter's turn."""
        for _ in range(20):
            fight = self.state.table.fight
            assert fight is not None and fight.next is not None
            if fight.next.id == fighter:
                return
            self.tell("pass", fighter=fight.next.id)

    @property
    def state(self) -> PlayState:
        """The state of play."""
        return replay(self.setup, self.events)


GUARD = side("b", "cardinals-guard", man("guard", "cardinals-guard/guard", 2, leader=True))


def begun(setup: BattleSetup = SWORDS, **contacts: list[str]) -> Told:
    """Return a battle in its first turn, in which these fighters have moved into contact."""
    log = Told(setup)
    log.tell("turn", turn=1)
    for fighter, enemies in contacts.items():
        log.tell("move", fighter=fighter, contacts=enemies)
    return log


def met(setup: BattleSetup = SWORDS, **changes: Any) -> Told:
    """Return Athos in combat with a guard, swords drawn."""
    log = begun(setup, guard=["athos"])
    log.tell("combat", **{**opening(), **changes})
    return log


def opening(**changes: Any) -> dict[str, Any]:
    """Return the data of a combat between Athos and a guard."""
    plain = {
        "fighters": {"a": ["athos"], "b": ["guard"]},
        "counters": {"a": [3, 3], "b": [1, 1]},
        "initiative": {"athos": [6], "guard": [1]},
    }
    return {**plain, **changes}


class Rigged:
    """A generator that returns fixed dice."""

    def __init__(self, *dice: int) -> None:
        self.dice = list(dice)

    def randint(self, low: int, high: int) -> int:
        """Return the next die."""
        return self.dice.pop(0)
