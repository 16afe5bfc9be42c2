"""A roster as text to paste elsewhere: into a chat, a forum or a file."""

import re
from collections.abc import Callable, Iterator

from django.utils.translation import ngettext
from msgspec import Struct

from core.ruleset_words import rules_text
from warbands.selectors.fighter_card import FighterCard
from warbands.selectors.warband_page import WarbandPage

MAX_MESSAGE = 2000
"""The most characters of a message on Discord."""
ZERO_WIDTH_SPACE = "\u200b"


class RosterText(Struct, frozen=True):
    """A roster in a format. Long ones are several ``parts``, to paste one after the other."""

    key: str
    label: str
    parts: tuple[str, ...]


class Markup(Struct, frozen=True):
    """The bold text of a format, and the harmless form of a user's text."""

    bold: Callable[[str], str]
    plain: Callable[[str], str]


def _escaped(text: str) -> str:
    """Return text whose characters mean nothing in Markdown, and mention nobody on Discord."""
    # Discord has no escape for a mention: a space without width parts it.
    escaped = re.sub(r"([\\`*_~|<>\[\]#])", r"\\\1", text)
    return escaped.replace("@", f"@{ZERO_WIDTH_SPACE}")


def _without_brackets(text: str) -> str:
    """Return text without tags: BBCode has no escape for its brackets."""
    return text.replace("[", "(").replace("]", ")")


MARKDOWN = Markup(lambda text: f"**{text}**", _escaped)
BBCODE = Markup(lambda text: f"[b]{text}[/b]", _without_brackets)


def roster_texts(page: WarbandPage, address: str) -> tuple[RosterText, ...]:
    """Return the roster for Discord, as BBCode and as Markdown, with the address of its page.

    Fighters who are gone are left out. No query.
    """
    markdown = [*_lines(page, MARKDOWN), address]
    return (
        RosterText("discord", "Discord", tuple(_messages(markdown))),
        RosterText("bbcode", "BBCode", ("\n".join([*_lines(page, BBCODE), address]),)),
        RosterText("markdown", "Markdown", ("\n".join(markdown),)),
    )


def _lines(page: WarbandPage, markup: Markup) -> Iterator[str]:
    yield markup.bold(markup.plain(page.name))
    facts = [page.faction_name, page.ruleset_name]
    if page.shown.points:
        facts.append(_points(page.points))
    yield markup.plain(", ".join(facts))
    for section in page.sections:
        yield ""
        if section.group:
            yield markup.bold(markup.plain(section.group.name))
        for fighter, place in section.fighters:
            yield f"- {_fighter(page, markup, fighter, place)}"
    if page.bought:
        yield ""
        yield markup.plain(", ".join(str(rules_text(line.label)) for line in page.bought))
    yield ""


def _fighter(page: WarbandPage, markup: Markup, fighter: FighterCard, place: str) -> str:
    """Return a fighter in one line: name, profile, rank, points, and what it carries."""
    facts = [fighter.profile_name, *(str(rules_text(post.name)) for post in fighter.posts)]
    if place and place not in facts:
        facts.append(place)
    if page.shown.ranks:
        facts.append(f"{page.words.rank} {fighter.rank}")
    if page.shown.points:
        facts.append(_points(fighter.points))
    carried = [*fighter.sheet.equipment, *fighter.sheet.attributes] if fighter.sheet else []
    items = f": {', '.join(item.name for item in carried)}" if carried else ""
    name = markup.bold(markup.plain(fighter.name))
    return f"{name}, {markup.plain(', '.join(facts) + items)}"


def _points(number: int) -> str:
    return ngettext("%(points)s point", "%(points)s points", number) % {"points": number}


def _messages(lines: list[str]) -> Iterator[str]:
    """Yield the lines as messages of ``MAX_MESSAGE`` characters at most."""
    message: list[str] = []
    for line in lines:
        if message and len("\n".join([*message, line])) > MAX_MESSAGE:
            yield "\n".join(message)
            message = []
        message.append(line[:MAX_MESSAGE])
    yield "\n".join(message)
