"""Rank-ups: take a step and undo it."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from msgspec import UNSET, UnsetType

from audit.verbs import Verb
from core.cleaning import clean_json, field_error
from core.errors import InvalidInput
from core.inputs import Input, field
from rulebook.chronicle.facts import AnyFact, Corrected, Equipped, Fought, RankedUp
from rulebook.chronicle.replay import effective
from rulebook.chronicle.states import GONE, FighterState
from rulebook.ruleset import RulesError
from warbands.models import Warband
from warbands.roster_rules import forbidden, rank_ups_of
from warbands.services.chronicle import read_chronicle
from warbands.services.locking import SEQUENCE, LockedWarband, lock_warband_of, record_warband
from warbands.services.rank_up_offers import append_in_rank_order, correct_fact, keep_rank_order

UNSETTLED = ("under-way", "submitted", "disputed")
"""The states of a battle that has started and has no final result."""


class RankUpChoice(Input, frozen=True, kw_only=True):
    """The step to take, by its key, and what the owner picks within it."""

    step: Annotated[str, field(min_length=1, max_length=200)]
    picks: Annotated[dict[str, Any] | UnsetType, field()] = UNSET
    sequence: Annotated[int | None, SEQUENCE] = None


@transaction.atomic
def take_rank_up(
    *,
    fighter_id: UUID,
    step: str,
    user: User,
    picks: Mapping[str, Any] | None = None,
    sequence: int | None = None,
) -> None:
    """Let a fighter take one step with the owner's picks, paid at once from its experience.

    Raises NotFound, Forbidden, StateConflict, RulesError if step or picks are not legal,
    InvalidInput "unaffordable-rank-up", "fighter-gone", "unknown-step".
    """
    locked = lock_warband_of(fighter_id, user, sequence=sequence)
    fighter = locked.fighter(fighter_id)
    chosen = clean_json("picks", picks or {})
    if fighter.fate not in GONE:
        _expect_step(locked, fighter, step)
        locked.rules.progression.take_rank_up(fighter.build, locked.state.terms, step, chosen)
    append_in_rank_order(locked, RankedUp(fighter=fighter.id, step=step, picks=chosen), user)
    record_warband(Verb.RANK_UP_TAKEN, locked.warband, user, fighter=fighter.name)


@transaction.atomic
def undo_rank_up(*, fighter_id: UUID, user: User) -> None:
    """Undo a fighter's last step and refund its price. Possible until the next battle starts.

    Raises NotFound, Forbidden, StateConflict if later choices depend on it, InvalidInput
    "nothing-to-undo", "battle-since", "battle-under-way", "build-changed-since".
    """
    locked = lock_warband_of(fighter_id, user)
    fighter = locked.fighter(fighter_id)
    place = _last_step(effective(read_chronicle(locked.warband.id)), fighter.id)
    if _is_fighting(fighter_id):
        raise InvalidInput(
            "battle-under-way",
            gettext("A battle has started. You can undo a rank-up only before the next battle."),
        )
    undone = Corrected(target=place, reason="Rank-up undone")
    keep_rank_order(locked, correct_fact(locked, undone, user), user)
    record_warband(Verb.RANK_UP_UNDONE, locked.warband, user, fighter=fighter.name)


def _expect_step(locked: LockedWarband, fighter: FighterState, step: str) -> None:
    """Check that a step is legal now and forbidden by no house rule, whatever it costs."""
    legal = {each.key: each for each in rank_ups_of(locked.rules, locked.state, fighter)}
    if step not in legal:
        possible = f"possible: {', '.join(legal)}" if legal else "there is no step up for it"
        raise field_error(
            "step", "unknown-step", f"{fighter.name} cannot take {step!r}; {possible}.", step[:40]
        )
    if forbidden(legal[step]):
        raise RulesError(*forbidden(legal[step]))


def _last_step(facts: Iterable[tuple[int, AnyFact]], fighter: str) -> int:
    """Return the place of a fighter's last rank-up in the chronicle.

    Raises InvalidInput if there is none, or if it is too late to undo it.
    """
    for place, fact in reversed(list(facts)):
        if isinstance(fact, RankedUp) and fact.fighter == fighter:
            return place
        if isinstance(fact, Fought) and not fact.friendly:
            raise InvalidInput(
                "battle-since",
                gettext(
                    "A battle has been played since. You can undo a rank-up only before the next "
                    "battle."
                ),
            )
        if isinstance(fact, Equipped) and fact.fighter == fighter:
            raise InvalidInput(
                "build-changed-since",
                gettext("This fighter has changed since. You cannot undo the rank-up."),
            )
    raise InvalidInput("nothing-to-undo", gettext("This fighter has no rank-up to undo."))


def _is_fighting(fighter_id: UUID) -> bool:
    """Return whether the fighter is in the line-up of a battle that has started and is open."""
    return Warband.objects.filter(
        sides__battle__state__in=UNSETTLED, sides__combatants__fighter=fighter_id
    ).exists()
