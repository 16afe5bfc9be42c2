"""Values in memory: found again by their arguments, and dropped before they take too much room."""

from core.computed_values import ComputedValues


def kept(values: ComputedValues[str], key: str, text: str) -> str:
    """Return the value for a key, which is this text if none is kept."""
    return values.value(key, lambda: text)


def test_a_value_is_computed_once_for_its_arguments() -> None:
    values: ComputedValues[str] = ComputedValues(2)
    assert [kept(values, key, f"of {key}") for key in "aab"] == ["of a", "of a", "of b"]
    assert kept(values, "a", "again") == "of a"


def test_values_that_were_not_used_for_longest_are_dropped() -> None:
    values: ComputedValues[str] = ComputedValues(2)
    for key in ("a", "b", "a", "c"):
        kept(values, key, f"of {key}")
    assert kept(values, "a", "again") == "of a"
    assert kept(values, "b", "again") == "again"


def test_large_values_leave_room_for_few() -> None:
    """A process that serves many clubs does not grow with each page."""
    values: ComputedValues[str] = ComputedValues(10, size_of=len)
    for key, text in (("a", "12345"), ("b", "1234"), ("c", "123")):
        kept(values, key, text)
    assert kept(values, "b", "again") == "1234"
    assert kept(values, "a", "again") == "again", "15 letters are too many"
    assert kept(values, "long", "12345678901") == "12345678901"
    assert kept(values, "long", "again") == "again", "longer than everything that is kept"


def test_nothing_is_left_of_cleared_values() -> None:
    values: ComputedValues[str] = ComputedValues(4, size_of=len)
    kept(values, "a", "1234")
    values.clear()
    kept(values, "b", "1234")
    assert kept(values, "b", "again") == "1234"
    assert kept(values, "a", "again") == "again"
