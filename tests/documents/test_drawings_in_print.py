"""Drawings are taken out of a document before it is laid out, and drawn once in each size."""

import re
from unittest.mock import patch
from xml.etree import ElementTree

from msgspec.structs import replace
from weasyprint.images import SVGImage

from documents.print_drawings import NUMBER, take_out
from documents.printing import Source, typeset
from documents.rasters import png_of
from documents.templatetags.charts import strength_by_turn, strength_caption
from drawings.turns import SideHits, hits_by_turn
from tests.documents import samples

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


def test_chart_of_strength_begins_at_zero_and_names_turns() -> None:
    bare = samples.battle(1)
    strengths = ((8, 8, 7, 5), (38.5, 30, 30, 29.5))
    sides = tuple(
        replace(side, strength=strength)
        for side, strength in zip(bare.sides, strengths, strict=True)
    )
    drawn = strength_by_turn(replace(bare, sides=sides), 40)
    ticks = re.findall(r'text-anchor="end"[^>]*>([^<]+)<', drawn)
    assert ticks[0] == "0"
    assert all(tick.isdigit() for tick in ticks)
    assert re.findall(r'text-anchor="middle"[^>]*>([^<]+)<', drawn) == ["Start", "1", "2", "3"]
    assert "38½ → 29½" in drawn
    assert strength_caption(replace(bare, strength_of="half-bases")).startswith("The bases")


def test_name_of_a_side_takes_two_lines_in_the_chart_of_hits() -> None:
    sides = [SideHits("La Compañía de Santiago", "#7a2e2e", ((1, 0), (2, 1), (0, 0)))]
    drawn = hits_by_turn(sides, "Hits", width=400, height=110).svg
    assert "…" not in drawn
    assert ">La Compañía<" in drawn
    assert ">de Santiago<" in drawn
