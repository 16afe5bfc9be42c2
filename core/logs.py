"""Log lines for machines (one JSON object each) or for people. Both have the request's id."""

import json
import logging
from datetime import UTC, datetime

from django_guid import get_guid

from core.locks import is_lock_timeout
from core.outage import is_outage, note_outage

HEARTBEAT = "operations.tasks.heartbeat"
# The fields of every record, and those by Django and Celery that repeat the message.
USUAL_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | frozenset(
    ("message", "asctime", "request_id", "request", "fields", "data", "status_code", "server_time")
)


class RequestId(logging.Filter):
    """A filter that adds `request_id`, also in tasks that the request started, or "-"."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = get_guid() or "-"
        return True


class FaultsOnly(logging.Filter):
    """A filter that keeps only tracebacks of faults: the request log has all responses.

    Drops refusals, and the errors of each request while the database is unavailable.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info is None or record.levelno < logging.ERROR:
            return False
        error = record.exc_info[1]
        return not (is_outage(error) or (isinstance(error, Exception) and is_lock_timeout(error)))


class OutageOnOneLine(logging.Filter):
    """A filter that logs one line instead of tasks' tracebacks during a database outage."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not is_outage(error):
            return True
        note_outage(error, "what workers do comes later")
        return False


class NoHeartbeat(logging.Filter):
    """A filter that drops lines of successful heartbeats, which workers write twice a minute."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno > logging.INFO or HEARTBEAT not in record.getMessage()


class JsonLines(logging.Formatter):
    """A formatter for one JSON object per line.

    Its fields are time (UTC), severity, logger, message, request_id and those of `extra`.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "severity": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": getattr(record, "request_id", "-"),
            **_extra(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


class PlainLines(logging.Formatter):
    """A formatter for time, severity, 8 characters of the request's id, message and fields."""

    def __init__(self) -> None:
        super().__init__(
            "%(asctime)s %(levelname)-7s %(request_id).8s %(message)s%(fields)s", "%H:%M:%S"
        )

    def format(self, record: logging.LogRecord) -> str:
        record.fields = "".join(f" {name}={value}" for name, value in _extra(record).items())
        return super().format(record)


def _extra(record: logging.LogRecord) -> dict[str, object]:
    return {name: value for name, value in vars(record).items() if name not in USUAL_FIELDS}
