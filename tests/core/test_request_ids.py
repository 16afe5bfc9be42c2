"""The request's id: it comes in, goes out, is in every log line, and follows into the tasks."""

import json
import logging
import re

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.core.handlers.exception import response_for_exception
from django_guid import clear_guid, set_guid

from config.celery import app
from core.logs import FaultsOnly, JsonLines, NoHeartbeat, PlainLines, RequestId
from tests.live import eventually

GIVEN = "6b7d4b6e-6a0e-4c35-8d0e-5a2f5f0a0b11"


def record(
    message: str = "Hello", severity: int = logging.INFO, **extra: object
) -> logging.LogRecord:
    return logging.makeLogRecord(
        {"name": "muster", "msg": message, "levelno": severity, "levelname": "INFO", **extra}
    )


def test_the_clients_id_comes_back(client):
    assert client.get("/health/live", headers={"X-Request-ID": GIVEN})["X-Request-ID"] == GIVEN


def test_without_one_the_server_makes_an_id(client):
    assert re.fullmatch("[0-9a-f]{32}", client.get("/health/live")["X-Request-ID"])


@pytest.mark.parametrize("nonsense", ["1", "x" * 5000, "a\tb", "{}"])
def test_an_id_that_is_none_is_replaced(client, nonsense):
    assert re.fullmatch(
        "[0-9a-f]{32}",
        client.get("/health/live", headers={"X-Request-ID": nonsense})["X-Request-ID"],
    )


def test_every_request_is_logged_once_with_its_id(client, caplog):
    caplog.set_level(logging.INFO, "muster.requests")
    caplog.handler.addFilter(RequestId())
    client.get("/api/v1/no-such-thing/?name=Athos", headers={"X-Request-ID": GIVEN})
    (line,) = [line for line in caplog.records if line.name == "muster.requests"]
    assert line.getMessage() == "GET /api/v1/no-such-thing/"
    assert (line.answer, line.request_id) == (404, GIVEN)


def test_looking_after_our_health_is_not_worth_a_line(client, caplog):
    caplog.set_level(logging.INFO, "muster.requests")
    client.get("/health/live")
    assert [line for line in caplog.records if line.name == "muster.requests"] == []


def test_a_line_for_machines_is_one_json_object():
    set_guid(GIVEN)
    entry = record("Confirmed %s", args=("it",), battle=7)
    RequestId().filter(entry)
    line = json.loads(JsonLines().format(entry))
    clear_guid()
    assert (line["message"], line["request_id"], line["battle"]) == ("Confirmed it", GIVEN, 7)
    assert line["time"].endswith("+00:00")


def test_a_line_for_people_shows_the_beginning_of_the_id():
    entry = record(battle=7)
    entry.request_id = GIVEN
    assert PlainLines().format(entry).endswith("6b7d4b6e Hello battle=7")


def test_a_traceback_stays_in_its_line():
    try:
        raise ZeroDivisionError
    except ZeroDivisionError as error:
        entry = record(exc_info=(type(error), error, error.__traceback__))
    assert "ZeroDivisionError" in json.loads(JsonLines().format(entry))["exception"]


def test_answers_are_not_logged_twice():
    assert not FaultsOnly().filter(record("Not Found: /"))


@pytest.mark.parametrize(
    ("error", "lines"), [(PermissionDenied(), 0), (BadRequest(), 0), (ZeroDivisionError(), 1)]
)
def test_a_refusal_leaves_no_traceback_in_the_log(rf, caplog, settings, error, lines):
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False
    response_for_exception(rf.get("/api/v1/me/"), error)
    assert len([line for line in caplog.records if line.exc_info]) == lines


def test_a_heartbeat_is_not_worth_a_line_unless_it_fails():
    assert not NoHeartbeat().filter(record("Task operations.tasks.heartbeat[1] succeeded"))
    assert NoHeartbeat().filter(record("Task operations.tasks.heartbeat[1] raised", logging.ERROR))
    assert NoHeartbeat().filter(record("Task documents.tasks.render[1] succeeded"))


@pytest.mark.worker
def test_the_id_follows_into_the_task(worker):
    set_guid(GIVEN)
    app.send_task("operations.tasks.forget_expired")
    clear_guid()
    eventually(
        lambda: re.search(
            r"6b7d4b6e Task operations\.tasks\.forget_expired\S+ succeeded", worker.log.read_text()
        )
    )
