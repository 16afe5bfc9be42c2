"""Devices: what is new is shown once, readable for the browser alone, and a push service that is
away stops nothing."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from secrets import token_bytes
from threading import Thread
from typing import Any
from uuid import UUID

import http_ece
import pytest
from celery.exceptions import Retry
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth.models import User
from django.core.checks import run_checks
from django.urls import reverse
from django.utils import timezone
from py_vapid import Vapid02
from rest_framework.test import APIClient
from urllib3 import PoolManager, Timeout

from battles.models import Battle
from battles.services.review import Decision, decide_battle, submit_battle
from clubs.models import Club
from home import tasks
from home.models import Device, DeviceNotice, Mail, Preferences
from home.selectors.cards import OF_ONES_OWN, cards_for
from home.services import push, recipients
from home.services.devices import browser_name, of_push_service
from home.services.letters import NotSent
from tests.pages import world
from tests.pages.conftest import Clients
from warbands import outbox
from warbands.models import Warband

pytestmark = pytest.mark.one_database

NOBODY = "http://127.0.0.1:9/"
SERVICE = "https://updates.push.services.mozilla.com"
PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


def base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


class Browser:
    """A browser with a subscription. Only it can read what is sent to it."""

    def __init__(self, name: str = "phone") -> None:
        self.private, self.secret = generate_private_key(SECP256R1()), token_bytes(16)
        point = self.private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        self.told = {
            "endpoint": f"{SERVICE}/wpush/{name}",
            "key": base64url(point),
            "secret": base64url(self.secret),
        }

    @property
    def subscription(self) -> dict[str, Any]:
        """Return the subscription as browsers write it."""
        keys = {"p256dh": self.told["key"], "auth": self.told["secret"]}
        return {"endpoint": self.told["endpoint"], "expirationTime": None, "keys": keys}

    def reads(self, sealed: bytes) -> dict[str, str]:
        opened = http_ece.decrypt(
            sealed, private_key=self.private, auth_secret=self.secret, version="aes128gcm"
        )
        read: dict[str, str] = json.loads(opened)
        return read


class PushService:
    """A push service on this machine, with its answer and the requests that it got."""

    def __init__(self) -> None:
        self.answers, self.sent = 201, list[tuple[str, dict[str, str], bytes]]()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.sent.append((self.path, dict(self.headers), body))
                if service.answers == 0:
                    return self.connection.close()
                self.send_response(service.answers)
                if service.answers == 307:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                return self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Log nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)

    def request(self, method: str, address: str, **kwargs: Any) -> Any:
        """Send a request like urllib3, but to this machine."""
        assert address.startswith(SERVICE)
        here = f"http://127.0.0.1:{self.server.server_port}"
        with PoolManager(timeout=Timeout(60), retries=False) as pool:
            return pool.request(method, address.replace(SERVICE, here), **kwargs)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    fake = PushService()
    monkeypatch.setattr(push, "service", fake)
    thread = Thread(target=fake.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield fake
    fake.server.shutdown()
    fake.server.server_close()
    thread.join()


@pytest.fixture
def phone(browsers: Clients, bob: User, planned: Battle) -> Browser:
    """Return Bob's phone, which he added on its page before the result was entered."""
    browser = Browser()
    answer = browsers.bob.post(
        reverse("home:add-device"), browser.told, headers={"User-Agent": PHONE}
    )
    assert answer.status_code == 302 and Device.objects.get().name == "Firefox, Android"
    return browser


def the_device() -> UUID:
    return Device.objects.get().pk


def test_what_is_new_is_shown_once_and_only_its_browser_can_read_it(
    phone: Browser, submitted: Battle, service: PushService, alice: User, settings: Any
) -> None:
    assert push.notify(device_id=the_device()) is True
    ((path, headers, sealed),) = service.sent
    assert path == "/wpush/phone" and b"alice" not in sealed
    message = phone.reads(sealed)
    assert message["body"] == "alice entered the result. Confirm or dispute it."
    assert message["url"] == f"/battles/{submitted.pk}/" and set(message) == {
        "title",
        "body",
        "url",
        "tag",
    }
    with pytest.raises(Exception, match=r".*"):
        Browser().reads(sealed)
    assert Vapid02.verify(headers["Authorization"]) and headers["Content-Encoding"] == "aes128gcm"
    assert headers["TTL"] == "86400" and Device.objects.get().told_at is not None
    assert push.notify(device_id=the_device()) is False, "nothing is shown twice"
    decide_battle(battle_id=submitted.pk, user=alice, decision=Decision.REOPEN)
    assert push.notify(device_id=the_device()) is False, "that one's own log goes on is no news"
    submit_battle(battle_id=submitted.pk, user=alice)
    assert push.notify(device_id=the_device()) is True and len(service.sent) == 2
    DeviceNotice.objects.all().delete()
    User.objects.update(is_active=False)
    assert push.notify(device_id=the_device()) is False, "who is shut out is shown nothing"
    User.objects.update(is_active=True)
    settings.PUSH_SERVICES = ["push.example.org"]
    assert push.notify(device_id=the_device()) is False, "that service is known no more"


def test_new_device_skips_existing_cards(
    browsers: Clients, bob: User, submitted: Battle, service: PushService
) -> None:
    browsers.bob.post(reverse("home:add-device"), Browser().told)
    assert push.notify(device_id=the_device()) is False and not service.sent
    assert Device.objects.get().name == "A device", "it did not say what it is"


def test_phone_does_not_ring_in_the_night_for_a_club_night(
    phone: Browser,
    service: PushService,
    at: Callable[[str], None],
    bob: User,
    alice: User,
    club: Club,
) -> None:
    at("2026-03-09T12:00+00:00")
    Preferences.objects.filter(user=bob).update(time_zone="Europe/Berlin")
    world.evening_of(club, alice, days=3)
    push.notify(device_id=the_device())
    service.sent.clear()
    at("2026-03-11T06:30+00:00")
    assert push.notify(device_id=the_device()) is False and not service.sent
    at("2026-03-11T07:05+00:00")
    assert push.notify(device_id=the_device()) is True
    assert "Tomorrow" in phone.reads(service.sent[0][2])["body"]


def test_a_message_speaks_the_language_of_its_member_and_is_short(
    phone: Browser, submitted: Battle, service: PushService, bob: User
) -> None:
    browser = Browser("tablet")
    device = Device.objects.create(
        user=bob,
        name="Tablet",
        endpoint=browser.told["endpoint"],
        key=browser.told["key"],
        secret=browser.told["secret"],
        added_at=submitted.created_at,
    )
    waiting = [
        card
        for card in cards_for(bob, timezone.localdate())
        if card.kind not in ("confirm", *OF_ONES_OWN)
    ]
    DeviceNotice.objects.bulk_create(
        DeviceNotice(device=device, kind=card.kind, subject=card.subject, occasion=card.occasion)
        for card in waiting
    )
    bob.inbox_preferences.language = "de"
    bob.inbox_preferences.save()
    Warband.objects.update(name="Der schwarze Haufen " * 4)
    push.notify(device_id=device.pk)
    message = browser.reads(service.sent[0][2])
    assert message["title"].endswith("…") and len(message["title"]) <= 120
    assert "alice" in message["body"] and "Confirm" not in message["body"]


def test_device_unknown_to_push_service_is_removed(
    phone: Browser, submitted: Battle, service: PushService, browsers: Clients
) -> None:
    for service.answers in (404, 410):
        assert push.notify(device_id=the_device()) is False
        assert not Device.objects.exists() and not DeviceNotice.objects.exists()
        browsers.bob.post(reverse("home:add-device"), phone.told)
        DeviceNotice.objects.all().delete()


def test_a_push_service_that_is_away_is_asked_again_and_one_that_breaks_off_is_not(
    phone: Browser, submitted: Battle, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = DeviceNotice.objects.count()
    for service.answers in (429, 503):
        with pytest.raises(NotSent):
            push.notify(device_id=the_device())
        assert DeviceNotice.objects.count() == before, "what was claimed is given back"
    with pytest.raises(Retry):
        tasks.notify.apply(args=[str(the_device())], throw=True)
    monkeypatch.setattr(
        service, "request", lambda *_, **__: PoolManager(retries=False).request("POST", NOBODY)
    )
    with pytest.raises(NotSent):
        push.notify(device_id=the_device())


def test_what_may_have_arrived_or_is_refused_for_good_is_not_sent_again(
    phone: Browser, submitted: Battle, service: PushService
) -> None:
    for service.answers in (0, 307, 400, 403):
        DeviceNotice.objects.all().delete()
        service.sent.clear()
        assert push.notify(device_id=the_device()) is False
        assert [path for path, *_ in service.sent] == ["/wpush/phone"], "nobody is redirected"
        assert push.notify(device_id=the_device()) is False and len(service.sent) == 1
    assert Device.objects.get().told_at is None


def test_each_device_is_a_task_of_its_own(
    phone: Browser, submitted: Battle, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(
        outbox.current_app, "send_task", lambda name, args, **_: queued.append((name, args))
    )
    Preferences.objects.update(mail=Mail.DAILY)
    shown = [("home.tasks.notify", [str(the_device())])]
    assert recipients.queue_news("battle", submitted.pk) == 1 and queued == shown
    assert recipients.queue_lost_news() == 1 and queued == 2 * shown
    User.objects.filter(username="bob").update(is_active=False)
    assert recipients.queue_news("battle", submitted.pk) == recipients.queue_lost_news() == 0
    tasks.notify("7d3c0a52-6d5f-4a34-9d0e-6a3f6f0a6f10")


def test_only_known_push_services_are_ever_asked(settings: Any) -> None:
    good = [
        "https://fcm.googleapis.com/fcm/send/x",
        f"{SERVICE}:443/x",
        "https://wns2-by3p.notify.windows.com/w/?token=x",
    ]
    assert [
        address
        for address in [*good, "https://web.push.apple.com/QP"]
        if not of_push_service(address)
    ] == []
    bad = [
        "http://fcm.googleapis.com/x", "https://fcm.googleapis.com:8443/x", "https://localhost/x", "https://10.0.0.1/x",
        "https://fcm.googleapis.com.example.org/x", "https://bob@fcm.googleapis.com/x", "https://[::1]/x", "https://[/x",
        "https://example.org\\@fcm.googleapis.com/x", "https://fcm.googleapis.com/\nHost: "
                                                      "x", "https://fcm.googleapis.com:x/",
        "file:///etc/passwd", "", "https://notify.windows.com/x", f"https://fcm.googleapis.com/{'x' * 1000}",
    ]  # fmt: skip
    assert [address for address in bad if of_push_service(address)] == []
    settings.PUSH_SERVICES = ["push.example.org"]
    assert of_push_service("https://push.example.org/x") and not of_push_service(good[0])


def test_devices_are_added_listed_and_removed_on_the_page(
    phone: Browser, browsers: Clients, settings: Any
) -> None:
    address = reverse("home:preferences")
    page = browsers.bob.get(address).content.decode()
    assert (
        "Firefox, Android" in page
        and Device.objects.get().trace in page
        and phone.told["endpoint"] not in page
    )
    assert browsers.bob.get(address).context["public_key"] in page
    browsers.bob.post(reverse("home:add-device"), phone.told)
    assert Device.objects.count() == 1, "twice is once"
    remove = reverse("home:remove-device", args=[the_device()])
    assert "Firefox" not in browsers.alice.get(address).content.decode()
    assert (
        browsers.alice.post(remove).status_code == browsers.charlie.post(remove).status_code == 404
    )
    assert browsers.bob.post(remove).status_code == 302 and not Device.objects.exists()
    assert browsers.bob.post(remove).status_code == 404
    settings.VAPID_PRIVATE_KEY = ""
    assert "Turn on notifications" not in browsers.bob.get(address).content.decode()
    browsers.bob.post(reverse("home:add-device"), phone.told)
    assert not Device.objects.exists()


def test_a_browser_goes_over_to_who_is_signed_in_there_and_not_to_who_only_knows_its_address(
    phone: Browser, browsers: Clients, alice: User
) -> None:
    stolen = Browser().told | {"endpoint": phone.told["endpoint"]}
    browsers.alice.post(reverse("home:add-device"), stolen)
    assert Device.objects.get().user.get_username() == "bob"
    browsers.alice.post(reverse("home:add-device"), phone.told)
    assert Device.objects.get().user == alice


def test_the_api_does_the_same(as_bob: APIClient, as_charlie: APIClient, settings: Any) -> None:
    address, browser = "/api/v1/me/devices/", Browser()
    made = as_bob.post(address, {**browser.subscription, "name": "My phone"})
    assert (
        made.status_code == 201
        and made.json()["name"] == "My phone"
        and "endpoint" not in made.json()
    )
    body = as_bob.get(address).json()
    assert body["devices"] == [made.json()] and len(body["public_key"]) == 87
    assert as_charlie.get(address).json()["devices"] == []
    gone = f"{address}{made.json()['id']}/"
    assert as_charlie.delete(gone).json()["code"] == "unknown-device"
    assert as_bob.delete(gone).status_code == 204 and as_bob.delete(gone).status_code == 404
    inside = {**browser.subscription, "endpoint": "https://169.254.169.254/latest/"}
    assert as_bob.post(address, inside).json()["code"] == "unknown-push-service"
    for keys in (
        {"p256dh": browser.told["key"], "auth": "short"},
        {"p256dh": "BAAA", "auth": browser.told["secret"]},
    ):
        assert (
            as_bob.post(address, {**browser.subscription, "keys": keys}).json()["code"]
            == "wrong-keys"
        )
    assert as_bob.post(address, {"endpoint": SERVICE}).json()["code"] == "invalid"
    settings.VAPID_PRIVATE_KEY = ""
    assert as_bob.post(address, browser.subscription).json()["code"] == "no-push"


def test_nobody_adds_devices_without_end(
    bob: User, monkeypatch: pytest.MonkeyPatch, as_bob: APIClient
) -> None:
    monkeypatch.setattr("home.services.devices.MOST", 1)
    codes = [
        as_bob.post("/api/v1/me/devices/", Browser(name).subscription).json().get("code")
        for name in "ab"
    ]
    assert codes == [None, "too-many-devices"]


def test_browsers_are_called_by_their_names_and_a_key_that_is_none_is_named(settings: Any) -> None:
    assert (
        browser_name("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0")
        == "Edge, Windows"
    )
    assert (
        browser_name("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1")
        == "Safari, iPhone"
    )
    assert browser_name("curl/8") == ""
    settings.VAPID_PRIVATE_KEY = "secret"
    assert "config.E005" in {check.id for check in run_checks()}
