"""A rule system's page: its lists with profiles, tables, headings and rulings. No queries."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from core.rule_links import anchor_of, ruling_anchor
from core.ruleset_words import translated_words
from core.search_text import plain_name
from reference.selectors.calculators import FIGHTERS, calculators_about
from rulebook.ruleset import Calculator, HouseRule, Ruleset, VisibleNumbers, Words
from rulebook.values.reference import ListSection, TableSection


class WordFilter:
    """A search filter: words that must all be in a line."""

    def __init__(self, query: str = "") -> None:
        self.words = plain_name(query).lower().split()

    def in_(self, *texts: str) -> bool:
        """Return whether all the words are in these texts together."""
        whole = plain_name(" ".join(texts)).lower()
        return all(word in whole for word in self.words)


def lists_of(lists: Iterable[ListSection], word_filter: WordFilter) -> Iterator[ListSection]:
    """Yield the lists with the profiles that match."""
    for section in lists:
        whole_section = word_filter.in_(section.name, section.summary)
        profiles = tuple(
            line
            for line in section.profiles
            if whole_section
            or word_filter.in_(
                section.name, line.name, line.note, line.carries, line.knows, *line.options
            )
        )
        if profiles:
            yield replace(section, profiles=profiles)


def tables_of(tables: Iterable[TableSection], word_filter: WordFilter) -> Iterator[TableSection]:
    """Yield the tables with the rows that match."""
    for table in tables:
        whole_table = bool(word_filter.words) and word_filter.in_(table.name)
        rows = tuple(row for row in table.rows if whole_table or word_filter.in_(*row))
        if rows:
            yield replace(table, rows=rows)


class ScenarioLine(Struct, frozen=True):
    """A scenario as text."""

    name: str
    summary: str
    victory: str
    length: str
    roles: str
    source: str


class HeadingLine(Struct, frozen=True):
    """A heading of the rule book: what it is about, and its rulings."""

    anchor: str
    name: str
    says: str
    rulings: tuple[str, ...]


class Chapter(Struct, frozen=True):
    """The headings of a chapter."""

    name: str
    headings: tuple[HeadingLine, ...]


class RulingLine(Struct, frozen=True):
    """A ruling, and the house rule by which a campaign can decide otherwise."""

    anchor: str
    key: str
    says: str
    house_rule: str


class CalculatorGroup(Struct, frozen=True):
    """A group of calculators."""

    name: str
    calculators: tuple[Calculator, ...]


class RulesPage(Struct, frozen=True):
    """Everything that a rule system's page shows; ``query`` is the search text.

    ``between`` says whether one fighter can be compared with another.
    """

    key: str
    name: str
    edition: str
    shown: VisibleNumbers
    words: Words
    between: bool
    query: str
    lists: tuple[ListSection, ...]
    tables: tuple[TableSection, ...]
    scenarios: tuple[ScenarioLine, ...]
    house_rules: tuple[HouseRule, ...]
    chapters: tuple[Chapter, ...]
    rulings: tuple[RulingLine, ...]
    calculators: tuple[CalculatorGroup, ...]

    @property
    def any_match(self) -> bool:
        """Return whether anything matches."""
        return any(
            (
                self.lists,
                self.tables,
                self.scenarios,
                self.house_rules,
                self.chapters,
                self.rulings,
                self.calculators,
            )
        )


def rules_page(rules: Ruleset, query: str = "") -> RulesPage:
    """Return the page of a rule system.

    Only lines that contain every word of the query are included.
    """
    catalogue, reference, word_filter = rules.catalogue({}), rules.reference({}), WordFilter(query)
    return RulesPage(
        key=rules.key,
        name=rules.name,
        edition=rules.edition,
        shown=rules.visible_numbers({}),
        words=translated_words(rules.words),
        between=bool(calculators_about(rules, FIGHTERS)),
        query=query,
        lists=tuple(lists_of(reference.lists, word_filter)),
        tables=tuple(tables_of(reference.tables, word_filter)),
        scenarios=tuple(_scenarios(rules, word_filter)),
        house_rules=tuple(
            rule
            for rule in rules.house_rules()
            if word_filter.in_(rule.label, rule.help, rule.source)
        ),
        chapters=tuple(_chapters(catalogue, word_filter)),
        rulings=tuple(_rulings(catalogue, rules, word_filter)),
        calculators=calculator_groups(rules, word_filter),
    )


# Words.


def _scenarios(rules: Ruleset, word_filter: WordFilter) -> Iterator[ScenarioLine]:
    for scenario in rules.scenarios():
        if word_filter.in_(scenario.name, scenario.summary, scenario.victory):
            roles = ", ".join(_role(role.name, role.force) for role in scenario.roles)
            yield ScenarioLine(
                scenario.name,
                scenario.summary,
                scenario.victory,
                scenario.length,
                roles,
                scenario.source,
            )


def _role(name: str, force: tuple[int, int]) -> str:
    top, bottom = force
    return (
        name
        if top == bottom
        else gettext("%(name)s (%(top)s/%(bottom)s of the points)")
        % {"name": name, "top": top, "bottom": bottom}
    )


def _chapters(catalogue: Mapping[str, Any], word_filter: WordFilter) -> Iterator[Chapter]:
    headings = [
        each
        for each in catalogue.get("headings", ())
        if word_filter.in_(each["name"], each["says"], *each["also"])
    ]
    for name, chapter_headings in groupby(headings, key=lambda each: each["chapter"]):
        yield Chapter(
            name,
            tuple(
                HeadingLine(
                    anchor_of(each["name"]), each["name"], each["says"], tuple(each["rulings"])
                )
                for each in chapter_headings
            ),
        )


def _rulings(
    catalogue: Mapping[str, Any], rules: Ruleset, word_filter: WordFilter
) -> Iterator[RulingLine]:
    labels = {rule.key: rule.label for rule in rules.house_rules()}
    for ruling in catalogue.get("rulings", ()):
        if word_filter.in_(ruling["key"], ruling["says"]):
            settled = labels.get(ruling.get("house_rule", ""), "")
            yield RulingLine(ruling_anchor(ruling["key"]), ruling["key"], ruling["says"], settled)


def calculator_groups(
    rules: Ruleset, word_filter: WordFilter | None = None
) -> tuple[CalculatorGroup, ...]:
    """Return the calculators about numbers by their groups, in order."""
    looked_for = word_filter or WordFilter()
    calculators = [
        each for each in calculators_about(rules) if looked_for.in_(each.name, each.help)
    ]
    groups = dict.fromkeys(each.group for each in calculators)
    return tuple(
        CalculatorGroup(name, tuple(each for each in calculators if each.group == name))
        for name in groups
    )
