"""How a kind of turn event is dealt with, where its class does not say so itself."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation


class TurnRule(Struct, frozen=True):
    """What makes no sense, what the rules forbid, and the state afterwards."""

    input_errors: Callable[[PlayState, Any, LoggedEvent], Iterator[Problem]]
    violations: Callable[[PlayState, Any, LoggedEvent], tuple[Violation, ...]]
    apply: Callable[[PlayState, Any, LoggedEvent], PlayState]


Rules = Mapping[type[Any], TurnRule]


def no_violations(state: PlayState, event: Any, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Nothing to forbid."""
    return ()
