"""A dice cup: throws dice from a generator, and keeps them as they fell."""

from rulebook.dice.committed import aside
from rulebook.dice.open_ended import dice_due
from rulebook.dice.rolls import Generator, d6


class Cup:
    """Throws the dice of one event. ``thrown`` keeps them in order, ``apart`` those that are none
    of the battle's."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator
        self.thrown: list[int] = []
        self.apart: list[int] = []

    def one(self) -> int:
        """Return a six-sided die."""
        die = self.generator.randint(1, 6)
        self.thrown.append(die)
        return die

    def some(self, number: int) -> tuple[int, ...]:
        """So many six-sided dice."""
        throw = self.generator.randint
        dice = [throw(1, 6) for _ in range(number)]
        self.thrown += dice
        return tuple(dice)

    def open_ended(self, most: int) -> tuple[int, ...]:
        """Return a six-sided die, and another one after each 6, up to so many."""
        dice: tuple[int, ...] = ()
        while dice_due(dice, most):
            dice = (*dice, self.one())
        return dice

    def faces(self, number: int) -> int:
        """Return a die of ``number`` faces, up to 36: rolled with one or two of six, again if they
        show too much."""
        most = 6 if number <= 6 else 36
        while (
            thrown := self.one() if most == 6 else 6 * self.one() + self.one() - 6
        ) > most // number * number:
            pass
        return (thrown - 1) % number + 1

    def d3(self) -> int:
        """Return a D3: half a six-sided die, rounded up."""
        return (self.one() + 1) // 2

    def one_apart(self, purpose: str) -> int:
        """Return a die of its own, for what one side may know before the other; the same whenever
        it is asked for."""
        self.apart.append(d6(aside(self.generator, purpose)))
        return self.apart[-1]
