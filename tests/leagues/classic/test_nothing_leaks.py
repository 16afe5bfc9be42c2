"""Before the reveal nobody finds in Muster what another player has sealed: no page, endpoint, log,
export or admin."""

import io
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client

from campaigns.models import Campaign, SealedOrder
from campaigns.order_seals import opened as open_seal
from documents.content.campaigns import campaign_content
from documents.content.documents import encoded
from tests.conftest import api_of, browser_of
from tests.leagues.classic import world
from tests.permissions.every_route import BRACKET, routes
from warbands.models import Fighter, Warband

pytestmark = pytest.mark.one_database


@pytest.fixture
def sealed(campaign: Campaign, reds: Warband, alice: User) -> Campaign:
    """Return the campaign with Alice's order sealed, but not Bob's."""
    world.sealed(campaign, alice, reds)
    return campaign


def secrets(campaign: Campaign, reds: Warband) -> list[str]:
    """Return what would reveal an order: its text, its secret, and any two fighters next to each
    other.
    """
    under = open_seal(SealedOrder.objects.get().sealed)
    groups = [keys for keys in under.plan.values() if len(keys) > 1]
    return [under.text, under.text.split('"')[3], *('","'.join(keys) for keys in groups)]


def addresses(campaign: Campaign, warbands: list[Warband]) -> Iterator[str]:
    """Yield every path that takes no id, or one id of a row of this campaign.

    The word before the id says whose id it is.
    """
    keys = {
        "club": [campaign.club_id],
        "warband": [row.pk for row in warbands],
        "enrolment": list(campaign.enrolments.values_list("pk", flat=True)),
        "member": list(campaign.club.memberships.values_list("pk", flat=True)),
        "fighter": [Fighter.objects.filter(warband=warbands[0]).order_by("place")[0].pk],
    }
    for route in routes():
        before, bracket, _ = route.partition("<")
        if not bracket:
            yield route
        elif route.count("<") == 1:
            word = before.rstrip("/").rpartition("/")[2].removesuffix("s").removesuffix("ship")
            yield from (BRACKET.sub(str(key), route) for key in keys.get(word, [campaign.pk]))


def body_of(answer: Any) -> str:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return str(body.decode("utf-8", "replace"))


def in_order(text: str, groups: list[str]) -> list[str]:
    return [secret for secret in groups if secret in text]


@pytest.mark.soak("readers who look for a sealed order at every address", each=1, sample=2)
@pytest.mark.parametrize("reader", ["bob", "support", "dora"])
def test_no_address_gives_an_order_away(
    sealed: Campaign, reds: Warband, blues: Warband, alice: User, bob: User, dora: User, reader: str
) -> None:
    """Every route of pages, API and admin, asked by the opponent, by support staff and by a
    spectator."""
    hidden = secrets(sealed, reds)
    User.objects.create_superuser("support", password="a long enough password")
    user = User.objects.get(username=reader)
    page, api = browser_of(user), api_of(user)
    reached = 0
    for address in dict.fromkeys(addresses(sealed, [reds, blues])):
        answer = (api if address.startswith("/api/") else page).get(address)
        reached += answer.status_code == 200
        assert in_order(body_of(answer), hidden) == [], address
    assert reached > 60, "the routes were really found"


def test_what_is_said_of_an_order_does_not_depend_on_what_it_says(
    sealed: Campaign, reds: Warband, alice: User, bob: User
) -> None:
    """The strongest form: two different orders look the same to everybody else, but for their
    fingerprint."""
    seen = []
    for shares in (world.SHARES, {"duel": (0,), "capture": (5, 6, 7, 4), "raid": (1, 2, 3)}):
        world.sealed(sealed, alice, reds, plan=world.plan_of(reds, shares))
        order = SealedOrder.objects.get()
        page = browser_of(bob).get(f"/campaigns/{sealed.pk}/classic/").content.decode()
        texts = [
            page[page.index("<main") : page.index("</main>")],
            api_of(bob).get(f"/api/v1/campaigns/{sealed.pk}/classic/").content.decode(),
        ]
        stamps = (
            order.commitment,
            order.commitment[:12],
            order.sealed_at.isoformat().replace("+00:00", "Z"),
        )
        for stamp in (*stamps, order.sealed_at.strftime("%H:%M")):
            texts = [text.replace(stamp, "#") for text in texts]
        seen.append(texts)
    assert seen[0] == seen[1]


def test_admin_has_no_sealed_orders(sealed: Campaign, alice: User) -> None:
    staff = User.objects.create_superuser("support", password="a long enough password")
    browser = browser_of(staff)
    assert browser.get("/admin/campaigns/sealedorder/").status_code == 404
    listed = browser.get("/admin/").content.decode()
    assert "sealedorder" not in listed.lower()
    text = browser.get(f"/admin/campaigns/campaign/{sealed.pk}/change/").content.decode()
    assert sealed.dice_seed not in text


def test_log_of_sealing_has_no_content(
    campaign: Campaign, reds: Warband, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        connection.force_debug_cursor = True
        try:
            body = {"plan": world.plan_of(reds)}
            assert (
                api_of(alice)
                .put(f"/api/v1/campaigns/{campaign.pk}/orders/", body, format="json")
                .status_code
                == 200
            )
        finally:
            connection.force_debug_cursor = False
    records = [record for record in caplog.records if record.name == "muster.campaigns"]
    assert [record.getMessage() for record in records] == ["sealed an order"]
    everything = "\n".join(
        str(vars(record)) for record in caplog.records if record.name != "muster.campaigns"
    )
    assert in_order(everything, secrets(campaign, reds)) == []


def test_refusal_mentions_own_order_only(
    sealed: Campaign, blues: Warband, reds: Warband, bob: User
) -> None:
    plan = {**world.plan_of(blues), "raid": [str(row.pk) for row in world.fighters(reds)]}
    answer = api_of(bob).put(
        f"/api/v1/campaigns/{sealed.pk}/orders/", {"plan": plan}, format="json"
    )
    assert answer.status_code == 400
    codes = {line["code"] for line in answer.json()["errors"]}
    assert codes == {"not-on-roster", "wrong-size"}, "nothing about who of them is in an order"


def test_a_dump_of_the_database_and_a_document_hold_no_plan(
    sealed: Campaign, reds: Warband
) -> None:
    dump = io.StringIO()
    call_command("dumpdata", "campaigns", "battles", stdout=dump)
    summary = encoded(
        campaign_content(Campaign.objects.select_related("club").get(pk=sealed.pk))
    ).decode()
    for text in (dump.getvalue(), summary):
        assert in_order(text, secrets(sealed, reds)) == []
    places = [dump.getvalue().find(str(row.pk)) for row in world.fighters(reds)]
    assert set(places) == {-1}, "no fighter is named anywhere near an order"


def test_a_seal_is_not_shown_where_errors_are_reported(sealed: Campaign) -> None:
    order = SealedOrder.objects.get()
    assert (str(order), "sealed order" in repr(order)) == ("a sealed order", True)
    assert Client().get(f"/campaigns/{sealed.pk}/order/").status_code == 302
