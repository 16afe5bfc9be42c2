"""What documents tell in whole sentences: facts in, prose out, a module for each language
(`Prose`)."""

from types import MappingProxyType

from django.utils.translation import get_language

from documents.prose import english, german
from documents.prose.language import Prose

IN: MappingProxyType[str, Prose] = MappingProxyType({"en": english, "de": german})


def prose() -> Prose:
    """The prose of the active language; English where it is neither of these."""
    return IN.get((get_language() or "")[:2], english)
