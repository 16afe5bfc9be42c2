"""By whose hands people came to harm where no deed of a result sheet says it: a blow that merely
stuns is none."""

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
"""For each battle: who did it, by whom it befell (ids of fighters)."""


def inferred_attackers(battles: Iterable[BattleWithResult]) -> Doers:
    """Who harmed those of whom the deeds of their battle do not tell it, as far as its log does.

    Only battles that have such people are replayed. Three queries, none where there are none of
    them.
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
        for pk, of_it in groupby(rows.order_by("battle", "place"), lambda side: side.battle_id)
    }
    events = BattleEvent.objects.filter(battle__in=unnamed).order_by("battle", "sequence")
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
    """What is wrong with whoever came to harm by nobody's deed, by their ids."""
    victims = {
        deed.victim for side in result.sides for deed in side.deeds if deed.victim != deed.fighter
    }
    records = (record for side in result.sides for record in side.records)
    hurt = (each for each in records if each.wounds and not each.killed_by)
    return {each.fighter: each.wounds for each in hurt if each.fighter not in victims}


def told_by_log(
    rules: Ruleset, setup: BattleSetup, log: tuple[LoggedEvent, ...], unnamed: Mapping[str, str]
) -> dict[str, str]:
    """Who did it, by whom it befell: of fighters who ended with these wounds the one enemy whom
    that event names after which they had them for good, be it their own or that enemy's; nobody
    where it names several, or none."""
    try:
        play = replay(rules.log, setup, log)
    except RulesError:
        # Where rules have changed since, a log may not add up any more; its result stands all the
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
    """Whether an event may have changed how a fighter is: states that know everybody by id are
    asked for that one."""
    before, after = (
        getattr(state, "combatants", {}).get(fighter, state) for state in (step.before, step.after)
    )
    return bool(before != after)


def _blow(step: ReplayStep[Any], victim: str, setup: BattleSetup) -> dict[str, str]:
    """The victim with the enemy."""
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
