"""The first place of a campaign's standings, and the reason: for its page and its book."""

from django.utils.translation import gettext
from msgspec import Struct

from battles.selectors.standings import Standings
from campaigns.scoring import IN_WORDS
from core.ruleset_words import join_names


class Verdict(Struct, frozen=True):
    """The warbands in first place; ``best`` are several if no tie-breaker separates them.

    ``ahead`` is the lead in points over ``runners_up``, who all have the same points. If it is 0,
    ``parted_by`` names the tie-breaker that decided.
    """

    best: tuple[str, ...] = ()
    runners_up: tuple[str, ...] = ()
    points: int = 0
    ahead: int = 0
    parted_by: str = ""
    over: bool = False

    @property
    def next_ones(self) -> str:
        """The runners-up as text for a sentence of the active language: "B and C"; "" if none."""
        return join_names(self.runners_up)


def verdict(table: Standings, *, over: bool) -> Verdict:
    """Return the warbands in first place, and the reason. At least one battle has been fought."""
    best = [row for row in table.rows if row.position == 1]
    others = table.rows[len(best) :]
    next_points = others[0].points if others else 0
    return Verdict(
        best=tuple(row.name for row in best),
        runners_up=tuple(row.name for row in others if row.points == next_points),
        points=best[0].points if best else 0,
        ahead=best[0].points - next_points if best and others else 0,
        parted_by=gettext(IN_WORDS[table.parted_by]) if table.parted_by else "",
        over=over,
    )
