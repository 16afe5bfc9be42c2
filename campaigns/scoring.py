"""The scoring of a campaign's standings. The rule book has none: all of this is Muster's own.

Standings are ordered by points. Ties are broken by one criterion after the other, and warbands that
are still equal share the position.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

import msgspec
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from core.inputs import field
from rulebook.ruleset import Problem, RulesError, VisibleNumbers


class TieBreaker(StrEnum):
    """A criterion between warbands with the same points: the higher figure is always better."""

    DIFFERENCE = "difference"
    VICTORY_POINTS = "victory-points"
    HEAD_TO_HEAD = "head-to-head"
    WON = "won"
    EXPERIENCE = "experience"
    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn-berger"


IN_WORDS: Mapping[TieBreaker, str] = {
    TieBreaker.DIFFERENCE: "victory point difference",
    TieBreaker.VICTORY_POINTS: "victory points scored",
    TieBreaker.HEAD_TO_HEAD: "points from the battles between those who are equal",
    TieBreaker.WON: "battles won",
    TieBreaker.EXPERIENCE: "experience earned by the warband",
    TieBreaker.BUCHHOLZ: "points of all opponents (Buchholz)",
    TieBreaker.SONNEBORN_BERGER: "points of beaten opponents, half for draws (Sonneborn-Berger)",
}
MAX_POINTS = 100


class Scoring(Struct, frozen=True, forbid_unknown_fields=True):
    """The points for a battle won, drawn and lost.

    A win by at least ``margin`` victory points gets ``clear_win`` extra points.

    ``bye`` is for a warband without an opponent (docs/decisions/campaigns.md). A walkover counts as
    a win, a forfeit as a defeat.
    """

    win: Annotated[int, field(_("Points for a win"), ge=0, le=MAX_POINTS)] = 3
    draw: Annotated[int, field(_("Points for a draw"), ge=0, le=MAX_POINTS)] = 1
    loss: Annotated[int, field(_("Points for a defeat"), ge=0, le=MAX_POINTS)] = 0
    margin: Annotated[
        int,
        field(
            _("Victory points ahead for a clear win"),
            api="Victory points ahead that make a clear win.",
            ge=0,
            le=MAX_POINTS,
        ),
    ] = 0
    clear_win: Annotated[
        int,
        field(
            _("Extra points for a clear win"),
            api="Extra points for a clear win.",
            ge=0,
            le=MAX_POINTS,
        ),
    ] = 0
    bye: Annotated[
        int,
        field(
            _("Points for a bye"),
            api="Points for a round without an opponent.",
            ge=0,
            le=MAX_POINTS,
        ),
    ] = 1
    tie_breakers: Annotated[
        tuple[TieBreaker, ...],
        field(
            api="In order. Warbands that are equal by all of them share a position.",
            max_length=len(TieBreaker),
        ),
    ] = (
        TieBreaker.DIFFERENCE,
        TieBreaker.VICTORY_POINTS,
        TieBreaker.HEAD_TO_HEAD,
        TieBreaker.WON,
    )

    def points(self, *, won: int, drawn: int, lost: int, clear: int = 0) -> int:
        """Return the points for these battles; ``clear`` counts the clear wins among ``won``."""
        return self.win * won + self.draw * drawn + self.loss * lost + self.clear_win * clear

    def points_unplayed(self, *, byes: int, walkovers: int, forfeits: int) -> int:
        """Return the points for fixtures that were not played."""
        return self.bye * byes + self.win * walkovers + self.loss * forfeits

    @property
    def rule(self) -> str:
        """A sentence that says how points are given."""
        points = {
            "win": self.win,
            "draw": self.draw,
            "loss": self.loss,
            "more": self.clear_win,
            "margin": self.margin,
        }
        if self.clear_win:
            rule = gettext(
                "Points: %(win)s for a win, %(draw)s for a draw, %(loss)s for a defeat, "
                "%(more)s extra for a win by %(margin)s or more victory points."
            )
        else:
            rule = gettext("Points: %(win)s for a win, %(draw)s for a draw, %(loss)s for a defeat.")
        return rule % points

    @property
    def unplayed_rule(self) -> str:
        """A sentence about byes, walkovers and forfeits, for standings that have any."""
        sentence = gettext(
            "A bye is worth %(bye)s. A walkover counts as a win and a forfeit as a "
            "defeat, also in tie-breakers."
        )
        return sentence % {"bye": self.bye}

    @property
    def tie_rule(self) -> str:
        """A sentence that says how ties are broken, for printing under the standings."""
        if not self.tie_breakers:
            return gettext("Equal points share a position.")
        order = gettext(", then ").join(
            gettext(IN_WORDS[criterion]) for criterion in self.tie_breakers
        )
        sentence = gettext("Ties are broken by %(order)s. Remaining ties share a position.")
        return sentence % {"order": order}


def scoring_of(stored: Mapping[str, Any]) -> Scoring:
    """Return the scoring of a campaign from its stored form, as made by ``clean_scoring``."""
    return msgspec.convert(stored, Scoring)


def scoring_under(stored: Mapping[str, Any], shown: VisibleNumbers) -> Scoring:
    """Return the scoring of a campaign, without tie-breakers that its rules do not support."""
    scoring, criteria = scoring_of(stored), criteria_under(shown)
    return msgspec.structs.replace(
        scoring, tie_breakers=tuple(tie for tie in scoring.tie_breakers if tie in criteria)
    )


def criteria_under(shown: VisibleNumbers) -> tuple[TieBreaker, ...]:
    """Return the tie-breakers that are possible under rules that show these numbers."""
    unknown = () if shown.victory_points else (TieBreaker.DIFFERENCE, TieBreaker.VICTORY_POINTS)
    ungained = () if shown.experience else (TieBreaker.EXPERIENCE,)
    return tuple(tie for tie in IN_WORDS if tie not in (*unknown, *ungained))


def clean_scoring(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the complete scoring with defaults for absent settings, ready to be stored.

    Raises RulesError with everything wrong.
    """
    scoring = _typed(raw)
    problems = [*_out_of_range(scoring), *_out_of_order(scoring), *_repeated(scoring)]
    if problems:
        raise RulesError(*problems)
    cleaned: dict[str, Any] = msgspec.to_builtins(scoring)
    return cleaned


def _typed(raw: Mapping[str, Any]) -> Scoring:
    """Return the settings as a Scoring.

    Reads each one separately, so that every wrong one is reported.
    """
    problems = []
    for key, value in raw.items():
        try:
            msgspec.convert({key: value}, Scoring)
        except msgspec.ValidationError:
            problems.append(_problem(str(key), "scoring-value", _wanted(str(key)), value))
    if problems:
        raise RulesError(*problems)
    return msgspec.convert(raw, Scoring)


def _wanted(key: str) -> str:
    if key == "tie_breakers":
        return gettext("Enter a list of these, in order: %(known)s.") % {
            "known": ", ".join(TieBreaker)
        }
    if key in Scoring.__struct_fields__:
        return gettext("Enter a whole number from 0 to %(most)s.") % {"most": MAX_POINTS}
    return gettext("This is not a setting. Use one of: %(known)s.") % {
        "known": ", ".join(Scoring.__struct_fields__)
    }


def _out_of_range(scoring: Scoring) -> list[Problem]:
    return [
        _problem(
            key,
            "scoring-range",
            gettext("Enter a number from 0 to %(most)s.") % {"most": MAX_POINTS},
            value,
        )
        for key in ("win", "draw", "loss", "margin", "clear_win", "bye")
        if not 0 <= (value := getattr(scoring, key)) <= MAX_POINTS
    ]


def _out_of_order(scoring: Scoring) -> list[Problem]:
    if scoring.win >= scoring.draw >= scoring.loss:
        return []
    return [
        _problem(
            "win",
            "scoring-order",
            gettext(
                "A win must be worth at least as much as a draw, and a draw at least as much "
                "as a defeat."
            ),
            "",
        )
    ]


def _repeated(scoring: Scoring) -> list[Problem]:
    if len(set(scoring.tie_breakers)) == len(scoring.tie_breakers):
        return []
    return [
        _problem(
            "tie_breakers",
            "scoring-repeated",
            gettext("Use each tie-breaker only once."),
            list(scoring.tie_breakers),
        )
    ]


def _problem(key: str, code: str, sentence: str, value: Any) -> Problem:
    return Problem(code, sentence, field=f"scoring.{key[:40]}", value=str(value)[:80])
