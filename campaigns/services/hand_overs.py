"""Transfer warbands (docs/decisions/campaigns.md).

An owner offers a warband, an organiser transfers it at once.

Every function here takes locks in the order club, campaign, enrolment, warband, transfer.
"""

from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import Campaign, Enrolment, Format, HandOver, HandOverState
from campaigns.services.campaigns import SETTLED
from clubs.models import Club, Membership, Role
from clubs.services.permissions import find, locked
from core.cleaning import field_error, storable
from core.display_names import account_name
from core.errors import Forbidden, InvalidInput, StateConflict
from core.inputs import Input, column
from core.users import expect_person
from warbands.models import RosterDraft, Warband
from warbands.news import announce
from warbands.services.locking import expect_editor, lock_warbands
from warbands.signed import save_signed, sign_new, update_signed


class Held(Struct, frozen=True):
    """A locked warband, and its enrolment if it is in a campaign."""

    warband: Warband
    enrolment: Enrolment | None

    @property
    def club(self) -> Club | None:
        """The club of the campaign that it is in, or None."""
        return self.enrolment.campaign.club if self.enrolment else None


class ToPlayer(Input, frozen=True, kw_only=True):
    """The new player of the warband."""

    player: Annotated[
        str,
        column(
            User,
            "username",
            _("User name of the new player"),
            _("The player must be a member of one of your clubs."),
            api=(
                "User name of a member of the campaign's club or, outside campaigns, of your clubs."
            ),
            min_length=1,
        ),
    ]


@transaction.atomic
def hand_over_warband(
    *, warband_id: UUID, user: User, player: str = "", seat_id: UUID | None = None
) -> HandOver:
    """Transfer a warband to an account, or to a member of the club of its campaign.

    Returns the open offer, or the transfer that took effect.

    An owner makes an offer, which replaces an earlier one and waits for an answer. An organiser of
    its campaign transfers it at once, and so does the user who keeps it for a player without an
    account. Repeating the call changes nothing.

    Raises NotFound, Forbidden, StateConflict; InvalidInput "not-a-member", "unknown-player",
    "spectator", "already-owner", "plays-other-side".
    """
    held = _hold(warband_id)
    done = _done_by(held.warband, player, user)
    if done is not None:
        return done
    expect_editor(held.warband, user)
    if held.club is None:
        return _propose(held, _clubmate(player, user), None, user)
    seat = (
        _member_called(held.club, player) if seat_id is None else find_player(held.club.pk, seat_id)
    )
    return _propose(held, _account_of(seat), seat, user)


@transaction.atomic
def name_player(*, enrolment_id: UUID, player_id: UUID, user: User) -> HandOver:
    """Name another member as the player of an enrolled warband, which also becomes theirs.

    Works like ``hand_over_warband``. An organiser can name a player without an account, and then
    keeps the warband. A lent warband, which its owner does not play, stays with its owner. Raises
    NotFound, Forbidden "not-your-warband", StateConflict "already-withdrawn", InvalidInput as
    ``hand_over_warband`` and "account-needed".
    """
    enrolment = find(Enrolment.objects.visible_to(user), enrolment_id, "enrolment")
    if not Enrolment.objects.editable_by(user).filter(pk=enrolment_id).exists():
        raise Forbidden(
            "not-your-warband", gettext("Only the warband's owner or an organiser can transfer it.")
        )
    if enrolment.left_at is not None:
        raise StateConflict(
            "already-withdrawn", gettext("This warband has already left the campaign.")
        )
    held = _hold(enrolment.warband_id)
    if held.enrolment is None or held.club is None or held.enrolment.pk != enrolment_id:
        raise StateConflict(
            "already-withdrawn", gettext("This warband has already left the campaign.")
        )
    seat = find_player(held.club.pk, player_id)
    return _propose(held, _account_of(seat), seat, user, owner_stays=_is_lent(held))


@transaction.atomic
def accept_hand_over(*, hand_over_id: UUID, user: User) -> HandOver:
    """Accept a warband that was offered. Accepting twice changes nothing more.

    Raises NotFound, Forbidden "not-your-offer", StateConflict "offer-gone" if it was withdrawn,
    replaced or declined, and InvalidInput as ``hand_over_warband`` if something has changed since
    it was offered. Raises Forbidden "people-only" for a bot.
    """
    expect_person(user)
    held, offer = _hold_offer(hand_over_id, user)
    _expect_receiver(offer, user)
    if offer.state == HandOverState.DONE:
        return offer
    _expect_open(offer)
    if held.warband.owner_id != offer.giver_id:
        raise _offer_gone()
    # Since the offer it may have entered a campaign of a club that the receiver is not in.
    seat = None if held.club is None else _member_of(held.club, user)
    _expect_fit(held, user)
    offer.receiver_seat = seat
    return _take_effect(held, offer, user)


@transaction.atomic
def decline_hand_over(*, hand_over_id: UUID, user: User) -> HandOver:
    """Decline a warband that was offered. Declining twice changes nothing more.

    Raises NotFound, Forbidden "not-your-offer", StateConflict "offer-gone".
    """
    held, offer = _hold_offer(hand_over_id, user)
    _expect_receiver(offer, user)
    return _settle(held, offer, HandOverState.DECLINED, Verb.HAND_OVER_DECLINED, user)


@transaction.atomic
def withdraw_hand_over(*, hand_over_id: UUID, user: User) -> HandOver:
    """Withdraw an offer. For the warband's owner. Withdrawing twice changes nothing more.

    Raises NotFound, Forbidden "not-your-warband", StateConflict "offer-gone" if it was answered.
    """
    held, offer = _hold_offer(hand_over_id, user)
    if user.pk not in (offer.giver_id, offer.made_by_id):
        raise Forbidden(
            "not-your-warband", gettext("Only the warband's owner can withdraw the offer.")
        )
    return _settle(held, offer, HandOverState.WITHDRAWN, Verb.HAND_OVER_WITHDRAWN, user)


def find_player(club_id: UUID, seat_id: UUID) -> Membership:
    """Return a member of the club who can play.

    Raises NotFound "unknown-player", and InvalidInput as ``_expect_player``.
    """
    members = Membership.objects.present().filter(club=club_id).with_accounts()
    return _expect_player(find(members, seat_id, "player"))


def _hold(warband_id: UUID) -> Held:
    """Lock and return the warband and its enrolment.

    Raises NotFound, StateConflict "chronicle-went-on".
    """
    current = (
        Enrolment.objects.current().filter(warband=warband_id).select_related("campaign").first()
    )
    enrolment = None if current is None else _lock_enrolment(current)
    warband = lock_warbands([warband_id])[warband_id]
    # Between the first query and the lock, the warband may have entered or left a campaign.
    campaign = None if enrolment is None else str(enrolment.campaign_id)
    if warband.state.get("campaign") != campaign:
        sentence = gettext("This warband has entered or left a campaign. Reload and try again.")
        raise StateConflict("chronicle-went-on", sentence)
    return Held(warband, enrolment)


def _lock_enrolment(current: Enrolment) -> Enrolment:
    """Lock and return the enrolment with its campaign and club.

    The lock of the club keeps members from leaving while a warband is transferred to them.
    """
    club = locked(Club.objects.filter(pk=current.campaign.club_id)).get()
    campaign = locked(Campaign.objects.filter(pk=current.campaign_id)).get()
    enrolment = locked(Enrolment.objects.select_related("player")).get(pk=current.pk)
    campaign.club, enrolment.campaign = club, campaign
    return enrolment


def _hold_offer(hand_over_id: UUID, user: User) -> tuple[Held, HandOver]:
    """Lock and return the transfer with its warband. Raises NotFound, StateConflict."""
    hand_over = find(HandOver.objects.visible_to(user), hand_over_id, "hand-over")
    held = _hold(hand_over.warband_id)
    return held, locked(HandOver.objects.all()).get(pk=hand_over_id)


def _done_by(warband: Warband, player: str, user: User) -> HandOver | None:
    """Return the user's completed transfer to this player, if the player still owns the warband."""
    if not storable(player):
        return None
    given = warband.hand_overs.done().filter(Q(giver=user) | Q(made_by=user))
    theirs = given.filter(
        receiver__username=account_name(player), receiver=warband.owner_id, receiver__isnull=False
    )
    return theirs.exclude(receiver=user).order_by("-settled_at").first()


def _member_of(club: Club, user: User) -> Membership:
    """Return the user's own membership in the club.

    Raises InvalidInput "not-a-member" or as ``_expect_player``.
    """
    member = club.memberships.present().filter(user=user).with_accounts().first()
    if member is None:
        sentence = gettext(
            "This warband plays in %(club)s. Ask for an invitation to that club, then accept."
        )
        raise InvalidInput("not-a-member", sentence % {"club": club.name})
    return _expect_player(member)


def _member_called(club: Club, account: str) -> Membership:
    """Return the member of the club with this account, who must be able to play.

    Raises the same InvalidInput for accounts that do not exist and for those outside the club.
    """
    rows = club.memberships.present().filter(user__isnull=False).with_accounts()
    member = (
        rows.filter(user__username=account_name(account)).first() if storable(account) else None
    )
    if member is None:
        sentence = gettext(
            "%(club)s has no member with the account “%(account)s”. Invite this player to the club "
            "first, then try "
            "again."
        )
        text = sentence % {"club": club.name, "account": account[:40]}
        raise field_error("player", "not-a-member", text, account[:40])
    return _expect_player(member)


def _account_of(seat: Membership) -> User | None:
    """Return the account that can sign in for a membership, or None.

    A placeholder account of an imported file does not belong to anybody yet.
    """
    return None if seat.vacant else seat.user


def _expect_player(member: Membership) -> Membership:
    """Return the member if they can play a warband.

    Raises InvalidInput "spectator", "account-inactive".
    """
    if member.role == Role.SPECTATOR:
        sentence = gettext("%(name)s is a spectator. Change the role to player first.")
        raise field_error("player", "spectator", sentence % {"name": member.name})
    if not member.vacant and member.user is not None and not member.user.is_active:
        sentence = gettext("The account of %(name)s is closed. Choose another player.")
        raise field_error("player", "account-inactive", sentence % {"name": member.name})
    return member


def _clubmate(name: str, user: User) -> User:
    """Return the account of that name in one of the user's clubs.

    The error does not reveal whether there are such accounts in other clubs.
    """
    mates = User.objects.filter(
        is_active=True, memberships__club__in=user.memberships.values("club")
    )
    receiver = mates.filter(username=account_name(name)).first() if storable(name) else None
    if receiver is None:
        sentence = gettext(
            "There is no player with this account in your clubs. Check the name, or invite them "
            "first."
        )
        raise field_error("player", "unknown-player", sentence, name[:40])
    return receiver


def _propose(
    held: Held,
    receiver: User | None,
    seat: Membership | None,
    user: User,
    *,
    owner_stays: bool = False,
) -> HandOver:
    """Transfer the warband at once if the user can do so, else offer it."""
    warband, enrolment = held.warband, held.enrolment
    _refuse_owner(held, receiver, seat, user)
    _expect_fit(held, receiver)
    row = HandOver(
        warband=warband,
        giver_id=warband.owner_id,
        giver_seat=None if enrolment is None else enrolment.player,
        receiver=receiver,
        receiver_seat=seat,
        made_by=user,
        made_at=timezone.now(),
    )
    if warband.owner_id is None or _organises(held, user):
        # The inbox recognises transfers without an offer by their equal times.
        row.settled_at = row.made_at
        return _take_effect(held, row, user, owner_stays=owner_stays)
    if receiver is None:
        sentence = gettext(
            "%(name)s has no account and cannot accept. Ask an organiser to transfer the warband."
        )
        raise field_error("player", "account-needed", sentence % {"name": row.receiver_name})
    return _offer(held, row, user)


def _organises(held: Held, user: User) -> bool:
    club = held.club
    return club is not None and club.memberships.filter(user=user, role=Role.ORGANISER).exists()


def _refuse_owner(held: Held, receiver: User | None, seat: Membership | None, user: User) -> None:
    """Raise InvalidInput "already-owner" if the receiver owns and plays the warband already."""
    owns = held.warband.owner_id == (None if receiver is None else receiver.pk)
    plays = held.enrolment is None or held.enrolment.player == seat
    if owns and plays:
        yours = receiver is not None and receiver.pk == user.pk
        mine = gettext("This warband is already yours. Choose another player.")
        theirs = gettext("This player already has the warband. Choose another player.")
        raise field_error("player", "already-owner", mine if yours else theirs)


def _expect_fit(held: Held, receiver: User | None) -> None:
    """Raise InvalidInput "plays-other-side" if the receiver would play against themselves."""
    if receiver is None:
        return
    theirs = Warband.objects.filter(Q(owner=receiver) | Q(keeper=receiver)).exclude(
        pk=held.warband.pk
    )
    unsettled = held.warband.sides.exclude(battle__state__in=SETTLED)
    # The other sides that the receiver owns, keeps, or plays as a substitute.
    other_sides = Warband.objects.exclude(pk=held.warband.pk).filter(
        Q(owner=receiver) | Q(keeper=receiver) | Q(sides__substitute__user=receiver),
        sides__battle__in=unsettled.values("battle"),
    )
    against = (
        unsettled.filter(battle__sides__warband__in=other_sides.values("pk"))
        .select_related("battle")
        .first()
    )
    if against is not None:
        sentence = gettext(
            "%(battle)s of %(day)s is still open, and this player is on the other side. "
            "Confirm, decide or void it first, then transfer the warband."
        )
        text = sentence % {"battle": against.battle, "day": against.battle.fought_on.isoformat()}
        raise field_error("player", "plays-other-side", text)
    campaign = None if held.enrolment is None else held.enrolment.campaign
    if campaign is None or campaign.format != Format.CLASSIC:
        return
    if campaign.enrolments.current().filter(warband__in=theirs.values("pk")).exists():
        sentence = gettext(
            "In a classic campaign both sides plan in secret, and this player has the other "
            "warband."
        )
        raise field_error("player", "plays-other-side", sentence)


def _offer(held: Held, offer: HandOver, user: User) -> HandOver:
    """Save an offer and withdraw an earlier one. Writes nothing if it is the same offer."""
    former = locked(held.warband.hand_overs.offered()).first()
    if former is not None and former.receiver_id == offer.receiver_id:
        return former
    _withdraw_offers(held.warband)
    sign_new([offer])[0].save()
    _audit(Verb.HAND_OVER_OFFERED, held, offer, user)
    return offer


def _take_effect(held: Held, row: HandOver, user: User, *, owner_stays: bool = False) -> HandOver:
    """Make the warband the receiver's.

    Sides of battles, fixtures and tasks follow its owner and player.
    """
    warband, enrolment = held.warband, held.enrolment
    if not owner_stays:
        warband.owner = row.receiver
        warband.keeper = user if row.receiver is None else None
        save_signed(warband, "owner", "keeper")
        # A draft holds the plans of the former owner, which nobody else should see.
        RosterDraft.objects.filter(warband=warband).delete()
    if enrolment is not None and row.receiver_seat is not None:
        row.campaign, row.giver_seat = enrolment.campaign, enrolment.player
        if owner_stays:
            row.giver_id = enrolment.player.user_id
        enrolment.player = row.receiver_seat
        save_signed(enrolment, "player")
    _withdraw_offers(warband, but=row)
    row.state, row.settled_at = HandOverState.DONE, row.settled_at or timezone.now()
    if row._state.adding:
        sign_new([row])[0].save()
    else:
        save_signed(row, *HandOver.signed)
    to_account = row.receiver_id is not None and not owner_stays
    _audit(Verb.WARBAND_HANDED_OVER if to_account else Verb.PLAYER_NAMED, held, row, user)
    return row


def _is_lent(held: Held) -> bool:
    """Return whether the member who plays the warband in its campaign is not its owner."""
    if held.enrolment is None or held.warband.owner_id is None:
        return False
    return held.enrolment.player.user_id != held.warband.owner_id


def _withdraw_offers(warband: Warband, but: HandOver | None = None) -> None:
    """Withdraw the warband's open offer, if there is one."""
    offers = warband.hand_overs.offered()
    others = offers.exclude(pk=but.pk) if but else offers
    update_signed(others, state=HandOverState.WITHDRAWN, settled_at=timezone.now())


def _settle(held: Held, offer: HandOver, state: HandOverState, verb: Verb, user: User) -> HandOver:
    """End an offer without a transfer. Raises StateConflict "offer-gone" if it ended otherwise."""
    if offer.state == state:
        return offer
    _expect_open(offer)
    offer.state, offer.settled_at = state, timezone.now()
    save_signed(offer, "state", "settled_at")
    _audit(verb, held, offer, user)
    return offer


def _audit(verb: Verb, held: Held, row: HandOver, user: User) -> None:
    """Record the act in the club's activity log, and notify those concerned."""
    campaign = held.enrolment.campaign_id if held.enrolment else None
    record(verb, held.warband, user=user, campaign=campaign, person=row.receiver_id)
    announce("warband", held.warband.pk)


def _expect_receiver(offer: HandOver, user: User) -> None:
    if offer.receiver_id != user.pk:
        raise Forbidden(
            "not-your-offer", gettext("Only the player who received this offer can answer it.")
        )


def _expect_open(offer: HandOver) -> None:
    if offer.state != HandOverState.OFFERED:
        raise _offer_gone()


def _offer_gone() -> StateConflict:
    return StateConflict(
        "offer-gone", gettext("This offer is no longer open. Ask the owner for a new one.")
    )
