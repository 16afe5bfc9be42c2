"""Write the objects of a file, in small packs and one after the other.

pydyf compresses all small objects of a file at once and copies them several times. For a book of
200 battles that took 10 seconds and 130 MB, and a reader of the file had to unpack everything to
show one page.
"""

import hashlib
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
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
ON_ITS_OWN, IN_A_PACK = 1 << 56, 2 << 56
"""The first byte of a row in the table of all places (ISO 32000-1, 7.5.8). Five bytes follow with
the place of the object or the number of its pack, and two bytes with its index in the pack."""
PLACE = 1 << 16
"""The factor of a place, or of the number of a pack, in a row."""
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
        items = [
            b"/%b %b" % (_key(key), value if type(value) is bytes else serialised(value))
            for key, value in thing.items()
        ]
        data = b"<<%b>>" % b"".join(items)
    elif kind is pydyf.Array:
        values = [value if type(value) is bytes else serialised(value) for value in thing]
        data = b"[%b]" % b" ".join(values)
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
    writer = FileWriter(len(pdf.objects))
    for number, thing in enumerate(pdf.objects[1:], start=1):
        writer.write(number, serialised(thing))
    # The file and its streams refer to each other: this frees them without the garbage collector.
    pdf.objects.clear()
    info, number = serialised(pdf.info), pdf.catalog.number
    output.write(writer.finished(catalog=number, info=info, identifier=identifier.decode()))


class FileWriter:
    """Writes a file object by object, so that they need not all be in memory.

    A stream is written on its own and at once, all other objects in compressed packs. The numbers
    below ``reserved`` are for the caller, who gets all others from ``new_number``.
    """

    def __init__(self, reserved: int) -> None:
        self.output, self.digest = BytesIO(), hashlib.sha256()
        self.output.write(HEADER)
        # The rows of the table of all places: as tuples, those of a book would need 25 MB.
        self.places = array("Q", [0]) * reserved
        self.pack: list[tuple[int, bytes]] = []

    def new_number(self) -> int:
        """Return the number of an object that is written later."""
        self.places.append(0)
        return len(self.places) - 1

    def add(self, data: bytes) -> int:
        """Write an object, and return its new number."""
        number = self.new_number()
        self.write(number, data)
        return number

    def write(self, number: int, data: bytes) -> None:
        """Write an object."""
        if STREAM in data:
            self._write(number, data)
            return
        self.pack.append((number, data))
        if len(self.pack) == PACK:
            self._write_pack()

    def write_all(self, objects: Mapping[int, bytes]) -> None:
        """Write objects by their numbers."""
        for number, data in objects.items():
            self.write(number, data)

    def finished(self, *, catalog: int, info: bytes, identifier: str) -> bytes:
        """Return the whole file.

        ``catalog`` is the number of the catalogue, ``info`` the object about the file, and
        ``identifier`` (hex) the first half of the file's identifier. The second half is a hash of
        the file.
        """
        info_number = self.add(info)
        if self.pack:
            self._write_pack()
        table, begun = self.new_number(), self.output.tell()
        self.places[table] = ON_ITS_OWN + begun * PLACE
        head = (
            b"/Type /XRef/W [1 5 2]/Index [0 %d]/Size %d/Root %d 0 R/Info %d 0 R/ID [(%b) (%b)]"
        ) % (
            table + 1,
            table + 1,
            catalog,
            info_number,
            identifier.encode(),
            self.digest.hexdigest()[:32].encode(),
        )
        rows = array("Q", self.places)
        if sys.byteorder == "little":
            rows.byteswap()
        self._write(table, stream(head, rows.tobytes()))
        self.output.write(b"startxref\n%d\n%%%%EOF\n" % begun)
        return self.output.getvalue()

    def _write(self, number: int, data: bytes) -> None:
        """Write an object on its own."""
        self.places[number] = ON_ITS_OWN + self.output.tell() * PLACE
        text = b"%d 0 obj\n%b\nendobj\n" % (number, data)
        self.output.write(text)
        self.digest.update(text)

    def _write_pack(self) -> None:
        pack = self.new_number()
        self._write(pack, _packed(self.pack))
        for index, (number, _) in enumerate(self.pack):
            self.places[number] = IN_A_PACK + pack * PLACE + index
        self.pack.clear()


def _packed(pack: Sequence[tuple[int, bytes]]) -> bytes:
    """Return a pack of objects (ISO 32000-1, 7.5.7)."""
    table, position = [], 0
    for number, data in pack:
        table.append(b"%d %d" % (number, position))
        position += len(data) + 1
    first = b" ".join(table)
    head = b"/Type /ObjStm/N %d/First %d" % (len(pack), len(first) + 1)
    return stream(head, b"\n".join([first, *(data for _, data in pack)]))
