"""Clubs with webhooks, and receivers on this machine that record what they get."""

import json
import threading
from collections.abc import Iterator
from email.parser import BytesParser
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import pytest
from celery import current_app
from django.contrib.auth.models import User

from audit.services.numbering import number_changes
from campaigns.models import Campaign
from clubs.models import Club
from outbox.models import Webhook, WebhookKind
from outbox.services.webhooks import add_webhook
from tests.documents import conftest as of_documents

toy, register_toy = of_documents.toy, of_documents.register_toy
club, campaign = of_documents.club, of_documents.campaign
reds, blues = of_documents.reds, of_documents.blues


class Sent(NamedTuple):
    """A request that a receiver got."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def parts(self) -> dict[str, bytes]:
        """The parts of a form, by name."""
        head = f"Content-Type: {self.headers['content-type']}\r\n\r\n".encode()
        parts: dict[str, bytes] = {}
        for part in BytesParser(policy=default).parsebytes(head + self.body).iter_parts():
            name = part.get_param("name", header="content-disposition")
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            parts[str(name)] = content
        return parts

    @property
    def payload(self) -> Any:
        """The JSON of a message for Discord."""
        return json.loads(self.parts["payload_json"])


class Receiver:
    """A server that records requests, and answers as ``answers`` say, 204 by default.

    As Discord does, it answers a new message with an id.
    """

    def __init__(self) -> None:
        self.requests: list[Sent] = []
        self.answers: list[tuple[int, dict[str, str]]] = []
        self.channel: Any = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                headers = {name.lower(): value for name, value in self.headers.items()}
                owner.requests.append(Sent(self.command, self.path, headers, body))
                status, extra = owner.answers.pop(0) if owner.answers else (200, {})
                reply = json.dumps({"id": str(1000 + len(owner.requests))}).encode()
                self.send_response(status)
                for name, value in extra.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            do_POST = do_PATCH = do_PUT = _answer

            def do_GET(self) -> None:
                """Answer who asks for the webhook or the channel, without recording it."""
                reply = b'{"guild_id": "900", "channel_id": "800"}'
                if "/channels/800/messages" in self.path:
                    assert self.headers["Authorization"] == "Bot secret"
                    reply = json.dumps(owner.channel).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_: Any) -> None:
                """Print nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """Return a receiver at 127.0.0.1, which the installation allows."""
    settings.WEBHOOK_HOSTS = ["127.0.0.1"]
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


@pytest.fixture
def webhook(club: Club, campaign: Campaign, alice: User, receiver: Receiver) -> Webhook:
    """Return a webhook of Alice's club to the receiver, added after everything else."""
    number_changes()
    return add_webhook(club_id=club.pk, user=alice, name="Our site", address=f"{receiver.url}/hook")


@pytest.fixture
def discord(club: Club, campaign: Campaign, alice: User, receiver: Receiver) -> Webhook:
    """Return a webhook of Alice's club to the fake of Discord, added after everything else."""
    number_changes()
    return add_webhook(
        club_id=club.pk,
        user=alice,
        name="Our channel",
        kind=WebhookKind.DISCORD,
        address=f"{receiver.url}/api/webhooks/42/token",
    )


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[Any]]]:
    """Return the list that collects what is sent to workers."""
    sent: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(
        current_app, "send_task", lambda name, arguments=(), **_: sent.append((name, arguments))
    )
    return sent
