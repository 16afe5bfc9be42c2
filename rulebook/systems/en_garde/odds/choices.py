"""The secret choice of counters as a game: the best answer to a split, and the mix that no opponent can exploit.

A zero-sum game is solved by linear programming (SciPy). What a round is worth is stated with ``WORTH``.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy
from msgspec import Struct
from scipy.optimize import linprog

from rulebook.systems.en_garde.odds.duel import BY_THE_RULINGS, WORTH, Duellist, RoundOdds, RoundRules, round_worth
from rulebook.systems.en_garde.table.pools import Split
from rulebook.systems.en_garde.table.wounds import WoundState


class Payoff(Struct, frozen=True):
    """A pair of splits and what the round is worth to the first fighter on average."""

    mine: Split
    theirs: Split
    value: Fraction


class Mix(Struct, frozen=True):
    """A mixed choice: splits with the share of the time that each is played; shares below 1 in 1,000 are left out.

    ``value`` is what the round is worth to the first fighter if both play their best mixes.
    """

    mine: tuple[tuple[Split, float], ...]
    theirs: tuple[tuple[Split, float], ...]
    value: float


def worth(odds: RoundOdds) -> Fraction:
    """What a round is worth to the first fighter on average: harm dealt less harm taken, by ``WORTH``."""
    return sum((chance * (_harm(theirs) - _harm(mine)) for (mine, theirs), chance in odds.ends.items()), Fraction(0))


def _harm(state: WoundState) -> int:
    return WORTH[state.worst]


def all_splits(pool: int) -> tuple[Split, ...]:
    """Every split of a Combat Pool, from all defence to all attack."""
    return tuple(Split(attack, pool - attack) for attack in range(pool + 1))


def payoffs(
    one: Duellist,
    other: Duellist,
    mine: Sequence[Split],
    theirs: Sequence[Split],
    rules: RoundRules = BY_THE_RULINGS,
) -> tuple[Payoff, ...]:
    """What each pair of splits is worth to the first fighter."""
    return tuple(
        Payoff(my_split, their_split, round_worth(one, other, my_split, their_split, rules))
        for my_split in mine
        for their_split in theirs
    )


def best_of(found: Sequence[Payoff]) -> Payoff:
    """The payoff that is worth most; of equals, that with the fewest Attack counters."""
    return max(found, key=lambda payoff: (payoff.value, -payoff.mine.attack))


def equilibrium(one: Duellist, other: Duellist, pool: int, other_pool: int, rules: RoundRules = BY_THE_RULINGS) -> Mix:
    """Both fighters' best mixes of splits, when each chooses in secret."""
    mine, theirs = all_splits(pool), all_splits(other_pool)
    return mixed(mine, theirs, payoffs(one, other, mine, theirs, rules))


def mixed(mine: Sequence[Split], theirs: Sequence[Split], found: Sequence[Payoff]) -> Mix:
    """Both fighters' best mixes of these splits, from what each pair of them is worth."""
    values = [float(payoff.value) for payoff in found]
    table = numpy.array(values).reshape(len(mine), len(theirs))
    shares, value = solve(table)
    other_shares, _ = solve(-table.T)
    return Mix(_shared(mine, shares), _shared(theirs, other_shares), value)


def solve(table: numpy.ndarray) -> tuple[tuple[float, ...], float]:
    """The best mix of rows of a zero-sum game, and its value; the rows' player gains what the table says.

    Raises ArithmeticError if no solution is found.
    """
    rows, columns = table.shape
    gain = numpy.hstack([-table.T, numpy.ones((columns, 1))])
    solved = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=gain,
        b_ub=[0.0] * columns,
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(None, None)],
    )
    if not solved.success:
        raise ArithmeticError(f"No equilibrium found: {solved.message}")
    return tuple(float(share) for share in solved.x[:rows]), float(solved.x[rows])


def _shared(splits: Sequence[Split], shares: Sequence[float]) -> tuple[tuple[Split, float], ...]:
    return tuple((split, round(share, 4)) for split, share in zip(splits, shares, strict=True) if share >= 0.001)
