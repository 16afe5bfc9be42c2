"""Take a player out of games of a club night that have not begun."""

from collections.abc import Iterable
from uuid import UUID

from campaigns.models import TableGame


def release_player(games: Iterable[TableGame], member_id: UUID) -> None:
    """Take a member out of these games of theirs; the opponents sit out until paired again.

    The caller has locked the club night.
    """
    for game in games:
        if game.second_id is None:
            game.delete()
            continue
        if game.first_id == member_id:
            game.first_id = game.second_id
        game.second_id = game.table = game.fixture_id = game.campaign_id = None
        game.save(update_fields=["first", "second", "table", "fixture", "campaign"])
