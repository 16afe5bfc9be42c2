"""Sums that say where each number comes from: rolls, scores and wounds, line by line."""

from rulebook.at_table.sums import dice_line
from rulebook.calculators.wording import reasoned, reasons
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.blows import Blow, fight_now, kept
from rulebook.systems.en_garde.turns.blow_outcomes import STRIKE, attack_stance, defence_stance, striker, thrown
from rulebook.systems.en_garde.turns.combat_events import Attacked
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import armour_line
from rulebook.systems.en_garde.turns.luck import with_luck
from rulebook.values.answers import ReasonedSum, ReasonLine

PROCEDURE = 'Rule book: "Combat procedure"'


def blow_sums(state: PlayState, event: STRIKE, blow: Blow) -> tuple[ReasonedSum, ...]:
    """The Attack Roll, the Defence Roll, and the Wound Score of what struck home."""
    wound = _wound_sum(blow)
    return (_attack_sum(state, event, blow), _defence_sum(state, event, blow), *((wound,) if wound else ()))


def _attack_sum(state: PlayState, event: STRIKE, blow: Blow) -> ReasonedSum:
    up = thrown(event.dice, event.reroll)
    if isinstance(event, Attacked):
        up = kept(with_luck(up, event.luck, own=event.lucky == event.attacker), frozenset(event.ploys))
    fight = fight_now(striker(state, event), attack_stance(state, event), state.settings)
    name = state.named(event.attacker)
    lines = (dice_line(up, PROCEDURE), ReasonLine(fight, f"Fight of {name}", PROCEDURE))
    return reasoned("Attack Roll", *lines, *reasons(blow.attack_modifiers))


def _defence_sum(state: PlayState, event: STRIKE, blow: Blow) -> ReasonedSum:
    down = thrown(event.defence_dice, event.defence_reroll)
    if isinstance(event, Attacked) and event.at_mount:
        fight = blow.defence_score - sum(down)
    else:
        fight = fight_now(present(state, event.target), defence_stance(state, event), state.settings)
    name = state.named(event.target)
    return reasoned("Defence Roll", dice_line(down, PROCEDURE), ReasonLine(fight, f"Fight of {name}", PROCEDURE))


def _wound_sum(blow: Blow) -> ReasonedSum | None:
    """What became of a blow that struck home, or of the Riposte that answered it."""
    if blow.result is None and blow.riposte is None:
        return None
    struck = abs(blow.hit_score)
    title = "Wound Score of the Riposte" if blow.riposte is not None else "Wound Score"
    lines = (ReasonLine(struck, "Difference of the rolls", PROCEDURE), *reasons(blow.wound_modifiers))
    return reasoned(title, *lines, *armour_line(blow.armour_rating))
