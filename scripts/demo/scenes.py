"""Pictures for the demonstration: landscapes with small figures, drawn by this script.

They have the formats of photos (4:3 and 3:4), and their captions say that they are drawings. The
same scene is the same picture, byte for byte.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from itertools import pairwise
from random import Random

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from msgspec import Struct
from PIL import Image, ImageDraw, ImageFilter

from drawings.shapes import BODIES, CARRIED, HATS

LONG, SHORT = 1600, 1200
"""The edges of a picture, in pixels."""
FINE = 2
"""Everything is drawn larger by this factor and then reduced, so that edges are smooth."""
CURVE_STEPS = 8
SNOW = (236, 234, 228)
WOOD, STONE, ROOF = (86, 66, 50), (150, 144, 134), (112, 62, 48)

Colour = tuple[int, int, int]
Point = tuple[float, float]


class Light(Struct, frozen=True):
    """The colours of an hour: the sky above and at the horizon, and the far hills."""

    above: Colour
    horizon: Colour
    hills: Colour
    ground: Colour
    snowfall: int = 0


LIGHTS: Mapping[str, Light] = {
    "morning": Light((150, 176, 200), (240, 214, 182), (132, 146, 160), (226, 222, 212)),
    "dusk": Light((64, 70, 104), (226, 150, 110), (84, 82, 104), (178, 172, 182)),
    "night": Light((18, 24, 44), (58, 70, 104), (34, 42, 66), (96, 106, 134)),
    "snow": Light((172, 180, 188), (214, 216, 216), (176, 184, 190), SNOW, snowfall=420),
}


class Troop(Struct, frozen=True):
    """A group of figures: its colour, its arms, and where it stands (shares of the picture)."""

    colour: str
    count: int
    arms: tuple[str, ...] = ("pike",)
    hat: str = "brim"
    left: float = 0.1
    right: float = 0.45
    near: float = 0.86
    mounted: bool = False


class Scene(Struct, frozen=True, forbid_unknown_fields=True):
    """A picture: its hour, what is built in it, and who is in it."""

    seed: int
    light: str = "morning"
    building: str = ""
    portrait: bool = False
    troops: tuple[Troop, ...] = ()


def draw_scene(scene: Scene) -> bytes:
    """Return the scene as a JPEG of 1600 by 1200 pixels, or 1200 by 1600 for a portrait format."""
    luck = Random(scene.seed)  # noqa: S311 - a drawing, and repeatable
    width, height = (SHORT, LONG) if scene.portrait else (LONG, SHORT)
    picture = Image.new("RGB", (width * FINE, height * FINE))
    light = LIGHTS[scene.light]
    _draw_sky(picture, light, luck)
    _draw_hills(picture, light, luck)
    if scene.building:
        _draw_building(picture, scene.building, light)
    for troop in sorted(scene.troops, key=lambda troop: troop.near):
        _draw_troop(picture, troop, light, luck)
    _draw_snow(picture, light, luck)
    small = picture.resize((width, height), Image.Resampling.LANCZOS)
    file = BytesIO()
    small.filter(ImageFilter.GaussianBlur(0.6)).save(file, "JPEG", quality=86)
    return file.getvalue()


def _draw_sky(picture: Image.Image, light: Light, luck: Random) -> None:
    """Draw the sky from above to the horizon, with a pale sun or moon."""
    draw, (width, height) = ImageDraw.Draw(picture), picture.size
    horizon = int(height * 0.62)
    for row in range(height):
        fill = _between(light.above, light.horizon, row / horizon)
        draw.line((0, row, width, row), fill=fill)
    x, y, radius = width * luck.uniform(0.6, 0.85), height * 0.2, height * 0.035
    shine = _between(light.horizon, (255, 250, 238), 0.7)
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=shine)


def _draw_hills(picture: Image.Image, light: Light, luck: Random) -> None:
    """Draw four ridges, the far ones pale, the nearest one white ground."""
    draw, (width, height) = ImageDraw.Draw(picture), picture.size
    for layer in range(4):
        base, swing = height * (0.5 + 0.075 * layer), height * (0.075 - 0.016 * layer)
        waves = [(luck.uniform(0.8, 2.6), luck.uniform(0, 6.3)) for _ in range(3)]
        ridge = [
            (
                x,
                base
                + swing
                * sum(math.sin(6.3 * often * x / width + start) for often, start in waves)
                / 3,
            )
            for x in range(0, width + 24, 24)
        ]
        colour = _between(light.hills, light.ground, layer / 3)
        draw.polygon([*ridge, (width, height), (0, height)], fill=colour)
        if layer == 2:
            _draw_trees(draw, ridge, _between(light.hills, (30, 34, 36), 0.55), luck)


def _draw_trees(
    draw: ImageDraw.ImageDraw, ridge: Sequence[Point], colour: Colour, luck: Random
) -> None:
    for x, y in ridge:
        if luck.random() < 0.3:
            tall = luck.uniform(50, 130)
            for part in (0.0, 0.3, 0.55):
                top, wide = y - tall * (1 - part), tall * (0.12 + 0.16 * part)
                draw.polygon(
                    [(x, top), (x + wide, top + tall * 0.45), (x - wide, top + tall * 0.45)],
                    fill=colour,
                )


def _draw_building(picture: Image.Image, building: str, light: Light) -> None:
    draw, (width, height) = ImageDraw.Draw(picture), picture.size
    size = min(width, height)
    x, y = width * 0.56, height * 0.74
    if building == "bridge":
        _draw_bridge(draw, width, height, light)
        return
    wall = _between(STONE, light.hills, 0.25)
    roof = _between(ROOF, light.hills, 0.2)
    wide, tall = size * 0.3, size * 0.2
    draw.rectangle((x, y - tall, x + wide, y), fill=wall)
    draw.polygon(
        [
            (x - size * 0.02, y - tall),
            (x + wide * 0.18, y - tall * 1.75),
            (x + wide * 0.82, y - tall * 1.75),
            (x + wide + size * 0.02, y - tall),
        ],
        fill=roof,
    )
    draw.line(
        (x + wide * 0.18, y - tall * 1.75, x + wide * 0.82, y - tall * 1.75),
        fill=SNOW,
        width=int(size * 0.014),
    )
    for place in (0.2, 0.55):
        window = x + wide * place
        draw.rectangle(
            (window, y - tall * 0.7, window + wide * 0.12, y - tall * 0.4), fill=(240, 196, 96)
        )
    draw.rectangle((x + wide * 0.78, y - tall * 0.6, x + wide * 0.92, y), fill=WOOD)
    if building == "mill":
        _draw_wheel(draw, (x - size * 0.05, y - tall * 0.42), size * 0.13)
    if building == "chapel":
        tower = (x + wide * 0.02, y - tall * 2.3, x + wide * 0.24, y)
        draw.rectangle(tower, fill=wall)
        draw.polygon(
            [(tower[0], tower[1]), (tower[2], tower[1]), (x + wide * 0.13, y - tall * 3.1)],
            fill=roof,
        )


def _draw_wheel(draw: ImageDraw.ImageDraw, middle: Point, radius: float) -> None:
    x, y = middle
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=WOOD, width=14)
    for spoke in range(8):
        angle = math.pi * spoke / 8 + 0.2
        dx, dy = radius * math.cos(angle), radius * math.sin(angle)
        draw.line((x - dx, y - dy, x + dx, y + dy), fill=WOOD, width=9)


def _draw_bridge(draw: ImageDraw.ImageDraw, width: int, height: int, light: Light) -> None:
    """Draw a stream across the picture, and a bridge with one arch over it."""
    water = _between(light.above, light.hills, 0.4)
    top, bottom = height * 0.72, height * 0.84
    draw.polygon([(0, top), (width, top + 40), (width, bottom), (0, bottom + 30)], fill=water)
    left, right, deck = width * 0.26, width * 0.82, height * 0.7
    stone = _between(STONE, light.hills, 0.15)
    draw.polygon(
        [
            (left - width * 0.08, bottom),
            (left, deck),
            (right, deck),
            (right + width * 0.08, bottom),
        ],
        fill=stone,
    )
    middle, arch, tall = (left + right) / 2, (right - left) * 0.24, bottom - deck - 36
    draw.pieslice(
        (middle - arch, deck + 40, middle + arch, deck + 40 + 2 * tall), 180, 360, fill=water
    )
    draw.line((left, deck, right, deck), fill=SNOW, width=22)


def _draw_troop(picture: Image.Image, troop: Troop, light: Light, luck: Random) -> None:
    """Draw the figures of a troop, each with a round base and a shadow."""
    draw, (width, height) = ImageDraw.Draw(picture), picture.size
    colour = tuple(int(troop.colour[place : place + 2], 16) for place in (1, 3, 5))
    ink = _between((colour[0], colour[1], colour[2]), (30, 26, 23), 0.35)
    size = min(width, height) * 0.17 * (0.5 + troop.near / 2) / 140
    for place in range(troop.count):
        share = (place + 0.5) / troop.count
        x = (
            width * (troop.left + (troop.right - troop.left) * share)
            + luck.uniform(-20, 20)
            - 50 * size
        )
        y = height * troop.near + luck.uniform(-26, 26)
        foot = 134 * size
        draw.ellipse(
            (x + 8 * size, y - 8 * size, x + 92 * size, y + 9 * size),
            fill=_between(light.ground, (40, 36, 34), 0.5),
        )
        arms = troop.arms[place % len(troop.arms)]
        for shape in _shapes(arms, troop.hat, mounted=troop.mounted):
            points = [(x + px * size, y - foot + py * size) for px, py in shape]
            draw.polygon(points, fill=ink)


def _draw_snow(picture: Image.Image, light: Light, luck: Random) -> None:
    draw, (width, height) = ImageDraw.Draw(picture), picture.size
    for _ in range(light.snowfall):
        x, y, radius = luck.uniform(0, width), luck.uniform(0, height), luck.uniform(2, 7)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=(250, 250, 248))


@cache
def _shapes(arms: str, hat: str, *, mounted: bool) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of a figure in a space of 100 by 140."""
    paths = [BODIES["rider" if mounted else "foot"], HATS[hat], CARRIED[arms]]
    if mounted:
        paths.insert(0, BODIES["horse"])
    return tuple(outline for shape in paths for outline in _outlines(shape))


def _outlines(shape: str) -> Iterator[tuple[Point, ...]]:
    """Yield the outlines of an SVG path, with curves as short lines."""
    pen, points = RecordingPen(), list[Point]()
    parse_path(shape, pen)
    for command, values in pen.value:
        if command == "moveTo":
            points = [values[0]]
        elif command == "lineTo":
            points.append(values[0])
        elif command in ("curveTo", "qCurveTo"):
            points += _curve((points[-1], *values))
        elif points:
            yield tuple(points)
            points = []


def _curve(handles: Sequence[Point]) -> list[Point]:
    """Return points of a Bézier curve after its first one, by De Casteljau's algorithm."""
    reached = []
    for step in range(1, CURVE_STEPS + 1):
        share, line = step / CURVE_STEPS, list(handles)
        while len(line) > 1:
            line = [
                (ax + (bx - ax) * share, ay + (by - ay) * share)
                for (ax, ay), (bx, by) in pairwise(line)
            ]
        reached.append(line[0])
    return reached


def _between(first: Colour, second: Colour, share: float) -> Colour:
    """Return the colour at this share of the way from the first to the second."""
    share = min(max(share, 0.0), 1.0)
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue
