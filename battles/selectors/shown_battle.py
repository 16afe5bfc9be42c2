"""A battle as its page shows it, loaded with few statements that are built once."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, Value, prefetch_related_objects
from msgspec import Struct

from battles.models import (
    OF_ITS_CAMPAIGN,
    Battle,
    Combatant,
    Dispute,
    Revision,
    Side,
    disputes_in_order,
)
from battles.selectors.permissions import BattleRights
from battles.selectors.sides import Player, Seats, former_players
from campaigns.models import Enrolment, HandOver
from core.compiled_queries import CompiledQuery, Reader, set_related
from pictures.models import Picture
from pictures.selectors.pictures import Crest
from pictures.subjects import PictureKind
from warbands.models import Warband
from warbands.selectors.crests import crest_rows, crests_of_rows


class CampaignPlace(Struct, frozen=True):
    """A warband in a campaign: its player's name in the club, its colour, the campaign's name."""

    warband: UUID
    player: str
    colour: str
    campaign_name: str


class ShownBattle(Struct, frozen=True):
    """A battle with everything that ``for_pages`` loads but the log, and the reader's rights.

    ``seats`` are its players. ``crests`` belong to its warbands. ``places`` are the warbands in
    campaigns: in its own one, or for a one-off battle in all, the latest last. ``has_photos`` says
    whether there are photos of it.
    """

    battle: Battle
    is_visible: bool
    rights: BattleRights
    seats: Seats
    crests: Mapping[UUID, Crest]
    places: tuple[CampaignPlace, ...]
    has_photos: bool


def _battle(key: UUID, user: Reader) -> QuerySet[Battle, Any]:
    """Return the battle with the reader's rights, and whether it has rarer parts."""
    battles, this = Battle.objects, OuterRef("pk")
    signed_in = user.is_authenticated
    photos = Picture.objects.filter(kind=PictureKind.BATTLE, subject=this)
    given = HandOver.objects.done().filter(warband__sides__battle=this)
    return (
        battles.filter(pk=key)
        .annotate(
            is_visible=Exists(battles.visible_to(user).filter(pk=this)),
            is_organised=Exists(battles.organised_by(user).filter(pk=this))
            if signed_in
            else Value(False),
            is_editable=Exists(battles.editable_by(user).filter(pk=this))
            if signed_in
            else Value(False),
            is_disputed=Exists(Dispute.objects.filter(battle=this)),
            has_photos=Exists(photos),
            has_hand_overs=Exists(given),
        )
        .select_related("campaign", "created_by", "submitted_by")
        .defer(*OF_ITS_CAMPAIGN)
        .order_by()
    )


def _sides(key: UUID, user: Reader) -> QuerySet[Side, Side]:
    rows = Side.objects.filter(battle=key).order_by("place")
    accounts = ("warband__owner", "warband__keeper", "decided_by", "substitute")
    return rows.select_related(*accounts).defer("warband__state", "warband__story")


def _combatants(key: UUID, user: Reader) -> QuerySet[Combatant, Combatant]:
    return Combatant.objects.filter(side__battle=key).order_by("place")


def _revisions(key: UUID, user: Reader) -> QuerySet[Revision, Revision]:
    rows = Revision.objects.filter(battle=key).defer("result_before")
    return rows.select_related("made_by").order_by("number")


def _enrolments(key: UUID, user: Reader) -> QuerySet[Enrolment, tuple[Any, ...]]:
    rows = Enrolment.objects.filter(warband__sides__battle=key).order_by("enrolled_at", "pk")
    return rows.values_list("campaign_id", "warband_id", "player__name", "colour", "campaign__name")


def _crests(key: UUID, user: Reader) -> QuerySet[Warband, Any]:
    return crest_rows(Warband.objects.filter(sides__battle=key), user)


ENROLMENTS, CRESTS = CompiledQuery(_enrolments), CompiledQuery(_crests)
BATTLE: CompiledQuery[Any] = CompiledQuery(_battle)
SIDES = CompiledQuery(_sides)
COMBATANTS = CompiledQuery(_combatants, plan_once=True)
REVISIONS = CompiledQuery(_revisions)


def shown_battle(key: UUID, user: Reader) -> ShownBattle:
    """Return a battle with everything that its page shows. Raises Battle.DoesNotExist.

    Callers check whether it ``is_visible`` to the reader.

    Five queries, and one for corrections, one to three for warbands that were given away, and at
    most four for disputes, if there are any.
    """
    battle = BATTLE.first(key, user)
    if battle is None:
        raise Battle.DoesNotExist
    # The long statements come first: PostgreSQL plans them once, and the switch between the two
    # ways to plan is a statement, too (core.postgres.base).
    crests = CRESTS.rows(key, user)
    load_sides(battle)
    set_related(battle, "revisions", REVISIONS.rows(key) if battle.revision else ())
    if battle.is_disputed:
        prefetch_related_objects([battle], disputes_in_order())
    else:
        set_related(battle, "disputes", ())
    enrolments = ENROLMENTS.rows(key)
    rosters = frozenset(row.pk for row in crests if row.seen)
    return ShownBattle(
        battle=battle,
        is_visible=battle.is_visible,
        rights=BattleRights(battle.is_organised, battle.is_editable, rosters),
        seats=Seats(
            {
                (campaign, warband): Player(name, colour)
                for campaign, warband, name, colour, _ in enrolments
                if campaign == battle.campaign_id
            },
            former_players([battle]) if battle.has_hand_overs and battle.submitted_at else {},
        ),
        crests=crests_of_rows(crests),
        places=tuple(
            CampaignPlace(warband, *place)
            for campaign, warband, *place in enrolments
            if battle.campaign_id in (None, campaign)
        ),
        has_photos=battle.has_photos,
    )


def load_sides(battle: Battle) -> None:
    """Load the sides of a battle with their warbands and combatants. Two queries."""
    sides = SIDES.rows(battle.pk)
    combatants: dict[UUID, list[Combatant]] = defaultdict(list)
    for combatant in COMBATANTS.rows(battle.pk):
        combatants[combatant.side_id].append(combatant)
    for side in sides:
        side.battle = battle
        set_related(side, "combatants", combatants[side.pk])
    set_related(battle, "sides", sides)
