"""What comes next when nothing waits for a member."""

from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, Exists, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery, UUIDField, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from audit.models import AuditEntry
from audit.verbs import Verb
from battles.models import Answer, Battle, BattleState, Combatant, Dispute, Part, Side, Verdict
from battles.selectors.battle_rows import name_of
from campaigns.eligibility import TERMS
from campaigns.models import (
    Campaign,
    CampaignState,
    Enrolment,
    Format,
    HandOver,
    HandOverState,
    Round,
    SealedOrder,
    Substitute,
)
from clubs.models import Membership, Merge, Role, clubs_of
from core.id_lists import ids_of_any
from home.models import Dismissal
from leagues.selectors.fixtures import OpenFixture, open_fixtures
from warbands.models import RankUpOffer, Warband


def what_comes_next(user: User) -> str:
    """A sentence or two. Three queries at most."""
    mine = Battle.objects.filter(pk__in=Side.objects.played_by(user).values("battle"), state__in=OPEN)
    battle = mine.order_by("fought_on", "created_at").first()
    if battle is not None:
        return _of_battle(battle)
    club = Membership.objects.present().filter(user=user).select_related("club").first()
    if club is None:
        return gettext("Start a club, or ask for an invitation; meanwhile you can muster a warband.")
    running = Campaign.objects.filter(club__memberships__user=user).exclude(state=CampaignState.FINISHED)
    campaign = running.order_by("created_at").first()
    if campaign is None:
        return gettext("Next: a campaign of %(club)s. An organiser plans it, and it will be offered to you here.") % {
            "club": club.club
        }
    if campaign.state == CampaignState.PLANNED:
        return gettext("Next: %(campaign)s begins as soon as an organiser says so.") % {"campaign": campaign}
    return gettext("Next: %(campaign)s goes on. What it asks of you will stand here.") % {"campaign": campaign}


def _of_battle(battle: Battle) -> str:
    """What an open battle of one's own waits for, as it is not oneself."""
    day = date_format(battle.fought_on, gettext("j F"))
    if battle.state == BattleState.PLANNED:
        if battle.fought_on > timezone.localdate():
            return gettext("Next: %(battle)s on %(day)s. You are ready for it.") % {
                "battle": name_of(battle),
                "day": day,
            }
        return gettext("Next: %(battle)s, once the other side has chosen who takes the field.") % {
            "battle": name_of(battle)
        }
    return gettext("Next: %(battle)s of %(day)s will count once the others have had their say.") % {
        "battle": name_of(battle),
        "day": day,
    }


Rows = QuerySet[Any]
Question = Callable[[User, date], Rows]

OPEN = (BattleState.PLANNED, BattleState.UNDER_WAY, BattleState.SUBMITTED, BattleState.DISPUTED)
GOING = (CampaignState.PLANNED, CampaignState.RUNNING)
NEARLY = 10
"""A roster that lacks less than a tenth of the agreed points counts as full."""


def to_confirm(user: User, today: date) -> QuerySet[Battle]:
    """Submitted battles of which a side of one's own has said nothing yet."""
    unsaid = Side.objects.played_by(user).filter(verdict=Verdict.WAITING)
    return Battle.objects.filter(pk__in=unsaid.values("battle"), state=BattleState.SUBMITTED)


def to_decide(user: User, today: date) -> QuerySet[Battle]:
    """Disputed battles that one organises."""
    return Battle.objects.organised_by(user).filter(state=BattleState.DISPUTED)


def to_answer(user: User, today: date) -> QuerySet[Battle]:
    """Battles of one's own that another side disputes, and that are not one's own to decide."""
    agreed = Side.objects.played_by(user).exclude(verdict=Verdict.DISPUTED)
    theirs = Side.objects.filter(battle=OuterRef("pk"), verdict=Verdict.DISPUTED)
    mine = Battle.objects.organised_by(user).values("pk")
    rows = Battle.objects.filter(Exists(theirs), pk__in=agreed.values("battle"), state=BattleState.DISPUTED)
    return rows.exclude(pk__in=mine)


def answered(user: User, today: date) -> QuerySet[Dispute]:
    """Disputes of one's own that somebody else has decided, until one has read so."""
    read = Dismissal.objects.filter(user=user.pk, kind="answered", subject=OuterRef("pk"))
    answers = (Answer.AS_LOGGED, Answer.REOPENED, Answer.VOIDED)
    return Dispute.objects.filter(~Exists(read), raised_by=user.pk, answer__in=answers).exclude(answered_by=user.pk)


def reopened(user: User, today: date) -> QuerySet[Campaign]:
    """Running campaigns that were reopened and in which one plays, until one has read so."""
    read = Dismissal.objects.filter(user=user.pk, kind="reopened", subject=OuterRef("pk"))
    running = Campaign.objects.filter(state=CampaignState.RUNNING, reopened_at__isnull=False)
    return running.filter(~Exists(read), pk__in=_own_enrolments(user).values("campaign"))


def to_field(user: User, today: date) -> QuerySet[Side]:
    """Sides of one's own in planned battles for which nobody takes the field yet."""
    fielded = Combatant.objects.filter(side=OuterRef("pk"))
    return Side.objects.played_by(user).filter(~Exists(fielded), battle__state=BattleState.PLANNED)


def to_start(user: User, today: date) -> QuerySet[Battle]:
    """Planned battles of one's own whose day has come, with all sides in the field."""
    mine = Side.objects.played_by(user).values("battle")
    fielded = Combatant.objects.filter(side=OuterRef("pk"))
    empty = Side.objects.filter(~Exists(fielded), battle=OuterRef("pk"))
    return Battle.objects.filter(~Exists(empty), pk__in=mine, state=BattleState.PLANNED, fought_on__lte=today)


def to_log(user: User, today: date) -> QuerySet[Battle]:
    """Battles of one's own that are under way."""
    return Battle.objects.filter(pk__in=Side.objects.played_by(user).values("battle"), state=BattleState.UNDER_WAY)


def to_seal(user: User, today: date) -> QuerySet[Enrolment]:
    """Warbands in classic campaigns for which one has to seal an order: one's own, and guests' where one organises."""
    standing = SealedOrder.objects.standing().filter(enrolment=OuterRef("pk"))
    organised = Enrolment.objects.filter(campaign__club__in=clubs_of(user, Role.ORGANISER))
    guests = organised.filter(player__in=Membership.objects.vacant())
    running = Q(campaign__format=Format.CLASSIC, campaign__state=CampaignState.RUNNING)
    mine = ids_of_any(Enrolment.objects.filter(player__user=user), guests)
    return Enrolment.objects.current().filter(~Exists(standing), running, pk__in=mine)


def to_plan_the_final(user: User, today: date) -> QuerySet[Campaign]:
    """Classic campaigns in which one plays and whose small games are all confirmed, without a final."""
    small = Battle.objects.filter(campaign=OuterRef("pk"), part=Part.SMALL)
    anew = Battle.objects.filter(campaign=OuterRef("campaign"), part=Part.SMALL, scenario=OuterRef("scenario"))
    struck = small.filter(~Exists(anew.exclude(state=BattleState.VOID)), state=BattleState.VOID)
    final = Battle.objects.filter(campaign=OuterRef("pk"), part=Part.FINAL).exclude(state=BattleState.VOID)
    return Campaign.objects.filter(
        Exists(small.filter(state=BattleState.CONFIRMED)),
        ~Exists(small.filter(state__in=OPEN)),
        ~Exists(struck),
        ~Exists(final),
        pk__in=_own_enrolments(user).values("campaign"),
        format=Format.CLASSIC,
        state=CampaignState.RUNNING,
    )


def to_begin(user: User, today: date) -> QuerySet[Campaign]:
    """Planned campaigns that one organises and that have the warbands they need."""
    enrolled = _enrolled()
    enough = Q(enrolled__gte=2) & ~Q(format=Format.CLASSIC) | Q(enrolled=2)
    planned = Campaign.objects.editable_by(user).filter(state=CampaignState.PLANNED)
    return planned.annotate(enrolled=enrolled).filter(enough)


def to_finish(user: User, today: date) -> QuerySet[Campaign]:
    """Running campaigns that one organises in which everybody has played as many games as were agreed."""
    unsettled = Battle.objects.filter(campaign=OuterRef("pk"), state__in=OPEN)
    running = Campaign.objects.editable_by(user).filter(state=CampaignState.RUNNING)
    return running.filter(_all_played(), ~Exists(unsettled))


def to_enrol(user: User, today: date) -> QuerySet[Campaign]:
    """Campaigns of one's clubs with games to come in which one never had a warband and may have one."""
    enrolled = Enrolment.objects.filter(Q(player__user=user) | Q(warband__owner=user), campaign=OuterRef("pk"))
    dismissed = Dismissal.objects.filter(user=user.pk, kind="enrol", subject=OuterRef("pk"))
    rows = Campaign.objects.filter(club__in=clubs_of(user, Role.ORGANISER, Role.PLAYER), state__in=GOING)
    rows = rows.filter(~Exists(enrolled), ~Exists(dismissed)).annotate(enrolled=_enrolled())
    return rows.exclude(format=Format.CLASSIC, enrolled__gte=2).exclude(_all_played(), state=CampaignState.RUNNING)


def to_recruit(user: User, today: date) -> QuerySet[Warband]:
    """Warbands of one's own that nobody serves in, or that lack points in a campaign and have not fought there yet."""
    begun = Side.objects.filter(warband=OuterRef("warband"), battle__campaign=OuterRef("campaign"))
    fought = begun.exclude(battle__state__in=(BattleState.PLANNED, BattleState.VOID))
    lacking = Enrolment.objects.current().filter(
        ~Exists(fought),
        warband=OuterRef("pk"),
        campaign__state__in=GOING,
        campaign__points__gt=F("warband__points") + F("campaign__points") / NEARLY,
    )
    rows = Warband.objects.filter(Q(owner=user) | Q(keeper=user), archived_at=None)
    rows = rows.annotate(agreed=Subquery(lacking.values("campaign__points")[:1]))
    return rows.filter(Q(agreed__isnull=False) | Q(fighter_count=0))


def to_plan(user: User, today: date) -> QuerySet[Enrolment]:
    """Warbands of one's own in running campaigns with games still to play, no battle that is open, and no rounds, which
    would say against whom."""
    open_battles = Side.objects.filter(
        warband=OuterRef("warband"), battle__campaign=OuterRef("campaign"), battle__state__in=OPEN
    )
    rows = _own_enrolments(user).annotate(played=_played())
    left = Q(played__lt=F("campaign__games")) | Q(campaign__games=None, played=0)
    running = Q(campaign__state=CampaignState.RUNNING) & ~Q(campaign__format=Format.CLASSIC)
    paired = Round.objects.filter(campaign=OuterRef("campaign"))
    return rows.filter(~Exists(open_battles), ~Exists(paired), running, left)


def to_rank_up(user: User, today: date) -> QuerySet[Warband]:
    """Warbands of one's own with veterans who may take a step."""
    current_offers = RankUpOffer.objects.filter(fighter__warband=OuterRef("pk"), sequence=OuterRef("sequence"))
    return Warband.objects.filter(Q(owner=user) | Q(keeper=user), Exists(current_offers), archived_at=None)


def to_take_over(user: User, today: date) -> QuerySet[HandOver]:
    """Warbands that are offered to somebody, who has not answered yet."""
    return HandOver.objects.offered().filter(receiver=user.pk)


def to_note(user: User, today: date) -> QuerySet[HandOver]:
    """What others did with warbands that somebody led or leads now, until it is dismissed.

    What takes effect at once is settled in the moment in which it was made.
    """
    at_once = Q(made_at=F("settled_at"))
    received = Q(receiver=user.pk, state=HandOverState.DONE) & at_once
    declined = Q(giver=user.pk, state=HandOverState.DECLINED)
    accepted = Q(giver=user.pk, state=HandOverState.DONE) & ~at_once
    taken = Q(giver=user.pk, state=HandOverState.DONE) & at_once
    by_oneself = Q(made_by=user.pk)
    dismissed = Dismissal.objects.filter(user=user.pk, kind="handed-over", subject=OuterRef("pk"))
    done = declined | accepted | ((received | taken) & ~by_oneself)
    return HandOver.objects.filter(done, ~Exists(dismissed))


class NumberAsId(Func):
    """A row's number in the form of the ids by which cards are known: 00000000-0000-0000-0000-00000000000c for 12."""

    output_field = UUIDField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return super().as_sql(compiler, connection, template="printf('%%%%032x', %(expressions)s)", **context)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "lpad(to_hex(%(expressions)s), 32, '0')::uuid"
        return super().as_sql(compiler, connection, template=template, **context)


def to_read(user: User, today: date) -> QuerySet[AuditEntry]:
    """Changes of the house rules and terms of campaigns in which one plays, made by others, until they are dismissed.

    The activity log keeps them, with what they changed from what into what. ``card`` is the id of their card.
    """
    mine = _own_enrolments(user).filter(campaign__state__in=GOING)
    # What came with an archive happened elsewhere, and was read there.
    rows = AuditEntry.objects.recorded_here().annotate(card=NumberAsId("pk"))
    rows = rows.filter(campaign__in=mine.values("campaign"))
    since = mine.filter(campaign=OuterRef("campaign"), enrolled_at__lte=OuterRef("at"))
    dismissed = Dismissal.objects.filter(user=user.pk, kind="terms", subject=OuterRef("card"))
    terms = Q()
    for field in TERMS:
        terms |= Q(details__changes__has_key=field)
    changed = Q(verb=Verb.HOUSE_RULES_CHANGED) | (Q(verb=Verb.CAMPAIGN_CHANGED) & terms)
    return rows.filter(changed, Exists(since), ~Exists(dismissed)).exclude(actor=user.pk)


def to_stand_in(user: User, today: date) -> QuerySet[Substitute]:
    """Fixtures that somebody plays for another member, and for which no battle is planned yet."""
    planned = Battle.objects.filter(fixture=OuterRef("fixture")).exclude(state=BattleState.VOID)
    running = Q(fixture__walkover="", fixture__round__campaign__state=CampaignState.RUNNING)
    between = Q(enrolment=F("fixture__home")) | Q(enrolment=F("fixture__away"))
    present = Q(enrolment__left_at__isnull=True)
    return Substitute.objects.filter(running, between, present, ~Exists(planned), player__user=user.pk)


def made_organiser(user: User, today: date) -> QuerySet[Membership]:
    """Memberships in which another organiser has made one an organiser, until one has sent the card away."""
    seen = Dismissal.objects.filter(user=user.pk, kind="organiser", subject=OuterRef("promotion"))
    rows = Membership.objects.present().filter(user=user.pk, role=Role.ORGANISER, promotion__isnull=False)
    return rows.filter(~Exists(seen))


def merged(user: User, today: date) -> QuerySet[Merge]:
    """Merges by which another organiser has given one the seat of a former guest, until one has sent the card away."""
    seen = Dismissal.objects.filter(user=user.pk, kind="merged", subject=OuterRef("pk"))
    rows = Merge.objects.standing().filter(member__user=user.pk).exclude(merged_by=user.pk)
    return rows.filter(~Exists(seen))


def to_play(user: User, today: date) -> tuple[OpenFixture, ...]:
    """Fixtures of one's own for which no battle is planned yet. Two queries.

    Who comes on in a knockout follows from earlier results, so the database cannot count these.
    """
    clubs = set(clubs_of(user).values_list("club__campaigns", flat=True))
    fixtures = open_fixtures(user, today)
    return tuple(each for each in fixtures if each.fixture.playable and each.fixture.campaign in clubs)


def _own_enrolments(user: User) -> QuerySet[Enrolment]:
    """Where one has a seat, or owns or keeps the warband, in campaigns of one's clubs."""
    return Enrolment.objects.current().played_by(user).filter(campaign__club__in=clubs_of(user))


def _all_played() -> Q:
    """Whether everybody in a running campaign has played as many games as were agreed, or its final is over."""
    final = Battle.objects.filter(campaign=OuterRef("pk"), part=Part.FINAL, state=BattleState.CONFIRMED)
    behind = Enrolment.objects.current().annotate(played=_played()).filter(campaign=OuterRef("pk"))
    played = Q(games__isnull=False) & ~Exists(behind.filter(played__lt=OuterRef("games")))
    return Q(Exists(final), format=Format.CLASSIC) | (played & ~Q(format=Format.CLASSIC))


def _enrolled() -> Coalesce:
    """How many warbands are in the campaign of the outer query."""
    rows = Enrolment.objects.current().filter(campaign=OuterRef("pk"))
    counted = rows.order_by().values("campaign").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0, output_field=IntegerField())


def _played() -> Coalesce:
    """How many battles of its campaign the warband of an enrolment has fought."""
    rows = Side.objects.filter(
        warband=OuterRef("warband"), battle__campaign=OuterRef("campaign"), battle__state=BattleState.CONFIRMED
    )
    counted = rows.order_by().values("warband").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0, output_field=IntegerField())


QUESTIONS: tuple[Question, ...] = (
    to_confirm,
    to_decide,
    to_answer,
    answered,
    reopened,
    to_field,
    to_start,
    to_log,
    to_seal,
    to_plan_the_final,
    to_begin,
    to_finish,
    to_enrol,
    to_recruit,
    to_plan,
    to_rank_up,
    to_take_over,
    to_note,
    to_read,
    to_stand_in,
    made_organiser,
    merged,
)

DISMISSED_BY: dict[str, tuple[Question, str]] = {
    "enrol": (to_enrol, "pk"),
    "organiser": (made_organiser, "promotion"),
    "merged": (merged, "pk"),
    "handed-over": (to_note, "pk"),
    "terms": (to_read, "card"),
    "answered": (answered, "pk"),
    "reopened": (reopened, "pk"),
}
"""The kinds of card that can be sent away for good: their question, and the column that names the card."""

ANYBODY, SOME_DAY = User(pk=-1), date.min
"""Where a member and a day belong in the question that is put together for all."""


def number_waiting(user: User, today: date) -> int:
    """How many cards there are for a member. Four queries at most."""
    return sum(numbers_waiting(user, today).values()) + len(to_play(user, today))


def numbers_waiting(user: User, today: date) -> dict[Question, int]:
    """How many rows each question finds for a member; those that find none are left out. One query."""
    statement, values = _counting(connection.vendor)
    some_day = connection.ops.adapt_datefield_value(SOME_DAY)
    own = {ANYBODY.pk: user.pk, some_day: connection.ops.adapt_datefield_value(today)}
    with connection.cursor() as cursor:
        cursor.execute(statement, [own.get(value, value) for value in values])
        return {QUESTIONS[place]: number for place, number in cursor.fetchall()}


@cache
def _counting(vendor: str) -> tuple[str, tuple[Any, ...]]:
    """One statement that counts the rows of each question, and its values, for that kind of database.

    To put it together takes twenty times as long as to have it answered, and only the member and the day ever change.
    """
    # Ids of different types cannot stand in one column: of every row the place of its question is enough to count it.
    first, *others = (
        question(ANYBODY, SOME_DAY)
        .order_by()
        .annotate(asked=Value(place, output_field=IntegerField()))
        .values_list("asked")
        for place, question in enumerate(QUESTIONS)
    )
    rows, values = first.union(*others, all=True).query.sql_with_params()
    return f"SELECT ASKED, COUNT(*) FROM ({rows}) WAITING GROUP BY ASKED", values  # noqa: S608
