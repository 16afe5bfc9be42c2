"""The settings of the scoring, and the values that they refuse."""

import pytest

from campaigns.scoring import Scoring, TieBreaker, clean_scoring, scoring_of
from rulebook.ruleset import RulesError


def test_by_default_a_win_is_worth_three_and_a_draw_one() -> None:
    assert Scoring().points(won=2, drawn=1, lost=4) == 7


def test_a_clear_win_is_worth_more_if_the_club_wants_it() -> None:
    assert Scoring(margin=5, clear_win=1).points(won=3, drawn=0, lost=0, clear=2) == 11


def test_what_is_stored_can_be_read_again() -> None:
    raw = {"win": 2, "draw": 1, "loss": 0, "tie_breakers": ["won", "experience"]}
    stored = clean_scoring(raw)
    assert scoring_of(stored) == Scoring(
        win=2, tie_breakers=(TieBreaker.WON, TieBreaker.EXPERIENCE)
    )
    assert clean_scoring(stored) == stored


@pytest.mark.parametrize(
    ("raw", "field", "code"),
    [
        ({"win": "3"}, "scoring.win", "scoring-value"),
        ({"win": True}, "scoring.win", "scoring-value"),
        ({"win": 1.5}, "scoring.win", "scoring-value"),
        ({"win": None}, "scoring.win", "scoring-value"),
        ({"win": 101}, "scoring.win", "scoring-range"),
        ({"loss": -1}, "scoring.loss", "scoring-range"),
        ({"margin": -1}, "scoring.margin", "scoring-range"),
        ({"win": 1, "draw": 2}, "scoring.win", "scoring-order"),
        ({"bonus": 1}, "scoring.bonus", "scoring-value"),
        ({"tie_breakers": ["luck"]}, "scoring.tie_breakers", "scoring-value"),
        ({"tie_breakers": "won"}, "scoring.tie_breakers", "scoring-value"),
        ({"tie_breakers": ["won", "won"]}, "scoring.tie_breakers", "scoring-repeated"),
        ({1: 2}, "scoring.1", "scoring-value"),
    ],
)
def test_scoring_that_makes_no_sense_is_refused(raw: dict, field: str, code: str) -> None:
    with pytest.raises(RulesError) as refused:
        clean_scoring(raw)
    assert [(problem.field, problem.code) for problem in refused.value.problems] == [(field, code)]


def test_every_wrong_setting_is_named_at_once() -> None:
    with pytest.raises(RulesError) as refused:
        clean_scoring({"win": "x", "draw": [], "tie_breakers": 5})
    assert [problem.field for problem in refused.value.problems] == [
        "scoring.win",
        "scoring.draw",
        "scoring.tie_breakers",
    ]


def test_the_tie_rule_is_a_sentence_in_the_order_of_the_tie_breakers() -> None:
    scoring = Scoring(tie_breakers=(TieBreaker.WON, TieBreaker.DIFFERENCE))
    assert scoring.tie_rule == (
        "Ties are broken by battles won, then victory point difference. "
        "Remaining ties share a position."
    )
    assert Scoring(tie_breakers=()).tie_rule == "Equal points share a position."


def test_the_rule_of_points_is_a_sentence() -> None:
    assert Scoring().rule == "Points: 3 for a win, 1 for a draw, 0 for a defeat."
    assert "2 extra for a win by 5 or more victory points" in Scoring(margin=5, clear_win=2).rule
