"""What a result sheet would come to before it is sent. Nothing is written, and no die is thrown."""

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
    """What the log would come to with these events, and what is wrong with those that were left
    out.

    ``preview`` is None where the whole does not add up. Until the battle is said to be over
    (``ended``) nobody has won or drawn yet, whatever the points.
    """

    preview: ConfirmationPreview | None
    problems: tuple[Problem, ...]
    ended: bool = False


def preview_sheet(*, battle_id: UUID, events: Sequence[NewEvent], user: User) -> SheetPreview:
    """What a battle under way comes to with these events at the end of its log. Nine queries at
    most.

    An event that lacks a die of Muster's is left out: it is thrown when the event is logged. Raises
    Battle.DoesNotExist, InvalidInput, Forbidden, StateConflict "wrong-state", "event-differs";
    Unavailable "busy" for a batch while another one is judged.
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
