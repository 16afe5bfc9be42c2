"""A random season of a campaign: entrants without rosters, battles without logs, real services.

Events are drawn as pairs of numbers. Each does what is possible at that moment, or nothing.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import TypeVar
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from battles.models import Battle, BattleState
from battles.selectors.fixture_results import FixtureResult, FixtureState, fixture_results
from battles.selectors.standings import StandingsRow
from battles.services.corrections import void_battle
from campaigns.models import Enrolment, Fixture, Method, Round
from campaigns.services.campaigns import start_campaign
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from campaigns.services.returning import give_up_fixtures
from clubs.models import Membership, Role
from core.errors import MusterError
from leagues.services.fixtures import (
    add_fixture,
    add_latecomer,
    challenge,
    delete_fixture,
    give_walkover,
    swap_entrants,
)
from leagues.services.rounds import RoundTerms, make_rounds
from tests.battles.table import Table
from tests.pages import world
from warbands.models import Warband

Thing = TypeVar("Thing")
MAX_ROUNDS = 12
MAX_LATE = 3
OUTCOMES = (("won", "lost"), ("lost", "won"), ("drew", "drew"))
VICTORY_POINTS = {"won": 3, "drew": 2, "lost": 1}
WIN, DRAW, LOSS, BYE = 5, 2, 1, 2
ONCE = (Method.ROUND_ROBIN, Method.GROUPS, Method.LADDER)
"""Methods of which the season has one stage, made at its beginning."""


class Season(Table):
    """A running campaign with one method of pairing.

    ``happen`` runs a random event, and ``expect_sound`` checks the invariants.
    """

    def __init__(self, method: Method, entrants: int) -> None:
        super().__init__("ABCDEFGH"[:entrants], win=WIN, draw=DRAW, loss=LOSS, bye=BYE)
        self.method = method
        self.late = 0
        club = self.campaign.club
        self.player = club.memberships.get()
        Membership.objects.create(club=club, user=self.user, name="Org", role=Role.ORGANISER)
        self.more_rounds()

    # Shortcuts without rosters and logs

    def enrol(self, name: str) -> Warband:
        return self._enrol(self.player, name)

    def withdraw(self, enrolment: Enrolment) -> None:
        Enrolment.objects.filter(pk=enrolment.pk).update(left_at=timezone.now())

    def enrol_again(self, enrolment: Enrolment) -> None:
        give_up_fixtures(self.campaign, enrolment)
        Enrolment.objects.filter(pk=enrolment.pk).update(left_at=None)

    def fight_out(self, result: FixtureResult, outcomes: tuple[str, str]) -> None:
        places = [[row.pk for row in self.warbands].index(each.warband) for each in result.entrants]
        sides = {
            place: (VICTORY_POINTS[ended], ended)
            for place, ended in zip(places, outcomes, strict=True)
        }
        self.brawl(sides, fixture_id=result.id, confirmed_at=timezone.now())

    def strike(self, battle: Battle) -> None:
        Battle.objects.filter(pk=battle.pk).update(state=BattleState.VOID)

    # Reading

    def results(self) -> list[FixtureResult]:
        return list(fixture_results(Fixture.objects.filter(round__campaign=self.campaign)))

    def in_state(self, *states: FixtureState) -> list[FixtureResult]:
        return [each for each in self.results() if each.state in states]

    def rows(self) -> dict[UUID, StandingsRow]:
        return {row.enrolment: row for row in self.read().rows}

    def current(self) -> list[Enrolment]:
        return list(self.campaign.enrolments.current().order_by("pk"))

    # Events

    def happen(self, what: str, number: int, other: int) -> None:
        """Run one event if it is possible; ignore what a service refuses."""
        verb: Callable[[int, int], None] = getattr(self, what)
        with suppress(MusterError):
            verb(number, other)

    def more_rounds(self, number: int = 0, other: int = 0) -> None:
        rounds = self.campaign.rounds.count()
        if (rounds and self.method in ONCE) or rounds >= MAX_ROUNDS:
            return
        if (
            rounds
            and self.method == Method.KNOCKOUT
            and any(not each.settled for each in self.results())
        ):
            return
        terms = RoundTerms(method=self.method, groups=2, third_place=bool(number % 2), reach=3)
        made = make_rounds(campaign_id=self.campaign.pk, user=self.user, terms=terms)
        if self.method == Method.SWISS:
            playing = [
                key
                for each in made[0].fixtures.all()
                for key in (each.home_id, each.away_id)
                if key
            ]
            assert sorted(playing) == sorted(row.pk for row in self.current()), (
                "everybody once, latecomers too"
            )

    def play(self, number: int, other: int) -> None:
        result = picked(self.in_state(FixtureState.OPEN), number)
        if result is not None:
            self.fight_out(result, OUTCOMES[other % 3])

    def correct(self, number: int, other: int) -> None:
        battle = picked(self._confirmed(), number)
        if battle is not None:
            for side, outcome in zip(
                battle.sides.order_by("place"), OUTCOMES[other % 3], strict=True
            ):
                battle.sides.filter(pk=side.pk).update(outcome=outcome)

    def void(self, number: int, other: int) -> None:
        battle = picked(self._confirmed(), number)
        if battle is not None:
            self.strike(battle)

    def _confirmed(self) -> list[Battle]:
        return list(self.campaign.battles.filter(state=BattleState.CONFIRMED).order_by("pk"))

    def decide(self, number: int, other: int) -> None:
        result = picked(self.results(), number)
        if result is not None:
            given = ("home", "away", "nobody", "")[other % 4]
            give_walkover(fixture_id=result.id, user=self.user, walkover=given, reason="Snow")

    def leave(self, number: int, other: int) -> None:
        enrolment = picked(self.current(), number)
        if enrolment is None or len(self.current()) < 3:
            return
        before = self.rows()
        self.withdraw(enrolment)
        for key, row in self.rows().items():
            assert row.points >= before[key].points, (
                f"{row.name} lost points as {enrolment.warband} left"
            )
        left = self.rows().get(enrolment.pk)
        assert (left.points if left else 0) == before[enrolment.pk].points, (
            "who leaves keeps the points"
        )

    def come_back(self, number: int, other: int) -> None:
        enrolment = picked(
            list(self.campaign.enrolments.filter(left_at__isnull=False).order_by("pk")), number
        )
        if enrolment is None:
            return
        before, states = self.rows(), {each.id: each.state for each in self.results()}
        self.enrol_again(enrolment)
        reopened = [
            each for each in self.in_state(FixtureState.OPEN) if states[each.id] is FixtureState.BYE
        ]
        if self.method not in (Method.ROUND_ROBIN, Method.GROUPS):
            assert not reopened, "no round is open again"
        taken = {entrant.enrolment for each in reopened for entrant in each.entrants}
        for key, row in self.rows().items():
            if key in before and key not in taken:
                assert row.points == before[key].points, (
                    f"{row.name} has other points as somebody came back"
                )

    def come_late(self, number: int, other: int) -> None:
        if self.late < MAX_LATE:
            self.late += 1
            self.warbands.append(self.enrol(f"Late {self.late}"))

    def make_fixtures(self, number: int, other: int) -> None:
        enrolment = picked(self.current(), number)
        if enrolment is None:
            return
        add_latecomer(enrolment_id=enrolment.pk, user=self.user)
        results = [each for each in self.results() if each.method == Method.ROUND_ROBIN]
        mine = [
            each
            for each in results
            if enrolment.pk in {entrant.enrolment for entrant in each.entrants}
        ]
        met = sorted(
            entrant.enrolment
            for each in mine
            for entrant in each.entrants
            if entrant.enrolment != enrolment.pk
        )
        playing = {
            entrant.enrolment for each in results for entrant in each.entrants if not entrant.gone
        } - {enrolment.pk}
        assert met == sorted(playing), "one game against each of the others"

    def add(self, number: int, other: int) -> None:
        row, home = (
            picked(list(self.campaign.rounds.order_by("number")), other),
            picked(self.current(), number),
        )
        away = picked(self.current(), other // 2)
        if row is not None and home is not None:
            against = away.pk if away is not None and other % 3 else None
            agreed = "Agreed" if other % 2 else ""
            add_fixture(
                round_id=row.pk, user=self.user, home_id=home.pk, away_id=against, agreed=agreed
            )

    def swap(self, number: int, other: int) -> None:
        result, coming = picked(self.results(), number), picked(self.current(), other)
        leaving = picked(result.entrants, other) if result else None
        if result is not None and coming is not None and leaving is not None:
            swap_entrants(
                fixture_id=result.id, user=self.user, leaving=leaving.enrolment, coming=coming.pk
            )

    def delete(self, number: int, other: int) -> None:
        result = picked(self.results(), number)
        if result is not None and other % 3 == 0:
            delete_fixture(fixture_id=result.id, user=self.user)

    def dare(self, number: int, other: int) -> None:
        ladder = Round.objects.filter(campaign=self.campaign, method=Method.LADDER).first()
        challenger, above = picked(self.current(), number), picked(self.current(), other)
        if ladder is not None and challenger is not None and above is not None:
            challenge(
                round_id=ladder.pk,
                user=self.user,
                challenger_id=challenger.pk,
                opponent_id=above.pk,
            )

    # Invariants

    def expect_sound(self) -> None:
        """Check the invariants: one game a round, correct points, everybody in the standings."""
        results = self.results()
        self._expect_one_game_a_round(results)
        rows = self.rows()
        assert sum(row.points for row in rows.values()) == self._worth(results)
        byes = [each for each in results if each.state is FixtureState.BYE and each.bye_counts]
        counted = {each.winner.enrolment for each in byes if each.winner}
        played = set(self.campaign.enrolments.filter(warband__sides__battle__state=BattleState.CONFIRMED).values_list(
            "pk", flat=True
        ))  # fmt: skip
        decided = {
            entrant.enrolment
            for each in results
            if each.state is FixtureState.WALKOVER
            for entrant in each.entrants
        }
        assert counted | played | decided | {row.pk for row in self.current()} <= rows.keys()
        for each in results:
            assert len({entrant.enrolment for entrant in each.entrants}) == len(each.entrants), (
                "nobody plays themselves"
            )
            if each.state in (FixtureState.OPEN, FixtureState.WALKOVER):
                assert len(each.entrants) == 2

    def _expect_one_game_a_round(self, results: Sequence[FixtureResult]) -> None:
        games: dict[tuple[UUID, UUID], list[FixtureResult]] = {}
        for each in results:
            for key in engaged(each) if each.method != Method.LADDER else ():
                games.setdefault((each.round, key), []).append(each)
        # Winners of earlier rounds come into a fixture whatever an organiser has added to its round.
        fed = Fixture.objects.filter(Q(home_from__isnull=False) | Q(away_from__isnull=False))
        come_later = set(fed.values_list("pk", flat=True))
        for played in games.values():
            fixtures = [each for each in played if each.id not in come_later]
            byes = [each for each in fixtures if each.state is FixtureState.BYE]
            assert not byes or len(fixtures) == 1, "no bye beside a game, nor a second one"
            assert sum(not each.agreed for each in fixtures) <= 1, "a second game is agreed"

    def _worth(self, results: Sequence[FixtureResult]) -> int:
        drawn = sum(
            all(side.outcome == "drew" for side in battle.sides.all())
            for battle in self._confirmed()
        )
        decided = len(self._confirmed()) - drawn
        walkovers = [each for each in results if each.state is FixtureState.WALKOVER]
        forfeits = sum(each.winner is None for each in walkovers)
        byes = sum(each.bye_counts for each in results if each.state is FixtureState.BYE)
        return (
            (WIN + LOSS) * (decided + len(walkovers) - forfeits)
            + 2 * DRAW * drawn
            + 2 * LOSS * forfeits
            + BYE * byes
        )


class PlayedSeason(Season):
    """The same with warbands of En Garde!, battles with a log, and the services of the pages."""

    def __init__(self, method: Method, entrants: int) -> None:
        self.method, self.late = method, 0
        self.user = User.objects.create_user(f"organiser {uuid4()}")
        club = world.club_of(self.user)
        self.player = club.memberships.get()
        self.warbands = []
        scoring = {"win": WIN, "draw": DRAW, "loss": LOSS, "bye": BYE}
        self.campaign = world.campaign_of(club, self.user, running=False, scoring=scoring)
        self.warbands += [self.enrol(name) for name in "ABCDEFGH"[:entrants]]
        self.campaign = start_campaign(campaign_id=self.campaign.pk, user=self.user)
        self.more_rounds()

    def enrol(self, name: str) -> Warband:
        warband = world.warband_of(self.user, name, "landsknechts", world.LANDSKNECHTS[:2])
        enrol_warband(campaign_id=self.campaign.pk, warband_id=warband.pk, user=self.user)
        return warband

    def withdraw(self, enrolment: Enrolment) -> None:
        withdraw_warband(enrolment_id=enrolment.pk, user=self.user)

    def enrol_again(self, enrolment: Enrolment) -> None:
        enrol_warband(campaign_id=self.campaign.pk, warband_id=enrolment.warband_id, user=self.user)

    def fight_out(self, result: FixtureResult, outcomes: tuple[str, str]) -> None:
        sides = [Warband.objects.get(pk=each.warband) for each in result.entrants]
        world.confirmed_battle(self.user, self.user, self.campaign, *sides, fixture=result.id)

    def strike(self, battle: Battle) -> None:
        void_battle(battle_id=battle.pk, user=self.user, reason="It was another day.")


def picked(things: Sequence[Thing], number: int) -> Thing | None:
    """Return one of the things; None if there are none."""
    return things[number % len(things)] if things else None


def engaged(result: FixtureResult) -> Collection[UUID]:
    """Return who plays or rests in a fixture."""
    if result.state is FixtureState.BYE:
        return (result.winner.enrolment,) if result.winner else ()
    return (
        ()
        if result.state is FixtureState.VOID
        else tuple(each.enrolment for each in result.entrants)
    )
