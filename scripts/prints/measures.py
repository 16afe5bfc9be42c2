"""Measures of a campaign's book: the words of its stories, and how full its battle pages are."""

from collections.abc import Iterator, Sequence

import pypdfium2
import pypdfium2.raw as pdfium
from msgspec import Struct

from documents.content.documents import CampaignSummary
from documents.content.narratives import MOST_WORDS
from documents.content.print_jobs import entries
from documents.content.structs import BattleNarrative

MILLIMETRE = 72 / 25.4
TOP, BOTTOM = 23 * MILLIMETRE, 25 * MILLIMETRE
"""The margins of a page, in points."""
PAPER = 200
"""The brightness (of 255) from which a pixel counts as paper."""
FEWEST_LOGGED = 60
"""The fewest words for a battle that was logged turn by turn."""


class StoryLength(Struct, frozen=True):
    """The number of words that Muster wrote about a battle, and whether they come from its log."""

    battle: str
    words: int
    from_log: bool

    @property
    def fits(self) -> bool:
        """True if the story is neither too short nor too long."""
        return FEWEST_LOGGED * self.from_log <= self.words <= MOST_WORDS


def story_lengths(book: CampaignSummary) -> list[StoryLength]:
    """Return the lengths of the stories of all battles of a book, in their order."""
    return [_story_length(battle) for battle in book.battles]


def _story_length(battle: BattleNarrative) -> StoryLength:
    sentences = [each for paragraph in battle.told.paragraphs for each in paragraph]
    return StoryLength(
        battle.title,
        sum(len(each.sentence.split()) for each in sentences),
        any(each.clauses for each in sentences),
    )


def page_fills(pdf: bytes) -> Iterator[float]:
    """Yield how far down each page has ink between its margins, from 0 to 1."""
    file = pypdfium2.PdfDocument(pdf)
    for page in file:
        picture = page.render(scale=1, grayscale=True).to_pil()
        top, bottom = int(TOP), int(page.get_height() - BOTTOM)
        inked = (
            picture.crop((0, top, picture.width, bottom))
            .point([255] * PAPER + [0] * (256 - PAPER))
            .getbbox()
        )
        yield (inked[3] if inked else 0) / (bottom - top)
    file.close()


def battle_page_fills(content: CampaignSummary, pdf: bytes) -> list[float]:
    """Return how full the pages of a book with its battles are, in their order."""
    parts = [entry.anchor for entry in entries(content) if entry.part]
    if "battles" not in parts:
        return []
    place = parts.index("battles")
    first, after = _pages_of_anchors(pdf, parts[place : place + 2])
    return [*page_fills(pdf)][first:after]


def _pages_of_anchors(pdf: bytes, anchors: Sequence[str]) -> list[int]:
    """Return the page (from 0) of each anchor of a file."""
    file = pypdfium2.PdfDocument(pdf)
    places = [pdfium.FPDF_GetNamedDestByName(file, anchor.encode()) for anchor in anchors]
    pages = [pdfium.FPDFDest_GetDestPageIndex(file, place) for place in places]
    file.close()
    return pages
