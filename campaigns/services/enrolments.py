"""Warbands entering and leaving campaigns."""

import re
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.services.recording import record
from audit.verbs import Verb
from campaigns.eligibility import enrolment_problems
from campaigns.models import Campaign, CampaignState, Enrolment, Format, SealedOrder
from campaigns.services.campaigns import SETTLED
from campaigns.services.permissions import battles_open
from campaigns.services.returning import give_up_fixtures
from clubs.models import Membership, Role
from clubs.services.permissions import expect_organiser, find, locked
from core.cleaning import MAX_REASON, clean_reason, field_error
from core.errors import Forbidden, InvalidInput, StateConflict
from core.inputs import Input, column, field, validate_fields
from drawings.canvas import INK
from drawings.crests import blazon
from drawings.marks import mixed
from rulebook.chronicle.facts import Enrolled, Withdrawn
from rulebook.registry import system_name
from rulebook.ruleset import Problem, Severity
from warbands.models import Warband
from warbands.news import announce
from warbands.rulebook_values import read_state
from warbands.services.chronicle import append_facts
from warbands.services.locking import lock_warbands
from warbands.services.rank_up_offers import queue_offers
from warbands.signed import save_signed, sign_new

PALETTE = ("#7a2e2e", "#2e4a7a", "#3f6b3a", "#8a6d1f", "#5b3a75", "#1f6f6f", "#a0522d", "#4a4a4a")


class Enrol(
    Input, frozen=True, kw_only=True, rename={"warband_id": "warband", "player_id": "player"}
):
    """A warband to enter into a campaign."""

    warband_id: Annotated[UUID, field(_("Warband"))]
    player_id: Annotated[
        UUID | None, field(_("Player"), api="The member who plays it; by default its owner.")
    ] = None
    colour: Annotated[str, column(Enrolment, "colour", _("Colour"), api="For example #7a2e2e.")] = (
        ""
    )
    overrule: Annotated[
        str,
        field(
            _("Override the rules. Reason"),
            _("Only needed if the rules forbid this roster. All members can read the reason."),
            api="An organiser's reason to allow a forbidden roster.",
            max_length=MAX_REASON,
            line=True,
        ),
    ] = ""


class NamePlayer(Input, frozen=True, kw_only=True, rename={"player_id": "player"}):
    """The new player of an enrolled warband."""

    player_id: Annotated[UUID, field(_("New player"), api="A member of the club.")]


@transaction.atomic
def check_enrolment(*, campaign_id: UUID, warband_id: UUID, user: User) -> tuple[Problem, ...]:
    """Return all problems of a roster for this campaign. Writes nothing.

    Raises NotFound, InvalidInput "campaign-full" and "other-ruleset".
    """
    campaign = find(Campaign.objects.visible_to(user), campaign_id, "campaign")
    warband = find(Warband.objects.visible_to(user), warband_id, "warband")
    _refuse_full(campaign, warband)
    _refuse_other_rules(campaign, warband)
    return _problems(campaign, warband)


@transaction.atomic
def enrol_warband(
    *,
    campaign_id: UUID,
    warband_id: UUID,
    user: User,
    player_id: UUID | None = None,
    colour: str = "",
    overrule: str = "",
) -> Enrolment:
    """Enter the warband into the campaign, under its agreed points and house rules.

    After that, only battles, rank-ups and new recruits change its roster.

    Its owner can do this, or an organiser, who can also name any player of the club and override a
    forbidden roster with a reason. Without ``player_id`` its owner plays it. Raises NotFound,
    Forbidden "not-your-warband", StateConflict "already-enrolled", InvalidInput "illegal-roster"
    with every problem, "arms-taken", "campaign-finished", "campaign-full", "warband-archived",
    "other-ruleset", "player-needed".
    """
    campaign = find(locked(Campaign.objects.visible_to(user)), campaign_id, "campaign")
    find(Warband.objects.visible_to(user), warband_id, "warband")
    warband = lock_warbands([warband_id])[warband_id]
    player = _player(campaign, warband, user, player_id)
    _refuse_closed(campaign, warband)
    _refuse_other_rules(campaign, warband)
    _refuse_enrolled(warband, user)
    overrule = validate_fields(Enrol, {"overrule": overrule})["overrule"]
    overrule = _overruled(campaign, warband, user, overrule)
    enrolment = _seated(campaign, warband, player, user)
    enrolment.colour = _colour(campaign, warband, colour, before=enrolment.colour)
    enrolment.overruled = overrule
    _save(enrolment)
    append_facts({warband_id: _entry(campaign, overrule)}, user=user)
    queue_offers([warband_id])
    terms: dict[str, Any] = {
        "club": campaign.club_id,
        "campaign": campaign_id,
        "person": player.user_id,
    }
    record(Verb.WARBAND_ENROLLED, warband, user=user, overruled=overrule, **terms)
    announce("campaign", campaign_id)
    return enrolment


@transaction.atomic
def withdraw_warband(*, enrolment_id: UUID, user: User, reason: str = "") -> Enrolment:
    """Withdraw the warband from the campaign; its battles there stay. For its owner and organisers.

    Raises NotFound, Forbidden, StateConflict "already-withdrawn", and InvalidInput "battles-open"
    while any of its battles is neither confirmed nor void.
    """
    enrolment = find(Enrolment.objects.visible_to(user), enrolment_id, "enrolment")
    find(locked(Campaign.objects.all()), enrolment.campaign_id, "campaign")
    enrolment = find(locked(Enrolment.objects.all()), enrolment_id, "enrolment")
    if not Enrolment.objects.editable_by(user).filter(pk=enrolment_id).exists():
        raise Forbidden(
            "not-your-warband", gettext("Only its owner or an organiser can withdraw this warband.")
        )
    if enrolment.left_at is not None:
        raise StateConflict(
            "already-withdrawn", gettext("This warband has already left the campaign.")
        )
    battles = enrolment.campaign.battles.exclude(state__in=SETTLED).filter(
        sides__warband=enrolment.warband_id
    )
    if battles.exists():
        sentence = gettext("This warband has open battles. Confirm, decide or void them first.")
        raise battles_open(sentence, battles)
    fact = Withdrawn(campaign=str(enrolment.campaign_id), reason=clean_reason("reason", reason))
    append_facts({enrolment.warband_id: fact}, user=user)
    queue_offers([enrolment.warband_id])
    SealedOrder.objects.filter(enrolment=enrolment, revealed_at=None).delete()
    enrolment.left_at = timezone.now()
    save_signed(enrolment, "left_at")
    _audit(Verb.WARBAND_WITHDRAWN, enrolment, user, reason=fact.reason)
    return enrolment


@transaction.atomic
def recolour_enrolment(*, enrolment_id: UUID, user: User, colour: str) -> Enrolment:
    """Change the colour of the warband in its campaign. For its owner and organisers.

    Raises NotFound, Forbidden "not-your-warband", InvalidInput "not-a-colour", "arms-taken".
    """
    enrolment = find(locked(Enrolment.objects.visible_to(user)), enrolment_id, "enrolment")
    if not Enrolment.objects.editable_by(user).filter(pk=enrolment_id).exists():
        raise Forbidden(
            "not-your-warband",
            gettext("Only its owner or an organiser can choose this warband's colour."),
        )
    former = enrolment.colour
    enrolment.colour = _colour(enrolment.campaign, enrolment.warband, colour)
    save_signed(enrolment, "colour")
    _audit(Verb.WARBAND_RECOLOURED, enrolment, user, changes={"colour": [former, enrolment.colour]})
    return enrolment


def _audit(verb: Verb, enrolment: Enrolment, user: User, **details: Any) -> None:
    club = enrolment.campaign.club_id
    record(verb, enrolment.warband, user=user, club=club, campaign=enrolment.campaign_id, **details)


def _problems(campaign: Campaign, warband: Warband) -> tuple[Problem, ...]:
    return enrolment_problems(
        campaign, read_state(warband), carried_on=_carried_on(campaign, warband)
    )


def _carried_on(campaign: Campaign, warband: Warband) -> bool:
    """Return whether the warband played the campaign that this one follows to its end."""
    if campaign.follows is None:
        return False
    return warband.enrolments.filter(
        campaign=campaign.follows, left_at=campaign.follows.finished_at
    ).exists()


def _entry(campaign: Campaign, reason: str) -> Enrolled:
    return Enrolled(
        campaign=str(campaign.pk),
        campaign_name=campaign.name,
        agreed_points=campaign.points,
        settings=campaign.house_rules,
        reason=reason,
    )


def _player(campaign: Campaign, warband: Warband, user: User, player_id: UUID | None) -> Membership:
    """Return the member who plays the warband, if the user can enter it for them."""
    members = campaign.club.memberships.present()
    asker = members.filter(user=user).first()
    if asker is None or asker.role == Role.SPECTATOR:
        raise Forbidden(
            "players-only", gettext("Only players and organisers of the club can enter a warband.")
        )
    player = _owner(members, warband) if player_id is None else find(members, player_id, "player")
    if not _may_bring(asker, warband, player):
        raise Forbidden(
            "not-your-warband", gettext("Only its owner or an organiser can enter this warband.")
        )
    if player.role == Role.SPECTATOR:
        raise field_error(
            "player",
            "spectator",
            gettext("%(name)s is a spectator. Change the role to player first.")
            % {"name": player.name},
        )
    return player


def _owner(members: QuerySet[Membership], warband: Warband) -> Membership:
    owner = members.filter(user=warband.owner_id, user__isnull=False).first()
    if owner is None:
        sentence = gettext(
            "Choose the member who plays this warband. Its owner is not in the club, or "
            "it has no owner."
        )
        raise field_error("player", "player-needed", sentence)
    return owner


def _may_bring(asker: Membership, warband: Warband, player: Membership) -> bool:
    mine = asker.user_id in (warband.owner_id, warband.keeper_id)
    if asker.role != Role.ORGANISER:
        return mine and player.pk == asker.pk
    theirs = warband.owner_id is not None and warband.owner_id == player.user_id
    return mine or theirs or _is_kept_here(asker, warband)


def _is_kept_here(asker: Membership, warband: Warband) -> bool:
    """Return whether it is a guest's warband that any organiser of the club keeps."""
    organisers = Membership.objects.filter(club=asker.club_id, role=Role.ORGANISER)
    return warband.owner_id is None and organisers.filter(user=warband.keeper_id).exists()


def _refuse_closed(campaign: Campaign, warband: Warband) -> None:
    if campaign.state == CampaignState.FINISHED:
        raise InvalidInput(
            "campaign-finished",
            gettext("This campaign has ended. Enter another one."),
            field="campaign",
        )
    if warband.archived_at is not None:
        raise InvalidInput(
            "warband-archived",
            gettext("This warband is archived. Restore it first."),
            field="warband",
        )
    _refuse_full(campaign, warband)


def _refuse_full(campaign: Campaign, warband: Warband) -> None:
    """Refuse a third warband in a classic campaign."""
    if campaign.format != Format.CLASSIC:
        return
    others = campaign.enrolments.current().exclude(warband=warband)
    if others.count() >= 2:
        raise InvalidInput(
            "campaign-full",
            gettext("The classic format is for 2 warbands, and 2 have already entered."),
        )


def _refuse_other_rules(campaign: Campaign, warband: Warband) -> None:
    if (warband.ruleset, warband.edition) != (campaign.ruleset, campaign.edition):
        sentence = gettext("This campaign plays %(theirs)s. Choose a warband for these rules.")
        raise field_error(
            "warband",
            "other-ruleset",
            sentence % {"theirs": _named_rules(campaign)},
            _named_rules(warband),
        )


def _named_rules(of: Campaign | Warband) -> str:
    named = {"ruleset": system_name(of.ruleset), "edition": of.edition}
    return gettext("%(ruleset)s, edition %(edition)s") % named


def _refuse_enrolled(warband: Warband, user: User) -> None:
    """Raise StateConflict if the warband is in a campaign already.

    The error names that campaign only to users who can see it.
    """
    current = warband.enrolments.current().select_related("campaign").first()
    if current is None:
        return
    seen = Campaign.objects.visible_to(user).filter(pk=current.campaign_id).exists()
    where = str(current.campaign) if seen else gettext("another campaign")
    sentence = gettext(
        "This warband is in %(where)s. Withdraw it there, finish that campaign, or enter a copy."
    ) % {"where": where}
    raise StateConflict("already-enrolled", sentence, field="warband")


def _overruled(campaign: Campaign, warband: Warband, user: User, reason: str) -> str:
    """Return the reason if the roster needs an override, else "".

    Raises InvalidInput "illegal-roster" with every problem, including warnings, if it needs one and
    has no reason.
    """
    if reason:
        expect_organiser(campaign.club_id, user)
    problems = _problems(campaign, warband)
    forbidden = [problem for problem in problems if problem.severity is Severity.FORBIDS]
    if not forbidden:
        return ""
    if not reason:
        sentence = gettext(
            "%(sentence)s Correct the roster, or ask an organiser to override this with a reason."
        ) % {"sentence": forbidden[0].sentence}
        raise InvalidInput("illegal-roster", sentence, problems=problems)
    return reason


def _seated(campaign: Campaign, warband: Warband, player: Membership, user: User) -> Enrolment:
    """Return the enrolment to save: a new one, or the former one of a warband that returns."""
    enrolment = campaign.enrolments.filter(warband=warband).first()
    if enrolment is None:
        return Enrolment(
            campaign=campaign, warband=warband, player=player, colour="", enrolled_at=timezone.now()
        )
    # A returning warband starts its count of games again, and with it the rules for recruits: an
    # organiser must agree.
    if campaign.state == CampaignState.RUNNING:
        expect_organiser(campaign.club_id, user)
    if enrolment.left_at is not None:
        # Must come before ``left_at`` is reset: what opponents were given meanwhile stays with
        # them.
        give_up_fixtures(campaign, enrolment)
    enrolment.player, enrolment.left_at = player, None
    return enrolment


def _colour(campaign: Campaign, warband: Warband, requested: str, *, before: str = "") -> str:
    """Return the requested colour, or the first colour of the palette that is free.

    A warband that returns has the colour it had ``before``, if nobody has the same arms now. No two
    warbands of a campaign have the same arms: those with the same shield differ in colour.
    Raises InvalidInput "not-a-colour", "arms-taken".
    """
    others = campaign.enrolments.exclude(warband=warband)
    taken = {
        (each.colour, blazon(str(each.warband_id), each.colour))
        for each in others.only("warband_id", "colour")
    }
    arms, seed = {shield for _, shield in taken}, str(warband.pk)
    if not requested and before and blazon(seed, before) not in arms:
        return before
    if not requested:
        colours = {colour for colour, _ in taken}
        start = len(colours) % len(PALETTE)
        palette = [
            *(colour for colour in PALETTE if colour not in colours),
            *PALETTE[start:],
            *PALETTE[:start],
            # Darker shades, for warbands with the same shield in every colour of the palette.
            *(mixed(colour, INK, shade / 10) for shade in range(1, 8) for colour in PALETTE),
        ]
        return next(
            (colour for colour in palette if blazon(seed, colour) not in arms),
            palette[0],
        )
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", requested):
        raise field_error(
            "colour", "not-a-colour", gettext("Enter a colour like #7a2e2e."), requested[:20]
        )
    colour = requested.lower()
    if blazon(seed, colour) in arms:
        raise field_error(
            "colour",
            "arms-taken",
            gettext("A warband of this campaign has the same arms. Choose another colour."),
            colour,
        )
    return colour


def _save(enrolment: Enrolment) -> None:
    try:
        with transaction.atomic():
            if enrolment._state.adding:
                sign_new([enrolment])[0].save(force_insert=True)
            else:
                save_signed(enrolment, *type(enrolment).signed)
    except IntegrityError as error:
        raise StateConflict(
            "already-enrolled", gettext("Someone else has just entered this warband.")
        ) from error
