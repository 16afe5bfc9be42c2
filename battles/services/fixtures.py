"""Changing fixtures: deadlines, pairings, walkovers, byes, challenges, latecomers, and the battle that is played."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext

from audit.services.recording import record
from audit.verbs import Verb
from battles.fixtures import FixtureResult, FixtureState, fixture_results, ladder_of
from battles.models import Battle, BattleState
from battles.services.locking import expect_logger, lock_battle, record_battle, save_battle
from battles.services.substitutes import bring_substitutes
from campaigns.models import Campaign, CampaignState, Enrolment, Fixture, Method, Role, Round, Walkover, clubs_of
from campaigns.pairings.ladder import within_reach
from campaigns.pairings.round_robin import latecomer
from campaigns.services.checks import find, organised_campaign
from warbands.errors import LostRace, NotAllowed, Refused, StaleVersion
from warbands.services.cleaning import clean_reason, clean_text, refusal

MOST_NAME = 60
UNTOUCHED = (FixtureState.OPEN, FixtureState.BYE, FixtureState.VOID)
"""A fixture that nobody has begun to play, nor decided."""


@transaction.atomic
def edit_round(
    *, round_id: UUID, user: User, name: str | None = None, deadline: date | None = None, version: int | None = None
) -> Round:
    """The round with another name, and this deadline or none. Raises NotFound, NotAllowed, LostRace "stale-version"."""
    row = _organised_round(round_id, user)
    _expect_version(row, version)
    row.name = row.name if name is None else clean_text("name", name, most=MOST_NAME)
    row.deadline = deadline
    _record(Verb.ROUND_CHANGED, row.campaign, user, round=row.number)
    return _save_round(row, "name", "deadline")


@transaction.atomic
def delete_round(*, round_id: UUID, user: User) -> None:
    """The round is struck out with its fixtures. Raises LostRace "round-begun" once one of them is played or decided,
    "rounds-follow" where winners go on from it to a later round."""
    row = _organised_round(round_id, user)
    results = _results(row.campaign)
    if any(each.battle or each.walkover for each in results if each.round == row.pk):
        raise LostRace(
            "round-begun", gettext("Some of it is planned, played or decided: void or take back that first.")
        )
    mine = row.fixtures.values("pk")
    later = Fixture.objects.exclude(round=row)
    if later.filter(home_from__in=mine).exists() or later.filter(away_from__in=mine).exists():
        raise LostRace(
            "rounds-follow", gettext("Winners of this round go on to a later one: delete the last round first.")
        )
    _record(Verb.ROUND_DELETED, row.campaign, user, round=row.number)
    row.delete()


@transaction.atomic
def add_fixture(
    *, round_id: UUID, user: User, home_id: UUID, away_id: UUID | None = None, deadline: date | None = None
) -> Fixture:
    """One more fixture in a round; a bye without ``away_id``. Raises NotFound, NotAllowed, Refused
    "unknown-enrolment", "same-warband", "campaign-finished"."""
    row = _organised_round(round_id, user)
    _expect_running(row.campaign)
    _enrolled(row.campaign, "home", home_id)
    if away_id == home_id:
        raise refusal("away", "same-warband", "A warband cannot play itself.")
    if away_id is not None:
        _enrolled(row.campaign, "away", away_id)
    _record(Verb.FIXTURE_ADDED, row.campaign, user, round=row.number)
    return Fixture.objects.create(
        round=row, place=_next_place(row), home_id=home_id, away_id=away_id, bye=away_id is None, deadline=deadline
    )


@transaction.atomic
def edit_fixture(*, fixture_id: UUID, user: User, deadline: date | None, version: int | None = None) -> Fixture:
    """The fixture with a deadline of its own; None: the round's. Raises NotFound, NotAllowed, LostRace."""
    row = _organised_fixture(fixture_id, user, version)
    row.deadline = deadline
    _record(Verb.FIXTURE_CHANGED, row.round.campaign, user, round=row.round.number)
    return _save(row, "deadline")


@transaction.atomic
def swap_entrants(*, fixture_id: UUID, user: User, leaving: UUID, coming: UUID, version: int | None = None) -> Fixture:
    """``coming`` plays here in the place of ``leaving``, and where ``coming`` was in this round plays ``leaving``.

    Raises NotFound, NotAllowed, LostRace "fixture-begun" once either fixture is planned, played or decided, Refused
    "not-in-this-fixture", "not-in-this-round", "same-warband".
    """
    row = _organised_fixture(fixture_id, user, version)
    fixtures = list(row.round.fixtures.order_by("place"))
    if leaving not in (row.home_id, row.away_id):
        raise refusal("leaving", "not-in-this-fixture", gettext("This warband has no place in the fixture to give up."))
    other = next((each for each in fixtures if coming in (each.home_id, each.away_id)), None)
    if other is None:
        raise refusal(
            "coming", "not-in-this-round", gettext("This warband has no fixture in the round to be exchanged.")
        )
    if other.pk == row.pk:
        raise refusal("coming", "same-warband", gettext("These two play each other already."))
    results = {each.id: each for each in _results(row.round.campaign)}
    for each in (row, other):
        _expect_untouched(results[each.pk])
    _replace(row, leaving, coming)
    _replace(other, coming, leaving)
    _save(other, "home", "away")
    _record(Verb.ENTRANTS_SWAPPED, row.round.campaign, user, round=row.round.number)
    return _save(row, "home", "away")


@transaction.atomic
def delete_fixture(*, fixture_id: UUID, user: User) -> None:
    """The fixture is struck out. Raises LostRace "fixture-begun", "rounds-follow" where its winner goes on."""
    row = _organised_fixture(fixture_id, user)
    _expect_untouched(_result_of(row), FixtureState.WAITING)
    if Fixture.objects.filter(home_from=row).exists() or Fixture.objects.filter(away_from=row).exists():
        raise LostRace("rounds-follow", gettext("Who wins this goes on to a later round: delete that first."))
    _record(Verb.FIXTURE_DELETED, row.round.campaign, user, round=row.round.number)
    row.delete()


@transaction.atomic
def give_walkover(
    *, fixture_id: UUID, user: User, walkover: str, reason: str = "", version: int | None = None
) -> Fixture:
    """A result without a battle, with a reason: "home" or "away" wins, "nobody": both forfeit; "" takes it back.

    After a draw in a knockout it says who goes on, and counts as nothing in the table. Raises NotFound, NotAllowed,
    Refused "reason-needed", "unknown-walkover", LostRace "fixture-played" once a battle has decided it,
    "fixture-waits" while it is open who plays, "nobody-there" for a bye.
    """
    row = _organised_fixture(fixture_id, user, version)
    reason = clean_reason("reason", reason)
    if walkover not in Walkover.values:
        raise refusal("walkover", "unknown-walkover", "Say home, away or nobody.", walkover[:20])
    if walkover and not reason:
        raise Refused("reason-needed", gettext("Say why there is no battle to decide it."), field="reason")
    if walkover:
        _expect_undecided(_result_of(row))
    row.walkover, row.reason = walkover, reason if walkover else ""
    row.decided_by, row.decided_at = (user, timezone.now()) if walkover else (None, None)
    verb = Verb.WALKOVER_GIVEN if walkover else Verb.WALKOVER_TAKEN_BACK
    _record(verb, row.round.campaign, user, round=row.round.number, walkover=walkover, reason=reason)
    return _save(row, "walkover", "reason", "decided_by", "decided_at")


@transaction.atomic
def add_latecomer(*, enrolment_id: UUID, user: User) -> list[Fixture]:
    """Fixtures for a warband that came late to a round robin: one against each of the others, in the open rounds.

    Whoever has a bye in one of them plays the newcomer there; the newcomer rests in the others. Raises NotFound,
    NotAllowed, Refused "no-round-robin", LostRace "has-fixtures", "no-open-round".
    """
    enrolment = find(Enrolment.objects.visible_to(user), enrolment_id, "enrolment")
    campaign = organised_campaign(enrolment.campaign_id, user)
    _enrolled(campaign, "enrolment", enrolment_id)
    rounds = list(campaign.rounds.filter(method=Method.ROUND_ROBIN).order_by("number"))
    if not rounds:
        raise Refused("no-round-robin", gettext("The campaign has no round robin to come late to."), field="enrolment")
    keys = {each.pk for each in rounds}
    results = [each for each in _results(campaign) if each.round in keys]
    playing = {entrant.enrolment: entrant for each in results for entrant in each.entrants}
    if enrolment_id in playing:
        raise LostRace("has-fixtures", gettext("This warband has its fixtures in the round robin already."))
    still_open = [each for each in rounds if any(one.round == each.pk and not one.settled for one in results)]
    if not still_open:
        raise LostRace(
            "no-open-round", gettext("Every round of the round robin has been played: add fixtures by hand.")
        )
    byes = {
        (each.round_number, str(each.winner.enrolment)): each
        for each in results
        if each.state is FixtureState.BYE and each.winner and len(each.entrants) == 1
    }
    resting = {each.number: [key for number, key in byes if number == each.number] for each in still_open}
    opponents = [str(key) for key, entrant in playing.items() if not entrant.gone]
    by_number = {each.number: each for each in still_open}
    _record(Verb.LATECOMER_ADDED, campaign, user)
    return [
        _joined(by_number[number], enrolment_id, UUID(opponent), byes.get((number, opponent)))
        for number, opponent in latecomer(str(enrolment_id), opponents, resting)
    ]


@transaction.atomic
def challenge(
    *, round_id: UUID, user: User, challenger_id: UUID, opponent_id: UUID, deadline: date | None = None
) -> Fixture:
    """A challenge on a ladder, upwards and within reach: by who plays the warband, or by an organiser.

    Raises NotFound, NotAllowed "not-your-warband", Refused "no-ladder", "out-of-reach", "campaign-finished", LostRace
    "challenge-open" while one of the two has a challenge that is not settled.
    """
    row = find(Round.objects.visible_to(user).select_related("campaign"), round_id, "round")
    campaign = Campaign.objects.select_for_update(of=("self",), no_key=True).get(pk=row.campaign_id)
    if row.method != Method.LADDER:
        raise Refused("no-ladder", gettext("Challenges are for ladders."), field="round")
    _expect_running(campaign)
    own = _enrolled(campaign, "challenger", challenger_id)
    _expect_own(own, campaign, user)
    results = [each for each in _results(campaign) if each.round == row.pk]
    ladder = current_ladder(row, campaign, results)
    if str(opponent_id) not in within_reach(ladder, str(challenger_id), row.reach or 1):
        sentence = gettext("One challenges upwards, at most %(reach)s places.") % {"reach": row.reach}
        raise refusal("opponent", "out-of-reach", sentence, str(opponent_id))
    both = {challenger_id, opponent_id}
    if any(not each.settled and both & {one.enrolment for one in each.entrants} for each in results):
        raise LostRace("challenge-open", gettext("One of the two has a challenge to play first."))
    _record(Verb.CHALLENGED, campaign, user, round=row.number)
    return Fixture.objects.create(
        round=row, place=_next_place(row), home_id=challenger_id, away_id=opponent_id, deadline=deadline
    )


def current_ladder(row: Round, campaign: Campaign, results: Sequence[FixtureResult]) -> tuple[str, ...]:
    """The ladder as it stands, from the top down, of those who are in the campaign. One query."""
    there = campaign.enrolments.current().order_by("enrolled_at", "id").values_list("pk", flat=True)
    return ladder_of(row.order, results, [str(each) for each in there])


@transaction.atomic
def link_battle(*, fixture_id: UUID, battle_id: UUID, user: User) -> Fixture:
    """The battle is played for this fixture: for whoever may log it. A void one never counts.

    Raises NotFound, NotAllowed, Refused "other-sides", LostRace "fixture-taken", "battle-has-fixture".
    """
    row = find(Fixture.objects.visible_to(user).select_related("round__campaign"), fixture_id, "fixture")
    Campaign.objects.select_for_update(of=("self",), no_key=True).get(pk=row.round.campaign_id)
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    if battle.fixture_id == row.pk:
        return row
    if battle.fixture_id is not None:
        raise LostRace("battle-has-fixture", gettext("The battle is played for another fixture."), field="battle")
    _expect_free(_result_of(row))
    sides = set(battle.sides.values_list("warband_id", flat=True))
    if battle.campaign_id != row.round.campaign_id or battle.state == BattleState.VOID:
        raise refusal("battle", "other-sides", gettext("This battle does not count in the campaign."), str(battle_id))
    if sides != {each.warband for each in _result_of(row).entrants}:
        raise refusal(
            "battle", "other-sides", gettext("Others play this battle than the fixture is between."), str(battle_id)
        )
    battle.fixture = row
    save_battle(battle, "fixture")
    bring_substitutes(battle)
    record_battle(Verb.BATTLE_LINKED, battle, user)
    return row


def linkable_battles(fixture: Fixture, user: User) -> list[Battle]:
    """The battles that ``link_battle`` would take for an open fixture, the latest first. Four queries."""
    result = _result_of(fixture)
    free = Battle.objects.editable_by(user).filter(campaign=fixture.round.campaign_id, fixture=None)
    if result.state is not FixtureState.OPEN:
        return []
    for each in result.entrants:
        free = free.filter(sides__warband=each.warband)
    rows = free.exclude(state=BattleState.VOID).distinct().for_rows().order_by("-fought_on", "pk")
    return [row for row in rows if _is_between(result, [side.warband_id for side in row.sides.all()])]


def fixture_for(campaign: Campaign, warbands: Sequence[UUID], wanted: UUID | None) -> UUID | None:
    """The fixture that a battle of these warbands is played for: the one wanted, else the first open one between them.

    The caller has locked the campaign. Raises Refused "unknown-fixture", "other-sides", LostRace "fixture-taken".
    """
    if not campaign.rounds.exists() and wanted is None:
        return None
    results = _results(campaign)
    if wanted is None:
        between = [each for each in results if _is_between(each, warbands) and each.state is FixtureState.OPEN]
        return between[0].id if between else None
    found = next((each for each in results if each.id == wanted), None)
    if found is None:
        raise refusal("fixture", "unknown-fixture", gettext("The campaign has no such fixture."), str(wanted))
    _expect_free(found)
    if not _is_between(found, warbands):
        raise refusal("fixture", "other-sides", gettext("The fixture is between others."), str(wanted))
    return found.id


def _is_between(result: FixtureResult, warbands: Sequence[UUID]) -> bool:
    return len(warbands) == 2 and {each.warband for each in result.entrants} == set(warbands)


def _expect_free(result: FixtureResult) -> None:
    if result.state is not FixtureState.OPEN:
        raise LostRace("fixture-taken", gettext("No battle is to be planned for this fixture now."), field="fixture")


def _expect_untouched(result: FixtureResult, *more: FixtureState) -> None:
    if result.walkover or result.battle or result.state not in (*UNTOUCHED, *more):
        raise LostRace(
            "fixture-begun", gettext("It is planned, played or decided already: void or take that back first.")
        )


def _expect_undecided(result: FixtureResult) -> None:
    if result.state is FixtureState.WAITING:
        raise LostRace("fixture-waits", gettext("Nobody knows yet who plays this."))
    if result.state is FixtureState.CONFIRMED and not result.undecided and not result.walkover:
        raise LostRace("fixture-played", gettext("It has been played: correct or void the battle instead."))
    if len(result.entrants) < 2:
        raise LostRace("nobody-there", gettext("There are not two here between whom to decide."))


def _expect_running(campaign: Campaign) -> None:
    if campaign.state == CampaignState.FINISHED:
        raise Refused("campaign-finished", gettext("The campaign has ended."), field="campaign")


def _expect_own(enrolment: Enrolment, campaign: Campaign, user: User) -> None:
    """Let who plays the warband pass, and organisers. Raises NotAllowed."""
    plays = clubs_of(user, Role.ORGANISER, Role.PLAYER).filter(club=campaign.club_id).exists()
    own = enrolment.player.user_id == user.pk or Enrolment.objects.editable_by(user).filter(pk=enrolment.pk).exists()
    if not (plays and own):
        raise NotAllowed(
            "not-your-warband", gettext("Only who plays the warband, or an organiser, may challenge for it.")
        )


def _expect_version(row: Round | Fixture, version: int | None) -> None:
    if version is not None and version != row.version:
        sentence = gettext("Somebody changed it meanwhile: it is at version %(version)s. Read it again and retry.") % {
            "version": row.version
        }
        raise StaleVersion(sentence, row.version)


def _record(verb: Verb, campaign: Campaign, user: User, **details: Any) -> None:
    record(verb, campaign, user=user, club=campaign.club_id, campaign=campaign.pk, **details)


def _organised_round(round_id: UUID, user: User) -> Round:
    """The round with its campaign, which is locked. Raises NotFound, NotAllowed."""
    row = find(Round.objects.visible_to(user), round_id, "round")
    row.campaign = organised_campaign(row.campaign_id, user)
    return row


def _organised_fixture(fixture_id: UUID, user: User, version: int | None = None) -> Fixture:
    """The fixture with its round and its campaign, which is locked. Raises NotFound, NotAllowed, LostRace."""
    row = find(Fixture.objects.visible_to(user).select_related("round"), fixture_id, "fixture")
    row.round.campaign = organised_campaign(row.round.campaign_id, user)
    row.refresh_from_db(fields=["version", "home", "away", "walkover", "deadline"])
    _expect_version(row, version)
    return row


def _enrolled(campaign: Campaign, field: str, key: UUID) -> Enrolment:
    row = campaign.enrolments.current().select_related("player").filter(pk=key).first()
    if row is None:
        raise refusal(field, "unknown-enrolment", gettext("This warband is not in the campaign now."), str(key))
    return row


def _results(campaign: Campaign) -> tuple[FixtureResult, ...]:
    return fixture_results(Fixture.objects.filter(round__campaign=campaign))


def _result_of(row: Fixture) -> FixtureResult:
    return next(each for each in _results(row.round.campaign) if each.id == row.pk)


def _next_place(row: Round) -> int:
    last = row.fixtures.aggregate(last=Max("place"))["last"]
    return 0 if last is None else last + 1


def _replace(row: Fixture, leaving: UUID, coming: UUID) -> None:
    if row.home_id == leaving:
        row.home_id = coming
    else:
        row.away_id = coming


def _joined(row: Round, newcomer: UUID, opponent: UUID, resting: FixtureResult | None) -> Fixture:
    """A fixture for a newcomer: in the place of the opponent's bye, or one more."""
    if resting is None:
        return Fixture.objects.create(round=row, place=_next_place(row), home_id=opponent, away_id=newcomer)
    fixture = Fixture.objects.get(pk=resting.id)
    fixture.away_id, fixture.bye = newcomer, False
    return _save(fixture, "away", "bye")


def _save(row: Fixture, *fields: str) -> Fixture:
    row.version += 1
    row.save(update_fields=[*fields, "version"])
    return row


def _save_round(row: Round, *fields: str) -> Round:
    row.version += 1
    row.save(update_fields=[*fields, "version"])
    return row
