"""Substitutes: members who play one battle, or one fixture, for a warband's player."""

from collections.abc import Iterable
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle, BattleState, Side
from battles.rulebook_values import warbands_of
from battles.services.locking import (
    expect_shared_version,
    expect_state,
    find_side,
    is_organiser,
    lock_battle,
    record_battle,
    save_battle,
)
from campaigns.models import Campaign, Enrolment, Fixture, Substitute
from campaigns.services.hand_overs import find_player
from clubs.models import Membership
from clubs.services.permissions import find
from core.cleaning import field_error
from core.errors import Forbidden, InvalidInput, NotFound
from core.inputs import Input, field
from warbands.news import announce
from warbands.signed import create_signed, save_signed, update_signed

UNSETTLED = (
    BattleState.PLANNED,
    BattleState.UNDER_WAY,
    BattleState.SUBMITTED,
    BattleState.DISPUTED,
)
PLAYER = field(_("Substitute"), api="The member of the club; null: nobody, the player plays.")


class BattleSubstitute(Input, frozen=True, kw_only=True, rename={"player_id": "player"}):
    """The member who plays a side of this battle for the warband's player."""

    player_id: Annotated[UUID | None, PLAYER]
    version: Annotated[
        int | None,
        field(api="The version that you have seen: 409 if it has changed since.", ge=1, null=False),
    ] = None


class FixtureSubstitute(
    Input, frozen=True, kw_only=True, rename={"enrolment_id": "enrolment", "player_id": "player"}
):
    """The member who plays the fixture for a warband's player."""

    enrolment_id: Annotated[UUID, field(_("Warband"), api="That of the warband.")]
    player_id: Annotated[UUID | None, PLAYER]


@transaction.atomic
def name_substitute(
    *, battle_id: UUID, side: str, player_id: UUID | None, user: User, version: int | None = None
) -> Battle:
    """Name or remove the substitute who plays a side of a campaign battle.

    ``player_id`` is the member; None removes the substitute. They can field, log, submit and
    confirm that side, in this battle only. The warband's owner names one until the battle is
    confirmed, an organiser also afterwards. Raises NotFound, Forbidden, StateConflict, InvalidInput
    "no-campaign", "spectator", "account-inactive", "plays-already", "plays-other-side".
    """
    battle = lock_battle(battle_id)
    if not Battle.objects.visible_to(user).filter(pk=battle_id).exists():
        raise NotFound("unknown-battle", gettext("Battle not found."))
    sides = warbands_of(battle)
    meant = find_side(sides, side)
    organises = is_organiser(battle, user)
    if not organises and user.pk not in (meant.warband.owner_id, meant.warband.keeper_id):
        raise Forbidden(
            "not-your-side",
            gettext("Only the warband's owner or an organiser can name a substitute."),
        )
    expect_shared_version(battle, version)
    expect_state(battle, *UNSETTLED, *((BattleState.CONFIRMED,) if organises else ()))
    if battle.campaign is None:
        raise InvalidInput("no-campaign", gettext("Only battles of campaigns have substitutes."))
    player = None if player_id is None else find_player(battle.campaign.club_id, player_id)
    if player is not None:
        _expect_free(battle, sides, meant, player)
    if meant.substitute != player:
        meant.substitute = player
        save_signed(meant, "substitute")
        save_battle(battle)
        verb = Verb.SUBSTITUTE_NAMED if player else Verb.SUBSTITUTE_REMOVED
        announce("battle", battle.pk)
        record_battle(
            verb,
            battle,
            user,
            person=player.user_id if player else None,
            warband=meant.warband.name,
        )
    return battle


@transaction.atomic
def name_fixture_substitute(
    *, fixture_id: UUID, enrolment_id: UUID, player_id: UUID | None, user: User
) -> Fixture:
    """Name or remove the substitute who plays a fixture for a warband's player.

    ``player_id`` is the member; None removes the substitute. A battle that is planned for the
    fixture has the substitute from the start. If there is one already, name the substitute there.
    Raises NotFound, Forbidden, InvalidInput "not-in-this-fixture", "spectator", "account-inactive",
    "plays-already", "plays-other-side", "battle-planned".
    """
    row = find(Fixture.objects.visible_to(user).select_related("round"), fixture_id, "fixture")
    # Planning a battle for the fixture locks the campaign too. The fixture is read again after the
    # lock.
    campaign = Campaign.objects.select_for_update(of=("self",), no_key=True).get(
        pk=row.round.campaign_id
    )
    row = Fixture.objects.select_related("home", "away").get(pk=fixture_id)
    both = {each.pk: each for each in (row.home, row.away) if each is not None}
    own_enrolments = Enrolment.objects.editable_by(user).filter(pk__in=both)
    meant = both.get(enrolment_id)
    if not own_enrolments.exists() or (
        meant is not None and not own_enrolments.filter(pk=meant.pk).exists()
    ):
        raise Forbidden(
            "not-your-warband",
            gettext("Only the warband's owner or an organiser can name a substitute."),
        )
    if meant is None:
        raise field_error(
            "enrolment",
            "not-in-this-fixture",
            gettext("This warband does not play in the fixture."),
        )
    if row.battles.exclude(state=BattleState.VOID).exists():
        raise InvalidInput(
            "battle-planned",
            gettext("A battle is planned for this fixture. Choose the substitute there."),
        )
    player = None if player_id is None else find_player(campaign.club_id, player_id)
    if player is not None:
        # Nobody plays against themselves: neither against the other player nor against that
        # player's substitute.
        other_side = [each.player_id for each in both.values() if each != meant]
        other_side += row.substitutes.exclude(enrolment=meant).values_list("player", flat=True)
        _expect_other(player, meant.player_id, other_side)
    existing = Substitute.objects.filter(fixture=row, enrolment=meant)
    if player is None:
        changed = bool(existing.delete()[0])
    else:
        changed = not existing.filter(player=player).exists()
        if not update_signed(existing, player=player):
            create_signed(Substitute, fixture=row, enrolment=meant, player=player)
    if changed:
        verb = Verb.FIXTURE_SUBSTITUTE if player else Verb.FIXTURE_NO_SUBSTITUTE
        person = player.user_id if player else None
        announce("campaign", campaign.pk)
        record(
            verb, campaign, user=user, club=campaign.club_id, campaign=campaign.pk, person=person
        )
    return row


def bring_substitutes(battle: Battle) -> None:
    """Give the sides of a battle the substitutes who were named for its fixture."""
    if battle.fixture_id is None:
        return
    for row in Substitute.objects.filter(fixture=battle.fixture_id).select_related("enrolment"):
        sides = Side.objects.filter(battle=battle, warband=row.enrolment.warband_id)
        update_signed(sides, substitute=row.player_id)


def _expect_free(battle: Battle, sides: Iterable[Side], meant: Side, player: Membership) -> None:
    """Check that the member plays no other side and is not the player they replace.

    Raises InvalidInput.
    """
    rows = Enrolment.objects.filter(campaign=battle.campaign_id).values_list("warband", "player")
    seats = dict(rows)
    others = [side for side in sides if side.pk != meant.pk]
    if player.user is not None:
        if player.user_id in (meant.warband.owner_id, meant.warband.keeper_id):
            raise _plays_already(player)
        if any(side.is_played_by(player.user) for side in others):
            raise _plays_other_side(player)
    theirs = [seats.get(side.warband_id) for side in others] + [
        side.substitute_id for side in others
    ]
    _expect_other(player, seats.get(meant.warband_id), theirs)


def _expect_other(
    player: Membership, own_player: UUID | None, others: Iterable[UUID | None]
) -> None:
    """Check that the member is not the player to be replaced and plays no other side.

    Raises InvalidInput.
    """
    if player.pk == own_player:
        raise _plays_already(player)
    if player.pk in others:
        raise _plays_other_side(player)


def _plays_already(player: Membership) -> InvalidInput:
    sentence = gettext("%(name)s plays this side already. Choose another player.")
    return field_error("player", "plays-already", sentence % {"name": player.name})


def _plays_other_side(player: Membership) -> InvalidInput:
    sentence = gettext("%(name)s is playing for the other side. Choose another player.")
    return field_error("player", "plays-other-side", sentence % {"name": player.name})
