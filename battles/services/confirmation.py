"""Confirm a battle: write a fact per warband, the sides' outcomes and the pending follow-ups."""

from collections.abc import Sequence

import msgspec
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext

from battles.chronicle_facts import fought_facts, played_at
from battles.follow_ups import schedule_follow_ups
from battles.log_seals import battle_signature
from battles.models import Battle, BattleState, Side
from battles.rulebook_values import read_result
from battles.services.correction_conflicts import (
    ConflictAnswers,
    clean_answers,
    refuse_idle_answers,
)
from battles.services.correction_differences import CorrectionDifference
from battles.services.late_battles import NO_CONSENT, Consent, expect_seen, is_late, late_impact
from battles.services.locking import save_battle
from battles.services.outcomes import outcome_columns, with_recovery_dice
from core.errors import InvalidInput
from warbands.rulebook_values import read_states_at
from warbands.services.chronicle import write_facts
from warbands.signed import sign_again


def write_confirmation(
    battle: Battle, sides: Sequence[Side], user: User, consent: Consent = NO_CONSENT
) -> None:
    """Write a submitted battle into the chronicles of its warbands, and save its sides' outcomes.

    The caller has locked the battle and the warbands of its sides, in a transaction that is rolled
    back if this raises. A battle that was played before others that are confirmed is replayed in
    its place; ``consent`` is what the user decided about the changes that this causes.

    Raises InvalidInput "warband-moved-on" if a warband now plays in another campaign; InvalidInput
    with a way out if a chronicle cannot take the battle because a fighter was dead or absent at
    that time; StateConflict "open-conflicts" or "late-battle" if the user has not yet decided about
    the changes of a late battle.
    """
    submitted = read_result(battle)
    result = with_recovery_dice(battle, submitted)
    # Battles that were in progress before Muster stored a place in the day get the time at which
    # they were planned.
    battle.place_in_day = battle.place_in_day or battle.created_at
    facts = fought_facts(battle, sides, result)
    late = is_late(sides, facts)
    _expect_campaign(battle, sides, late=late)
    answers = clean_answers(consent.answers)
    replies = None
    if late:
        impact = late_impact(battle, sides, result, answers, user)
        expect_seen(impact.difference, accepted=consent.changes)
        replies = impact.answers
    else:
        refuse_idle_answers(answers, ())
    try:
        warbands = {side.warband_id: side.warband for side in sides}
        write_facts(warbands, facts, user=user, answers=replies)
    except InvalidInput as refusal:
        sentence = gettext(
            "%(sentence)s Reopen the log and correct it, or correct the earlier entry "
            "that causes this."
        ) % {"sentence": refusal.sentence}
        raise InvalidInput(refusal.code, sentence, problems=refusal.problems) from refusal
    for side in sides:
        decided = {"decided_by": side.decided_by_id, "decided_at": side.decided_at}
        verdict_values = {"verdict": side.verdict, "dispute": side.dispute, **decided}
        sign_again(side, *verdict_values)
        signed = {**verdict_values, "row_signature": side.row_signature}
        Side.objects.filter(pk=side.pk).update(**outcome_columns(side.key, result), **signed)
    battle.state = BattleState.CONFIRMED
    battle.confirmed_at = timezone.now()
    changed = [
        "state",
        "decision",
        "confirmed_at",
        "follow_ups_due_since",
        "signature",
        "place_in_day",
    ]
    if result != submitted:
        battle.result = msgspec.to_builtins(result)
        changed.append("result")
    battle.signature = battle_signature(battle)
    schedule_follow_ups(battle)
    save_battle(battle, *changed)


def confirmation_impact(
    battle: Battle, sides: Sequence[Side], answers: ConflictAnswers, user: User
) -> CorrectionDifference:
    """Return what confirming a submitted battle would change; nothing is written.

    Raises as ``write_confirmation`` does. Recovery dice are rolled only for a late battle, because
    later facts depend on them. Otherwise nobody may know them before all sides have confirmed the
    log.
    """
    result = read_result(battle)
    battle.place_in_day = battle.place_in_day or battle.created_at
    if result is None or is_late(sides, fought_facts(battle, sides, result)):
        result = with_recovery_dice(battle, result)
    return late_impact(battle, sides, result, clean_answers(answers), user).difference


def _expect_campaign(battle: Battle, sides: Sequence[Side], *, late: bool) -> None:
    """Check that the battle's warbands play in its campaign, or in none.

    Raises InvalidInput "warband-moved-on".
    """
    counted_in = (None, str(battle.campaign_id) if battle.campaign_id else None)
    moved = [side.warband for side in sides if side.warband.state.get("campaign") not in counted_in]
    if battle.friendly or not moved:
        return
    # A late battle counts in the campaign in which its warbands were when it was played.
    then = read_states_at(moved, played_at(battle)) if late else {}
    moved = [
        warband
        for warband in moved
        if warband.pk not in then or then[warband.pk].campaign not in counted_in
    ]
    if moved:
        sentence = gettext(
            "%(moved)s now plays in another campaign. Void this battle and plan it again."
        )
        raise InvalidInput("warband-moved-on", sentence % {"moved": moved[0].name}, field="sides")
