"""The activity log of a club: a page for its organisers, with filters, as a file, and in the API."""

import csv
import io
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from audit.models import AuditEntry
from audit.origin import Origin
from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle
from battles.services.corrections import void_battle
from battles.services.review import confirm_side
from campaigns.models import Campaign
from campaigns.selectors.audit_details import facts_of
from campaigns.services.campaigns import edit_campaign
from campaigns.services.house_rules import change_house_rules
from clubs.models import Club
from clubs.services.invitations import invite
from clubs.services.members import change_role, remove_member
from core.csv_files import safe_cell
from home.selectors.audit_log import AuditQuery, audit_entries, audit_lines
from tests.conftest import api_of
from tests.pages import world
from tests.pages.conftest import Clients

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    return world.club_of(alice, players=[bob], spectators=[dora])


def told(club: Club, reader: User, **filters: object) -> list[tuple[str, tuple[str, ...]]]:
    """Return the sentences with their facts, newest first."""
    lines = audit_lines(club, audit_entries(club, AuditQuery(**filters)), reader)  # type: ignore[arg-type]
    return [(line.sentence, line.facts) for line in lines]


def fill(club: Club, number: int, **more: object) -> None:
    """Create this many entries of a club, a minute apart."""
    begun = timezone.now() - timedelta(days=400)
    columns = {
        "club": club.pk,
        "verb": Verb.BATTLE_STARTED,
        "subject_kind": "battle",
        "face": Origin.PAGE,
        **more,
    }
    AuditEntry.objects.bulk_create(
        AuditEntry(
            at=begun + timedelta(minutes=place),
            subject_id=uuid4(),
            subject_name=f"Battle {place}",
            **columns,
        )
        for place in range(number)
    )


def fought(club: Club, alice: User, bob: User) -> tuple[Campaign, Battle]:
    """Return a campaign with a battle that both players have confirmed."""
    campaign = world.campaign_of(club, alice, world.landsknechts(alice), world.guards(bob))
    warbands = [each.warband for each in campaign.enrolments.order_by("enrolled_at")]
    battle = world.submitted_battle(alice, campaign, *warbands, title="The Ford")
    return campaign, confirm_side(battle_id=battle.pk, user=bob)


def test_activity_log_of_campaign_shows_sentences_and_reasons(
    club: Club, alice: User, bob: User
) -> None:
    campaign, battle = fought(club, alice, bob)
    void_battle(battle_id=battle.pk, user=alice, reason="Both had forgotten the rain.")
    edit_campaign(
        campaign_id=campaign.pk, user=alice, version=campaign.version, visibility="public", games=9
    )
    campaign.refresh_from_db()
    terms: dict[str, Any] = {"version": campaign.version, "reason": "Asked for by all."}
    change_house_rules(
        campaign_id=campaign.pk, user=alice, house_rules={"size_limit": "forbid"}, **terms
    )
    lines = told(club, alice)
    assert lines[0] == (
        "alice changed the house rules of The Long Summer",
        ("Reason: Asked for by all.", "More than twenty fighters: Warn → Forbid"),
    )
    assert lines[1][1] == ("Visibility: private → public", "Games: – → 9")
    assert lines[2] == (
        "alice voided the battle The Ford",
        ("Reason: Both had forgotten the rain.",),
    )
    assert [sentence for sentence, _ in lines[3:8]] == [
        "bob confirmed the battle The Ford",
        "alice submitted the battle The Ford",
        "alice started the battle The Ford",
        "alice chose a line-up for The Ford",
        "alice chose a line-up for The Ford",
    ]
    assert {entry.campaign for entry in audit_entries(club)[:8]} == {campaign.pk}
    with translation.override("de"):
        assert told(club, alice)[3][0] == "bob hat das Gefecht The Ford bestätigt"


def test_members_are_called_what_they_are_called_now_and_secrets_are_not_told(
    club: Club, alice: User, bob: User
) -> None:
    member = club.memberships.get(user=bob)
    change_role(member_id=member.pk, user=alice, role="organiser")
    change_role(member_id=member.pk, user=alice, role="player")
    secret = invite(club_id=club.pk, user=alice, uses=3).secret
    club.memberships.filter(pk=member.pk).update(name="Robert")
    assert [sentence for sentence, _ in told(club, alice)[:3]] == [
        "alice created an invitation",
        "alice made Robert a player",
        "alice made Robert an organiser",
    ]
    remove_member(member_id=member.pk, user=alice)
    assert told(club, alice)[0][0] == "alice removed bob from the club"
    kept = " ".join(str(row) for row in AuditEntry.objects.values_list())
    assert secret not in kept
    assert "Robert" not in kept
    User.objects.filter(pk=bob.pk).delete()
    assert (
        told(club, alice)[0][0] == "alice removed someone who deleted their account from the club"
    )


def test_organisers_read_narrow_down_and_follow_links(
    club: Club, alice: User, bob: User, browsers: Clients
) -> None:
    campaign, battle = fought(club, alice, bob)
    page = reverse("home:audit", args=[club.pk])
    shown = browsers.alice.get(page).content.decode()
    assert f'href="{reverse("battles:battle", args=[battle.pk])}"\n>The Ford</a>' in shown
    assert "Entries since" in shown

    def acts(**query: Any) -> list[str]:
        return [line.verb for line in browsers.alice.get(page, query).context["lines"]]

    assert {*acts(actor=bob.pk)} == {"enrolment.entered", "battle.confirmed"}
    assert {*acts(kind="enrolment")} == {"enrolment.entered"}
    assert "club.founded" not in acts(campaign=campaign.pk)
    assert {*acts(text="ford", kind="battle", actor=bob.pk)} == {"battle.confirmed"}
    today = timezone.now().date()
    assert acts(since=today + timedelta(days=2)) == acts(until=today - timedelta(days=2)) == []
    assert len(acts(since="soon", actor="x", kind="nothing", campaign="y")) == len(acts())
    assert len(acts(since="0001-01-01", until="9999-12-31")) == len(acts()), (
        "days beyond every calendar"
    )


def test_others_are_turned_away_by_the_page_the_file_and_the_api(
    club: Club, browsers: Clients, bob: User, charlie: User, alice: User
) -> None:
    for name in ("audit", "audit-file"):
        address = reverse(f"home:{name}", args=[club.pk])
        assert [who.get(address).status_code for who in browsers] == [200, 403, 404, 403, 302]
    api = f"/api/v1/clubs/{club.pk}/audit/"
    assert [api_of(user).get(api).status_code for user in (alice, bob, charlie)] == [200, 403, 404]


def test_the_api_tells_the_same_acts_and_refuses_what_it_cannot_read(
    club: Club, alice: User, bob: User
) -> None:
    fought(club, alice, bob)
    asker, address = api_of(alice), f"/api/v1/clubs/{club.pk}/audit/"
    line = asker.get(address, {"actor": str(bob.pk), "kind": "battle"}).data["results"][0]
    assert (line["verb"], line["who"], line["face"]) == ("battle.confirmed", "bob", "command")
    assert line["sentence"] == "bob confirmed the battle The Ford"
    assert asker.get(address, {"verb": "battle.confirmed", "name": "Ford"}).data["count"] == 1
    assert asker.get(address, {"since": "2099-01-01T00:00:00Z"}).data["count"] == 0
    refused: list[dict[str, str]] = [{"actor": "9" * 30}]
    refused += [{"kind": "nothing"}, {"verb": "x"}, {"since": "soon"}, {"who": "bob"}]
    for wrong in refused:
        assert asker.get(address, wrong).status_code == 400


def test_the_file_holds_what_was_asked_for_and_no_formula(
    club: Club, alice: User, bob: User, browsers: Clients
) -> None:
    mustered = world.landsknechts(bob, "=HYPERLINK(1)")
    record(Verb.PICTURE_ADDED, mustered, user=bob, club=club.pk)
    answer = browsers.alice.get(reverse("home:audit-file", args=[club.pk]), {"actor": bob.pk})
    text = b"".join(answer.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    header, *rows = csv.reader(io.StringIO(text))
    assert header[:3] == ["When (UTC)", "Who", "Activity"]
    assert [row[1:3] for row in rows] == [["bob", "bob added a picture to =HYPERLINK(1)"]]
    assert [safe_cell(cell) for cell in ("=1+1", "@x", "-1", -1, None, "plain")] == [
        "'=1+1",
        "'@x",
        "'-1",
        "-1",
        "",
        "plain",
    ]


def test_a_page_costs_as_many_queries_with_many_acts_as_with_few(
    club: Club, alice: User, bob: User, browsers: Clients
) -> None:
    page = reverse("home:audit", args=[club.pk])
    fought(club, alice, bob)
    browsers.alice.get(page)
    with CaptureQueriesContext(connection) as few:
        browsers.alice.get(page)
    fill(club, 200, actor=alice)
    with CaptureQueriesContext(connection) as many:
        browsers.alice.get(page, {"page": 2})
    assert len(many) <= len(few) <= 22


def test_a_page_of_a_hundred_thousand_is_read_by_an_index(club: Club, alice: User) -> None:
    fill(club, 50)
    # Of many others: else any index does, and the planner takes which it likes.
    for _ in range(20):
        fill(Club(pk=uuid4()), 100, actor=alice)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE audit_auditentry")
    for filters, index in (
        (AuditQuery(), "audit_of_club"),
        (AuditQuery(actor=1), "audit_of_person"),
    ):
        rows = audit_entries(club, filters)[:50]
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                # What is small is sorted sooner than read in order, whatever index there is.
                cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
        plan = rows.explain()
        assert index in plan
        assert "TEMP B-TREE" not in plan


def test_change_of_new_column_is_named_by_the_column() -> None:
    changes = {"created_at": ["yesterday", "today"], "battles_run_by": ["x", "every-player"]}
    assert facts_of({"changes": changes}, {}) == (
        "Who can run battles: x → Every player of the club",
        "Created at: yesterday → today",
    )
