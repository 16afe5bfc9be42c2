"""A Lucky fighter's one re-roll in a shot or an attack, used as well as it can be, counted out
exactly.

Rule book: "Lucky". Which use is best is judged by ``harm``: the worth of the result on the target,
less that of a Riposte's on the attacker, by Muster's own scale ``WORTH``.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product

from msgspec import Struct

from rulebook.systems.en_garde.odds import chances
from rulebook.systems.en_garde.odds.duel import SCALE, WORTH
from rulebook.systems.en_garde.table.shooting import HIT_ABSORBED

ATTACKER, TARGET = "attacker", "target"
ASSUMPTIONS = (
    "The Lucky fighter re-rolls the die that helps most on average, or none.",
    f"Muster's own scale decides what helps: {SCALE}.",
    "Dice re-rolled by a Weapon Master or Sharpshooter, and those for mount or rider and for a "
    "large body, are not re-rolled.",
)


class Throw(Struct, frozen=True):
    """Dice as they lie: those that luck may still change, and the one that was thrown again already
    and stands."""

    free: tuple[int, ...]
    standing: tuple[int, ...] = ()

    @property
    def dice(self) -> tuple[int, ...]:
        """Return all of them."""
        return (*self.free, *self.standing)

    def total(self, *, drop_lowest: bool) -> int:
        """Return what they count for."""
        return sum(self.dice) - (min(self.dice) if drop_lowest else 0)

    def changed(self) -> Iterator[tuple["Throw", ...]]:
        """Return, for each die that may be thrown again, the six throws that this can lead to."""
        for place in {die: place for place, die in enumerate(self.free)}.values():
            rest = (*self.free[:place], *self.free[place + 1 :])
            yield tuple(Throw((*rest, face), self.standing) for face in chances.FACES)


@cache
def throws(number: int, *, reroll: bool) -> Mapping[Throw, int]:
    """Return every way in which dice may lie before luck, in six times as many ways as they can
    fall.

    ``reroll``: the lowest die is thrown again if it is a 1 or 2, see ``dice_totals``.
    """
    ways: Counter[Throw] = Counter()
    for dice in product(chances.FACES, repeat=number):
        lowest, *rest = sorted(dice) or (6,)
        if dice and reroll and lowest <= 2:
            ways.update(Throw(tuple(rest), (face,)) for face in chances.FACES)
        else:
            ways[Throw(tuple(sorted(dice)))] += 6
    return ways


def throw_chance(number: int, *, reroll: bool, rule: Callable[[tuple[int, ...]], bool]) -> Fraction:
    """Return the chance that a rule of the table holds for some dice as they may lie before
    luck."""
    ways = sum(ways for throw, ways in throws(number, reroll=reroll).items() if rule(throw.dice))
    return Fraction(ways, 6 ** (number + 1))


Judge = Callable[[int], Fraction]
"""A function that returns the worth of a Hit Score to the Lucky fighter."""


class _Options(Struct, frozen=True):
    """A throw's total, and the totals that each use of luck on it can lead to."""

    total: int
    changes: tuple[tuple[int, ...], ...]


def _options(number: int, *, reroll: bool, drop_lowest: bool) -> Counter[_Options]:
    counts: Counter[_Options] = Counter()
    for throw, ways in throws(number, reroll=reroll).items():
        changes = (
            tuple(each.total(drop_lowest=drop_lowest) for each in six) for six in throw.changed()
        )
        options = _Options(throw.total(drop_lowest=drop_lowest), tuple(sorted(changes)))
        counts[options] += ways
    return counts


def _with_luck(
    up: Counter[_Options], down: Counter[_Options], edge: int, judge: Judge
) -> chances.Scores:
    """Return the chance of each Hit Score when the best of the dice is thrown again."""
    ways_by_score: Counter[int] = Counter()
    for (attack, ways), (defence, other_ways) in product(up.items(), down.items()):
        for score in _best(attack, defence, edge, judge):
            ways_by_score[score] += ways * other_ways
    every = sum(ways_by_score.values())
    return {score: Fraction(count, every) for score, count in sorted(ways_by_score.items())}


def _best(attack: _Options, defence: _Options, edge: int, judge: Judge) -> tuple[int, ...]:
    """Return six equally likely Hit Scores: those of the best use of luck, or six times the score
    as it lies."""
    kept = (attack.total - defence.total + edge,) * 6
    uses = (
        *(tuple(total - defence.total + edge for total in six) for six in attack.changes),
        *(tuple(attack.total - total + edge for total in six) for six in defence.changes),
    )
    return max((kept, *uses), key=lambda scores: sum(map(judge, scores)))


@lru_cache(maxsize=chances.KEPT)
def lucky_attack_scores(
    attack: chances.AttackOdds,
    lucky: str,
    riposte: chances.RiposteOdds | None = None,
    *,
    harmless: bool = False,
) -> chances.Scores:
    """Return the chance of each Hit Score of an attack in which ``lucky`` ("attacker", "target"
    or "") uses its re-roll.

    ``harmless``: nothing but the hit counts, as for a Feint or a Disengage.
    """
    if not lucky:
        return chances.hit_scores(attack)

    def harm(score: int) -> Fraction:
        only = {score: Fraction(1)}
        returned = _harm(chances.results_of_riposte(riposte, only)) if riposte else Fraction(0)
        done = (
            Fraction(int(score > 0)) if harmless else _harm(chances.results_of_attack(attack, only))
        )
        return done - returned

    up = _options(attack.dice, reroll=attack.weapon_master, drop_lowest=attack.mighty_blow)
    down = _options(attack.defence_dice, reroll=attack.defender_weapon_master, drop_lowest=False)
    return _with_luck(up, down, attack.edge, _judge(lucky, harm))


@lru_cache(maxsize=chances.KEPT)
def lucky_shot_scores(shot: chances.ShotOdds, lucky: str) -> chances.Scores:
    """Return the chance of each Hit Score of a shot in which ``lucky`` ("attacker", "target" or
    "") uses its re-roll.
    """
    if not lucky:
        return chances.shot_scores(shot)

    def harm(score: int) -> Fraction:
        return _harm(chances.results_of_shot(shot, {score: Fraction(1)}))

    up = _options(2, reroll=shot.sharpshooter, drop_lowest=False)
    edge = shot.shoot + shot.modifier - HIT_ABSORBED
    return _with_luck(up, _options(0, reroll=False, drop_lowest=False), edge, _judge(lucky, harm))


def _judge(lucky: str, harm: Judge) -> Judge:
    worth: dict[int, Fraction] = {}

    def judge(score: int) -> Fraction:
        if score not in worth:
            worth[score] = harm(score) if lucky == ATTACKER else -harm(score)
        return worth[score]

    return judge


def _harm(outcomes: chances.Outcomes) -> Fraction:
    """Return what results are worth on average; a miss and a scratch are worth nothing."""
    return sum((chance * WORTH.get(result, 0) for result, chance in outcomes.items()), Fraction(0))
