"""The functions that the prose module of every language has."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from campaigns.scoring import Scoring
from documents.content.documents import CourseOfPlay, Fallen, Won
from documents.content.structs import SideNarrative
from documents.prose import facts
from documents.prose.beats import Beat, Phrase
from documents.prose.variation import Parts
from drawings.bars import BarMark
from leagues.selectors.verdict import Verdict


class Prose(Protocol):
    """A module that writes facts as sentences in one language.

    All texts are plain; the caller must escape them.
    """

    def join_names(self, names: Sequence[str], /) -> str:
        """Return the names as a list in a sentence: "A, B and C"."""

    def verdict(self, verdict: Verdict, /) -> str:
        """Return who won or leads a campaign and why, or "" if no battle has been played."""

    def classic_verdict(self, won: Won, /) -> str:
        """Return who won a classic campaign, or what will decide it."""

    def battle_verdict(self, sides: Sequence[SideNarrative], scored: bool, /) -> str:
        """Return who won a battle, and the casualties if no victory points are ``scored``."""

    def scoring(self, scoring: Scoring, unplayed: bool = False, /) -> str:
        """Return the rule for the points of a table.

        With ``unplayed``, include the points for byes and walkovers.
        """

    def tie_rule(self, scoring: Scoring, /) -> str:
        """Return the rule for ties in a table."""

    def casualties(self, marks: Sequence[BarMark], /) -> str:
        """Return the text alternative of a strip: how the fighters of a side left the field."""

    def slayings(self, fallen: Sequence[Fallen], /) -> str:
        """Return the text alternative of the arcs: the killers and their victims."""

    def points_chart(self, course: CourseOfPlay, /) -> str:
        """Return the text alternative of the chart of points."""

    def positions_chart(self, course: CourseOfPlay, /) -> str:
        """Return the text alternative of the chart of positions."""

    def strength_chart(self, course: CourseOfPlay, /) -> str:
        """Return the text alternative of the chart of strengths."""

    def head_to_head_grid(self, course: CourseOfPlay, /) -> str:
        """Return the text alternative of the grid of results."""

    def arms(self, name: str, /) -> str:
        """Return the text alternative of a crest."""

    def deaths(self, fact: facts.Deaths, /) -> str:
        """Return who died in a battle and who killed them."""

    def nobody_died(self, fact: facts.NobodyDied, /) -> str:
        """Return the sentence that fighters were hurt and nobody died."""

    def captives(self, fact: facts.Captives, /) -> str:
        """Return who was captured."""

    def wiped_out(self, fact: facts.WipedOut, /) -> str:
        """Return which side had nobody left on the field."""

    def nobody_left(self, fact: facts.NobodyLeft, /) -> str:
        """Return the sentence that no side had anybody left on the field."""

    def last_stand(self, fact: facts.LastStand, /) -> str:
        """Return who was the last of a side on the field."""

    def most_harm(self, fact: facts.MostHarm, /) -> str:
        """Return who harmed most opponents in a battle."""

    def draws(self, fact: facts.Draws, /) -> str:
        """Return which battles had no winner."""

    def rivalry(self, fact: facts.Rivalry, /) -> str:
        """Return which two warbands met most often, and the results."""

    def feud(self, fact: facts.Feud, /) -> str:
        """Return which two fighters met in several battles."""

    def avenged(self, fact: facts.Avenged, /) -> str:
        """Return who killed a fighter and was killed for it."""

    def first_blood(self, fact: facts.FirstBlood, /) -> str:
        """Return who drew first blood."""

    def first_death(self, fact: facts.FirstDeath, /) -> str:
        """Return who died first."""

    def first_rise(self, fact: facts.FirstRise, /) -> str:
        """Return who ranked up first."""

    def longest_service(self, fact: facts.LongestService, /) -> str:
        """Return who has served longest."""

    def battle_record(self, fact: facts.BattleRecord, /) -> str:
        """Return who harmed most opponents in a single battle."""

    def bloodiest(self, fact: facts.Bloodiest, /) -> str:
        """Return which battle cost most."""

    def worst_defeat(self, fact: facts.WorstDefeat, /) -> str:
        """Return the heaviest defeat."""

    def in_turns(self, turns: Sequence[int], /) -> str:
        """Return the end-note for a sentence that is based on these turns of the log."""

    def on_result_sheet(self) -> str:
        """Return the end-note for a sentence that is based on the whole result."""

    def quoted(self, title: str, /) -> str:
        """Return a title in quotation marks."""

    def career(self, strip: Sequence[BarMark], /) -> str:
        """Return the text alternative of a strip: how a fighter left each battle."""

    def experience_line(self, values: Sequence[int], /) -> str:
        """Return the text alternative of the line of a fighter's experience."""

    def unhurt(self, fact: facts.Unhurt, /) -> str:
        """Return the sentence that nobody came to harm."""


class BattleProse(Protocol):
    """A module that tells battles in one language, from beats (``documents.prose.beats``)."""

    PHRASES: Mapping[Phrase, Sequence[str]]
    """Several wordings of each thing that a story says."""

    def slots(self, beat: Beat, introduced: Sequence[str], /) -> dict[str, str]:
        """Return what fills the slots of wordings. Slots that cannot be filled are missing."""

    def tags(self, beat: Beat, /) -> frozenset[str]:
        """Return the tags of wordings that fit a beat."""

    def fits(self, wording: str, /, *, timed: bool) -> bool:
        """Return whether a wording can be read easily, after words of time or without."""

    def in_turn(self, turn: int, before: int, /) -> str:
        """Return the words that place a sentence in a turn, after one about ``before``."""

    def clause(self, wording: str, filled: Mapping[str, str], /) -> Parts:
        """Return a wording with its slots filled."""

    def sentence(self, clauses: Sequence[Parts], when: str, /) -> tuple[str, ...]:
        """Return clauses as a sentence, in a piece for each."""

    def turn_title(self, turn: int, entries: Sequence[int], /) -> str:
        """Return where a clause comes from: "Turn 3, entries 17 and 18"."""
