"""The attackers who hurt fighters, inferred from the log if no deed of the result names them.

A blow that merely stuns does not count.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any
from uuid import UUID

import msgspec

from battles.models import BattleEvent, Side
from battles.rulebook_values import combatants_in_order, logged, read_setup, ruleset_of_battle
from battles.selectors.results import BattleWithResult
from rulebook.battle_log.kinds import ReplayStep
from rulebook.battle_log.play import replay
from rulebook.ruleset import BattleResult, BattleSetup, LoggedEvent, RulesError, Ruleset

Doers = Mapping[UUID, Mapping[str, str]]
"""The attacker of each hurt fighter, by battle (ids of fighters)."""


def inferred_attackers(battles: Iterable[BattleWithResult]) -> Doers:
    """Return the attackers of hurt fighters whose battle's deeds do not name one.

    Only battles with such fighters are replayed. Three queries, none without such battles.
    """
    unnamed = {each.battle: wounds for each in battles if (wounds := _unnamed(each.result))}
    if not unnamed:
        return {}
    rows = (
        Side.objects.filter(battle__in=unnamed)
        .select_related("warband")
        .prefetch_related(combatants_in_order())
    )
    sides = {
        pk: list(of_it)
        for pk, of_it in groupby(rows.order_by("battle_id", "place"), lambda side: side.battle_id)
    }
    events = BattleEvent.objects.filter(battle__in=unnamed).order_by("battle_id", "sequence")
    logs = {pk: logged(of_it) for pk, of_it in groupby(events, lambda event: event.battle_id)}
    return {
        battle.pk: told_by_log(
            ruleset_of_battle(battle),
            read_setup(battle, sides[battle.pk]),
            logs.get(battle.pk, ()),
            wounds,
        )
        for battle, wounds in unnamed.items()
    }


def _unnamed(result: BattleResult) -> dict[str, str]:
    """Return the wounds of fighters who are not the victim of any deed, by id."""
    victims = {
        deed.victim for side in result.sides for deed in side.deeds if deed.victim != deed.fighter
    }
    records = (record for side in result.sides for record in side.records)
    hurt = (each for each in records if each.wounds and not each.killed_by)
    return {each.fighter: each.wounds for each in hurt if each.fighter not in victims}


def told_by_log(
    rules: Ruleset, setup: BattleSetup, log: tuple[LoggedEvent, ...], unnamed: Mapping[str, str]
) -> dict[str, str]:
    """Return the attackers of these fighters by id, as far as the log names them.

    It is the one enemy named by the last event after which the fighter had its final wounds, no
    matter whose event it was. A fighter is left out if that event names several enemies, or none.
    """
    try:
        play = replay(rules.log, setup, log)
    except RulesError:
        # After a change of the rules a log may not add up any more; its result is valid all the
        # same.
        return {}

    def wounds(state: Any, fighter: str) -> str:
        result = rules.result(replace(play, state=state))
        return next(
            each.wounds for side in result.sides for each in side.records if each.fighter == fighter
        )

    attackers: dict[str, str] = {}
    for fighter, end in unnamed.items():
        changes = (each for each in reversed(play.steps) if _touches(each, fighter))
        last = next((each for each in changes if wounds(each.before, fighter) != end), None)
        if last and wounds(last.after, fighter) == end:
            attackers |= _blow(last, fighter, setup)
    return attackers


def _touches(step: ReplayStep[Any], fighter: str) -> bool:
    """Return whether an event may have changed a fighter.

    If the states hold combatants by id, only that combatant is compared.
    """
    before, after = (
        getattr(state, "combatants", {}).get(fighter, state) for state in (step.before, step.after)
    )
    return bool(before != after)


def _blow(step: ReplayStep[Any], victim: str, setup: BattleSetup) -> dict[str, str]:
    """Return the victim with the one enemy that the event names; empty otherwise."""
    text = msgspec.json.encode(step.event).decode()
    sides = [{fighter.id for fighter in side.fighters} for side in setup.sides]
    enemies = [
        fighter
        for side in sides
        if victim not in side
        for fighter in side
        if f'"{fighter}"' in text
    ]
    return {victim: enemies[0]} if len(enemies) == 1 else {}
