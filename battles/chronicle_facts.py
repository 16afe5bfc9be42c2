"""The facts that a battle adds to the chronicles of its warbands. No queries."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

from django.utils import timezone

from battles.models import Battle, Side
from battles.rulebook_values import scenario_of
from rulebook.chronicle.facts import Fought
from rulebook.ruleset import BattleResult


def fought_facts(battle: Battle, sides: Sequence[Side], result: BattleResult) -> dict[UUID, Fought]:
    """Return the fact for each warband's chronicle, by warband. No queries."""
    title = battle.title or scenario_of(battle).name
    results = {each.side: each for each in result.sides}
    return {
        side.warband_id: Fought(
            battle=str(battle.pk),
            title=title,
            scenario=battle.scenario,
            fought_on=battle.fought_on.isoformat(),
            side=side.key,
            role=side.role,
            against=tuple(other.warband.name for other in sides if other is not side),
            outcome=results[side.key].outcome,
            victory_points=results[side.key].victory_points,
            victory_points_against=points_against(side.key, result),
            friendly=battle.friendly,
            parallel=battle.parallel,
            records=results[side.key].records,
            deeds=results[side.key].deeds,
            place_in_day=place_in_day(battle),
        )
        for side in sides
    }


def place_in_day(battle: Battle) -> str:
    """Return the place of a battle in its day as facts store it, "" if it has none.

    It is a text of fixed length that sorts in order of time.
    """
    return _as_text(battle.place_in_day) if battle.place_in_day else ""


def _as_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def played_at(battle: Battle) -> tuple[str, str]:
    """Return when a battle was played, to be compared with ``Fought.played``.

    A battle whose log has not begun counts as played now.
    """
    moment = battle.place_in_day or timezone.now()
    return battle.fought_on.isoformat(), _as_text(moment)


def points_against(key: str, result: BattleResult) -> int:
    """Return the victory points of a side's strongest opponent."""
    return max(side.victory_points for side in result.sides if side.side != key)
