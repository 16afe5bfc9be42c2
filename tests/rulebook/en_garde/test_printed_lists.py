"""Requirements and effects of lists, scenarios and campaigns, line by line of the plain-text
tables."""

from typing import Any

import pytest

from rulebook.ruleset import Deed, Fate, Record
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Composition, Faction
from rulebook.systems.en_garde.book.scenarios import find_scenario, minor_objective, standard_points
from rulebook.systems.en_garde.experience.awards import awards
from rulebook.systems.en_garde.play.scenario_events import achieved
from rulebook.systems.en_garde.table.setting_up import playing_area
from tests.rulebook.en_garde.battlefield import Told, battle, killed, log, subdued, told
from tests.rulebook.en_garde.logs import replay
from tests.rulebook.en_garde.printed import rows, words_of


def said(name: str) -> Any:
    return pytest.mark.parametrize("row", rows(name), ids=lambda row: " ".join(row[:3]))


@said("composition.txt")
def test_a_list_asks_what_is_printed_and_nothing_else(row: list[str]) -> None:
    faction = catalogue.faction(row[0])
    composition = faction.composition
    names = [catalogue.item_name(key).lower() for key in composition.missile_weapons]
    limited = ", ".join(names) or ("missile weapons" if composition.missile_share else "-")
    ranks = " or ".join(each.replace("-", " ") for each in composition.ranks) or "-"
    assert [ranks, str(composition.most_rank_5 or "-"), limited] == row[1:4]
    assert [guns(composition), further(faction)] == row[4:]
    assert composition.missile_share in (None, (1, 2))


def guns(composition: Composition) -> str:
    names = ", ".join(catalogue.gun(key).name.lower() for key in composition.guns)
    return f"{composition.most_guns} of {names}" if names else "-"


def further(faction: Faction) -> str:
    """Return the lines that only one list has."""
    composition, names = (
        faction.composition,
        {profile.key: profile.name for profile in faction.profiles},
    )
    lines = []
    if composition.servants:
        lines.append(
            f"{composition.servants} for each of "
            f"{', '.join(names[key] for key in composition.masters)}"
        )
    if faction.fearless_while:
        assert faction.fearless_while == composition.masters
        lines.append("Fearless while one is there")
    if composition.allies:
        assert composition.allies_share == (1, 2)
        lines.append(f"half from {composition.allies}")
    minded = (each for each in faction.profiles if each.fighters_per_handler)
    lines += [f"{each.key} {each.fighters_per_handler} a handler" for each in minded]
    return "; ".join(lines) or "-"


@said("scenarios.txt")
def test_a_scenario_is_set_up_and_decided_as_printed(row: list[str]) -> None:
    facts = find_scenario(row[0])
    least, most = sum(role.least for role in facts.roles), sum(role.most for role in facts.roles)
    roles = ", ".join(f"{role.key} {role.force[0]}/{role.force[1]}" for role in facts.roles)
    length = str(facts.turns or facts.dice or f"rising from {facts.rising}")
    assert [str(least) if least == most else f"{least}-{most}", roles, length] == row[1:4]
    square = playing_area(facts.key, 100) == (36, 36)
    terrain = "36 x 36" if square else "standard"
    assert [" or ".join(facts.deployment), facts.reserves, terrain, facts.decided_by] == row[4:]


@said("scores.txt")
def test_a_figure_of_the_victory_points(row: list[str]) -> None:
    figures = (
        {"banner": standard_points().banner} if row[0] == "all" else find_scenario(row[0]).score
    )
    assert figures[row[1]] == int(row[2])


def test_no_scenario_has_figures_beyond_the_printed_ones() -> None:
    ours = {
        (each, what)
        for each in {row[0] for row in rows("scenarios.txt")}
        for what in find_scenario(each).score
    }
    assert ours == {(row[0], row[1]) for row in rows("scores.txt") if row[0] != "all"}


HAPPENINGS: dict[str, tuple[Told, ...]] = {
    "nothing": (),
    "captured Rank 2": (subdued("b3", "a1"), told("captured", fighter="b3", by="a1")),
    "captured Rank 1": (subdued("b4", "a1"), told("captured", fighter="b4", by="a1")),
    "captured Rank 4": (subdued("b1", "a1"), told("captured", fighter="b1", by="a1")),
    "killed Rank 4": (killed("b1", "a1"),),
    "killed Rank 3": (killed("b2", "a1"),),
    "killed three": tuple(killed(f"b{place}", "a1") for place in (1, 2, 3)),
    "killed four": tuple(killed(f"b{place}", "a1") for place in (1, 2, 3, 4)),
    "lost one": (killed("a4", "b1"),),
    "lost two": (killed("a4", "b1"), told("routed", fighter="a3")),
    "said to be achieved": (),
}


@said("minor_objectives.txt")
def test_a_minor_objective_is_achieved_by_what_is_printed_alone(row: list[str]) -> None:
    setup, die = battle("skirmish"), int(row[0])
    claim = {"achieved": True} if row[2] == "said to be achieved" else {}
    events = log(told("minor_objective", side="a", rolled=die, **claim), *HAPPENINGS[row[2]])
    assert minor_objective(die).key == row[1]
    assert achieved(replay(setup, events), "a") == (row[3] == "yes")


def deed(text: str) -> Deed:
    """Return a deed of a fighter of Rank 2."""
    result, on, rank = text.partition(" on Rank ")
    if on:
        return Deed(
            "f", "wound", 2, victim=f"e{rank}", victim_rank=int(rank), result=result, means="melee"
        )
    return Deed("f", text, 2, detail={"holder": True} if text == "objective" else {})


@said("experience.txt")
def test_a_battle_is_worth_what_the_rule_book_gives_for_it(row: list[str]) -> None:
    end, *deeds = words_of(row[1])
    record = Record("f", rank=2, fate=Fate.FIT if end == "survived" else Fate.DEAD)
    earned = awards((record,), tuple(deed(each) for each in deeds), {})
    assert sum(award.amount for award in earned) == int(row[2])
