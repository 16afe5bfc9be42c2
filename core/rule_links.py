"""Links from a rule's name to its place on the page of its rule system. No queries."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from rulebook.registry import newest_ruleset
from rulebook.ruleset import RulesError

NAMED = re.compile(r'"([^"]+)"|\b((?:[A-Z]-)?[A-Z]\d{1,2})\b')


class RuleLink(Struct, frozen=True):
    """A piece of a rule's name. ``anchor`` is its place on the page, or "" for plain words."""

    text: str
    anchor: str = ""


def anchor_of(name: str) -> str:
    """Return the anchor of a heading on the page, such as "shooting-procedure"."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def ruling_anchor(key: str) -> str:
    """Return the anchor of a ruling on the page, such as "ruling-b10"."""
    return f"ruling-{key.lower()}"


def rule_links(ruleset: str, rule: str) -> tuple[RuleLink, ...]:
    """Split the name of a rule into plain words and links to headings or rulings of that name.

    Returns only plain words if the rule system is unknown or has no such heading.
    """
    places = _places(ruleset)
    if rule.lower() in places:
        return (RuleLink(rule, places[rule.lower()]),)
    return tuple(_pieces(rule, places))


def _pieces(rule: str, places: Mapping[str, str]) -> Iterator[RuleLink]:
    done = 0
    for match in NAMED.finditer(rule):
        anchor = places.get((match[1] or match[2]).lower(), "")
        if anchor:
            if match.start() > done:
                yield RuleLink(rule[done : match.start()])
            yield RuleLink(match[1] or match[2], anchor)
            done = match.end()
    if done < len(rule):
        yield RuleLink(rule[done:])


@lru_cache(maxsize=16)
def _places(ruleset: str) -> Mapping[str, str]:
    """Return the anchors of all headings and rulings by their names in lower case."""
    try:
        catalogue = newest_ruleset(ruleset).catalogue({})
    except RulesError:
        return {}
    headings = catalogue.get("headings", ())
    named = {
        name: anchor_of(each["name"])
        for each in headings
        for name in (each["name"], *each.get("also", ()))
    }
    rulings = {each["key"]: ruling_anchor(each["key"]) for each in catalogue.get("rulings", ())}
    return {name.lower(): anchor for name, anchor in (*named.items(), *rulings.items())}
