"""System checks for configurations that start but cause harm later."""

import re
from typing import Any

from django.conf import settings
from django.core.checks import ERROR, CheckMessage, Error, Warning, register
from django.core.exceptions import ImproperlyConfigured


def register_checks() -> None:
    """Register the checks. Called once, when the apps are ready."""
    for check in CHECKS:
        register(check)


def refuse_invalid_settings() -> None:
    """Raise ImproperlyConfigured if one of these checks finds an error.

    Commands run all of Django's checks. The web server runs only these, as the others take long.
    """
    errors = [message for check in CHECKS for message in check() if message.level >= ERROR]
    if errors:
        raise ImproperlyConfigured(" ".join(f"{each.msg} ({each.id})" for each in errors))


def check_mode(**_: Any) -> list[CheckMessage]:
    """Check that server mode has PostgreSQL, Redis and e-mail, and that DEBUG is off."""
    messages: list[CheckMessage] = []
    if settings.SERVER and settings.ON_SQLITE:
        messages.append(
            Error("MUSTER_MODE=server needs PostgreSQL: see DATABASE_URL.", id="config.E001")
        )
    if settings.SERVER and settings.CELERY_BROKER_URL.startswith("files:"):
        messages.append(
            Error("MUSTER_MODE=server needs Redis: see CELERY_BROKER_URL.", id="config.E002")
        )
    if settings.ON_SQLITE and "replica" in settings.DATABASES:
        messages.append(Error("REPLICA_URL needs PostgreSQL: see DATABASE_URL.", id="config.E007"))
    if settings.SERVER and not settings.EMAIL_HOST:
        messages.append(
            Warning("Without EMAIL_HOST nobody can reset a password by e-mail.", id="config.W001")
        )
    if settings.SERVER and settings.DEBUG:
        messages.append(
            Warning("DEBUG shows internals of the server to everybody.", id="config.W002")
        )
    return messages


def check_secrets(**_: Any) -> list[CheckMessage]:
    """Check that the secret key is hard to guess."""
    if len(settings.SECRET_KEY) < 32 or len(set(settings.SECRET_KEY)) < 8:
        hint = "python -c 'import secrets; print(secrets.token_urlsafe(50))'"
        return [Error("SECRET_KEY is too short or too simple.", hint=hint, id="config.E003")]
    return []


def check_push(**_: Any) -> list[CheckMessage]:
    """Check the key for web push, which would otherwise fail with the first device."""
    if settings.VAPID_PRIVATE_KEY and not re.fullmatch(
        r"[\w-]{43}", settings.VAPID_PRIVATE_KEY, re.ASCII
    ):
        hint = "python -c 'import secrets; print(secrets.token_urlsafe(32))'"
        return [
            Error("VAPID_PRIVATE_KEY is not 32 bytes in base64url.", hint=hint, id="config.E005")
        ]
    return []


def check_metrics(**_: Any) -> list[CheckMessage]:
    """Check that the token of Prometheus is hard to guess."""
    if settings.METRICS_TOKEN and len(settings.METRICS_TOKEN) < 24:
        hint = "python -c 'import secrets; print(secrets.token_urlsafe(30))'"
        return [Error("METRICS_TOKEN is too short.", hint=hint, id="config.E006")]
    return []


def check_tasks(**_: Any) -> list[CheckMessage]:
    """Check that the broker does not deliver a task again while it is still running."""
    timeout = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("visibility_timeout")
    if timeout is not None and timeout <= settings.CELERY_TASK_TIME_LIMIT:
        return [
            Error(
                "TASK_REDELIVERY must be more than TASK_TIME_LIMIT and a tenth of it.",
                id="config.E004",
            )
        ]
    return []


CHECKS = (check_mode, check_secrets, check_push, check_metrics, check_tasks)
