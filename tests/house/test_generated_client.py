"""A client that a program wrote from our schema does the main job."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.conftest import PASSWORD

Call = Callable[..., Any]


@pytest.fixture
def generated(schema: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a client made by openapi-python-client; its package can be imported as `muster_client`."""
    described = tmp_path / "schema.json"
    described.write_text(json.dumps(schema))
    made = tmp_path / "client"
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(described)]
    quietly = tmp_path / "settings.yaml"
    quietly.write_text("post_hooks: []\n")
    command += ["--meta", "none", "--output-path", str(made / "muster_client"), "--config", str(quietly)]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    monkeypatch.syspath_prepend(str(made))
    return made


@pytest.fixture
def sign_in(generated: Path, live_server: Any) -> Callable[[str], Call]:
    """Signs somebody in with the generated client; gives what calls an operation by its tag and name."""
    client = import_module("muster_client")
    models = import_module("muster_client.models")

    def call(session: Any, tag: str, name: str, *places: Any, **told: Any) -> Any:
        """What the operation answers, read by the generated code. A `body` is named by the class of its model."""
        operation = import_module(f"muster_client.api.{tag}.{name}")
        answer = operation.sync_detailed(*places, client=session, **told)
        assert answer.status_code < 300, answer.content
        return answer.parsed

    def sign_in(name: str) -> Call:
        stranger = client.Client(base_url=live_server.url)
        body = models.SignInRequest(username=name, password=PASSWORD)
        token = call(stranger, "tokens", "tokens_create", body=body).token
        session = client.AuthenticatedClient(base_url=live_server.url, token=token, prefix="Token")
        return lambda tag, name, *places, **told: call(session, tag, name, *places, **told)

    return sign_in


@pytest.mark.soak("main jobs done by a client that was generated from the schema", each=1, sample=0)
def test_a_generated_client_signs_in_and_takes_two_warbands_through_a_confirmed_battle(sign_in, alice, bob):
    as_alice, as_bob = sign_in("alice"), sign_in("bob")
    models = import_module("muster_client.models")

    club = as_alice("clubs", "clubs_create", body=models.ClubFoundRequest(name="The Friday Swords"))
    invitation = as_alice("clubs", "clubs_invitations_create", club.id, body=models.InviteRequest())
    secret = invitation.link.rpartition("=")[2]
    as_bob("invitations", "invitations_accept_create", body=models.AcceptRequest(secret=secret))

    def muster(session: Call, faction: str, name: str, profile: str) -> Any:
        body = models.MusterRequest(ruleset="en-garde", faction=faction, name=name)
        warband = session("warbands", "warbands_create", body=body)
        build = models.NewFighterRequestBuild.from_dict({"profile": profile})
        recruits = models.RecruitRequest(fighters=[models.NewFighterRequest(build=build, count=5)])
        return session("warbands", "warbands_fighters_create", warband.id, body=recruits) and warband

    lands = muster(as_alice, "landsknechts", "The Black Band", "landsknecht")
    guard = muster(as_bob, "cardinals-guard", "The Red Cloaks", "guard")
    campaign = as_alice(
        "campaigns",
        "campaigns_create",
        body=models.CampaignPlanRequest.from_dict(
            {"club": str(club.id), "name": "The Long Winter", "ruleset": "en-garde", "points": 300}
            | {"house_rules": {"legality": "warn"}}
        ),
    )
    for session, warband in ((as_alice, lands), (as_bob, guard)):
        session("campaigns", "campaigns_enrolments_create", campaign.id, body=models.EnrolRequest(warband=warband.id))
    as_alice("campaigns", "campaigns_start_create", campaign.id, body=models.StartRequest())

    sides = [models.PlannedSideRequest(warband=warband.id, role="warband") for warband in (lands, guard)]
    plan = models.PlanRequest(
        scenario="skirmish", sides=sides, fought_on=date(2026, 3, 7), campaign=campaign.id, client_id=uuid4()
    )
    battle = as_alice("battles", "battles_create", body=plan)
    figures = {}
    for session, side, warband in ((as_alice, "a", lands), (as_bob, "b", guard)):
        page = session("warbands", "warbands_fighters_list", warband.id, page_size=50)
        figures[side] = [fighter.id for fighter in page.results]
        posts = models.ForceRequestPosts.from_dict({"leader": str(figures[side][0])})
        force = models.ForceRequest(fighters=figures[side], posts=posts)
        session("battles", "battles_sides_combatants_update", battle.id, side, body=force)
    as_alice("battles", "battles_start_create", battle.id, body=models.BattleVersionRequest())

    wound = {"attacker": str(figures["a"][0]), "victim": str(figures["b"][0]), "result": "critical"}
    data = models.NewEventRequestData.from_dict(wound)
    event = models.NewEventRequest(client_id=uuid4(), kind="wound", data=data, turn=3)
    logged = as_alice("battles", "battles_events_create", battle.id, body=[event])
    assert [(row.kind, row.turn) for row in logged.events] == [("wound", 3)]
    as_alice("battles", "battles_submit_create", battle.id, body=models.BattleVersionRequest())
    settled = as_bob("battles", "battles_confirm_create", battle.id, body=models.SideRequest())
    assert settled.state == "confirmed"
    table = as_bob("campaigns", "campaigns_standings_retrieve", campaign.id)
    assert [row.name for row in table.rows] == ["The Black Band", "The Red Cloaks"]
