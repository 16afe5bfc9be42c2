"""A member's own data: on the page, which asks for the password again, through the API, and
complete."""

import io
import json
import zipfile
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken
from rest_framework.test import APIClient

from accounts.data_export.tables import OWN_DATA_TABLES
from battles.models import Battle
from home.models import Device
from home.services.preferences import prefer
from pictures.services.pictures import add_picture
from pictures.subjects import PictureKind
from tests.conftest import PASSWORD, api_of
from tests.pages.conftest import Clients
from tests.pictures.samples import phone_photo
from warbands.models import Warband

pytestmark = pytest.mark.one_database

DATA = "/api/v1/me/data/"


def unpacked(answer: Any) -> dict[str, Any]:
    """Return the content of the archive, with parsed lists."""
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert archive.testzip() is None
        read = {name: archive.read(name) for name in archive.namelist()}
    return {
        name: json.loads(content) if name.endswith(".json") else content
        for name, content in read.items()
    }


def test_every_way_to_a_member_is_in_the_list_of_tables() -> None:
    """That every model is in it, or left out: tests/exchange/test_tables_that_travel.py."""
    by_table = {each.model: each for each in OWN_DATA_TABLES}
    models = {
        model._meta.label: model
        for model in apps.get_models()
        if not model.__module__.startswith("tests.")
    }
    assert len({each.file for each in OWN_DATA_TABLES}) == len(OWN_DATA_TABLES)
    forgotten = [
        f"{label}.{field.name}"
        for label, model in models.items()
        for field in model._meta.concrete_fields
        if field.related_model is User
        # A bot is not a person.
        and (label, field.name) != ("clubs.ClubBot", "user")
        and field.name not in (by_table[label].by if label in by_table else ())
    ]
    assert forgotten == [], "a way from each column to its user has to stand in Told.by"
    assert [
        each.model for each in OWN_DATA_TABLES if not set(each.line) <= set(each.columns())
    ] == []


def test_the_archive_holds_what_is_mine_and_nothing_of_others(
    as_alice: APIClient,
    bob: User,
    begun: Battle,
    haufen: Warband,
    django_assert_max_num_queries: Any,
) -> None:
    _, token = AuthToken.objects.create(user=bob)
    EmailAddress.objects.create(user=bob, email="bob@example.org", verified=True)
    secrets = {"endpoint": "https://push/x9", "key": "k" * 9, "secret": "s" * 9}
    Device.objects.create(user=bob, name="Phone", added_at=bob.date_joined, **secrets)
    prefer(user=bob, mail="weekly")
    portrait = phone_photo()
    add_picture(
        user=bob,
        kind=PictureKind.WARBAND,
        subject=haufen.pk,
        file=io.BytesIO(portrait),
        size=len(portrait),
    )
    with django_assert_max_num_queries(len(OWN_DATA_TABLES) + 8):
        files = unpacked(APIClient(headers={"authorization": f"Token {token}"}).get(DATA))
    assert (
        files["account.json"][0]["username"] == "bob" and "password" not in files["account.json"][0]
    )
    assert [row["email"] for row in files["e-mail-addresses.json"]] == ["bob@example.org"]
    assert [row["name"] for row in files["warbands.json"]] == [haufen.name]
    assert [row["club__name"] for row in files["memberships.json"]] == ["The Friday Swords"]
    assert [row["id"] for row in files["battles.json"]] == [str(begun.pk)]
    assert (
        len(files["fighters.json"]) == 4
        and files["chronicles.json"]
        and files["preferences.json"][0]["mail"] == "weekly"
    )
    assert len([name for name in files if name.startswith("pictures/")]) == 1
    overview = files["overview.html"].decode()
    assert haufen.name in overview and "Your data in Muster: bob" in overview
    everything = (
        json.dumps({name: read for name, read in files.items() if name.endswith(".json")})
        + overview
    )
    for secret in (token, bob.password, *secrets.values(), begun.dice_seed, "alice@example.org"):
        assert secret not in everything
    assert unpacked(as_alice.get(DATA))["account.json"][0]["username"] == "alice"


def test_a_page_asks_for_the_password_before_it_gives_the_archive(
    browsers: Clients, bob: User
) -> None:
    where, archive = reverse("own-data"), reverse("own-data-archive")
    assert browsers.nobody.get(where).status_code == 302
    response = browsers.bob.get(where)
    assert response.status_code == 302 and "/reauthenticate/" in response["Location"]
    assert "/reauthenticate/" in browsers.bob.post(archive)["Location"]
    refused = browsers.bob.get(DATA)
    assert (refused.status_code, refused.json()["code"]) == (403, "password_wanted"), (
        "a session alone is not enough"
    )
    assert browsers.bob.post(response["Location"], {"password": "a guess"}).status_code == 200
    give_password(browsers.bob, where)
    assert "Download" in browsers.bob.get(where).content.decode()
    assert unpacked(browsers.bob.post(archive))["account.json"][0]["username"] == "bob"
    assert browsers.bob.get(DATA).status_code == 200


def test_nobody_downloads_all_day(bob: User, browsers: Clients, settings: Any) -> None:
    answers = [api_of(bob).get(DATA) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [200] * 6 + [429]
    give_password(browsers.bob, "/")
    page = browsers.bob.post(reverse("own-data-archive"), follow=True)
    assert "Try again in" in page.content.decode()


def give_password(client: Client, back: str) -> None:
    """Confirm the password, as the pages ask for."""
    answer = client.post(f"{reverse('account_reauthenticate')}?next={back}", {"password": PASSWORD})
    assert answer.status_code == 302
