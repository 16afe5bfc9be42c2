"""Decide which battles of a book begin a page, and what is set in smaller type.

The aims: one battle to a page, short ones together, no page less than half full, and one roster to
a page. Heights are estimated in millimetres (documents.content.text_heights). The printer lays out
each page only once, so the decisions must be right for every paper size.
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
"""The text heights of Letter and A4, and the height below which a text is short, in mm."""
PAPERS = (FULL, FULL_OF_A4)
AIRY, ENDS = 2.8, 40.0
"""The most pages of a battle's own document before its type becomes small, and its fixed height.

The fixed height (mm) is that of the title and the last lines.
"""
LEAN = 0.92
"""The smallest share of its estimated height that a battle or text may take in print."""
KEPT, KEPT_OF_TEXT = 60.0, 26.0
"""The heights (mm) that no page break divides.

They are the head of a battle, and the first lines of a text with what is above them.
"""
OPENING, BETWEEN = 30.0, 9.0
"""The heights (mm) of the title of the battles, and of the space between two battles."""
SHORT, CLOSER = 0.35, 0.86
"""The share of a last page below which it counts as nearly empty.

``CLOSER`` is the height of a career in close type, as a share of its usual height.
"""


class Typesetting(Struct, frozen=True):
    """The settings of the battles of a book, by their ids.

    ``fresh`` begin a page: a battle, or as "journal-<id>" the journal entries before it. ``whole``
    are not divided by a page break. ``tight`` are set in smaller type, ``runs`` have their
    casualties in one paragraph, and ``packed`` are set as closely as is readable, without bars.
    """

    fresh: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    tight: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    packed: tuple[str, ...] = ()

    def begins(self, battle: BattleNarrative) -> bool:
        """Return whether a page begins with the battle and the journal entries before it."""
        return (f"journal-{battle.id}" if battle.journal else battle.id) in self.fresh


class Sheet:
    """The fill level of a page of one paper size, in millimetres.

    ``least`` and ``most`` are the lowest and highest estimate; the highest may reach onto the next
    page.
    """

    def __init__(self, full: float, least: float = 0.0, most: float = 0.0) -> None:
        self.full, self.least, self.most = full, least, most

    @property
    def is_known(self) -> bool:
        """True if both estimates are on the same page."""
        return self.most < self.full

    @property
    def is_half_full(self) -> bool:
        """True if the page is at least half full by the lowest estimate."""
        return self.least >= self.full / 2

    def has_room(self, tall: float) -> bool:
        """Return whether something fits below the present text by the highest estimate."""
        return self.is_known and self.most + tall <= self.full

    def may_push(self, tall: float) -> bool:
        """Return whether a block that is kept whole leaves no page less than half full.

        That is so if the block fits, or if the page is already half full.
        """
        overleaf = 0.0 if self.is_known else self.most - self.full
        return self.has_room(tall) or (self.is_half_full and overleaf + tall <= self.full)

    def with_text(self, tall: float) -> "Sheet":
        """Return the page after a text that may continue on the next page."""
        return self._running_on(tall * LEAN, tall, KEPT_OF_TEXT)

    def with_battle(self, tall: float) -> "Sheet":
        """Return the page after a battle that may be divided by a page break."""
        return self._running_on(tall * LEAN, tall, KEPT)

    def with_whole(self, tall: float) -> "Sheet":
        """Return the page after an undivided battle, here or on the next page."""
        below = (
            min(self.most + tall, self.full - 1) if self.is_known else self.most - self.full + tall
        )
        return Sheet(self.full, tall * LEAN, max(below, tall))

    def _running_on(self, least: float, most: float, kept: float) -> "Sheet":
        """Return the page after content of this height, with ``kept`` millimetres undivided.

        This may leave a gap at the foot of a page.
        """
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
"""The forms in which a battle can be set, from the usual type to the closest."""


def typesetting(battles: Sequence[BattleNarrative], words: Label) -> Typesetting:
    """Return how the battles of a book are set; the first is below the title of its part.

    A battle that takes more than a page is set smaller. A battle that does not fit below the
    present text begins the next page if this page is half full. Otherwise it is set smaller, or
    continues on the next page. Short journal entries stay above their battle; long ones are text
    that flows from page to page.
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
        # A long journal flows from page to page before its battle.
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
        # The battle itself: below the present text, on a new page, or set smaller.
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
    """Return whether the page may end here on both paper sizes."""
    return all(sheet.is_known and sheet.is_half_full for sheet in sheets)


def _stands(sheets: Sequence[Sheet], tall: float) -> bool:
    """Return whether a battle fits on the present page or may begin the next one."""
    return _fit(sheets, tall) or _ends_page(sheets)


def tight_rosters(rosters: Sequence[RosterSheet]) -> tuple[str, ...]:
    """Return the ids of the rosters that take more than a page in the usual type.

    The last one shares its page with the last lines of the book.
    """
    room = [FULL - COLOPHON * (place == len(rosters)) for place in range(1, len(rosters) + 1)]
    return tuple(
        roster.id
        for roster, most in zip(rosters, room, strict=True)
        if roster_height(roster) > most
    )


def type_of_summary(battle: BattleNarrative, words: Label) -> str:
    """Return the type of a battle in its own document: "dense", "tight" or "".

    "dense" is for battles that would take more than ``AIRY`` pages, "tight" for those that need a
    page less in smaller type.
    """
    pages = (summary_height(battle, words) + ENDS) / FULL
    if pages > AIRY:
        return "dense"
    return (
        "tight"
        if ceil((summary_height(battle, words, small=True) + ENDS) / FULL) < ceil(pages)
        else ""
    )


def type_of_career(career: FighterCareer) -> str:
    """Return "tight" if that saves a nearly empty last page of a career, else "".

    A saving on one of the paper sizes is enough.
    """
    tall = career_height(career)
    pages = [(tall / full, tall * CLOSER / full) for full in (FULL, FULL_OF_A4)]
    return (
        "tight"
        if any(usual % 1 < SHORT and ceil(lower) < ceil(usual) for usual, lower in pages)
        else ""
    )
