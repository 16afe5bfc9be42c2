"""The opponents of a fighter in its battles: harm given and taken, from the results.

Works with any rule system.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from uuid import UUID

import msgspec
from django.db.models import QuerySet
from msgspec import Struct

from battles.models import Battle, BattleState, Combatant
from core.compiled_queries import CompiledQuery
from core.queries import JsonProjection
from core.users import User
from warbands.models import Fighter, Warband

FIGHTERS_KEPT = 512
THEIRS = """jsonb_build_object('sides', jsonb_build_array(jsonb_build_object('deeds',
    jsonb_path_query_array({0},
    '$.sides[*].deeds[*] ? (@.fighter == $fighter || @.victim == $fighter)', {1}))))"""
"""The part of a result that is decoded: only the deeds by the fighter or against it."""


class Rivalry(Struct, frozen=True):
    """An opponent of a fighter, and the wounds between the two.

    ``given`` is how often the fighter wounded the opponent, ``taken`` the reverse.
    ``felled`` if the fighter killed the opponent, ``killer`` if it was killed by the opponent;
    ``open`` is whether the reader may see the opponent's page.
    """

    id: UUID
    name: str
    warband_name: str
    given: int
    taken: int
    felled: bool
    killer: bool
    open: bool


class _Deed(Struct, frozen=True):
    fighter: str
    victim: str | None = None
    killed: bool = False


class _Side(Struct, frozen=True):
    deeds: tuple[_Deed, ...] = ()


class _Result(Struct, frozen=True):
    """The part of a result that is decoded here."""

    sides: tuple[_Side, ...] = ()


class _Harm(Struct, frozen=True):
    """The harm that a fighter did and took, by opponent.

    ``felled`` lists the opponents that it killed, ``killer`` is the one that killed it last.
    """

    given: Counter[str]
    taken: Counter[str]
    felled: frozenset[str]
    killer: str


def rivalries_of(fighter: Fighter, user: User) -> tuple[Rivalry, ...]:
    """Return the fighter's opponents in confirmed battles that count, the most frequent first.

    Three queries.
    """
    harm = _harm(fighter.pk, fighter.warband.head_seal)
    killer = harm.killer if fighter.fate == "dead" else ""
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
            key == killer,
            row.warband_id in seen,
        )
        for row in fighters
        for key in [str(row.pk)]
    )
    return tuple(sorted(foes, key=lambda foe: -foe.given - foe.taken))


def nemesis(foes: tuple[Rivalry, ...]) -> Rivalry | None:
    """Return the opponent who killed the fighter, otherwise who did it most harm.

    Without either it is the opponent it met most often, if more than once; None otherwise.
    """
    if not foes:
        return None
    worst = max(foes, key=lambda foe: (foe.killer, foe.taken, foe.given))
    return worst if worst.killer or worst.taken or worst.given > 1 else None


@lru_cache(maxsize=FIGHTERS_KEPT)
def _harm(fighter: UUID, head: str) -> _Harm:
    """Return the harm that the fighter did and took. One query.

    The answer is cached by the ``head`` of its warband's chronicle, which changes whenever a battle
    is confirmed or corrected.
    """
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
        killer=next(
            (deed.fighter for deed in reversed(deeds) if deed.victim == me and deed.killed), ""
        ),
    )


def _deeds(fighter: UUID) -> Iterator[_Deed]:
    """Return the deeds by the fighter or against it, in the order of play. One query."""
    me = str(fighter)
    results = (msgspec.json.decode(text, type=_Result) for text in RESULTS.rows(fighter))
    deeds = (deed for result in results for side in result.sides for deed in side.deeds)
    return (deed for deed in deeds if deed.victim and me in (deed.fighter, deed.victim))


def _results(fighter: UUID) -> QuerySet[Battle, str]:
    """Return the results of a fighter's battles that count, with the deeds that concern it."""
    own_battles = Combatant.objects.filter(fighter=fighter).values("side__battle")
    fought = Battle.objects.filter(
        pk__in=own_battles, state=BattleState.CONFIRMED, friendly=False, result__isnull=False
    )
    return fought.in_order_of_play().values_list(
        JsonProjection("result", THEIRS, fighter), flat=True
    )


RESULTS = CompiledQuery(lambda key, _: _results(key))
