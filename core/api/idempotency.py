"""``Idempotency-Key``: a POST of the API with a key runs only once; a repeat gets the first answer.

The forms of pages use the same table of keys (core.sent_requests, docs/decisions/web.md).
"""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import QueryDict
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from core.errors import StateConflict
from core.sent_requests import SentAlready, digest_of, do_once

HEADER = "Idempotency-Key"
REPEATED = "Idempotency-Replayed"
FORM = r"[!-~]{1,100}"
PARAMETER = {
    "in": "header",
    "name": HEADER,
    "schema": {"type": "string", "pattern": f"^{FORM}$"},
    "description": "Made by the client, a UUID at best. Sent again to the same address within two "
    "days, the request "
    "does nothing and gets the answer that it got first.",
}
REPEATED_HEADER = {
    "schema": {"type": "string", "enum": ["true"]},
    "description": f"Only where the {HEADER} was sent before: nothing was done, and this is the "
    "first answer again.",
}

Handler = Callable[..., Any]


def key_of(request: Request) -> str:
    """Return the key of a signed-in user's POST, or "" without one. Raises ValidationError."""
    key = (
        request.headers.get(HEADER, "")
        if request.method == "POST" and request.user.is_authenticated
        else ""
    )
    if key and not re.fullmatch(FORM, key):
        raise ValidationError({HEADER: [f"{HEADER} has 1 to 100 visible characters of ASCII."]})
    return str(key)


def answered_once(handler: Handler, key: str) -> Handler:
    """Return the handler of a POST that runs only once with this key.

    An exception leaves the key free. Raises StateConflict "client-id-reused" for a key of another
    request.
    """
    return partial(_answer, handler, key)


def _answer(handler: Handler, key: str, request: Request, *args: Any, **named: Any) -> Any:
    try:
        return do_once(
            user=cast("User", request.user),
            path=request.path,
            key=key,
            digest=_digest(request),
            verb=partial(handler, request, *args, **named),
            answer_of=_remembered,
        )
    except SentAlready as already:
        if already.differs or already.answer is None:
            sentence = f"This {HEADER} was used for another request. Make a new one."
            raise StateConflict("client-id-reused", sentence, field=HEADER) from None
        body, headers = already.answer["body"], already.answer["headers"]
        content = None if body is None else json.loads(body)
        return Response(
            content, status=already.answer["status"], headers={**headers, REPEATED: "true"}
        )


def _digest(request: Request) -> str:
    body = request.data
    if isinstance(body, QueryDict):
        body = sorted((name, [str(value) for value in values]) for name, values in body.lists())
    files = sorted((name, file.name, file.size) for name, file in request.FILES.items())
    return digest_of([sorted(request.query_params.lists()), body, files])


def _remembered(response: Any) -> Any:
    if not isinstance(response, Response) or response.status_code >= 400:
        return None
    body = None if response.data is None else JSONRenderer().render(response.data).decode()
    headers = {name: response.headers[name] for name in ("Location",) if name in response.headers}
    return {"status": response.status_code, "body": body, "headers": headers}
