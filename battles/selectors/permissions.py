"""A user's permissions for a battle: pages and API clients show buttons accordingly."""

from collections.abc import Iterable, Iterator, Set
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, prefetch_related_objects
from msgspec import Struct

from battles.models import Battle, BattleState, Side, Verdict
from battles.rulebook_values import ruleset_of_battle
from core.users import User
from warbands.models import Warband

REVIEWED = (BattleState.SUBMITTED, BattleState.DISPUTED)


class BattlePermissions(Struct, frozen=True):
    """The permissions of a user for a battle.

    ``sides`` are the keys of the sides that they play. ``actions`` are the actions that would be
    accepted now: "describe", "field", "start", "log", "submit", "confirm", "dispute", "decide",
    "reopen", "void", "restore", "correct", "set-up". ``line_ups`` are the keys of the sides whose
    line-up the user may choose while "field" is among the actions; ``substitutes`` those for which
    the user may name a substitute now.
    """

    may_log: bool
    may_decide: bool
    sides: tuple[str, ...]
    actions: tuple[str, ...]
    line_ups: tuple[str, ...] = ()
    substitutes: tuple[str, ...] = ()


class BattleRights(Struct, frozen=True):
    """The rights of a reader: to organise a battle, and to log it.

    ``rosters`` are its warbands that they can see.
    """

    organises: bool
    edits: bool
    rosters: frozenset[UUID]


def battle_permissions(
    battle: Battle, user: User, rights: BattleRights | None = None
) -> BattlePermissions:
    """Return what the user may do with the battle now.

    At most two queries, none if the ``rights`` are known. One more for its sides, unless they are
    loaded, and one more before submission for a one-off battle.
    """
    with_players = Side.objects.select_related("warband", "substitute").order_by("place")
    prefetch_related_objects([battle], Prefetch("sides", with_players))
    sides = list(battle.sides.all())
    own_sides = [side for side in sides if side.is_played_by(user)]
    if rights is None:
        decides = Battle.objects.organised_by(user).filter(pk=battle.pk).exists()
        logs = decides or may_log(battle, user)
    else:
        decides, logs = rights.organises, rights.organises or rights.edits or bool(own_sides)
    unsaid = any(side.verdict != Verdict.CONFIRMED for side in own_sides)
    actions = tuple(_actions(BattleState(battle.state), logs, decides, bool(own_sides), unsaid))
    if logs and may_be_set_up(battle):
        actions = (*actions, "set-up")
    named = _names_substitutes(battle, decides)
    seen = rights.rosters if rights else None
    line_ups = choosable_sides(battle, sides, user, seen) if "field" in actions else ()
    # A substitute cannot name another one.
    replaceable = sides if decides else [side for side in own_sides if user.pk in side.owners]
    substitutes = tuple(side.key for side in replaceable) if named else ()
    return BattlePermissions(
        logs, decides, tuple(side.key for side in own_sides), actions, line_ups, substitutes
    )


def may_log(battle: Battle, user: User | AnonymousUser) -> bool:
    """Return whether the user may log the battle.

    Its sides are loaded with warbands and substitutes. No query for a user who plays a side,
    otherwise one.
    """
    plays = any(side.is_played_by(user) for side in battle.sides.all())
    return plays or Battle.objects.editable_by(user).filter(pk=battle.pk).exists()


def _names_substitutes(battle: Battle, decides: bool) -> bool:
    """Return whether substitutes can be named now.

    They exist only in campaigns. After confirmation only organisers can name them.
    """
    settled = battle.state in (BattleState.CONFIRMED, BattleState.VOID)
    closed = battle.state == BattleState.VOID or (settled and not decides)
    return battle.campaign_id is not None and not closed


def choosable_sides(
    battle: Battle, sides: Iterable[Side], user: User, seen: Set[UUID] | None = None
) -> tuple[str, ...]:
    """Return the keys of the sides whose line-up the user may choose, if they may log the battle.

    These are the sides whose roster the user can see. A one-off battle may be against a club mate's
    private warband, whose fighters others do not see (docs/decisions/campaigns.md). One query
    for a one-off battle unless the warbands that the user has ``seen`` are known, none for others:
    all members of the club see the warbands of its campaigns.
    """
    sides = list(sides)
    if battle.campaign_id is not None:
        return tuple(side.key for side in sides)
    if seen is None:
        warbands = Warband.objects.visible_to(user).filter(sides__in=sides)
        seen = set(warbands.values_list("pk", flat=True))
    return tuple(side.key for side in sides if side.warband_id in seen)


def may_be_set_up(battle: Battle) -> bool:
    """Return whether the table can still be set up.

    That is possible once, before the first entry of the log, and if the rules have a set-up.
    """
    open_yet = (
        battle.state in (BattleState.PLANNED, BattleState.UNDER_WAY) and not battle.last_sequence
    )
    return (
        open_yet and not battle.set_up.get("throws") and ruleset_of_battle(battle).set_up.laid_out
    )


def _actions(
    state: BattleState, logs: bool, decides: bool, plays: bool, unsaid: bool
) -> Iterator[str]:
    if logs:
        yield from _loggers_actions(state)
    if plays and state in REVIEWED:
        yield from ("confirm", "dispute") if unsaid else ("dispute",)
    if decides and state in REVIEWED:
        yield from ("decide", "void")
    if decides and state == BattleState.CONFIRMED:
        yield from ("correct", "void")
    if decides and state == BattleState.VOID:
        yield "restore"


def _loggers_actions(state: BattleState) -> Iterator[str]:
    yield "describe"
    match state:
        case BattleState.PLANNED:
            yield from ("field", "start", "void")
        case BattleState.UNDER_WAY:
            yield from ("field", "log", "submit", "void")
        case BattleState.SUBMITTED | BattleState.DISPUTED:
            yield "reopen"
