"""The inbox of a member: a card for each thing that waits, with one button that opens exactly it."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Count, Prefetch
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from msgspec import Struct
from msgspec.structs import replace

from battles.models import Answer, Battle, BattleEvent, Side, Verdict
from battles.selectors.battle_rows import name_of
from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, Format, HandOverState, SealedOrder
from campaigns.selectors.audit_details import changed_terms
from campaigns.selectors.hand_overs import with_people
from core.display_names import display_name
from core.ruleset_words import join_names
from home.selectors import waiting
from home.selectors.waiting import what_comes_next
from rulebook.registry import system_name
from warbands.models import Fighter, RankUpOffer

MOST = 50
"""So many cards of a kind are read at most; the number counts all."""
DISMISSIBLE = frozenset(waiting.DISMISSED_BY)
"""Kinds of card that can be sent away for good."""
OF_ONES_OWN = frozenset({"start", "log", "recruit", "plan"})
"""Kinds that follow from what one does oneself: no letter is written at once for one of these alone."""


class Card(Struct, frozen=True):
    """Something that waits: what of, what is to be done, and the button that opens it.

    ``kind`` and ``subject`` name it, and ``occasion`` tells apart how often it came to wait. ``url`` is the path of a
    page of this site. ``others_wait`` says whether somebody cannot go on before; ``dismissible`` whether it can be sent
    away for good. ``deadline`` is the last day for it, ``since`` when it came to wait, where anybody notes that.
    """

    kind: str
    subject: UUID
    title: str
    sentence: str
    button: str
    url: str
    occasion: str = ""
    others_wait: bool = False
    dismissible: bool = False
    deadline: date | None = None
    since: datetime | None = None

    @property
    def pressing(self) -> bool:
        """Whether it stands with those that cannot wait for a free evening."""
        return self.others_wait or self.deadline is not None


class Inbox(Struct, frozen=True):
    """All that waits for a member, the most pressing first; ``number`` counts it, ``cards`` may leave some out.

    ``coming`` says in a sentence what comes next when nothing waits, and is "" otherwise.
    """

    number: int
    cards: tuple[Card, ...]
    coming: str


def inbox_of(user: User) -> Inbox:
    """The inbox of a member, today in the present time zone. A query for each kind of card and one to count."""
    today = timezone.localdate()
    cards = cards_for(user, today)
    number = waiting.number_waiting(user, today) if len(cards) >= MOST else len(cards)
    return Inbox(number, cards, "" if cards else what_comes_next(user))


def cards_for(user: User, today: date) -> tuple[Card, ...]:
    """The cards of a member: first what is due, by its day, then what others wait for, then the rest; the oldest first.

    One query counts what there is; only kinds that have a card are read, by a fixed number of queries each.
    """
    waits = waiting.numbers_waiting(user, today)
    readers = [reader for question, reader in READERS if question is None or question in waits]
    cards = [card for reader in readers for card in reader(user, today)]
    return tuple(sorted(cards, key=_urgency))


def _urgency(card: Card) -> tuple[date, bool, datetime]:
    return card.deadline or date.max, not card.others_wait, card.since or datetime.min.replace(tzinfo=UTC)


def _to_confirm(user: User, today: date) -> Iterator[Card]:
    for battle in _battles(waiting.to_confirm(user, today)):
        sentence = gettext("The result was entered by %(name)s. Confirm it, or say what is wrong.") % {
            "name": _submitter(battle)
        }
        yield _submitted_card("confirm", battle, sentence, gettext("Check and confirm"))


def _to_decide(user: User, today: date) -> Iterator[Card]:
    for battle in _battles(waiting.to_decide(user, today)):
        yield _submitted_card(
            "decide",
            battle,
            gettext("%(dispute)s Decide what counts.") % {"dispute": _dispute(battle)},
            gettext("Decide"),
        )


def _to_answer(user: User, today: date) -> Iterator[Card]:
    for battle in _battles(waiting.to_answer(user, today)):
        sentence = gettext("%(dispute)s Mend the log, or leave it to an organiser.") % {"dispute": _dispute(battle)}
        yield _submitted_card("answer", battle, sentence, gettext("Answer the dispute"))


def _answered(user: User, today: date) -> Iterator[Card]:
    rows = waiting.answered(user, today).select_related("battle__campaign", "answered_by").order_by("answered_at", "pk")
    for dispute in rows[:MOST]:
        values = {"answer": Answer(dispute.answer).label, "who": display_name(dispute.answered_by)}
        if dispute.answer_reason:
            text = gettext("%(who)s has decided your dispute. %(answer)s: “%(reason)s”")
        else:
            text = gettext("%(who)s has decided your dispute. %(answer)s.")
        yield Card(
            kind="answered",
            subject=dispute.pk,
            title=name_of(dispute.battle),
            sentence=text % {**values, "reason": dispute.answer_reason},
            button=gettext("Read the decision"),
            url=f"{_battle(dispute.battle)}#disputes",
            dismissible=True,
            since=dispute.answered_at,
        )


def _reopened(user: User, today: date) -> Iterator[Card]:
    for campaign in waiting.reopened(user, today)[:MOST]:
        sentence = gettext("An organiser has reopened the campaign: it goes on, and you are in it.")
        address = reverse("leagues:campaign", args=[campaign.pk])
        card = _campaign_card("reopened", campaign, sentence, gettext("Open the campaign"), address)
        yield replace(card, occasion=_moment(campaign.reopened_at), since=campaign.reopened_at)


def _to_field(user: User, today: date) -> Iterator[Card]:
    rows = waiting.to_field(user, today).select_related("battle__campaign", "warband")
    sides = Prefetch("battle__sides", Side.objects.select_related("warband").order_by("place"))
    for side in rows.prefetch_related(sides).order_by("battle__fought_on", "pk")[:MOST]:
        battle, words = side.battle, side.battle.words
        yield Card(
            kind="field",
            subject=side.pk,
            title=_against(battle, side),
            sentence=gettext("Choose which %(fighters)s of %(warband)s take the field.")
            % {"fighters": words.fighters, "warband": side.warband},
            button=gettext("Choose %(fighters)s") % {"fighters": words.fighters},
            url=reverse("battles:field", args=[battle.pk, side.key]),
            others_wait=True,
            deadline=battle.fought_on,
            since=battle.created_at,
        )


def _to_play(user: User, today: date) -> Iterator[Card]:
    for open_fixture in waiting.to_play(user, today)[:MOST]:
        row, opponent = open_fixture.fixture, open_fixture.opponent
        query = urlencode({"campaign": str(row.campaign), "against": str(opponent.warband)})
        sentence = gettext("Play %(player)s: %(own)s against %(other)s.")
        if row.postponed:
            sentence = gettext("Play %(player)s: %(own)s against %(other)s. Postponed: %(reason)s")
        yield Card(
            kind="play",
            subject=row.id,
            title=f"{open_fixture.campaign_name}, {row.round_name}",
            sentence=sentence
            % {
                "player": opponent.player_name,
                "own": open_fixture.own.name,
                "other": opponent.name,
                "reason": row.postponed,
            },
            button=gettext("Plan the battle"),
            url=f"{reverse('leagues:plan')}?{query}",
            others_wait=True,
            deadline=row.deadline,
        )


def _to_start(user: User, today: date) -> Iterator[Card]:
    for battle in _battles(waiting.to_start(user, today)):
        sentence = gettext("Both sides are in the field. Let the battle begin.")
        yield _battle_card("start", battle, sentence, gettext("Open the battle"), deadline=battle.fought_on)


def _to_log(user: User, today: date) -> Iterator[Card]:
    to_log = waiting.to_log(user, today)
    # Without an entry it is open how the battle is logged: its own page asks, and offers the live log first.
    with_turns = dict(
        BattleEvent.objects.filter(battle__in=to_log.values("pk"))
        .values_list("battle")
        .annotate(turns=Count("turn"))
        .order_by()
    )
    for battle in _battles(to_log):
        if battle.pk not in with_turns:
            button, url = gettext("Open the battle"), reverse("battles:battle", args=[battle.pk])
        elif with_turns[battle.pk]:
            button, url = gettext("Go on at the table"), reverse("battles:table", args=[battle.pk])
        else:
            button, url = gettext("Enter the result"), reverse("battles:sheet", args=[battle.pk])
        yield _battle_card(
            "log", battle, gettext("It is under way. Log what happened, and submit it."), button, url=url
        )


def _to_seal(user: User, today: date) -> Iterator[Card]:
    rows = waiting.to_seal(user, today).select_related("campaign", "warband", "order")
    for row in rows.order_by("enrolled_at")[:MOST]:
        address = reverse("leagues:seal", args=[row.campaign_id])
        lapsed: SealedOrder | None = getattr(row, "order", None)
        yield Card(
            kind="seal",
            subject=row.pk,
            occasion=_moment(lapsed.sealed_at) if lapsed else "",
            title=row.campaign.name,
            sentence=gettext(
                "Say who of %(warband)s goes into which small game. Nobody sees it before all orders are in."
            )
            % {"warband": row.warband},
            button=gettext("Seal the order"),
            url=f"{address}?{urlencode({'warband': str(row.warband_id)})}",
            others_wait=True,
            since=row.campaign.started_at or row.enrolled_at,
        )


def _to_plan_the_final(user: User, today: date) -> Iterator[Card]:
    for campaign in waiting.to_plan_the_final(user, today)[:MOST]:
        sentence = gettext("All small games are confirmed: the final can be planned.")
        address = reverse("leagues:classic", args=[campaign.pk])
        yield _campaign_card("final", campaign, sentence, gettext("Plan the final"), address, others_wait=True)


def _to_begin(user: User, today: date) -> Iterator[Card]:
    for campaign in waiting.to_begin(user, today)[:MOST]:
        enrolled: int = campaign.enrolled  # type: ignore[attr-defined]
        classic = campaign.format == Format.CLASSIC
        address = reverse("campaigns:begin" if classic else "leagues:settings", args=[campaign.pk])
        sentence = gettext("%(enrolled)s %(warbands)s are enrolled: it can begin when you say so.") % {
            "enrolled": enrolled,
            "warbands": campaign.words.warbands,
        }
        yield _campaign_card("begin", campaign, sentence, gettext("Let it begin"), address, others_wait=True)


def _to_finish(user: User, today: date) -> Iterator[Card]:
    for campaign in waiting.to_finish(user, today)[:MOST]:
        address = reverse("leagues:settings", args=[campaign.pk])
        sentence = gettext(
            "Everything that was agreed is played and confirmed. End it, and its warbands are free for another."
        )
        yield _campaign_card("finish", campaign, sentence, gettext("End the campaign"), address)


def _to_enrol(user: User, today: date) -> Iterator[Card]:
    for campaign in waiting.to_enrol(user, today).select_related("club")[:MOST]:
        named = {"system": system_name(campaign.ruleset), "club": campaign.club, "points": campaign.points}
        if campaign.shown.points and campaign.points:
            terms = gettext("%(system)s in %(club)s, %(points)s points") % named
        else:
            terms = gettext("%(system)s in %(club)s") % named
        sentence = gettext("%(terms)s: you have no %(warband)s in it.") % {
            "terms": terms,
            "warband": campaign.words.warband,
        }
        address = reverse("campaigns:enrol", args=[campaign.pk])
        button = gettext("Enrol your %(warband)s") % {"warband": campaign.words.warband}
        planned = campaign.started_at is None
        yield _campaign_card("enrol", campaign, sentence, button, address, others_wait=planned)


def _to_recruit(user: User, today: date) -> Iterator[Card]:
    for warband in waiting.to_recruit(user, today).order_by("created_at")[:MOST]:
        agreed: int | None = warband.agreed  # type: ignore[attr-defined]
        words = warband.words
        counted = (
            gettext("%(points)s of %(agreed)s points. Recruit up to what was agreed.")
            % {"points": warband.points, "agreed": agreed}
            if agreed
            else ""
        )
        yield Card(
            kind="recruit",
            subject=warband.pk,
            occasion="" if warband.fighter_count else "empty",
            title=warband.name,
            sentence=counted or gettext("It has no %(fighters)s yet.") % {"fighters": words.fighters},
            button=gettext("Recruit %(fighters)s") % {"fighters": words.fighters},
            url=reverse("warbands:build", args=[warband.pk]),
            since=warband.created_at,
        )


def _to_plan(user: User, today: date) -> Iterator[Card]:
    rows = waiting.to_plan(user, today).select_related("campaign", "warband")
    for row in rows.order_by("enrolled_at")[:MOST]:
        played: int = row.played  # type: ignore[attr-defined]
        campaign = row.campaign
        values = {"warband": row.warband, "played": played, "games": campaign.games}
        if campaign.games and not played:
            text = gettext("%(warband)s has fought none of %(games)s games, and no battle is planned.")
        elif campaign.games:
            text = gettext("%(warband)s has fought %(played)s of %(games)s games, and no battle is planned.")
        elif not played:
            text = gettext("%(warband)s has fought no games, and no battle is planned.")
        else:
            text = ngettext(
                "%(warband)s has fought %(played)s game, and no battle is planned.",
                "%(warband)s has fought %(played)s games, and no battle is planned.",
                played,
            )
        address = f"{reverse('leagues:plan')}?{urlencode({'campaign': str(campaign.pk)})}"
        yield Card(
            kind="plan",
            subject=row.pk,
            occasion=str(played),
            title=campaign.name,
            sentence=text % values,
            button=gettext("Plan a battle"),
            url=address,
            since=campaign.started_at or row.enrolled_at,
        )


def _to_rank_up(user: User, today: date) -> Iterator[Card]:
    warbands = waiting.to_rank_up(user, today).order_by("name", "pk")[:MOST]
    offers = RankUpOffer.objects.filter(fighter__warband__in=waiting.to_rank_up(user, today).values("pk"))
    risers: dict[UUID, list[tuple[Fighter, datetime]]] = {}
    for offer in offers.select_related("fighter__warband").order_by("fighter__place"):
        if offer.sequence == offer.fighter.warband.sequence:
            risers.setdefault(offer.fighter.warband_id, []).append((offer.fighter, offer.prepared_at))
    for warband in warbands:
        offered, words = risers.get(warband.pk, []), warband.words
        if not offered:
            continue
        first, since = offered[0]
        battles = sum(warband.state.get(outcome, 0) for outcome in ("won", "drawn", "lost"))
        others = len(offered) - 1
        values = {"name": first, "others": others, "step": words.step}
        values["fighters"] = words.fighter if others == 1 else words.fighters
        if others:
            text = gettext("%(name)s and %(others)s %(fighters)s more may take a %(step)s.")
        else:
            text = gettext("%(name)s may take a %(step)s.")
        yield Card(
            kind="rank-up",
            subject=warband.pk,
            occasion=f"{battles}-{warband.experience}",
            title=warband.name,
            sentence=text % values,
            button=gettext("Choose a %(step)s") % {"step": words.step},
            url=reverse("warbands:rank-ups", args=[first.pk]),
            since=since,
        )


def _to_take_over(user: User, today: date) -> Iterator[Card]:
    for offer in with_people(waiting.to_take_over(user, today)).order_by("made_at", "pk")[:MOST]:
        yield Card(
            kind="hand-over",
            subject=offer.pk,
            title=offer.warband.name,
            sentence=gettext("%(giver)s offers you this warband. Accept or decline it.") % {"giver": offer.giver_name},
            button=gettext("Answer the offer"),
            url=reverse("campaigns:offer", args=[offer.pk]),
            others_wait=True,
            since=offer.made_at,
        )


def _to_note(user: User, today: date) -> Iterator[Card]:
    for row in with_people(waiting.to_note(user, today)).order_by("settled_at", "pk")[:MOST]:
        named = {"player": row.receiver_name, "who": display_name(row.made_by)}
        if row.state == HandOverState.DECLINED:
            text = gettext("%(player)s declined to take over this warband. It stays yours.")
        elif row.receiver_id == user.pk:
            text = gettext("%(who)s transferred this warband to you. It is yours now.")
        elif row.made_by_id == user.pk:
            text = gettext("%(player)s accepted this warband and owns it now.")
        else:
            text = gettext("%(who)s transferred this warband to %(player)s. You cannot change it any more.")
        yield Card(
            kind="handed-over",
            subject=row.pk,
            title=row.warband.name,
            sentence=text % named,
            button=gettext("Show the transfer"),
            url=reverse("campaigns:offer", args=[row.pk]),
            dismissible=True,
            since=row.settled_at,
        )


def _to_read(user: User, today: date) -> Iterator[Card]:
    rows = list(waiting.to_read(user, today).order_by("at", "pk")[:MOST])
    campaigns = Campaign.objects.in_bulk({row.campaign for row in rows})
    people = {
        account.pk: display_name(account) for account in User.objects.filter(pk__in={row.actor_id for row in rows})
    }
    for row in rows:
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
            kind="terms",
            subject=row.card,  # type: ignore[attr-defined]
            title=campaign.name,
            sentence=text % values,
            button=gettext("Show the campaign log"),
            url=reverse("leagues:log", args=[campaign.pk]),
            dismissible=True,
            since=row.at,
        )


def _to_stand_in(user: User, today: date) -> Iterator[Card]:
    rows = waiting.to_stand_in(user, today).select_related(
        "fixture__round__campaign", "enrolment__warband", "enrolment__player"
    )
    for row in rows.order_by("fixture__round__number", "pk")[:MOST]:
        campaign, enrolment = row.fixture.round.campaign, row.enrolment
        query = urlencode({"campaign": str(campaign.pk), "fixture": str(row.fixture_id)})
        yield Card(
            kind="stand-in",
            subject=row.pk,
            title=f"{campaign.name}, {row.fixture.round}",
            sentence=gettext("You play %(warband)s for %(player)s.")
            % {"warband": enrolment.warband.name, "player": enrolment.player.name},
            button=gettext("Plan the battle"),
            url=f"{reverse('leagues:plan')}?{query}",
            others_wait=True,
            deadline=row.fixture.due,
        )


def _made_organiser(user: User, today: date) -> Iterator[Card]:
    for member in waiting.made_organiser(user, today).select_related("club").order_by("club__name", "pk")[:MOST]:
        if member.promotion is not None:
            yield Card(
                kind="organiser",
                subject=member.promotion,
                title=member.club.name,
                sentence=gettext("You are an organiser of this club now: you run campaigns and decide disputes."),
                button=gettext("Open the club"),
                url=reverse("home:club", args=[member.club_id]),
                dismissible=True,
            )


def _merged(user: User, today: date) -> Iterator[Card]:
    rows = waiting.merged(user, today).select_related("club", "merged_by").order_by("merged_at")[:MOST]
    for merge in rows:
        text = gettext("%(who)s has merged %(name)s into you: the warbands and enrolments of %(name)s are yours now.")
        yield Card(
            kind="merged",
            subject=merge.pk,
            title=merge.club.name,
            sentence=text % {"who": display_name(merge.merged_by), "name": merge.name},
            button=gettext("Open the club"),
            url=reverse("home:club", args=[merge.club_id]),
            dismissible=True,
            since=merge.merged_at,
        )


READERS: tuple[tuple[waiting.Question | None, Callable[[User, date], Iterable[Card]]], ...] = (
    (waiting.to_confirm, _to_confirm),
    (waiting.to_decide, _to_decide),
    (waiting.to_answer, _to_answer),
    (waiting.answered, _answered),
    (waiting.reopened, _reopened),
    (waiting.to_field, _to_field),
    (None, _to_play),
    (waiting.to_start, _to_start),
    (waiting.to_log, _to_log),
    (waiting.to_seal, _to_seal),
    (waiting.to_plan_the_final, _to_plan_the_final),
    (waiting.to_begin, _to_begin),
    (waiting.to_finish, _to_finish),
    (waiting.to_enrol, _to_enrol),
    (waiting.to_recruit, _to_recruit),
    (waiting.to_plan, _to_plan),
    (waiting.to_rank_up, _to_rank_up),
    (waiting.to_take_over, _to_take_over),
    (waiting.to_note, _to_note),
    (waiting.to_read, _to_read),
    (waiting.to_stand_in, _to_stand_in),
    (waiting.made_organiser, _made_organiser),
    (waiting.merged, _merged),
)
"""What reads the cards of a kind, and the question that counts them; None where the database cannot count them."""


def _battles(rows: waiting.Rows) -> list[Battle]:
    """Battles with what their cards say of them. Two queries."""
    sides = Prefetch("sides", Side.objects.select_related("warband", "decided_by").order_by("place"))
    battles = rows.select_related("campaign", "submitted_by").prefetch_related(sides)
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
    """The card of a battle whose result waits since it was submitted; submitted again it is another card."""
    moment = battle.submitted_at
    return _battle_card(kind, battle, sentence, button, since=moment, occasion=_moment(moment))


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
        dismissible=kind in DISMISSIBLE,
        since=campaign.started_at or campaign.created_at,
    )


def _title(battle: Battle) -> str:
    """A battle as it is told: its name, and whose it is."""
    return f"{name_of(battle)}: {' – '.join(side.warband.name for side in battle.sides.all())}"


def _against(battle: Battle, own_side: Side) -> str:
    others = join_names(side.warband.name for side in battle.sides.all() if side.pk != own_side.pk)
    values = {"battle": name_of(battle), "others": others}
    return gettext("%(battle)s, against %(others)s") % values if others else name_of(battle)


def _submitter(battle: Battle) -> str:
    return display_name(battle.submitted_by) if battle.submitted_by else gettext("somebody")


def _dispute(battle: Battle) -> str:
    """Who disputes a battle and why, in their words."""
    disputing = [side for side in battle.sides.all() if side.verdict == Verdict.DISPUTED]
    if not disputing:
        return gettext("It is disputed.")
    who = display_name(disputing[0].decided_by) if disputing[0].decided_by else disputing[0].warband.name
    return gettext("Disputed by %(who)s: “%(dispute)s”") % {"who": who, "dispute": disputing[0].dispute}


def _moment(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def _battle(battle: Battle) -> str:
    return reverse("battles:battle", args=[battle.pk])
