"""Redis is away: news, letters and offers are kept, and sent once it is back."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from kombu.exceptions import OperationalError

from config.celery import app
from home.services import recipients
from home.services.account_letters import queue_account_letters
from warbands import outbox
from warbands.models import UnsentTask
from warbands.news import LOOK, announce
from warbands.services.rank_up_offers import OFFERS, queue_offers
from warbands.tasks import send_kept

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
Sent = list[tuple[str, list[Any]]]


class Broker:
    """A broker that accepts tasks, or is down."""

    def __init__(self) -> None:
        self.is_there = True
        self.taken: Sent = []

    def send_task(self, task: str, arguments: list[Any], **options: Any) -> None:
        if not self.is_there:
            raise OperationalError("nobody there")
        self.taken.append((task, arguments))


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Broker:
    broker = Broker()
    monkeypatch.setattr(app, "send_task", broker.send_task)
    return broker


def test_what_the_broker_does_not_take_is_sent_when_it_is_back(
    broker: Broker, django_capture_on_commit_callbacks: Any
) -> None:
    broker.is_there = False
    battle, warband = uuid4(), uuid4()
    with django_capture_on_commit_callbacks(execute=True):
        announce("battle", battle)
        announce("battle", battle)
        queue_offers([warband])
        queue_account_letters(addresses=["alice@example.org"], subject="Password", body="Changed")
    recipients._queue(recipients.AT_ONCE, [7])
    recipients._queue(recipients.DEVICE, ["a-device"])
    assert send_kept() == 0
    broker.is_there = True
    assert send_kept() == 5
    assert broker.taken[:2] == [(LOOK, ["battle", str(battle)]), (OFFERS, [str(warband)])]
    assert broker.taken[-2:] == [(recipients.AT_ONCE, [7]), (recipients.DEVICE, ["a-device"])]
    assert not UnsentTask.objects.exists()


def test_nothing_is_kept_while_the_broker_answers(
    broker: Broker, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        assert outbox.send_or_keep(LOOK, [["warband", "a"], ["warband", "b"]]) == 2


def test_broker_that_goes_away_half_way_loses_nothing(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def once(task: str, arguments: list[Any], **options: Any) -> None:
        broker.is_there = not broker.taken
        broker.send_task(task, arguments)

    with monkeypatch.context() as patched:
        patched.setattr(app, "send_task", once)
        assert outbox.send_or_keep(recipients.DIGEST, [[1], [2], [3]]) == 1
    assert list(UnsentTask.objects.values_list("arguments", flat=True)) == [[2], [3]]
    broker.is_there = False
    assert send_kept() == 0
    broker.is_there = True
    assert send_kept() == 2


def test_clock_sends_what_was_kept_within_a_minute() -> None:
    every = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert every["warbands.tasks.send_kept"] <= timedelta(seconds=15)
