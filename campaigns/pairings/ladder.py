"""A ladder: players challenge those above them, and a winner takes the loser's place."""

from collections.abc import Iterable, Sequence


def climbed(order: Sequence[str], won: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the ladder from the top down after the battles, oldest first, each as (winner, loser).

    A winner from below takes the loser's place, and all between them move down one place. A
    newcomer joins at the bottom.
    """
    ladder = list(order)
    for winner, loser in won:
        ladder += [each for each in (loser, winner) if each not in ladder]
        above = ladder.index(loser)
        if ladder.index(winner) > above:
            ladder.remove(winner)
            ladder.insert(above, winner)
    return tuple(ladder)


def within_reach(order: Sequence[str], challenger: str, reach: int) -> tuple[str, ...]:
    """Return the opponents within reach, from the top down: at most ``reach`` places above."""
    if challenger not in order:
        return ()
    place = list(order).index(challenger)
    return tuple(order[max(0, place - reach) : place])
