"""What a battle lets a user do now: pages draw the buttons from it, and clients of the API need not
guess."""

from collections.abc import Iterable, Iterator

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, prefetch_related_objects
from msgspec import Struct

from battles.models import Battle, BattleState, Side, Verdict
from battles.rulebook_values import ruleset_of_battle
from core.users import User
from warbands.models import Warband

REVIEWED = (BattleState.SUBMITTED, BattleState.DISPUTED)


class BattlePermissions(Struct, frozen=True):
    """What is open to a user. ``sides`` are the keys of those that they play; ``actions`` what
    would be accepted now: "describe", "field", "start", "log", "submit", "confirm", "dispute",
    "decide", "reopen", "void", "restore", "correct", "set-up". ``line_ups`` are the keys of the
    sides whose line-up the user may choose, while "field" is open; ``substitutes`` those for which
    the user may name a substitute now.
    """

    may_log: bool
    may_decide: bool
    sides: tuple[str, ...]
    actions: tuple[str, ...]
    line_ups: tuple[str, ...] = ()
    substitutes: tuple[str, ...] = ()


def battle_permissions(battle: Battle, user: User) -> BattlePermissions:
    """Return what the user may do with the battle now.

    Two queries at most. One more for its sides, unless they are loaded, and before submission one
    for a one-off.
    """
    with_players = Side.objects.select_related("warband", "substitute").order_by("place")
    prefetch_related_objects([battle], Prefetch("sides", with_players))
    sides = list(battle.sides.all())
    own_sides = [side for side in sides if side.is_played_by(user)]
    decides = Battle.objects.organised_by(user).filter(pk=battle.pk).exists()
    logs = decides or may_log(battle, user)
    unsaid = any(side.verdict != Verdict.CONFIRMED for side in own_sides)
    actions = tuple(_actions(BattleState(battle.state), logs, decides, bool(own_sides), unsaid))
    if logs and may_be_set_up(battle):
        actions = (*actions, "set-up")
    named = _names_substitutes(battle, decides)
    line_ups = choosable_sides(battle, sides, user) if "field" in actions else ()
    # A substitute cannot name another one.
    replaceable = sides if decides else [side for side in own_sides if user.pk in side.owners]
    substitutes = tuple(side.key for side in replaceable) if named else ()
    return BattlePermissions(
        logs, decides, tuple(side.key for side in own_sides), actions, line_ups, substitutes
    )


def may_log(battle: Battle, user: User | AnonymousUser) -> bool:
    """Return whether the user may log the battle, whose sides are loaded with warbands and
    substitutes.

    No query for somebody who plays a side, else one.
    """
    plays = any(side.is_played_by(user) for side in battle.sides.all())
    return plays or Battle.objects.editable_by(user).filter(pk=battle.pk).exists()


def _names_substitutes(battle: Battle, decides: bool) -> bool:
    """Whether substitutes can be named now: in a campaign, and once it is confirmed only by an
    organiser."""
    settled = battle.state in (BattleState.CONFIRMED, BattleState.VOID)
    closed = battle.state == BattleState.VOID or (settled and not decides)
    return battle.campaign_id is not None and not closed


def choosable_sides(battle: Battle, sides: Iterable[Side], user: User) -> tuple[str, ...]:
    """Return the keys of those sides whose line-up the user may choose, if they may log the battle.

    Whoever logs a battle may choose for any side whose roster they can see. A one-off battle may be
    against a club mate's private warband, of which others see no fighter
    (docs/decisions/one-off-battles.md). One query for a one-off battle, none for others: everybody
    in the club sees the warbands of its campaigns.
    """
    sides = list(sides)
    if battle.campaign_id is not None:
        return tuple(side.key for side in sides)
    seen = set(
        Warband.objects.visible_to(user).filter(sides__in=sides).values_list("pk", flat=True)
    )
    return tuple(side.key for side in sides if side.warband_id in seen)


def may_be_set_up(battle: Battle) -> bool:
    """Is the table still to be set up? Once, before the first entry of the log, and where the rules
    lay one out."""
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
