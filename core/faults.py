"""Report faults to Sentry, without personal data. Off unless ``SENTRY_DSN`` is set.

A report has the place in the code, the type of the error and the name of the view or task. What
people typed, who they are and where they come from stays here: no values of variables, no bodies,
cookies, headers, queries or messages of errors, which may quote what was typed. Addresses with
secrets are left out as in ``core.middleware.SECRET``.
"""

import logging
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, SuspiciousOperation

from core.locks import is_lock_timeout
from core.middleware import SECRET
from core.outage import is_outage

HIDDEN = "[removed]"
KEPT_OF_AN_EVENT = frozenset(
    (
        *("event_id", "timestamp", "platform", "level", "logger", "release", "environment"),
        *("exception", "transaction", "transaction_info", "request", "contexts", "sdk", "type"),
    )
)
KEPT_OF_A_FRAME = frozenset(("filename", "function", "module", "lineno", "in_app", "context_line"))
KEPT_CONTEXTS = frozenset(("runtime",))


def report_faults(**options: Any) -> None:
    """Start to report the faults of this process. The first call imports the library.

    ``options`` go to ``sentry_sdk.init``: tests pass a transport. Raises ImproperlyConfigured if
    SENTRY_DSN is not an address of a project.
    """
    import sentry_sdk  # noqa: PLC0415 - only if it is on
    from sentry_sdk.integrations.celery import CeleryIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.dedupe import DedupeIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.django import DjangoIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.logging import LoggingIntegration  # noqa: PLC0415
    from sentry_sdk.utils import BadDsn, Dsn  # noqa: PLC0415

    try:
        Dsn(settings.SENTRY_DSN)
    except BadDsn as error:
        raise ImproperlyConfigured(
            "The environment variable SENTRY_DSN should look like https://key@sentry.example.org/1."
        ) from error
    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        release=f"muster@{settings.VERSION}",
        environment=settings.SENTRY_ENVIRONMENT,
        # Only these: others read what requests and commands were given.
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            DjangoIntegration(
                transaction_style="function_name", middleware_spans=False, signals_spans=False
            ),
            CeleryIntegration(propagate_traces=False),
            # A job that fails is logged, and told to the person who waits for it.
            LoggingIntegration(level=None, event_level=logging.ERROR),
            DedupeIntegration(),
        ],
        send_default_pii=False,
        max_request_body_size="never",
        include_local_variables=False,
        max_breadcrumbs=0,
        auto_session_tracking=False,
        server_name="",
        before_send=without_personal_data,
        **options,
    )


def without_personal_data(event: Any, hint: Any) -> Any:
    """Return the report with nothing but what is known to be harmless.

    Returns None, which drops it, for messages without an error, for requests that Django refuses,
    such as those of scanners with another host, and while the database is away.
    """
    error = (hint.get("exc_info") or (None, None))[1]
    if error is None or isinstance(error, SuspiciousOperation):
        return None
    if is_outage(error) or is_lock_timeout(error):
        return None
    kept = {name: value for name, value in event.items() if name in KEPT_OF_AN_EVENT}
    for each in kept.get("exception", {}).get("values", ()):
        # The message of an error may quote what somebody typed.
        each["value"] = HIDDEN
        each.pop("mechanism", None)
        for frame in (each.get("stacktrace") or {}).get("frames", ()):
            for name in frame.keys() - KEPT_OF_A_FRAME:
                del frame[name]
    request = kept.pop("request", None)
    if request is not None:
        kept["request"] = {
            "method": request.get("method", ""),
            "url": address(request.get("url", "")),
        }
    kept["contexts"] = {
        name: value for name, value in event.get("contexts", {}).items() if name in KEPT_CONTEXTS
    }
    if kept.get("transaction", "").startswith("/"):
        kept["transaction"] = address(kept["transaction"])
    return kept


def address(url: str) -> str:
    """Return the path of an address without its query, or a placeholder if it is a secret."""
    path = urlsplit(url).path
    return HIDDEN if SECRET.match(path) else path
