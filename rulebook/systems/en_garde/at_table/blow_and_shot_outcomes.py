"""What blows and shots came to. Rule book: "Making an attack", "Use a missile weapon"."""

from collections.abc import Iterator
from typing import Any

from rulebook.battle_log.kinds import ReplayStep as Step
from rulebook.systems.en_garde.at_table.sums import blow_sums
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import RESULTS
from rulebook.systems.en_garde.table.blows import Blow
from rulebook.systems.en_garde.turns import blow_outcomes
from rulebook.systems.en_garde.turns.combat_events import Attacked, FreeAttack
from rulebook.systems.en_garde.turns.harm import WOUND_TABLE
from rulebook.systems.en_garde.turns.turn_event import BEGUILING
from rulebook.values.table import EventOutcome


def blow_outcome(step: Step[PlayState]) -> EventOutcome:
    """Hit or miss, what it did, and why."""
    event: Any = step.event
    if not blow_outcomes.dares(step.before, event):
        name = step.before.named(event.attacker)
        return EventOutcome((f"{name} cannot bring itself to strike.",), (), (BEGUILING,))
    blow = blow_outcomes.outcome(step.before, event)
    rule = 'Rule book: "Move"; Ruling B25' if isinstance(event, FreeAttack) else 'Rule book: "Making an attack"'
    told = (rule, *_ploy_rules(event), *((WOUND_TABLE,) if blow.result or blow.riposte else ()))
    return EventOutcome((_outcome(step, blow),), blow_sums(step.before, event, blow), told)


def _outcome(step: Step[PlayState], blow: Blow) -> str:
    event: Any = step.event
    scores = f"{blow.attack_score} against {blow.defence_score}"
    if blow.riposte is not None:
        return f"Turned, {scores}; the Riposte does {RESULTS[blow.riposte]}."
    if not blow.hit:
        return f"A miss, {scores}."
    if blow.feinted:
        return f"The Feint succeeds, {scores}: the counter comes back."
    if blow.disengaged:
        return f"{step.before.named(event.attacker)} gets away, {scores}."
    return f"A hit, {scores}: {RESULTS[blow.result]}." if blow.result is not None else f"A hit, {scores}."


def _ploy_rules(event: Attacked | FreeAttack) -> Iterator[str]:
    if isinstance(event, Attacked):
        names = (each.value.replace("-", " ").capitalize() for each in (*event.ploys, *event.answers))
        yield from (f'Rule book: "{name}"' for name in dict.fromkeys(names))
