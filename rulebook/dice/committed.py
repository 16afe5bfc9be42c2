"""Dice that nobody can bend: a seed is committed to before the first throw and revealed after the
last.

The commitment is the SHA-256 of the seed. Die number n of a battle follows from the seed, the
battle's id and n alone, so that anybody who knows the seed afterwards can throw every die again
(``docs/verifiable-dice.md``).
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from functools import cache

from rulebook.dice.rolls import Generator

MAX_FACES = 100


def commitment(seed: str) -> str:
    """Return what is published before the first die: the SHA-256 of the seed's text, 64 hex
    digits."""
    return hashlib.sha256(seed.encode()).hexdigest()


def die(seed: str, battle: str, number: int, faces: int = 6) -> int:
    """Die ``number`` (from 1) of a battle, from 1 to ``faces`` (1 to 100).

    The bytes of HMAC-SHA256(seed, "battle:number:block") are read one by one; a byte that would
    favour some faces is passed over.
    """
    fair = 256 - 256 % faces
    return next(byte for byte in _bytes(seed, f"{battle}:{number}") if byte < fair) % faces + 1


def _bytes(seed: str, message: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed.encode(), f"{message}:{block}".encode(), "sha256")
        block += 1


class CommittedDice:
    """A generator of dice for ``rulebook.dice.rolls``.

    ``used`` counts the dice thrown, those before it included; ``thrown`` keeps its own in order,
    each with its number of faces.
    """

    def __init__(self, seed: str, battle: str, used: int = 0) -> None:
        self.seed = seed
        self.battle = battle
        self.used = used
        self.thrown: list[tuple[int, int]] = []

    def private_stream(self, purpose: str) -> "CommittedDice":
        """Return dice of their own from the same seed, numbered from 1, for what one side may know
        before the other.

        They use "battle purpose" instead of the battle's id, and do not count among the battle's
        dice.
        """
        return CommittedDice(self.seed, f"{self.battle} {purpose}")

    def randint(self, a: int, b: int, /) -> int:
        """Return a whole number from a to b, both included, by the next die.

        Raise ValueError for more than 100 faces.
        """
        faces = b - a + 1
        if not 1 <= faces <= MAX_FACES:
            raise ValueError(f"A die has 1 to {MAX_FACES} faces, not {faces}.")
        self.used += 1
        shown = self._die(faces)
        self.thrown.append((shown, faces))
        return a + shown - 1

    def _die(self, faces: int) -> int:
        return die(self.seed, self.battle, self.used, faces)


class DecoyDice(CommittedDice):
    """Dice that are never a battle's own, to try events with.

    They are always the same, so each is worked out only once.
    """

    def __init__(self) -> None:
        super().__init__("decoy", "decoy")

    def _die(self, faces: int) -> int:
        return _decoy_die(self.used, faces)


@cache
def _decoy_die(number: int, faces: int) -> int:
    return die("decoy", "decoy", number, faces)


class KeptDice:
    """A generator that gives dice once more that fell before, in their order, and then those of the
    ``next`` one.

    Without a next one it raises ValueError when they are used up. ``used`` counts the kept ones
    that were given.
    """

    def __init__(self, kept: Iterable[int], then: Generator | None = None) -> None:
        self.kept = tuple(kept)
        self.then = then
        self.used = 0

    def randint(self, a: int, b: int, /) -> int:
        """Return the next kept die, else a whole number from a to b, both included."""
        if self.used < len(self.kept):
            self.used += 1
            return self.kept[self.used - 1]
        if self.then is None:
            raise ValueError("There are no more dice.")
        return self.then.randint(a, b)


def aside(generator: Generator, purpose: str) -> Generator:
    """Return dice apart from the battle's own; a generator that is not committed to a seed goes on
    as it is."""
    source = (
        generator.then
        if isinstance(generator, KeptDice) and generator.then is not None
        else generator
    )
    return source.private_stream(purpose) if isinstance(source, CommittedDice) else source
