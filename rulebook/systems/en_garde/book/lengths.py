"""The unit in which everything is measured. Rule book: "Basic Principles"."""

from typing import Annotated

from rulebook.battle_log.kinds import length
from rulebook.values.fields import LengthMeasure

INCHES = LengthMeasure("inch", "inches", "″")
Inches = Annotated[float, length(INCHES, 120)]
"""A distance on the table, in an event."""
