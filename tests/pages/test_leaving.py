"""An account is deleted: what goes, what stays and under which name, what stands in the way; by
page, API, command."""

import io
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken
from rest_framework.test import APIClient

from accounts.services.deletion import KeptForHistory, delete_account, preview_leaving
from battles.models import Battle, BattleState
from battles.services.review import confirm_side
from campaigns.models import Campaign, Enrolment, JournalEntry
from campaigns.services.journal import write_entry
from clubs.models import Club, Membership, Role
from clubs.services.evenings import answer_evening, make_calendar_link
from clubs.services.members import change_role
from core.display_names import display_name, has_left
from core.errors import MusterError, StateConflict
from core.models import AccountSession
from documents.models import Document, DocumentKind, DocumentState
from documents.services.requesting import request_document
from scripts.packages import APPS
from tests.conftest import PASSWORD, api_of, browser_of
from tests.pages import world
from tests.pages.conftest import Clients, shown_text
from tests.pages.test_own_data import give_password
from warbands.models import RosterTemplate, Warband
from warbands.signed import update_signed

ME = "/api/v1/me/"
ROOT = Path(__file__).parents[2]
OWN_NAMES = {
    "battles/views/table.py",
    "clubs/services/clubs.py",
    "exchange/services/import_rows.py",
    "exchange/services/passports.py",
}
"""Where it is who asks, and nobody else, that is named."""


def test_history_keeps_no_name_and_stays_whole(
    browsers: Clients,
    alice: User,
    bob: User,
    campaign: Campaign,
    confirmed: Battle,
    haufen: Warband,
    tmp_path: Any,
) -> None:
    second = world.submitted_battle(
        alice, campaign, haufen, Warband.objects.exclude(pk=haufen.pk).get()
    )
    entry = write_entry(campaign_id=campaign.pk, user=bob, text="We held the bridge.")
    document = request_document(user=alice, kind=DocumentKind.CAMPAIGN, subject=campaign.pk)
    Document.objects.update(state=DocumentState.READY)
    pages = [
        reverse("home:club", args=[campaign.club_id]),
        reverse("leagues:campaign", args=[campaign.pk]),
        reverse("leagues:standings", args=[campaign.pk]),
        reverse("leagues:log", args=[campaign.pk]),
        reverse("battles:battle", args=[confirmed.pk]),
        reverse("battles:battle", args=[second.pk]),
        reverse("warbands:warband", args=[haufen.pk]),
        reverse("warbands:chronicle", args=[haufen.pk]),
    ]
    silent = [
        page for page in pages if "bob" not in shown_text(browsers.alice.get(page)).casefold()
    ]
    assert silent == []

    delete_account(user=bob, kept=KeptForHistory.NONE)

    shell = User.objects.get(pk=bob.pk)
    assert (shell.is_active, shell.has_usable_password(), shell.email, shell.first_name) == (
        False,
        False,
        "",
        "",
    )
    assert (
        has_left(shell) and "bob" not in shell.username and display_name(shell) == "a former member"
    )
    for page in pages:
        body = shown_text(browsers.alice.get(page))
        assert "bob" not in body.casefold() and "former member" in body.casefold(), page
        assert shell.username not in body
    haufen.refresh_from_db()
    assert (haufen.owner, haufen.keeper, haufen.archived_at) == (None, alice, None), (
        "Alice keeps it in the campaign"
    )
    seat = Enrolment.objects.get(warband=haufen).player
    assert (seat.name, seat.user, seat.left_at) == ("Former member", None, None)
    assert JournalEntry.objects.get(pk=entry.pk).author == seat
    assert confirm_side(battle_id=second.pk, user=alice, side="a").state == BattleState.CONFIRMED
    document.refresh_from_db()
    assert document.state == DocumentState.QUEUED, "it is printed anew"
    html = api_of(alice).get(f"/api/v1/battles/{confirmed.pk}/").content.decode()
    assert "bob" not in html.casefold()
    assert browsers.alice.get(reverse("search:search"), {"q": "bob"}).context["found"].count == 0
    call_command("check_chronicle", stdout=io.StringIO())
    api_of(alice).get("/api/v1/me/inbox/")
    new = User.objects.create_user("bob", password=PASSWORD)
    assert new.pk != bob.pk, "the name is free, as nothing goes by it"


@pytest.mark.parametrize(
    ("kept", "name", "shown"),
    [("present", "", "bob"), ("other", "  The Old   Captain ", "The Old Captain")],
)
def test_history_keeps_a_name_which_nobody_else_can_take(
    browsers: Clients,
    alice: User,
    bob: User,
    confirmed: Battle,
    haufen: Warband,
    kept: str,
    name: str,
    shown: str,
) -> None:
    delete_account(user=bob, kept=KeptForHistory(kept), name=name)
    assert display_name(User.objects.get(pk=bob.pk)) == shown
    assert Enrolment.objects.get(warband=haufen).player.name == shown
    assert (
        shown in browsers.alice.get(reverse("battles:battle", args=[confirmed.pk])).content.decode()
    )
    assert haufen.name in str(browsers.alice.get(reverse("search:search"), {"q": shown}).content)
    data = {"email": "x@example.org", "password1": PASSWORD, "password2": PASSWORD}
    taken = Client().post(reverse("account_signup"), {"username": "BOB", **data})
    assert taken.status_code == (200 if shown == "bob" else 302), (
        "a name that history keeps is taken for good"
    )
    assert User.objects.filter(username__iexact="bob").exists() == (shown != "bob")


def test_no_other_name_is_one_that_somebody_else_bears(
    alice: User, bob: User, charlie: User, club: Club
) -> None:
    delete_account(user=charlie, kept=KeptForHistory.PRESENT)
    for name in ("ALICE", "charlie", " ", "\u200b", "x" * 81):
        with pytest.raises(MusterError) as refused:
            delete_account(user=bob, kept=KeptForHistory.OTHER, name=name)
        assert refused.value.field == "name"
    assert User.objects.get(pk=bob.pk).username == "bob", "nothing is done by halves"


def test_two_who_leave_no_name_do_not_become_one(
    alice: User, bob: User, dora: User, campaign: Campaign
) -> None:
    Membership.objects.filter(user=dora).update(role=Role.PLAYER)
    for user in (bob, dora):
        write_entry(campaign_id=campaign.pk, user=user, text="Seen.")
        delete_account(user=user, kept=KeptForHistory.NONE)
    names = sorted(Membership.objects.filter(user=None).values_list("name", flat=True))
    assert names == ["Former member", "Former member 2"]


def test_who_has_played_nothing_leaves_no_seat_and_hidden_warbands(
    alice: User, bob: User, club: Club, browsers: Clients
) -> None:
    haufen = world.landsknechts(bob)
    update_signed(Warband.objects.all(), visibility="public", story="Of my own life.")
    RosterTemplate.objects.create(
        owner=bob, name="Mine", ruleset="en-garde", faction="landsknechts"
    )
    answer_evening(evening_id=world.evening_of(club, alice).pk, user=bob, answer="coming")
    assert browsers.nobody.get(reverse("warbands:warband", args=[haufen.pk])).status_code == 200
    delete_account(user=bob, kept=KeptForHistory.NONE)
    assert (
        not Membership.objects.filter(name="bob").exists() and not RosterTemplate.objects.exists()
    )
    haufen.refresh_from_db()
    assert (haufen.visibility, haufen.story, haufen.archived_at is None) == ("private", "", False)
    assert browsers.alice.get(reverse("warbands:warband", args=[haufen.pk])).status_code == 404
    call_command("check_chronicle", stdout=io.StringIO())


def test_nobody_is_let_in_any_more(bob: User, club: Club) -> None:
    here, elsewhere = browser_of(bob), browser_of(bob)
    _, token = AuthToken.objects.create(user=bob)
    EmailAddress.objects.create(user=bob, email="bob@example.org", verified=True)
    script = APIClient(headers={"authorization": f"Token {token}"})
    feed = f"{reverse('home:own-feed')}?key={make_calendar_link(user=bob)}"
    assert Client().get(feed).status_code == 200 and script.get(ME).status_code == 200
    delete_account(user=bob, kept=KeptForHistory.PRESENT)
    assert [client.get(reverse("account")).status_code for client in (here, elsewhere)] == [
        302,
        302,
    ]
    assert not AccountSession.objects.exists()
    assert script.get(ME).status_code == 401 and Client().get(feed).status_code == 404
    for login in ("bob", "bob@example.org", User.objects.get(pk=bob.pk).username):
        assert not Client().login(username=login, password=PASSWORD)
        answer = APIClient().post("/api/v1/tokens/", {"username": login, "password": PASSWORD})
        assert answer.status_code == 400
    with pytest.raises(StateConflict):
        delete_account(user=bob, kept=KeptForHistory.NONE)


def test_a_club_with_members_is_handed_over_first(
    alice: User, bob: User, campaign: Campaign, browsers: Clients
) -> None:
    [problem] = preview_leaving(alice).problems
    assert (problem.code, problem.value) == ("last-organiser", str(campaign.club_id))
    give_password(browsers.alice, "/")
    sent = {"kept": "none", "username": "alice"}
    page = browsers.alice.post(reverse("delete-account"), sent)
    assert (
        page.status_code == 400
        and page.content.decode().count("Make another member an organiser first") == 1
    )
    answer = api_of(alice).delete(ME, {"password": PASSWORD, "kept": "none"})
    assert (answer.status_code, answer.json()["code"]) == (400, "last-organiser")
    with pytest.raises(CommandError, match="no other organiser"):
        call_command("delete_account", "alice", "--yes")
    member = Membership.objects.get(user=bob)
    change_role(member_id=member.pk, user=alice, role=Role.ORGANISER)
    delete_account(user=alice, kept=KeptForHistory.NONE)
    assert Warband.objects.get(owner=None).keeper == bob


def test_an_empty_club_is_shown_to_nobody(alice: User, browsers: Clients) -> None:
    club = world.club_of(alice)
    Club.objects.update(visibility="public")
    delete_account(user=alice, kept=KeptForHistory.NONE)
    assert browsers.nobody.get(reverse("home:club", args=[club.pk])).status_code in (302, 404)
    assert browsers.bob.get(reverse("home:club", args=[club.pk])).status_code == 404


def test_the_last_superuser_stays(alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    alice.refresh_from_db()
    with pytest.raises(MusterError, match="superuser"):
        delete_account(user=alice, kept=KeptForHistory.NONE)
    User.objects.filter(pk=bob.pk).update(is_superuser=True)
    delete_account(user=alice, kept=KeptForHistory.NONE)


def test_one_off_battles_that_nobody_could_settle_are_void(
    alice: User, bob: User, haufen: Warband
) -> None:
    guards = world.guards(alice)
    world.warbands_see_each_other(haufen, guards)
    battle = world.submitted_battle(bob, None, haufen, guards)
    assert [row.id for row in preview_leaving(bob).given_up] == [battle.pk]
    delete_account(user=bob, kept=KeptForHistory.PRESENT)
    battle.refresh_from_db()
    assert battle.state == BattleState.VOID and battle.decision
    with pytest.raises(StateConflict):
        confirm_side(battle_id=battle.pk, user=alice)
    haufen.refresh_from_db()
    assert haufen.archived_at is not None and haufen.owner == bob


def test_the_page_tells_and_asks_for_the_password_and_the_name(
    browsers: Clients, bob: User, begun: Battle, haufen: Warband
) -> None:
    where = reverse("delete-account")
    assert "/reauthenticate/" in browsers.bob.get(where)["Location"]
    assert (
        "/reauthenticate/"
        in browser_of(bob).post(where, {"kept": "none", "username": "bob"})["Location"]
    )
    give_password(browsers.bob, where)
    body = browsers.bob.get(where).content.decode()
    for text in (haufen.name, "alice runs it", "The Friday Swords", "cannot be undone"):
        assert text in body
    wrong = browsers.bob.post(where, {"kept": "none", "username": "alice"})
    assert wrong.status_code == 400 and "This is not your user name" in wrong.content.decode()
    assert (
        browsers.bob.post(where, {"kept": "other", "name": "", "username": "bob"}).status_code
        == 400
    )
    gone = browsers.bob.post(
        where, {"kept": "other", "name": "Robert", "username": "bob"}, follow=True
    )
    assert (
        "Account deleted" in gone.content.decode() and not gone.wsgi_request.user.is_authenticated
    )
    assert display_name(User.objects.get(pk=bob.pk)) == "Robert"


def test_the_api_tells_and_asks_for_the_password(
    bob: User, begun: Battle, anonymous: APIClient
) -> None:
    client = api_of(bob)
    body = client.get(f"{ME}deletion/").json()
    assert [row["keeper_name"] for row in body["handed_over"]] == ["alice"] and body[
        "problems"
    ] == []
    assert anonymous.delete(ME, {"password": PASSWORD, "kept": "none"}).status_code == 401
    for sent, code in (
        ({"kept": "none"}, "required"),
        ({"kept": "none", "password": "a guess"}, "wrong_password"),
        ({"kept": "some", "password": PASSWORD}, "invalid_choice"),
        ({"kept": "other", "password": PASSWORD}, "required"),
        ({"kept": "other", "name": " ", "password": PASSWORD}, "blank"),
        ({"kept": "none", "password": PASSWORD, "nmae": "Robert"}, "unknown-field"),
    ):
        answer = client.delete(ME, sent)
        assert (answer.status_code, code in {line["code"] for line in answer.json()["errors"]}) == (
            400,
            True,
        ), sent
    assert client.delete(ME, {"kept": "none", "password": PASSWORD}).status_code == 204
    assert has_left(User.objects.get(pk=bob.pk))


def test_an_account_with_a_second_factor_is_deleted_by_both(bob: User) -> None:
    TOTP.activate(bob, generate_totp_secret())
    [code, *_] = RecoveryCodes.activate(bob).get_unused_codes()
    sent = {"kept": "none", "password": PASSWORD}
    for wrong, expected_code in (({}, "code_required"), ({"code": "000000"}, "wrong_code")):
        assert (
            api_of(bob).delete(ME, {**sent, **wrong}).json()["errors"][0]["code"] == expected_code
        )
    assert api_of(bob).delete(ME, {**sent, "code": code}).status_code == 204
    assert not Authenticator.objects.exists()


@pytest.mark.one_database
def test_there_is_one_way_from_an_account_to_its_name() -> None:
    """Code that reads another user's name directly would show the shell of a deleted account."""
    asking = {
        str(path.relative_to(ROOT))
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        if app != "accounts" and "get_username()" in path.read_text(encoding="utf-8")
    }
    assert asking - OWN_NAMES == {"core/display_names.py"}, (
        "call shown_name of core/display_names.py"
    )


def test_delete_account_command_shows_effects_first(bob: User, haufen: Warband) -> None:
    output = io.StringIO()
    call_command("delete_account", "bob", stdout=output)
    assert (
        haufen.name in output.getvalue()
        and "--yes" in output.getvalue()
        and User.objects.filter(username="bob").exists()
    )
    call_command("delete_account", "bob", "--name", "Robert", "--yes", stdout=output)
    assert display_name(User.objects.get(pk=bob.pk)) == "Robert"
    with pytest.raises(CommandError, match="not found"):
        call_command("delete_account", "bob", "--yes")
