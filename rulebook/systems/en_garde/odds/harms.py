"""The wounds that one attack may deal, as a count of whole rounds needs them."""

from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from rulebook.systems.en_garde.odds.chances import (
    KEPT,
    MISS,
    AttackOdds,
    RiposteOdds,
    hit_scores,
    results_of_attack,
    results_of_riposte,
)
from rulebook.systems.en_garde.table.wounds import WoundResult


class Harm(Struct, frozen=True):
    """A wound with its chance, and whom it strikes: the one struck at (0), or by a Riposte the striker (1)."""

    struck: int
    result: WoundResult
    chance: Fraction


@lru_cache(maxsize=KEPT)
def harms_of(attack: AttackOdds, riposte: RiposteOdds | None = None) -> tuple[tuple[Harm, ...], Fraction]:
    """Each wound that an attack may deal, and the chance of none; of a riposted one at most one of the two is hurt."""
    scores = hit_scores(attack)
    outcomes = [results_of_attack(attack, scores), *([results_of_riposte(riposte, scores)] if riposte else [])]
    found = tuple(
        Harm(struck, WoundResult(result), chance)
        for struck, each in enumerate(outcomes)
        for result, chance in each.items()
        if chance and result not in (MISS, WoundResult.SCRATCH)
    )
    return found, 1 - sum((each.chance for each in found), Fraction(0))
