"""Several clients ask for the same thing at the same moment, by the API: nothing is doubled, and
nothing lost.

On whatever database is there: on PostgreSQL they meet at the locks of rows, on SQLite at the one
lock of writers.
"""

from collections import Counter
from collections.abc import Callable
from io import StringIO
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from rest_framework.throttling import SimpleRateThrottle

from battles.models import Battle, BattleEvent, BattleState
from campaigns.models import Campaign
from campaigns.services.campaigns import plan_campaign
from campaigns.services.enrolments import enrol_warband
from tests.battles import field
from tests.conftest import api_of
from tests.together import at_once
from warbands.models import ChronicleEntry, Warband
from warbands.services.roster import adjust_fighter

pytestmark = [pytest.mark.one_database, pytest.mark.django_db(transaction=True)]

KINDS = 6
ROUNDS_OF_A_PART = 10
Post = Callable[[User, str, Any], Callable[[], Any]]


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Post:
    """Return a function that prepares a request of a user, to be sent later."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)

    def post(user: User, address: str, body: Any) -> Callable[[], Any]:
        client = api_of(user)
        client.raise_request_exception = False
        return lambda: client.post(f"/api/v1/{address}", body)

    return post


class Race:
    """Two warbands in a campaign, and concurrent requests about them."""

    def __init__(
        self, post: Post, alice: User, bob: User, campaign: Campaign, chance: Random
    ) -> None:
        self.post, self.alice, self.bob, self.campaign, self.chance = (
            post,
            alice,
            bob,
            campaign,
            chance,
        )
        self.reds, self.blues = Warband.objects.order_by("-name")

    def run(self, *requests: Callable[[], Any], several: int = 1) -> Counter[int]:
        """Send all requests at once, each ``several`` times, in random order.

        Return the status counts.
        """
        sent = [*requests] * several
        self.chance.shuffle(sent)
        answers = at_once(*sent)
        assert not [
            answer for answer in answers if answer.status_code >= 500 and answer.status_code != 503
        ]
        return Counter(answer.status_code for answer in answers)

    def fought(self, battle: Battle) -> int:
        """Return the number of facts about the battle."""
        return ChronicleEntry.objects.filter(kind="fought", subject=battle.pk).count()

    def confirm_and_confirm(self) -> None:
        battle = field.fight(self.alice, self.campaign, self.reds, self.blues)
        confirm = self.post(self.bob, f"battles/{battle.pk}/confirm/", {})
        decide = self.post(self.alice, f"battles/{battle.pk}/decide/", {"decision": "as-logged"})
        codes = self.run(confirm, decide, several=2)
        assert (codes[200], self.fought(battle)) == (1, 2), codes

    def confirm_and_void(self) -> None:
        battle = field.fight(self.alice, self.campaign, self.reds, self.blues)
        confirm = self.post(self.bob, f"battles/{battle.pk}/confirm/", {})
        void = self.post(self.alice, f"battles/{battle.pk}/void/", {"reason": "It never was."})
        codes = self.run(confirm, void)
        battle.refresh_from_db()
        assert battle.state == BattleState.VOID and codes[200] >= 1, codes
        assert self.fought(battle) == (2 if codes[200] == 2 else 0), (
            "confirmed first and struck then, or never told"
        )

    def submit_and_correct(self) -> None:
        battle = field.begin(self.alice, self.campaign, self.reds, self.blues)
        field.log(self.alice, battle, field.note("We met at dawn."))
        strike = {"event": 1, "reason": "It was misread."}
        event = {"client_id": str(uuid4()), "kind": "correction", "data": strike}
        correct = self.post(self.bob, f"battles/{battle.pk}/events/", event)
        codes = self.run(self.post(self.alice, f"battles/{battle.pk}/submit/", {}), correct)
        battle.refresh_from_db()
        assert battle.state == BattleState.SUBMITTED and codes[200] == 1, codes
        assert BattleEvent.objects.filter(battle=battle).count() == 1 + codes[201], codes
        field.decide_battle(battle_id=battle.pk, user=self.alice, decision=field.Decision.AS_LOGGED)

    def enrol_and_start(self) -> None:
        thirds = [
            field.muster(user, f"Late {uuid4().hex[:6]}")
            for user in (self.alice, self.bob, self.bob)
        ]
        planned = plan_campaign(
            club_id=self.campaign.club_id,
            user=self.alice,
            name="The Short Spring",
            ruleset="toy",
            points=500,
        )
        for warband, user in zip(thirds[:2], (self.alice, self.bob), strict=True):
            enrol_warband(campaign_id=planned.pk, warband_id=warband.pk, user=user)
        enrol = self.post(
            self.bob, f"campaigns/{planned.pk}/enrolments/", {"warband": str(thirds[2].pk)}
        )
        codes = self.run(enrol, enrol, self.post(self.alice, f"campaigns/{planned.pk}/start/", {}))
        enrolled = planned.enrolments.current().filter(warband=thirds[2]).count()
        entries = ChronicleEntry.objects.filter(warband=thirds[2], kind="enrolled").count()
        assert codes[200] == 1 and codes[201] == enrolled == entries <= 1, codes

    def take_a_rank_up_twice(self) -> None:
        recruit = field.fighters(field.muster(self.bob, f"Greens {uuid4().hex[:6]}"))[1]
        adjust_fighter(fighter_id=recruit.pk, user=self.bob, experience=3, reason="Old hands.")
        codes = self.run(
            self.post(self.bob, f"fighters/{recruit.pk}/rank-ups/", {"step": "veteran"}), several=3
        )
        recruit.refresh_from_db()
        entries = ChronicleEntry.objects.filter(
            warband=recruit.warband_id, kind="ranked-up"
        ).count()
        assert (recruit.rank, entries, codes[201]) == (2, 1, 1), codes

    def send_the_same_twice(self) -> None:
        battle = field.begin(self.alice, self.campaign, self.reds, self.blues)
        events = [
            {"client_id": str(uuid4()), "kind": "note", "data": {"text": text}}
            for text in ("Dawn.", "Dusk.")
        ]
        send = self.post(self.alice, f"battles/{battle.pk}/events/", events)
        codes = self.run(send, several=3)
        logged = list(battle.events.order_by("sequence").values_list("sequence", flat=True))
        assert logged == [1, 2] and codes[201] >= 1 and codes.keys() <= {201, 503}, codes
        field.submit_battle(battle_id=battle.pk, user=self.alice)
        field.decide_battle(battle_id=battle.pk, user=self.alice, decision=field.Decision.AS_LOGGED)


@pytest.mark.soak(
    "races of two and more clients, everything proved after each round", each=60, sample=1
)
@pytest.mark.parametrize("part", range(10))
def test_who_asks_at_the_same_moment_doubles_nothing_and_loses_nothing(
    part: int, post: Post, alice: User, bob: User, campaign: Campaign, pytestconfig: pytest.Config
) -> None:
    race = Race(post, alice, bob, campaign, Random(part))
    for _ in range(ROUNDS_OF_A_PART if pytestconfig.getoption("soak") else 1):
        race.confirm_and_confirm()
        race.confirm_and_void()
        race.submit_and_correct()
        race.enrol_and_start()
        race.take_a_rank_up_twice()
        race.send_the_same_twice()
        call_command("check_chronicle", stdout=StringIO())
