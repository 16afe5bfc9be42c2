"""The line-ups of a classic campaign: who may fight in its games, and the state of a side."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from battles.models import Battle, Part, Side
from battles.selectors.classic_games import SmallGames, available, games_of, small_games_of
from campaigns.eligibility import ruleset_of_campaign
from rulebook.chronicle.states import GONE, WarbandState
from rulebook.ruleset import Fate, Problem, Severity
from warbands.models import Fighter


def may_fight(battle: Battle, fate: str) -> bool:
    """Return whether a fighter with this fate may fight in the battle.

    Fit fighters may. In a parallel game the others may too, unless they are gone for good (C1).
    """
    return fate == Fate.FIT or (battle.parallel and fate not in GONE)


def may_be_named(battle: Battle, side: Side, fighter: Fighter) -> bool:
    """Return whether a fighter can be chosen.

    It must be able to fight and, in a small game, named by the side's sealed order.
    """
    planned = battle.part != Part.SMALL or str(fighter.pk) in side.plan
    return planned and may_fight(battle, fighter.fate)


def force_problems(
    battle: Battle, side: Side, fighters: Sequence[Fighter], state: WarbandState
) -> Iterator[Problem]:
    """Yield what a classic campaign's rules find wrong with a line-up.

    A small game is for the fighters that the sealed order names, and the final for those who are
    available. Leaving a named fighter out gives a warning.
    """
    if battle.part == Part.SMALL:
        yield from _beyond(
            fighters,
            side.plan,
            "outside-the-plan",
            gettext("%(fighter)s is not in the sealed order for this game."),
        )
        yield from _left_out(battle, fighters, side, state)
    elif battle.part == Part.FINAL and battle.campaign is not None:
        allowed = available(battle.campaign, state, _small_games(battle, side))
        yield from _beyond(
            fighters,
            allowed,
            "not-available",
            gettext("%(fighter)s is not available for the final."),
        )


def extras_of(battle: Battle, side: Side, extras: Mapping[str, Any]) -> dict[str, Any]:
    """Return the side's own extras; in the final without what the small games have cost it."""
    rules = (
        ruleset_of_campaign(battle.campaign).classic
        if battle.campaign and battle.part == Part.FINAL
        else None
    )
    return dict(
        extras if rules is None else rules.final_extras(extras, _small_games(battle, side).against)
    )


def _small_games(battle: Battle, side: Side) -> SmallGames:
    games = games_of(battle.campaign) if battle.campaign else []
    return small_games_of(games).get(side.warband_id, SmallGames())


def _beyond(
    fighters: Sequence[Fighter], allowed: Sequence[str], code: str, why: str
) -> Iterator[Problem]:
    for place, fighter in enumerate(fighters):
        if str(fighter.pk) not in allowed:
            key = str(fighter.pk)
            yield Problem(
                code,
                why % {"fighter": fighter.name},
                fighters=(key,),
                field=f"fighters.{place}",
                value=key,
            )


def _left_out(
    battle: Battle, fighters: Sequence[Fighter], side: Side, state: WarbandState
) -> Iterator[Problem]:
    fielded = {str(fighter.pk) for fighter in fighters}
    missing = [key for key in side.plan if key not in fielded and key in state.fighters]
    left = tuple(key for key in missing if not state.fighters[key].gone)
    if left:
        names = ", ".join(state.fighters[key].name for key in left)
        sentence = gettext("The sealed order also names %(names)s.") % {"names": names}
        classic = ruleset_of_campaign(battle.campaign).classic if battle.campaign else None
        yield Problem(
            "left-out",
            sentence,
            Severity.WARNS,
            left,
            source=classic.orders_rule if classic else "",
        )
