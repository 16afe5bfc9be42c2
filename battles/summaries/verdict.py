"""Who stands first in a campaign's table, and by what: for its page and for its book."""

from django.utils.translation import gettext
from msgspec import Struct

from battles.standings import Standings
from campaigns.scoring import IN_WORDS


class Verdict(Struct, frozen=True):
    """Who stands first: ``best`` are several where nothing parts them. ``ahead`` counts the points of the table to
    the next one; where that is nought ``parted_by`` says in words which tie-breaker decided."""

    best: tuple[str, ...] = ()
    runner_up: str = ""
    points: int = 0
    ahead: int = 0
    parted_by: str = ""
    over: bool = False


def verdict(table: Standings, *, over: bool) -> Verdict:
    """Who stands first in a table, and by what. At least one battle has been fought."""
    best = [row for row in table.rows if row.position == 1]
    others = table.rows[len(best) :]
    runner_up = others[0] if others else None
    return Verdict(
        best=tuple(row.name for row in best),
        runner_up=runner_up.name if runner_up else "",
        points=best[0].points if best else 0,
        ahead=best[0].points - runner_up.points if best and runner_up else 0,
        parted_by=gettext(IN_WORDS[table.parted_by]) if table.parted_by else "",
        over=over,
    )
