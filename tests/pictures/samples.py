"""Files as people upload them: phone photos, drawings, and files without a picture."""

import struct
import zlib
from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageDraw, PngImagePlugin

SECRET = b"GPS 48.85 N, taken by Alice"


def written(image: Image.Image, kind: str = "JPEG", **how: Any) -> bytes:
    """Return the picture as a file."""
    out = BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()


def scene(width: int = 640, height: int = 480, mode: str = "RGB") -> Image.Image:
    """Return a picture with red on the left and blue on the right."""
    image = Image.new(mode, (width, height), "blue")
    ImageDraw.Draw(image).rectangle((0, 0, width // 2, height), fill="red")
    return image


def phone_photo() -> bytes:
    """Return a rotated photo with a location, a comment and other texts in its metadata."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x013B] = SECRET.decode()
    exif.get_ifd(0x8825)[1] = "N"
    return written(scene(), exif=exif, comment=SECRET, quality=90)


def png_with_words() -> bytes:
    """Return a PNG with a text and a transparent corner."""
    image = scene(mode="RGBA")
    image.putpixel((0, 0), (0, 0, 0, 0))
    words = PngImagePlugin.PngInfo()
    words.add_text("Author", SECRET.decode())
    return written(image, "PNG", pnginfo=words)


def bomb(width: int = 20_000, height: int = 20_000) -> bytes:
    """Return a PNG whose header claims this size, but which has no pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(b"\0")), (b"IEND", b""))
    packed = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def sent(content: bytes | None = None, name: str = "photo.jpg") -> SimpleUploadedFile:
    """Return an uploaded file of a form."""
    return SimpleUploadedFile(name, phone_photo() if content is None else content, "image/jpeg")
