"""Rank-up offers are renewed whenever a campaign changes the rules that they depend on."""

from typing import Any
from uuid import UUID

import pytest
from celery import current_app
from django.contrib.auth.models import User
from kombu.exceptions import OperationalError

from campaigns.models import Campaign, Enrolment
from campaigns.services.campaigns import finish_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from campaigns.services.house_rules import change_house_rules
from tests.campaigns.conftest import Muster

Sent = list[tuple[str, UUID]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Return the tasks sent about one warband each, with its id."""
    tasks: Sent = []

    def send(task: str, args: list[str], **_: object) -> None:
        tasks.extend((task, UUID(each)) for each in args if len(args) == 1)

    monkeypatch.setattr(current_app, "send_task", send)
    return tasks


def offers_of(*warbands: UUID) -> Sent:
    return [("warbands.tasks.prepare_rank_up_offers", each) for each in warbands]


def enrolled_in(campaign: Campaign) -> list[UUID]:
    return list(campaign.enrolments.current().values_list("warband_id", flat=True))


def test_other_house_rules_renew_the_offers_of_all_warbands(
    enrolled: Campaign, alice: User, sent: Sent, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        change_house_rules(
            campaign_id=enrolled.pk,
            version=enrolled.version,
            user=alice,
            house_rules={"surviving": 2},
            reason="Up",
        )
    assert sorted(sent) == sorted(offers_of(*enrolled_in(enrolled)))


def test_entering_and_leaving_renew_the_offers(
    campaign: Campaign,
    muster: Muster,
    bob: User,
    sent: Sent,
    django_capture_on_commit_callbacks: Any,
) -> None:
    warband = muster(bob, "The Blacks")
    with django_capture_on_commit_callbacks(execute=True):
        enrolment = enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=bob)
        withdraw_warband(enrolment_id=enrolment.pk, user=bob)
    assert sent == offers_of(warband.pk, warband.pk)


def test_the_end_of_a_campaign_renews_the_offers(
    enrolled: Campaign, alice: User, sent: Sent, django_capture_on_commit_callbacks: Any
) -> None:
    warbands = enrolled_in(enrolled)
    start_campaign(campaign_id=enrolled.pk, user=alice)
    with django_capture_on_commit_callbacks(execute=True):
        finish_campaign(campaign_id=enrolled.pk, user=alice)
    assert sorted(sent) == sorted(offers_of(*warbands))


def test_a_silent_broker_stops_nobody_from_entering(
    campaign: Campaign,
    muster: Muster,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    def silence(*_: object, **__: object) -> None:
        raise OperationalError("nobody answers")

    monkeypatch.setattr(current_app, "send_task", silence)
    with django_capture_on_commit_callbacks(execute=True):
        enrol_warband(campaign_id=campaign.pk, warband_id=muster(bob, "The Blacks").pk, user=bob)
    assert Enrolment.objects.filter(campaign=campaign).exists()
