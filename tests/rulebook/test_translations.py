"""The translations of sentences of rule systems."""

import re
from pathlib import Path

import pytest

from rulebook.book.data import DataError, read_toml
from rulebook.book.translations import GAP, SHARED, Catalogue
from rulebook.registry import rulesets
from rulebook.ruleset import Ruleset
from tests.rulebook.spoken_texts import all_texts

RULEBOOK = Path(__file__).parents[2] / "rulebook"
CATALOGUE = Catalogue(
    {
        "{name} needs one Leader, not {#number}.": "Wähle einen Leader für {name} (jetzt {number}).",
        "Killed {name} (Rank {#rank}) ({*how})": "{name} ({rank}. Rang) getötet ({how})",
        "melee": "Nahkampf",
        "1 point": "1 Punkt",
        "{#number} points": "{number} Punkte",
        "{*first} and {*last}": "{first} und {last}",
    }
)
WORD = re.compile(r"[^\W\d_]{3,}")
ENGINE = ("at_table", "battle_log", "book", "calculators", "chronicle", "dice", "values")
ENGLISH = re.compile(
    r"\b(the|of|is|are|has|have|to|and|or|not|with|a|by|his|its|their|from|for|no|can|on)\b"
)
"""Words that show that a text is English. Rulebook terms alone have none of them."""


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("melee", "Nahkampf"),
        ("1 point", "1 Punkt"),
        ("½ points", "½ Punkte"),
        ("-3 points", "-3 Punkte"),
        ("Anna needs one Leader, not 0.", "Wähle einen Leader für Anna (jetzt 0)."),
        (
            "Killed Sim (Old) Maxwell (Rank 4) (melee)",
            "Sim (Old) Maxwell (4. Rang) getötet (Nahkampf)",
        ),
        ("melee and 3 points", "Nahkampf und 3 Punkte"),
        ("St. John needs one Leader, not 2.", "Wähle einen Leader für St. John (jetzt 2)."),
        ("A moved. B needs one Leader, not 2.", "A moved. Wähle einen Leader für B (jetzt 2)."),
        ("1 point; melee.", "1 Punkt; Nahkampf."),
        ("Piet the Elder and Bo", "Piet the Elder und Bo"),
        ("Three Errands and a Reckoning", "Three Errands and a Reckoning"),
        ("Nobody knows this.", "Nobody knows this."),
        ("", ""),
    ],
)
def test_catalogue_translates_text(english: str, german: str) -> None:
    assert CATALOGUE.text(english) == german


def test_names_in_a_sentence_stay() -> None:
    assert (
        CATALOGUE.text("melee needs one Leader, not 2.")
        == "Wähle einen Leader für melee (jetzt 2)."
    )


def test_most_specific_template_wins() -> None:
    catalogue = Catalogue({"{name} moves": "{name} zieht", "{name} moves back": "{name} weicht"})
    assert catalogue.text("Anna moves back") == "Anna weicht"


def test_repeated_gap_holds_the_same_text() -> None:
    catalogue = Catalogue({"{name} hits {name}": "{name} trifft sich selbst"})
    assert catalogue.text("Anna hits Anna") == "Anna trifft sich selbst"
    assert catalogue.text("Anna hits Bo") == "Anna hits Bo"


def test_translation_with_other_gaps_is_refused() -> None:
    with pytest.raises(DataError, match="other gaps"):
        Catalogue({"{name} moves": "Jemand zieht"})


@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.key)
def test_each_translation_belongs_to_a_text_of_the_system(rules: Ruleset) -> None:
    """A translation whose English text has changed would never be used."""
    folder = RULEBOOK / "systems" / rules.key.replace("-", "_")
    assert unused_entries(dict(rules.translations.get("de", {})), folder) == []


def test_each_shared_translation_belongs_to_a_text_of_the_engine() -> None:
    assert unused_entries(read_toml(SHARED)["de"], RULEBOOK) == []


def unused_entries(entries: dict[str, str], folder: Path) -> list[str]:
    """Return the entries with a word that no file of a folder, or of the engine, has."""
    source = "".join(
        path.read_text(encoding="utf-8")
        for place in (folder, *(RULEBOOK / name for name in ENGINE))
        for path in sorted(place.rglob("*"))
        if path.suffix in {".py", ".toml"} and path.name != "translations.toml"
    )
    words = {*WORD.findall(source.lower())}
    return [text for text in entries if not {*WORD.findall(GAP.sub(" ", text).lower())} <= words]


@pytest.mark.parametrize(
    "key", sorted(rules.key for rules in rulesets() if rules.translations["de"])
)
def test_texts_of_a_system_are_translated(key: str) -> None:
    """At most 5 % of the texts on pages and in battles are English on a German page."""
    rules = next(each for each in rulesets() if each.key == key)
    shared = read_toml(SHARED)["de"]
    catalogue = Catalogue({**shared, **rules.translations["de"]})
    texts = sorted(all_texts(rules))
    english = [text for text in texts if ENGLISH.search(catalogue.text(text))]
    share = len(english) / len(texts)
    assert share <= 0.05, f"{share:.0%} of {len(texts)} texts, such as {english[::9][:40]}"
