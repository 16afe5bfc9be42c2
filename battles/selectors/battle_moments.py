"""The moments of battles, found in their logs by their rule systems."""

from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import groupby
from uuid import UUID

from battles.models import Battle, BattleEvent, Combatant, Side
from battles.rulebook_values import logged, read_setup, ruleset_of_battle
from core.computed_values import ComputedValues
from rulebook.battle_log.play import replay
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError, Ruleset
from rulebook.values.moments import BattleMoments

MOMENTS = ComputedValues[BattleMoments](500)


def moments_of_battles(battles: Iterable[Battle]) -> Mapping[UUID, BattleMoments]:
    """Return the moments of battles by their keys; none for empty logs. Three queries."""
    by_key = {battle.pk: battle for battle in battles}
    rows = Side.objects.filter(battle__in=by_key).select_related("warband")
    sides = {
        key: list(own)
        for key, own in groupby(rows.order_by("battle_id", "place"), lambda side: side.battle_id)
    }
    battle_of_side = {side.pk: key for key, own in sides.items() for side in own}
    line_up = Combatant.objects.filter(side__in=battle_of_side)
    # By the keys of the battles: "battle" alone would mean the order of battles, by their days.
    combatants = line_up.order_by("side__battle_id", "place")
    columns = ("battle", "sequence", "kind", "data", "turn", "dice")
    events = BattleEvent.objects.filter(battle__in=by_key).order_by("battle_id", "sequence")
    rows_in_order: tuple[Iterator[Combatant | BattleEvent], ...] = (
        combatants.iterator(),
        events.only(*columns).iterator(),
    )

    def battle_of(row: Combatant | BattleEvent) -> UUID:
        return row.battle_id if isinstance(row, BattleEvent) else battle_of_side[row.side_id]

    # The line-ups and logs of a long campaign do not fit into memory together: one battle after
    # the other. Databases sort keys as Python does.
    moments: dict[UUID, BattleMoments] = {}
    for key, rows_of_battle in groupby(merge(*rows_in_order, key=battle_of), battle_of):
        line_ups: dict[UUID, list[Combatant]] = {}
        log: list[BattleEvent] = []
        for row in rows_of_battle:
            if isinstance(row, BattleEvent):
                log.append(row)
            else:
                line_ups.setdefault(row.side_id, []).append(row)
        if log:
            setup = read_setup(by_key[key], sides.get(key, ()), line_ups)
            moments[key] = moments_of_log(by_key[key], setup, logged(log))
    return moments


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
