"""What one run of the printer sets: a document in one go, or the parts of a big one.

A big campaign's summary is split into front matter (title page and contents), which is set last,
when the pages of all others are known, and body parts that any worker can set.
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
"""The most pages that are set in one go: about ten seconds' work."""
PAGES_A_PART = 25
PAGES_A_BATTLE = 1.0
PEOPLE_A_PAGE, ROWS_A_PAGE = 20, 22

Thing = TypeVar("Thing")


class Entry(Struct, frozen=True):
    """A line of the contents. ``page`` is what the page is numbered, where it has to be known
    beforehand; ``number`` and ``on`` are those of a battle and its day (ISO), for battles may bear
    the same title."""

    anchor: str
    title: str
    part: bool = False
    page: str = ""
    number: int = 0
    on: str = ""

    @property
    def bookmark(self) -> str:
        """What the file's outline says of it."""
        return f"{self.number}. {self.title}" if self.number else self.title


class ShownPictures(Struct, frozen=True):
    """The sections of a campaign's summary that a plan sets, beside the battles, people and rosters
    in its content.

    ``apart``: other plans set the rest, so that page numbers and links between them are put in by
    the binder; ``dense``: in small type, to keep it short.
    """

    front: bool = False
    standings: bool = False
    battles_begin: bool = False
    end: bool = False
    apart: bool = False
    dense: bool = False
    body: bool = True


class Plan(Struct, frozen=True):
    """What a template is given: a content, or a part of it, and how to show it.

    ``fresh`` battles, and what was written before them, begin a page
    (documents.content.page_breaks.Typesetting); those that are ``tight``, and rosters, are set in
    smaller type, a career closer, and casualties of those in ``runs`` stand one after the other;
    ``packed`` ones are set as close as can be read, ``whole`` ones not broken.
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
    """One plan for all of a content; or the front matter and the body parts of a big one, in the
    order of the pages."""
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
    """Every line of the contents, in the order of the pages."""
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
    """About how many pages it will have."""
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
    """The standings go with the first battles, so that no part is too small to be worth its worker.

    A part ends before a battle that begins a page anyhow, unless that is long in coming.
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
