"""Check the picture files of an archive: accept only files that Muster could have written.

Encoding them again would change their bytes. So each file is decoded completely, and must hold
nothing but a picture: no camera data, no comments, and nothing after its end.
"""

from io import BytesIO
from typing import Any

from django.utils.translation import gettext
from PIL import Image, ImageFile

from core.signatures import digest
from pictures.services.decoding import LARGE, SMALL, Decoded, Size

KINDS = {"jpg": "JPEG", "webp": "WEBP"}
CHUNKS = {b"VP8 ", b"VP8L", b"VP8X", b"ALPH"}
HEAD = 12


class NoPicture(ValueError):
    """Why a file is not a picture of Muster, as a sentence."""


def checked(row: dict[str, Any], large: bytes, small: bytes) -> Decoded:
    """Check both sizes of the picture of a row and return them. Raises NoPicture."""
    ending = str(row["large"]).rpartition(".")[2]
    if digest(large) != row["digest"]:
        raise NoPicture(gettext("This is not the stored picture: its hash differs."))
    sizes = (("large", large, LARGE), ("small", small, SMALL))
    drawn = {name: _size(content, ending, most) for name, content, most in sizes}
    for name, size in drawn.items():
        if (size.width, size.height) != (row[f"{name}_width"], row[f"{name}_height"]):
            raise NoPicture(gettext("Its width or height does not match the one in the row."))
    return Decoded(drawn["large"], drawn["small"], ending)


def _size(content: bytes, ending: str, most: int) -> Size:
    """Check one size by decoding it completely. Raises NoPicture."""
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with Image.open(BytesIO(content), formats=(KINDS[ending],)) as image:
            if max(image.size) > most:
                raise NoPicture(gettext("It is larger than any picture in Muster."))
            image.load()
            size = Size(content, *image.size)
            markers = [marker for marker, _ in getattr(image, "applist", ())]
    except NoPicture:
        raise
    except Exception as error:
        # Pillow's decoders raise errors of many classes for malicious files.
        raise NoPicture(gettext("It cannot be read as a picture.")) from error
    plain = _plain_jpeg(content, markers) if ending == "jpg" else _plain_webp(content)
    if not plain:
        raise NoPicture(gettext("It contains more than a picture."))
    return size


def _plain_jpeg(content: bytes, markers: list[str]) -> bool:
    return set(markers) <= {"APP0"} and content.endswith(b"\xff\xd9")


def _plain_webp(content: bytes) -> bool:
    """Return whether a WebP file holds only the chunks of a still picture."""
    if int.from_bytes(content[4:8], "little") + 8 != len(content):
        return False
    place = HEAD
    while place < len(content):
        if content[place : place + 4] not in CHUNKS:
            return False
        length = int.from_bytes(content[place + 4 : place + 8], "little")
        place += 8 + length + length % 2
    return place == len(content)
