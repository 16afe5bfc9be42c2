"""What every language of documents can tell: the functions that its module has."""

from collections.abc import Sequence
from typing import Protocol

from campaigns.scoring import Scoring
from documents.content.kinds import CourseOfPlay, Fallen, Verdict
from documents.content.pieces import SideTale
from drawings.bars import Standing


class Prose(Protocol):
    """A module that tells facts in one language. All texts are plain: whoever prints them escapes them."""

    def listed(self, names: Sequence[str], /) -> str:
        """The names as one would say them: "A, B and C"."""

    def verdict(self, told: Verdict, /) -> str:
        """Who won a campaign or leads it, and by what; "" where nobody has fought."""

    def battle_verdict(self, sides: Sequence[SideTale], scored: bool, /) -> str:
        """Who won a battle, with victory points where they are ``scored``; "" where the rules say it themselves."""

    def scoring(self, scoring: Scoring, /) -> str:
        """How the points of a table are given."""

    def tie_rule(self, scoring: Scoring, /) -> str:
        """How ties of a table are broken."""

    def casualties(self, marks: Sequence[Standing], /) -> str:
        """How everybody of a side left the field, for whoever cannot see the strip."""

    def slayings(self, fallen: Sequence[Fallen], /) -> str:
        """Who slew whom, for whoever cannot see the arcs."""

    def positions_chart(self, course: CourseOfPlay, /) -> str:
        """What the chart of positions shows, for whoever cannot see it."""

    def strength_chart(self, course: CourseOfPlay, /) -> str:
        """What the chart of strength shows."""

    def head_to_head_grid(self, course: CourseOfPlay, /) -> str:
        """What the grid of results shows."""

    def score_chart(self, sides: Sequence[SideTale], /) -> str:
        """What the bars of a battle show."""

    def arms(self, name: str, /) -> str:
        """Whose arms a crest shows."""
