"""Who may strike whom now, in a round of hand-to-hand combat.

Rule book: "Combat procedure", "Riposte", "Appendix A: Simplified attack procedure".
"""

from rulebook.systems.en_garde.table.rounds import RULE, Fencer, Round, its_turn, may_strike
from rulebook.values.problems import Violation


def strike_violations(fight: Round, fighter: str, target: str) -> tuple[Violation, ...]:
    """Everything that forbids this fighter to strike at that one now."""
    fencer, victim = fight.fencer(fighter), fight.fencer(target)
    expected = fight.next
    checks = (
        (fight.over, "round-over", "The round is over."),
        (expected is not None and not its_turn(fight, fencer), "not-its-turn", "It is somebody else's opportunity."),
        (fencer.passes > 0, "must-pass", "After a Riposte it lets its next opportunity go."),
        (not may_strike(fight, fencer), "no-attack-left", "No counter, or no attack of its own, is left."),
        (fencer.side == victim.side, "own-side", "Both are of the same side."),
        (victim.out, "target-out", "The target is out of the fight."),
    )
    found = tuple(Violation(code, sentence, RULE) for wrong, code, sentence in checks if wrong)
    return (*found, *(_simplified_violations(fight, fencer, victim) if fight.simplified else ()))


def _simplified_violations(fight: Round, fencer: Fencer, victim: Fencer) -> tuple[Violation, ...]:
    """Whoever won Initiative strikes first for its side, and everybody strikes only whom it can reach."""
    first = next((each for each in fight.fencers if each.id == fight.first), None)
    waits = first is not None and first.able and first.side == fencer.side and first.id != fencer.id
    too_far = bool(fencer.reach) and victim.id not in fencer.reach
    checks = (
        (waits, "first-strike", "Who won Initiative makes the first attack of its side."),
        (too_far, "out-of-reach", "The two are not in contact, nor is a spear or pike behind a friend who is."),
    )
    return tuple(Violation(code, sentence, 'Rule book: "Appendix A"') for wrong, code, sentence in checks if wrong)
