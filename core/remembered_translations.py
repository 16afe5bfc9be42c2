"""Translations that are looked up once.

The texts of the code are English. Without this, each text of an English page goes through seven
catalogs, one after the other, and none of them has it.
"""

from django.utils.translation.trans_real import DjangoTranslation

MAX_TEXTS = 20_000
"""More than Muster and its packages have. Texts of users are never translated."""

look_up = DjangoTranslation.gettext


def remember_translations() -> None:
    """Let each language remember the translations of its texts."""
    DjangoTranslation.gettext = remembered  # type: ignore[assignment]


def remembered(language: DjangoTranslation, message: str) -> str:
    """Return the translation of a text, looked up now or before."""
    texts: dict[str, str] = language.__dict__.setdefault("remembered_texts", {})
    translation = texts.get(message)
    if translation is None:
        translation = look_up(language, message)
        if len(texts) < MAX_TEXTS:
            texts[message] = translation
    return translation
