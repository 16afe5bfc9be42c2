"""What each event of a log came to: the outcome in words, the sums behind it, and the rules that decided it."""

from collections.abc import Callable, Mapping
from typing import Any

from rulebook.at_table.sums import dice_line
from rulebook.battle_log.kinds import ReplayStep as Step
from rulebook.calculators.wording import reasoned, reasons
from rulebook.systems.en_garde.at_table.blow_and_shot_outcomes import BEGUILING, blow_outcome, shot_outcome
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.morale import stun_modifiers
from rulebook.systems.en_garde.turns.approaches import comer, comes
from rulebook.systems.en_garde.turns.blasts import dares
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.nerve import counters_removed, morale_test, shakes_off
from rulebook.systems.en_garde.turns.spells import casting
from rulebook.values.answers import ReasonLine
from rulebook.values.table import EventOutcome

BOOK = "Rule book: "


def _rules(step: Step[PlayState]) -> tuple[str, ...]:
    named = RULES.get(step.logged.kind)
    return (BOOK + named,) if named else ()


def _priority_outcome(step: Step[PlayState]) -> EventOutcome:
    first = step.after.table.priority
    sentences = (f"{step.after.side(first).name} has Priority.",) if first else ()
    return EventOutcome(sentences, (), _rules(step))


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


def _morale_outcome(step: Step[PlayState]) -> EventOutcome:
    event: Any = step.event
    test = morale_test(step.before, event)
    name = step.before.side(event.side).name
    rule = 'Rule book: "Test morale"'
    if test.inspired:
        return EventOutcome((f"{name} is Inspired and passes: {test.after.value.capitalize()}.",), (), (rule,))
    rolled = reasoned("Morale Test", dice_line(test.dice, rule), *reasons(test.modifiers))
    verdict = "passes" if test.passed else "fails"
    return EventOutcome((f"{name} {verdict} and is {test.after.value.capitalize()}.",), (rolled,), (rule,))


def _stun_roll_outcome(step: Step[PlayState]) -> EventOutcome:
    event: Any = step.event
    rule = 'Rule book: "Remove stunned counters"'
    removed = counters_removed(step.before, event)
    sentence = "" if removed else "No counter goes."
    if shakes_off(step.before, event.fighter):
        return EventOutcome((), (), ('Rule book: "Large Models"',))
    known = step.before.table.of(event.fighter)
    rested = known.rested == step.before.table.turn > 0 and known.fought != step.before.table.turn
    engaged = step.before.table.engaged(event.fighter)
    modifiers = stun_modifiers(present(step.before, event.fighter), engaged=engaged, rested=rested)
    rolled = reasoned("Stunned", dice_line((event.die or 0,), rule), *reasons(modifiers))
    return EventOutcome((sentence,) if sentence else (), (rolled,), (rule,))


def _spell_outcome(step: Step[PlayState]) -> EventOutcome:
    event: Any = step.event
    if not dares(step.before, event):
        return EventOutcome(
            (f"{step.before.named(event.magician)} cannot bring itself to harm its target.",), (), (BEGUILING,)
        )
    found = casting(step.before, event)
    rule = 'Rule book: "Casting a spell"'
    rank = ReasonLine(found.score - sum(event.dice), f"Rank of {step.before.named(event.magician)}", rule)
    sums = [reasoned("Casting", dice_line(event.dice, rule), rank)]
    if found.resistance is not None:
        more = ReasonLine(found.resistance - sum(event.resisting_dice), "Rank", rule)
        sums.append(reasoned("Resistance", dice_line(event.resisting_dice, rule), more))
    sentence = "The spell works." if found.cast else "The spell is resisted."
    return EventOutcome((sentence,), tuple(sums), (rule, 'Rule book: "Spells"'))


TELLERS: Mapping[str, Callable[[Step[PlayState]], EventOutcome]] = {
    "priority": _priority_outcome,
    "combat": _combat_outcome,
    "attack": blow_outcome,
    "free_attack": blow_outcome,
    "shot": shot_outcome,
    "morale": _morale_outcome,
    "stun_roll": _stun_roll_outcome,
    "spell": _spell_outcome,
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
