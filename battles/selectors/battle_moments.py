"""The moments of battles, found in their logs by their rule systems."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from uuid import UUID

from battles.models import Battle, BattleEvent, Side
from battles.rulebook_values import combatants_in_order, logged, read_setup, ruleset_of_battle
from core.computed_values import ComputedValues
from rulebook.battle_log.play import replay
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError, Ruleset
from rulebook.values.moments import BattleMoments

MOMENTS = ComputedValues[BattleMoments](500)


def moments_of_battles(battles: Iterable[Battle]) -> Mapping[UUID, BattleMoments]:
    """Return the moments of battles by their keys; none for empty logs. Three queries."""
    by_key = {battle.pk: battle for battle in battles}
    rows = (
        Side.objects.filter(battle__in=by_key)
        .select_related("warband")
        .prefetch_related(combatants_in_order())
        .order_by("battle", "place")
    )
    sides = {key: list(own) for key, own in groupby(rows, lambda side: side.battle_id)}
    columns = ("battle", "sequence", "kind", "data", "turn", "dice")
    events = BattleEvent.objects.filter(battle__in=by_key).order_by("battle", "sequence")
    # The logs of a long campaign do not fit into memory together: one battle after the other.
    logs = groupby(events.only(*columns).iterator(), lambda event: event.battle_id)
    return {
        key: moments_of_log(by_key[key], read_setup(by_key[key], sides.get(key, ())), logged(own))
        for key, own in logs
    }


def moments_of_log(
    battle: Battle, setup: BattleSetup, log: tuple[LoggedEvent, ...]
) -> BattleMoments:
    """Return the moments of a log. No queries.

    They are a function of the log and of what was fixed before it, and found again by these. None
    for a log without turns, or one that does not add up.
    """
    rules = ruleset_of_battle(battle)
    starts = {key for key, kind in rules.log.kinds.items() if kind.starts_turn}
    if not any(event.turn or event.kind in starts for event in log):
        return BattleMoments()
    depends_on = (battle.ruleset, battle.edition, setup, log)
    return MOMENTS.value(depends_on, lambda: _moments(rules, setup, log))


def _moments(rules: Ruleset, setup: BattleSetup, log: tuple[LoggedEvent, ...]) -> BattleMoments:
    try:
        return rules.moments(replay(rules.log, setup, log, accepted=True))
    except RulesError:
        # After a change of the rules a log may not add up any more; its result is valid all the
        # same.
        return BattleMoments()
