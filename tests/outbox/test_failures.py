"""Sentences about deliveries that did not arrive."""

import pytest
from django.utils import translation

from outbox.failures import SENTENCES, failure_sentence
from outbox.models import Delivery, Webhook, WebhookKind


def sentence(failure: str, status: int | None = None, kind: str = WebhookKind.PROGRAM) -> str:
    return failure_sentence(Delivery(webhook=Webhook(kind=kind), failure=failure, status=status))


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 405, 410, 413, 418, 429, 500, 503])
@pytest.mark.parametrize("kind", WebhookKind.values)
def test_every_status_is_a_sentence(status: int, kind: str) -> None:
    english = sentence("refused", status, kind)
    assert english.count(f"({status})") == 1 and english.endswith(".")


def test_every_code_is_a_sentence() -> None:
    sentences = {sentence(code) for code in SENTENCES}
    assert len(sentences) == len(SENTENCES) and all(each.endswith(".") for each in sentences)
    assert sentence("", 200) == ""
    # Of an older version.
    assert sentence("NewConnectionError") in sentences


def test_deleted_channel_is_called_so() -> None:
    assert "deleted in Discord" in sentence("refused", 404, WebhookKind.DISCORD)
    with translation.override("en-gb"):
        assert "Discord" not in sentence("refused", 404)
