"""What blows and shots came to. Rule book: "Making an attack", "Use a missile weapon"."""

from collections.abc import Iterator
from typing import Any

from rulebook.battle_log.kinds import ReplayStep as Step
from rulebook.systems.en_garde.at_table.sums import SHOOTING, WOUND_TABLE, blow_sums, shot_sums
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import RESULTS
from rulebook.systems.en_garde.table.blows import Blow
from rulebook.systems.en_garde.turns import blow_outcomes, shot_outcomes
from rulebook.systems.en_garde.turns.combat_events import Attacked, FreeAttack
from rulebook.values.table import EventOutcome

BEGUILING = 'Rule book: "Beguiling"'


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


def shot_outcome(step: Step[PlayState]) -> EventOutcome:
    """Hit or miss, what it did, and why."""
    event: Any = step.event
    if not shot_outcomes.dares(step.before, event):
        return EventOutcome((f"{step.before.named(event.shooter)} cannot bring itself to shoot.",), (), (BEGUILING,))
    found = shot_outcomes.outcome(step.before, event)
    sentences = [_hit_or_miss(found)]
    if found.misfired:
        sentences.append("It misfires: one Reload counter more.")
    sums = shot_sums(step.before, event, shot_outcomes.dice_of(step.before, event), found)
    return EventOutcome(tuple(sentences), sums, (SHOOTING, *((WOUND_TABLE,) if found.hit else ())))


def _hit_or_miss(found: Any) -> str:
    if not found.hit:
        return f"A miss with {found.attack_roll}."
    where = " on the mount" if found.on_mount else ""
    return f"A hit with {found.attack_roll}{where}: {RESULTS[found.result]}."
