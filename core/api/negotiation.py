"""The media type of an answer: that of the resource, if the client accepts any type that the schema
declares."""

from collections.abc import Iterable
from typing import Any

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.utils.mediatypes import media_type_matches

PROBLEM_TYPE = "application/problem+json"


class DeclaredTypes(DefaultContentNegotiation):
    """Accept every media type that an operation's schema names:

    those of its answers, and that of problems. Clients written from the schema send one of them, or
    all. Generators often choose the one with "json" in its name, which for a PDF is that of
    problems: they still get the PDF. Errors are always problem documents.
    """

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer and its media type. Raise NotAcceptable, with what can be
        accepted."""
        own = [*renderers]
        try:
            renderer, media_type = super().select_renderer(request, own, format_suffix)
        except NotAcceptable as error:
            view = request.parser_context["view"]
            answers = view.media_types(request) if hasattr(view, "media_types") else ()
            declared = [*answers, *(each.media_type for each in own), PROBLEM_TYPE]
            accepted = self.get_accept_list(request)
            if any(media_type_matches(each, pattern) for each in declared for pattern in accepted):
                return own[0], str(own[0].media_type)
            raise NotAcceptable(_way_out(accepted, declared)) from error
        return renderer, media_type


def _way_out(accepted: list[Any], declared: list[Any]) -> str:
    types = ", ".join(dict.fromkeys(declared))
    return (
        f"This address does not answer in {', '.join(accepted)[:100]}. Accept one of {types}, or "
        "*/*."
    )
