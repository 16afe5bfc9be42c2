"""The impact of a correction on facts, later choices, standings and fixtures."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from battles.chronicle_facts import fought_facts
from battles.models import Battle, BattleState, Side
from battles.rulebook_values import read_result
from battles.selectors.classic_games import verdict_sentence
from battles.selectors.fixture_results import FixtureResult
from battles.selectors.standings import Standings
from battles.services.correction_conflicts import (
    ConflictAnswers,
    LaterConflict,
    later_conflicts,
    refuse_idle_answers,
)
from battles.services.correction_differences import (
    CorrectionDifference,
    fighter_differences,
    side_differences,
    table_differences,
)
from battles.services.dependents import (
    NOTHING,
    Derived,
    FixtureEffect,
    Settled,
    derived,
    fixture_effects,
    settle_after,
)
from battles.services.outcomes import write_sides
from core.errors import InvalidInput
from rulebook.chronicle.facts import Corrected
from rulebook.ruleset import BattleResult
from warbands.models import ChronicleEntry, Warband
from warbands.services.chronicle import Preview, preview_corrections

Settle = Callable[[Sequence[FixtureResult]], Settled]
"""Settles what depends on a changed result, given the fixtures before the change."""


class CorrectionImpact(Struct, frozen=True):
    """A correction before it is written: the facts that it needs and their effects."""

    corrections: Mapping[UUID, Corrected]
    previews: Mapping[UUID, Preview]
    difference: CorrectionDifference


def correction_impact(
    battle: Battle,
    sides: Sequence[Side],
    result: BattleResult | None,
    answers: ConflictAnswers,
    reason: str,
    user: User,
) -> CorrectionImpact:
    """Return what another result would change in place of the battle's own; None voids the battle.

    Nothing stays written. Raises InvalidInput "not-a-conflict" or "not-undoable" for answers to
    facts that are not in conflict.
    """
    weighed = answered(
        sides, _corrections(battle, sides, result, answers, reason), answers, preview_corrections
    )
    # A voided battle that is restored did not count before, but it keeps its result meanwhile.
    before = None if battle.state == BattleState.VOID else read_result(battle)
    if before is None and result is None:
        raise InvalidInput("no-result", gettext("The battle has no result."))
    state = BattleState.CONFIRMED if result else BattleState.VOID
    previews, conflicts = weighed.previews, weighed.conflicts
    settle = partial(settle_after, battle, user=user, voided=result is None)
    difference = difference_between(
        battle, sides, before, result, previews, conflicts, state, settle
    )
    return CorrectionImpact(weighed.corrections, previews, difference)


class Weighed(Struct, frozen=True):
    """Corrections with the answers to their conflicts, their previews, and these conflicts."""

    corrections: Mapping[UUID, Corrected]
    previews: Mapping[UUID, Preview]
    conflicts: tuple[LaterConflict, ...]


def answered(
    sides: Sequence[Side],
    corrections: Mapping[UUID, Corrected],
    answers: ConflictAnswers,
    preview: Callable[[Mapping[UUID, Corrected]], Mapping[UUID, Preview]],
) -> Weighed:
    """Return the corrections with the undone facts, and their previews and conflicts.

    The given corrections undo nothing yet. Raises InvalidInput "not-a-conflict" or "not-undoable"
    for answers to facts that are not in conflict.
    """
    previews = preview(corrections)
    conflicts = later_conflicts(sides, previews, answers)
    refuse_idle_answers(answers, conflicts)
    corrections = {
        key: replace(fact, undone=answers.undone(key)) for key, fact in corrections.items()
    }
    if answers.undo:
        previews = preview(corrections)
        conflicts = _with_left_over(conflicts, later_conflicts(sides, previews, answers))
    return Weighed(corrections, previews, conflicts)


def _corrections(
    battle: Battle,
    sides: Sequence[Side],
    result: BattleResult | None,
    answers: ConflictAnswers,
    reason: str,
) -> dict[UUID, Corrected]:
    """Return the facts that replace the battle's result, by warband; nothing is undone yet.

    One query.
    """
    replacements = fought_facts(battle, sides, result) if result else {}
    entries = ChronicleEntry.objects.filter(subject=battle.pk, kind="fought")
    places = dict(entries.values_list("warband_id", "sequence"))
    return {
        side.warband_id: Corrected(
            target=places[side.warband_id],
            replacement=replacements.get(side.warband_id),
            standing=answers.standing(side.warband_id),
            reason=reason,
        )
        for side in sides
    }


def _with_left_over(
    conflicts: tuple[LaterConflict, ...], undoing: tuple[LaterConflict, ...]
) -> tuple[LaterConflict, ...]:
    """Return the conflicts, and those that appear only after others are undone."""
    existing = {(conflict.warband, conflict.sequence, conflict.code) for conflict in conflicts}
    left = (
        conflict
        for conflict in undoing
        if (conflict.warband, conflict.sequence, conflict.code) not in existing
    )
    return (*conflicts, *left)


def difference_between(
    battle: Battle,
    sides: Sequence[Side],
    before: BattleResult | None,
    result: BattleResult | None,
    previews: Mapping[UUID, Preview],
    conflicts: tuple[LaterConflict, ...],
    state: BattleState,
    settle: Settle | None = None,
) -> CorrectionDifference:
    """Return the difference between two results; None stands for a battle that does not count.

    Nothing stays written. ``state`` is the state that the battle will have. ``settle`` settles what
    players have built on the former result; it is None for the first result.
    """
    now = _campaign_now(battle)
    then, settled = _campaign_after(battle, result, previews, state, now, settle)
    effects: tuple[FixtureEffect, ...] = ()
    if battle.campaign is not None and now.derived is not None and then.derived is not None:
        effects = fixture_effects(battle.campaign, now.derived, then.derived, settled)
    return CorrectionDifference(
        verdict_before=before.verdict if before else "",
        verdict_after=result.verdict if result else "",
        sides=side_differences(sides, before, result),
        fighters=fighter_differences(sides, previews),
        table=table_differences(now.table, then.table),
        conflicts=conflicts,
        campaign_before=now.verdict,
        campaign_after=then.verdict,
        fixtures=effects,
    )


class _Campaign(Struct, frozen=True):
    """The derived data of a campaign.

    These are its standings and fixtures, and the winner of a classic campaign.
    """

    derived: Derived | None = None
    verdict: str = ""

    @property
    def table(self) -> Standings | None:
        return self.derived.table if self.derived else None


def _campaign_now(battle: Battle, *, fixtures: bool = True) -> _Campaign:
    """Return the present standings, fixtures and winner of the battle's campaign."""
    if battle.campaign is None:
        return _Campaign()
    present = derived(battle.campaign, fixtures=fixtures)
    return _Campaign(present, verdict_sentence(battle.campaign))


def _campaign_after(
    battle: Battle,
    result: BattleResult | None,
    previews: Mapping[UUID, Preview],
    state: BattleState,
    now: _Campaign,
    settle: Settle | None,
) -> tuple[_Campaign, Settled]:
    """Return the campaign's data after the correction, and the decided fixtures.

    The correction is written, read and rolled back.
    """
    if battle.campaign is None or now.derived is None:
        return _Campaign(), NOTHING
    with transaction.atomic():
        write_sides(battle, result)
        if state != battle.state:
            confirmed_at = battle.confirmed_at or timezone.now()
            Battle.objects.filter(pk=battle.pk).update(
                state=state, confirmed_at=confirmed_at, fixture=battle.fixture_id
            )
        for warband_id, preview in previews.items():
            Warband.objects.filter(pk=warband_id).update(
                experience=F("experience") + preview.gained
            )
        settled = settle(now.derived.results) if settle else NOTHING
        # A correction makes no fixtures.
        then = _campaign_now(battle, fixtures=bool(now.derived.results))
        transaction.set_rollback(True)
    return then, settled
