"""Points of small order are refused in keys and signatures: they allow signatures that fit any
text."""

import hashlib
from itertools import product

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from core.errors import InvalidInput
from core.signatures import FIELD, Signature, fingerprint_of, is_sound_point, verify
from exchange.services.trust import read_key

D = -121665 * pow(121666, -1, FIELD) % FIELD
ROOT_OF_MINUS_1 = pow(2, (FIELD - 1) // 4, FIELD)
GROUP = 2**252 + 27742317777372353535851937790883648493

Point = tuple[int, int]


def sum_of(first: Point, second: Point) -> Point:
    """Return the sum of two points, by the formula of RFC 8032."""
    (x, y), (u, v) = first, second
    product_of_all = D * x * u * y * v % FIELD
    added = (x * v + u * y) * pow(1 + product_of_all, -1, FIELD) % FIELD
    return added, (y * v + x * u) * pow(1 - product_of_all, -1, FIELD) % FIELD


def times(number: int, point: Point) -> Point:
    total = (0, 1)
    while number:
        if number & 1:
            total = sum_of(total, point)
        point, number = sum_of(point, point), number >> 1
    return total


def point_at(y: int) -> Point | None:
    """Return the point with this y and an even x; None if there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, FIELD) % FIELD
    x = pow(square, (FIELD + 3) // 8, FIELD)
    if x * x % FIELD != square:
        x = x * ROOT_OF_MINUS_1 % FIELD
    if x * x % FIELD != square:
        return None
    return (x if x % 2 == 0 else FIELD - x), y


def torsion() -> set[Point]:
    """Return the eight points whose order divides 8.

    They are multiples of any point by the order of the large group.
    """
    points = (times(GROUP, point) for y in range(2, 60) if (point := point_at(y)))
    generator = next(point for point in points if times(4, point) != (0, 1))
    return {times(number, generator) for number in range(8)}


def encodings(points: set[Point]) -> set[bytes]:
    """Return all 32-byte strings that a lenient decoder reads as one of these points."""
    keys = set()
    for y, sign in product({y for _, y in points}, (0, 1)):
        for written in (y, y + FIELD):
            if written < 2**255:
                keys.add((written | sign << 255).to_bytes(32, "little"))
    return keys


WEAK = sorted(encodings(torsion()))


def test_there_are_eight_points_in_fourteen_encodings() -> None:
    assert (len(torsion()), len(WEAK)) == (8, 14)


@pytest.mark.parametrize("encoded", WEAK, ids=bytes.hex)
def test_weak_key_is_refused(encoded: bytes) -> None:
    assert not is_sound_point(encoded)
    with pytest.raises(InvalidInput) as refusal:
        read_key(encoded.hex())
    assert refusal.value.code == "weak-key"


def test_forged_signatures_of_weak_keys_do_not_hold() -> None:
    """With a weak key and a weak first half, OpenSSL takes one signature in eight for good,
    whatever is signed."""
    taken = 0
    for key, start, number in product(WEAK, WEAK, range(4)):
        body, signature = f"Text {number}".encode(), start + bytes(32)
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, body)
            taken += 1
        except InvalidSignature:
            pass
        public = key.hex()
        assert not verify(body, Signature(fingerprint_of(public), signature.hex()), public)
    assert taken > 0


@pytest.mark.parametrize("start", WEAK, ids=bytes.hex)
def test_weak_first_half_of_a_signature_is_refused(start: bytes) -> None:
    """The owner of the private key can sign this way: S is the hash times the key, and R adds
    nothing."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public, body = private.public_key().public_bytes_raw(), b"what happened"
    half = bytearray(hashlib.sha512(private.private_bytes_raw()).digest()[:32])
    half[0], half[31] = half[0] & 248, half[31] & 63 | 64
    hashed = int.from_bytes(hashlib.sha512(start + public + body).digest(), "little")
    scalar = hashed * int.from_bytes(half, "little") % GROUP
    signature = start + scalar.to_bytes(32, "little")
    assert not verify(body, Signature(fingerprint_of(public.hex()), signature.hex()), public.hex())


@pytest.mark.parametrize("y", range(2**255 - 19, 2**255, 3))
def test_key_that_is_not_canonical_is_refused(y: int) -> None:
    assert not is_sound_point(y.to_bytes(32, "little"))


def test_proper_keys_and_signatures_hold() -> None:
    for number in range(20):
        private = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        public, body = private.public_key().public_bytes_raw().hex(), b"what happened"
        signature = Signature(fingerprint_of(public), private.sign(body).hex())
        assert verify(body, signature, public) and read_key(public)[0].public == public


@pytest.mark.parametrize("encoded", [b"", bytes(31), bytes(33)])
def test_points_reject_other_lengths(encoded: bytes) -> None:
    assert not is_sound_point(encoded)
