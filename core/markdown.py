"""Stories: user-written Markdown, converted to safe HTML."""

import re
from collections.abc import MutableMapping, Sequence
from functools import lru_cache
from typing import Any

import nh3
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

ALLOWED = {
    "p",
    "br",
    "hr",
    "em",
    "strong",
    "s",
    "code",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "a",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
} | {f"h{number}" for number in range(1, 7)}
QUOTES = {"de": "„“‚‘"}
"""Quotation marks by language, outer and inner. English is the default: “”‘’."""
HINT = _(
    "You can use Markdown: **bold**, *italic*, # heading, > quotation, - list, "
    "[link](https://example.org) and tables."
)
"""The help of fields for stories."""
HEADING = re.compile(r"<(/?)h[1-6]>")


def story_html(text: str, *, on_a_page: bool = False) -> SafeString:
    """Return a story as clean HTML: paragraphs, emphasis, lists, quotations, tables and links only.

    A picture becomes a link to it: readers and printers never load files of other sites. There are
    no styles or scripts, and HTML in a story is shown as text. The parser needs about a second for
    a story of the maximum length, however it is nested, and its output is still sanitised. Headings
    become paragraphs with their own class, so that a story never adds bookmarks to its document.
    Quotation marks follow the active language. With ``on_a_page``, line breaks are kept.
    """
    return _clean(text, (get_language() or "")[:2], on_a_page)


@lru_cache(maxsize=64)
def _clean(text: str, language: str, on_a_page: bool) -> SafeString:
    clean = nh3.clean(
        _markdown(language, on_a_page).render(text).strip(),
        tags=ALLOWED,
        attributes={"a": {"href"}},
        attribute_filter=_web_address,
        url_schemes={"http", "https"},
        link_rel=None,
        clean_content_tags={"script", "style", "svg", "math", "template", "iframe", "object"},
    )
    return mark_safe(HEADING.sub(_as_paragraph, clean))  # noqa: S308 - cleaned in the line above


@lru_cache(maxsize=4)
def _markdown(language: str, breaks: bool) -> MarkdownIt:
    options = {
        "html": False,
        "breaks": breaks,
        "typographer": True,
        "quotes": QUOTES.get(language, "“”‘’"),
    }
    parser = MarkdownIt("commonmark", options).enable(
        ["replacements", "smartquotes", "strikethrough", "table"]
    )
    parser.add_render_rule("image", _picture_link)
    return parser


def _picture_link(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: MutableMapping[str, Any],
) -> str:
    """Return a link to a picture, with its description."""
    address = str(tokens[index].attrs["src"])
    words = renderer.renderInlineAsText(tokens[index].children, options, env)
    return format_html('<a href="{}">{}</a>', address, words or address)


def _web_address(tag: str, attribute: str, value: str) -> str | None:
    """Return the address if it is absolute. A relative link would point into the document."""
    return value if value.startswith(("http://", "https://")) else None


def _as_paragraph(tag: re.Match[str]) -> str:
    return "</p>" if tag[1] else '<p class="heading">'
