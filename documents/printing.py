"""Print a content as a PDF: Django writes the markup, and WeasyPrint sets it.

This uses no clock, no network and no queries.
"""

import hashlib
import re
from base64 import b64decode
from dataclasses import dataclass
from functools import lru_cache, partial
from textwrap import wrap
from threading import Lock
from typing import Any
from xml.etree import ElementTree

import pydyf  # type: ignore[import-untyped]
from cssselect2 import ElementWrapper  # type: ignore[import-untyped]
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import get_language, to_locale
from weasyprint import CSS, HTML
from weasyprint import Document as Layout
from weasyprint.html import UA, UA_COUNTER_STYLE
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from documents import faster_weasyprint
from documents.content.link_cards import LinkCard
from documents.content.print_jobs import CHART, Plan
from documents.models import Paper
from documents.pdf_accessibility import settle_tags
from documents.pdf_writing import write_packs
from documents.print_drawings import renumber, take_out
from documents.print_resources import BASE_URL, HELD, KINDS, PAPERS, own_file, unpacked
from documents.rasters import png_of
from documents.roster_fitting import fitted
from documents.sheet_fitting import HANDOUT, fitted_sheet

VARIANT = "pdf/ua-1"
OF_THE_RULES = "en"
"""The language of rule systems, in documents of any language.

It is marked in the markup, so that screen readers use it.
"""
FRAME_MARGINS = 32
"""The space above and below the frame of the title page, in millimetres."""
CERTIFICATE_MARGINS = 22
"""The space above and below the frame of a certificate, in millimetres."""
SHEETS = ("print", "chapters", "keepsakes")
"""The style sheets of books, rosters, cards and keepsakes."""
HANDOUT_SHEETS = ("print", "sheets")
"""The style sheets of sheets and posters. Fewer rules are matched sooner."""
SHEETS_OF = {"Wide": ("result-card",), "Square": ("result-card", "result-card-square")}
"""The additional style sheets of some papers."""
faster_weasyprint.install()

ONE_AT_A_TIME = Lock()
"""The font library is not thread-safe, and all documents of a process share the typefaces."""
VOID = re.compile(r"<(br|col|hr|img|link|meta|wbr)\b([^<>]*?)\s*/?>")
"""A tag of an element that has no content, and so no closing tag."""
NOWHERE = re.compile(r"\[dir|::(foot)?note|^(input|select|textarea)")
"""Things that no document has: the direction of text as an attribute, footnotes and forms."""
SHARED_STYLE = re.compile(r"[\w\s:;.,#%-]+")
"""The style attributes that can be written as rules: names, numbers and colours."""
MARKER = re.compile(r"^::marker", re.MULTILINE)
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
TEXT = re.compile(r"(?<=>)[^<]*-[^<]*")
"""The text of a page: everything between tags that contains a hyphen."""
WORDS = re.compile(r"(?<=>)[^<>]+")
"""The text of a page, between its tags."""
NUMBER = re.compile(r"(?<=[IVX]\.)/(?=\d)|(?<=\d)/(?=\d)")
LONG = 20
LONG_WORD = re.compile(rf"[A-Za-z\u00c0-\u06ff]{{{LONG},}}")
"""A word of Latin, Greek, Cyrillic, Hebrew or Arabic letters that is wider than some columns."""
WORD_JOINER, SOFT_HYPHEN, SYLLABLE = "\u2060", "\u00ad", 7
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


class OwnFiles(URLFetcher):
    """Serve files of ``static/print`` and ``static/fonts``, and pictures in data URLs.

    The address of a file is ``BASE_URL`` + its path in ``static``. All other addresses are refused.
    The handlers for http, ftp, file and data addresses are never called, so there are no redirects
    to follow either. ``drawings`` are those that were taken out of the document.
    """

    drawings: tuple[ElementTree.Element, ...] = ()

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        """Return the content of the file.

        Raises AddressRefused, which WeasyPrint treats as a missing file.
        """
        if url.startswith(HELD):
            head, _, held = url.partition(",")
            return URLFetcherResponse(
                url, b64decode(held), {"Content-Type": head[5:].partition(";")[0]}
            )
        file = unpacked(own_file(url))
        return URLFetcherResponse(url, file.read_bytes(), {"Content-Type": KINDS[file.suffix]})


class Source(HTML):
    """Some markup for WeasyPrint, read by the standard library's parser, which is written in C.

    The parser of WeasyPrint takes a tenth of the time of a document. It reads only markup that is
    not well-formed XML. For all others the elements are the same, because templates close what they
    open and write every ``tbody``. ``rules`` are the style rules that replace attributes.
    """

    rules = ""

    def __init__(self, html: str) -> None:
        filled = VOID.sub(r"<\1\2/>", html).replace("&nbsp;", "\xa0")
        try:
            # Templates write this markup, and all text from users in it is escaped or cleaned.
            tree = ElementTree.fromstring(filled)  # noqa: S314
        except ElementTree.ParseError:
            super().__init__(string=html, base_url=BASE_URL, url_fetcher=OwnFiles())
            return
        self.base_url, self.url_fetcher, self.media_type = BASE_URL, OwnFiles(), "print"
        self._simplify(tree, html)
        self.wrapper_element = ElementWrapper.from_html_root(tree, content_language=None)
        self.etree_element = self.wrapper_element.etree_element

    def append(self, other: "Source") -> None:
        """Add the body of another document, with its drawings and styles. It is not usable then."""
        drawings = self.url_fetcher.drawings
        renumber(other.etree_element, len(drawings))
        self.url_fetcher.drawings = drawings + other.url_fetcher.drawings
        self.rules = f"{self.rules} {other.rules}"
        self.etree_element.extend(other.etree_element.findall("body"))

    def _simplify(self, tree: ElementTree.Element, html: str) -> None:
        """Give WeasyPrint less to do for the same pages."""
        if HANDOUT not in html:
            _merge_inlines(tree)
        self.url_fetcher.drawings = take_out(tree)
        self.rules = _share_styles(tree)

    def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:
        """Return the style sheet for elements that ours says nothing about. WeasyPrint calls it."""
        return [_basic_sheet()]


def _merge_inlines(tree: ElementTree.Element) -> None:
    """Replace each link that is alone in a span or an isolate, or in both, by the link.

    Names are links in isolates in spans. Each of these is a box that is laid out, drawn and tagged,
    though the printer isolates the text of each box anyway.
    """
    for parent in tree.iter():
        for place, element in enumerate(parent):
            link, classes = element, list[str]()
            while link.tag in ("span", "bdi") and _is_wrapper(link):
                classes.append(link.get("class", ""))
                link = link[0]
            if link is element or link.tag != "a":
                continue
            classes.append(link.get("class", ""))
            if names := " ".join(filter(None, classes)):
                link.set("class", names)
            link.tail = element.tail
            parent[place] = link


def _share_styles(tree: ElementTree.Element) -> str:
    """Replace each style attribute by a class, and return the rules of these classes.

    WeasyPrint computes the style of an element again if it, or an element around it, has a style
    attribute. Elements with the same classes in the same elements share theirs.
    """
    rules = {}
    for element in tree.iter():
        style = element.get("style")
        if style is None or not SHARED_STYLE.fullmatch(style):
            continue
        name = f"style-{hashlib.sha256(style.encode()).hexdigest()[:16]}"
        # The ids make the rule as strong as an attribute.
        rules[name] = f".{name}:not(#none#none) {{ {style} }}"
        element.set("class", f"{element.get('class', '')} {name}".lstrip())
        del element.attrib["style"]
    return " ".join(rules.values())


def _is_wrapper(element: ElementTree.Element) -> bool:
    """Return whether an element has a class at most, and nothing but one other element."""
    return (
        len(element) == 1
        and not (element.text or "").strip()
        and not (element[0].tail or "").strip()
        and not (element.attrib.keys() - {"class"})
    )


@lru_cache(maxsize=1)
def _basic_sheet() -> CSS:
    """Return WeasyPrint's own style sheet without rules for what no template has.

    Rules for all elements, such as those for the calls of footnotes, would make each element
    several styles, which took a tenth of the time of a document. So only items of lists have the
    rule for markers.
    """
    rules = "\n".join(rule for rule in UA.splitlines() if not NOWHERE.search(rule))
    return CSS(string=MARKER.sub("li::marker", rules), counter_style=UA_COUNTER_STYLE)


@dataclass(frozen=True)
class Printed:
    """A PDF, its number of pages, and the page (from 0) of each anchor."""

    pdf: bytes
    pages: int
    anchors: dict[str, int]


def language_tag() -> str:
    """Return the tag of the active language for HTML and PDF: "en-GB", "de"."""
    return to_locale(get_language() or settings.LANGUAGE_CODE).replace("_", "-")


def markup(plan: Plan, *, template: str = "", measuring: bool = False) -> str:
    """Return the HTML of a plan, in which text from users is escaped or cleaned.

    ``template`` replaces the usual one. While ``measuring``, battles have their blocks in all
    forms, and photos are empty boxes.
    """
    kind = plan.content.__struct_config__.tag
    spoken = language_tag()
    context = {name: getattr(plan, name) for name in plan.__struct_fields__} | {"language": spoken}
    context["of_the_rules"] = (
        "" if spoken.startswith(OF_THE_RULES) else format_html(' lang="{}"', OF_THE_RULES)
    )
    context |= {"measuring": measuring, "chart": CHART}
    html = CONTROLS.sub("", render_to_string(template or f"print/{kind}.html", context))
    return with_quotes(with_minuses(with_breaks(html)))


def printed_card(content: LinkCard, *, identifier: str) -> bytes:
    """Return the PNG of a link card. The same arguments make the same bytes."""
    spoken = language_tag()
    html = render_to_string("print/link-card.html", {"content": content, "language": spoken})
    printed = typeset(with_quotes(CONTROLS.sub("", html)), paper=Paper.WIDE, identifier=identifier)
    return png_of(printed.pdf, title=content.title, description=content.kicker)


def with_breaks(html: str) -> str:
    """Return the markup with numbers such as "I./57th" kept together, and places to hyphenate.

    Very long words get soft hyphens, as a name is never broken without a hyphen. Their text is
    otherwise unchanged.
    """
    head, end, body = html.partition("</head>")
    return head + end + WORDS.sub(_with_breaks, body)


def _with_breaks(match: re.Match[str]) -> str:
    text = match[0]
    if "/" in text:
        text = NUMBER.sub(f"/{WORD_JOINER}", text)
    return LONG_WORD.sub(_with_hyphens, text) if len(text) >= LONG else text


def _with_hyphens(word: re.Match[str]) -> str:
    return SOFT_HYPHEN.join(wrap(word[0], SYLLABLE))


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


def page_numbers(count: int, *, bleeds: bool = False) -> str:
    """Return the markup of ``count`` pages with nothing but numbers, to lay over others."""
    context = {"pages": range(count), "language": language_tag(), "bleeds": bleeds}
    return render_to_string("print/page-numbers.html", context)


def typeset(html: str, *, paper: str, identifier: str) -> Printed:
    """Return the PDF of some markup. ``identifier`` (hex) becomes its file identifier.

    The same arguments make the same bytes.
    """
    with ONE_AT_A_TIME:
        return written(laid_out(html, paper=paper), identifier=identifier)


def written(layout: Layout, *, identifier: str) -> Printed:
    """Return the PDF of laid-out pages, and free the layout."""
    pdf = layout.write_pdf(
        finisher=_finish, pdf_variant=VARIANT, pdf_identifier=identifier.encode()
    )
    printed = Printed(pdf, len(layout.pages), _anchors(layout))
    free(layout)
    return printed


def free(layout: Layout) -> None:
    """Free the boxes of a layout, which cannot be used afterwards.

    They refer to each other in cycles. The garbage collector finds them too, but takes several
    times as long as this.
    """
    for page in layout.pages:
        for box in tuple(page._page_box.descendants(placeholders=True)):
            vars(box).clear()
    layout.pages.clear()


def laid_out(html: str, *, paper: str) -> Layout:
    """Return the laid-out pages of some markup, before they are written to a file.

    A roster for the table, a sheet and a poster are laid out several times, to find the size in
    which they fit on a page.
    """
    source = Source(html)

    def lay_out(rules: str) -> Layout:
        return rendered(source, html, rules, paper=paper)

    if HANDOUT in html:
        return fitted_sheet(html, lay_out, paper)
    return fitted(html, lay_out, paper)


def rendered(source: Source, html: str, rules: str = "", *, paper: str) -> Layout:
    """Return the layout of a source with the typefaces and style sheets for its markup.

    ``rules`` are added to the style sheets.
    """
    fonts, sheets = equipment_of(html, paper)
    more = [_sheet(fonts, string=each) for each in (source.rules, rules) if each]
    return source.render(font_config=fonts, stylesheets=[*sheets, *more], pdf_variant=VARIANT)


def scripts_of(html: str) -> tuple[str, ...]:
    """Return the scripts in some markup that have typefaces of their own."""
    return tuple(name for name, letters in SCRIPTS.items() if letters.search(html))


def equipment_of(html: str, paper: str) -> tuple[FontConfiguration, tuple[CSS, ...]]:
    """Return the typefaces and style sheets for some markup."""
    return _equipment(scripts_of(html), paper, HANDOUT_SHEETS if HANDOUT in html else SHEETS)


@lru_cache(maxsize=16)
def _equipment(
    scripts: tuple[str, ...], paper: str, sheets: tuple[str, ...]
) -> tuple[FontConfiguration, tuple[CSS, ...]]:
    """Return typefaces and style sheets, which are read once for each process.

    Each set of scripts has its own. Otherwise a typeface loaded for one document would be a
    fallback in the next one, and the same content would look different in another worker.
    """
    fonts = FontConfiguration()
    # Sheets of typefaces have no other rules, so no element needs to be matched with them.
    for name in ("fonts", *scripts):
        _sheet(fonts, url=f"{BASE_URL}fonts/{name}.css")
    width, height = PAPERS[paper]
    size = (
        f"@page {{ size: {width}mm {height}mm }} "
        f"@page certificate {{ size: {height}mm {width}mm }} "
        f".certificate .frame {{ height: {width - CERTIFICATE_MARGINS}mm }} "
        f".cover .frame {{ height: {int(height) - FRAME_MARGINS}mm }}"
    )
    # One sheet, because each element is matched with each sheet.
    names = (*sheets, *SHEETS_OF.get(paper, ()))
    files = (own_file(f"{BASE_URL}print/{name}.css") for name in names)
    rules = "\n".join([*(file.read_text() for file in files), size])
    return fonts, (_sheet(fonts, string=rules),)


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
    pdf.write = partial(write_packs, pdf)


def _number_pages(layout: Layout, pdf: pydyf.PDF) -> None:
    """Set the page labels of the file: Roman numbers before the anchor "body", then from 1."""
    front = _anchors(layout).get("body", 0)
    if front:
        roman, arabic = pydyf.Dictionary({"S": "/r"}), pydyf.Dictionary({"S": "/D"})
        pdf.catalog["PageLabels"] = pydyf.Dictionary(
            {"Nums": pydyf.Array([0, roman, front, arabic])}
        )
