"""The order of a roster: its groups, their fighters, and the order of both."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from audit.verbs import Verb
from core.cleaning import clean_text, field_error
from core.inputs import Input, field
from rulebook.chronicle.facts import Arranged
from rulebook.chronicle.replay import step
from rulebook.registry import find_ruleset
from rulebook.ruleset import Problem, RulesError
from warbands.services.locking import (
    SEQUENCE,
    LockedWarband,
    in_play_refusal,
    lock_warband,
    record_warband,
)
from warbands.services.rank_up_offers import append_fact

MAX_NAME_LENGTH = 60


class Arranging(Struct, frozen=True):
    """A group by its name, "" for fighters without a group, with its fighters in their order."""

    name: Annotated[
        str, field(api="Empty for fighters without a group.", max_length=MAX_NAME_LENGTH, line=True)
    ]
    fighters: tuple[UUID, ...]


class Arrangement(Input, frozen=True, kw_only=True):
    """The order of a roster."""

    groups: Annotated[tuple[Arranging, ...], field(min_length=1)]
    sequence: Annotated[int | None, SEQUENCE] = None


@transaction.atomic
def arrange_warband(
    *, warband_id: UUID, groups: Sequence[Arranging], user: User, sequence: int | None = None
) -> None:
    """Order a roster: the groups in the given order, each with its fighters.

    Fighters that are not named stay in their group, after those that are. This is possible at any
    time, because the order changes nothing else about a fighter. Raises NotFound, Forbidden,
    StateConflict, InvalidInput "named-twice", "too-long", and RulesError if the rules have no
    groups or do not allow a fighter in one.
    """
    locked = lock_warband(warband_id, user, sequence=sequence)
    named = [locked.fighter(fighter).id for group in groups for fighter in group.fighters]
    if len(named) > len(set(named)):
        raise field_error(
            "groups",
            "named-twice",
            gettext("A fighter is listed twice. List each fighter once."),
        )
    current = [*locked.state.fighters]
    order = (*named, *(key for key in current if key not in named))
    fact = Arranged(order=() if order == tuple(current) else order, moved=_moved(locked, groups))
    if fact.order or fact.moved:
        _expect_nothing_else(locked, fact)
        append_fact(locked, fact, user)
        record_warband(Verb.WARBAND_ARRANGED, locked.warband, user)


def _moved(locked: LockedWarband, groups: Sequence[Arranging]) -> dict[str, str]:
    """Return the new group of each fighter that changes groups.

    Raises RulesError with the fighters that may not join their new group.
    """
    now = {
        fighter_id: group.key
        for group in locked.rules.groups(locked.state.roster)
        for fighter_id in group.fighters
    }
    moved, problems = dict[str, str](), list[Problem]()
    for place, group in enumerate(groups):
        name = clean_text(
            f"groups.{place}.name", " ".join(group.name.split()), most=MAX_NAME_LENGTH
        )
        for fighter in (locked.fighter(each) for each in group.fighters):
            if fighter.gone or now.get(fighter.id, "") == name:
                continue
            try:
                locked.rules.regrouped(fighter.build, name, locked.state.terms)
            except RulesError as error:
                named_problems = (
                    replace(each, sentence=f"{fighter.name}: {each.sentence}")
                    for each in error.problems
                )
                problems += (
                    replace(each, field="groups", fighters=(fighter.id,)) for each in named_problems
                )
            moved[fighter.id] = name
    if problems:
        raise RulesError(*problems)
    return moved


def _expect_nothing_else(locked: LockedWarband, fact: Arranged) -> None:
    """Check that the order changes no fighter's Rank or points, unless the roster is being built.

    Raises InvalidInput.
    """
    before, after = locked.state.fighters, step(locked.state, fact, find_ruleset).state.fighters
    same = all(
        (each.rank, each.points) == (after[key].rank, after[key].points)
        for key, each in before.items()
    )
    if locked.in_play and not same:
        raise in_play_refusal()
