"""The database of each release is upgraded by today's migrations, and proved."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.conf import settings as live
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client, override_settings
from rest_framework.test import APIClient

from battles.models import Battle, BattleEvent, BattleState
from campaigns.models import Campaign
from clubs.models import Club, Evening
from outbox.models import Webhook
from rulebook.chronicle.facts import decode
from rulebook.registry import find_ruleset
from tests.conftest import browser_of
from tests.kept import releases
from tests.kept.databases import restored, schema_of_database
from tests.kept.releases import Release, kept_releases, read_json, release_of
from warbands.models import ChronicleEntry, Fighter, Warband

pytestmark = pytest.mark.django_db
LASTING = (
    "audit_auditentry",
    "auth_user",
    "battles_battle",
    "battles_battleevent",
    "battles_combatant",
    "campaigns_campaign",
    "campaigns_fixture",
    "clubs_club",
    "clubs_membership",
    "outbox_webhook",
    "warbands_chronicleentry",
    "warbands_experienceentry",
    "warbands_fighter",
    "warbands_warband",
)
"""Tables of which no upgrade may lose a row."""
BY_DAY = {"problems"}
"""Fields of answers that depend on today's date as well: a battle can be years ago by now."""


class Upgraded(NamedTuple):
    """An upgraded database: its folder, what it was, and the schema of a new database."""

    folder: Path
    release: Release
    new_schema: set[str]


@pytest.fixture(scope="module", params=kept_releases(), ids=lambda folder: folder.name)
def upgraded(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Upgraded]:
    """Restore a kept database, migrate it, and use it in place of the test database."""
    folder, release = request.param, release_of(request.param)
    with django_db_blocker.unblock(), override_settings(SECRET_KEY=release.secret_key):
        new_schema = schema_of_database()
        with restored(folder, tmp_path_factory.mktemp("kept")):
            call_command("migrate", interactive=False, verbosity=0)
            yield Upgraded(folder, release, new_schema)


@pytest.fixture
def organiser(upgraded: Upgraded) -> Client:
    """Return a browser in which the club's organiser is signed in."""
    return browser_of(User.objects.get(username=upgraded.release.organiser))


def number_of_rows(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")
        return int(cursor.fetchone()[0])


def test_upgrade_loses_no_rows(upgraded: Upgraded) -> None:
    before = {table: upgraded.release.rows[table] for table in LASTING}
    assert {table: number_of_rows(table) for table in LASTING} == before
    assert min(before.values()) > 0


def test_upgraded_database_is_proved(upgraded: Upgraded) -> None:
    output = StringIO()
    call_command("check_chronicle", stdout=output, stderr=output)
    warbands = upgraded.release.rows["warbands_warband"]
    assert f"{warbands} warbands match their chronicles." in output.getvalue()


def test_upgraded_database_has_the_tables_of_a_new_one(upgraded: Upgraded) -> None:
    schema = schema_of_database()
    assert (schema - upgraded.new_schema, upgraded.new_schema - schema) == (set(), set()), (
        "an upgraded database differs from a new one: was a released migration edited?"
    )


def test_every_stored_fact_can_be_read(upgraded: Upgraded) -> None:
    kinds = {decode(entry.payload).__struct_config__.tag for entry in ChronicleEntry.objects.all()}
    assert {"mustered", "recruited", "fought", "ranked-up", "corrected"} <= kinds


def test_every_stored_event_can_be_read(upgraded: Upgraded) -> None:
    systems = set()
    for event in BattleEvent.objects.select_related("battle"):
        ruleset = find_ruleset(event.battle.ruleset, event.battle.edition)
        assert event.kind in ruleset.log.kinds
        systems.add(event.battle.ruleset)
    assert {"argad", "avant-garde", "en-garde", "wards"} <= systems


def test_api_answers_as_before(upgraded: Upgraded) -> None:
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {upgraded.release.token}")
    for path, before in read_json(upgraded.folder, releases.ANSWERS).items():
        answer = client.get(f"/api/v1/{path}")
        assert answer.status_code == 200, path
        assert differences(before, answer.json(), path) == []


def test_pages_open(upgraded: Upgraded, organiser: Client) -> None:
    paths = ["/", "/battles/", "/campaigns/", "/clubs/", "/documents/", "/archives/"]
    for name, rows, parts in (
        ("clubs", Club, ("", "audit/", "calendar/", "history/", "webhooks/", "hall/")),
        ("evenings", Evening, ("", "pairings/")),
        ("campaigns", Campaign, ("", "standings/", "log/", "battles/", "honours/")),
        ("warbands", Warband, ("",)),
    ):
        keys = rows.objects.values_list("pk", flat=True)
        paths += [f"/{name}/{key}/{part}" for key in keys for part in parts]
    with_rounds = Campaign.objects.filter(rounds__isnull=False).distinct()
    paths += [f"/campaigns/{campaign.pk}/fixtures/" for campaign in with_rounds]
    for battle in Battle.objects.all():
        part = "table/" if battle.state == BattleState.UNDER_WAY else ""
        paths.append(f"/battles/{battle.pk}/{part}")
    paths += [f"/fighters/{key}/" for key in Fighter.objects.values_list("pk", flat=True)[:12]]
    statuses = {path: organiser.get(path).status_code for path in paths}
    assert {path: status for path, status in statuses.items() if status != 200} == {}


def test_passwords_and_secrets_still_hold(upgraded: Upgraded, settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    release = upgraded.release
    assert User.objects.get(username=release.organiser).check_password(release.password)
    assert [hook.secret for hook in Webhook.objects.all()] == [release.webhook_secret]
    assert release.secret_key == live.SECRET_KEY


def differences(before: Any, now: Any, where: str) -> list[str]:
    """Return what an answer has lost or changed. Texts and times may change, and fields be added.

    Numbers, flags and the length of lists may not.
    """
    if isinstance(before, dict):
        if not isinstance(now, dict):
            return [f"{where} is no longer an object"]
        lost = [f"{where}.{name} is gone" for name in before if name not in now]
        same = [name for name in before if name in now and name not in BY_DAY]
        deeper = [differences(before[name], now[name], f"{where}.{name}") for name in same]
        return [*lost, *(line for lines in deeper for line in lines)]
    if isinstance(before, list):
        if not isinstance(now, list) or len(now) != len(before):
            return [f"{where} has another length"]
        pairs = enumerate(zip(before, now, strict=True))
        deeper = [differences(old, new, f"{where}[{place}]") for place, (old, new) in pairs]
        return [line for lines in deeper for line in lines]
    if before is None or isinstance(before, str):
        return [] if before is None or isinstance(now, str) else [f"{where} is no longer a text"]
    return [] if before == now else [f"{where} was {before} and is {now}"]


def test_lost_and_changed_answers_are_named() -> None:
    before = {"name": "Wulf", "rank": 2, "tags": [1, 2], "born": None}
    assert differences(before, {**before, "name": "Ulf", "new": 1, "born": "x"}, "row") == []
    assert differences(before, {"name": None, "rank": 3, "tags": [1]}, "row") == [
        "row.born is gone",
        "row.name is no longer a text",
        "row.rank was 2 and is 3",
        "row.tags has another length",
    ]
