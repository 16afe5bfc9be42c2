"""Changes of a warband as a whole: its purchases and the fighters in its posts."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from msgspec.structs import replace

from audit.verbs import Verb
from core.cleaning import clean_json, field_error
from core.inputs import validate_fields
from rulebook.chronicle.facts import Appointed, Furnished
from rulebook.ruleset import Post
from warbands.services.locking import (
    LockedWarband,
    ReasonedChange,
    in_play_refusal,
    lock_warband,
    overruled,
    record_warband,
)
from warbands.services.rank_up_offers import append_fact

Named = UUID | Sequence[UUID] | None
"""The fighters to appoint: several if the post takes several; None leaves it empty."""


class Furnishing(ReasonedChange, frozen=True, kw_only=True):
    """All purchases of the warband as a whole; they replace its earlier ones."""

    extras: dict[str, Any]


@transaction.atomic
def furnish_warband(
    *,
    warband_id: UUID,
    extras: Mapping[str, Any],
    user: User,
    reason: str = "",
    sequence: int | None = None,
) -> None:
    """Replace the purchases of the warband as a whole.

    In play this needs an organiser and a reason. Changes that do not affect the sums of the roster,
    such as another crew for a gun, are always possible. Raises NotFound, Forbidden, StateConflict,
    RulesError, InvalidInput "roster-locked".
    """
    locked = lock_warband(warband_id, user, sequence=sequence)
    bought = clean_json(
        "extras", locked.rules.clean_extras(clean_json("extras", extras), locked.state.terms)
    )
    if bought == clean_json("extras", locked.state.extras):
        return
    reason = validate_fields(Furnishing, {"reason": reason})["reason"]
    if locked.in_play and _is_purchase(locked, bought):
        reason = overruled(locked, user, reason, otherwise=in_play_refusal())
    append_fact(locked, Furnished(extras=bought, reason=reason), user)
    record_warband(Verb.WARBAND_FURNISHED, locked.warband, user, reason=reason)


@transaction.atomic
def appoint(*, warband_id: UUID, user: User, posts: Mapping[str, Named]) -> None:
    """Appoint fighters to posts by the posts' keys; posts that are not named stay as they are.

    This is possible at any time, so that fallen fighters can be replaced. Raises NotFound,
    Forbidden, InvalidInput "unknown-post", "too-many-holders", the rule system's problem with a
    fighter in a post, and a conflict if a fighter is gone.
    """
    locked = lock_warband(warband_id, user)
    by_key = {post.key: post for post in locked.rules.posts(locked.state.terms)}
    filled = dict(locked.state.posts)
    for key, named in posts.items():
        if key not in by_key:
            sentence = f"There is no post {key!r}; known: {', '.join(by_key)}."
            raise field_error(key, "unknown-post", sentence, key)
        filled[key] = _holders(locked, by_key[key], named)
    filled = {key: holders for key, holders in filled.items() if holders}
    if filled != locked.state.posts:
        append_fact(locked, Appointed(posts=filled), user)
        record_warband(Verb.POSTS_FILLED, locked.warband, user)


def _is_purchase(locked: LockedWarband, extras: Mapping[str, Any]) -> bool:
    """Return whether the new extras change the purchases, points or figures of the roster."""
    roster = locked.state.roster
    before = locked.rules.roster_totals(roster)
    after = locked.rules.roster_totals(replace(roster, terms=replace(roster.terms, extras=extras)))
    return (before.lines, before.points, before.figures) != (
        after.lines,
        after.points,
        after.figures,
    )


def _holders(locked: LockedWarband, post: Post, named: Named) -> tuple[str, ...]:
    """Return the ids of the named fighters in order. Raises the same errors as ``appoint``."""
    holders = (named,) if isinstance(named, UUID) else tuple(named or ())
    if len(holders) > post.most:
        raise field_error(
            post.key,
            "too-many-holders",
            gettext("%(post)s: %(most)s at most.") % {"post": post.name, "most": post.most},
            str(len(holders)),
        )
    fighters = [locked.fighter(fighter) for fighter in dict.fromkeys(holders)]
    for fighter in fighters:
        problem = locked.rules.post_problem(post.key, fighter.build, locked.state.terms)
        if problem is not None:
            raise field_error(
                post.key, problem.code, f"{fighter.name}: {problem.sentence}", fighter.id
            )
    return tuple(fighter.id for fighter in fighters)
