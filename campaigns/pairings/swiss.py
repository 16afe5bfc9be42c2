"""Swiss rounds: equal points play each other, and pairs meet again only if necessary."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from campaigns.pairings.draft import DraftRound, pair

NOBODY = ""


class Record(Struct, frozen=True):
    """The record of an entrant so far.

    ``met`` counts the fixtures with each opponent, including open ones.
    """

    points: int = 0
    byes: int = 0
    at_home: int = 0
    met: Mapping[str, int] = {}


def swiss_round(entrants: Sequence[str], records: Mapping[str, Record]) -> DraftRound:
    """Return the next round for entrants, who are given best first.

    Its aims, the most important first: byes go to those who had the fewest; as few pairs as
    possible meet again; equal points play each other; the bye goes to the lowest; within equal
    points the upper half plays the lower half. A minimum-cost matching in the graph of all pairs
    (networkx) respects all of them together.
    """
    import networkx  # noqa: PLC0415 - takes long to load, and most processes never ask for it

    order = [*entrants, NOBODY] if len(entrants) % 2 else [*entrants]
    costs = _costs(order, records)
    highest = max(costs.values(), default=0) + 1
    graph: networkx.Graph[str] = networkx.Graph()
    graph.add_weighted_edges_from(
        (first, second, highest - cost) for (first, second), cost in costs.items()
    )
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    rank = {entrant: place for place, entrant in enumerate(order)}
    sorted_pairs = sorted(sorted(each, key=rank.__getitem__) for each in pairs)
    sorted_pairs.sort(key=lambda each: rank[each[0]])
    played = [
        pair(*_seated(first, second, records)) for first, second in sorted_pairs if second != NOBODY
    ]
    byes = [pair(first, NOBODY) for first, second in sorted_pairs if second == NOBODY]
    return DraftRound((*played, *byes))


def _costs(order: Sequence[str], records: Mapping[str, Record]) -> dict[tuple[str, str], int]:
    """Return the cost of each pair. Each aim outweighs all less important ones in a whole round."""
    size = len(order) + 1
    scores = sorted({_record(records, each).points for each in order if each}, reverse=True)
    step = {points: place for place, points in enumerate(scores)}
    groups = {
        points: [each for each in order if each and _record(records, each).points == points]
        for points in scores
    }
    place_in = {each: place for group in groups.values() for place, each in enumerate(group)}
    far = size * size
    apart = far * size
    again = apart * size * len(scores) ** 2
    unfair = (
        again
        * size
        * (max((sum(_record(records, each).met.values()) for each in order if each), default=0) + 1)
    )
    costs = {}
    for place, entrant in enumerate(order):
        mine = _record(records, entrant)
        for opponent in order[place + 1 :]:
            if opponent == NOBODY:
                costs[entrant, opponent] = unfair * mine.byes + far * (len(order) - place)
                continue
            theirs = _record(records, opponent)
            distance = abs(step[mine.points] - step[theirs.points])
            middle = (
                abs(place_in[opponent] - place_in[entrant] - len(groups[mine.points]) // 2)
                if not distance
                else 0
            )
            costs[entrant, opponent] = (
                again * mine.met.get(opponent, 0) + apart * distance**2 + middle
            )
    return costs


def _seated(first: str, second: str, records: Mapping[str, Record]) -> tuple[str, str]:
    """Return the two with the one first who has been home less often."""
    return (
        (second, first)
        if _record(records, second).at_home < _record(records, first).at_home
        else (first, second)
    )


def _record(records: Mapping[str, Record], entrant: str) -> Record:
    return records.get(entrant, Record())
