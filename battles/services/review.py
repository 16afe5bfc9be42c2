"""Review a battle: submit, confirm, dispute, decide and reopen it."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.verbs import Verb
from battles.log_seals import log_seal, opening_seal
from battles.models import Answer, Battle, BattleEvent, BattleState, Side, Verdict
from battles.rulebook_values import combatants_in_order, logged, replay_battle, warbands_of
from battles.services.confirmation import confirmation_impact, write_confirmation
from battles.services.correction_conflicts import NO_ANSWERS, ConflictAnswers
from battles.services.correction_differences import CorrectionDifference
from battles.services.disputes import answer_disputes, raise_disputes
from battles.services.late_battles import NO_CONSENT, QUESTIONS, Consent, may_be_late
from battles.services.locking import (
    UNDER_REVIEW,
    expect_logger,
    expect_organiser,
    expect_shared_version,
    expect_state,
    expect_version,
    find_side,
    is_organiser,
    lock_battle,
    lock_sides,
    record_battle,
    save_battle,
)
from battles.services.logbook import log_events
from battles.services.validation import NewEvent
from core.cleaning import MAX_REASON
from core.errors import Forbidden, InvalidInput, StateConflict
from core.inputs import Input, field, validate
from warbands.signed import save_signed, update_signed

MAX_DISPUTE = 2000


class Decision(StrEnum):
    """An organiser's possible decisions about a submitted battle."""

    AS_LOGGED = "as-logged"
    REOPEN = "reopen"


class Dispute(Input, frozen=True, kw_only=True):
    """A dispute: what is wrong with the log."""

    reason: Annotated[str, field(_("What is wrong"), min_length=1, max_length=MAX_DISPUTE)]


class Ruling(Input, frozen=True, kw_only=True):
    """An organiser's decision: confirm the battle as logged for all sides, or reopen its log."""

    decision: Annotated[Decision, field(_("Decision"))]
    reason: Annotated[
        str,
        field(
            _("Reason"),
            _("Everyone who disputed the battle gets a message."),
            max_length=MAX_REASON,
            line=True,
            default=True,
        ),
    ] = ""


@transaction.atomic
def submit_battle(*, battle_id: UUID, user: User, version: int | None = None) -> Battle:
    """Close the log and compute the result; the user's own sides are confirmed.

    If that is all sides, the battle is confirmed at once. But a late battle that changes something
    for others stays submitted until a user has seen the changes and confirms it.

    Raises RulesError if the log does not add up, InvalidInput if all sides are confirmed and a
    chronicle cannot take the battle, StateConflict, Forbidden.
    """
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    expect_version(battle, version)
    expect_state(battle, BattleState.UNDER_WAY)
    sides = lock_sides(battle)
    prefetch_related_objects(sides, combatants_in_order())
    submit_log(battle, sides, list(battle.events.order_by("sequence")), user)
    return battle


def submit_log(
    battle: Battle, sides: list[Side], events: Sequence[BattleEvent], user: User, *unsaved: str
) -> None:
    """Close the log of a locked battle with these events, and save the battle and its sides.

    The sides are locked, and hold warbands and combatants. ``unsaved`` are more columns of the
    battle to save. Raises what ``submit_battle`` raises.
    """
    battle.result = msgspec.to_builtins(replay_battle(battle, sides, logged(events)))
    battle.log_seal = log_seal(opening_seal(battle, sides), events)
    battle.state = BattleState.SUBMITTED
    battle.submitted_by, battle.submitted_at = user, timezone.now()
    own_sides = [side for side in sides if side.is_played_by(user)]
    _set_verdict(Verdict.CONFIRMED, own_sides, user)
    save_battle(battle, "result", "log_seal", "state", "submitted_by", "submitted_at", *unsaved)
    confirmed = _all_confirmed(sides)
    if confirmed:
        confirmed = _confirm_unasked(battle, sides, user)
    else:
        _save_verdicts(own_sides)
    record_battle(
        Verb.SUBMITTED_AND_CONFIRMED if confirmed else Verb.BATTLE_SUBMITTED, battle, user
    )


@transaction.atomic
def confirm_side(
    *,
    battle_id: UUID,
    user: User,
    side: str | None = None,
    version: int | None = None,
    consent: Consent = NO_CONSENT,
) -> Battle:
    """Confirm the log for one side, or for all sides that the user plays.

    An organiser may confirm for any side. Once every side is confirmed, the battle is. Raises
    Forbidden; StateConflict "already-confirmed" if nothing is left to confirm, "stale-version",
    "wrong-state", "open-conflicts" and "late-battle" for what a late battle changes without
    ``consent``; InvalidInput if a chronicle cannot take the battle.
    """
    battle = lock_battle(battle_id)
    if battle.state == BattleState.CONFIRMED:
        raise StateConflict(
            "already-confirmed",
            gettext("The battle is already confirmed."),
        )
    sides = lock_sides(battle)
    meant = _spoken_for(battle, sides, side, user)
    expect_state(battle, *UNDER_REVIEW)
    waiting = [each for each in meant if each.verdict != Verdict.CONFIRMED]
    if not waiting:
        raise StateConflict(
            "already-confirmed",
            gettext("This side has already confirmed. The others have not."),
        )
    expect_shared_version(battle, version)
    if battle.state == BattleState.DISPUTED:
        own_sides = [each for each in waiting if each.is_played_by(user)]
        answer_disputes(battle, user, Answer.WITHDRAWN, sides=own_sides)
        answer_disputes(
            battle,
            user,
            Answer.AS_LOGGED,
            sides=[each for each in waiting if each not in own_sides],
        )
    _set_verdict(Verdict.CONFIRMED, waiting, user)
    confirmed = _all_confirmed(sides)
    if confirmed:
        write_confirmation(battle, sides, user, consent)
    else:
        _save_verdicts(waiting)
        disputed = any(side.verdict == Verdict.DISPUTED for side in sides)
        battle.state = BattleState.DISPUTED if disputed else BattleState.SUBMITTED
        # The other sides review the same log: this side's confirmation does not conflict with their
        # answers.
        save_battle(battle, "state", shared=False)
    record_battle(Verb.BATTLE_CONFIRMED if confirmed else Verb.SIDE_CONFIRMED, battle, user)
    return battle


@transaction.atomic
def preview_confirming(
    *, battle_id: UUID, user: User, side: str | None = None, answers: ConflictAnswers = NO_ANSWERS
) -> CorrectionDifference:
    """Return what confirming a submitted battle would change, including conflicts.

    Nothing is written. Allowed for users who may confirm or decide the battle. Raises Forbidden,
    StateConflict "wrong-state", InvalidInput "not-a-conflict".
    """
    battle = lock_battle(battle_id)
    # Nobody may rank up between the preview and the answer.
    sides = lock_sides(battle)
    # An organiser decides for all sides, and need not play one.
    if side is not None or not is_organiser(battle, user):
        _spoken_for(battle, sides, side, user)
    expect_state(battle, *UNDER_REVIEW)
    return confirmation_impact(battle, sides, answers, user)


@transaction.atomic
def dispute_side(
    *, battle_id: UUID, user: User, reason: str, side: str | None = None, version: int | None = None
) -> Battle:
    """Dispute the log with a reason. Raises Forbidden, StateConflict."""
    battle = lock_battle(battle_id)
    sides = warbands_of(battle)
    meant = _spoken_for(battle, sides, side, user)
    expect_shared_version(battle, version)
    expect_state(battle, *UNDER_REVIEW)
    reason = validate(Dispute(reason=reason)).reason
    _set_verdict(Verdict.DISPUTED, meant, user, reason)
    _save_verdicts(meant)
    raise_disputes(battle, meant, user, reason)
    battle.state = BattleState.DISPUTED
    save_battle(battle, "state")
    record_battle(Verb.BATTLE_DISPUTED, battle, user, reason=reason)
    return battle


@transaction.atomic
def decide_battle(
    *,
    battle_id: UUID,
    user: User,
    decision: Decision,
    reason: str = "",
    version: int | None = None,
    consent: Consent = NO_CONSENT,
) -> Battle:
    """Confirm a submitted battle as logged for all sides, or reopen its log, as an organiser.

    Raises as ``confirm_side`` does; InvalidInput "reason-needed" for a disputed battle.
    """
    battle = lock_battle(battle_id)
    expect_organiser(battle, user)
    expect_version(battle, version)
    if battle.state == BattleState.CONFIRMED and (decision is Decision.REOPEN or version is None):
        raise StateConflict(
            "already-confirmed",
            gettext("The battle is already confirmed."),
        )
    if battle.state == BattleState.CONFIRMED:
        # The organiser has seen it confirmed and decides that it counts as logged: only the reason
        # is stored.
        battle.decision = (
            validate(Ruling(decision=decision, reason=reason)).reason or battle.decision
        )
        save_battle(battle, "decision")
        record_battle(Verb.BATTLE_DECIDED, battle, user, reason=battle.decision)
        return battle
    expect_state(battle, *UNDER_REVIEW)
    battle.decision = validate(Ruling(decision=decision, reason=reason)).reason
    if battle.state == BattleState.DISPUTED and not battle.decision:
        raise InvalidInput(
            "reason-needed",
            gettext("Enter a reason. The player who disputed the battle will read it."),
            field="reason",
        )
    if decision is Decision.REOPEN:
        return _reopen(battle, user, battle.decision)
    if battle.state == BattleState.DISPUTED:
        answer_disputes(battle, user, Answer.AS_LOGGED, battle.decision)
    sides = lock_sides(battle)
    _set_verdict(
        Verdict.CONFIRMED, [side for side in sides if side.verdict != Verdict.CONFIRMED], user
    )
    write_confirmation(battle, sides, user, consent)
    record_battle(Verb.BATTLE_DECIDED, battle, user, reason=battle.decision)
    return battle


@transaction.atomic
def correct_under_review(
    *, battle_id: UUID, user: User, event: NewEvent, reason: str, version: int | None = None
) -> Battle:
    """Correct a submitted or disputed log, as an organiser, and submit the new result.

    The open disputes are answered with the reason. All sides confirm the new result. Raises what
    ``decide_battle``, ``log_events`` and ``submit_battle`` raise; then nothing changes.
    """
    decide_battle(
        battle_id=battle_id, user=user, decision=Decision.REOPEN, reason=reason, version=version
    )
    log_events(battle_id=battle_id, events=(event,), user=user)
    return submit_battle(battle_id=battle_id, user=user)


@transaction.atomic
def reopen_battle(*, battle_id: UUID, user: User, version: int | None = None) -> Battle:
    """Reopen the log of a submitted battle; all verdicts are reset.

    Raises Forbidden, StateConflict.
    """
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    expect_version(battle, version)
    expect_state(battle, *UNDER_REVIEW)
    return _reopen(battle, user)


def _confirm_unasked(battle: Battle, sides: list[Side], user: User) -> bool:
    """Confirm a battle whose sides have all confirmed, if that needs no decision.

    Returns False for a late battle that needs one.
    """
    if not may_be_late(battle, sides):
        # The usual case needs no decision and no savepoint.
        write_confirmation(battle, sides, user)
        return True
    try:
        with transaction.atomic():
            write_confirmation(battle, sides, user)
    except StateConflict as error:
        if error.code not in QUESTIONS:
            raise
        return False
    return True


def _reopen(battle: Battle, user: User, reason: str = "") -> Battle:
    if battle.state == BattleState.DISPUTED:
        answer_disputes(battle, user, Answer.REOPENED, reason)
    sides = Side.objects.filter(battle=battle)
    update_signed(sides, verdict=Verdict.WAITING, dispute="", decided_by=None, decided_at=None)
    battle.state, battle.result = BattleState.UNDER_WAY, None
    battle.submitted_by, battle.submitted_at = None, None
    save_battle(battle, "state", "result", "decision", "submitted_by", "submitted_at")
    record_battle(Verb.BATTLE_REOPENED, battle, user, reason=reason)
    return battle


def _spoken_for(battle: Battle, sides: list[Side], key: str | None, user: User) -> list[Side]:
    """Return the sides that the user means and may speak for. Raises NotFound, Forbidden."""
    own_sides = [side for side in sides if side.is_played_by(user)]
    meant = [find_side(sides, key)] if key else own_sides
    if meant and all(side in own_sides for side in meant):
        return meant
    if meant and is_organiser(battle, user):
        return meant
    raise Forbidden(
        "not-your-side",
        gettext("You can confirm only for your own side. Organisers can confirm for any side."),
    )


def _set_verdict(verdict: Verdict, sides: Iterable[Side], user: User, reason: str = "") -> None:
    """Set the verdict of these sides; nothing is saved."""
    now = timezone.now()
    for side in sides:
        side.verdict, side.dispute = verdict, reason
        side.decided_by, side.decided_at = user, now


def _save_verdicts(sides: Sequence[Side]) -> None:
    """Save the verdicts of these sides. One query for each if they are locked."""
    for side in sides:
        save_signed(side, "verdict", "dispute", "decided_by", "decided_at")


def _all_confirmed(sides: Iterable[Side]) -> bool:
    return all(side.verdict == Verdict.CONFIRMED for side in sides)
