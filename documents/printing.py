"""Print a content as a PDF: Django writes the markup, and WeasyPrint sets it.

This uses no clock, no network and no queries.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import pydyf  # type: ignore[import-untyped]
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import get_language, to_locale
from weasyprint import CSS, HTML
from weasyprint import Document as Layout
from weasyprint.text.fonts import FontConfiguration

from documents.content.print_jobs import Plan
from documents.pdf_accessibility import settle_tags
from documents.print_resources import BASE_URL, OwnFiles

VARIANT = "pdf/ua-1"
OF_THE_RULES = "en"
"""The language of rule systems, in documents of any language.

It is marked in the markup, so that screen readers use it.
"""
PAPERS = {"A4": 297, "Letter": 279}
"""Height in millimetres. The frame of the title page leaves 16 at the top and at the bottom."""
LOW = "--row: 3.8mm; --under: 3.7mm; --name: 10pt; --type: 7.4pt; --much: 6.3pt; --note: 6.8pt"
LOWEST = "--row: 3.4mm; --under: 3.4mm; --name: 9.6pt; --type: 7pt; --much: 6.1pt; --note: 6.4pt"
ROWS = {
    "A4": f".roster-sheet.tall {{ {LOW} }} .trio {{ --card: 87mm }}",
    "Letter": f".roster-sheet.middling {{ {LOW} }} .roster-sheet.tall {{ {LOWEST} }} .trio {{ "
    f"--card: 81mm }}",
}
"""Style rules for rosters that need low rows to fit on one page, and for the height of cards.

Three cards fit on a page.
"""
ONE_AT_A_TIME = Lock()
"""The font library is not thread-safe, and all documents of a process share the typefaces."""
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
TEXT = re.compile(r"(?<=>)[^<]*-[^<]*")
"""The text of a page: everything between tags that contains a hyphen."""
MINUS = re.compile(r"(?<![\w.\-])-(?=\d)|(?<=\d )-(?= \d)")
QUOTED = re.compile(r"&quot;(?<![=\w]&quot;)(?=\S)([^<>&]*?)&quot;")
APOSTROPHE = re.compile(r"&#x27;(?<=\w&#x27;)(?=[\w\s])")
SCRIPTS = {
    "arabic": re.compile(r"[\u0600-\u06ff\u0750-\u077f\u0870-\u08ff\ufb50-\ufdff\ufe70-\ufefc]"),
    "hebrew": re.compile(r"[\u0590-\u05ff\ufb1d-\ufb4f]"),
    "east-asian": re.compile(
        r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]"
    ),
}


@dataclass(frozen=True)
class Printed:
    """A PDF, its number of pages, and the page (from 0) of each anchor."""

    pdf: bytes
    pages: int
    anchors: dict[str, int]


def language_tag() -> str:
    """Return the tag of the active language for HTML and PDF: "en-GB", "de"."""
    return to_locale(get_language() or settings.LANGUAGE_CODE).replace("_", "-")


def markup(plan: Plan) -> str:
    """Return the HTML of a plan, in which text from users is escaped or cleaned."""
    kind = plan.content.__struct_config__.tag
    spoken = language_tag()
    context = {name: getattr(plan, name) for name in plan.__struct_fields__} | {"language": spoken}
    context["of_the_rules"] = (
        "" if spoken.startswith(OF_THE_RULES) else format_html(' lang="{}"', OF_THE_RULES)
    )
    return with_quotes(
        with_minuses(CONTROLS.sub("", render_to_string(f"print/{kind}.html", context)))
    )


def with_minuses(html: str) -> str:
    """Return the markup with a true minus before negative numbers and in subtractions."""
    return TEXT.sub(lambda text: MINUS.sub("−", text[0]), html)


def with_quotes(html: str) -> str:
    """Return the markup with typographic quotation marks and apostrophes.

    Only escaped ones are replaced, because those are text and not markup. The quotation marks are
    the English ones, because rules and names that contain them are in English.
    """
    head, end, body = html.partition("</head>")
    return head + end + QUOTED.sub("“\\1”", APOSTROPHE.sub("’", body))


def page_numbers(count: int) -> str:
    """Return the markup of ``count`` pages with nothing but numbers, to lay over others."""
    return render_to_string(
        "print/page-numbers.html", {"pages": range(count), "language": language_tag()}
    )


def typeset(html: str, *, paper: str, identifier: str) -> Printed:
    """Return the PDF of some markup. ``identifier`` (hex) becomes its file identifier.

    The same arguments make the same bytes.
    """
    with ONE_AT_A_TIME:
        layout = laid_out(html, paper=paper)
        pdf = layout.write_pdf(
            finisher=_finish, pdf_variant=VARIANT, pdf_identifier=identifier.encode()
        )
    return Printed(pdf, len(layout.pages), _anchors(layout))


def laid_out(html: str, *, paper: str) -> Layout:
    """Return the laid-out pages of some markup, before they are written to a file."""
    fonts, sheets = _equipment(
        tuple(name for name, letters in SCRIPTS.items() if letters.search(html)), paper
    )
    source = HTML(string=html, base_url=BASE_URL, url_fetcher=OwnFiles())
    return source.render(font_config=fonts, stylesheets=list(sheets), pdf_variant=VARIANT)


@lru_cache(maxsize=16)
def _equipment(scripts: tuple[str, ...], paper: str) -> tuple[FontConfiguration, tuple[CSS, ...]]:
    """Return typefaces and style sheets, which are read once for each process.

    Each set of scripts has its own. Otherwise a typeface loaded for one document would be a
    fallback in the next one, and the same content would look different in another worker.
    """
    fonts = FontConfiguration()
    addresses = ["fonts/fonts.css", *(f"fonts/{name}.css" for name in scripts), "print/print.css"]
    sheets = [_sheet(fonts, url=BASE_URL + address) for address in addresses]
    size = (
        f"@page {{ size: {paper} }} .cover .frame {{ height: {PAPERS[paper] - 32}mm }} "
        f"{ROWS[paper]}"
    )
    return fonts, (*sheets, _sheet(fonts, string=size))


def _sheet(fonts: FontConfiguration, **source: str) -> CSS:
    return CSS(**source, font_config=fonts, url_fetcher=OwnFiles())


def _anchors(layout: Layout) -> dict[str, int]:
    """Return the page (from 0) on which each anchor begins.

    An anchor that covers several pages exists on each of them.
    """
    pages: dict[str, int] = {}
    for number, page in enumerate(layout.pages):
        for name in page.anchors:
            pages.setdefault(name, number)
    return pages


def _finish(layout: Layout, pdf: pydyf.PDF) -> None:
    settle_tags(layout, pdf)
    _number_pages(layout, pdf)


def _number_pages(layout: Layout, pdf: pydyf.PDF) -> None:
    """Set the page labels of the file: Roman numbers before the anchor "body", then from 1."""
    front = _anchors(layout).get("body", 0)
    if front:
        roman, arabic = pydyf.Dictionary({"S": "/r"}), pydyf.Dictionary({"S": "/D"})
        pdf.catalog["PageLabels"] = pydyf.Dictionary(
            {"Nums": pydyf.Array([0, roman, front, arabic])}
        )
