"""The admin site: an address with an odd id leads nowhere, and breaks nothing."""

from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.test import Client

pytestmark = pytest.mark.one_database

ODD = ("x", "9" * 30, "00000000-0000-0000-0000-000000000000", "a%00b")
"""Ids that nothing has: of another type, too long, of nobody, with a sign that no id has."""
PAGES = ("change/", "delete/", "history/", "")


@pytest.fixture
def staff(client: Client) -> Client:
    """Return a browser of a superuser of the admin site."""
    client.force_login(User.objects.create_superuser("root", "root@example.org", "secret"))
    client.raise_request_exception = False
    return client


def addresses() -> Iterator[str]:
    """Yield every address of the admin site that takes an id, with each odd one."""
    kinds = [*ContentType.objects.order_by("pk").values_list("pk", flat=True)]
    for each in ODD:
        yield f"/admin/r/{each}/{each}/"
        yield from (f"/admin/r/{kind}/{each}/" for kind in kinds)
        for model in admin.site._registry:
            where = f"/admin/{model._meta.app_label}/{model._meta.model_name}"
            yield from (f"{where}/{each}/{page}" for page in PAGES)
            yield f"{where}/?{model._meta.pk.name}={each}"
            yield f"{where}/?q={each}&p={each}&o={each}"
    yield from (f"/admin/auth/user/{each}/password/" for each in ODD)
    yield from (
        f"/admin/autocomplete/?app_label={each}&model_name={each}&field_name={each}" for each in ODD
    )


@pytest.mark.django_db
def test_odd_ids_lead_nowhere(staff: Client) -> None:
    answers = {address: staff.get(address).status_code for address in addresses()}
    searches = {address: code for address, code in answers.items() if "?" in address}
    assert not {
        address: code for address, code in searches.items() if code not in (200, 302, 403, 404)
    }
    pages = {address: code for address, code in answers.items() if "?" not in address}
    # Rows that nobody may delete are refused before they are looked for.
    assert not {address: code for address, code in pages.items() if code not in (302, 403, 404)}


@pytest.mark.django_db
def test_the_address_of_a_row_without_an_id_is_not_found(staff: Client) -> None:
    assert {
        staff.get(f"/admin/r/{rest}").status_code for rest in ("", "1", "1/", "1/x", "1/x/", "x/x/")
    } <= {301, 404}
