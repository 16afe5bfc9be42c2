"""Write the objects of a file, in small packs and one after the other.

pydyf compresses all small objects of a file at once and copies them several times. For a book of
200 battles that took 10 seconds and 130 MB, and a reader of the file had to unpack everything to
show one page.
"""

import hashlib
import zlib
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import Any, BinaryIO

import pydyf  # type: ignore[import-untyped]

STREAM = b"\nstream\n"
"""The bytes between the head of a stream and its content."""
PACK = 1000
"""The number of objects that are compressed together."""
COMPRESSION = 6
"""The level of compression. At level 9 it takes several times as long, for a few percent less."""
ROW = 8
"""The length of a row in the table of all places: one byte, five bytes and two bytes."""
HEADER = b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n"


def stream(head: bytes, data: bytes | bytearray) -> bytes:
    """Return a compressed stream, with these entries in its head."""
    return _stream(head + b"/Filter /FlateDecode", zlib.compress(data, COMPRESSION))


def _stream(head: bytes, data: bytes) -> bytes:
    return b"<<%b/Length %d>>%b%b\nendstream" % (head, len(data), STREAM, data)


def serialised(thing: Any) -> bytes:
    """Return the bytes of a value of pydyf, as pydyf writes it except for compression.

    Nearly all values are dictionaries, arrays and references, for which this takes a third of the
    time: a tag has ten values, and a book a hundred thousand tags.
    """
    kind = type(thing)
    if kind is bytes:
        data: bytes = thing
    elif kind is str:
        data = thing.encode("ascii")
    elif kind is int:
        data = b"%d" % thing
    elif kind is pydyf.Dictionary:
        items = [b"/%b %b" % (_key(key), serialised(value)) for key, value in thing.items()]
        data = b"<<%b>>" % b"".join(items)
    elif kind is pydyf.Array:
        data = b"[%b]" % b" ".join(map(serialised, thing))
    elif isinstance(thing, pydyf.Stream):
        # pydyf compresses at level 9.
        head = b"".join(b"/%b %b" % (_key(k), serialised(v)) for k, v in thing.extra.items())
        content = b"\n".join(map(serialised, thing.stream))
        data = stream(head, content) if thing.compress else _stream(head, content)
    else:
        data = pydyf._to_bytes(thing)
    return data


@lru_cache(maxsize=1024)
def _key(key: str | bytes) -> bytes:
    return key if isinstance(key, bytes) else key.encode("ascii")


def write_packs(
    pdf: pydyf.PDF, output: BinaryIO, version: str, identifier: bytes, compress: bool
) -> None:
    """Write a finished file. It has the arguments of pydyf's ``PDF.write``, which it replaces.

    pydyf makes and compresses each object twice, the second time for the file's identifier.
    """
    objects = [b"", *map(serialised, pdf.objects[1:])]
    info, number = serialised(pdf.info), pdf.catalog.number
    output.write(written_file(objects, catalog=number, info=info, identifier=identifier.decode()))


def written_file(objects: list[bytes], *, catalog: int, info: bytes, identifier: str) -> bytes:
    """Return the file of some objects, which are emptied meanwhile to save memory.

    An object's place in the list is its number, and the first one is not used. ``catalog`` is the
    number of the catalogue, ``info`` the object about the file, and ``identifier`` (hex) the first
    half of the file's identifier. The second half is a hash of the file.
    """
    info_number = len(objects)
    objects.append(info)
    # The rows of the table of all places: as tuples, those of a book would need 25 MB.
    output, places = BytesIO(), bytearray(ROW) * len(objects)
    digest = hashlib.sha256()

    def write(number: int, data: bytes) -> int:
        """Write an object, and return where it begins."""
        start = output.tell()
        text = b"%d 0 obj\n%b\nendobj\n" % (number, data)
        output.write(text)
        digest.update(text)
        return start

    # Step 1: streams, each on its own.
    output.write(HEADER)
    small = []
    for number, data in enumerate(objects[1:], start=1):
        if STREAM in data:
            _set_row(places, number, 1, write(number, data), 0)
            objects[number] = b""
        else:
            small.append(number)

    # Step 2: all others, in compressed packs.
    for start in range(0, len(small), PACK):
        numbers = small[start : start + PACK]
        pack = len(places) // ROW
        places += _row(1, write(pack, _packed(numbers, objects)), 0)
        for index, number in enumerate(numbers):
            _set_row(places, number, 2, pack, index)
            objects[number] = b""

    # Step 3: the table of all places.
    table, begun = len(places) // ROW, output.tell()
    places += _row(1, begun, 0)
    head = b"/Type /XRef/W [1 5 2]/Index [0 %d]/Size %d/Root %d 0 R/Info %d 0 R/ID [(%b) (%b)]" % (
        table + 1,
        table + 1,
        catalog,
        info_number,
        identifier.encode(),
        digest.hexdigest()[:32].encode(),
    )
    write(table, stream(head, places))
    output.write(b"startxref\n%d\n%%%%EOF\n" % begun)
    return output.getvalue()


def _packed(numbers: Sequence[int], objects: Sequence[bytes]) -> bytes:
    """Return a pack of objects (ISO 32000-1, 7.5.7)."""
    table, position = [], 0
    for number in numbers:
        table.append(b"%d %d" % (number, position))
        position += len(objects[number]) + 1
    first = b" ".join(table)
    head = b"/Type /ObjStm/N %d/First %d" % (len(numbers), len(first) + 1)
    return stream(head, b"\n".join([first, *(objects[number] for number in numbers)]))


def _set_row(places: bytearray, number: int, kind: int, place: int, index: int) -> None:
    places[number * ROW : (number + 1) * ROW] = _row(kind, place, index)


def _row(kind: int, place: int, index: int) -> bytes:
    return kind.to_bytes(1) + place.to_bytes(5) + index.to_bytes(2)
