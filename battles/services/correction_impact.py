"""The impact of a correction: the facts that it needs, what they change, and what later choices they break."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from battles.facts import fought_facts
from battles.fixtures import FixtureResult
from battles.models import Battle, BattleState, Side
from battles.parts import verdict_sentence
from battles.reading import result_of
from battles.services.confirmation import write_sides
from battles.services.conflicts import Answers, LaterConflict, later_conflicts, refuse_idle_answers
from battles.services.dependents import NOTHING, Derived, FixtureEffect, Settled, derived, fixture_effects, settle_after
from battles.services.differences import Difference, fighter_differences, side_differences, table_differences
from battles.standings import Standings
from rulebook.chronicle.facts import Corrected
from rulebook.ruleset import BattleResult
from warbands.errors import Refused
from warbands.models import ChronicleEntry, Warband
from warbands.services.chronicle import Preview, preview_corrections
from warbands.services.projection import earned


class CorrectionImpact(Struct, frozen=True):
    """A correction before it is written: the facts that it needs, and what they change."""

    corrections: Mapping[UUID, Corrected]
    difference: Difference
    results: tuple[FixtureResult, ...] = ()
    """What has become of the campaign's fixtures before it."""


def correction_impact(
    battle: Battle, sides: Sequence[Side], result: BattleResult | None, answers: Answers, reason: str, user: User
) -> CorrectionImpact:
    """What another result would do in place of the battle's own; None strikes the battle out. Nothing stays written.

    Raises Refused "not-a-conflict" or "not-undoable" for answers to what is no conflict.
    """
    facts = _corrections(battle, sides, result, answers, reason)
    previews = preview_corrections(facts)
    conflicts = later_conflicts(sides, previews, answers)
    refuse_idle_answers(answers, conflicts)
    facts = {warband_id: replace(fact, undone=answers.undone(warband_id)) for warband_id, fact in facts.items()}
    if answers.undo:
        previews = preview_corrections(facts)
        conflicts = _with_left_over(conflicts, later_conflicts(sides, previews, answers))
    change = _Change(battle, sides, result, previews, user)
    now = _campaign_now(battle)
    return CorrectionImpact(facts, _difference(change, now, conflicts), now.derived.results if now.derived else ())


def _corrections(
    battle: Battle, sides: Sequence[Side], result: BattleResult | None, answers: Answers, reason: str
) -> dict[UUID, Corrected]:
    """The facts that put another result in the place of the battle, by warband; nothing is undone yet. One query."""
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
    """The conflicts, and those that come to light only when others are undone."""
    known = {(conflict.warband, conflict.sequence, conflict.code) for conflict in conflicts}
    left = (found for found in undoing if (found.warband, found.sequence, found.code) not in known)
    return (*conflicts, *left)


class _Change(Struct, frozen=True):
    """Another result in the place of a battle's own, and what it makes of the warbands; None voids the battle."""

    battle: Battle
    sides: Sequence[Side]
    result: BattleResult | None
    previews: Mapping[UUID, Preview]
    user: User


class _Campaign(Struct, frozen=True):
    """What a campaign says of itself: its table and fixtures, and who has won it if it is a classic one."""

    derived: Derived | None = None
    verdict: str = ""

    @property
    def table(self) -> Standings | None:
        return self.derived.table if self.derived else None


def _difference(change: _Change, now: _Campaign, conflicts: tuple[LaterConflict, ...]) -> Difference:
    battle, before = change.battle, result_of(change.battle)
    if before is None:
        raise Refused("no-result", gettext("The battle has no result sheet."))
    then, settled = _campaign_after(change, now)
    effects: tuple[FixtureEffect, ...] = ()
    if battle.campaign is not None and now.derived is not None and then.derived is not None:
        effects = fixture_effects(battle.campaign, now.derived, then.derived, settled)
    return Difference(
        verdict_before=before.verdict,
        verdict_after=change.result.verdict if change.result else "",
        sides=side_differences(change.sides, before, change.result),
        fighters=fighter_differences(change.sides, change.previews),
        table=table_differences(now.table, then.table),
        conflicts=conflicts,
        campaign_before=now.verdict,
        campaign_after=then.verdict,
        fixtures=effects,
    )


def _campaign_now(battle: Battle) -> _Campaign:
    """What the battle's campaign says now."""
    if battle.campaign is None:
        return _Campaign()
    return _Campaign(derived(battle.campaign), verdict_sentence(battle.campaign))


def _campaign_after(change: _Change, now: _Campaign) -> tuple[_Campaign, Settled]:
    """What the campaign would say after the correction, and what is dealt with: written, read, and taken back."""
    battle = change.battle
    if battle.campaign is None:
        return _Campaign(), NOTHING
    with transaction.atomic():
        write_sides(battle, change.result)
        if change.result is None:
            Battle.objects.filter(pk=battle.pk).update(state=BattleState.VOID)
        for warband_id, preview in change.previews.items():
            Warband.objects.filter(pk=warband_id).update(experience=earned(preview.after.ledger))
        results = now.derived.results if now.derived else ()
        settled = settle_after(battle, results, change.user, voided=change.result is None)
        then = _campaign_now(battle)
        transaction.set_rollback(True)
    return then, settled
