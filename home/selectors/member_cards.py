"""Cards of warbands and members: add fighters, rank up, transfers, a new role, a merge."""

from collections.abc import Iterator
from datetime import date, datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext

from battles.models import BattleState, Side
from campaigns.models import Enrolment, HandOver, HandOverState
from campaigns.selectors.hand_overs import with_people
from clubs.models import Membership, Merge, Role
from core.display_names import display_name
from home.selectors.card_kinds import GOING, MOST, Card, CardOfRows
from warbands.models import RankUpOffer, Warband

NEARLY = 10
"""A roster that lacks less than a tenth of the agreed points counts as full."""


class ToRecruit(CardOfRows[Warband]):
    """The user's warbands without fighters, or with too few points in a campaign.

    Warbands that have fought in the campaign are left out of the latter.
    """

    kind = "recruit"
    club_path = "enrolments__campaign__club"
    own_action = True

    def annotated(self, rows: QuerySet[Warband]) -> QuerySet[Warband]:
        begun = Side.objects.filter(
            warband=OuterRef("warband"), battle__campaign=OuterRef("campaign")
        )
        fought = begun.exclude(battle__state__in=(BattleState.PLANNED, BattleState.VOID))
        lacking = Enrolment.objects.current().filter(
            ~Exists(fought),
            warband=OuterRef("pk"),
            campaign__state__in=GOING,
            campaign__points__gt=F("warband__points") + F("campaign__points") / NEARLY,
        )
        return rows.annotate(agreed=Subquery(lacking.values("campaign__points")[:1]))

    def rows(self, user: User, today: date) -> QuerySet[Warband]:
        mine = Warband.objects.filter(Q(owner=user) | Q(keeper=user), archived_at=None)
        return self.annotated(mine).filter(Q(agreed__isnull=False) | Q(fighter_count=0))

    def cards(self, rows: QuerySet[Warband], user: User) -> Iterator[Card]:
        for warband in rows.order_by("created_at")[:MOST]:
            agreed: int | None = warband.agreed  # type: ignore[attr-defined]
            words = warband.words
            counted = (
                gettext("%(points)s of %(agreed)s points. Add %(fighters)s up to the limit.")
                % {"points": warband.points, "agreed": agreed, "fighters": words.fighters}
                if agreed
                else ""
            )
            yield Card(
                kind=self.kind,
                subject=warband.pk,
                occasion="" if warband.fighter_count else "empty",
                title=warband.name,
                sentence=counted or gettext("No %(fighters)s yet.") % {"fighters": words.fighters},
                button=gettext("Add %(fighters)s") % {"fighters": words.fighters},
                url=reverse("warbands:build", args=[warband.pk]),
                since=warband.created_at,
            )


class ToRankUp(CardOfRows[Warband]):
    """The user's warbands with fighters who can rank up."""

    kind = "rank-up"
    club_path = "enrolments__campaign__club"

    def rows(self, user: User, today: date) -> QuerySet[Warband]:
        current_offers = RankUpOffer.objects.filter(
            fighter__warband=OuterRef("pk"), sequence=OuterRef("sequence")
        )
        return Warband.objects.filter(
            Q(owner=user) | Q(keeper=user), Exists(current_offers), archived_at=None
        )

    def cards(self, rows: QuerySet[Warband], user: User) -> Iterator[Card]:
        warbands = rows.order_by("name", "pk")[:MOST]
        offers = RankUpOffer.objects.filter(
            fighter__warband__in=rows.values("pk"), sequence=F("fighter__warband__sequence")
        )
        risers: dict[UUID, list[tuple[UUID, str, datetime]]] = {}
        columns = ("fighter__warband", "fighter", "fighter__name", "prepared_at")
        for warband_id, *riser in offers.order_by("fighter__place").values_list(*columns):
            risers.setdefault(warband_id, []).append(tuple(riser))
        for warband in warbands:
            offered, words = risers.get(warband.pk, []), warband.words
            if not offered:
                continue
            first, name, since = offered[0]
            battles = sum(warband.state.get(outcome, 0) for outcome in ("won", "drawn", "lost"))
            others = len(offered) - 1
            values = {"name": name, "others": others, "step": words.step}
            values["fighters"] = words.fighter if others == 1 else words.fighters
            if others:
                text = gettext(
                    "%(name)s and %(others)s more %(fighters)s are ready for a %(step)s."
                )
            else:
                text = gettext("%(name)s is ready for a %(step)s.")
            yield Card(
                kind=self.kind,
                subject=warband.pk,
                occasion=f"{battles}-{warband.experience}",
                title=warband.name,
                sentence=text % values,
                button=gettext("Choose %(step)s") % {"step": words.step},
                url=reverse("warbands:rank-ups", args=[first]),
                since=since,
            )


class ToTakeOver(CardOfRows[HandOver]):
    """Warbands that are offered to the user, who has not answered yet."""

    kind = "hand-over"

    def rows(self, user: User, today: date) -> QuerySet[HandOver]:
        return HandOver.objects.offered().filter(receiver=user.pk)

    def cards(self, rows: QuerySet[HandOver], user: User) -> Iterator[Card]:
        for offer in with_people(rows).order_by("made_at", "pk")[:MOST]:
            yield Card(
                kind=self.kind,
                subject=offer.pk,
                title=offer.warband.name,
                sentence=gettext("%(giver)s offers you this warband. Accept or decline it.")
                % {"giver": offer.giver_name},
                button=gettext("Answer offer"),
                url=reverse("campaigns:offer", args=[offer.pk]),
                others_wait=True,
                since=offer.made_at,
            )


class ToNote(CardOfRows[HandOver]):
    """Transfers and answers by others for warbands that the user led or leads, until dismissed.

    A transfer without an offer is complete at the time at which it is made.
    """

    kind = "handed-over"
    dismissed_by = "pk"

    def rows(self, user: User, today: date) -> QuerySet[HandOver]:
        at_once = Q(made_at=F("settled_at"))
        received = Q(receiver=user.pk, state=HandOverState.DONE) & at_once
        declined = Q(giver=user.pk, state=HandOverState.DECLINED)
        accepted = Q(giver=user.pk, state=HandOverState.DONE) & ~at_once
        taken = Q(giver=user.pk, state=HandOverState.DONE) & at_once
        by_oneself = Q(made_by=user.pk)
        done = declined | accepted | ((received | taken) & ~by_oneself)
        return HandOver.objects.filter(done)

    def cards(self, rows: QuerySet[HandOver], user: User) -> Iterator[Card]:
        for row in with_people(rows).order_by("settled_at", "pk")[:MOST]:
            named = {"player": row.receiver_name, "who": display_name(row.made_by)}
            if row.state == HandOverState.DECLINED:
                text = gettext("%(player)s declined this warband. It is still yours.")
            elif row.receiver_id == user.pk:
                text = gettext("%(who)s transferred this warband to you.")
            elif row.made_by_id == user.pk:
                text = gettext("%(player)s accepted this warband and now owns it.")
            else:
                text = gettext(
                    "%(who)s transferred this warband to %(player)s. You can no longer change it."
                )
            yield Card(
                kind=self.kind,
                subject=row.pk,
                title=row.warband.name,
                sentence=text % named,
                button=gettext("Show transfer"),
                url=reverse("campaigns:offer", args=[row.pk]),
                since=row.settled_at,
            )


class MadeOrganiser(CardOfRows[Membership]):
    """Memberships that another organiser has promoted to organiser, until the card is dismissed."""

    kind = "organiser"
    dismissed_by = "promotion"

    def rows(self, user: User, today: date) -> QuerySet[Membership]:
        return Membership.objects.present().filter(
            user=user.pk, role=Role.ORGANISER, promotion__isnull=False
        )

    def cards(self, rows: QuerySet[Membership], user: User) -> Iterator[Card]:
        for member in rows.select_related("club").order_by("club__name", "pk")[:MOST]:
            if member.promotion is not None:
                yield Card(
                    kind=self.kind,
                    subject=member.promotion,
                    title=member.club.name,
                    sentence=gettext(
                        "You are now an organiser of this club. You can run campaigns and decide "
                        "disputes."
                    ),
                    button=gettext("Open club"),
                    url=reverse("home:club", args=[member.club_id]),
                )


class Merged(CardOfRows[Merge]):
    """Merges of a former guest player into the user, until the card is dismissed.

    Merges that the user made are left out.
    """

    kind = "merged"
    dismissed_by = "pk"

    def rows(self, user: User, today: date) -> QuerySet[Merge]:
        return Merge.objects.standing().filter(member__user=user.pk).exclude(merged_by=user.pk)

    def cards(self, rows: QuerySet[Merge], user: User) -> Iterator[Card]:
        rows = rows.select_related("club", "merged_by").order_by("merged_at")[:MOST]
        for merge in rows:
            text = gettext(
                "%(who)s merged the guest player %(name)s with your account. The warbands of "
                "%(name)s are yours now."
            )
            yield Card(
                kind=self.kind,
                subject=merge.pk,
                title=merge.club.name,
                sentence=text % {"who": display_name(merge.merged_by), "name": merge.name},
                button=gettext("Open club"),
                url=reverse("home:club", args=[merge.club_id]),
                since=merge.merged_at,
            )
