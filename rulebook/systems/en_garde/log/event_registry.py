"""Every kind of event that a log takes, those of a result sheet and those of a battle logged turn by turn."""

from collections.abc import Mapping

from rulebook.systems.en_garde.play.events import EVERY_BATTLE, Event
from rulebook.systems.en_garde.play.scenario_events import SOME_BATTLES
from rulebook.systems.en_garde.turns.events import TURN_BY_TURN

ANY_BATTLE: Mapping[str, type[Event]] = {**EVERY_BATTLE, **TURN_BY_TURN}
"""Kinds that do not depend on the scenario."""

KINDS: Mapping[str, type[Event]] = {**ANY_BATTLE, **SOME_BATTLES}
