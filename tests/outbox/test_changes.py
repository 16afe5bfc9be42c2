"""`changes/`: in order, complete, and only visible ones."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from audit.models import AuditEntry, Change
from audit.services.numbering import number_changes
from audit.services.recording import record
from audit.verbs import TRAVELLING, Verb
from campaigns.models import Campaign
from clubs.models import Club
from core.users import Visibility
from outbox.selectors import changes as selector
from outbox.selectors.changes import KINDS
from tests.battles import field
from tests.conftest import api_of
from tests.pages.world import evening_of
from warbands.models import Warband

pytestmark = [pytest.mark.django_db]


def read(api: APIClient, **query: Any) -> Any:
    answer = api.get("/api/v1/changes/", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def started(campaign: Campaign, alice: User, number: int) -> None:
    for _ in range(number):
        record(Verb.CAMPAIGN_CHANGED, campaign, user=alice, campaign=campaign.pk)


def test_changes_come_in_order_and_each_once(
    alice: User, club: Club, campaign: Campaign, reds: Warband, blues: Warband
) -> None:
    battle = field.confirmed(alice, campaign, reds, blues)
    evening = evening_of(club, alice)
    assert read(api_of(alice)) == {"changes": [], "next": 0, "more": False}
    number_changes()
    answer = read(api_of(alice))
    cursors = [each["cursor"] for each in answer["changes"]]
    assert cursors == list(range(1, len(cursors) + 1)) and answer["next"] == cursors[-1]
    types = [each["type"] for each in answer["changes"]]
    acts = ("campaign.planned", "campaign.started", "battle.decided", "evening.made")
    assert [each for each in types if each in acts] == list(acts)
    by_type = {each["type"]: each for each in answer["changes"]}
    result = by_type["battle.decided"]
    assert result["subject"]["id"] == str(battle.pk)
    assert result["page"] == f"http://testserver/battles/{battle.pk}/"
    assert result["club"] == str(club.pk) and result["campaign"] == str(campaign.pk)
    assert by_type["evening.made"]["subject"]["id"] == str(evening.pk)
    assert api_of(alice).get(by_type["evening.made"]["url"]).status_code == 200
    assert api_of(alice).get(result["url"]).status_code == 200
    assert read(api_of(alice), after=answer["next"])["changes"] == []
    walked: list[int] = []
    after, more = 0, True
    while more:
        page = read(api_of(alice), after=after, limit=2)
        walked += [each["cursor"] for each in page["changes"]]
        after, more = page["next"], page["more"]
    assert walked == cursors


def test_change_that_commits_late_is_not_skipped(alice: User, campaign: Campaign) -> None:
    started(campaign, alice, 3)
    late = Change.objects.filter(cursor=None).order_by("-entry_id")[2]
    # The oldest entry is still in a transaction that has not committed.
    Change.objects.filter(pk=late.pk).delete()
    number_changes()
    before = read(api_of(alice))
    assert str(late.pk) not in {each["id"] for each in before["changes"]}
    Change.objects.create(pk=late.pk, entry_id=late.entry_id)
    number_changes()
    after = read(api_of(alice), after=before["next"])
    assert [each["id"] for each in after["changes"]] == [str(late.pk)]
    assert number_changes() == []


@pytest.mark.parametrize("visibility", Visibility.values)
def test_strangers_read_only_what_they_may_see(
    alice: User, bob: User, charlie: User, campaign: Campaign, visibility: str
) -> None:
    Campaign.objects.update(visibility=visibility)
    Club.objects.update(visibility=Visibility.PRIVATE)
    started(campaign, alice, 2)
    number_changes()
    seen = {
        user: [each for each in read(api_of(user))["changes"] if each["type"].startswith("camp")]
        for user in (alice, bob, charlie)
    }
    assert seen[alice] == seen[bob] != []
    expected = [] if visibility == Visibility.PRIVATE else seen[alice]
    assert [each["id"] for each in seen[charlie]] == [each["id"] for each in expected]
    # Who sees nothing still gets on.
    assert read(api_of(charlie))["next"] == read(api_of(alice))["next"] > 0


def test_reading_needs_an_account(client: Any) -> None:
    assert client.get("/api/v1/changes/").status_code == 401


def test_unchanged_answer_is_304(alice: User, campaign: Campaign) -> None:
    number_changes()
    first = api_of(alice).get("/api/v1/changes/")
    again = api_of(alice).get("/api/v1/changes/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304 and again.content == b""
    started(campaign, alice, 1)
    number_changes()
    third = api_of(alice).get("/api/v1/changes/", headers={"If-None-Match": first["ETag"]})
    assert third.status_code == 200


@pytest.mark.parametrize(
    ("name", "value"),
    [("after", "-1"), ("after", "x"), ("limit", "0"), ("limit", "201"), ("club", "mine")],
)
def test_bad_parameter_is_named(alice: User, name: str, value: str) -> None:
    answer = api_of(alice).get("/api/v1/changes/", {name: value})
    assert answer.status_code == 400
    (line,) = answer.json()["errors"]
    assert line["code"] in ("malformed-parameter", "out-of-range", "invalid")
    assert name in line["field"]


def test_cursor_beyond_the_end_is_refused(alice: User, campaign: Campaign) -> None:
    started(campaign, alice, 1)
    number_changes()
    newest = read(api_of(alice))["next"]
    assert read(api_of(alice), after=newest)["changes"] == []
    # A backup may have been restored since, or the cursor is of another site.
    answer = api_of(alice).get("/api/v1/changes/", {"after": newest + 1})
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown-cursor")
    (line,) = answer.json()["errors"]
    assert line["field"] == "?after" and f"after={newest}" in line["detail"]


def test_cursor_of_deleted_changes_is_still_known(alice: User, campaign: Campaign) -> None:
    started(campaign, alice, 1)
    number_changes()
    newest = read(api_of(alice))["next"]
    Change.objects.all().delete()
    assert read(api_of(alice), after=newest) == {"changes": [], "next": newest, "more": False}


def test_club_narrows(alice: User, club: Club, campaign: Campaign) -> None:
    started(campaign, alice, 1)
    number_changes()
    assert read(api_of(alice), club=club.pk) == read(api_of(alice))
    assert read(api_of(alice), club=campaign.pk)["changes"] == []


def test_queries_do_not_grow(
    alice: User, campaign: Campaign, django_assert_max_num_queries: Any
) -> None:
    started(campaign, alice, 30)
    number_changes()
    with django_assert_max_num_queries(5):
        selector.changes_after(0, alice, site="")


def test_travelling_verbs_have_subjects_with_pages(
    alice: User, club: Club, campaign: Campaign, reds: Warband, blues: Warband
) -> None:
    field.confirmed(alice, campaign, reds, blues)
    evening_of(club, alice)
    entries = AuditEntry.objects.filter(verb__in=TRAVELLING)
    assert entries and all(entry.subject_kind in KINDS for entry in entries)
    assert set(entries) == {change.entry for change in Change.objects.select_related("entry")}
