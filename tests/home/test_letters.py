"""Letters: each card is sent once, digests in the morning of the member's zone, none empty."""

import re
import smtplib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP
from allauth.account.models import EmailAddress
from celery.exceptions import Retry
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from battles.models import Battle
from battles.services.review import Decision, decide_battle, submit_battle
from campaigns.models import Enrolment
from clubs.models import Club, Evening, Membership
from clubs.services.evenings import (
    answer_evening,
    cancel_evening,
    change_evening,
    restore_evening,
)
from home import tasks
from home.models import Letter, Mail, Notice, Preferences
from home.services import recipients
from home.services.letters import NotSent, write_at_once, write_digest
from home.services.preferences import prefer
from tests.home.conftest import confirmed_address
from tests.pages import world
from warbands import outbox
from warbands.models import Warband

pytestmark = pytest.mark.one_database


@pytest.fixture
def wishing(bob: User, settings: Any) -> Callable[[str, str], User]:
    """Return a function that sets Bob's choice of e-mails and his time zone.

    His address is confirmed.
    """
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    confirmed_address(bob)

    def wish(kind: str, zone: str = "UTC") -> User:
        prefer(user=bob, mail=kind, time_zone=zone)
        return bob

    return wish


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[Any]]]:
    """Return a list of the messages to workers."""
    sent: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(
        outbox.current_app, "send_task", lambda name, args, **_: sent.append((name, args))
    )
    return sent


def test_new_card_sends_one_letter(wishing: Callable[..., User], submitted: Battle) -> None:
    bob = wishing(Mail.AT_ONCE)
    assert write_at_once(user_id=bob.pk) is True
    (letter,) = mail.outbox
    assert letter.to == ["bob@example.org"] and letter.subject.endswith(": check result")
    assert "alice entered the result." in letter.body
    assert write_at_once(user_id=bob.pk) is False, "nothing is told twice"
    decide_battle(
        battle_id=submitted.pk, user=User.objects.get(username="alice"), decision=Decision.REOPEN
    )
    assert write_at_once(user_id=bob.pk) is False, "that one's own log goes on is no news"
    submit_battle(battle_id=submitted.pk, user=User.objects.get(username="alice"))
    assert write_at_once(user_id=bob.pk) is True, "a result that was entered again waits again"
    assert Letter.objects.filter(sent_at__isnull=False).count() == len(mail.outbox) == 2


def test_who_is_not_to_be_written_to_gets_nothing(
    wishing: Callable[..., User], alice: User, charlie: User, submitted: Battle, settings: Any
) -> None:
    for kind in (Mail.NEVER, Mail.DAILY):
        assert write_at_once(user_id=wishing(kind).pk) is False
    bob = wishing(Mail.AT_ONCE)
    EmailAddress.objects.update(verified=False)
    assert write_at_once(user_id=bob.pk) is False, "the address is not confirmed"
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    assert write_at_once(user_id=bob.pk) is True, (
        "where nobody confirms addresses, that of the account will do"
    )
    prefer(user=charlie, mail=Mail.AT_ONCE)
    assert write_at_once(user_id=charlie.pk) is False, "nothing waits for a stranger"
    User.objects.filter(pk=bob.pk).update(is_active=False)
    Notice.objects.all().delete()
    assert write_at_once(user_id=bob.pk) is False
    assert len(mail.outbox) == 1 and Letter.objects.count() == 1


def test_a_digest_comes_at_eight_in_the_morning_where_one_lives(
    wishing: Callable[..., User],
    at: Callable[[str], None],
    submitted: Battle,
    queued: list[Any],
    alice: User,
) -> None:
    at("2026-03-09T12:00+00:00")
    bob = wishing(Mail.DAILY, "Pacific/Auckland")
    User.objects.exclude(pk=bob.pk).update(is_active=False)
    morning = [("home.tasks.write_digest", [bob.pk])]
    at("2026-03-09T18:59+00:00")
    assert recipients.queue_digests() == 0, "07:59 of the tenth in Auckland"
    at("2026-03-09T19:00+00:00")
    assert recipients.queue_digests() == 1 and queued == morning
    assert write_digest(user_id=bob.pk) is True
    assert write_digest(user_id=bob.pk) is False, "the same morning has no second letter"
    assert recipients.queue_digests() == 0
    at("2026-03-10T19:00+00:00")
    assert recipients.queue_digests() == 1
    assert write_digest(user_id=bob.pk) is False, "nothing in it would be new"
    world.planned_battle(
        alice, submitted.campaign, *(side.warband for side in submitted.sides.order_by("place"))
    )
    assert write_digest(user_id=bob.pk) is False, "what comes after eight is for the next morning"
    at("2026-03-11T19:00+00:00")
    assert write_digest(user_id=bob.pk) is True
    assert [letter.subject for letter in mail.outbox][1] == "You have 2 tasks"
    assert mail.outbox[1].body.count("NEW · ") == 1, (
        "what was told before stands in it too, and is not new"
    )
    assert [letter.day.day for letter in Letter.objects.order_by("day")] == [10, 12]


def test_a_weekly_digest_comes_on_monday_and_says_again_what_still_waits(
    wishing: Callable[..., User], at: Callable[[str], None], submitted: Battle
) -> None:
    at("2026-03-06T12:00+00:00")
    bob = wishing(Mail.WEEKLY, "Europe/Berlin")
    at("2026-03-09T06:59+00:00")
    assert write_digest(user_id=bob.pk) is False
    for monday in ("2026-03-09T07:00+00:00", "2026-03-16T07:00+00:00", "2026-03-30T06:00+00:00"):
        at(monday)
        assert (write_digest(user_id=bob.pk), write_digest(user_id=bob.pk)) == (True, False)
    Battle.objects.update(state="void")
    Enrolment.objects.update(left_at=timezone.now())
    at("2026-04-06T06:00+00:00")
    assert write_digest(user_id=bob.pk) is False, "nobody gets an empty letter"
    assert len(mail.outbox) == 3


def test_new_account_gets_digest_next_morning(
    at: Callable[[str], None], submitted: Battle, bob: User, queued: list[Any]
) -> None:
    at("2026-03-09T12:00+00:00")
    assert recipients.queue_digests() == 0
    assert Preferences.objects.get(user=bob).mail == Mail.THIS_WEEK
    at("2026-03-10T08:10+00:00")
    assert recipients.queue_digests() == User.objects.count()


def test_default_mail_this_week_at_once_and_rest_daily(
    wishing: Callable[..., User],
    at: Callable[[str], None],
    submitted: Battle,
    club: Club,
    alice: User,
) -> None:
    at("2026-03-09T12:00+00:00")
    bob = wishing(Mail.THIS_WEEK)
    world.campaign_of(club, alice, running=False, name="Next year")
    assert write_at_once(user_id=bob.pk) is True
    assert mail.outbox[0].subject.endswith(": check result"), "the campaign can wait"
    at("2026-03-10T08:00+00:00")
    assert recipients.queue_digests() > 0
    assert (write_digest(user_id=bob.pk), write_digest(user_id=bob.pk)) == (True, False)
    assert "Next year" in mail.outbox[1].body and mail.outbox[1].body.count("NEW · ") == 1
    assert set(Letter.objects.values_list("kind", flat=True)) == {"at-once", "daily"}


def test_letter_asks_for_club_night_and_folds_campaigns(
    wishing: Callable[..., User], club: Club, alice: User
) -> None:
    bob = wishing(Mail.DAILY)
    world.evening_of(club, alice, place="The Three Tuns")
    for name in ("One", "Two"):
        world.campaign_of(club, alice, running=False, name=name)
    Preferences.objects.update(digested_on=None)
    assert write_digest(user_id=bob.pk) is True
    (letter,) = mail.outbox
    assert "19:00–23:00, The Three Tuns. You have not answered yet." in letter.body
    assert "19:00–23:00, The Three Tuns. Are you going?" in letter.body
    assert letter.body.index("2 campaigns to enter") < letter.body.index("Two")
    html = letter.alternatives[0][0]  # type: ignore[attr-defined]
    assert html.count("2 campaigns to enter") == 1 and "You have not answered yet." in html
    assert f"/evenings/{Evening.objects.get().pk}/" in html


def test_digest_of_day_before_names_club_night(
    wishing: Callable[..., User], alice: User, bob: User, club: Club
) -> None:
    bob = wishing(Mail.DAILY)
    evening = world.evening_of(club, alice, days=1, place="The Three Tuns")
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    Preferences.objects.update(digested_on=timezone.localdate() - timedelta(days=2))
    assert write_digest(user_id=bob.pk) is True
    (letter,) = mail.outbox
    assert "Tomorrow: 19:00–23:00, The Three Tuns." in letter.body
    assert f"/evenings/{evening.pk}/" in letter.body and "You are going." in letter.body


def test_weekly_reader_is_reminded_on_the_morning_before_club_night(
    wishing: Callable[..., User],
    at: Callable[[str], None],
    queued: list[Any],
    alice: User,
    club: Club,
) -> None:
    at("2026-03-09T12:00+00:00")
    bob = wishing(Mail.WEEKLY, "Europe/Berlin")
    Preferences.objects.filter(user=bob).update(digested_on=timezone.localdate())
    evening = world.evening_of(club, alice, days=3, place="The Three Tuns")
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    # Too early: two days before, and in the night.
    for moment in ("2026-03-10T12:00+00:00", "2026-03-11T06:30+00:00"):
        at(moment)
        assert recipients.queue_reminders() == 0 and write_at_once(user_id=bob.pk) is False
    at("2026-03-11T07:05+00:00")
    queued.clear()
    assert recipients.queue_reminders() == 1
    assert queued == [("home.tasks.write_at_once", [bob.pk])]
    assert write_at_once(user_id=bob.pk) is True
    (letter,) = mail.outbox
    assert "Tomorrow: 19:00–23:00, The Three Tuns." in letter.body
    assert letter.extra_headers["List-Unsubscribe"]
    # Once only, and nothing else comes before Monday.
    assert recipients.queue_reminders() == 0 and write_at_once(user_id=bob.pk) is False


def test_nobody_is_reminded_of_tomorrow_in_the_night(
    wishing: Callable[..., User], at: Callable[[str], None], alice: User, club: Club
) -> None:
    at("2026-03-09T12:00+00:00")
    bob = wishing(Mail.AT_ONCE, "Europe/Berlin")
    evening = world.evening_of(club, alice, days=3, place="The Three Tuns")
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    at("2026-03-11T06:30+00:00")
    assert write_at_once(user_id=bob.pk) is False
    at("2026-03-11T07:05+00:00")
    assert write_at_once(user_id=bob.pk) is True
    assert "Tomorrow: 19:00–23:00, The Three Tuns." in mail.outbox[0].body


@pytest.mark.parametrize(
    ("kind", "answer"), [(Mail.WEEKLY, "not-coming"), (Mail.WEEKLY, ""), (Mail.NEVER, "coming")]
)
def test_nobody_else_is_reminded_before_club_night(
    wishing: Callable[..., User],
    at: Callable[[str], None],
    alice: User,
    club: Club,
    kind: Mail,
    answer: str,
) -> None:
    at("2026-03-09T12:00+00:00")
    bob = wishing(kind)
    Preferences.objects.filter(user=bob).update(digested_on=timezone.localdate())
    evening = world.evening_of(club, alice, days=3)
    if answer:
        answer_evening(evening_id=evening.pk, user=bob, answer=answer)
    at("2026-03-11T09:00+00:00")
    assert recipients.queue_reminders() == 0 and write_at_once(user_id=bob.pk) is False


@pytest.mark.parametrize("kind", [Mail.THIS_WEEK, Mail.AT_ONCE, Mail.DAILY, Mail.WEEKLY])
def test_cancelled_and_moved_club_night_is_mailed_at_once(
    wishing: Callable[..., User],
    club: Club,
    alice: User,
    queued: list[Any],
    django_capture_on_commit_callbacks: Any,
    kind: Mail,
) -> None:
    bob = wishing(kind)
    evening = world.evening_of(club, alice)
    answer_evening(evening_id=evening.pk, user=bob, answer="perhaps")
    answer_evening(evening_id=evening.pk, user=alice, answer="not-coming")
    with django_capture_on_commit_callbacks(execute=True):
        change_evening(evening_id=evening.pk, user=alice, place="The Bell")
        cancel_evening(evening_id=evening.pk, user=alice, reason="Flooded")
    announced = ("home.tasks.queue_news_for", ["evening", str(evening.pk)])
    assert queued == [announced, announced]
    queued.clear()
    tasks.queue_news_for("evening", str(evening.pk))
    assert queued == [("home.tasks.write_at_once", [bob.pk])]
    assert write_at_once(user_id=bob.pk) is True
    assert "This club night is cancelled: Flooded" in mail.outbox[0].body
    restore_evening(evening_id=evening.pk, user=alice)
    assert write_at_once(user_id=bob.pk) is True
    assert "New time or place: 19:00–23:00, The Bell." in mail.outbox[1].body
    assert write_at_once(user_id=bob.pk) is False, "each is sent once"


def test_club_night_changes_send_nothing_to_those_without_e_mail(
    wishing: Callable[..., User], club: Club, alice: User, queued: list[Any]
) -> None:
    bob = wishing(Mail.NEVER)
    evening = world.evening_of(club, alice)
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    cancel_evening(evening_id=evening.pk, user=alice)
    assert tasks.queue_news_for("evening", str(evening.pk)) == 0 and queued == []
    assert write_at_once(user_id=bob.pk) is False


def test_a_killed_worker_sends_nothing_twice(
    wishing: Callable[..., User], submitted: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = wishing(Mail.AT_ONCE)

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(EmailBackend, "send_messages", killed)
    with pytest.raises(KeyboardInterrupt):
        write_at_once(user_id=bob.pk)
    monkeypatch.undo()
    assert write_at_once(user_id=bob.pk) is False, "nobody knows whether it went out"
    assert Letter.objects.get().sent_at is None and mail.outbox == []


def test_a_line_that_breaks_while_sending_is_not_tried_again(
    wishing: Callable[..., User], submitted: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr(EmailBackend, "send_messages", broken)
    bob = wishing(Mail.AT_ONCE)
    assert (write_at_once(user_id=bob.pk), write_at_once(user_id=bob.pk)) == (False, False)
    assert Letter.objects.get().sent_at is None


def test_change_queues_letters_after_commit(
    wishing: Callable[..., User], alice: User, charlie: User, club: Club, guards: Warband, haufen: Warband,
    queued: list[Any], django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    bob = wishing(Mail.AT_ONCE)
    for user in (alice, charlie):
        prefer(user=user, mail=Mail.AT_ONCE)
    with django_capture_on_commit_callbacks(execute=True):
        campaign = world.campaign_of(club, alice, running=False)
    assert ("home.tasks.queue_news_for", ["campaign", str(campaign.pk)]) in queued
    queued.clear()
    assert tasks.queue_news_for("campaign", str(campaign.pk)) == 2
    assert sorted(queued) == sorted(
        [("home.tasks.write_at_once", [each.pk]) for each in (alice, bob)]
    )
    battle = world.planned_battle(
        charlie, None, world.guards(charlie, "Strangers"), world.guards(charlie, "Others")
    )
    queued.clear()
    assert tasks.queue_news_for("battle", str(battle.pk)) == 1
    assert tasks.queue_news_for("warband", str(haufen.pk)) == 1
    assert queued == [
        ("home.tasks.write_at_once", [charlie.pk]),
        ("home.tasks.write_at_once", [bob.pk]),
    ]
    assert tasks.requeue_news() == 3
    Membership.objects.filter(user=bob).delete()
    assert tasks.queue_news_for("campaign", str(campaign.pk)) == 1, (
        "who has left the club hears no more of it"
    )


def test_a_letter_about_nobody_is_nothing(db: None) -> None:
    tasks.write_at_once(4711)
    tasks.write_digest(4711)
    assert mail.outbox == []


# A real server


class Post:
    """The handler of a mail server: it keeps messages, or gives the answer that a test sets."""

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []
        self.reply = "250 Taken"

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:
        if self.reply.startswith("2"):
            self.taken.append(message_from_bytes(envelope.content, policy=policy.default))
        return self.reply


class Office(Controller):
    """A mail server on a free port."""

    def _trigger_server(self) -> None:
        server: Any = self.server
        self.port = server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def post_office(settings: Any) -> Iterator[Post]:
    """Start a mail server on a free port, and use it in the settings."""
    post = Post()
    controller = Office(post, hostname="127.0.0.1", port=0, ready_timeout=120)
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS = "127.0.0.1", False
    settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = controller.port, 120
    try:
        yield post
    finally:
        controller.stop()


def test_a_real_server_gets_a_letter_in_two_parts_with_a_link_that_stops_them(
    wishing: Callable[..., User], submitted: Battle, settings: Any
) -> None:
    settings.SITE_URL = "https://muster.example"
    bob = wishing(Mail.AT_ONCE)
    with post_office(settings) as post:
        post.reply = "451 Come again later"
        with pytest.raises(NotSent):
            write_at_once(user_id=bob.pk)
        assert not Letter.objects.exists(), "what the server has not taken is not claimed"
        post.reply = "250 Taken"
        assert write_at_once(user_id=bob.pk) is True
        assert write_at_once(user_id=bob.pk) is False
    with pytest.raises(NotSent):
        Notice.objects.all().delete()
        write_at_once(user_id=bob.pk)
    (letter,) = post.taken
    plain, html = (letter.get_body((kind,)).get_content() for kind in ("plain", "html"))
    battle = f"https://muster.example/battles/{submitted.pk}/"
    assert letter.get_content_type() == "multipart/alternative"
    assert battle in plain and f'href="{battle}"' in html
    stop = letter["List-Unsubscribe"].strip(" <>")
    assert stop.startswith("https://muster.example/unsubscribe/") and stop in plain and stop in html
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter["Auto-Submitted"] == "auto-generated" and letter["Message-ID"].endswith(
        "@muster.example>"
    )
    assert not re.search(r"<img|<script|<link|url\(|@import", html), (
        "nothing is fetched from anywhere"
    )
    assert "prefers-color-scheme: dark" in html


def test_a_server_that_refuses_for_good_is_not_asked_again_and_one_that_is_away_is(
    wishing: Callable[..., User], submitted: Battle, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = wishing(Mail.AT_ONCE)
    with post_office(settings) as post:
        post.reply = "550 Nobody of that name"
        assert (write_at_once(user_id=bob.pk), write_at_once(user_id=bob.pk)) == (False, False)
    Letter.objects.all().delete()
    calls: list[dict[str, Any]] = []

    def retry(**named: Any) -> Retry:
        calls.append(named)
        return Retry()

    monkeypatch.setattr(tasks.write_at_once, "retry", retry)
    with pytest.raises(Retry):
        tasks.write_at_once(bob.pk)
    assert isinstance(calls[0]["exc"], NotSent) and calls[0]["countdown"] >= 0
