"""Which battles of a book begin a page, and what is set in smaller type: a battle a page, short
ones together, no page under half full, and a roster a page.

Heights are estimated in millimetres (documents.content.text_heights): the printer lays out a page
once, and whatever it is told has to hold on every paper.
"""

from collections.abc import Mapping, Sequence
from math import ceil

from msgspec import Struct

from documents.content.documents import FighterCareer
from documents.content.structs import BattleNarrative, Label, RosterSheet
from documents.content.text_heights import (
    COLOPHON,
    battle_height,
    career_height,
    journal_height,
    roster_height,
    summary_height,
)

FULL, FULL_OF_A4, LITTLE = 231.0, 249.0, 77.0
"""The text of a page of Letter and of A4, and what is little beside a battle."""
PAPERS = (FULL, FULL_OF_A4)
AIRY, ENDS = 2.8, 40.0
"""So many pages a battle may take in its own document before its type becomes small; the title and
the last lines of that."""
LEAN = 0.92
"""How tall at least a battle, or a text, turns out to be of what is estimated."""
KEPT, KEPT_OF_TEXT = 60.0, 26.0
"""The head of a battle, and the first lines of a text with what stands above them, which no page
break parts."""
OPENING, BETWEEN = 30.0, 9.0
"""The title of the battles, and what lies between two of them."""
SHORT, CLOSER = 0.35, 0.86
"""How much of a last page is little, and how tall a career is that stands close."""


class Typesetting(Struct, frozen=True):
    """How the battles of a book are set, by their ids: what begins a page (a battle, or as
    "journal-<id>" what was written before it), which are kept whole, which stand in smaller type,
    have their casualties in runs, and are set as close as can be read, without bars."""

    fresh: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    tight: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    packed: tuple[str, ...] = ()

    def begins(self, battle: BattleNarrative) -> bool:
        """Whether a page begins with the battle and all that was written before it."""
        return (f"journal-{battle.id}" if battle.journal else battle.id) in self.fresh


class Sheet:
    """How far a page of one paper is filled, in millimetres: at least, and at most, which may be on
    the next page."""

    def __init__(self, full: float, least: float = 0.0, most: float = 0.0) -> None:
        self.full, self.least, self.most = full, least, most

    @property
    def is_known(self) -> bool:
        """Whether it is known what page this is."""
        return self.most < self.full

    @property
    def is_half_full(self) -> bool:
        """Whether the page is half full in any case."""
        return self.least >= self.full / 2

    def has_room(self, tall: float) -> bool:
        """Whether something fits below what stands there in any case."""
        return self.is_known and self.most + tall <= self.full

    def may_push(self, tall: float) -> bool:
        """Whether something that is kept whole leaves no page less than half full: it fits, or the
        page is."""
        overleaf = 0.0 if self.is_known else self.most - self.full
        return self.has_room(tall) or (self.is_half_full and overleaf + tall <= self.full)

    def with_text(self, tall: float) -> "Sheet":
        """The page after a text below what stands there, which goes on overleaf if need be."""
        return self._running_on(tall * LEAN, tall, KEPT_OF_TEXT)

    def with_battle(self, tall: float) -> "Sheet":
        """The page after a battle that may be broken."""
        return self._running_on(tall * LEAN, tall, KEPT)

    def with_whole(self, tall: float) -> "Sheet":
        """The page after a battle below what stands there, or overleaf if it does not fit."""
        below = (
            min(self.most + tall, self.full - 1) if self.is_known else self.most - self.full + tall
        )
        return Sheet(self.full, tall * LEAN, max(below, tall))

    def _running_on(self, least: float, most: float, kept: float) -> "Sheet":
        """The page after so much, of which so much stands together, so that a gap may be left at
        the foot of a page."""
        if self.has_room(most):
            return Sheet(self.full, self.least + least, min(self.most + most, self.full - 1))
        pages = int((self.least + least) // self.full)
        after = self.most + most + kept - pages * self.full
        return Sheet(self.full, self.least + least - pages * self.full, min(after, 2 * self.full))


FORMS: Sequence[Mapping[str, bool]] = (
    {},
    {"small": True},
    {"small": True, "runs": True},
    {"small": True, "runs": True, "packed": True},
)
"""How a battle can be set, from the usual type to the closest."""


def typesetting(battles: Sequence[BattleNarrative], words: Label) -> Typesetting:
    """How the battles of a book are set; the first one stands below the title of its part.

    A battle that takes more than a page is set smaller. One that does not fit below what stands on
    a page already begins the next one if the page is half full; else it is set smaller, or goes on
    overleaf. What was written before it stands above it if that is little; else that is text that
    runs on from page to page.
    """
    battles_by_setting: dict[str, list[str]] = {
        "fresh": [],
        "whole": [],
        "tight": [],
        "runs": [],
        "packed": [],
    }
    sheets = [Sheet(full, OPENING * LEAN, OPENING) for full in PAPERS]
    for place, battle in enumerate(battles):
        written, between = journal_height(battle.journal), BETWEEN if place else 0.0
        above = between + (written if written < LITTLE else 0)
        tall = [above + battle_height(battle, words, **form) for form in FORMS]
        room = FULL - OPENING * (not place) + between
        usual = next((form for form, each in enumerate(tall) if each <= room), len(FORMS) - 1)
        key = f"journal-{battle.id}" if battle.journal else battle.id
        # A long journal runs on from page to page before its battle.
        if written >= LITTLE:
            below = [sheet.with_text(between + written) for sheet in sheets]
            alone = [Sheet(full).with_text(written) for full in PAPERS]
            if (
                place
                and _ends_page(sheets)
                and not _stands(below, tall[usual])
                and _stands(alone, tall[usual])
            ):
                battles_by_setting["fresh"].append(key)
                below = alone
            sheets, key = below, battle.id
        form = usual
        # The battle itself: below what is there, on a new page, or set smaller.
        if _fit(sheets, tall[usual]) or (not place and not battle.journal):
            sheets = [sheet.with_battle(tall[usual]) for sheet in sheets]
        elif _ends_page(sheets):
            battles_by_setting["fresh"].append(key)
            sheets = [Sheet(full).with_battle(tall[usual] - between) for full in PAPERS]
        else:
            safe = (
                each
                for each in range(usual, len(FORMS))
                if all(sheet.may_push(tall[each]) for sheet in sheets)
            )
            form = next(safe, -1)
            if form >= 0:
                battles_by_setting["whole"].append(battle.id)
                sheets = [sheet.with_whole(tall[form]) for sheet in sheets]
            else:
                form = usual
                sheets = [sheet.with_battle(tall[form]) for sheet in sheets]
        for name in ("tight", "runs", "packed")[:form]:
            battles_by_setting[name].append(battle.id)
    return Typesetting(**{name: tuple(ids) for name, ids in battles_by_setting.items()})


def _fit(sheets: Sequence[Sheet], tall: float) -> bool:
    return all(sheet.has_room(tall) for sheet in sheets)


def _ends_page(sheets: Sequence[Sheet]) -> bool:
    """Whether the page may end here on either paper."""
    return all(sheet.is_known and sheet.is_half_full for sheet in sheets)


def _stands(sheets: Sequence[Sheet], tall: float) -> bool:
    """Whether a battle fits below what stands on a page, or may begin the next one."""
    return _fit(sheets, tall) or _ends_page(sheets)


def tight_rosters(rosters: Sequence[RosterSheet]) -> tuple[str, ...]:
    """The ids of the rosters that take more than a page in the usual type; the last lines of a book
    stand below the last one."""
    room = [FULL - COLOPHON * (place == len(rosters)) for place in range(1, len(rosters) + 1)]
    return tuple(
        roster.id
        for roster, most in zip(rosters, room, strict=True)
        if roster_height(roster) > most
    )


def type_of_summary(battle: BattleNarrative, words: Label) -> str:
    """In what type a battle stands in its own document: "dense" to be told in three pages, "tight"
    where that spares a page that would bear little, else ""."""
    pages = (summary_height(battle, words) + ENDS) / FULL
    if pages > AIRY:
        return "dense"
    return (
        "tight"
        if ceil((summary_height(battle, words, small=True) + ENDS) / FULL) < ceil(pages)
        else ""
    )


def type_of_career(career: FighterCareer) -> str:
    """In what type a career stands: "tight" where its last page would bear little on either paper
    and goes then."""
    tall = career_height(career)
    pages = [(tall / full, tall * CLOSER / full) for full in (FULL, FULL_OF_A4)]
    return (
        "tight"
        if any(usual % 1 < SHORT and ceil(lower) < ceil(usual) for usual, lower in pages)
        else ""
    )
