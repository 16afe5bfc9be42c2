"""Lines of sums that people see at the table."""

from rulebook.values.answers import ReasonLine


def dice_line(dice: tuple[int, ...], rule: str) -> ReasonLine:
    """Dice as a line: "Dice 3 and 4"."""
    words = " and ".join(map(str, dice))
    return ReasonLine(sum(dice), f"{'Die' if len(dice) == 1 else 'Dice'} {words}" if dice else "No dice", rule)
