"""What somebody ends in after an attack: wounds added up, a fall from the saddle, poison at work."""

from collections.abc import Mapping
from fractions import Fraction

from rulebook.calculators.wording import capitalized
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.calculators.wording import LABELS, WOUND_TABLE
from rulebook.systems.en_garde.odds.chances import MISS, OUTCOMES, Outcomes
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.wounds import Wound, WoundResult, WoundState, stun, suffer
from rulebook.values.answers import ChanceTable, chance_table

THROWN = 'Rule book: "Thrown riders"'
POISON = 'Rule book: "Poison"'
POISON_ASSUMPTION = "Poison is counted to the end of this turn's Combat Phase, as if nothing else struck until then."
Ends = Mapping[WoundState, Fraction]


def shared(outcomes: Outcomes, share: Fraction) -> dict[str, Fraction]:
    """The chance of each result where an attack concerns somebody only in this share of all cases."""
    found = {result: chance * share for result, chance in outcomes.items()}
    found[MISS] += 1 - share
    return found


def afterwards(
    before: WoundState, outcomes: Outcomes, *, subdue: bool = False, settings: HouseRules = USUAL
) -> dict[WoundState, Fraction]:
    """The chance of each state that somebody ends in, from the results of one attack on its own body."""
    ends: dict[WoundState, Fraction] = {}
    for result in OUTCOMES:
        chance = outcomes.get(result, Fraction(0))
        if chance:
            state = before if result == MISS else _after(before, WoundResult(result), subdue, settings)
            ends[state] = ends.get(state, Fraction(0)) + chance
    return ends


def _after(before: WoundState, result: WoundResult, subdue: bool, settings: HouseRules) -> WoundState:
    kills = settings.subdue_kills
    return suffer(before, result, subdue=subdue, subdue_kills=kills)


def chance_thrown(rider: Combatant, on_mount: Outcomes) -> Fraction:
    """The chance that the results on a mount, as its body takes them, bring it to throw its rider.

    Rule book: "Mounted combat". Ruling B26.
    """
    before = rider.steed.wounds if rider.steed is not None else WoundState()
    ends = afterwards(before, on_mount).items()
    return sum((chance for state, chance in ends if state.wound in (Wound.GRIEVOUS, Wound.CRITICAL)), Fraction(0))


def with_fall(rider: Combatant, ends: Ends, thrown: Fraction) -> dict[WoundState, Fraction]:
    """What a rider ends in when a fall, which follows only where he was not hit himself, is counted as well.

    A Horse Master takes no Stunned counter. Rule book: "Thrown riders".
    """
    fallen = rider.wounds if rider.has("horse-master") else stun(rider.wounds)
    found = dict(ends)
    found[rider.wounds] = found.get(rider.wounds, Fraction(0)) - thrown
    found[fallen] = found.get(fallen, Fraction(0)) + thrown
    return {state: chance for state, chance in found.items() if chance}


def poison_table(before: WoundState, outcomes: Outcomes, *, subdue: bool = False) -> ChanceTable:
    """What the victim of a poisoned weapon is in when the Combat Phase ends: a new wound stuns once. Ruling B27."""
    ends: dict[WoundState, Fraction] = {}
    for state, chance in afterwards(before, outcomes, subdue=subdue).items():
        works = state.wound is not before.wound and not state.dead
        later = stun(state) if works else state
        ends[later] = ends.get(later, Fraction(0)) + chance
    return ends_table("poisoned", "When the Combat Phase ends, poison at work", ends, POISON)


def described(state: WoundState) -> str:
    """A state of wounds as a key: "", "stunned", "stunned-twice", "light", "light-and-stunned", "dead" and so on."""
    if state.dead:
        return "dead"
    if state.unconscious:
        return "unconscious"
    stuns = ("", "stunned", "stunned-twice")[min(state.stunned, 2)]
    return "-and-".join(part for part in (state.wound.value, stuns) if part)


def ends_table(key: str, title: str, ends: Ends, rule: str = WOUND_TABLE) -> ChanceTable:
    """The chances of the states that somebody ends in, the better ones first."""
    told: dict[str, Fraction] = {}
    for state, chance in ends.items():
        told[described(state)] = told.get(described(state), Fraction(0)) + chance
    ordered = dict(sorted(told.items(), key=lambda each: _badness(each[0])))
    named = {each: capitalized(each.replace("-", " ")) or LABELS[""] for each in ordered}
    return chance_table(key, title, ordered, named, rule)


def _badness(state: str) -> tuple[int, int]:
    worst = state.partition("-and-")[0]
    order = ("", "stunned", "stunned-twice", "light", "grievous", "unconscious", "dead")
    return order.index(worst), len(state)
