"""The languages of documents: which one is spoken, and which one whoever asks would rather read."""

from contextlib import AbstractContextManager

from django.http import HttpRequest
from django.utils.translation import get_language_from_request, override

from core.errors import InvalidInput
from documents.models import Language

CODES = {Language.ENGLISH: "en-gb", Language.GERMAN: "de"}
"""What Django calls them: its names of months, its catalogues of texts."""


def speaking(language: str) -> AbstractContextManager[None]:
    """Within it every text, date and number is in the language of a document, whatever is spoken
    outside."""
    return override(CODES[Language(language)])


def language_named(name: object) -> Language:
    """The language that a client names. Raises InvalidInput ("unknown-language") with those that
    there are."""
    if name not in Language.values:
        choices = ", ".join(f'"{each.value}" ({each.label})' for each in Language)
        sentence = (
            f"No document is printed in {name!r}. There are {choices}; leave it out for the "
            "language you read."
        )
        raise InvalidInput("unknown-language", sentence, field="language")
    return Language(name)


def language_of(request: HttpRequest) -> Language:
    """The one in which pages speak to the reader; through the API, which speaks English, the first
    one that is asked for (`Accept-Language`); English where none is."""
    read = getattr(request, "LANGUAGE_CODE", "") or get_language_from_request(request)
    return next((language for language, code in CODES.items() if code == read), Language.ENGLISH)
