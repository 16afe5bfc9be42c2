"""What waits for somebody: battles to confirm, to settle or to go on with, orders to seal, veterans who may rise."""

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db.models import Count, Exists, F, OuterRef, Q
from django.urls import reverse
from django.utils.http import urlencode
from msgspec import Struct

from battles.models import Battle, BattleState, Side, Verdict
from battles.summaries.rows import name_of
from campaigns.models import CampaignState, Enrolment, Format, SealedOrder
from rulebook.registry import words_under
from warbands.models import Fighter, RankUpOffer

MOST = 20


class Waiting(Struct, frozen=True):
    """Something to be done: what, of what, and where. ``kind`` picks the badge."""

    kind: str
    title: str
    sentence: str
    url: str


def waiting_for(user: User) -> list[Waiting]:
    """Everything that waits for a user, the most pressing first. Five queries, whatever there is."""
    return [*_to_decide(user), *_to_confirm(user), *_to_seal(user), *_rank_ups(user), *_open_battles(user)]


def _to_confirm(user: User) -> Iterator[Waiting]:
    sides = Side.objects.played_by(user).filter(battle__state=BattleState.SUBMITTED, verdict=Verdict.WAITING)
    for side in sides.select_related("battle", "warband").order_by("battle__submitted_at")[:MOST]:
        sentence = f"Confirm or dispute it for {side.warband}."
        yield Waiting("submitted", name_of(side.battle), sentence, _battle(side.battle))


def _to_seal(user: User) -> Iterator[Waiting]:
    """Classic campaigns that wait for an order of one's own: none is sealed, or it has lapsed."""
    running = Q(campaign__format=Format.CLASSIC, campaign__state=CampaignState.RUNNING)
    standing = SealedOrder.objects.standing().filter(enrolment=OuterRef("pk"))
    unsealed = Enrolment.objects.current().filter(~Exists(standing), running, player__user=user)
    for row in unsealed.select_related("campaign", "warband").order_by("enrolled_at")[:MOST]:
        address = f"{reverse('battles:seal', args=[row.campaign_id])}?{urlencode({'warband': str(row.warband_id)})}"
        yield Waiting("sealed-order", row.campaign.name, f"Seal your order for {row.warband.name}.", address)


def _to_decide(user: User) -> Iterator[Waiting]:
    disputed = Battle.objects.organised_by(user).filter(state=BattleState.DISPUTED).order_by("submitted_at")
    for battle in disputed[:MOST]:
        yield Waiting("disputed", name_of(battle), "It is disputed: decide.", _battle(battle))


def _open_battles(user: User) -> Iterator[Waiting]:
    mine = Q(pk__in=Side.objects.played_by(user).values("battle"))
    begun = Battle.objects.filter(mine, state__in=(BattleState.PLANNED, BattleState.UNDER_WAY))
    for battle in begun.order_by("fought_on", "created_at")[:MOST]:
        sentence = "Field your fighters." if battle.state == BattleState.PLANNED else "Log what happened."
        yield Waiting(battle.state, name_of(battle), sentence, _battle(battle))


def _rank_ups(user: User) -> Iterator[Waiting]:
    fresh = RankUpOffer.objects.filter(
        Q(fighter__warband__owner=user) | Q(fighter__warband__keeper=user),
        sequence=F("fighter__warband__sequence"),
        fighter__warband__archived_at=None,
    )
    counted = (
        Fighter.objects.filter(rank_up_offer__in=fresh)
        .order_by("warband__name")
        .values("warband", "warband__name", "warband__ruleset", "warband__edition")
        .annotate(rising=Count("pk"))
    )
    for row in counted[:MOST]:
        number, words = row["rising"], words_under(row["warband__ruleset"], row["warband__edition"])
        sentence = f"{number} {words.fighter if number == 1 else words.fighters} may take a {words.step}."
        yield Waiting("rank-up", row["warband__name"], sentence, reverse("warbands:warband", args=[row["warband"]]))


def _battle(battle: Battle) -> str:
    return reverse("battles:battle", args=[battle.pk])
