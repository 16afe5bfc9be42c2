"""Which dice an event takes is said once by its kind: throwing them and missing them follow."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

import pytest

from rulebook.battle_log.kinds import Die, RuledEvent, TwoDice, field_meta, missing_dice
from rulebook.dice.committed import KeptDice
from rulebook.dice.cup import Cup


class Leapt(RuledEvent[None], frozen=True, kw_only=True, omit_defaults=True):
    """Two dice, one of which can be rolled again. Less than 5 means a fall, with a third die."""

    spare_dice: ClassVar[Mapping[str, tuple[str, str]]] = {
        "again": ("Only the nimble throw again.", "Sheet")
    }

    nimble: Annotated[bool, field_meta("Nimble")] = False
    dice: Annotated[TwoDice, field_meta("Dice")] = ()
    again: Annotated[Die | None, field_meta("Again")] = None
    fall: Annotated[Die | None, field_meta("Fall")] = None

    def dice_wanted(self, state: None) -> Iterator[Mapping[str, int]]:
        yield {"dice": 2}
        yield {"again": int(self.nimble)}
        yield {"fall": int(sum(self.dice) < 5)}


@pytest.mark.parametrize(
    ("nimble", "dice", "thrown"),
    [
        (False, [1, 2, 3], ((1, 2), None, 3)),
        (False, [3, 4], ((3, 4), None, None)),
        (True, [3, 4, 6], ((3, 4), 6, None)),
    ],
)
def test_dice_are_thrown_in_order_and_the_later_ask_the_earlier(nimble, dice, thrown):
    event = Leapt(nimble=nimble).throw(None, Cup(KeptDice(dice, None)))
    assert (event.dice, event.again, event.fall) == thrown
    assert not [*event.dice_errors(None)]


def test_dice_that_are_missing_or_asked_for_by_nothing_are_named_one_step_at_a_time():
    assert [each.field for each in Leapt().dice_errors(None)] == ["dice"]
    assert [each.field for each in Leapt(dice=(1, 2)).dice_errors(None)] == ["fall"]
    assert [each.field for each in Leapt(dice=(3, 4), fall=2).dice_errors(None)] == ["fall"]


def test_spare_dice_are_optional_and_explained():
    assert not [*Leapt(nimble=True, dice=(3, 4)).dice_errors(None)]
    (problem,) = Leapt(dice=(3, 4), again=2).dice_errors(None)
    assert (problem.sentence, problem.source) == (
        "Only the nimble throw again. Leave 'again' out.",
        "Sheet",
    )


def test_missing_dice_error_names_count():
    (problem,) = missing_dice("dice", (3,), 2)
    assert problem.sentence.startswith("'dice' takes 2 dice here, not 1: enter all of them")
    assert not [*missing_dice("die", None, 0)]
