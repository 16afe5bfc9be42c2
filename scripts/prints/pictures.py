"""PDFs as pictures: a PNG for each page, and a sheet with the pages next to each other."""

import math
from pathlib import Path

import pypdfium2
from PIL import Image

DOTS = 80
"""Dots per inch: small print can be read, and a hundred pages take a few megabytes."""
ACROSS, THUMBNAIL, GAP = 6, 300, 12
DESK = "#8a8378"


def draw_pages(pdf: Path) -> list[Path]:
    """Save a PNG for each page of the PDF, and ``<name>-sheet.png``; return their paths."""
    document = pypdfium2.PdfDocument(pdf)
    pages = [page.render(scale=DOTS / 72).to_pil() for page in document]
    document.close()
    folder = pdf.with_suffix("")
    folder.mkdir(exist_ok=True)
    files = [folder / f"page-{number:03}.png" for number in range(1, len(pages) + 1)]
    for file, page in zip(files, pages, strict=True):
        page.save(file)
    sheet = pdf.with_name(f"{pdf.stem}-sheet.png")
    contact_sheet(pages).save(sheet)
    return [sheet, *files]


def contact_sheet(pages: list[Image.Image]) -> Image.Image:
    """Return a picture of all pages, small, in rows."""
    small = [
        page.resize((THUMBNAIL, round(THUMBNAIL * page.height / page.width))) for page in pages
    ]
    across, height = min(ACROSS, len(small)), max(page.height for page in small)
    size = (GAP + across * (THUMBNAIL + GAP), GAP + math.ceil(len(small) / across) * (height + GAP))
    desk = Image.new("RGB", size, DESK)
    for place, page in enumerate(small):
        row, column = divmod(place, across)
        desk.paste(page, (GAP + column * (THUMBNAIL + GAP), GAP + row * (height + GAP)))
    return desk
