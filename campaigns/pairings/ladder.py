"""A ladder: one challenges upwards, and the winner takes the place."""

from collections.abc import Iterable, Sequence


def climbed(order: Sequence[str], won: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The ladder from the top down after the battles, oldest first, each as (winner, loser).

    A winner from below takes the loser's place, and all between go down by one. Who is not on it
    yet joins at its foot.
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
    """Whom one may challenge, from the top down: those at most ``reach`` places above."""
    if challenger not in order:
        return ()
    place = list(order).index(challenger)
    return tuple(order[max(0, place - reach) : place])
