"""A battle's page after changes: parts that are found again show the same as parts made again."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from battles.models import Battle, BattleEvent, Combatant, Side
from battles.selectors.log_history import HISTORIES
from battles.selectors.permissions import battle_permissions
from battles.selectors.shown_battle import shown_battle
from campaigns.models import Enrolment
from core.fragments import PARTS
from documents.selectors.battle_story import STORIES
from tests.pages.conftest import Clients
from warbands.models import Warband

TOKENS = re.compile(r'(csrfmiddlewaretoken" value="|X-CSRFToken": "|form_key" value=")[^"]*"')
pytestmark = pytest.mark.one_database


def page(browser: Client, battle: Battle) -> str:
    """Return the page without tokens."""
    text = browser.get(reverse("battles:battle", args=[battle.pk])).content.decode()
    return TOKENS.sub(r'\1"', text)


def fresh_page(browser: Client, battle: Battle) -> str:
    """Return the page made without anything that was made before."""
    for values in (PARTS, HISTORIES, STORIES):
        values.clear()
    return page(browser, battle)


def rename_warband(battle: Battle) -> None:
    Warband.objects.filter(sides__battle=battle).update(name="The Renamed")


def recolour(battle: Battle) -> None:
    Enrolment.objects.filter(warband__sides__battle=battle).update(colour="#123456")


def rename_combatants(battle: Battle) -> None:
    Combatant.objects.filter(side__battle=battle).update(name="Somebody Else")


def change_log(battle: Battle) -> None:
    event = battle.events.filter(kind="wound").first()
    assert event is not None
    event.__class__.objects.filter(pk=event.pk).update(data={**event.data, "result": "light"})


def change_score(battle: Battle) -> None:
    Side.objects.filter(battle=battle).update(victory_points=99)


def change_result(battle: Battle) -> None:
    result = {**(battle.result or {}), "verdict": "Everybody went home."}
    Battle.objects.filter(pk=battle.pk).update(result=result)


CHANGES = (rename_warband, recolour, rename_combatants, change_log, change_score, change_result)


@pytest.mark.parametrize("change", CHANGES)
def test_page_after_change_equals_fresh_page(
    browsers: Clients, confirmed: Battle, change: Callable[[Battle], None]
) -> None:
    before = page(browsers.alice, confirmed)
    change(confirmed)
    after = page(browsers.alice, confirmed)
    assert after == fresh_page(browsers.alice, confirmed)
    assert after != before or change in (change_score, change_log)


def test_readers_get_their_own_parts(browsers: Clients, confirmed: Battle) -> None:
    organiser, player = page(browsers.alice, confirmed), page(browsers.bob, confirmed)
    assert "correct-entry" not in player or organiser != player
    assert player == fresh_page(browsers.bob, confirmed)


@pytest.mark.postgres
def test_unchanged_page_takes_few_queries(browsers: Clients, confirmed: Battle) -> None:
    page(browsers.alice, confirmed)
    Battle.objects.filter(pk=confirmed.pk).update(title="Changed")
    with CaptureQueriesContext(connection) as seen:
        page(browsers.alice, confirmed)
    # SQLite compares the content of rows, a statement for each table.
    assert len(seen) <= (10 if connection.vendor == "postgresql" else 29)


def test_one_statement_returns_the_same_rights_as_the_querysets(
    alice: User, bob: User, charlie: User, dora: User, confirmed: Battle, begun: Battle
) -> None:
    for battle in (confirmed, begun):
        for user in (alice, bob, charlie, dora):
            shown = shown_battle(battle.pk, user)
            assert shown.is_visible == Battle.objects.visible_to(user).contains(battle)
            shown_rights = battle_permissions(shown.battle, user, shown.rights)
            rights = battle_permissions(Battle.objects.for_pages().get(pk=battle.pk), user)
            assert shown_rights == rights, (battle.state, user.username)


def test_stranger_cannot_see_a_shown_battle(confirmed: Battle) -> None:
    shown = shown_battle(confirmed.pk, AnonymousUser())
    assert not shown.is_visible
    assert (shown.rights.organises, shown.rights.edits) == (False, False)


def test_related_rows_of_a_shown_battle_can_be_narrowed(alice: User, confirmed: Battle) -> None:
    battle = shown_battle(confirmed.pk, alice).battle
    with CaptureQueriesContext(connection) as seen:
        sides = list(battle.sides.all())
        fighters = [len(side.combatants.all()) for side in sides]
    assert len(seen) == 0
    assert [side.key for side in sides] == ["a", "b"] and all(fighters)
    assert battle.sides.filter(key="a").count() == 1
    assert BattleEvent.objects.filter(battle=battle).count() == battle.events.count()
