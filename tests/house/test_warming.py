"""A web server has loaded what requests need before it listens."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.one_database

ROOT = Path(__file__).parents[2]
FIRST_REQUEST = """
import json, sys
from wsgiref.util import setup_testing_defaults
from config.wsgi import application
from django.db import connection
from django.template import engines
from django.utils.translation import override
loaded, unconnected = set(sys.modules), connection.connection is None
asked = {"PATH_INFO": "/health/live", "HTTP_HOST": "localhost"}
setup_testing_defaults(asked)
answered = []
with override("en"):
    list(application(asked, lambda status, headers: answered.append(status)))
kept = engines["django"].engine.template_loaders[0].get_template_cache
print(json.dumps({"status": answered, "late": sorted(set(sys.modules) - loaded), "unconnected": unconnected,
    "pages": [name for name in ("base.html", "parts/masthead.html", "battles/table.html") if name in kept]}))
"""


def test_the_first_request_finds_everything_loaded_and_no_connection_is_shared(
    tmp_path: Path,
) -> None:
    environment = {
        **os.environ,
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": "",
        "CELERY_BROKER_URL": "",
        "CACHE_URL": "",
    }
    done = subprocess.run(
        [sys.executable, "-c", FIRST_REQUEST],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["status"] == ["200 OK"]
    assert not [
        name
        for name in data["late"]
        if name.partition(".")[0] in ("config", "battles", "warbands", "rulebook")
    ]
    assert len(data["late"]) < 5, data["late"]
    assert data["unconnected"]
    assert len(data["pages"]) == 3
