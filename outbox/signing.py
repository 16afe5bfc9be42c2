"""Signatures of webhooks, as https://www.standardwebhooks.com specifies them (version 1)."""

import base64
import secrets
from datetime import datetime

from standardwebhooks.webhooks import Webhook

PREFIX = "whsec_"
BYTES = 32


def fresh_webhook_secret() -> str:
    """Return a random secret: "whsec_" and 32 bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


def signed_headers(secret: str, message_id: str, moment: datetime, body: str) -> dict[str, str]:
    """Return the headers with the id, the time (Unix seconds, from UTC) and the signature.

    The signature covers the body as well, so that nobody can send it again later, or as another
    message.
    """
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": Webhook(secret).sign(message_id, moment, body),
    }
