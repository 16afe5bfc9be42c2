"""Forms and requests of the API that are sent twice at the same moment make one thing."""

from threading import Barrier, Thread
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from clubs.models import Club
from core.form_keys import FIELD
from tests.conftest import api_of, browser_of
from tests.core.test_sent_once import API, CLUB, PAGE, key_for

# Apart from other tests: one that empties the database at its end has to run after all that do not.
pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_two_requests_at_once_make_one_club(alice: User) -> None:
    start, answers = Barrier(2), []

    def send(way: Any) -> None:
        start.wait()
        answers.append(way())
        connection.close()

    def form() -> str:
        return browser_of(alice).post(PAGE, {**CLUB, FIELD: key_for(alice)}).headers["Location"]

    def request() -> str:
        return api_of(alice).post(API, CLUB, headers={"Idempotency-Key": "5b7c"}).json()["id"]

    for way in (form, request):
        answers.clear()
        both = [Thread(target=send, args=(way,)) for _ in range(2)]
        for each in both:
            each.start()
        for each in both:
            each.join()
        assert len(set(answers)) == 1
    assert Club.objects.count() == 2
