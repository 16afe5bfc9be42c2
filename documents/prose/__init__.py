"""Sentences in documents: made from facts, with a module for each language (`Prose`)."""

from types import MappingProxyType

from django.utils.translation import get_language

from documents.prose import english, german
from documents.prose.language import Prose

IN: MappingProxyType[str, Prose] = MappingProxyType({"en": english, "de": german})


def prose() -> Prose:
    """Return the prose of the active language; English if it has none."""
    return IN.get((get_language() or "")[:2], english)
