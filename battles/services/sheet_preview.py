"""Preview a result before it is sent. Nothing is written, and no dice are rolled."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.models import User
from msgspec import Struct

from battles.models import Battle, BattleState
from battles.rulebook_values import ruleset_of_battle, sides_of
from battles.selectors.confirmation_preview import ConfirmationPreview, preview_of
from battles.services.locking import expect_logger, expect_state
from battles.services.logbook import clean_events, fresh_events, known_events
from battles.services.validation import NewEvent, batch_slot, tried_events
from rulebook.ruleset import Problem, RulesError


class SheetPreview(Struct, frozen=True):
    """The result with these events, and the problems of the events that were left out.

    ``preview`` is None if the log does not add up. Until the battle is over (``ended``) nobody has
    won or drawn yet, whatever the points.
    """

    preview: ConfirmationPreview | None
    problems: tuple[Problem, ...]
    ended: bool = False


def preview_sheet(*, battle_id: UUID, events: Sequence[NewEvent], user: User) -> SheetPreview:
    """Return the result of a battle under way with these events at the end of its log.

    At most nine queries. An event that needs dice from Muster is left out: they are rolled when the
    event is logged. Raises Battle.DoesNotExist, InvalidInput, Forbidden, StateConflict
    "wrong-state", "event-differs"; Unavailable "busy" for a batch while another one is validated.
    """
    with batch_slot(len(events)):
        return _previewed(battle_id, events, user)


def _previewed(battle_id: UUID, events: Sequence[NewEvent], user: User) -> SheetPreview:
    battle = Battle.objects.get(pk=battle_id)
    expect_logger(battle, user)
    expect_state(battle, BattleState.UNDER_WAY)
    events = clean_events(events)
    sides = sides_of(battle)
    try:
        play, problems = tried_events(
            battle, sides, fresh_events(events, known_events(battle, events))
        )
        rules = ruleset_of_battle(battle)
        table = rules.at_table(play)
        return SheetPreview(
            preview_of(battle, sides, rules.result(play)), problems, table is None or table.ended
        )
    except RulesError as error:
        return SheetPreview(None, error.problems)
