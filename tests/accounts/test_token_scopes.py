"""Tokens with names, scopes, a lifetime and a last use, and the bots of clubs."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from campaigns.services.hand_overs import hand_over_warband
from clubs.models import ClubBot, Membership, Role
from clubs.services.invitations import invite
from clubs.services.members import remove_member
from core.errors import Forbidden, InvalidInput
from core.models import Scope, TokenDetails
from core.tokens import TokenTerms, create_token
from core.users import Visibility
from exchange.services.passports import receive_passport
from home.services.devices import add_device
from tests.accounts.test_tokens import sign_in, using
from tests.conftest import PASSWORD, api_of
from tests.pages import world
from tests.permissions.conftest import PrivateWorld, private  # noqa: F401
from tests.permissions.every_route import filled
from tests.permissions.test_bad_input_everywhere import THINGS, Operation, operations
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

LOGS = {
    ("post", "/api/v1/battles/"),
    ("post", "/api/v1/battles/report/"),
    ("post", "/api/v1/battles/{battle_id}/events/"),
    ("post", "/api/v1/battles/{battle_id}/secrets/"),
    ("post", "/api/v1/battles/{battle_id}/set-up/"),
    ("put", "/api/v1/battles/{battle_id}/sides/{side}/combatants/"),
    ("post", "/api/v1/battles/{id}/confirm/"),
    ("post", "/api/v1/battles/{id}/dispute/"),
    ("post", "/api/v1/battles/{id}/preview/"),
    ("post", "/api/v1/battles/{id}/start/"),
    ("post", "/api/v1/battles/{id}/submit/"),
}
"""Everything that a token with the scope "log" may do, besides reading."""
ALWAYS = {("post", "/api/v1/tokens/"), ("delete", "/api/v1/tokens/current/")}
"""Signing in needs no token, and a token may revoke itself."""
SECRETS = {
    "/api/v1/me/data/",
    "/api/v1/clubs/{club_id}/invitations/",
    "/api/v1/invitations/{id}/",
    "/api/v1/clubs/{club_id}/webhooks/",
    "/api/v1/webhooks/{id}/",
}
"""Reads that need every right: personal data, and links that let people join."""


def token_of(user: User, scope: Scope, **terms: Any) -> str:
    return create_token(user=user, terms=TokenTerms(scope=scope, **terms))[1]


def every_operation(schema: dict[str, Any], ids: dict[str, str]) -> Iterator[tuple[Operation, str]]:
    """Yield all operations with their addresses."""
    for operation in operations(schema):
        route = operation.path.replace("{", "<").replace("}", ">")
        if (operation.method, operation.path) != ("delete", "/api/v1/tokens/current/"):
            yield operation, filled(route, THINGS | ids)


def refused(client: APIClient, schema: dict[str, Any], ids: dict[str, str]) -> set[tuple[str, str]]:
    """Return the operations that the scope of the client's token does not allow."""
    answers = {
        (operation.method, operation.path): getattr(client, operation.method)(address, {})
        for operation, address in every_operation(schema, ids)
    }
    for answer in answers.values():
        assert answer.status_code < 500
    return {
        place
        for place, answer in answers.items()
        if answer.status_code == 403 and b"insufficient-scope" in answer.content
    }


@pytest.mark.parametrize(("scope", "allowed"), [(Scope.READ, set()), (Scope.LOG, LOGS)])
def test_scope_decides_about_every_operation(
    schema: dict[str, Any],
    private: PrivateWorld,  # noqa: F811
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    scope: Scope,
    allowed: set[tuple[str, str]],
) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)
    every = {(each.method, each.path) for each in operations(schema)}
    assert every > LOGS | ALWAYS
    writing = {each for each in every if each[0] != "get"} - ALWAYS
    expected = (writing - allowed) | {("get", path) for path in SECRETS}
    assert refused(using(token_of(alice, scope)), schema, private.ids) == expected


def test_organise_token_is_refused_nothing_by_its_scope(
    schema: dict[str, Any],
    private: PrivateWorld,  # noqa: F811
    dora: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)
    operations = {"/api/v1/tokens/all/", "/api/v1/me/"}
    token = token_of(dora, Scope.ORGANISE)
    schema = {**schema, "paths": {k: v for k, v in schema["paths"].items() if k not in operations}}
    assert refused(using(token), schema, private.ids) == set()


def test_read_token_can_revoke_itself(alice: User) -> None:
    token = token_of(alice, Scope.READ)
    assert using(token).delete("/api/v1/tokens/current/").status_code == 204
    assert using(token).get("/api/v1/me/").status_code == 401


def test_token_without_terms_can_do_everything_as_before(alice: User) -> None:
    row = sign_in(username="alice", password=PASSWORD)
    assert (row["scope"], row["name"]) == ("organise", "")
    answer = using(row["token"]).patch("/api/v1/me/", {"first_name": "Al"})
    assert answer.status_code == 200


def test_token_has_name_scope_and_lifetime(alice: User) -> None:
    made = sign_in(username="alice", password=PASSWORD, name="Scoreboard", scope="log", days=2)
    [row] = using(made["token"]).get("/api/v1/tokens/").json()
    assert (row["name"], row["scope"], row["id"]) == ("Scoreboard", "log", made["id"])
    assert made["token"].startswith(row["start"])
    assert made["token"] not in str(row)
    hours = (TokenDetails.objects.get().token.expiry - timezone.now()).total_seconds() / 3600
    assert 47 < hours <= 48


@pytest.mark.parametrize(
    ("terms", "field"),
    [({"days": 0}, "/days"), ({"scope": "all"}, "/scope"), ({"name": "x" * 81}, "/name")],
)
def test_wrong_terms_name_their_field(anonymous, alice: User, terms: Any, field: str) -> None:
    sent = {"username": "alice", "password": PASSWORD, **terms}
    answer = anonymous.post("/api/v1/tokens/", sent)
    assert answer.status_code == 400
    assert [line["field"] for line in answer.json()["errors"]] == [field]


def test_token_of_another_user_is_unknown(alice: User, bob: User) -> None:
    token = token_of(alice, Scope.READ)
    details = TokenDetails.objects.get()
    answer = api_of(bob).delete(f"/api/v1/tokens/{details.pk}/")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-token")
    assert api_of(alice).delete(f"/api/v1/tokens/{details.pk}/").status_code == 204
    assert using(token).get("/api/v1/me/").status_code == 401


def test_last_use_costs_one_write_a_minute_and_no_further_query(alice: User) -> None:
    client = using(token_of(alice, Scope.READ))

    def queries() -> list[str]:
        with CaptureQueriesContext(
            connection,
        ) as context:
            assert client.get("/api/v1/tokens/").status_code == 200
        return [each["sql"] for each in context if "SAVEPOINT" not in each["sql"]]

    first, second = queries(), queries()
    assert sum("UPDATE" in sql for sql in first) == 1
    assert not any("UPDATE" in sql for sql in second)
    assert sum("knox_authtoken" in sql and "WHERE" in sql for sql in second) == 2
    TokenDetails.objects.update(last_used_at=timezone.now() - timedelta(seconds=61))
    assert sum("UPDATE" in sql for sql in queries()) == 1
    used_at = TokenDetails.objects.get().last_used_at
    assert used_at is not None and used_at > timezone.now() - timedelta(seconds=5)


def test_busy_database_does_not_stop_a_request(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: Any, **__: Any) -> None:
        raise DatabaseError("database is locked")

    client = using(token_of(alice, Scope.READ))
    monkeypatch.setattr("django.db.models.query.QuerySet.update", busy)
    assert client.get("/api/v1/me/").status_code == 200


@pytest.mark.parametrize("token", ["\u00fc", "x" * 5000, "a b", ""])
def test_odd_token_is_refused(db: None, token: str) -> None:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=b"Token " + token.encode())
    assert client.get("/api/v1/me/").status_code == 401


def test_organiser_makes_a_bot_that_logs_battles(alice: User, bob: User) -> None:
    club = world.club_of(alice, players=[bob])
    tokens = f"/api/v1/clubs/{club.pk}/bot-tokens/"
    made = api_of(alice).post(tokens, {"name": "Discord", "scope": "log"})
    assert made.status_code == 201, made.json()
    again = api_of(alice).post(tokens, {"name": "Scoreboard", "scope": "read"})
    assert again.status_code == 201
    bot = ClubBot.objects.get(club=club)
    member = Membership.objects.get(user=bot.user)
    assert (member.name, member.role, bot.user.has_usable_password()) == (
        "Bot",
        Role.ORGANISER,
        False,
    )
    client = using(made.json()["token"])
    assert client.get(f"/api/v1/clubs/{club.pk}/").status_code == 200
    assert client.post("/api/v1/clubs/", {"name": "Mine"}).json()["code"] == "insufficient-scope"
    rows = api_of(alice).get(tokens).json()
    assert [row["name"] for row in rows] == ["Scoreboard", "Discord"]
    assert rows[1]["last_used"] and not rows[0]["last_used"]
    assert api_of(alice).delete(f"{tokens}{made.json()['id']}/").status_code == 204
    assert client.get(f"/api/v1/clubs/{club.pk}/").status_code == 401
    verbs = [
        row["verb"]
        for row in api_of(alice).get(f"/api/v1/clubs/{club.pk}/audit/").json()["results"]
    ]
    assert verbs[:3] == ["member.bot-token-revoked"] + ["member.bot-token-made"] * 2


def test_only_organisers_manage_the_bot(alice: User, bob: User, charlie: User) -> None:
    club = world.club_of(alice, players=[bob])
    tokens = f"/api/v1/clubs/{club.pk}/bot-tokens/"
    made = api_of(alice).post(tokens, {}).json()
    for method, address in (
        ("get", tokens),
        ("post", tokens),
        ("delete", f"{tokens}{made['id']}/"),
    ):
        assert getattr(api_of(bob), method)(address).status_code == 403
        assert getattr(api_of(charlie), method)(address).status_code == 404


def test_bot_cannot_make_tokens(alice: User) -> None:
    club = world.club_of(alice)
    tokens = f"/api/v1/clubs/{club.pk}/bot-tokens/"
    bot = using(api_of(alice).post(tokens, {"scope": "organise", "days": 1}).json()["token"])
    answer = bot.post(tokens, {"scope": "read", "days": 3650})
    assert (answer.status_code, answer.json()["code"]) == (403, "people-only")
    assert len(bot.get(tokens).json()) == 1


def test_bot_is_not_the_last_organiser_and_loses_its_tokens_with_its_place(
    alice: User, bob: User
) -> None:
    club = world.club_of(alice, players=[bob])
    made = api_of(alice).post(f"/api/v1/clubs/{club.pk}/bot-tokens/", {}).json()
    mine = Membership.objects.get(club=club, user=alice)
    with pytest.raises(InvalidInput, match="needs an organiser"):
        remove_member(member_id=mine.pk, user=alice)
    bot = Membership.objects.get(club=club, user__club_bot__club=club)
    remove_member(member_id=bot.pk, user=alice)
    assert using(made["token"]).get("/api/v1/me/").status_code == 401
    assert api_of(alice).post(f"/api/v1/clubs/{club.pk}/bot-tokens/", {}).status_code == 201
    assert Membership.objects.filter(club=club, user__club_bot__club=club).count() == 1


def test_bot_acts_only_in_its_club(alice: User, bob: User) -> None:
    club = world.club_of(alice, players=[bob])
    tokens = f"/api/v1/clubs/{club.pk}/bot-tokens/"
    bot = using(api_of(alice).post(tokens, {"scope": "organise"}).json()["token"])
    guards = world.guards(alice)
    Warband.objects.update(visibility=Visibility.PUBLIC)
    other = world.club_of(bob)
    link = invite(club_id=other.pk, user=bob).secret
    account = User.objects.get(club_bot__club=club)
    offer = hand_over_warband(warband_id=guards.pk, user=alice, player=account.username)
    roster = {"ruleset": "en-garde", "faction": "landsknechts", "name": "Mine"}
    file = SimpleUploadedFile("a.zip", b"PK")
    refused = [
        bot.post("/api/v1/clubs/", {"name": "Mine"}),
        bot.post("/api/v1/warbands/", roster),
        bot.post(f"/api/v1/warbands/{guards.pk}/copy/", {}),
        bot.post("/api/v1/warbands/from-spreadsheet/", {**roster, "csv": "Profile\nArquebusier"}),
        bot.post("/api/v1/invitations/accept/", {"secret": link}),
        bot.post("/api/v1/me/calendar/", {}),
        bot.post(f"/api/v1/hand-overs/{offer.pk}/accept/", {}),
        bot.post("/api/v1/imports/", {"file": file}, format="multipart"),
        bot.post(tokens, {"scope": "read"}),
    ]
    codes = [(answer.status_code, answer.json()["code"]) for answer in refused]
    assert codes == [(403, "people-only")] * len(refused)
    assert not Warband.objects.filter(Q(owner=account) | Q(keeper=account)).exists()
    assert [row.club for row in Membership.objects.filter(user=account)] == [club]
    for service in (receive_passport, add_device):
        arguments: Any = {
            receive_passport: {"content": b""},
            add_device: {"endpoint": "", "key": "", "secret": ""},
        }[service]
        with pytest.raises(Forbidden) as refusal:
            service(user=account, **arguments)
        assert refusal.value.code == "people-only"
    # In its own club it organises.
    assert bot.patch(f"/api/v1/clubs/{club.pk}/", {"name": "Renamed"}).status_code == 200
    assert bot.patch(f"/api/v1/clubs/{other.pk}/", {"name": "Renamed"}).status_code == 404
