"""Zero-sum games between two players who choose in secret, solved exactly: the simplex method in
whole numbers."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from msgspec import Struct


class Solution(Struct, frozen=True, kw_only=True):
    """Best mixes of both players, as shares that sum to 1, and what the game is worth to the player
    of the rows."""

    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]
    value: Fraction


def solve(table: Sequence[Sequence[Fraction]]) -> Solution:
    """Solve the game in which the player of the rows gains ``table[row][column]`` from the player
    of the columns.

    With every payoff made positive, the mix of the columns comes from the linear program "as large
    a sum of y as possible, with table · y ≤ 1 and y ≥ 0": the value is 1 / sum, the shares are y ·
    value. Its dual is the mix of the rows. A game may have several best mixes; this returns one of
    them.
    """
    height, width = len(table), len(table[0])
    # Step 1: whole numbers from 1 upwards, which changes neither mix.
    denominator = lcm(*(payoff.denominator for row in table for payoff in row))
    lowest = min(min(row) for row in table)
    # Step 2: one row for each inequality with its slack and its bound, and one with what a column
    # adds to the sum.
    tableau = []
    for index, row in enumerate(table):
        slack = [int(index == other) for other in range(height)]
        tableau.append([*(int((payoff - lowest) * denominator) + 1 for payoff in row), *slack, 1])
    tableau.append([-1] * width + [0] * (height + 1))
    # Step 3: pivots, until no column adds to the sum.
    basis = list(range(width, width + height))
    scale = 1
    while (entering := _entering(tableau[-1])) is not None:
        leaving = _leaving(tableau, basis, entering)
        scale = _pivot(tableau, leaving, entering, scale)
        basis[leaving] = entering
    # Step 4: back to shares, and to payoffs as they were.
    total = tableau[-1][-1]
    shares = {
        variable: Fraction(row[-1], total) for variable, row in zip(basis, tableau, strict=False)
    }
    return Solution(
        rows=tuple(Fraction(each, total) for each in tableau[-1][width:-1]),
        columns=tuple(shares.get(column, Fraction(0)) for column in range(width)),
        value=(Fraction(scale, total) - 1) / denominator + lowest,
    )


def _entering(objective: Sequence[int]) -> int | None:
    """Return the first column that adds to the sum; None if the sum is as large as possible."""
    return next((column for column, cost in enumerate(objective[:-1]) if cost < 0), None)


def _leaving(tableau: Sequence[Sequence[int]], basis: Sequence[int], entering: int) -> int:
    """Return the row that bounds a column first; of equals that of the lowest variable, so that no
    cycle is possible.

    Bland's rule. The program is bounded, so that there is such a row.
    """
    rows = [row for row in range(len(basis)) if tableau[row][entering] > 0]
    return min(
        rows, key=lambda row: (Fraction(tableau[row][-1], tableau[row][entering]), basis[row])
    )


def _pivot(tableau: list[list[int]], leaving: int, entering: int, scale: int) -> int:
    """Bring a column into the basis, and return the new common denominator of the tableau.

    Every entry stays whole, since all share that denominator (Edmonds 1967).
    """
    pivot_row = tableau[leaving]
    pivot = pivot_row[entering]
    for index, row in enumerate(tableau):
        if index != leaving:
            factor = row[entering]
            tableau[index] = [
                (entry * pivot - factor * above) // scale
                for entry, above in zip(row, pivot_row, strict=True)
            ]
    return pivot
