"""Correct, void and restore battles, with a preview of what changes."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import Struct
from msgspec.structs import replace

from audit.verbs import Verb
from battles.follow_ups import schedule_follow_ups
from battles.log_seals import battle_signature, log_seal
from battles.models import Answer, Battle, BattleEvent, BattleState, Revision, Side, Verdict
from battles.rulebook_values import combatants_in_order, read_result, ruleset_of_battle
from battles.services.correction_conflicts import (
    NO_ANSWERS,
    ConflictAnswers,
    clean_answers,
    refuse_open,
)
from battles.services.correction_differences import CorrectionDifference
from battles.services.correction_impact import CorrectionImpact, correction_impact
from battles.services.days import UNCHANGED, NewDay, set_day
from battles.services.dependents import fixture_is_free, lock_planned, results_of, settle_after
from battles.services.disputes import answer_disputes
from battles.services.locking import (
    BEFORE_SUBMISSION,
    expect_logger,
    expect_organiser,
    expect_state,
    expect_version,
    lock_battle_in_campaign,
    lock_sides,
    record_battle,
    save_battle,
)
from battles.services.logbook import (
    append_events,
    clean_events,
    expect_place,
    fresh_events,
    known_events,
)
from battles.services.outcomes import with_recovery_dice, write_sides
from battles.services.validation import NewEvent, Placed, batch_slot, legal_events
from campaigns.models import CampaignState
from core.cleaning import MAX_REASON, clean_reason
from core.errors import InvalidInput, StateConflict
from core.inputs import field, validate_fields
from rulebook.ruleset import BattleResult
from warbands.services.chronicle import correct_facts
from warbands.signed import create_signed


class Correction(Struct, frozen=True):
    """A correction of a confirmed battle: new events, or another day, with a reason.

    ``answers`` are the decisions about later conflicts.
    """

    events: tuple[NewEvent, ...]
    reason: Annotated[str, field(_("Reason"), min_length=1, max_length=MAX_REASON)]
    answers: ConflictAnswers = NO_ANSWERS
    day: NewDay = UNCHANGED


@transaction.atomic
def preview_correction(
    *, battle_id: UUID, user: User, correction: Correction
) -> CorrectionDifference:
    """Return what a correction would change, including conflicts; nothing is written.

    Raises as ``correct_battle`` does.
    """
    battle, sides = _hold_confirmed(battle_id, user)
    correction = _cleaned(correction)
    former = battle.fought_on
    _, result = _corrected_result(battle, sides, _fresh(battle, correction, user))
    impact = correction_impact(battle, sides, result, correction.answers, correction.reason, user)
    return _with_days(impact.difference, battle, former)


@transaction.atomic
def correct_battle(
    *, battle_id: UUID, user: User, correction: Correction, version: int | None = None
) -> Revision:
    """Replace the confirmed result by the corrected one in every chronicle; return the revision.

    If the same correction is sent again, the first revision is returned. Raises StateConflict
    "open-conflicts" for later choices without an answer, "client-id-reused" for events of another
    correction, "event-known", "stale-version", "wrong-state"; InvalidInput "illegal-events",
    "not-a-conflict", "nothing-to-correct"; RulesError if the new log does not add up; Forbidden if
    the user is not an organiser.
    """
    battle, sides = _hold_confirmed(battle_id, user)
    correction = _cleaned(correction)
    repeated = _repeated(battle, correction)
    if repeated is not None:
        return repeated
    expect_version(battle, version)
    former = battle.fought_on
    new_events = _fresh(battle, correction, user)
    placed, result = _corrected_result(battle, sides, new_events)
    impact = correction_impact(battle, sides, result, correction.answers, correction.reason, user)
    impact = replace(impact, difference=_with_days(impact.difference, battle, former))
    refuse_open(impact.difference.conflicts)
    added = append_events(battle, new_events, placed, user, revision=battle.revision + 1)
    battle.log_seal = log_seal(battle.log_seal, added)
    return _write(battle, result, impact, user, correction.reason)


@transaction.atomic
def preview_void(
    *, battle_id: UUID, user: User, answers: ConflictAnswers = NO_ANSWERS
) -> CorrectionDifference:
    """Return what voiding a confirmed battle would change; nothing is written.

    Raises Forbidden, StateConflict, InvalidInput.
    """
    battle, sides = _hold_confirmed(battle_id, user)
    return correction_impact(battle, sides, None, clean_answers(answers), "", user).difference


@transaction.atomic
def void_battle(
    *,
    battle_id: UUID,
    user: User,
    reason: str = "",
    answers: ConflictAnswers = NO_ANSWERS,
    version: int | None = None,
) -> Battle:
    """Void a battle, so that it does not count.

    Before submission every user who may log the battle can void it, later only an organiser. A
    confirmed battle is removed from the chronicles, which needs a reason and answers to later
    conflicts as a correction does. Raises StateConflict, InvalidInput "reason-needed", Forbidden.
    """
    battle = lock_battle_in_campaign(battle_id)
    if battle.state in BEFORE_SUBMISSION:
        expect_logger(battle, user)
    else:
        expect_organiser(battle, user)
    expect_version(battle, version)
    expect_state(battle, *(state for state in BattleState if state != BattleState.VOID))
    battle.decision = reason = clean_reason("reason", reason)
    if battle.state == BattleState.CONFIRMED:
        _strike(battle, user, reason, answers)
    else:
        if battle.state == BattleState.DISPUTED:
            if not reason:
                sentence = gettext(
                    "Enter a reason. The player who disputed the battle will read it."
                )
                raise InvalidInput("reason-needed", sentence, field="reason")
            answer_disputes(battle, user, Answer.VOIDED, reason)
        battle.state = BattleState.VOID
        save_battle(battle, "state", "decision")
        record_battle(Verb.BATTLE_VOIDED, battle, user, reason=reason)
    return battle


def _strike(battle: Battle, user: User, reason: str, answers: ConflictAnswers) -> None:
    if not reason:
        raise InvalidInput(
            "reason-needed",
            gettext("Enter a reason for voiding a confirmed battle."),
            field="reason",
        )
    _lock_dependents(battle)
    sides = lock_sides(battle)
    answers = clean_answers(answers)
    impact = correction_impact(battle, sides, None, answers, reason, user)
    refuse_open(impact.difference.conflicts)
    _write(battle, None, impact, user, reason)


@transaction.atomic
def preview_restore(
    *, battle_id: UUID, user: User, answers: ConflictAnswers = NO_ANSWERS
) -> CorrectionDifference:
    """Return what restoring a voided battle would change; nothing is written.

    The difference is empty if the battle was never confirmed. Raises as ``restore_battle`` does.
    """
    battle, sides = _hold_void(battle_id, user)
    if not _was_confirmed(battle):
        return CorrectionDifference("", "", (), (), (), ())
    return correction_impact(
        battle, sides, read_result(battle), clean_answers(answers), "", user
    ).difference


@transaction.atomic
def restore_battle(
    *,
    battle_id: UUID,
    user: User,
    reason: str,
    answers: ConflictAnswers = NO_ANSWERS,
    version: int | None = None,
) -> Battle:
    """Restore a voided battle; a confirmed one counts again in its place in the chronicles.

    Facts that were undone when it was voided stay undone. The battle is played for its fixture
    again if that is still free. Raises Forbidden if the user is not an organiser; StateConflict
    "wrong-state", "stale-version", "part-taken" if another battle of a classic campaign is planned
    in its place, "open-conflicts" as for a correction; InvalidInput "reason-needed",
    "not-a-conflict", "campaign-finished" for a battle that was not confirmed.
    """
    battle, sides = _hold_void(battle_id, user)
    expect_version(battle, version)
    battle.decision = reason = clean_reason("reason", reason)
    if not reason:
        raise InvalidInput(
            "reason-needed", gettext("Enter a reason for restoring the battle."), field="reason"
        )
    if _was_confirmed(battle):
        impact = correction_impact(
            battle, sides, read_result(battle), clean_answers(answers), reason, user
        )
        refuse_open(impact.difference.conflicts)
        _write(battle, read_result(battle), impact, user, reason)
    else:
        battle.state = _state_before(battle, sides)
        save_battle(battle, "state", "decision", "fixture")
        record_battle(Verb.BATTLE_RESTORED, battle, user, reason=reason)
    return battle


def _hold_void(battle_id: UUID, user: User) -> tuple[Battle, list[Side]]:
    """Lock a voided battle that can be restored, and its sides.

    Its fixture is removed from the battle if it is taken. Raises as ``restore_battle`` does.
    """
    battle = lock_battle_in_campaign(battle_id)
    expect_organiser(battle, user)
    expect_state(battle, BattleState.VOID)
    campaign = battle.campaign
    if (
        campaign is not None
        and campaign.state == CampaignState.FINISHED
        and not _was_confirmed(battle)
    ):
        raise InvalidInput(
            "campaign-finished",
            gettext("The campaign has ended. Reopen it first."),
            field="campaign",
        )
    others = Battle.objects.exclude(pk=battle.pk).exclude(state=BattleState.VOID)
    if (
        battle.part
        and others.filter(campaign=campaign, part=battle.part, scenario=battle.scenario).exists()
    ):
        raise StateConflict(
            "part-taken", gettext("Another battle is planned in its place. Void that one first.")
        )
    _lock_dependents(battle)
    sides = lock_sides(battle)
    prefetch_related_objects(sides, combatants_in_order())
    if not fixture_is_free(battle, sides):
        battle.fixture = None
    return battle, sides


def _was_confirmed(battle: Battle) -> bool:
    """Return whether a voided battle had been confirmed, so that chronicles contain it."""
    return battle.confirmed_at is not None


def _state_before(battle: Battle, sides: Sequence[Side]) -> BattleState:
    """Return the state of an unconfirmed battle before it was voided."""
    if battle.result is not None:
        disputed = any(side.verdict == Verdict.DISPUTED for side in sides)
        return BattleState.DISPUTED if disputed else BattleState.SUBMITTED
    return BattleState.UNDER_WAY if battle.last_sequence else BattleState.PLANNED


def _hold_confirmed(battle_id: UUID, user: User) -> tuple[Battle, list[Side]]:
    """Lock a confirmed battle with its sides and warbands.

    Raises Forbidden, StateConflict "wrong-state".
    """
    battle = lock_battle_in_campaign(battle_id)
    expect_organiser(battle, user)
    expect_state(battle, BattleState.CONFIRMED)
    _lock_dependents(battle)
    # Nobody may rank up between the preview and the writing.
    sides = lock_sides(battle)
    prefetch_related_objects(sides, combatants_in_order())
    return battle, sides


def _lock_dependents(battle: Battle) -> None:
    """Lock the battles planned for fixtures that depend on the battle's fixture, if it has one."""
    if battle.fixture_id is not None and battle.campaign_id is not None:
        lock_planned(battle.campaign_id)


def _cleaned(correction: Correction) -> Correction:
    """Return the correction with texts and data that can be stored. Raises InvalidInput."""
    return Correction(
        events=clean_events(correction.events),
        reason=validate_fields(Correction, {"reason": correction.reason})["reason"],
        answers=clean_answers(correction.answers),
        day=correction.day,
    )


def _fresh(battle: Battle, correction: Correction, user: User) -> list[NewEvent]:
    """Return the new events of a correction, and set the battle's corrected day.

    Raises InvalidInput "nothing-to-correct" if neither events nor day change anything,
    StateConflict "event-known" if some events are in the log already.
    """
    stored = known_events(battle, correction.events)
    if stored:
        raise StateConflict(
            "event-known",
            gettext("Some of these entries are already in the log. Reload the battle."),
        )
    moved = set_day(battle, correction.day, user)
    if not correction.events and not moved:
        raise InvalidInput(
            "nothing-to-correct", "Send the events that correct the log.", field="events"
        )
    return fresh_events(correction.events, stored)


def _repeated(battle: Battle, correction: Correction) -> Revision | None:
    """Return the revision that this correction made, if it was sent before.

    Raises StateConflict "client-id-reused".
    """
    stored = known_events(battle, correction.events)
    numbers = {event.revision for event in stored.values()}
    if not stored or len(stored) < len(correction.events) or len(numbers) != 1:
        return None
    revision = battle.revisions.filter(number=numbers.pop()).first()
    if revision is not None and not _is_same(revision, correction, set(stored)):
        sentence = gettext(
            "These entries have already been sent with another correction. Reload the battle."
        )
        raise StateConflict("client-id-reused", sentence, field="events")
    return revision


def _is_same(revision: Revision, correction: Correction, sent_ids: set[UUID]) -> bool:
    """Return whether a revision has these events, this reason, this day and these answers."""
    events = BattleEvent.objects.filter(battle=revision.battle_id, revision=revision.number)
    if revision.reason != correction.reason or sent_ids != set(
        events.values_list("client_id", flat=True)
    ):
        return False
    made, day = msgspec.convert(revision.difference, CorrectionDifference), correction.day
    # If the day did not change, the revision has no day to compare with.
    if made.day_after and (
        day == UNCHANGED or (day.fought_on and day.fought_on.isoformat() != made.day_after)
    ):
        return False
    answers = {(each.warband, each.sequence): "undo" for each in correction.answers.undo}
    answers |= {(each.warband, each.sequence): "stand" for each in correction.answers.stand}
    return all(
        answers.get((each.warband, each.sequence), "") == each.answer for each in made.conflicts
    )


def _corrected_result(
    battle: Battle, sides: Sequence[Side], new_events: Sequence[NewEvent]
) -> tuple[tuple[Placed, ...], BattleResult]:
    """Return the new events in their places, and the result with them.

    Raises InvalidInput, RulesError, Unavailable.
    """
    if not new_events:
        return (), with_recovery_dice(battle, read_result(battle))
    expect_place(battle, len(new_events))
    with batch_slot(len(new_events)):
        validated = legal_events(battle, sides, new_events)
        result = ruleset_of_battle(battle).result(validated.play)
        return validated.placed, with_recovery_dice(battle, result)


def _with_days(
    difference: CorrectionDifference, battle: Battle, former: date
) -> CorrectionDifference:
    """Return the difference with the day before and after, if the day changes."""
    if battle.fought_on == former:
        return difference
    return replace(
        difference, day_before=former.isoformat(), day_after=battle.fought_on.isoformat()
    )


def _write(
    battle: Battle, result: BattleResult | None, impact: CorrectionImpact, user: User, reason: str
) -> Revision:
    """Write a previewed correction: chronicles, sides, battle, and a revision that records it."""
    before = results_of(battle.campaign) if battle.campaign else ()
    # Nobody else can have written since the preview, because the warbands are locked.
    correct_facts(impact.corrections, user=user, previews=impact.previews)
    write_sides(battle, result)
    battle.revision += 1
    revision = create_signed(
        Revision,
        battle=battle,
        number=battle.revision,
        reason=reason,
        result_before=battle.result,
        difference=msgspec.to_builtins(impact.difference),
        made_by=user,
        made_at=timezone.now(),
    )
    verb = Verb.BATTLE_RESTORED if battle.state == BattleState.VOID else Verb.BATTLE_CORRECTED
    if result is None:
        battle.state, verb = BattleState.VOID, Verb.BATTLE_VOIDED
    else:
        battle.state, battle.result = BattleState.CONFIRMED, msgspec.to_builtins(result)
    battle.signature = battle_signature(battle)
    schedule_follow_ups(battle)
    changed = (
        "state",
        "result",
        "revision",
        "decision",
        "last_sequence",
        "follow_ups_due_since",
        "fixture",
    )
    save_battle(battle, *changed, "log_seal", "signature", "fought_on", "place_in_day")
    record_battle(verb, battle, user, reason=reason)
    settle_after(battle, before, user=user, voided=result is None)
    return revision
