"""One query reads what a reader may do with a warband."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.users import Visibility
from tests.warbands.conftest import Enrol
from warbands.models import Warband
from warbands.selectors.access import access_of
from warbands.selectors.crests import crests_of
from warbands.services.warbands import rename_warband, show_warband

pytestmark = pytest.mark.django_db


def test_private_warband_is_hidden_from_strangers(reds: Warband, bob: User, charlie: User) -> None:
    assert access_of(reds.pk, bob) is not None
    assert access_of(reds.pk, charlie) is None
    assert access_of(reds.pk, AnonymousUser()) is None
    show_warband(warband_id=reds.pk, visibility=Visibility.UNLISTED, user=bob)
    assert access_of(reds.pk, charlie) is not None
    assert access_of(reds.pk, AnonymousUser()) is not None


def test_missing_warband_has_no_access(bob: User) -> None:
    assert access_of(uuid4(), bob) is None


def test_colour_is_that_of_the_crest(reds: Warband, enrol: Enrol, bob: User) -> None:
    before = access_of(reds.pk, bob)
    enrol(reds)
    after = access_of(reds.pk, bob)
    assert before is not None and after is not None
    assert before.colour == ""
    assert after.colour == crests_of([reds.pk], bob)[reds.pk].colour != ""


def test_renamed_warband_keeps_its_arms(reds: Warband, bob: User) -> None:
    before = crests_of([reds.pk], bob)
    rename_warband(warband_id=reds.pk, name="Purples", user=bob)
    assert crests_of([reds.pk], bob) == before


def test_access_takes_one_query(reds: Warband, bob: User) -> None:
    access_of(reds.pk, bob)
    with CaptureQueriesContext(connection) as seen:
        access_of(reds.pk, bob)
    assert len(seen) == 1
