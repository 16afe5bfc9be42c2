"""Sentences in documents: made from facts, with a module for each language (`Prose`)."""

from types import MappingProxyType

from django.utils.translation import get_language

from documents.prose import battle_english, battle_german, english, german
from documents.prose.language import BattleProse, Prose

IN: MappingProxyType[str, Prose] = MappingProxyType({"en": english, "de": german})


BATTLES_IN: MappingProxyType[str, BattleProse] = MappingProxyType(
    {"en": battle_english, "de": battle_german}
)


def battle_prose() -> BattleProse:
    """Return the language of stories of battles; English if the active one has none."""
    return BATTLES_IN.get((get_language() or "")[:2], battle_english)


def prose() -> Prose:
    """Return the prose of the active language; English if it has none."""
    return IN.get((get_language() or "")[:2], english)
