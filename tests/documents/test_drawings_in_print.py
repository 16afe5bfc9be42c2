"""Drawings are taken out of a document before it is laid out, and drawn once in each size."""

import re
from unittest.mock import patch
from xml.etree import ElementTree

from weasyprint.images import SVGImage

from documents.print_drawings import NUMBER, take_out
from documents.printing import Source, typeset
from documents.rasters import png_of

SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40"
  role="img"><title>Arms</title><rect width="30" height="20" fill="#8c1f16"/></svg>"""
PAGE = """<html lang="en"><head><title>T</title></head><body>
<p style="color: #2e4a7a">One {svg} and</p><p style="color: #2e4a7a">two {svg}{other}</p>
</body></html>"""


def test_equal_drawings_are_taken_out_once() -> None:
    root = ElementTree.fromstring(PAGE.format(svg=SVG, other=SVG.replace("30", "20")))
    drawings = take_out(root)
    left = [*root.iter("{http://www.w3.org/2000/svg}svg")]
    assert len(drawings) == 2
    assert [each.get(NUMBER) for each in left] == ["0", "0", "1"]
    assert [[child.text for child in each] for each in left] == [["Arms"]] * 3
    assert [each.tail for each in left] == [" and", None, None]
    assert len(drawings[0]) == 2


def test_a_drawing_is_drawn_once_and_printed_in_each_place() -> None:
    html = PAGE.format(svg=SVG, other="")
    with patch.object(SVGImage, "draw", autospec=True, side_effect=SVGImage.draw) as draw:
        once = typeset(html, paper="A6", identifier="00")
    assert draw.call_count == 1
    with patch("documents.printing.take_out", return_value=()):
        twice = typeset(html, paper="A6", identifier="00")
    pictures = [png_of(each.pdf, title="T", description="") for each in (once, twice)]
    assert pictures[0] == pictures[1]


def test_equal_style_attributes_become_a_rule() -> None:
    source = Source(PAGE.format(svg=SVG, other=""))
    first, second = source.etree_element.iter("p")
    assert first.get("style") is second.get("style") is None
    assert first.get("class") == second.get("class")
    assert re.fullmatch(r"\.style-\w{16}:not\(#none#none\) { color: #2e4a7a }", source.rules)


def test_a_style_attribute_cannot_end_its_rule() -> None:
    html = PAGE.format(svg="", other="").replace("#2e4a7a", "red } * { color: green")
    source = Source(html)
    assert not source.rules
    assert all(each.get("style") for each in source.etree_element.iter("p"))
