"""Support looks at warbands, and changes nothing: only facts do."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.conftest import browser_of
from tests.warbands.conftest import fight, fighter_of
from warbands.models import ChronicleEntry, ExperienceEntry, Fighter, RankUpOffer, Warband
from warbands.services.rank_up_offers import prepare_offers

pytestmark = pytest.mark.one_database

MODELS = (Warband, Fighter, ChronicleEntry, ExperienceEntry, RankUpOffer)


@pytest.fixture
def support(db: None) -> Client:
    """Return the browser of a superuser, who may do anything but this."""
    return browser_of(User.objects.create_superuser("support"))


@pytest.mark.parametrize("model", MODELS)
def test_support_reads_every_row_and_changes_none(
    support: Client, reds: Warband, model: Any
) -> None:
    fight(reds, {"Jack": 3})
    prepare_offers(warband_id=reds.pk)
    row = model.objects.first()
    base = f"admin:warbands_{model._meta.model_name}"
    assert support.get(reverse(f"{base}_changelist"), {"q": "Reds"}).status_code == 200
    page = reverse(f"{base}_change", args=[row.pk])
    assert support.get(page).status_code == 200
    assert support.post(page, {"name": "Mine"}).status_code == 403
    assert support.get(reverse(f"{base}_add")).status_code == 403
    assert (
        support.post(reverse(f"{base}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    )
    assert model.objects.filter(pk=row.pk).exists()


def test_players_are_not_let_in(bob: User, reds: Warband) -> None:
    page = reverse("admin:warbands_fighter_change", args=[fighter_of(reds, "Jack").pk])
    assert browser_of(bob).get(page).status_code == 302
