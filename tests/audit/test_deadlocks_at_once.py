"""Two requests of one person that wait for each other: one is carried out, the other is told to
come again."""

from collections.abc import Callable
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, transaction

from audit.models import AuditEntry
from audit.services.proof import check_audit
from audit.services.recording import record
from audit.verbs import Verb
from clubs.models import Club
from clubs.services.clubs import found_club
from core.api.problems import BUSY, problem_of
from tests.together import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_one_of_two_that_wait_for_each_other_is_busy(alice: User) -> None:
    club = found_club(user=alice, name="The Old Guard")
    both = Barrier(2)

    def lock_club() -> None:
        Club.objects.select_for_update().get()

    def act() -> None:
        record(Verb.CLUB_CHANGED, club, user=alice, club=club.pk)

    def in_this_order(first: Callable[[], None], second: Callable[[], None]) -> Any:
        try:
            with transaction.atomic():
                first()
                both.wait(timeout=60)
                second()
        except OperationalError as error:
            return problem_of(error)
        return None

    answers = at_once(lambda: in_this_order(act, lock_club), lambda: in_this_order(lock_club, act))
    assert sorted(answers, key=str) == sorted([None, BUSY], key=str)
    assert AuditEntry.objects.filter(verb="club.changed").count() == 1
    assert list(check_audit()) == []
