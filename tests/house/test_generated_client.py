"""Clients that programs wrote from our schema do the main job, from signing in to the PDF."""

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any, Union, get_args, get_origin, get_type_hints
from uuid import uuid4

import pytest

from documents.models import Document
from tests.conftest import PASSWORD
from tests.documents.conftest import made

ROOT = Path(__file__).parents[2]
Call = Callable[..., Any]


@pytest.fixture
def described(schema: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The schema in a file; packages beside it can be imported."""
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(schema))
    return file


def run(*command: str, cwd: Path) -> None:
    """Run a generator; what it says is shown if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def settings_of_the_docs() -> str:
    """The settings of openapi-python-client that `docs/api.md` tells to use."""
    text = (ROOT / "docs" / "api.md").read_text()
    return text.partition("```yaml\n")[2].partition("```")[0]


class OpenApiPythonClient:
    """A client written by openapi-python-client."""

    package = "muster_client"

    @classmethod
    def generate(cls, described: Path) -> None:
        """Write the package beside the schema."""
        settings = described.with_name("settings.yaml")
        settings.write_text(f"post_hooks: []\n{settings_of_the_docs()}")
        options = ["--meta", "none", "--output-path", cls.package, "--config", str(settings)]
        command = [
            sys.executable,
            "-m",
            "openapi_python_client",
            "generate",
            "--path",
            str(described),
            *options,
        ]
        run(*command, cwd=described.parent)

    def __init__(self, url: str, token: str = "") -> None:
        client = import_module(self.package)
        self.session = client.Client(base_url=url)
        if token:
            self.session = client.AuthenticatedClient(base_url=url, token=token, prefix="Token")

    def call(self, tag: str, name: str, *places: Any, body: Any = None, **query: Any) -> Any:
        """Return what the operation answers, read by the generated code; a file as its bytes."""
        operation = import_module(f"{self.package}.api.{tag}.{name}")
        if body is not None:
            query["body"] = self._typed_body(operation, body)
        answer = operation.sync_detailed(*map(str, places), client=self.session, **query)
        assert answer.status_code < 300, answer.content
        return answer.parsed.payload.read() if hasattr(answer.parsed, "payload") else answer.parsed

    def _typed_body(self, operation: ModuleType, body: Any) -> Any:
        """The body as the first model that the operation takes."""
        hint = get_type_hints(operation.sync_detailed)["body"]
        models = [each for each in (get_args(hint) or (hint,)) if hasattr(each, "from_dict")]
        return models[0].from_dict(body)


class OpenApiGenerator:
    """A client written by openapi-generator. Of the media types of an answer it accepts that with
    "json" in it."""

    package = "muster_openapi"

    @classmethod
    def generate(cls, described: Path) -> None:
        """Write the package beside the schema."""
        only_code = "apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false"
        options = ["--package-name", cls.package, "--global-property", only_code]
        command = [
            str(Path(sys.executable).with_name("openapi-generator-cli")),
            "generate",
            "-g",
            "python",
        ]
        run(
            *command,
            "-i",
            str(described),
            "-o",
            str(described.parent),
            *options,
            cwd=described.parent,
        )

    def __init__(self, url: str, token: str = "") -> None:
        client = import_module(self.package)
        keys, prefixes = ({"knoxApiToken": token}, {"knoxApiToken": "Token"}) if token else ({}, {})
        configuration = client.Configuration(host=url, api_key=keys, api_key_prefix=prefixes)
        self.session = client.ApiClient(configuration)

    def call(self, tag: str, name: str, *places: Any, body: Any = None, **query: Any) -> Any:
        """Return what the operation answers, read by the generated code; a file as its bytes."""
        api = getattr(
            import_module(self.package), "".join(map(str.capitalize, tag.split("_"))) + "Api"
        )
        operation = getattr(api(self.session), name)
        if body is not None:
            parameter = next(
                each for each in signature(operation).parameters if each.endswith("_request")
            )
            query[parameter] = self._typed_body(operation, parameter, body)
        answer = operation(*map(str, places), **query)
        return bytes(answer) if isinstance(answer, bytes | bytearray) else answer

    def _typed_body(self, operation: Any, parameter: str, body: Any) -> Any:
        """The body as the model of this parameter, which may be optional."""
        hint = get_type_hints(operation)[parameter]
        model = get_args(hint)[0] if get_origin(hint) is Union else hint
        return model.from_dict(body)


@pytest.fixture(params=[OpenApiPythonClient, OpenApiGenerator], ids=lambda client: client.__name__)
def sign_in(
    request: pytest.FixtureRequest, described: Path, live_server: Any
) -> Callable[[str], Call]:
    """Signs somebody in with a generated client; gives what calls an operation by its tag and
    name."""
    client = request.param
    client.generate(described)

    def sign_in(name: str) -> Call:
        body = {"username": name, "password": PASSWORD}
        token = client(live_server.url).call("tokens", "tokens_create", body=body).token
        call: Call = client(live_server.url, token).call
        return call

    return sign_in


def state_of(row: Any) -> str:
    """The state of something, which one generator reads as an enum and the other as text."""
    return str(getattr(row.state, "value", row.state))


def printed(session: Call, **body: str) -> bytes:
    """Order a document, wait for it, and return its file."""
    document = session("documents", "documents_create", body=body)
    assert state_of(document) == "queued"
    # What the worker would do meanwhile.
    made(Document.objects.get(pk=document.id))
    ready = session("documents", "documents_retrieve", document.id)
    pdf: bytes = session("documents", "documents_file_retrieve", document.id)
    assert (state_of(ready), len(pdf)) == ("ready", ready.size)
    return pdf


@pytest.mark.soak("main jobs done by clients that were generated from the schema", each=1, sample=0)
def test_a_generated_client_does_the_main_job_and_fetches_the_pdf(sign_in, alice, bob):
    as_alice, as_bob = sign_in("alice"), sign_in("bob")
    club = as_alice("clubs", "clubs_create", body={"name": "The Friday Swords"})
    invitation = as_alice("clubs", "clubs_invitations_create", club.id, body={})
    secret = invitation.link.rpartition("=")[2]
    as_bob("invitations", "invitations_accept_create", body={"secret": secret})

    def muster(session: Call, faction: str, name: str, profile: str) -> Any:
        body = {"ruleset": "en-garde", "faction": faction, "name": name}
        warband = session("warbands", "warbands_create", body=body)
        recruits = {"fighters": [{"build": {"profile": profile}, "count": 5}]}
        session("warbands", "warbands_fighters_create", warband.id, body=recruits)
        return warband

    lands = muster(as_alice, "landsknechts", "The Black Band", "landsknecht")
    guard = muster(as_bob, "cardinals-guard", "The Red Cloaks", "guard")
    plan = {"club": str(club.id), "name": "The Long Winter", "ruleset": "en-garde", "points": 300}
    campaign = as_alice(
        "campaigns", "campaigns_create", body=plan | {"house_rules": {"legality": "warn"}}
    )
    for session, warband in ((as_alice, lands), (as_bob, guard)):
        session(
            "campaigns",
            "campaigns_enrolments_create",
            campaign.id,
            body={"warband": str(warband.id)},
        )
    as_alice("campaigns", "campaigns_start_create", campaign.id, body={})

    sides = [{"warband": str(warband.id), "role": "warband"} for warband in (lands, guard)]
    evening = {"scenario": "skirmish", "fought_on": "2026-03-07", "campaign": str(campaign.id)}
    battle = as_alice(
        "battles", "battles_create", body={**evening, "sides": sides, "client_id": str(uuid4())}
    )
    figures = {}
    for session, side, warband in ((as_alice, "a", lands), (as_bob, "b", guard)):
        page = session("warbands", "warbands_fighters_list", warband.id, page_size=50)
        figures[side] = [str(fighter.id) for fighter in page.results]
        force = {"fighters": figures[side], "posts": {"leader": figures[side][0]}}
        session("battles", "battles_sides_combatants_update", battle.id, side, body=force)
    as_alice("battles", "battles_start_create", battle.id, body={})

    wound = {"attacker": figures["a"][0], "victim": figures["b"][0], "result": "critical"}
    event = {"client_id": str(uuid4()), "kind": "wound", "data": wound, "turn": 3}
    logged = as_alice("battles", "battles_events_create", battle.id, body={"events": [event]})
    assert [(row.kind, row.turn) for row in logged.events] == [("wound", 3)]
    news = as_bob("battles", "battles_events_list", battle.id, after=0)
    assert [line.kind for line in news.results] == ["wound"]
    as_alice("battles", "battles_submit_create", battle.id, body={})
    settled = as_bob("battles", "battles_confirm_create", battle.id, body={})
    assert state_of(getattr(settled, "actual_instance", settled)) == "confirmed"
    table = as_bob("campaigns", "campaigns_standings_retrieve", campaign.id)
    assert [row.name for row in table.rows] == ["The Black Band", "The Red Cloaks"]

    pdf = printed(as_bob, kind="campaign", subject=str(campaign.id))
    assert pdf.startswith(b"%PDF")
