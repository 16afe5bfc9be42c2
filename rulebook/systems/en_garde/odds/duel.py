"""One whole round of combat between two fighters, counted out exactly, and the secret choice of
counters as a game.

``ASSUMPTIONS`` lists what is assumed; it is shown next to every number: a policy says when
ploys are used; Feint, Subdue, Disengage, Lucky and new enemies play no part. Rule book: "Combat
procedure", "Ploys".
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.odds.chances import (
    KEPT,
    AttackOdds,
    Harm,
    RiposteOdds,
    dice_totals,
    harms_of,
)
from rulebook.systems.en_garde.odds.zero_sum import solve
from rulebook.systems.en_garde.table.blows import Ploy, defence_cost, parries
from rulebook.systems.en_garde.table.combatant import Numbers, numbers_with
from rulebook.systems.en_garde.table.rounds import Split
from rulebook.systems.en_garde.table.wounds import (
    UNHURT,
    WoundResult,
    WoundState,
    WoundTable,
    suffer,
)

ASSUMPTIONS = (
    "Both attack at every opportunity while they have Attack counters.",
    "A fighter who parries does so whenever a Defence counter is left.",
    "A fighter who uses Mighty Blows does so as long as any counters are left.",
    "A Fast fighter uses its second attack at the first opportunity.",
    "A fighter who can riposte does so instead of the first Parry.",
    "Initiative is rolled once. After a tie each fighter is first equally often.",
    "Nobody uses Feint, Subdue, Disengage or Lucky, joins in or leaves.",
)
WORTH = {"": 0, "stunned": 1, "light": 3, "grievous": 6, "unconscious": 10, "critical": 10}
"""The worth of the worst state of an enemy; a fighter's own state counts against it. Muster's own
scale, not the rule book's.
"""
NO_PLOYS: frozenset[Ploy] = frozenset()
PARRY = frozenset({Ploy.PARRY})
RIPOSTE = frozenset({Ploy.RIPOSTE})
SCALE = ", ".join(f"{state or 'unhurt'} {worth}" for state, worth in WORTH.items())


class Policy(Struct, frozen=True):
    """When a fighter uses its ploys: always, as long as counters last, or never."""

    parry: bool = True
    mighty_blow: bool = False
    riposte: bool = False


class Duellist(Struct, frozen=True):
    """A fighter as the count needs it: characteristics unhurt, the wounds it brings along, and its
    policy.

    ``initiative_modifier`` and ``wound_modifier`` are the weapon's (and Powerful's);
    ``armour_rating`` is that in hand-to-hand combat; ``table`` the Wound Table of its body.
    """

    fight: int
    initiative: int = 0
    initiative_modifier: int = 0
    attack_modifier: int = 0
    wound_modifier: int = 0
    armour_rating: int = 0
    weapon_master: bool = False
    may_riposte: bool = False
    tough: bool = False
    fast: bool = False
    wounds: WoundState = UNHURT
    policy: Policy = Policy()
    table: WoundTable = WoundTable.STANDARD

    def present(self, wounds: WoundState, rules: HouseRules) -> Numbers:
        """Return its Initiative and Fight with these wounds."""
        return numbers_with(self.initiative, self.fight, 0, wounds, self.tough, rules.stun_penalty)


class Bout(Struct, frozen=True):
    """Two fighters, and the house rules they fight by."""

    fighters: tuple[Duellist, Duellist]
    rules: HouseRules = USUAL


class _Place(Struct, frozen=True):
    """Where a round stands: both fighters' wounds and counters, whose opportunity it is, ripostes,
    and passes."""

    wounds: tuple[WoundState, WoundState]
    pools: tuple[Split, Split]
    turn: int
    riposted: tuple[bool, bool] = (False, False)
    owes: tuple[bool, bool] = (False, False)
    doubled: tuple[bool, bool] = (False, False)


Ends = Mapping[tuple[WoundState, WoundState], Fraction]


class RoundOdds(Struct, frozen=True):
    """The chance of each pair of final states of a round; ``first`` is the chance that the first
    strikes first."""

    first: Fraction
    ends: Ends

    def chance(self, side: int, *states: str) -> Fraction:
        """Return the chance that this fighter (0 or 1) ends in one of these states, see
        ``WoundState.worst``."""
        return sum(
            (chance for pair, chance in self.ends.items() if pair[side].worst in states),
            Fraction(0),
        )


def round_odds(
    first: Duellist, other: Duellist, split: Split, other_split: Split, rules: HouseRules = USUAL
) -> RoundOdds:
    """Return every way that one round between two fighters can end, with these counters."""
    bout = Bout((first, other), rules)
    ends: dict[tuple[WoundState, WoundState], Fraction] = {}
    for place, weight in _openings(bout, split, other_split):
        for pair, chance in _ends(place, bout).items():
            ends[pair] = ends.get(pair, Fraction(0)) + weight * chance
    return RoundOdds(first_chance(first, other, rules), ends)


def round_worth(
    first: Duellist, other: Duellist, split: Split, other_split: Split, rules: HouseRules = USUAL
) -> Fraction:
    """Return the average value of a round for the first fighter: wounds dealt less taken, by
    ``WORTH``.

    The same as summing up ``round_odds``, and much quicker.
    """
    bout = Bout((first, other), rules)
    openings = _openings(bout, split, other_split)
    return sum((weight * _worth(place, bout) for place, weight in openings), Fraction(0))


def _openings(bout: Bout, split: Split, other_split: Split) -> Iterator[tuple[_Place, Fraction]]:
    """Yield the places from which a round can begin, by first attacker, with their chances."""
    fighter, other = bout.fighters
    first_leads = first_chance(fighter, other, bout.rules)
    for turn, weight in enumerate((first_leads, 1 - first_leads)):
        yield _Place((fighter.wounds, other.wounds), (split, other_split), turn), weight


@lru_cache(maxsize=KEPT)
def first_chance(first: Duellist, other: Duellist, rules: HouseRules = USUAL) -> Fraction:
    """Return the chance that the first fighter has the first opportunity; ties are rolled off
    evenly."""
    lead = _initiative(first, rules) - _initiative(other, rules)
    dice = dice_totals(1)
    ahead = Fraction(0)
    for die, chance in dice.items():
        for other_die, against in dice.items():
            margin = die + lead - other_die
            ahead += (
                chance * against * (Fraction(1, 2) if margin == 0 else Fraction(int(margin > 0)))
            )
    return ahead


def _initiative(fighter: Duellist, rules: HouseRules) -> int:
    return fighter.present(fighter.wounds, rules).initiative + fighter.initiative_modifier


@lru_cache(maxsize=KEPT)
def _ends(place: _Place, bout: Bout) -> Ends:
    """Return the chance of each pair of final states from a place onwards."""
    if _over(place):
        return {place.wounds: Fraction(1)}
    if _lets_go(place):
        return _ends(_let_go(place), bout)
    ends: dict[tuple[WoundState, WoundState], Fraction] = {}
    for following, chance in _strikes(place, bout):
        for pair, further in _ends(following, bout).items():
            ends[pair] = ends.get(pair, Fraction(0)) + chance * further
    return ends


@lru_cache(maxsize=16 * KEPT)
def _worth(place: _Place, bout: Bout) -> Fraction:
    """Return what is still to come from a place onwards is worth to the first fighter on
    average."""
    if _over(place):
        return _gain(place.wounds)
    if _lets_go(place):
        return _worth(_let_go(place), bout)
    return sum(
        (chance * _worth(after, bout) for after, chance in _strikes(place, bout)), Fraction(0)
    )


def _gain(wounds: tuple[WoundState, WoundState]) -> Fraction:
    return Fraction(WORTH[wounds[1].worst] - WORTH[wounds[0].worst])


def _over(place: _Place) -> bool:
    nobody_left = not any(pool.attack for pool in place.pools)
    return nobody_left or any(wounds.out for wounds in place.wounds)


def _lets_go(place: _Place) -> bool:
    return place.owes[place.turn] or place.pools[place.turn].attack < 1


def _let_go(place: _Place) -> _Place:
    return replace(place, owes=_set(place.owes, place.turn, False), turn=1 - place.turn)


def _set(pair: tuple[bool, bool], side: int, value: bool) -> tuple[bool, bool]:
    return (value, pair[1]) if side == 0 else (pair[0], value)


def _strikes(place: _Place, bout: Bout) -> list[tuple[_Place, Fraction]]:
    """Return one attack: places that may follow, with their chances."""
    side, foe = place.turn, 1 - place.turn
    struck = bout.fighters[side]
    mighty = struck.policy.mighty_blow and place.pools[side].attack >= 2
    answer = _answer(place, bout)
    attack = _attack(place, bout, parry=parries(answer, bout.rules), mighty=mighty)
    spent = _spent(place, fast=struck.fast, mighty=mighty, cost=defence_cost(answer, bout.rules))
    if Ploy.RIPOSTE not in answer:
        return _suffered(spent, harms_of(attack), (foe, side), place)
    riposte = RiposteOdds(bout.fighters[foe].wound_modifier, struck.armour_rating, struck.table)
    spent = replace(
        spent, riposted=_set(spent.riposted, foe, True), owes=_set(spent.owes, foe, True)
    )
    return _suffered(spent, harms_of(attack, riposte), (foe, side), place)


def _answer(place: _Place, bout: Bout) -> frozenset[Ploy]:
    """Return the ploys of the one who is struck at, by its policy and the counters that are left to
    it."""
    foe = 1 - place.turn
    fighter = bout.fighters[foe]
    left = place.pools[foe].defence
    if left < 1:
        return NO_PLOYS
    parry = PARRY if fighter.policy.parry else NO_PLOYS
    if fighter.may_riposte and fighter.policy.riposte and not place.riposted[foe]:
        # Only where a Parry is paid for apart is one made beside the Riposte (Ruling B1).
        return RIPOSTE | parry if bout.rules.riposte_dice == "parry" and left > 1 else RIPOSTE
    return parry


def _attack(place: _Place, bout: Bout, *, parry: bool, mighty: bool) -> AttackOdds:
    side, foe = place.turn, 1 - place.turn
    striker, target = bout.fighters[side], bout.fighters[foe]
    return AttackOdds(
        fight=striker.present(place.wounds[side], bout.rules).fight,
        defender_fight=target.present(place.wounds[foe], bout.rules).fight,
        modifier=striker.attack_modifier,
        wound_modifier=striker.wound_modifier,
        armour_rating=target.armour_rating,
        parry=parry,
        mighty_blow=mighty,
        weapon_master=striker.weapon_master,
        defender_weapon_master=target.weapon_master,
        table=target.table,
    )


def _spent(place: _Place, *, fast: bool, mighty: bool, cost: int) -> _Place:
    """Return the place with the counters spent, and the opportunity passed on (or kept, once, by a
    Fast fighter)."""
    side = place.turn
    striker, target = place.pools[side], place.pools[1 - side]
    # A Mighty Blow costs an Attack counter more.
    striker = Split(striker.attack - 1 - int(mighty), striker.defence)
    target = Split(target.attack, target.defence - cost)
    pools = (striker, target) if side == 0 else (target, striker)
    if fast and not place.doubled[side]:
        return replace(place, pools=pools, doubled=_set(place.doubled, side, True))
    return replace(place, pools=pools, turn=1 - side)


def _suffered(
    spent: _Place,
    results: tuple[tuple[Harm, ...], Fraction],
    sides: tuple[int, int],
    before: _Place,
) -> list[tuple[_Place, Fraction]]:
    """Return the places after the results, which strike these sides."""
    wounds, unharmed = results
    after = [
        (replace(spent, wounds=_hurt(before.wounds, sides[each.struck], each.result)), each.chance)
        for each in wounds
    ]
    return [*after, (spent, unharmed)] if unharmed else after


@lru_cache(maxsize=KEPT)
def _hurt(
    wounds: tuple[WoundState, WoundState], side: int, result: WoundResult
) -> tuple[WoundState, WoundState]:
    """Return both fighters' wounds after a result, which is already that of the body's own
    table."""
    hurt = suffer(wounds[side], result)
    return (hurt, wounds[1]) if side == 0 else (wounds[0], hurt)


# The choice of counters: a zero-sum game, solved exactly (``odds.zero_sum``).


class Payoff(Struct, frozen=True):
    """A pair of splits and what the round is worth to the first fighter on average."""

    split: Split
    other_split: Split
    value: Fraction


class Mix(Struct, frozen=True):
    """A mixed choice: splits with the share of the time that each is played; shares below 1 in
    1,000 are left out.

    ``value`` is what the round is worth to the first fighter if both play their best mixes.
    """

    shares: tuple[tuple[Split, float], ...]
    other_shares: tuple[tuple[Split, float], ...]
    value: float


def worth(odds: RoundOdds) -> Fraction:
    """Return the average value of a round for the first fighter: wounds dealt less taken, by
    ``WORTH``."""
    return sum((chance * _gain(wounds) for wounds, chance in odds.ends.items()), Fraction(0))


def all_splits(pool: int) -> tuple[Split, ...]:
    """Return every split of a Combat Pool, from all defence to all attack."""
    return tuple(Split(attack, pool - attack) for attack in range(pool + 1))


def payoffs(
    first: Duellist,
    other: Duellist,
    splits: Sequence[Split],
    other_splits: Sequence[Split],
    rules: HouseRules = USUAL,
) -> tuple[Payoff, ...]:
    """Return what each pair of splits is worth to the first fighter, row by row of the first
    fighter's splits."""
    pairs = []
    for split, other_split in product(splits, other_splits):
        value = round_worth(first, other, split, other_split, rules)
        pairs.append(Payoff(split, other_split, value))
    return tuple(pairs)


def best_of(pairs: Sequence[Payoff]) -> Payoff:
    """Return the payoff that is worth most; of equals, that with the fewest Attack counters."""
    return max(pairs, key=lambda payoff: (payoff.value, -payoff.split.attack))


def equilibrium(
    first: Duellist, other: Duellist, pool: int, other_pool: int, rules: HouseRules = USUAL
) -> Mix:
    """Return both fighters' best mixes of splits, when each chooses in secret."""
    splits = all_splits(pool)
    other_splits = all_splits(other_pool)
    return mixed(splits, other_splits, payoffs(first, other, splits, other_splits, rules))


def mixed(splits: Sequence[Split], other_splits: Sequence[Split], pairs: Sequence[Payoff]) -> Mix:
    """Return both fighters' best mixes of these splits, from what each pair of them is worth."""
    # The pairs come row by row, as ``payoffs`` makes them.
    values = iter(pairs)
    solution = solve([[next(values).value for _ in other_splits] for _ in splits])
    return Mix(
        _shared(splits, solution.rows),
        _shared(other_splits, solution.columns),
        float(solution.value),
    )


def _shared(splits: Sequence[Split], shares: Sequence[Fraction]) -> tuple[tuple[Split, float], ...]:
    return tuple(
        (split, round(float(share), 4))
        for split, share in zip(splits, shares, strict=True)
        if share >= 0.001
    )
