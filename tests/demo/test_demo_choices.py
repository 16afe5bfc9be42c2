"""Choices of the demonstration: line-ups, the battle to correct, and where to print; and its
tables."""

from fractions import Fraction
from typing import Any

from scripts.demo.__main__ import embedded, next_number
from scripts.demo.correcting import _killings, _weight
from scripts.demo.forces import choose_force
from scripts.demo.people import username
from scripts.demo.progress import Progress


def card(name: str, points: int, **more: Any) -> dict[str, Any]:
    """Return a fighter's card with what a force needs."""
    plain = {"rank": 2, "fate": "fit", "posts": [], "sheet": {"unfit_for": []}}
    return {"id": name, "name": name, "points": points, **plain, **more}


def warband(*cards: dict[str, Any], bought: int = 0) -> dict[str, Any]:
    """Return a warband's page with what a force needs."""
    return {"fighters": list(cards), "bought": [{"points": bought}] if bought else []}


def test_a_force_keeps_to_its_share_of_the_points_with_leader_and_banner_first():
    chief, bearer = ([{"key": post}] for post in ("leader", "banner"))
    page = warband(
        card("dear", 60),
        card("hans", 20),
        card("chief", 30, posts=chief),
        card("jörg", 10, posts=bearer),
        bought=5,
    )
    force = choose_force(page, Fraction(1, 2), 140)
    assert force.ids == ["hans", "chief", "jörg"]
    assert (force.points, force.leader) == (65, "chief")


def test_a_force_has_one_legend_and_nobody_who_is_unfit():
    legends = [card(name, 40, rank=5) for name in ("first", "second")]
    force = choose_force(
        warband(*legends, card("dead", 10, fate="dead"), card("away", 10, fate="recovering")),
        Fraction(1),
        300,
    )
    assert force.ids == ["first"]


def test_a_hound_leads_nobody_however_dear():
    page = warband(card("hound", 50, sheet={"unfit_for": ["leader"]}), card("hans", 10))
    assert choose_force(page, Fraction(1), 300).leader == "hans"


def fought(*combatants: dict[str, Any], blows: list[tuple[int, str]]) -> dict[str, Any]:
    """Return a battle's page with what a correction needs."""
    log = [
        {"sequence": place, "kind": "wound", "data": {"victim": victim}} for place, victim in blows
    ]
    return {"sides": [{"combatants": list(combatants)}], "log": log}


def fallen(name: str, rank: int, *, banner: bool = False, fate: str = "dead") -> dict[str, Any]:
    return {
        "fighter": name,
        "rank": rank,
        "posts": [{"key": "banner"}] if banner else [],
        "fate": fate,
    }


def test_correctable_blows_sort_by_rank_of_fallen():
    first = fought(
        fallen("low", 1), fallen("bearer", 5, banner=True), blows=[(1, "low"), (2, "bearer")]
    )
    second = fought(
        fallen("high", 4),
        fallen("lives", 5, fate="fit"),
        blows=[(1, "high"), (2, "high"), (3, "lives")],
    )
    assert [(battle, blow["sequence"]) for battle, blow in _killings([first, second])] == [
        (second, 2),
        (first, 1),
    ]


def test_the_correction_from_which_most_follows_weighs_most():
    row = {"position_before": 1, "position_after": 1}
    side = {"outcome_before": "won", "outcome_after": "won"}
    nothing = {"table": [row], "sides": [side], "conflicts": []}
    moved = {**nothing, "table": [{**row, "position_after": 2}]}
    lost = {**moved, "sides": [{**side, "outcome_after": "lost"}]}
    impossible = {**nothing, "conflicts": [{}]}
    weights = [_weight(each) for each in (nothing, moved, lost, impossible)]
    assert weights == sorted(set(weights))


def test_each_club_gets_a_number_after_those_that_have_printed(tmp_path):
    assert next_number(tmp_path) == 1
    for name in ("prints-1", "prints-10", "prints-x"):
        (tmp_path / name).mkdir()
    assert next_number(tmp_path) == 11


def test_players_sign_in_under_their_names_and_the_clubs_number():
    assert (username("Inés", 1), username("Inés", 3)) == ("ines", "ines-3")


def test_the_demonstration_stays_in_its_folder_whatever_else_is_set(tmp_path):
    environment = embedded(tmp_path)
    assert environment["VAR_DIR"] == str(tmp_path)
    assert {
        environment[name]
        for name in ("DATABASE_URL", "DATABASE_URL_FILE", "CELERY_BROKER_URL", "FILES_DIR")
    } == {""}


def test_a_table_has_words_to_the_left_and_figures_to_the_right(capsys):
    Progress().table(("Name", "P"), [["Wat", 7], ["Dand", 12]])
    assert [line.strip() for line in capsys.readouterr().out.splitlines()] == [
        "Name  P",
        "Wat    7",
        "Dand  12",
    ]
