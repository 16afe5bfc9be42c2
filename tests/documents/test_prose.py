"""Every kind of sentence in every language and wording: one and many, people and battalions, names
of all kinds."""

import re
from pathlib import Path
from types import ModuleType

import pytest

from core.ruleset_words import rules_text
from documents.content.documents import CourseOfPlay, CourseRow, Fallen, Verdict, Won
from documents.content.stories import sentence
from documents.content.structs import Person
from documents.languages import speaking
from documents.prose import IN, english, german, variation
from documents.prose.facts import (
    Avenged,
    BattleFact,
    BattleRecord,
    Bloodiest,
    CampaignFact,
    Captives,
    Deaths,
    Draws,
    Fact,
    Feud,
    FirstBlood,
    FirstDeath,
    FirstRise,
    KillFact,
    LastStand,
    LongestService,
    MostHarm,
    NobodyDied,
    NobodyLeft,
    Rivalry,
    Unhurt,
    WipedOut,
    WorstDefeat,
)
from documents.prose.variation import capital
from rulebook.ruleset import Deed
from rulebook.systems.en_garde.experience.awards import deed_phrase
from rulebook.systems.en_garde.turns.harm import WoundCause

ALL: dict[str, ModuleType] = {"en": english, "de": german}
ARABIC = "محمد بن عبد الله"
SENTENCES = Path(__file__).with_name("sentences.txt")
FACTS: tuple[Fact, ...] = (
    # Who died: one by one, several by one, nobody knows by whom, more than there is room for, names
    # of all kinds.
    Deaths(slayings=(KillFact("Porthos", ("Jean le Bref",)),)),
    Deaths(slayings=(KillFact("Jacques d'Aramis", ("Hans", "Großmann", "O’Brien")),)),
    Deaths(
        slayings=(
            KillFact("Porthos", ("Jean",)),
            KillFact("Heinz", ("Karl",)),
            KillFact("Ana", ("Otto",)),
        )
    ),
    Deaths(slayings=(KillFact("Porthos", ("Jean", "Otto")), KillFact("", ("Karl",))), more=1),
    Deaths(slayings=(KillFact("", ("Karl", "Otto")),), more=12),
    Deaths(
        slayings=(KillFact("The 9th Light", ("I./57th Foot", "The Heavy Germans")),), mortal=False
    ),
    Deaths(slayings=(KillFact("", ("The Shepherds",)),), mortal=False, more=1),
    Deaths(slayings=(KillFact(ARABIC, ("Ana",)),)),
    NobodyDied(hurt=1),
    NobodyDied(hurt=7),
    Unhurt(fielded=17),
    Captives(warband="The Crew", names=("Aramis",), captor="The Guard"),
    Captives(warband="The Crew", names=("Aramis", "Athos"), captor="The Guard"),
    Captives(warband="The Crew", names=("Aramis", "Athos", "Porthos")),
    WipedOut(warband="The Crew", fielded=9),
    NobodyLeft(sides=2),
    NobodyLeft(sides=4),
    LastStand(name="Porthos", warband="The Crew", fielded=9, against=5),
    LastStand(name="Porthos", warband="The Crew", fielded=13, against=1, won=True),
    LastStand(name="Porthos", warband="The Crew", fielded=3, against=0, won=True),
    MostHarm(name="Porthos", warband="The Crew", victims=4),
    # Over a campaign.
    Draws(where=("Fog",), fought=1),
    Draws(where=("Fog", "Snow", "Rain"), fought=3),
    Draws(where=("Fog",), fought=3),
    Draws(where=("Fog", "Snow"), fought=9),
    Draws(where=("Fog", "Snow", "Rain", "Hail"), fought=15),
    Rivalry(one="The Guard", other="The Crew", won=(3, 1, 0)),
    Rivalry(one="The Guard", other="The Crew", won=(1, 1, 2)),
    Rivalry(one="The Guard", other="The Crew", won=(2, 0, 1)),
    Rivalry(one="The Guard", other="The Crew", won=(3, 0, 0)),
    Rivalry(one="The Guard", other="The Crew", won=(0, 0, 13)),
    Feud(one="Porthos", other="Jussac", where=("Fog", "Snow")),
    Feud(one="Porthos", other="Jussac", where=("Fog", "Snow", "Rain", "Hail")),
    Avenged(
        victim="Jussac",
        killer="Porthos",
        avenger="Cahusac",
        warband="The Guard",
        where=("Fog", "Snow"),
    ),
    Avenged(
        victim="The Tenants",
        killer="The Lances",
        avenger="The Guns",
        warband="Carrock",
        where=("A", "B"),
        mortal=False,
    ),
    FirstBlood(name="Porthos", warband="The Crew", where=("Fog",)),
    FirstDeath(names=("Jussac",), where=("Fog",)),
    FirstDeath(names=("Jussac", "Hans"), where=("Fog", "Snow")),
    FirstDeath(names=("The Shepherds",), where=("Fog",), mortal=False),
    FirstDeath(names=("The Shepherds", "The Guns"), where=("Fog",), mortal=False),
    FirstRise(name="Porthos", warband="The Crew", where=("Fog",)),
    LongestService(names=("Porthos",), times=5),
    LongestService(names=("Hans", "Großmann"), times=13),
    BattleRecord(name="Porthos", warband="The Crew", victims=5, where=("Fog",)),
    Bloodiest(dead=7, where=("Fog",)),
    Bloodiest(dead=3, where=("Fog",), mortal=False),
    WorstDefeat(loser="The Guard", winner="The Crew", points=(11, -2), where=("Fog",)),
)


def wordings(module: ModuleType, fact: Fact, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return every wording of a fact in a module."""
    sentences = []
    choice = "chosen_wording" if hasattr(module, "chosen_wording") else "chosen"
    for place in range(3):
        monkeypatch.setattr(module, choice, lambda _, *ways, place=place: ways[place % len(ways)])
        text = getattr(module, str(fact.__struct_config__.tag))(fact)
        sentences.append(variation.capital(text))
    return list(dict.fromkeys(sentences))


def test_prose_of_each_fact_matches_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each fact with all wordings of its sentence, as text that a person can read."""
    lines = []
    for fact in FACTS:
        lines.append(f"# {type(fact).__name__}")
        for language, module in ALL.items():
            lines += [f"{language}: {text}" for text in wordings(module, fact, monkeypatch)]
    assert "\n".join(lines) + "\n" == SENTENCES.read_text(encoding="utf-8")


def test_every_kind_of_fact_has_its_sentence() -> None:
    kinds = {*BattleFact.__subclasses__(), *CampaignFact.__subclasses__()}
    assert {type(fact) for fact in FACTS} == kinds
    for module in IN.values():
        assert all(callable(getattr(module, str(kind.__struct_config__.tag))) for kind in kinds)


def test_the_wording_goes_by_the_fact_and_stays_with_it() -> None:
    facts = [WipedOut(warband=f"Warband {number}", fielded=5) for number in range(20)]
    sentences = [sentence(fact) for fact in facts]
    assert sentences == [sentence(fact) for fact in facts]
    assert (
        len({text.replace(fact.warband, "") for text, fact in zip(sentences, facts, strict=True)})
        == 2
    )


def test_a_sentence_is_in_the_active_language() -> None:
    fact = FirstDeath(names=("Jussac",), where=("Fog",))
    assert sentence(fact) == "The first to die was Jussac, in “Fog”."
    with speaking("de"):
        assert sentence(fact) == "Das erste Todesopfer war Jussac, in „Fog“."


def test_end_notes_say_where_a_sentence_stands() -> None:
    assert (english.in_turns((4,)), english.in_turns((2, 3, 5))) == (
        "Turn 4 of the log",
        "Turns 2, 3 and 5 of the log",
    )
    assert (german.in_turns((4,)), german.in_turns((2, 5))) == (
        "Runde 4 des Protokolls",
        "Runden 2 und 5 des Protokolls",
    )
    assert (english.on_result_sheet(), german.on_result_sheet()) == (
        "Result sheet",
        "Ergebnisbogen",
    )


def test_titles_and_names_are_quoted_and_isolated_as_they_are_read() -> None:
    assert (english.quoted("Fog"), german.quoted("Fog")) == ("“Fog”", "„Fog“")
    assert variation.name("Großmann’s") == "Großmann’s"
    assert variation.name(ARABIC) == f"\u2068{ARABIC}\u2069"
    assert variation.minus(-3) == "−3"
    assert variation.capital("élan vital") == "Élan vital"


def test_leaders_keep_direction_of_names() -> None:
    tied = Verdict(best=(ARABIC, "The Guard"), points=3, over=True)
    assert english.verdict(tied).startswith(
        f"\u2068{ARABIC}\u2069 and the Guard share the first place"
    )
    assert german.verdict(tied).startswith(
        f"\u2068{ARABIC}\u2069 und The Guard teilen sich den ersten Platz, mit je drei"
    )


def test_german_verdict_uses_cases() -> None:
    won = Verdict(best=("The Guard",), runners_up=("The Crew",), points=7, ahead=1, over=True)
    assert german.verdict(won) == "Gewonnen hat The Guard mit sieben Punkten, einen Punkt vor Crew."
    leads = Verdict(
        best=("The Guard",), runners_up=("The Crew",), points=1, parted_by="die Differenz"
    )
    assert german.verdict(leads) == (
        "The Guard führt die Tabelle mit einem Punkt an, punktgleich mit Crew; es entschied: "
        "die Differenz."
    )
    equal = Verdict(
        best=("The Guard",),
        runners_up=("The Crew", "The Watch"),
        points=6,
        parted_by="die Differenz",
    )
    assert german.verdict(equal) == (
        "The Guard führt die Tabelle mit sechs Punkten an, punktgleich mit Crew und Watch; "
        "es entschied: die Differenz."
    )
    assert (
        german.verdict(Verdict(best=("The Guard",), points=0))
        == "The Guard führt die Tabelle mit null Punkten an."
    )
    assert german.verdict(Verdict()) == ""


def test_german_charts_say_what_they_show() -> None:
    """These are the text alternatives. Tests of the course of a campaign check the English ones."""
    row = CourseRow("The Guard", "", (2, 1), (0, 3), (100, None))
    course = CourseOfPlay(
        ("2026-01-01", "2026-01-08"), (row, CourseRow("The Crew", "", (1, 2), (3, 3), (None, 90)))
    )
    assert german.positions_chart(course) == (
        "Die Tabelle nach jedem der zwei Spieltage. Am Ende steht sie so: 1. The Guard; 2. The "
        "Crew."
    )
    assert german.points_chart(course) == (
        "Die Punkte der Tabelle nach jedem der zwei Spieltage. Am Ende sind es: The Guard 3; The "
        "Crew 3."
    )
    assert german.strength_chart(course) == (
        "Was in das erste und in das letzte Gefecht geführt wurde: The Guard 100, dann 100; The "
        "Crew 90, dann 90."
    )
    fallen = [
        Fallen(name, name, warband="The Crew", killer=Person("Porthos"))
        for name in ("Hans", "Großmann")
    ]
    assert german.slayings(fallen) == "Porthos tötete Hans und Großmann."


@pytest.mark.parametrize(
    ("won", "in_english", "in_german"),
    [
        (
            Won(open=True),
            "The final decides, and it has not been fought yet.",
            "Das Finale entscheidet und steht noch aus.",
        ),
        (
            Won("The Crew"),
            "The Crew won the final, and the campaign with it.",
            "The Crew hat das Finale gewonnen und damit die Kampagne.",
        ),
        (
            Won(),
            "The final was a draw: nobody has won the campaign.",
            "Das Finale ging unentschieden aus: Niemand hat die Kampagne gewonnen.",
        ),
        (
            Won("The Crew", totals=(12, -3)),
            "The Crew won the campaign by the victory points of all games: 12 to −3.",
            "The Crew hat die Kampagne nach den Siegpunkten aller Spiele gewonnen: 12 zu −3.",
        ),
        (
            Won(totals=(9, 9)),
            "Level by the victory points of all games, 9 to 9: nobody has won the campaign.",
            "Gleichstand nach den Siegpunkten aller Spiele, 9 zu 9: Niemand hat die Kampagne "
            "gewonnen.",
        ),
    ],
)
def test_classic_winner_is_named_in_both_languages(
    won: Won, in_english: str, in_german: str
) -> None:
    assert (english.classic_verdict(won), german.classic_verdict(won)) == (in_english, in_german)


@pytest.mark.parametrize(
    ("german", "expected"),
    [
        ("Hans von The Crew fiel.", "Hans von Crew fiel."),
        ("Gegen The Rifles half nichts.", "Gegen Rifles half nichts."),
        ("The Crew gewann „The Ford“.", "The Crew gewann „The Ford“."),
        ("Theo von Thessalien floh.", "Theo von Thessalien floh."),
    ],
)
def test_german_has_no_english_article_after_a_preposition(german: str, expected: str) -> None:
    assert variation.without_articles(german) == expected


@pytest.mark.parametrize("means", ["", *WoundCause])
@pytest.mark.parametrize("friendly", [False, True])
@pytest.mark.parametrize("result", ["light", "unconscious", "critical"])
def test_deeds_of_a_career_are_german(means: str, friendly: bool, result: str) -> None:
    deed = Deed(
        "x",
        "wound",
        2,
        victim_name="Otto",
        victim_rank=3,
        result=result,
        killed=result == "critical",
        means=means,
        friendly=friendly,
    )
    with speaking("de"):
        text = rules_text(capital(deed_phrase(deed)))
    assert not re.search(
        r"\b(dealt|killed|comrade|blow|a|shooting|free|spell)\b", text, re.IGNORECASE
    )
