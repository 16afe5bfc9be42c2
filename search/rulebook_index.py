"""The entries of all rule systems with names and summaries, normalised once for each process."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from urllib.parse import urlencode

from django.urls import reverse
from msgspec import Struct

from core.search_text import found_by_words, normalise
from reference.selectors.rules_page import RulesPage, rules_page
from rulebook.registry import rulesets
from rulebook.ruleset import Ruleset

LONGEST_SNIPPET = 160


class RulesEntry(Struct, frozen=True):
    """An entry of a rule system's page: its name, its section, its text and its URL."""

    ruleset: str
    system: str
    name: str
    section: str
    says: str
    url: str
    folded_name: str
    folded: str


@lru_cache(maxsize=200)
def matching_entries(words: tuple[str, ...]) -> Sequence[RulesEntry]:
    """Return the entries in which each word is the start of a word, matches in names first.

    No queries.
    """
    entries = [entry for entry in _entries() if _holds(entry.folded, words)]
    return tuple(
        sorted(
            entries, key=lambda entry: (_rank(entry.folded_name, words), entry.name, entry.system)
        )
    )


def scenario_names(words: tuple[str, ...]) -> dict[str, list[tuple[str, str]]]:
    """Return the scenarios with a word in their name, as (rule system, key), for each word."""
    return {
        word: [place for place, folded in _scenarios().items() if _holds(folded, (word,))]
        for word in words
    }


def snippet(says: str, words: tuple[str, ...]) -> str:
    """Return a piece of the text that begins shortly before the first word of the query."""
    if len(says) <= LONGEST_SNIPPET:
        return says
    places = [
        place
        for place in range(len(says))
        if says[place - 1 : place] in ("", " ") and _begins(says[place:], words)
    ]
    start = max(0, (places or [0])[0] - LONGEST_SNIPPET // 4)
    start = says.find(" ", start) + 1 if start else 0
    piece = says[start : start + LONGEST_SNIPPET].rsplit(" ", 1)[0]
    return f"{'… ' if start else ''}{piece} …"


def _begins(text: str, words: tuple[str, ...]) -> bool:
    return any(normalise(text[: 2 * len(word)]).startswith(word) for word in words)


def _holds(folded: str, words: tuple[str, ...]) -> bool:
    text = f" {folded}"
    return all(f" {word}" in text for word in words)


def _rank(folded: str, words: tuple[str, ...]) -> int:
    whole = " ".join(words)
    if folded == whole:
        return 0
    if folded.startswith(whole):
        return 1
    return 2 if _holds(folded, words) else 3


@lru_cache(maxsize=1)
def _scenarios() -> dict[tuple[str, str], str]:
    return {
        (rules.key, each.key): found_by_words(each.name)
        for rules in rulesets()
        for each in rules.scenarios()
    }


@lru_cache(maxsize=1)
def _entries() -> tuple[RulesEntry, ...]:
    return tuple(entry for rules in rulesets() for entry in _of_system(rules))


def _of_system(rules: Ruleset) -> Iterator[RulesEntry]:
    page = rules_page(rules)
    address = reverse("reference:rules", args=[rules.key])
    for name, section, says, anchor, opened in _lines(page):
        # A list of profiles is collapsed. It opens when its page is searched for the profile.
        query = f"?{urlencode({'q': opened})}" if opened else ""
        folded_name, whole = (
            normalise(name),
            found_by_words(f"{name} {says} {section} {rules.name}"),
        )
        place = f"{address}{query}#{anchor}"
        yield RulesEntry(rules.key, rules.name, name, section, says, place, folded_name, whole)


def _lines(page: RulesPage) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield name, section, text, anchor, and the query that opens the entry on its page."""
    for section in page.lists:
        yield section.name, "Lists", section.summary, section.anchor, section.name
        for profile in section.profiles:
            yield (
                profile.name,
                section.name,
                profile.note,
                section.anchor,
                f"{section.name} {profile.name}",
            )
    for table in page.tables:
        for first, *rest in table.rows:
            yield (
                first,
                table.name,
                " · ".join(cell for cell in rest if cell),
                f"things-{table.anchor}",
                "",
            )
    for scenario in page.scenarios:
        yield scenario.name, "Scenarios", scenario.summary, "scenarios-told", ""
    for rule in page.house_rules:
        yield rule.label, "House rules", rule.help, "house-rules", ""
    for chapter in page.chapters:
        for heading in chapter.headings:
            yield heading.name, chapter.name, heading.says, heading.anchor, ""
    for ruling in page.rulings:
        yield ruling.key, "Rulings", ruling.says, ruling.anchor, ""
