"""An account is deleted while its owner does something else: one of the two comes first, and
nothing is half done."""

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from accounts.services.deletion import KeptForHistory, delete_account
from battles.models import Battle, BattleState
from battles.services.logbook import log_events
from battles.services.review import confirm_side, submit_battle
from campaigns.models import Campaign
from clubs.models import Club, Membership, Role
from core.display_names import has_left
from core.errors import Forbidden, MusterError, StateConflict
from tests.battles.field import begin, note
from tests.together import at_once
from warbands.models import Warband

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_who_leaves_while_confirming_has_confirmed_or_is_refused(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    battle = begin(alice, campaign, reds, blues)
    submit_battle(battle_id=battle.pk, user=alice)
    left, outcome, logged = at_once(
        lambda: delete_account(user=bob, kept=KeptForHistory.NONE),
        lambda: confirm_side(battle_id=battle.pk, user=bob),
        lambda: delete_account(user=bob, kept=KeptForHistory.PRESENT),
    )
    assert isinstance(outcome, Battle | Forbidden), outcome
    assert sorted(isinstance(each, StateConflict) for each in (left, logged)) == [False, True], (
        "it is deleted once"
    )
    battle.refresh_from_db()
    assert battle.state == (
        BattleState.CONFIRMED if isinstance(outcome, Battle) else BattleState.SUBMITTED
    )
    assert has_left(User.objects.get(pk=bob.pk))
    assert not Warband.objects.filter(owner=bob).exists()
    call_command("check_chronicle", stdout=StringIO())


def test_two_organisers_do_not_leave_a_club_alone_at_once(
    club: Club, alice: User, bob: User, charlie: User
) -> None:
    Membership.objects.filter(user=bob).update(role=Role.ORGANISER)
    Membership.objects.create(club=club, user=charlie, name="Charlie", role=Role.PLAYER)
    answers = at_once(
        *(
            lambda user=user: delete_account(user=user, kept=KeptForHistory.NONE)
            for user in (alice, bob)
        )
    )
    assert sorted(getattr(answer, "code", "") for answer in answers) == ["", "last-organiser"]
    assert club.memberships.filter(role=Role.ORGANISER).count() == 1


def test_who_leaves_while_logging_has_logged_or_is_told_to_try_again(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    battle = begin(alice, campaign, reds, blues)
    left, logged = at_once(
        lambda: delete_account(user=bob, kept=KeptForHistory.NONE),
        lambda: log_events(battle_id=battle.pk, events=[note("We hold.")], user=bob),
    )
    assert left is None or left.code == "account-in-use"
    assert not isinstance(logged, MusterError) or isinstance(logged, Forbidden)
