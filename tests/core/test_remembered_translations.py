"""Translations are the same whether they are remembered or looked up."""

from typing import Any

import pytest
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, override
from django.utils.translation.trans_real import DjangoTranslation, translation

from core import remembered_translations


def test_texts_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    language, looked_up = translation("de"), []

    def look_up(catalog: DjangoTranslation, message: str) -> str:
        looked_up.append(message)
        return message.upper()

    monkeypatch.setitem(language.__dict__, "remembered_texts", {})
    monkeypatch.setattr(remembered_translations, "look_up", look_up)
    with override("de"):
        assert [gettext("a siege tower") for _ in range(3)] == ["A SIEGE TOWER"] * 3
    assert looked_up == ["a siege tower"]


def test_each_language_has_its_own_texts() -> None:
    texts: list[Any] = []
    for code in ("de", "en-gb", "de"):
        with override(code):
            texts.append(gettext("Documents"))
    assert texts == ["Dokumente", "Documents", "Dokumente"]


def test_a_text_marked_as_safe_stays_safe() -> None:
    with override("en-gb"):
        assert not isinstance(gettext("A siege & a tower"), SafeString)
        assert isinstance(gettext(mark_safe("A siege & a tower")), SafeString)


def test_no_more_texts_are_kept_than_the_code_has(monkeypatch: pytest.MonkeyPatch) -> None:
    language = translation("en-gb")
    monkeypatch.setitem(language.__dict__, "remembered_texts", {})
    monkeypatch.setattr(remembered_translations, "MAX_TEXTS", 1)
    with override("en-gb"):
        assert [gettext(text) for text in ("one more", "two more")] == ["one more", "two more"]
    assert len(language.__dict__["remembered_texts"]) == 1
