"""The languages of documents, and the one that a reader prefers."""

from contextlib import AbstractContextManager

from django.http import HttpRequest
from django.utils.translation import get_language_from_request, override

from core.errors import InvalidInput
from documents.models import Language

CODES = {Language.ENGLISH: "en-gb", Language.GERMAN: "de"}
"""Django's codes of the languages, which select month names and translations."""


def speaking(language: str) -> AbstractContextManager[None]:
    """Return a context in which all texts, dates and numbers are in this language."""
    return override(CODES[Language(language)])


def language_named(name: object) -> Language:
    """Return the language that a client names.

    Raises InvalidInput (`unknown-language`), which lists the available ones.
    """
    if name not in Language.values:
        choices = ", ".join(f'"{each.value}" ({each.label})' for each in Language)
        sentence = (
            f"No document is printed in {name!r}. There are {choices}; leave it out for the "
            "language you read."
        )
        raise InvalidInput("unknown-language", sentence, field="language")
    return Language(name)


def language_of(request: HttpRequest) -> Language:
    """Return the language of the reader; English if there is none.

    On pages it is the language of the page. In the API, which is in English, it is the first
    available one in `Accept-Language`.
    """
    read = getattr(request, "LANGUAGE_CODE", "") or get_language_from_request(request)
    return next((language for language, code in CODES.items() if code == read), Language.ENGLISH)
