"""Uploads are decoded and drawn again: nothing that came with them is kept, and nothing else gets
in."""

from io import BytesIO

import pytest
from PIL import Image, ImageCms

from core.errors import InvalidInput
from pictures.services.decoding import LARGE, MAX_BYTES, SMALL, Decoded, decode_picture
from tests.pictures.samples import SECRET, bomb, phone_photo, png_with_words, scene, written

pytestmark = pytest.mark.one_database


def decoded(content: bytes, size: int | None = None) -> Decoded:
    return decode_picture(BytesIO(content), len(content) if size is None else size, "mine")


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


def test_a_photo_is_turned_upright_and_keeps_nothing_that_was_written_into_it() -> None:
    assert SECRET in phone_photo()
    picture = decoded(phone_photo())
    for size in (picture.large, picture.small):
        image = opened(size.content)
        assert (image.format, image.size) == ("JPEG", (size.width, size.height))
        assert not image.getexif() and "comment" not in image.info and SECRET not in size.content
    large = opened(picture.large.content)
    assert large.size == (480, 640), "it lay on its side"
    top, bottom = (large.convert("RGB").getpixel((240, y)) for y in (10, 630))
    assert isinstance(top, tuple) and isinstance(bottom, tuple)
    assert top[0] > 200 > bottom[0], "its left edge is on top now"


def test_what_lets_something_through_still_does_and_keeps_no_words() -> None:
    picture = decoded(png_with_words())
    assert picture.ending == "webp" and SECRET not in picture.large.content
    assert opened(picture.small.content).mode == "RGBA"


def test_sizes_have_their_limits_and_nothing_is_made_larger() -> None:
    picture = decoded(written(scene(3000, 1000)))
    assert (picture.large.width, picture.large.height) == (LARGE, 533)
    assert (picture.small.width, picture.small.height) == (SMALL, 160)
    tiny = decoded(written(scene(40, 30), "PNG"))
    assert (tiny.large.width, tiny.small.width, tiny.ending) == (40, 40, "jpg")


def test_of_an_animated_picture_the_first_frame_is_kept() -> None:
    frames = [Image.new("RGB", (60, 60), colour) for colour in ("red", "blue")]
    moving = written(frames[0], "WEBP", save_all=True, append_images=frames[1:], duration=100)
    image = opened(decoded(moving).large.content)
    pixel = image.convert("RGB").getpixel((30, 30))
    assert getattr(image, "n_frames", 1) == 1 and isinstance(pixel, tuple) and pixel[0] > 200


@pytest.mark.parametrize("mode", ["L", "P", "LA", "CMYK", "1", "I;16"])
def test_pictures_of_every_mode_are_taken(mode: str) -> None:
    kind = "JPEG" if mode == "CMYK" else "PNG"
    assert decoded(written(Image.new(mode, (30, 30)), kind)).large.width == 30


def test_colours_of_another_space_are_turned_and_a_broken_profile_does_no_harm() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for embedded in (profile, b"no profile at all"):
        assert (
            "icc_profile"
            not in opened(decoded(written(scene(), icc_profile=embedded)).large.content).info
        )


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 40


@pytest.mark.parametrize(
    ("content", "code", "value", "way_out"),
    [
        (HEIC, "unsupported-format", "HEIC", "Use JPEG"),
        (
            b'<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
            "unsupported-format",
            "SVG",
            "JPEG, PNG or WebP",
        ),
        (
            b'<?xml version="1.0"?>\n<!-- --><svg/>',
            "unsupported-format",
            "SVG",
            "JPEG, PNG or WebP",
        ),
        (written(scene(), "GIF"), "unsupported-format", "GIF", "JPEG, PNG or WebP"),
        (b"%PDF-1.7\n", "unsupported-format", "PDF", "JPEG, PNG or WebP"),
        (b"MZ\x90\0 a program", "unreadable-picture", "mine", "JPEG, PNG or WebP"),
        (
            b"<!doctype html><script>alert(1)</script>",
            "unreadable-picture",
            "mine",
            "JPEG, PNG or WebP",
        ),
        (b"", "unreadable-picture", "mine", "JPEG, PNG or WebP"),
        (phone_photo()[:900], "unreadable-picture", "mine", "JPEG, PNG or WebP"),
        (bomb(), "too-many-pixels", "", "Use a smaller"),
        (bomb(9_000, 9_000), "too-many-pixels", "9000 × 9000", "Use a smaller"),
        (bomb(8_000, 6_000), "unreadable-picture", "mine", "JPEG, PNG or WebP"),
    ],
)
def test_unsupported_files_are_rejected_with_advice(
    content: bytes, code: str, value: str, way_out: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        decoded(content)
    (problem,) = refused.value.problems
    assert (problem.code, problem.field, problem.value) == (code, "file", value)
    assert way_out in problem.sentence


def test_what_is_too_many_bytes_is_refused_before_it_is_read() -> None:
    with pytest.raises(InvalidInput) as refused:
        decoded(b"", MAX_BYTES + 1)
    assert refused.value.code == "too-many-bytes" and "10 MB" in refused.value.sentence
