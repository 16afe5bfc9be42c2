"""Cards of battles and fixtures: plan, choose a line-up, start, record, confirm, and disputes."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from battles.models import (
    Answer,
    Battle,
    BattleEvent,
    BattleState,
    Combatant,
    Dispute,
    Side,
    Verdict,
    organised_disputes,
)
from battles.selectors.battle_rows import name_of
from campaigns.models import CampaignState, Round, Substitute
from core.display_names import display_name
from core.ruleset_words import join_names
from home.selectors.card_kinds import (
    MOST,
    Card,
    CardOfRows,
    ComputedCards,
    Task,
    Urgency,
    moment_text,
)
from leagues.selectors.fixtures import OpenFixture, number_of_playable_fixtures, open_fixtures

BATTLE_COLUMNS = (
    "title",
    "scenario",
    "ruleset",
    "edition",
    "fought_on",
    "created_at",
    "submitted_at",
    "submitted_by",
)
"""The columns of battles that their cards show."""
SIDE_COLUMNS = ("battle", "verdict", "dispute", "decided_by", "warband__name")
"""The columns of sides that cards of battles show."""


class BattleCards(CardOfRows[Battle]):
    """A kind whose cards are battles. Battles of several kinds can be read together."""

    club_path = "campaign__club"

    @abstractmethod
    def card(self, battle: Battle) -> Card:
        """Return the card of a battle that ``read_battles`` has read."""

    def cards(self, rows: QuerySet[Battle], user: User) -> Iterator[Card]:
        return map(self.card, read_battles(rows))


class ToConfirm(BattleCards):
    """Submitted battles that a side of the user has not confirmed or disputed yet."""

    kind = "confirm"
    urgency = Urgency.RESULT

    def rows(self, user: User, today: date) -> QuerySet[Battle]:
        unsaid = Side.objects.open_for(user).filter(verdict=Verdict.WAITING)
        return Battle.objects.filter(pk__in=unsaid.values("battle"), state=BattleState.SUBMITTED)

    def card(self, battle: Battle) -> Card:
        sentence = gettext("%(name)s entered the result. Confirm or dispute it.") % {
            "name": _submitter(battle)
        }
        return _submitted_card(self.kind, battle, sentence, gettext("Check result"))


class ToDecide(BattleCards):
    """Disputed battles that the user can decide as an organiser."""

    kind = "decide"
    urgency = Urgency.DISPUTE

    def rows(self, user: User, today: date) -> QuerySet[Battle]:
        return Battle.objects.filter(pk__in=organised_disputes(user))

    def card(self, battle: Battle) -> Card:
        return _submitted_card(
            self.kind,
            battle,
            gettext("%(dispute)s Decide which result counts.") % {"dispute": _dispute(battle)},
            gettext("Decide dispute"),
        )


class ToAnswer(BattleCards):
    """The user's battles that another side disputes and that the user cannot decide."""

    kind = "answer"
    urgency = Urgency.DISPUTE

    def rows(self, user: User, today: date) -> QuerySet[Battle]:
        agreed = Side.objects.open_for(user).exclude(verdict=Verdict.DISPUTED)
        theirs = Side.objects.filter(battle=OuterRef("pk"), verdict=Verdict.DISPUTED)
        rows = Battle.objects.filter(
            Exists(theirs), pk__in=agreed.values("battle"), state=BattleState.DISPUTED
        )
        return rows.exclude(pk__in=organised_disputes(user))

    def card(self, battle: Battle) -> Card:
        sentence = gettext("%(dispute)s Correct the log, or let an organiser decide.") % {
            "dispute": _dispute(battle)
        }
        return _submitted_card(self.kind, battle, sentence, gettext("Answer dispute"))


class Answered(CardOfRows[Dispute]):
    """The user's disputes that another user has decided, until the card is dismissed."""

    kind = "answered"
    dismissed_by = "pk"

    def rows(self, user: User, today: date) -> QuerySet[Dispute]:
        answers = (Answer.AS_LOGGED, Answer.REOPENED, Answer.VOIDED)
        return Dispute.objects.filter(raised_by=user.pk, answer__in=answers).exclude(
            answered_by=user.pk
        )

    def cards(self, rows: QuerySet[Dispute], user: User) -> Iterator[Card]:
        rows = rows.select_related("battle__campaign", "answered_by").order_by("answered_at", "pk")
        for dispute in rows[:MOST]:
            values = {
                "answer": Answer(dispute.answer).label,
                "who": display_name(dispute.answered_by),
            }
            if dispute.answer_reason:
                text = gettext("%(who)s decided your dispute. %(answer)s: “%(reason)s”")
            else:
                text = gettext("%(who)s decided your dispute. %(answer)s.")
            yield Card(
                kind=self.kind,
                subject=dispute.pk,
                title=name_of(dispute.battle),
                sentence=text % {**values, "reason": dispute.answer_reason},
                button=gettext("Show decision"),
                url=f"{_battle(dispute.battle)}#disputes",
                since=dispute.answered_at,
            )


class ToField(CardOfRows[Side]):
    """The user's sides in planned battles that have no line-up yet."""

    kind = "field"
    club_path = "battle__campaign__club"

    def rows(self, user: User, today: date) -> QuerySet[Side]:
        fielded = Combatant.objects.filter(side=OuterRef("pk"))
        return Side.objects.open_for(user).filter(
            ~Exists(fielded), battle__state=BattleState.PLANNED
        )

    def cards(self, rows: QuerySet[Side], user: User) -> Iterator[Card]:
        rows = rows.select_related("battle__campaign", "warband")
        sides = Prefetch("battle__sides", Side.objects.select_related("warband").order_by("place"))
        for side in rows.prefetch_related(sides).order_by("battle__fought_on", "pk")[:MOST]:
            battle, words = side.battle, side.battle.words
            yield Card(
                kind=self.kind,
                subject=side.pk,
                title=_against(battle, side),
                sentence=gettext("Choose which %(fighters)s of %(warband)s take part.")
                % {"fighters": words.fighters, "warband": side.warband},
                button=gettext("Choose line-up"),
                url=reverse("battles:field", args=[battle.pk, side.key]),
                others_wait=True,
                deadline=battle.fought_on,
                since=battle.created_at,
            )


class ToPlay(ComputedCards):
    """The user's fixtures without a planned battle. Two queries count them, two read them.

    In a knockout, the pairings follow from earlier results, so the database cannot count them.
    """

    kind = "play"
    needs = Round
    folds = True
    next_alone = True

    def number(self, user: User, today: date) -> int:
        return number_of_playable_fixtures(user)

    def read(self, user: User, today: date) -> Iterator[Card]:
        fixtures = open_fixtures(user, today, in_own_clubs=True)
        playable = [each for each in fixtures if each.fixture.playable]
        for open_fixture in playable[:MOST]:
            yield fixture_card(open_fixture)

    def folded_title(self, tasks: Sequence[Task]) -> str:
        last = max((task.deadline for task in tasks if task.deadline), default=None)
        values = {"number": len(tasks), "day": date_format(last, gettext("j F")) if last else ""}
        if last is None:
            text = ngettext("%(number)s more fixture", "%(number)s more fixtures", len(tasks))
        else:
            text = ngettext(
                "%(number)s more fixture until %(day)s",
                "%(number)s more fixtures until %(day)s",
                len(tasks),
            )
        return text % values


class ToStart(BattleCards):
    """The user's planned battles whose day has come and whose sides all have a line-up."""

    kind = "start"
    urgency = Urgency.BATTLE
    own_action = True

    def rows(self, user: User, today: date) -> QuerySet[Battle]:
        mine = Side.objects.open_for(user).values("battle")
        fielded = Combatant.objects.filter(side=OuterRef("pk"))
        empty = Side.objects.filter(~Exists(fielded), battle=OuterRef("pk"))
        return Battle.objects.filter(
            ~Exists(empty), pk__in=mine, state=BattleState.PLANNED, fought_on__lte=today
        )

    def card(self, battle: Battle) -> Card:
        sentence = gettext("Both line-ups are ready. Start the battle.")
        return _battle_card(
            self.kind, battle, sentence, gettext("Open battle"), deadline=battle.fought_on
        )


class ToLog(BattleCards):
    """The user's battles in progress."""

    kind = "log"
    urgency = Urgency.BATTLE
    own_action = True

    def rows(self, user: User, today: date) -> QuerySet[Battle]:
        return Battle.objects.filter(
            pk__in=Side.objects.open_for(user).values("battle"), state=BattleState.UNDER_WAY
        )

    def card(self, battle: Battle) -> Card:
        # Without an entry, the way of recording is still open: the battle's page offers the
        # choice, with the live log first.
        if not battle.has_entries:  # type: ignore[attr-defined]
            button, page = gettext("Open battle"), "battles:battle"
        elif battle.has_turns:  # type: ignore[attr-defined]
            button, page = gettext("Open live log"), "battles:table"
        else:
            button, page = gettext("Enter result"), "battles:sheet"
        return _battle_card(
            self.kind,
            battle,
            gettext("In progress. Record the battle, then submit the result."),
            button,
            url=reverse(page, args=[battle.pk]),
        )


class ToStandIn(CardOfRows[Substitute]):
    """Fixtures without a planned battle that the user plays as a substitute."""

    kind = "stand-in"
    club_path = "fixture__round__campaign__club"

    def rows(self, user: User, today: date) -> QuerySet[Substitute]:
        planned = Battle.objects.filter(fixture=OuterRef("fixture")).exclude(state=BattleState.VOID)
        running = Q(fixture__walkover="", fixture__round__campaign__state=CampaignState.RUNNING)
        between = Q(enrolment=F("fixture__home")) | Q(enrolment=F("fixture__away"))
        present = Q(enrolment__left_at__isnull=True)
        return Substitute.objects.filter(
            running, between, present, ~Exists(planned), player__user=user.pk
        )

    def cards(self, rows: QuerySet[Substitute], user: User) -> Iterator[Card]:
        rows = rows.select_related(
            "fixture__round__campaign", "enrolment__warband", "enrolment__player"
        )
        for row in rows.order_by("fixture__round__number", "pk")[:MOST]:
            campaign, enrolment = row.fixture.round.campaign, row.enrolment
            query = urlencode({"campaign": str(campaign.pk), "fixture": str(row.fixture_id)})
            yield Card(
                kind=self.kind,
                subject=row.pk,
                title=f"{campaign.name}, {row.fixture.round}",
                sentence=gettext("You play %(warband)s for %(player)s.")
                % {"warband": enrolment.warband.name, "player": enrolment.player.name},
                button=gettext("Plan battle"),
                url=f"{reverse('leagues:plan')}?{query}",
                others_wait=True,
                deadline=row.fixture.due,
            )


def fixture_card(open_fixture: OpenFixture) -> Card:
    """Return the card of a fixture for the player of its own side."""
    row, opponent = open_fixture.fixture, open_fixture.opponent
    query = urlencode({"campaign": str(row.campaign), "against": str(opponent.warband)})
    sentence = gettext("Play %(player)s: %(own)s against %(other)s.")
    if row.postponed:
        sentence = gettext("Play %(player)s: %(own)s against %(other)s. Postponed: %(reason)s")
    values = {
        "player": opponent.player_name,
        "own": open_fixture.own.name,
        "other": opponent.name,
        "reason": row.postponed,
    }
    return Card(
        kind=ToPlay.kind,
        subject=row.id,
        title=f"{open_fixture.campaign_name}, {row.round_name}",
        sentence=sentence % values,
        button=gettext("Plan battle"),
        url=f"{reverse('leagues:plan')}?{query}",
        others_wait=True,
        deadline=row.deadline,
    )


def read_battles(rows: QuerySet[Battle]) -> list[Battle]:
    """Return the battles with the data of their cards, and no other columns. Two queries."""
    sides = Side.objects.select_related("warband", "decided_by").only(*SIDE_COLUMNS)
    entries = BattleEvent.objects.filter(battle=OuterRef("pk"))
    battles = rows.select_related("submitted_by").only(*BATTLE_COLUMNS)
    battles = battles.prefetch_related(Prefetch("sides", sides.order_by("place"))).annotate(
        has_entries=Exists(entries), has_turns=Exists(entries.filter(turn__isnull=False))
    )
    return list(battles.order_by("fought_on", "created_at")[:MOST])


def _battle_card(
    kind: str,
    battle: Battle,
    sentence: str,
    button: str,
    *,
    url: str = "",
    since: datetime | None = None,
    occasion: str = "",
    deadline: date | None = None,
) -> Card:
    return Card(
        kind=kind,
        subject=battle.pk,
        occasion=occasion,
        title=_title(battle),
        sentence=sentence,
        button=button,
        url=url or _battle(battle),
        others_wait=True,
        deadline=deadline,
        since=since or battle.created_at,
    )


def _submitted_card(kind: str, battle: Battle, sentence: str, button: str) -> Card:
    """Return the card of a submitted battle.

    If it is submitted again, it gets another ``occasion``.
    """
    moment = battle.submitted_at
    return _battle_card(kind, battle, sentence, button, since=moment, occasion=moment_text(moment))


def _title(battle: Battle) -> str:
    """Return the title of a battle: its name and its warbands."""
    return f"{name_of(battle)}: {' – '.join(side.warband.name for side in battle.sides.all())}"


def _against(battle: Battle, own_side: Side) -> str:
    others = join_names(side.warband.name for side in battle.sides.all() if side.pk != own_side.pk)
    values = {"battle": name_of(battle), "others": others}
    return gettext("%(battle)s against %(others)s") % values if others else name_of(battle)


def _submitter(battle: Battle) -> str:
    return display_name(battle.submitted_by) if battle.submitted_by else gettext("Someone")


def _dispute(battle: Battle) -> str:
    """Return who disputes a battle, with their reason."""
    disputing = [side for side in battle.sides.all() if side.verdict == Verdict.DISPUTED]
    if not disputing:
        return gettext("This result is disputed.")
    who = (
        display_name(disputing[0].decided_by)
        if disputing[0].decided_by
        else disputing[0].warband.name
    )
    return gettext("Disputed by %(who)s: “%(dispute)s”") % {
        "who": who,
        "dispute": disputing[0].dispute,
    }


def _battle(battle: Battle) -> str:
    return reverse("battles:battle", args=[battle.pk])
