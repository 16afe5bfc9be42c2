"""What each event of a log came to: the outcome in words, the sums behind it, and the rules that decided it."""

from collections.abc import Callable, Mapping
from typing import Any

from rulebook.battle_log.kinds import ReplayStep as Step
from rulebook.systems.en_garde.at_table.blow_and_shot_outcomes import blow_outcome
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.approaches import comer, comes
from rulebook.values.table import EventOutcome

BOOK = "Rule book: "


def _rules(step: Step[PlayState]) -> tuple[str, ...]:
    named = RULES.get(step.logged.kind)
    return (BOOK + named,) if named else ()


def _combat_outcome(step: Step[PlayState]) -> EventOutcome:
    event: Any = step.event
    fight = step.after.table.fight
    if fight is None or not comes(step.before, event):
        name = step.before.named(comer(step.before, event))
        return EventOutcome((f"{name} does not dare to come into contact.",), (), _rules(step))
    order = ", ".join(f"{step.after.named(each.id)} {_score(step, each.id)}" for each in fight.fencers)
    return EventOutcome((f"Order of initiative: {order}.",), (), _rules(step))


def _score(step: Step[PlayState], fighter: str) -> str:
    event: Any = step.event
    dice = event.initiative.get(fighter, ())
    return f"(rolled {', '.join(map(str, dice))})" if dice else ""


TELLERS: Mapping[str, Callable[[Step[PlayState]], EventOutcome]] = {
    "combat": _combat_outcome,
    "attack": blow_outcome,
    "free_attack": blow_outcome,
}

RULES: Mapping[str, str] = {
    "duellist": '"Duel"',
    "scout": '"Scout"',
    "turn": '"Turn sequence"',
    "priority": '"Determine priority"',
    "challenge": '"Duels"',
    "combat": '"Combat procedure"',
    "pass": '"Combat procedure"',
    "switch_weapon": '"Which weapon?"',
}
"""The headings behind kinds of event that tell of themselves."""
