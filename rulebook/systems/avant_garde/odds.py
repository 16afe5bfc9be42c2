"""What every rule is reckoned with: lines that add up, dice that must show so much, tests of two dice, chances."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import reduce

from rulebook.dice.pools import Chances, added, chance_of
from rulebook.dice.rolls import distribution
from rulebook.systems.avant_garde.book import NOT_IN_SOURCE
from rulebook.values.answers import ReasonLine
from rulebook.values.problems import Problem, RulesError

Odds = Mapping[str, Fraction]
"""The chance of each thing that may happen; they sum to 1."""
NEVER = 7
"""A number that no die shows."""


def counting(*lines: ReasonLine) -> tuple[ReasonLine, ...]:
    """The lines that add or take something."""
    return tuple(line for line in lines if line.amount)


def total(lines: Iterable[ReasonLine]) -> int:
    """What lines come to."""
    return sum(line.amount for line in lines)


def settled(value: int | None, what: str, field: str) -> int:
    """A number that the source may lack. Raises RulesError "not-in-source" where nobody has settled it."""
    if value is None:
        sentence = f"{what} is {NOT_IN_SOURCE}. Type it, or settle it among the house rules."
        raise RulesError(Problem("not-in-source", sentence, field=field))
    return value


def die_chance(need: int, *, again: bool = False) -> Fraction:
    """The chance that a die shows so much: certain below 2, impossible above 6."""
    return chance_of(min(max(need, 1), NEVER), again=again)


def passes(dice: tuple[int, ...], target: int) -> bool:
    """Do the two dice of a test stay within its target? Below 2 nobody passes. Ruling N-M9."""
    return sum(dice) <= target


def pass_chance(target: int, *, again: bool = False) -> Fraction:
    """The chance to pass a test, with one more try for a pip where ``again`` is given."""
    once = at_most(distribution("2D6"), target)
    return once + (1 - once) * once if again else once


def at_most(chances: Chances, most: float) -> Fraction:
    """The chance of a number that is no greater."""
    return sum((chance for number, chance in chances.items() if number <= most), Fraction(0))


def together(*parts: tuple[str, Fraction]) -> Odds:
    """The chance of each thing, from parts of which several may be of the same."""
    found: dict[str, Fraction] = {}
    for key, chance in parts:
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def repeated(chances: Chances, times: int) -> Chances:
    """The chance of each sum of so many numbers of the same kind."""
    return reduce(added, [chances] * times, {0: Fraction(1)})
