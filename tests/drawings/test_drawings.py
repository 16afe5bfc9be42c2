"""Drawings: safe, the same in each run, and with text and tables as alternatives."""

import itertools
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from drawings.bars import casualty_strip, casualty_track
from drawings.canvas import INK, PAPER, Canvas, Drawing, shortened, text_width
from drawings.crests import blazon, colour_of, crest
from drawings.encounters import Encounter, encounter_graph
from drawings.grids import Cell, Player, result_grid, slaying_arcs
from drawings.lines import LINE, Series, line_chart, sparkline
from drawings.marks import luminance, readable_on, tincture
from drawings.shapes import CARRIED, CHARGES, FIELDS, HATS
from drawings.silhouettes import silhouette
from drawings.turns import SideHits, hits_by_turn

SVG = "{http://www.w3.org/2000/svg}"
EVIL = '<script>alert("1")</script> & Söhne'
PALETTE = ("#7a2e2e", "#2e4a7a", "#2f5d3a", "#a8842c", "#5b3a73", "#2f7a74", "#9a5a2a", "#4a4a4a")
PLAYERS = [
    Player(name, colour)
    for name, colour in zip((EVIL, "Black Riders", "Sea Beggars"), PALETTE, strict=False)
]
LINES = [
    Series(player.name, player.colour, (1, 2 + place, None)) for place, player in enumerate(PLAYERS)
]


def every_drawing() -> dict[str, Drawing]:
    """Return one drawing of each kind, with malicious text everywhere."""
    return {
        "lines": line_chart(LINES, [EVIL, "2", "3"], EVIL),
        "places": line_chart(LINES, ["1", "2", "3"], EVIL, best_is_lowest=True),
        "sparkline": sparkline([0, 3, 2], EVIL, marks=[1]),
        "grid": result_grid(PLAYERS, {(0, 1): Cell(EVIL, 1.0), (1, 0): Cell("0–1", -1.0)}, EVIL),
        "arcs": slaying_arcs(PLAYERS, PLAYERS, [(0, 1)], EVIL),
        "turns": hits_by_turn([SideHits(EVIL, "#7a2e2e", ((1, 0), (0, 2)))], EVIL),
        "strip": casualty_strip(["well", "hurt", "out", "dead", "gone"], "#7a2e2e", EVIL),
        "track": casualty_track(12, [3, 6], EVIL),
        "crest": crest(EVIL, "#7a2e2e", EVIL),
        "engraved": crest(EVIL, "#7a2e2e", EVIL, engraved=True),
        "silhouette": silhouette(["pike", "sword"], EVIL, mounted=True),
    }


def parsed(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(drawing.svg)


def texts(drawing: Drawing) -> list[str]:
    return [element.text or "" for element in parsed(drawing).iter(f"{SVG}text")]


def test_sides_of_deeds_are_told_apart_by_their_markers_and_named_below():
    sides = [
        Player(f"Company {number} of a rather long name", colour)
        for number, colour in enumerate(PALETTE)
    ]
    drawing = slaying_arcs(
        sides[:2], sides[2:4], [(0, 0), (1, 1)], "Who slew whom", sides=sides, width=300
    )
    rows = [
        element.get("data-row") for element in parsed(drawing).iter() if element.get("data-row")
    ]
    assert rows == ["0", "1", "2", "3", *map(str, range(8))]
    assert texts(drawing)[4:] == [side.name for side in sides]
    places = [float(element.get("x")) for element in parsed(drawing).iter(f"{SVG}text")][4:]
    assert all(0 < x < 300 for x in places)


@pytest.mark.parametrize("kind", every_drawing())
def test_what_people_wrote_never_becomes_markup(kind):
    drawing = every_drawing()[kind]
    assert not list(parsed(drawing).iter(f"{SVG}script"))
    assert "<script" not in drawing.svg


@pytest.mark.parametrize("kind", every_drawing())
def test_every_drawing_is_an_image_whose_title_says_what_it_shows(kind):
    root = parsed(every_drawing()[kind])
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == EVIL


def test_the_same_values_draw_the_same_bytes_in_another_process():
    program = (
        "from tests.drawings.test_drawings import every_drawing; print([d.svg for d in "
        "every_drawing().values()])"
    )
    seeds = ("1", "2")
    drawn = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in seeds
    ]
    assert drawn[0] == drawn[1]
    assert b"<svg" in drawn[0]


def test_drawings_share_ids_for_equal_parts():
    meanings: dict[str, set[str]] = {}
    for colour in PALETTE:
        for name in ("Ghent", "Bruges", "Ypres"):
            for element in parsed(crest(name, colour, "Arms", engraved=True)).iter():
                if key := element.get("id"):
                    meanings.setdefault(key, set()).add(
                        ElementTree.tostring(element, encoding="unicode")
                    )
    assert meanings
    assert all(len(labels) == 1 for labels in meanings.values())


def test_lines_need_a_value_for_each_moment():
    with pytest.raises(ValueError, match="one value for each moment"):
        line_chart([Series("A", "#7a2e2e", (1, 2))], ["1"], "Lines")


def test_a_line_begins_when_its_warband_came_and_says_its_last_value():
    late = Series("Late", "#7a2e2e", (None, 4, 7, None))
    drawing = line_chart([late], ["1", "2", "3", "4"], "Lines")
    assert "7" in texts(drawing)


def test_names_at_the_ends_of_lines_never_cover_each_other():
    tied = [Series(f"Warband {place}", PALETTE[place % 8], (5, 5)) for place in range(16)]
    heights = sorted(
        float(element.get("y", 0))
        for element in parsed(line_chart(tied, ["1", "2"], "Tie")).iter(f"{SVG}text")
        if (element.text or "").startswith("Warband")
    )
    assert len(heights) == 16
    assert min(later - earlier for earlier, later in itertools.pairwise(heights)) >= LINE - 0.02


def test_the_first_place_is_on_top_and_most_points_are_too():
    def height_of(drawing: Drawing, name: str) -> float:
        return next(
            float(e.get("y", 0)) for e in parsed(drawing).iter(f"{SVG}text") if e.text == name
        )

    two = [Series("One", "#7a2e2e", (1,)), Series("Two", "#2e4a7a", (2,))]
    places = line_chart(two, ["1"], "Places", best_is_lowest=True)
    points = line_chart(two, ["1"], "Points")
    assert height_of(places, "One") < height_of(places, "Two")
    assert height_of(points, "One") > height_of(points, "Two")


@pytest.mark.parametrize("values", [(), (0,), (-3, -1), (0, 0, 0), (1e6,)])
def test_any_values_make_a_chart(values):
    drawing = line_chart(
        [Series("A", "#7a2e2e", values)], [str(moment) for moment in range(len(values))], "Lines"
    )
    assert "nan" not in drawing.svg
    assert parsed(sparkline(values, "Line")) is not None


def test_a_grid_says_each_result_from_both_sides():
    drawing = result_grid(PLAYERS, {(0, 1): Cell("2–1", 0.3), (1, 0): Cell("1–2", -0.3)}, "Grid")
    assert {"2–1", "1–2"} <= set(texts(drawing))


def test_each_hit_has_mark_and_each_turn_number():
    sides = [
        SideHits("A", "#7a2e2e", ((1, 0), (0, 0), (2, 1))),
        SideHits("B", "#2e4a7a", ((0, 0), (0, 2), (0, 0))),
    ]
    drawing = hits_by_turn(sides, "Hits", height=60)
    marks = [*parsed(drawing).iter(f"{SVG}rect")]
    assert [mark.get("fill") for mark in marks].count("#7a2e2e") == 1
    assert [mark.get("fill") for mark in marks].count("#2e4a7a") == 2
    assert len(marks) == 6
    assert texts(drawing) == ["A", "B", "1", "2", "3"]
    assert all(0 <= float(mark.get("y")) <= 60 for mark in marks)


def test_a_track_has_a_box_for_each_and_a_stroke_for_each_test():
    track = parsed(casualty_track(17, [4, 8], "Track"))
    assert len(list(track.iter(f"{SVG}rect"))) == 17
    assert len(list(track.iter(f"{SVG}path"))) == 2


def test_the_same_seed_has_the_same_arms():
    assert crest("Ghent", "#7a2e2e", "Arms") == crest("GHENT", "#7a2e2e", "Arms")
    assert crest("Ghent", "#7a2e2e", "Arms") != crest("Bruges", "#7a2e2e", "Arms")


def test_seeds_have_all_charges_and_divisions():
    shields = [blazon(f"Company {number}", "#7a2e2e") for number in range(400)]
    assert {charge for _, charge, _, _ in shields} == set(CHARGES)
    assert {division for division, _, _, _ in shields} == set(FIELDS)
    assert len({(division, charge) for division, charge, _, _ in shields}) > 100


def test_arms_without_a_colour_have_one_of_their_own():
    assert crest("Ghent", "", "Arms") == crest("Ghent", colour_of("Ghent"), "Arms")
    assert len({colour_of(f"Company {number}") for number in range(100)}) > 5


def test_arms_differ_in_black_and_white_as_well():
    names = ("Fähnlein Eisenhut", "La Compañía de Santiago", "The Tarras Riders")
    drawn = {crest(name, "#7a2e2e", "Arms", engraved=True).svg for name in names}
    assert len(drawn) == len(names)


def test_a_hound_is_drawn_without_a_person():
    hound, man = (parsed(silhouette(carried, "")) for carried in (["hound"], ["bow"]))
    assert len(list(hound.iter(f"{SVG}path"))) == 1
    assert len(list(man.iter(f"{SVG}path"))) == 3


@pytest.mark.parametrize("colour", PALETTE)
def test_crest_colours_contrast(colour):
    for name in map(str, range(40)):
        fills = {e.get("fill") for e in parsed(crest(name, colour, "Arms")).iter(f"{SVG}path")} - {
            None,
            "none",
        }
        tones = sorted(luminance(fill) for fill in fills)
        assert (tones[-1] + 0.05) / (tones[0] + 0.05) >= 1.9, (name, fills)


def test_a_colour_must_be_written_as_colours_are():
    with pytest.raises(ValueError, match="Example: #7a2e2e"):
        crest("Ghent", "red", "Arms")


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        ("#7a2e2e", "gules"),
        ("#2e4a7a", "azure"),
        ("#2f5d3a", "vert"),
        ("#a8842c", "or"),
        ("#5b3a73", "purpure"),
        ("#9a5a2a", "tenny"),
        ("#4a4a4a", "sable"),
        ("#f4efe2", "argent"),
    ],
)
def test_colours_have_the_names_of_heralds(colour, name):
    assert tincture(colour) == name


def test_ink_or_paper_whichever_is_easier_to_read():
    assert readable_on("#2e4a7a") == PAPER
    assert readable_on("#e3c878") == INK


def test_every_division_charge_hat_and_thing_is_a_path():
    for shape in (*FIELDS.values(), *CHARGES.values(), *HATS.values(), *CARRIED.values()):
        assert not shape or shape.startswith("M")
    assert len(CHARGES) >= 20


def test_figure_draws_only_known_equipment():
    shapes = {
        element.get("d")
        for element in parsed(silhouette(["pike", "spoon"], "A pikeman")).iter(f"{SVG}path")
    }
    assert CARRIED["pike"] in shapes
    assert len(shapes) == 3


def test_text_is_shortened_to_its_room_and_no_further():
    assert shortened("Ghent", 10, 100) == "Ghent"
    short = shortened("Die Überaus Lange Kompanie von Hohenlohe", 10, 80)
    assert short.endswith("…")
    assert text_width(short, 10) <= 80


def test_colours_of_the_page_can_be_exchanged_by_a_style_sheet():
    canvas = Canvas(10, 10, "Test")
    canvas.draw("rect", fill=PAPER, stroke=INK)
    assert 'class="paper ink"' in canvas.finish().svg


@pytest.mark.parametrize("most", [1, 3, 9, 10, 11, 27, 240, 1800])
def test_counts_begin_at_zero_and_have_whole_numbers(most):
    drawn = line_chart([Series("A", "#7a2e2e", (most // 2, most))], ["1", "2"], "A chart")
    ticks = re.findall(r'text-anchor="end"[^>]*>([^<]+)<', drawn.svg)
    assert ticks[0] == "0"
    assert all(tick.isdigit() for tick in ticks)


def test_rank_ups_are_triangles_of_a_strip():
    plain = casualty_strip(["well", "hurt"], "#7a2e2e", "A strip")
    risen = casualty_strip(["well", "hurt"], "#7a2e2e", "A strip", risen=(1, 1, 2))
    assert risen.svg.count("Z") - plain.svg.count("Z") == 2, "one for each gap"


def test_encounters_connect_the_lanes_of_a_battle():
    players = [Player(name, "#7a2e2e") for name in ("Reds", "Blues", "<Greens>")]
    met = [Encounter(number, f"{number} Jan", (0, 2), (2,)) for number in range(1, 61)]
    drawn = encounter_graph(players, met, "Who met", width=480)
    assert drawn.svg.count("<circle") == 120
    assert "&lt;Greens&gt;" in drawn.svg
    assert all(f">{number}</text>" in drawn.svg for number in (1, 60))
    xs = [float(x) for x in re.findall(r'cx="([\d.]+)"', drawn.svg)]
    assert max(xs) < 480
