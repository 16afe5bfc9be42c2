"""Locks for writing in chronicles of warbands; permissions are checked here for all services."""

from collections.abc import Iterable
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from audit.services.recording import record
from audit.verbs import Verb
from core.cleaning import MAX_REASON, field_error
from core.compiled_queries import CompiledQuery
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from core.inputs import Input, field
from core.replica import PRIMARY
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import Ruleset
from warbands.models import Fighter, Warband
from warbands.rulebook_values import read_state

SEQUENCE = field(
    api="The length of the chronicle as you read it: 409 if it has changed since.", ge=0, null=False
)


class ReasonedChange(Input, frozen=True, kw_only=True):
    """Fields that a change in play accepts."""

    reason: Annotated[
        str,
        field(
            _("Reason"),
            _("This warband is in a campaign. The reason appears in its history."),
            api="The reason for overriding the rules.",
            max_length=MAX_REASON,
            line=True,
        ),
    ] = ""
    sequence: Annotated[int | None, SEQUENCE] = None


LOCKED: CompiledQuery[Warband] = CompiledQuery(
    lambda key, _: Warband.objects.select_for_update().filter(pk=key).order_by()
)
"""A warband, locked."""
WARBAND_OF: CompiledQuery[UUID] = CompiledQuery(
    lambda key, _: Fighter.objects.filter(pk=key).order_by().values_list("warband_id", flat=True)
)
"""The id of a fighter's warband."""


class LockedWarband(Struct, frozen=True):
    """A warband that is locked for writing, with its present state and its rules."""

    warband: Warband
    state: WarbandState
    rules: Ruleset

    @property
    def in_play(self) -> bool:
        """Return whether the roster is in play, so that it can change only by the rules."""
        return self.warband.locked

    def fighter(self, fighter_id: UUID) -> FighterState:
        """Return one of the warband's fighters. Raises NotFound."""
        fighter = self.state.fighters.get(str(fighter_id))
        if fighter is None:
            raise NotFound(
                "unknown-fighter",
                gettext("Fighter not found, or you do not have access."),
            )
        return fighter


def lock_warbands(warband_ids: Iterable[UUID]) -> dict[UUID, Warband]:
    """Return the warbands, locked until the transaction ends.

    They are always locked in the order of their ids, which prevents deadlocks. Raises NotFound if
    one is missing.
    """
    expected_ids = set(warband_ids)
    rows: Iterable[Warband]
    if len(expected_ids) == 1:
        rows = LOCKED.rows(next(iter(expected_ids)))
    else:
        rows = Warband.objects.select_for_update().filter(pk__in=expected_ids).order_by("pk")
    warbands = {warband.id: warband for warband in rows}
    if len(warbands) < len(expected_ids):
        raise NotFound("unknown-warband", gettext("Warband not found."))
    return warbands


def lock_warband(warband_id: UUID, user: User, *, sequence: int | None = None) -> LockedWarband:
    """Return the warband, locked until the transaction ends.

    With ``sequence``, its chronicle must still have that length. Raises NotFound if it is hidden
    from the user, Forbidden if the user may not change it, StateConflict "chronicle-went-on",
    InvalidInput "warband-archived".
    """
    warband = lock_warbands([warband_id])[warband_id]
    expect_editor(warband, user)
    if sequence is not None and sequence != warband.sequence:
        sentence = gettext(
            "This warband changed meanwhile (entry %(sequence)s). Reload and try again."
        ) % {"sequence": warband.sequence}
        raise StateConflict("chronicle-went-on", sentence, field="sequence")
    if warband.archived_at is not None:
        raise InvalidInput(
            "warband-archived", gettext("This warband is archived. Restore it first.")
        )
    return LockedWarband(
        warband, read_state(warband), find_ruleset(warband.ruleset, warband.edition)
    )


def lock_warband_of(fighter_id: UUID, user: User, *, sequence: int | None = None) -> LockedWarband:
    """Return the warband of a fighter, locked; see ``lock_warband``.

    Raises NotFound if there is no such fighter.
    """
    return lock_warband(warband_of(fighter_id), user, sequence=sequence)


def warband_of(fighter_id: UUID) -> UUID:
    """Return the id of a fighter's warband. Raises NotFound."""
    warband_id = WARBAND_OF.first(fighter_id)
    if warband_id is None:
        raise NotFound("unknown-fighter", gettext("Fighter not found, or you do not have access."))
    return warband_id


def record_warband(verb: Verb, warband: Warband, user: User, **details: Any) -> None:
    """Record what the user did to a warband in the log of its campaign's club. One query."""
    record(verb, warband, user=user, campaign=warband.state.get("campaign"), **details)


def expect_overruling(warband: Warband, user: User) -> None:
    """Check that the user may override the rules in this warband. Raises Forbidden."""
    if not Warband.objects.organised_by(user).filter(pk=warband.pk).exists():
        raise Forbidden(
            "organisers-only",
            gettext("Only organisers of the campaign can override the rules. Ask an organiser."),
        )


def overruled(locked: LockedWarband, user: User, reason: str, *, otherwise: InvalidInput) -> str:
    """Return an organiser's reason to do what the rules forbid.

    Raises ``otherwise`` if there is no reason, Forbidden if the user may not override the rules.
    """
    if not reason:
        raise otherwise
    expect_overruling(locked.warband, user)
    return reason


def _editable(key: UUID, user: Any) -> Any:
    """Return the id of a warband if the user may change it."""
    rows = Warband.objects.editable_by(user).filter(pk=key).order_by()
    return rows.values_list("pk", flat=True)


EDITABLE: CompiledQuery[UUID] = CompiledQuery(_editable, database=PRIMARY)


def expect_editor(warband: Warband, user: User) -> None:
    """Check that the user may change this warband.

    Raises Forbidden, or NotFound if the user may not see it.
    """
    if EDITABLE.rows(warband.pk, user):
        return
    if Warband.objects.visible_to(user).filter(pk=warband.pk).exists():
        raise Forbidden(
            "not-your-warband",
            gettext("Only the owner and the campaign's organisers can change this warband."),
        )
    raise NotFound("unknown-warband", gettext("Warband not found, or you do not have access."))


def in_play_refusal() -> InvalidInput:
    """Return the error for a change of a roster that is in play."""
    sentence = gettext(
        "This warband is in a campaign. Fighters change only by rank-ups, or an organiser changes "
        "them with a reason."
    )
    return field_error("reason", "roster-locked", sentence)
