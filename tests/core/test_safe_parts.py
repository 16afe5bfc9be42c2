"""A part of a page with HTML is another one than the part with the same text."""

from django.utils.safestring import SafeString, mark_safe

from core.fragments import rendered


def test_html_and_text_are_different_parts() -> None:
    html = rendered("name", [mark_safe("<b>")], lambda: SafeString("<b>"))
    text = rendered("name", ["<b>"], lambda: SafeString("&lt;b&gt;"))
    assert (html, text) == ("<b>", "&lt;b&gt;")
    again = rendered("name", [mark_safe("<b>")], lambda: SafeString("new"))
    assert again == "<b>"
