"""The preview of a confirmation: effects per fighter and side, with reasons. Nothing is written."""

from collections.abc import Iterator, Sequence
from typing import Annotated
from uuid import UUID

from django.utils.translation import gettext
from msgspec import Struct

from battles.chronicle_facts import fought_facts, played_at
from battles.models import Battle, BattleState, Side
from battles.rulebook_values import (
    read_log,
    read_result,
    replay_battle,
    ruleset_of_battle,
    sides_of,
)
from battles.selectors.awards import AwardLine
from core.errors import StateConflict
from core.ruleset_words import lost_parts
from rulebook.chronicle.facts import Fought
from rulebook.chronicle.replay import step
from rulebook.chronicle.states import FighterState, ReplayResult, WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import (
    BattleResult,
    ConditionLine,
    Loss,
    Problem,
    Record,
    ScoreLine,
    SideResult,
)
from rulebook.values.battles import Outcome
from rulebook.values.described import closed
from warbands.roster_rules import affordable
from warbands.rulebook_values import condition_of, read_states_at

FORESEEABLE = (BattleState.UNDER_WAY, BattleState.SUBMITTED, BattleState.DISPUTED)


class FighterPreview(Struct, frozen=True):
    """The effects of a battle on a fighter.

    ``experience`` is the unspent balance, ``misses`` the number of games that the fighter will
    miss. ``die`` says that a die is rolled on confirmation and may change the fate. ``may_rank_up``
    says that the fighter can afford a rank-up. ``wounds_phrase`` describes the state in which the
    fighter left the battle, ``losses_phrase`` its own losses.
    """

    fighter: UUID
    name: str
    rank: int
    fate_before: str
    fate_after: str
    misses: int
    wounds: str
    wounds_phrase: str
    die: bool
    experience_before: int
    experience_after: int
    awards: tuple[AwardLine, ...]
    may_rank_up: bool
    condition_after: tuple[ConditionLine, ...] = ()
    losses: tuple[Loss, ...] = ()
    losses_phrase: str = ""

    @property
    def changes(self) -> bool:
        """Return whether more happened to the fighter than taking part."""
        hurt = self.wounds_phrase or self.losses or self.misses or self.die
        return bool(hurt) or self.fate_after != self.fate_before or len(self.awards) > 1


class SidePreview(Struct, frozen=True):
    """The effects of a battle on a side, with victory points line by line.

    ``problems`` prevent the confirmation.
    """

    key: str
    warband: UUID
    warband_name: str
    outcome: Annotated[str, closed("Outcome", Outcome)]
    victory_points: int
    score: tuple[ScoreLine, ...]
    fighters: tuple[FighterPreview, ...]
    problems: tuple[Problem, ...]

    @property
    def changed(self) -> tuple[FighterPreview, ...]:
        """The fighters with wounds, losses, another fate or more experience than the others."""
        return tuple(each for each in self.fighters if each.changes)

    @property
    def unchanged(self) -> tuple[FighterPreview, ...]:
        """The other fighters."""
        return tuple(each for each in self.fighters if not each.changes)

    @property
    def usual_award(self) -> AwardLine | None:
        """The award that all other fighters get; None if they get different ones or none."""
        awards = {each.awards for each in self.unchanged}
        return next(iter(awards))[0] if len(awards) == 1 and awards != {()} else None


class ConfirmationPreview(Struct, frozen=True):
    """The effects of confirming a battle; a ``friendly`` one changes no fighter."""

    verdict: str
    friendly: bool
    sides: tuple[SidePreview, ...]


def preview_confirmation(battle_id: UUID) -> ConfirmationPreview:
    """Return the effects of confirming a battle, from its present log. At most six queries.

    Raises Battle.DoesNotExist, RulesError if the log does not add up yet, StateConflict
    "wrong-state" before the battle has begun and once it is confirmed or void.
    """
    battle = Battle.objects.get(pk=battle_id)
    if battle.state not in FORESEEABLE:
        raise StateConflict(
            "wrong-state",
            gettext("This needs a battle that is in progress or submitted. It is %(state)s.")
            % {"state": battle.state},
            field="state",
        )
    sides = sides_of(battle)
    return preview_of(
        battle, sides, read_result(battle) or replay_battle(battle, sides, read_log(battle))
    )


def preview_of(battle: Battle, sides: Sequence[Side], result: BattleResult) -> ConfirmationPreview:
    """Return the effects of confirming a battle with this result.

    Two queries; one more for a late battle, which uses its warbands as they were when it was
    played.
    """
    states = read_states_at([side.warband for side in sides], played_at(battle))
    facts = fought_facts(battle, sides, result)
    return ConfirmationPreview(
        verdict=result.verdict,
        friendly=battle.friendly,
        sides=tuple(
            _side(battle, side, result, states[side.warband_id], facts[side.warband_id])
            for side in sides
        ),
    )


def _side(
    battle: Battle, side: Side, result: BattleResult, state: WarbandState, fact: Fought
) -> SidePreview:
    side_result = next(each for each in result.sides if each.side == side.key)
    after = step(state, fact, find_ruleset)
    return SidePreview(
        key=side.key,
        warband=side.warband_id,
        warband_name=side.warband.name,
        outcome=side_result.outcome,
        victory_points=side_result.victory_points,
        score=side_result.lines,
        fighters=_fighters(battle, side_result, state, after),
        problems=tuple(
            Problem(
                conflict.code,
                conflict.sentence,
                fighters=(conflict.fighter,) if conflict.fighter else (),
            )
            for conflict in after.open_conflicts
        ),
    )


def _fighters(
    battle: Battle, result: SideResult, before: WarbandState, after: ReplayResult
) -> tuple[FighterPreview, ...]:
    rules, awards = ruleset_of_battle(battle), _awards(after)
    dice = (
        set()
        if battle.friendly
        else set(rules.progression.recovery_dice(result.records, battle.house_rules))
    )
    return tuple(
        FighterPreview(
            fighter=UUID(record.fighter),
            name=new.name,
            rank=new.rank,
            fate_before=str(old.fate),
            fate_after=str(new.fate),
            misses=new.misses,
            wounds=record.wounds,
            wounds_phrase=rules.wound_phrase(record.wounds),
            die=record.fighter in dice and record.recovery_roll is None,
            experience_before=old.experience,
            experience_after=new.experience,
            awards=awards.get(record.fighter, ()),
            may_rank_up=bool(affordable(rules, after.state, new)),
            condition_after=condition_of(rules, after.state, new),
            losses=record.losses,
            losses_phrase=lost_parts(record.losses),
        )
        for record, old, new in _known(result, before, after.state)
    )


def _known(
    result: SideResult, before: WarbandState, after: WarbandState
) -> Iterator[tuple[Record, FighterState, FighterState]]:
    """Yield the records of fighters still on the roster, with their states before and after."""
    for record in result.records:
        old, new = before.fighters.get(record.fighter), after.fighters.get(record.fighter)
        if old is not None and new is not None:
            yield record, old, new


def _awards(after: ReplayResult) -> dict[str, tuple[AwardLine, ...]]:
    by_fighter: dict[str, tuple[AwardLine, ...]] = {}
    for line in after.ledger:
        award = AwardLine(line.amount, line.code, line.sentence, line.rule)
        by_fighter[line.fighter] = (*by_fighter.get(line.fighter, ()), award)
    return by_fighter
