"""Whom a fighter met in its battles: harm done and taken, by whose hand, as the results say under
any rules."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from uuid import UUID

import msgspec
from msgspec import Struct

from battles.models import Battle, BattleState, Combatant
from core.queries import JsonProjection
from core.users import User
from warbands.models import Fighter, Warband

FIGHTERS_KEPT = 512
THEIRS = """jsonb_build_object('sides', jsonb_build_array(jsonb_build_object('deeds',
    jsonb_path_query_array({0},
    '$.sides[*].deeds[*] ? (@.fighter == $fighter || @.victim == $fighter)', {1}))))"""
"""As much of a result as is decoded, with the deeds to a fighter or by it alone."""


class Rivalry(Struct, frozen=True):
    """Somebody whom a fighter met: how often it did harm to it (``given``) and took harm from it
    (``taken``).

    ``felled`` if the fighter brought it down for good, ``slayer`` if it was the other way round;
    ``open`` whether the reader may see its page.
    """

    id: UUID
    name: str
    warband_name: str
    given: int
    taken: int
    felled: bool
    slayer: bool
    open: bool


class _Deed(Struct, frozen=True):
    fighter: str
    victim: str | None = None
    killed: bool = False


class _Side(Struct, frozen=True):
    deeds: tuple[_Deed, ...] = ()


class _Result(Struct, frozen=True):
    """As much of a result as is asked for here: nothing else of it is decoded."""

    sides: tuple[_Side, ...] = ()


class _Harm(Struct, frozen=True):
    """How often a fighter did harm to whom and took it from whom, whom it brought down, and who did
    so last to it."""

    given: Counter[str]
    taken: Counter[str]
    felled: frozenset[str]
    slayer: str


def rivalries_of(fighter: Fighter, user: User) -> tuple[Rivalry, ...]:
    """Whom the fighter met in confirmed battles that count, those with whom it had most to do
    first. Three queries."""
    harm = _harm(fighter.pk, fighter.warband.head_seal)
    slayer = harm.slayer if fighter.fate == "dead" else ""
    rows = (
        Fighter.objects.filter(pk__in={*harm.given, *harm.taken})
        .select_related("warband")
        .order_by("name", "pk")
    )
    fighters = list(rows.only("name", "warband__name"))
    of = {row.warband_id for row in fighters}
    seen = set(
        Warband.objects.visible_to(user).filter(pk__in=of).order_by().values_list("pk", flat=True)
    )
    foes = (
        Rivalry(
            row.pk,
            row.name,
            row.warband.name,
            harm.given[key],
            harm.taken[key],
            key in harm.felled,
            key == slayer,
            row.warband_id in seen,
        )
        for row in fighters
        for key in [str(row.pk)]
    )
    return tuple(sorted(foes, key=lambda foe: -foe.given - foe.taken))


def nemesis(foes: tuple[Rivalry, ...]) -> Rivalry | None:
    """Who brought the fighter down; else who did it most harm, else whom it met most often, if more
    than once."""
    if not foes:
        return None
    worst = max(foes, key=lambda foe: (foe.slayer, foe.taken, foe.given))
    return worst if worst.slayer or worst.taken or worst.given > 1 else None


@lru_cache(maxsize=FIGHTERS_KEPT)
def _harm(fighter: UUID, head: str) -> _Harm:
    """What the fighter did and suffered, counted, and kept as long as this is the ``head`` of its
    warband's chronicle: no battle is confirmed or corrected without that going on. One query."""
    me, deeds = str(fighter), list(_deeds(fighter))
    return _Harm(
        given=Counter(
            deed.victim
            for deed in deeds
            if deed.fighter == me and deed.victim and deed.victim != me
        ),
        taken=Counter(deed.fighter for deed in deeds if deed.victim == me and deed.fighter != me),
        felled=frozenset(
            deed.victim for deed in deeds if deed.victim and deed.killed and deed.fighter == me
        ),
        slayer=next(
            (deed.fighter for deed in reversed(deeds) if deed.victim == me and deed.killed), ""
        ),
    )


def _deeds(fighter: UUID) -> Iterator[_Deed]:
    """The deeds to the fighter or by it in its battles, in their order. One query."""
    me = str(fighter)
    own_battles = Combatant.objects.filter(fighter=fighter).values("side__battle")
    fought = Battle.objects.filter(
        pk__in=own_battles, state=BattleState.CONFIRMED, friendly=False, result__isnull=False
    )
    texts = fought.in_order_of_play().values_list(
        JsonProjection("result", THEIRS, fighter), flat=True
    )
    results = (msgspec.json.decode(text, type=_Result) for text in texts)
    deeds = (deed for result in results for side in result.sides for deed in side.deeds)
    return (deed for deed in deeds if deed.victim and me in (deed.fighter, deed.victim))
