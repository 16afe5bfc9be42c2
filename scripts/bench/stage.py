"""Serve a version of Muster, and do in its database what cannot be done over HTTP.

Runs inside that version, with its own Python.

`scripts.bench.versions` runs this file by its path, in the folder of the version and with that
folder as PYTHONPATH. So `scripts` is that version's, and this file can only use what all versions
have.
"""

import json
import os
import runpy
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import django
from django.apps import apps
from django.conf import settings

from scripts import serve as serving
from scripts.processes import wait_for

STOP = "worker"
"""The process to stop: it serves no page, and its beat would count towards the pages."""
START_SECONDS = 600
BACKEND = "django.contrib.auth.backends.ModelBackend"


def serve(logs: str, worker: str) -> None:
    """Serve until standard input is closed. Prints the address as the first line."""

    def wait_longer(question: Callable[[], bool], *processes: Any, **_: Any) -> None:
        wait_for(question, *processes, seconds=START_SECONDS)

    # A busy machine takes longer to start than `make run` waits.
    with (
        mock.patch.object(serving, "wait_for", wait_longer),
        serving.running_muster(environment={}, logs=Path(logs)) as muster,
    ):
        for process in muster.processes:
            if process.name == STOP and worker == "without":
                process.stop()
        print(muster.url, flush=True)
        sys.stdin.read()


def copy_battle(battle: str, count: str) -> None:
    """Copy a battle, the last one of its warbands, so many times."""
    import_module("scripts.bench.history").add_history(battle, int(count))


def copy_clubs(first: str, last: str) -> None:
    """Copy everything in the database, once for each number up to the last one."""
    _crowd()["copy_all"](range(int(first), int(last) + 1))


def prove_copies() -> None:
    """Seal the copies, and prove everything. Only in the version of this file."""
    import_module("scripts.bench.sealing").prove_copies()


def finish_clubs() -> None:
    """Forget what was copied."""
    _crowd()["finish"]()


def _crowd() -> dict[str, Any]:
    """Return the module, which belongs to another version than `scripts` does."""
    return runpy.run_path(str(Path(__file__).with_name("crowd.py")))


def sign_in(file: str, *usernames: str) -> None:
    """Write a session and a token for each of these users to the file."""
    users, tokens = apps.get_model("auth", "User"), apps.get_model("knox", "AuthToken")
    store = import_module(settings.SESSION_ENGINE).SessionStore
    keys: list[dict[str, str]] = []
    for name in usernames:
        user = users.objects.get(username=name)
        session = store()
        session["_auth_user_id"] = str(user.pk)
        session["_auth_user_backend"] = BACKEND
        session["_auth_user_hash"] = user.get_session_auth_hash()
        session.save()
        keys.append({"session": session.session_key, "token": tokens.objects.create(user)[1]})
    Path(file).write_text(json.dumps(keys))


WORK: dict[str, Callable[..., None]] = {
    "serve": serve,
    "copy-battle": copy_battle,
    "copy-clubs": copy_clubs,
    "prove-copies": prove_copies,
    "finish-clubs": finish_clubs,
    "sign-in": sign_in,
}

if __name__ == "__main__":
    os.umask(0o022)
    if sys.argv[1] != "serve":
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        django.setup()
    WORK[sys.argv[1]](*sys.argv[2:])
