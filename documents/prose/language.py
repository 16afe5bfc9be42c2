"""What every language of documents can tell: the functions that its module has."""

from collections.abc import Sequence
from typing import Protocol

from campaigns.scoring import Scoring
from documents.content.documents import CourseOfPlay, Fallen, Won
from documents.content.structs import SideNarrative
from documents.prose import facts
from drawings.bars import BarMark
from leagues.selectors.verdict import Verdict


class Prose(Protocol):
    """A module that tells facts in one language. All texts are plain: whoever prints them escapes
    them."""

    def join_names(self, names: Sequence[str], /) -> str:
        """The names as one would say them: "A, B and C"."""

    def verdict(self, verdict: Verdict, /) -> str:
        """Who won a campaign or leads it, and by what; "" where nobody has fought."""

    def classic_verdict(self, won: Won, /) -> str:
        """Who has won a classic campaign, or what will decide it."""

    def battle_verdict(self, sides: Sequence[SideNarrative], scored: bool, /) -> str:
        """Who won a battle, with victory points where they are ``scored``; "" where the rules say
        it themselves."""

    def scoring(self, scoring: Scoring, unplayed: bool = False, /) -> str:
        """How the points of a table are given; ``unplayed``: also those for what was not played."""

    def tie_rule(self, scoring: Scoring, /) -> str:
        """How ties of a table are broken."""

    def casualties(self, marks: Sequence[BarMark], /) -> str:
        """How everybody of a side left the field, for whoever cannot see the strip."""

    def slayings(self, fallen: Sequence[Fallen], /) -> str:
        """Who slew whom, for whoever cannot see the arcs."""

    def points_chart(self, course: CourseOfPlay, /) -> str:
        """What the chart of the table's points shows, for whoever cannot see it."""

    def positions_chart(self, course: CourseOfPlay, /) -> str:
        """What the chart of positions shows, for whoever cannot see it."""

    def strength_chart(self, course: CourseOfPlay, /) -> str:
        """What the chart of strength shows."""

    def head_to_head_grid(self, course: CourseOfPlay, /) -> str:
        """What the grid of results shows."""

    def score_chart(self, sides: Sequence[SideNarrative], /) -> str:
        """What the bars of a battle show."""

    def arms(self, name: str, /) -> str:
        """Whose arms a crest shows."""

    def deaths(self, fact: facts.Deaths, /) -> str:
        """Who died in a battle, by whose hand."""

    def nobody_died(self, fact: facts.NobodyDied, /) -> str:
        """That all lived."""

    def captives(self, fact: facts.Captives, /) -> str:
        """Who was taken."""

    def wiped_out(self, fact: facts.WipedOut, /) -> str:
        """Of which side nobody kept the field."""

    def nobody_left(self, fact: facts.NobodyLeft, /) -> str:
        """That nobody of any side kept the field."""

    def last_stand(self, fact: facts.LastStand, /) -> str:
        """Who kept the field alone of its side."""

    def most_harm(self, fact: facts.MostHarm, /) -> str:
        """Who reached most opponents in a battle."""

    def draws(self, fact: facts.Draws, /) -> str:
        """Which battles had no winner."""

    def rivalry(self, fact: facts.Rivalry, /) -> str:
        """Which two warbands met most often, and how it went."""

    def feud(self, fact: facts.Feud, /) -> str:
        """Which two fighters met again and again."""

    def avenged(self, fact: facts.Avenged, /) -> str:
        """Who slew whom, and was slain for it."""

    def first_blood(self, fact: facts.FirstBlood, /) -> str:
        """Who drew the first blood."""

    def first_death(self, fact: facts.FirstDeath, /) -> str:
        """Who died first."""

    def first_rise(self, fact: facts.FirstRise, /) -> str:
        """Who rose first."""

    def longest_service(self, fact: facts.LongestService, /) -> str:
        """Who has served longest."""

    def battle_record(self, fact: facts.BattleRecord, /) -> str:
        """Who reached most opponents in any battle."""

    def bloodiest(self, fact: facts.Bloodiest, /) -> str:
        """Which battle cost most."""

    def worst_defeat(self, fact: facts.WorstDefeat, /) -> str:
        """Who was beaten most soundly."""

    def in_turns(self, turns: Sequence[int], /) -> str:
        """In which turns of the log a sentence has its grounds, for an end-note."""

    def on_result_sheet(self) -> str:
        """That a sentence has its grounds in the result sheet as a whole."""

    def quoted(self, title: str, /) -> str:
        """A title in quotation marks."""

    def career(self, strip: Sequence[BarMark], /) -> str:
        """How somebody left each battle, for whoever cannot see the strip."""

    def experience_line(self, values: Sequence[int], /) -> str:
        """What the line of somebody's experience shows."""
