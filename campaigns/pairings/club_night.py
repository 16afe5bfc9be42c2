"""Pairings of a club night: opponents, players who sit out, and tables."""

import random
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from campaigns.pairings.swiss import NOBODY

PAIR_BITS, COST_BITS = 24, 16
"""The bits of each aim's costs, and of those of one pair: larger costs are cut off."""


class Player(Struct, frozen=True, kw_only=True):
    """A player of a club night.

    ``record`` is the share of points won in the club, from 0 to 1, and ``sat_out`` the number of
    club nights without a game.
    """

    key: str
    record: float = 0.5
    sat_out: int = 0


class Link(Struct, frozen=True, kw_only=True):
    """The link between two players.

    ``due`` is the urgency of their open fixture, 1 for the most urgent; 0 without one. ``met`` is
    the number of their games so far, ``days_since`` the days since the last one. ``points_gap`` is
    the difference of their warbands' points.
    """

    due: int = 0
    met: int = 0
    days_since: int = 0
    points_gap: int = 0
    forbidden: bool = False


Pair = tuple[str, str]
UNLINKED = Link()


def pair_key(first: str, second: str) -> Pair:
    """Return the key of two players, whatever their order."""
    return (first, second) if first < second else (second, first)


def club_night_pairs(
    players: Sequence[Player], links: Mapping[Pair, Link], seed: int
) -> tuple[Pair, ...]:
    """Return pairs of all players; one with "" (``NOBODY``) sits out.

    Its aims, the most important first: as many games as possible, none between a forbidden pair; as
    many due fixtures as possible, the most urgent ones; as few pairs as possible who have met;
    those who sat out most play; pairs who met rarely, and long ago; equal points; equal records.
    ``seed`` decides between equals: the same seed gives the same pairs. A minimum-cost matching
    (networkx) respects all aims together.
    """
    import networkx  # noqa: PLC0415 - takes long to load, and most processes never ask for it

    # The order of the players must not matter, only the seed.
    order = sorted(player.key for player in players)
    by_key = {player.key: player for player in players}
    dice = random.Random(seed)  # noqa: S311 - breaks ties, and everybody may repeat it
    dice.shuffle(order)
    keys = [*order, NOBODY] if len(order) % 2 else order

    costs: dict[Pair, tuple[int, ...]] = {}
    for place, first in enumerate(keys):
        for second in keys[place + 1 :]:
            tie = dice.randrange(1 << 10)
            if second == NOBODY:
                # Where a game is possible as well, nobody sits out.
                sat_out = by_key[first].sat_out
                costs[first, second] = (1, 0, 0, 0, sat_out, 0, 0, 0, 0, tie)
                continue
            link = links.get(pair_key(first, second), UNLINKED)
            if not link.forbidden:
                costs[first, second] = (*_costs(by_key[first], by_key[second], link), tie)

    weighed = {each: _joined(cost) for each, cost in costs.items()}
    highest = max(weighed.values(), default=0) + 1
    graph: networkx.Graph[str] = networkx.Graph()
    graph.add_nodes_from(keys)
    graph.add_weighted_edges_from((*each, highest - cost) for each, cost in weighed.items())
    matched = networkx.max_weight_matching(graph, maxcardinality=True)

    rank = {key: place for place, key in enumerate(keys)}
    pairs = [tuple(sorted(each, key=rank.__getitem__)) for each in matched]
    alone = set(order) - {key for each in pairs for key in each}
    everybody = [*((first, second) for first, second in pairs), *((key, NOBODY) for key in alone)]
    return tuple(sorted(everybody, key=lambda each: (each[1] == NOBODY, rank[each[0]])))


def _costs(first: Player, second: Player, link: Link) -> tuple[int, ...]:
    """Return the costs of a pair, one for each aim of ``club_night_pairs``."""
    is_due = link.due > 0
    return (
        0,
        0 if is_due else 1,
        link.due,
        1 if link.met and not is_due else 0,
        0,
        link.met,
        # Long ago is cheap. After two years nobody remembers.
        max(0, 730 - link.days_since) if link.met else 0,
        link.points_gap,
        round(100 * abs(first.record - second.record)),
    )


def _joined(costs: Iterable[int]) -> int:
    """Return one number in which each cost outweighs the sums of all later ones."""
    total = 0
    for cost in costs:
        total = (total << PAIR_BITS) + min(cost, 1 << COST_BITS)
    return total


class TableWish(Struct, frozen=True, kw_only=True):
    """A game that needs a table. Those with more ``points`` get the large tables."""

    key: str
    points: int = 0
    table: int | None = None
    """Its table, if it has begun: it stays there."""


def tables_of(
    games: Sequence[TableWish], tables: int, large: int, pinned: Iterable[int] = ()
) -> dict[str, int | None]:
    """Return the table of each game, None if none is free.

    ``tables`` is the number of tables, 0 for one for each game. Tables 1 to ``large`` are large.
    The games are in the order in which they get tables; ``pinned`` tables are taken.
    """
    taken = {game.table for game in games if game.table} | set(pinned)
    most = tables or len(games) + len(taken)
    free = [number for number in range(1, most + 1) if number not in taken]
    waiting = [game for game in games if not game.table]
    placed: dict[str, int | None] = {game.key: game.table for game in games if game.table}

    # Without enough tables, the last games of the list have none.
    seated = waiting[: len(free)]
    placed |= {game.key: None for game in waiting[len(free) :]}
    free = free[: len(seated)] if not tables else free
    large_ones = [number for number in free if number <= large]
    biggest = sorted(seated, key=lambda game: -game.points)[: len(large_ones)]
    on_large = {game.key for game in biggest}
    placed |= {game.key: number for game, number in zip(biggest, large_ones, strict=False)}
    rest = [number for number in free if number > large]
    others = [game for game in seated if game.key not in on_large]
    placed |= {game.key: number for game, number in zip(others, rest, strict=False)}
    return placed
