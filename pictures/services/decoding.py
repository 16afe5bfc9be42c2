"""Make a picture from an upload: decode it, turn it upright, and encode it again in two sizes.

Nothing else of the upload is kept.
"""

from hashlib import sha256
from io import BytesIO
from typing import IO

from django.utils.translation import gettext
from msgspec import Struct
from PIL import Image, ImageCms, ImageFile, ImageOps

from core.cleaning import field_error
from core.errors import InvalidInput

MAX_BYTES = 10 * 1024 * 1024
MAX_PIXELS = 50_000_000
READ = ("JPEG", "PNG", "WEBP")
LARGE, SMALL = 1600, 480
"""The longest edge of each size, in pixels. Small pictures are not enlarged."""
QUALITY = 84
HEAD = 1024
"""The number of bytes that are read to recognise an unsupported format."""
SIGNATURES = (
    (b"GIF8", "GIF"),
    (b"%PDF", "PDF"),
    (b"BM", "BMP"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"\0\0\1\0", "ICO"),
    (b"<svg", "SVG"),
    (b"<?xml", "SVG"),
)
BRANDS = {
    b"avif": "AVIF",
    b"avis": "AVIF",
    b"heic": "HEIC",
    b"heix": "HEIC",
    b"hevc": "HEIC",
    b"mif1": "HEIC",
}
BRANDS |= {b"msf1": "HEIC", b"heim": "HEIC", b"heis": "HEIC"}


class Size(Struct, frozen=True):
    """A picture in one size as it is stored: its bytes, and its width and height in pixels."""

    content: bytes
    width: int
    height: int


class Decoded(Struct, frozen=True):
    """A picture that was encoded again: as JPEG, or as WebP if it has transparency.

    ``ending`` is a key of ``FORMATS``.
    """

    large: Size
    small: Size
    ending: str

    @property
    def digest(self) -> str:
        """The SHA-256 of the large size."""
        return sha256(self.large.content).hexdigest()


def decode_picture(file: IO[bytes], size: int, name: str = "") -> Decoded:
    """Return the picture in a file of ``size`` bytes, upright; of an animation, the first frame.

    Raises InvalidInput (`too-many-bytes`, `unsupported-format`, `too-many-pixels` or
    `unreadable-picture`), with the value that was sent and a solution.
    """
    if size > MAX_BYTES:
        most, sent_size = MAX_BYTES // 1024**2, f"{size / 1024**2:.1f} MB"
        sentence = gettext(
            "The file has %(sent)s. At most %(most)d MB are allowed. Use a smaller file, or JPEG."
        )
        raise field_error(
            "file", "too-many-bytes", sentence % {"sent": sent_size, "most": most}, sent_size
        )
    # WeasyPrint sets this to True for the whole process, but a truncated upload must be refused.
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    head = file.read(HEAD)
    file.seek(0)
    try:
        with Image.open(file, formats=READ) as image:
            return _drawn(image)
    except InvalidInput:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_many_pixels("") from None
    except Exception as error:
        # Decoders raise unrelated exceptions for hostile bytes. Whatever they raise, this is not a
        # picture for us.
        raise _unreadable(head, name) from error


def _drawn(image: Image.Image) -> Decoded:
    """Return both sizes.

    Only the head of the file has been read so far. Nothing is decoded before its pixels are
    counted.
    """
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise _too_many_pixels(f"{width} × {height}")
    image.draft("RGB", (LARGE, LARGE))
    upright = ImageOps.exif_transpose(image)
    clear = "A" in upright.getbands() or "transparency" in upright.info
    profile = upright.info.get("icc_profile")
    plain = upright.convert("RGBA" if clear else "RGB")
    plain.info.clear()
    plain.thumbnail((LARGE, LARGE), Image.Resampling.LANCZOS)
    large = _in_srgb(plain, profile)
    small = large.copy()
    small.thumbnail((SMALL, SMALL), Image.Resampling.LANCZOS)
    ending = "webp" if clear else "jpg"
    return Decoded(_written(large, ending), _written(small, ending), ending)


def _in_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Return the picture in sRGB, which viewers assume for files without a colour profile."""
    if not profile:
        return image
    try:
        own_profile = ImageCms.ImageCmsProfile(BytesIO(profile))
        turned = ImageCms.profileToProfile(
            image, own_profile, ImageCms.createProfile("sRGB"), outputMode=image.mode
        )
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image
    if turned is None:
        return image
    turned.info.clear()
    return turned


def _written(image: Image.Image, ending: str) -> Size:
    written = BytesIO()
    if ending == "webp":
        image.save(written, "WEBP", quality=QUALITY, method=4)
    else:
        image.save(written, "JPEG", quality=QUALITY, optimize=True, progressive=True)
    return Size(written.getvalue(), *image.size)


def _too_many_pixels(pixels: str) -> InvalidInput:
    sentence = gettext(
        "The picture has too many pixels. At most %(most)d million are allowed. Use a smaller "
        "picture."
    )
    return field_error(
        "file", "too-many-pixels", sentence % {"most": MAX_PIXELS // 1_000_000}, pixels
    )


def _unreadable(head: bytes, name: str) -> InvalidInput:
    """Return the error for an unreadable file, with its format if it is known."""
    format_name = format_of(head)
    if format_name == "HEIC":
        sentence = gettext(
            "HEIC pictures are not supported, because most browsers cannot show them. Use JPEG."
        )
        return field_error("file", "unsupported-format", sentence, format_name)
    if format_name:
        sentence = gettext("%(format)s files are not supported. Use JPEG, PNG or WebP.") % {
            "format": format_name
        }
        return field_error("file", "unsupported-format", sentence, format_name)
    sentence = gettext(
        "This file cannot be read as a picture. Use a JPEG, PNG or WebP that opens on your own "
        "device."
    )
    return field_error("file", "unreadable-picture", sentence, name[:80])


def format_of(head: bytes) -> str:
    """Return the name of an unsupported format from the first bytes of a file, or "" if unknown."""
    if head[4:8] == b"ftyp":
        return BRANDS.get(head[8:12], "")
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if b"<svg" in head.lower():
        return "SVG"
    return next((name for signature, name in SIGNATURES if start.startswith(signature)), "")
