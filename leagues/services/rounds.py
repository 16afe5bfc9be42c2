"""Create rounds: first draft the pairings for a preview, then save them."""

import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from hashlib import sha256
from secrets import token_hex
from typing import Annotated, Any
from uuid import UUID, uuid4

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle, BattleState
from battles.selectors.fixture_results import (
    FixtureResult,
    FixtureState,
    campaign_fixture_results,
)
from battles.selectors.standings import Standings, StandingsRow, group_standings, standings
from campaigns.models import Campaign, CampaignState, Fixture, Format, Method, Round
from campaigns.pairings.draft import DraftRound
from campaigns.pairings.knockout import knockout, seeds_of_groups
from campaigns.pairings.round_robin import group_stage, round_robin
from campaigns.pairings.swiss import Record, swiss_round
from campaigns.scoring import scoring_under
from campaigns.services.permissions import organised_campaign
from core.cleaning import field_error
from core.errors import InvalidInput, StateConflict
from core.inputs import Input, field, validate
from core.ruleset_words import join_names
from leagues.services.fixtures import clean_deadline
from warbands.signed import sign_new

MAX_ENTRANTS = 64
MAX_GROUPS = 12
MAX_LEGS = 4
MAX_REACH = 20
MAX_DAYS = 366
MAX_ROUNDS = 300
MAX_NAME_LENGTH = 40


class Seeding(StrEnum):
    """The order of the entrants."""

    STANDINGS = "standings"
    LOT = "lot"
    GIVEN = "given"


class RoundTerms(Input, frozen=True, kw_only=True):
    """The options for new rounds. A method ignores options that it does not use.

    Without ``entrants`` everybody in the campaign plays. The deadline is that of the first round;
    the others follow ``days`` apart. The same ``seed`` gives the same lots.
    """

    method: Annotated[Method, field(_("Pairing method"))]
    entrants: Annotated[
        tuple[UUID, ...],
        field(
            _("Entrants"),
            api="Ids of enrolments. Absent: everybody who is in the campaign.",
            max_length=4 * MAX_ENTRANTS,
        ),
    ] = ()
    seeding: Annotated[Seeding, field(_("Order"), api="given: the order of `entrants`.")] = (
        Seeding.STANDINGS
    )
    legs: Annotated[int, field(_("Games against each opponent"), ge=1, le=MAX_LEGS)] = 1
    groups: Annotated[int, field(_("Groups"), ge=1, le=MAX_GROUPS)] = 2
    advance: Annotated[
        int,
        field(
            _("Places in each group that advance"),
            _("Only after a group stage. With 0, all ticked entrants play."),
            api="A knockout of the first so many of each group.",
            ge=0,
            le=MAX_ENTRANTS,
        ),
    ] = 0
    third_place: Annotated[bool, field(_("Add a match for third place"))] = False
    reach: Annotated[
        int,
        field(
            _("Places up that players can challenge"),
            api="Of a ladder: the number of places up that players can challenge.",
            ge=1,
            le=MAX_REACH,
        ),
    ] = 2
    name: Annotated[
        str, field(_("Name"), _("Leave blank for Round 1, 2, …"), max_length=MAX_NAME_LENGTH)
    ] = ""
    deadline: Annotated[
        date | None,
        field(
            _("Deadline"),
            _("For the first round. Leave blank for no deadline."),
            api="Of the first round.",
        ),
    ] = None
    days: Annotated[
        int, field(_("Days between rounds"), api="Between deadlines.", ge=0, le=MAX_DAYS)
    ] = 7
    seed: Annotated[
        str, field(api="A draft's, so that its lots are drawn again.", min_length=1, max_length=64)
    ] = ""


class RoundsDraft(Struct, frozen=True, kw_only=True):
    """Rounds before they are saved.

    ``order`` is a ladder's; ``warnings`` are sentences for the organiser.

    ``fingerprint`` identifies the draft: a client that sends it back makes sure that the saved
    rounds are those that were shown.
    """

    number: int
    """The number of the first round."""
    rounds: tuple[DraftRound, ...]
    deadlines: tuple[date | None, ...]
    names: tuple[str, ...]
    order: tuple[str, ...]
    warnings: tuple[str, ...]
    entrants: Mapping[str, str]
    """The names of the warbands, by the ids of their enrolments."""
    seed: str
    fingerprint: str


class _Field(Struct, frozen=True):
    """The entrants of new rounds, and the results so far."""

    campaign: Campaign
    table: Standings
    results: tuple[FixtureResult, ...]
    rows: Mapping[str, StandingsRow]
    """The rows of the entrants, by the ids of their enrolments, in the order of the seeding."""


@transaction.atomic
def draft_rounds(*, campaign_id: UUID, user: User, terms: RoundTerms) -> RoundsDraft:
    """Return the rounds that would be created.

    Writes nothing. Raises the errors of ``make_rounds``.
    """
    return _draft(organised_campaign(campaign_id, user), terms)


@transaction.atomic
def make_rounds(
    *, campaign_id: UUID, user: User, terms: RoundTerms, fingerprint: str = ""
) -> list[Round]:
    """Create the rounds of a method.

    Round robin, knockout and group stage create several rounds, the others one.

    Rounds can be created while fixtures of earlier ones are open: these do not count yet and stay
    open. Raises NotFound, Forbidden, InvalidInput "campaign-finished", "no-fixtures-here" for a
    classic campaign, "too-few-entrants", "too-many-entrants", "unknown-enrolment", "no-groups",
    "ladder-exists", "too-many-rounds", StateConflict "draft-differs" if a fingerprint was given and
    the draft has changed since.
    """
    campaign = organised_campaign(campaign_id, user)
    draft = _draft(campaign, terms)
    if fingerprint and fingerprint != draft.fingerprint:
        sentence = gettext(
            "Results or entrants have changed since the preview. Check the new pairings and "
            "create those."
        )
        raise StateConflict("draft-differs", sentence, field="fingerprint")
    details: dict[str, Any] = {"method": terms.method, "number": len(draft.rounds)}
    record(
        Verb.ROUNDS_MADE,
        campaign,
        user=user,
        club=campaign.club_id,
        campaign=campaign_id,
        **details,
    )
    return _write(campaign, terms, draft)


def _draft(campaign: Campaign, terms: RoundTerms) -> RoundsDraft:
    terms = validate(terms)
    clean_deadline(terms.deadline)
    _refuse_campaign(campaign, terms)
    seed = terms.seed or token_hex(8)
    field = _field(campaign, terms, seed)
    _refuse_number(field, terms)
    rounds, order = _paired(field, terms)
    number = (campaign.rounds.aggregate(last=Max("number"))["last"] or 0) + 1
    if number + len(rounds) > MAX_ROUNDS:
        raise InvalidInput(
            "too-many-rounds",
            gettext("A campaign can have at most %(most_rounds)s rounds.")
            % {"most_rounds": MAX_ROUNDS},
        )
    later = [timedelta(days=terms.days * place) for place in range(len(rounds))]
    deadlines = tuple(terms.deadline and terms.deadline + each for each in later)
    content: dict[str, Any] = {
        "number": number,
        "rounds": rounds,
        "deadlines": deadlines,
        "names": tuple(
            _name(terms, drawn, place, len(rounds)) for place, drawn in enumerate(rounds)
        ),
        "order": order,
    }
    return RoundsDraft(
        **content,
        warnings=tuple(_warnings(field, terms, rounds)),
        entrants={key: row.name for key, row in field.rows.items()},
        seed=seed,
        fingerprint=sha256(msgspec.json.encode(content)).hexdigest()[:32],
    )


def _refuse_campaign(campaign: Campaign, terms: RoundTerms) -> None:
    if campaign.state == CampaignState.FINISHED:
        raise InvalidInput(
            "campaign-finished", gettext("The campaign has ended."), field="campaign"
        )
    if campaign.format == Format.CLASSIC:
        raise InvalidInput(
            "no-fixtures-here",
            gettext("A classic campaign has no rounds. Its games follow from the sealed orders."),
            field="campaign",
        )
    if terms.method == Method.LADDER and campaign.rounds.filter(method=Method.LADDER).exists():
        raise field_error(
            "method",
            "ladder-exists",
            gettext("This campaign already has a ladder. Challenge players there."),
        )


def _field(campaign: Campaign, terms: RoundTerms, seed: str) -> _Field:
    """Return the entrants in the order of the seeding.

    Raises InvalidInput "unknown-enrolment", "no-groups".
    """
    table = standings(campaign)
    results = campaign_fixture_results(campaign)
    by_enrolment = {str(row.enrolment): row for row in table.rows if not row.withdrawn}
    entrants = [str(each) for each in dict.fromkeys(terms.entrants)] or [*by_enrolment]
    unknown = [each for each in entrants if each not in by_enrolment]
    if unknown:
        raise field_error(
            "entrants",
            "unknown-enrolment",
            gettext("One of the entrants is no longer in the campaign. Choose the entrants again."),
            unknown[0],
        )
    if terms.seeding is not Seeding.GIVEN:
        entrants = [each for each in by_enrolment if each in entrants]
    if terms.seeding is Seeding.LOT:
        entrants.sort()
        random.Random(seed).shuffle(entrants)  # noqa: S311 - a lot that can be drawn again from its seed, no secret
    if terms.method == Method.SWISS:
        entrants.sort(key=lambda each: -by_enrolment[each].points)
    if terms.method == Method.KNOCKOUT and terms.advance:
        groups = group_standings(table, results, scoring_under(campaign.scoring, campaign.shown))
        going = [
            [str(row.enrolment) for row in group.rows if not row.withdrawn][: terms.advance]
            for group in groups
        ]
        if not any(going):
            raise field_error(
                "advance",
                "no-groups",
                gettext("This campaign has no group stage. Set the number that advance to 0."),
            )
        entrants = [*seeds_of_groups([group for group in going if group])]
    return _Field(campaign, table, results, {each: by_enrolment[each] for each in entrants})


def _refuse_number(field: _Field, terms: RoundTerms) -> None:
    if terms.method == Method.BY_HAND:
        return
    number, least = len(field.rows), 2 * terms.groups if terms.method == Method.GROUPS else 2
    if number < least:
        raise field_error(
            "entrants",
            "too-few-entrants",
            gettext("This method needs at least %(least)s entrants. Chosen: %(number)s.")
            % {"number": number, "least": least},
            str(number),
        )
    if number > MAX_ENTRANTS:
        sentence = gettext(
            "You can pair at most %(most_entrants)s entrants at once. Chosen: %(number)s."
        ) % {
            "number": number,
            "most_entrants": MAX_ENTRANTS,
        }
        raise field_error("entrants", "too-many-entrants", sentence, str(number))


def _paired(field: _Field, terms: RoundTerms) -> tuple[tuple[DraftRound, ...], tuple[str, ...]]:
    """Return the rounds, and the order of a ladder."""
    entrants = tuple(field.rows)
    match terms.method:
        case Method.ROUND_ROBIN:
            return round_robin(entrants, legs=terms.legs), ()
        case Method.GROUPS:
            return group_stage(entrants, terms.groups, legs=terms.legs), ()
        case Method.KNOCKOUT:
            return knockout(entrants, third_place=terms.third_place), ()
        case Method.SWISS:
            return (
                swiss_round(entrants, swiss_records(field.campaign, field.rows, field.results)),
            ), ()
        case Method.LADDER:
            return (DraftRound(()),), entrants
    return (DraftRound(()),), ()


def swiss_records(
    campaign: Campaign, rows: Mapping[str, StandingsRow], results: Iterable[FixtureResult]
) -> dict[str, Record]:
    """Return the record of each entrant, as a Swiss round needs it. One query."""
    met: dict[str, dict[str, int]] = {each: {} for each in rows}
    byes, at_home = dict.fromkeys(rows, 0), dict.fromkeys(rows, 0)

    def meet(first: str, other: str) -> None:
        for own, opponent in ((first, other), (other, first)):
            if own in met:
                met[own][opponent] = met[own].get(opponent, 0) + 1

    for result in results:
        keys = [str(entrant.enrolment) for entrant in result.entrants]
        if result.state is FixtureState.BYE and result.winner is not None:
            key = str(result.winner.enrolment)
            byes[key] = byes.get(key, 0) + 1
        elif len(keys) == 2 and result.state is not FixtureState.VOID:
            at_home[keys[0]] = at_home.get(keys[0], 0) + 1
            meet(*keys)
    enrolled = {row.warband: key for key, row in rows.items()}
    for pair in _met_beside(campaign):
        if len(pair) == 2 and pair <= enrolled.keys():
            meet(*(enrolled[warband] for warband in sorted(pair)))
    return {
        each: Record(points=row.points, byes=byes[each], at_home=at_home[each], met=met[each])
        for each, row in rows.items()
    }


def _met_beside(campaign: Campaign) -> list[set[UUID]]:
    """Return the warbands of each battle of the campaign that belongs to no fixture."""
    rows = Battle.objects.filter(campaign=campaign, fixture=None).exclude(state=BattleState.VOID)
    battles: dict[UUID, set[UUID]] = {}
    for battle, warband in rows.order_by().values_list("pk", "sides__warband"):
        battles.setdefault(battle, set()).add(warband)
    return list(battles.values())


def _name(terms: RoundTerms, draft_round: DraftRound, place: int, number: int) -> str:
    if draft_round.name or not terms.name:
        return (
            f"{terms.name}: {draft_round.name}"
            if terms.name and draft_round.name
            else draft_round.name
        )
    if number == 1:
        return terms.name
    return gettext("%(name)s, round %(number)s") % {"name": terms.name, "number": place + 1}


def _warnings(field: _Field, terms: RoundTerms, rounds: Sequence[DraftRound]) -> Iterable[str]:
    waiting = [result for result in field.results if not result.settled]
    of_groups = [result for result in waiting if result.group]
    if terms.method == Method.SWISS and waiting:
        yield gettext("Unplayed fixtures: %(number)s. They do not count yet and stay open.") % {
            "number": len(waiting)
        }
    if terms.method == Method.KNOCKOUT and terms.advance and of_groups:
        yield gettext(
            "Unplayed group fixtures: %(number)s. The current group standings are used."
        ) % {"number": len(of_groups)}
    if terms.method == Method.SWISS:
        records = swiss_records(field.campaign, field.rows, field.results)
        for fixture in rounds[0].fixtures:
            if fixture.away and records[fixture.home].met.get(fixture.away):
                names = join_names((field.rows[fixture.home].name, field.rows[fixture.away].name))
                yield gettext(
                    "%(names)s play each other again. Otherwise some entrants would have no "
                    "opponent."
                ) % {"names": names}


def _write(campaign: Campaign, terms: RoundTerms, draft: RoundsDraft) -> list[Round]:
    rounds = [
        Round(
            campaign=campaign,
            number=draft.number + place,
            name=draft.names[place],
            method=terms.method,
            deadline=draft.deadlines[place],
            order=list(draft.order),
            reach=terms.reach if terms.method == Method.LADDER else None,
        )
        for place in range(len(draft.rounds))
    ]
    Round.objects.bulk_create(sign_new(rounds))
    keys = {
        (turn, place): uuid4()
        for turn, drawn in enumerate(draft.rounds)
        for place in range(len(drawn.fixtures))
    }
    fixtures = (
        Fixture(
            pk=keys[turn, place],
            round=rounds[turn],
            place=place,
            home_id=each.home or None,
            away_id=each.away or None,
            home_from_id=keys.get(each.home_from) if each.home_from else None,
            away_from_id=keys.get(each.away_from) if each.away_from else None,
            of_losers=each.of_losers,
            bye=each.bye,
            group=each.group,
        )
        for turn, drawn in enumerate(draft.rounds)
        for place, each in enumerate(drawn.fixtures)
    )
    Fixture.objects.bulk_create(sign_new(fixtures))
    return rounds
