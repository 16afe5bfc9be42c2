"""The plans of one run of the printer: for a whole document, or for the parts of a big one.

A big campaign's summary is split into front matter and body parts. Any worker can set a body part.
The front matter (title page and contents) is set last, when all page numbers are known.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import asdict, replace

from documents.content.documents import AnyContent, BattleSummary, CampaignSummary, FighterCareer
from documents.content.page_breaks import (
    Typesetting,
    tight_rosters,
    type_of_career,
    type_of_summary,
    typesetting,
)
from documents.content.structs import BattleNarrative, RosterSheet

IN_ONE_GO = 60
"""The most pages that are set in one run, which takes about ten seconds."""
PAGES_A_PART = 25
PAGES_A_BATTLE = 1.0
PEOPLE_A_PAGE, ROWS_A_PAGE = 20, 22

Thing = TypeVar("Thing")


class Entry(Struct, frozen=True):
    """A line of the contents.

    ``page`` is the page number, if it must be known in advance. ``number`` and ``on`` are the
    number and day (ISO) of a battle, because battles may have the same title.
    """

    anchor: str
    title: str
    part: bool = False
    page: str = ""
    number: int = 0
    on: str = ""

    @property
    def bookmark(self) -> str:
        """The text of the entry in the file's outline."""
        return f"{self.number}. {self.title}" if self.number else self.title


class ShownPictures(Struct, frozen=True):
    """The sections of a campaign's summary in a plan, in addition to the content's lists.

    With ``apart``, other plans set the rest, and the binder adds page numbers and links between
    them. ``dense`` sets small type, to keep the document short.
    """

    front: bool = False
    standings: bool = False
    battles_begin: bool = False
    end: bool = False
    apart: bool = False
    dense: bool = False
    body: bool = True


class Plan(Struct, frozen=True):
    """The input of a template: a content, or a part of one, and how to show it.

    The ids in ``fresh``, ``tight``, ``runs``, ``packed`` and ``whole`` have the meaning of
    documents.content.page_breaks.Typesetting. ``tight`` also has the ids of rosters in smaller type
    and of a career in closer type.
    """

    content: AnyContent
    shown: ShownPictures = ShownPictures()
    entries: tuple[Entry, ...] = ()
    fresh: tuple[str, ...] = ()
    tight: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    packed: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()


def plans(content: AnyContent) -> tuple[Plan, ...]:
    """Return one plan for a whole content, or the front matter and body parts of a big one.

    The parts are in the order of the pages.
    """
    if isinstance(content, BattleSummary):
        size = type_of_summary(content.battle, content.words)
        return (
            Plan(
                content,
                ShownPictures(dense=size == "dense"),
                tight=(content.battle.id,) if size == "tight" else (),
            ),
        )
    if isinstance(content, FighterCareer):
        return (Plan(content, tight=(content.card.id,) if type_of_career(content) else ()),)
    if not isinstance(content, CampaignSummary):
        return (Plan(content),)
    whole = ShownPictures(front=True, standings=True, battles_begin=True, end=True)
    if _pages(content) <= IN_ONE_GO:
        types = typesetting(content.battles, content.words)
        small = (*types.tight, *tight_rosters(content.rosters))
        return (replace(_set(Plan(content, whole, entries(content)), types), tight=small),)
    return _parts(content)


def entries(content: CampaignSummary) -> tuple[Entry, ...]:
    """Return all lines of the contents, in the order of the pages."""
    tales = (
        Entry(f"battle-{battle.id}", battle.title, number=battle.number, on=battle.fought_on)
        for battle in content.battles
    )
    return (
        Entry("standings", gettext("Standings"), part=True),
        *((Entry("battles", gettext("The battles"), part=True), *tales) if content.battles else ()),
        *((Entry("veterans", gettext("Veterans"), part=True),) if content.veterans else ()),
        *(
            (Entry("records", gettext("Records"), part=True),)
            if content.records and not content.veterans
            else ()
        ),
        *((Entry("memorial", gettext("In memoriam"), part=True),) if content.memorial else ()),
        *(Entry(f"roster-{roster.id}", roster.name, part=True) for roster in content.rosters),
    )


def _pages(content: CampaignSummary) -> float:
    """Return the estimated number of pages."""
    people = (len(content.veterans) + len(content.memorial)) / PEOPLE_A_PAGE
    return PAGES_A_BATTLE * len(content.battles) + people + sum(map(_roster_pages, content.rosters))


def _roster_pages(roster: RosterSheet) -> float:
    return 0.7 + sum(len(group.rows) for group in roster.groups) / ROWS_A_PAGE


def _parts(content: CampaignSummary) -> tuple[Plan, ...]:
    without_people = replace(content, battles=(), journal=(), veterans=(), records=(), memorial=())
    bare = replace(without_people, rosters=(), private_rosters=(), heads=())
    front = Plan(bare, ShownPictures(apart=True, front=True, body=False), entries(content))
    *others, last = (
        front,
        *_battle_parts(content, bare),
        *_people_part(content, bare),
        *_roster_parts(content, bare),
    )
    ending = replace(last.content, private_rosters=content.private_rosters, heads=content.heads)
    return (*others, replace(last, content=ending, shown=replace(last.shown, end=True)))


def _battle_parts(content: CampaignSummary, bare: CampaignSummary) -> Iterator[Plan]:
    """Yield the parts with battles. The standings go with the first one, which avoids a tiny part.

    A part ends before a battle that begins a page anyway, or after twice its usual number of
    battles.
    """
    types = typesetting(content.battles, content.words)
    size = max(1, round(PAGES_A_PART / PAGES_A_BATTLE))
    chunks: list[list[BattleNarrative]] = [[]]
    for battle in content.battles:
        if len(chunks[-1]) >= (size if types.begins(battle) else 2 * size):
            chunks.append([])
        chunks[-1].append(battle)
    for number, battles in enumerate(chunks):
        shown = ShownPictures(apart=True, standings=number == 0, battles_begin=number == 0)
        part = replace(
            bare, battles=tuple(battles), journal=content.journal if battles is chunks[-1] else ()
        )
        yield _set(Plan(part, shown), types)


def _set(plan: Plan, types: Typesetting) -> Plan:
    return replace(plan, **asdict(types))


def _people_part(content: CampaignSummary, bare: CampaignSummary) -> Iterator[Plan]:
    if content.veterans or content.records or content.memorial:
        people = replace(
            bare, veterans=content.veterans, records=content.records, memorial=content.memorial
        )
        yield Plan(people, ShownPictures(apart=True))


def _roster_parts(content: CampaignSummary, bare: CampaignSummary) -> Iterator[Plan]:
    most = max(map(_roster_pages, content.rosters), default=1)
    small = tight_rosters(content.rosters)
    for rosters in _chunks(content.rosters, max(1, round(PAGES_A_PART / most))):
        yield Plan(replace(bare, rosters=tuple(rosters)), ShownPictures(apart=True), tight=small)


def _chunks(things: Sequence[Thing], size: int) -> Iterator[Sequence[Thing]]:
    for start in range(0, len(things), size):
        yield things[start : start + size]
