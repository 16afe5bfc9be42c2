"""Lock and save a battle, and check its version, its state and the user's permission."""

from operator import attrgetter
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.utils.translation import gettext

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle, BattleState, Side
from battles.rulebook_values import scenario_of
from campaigns.models import Campaign
from clubs.services.permissions import locked
from core.compiled_queries import CompiledQuery
from core.errors import Forbidden, NotFound, StaleVersion, StateConflict
from core.replica import PRIMARY
from warbands.news import announce
from warbands.signed import remember_signed, save_signed

BEFORE_SUBMISSION = (BattleState.PLANNED, BattleState.UNDER_WAY)
UNDER_REVIEW = (BattleState.SUBMITTED, BattleState.DISPUTED)
LOCKED: CompiledQuery[Battle] = CompiledQuery(
    lambda key, _: Battle.objects.select_for_update().filter(pk=key).order_by()
)
"""A battle, locked."""


def lock_battle(battle_id: UUID) -> Battle:
    """Lock the battle until the transaction ends, and return it. Raises NotFound."""
    battle = LOCKED.first(battle_id)
    if battle is None:
        raise NotFound("unknown-battle", gettext("Battle not found."))
    remember_signed(battle)
    return battle


def lock_battle_in_campaign(battle_id: UUID) -> Battle:
    """Lock the battle's campaign and then the battle, and return the battle.

    Use this for changes that other fixtures of the campaign depend on. As everywhere, a campaign is
    locked before its battles. Raises NotFound.
    """
    campaigns = Battle.objects.filter(pk=battle_id).values("campaign")
    list(locked(Campaign.objects.filter(pk__in=campaigns)).values_list("pk"))
    return lock_battle(battle_id)


def lock_sides(battle: Battle) -> list[Side]:
    """Lock a battle's sides and warbands until the transaction ends; return the sides in order.

    One query. As everywhere, warbands are locked in the order of their ids. The sides are locked
    too, because a merge of members changes the substitute of a side, which is signed with its
    verdict, without the lock of the battle.
    """
    rows = battle.sides.select_related("warband", "substitute").order_by("warband_id")
    sides = sorted(rows.select_for_update(of=("self", "warband")), key=attrgetter("place"))
    for side in sides:
        remember_signed(side)
    return sides


def expect_version(battle: Battle, version: int | None, *, since: int | None = None) -> None:
    """Check that the user has seen a recent version of the battle; None skips the check.

    ``since`` is the oldest version that is recent enough: later changes do not concern the user.
    Without it only the newest version is. Check permissions before: others must not learn the
    version. Raises StateConflict "stale-version".
    """
    oldest = battle.version if since is None else since
    if version is None or oldest <= version <= battle.version:
        return
    sentence = gettext(
        "Someone else changed this battle (version %(version)s, you sent %(sent)s). "
        "Reload and try again."
    )
    raise StaleVersion(sentence % {"version": battle.version, "sent": version}, battle.version)


def expect_shared_version(battle: Battle, version: int | None) -> None:
    """Check that only single sides' own affairs have changed since the user's version.

    Raises StateConflict "stale-version".
    """
    expect_version(battle, version, since=battle.shared_version)


def expect_state(battle: Battle, *states: BattleState) -> None:
    """Check that the battle is in one of these states. Raises StateConflict "wrong-state"."""
    if battle.state in states:
        return
    expected = gettext(" or ").join(str(state.label).lower() for state in states)
    now = str(BattleState(battle.state).label).lower()
    raise StateConflict(
        "wrong-state",
        gettext("This needs a battle that is %(wanted)s. It is %(now)s.")
        % {"now": now, "wanted": expected},
        field="state",
    )


EDITABLE: CompiledQuery[UUID] = CompiledQuery(
    lambda key, user: _ids(Battle.objects.editable_by(user), key), database=PRIMARY
)
ORGANISED: CompiledQuery[UUID] = CompiledQuery(
    lambda key, user: _ids(Battle.objects.organised_by(user), key), database=PRIMARY
)


def _ids(battles: Any, key: UUID) -> Any:
    """Return the id of a battle if it is among these."""
    return battles.filter(pk=key).order_by().values_list("pk", flat=True)


def expect_logger(battle: Battle, user: User) -> None:
    """Check that the user may log this battle. Raises Forbidden. One query."""
    if not EDITABLE.rows(battle.pk, user):
        raise Forbidden(
            "not-your-battle",
            gettext(
                "Only the players of this battle and organisers can do this, unless the club "
                "allows all players."
            ),
        )


def expect_organiser(battle: Battle, user: User) -> None:
    """Check that the user may decide this battle. Raises Forbidden. One query."""
    if not is_organiser(battle, user):
        raise Forbidden(
            "not-the-organiser",
            gettext(
                "Only organisers can do this. For a one-off battle, only someone who owns all"
                " its warbands."
            ),
        )


def is_organiser(battle: Battle, user: User) -> bool:
    """Return whether the user may decide, void and correct this battle. One query."""
    return bool(ORGANISED.rows(battle.pk, user))


def find_side(sides: list[Side], key: str) -> Side:
    """Return the side with that key. Raises NotFound."""
    for side in sides:
        if side.key == key:
            return side
    raise NotFound("unknown-side", f"The battle has no side {key!r}.", field="side")


def record_battle(verb: Verb, battle: Battle, user: User, **details: Any) -> None:
    """Record what the user did to a battle, in the club of its campaign. One query."""
    name = battle.title or scenario_of(battle).name
    record(verb, battle, user=user, campaign=battle.campaign_id, name=name, **details)


def save_battle(battle: Battle, *fields: str, shared: bool = True) -> None:
    """Save these columns and increase the version; announce a change of state.

    A change that is not ``shared`` concerns one side only, such as its line-up: forms that others
    have open stay valid.
    """
    battle.version += 1
    if shared:
        battle.shared_version = battle.version
    save_signed(battle, *fields, "version", "shared_version")
    if "state" in fields:
        announce("battle", battle.pk)
