"""Replace functions of WeasyPrint that do the same work again and again.

A book has a hundred thousand pieces of text, such as names, ranks and commas. For each of them,
WeasyPrint makes a typeface's description, measures text that it has measured before, and computes
margins that are always 0. These functions have the same results, but remember them:

- ``split_first_line``: the size of a short text that fits on its line, by typeface and text;
- ``draw_text``: the glyphs of a short text, by typeface and text, in each file;
- ``Layout.setup``: Pango's context and description of a typeface, by style;
- ``strut``: the height of a line, by style;
- ``resolve_percentages``: margins, borders and padding that do not depend on the box around;
- ``layout_box_backgrounds``: boxes without a background, by style;
- ``Box.is_in_normal_flow``: two properties of a style, each looked up once;
- ``can_break_text``: whether two letters can be on different lines;
- ``page_references``: the numbers of all pages, which each tag asks for;
- ``Box.descendants``: all boxes in a box, without a generator for each of them;
- ``set_page_type_computed_styles``: the styles of the margins of pages with the same rules;
- ``Matcher.match``: the selectors that match an element, by its classes and those around it;
- ``ComputedStyle.__missing__``: properties that no rule sets, without looking for a rule.

Styles are not changed after they are computed, and copies of a style have no results.
``tests/documents/test_faster_weasyprint.py`` compares the pages with those of WeasyPrint alone.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from types import CodeType
from typing import Any

import pydyf  # type: ignore[import-untyped]
from cssselect2 import ElementWrapper, Matcher  # type: ignore[import-untyped]
from weasyprint import css, draw
from weasyprint.draw.color import get_color
from weasyprint.formatting_structure.boxes import Box, PageBox, TableBox
from weasyprint.layout import background, block, inline, page, preferred
from weasyprint.text import line_break
from weasyprint.text.constants import LST_TO_ISO, PANGO_DIRECTION
from weasyprint.text.ffi import FROM_UNITS, ffi, gobject, pango, unicode_to_char_p
from weasyprint.text.fonts import font_features, get_font_description

SHORT_TEXT = 48
"""The most letters of a text whose size is remembered."""
MOST_TEXTS = 20_000
"""The number of remembered sizes after which all are forgotten. They need 10 MB."""
WIDE_SPACE, NARROW_SPACE = (1013.0, "auto"), (97.0, 89.0)
"""Two containing blocks. What is the same in both depends on neither."""
USED_VALUES = (
    *("margin_left", "margin_right", "margin_top", "margin_bottom"),
    *("padding_left", "padding_right", "padding_top", "padding_bottom"),
    *("width", "min_width", "max_width", "height", "min_height", "max_height"),
    *("border_top_width", "border_right_width", "border_bottom_width", "border_left_width"),
)
"""The attributes that ``resolve_percentages`` sets."""
DECORATION = (
    *("ascent", "underline_position", "underline_thickness"),
    *("strikethrough_position", "strikethrough_thickness"),
)
"""The measures of a typeface for lines below and through a text."""
FEATURES = (
    *("font_kerning", "font_variant_ligatures", "font_variant_position", "font_variant_caps"),
    *("font_variant_numeric", "font_variant_alternates", "font_variant_east_asian"),
    "font_feature_settings",
)
FONT_PROPERTIES = (
    *("font_family", "font_style", "font_stretch", "font_weight", "font_size", *FEATURES),
    *("font_variation_settings", "font_language_override", "lang"),
    *("direction", "text_decoration_line", "letter_spacing", "word_spacing", "overflow_wrap"),
    "white_space",
)
"""All properties that decide the size of a text on one line."""


class Shaping:
    """The settings of Pango for a style, and the sizes of texts in its typeface."""

    def __init__(self, style: Any) -> None:
        fonts = style.font_config
        self.context = ffi.gc(
            pango.pango_font_map_create_context(fonts.font_map), gobject.g_object_unref
        )
        pango.pango_context_set_round_glyph_positions(self.context, False)
        pango.pango_context_set_base_dir(self.context, PANGO_DIRECTION[style["direction"]])
        self.language = pango.pango_language_get_default()
        override = style["font_language_override"]
        language = style["lang"]
        if override != "normal":
            language = LST_TO_ISO.get(override.lower(), override)
        if language:
            self.language = pango.pango_language_from_string(unicode_to_char_p(language)[0])
            pango.pango_context_set_language(self.context, self.language)
        self.description = get_font_description(style)
        self.decoration = self._decoration(style)
        features = font_features(**{name: style[name] for name in FEATURES})
        self.features = ",".join(f"{key} {value}" for key, value in features.items()).encode()
        self.key = repr([style[name] for name in FONT_PROPERTIES])
        self.sizes: dict[str, Size | None] = _sizes_of(fonts).setdefault(self.key, {})

    def _decoration(self, style: Any) -> dict[str, float | None]:
        """Return the places of lines below and through a text."""
        if style["text_decoration_line"] == "none":
            return dict.fromkeys(("ascent", "underline_position", "strikethrough_position"))
        metrics = ffi.gc(
            pango.pango_context_get_metrics(self.context, self.description, self.language),
            pango.pango_font_metrics_unref,
        )
        return {
            name: FROM_UNITS * getattr(pango, f"pango_font_metrics_get_{name}")(metrics)
            for name in DECORATION
        }


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a text that is on one line, and the attributes of its layout."""

    length: int
    width: float
    height: float
    baseline: float
    layout: dict[str, Any]


def _sizes_of(fonts: Any) -> dict[str, dict[str, Size | None]]:
    """Return the remembered sizes of texts in some typefaces, by typeface and text."""
    sizes: dict[str, dict[str, Size | None]] = fonts.__dict__.setdefault("text_sizes", {})
    if sum(map(len, sizes.values())) > MOST_TEXTS:
        for each in sizes.values():
            each.clear()
    return sizes


def _shaping_of(style: Any) -> Shaping:
    """Return the shaping of a style, which is stored with it."""
    shaping: Shaping | None = style.__dict__.get("shaping")
    if shaping is None:
        shaping = style.shaping = Shaping(style)
    return shaping


def set_up(layout: Any, style: Any) -> None:
    """Prepare a layout of Pango for a style. It replaces ``Layout.setup``."""
    shaping = _shaping_of(style)
    layout.style, layout.first_line_direction = style, 0
    layout.language = shaping.language
    layout.layout = ffi.gc(pango.pango_layout_new(shaping.context), gobject.g_object_unref)
    pango.pango_layout_set_auto_dir(layout.layout, False)
    pango.pango_layout_set_font_description(layout.layout, shaping.description)
    layout.__dict__.update(shaping.decoration)
    if shaping.features:
        attributes = pango.pango_attr_list_new()
        pango.pango_attr_list_insert(
            attributes, pango.pango_attr_font_features_new(shaping.features)
        )
        pango.pango_layout_set_attributes(layout.layout, attributes)
        # The list owns the attribute, and only the layout keeps the list: all are freed together.
        pango.pango_attr_list_unref(attributes)


_split_first_line = line_break.split_first_line


def split_first_line(
    text: str,
    style: Any,
    context: Any,
    max_width: float | None,
    justification_spacing: float,
    is_line_start: bool = True,
    minimum: bool = False,
) -> tuple[Any, int, int | None, float, float, float]:
    """Return the first line of a text, and where the next one begins.

    A short text is measured without a limit first. If it fits, its line is the whole text.
    """
    if len(text) <= SHORT_TEXT:
        size = _size_of(text, style, context)
        if size and (max_width is None or size.width <= max_width):
            layout = line_break.Layout.__new__(line_break.Layout)
            layout.__dict__.update(size.layout)
            layout.max_width, layout.justification_spacing = max_width, justification_spacing
            return layout, size.length, None, size.width, size.height, size.baseline
    line: tuple[Any, int, int | None, float, float, float] = _split_first_line(
        text, style, context, max_width, justification_spacing, is_line_start, minimum
    )
    return line


def _size_of(text: str, style: Any, context: Any) -> Size | None:
    """Return the size of a text on one line, or None if it has several lines."""
    sizes = _shaping_of(style).sizes
    if text not in sizes:
        layout, length, resume_at, width, height, baseline = _split_first_line(
            text, style, context, None, 0
        )
        whole = resume_at is None
        sizes[text] = Size(length, width, height, baseline, vars(layout)) if whole else None
    return sizes[text]


_draw_text = draw.draw_text


def draw_text(
    stream: Any, textbox: Any, offset_x: float, text_overflow: str, block_ellipsis: Any
) -> None:
    """Draw a text on a page.

    A short text that was drawn in the same file before is not shaped again, as its glyphs are
    known: all pages of a file share their typefaces.
    """
    style, layout = textbox.style, textbox.pango_layout
    if not (
        len(layout.text) <= SHORT_TEXT
        and style["text_decoration_line"] == "none"
        and style["visibility"] == "visible"
        and text_overflow != "ellipsis"
        and block_ellipsis == "none"
        and textbox.text.strip()
    ):
        _draw_text(stream, textbox, offset_x, text_overflow, block_ellipsis)
        return
    texts: dict[Any, Glyphs] = stream._resources.__dict__.setdefault("texts", {})
    key = (_shaping_of(style).key, layout.text, layout.justification_spacing)
    if key not in texts:
        _draw_text(stream, textbox, offset_x, text_overflow, block_ellipsis)
        operators = stream.stream[-4:]
        if _is_one_run(operators):
            texts[key] = Glyphs(stream._old_font, operators[-2])
        return
    glyphs = texts[key]
    stream.set_color(style["color"])
    stream.begin_text()
    x, y = textbox.position_x, textbox.position_y + textbox.baseline
    stream.set_text_matrix(1, 0, 0, -1, x, y)
    stream.set_font_size(*glyphs.font)
    stream.stream.append(glyphs.operator)
    stream.end_text()


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The glyphs of a text as an operator of a page, and the name and size of their typeface."""

    font: tuple[str, float]
    operator: bytes


def _is_one_run(operators: list[Any]) -> bool:
    """Return whether the last operators of a page draw a text in one typeface."""
    if not all(isinstance(each, bytes) for each in operators[1:]):
        return False
    font, glyphs, end = operators[1:]
    if font.endswith(b" Tf"):
        font = operators[0]
    return bool(
        isinstance(font, bytes)
        and font.endswith(b" Tm")
        and glyphs.endswith(b"] TJ")
        and end == b"ET"
    )


_strut = line_break.strut


def strut(style: Any) -> tuple[float, float]:
    """Return the height of a line and its baseline."""
    height: tuple[float, float] | None = style.__dict__.get("strut")
    if height is None:
        height = style.strut = _strut(style)
    return height


_resolve_percentages = inline.resolve_percentages


def resolve_percentages(box: Any, containing_block: Any) -> None:
    """Set margins, borders, padding and sizes of a box in a line, a margin or another block."""
    if isinstance(box, (TableBox, PageBox)):
        # The borders of a table's cells decide its own, and the height of a page its margins.
        _resolve_percentages(box, containing_block)
        return
    values: dict[str, Any] | None = box.style.__dict__.get("used_values")
    if values is None:
        wide, narrow = (_values_in(box, space) for space in (WIDE_SPACE, NARROW_SPACE))
        values = box.style.used_values = wide if wide == narrow else {}
    if values:
        box.__dict__.update(values)
    else:
        _resolve_percentages(box, containing_block)


def _values_in(box: Any, space: tuple[float, float | str]) -> dict[str, Any]:
    """Return the sizes of a box in a containing block."""
    probe = box.copy()
    _resolve_percentages(probe, space)
    return {name: getattr(probe, name) for name in USED_VALUES}


_layout_box_backgrounds = background.layout_box_backgrounds
CORNERS = tuple(
    f"border_{corner}_radius" for corner in ("top_left", "top_right", "bottom_left", "bottom_right")
)


def layout_box_backgrounds(
    page_box: Any, box: Any, get_image: Any, layout_children: bool = True, style: Any = None
) -> None:
    """Set the background and the corners of a box, and those of the boxes in it."""
    if box is page_box or style or not _is_bare(box.style):
        _layout_box_backgrounds(page_box, box, get_image, layout_children, style)
        return
    box.background = None
    # Not in its ``__dict__``: it may be a placeholder of a positioned box.
    for corner in CORNERS:
        setattr(box, corner, (0, 0))
    if layout_children:
        for child in box.all_children():
            layout_box_backgrounds(page_box, child, get_image)


def _is_bare(style: Any) -> bool:
    """Return whether boxes of a style have neither a background nor round corners."""
    bare: bool | None = style.__dict__.get("bare")
    if bare is None:
        bare = style.bare = (
            all((0, "px") in style[corner] for corner in CORNERS)
            and all(kind == "none" for kind, _ in style["background_image"])
            and get_color(style, "background_color").alpha == 0
            and not style["box_shadow"]
            and style["border_image_source"][0] == style["mask_border_source"][0] == "none"
        )
    return bare


def is_in_normal_flow(box: Box) -> bool:
    """Return whether a box is in the normal flow: not floated, positioned, running or a note."""
    style = box.style
    return style["float"] == "none" and style["position"] in ("static", "relative")


can_break_text = lru_cache(maxsize=4096)(line_break.can_break_text)


def page_references(pdf: pydyf.PDF) -> tuple[bytes, ...]:
    """Return the references to all pages of a file."""
    kids = pdf.pages["Kids"][::3]
    references: tuple[bytes, ...] = pdf.__dict__.get("known_references", ())
    if len(references) != len(kids):
        references = pdf.known_references = tuple(b"%d 0 R" % number for number in kids)
    return references


def descendants(box: Box, placeholders: bool = False) -> Iterator[Any]:
    """Yield a box and all boxes in it, in the order of the document."""
    left: list[Any] = [box]
    while left:
        each = left.pop()
        if not isinstance(each, Box) and placeholders:
            yield from each.descendants(placeholders)
            continue
        yield each
        if isinstance(each, Box) and each.children:
            left += reversed(each.children)


Selector = tuple[Callable[[Any], bool], Any, int, Any, Any]
"""A selector in a style sheet: its test, specificity, place and pseudo-element, and its rule."""
PLAIN_NAMES = frozenset(
    ("ancestors", "parent", "classes", "local_name", "namespace_url", "in_html_document")
)
"""The attributes of elements that are the same for all elements with a look."""
MOST_LOOKS = 20_000
"""The number of looks after which all are forgotten."""
_LOOKS: dict[Any, int] = {}
_NUMBERS = count()


def _look_of(element: ElementWrapper) -> int:
    """Return the number of an element's look: its tag and classes, and those of its ancestors.

    A number is never used again, so that it can be forgotten at any time.
    """
    look: int | None = element.__dict__.get("look")
    if look is None:
        above = element.in_html_document if element.parent is None else _look_of(element.parent)
        node = element.etree_element
        key = (element.parent is None, above, node.tag, node.get("class"))
        look = _LOOKS.get(key)
        if look is None:
            if len(_LOOKS) >= MOST_LOOKS:
                _LOOKS.clear()
            look = _LOOKS[key] = next(_NUMBERS)
        element.look = look
    return look


def _is_plain(code: CodeType) -> bool:
    """Return whether a test has the same result for all elements with a look.

    Other tests ask for siblings, or for other attributes than classes.
    """
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return PLAIN_NAMES.issuperset(_attributes_of(code)) and all(map(_is_plain, inner))


def _attributes_of(code: CodeType) -> Iterator[str]:
    return (name for name in code.co_names if name not in ("any", "next"))


class MatchesByLook:
    """The selectors of a style sheet that match elements, by the looks of these.

    For each look these are the ones that match, and those that have to be tested for each element.
    """

    def __init__(self, matcher: Matcher) -> None:
        self.matcher, self.order = matcher, matcher.order
        self.by_look: dict[int, tuple[list[Any], list[Selector]]] = {}

    def of(self, element: ElementWrapper) -> tuple[list[Any], list[Selector]]:
        """Return what is known about an element."""
        look = _look_of(element)
        matches = self.by_look.get(look)
        if matches is None:
            if len(self.by_look) >= MOST_LOOKS:
                self.by_look.clear()
            matches = self.by_look[look] = self._find(element)
        return matches

    def _find(self, element: ElementWrapper) -> tuple[list[Any], list[Selector]]:
        matcher = self.matcher
        possible = [
            *(each for name in element.classes for each in matcher.class_selectors.get(name, ())),
            *matcher.lower_local_name_selectors.get(element.local_name.lower(), ()),
            *matcher.namespace_selectors.get(element.namespace_url, ()),
            *matcher.other_selectors,
        ]
        plain, others = list[Selector](), list[Selector]()
        for each in possible:
            (plain if _is_plain(each[0].__code__) else others).append(each)
        matching = list[Any]()
        matcher.add_relevant_selectors(element, plain, matching)
        return matching, others


def match(matcher: Matcher, element: ElementWrapper) -> list[Any]:
    """Return the selectors that match an element, and their rules, the strongest last."""
    remembered: MatchesByLook | None = matcher.__dict__.get("remembered")
    if remembered is None or remembered.order != matcher.order:
        remembered = matcher.remembered = MatchesByLook(matcher)
    matching, others = remembered.of(element)
    relevant = matching.copy()
    if element.id is not None and element.id in matcher.id_selectors:
        matcher.add_relevant_selectors(element, matcher.id_selectors[element.id], relevant)
    if "lang" in element.etree_element.attrib:
        matcher.add_relevant_selectors(element, matcher.lang_attr_selectors, relevant)
    matcher.add_relevant_selectors(element, others, relevant)
    relevant.sort()
    return relevant


_missing_style = css.ComputedStyle.__missing__
SPECIAL = ("page", "position", "float", "display")
"""Properties whose values depend on other ones."""
UNCHANGED = frozenset(
    name
    for name in css.INITIAL_VALUES
    if name not in css.INITIAL_NOT_COMPUTED
    and name not in SPECIAL
    and not name.startswith(("__", "text_decoration_"))
)
"""Properties whose inherited or initial value is their computed value."""


def missing_style(style: Any, key: str) -> Any:
    """Return the value of a property of an element, and remember it."""
    parent, cascaded = style.parent_style, style.cascaded
    if parent is None or key in cascaded or key not in UNCHANGED:
        return _missing_style(style, key)
    logical = css.PHYSICAL_FUNCTIONS.get(key)
    if logical and logical(block="ttb", inline=style["direction"]) in cascaded:
        return _missing_style(style, key)
    value = style[key] = parent[key] if key in css.INHERITED else css.INITIAL_VALUES[key]
    return value


_set_page_styles = page.set_page_type_computed_styles


def set_page_styles(page_type: Any, html: Any, style_for: Any) -> None:
    """Compute the styles of a page and of its margins.

    Pages to which the same rules apply share the styles of their margins. Each has a style of its
    own, as WeasyPrint adds to its counters.
    """
    first_pages = style_for.__dict__.setdefault("first_pages", {})
    key = tuple(
        style_for._page_type_match(selector, page_type)
        for sheet, _, _ in style_for._sheets
        for _, selectors, _ in sheet.page_rules
        for _, _, selector in selectors
    )
    if key not in first_pages:
        _set_page_styles(page_type, html, style_for)
        kinds = [kind for each, kind in style_for.get_cascaded_styles() if each == page_type]
        first_pages[key] = page_type, kinds
        return
    first_page, kinds = first_pages[key]
    cascaded, computed = style_for.get_cascaded_styles(), style_for.get_computed_styles()
    for kind in kinds:
        if kind is None:
            cascaded[page_type, None] = cascaded[first_page, None]
            root = html.etree_element
            style_for.set_computed_styles(page_type, root=root, parent=root, base_url=html.base_url)
        else:
            computed[page_type, kind] = computed[first_page, kind]


REPLACEMENTS: tuple[tuple[Any, str, Any], ...] = (
    (Matcher, "match", match),
    (css.ComputedStyle, "__missing__", missing_style),
    (page, "set_page_type_computed_styles", set_page_styles),
    (line_break.Layout, "setup", set_up),
    (draw, "draw_text", draw_text),
    (pydyf.PDF, "page_references", property(page_references)),
    (Box, "descendants", descendants),
    (Box, "is_in_normal_flow", is_in_normal_flow),
    (background, "layout_box_backgrounds", layout_box_backgrounds),
    *((module, "resolve_percentages", resolve_percentages) for module in (block, inline, page)),
    *((module, "strut", strut) for module in (line_break, inline)),
    *((module, "split_first_line", split_first_line) for module in (line_break, inline, preferred)),
    *((module, "can_break_text", can_break_text) for module in (line_break, inline, preferred)),
)
"""Each function with the module or class in which it replaces another one."""
ORIGINALS = tuple((owner, name, vars(owner)[name]) for owner, name, _ in REPLACEMENTS)
"""The functions of WeasyPrint, for tests that compare both."""


def install() -> None:
    """Make WeasyPrint use these functions."""
    for owner, name, replacement in REPLACEMENTS:
        setattr(owner, name, replacement)
