"""Change fixtures: deadlines, pairings, walkovers, challenges, latecomers, linked battles."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle, BattleState
from battles.selectors.fixture_results import (
    Entrant,
    FixtureResult,
    FixtureState,
    campaign_fixture_results,
    ladder_of,
)
from battles.services.correction_differences import TableDifference, table_differences
from battles.services.dependents import FixtureEffect, Settled, consequences, settle_dependents
from battles.services.locking import expect_logger, lock_battle, record_battle, save_battle
from battles.services.planned_fixture import expect_open, is_between
from battles.services.substitutes import bring_substitutes
from campaigns.models import Campaign, CampaignState, Enrolment, Fixture, Method, Round, Walkover
from campaigns.pairings.ladder import within_reach
from campaigns.pairings.round_robin import latecomer
from campaigns.services.permissions import organised_campaign
from clubs.models import Role, clubs_of
from clubs.services.permissions import find
from core.cleaning import MAX_REASON, field_error
from core.errors import Forbidden, InvalidInput, StaleVersion, StateConflict
from core.inputs import Input, column, field, validate, validate_fields
from core.ruleset_words import join_names
from rulebook.ruleset import Problem
from warbands.signed import create_signed, save_signed

VERSION = field(api="The version you read; 409 if it has changed since.", ge=1, null=False)
MAX_YEARS = 10
SIDES = ("home", "away")


class RoundEdit(Input, frozen=True, kw_only=True):
    """A round's name and deadline; an absent name stays."""

    version: Annotated[int | None, VERSION] = None
    name: Annotated[
        str | None,
        column(
            Round, "name", _("Name"), _("Leave blank for its number, such as Round 3."), null=False
        ),
    ] = None
    deadline: Annotated[date | None, field(_("Deadline"))] = None


class NewFixture(Input, frozen=True, kw_only=True, rename={"home_id": "home", "away_id": "away"}):
    """Two enrolments that are to play, or one with a bye."""

    home_id: Annotated[UUID, field(_("First side"))]
    away_id: Annotated[UUID | None, field(_("Opponent"), api="Absent: a bye.")] = None
    deadline: Annotated[
        date | None, field(_("Deadline"), _("Leave blank for the round's deadline."))
    ] = None
    agreed: Annotated[
        str,
        field(
            _("Reason for a second game"),
            _("Needed only if one side already plays in this round. Everyone can see it."),
            api="Why both agreed to a second game in the round; without it, that is refused.",
            max_length=MAX_REASON,
            line=True,
        ),
    ] = ""


class FixtureEdit(Input, frozen=True, kw_only=True):
    """A fixture's own deadline, and why it was moved; null for the round's deadline."""

    version: Annotated[int | None, VERSION] = None
    deadline: Annotated[
        date | None, field(_("Deadline"), _("Leave blank for the round's deadline."))
    ]
    postponed: Annotated[
        str | None,
        field(
            _("Reason for a new deadline"),
            _("Everyone can see it."),
            api="Why it was moved; absent: as it is.",
            max_length=MAX_REASON,
            line=True,
            null=False,
        ),
    ] = None


class WalkoverTerms(Input, frozen=True, kw_only=True):
    """A result without a battle.

    "home" or "away" wins, with "nobody" both forfeit, "" removes the result.
    """

    version: Annotated[int | None, VERSION] = None
    walkover: Annotated[Walkover, field(_("Result without a battle"))]
    reason: Annotated[
        str,
        field(
            _("Reason"),
            _("Everyone can see it."),
            max_length=MAX_REASON,
            line=True,
        ),
    ] = ""


class Swap(Input, frozen=True, kw_only=True):
    """An entrant of the fixture, and the entrant of the same round who replaces it."""

    version: Annotated[int | None, VERSION] = None
    leaving: Annotated[UUID, field(_("Side to replace"))]
    coming: Annotated[UUID, field(_("Replacement"))]


class Challenge(
    Input,
    frozen=True,
    kw_only=True,
    rename={"challenger_id": "challenger", "opponent_id": "opponent"},
):
    """A challenger and an opponent on a ladder, by their enrolments."""

    challenger_id: Annotated[UUID, field()]
    opponent_id: Annotated[UUID, field()]
    deadline: Annotated[date | None, field(_("Deadline"))] = None


class Link(Input, frozen=True, kw_only=True, rename={"battle_id": "battle"}):
    """The battle that was played for the fixture."""

    battle_id: Annotated[UUID, field(_("Battle"))]


class FixtureImpact(Struct, frozen=True):
    """The effect of a result without a battle on the standings, fixtures and rounds."""

    table: tuple[TableDifference, ...]
    fixtures: tuple[FixtureEffect, ...]


UNTOUCHED = (FixtureState.OPEN, FixtureState.BYE, FixtureState.VOID)
"""The states of a fixture without a battle or a decision."""


@transaction.atomic
def edit_round(
    *,
    round_id: UUID,
    user: User,
    name: str | None = None,
    deadline: date | None = None,
    version: int | None = None,
) -> Round:
    """Change the name of a round, and set or remove its deadline.

    Raises NotFound, Forbidden, InvalidInput "out-of-range", StateConflict "stale-version".
    """
    row = _organised_round(round_id, user)
    _expect_version(row, version)
    edit = validate(RoundEdit(name=name, deadline=clean_deadline(deadline)))
    row.name = row.name if edit.name is None else edit.name
    row.deadline = edit.deadline
    _audit(Verb.ROUND_CHANGED, row.campaign, user, round=row.number)
    return _save_round(row, "name", "deadline")


@transaction.atomic
def delete_round(*, round_id: UUID, user: User) -> None:
    """Delete a round with its fixtures.

    Raises StateConflict "round-begun" if one of them has a battle or a walkover, and
    "rounds-follow" if entrants advance from it to a later round.
    """
    row = _organised_round(round_id, user)
    results = _results(row.campaign)
    if any(each.battle or each.walkover for each in results if each.round == row.pk):
        raise StateConflict(
            "round-begun",
            gettext(
                "Some fixtures of this round are planned, played or decided. Void the battles or "
                "remove the results first."
            ),
        )
    mine = row.fixtures.values("pk")
    later = Fixture.objects.exclude(round=row)
    if later.filter(home_from__in=mine).exists() or later.filter(away_from__in=mine).exists():
        raise StateConflict(
            "rounds-follow",
            gettext("Winners of this round advance to a later one. Delete the last round first."),
        )
    _audit(Verb.ROUND_DELETED, row.campaign, user, round=row.number)
    row.delete()


@transaction.atomic
def add_fixture(
    *,
    round_id: UUID,
    user: User,
    home_id: UUID,
    away_id: UUID | None = None,
    deadline: date | None = None,
    agreed: str = "",
) -> Fixture:
    """Add a fixture to a round; a bye without ``away_id``.

    Everybody has one game or one bye in a round. A second game needs ``agreed``, the reason why
    both agreed to it; the reason is not stored if neither plays yet, unless the round still waits
    for winners, who may be these. Nobody has both a bye and a game.

    Raises NotFound, Forbidden, InvalidInput "unknown-enrolment", "same-warband",
    "campaign-finished", "plays-already", "has-bye", "no-byes-here" on a ladder; StateConflict
    "challenge-open" while one of the two has an open challenge.
    """
    row = _organised_round(round_id, user)
    _expect_running(row.campaign)
    _enrolled(row.campaign, "home", home_id)
    if away_id == home_id:
        raise field_error("away", "same-warband", gettext("A warband cannot play itself."))
    if away_id is not None:
        _enrolled(row.campaign, "away", away_id)
    agreed = validate(NewFixture(home_id=home_id, away_id=away_id, agreed=agreed)).agreed
    results = [each for each in _results(row.campaign) if each.round == row.pk]
    both = {"home": home_id} | ({"away": away_id} if away_id else {})
    if row.method == Method.LADDER:
        _expect_challengeable(results, both)
        agreed = ""
    elif not (
        _engaged(results, both, bye=away_id is None, agreed=bool(agreed))
        or any(each.state is FixtureState.WAITING for each in results)
    ):
        agreed = ""
    _audit(Verb.FIXTURE_ADDED, row.campaign, user, round=row.number)
    return create_signed(
        Fixture,
        round=row,
        place=_next_place(row),
        home_id=home_id,
        away_id=away_id,
        bye=away_id is None,
        deadline=clean_deadline(deadline),
        agreed=agreed,
    )


def _expect_challengeable(results: Sequence[FixtureResult], both: Mapping[str, UUID]) -> None:
    """Raise InvalidInput "no-byes-here" for a bye, or StateConflict "challenge-open"."""
    if len(both) < 2:
        raise field_error(
            "away", "no-byes-here", gettext("A ladder has no byes. Choose an opponent.")
        )
    if _has_challenge(results, both.values()):
        raise StateConflict(
            "challenge-open",
            gettext("One of the two already has an open challenge. It must be played first."),
        )


def _has_challenge(results: Iterable[FixtureResult], enrolments: Iterable[UUID]) -> bool:
    challengers = set(enrolments)
    return any(
        not each.settled and challengers & {entrant.enrolment for entrant in each.entrants}
        for each in results
    )


def _engaged(
    results: Iterable[FixtureResult], both: Mapping[str, UUID], *, bye: bool, agreed: bool
) -> bool:
    """Return whether one of the two plays in these fixtures of the round already, by agreement.

    Raises InvalidInput "has-bye", or "plays-already" without agreement.
    """
    engaged = False
    for result in results:
        rests = result.state is FixtureState.BYE
        playing: list[Entrant | None] = []
        if result.state is not FixtureState.VOID:
            playing = [*result.entrants]
        if rests:
            playing = [result.winner]
        for side, key in both.items():
            entrant = next((each for each in playing if each and each.enrolment == key), None)
            if entrant is None:
                continue
            if rests:
                sentence = gettext(
                    "%(name)s has a bye in this round. Delete that bye first, or swap pairings."
                )
                raise field_error(side, "has-bye", sentence % {"name": entrant.name}, str(key))
            _expect_agreed(result, entrant, side, bye=bye, agreed=agreed)
            engaged = True
    return engaged


def _expect_agreed(
    result: FixtureResult, entrant: Entrant, field: str, *, bye: bool, agreed: bool
) -> None:
    names = {
        "name": entrant.name,
        "other": join_names([each.name for each in result.entrants if each != entrant]),
    }
    if bye:
        sentence = gettext(
            "%(name)s plays %(other)s in this round and cannot have a bye. Delete that fixture "
            "first."
        )
        raise field_error(field, "plays-already", sentence % names, str(entrant.enrolment))
    if not agreed:
        sentence = gettext(
            "%(name)s already plays %(other)s in this round. Swap pairings, or enter the reason "
            "for a second game."
        )
        raise field_error(field, "plays-already", sentence % names, str(entrant.enrolment))


@transaction.atomic
def edit_fixture(
    *,
    fixture_id: UUID,
    user: User,
    deadline: date | None,
    postponed: str | None = None,
    version: int | None = None,
) -> Fixture:
    """Change the deadline of a fixture; None restores the round's deadline.

    ``postponed`` is the reason, which everybody sees; None keeps the present reason while the
    fixture has its own deadline. Raises NotFound, Forbidden, InvalidInput "out-of-range",
    StateConflict "stale-version".
    """
    row = _organised_fixture(fixture_id, user, version)
    edit = validate(FixtureEdit(deadline=clean_deadline(deadline), postponed=postponed))
    row.deadline = edit.deadline
    if edit.postponed is not None:
        row.postponed = edit.postponed
    elif deadline is None:
        row.postponed = ""
    _audit(
        Verb.FIXTURE_CHANGED, row.round.campaign, user, round=row.round.number, reason=row.postponed
    )
    return _save(row, "deadline", "postponed")


def clean_deadline(deadline: date | None) -> date | None:
    """Return the deadline.

    Raises InvalidInput "out-of-range" if its year is more than ten years away.

    A date that far away is a typing error.
    """
    if deadline is not None and abs(deadline.year - timezone.localdate().year) > MAX_YEARS:
        sentence = gettext("Enter a deadline within %(years)s years of today.") % {
            "years": MAX_YEARS
        }
        raise field_error("deadline", "out-of-range", sentence, str(deadline))
    return deadline


@transaction.atomic
def swap_entrants(
    *, fixture_id: UUID, user: User, leaving: UUID, coming: UUID, version: int | None = None
) -> Fixture:
    """Swap ``leaving`` and ``coming``, who play in the same round.

    Raises NotFound, Forbidden, StateConflict "fixture-begun" if either fixture is planned, played
    or decided, InvalidInput "not-in-this-fixture", "not-in-this-round", "same-warband",
    "unknown-enrolment", and "plays-already" if somebody would have both a bye and a game.
    """
    row = _organised_fixture(fixture_id, user, version)
    fixtures = list(row.round.fixtures.order_by("place"))
    if leaving not in (row.home_id, row.away_id):
        raise field_error(
            "leaving",
            "not-in-this-fixture",
            gettext("This warband does not play in the fixture."),
        )
    _enrolled(row.round.campaign, "coming", coming)
    other = next((each for each in fixtures if coming in (each.home_id, each.away_id)), None)
    if other is None:
        raise field_error(
            "coming",
            "not-in-this-round",
            gettext("This warband has no fixture in this round."),
        )
    if other.pk == row.pk:
        raise field_error("coming", "same-warband", gettext("These two already play each other."))
    before = _results(row.round.campaign)
    results = {each.id: each for each in before}
    for each in (row, other):
        _expect_untouched(results[each.pk])
    others = [each for each in fixtures if each.pk not in (row.pk, other.pk)]
    pairs = {frozenset((each.home_id, each.away_id)) for each in others}
    staying = _opponent(row, leaving), _opponent(other, coming)
    if coming == staying[0] or leaving == staying[1] or pairs & {
        frozenset((coming, staying[0])), frozenset((leaving, staying[1]))
    }:  # fmt: skip
        raise field_error("coming", "same-warband", gettext("These two already play each other."))
    # An entrant who gets a bye by the swap must not have an agreed second game in the round.
    for bye, name, key in ((row.bye, "coming", coming), (other.bye, "leaving", leaving)):
        if bye:
            elsewhere = [results[each.pk] for each in others]
            _engaged(elsewhere, {name: key}, bye=True, agreed=False)
    _replace(row, leaving, coming)
    _replace(other, coming, leaving)
    _audit(Verb.ENTRANTS_SWAPPED, row.round.campaign, user, round=row.round.number)
    if other.bye and not row.round.campaign.enrolments.current().filter(pk=leaving).exists():
        # An entrant who has left the campaign gets no bye.
        other.delete()
    else:
        _save(other, "home", "away", "given_up_by")
    _save(row, "home", "away", "given_up_by")
    # A former bye may have advanced an entrant to a later fixture, which others play now.
    settle_dependents(row.round.campaign, before, user)
    return row


@transaction.atomic
def delete_fixture(*, fixture_id: UUID, user: User) -> None:
    """Delete a fixture.

    Raises StateConflict "fixture-begun", or "rounds-follow" if others depend on it.
    """
    row = _organised_fixture(fixture_id, user)
    _expect_untouched(_result_of(row), FixtureState.WAITING)
    if (
        Fixture.objects.filter(home_from=row).exists()
        or Fixture.objects.filter(away_from=row).exists()
    ):
        raise StateConflict(
            "rounds-follow",
            gettext(
                "The winner of this fixture advances to a later round. Delete that round first."
            ),
        )
    _audit(Verb.FIXTURE_DELETED, row.round.campaign, user, round=row.round.number)
    row.delete()


@transaction.atomic
def give_walkover(
    *, fixture_id: UUID, user: User, walkover: str, reason: str = "", version: int | None = None
) -> Fixture:
    """Set a result without a battle: "home" or "away" wins, "nobody": both forfeit; "" removes it.

    A result needs a reason. "" also reopens a fixture that was given up by a warband that had left
    and has returned. A battle that is planned for the fixture is voided for the same reason. After
    a draw in a knockout the result decides who advances, and does not count in the standings.

    Raises NotFound, Forbidden, InvalidInput "reason-needed", "unknown-walkover", "plays-already",
    "has-bye", StateConflict "battle-begun" while its battle is in progress, "fixture-played" once a
    battle has decided it, "fixture-waits" while an entrant is not known, "nobody-there" for a bye.
    """
    row = _organised_fixture(fixture_id, user, version)
    _give(row, user, walkover, _clean_reason(reason))
    return row


@transaction.atomic
def preview_walkover(
    *, fixture_id: UUID, user: User, walkover: str, reason: str = "", version: int | None = None
) -> FixtureImpact:
    """Return what a walkover, or its removal, would change. Writes nothing.

    Raises the errors of ``give_walkover``.
    """
    row = _organised_fixture(fixture_id, user, version)
    impact = consequences(
        row.round.campaign, lambda: _give(row, user, walkover, _clean_reason(reason))
    )
    return FixtureImpact(
        table_differences(impact.before.table, impact.after.table), impact.fixtures
    )


def _clean_reason(reason: str) -> str:
    cleaned: str = validate_fields(WalkoverTerms, {"reason": reason})["reason"]
    return cleaned


def _give(row: Fixture, user: User, walkover: str, reason: str) -> Settled:
    """Save or remove a walkover, and update the fixtures that depend on it."""
    if walkover not in Walkover.values:
        raise field_error(
            "walkover", "unknown-walkover", "Use one of: home, away, nobody.", walkover[:20]
        )
    if walkover and not reason:
        raise InvalidInput(
            "reason-needed", gettext("Enter a reason for this result."), field="reason"
        )
    campaign = row.round.campaign
    before = _results(campaign)
    result = next(each for each in before if each.id == row.pk)
    if walkover:
        _expect_undecided(result)
        _void_planned(result, user, reason)
    elif result.given_up and not row.walkover:
        _expect_nothing_since(row, result)
        row.given_up_by = []
        _audit(Verb.FIXTURE_REOPENED, campaign, user, round=row.round.number)
        _save(row, "given_up_by")
        return settle_dependents(campaign, before, user)
    row.walkover, row.reason = walkover, reason if walkover else ""
    row.decided_by, row.decided_at = (user, timezone.now()) if walkover else (None, None)
    verb = Verb.WALKOVER_GIVEN if walkover else Verb.WALKOVER_TAKEN_BACK
    _audit(verb, campaign, user, round=row.round.number, walkover=walkover, reason=reason)
    _save(row, "walkover", "reason", "decided_by", "decided_at")
    return settle_dependents(campaign, before, user)


def _void_planned(result: FixtureResult, user: User, reason: str) -> None:
    """Void the battle that was planned for a fixture.

    Raises StateConflict "battle-begun" for a battle that has begun, so that its log is not lost as
    a side effect.
    """
    if result.battle is None or result.state is FixtureState.CONFIRMED:
        return
    # Locks are taken in the order campaign, battle, as everywhere, to avoid deadlocks.
    battle = lock_battle(result.battle)
    if battle.state != BattleState.PLANNED:
        sentence = gettext(
            "The battle of this fixture is %(state)s. Void it first, or wait until it is confirmed."
        )
        values = {"state": str(BattleState(battle.state).label).lower()}
        problem = Problem("battle-begun", sentence % values, field="battle", value=str(battle.pk))
        raise StateConflict("battle-begun", problem.sentence, problems=[problem], field="battle")
    battle.state, battle.decision = BattleState.VOID, reason
    save_battle(battle, "state", "decision")
    record_battle(Verb.BATTLE_VOIDED, battle, user, reason=reason)


def _expect_nothing_since(row: Fixture, result: FixtureResult) -> None:
    """Raise InvalidInput "plays-already" or "has-bye" if one has another fixture in the round."""
    if row.round.method == Method.LADDER:
        return
    others = [
        each
        for each in _results(row.round.campaign)
        if each.round == row.round_id and each.id != row.pk
    ]
    both = {
        name: side.entrant.enrolment
        for name, side in zip(SIDES, result.sides, strict=True)
        if side.entrant
    }
    _engaged(others, both, bye=False, agreed=bool(row.agreed))


@transaction.atomic
def add_latecomer(*, enrolment_id: UUID, user: User) -> list[Fixture]:
    """Add fixtures for a latecomer to a round robin, one against each other entrant.

    An entrant with a bye in an open round plays the newcomer there, even if the bye comes from an
    opponent who left. With fewer open rounds than opponents, or without byes, a fixture can be a
    second game of the round for one of the two; asking for the fixtures counts as agreement. Raises
    NotFound, Forbidden, InvalidInput "no-round-robin", StateConflict "has-fixtures",
    "no-open-round".
    """
    enrolment = find(Enrolment.objects.visible_to(user), enrolment_id, "enrolment")
    campaign = organised_campaign(enrolment.campaign_id, user)
    _enrolled(campaign, "enrolment", enrolment_id)
    rounds = list(campaign.rounds.filter(method=Method.ROUND_ROBIN).order_by("number"))
    if not rounds:
        raise InvalidInput(
            "no-round-robin",
            gettext("This campaign has no round robin."),
            field="enrolment",
        )
    keys = {each.pk for each in rounds}
    results = [each for each in _results(campaign) if each.round in keys]
    playing = {entrant.enrolment: entrant for each in results for entrant in each.entrants}
    if enrolment_id in playing:
        raise StateConflict(
            "has-fixtures", gettext("This warband already has its fixtures in the round robin.")
        )
    still_open = [
        each
        for each in rounds
        if any(result.round == each.pk and not result.settled for result in results)
    ]
    if not still_open:
        raise StateConflict(
            "no-open-round",
            gettext("All rounds of the round robin have been played. Add fixtures by hand."),
        )
    # Step 1: find the byes of the open rounds, and the opponents who are still in the campaign.
    byes = {
        (each.round_number, str(each.winner.enrolment)): each
        for each in results
        if each.state is FixtureState.BYE and each.winner
    }
    resting = {
        each.number: [key for number, key in byes if number == each.number] for each in still_open
    }
    opponents = [str(key) for key, entrant in playing.items() if not entrant.gone]
    by_number = {each.number: each for each in still_open}
    _audit(Verb.LATECOMER_ADDED, campaign, user)
    # Step 2: find who plays in which round already. A second game there counts as agreed.
    playing_in = {
        (each.round_number, str(entrant.enrolment))
        for each in results
        if each.state not in (FixtureState.BYE, FixtureState.VOID)
        for entrant in each.entrants
    }
    made = []
    for number, opponent in latecomer(str(enrolment_id), opponents, resting):
        pair = {(number, opponent), (number, str(enrolment_id))}
        agreed = gettext("joined the round robin late") if pair & playing_in else ""
        playing_in |= pair
        made.append(
            _joined(
                by_number[number],
                enrolment_id,
                UUID(opponent),
                byes.get((number, opponent)),
                agreed,
            )
        )
    return made


@transaction.atomic
def challenge(
    *,
    round_id: UUID,
    user: User,
    challenger_id: UUID,
    opponent_id: UUID,
    deadline: date | None = None,
) -> Fixture:
    """Challenge an opponent on a ladder who is higher and within reach.

    For the warband's player and organisers.

    Raises NotFound, Forbidden "not-your-warband", InvalidInput "no-ladder", "out-of-reach",
    "campaign-finished", StateConflict "challenge-open" while one of the two has an open challenge.
    """
    row = find(Round.objects.visible_to(user).select_related("campaign"), round_id, "round")
    # The lock makes simultaneous challenges wait, so that the second one sees the first as open.
    campaign = Campaign.objects.select_for_update(of=("self",), no_key=True).get(pk=row.campaign_id)
    if row.method != Method.LADDER:
        raise InvalidInput(
            "no-ladder", gettext("You can challenge players on a ladder only."), field="round"
        )
    _expect_running(campaign)
    challenger = _enrolled(campaign, "challenger", challenger_id)
    _expect_own(challenger, campaign, user)
    results = [each for each in _results(campaign) if each.round == row.pk]
    ladder = current_ladder(row, campaign, results)
    if str(opponent_id) not in within_reach(ladder, str(challenger_id), row.reach or 1):
        sentence = gettext("You can challenge players at most %(reach)s places above you.") % {
            "reach": row.reach
        }
        raise field_error("opponent", "out-of-reach", sentence, str(opponent_id))
    both = {challenger_id, opponent_id}
    if _has_challenge(results, both):
        raise StateConflict(
            "challenge-open",
            gettext("One of the two already has an open challenge. It must be played first."),
        )
    _audit(Verb.CHALLENGED, campaign, user, round=row.number)
    return create_signed(
        Fixture,
        round=row,
        place=_next_place(row),
        home_id=challenger_id,
        away_id=opponent_id,
        deadline=clean_deadline(deadline),
    )


def current_ladder(
    row: Round, campaign: Campaign, results: Sequence[FixtureResult]
) -> tuple[str, ...]:
    """Return the present ladder from the top down, without those who left the campaign.

    One query.
    """
    entrants = (
        campaign.enrolments.current().order_by("enrolled_at", "id").values_list("pk", flat=True)
    )
    return ladder_of(row.order, results, [str(each) for each in entrants])


@transaction.atomic
def link_battle(*, fixture_id: UUID, battle_id: UUID, user: User) -> Fixture:
    """Link a battle to the fixture for which it was played. For users who can log the battle.

    Raises NotFound, Forbidden, InvalidInput "other-sides" (also for a void battle), StateConflict
    "fixture-taken", "battle-has-fixture".
    """
    row = find(
        Fixture.objects.visible_to(user).select_related("round__campaign"), fixture_id, "fixture"
    )
    Campaign.objects.select_for_update(of=("self",), no_key=True).get(pk=row.round.campaign_id)
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    if battle.fixture_id == row.pk:
        return row
    if battle.fixture_id is not None:
        raise StateConflict(
            "battle-has-fixture",
            gettext("This battle is already linked to another fixture."),
            field="battle",
        )
    expect_open(_result_of(row))
    sides = set(battle.sides.values_list("warband_id", flat=True))
    if battle.campaign_id != row.round.campaign_id or battle.state == BattleState.VOID:
        raise field_error(
            "battle",
            "other-sides",
            gettext("This battle does not count in the campaign."),
            str(battle_id),
        )
    if sides != {each.warband for each in _result_of(row).entrants}:
        raise field_error(
            "battle",
            "other-sides",
            gettext("The sides of this battle do not match the fixture."),
            str(battle_id),
        )
    battle.fixture = row
    save_battle(battle, "fixture")
    bring_substitutes(battle)
    record_battle(Verb.BATTLE_LINKED, battle, user)
    return row


def linkable_battles(fixture: Fixture, user: User) -> list[Battle]:
    """Return the battles that ``link_battle`` would accept for an open fixture, latest first.

    Takes four queries.
    """
    result = _result_of(fixture)
    free = Battle.objects.editable_by(user).filter(campaign=fixture.round.campaign_id, fixture=None)
    if result.state is not FixtureState.OPEN:
        return []
    for each in result.entrants:
        free = free.filter(sides__warband=each.warband)
    rows = free.exclude(state=BattleState.VOID).distinct().for_rows().order_by("-fought_on", "pk")
    return [
        row for row in rows if is_between(result, [side.warband_id for side in row.sides.all()])
    ]


def _expect_untouched(result: FixtureResult, *more: FixtureState) -> None:
    if result.walkover or result.battle or result.state not in (*UNTOUCHED, *more):
        raise StateConflict(
            "fixture-begun",
            gettext(
                "This fixture is already planned, played or decided. Void the battle or remove "
                "the result first."
            ),
        )


def _expect_undecided(result: FixtureResult) -> None:
    if result.state is FixtureState.WAITING:
        raise StateConflict(
            "fixture-waits",
            gettext(
                "The entrants for this fixture are not known yet, because earlier results are "
                "missing."
            ),
        )
    if result.state is FixtureState.CONFIRMED and not result.undecided and not result.walkover:
        raise StateConflict(
            "fixture-played",
            gettext("This fixture has been played. Correct or void the battle instead."),
        )
    if len(result.entrants) < 2:
        raise StateConflict(
            "nobody-there", gettext("This fixture has only one side, so there is no result to set.")
        )


def _expect_running(campaign: Campaign) -> None:
    if campaign.state == CampaignState.FINISHED:
        raise InvalidInput(
            "campaign-finished", gettext("The campaign has ended."), field="campaign"
        )


def _expect_own(enrolment: Enrolment, campaign: Campaign, user: User) -> None:
    """Raise Forbidden unless the user plays the warband or is an organiser."""
    plays = clubs_of(user, Role.ORGANISER, Role.PLAYER).filter(club=campaign.club_id).exists()
    is_own = (
        enrolment.player.user_id == user.pk
        or Enrolment.objects.editable_by(user).filter(pk=enrolment.pk).exists()
    )
    if not (plays and is_own):
        raise Forbidden(
            "not-your-warband",
            gettext("Only the warband's player or an organiser can make a challenge for it."),
        )


def _expect_version(row: Round | Fixture, version: int | None) -> None:
    if version is not None and version != row.version:
        sentence = gettext(
            "Someone else changed this first (now version %(version)s). Reload and try again."
        ) % {"version": row.version}
        raise StaleVersion(sentence, row.version)


def _audit(verb: Verb, campaign: Campaign, user: User, **details: Any) -> None:
    record(verb, campaign, user=user, club=campaign.club_id, campaign=campaign.pk, **details)


def _organised_round(round_id: UUID, user: User) -> Round:
    """Return the round with its campaign, which is locked. Raises NotFound, Forbidden."""
    row = find(Round.objects.visible_to(user), round_id, "round")
    row.campaign = organised_campaign(row.campaign_id, user)
    return row


def _organised_fixture(fixture_id: UUID, user: User, version: int | None = None) -> Fixture:
    """Return the fixture with its round and its campaign, which is locked.

    Raises NotFound, Forbidden, StateConflict.
    """
    row = find(Fixture.objects.visible_to(user).select_related("round"), fixture_id, "fixture")
    row.round.campaign = organised_campaign(row.round.campaign_id, user)
    row.refresh_from_db(fields=["version", "home", "away", "walkover", "given_up_by", "deadline"])
    _expect_version(row, version)
    return row


def _enrolled(campaign: Campaign, field: str, key: UUID) -> Enrolment:
    row = campaign.enrolments.current().select_related("player").filter(pk=key).first()
    if row is None:
        raise field_error(
            field,
            "unknown-enrolment",
            gettext("This warband is not in the campaign."),
            str(key),
        )
    return row


def _results(campaign: Campaign) -> tuple[FixtureResult, ...]:
    return campaign_fixture_results(campaign)


def _result_of(row: Fixture) -> FixtureResult:
    return next(each for each in _results(row.round.campaign) if each.id == row.pk)


def _next_place(row: Round) -> int:
    last = row.fixtures.aggregate(last=Max("place"))["last"]
    return 0 if last is None else last + 1


def _opponent(row: Fixture, enrolment: UUID) -> UUID | None:
    return row.away_id if row.home_id == enrolment else row.home_id


def _replace(row: Fixture, leaving: UUID, coming: UUID) -> None:
    row.given_up_by = []
    if row.home_id == leaving:
        row.home_id = coming
    else:
        row.away_id = coming


def _joined(
    row: Round, newcomer: UUID, opponent: UUID, resting: FixtureResult | None, agreed: str
) -> Fixture:
    """Save a fixture for a newcomer: the opponent's bye if there is one, else a new fixture."""
    if resting is None:
        sides = {"home_id": opponent, "away_id": newcomer}
        return create_signed(Fixture, round=row, place=_next_place(row), agreed=agreed, **sides)
    fixture = Fixture.objects.get(pk=resting.id)
    fixture.home_id, fixture.away_id, fixture.bye = opponent, newcomer, False
    fixture.given_up_by, fixture.agreed = [], agreed
    return _save(fixture, "home", "away", "bye", "given_up_by", "agreed")


def _save(row: Fixture, *fields: str) -> Fixture:
    row.version += 1
    save_signed(row, *fields, "version")
    return row


def _save_round(row: Round, *fields: str) -> Round:
    row.version += 1
    save_signed(row, *fields, "version")
    return row
