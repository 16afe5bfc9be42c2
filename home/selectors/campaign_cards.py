"""Cards of campaigns: start, enter, seal an order, finish, and changed rules."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import (
    Count,
    Exists,
    F,
    Func,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    UUIDField,
)
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from msgspec.structs import replace

from audit.models import AuditEntry
from audit.verbs import Verb
from battles.models import OPEN, Battle, BattleState, Part, Side
from campaigns.eligibility import TERMS, ruleset_of_campaign
from campaigns.models import Campaign, CampaignState, Enrolment, Format, Round, SealedOrder
from campaigns.selectors.audit_details import changed_terms
from clubs.models import Membership, Role, clubs_of
from core.display_names import display_name
from core.queries import ids_of_any
from home.selectors.card_kinds import GOING, MOST, Card, CardOfRows, Task, moment_text
from rulebook.registry import system_name


class NumberAsId(Func):
    """An integer as a UUID, the type of card ids: 12 is 00000000-0000-0000-0000-00000000000c."""

    output_field = UUIDField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return super().as_sql(
            compiler, connection, template="printf('%%%%032x', %(expressions)s)", **context
        )

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "lpad(to_hex(%(expressions)s), 32, '0')::uuid"
        return super().as_sql(compiler, connection, template=template, **context)


class Reopened(CardOfRows[Campaign]):
    """Running campaigns of the user that were reopened, until the card is dismissed."""

    kind = "reopened"
    dismissed_by = "pk"

    def rows(self, user: User, today: date) -> QuerySet[Campaign]:
        running = Campaign.objects.filter(state=CampaignState.RUNNING, reopened_at__isnull=False)
        return running.filter(pk__in=_own_enrolments(user).values("campaign"))

    def cards(self, rows: QuerySet[Campaign], user: User) -> Iterator[Card]:
        for campaign in rows[:MOST]:
            sentence = gettext("An organiser has reopened this campaign. You are still in it.")
            address = reverse("leagues:campaign", args=[campaign.pk])
            card = _campaign_card(self.kind, campaign, sentence, gettext("Open campaign"), address)
            yield replace(
                card, occasion=moment_text(campaign.reopened_at), since=campaign.reopened_at
            )


class ToSeal(CardOfRows[Enrolment]):
    """Warbands in classic campaigns that still need a sealed order from the user.

    These are the user's own warbands, and those of guest players in clubs that the user organises.
    """

    kind = "seal"
    club_path = "campaign__club"

    def rows(self, user: User, today: date) -> QuerySet[Enrolment]:
        standing = SealedOrder.objects.standing().filter(enrolment=OuterRef("pk"))
        organised = Enrolment.objects.filter(campaign__club__in=clubs_of(user, Role.ORGANISER))
        guests = organised.filter(player__in=Membership.objects.vacant())
        running = Q(campaign__format=Format.CLASSIC, campaign__state=CampaignState.RUNNING)
        mine = ids_of_any(Enrolment.objects.filter(player__user=user), guests)
        return Enrolment.objects.current().filter(~Exists(standing), running, pk__in=mine)

    def cards(self, rows: QuerySet[Enrolment], user: User) -> Iterator[Card]:
        rows = rows.select_related("campaign", "warband", "order")
        for row in rows.order_by("enrolled_at")[:MOST]:
            address = reverse("leagues:seal", args=[row.campaign_id])
            lapsed: SealedOrder | None = getattr(row, "order", None)
            yield Card(
                kind=self.kind,
                subject=row.pk,
                occasion=moment_text(lapsed.sealed_at) if lapsed else "",
                title=row.campaign.name,
                sentence=gettext(
                    "Choose who of %(warband)s plays which small game. Your order stays secret "
                    "until all orders are in."
                )
                % {"warband": row.warband},
                button=gettext("Seal order"),
                url=f"{address}?{urlencode({'warband': str(row.warband_id)})}",
                others_wait=True,
                since=row.campaign.started_at or row.enrolled_at,
            )


class ToPlanTheFinal(CardOfRows[Campaign]):
    """The user's classic campaigns with all small games confirmed and no final yet."""

    kind = "final"
    club_path = "club"

    def rows(self, user: User, today: date) -> QuerySet[Campaign]:
        small = Battle.objects.filter(campaign=OuterRef("pk"), part=Part.SMALL)
        anew = Battle.objects.filter(
            campaign=OuterRef("campaign"), part=Part.SMALL, scenario=OuterRef("scenario")
        )
        struck = small.filter(~Exists(anew.exclude(state=BattleState.VOID)), state=BattleState.VOID)
        final = Battle.objects.filter(campaign=OuterRef("pk"), part=Part.FINAL).exclude(
            state=BattleState.VOID
        )
        return Campaign.objects.filter(
            Exists(small.filter(state=BattleState.CONFIRMED)),
            ~Exists(small.filter(state__in=OPEN)),
            ~Exists(struck),
            ~Exists(final),
            pk__in=_own_enrolments(user).values("campaign"),
            format=Format.CLASSIC,
            state=CampaignState.RUNNING,
        )

    def cards(self, rows: QuerySet[Campaign], user: User) -> Iterator[Card]:
        for campaign in rows[:MOST]:
            sentence = gettext("All small games are confirmed. You can plan the final now.")
            address = reverse("leagues:classic", args=[campaign.pk])
            yield _campaign_card(
                self.kind, campaign, sentence, gettext("Plan final"), address, others_wait=True
            )


class ToBegin(CardOfRows[Campaign]):
    """Planned campaigns that the user organises and that have enough warbands to start."""

    kind = "begin"
    club_path = "club"

    def annotated(self, rows: QuerySet[Campaign]) -> QuerySet[Campaign]:
        return rows.annotate(enrolled=_enrolled())

    def rows(self, user: User, today: date) -> QuerySet[Campaign]:
        enough = Q(enrolled__gte=2) & ~Q(format=Format.CLASSIC) | Q(enrolled=2)
        planned = Campaign.objects.editable_by(user).filter(state=CampaignState.PLANNED)
        return self.annotated(planned).filter(enough)

    def cards(self, rows: QuerySet[Campaign], user: User) -> Iterator[Card]:
        for campaign in rows[:MOST]:
            enrolled: int = campaign.enrolled  # type: ignore[attr-defined]
            classic = campaign.format == Format.CLASSIC
            address = (
                reverse("campaigns:begin", args=[campaign.pk])
                if classic
                else f"{reverse('leagues:settings', args=[campaign.pk])}#start"
            )
            sentence = gettext(
                "%(enrolled)s %(warbands)s entered. Start the campaign when you are ready."
            ) % {
                "enrolled": enrolled,
                "warbands": campaign.words.warbands,
            }
            yield _campaign_card(
                self.kind, campaign, sentence, gettext("Start campaign"), address, others_wait=True
            )


class ToFinish(CardOfRows[Campaign]):
    """Running campaigns that the user organises and that have no games left to play."""

    kind = "finish"
    club_path = "club"

    def rows(self, user: User, today: date) -> QuerySet[Campaign]:
        unsettled = Battle.objects.filter(campaign=OuterRef("pk"), state__in=OPEN)
        running = Campaign.objects.editable_by(user).filter(state=CampaignState.RUNNING)
        return running.filter(_all_played(), ~Exists(unsettled))

    def cards(self, rows: QuerySet[Campaign], user: User) -> Iterator[Card]:
        for campaign in rows[:MOST]:
            address = reverse("leagues:finish", args=[campaign.pk])
            sentence = gettext(
                "All planned games are confirmed. End the campaign so that its warbands can enter "
                "another."
            )
            yield _campaign_card(self.kind, campaign, sentence, gettext("End campaign"), address)


class ToEnrol(CardOfRows[Campaign]):
    """Campaigns of the user's clubs that still have games and that the user can enter.

    The user has never had a warband in them.
    """

    kind = "enrol"
    club_path = "club"
    folds = True
    dismissed_by = "pk"

    def rows(self, user: User, today: date) -> QuerySet[Campaign]:
        enrolled = Enrolment.objects.filter(
            Q(player__user=user) | Q(warband__owner=user), campaign=OuterRef("pk")
        )
        rows = Campaign.objects.filter(
            club__in=clubs_of(user, Role.ORGANISER, Role.PLAYER), state__in=GOING
        )
        of_the_campaign = rows.annotate(enrolled=_enrolled()).filter(~Exists(enrolled))
        return of_the_campaign.exclude(format=Format.CLASSIC, enrolled__gte=2).exclude(
            _all_played(), state=CampaignState.RUNNING
        )

    def cards(self, rows: QuerySet[Campaign], user: User) -> Iterator[Card]:
        for campaign in rows.select_related("club")[:MOST]:
            named = {
                "system": system_name(campaign.ruleset),
                "club": campaign.club,
                "points": campaign.points,
            }
            if campaign.shown.points and campaign.points:
                terms = gettext("%(system)s in %(club)s, up to %(points)s points") % named
            else:
                terms = gettext("%(system)s in %(club)s") % named
            sentence = gettext("%(terms)s. You have no %(warband)s in it yet.") % {
                "terms": terms,
                "warband": campaign.words.warband,
            }
            address = reverse("campaigns:enrol", args=[campaign.pk])
            button = gettext("Enter your %(warband)s") % {"warband": campaign.words.warband}
            planned = campaign.started_at is None
            yield _campaign_card(
                self.kind, campaign, sentence, button, address, others_wait=planned
            )

    def folded_title(self, tasks: Sequence[Task]) -> str:
        return ngettext(
            "%(number)s campaign to enter", "%(number)s campaigns to enter", len(tasks)
        ) % {"number": len(tasks)}


class ToPlan(CardOfRows[Enrolment]):
    """The user's warbands in running campaigns that have games left and no open battle.

    Campaigns with rounds are left out, as their fixtures name the opponents.
    """

    kind = "plan"
    club_path = "campaign__club"
    own_action = True

    def annotated(self, rows: QuerySet[Enrolment]) -> QuerySet[Enrolment]:
        return rows.annotate(played=_played())

    def rows(self, user: User, today: date) -> QuerySet[Enrolment]:
        open_battles = Side.objects.filter(
            warband=OuterRef("warband"),
            battle__campaign=OuterRef("campaign"),
            battle__state__in=OPEN,
        )
        rows = self.annotated(_own_enrolments(user))
        # Counting the battles of a campaign takes long, so it is done only if a limit is agreed.
        some = Exists(_confirmed_sides())
        left = (Q(campaign__games__isnull=False) & Q(played__lt=F("campaign__games"))) | (
            Q(campaign__games=None) & ~some
        )
        running = Q(campaign__state=CampaignState.RUNNING) & ~Q(campaign__format=Format.CLASSIC)
        paired = Round.objects.filter(campaign=OuterRef("campaign"))
        return rows.filter(~Exists(open_battles), ~Exists(paired), running, left)

    def cards(self, rows: QuerySet[Enrolment], user: User) -> Iterator[Card]:
        rows = rows.select_related("campaign", "warband")
        for row in rows.order_by("enrolled_at")[:MOST]:
            played: int = row.played  # type: ignore[attr-defined]
            campaign = row.campaign
            values = {"warband": row.warband, "played": played, "games": campaign.games}
            if campaign.games and not played:
                text = gettext(
                    "%(warband)s has played none of %(games)s battles. No battle is planned."
                )
            elif campaign.games:
                text = gettext(
                    "%(warband)s has played %(played)s of %(games)s battles. No battle is planned."
                )
            elif not played:
                text = gettext("%(warband)s has played no battles. No battle is planned.")
            else:
                text = ngettext(
                    "%(warband)s has played %(played)s battle. No battle is planned.",
                    "%(warband)s has played %(played)s battles. No battle is planned.",
                    played,
                )
            address = f"{reverse('leagues:plan')}?{urlencode({'campaign': str(campaign.pk)})}"
            yield Card(
                kind=self.kind,
                subject=row.pk,
                occasion=str(played),
                title=campaign.name,
                sentence=text % values,
                button=gettext("Plan battle"),
                url=address,
                since=campaign.started_at or row.enrolled_at,
            )


class ToRead(CardOfRows[AuditEntry]):
    """Changes of the house rules and terms of the user's campaigns by others, until dismissed.

    The activity log records them with the old and new values. ``card`` is the id of their card.
    """

    kind = "terms"
    dismissed_by = "card"

    def annotated(self, rows: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        return rows.annotate(card=NumberAsId("pk"))

    def rows(self, user: User, today: date) -> QuerySet[AuditEntry]:
        mine = _own_enrolments(user).filter(campaign__state__in=GOING)
        # Imported entries happened on another installation, where their readers had a card
        # already.
        rows = self.annotated(AuditEntry.objects.recorded_here())
        rows = rows.filter(campaign__in=mine.values("campaign"))
        since = mine.filter(campaign=OuterRef("campaign"), enrolled_at__lte=OuterRef("at"))
        terms = Q()
        for field in TERMS:
            terms |= Q(details__changes__has_key=field)
        changed = Q(verb=Verb.HOUSE_RULES_CHANGED) | (Q(verb=Verb.CAMPAIGN_CHANGED) & terms)
        return rows.filter(changed, Exists(since)).exclude(actor=user.pk)

    def cards(self, rows: QuerySet[AuditEntry], user: User) -> Iterator[Card]:
        entries = list(rows.order_by("at", "pk")[:MOST])
        campaigns = Campaign.objects.in_bulk({row.campaign for row in entries})
        people = {
            account.pk: display_name(account)
            for account in User.objects.filter(pk__in={row.actor_id for row in entries})
        }
        for row in entries:
            campaign = campaigns[row.campaign]
            rules = {rule.key: rule for rule in ruleset_of_campaign(campaign).house_rules()}
            values = {
                "who": people.get(row.actor_id or 0, "Muster"),
                "changes": "; ".join(changed_terms(row.details.get("changes") or {}, rules)),
                "reason": row.details.get("reason", ""),
            }
            text = gettext("%(who)s changed the rules. %(changes)s.")
            if values["reason"]:
                text = gettext("%(who)s changed the rules. %(changes)s. Reason: %(reason)s")
            yield Card(
                kind=self.kind,
                subject=row.card,  # type: ignore[attr-defined]
                title=campaign.name,
                sentence=text % values,
                button=gettext("Show campaign log"),
                url=reverse("leagues:log", args=[campaign.pk]),
                since=row.at,
            )


def _campaign_card(
    kind: str,
    campaign: Campaign,
    sentence: str,
    button: str,
    url: str,
    *,
    others_wait: bool = False,
) -> Card:
    return Card(
        kind=kind,
        subject=campaign.pk,
        title=campaign.name,
        sentence=sentence,
        button=button,
        url=url,
        others_wait=others_wait,
        since=campaign.started_at or campaign.created_at,
    )


def _own_enrolments(user: User) -> QuerySet[Enrolment]:
    """Return the user's enrolments in campaigns of their clubs: as player, owner or keeper."""
    return Enrolment.objects.current().played_by(user).filter(campaign__club__in=clubs_of(user))


def _all_played() -> Q:
    """Return the condition that everybody has played the agreed games, or the final is over."""
    final = Battle.objects.filter(
        campaign=OuterRef("pk"), part=Part.FINAL, state=BattleState.CONFIRMED
    )
    behind = Enrolment.objects.current().annotate(played=_played()).filter(campaign=OuterRef("pk"))
    played = Q(games__isnull=False) & ~Exists(behind.filter(played__lt=OuterRef("games")))
    return Q(Exists(final), format=Format.CLASSIC) | (played & ~Q(format=Format.CLASSIC))


def _enrolled() -> Coalesce:
    """Return the number of warbands in the campaign of the outer query."""
    rows = Enrolment.objects.current().filter(campaign=OuterRef("pk"))
    counted = rows.order_by().values("campaign").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0, output_field=IntegerField())


def _played() -> Coalesce:
    """Return the number of confirmed battles of an enrolment's warband in its campaign."""
    rows = _confirmed_sides()
    counted = rows.order_by().values("warband").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0, output_field=IntegerField())


def _confirmed_sides() -> QuerySet[Side]:
    """Return the sides of the outer query's warband in confirmed battles of its campaign."""
    return Side.objects.filter(
        warband=OuterRef("warband"),
        battle__campaign=OuterRef("campaign"),
        battle__state=BattleState.CONFIRMED,
    )
