"""The edition of the printed page: a hash of templates, style sheets, typefaces and the printer.

It is part of every content hash, so that a document is rendered again when its appearance changes,
not only its content.
"""

import hashlib
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from django.conf import settings

FOLDERS = (
    *("templates/print", "static/print", "static/fonts", "drawings", "locale"),
    *("documents/prose", "documents/templatetags", "documents/typefaces"),
)
CODE = (
    *(
        "core/markdown.py",
        "documents/faster_weasyprint.py",
        "documents/printing.py",
        "documents/roster_fitting.py",
        "documents/sheet_fitting.py",
        "documents/height_estimates.py",
        "documents/pdf_merge.py",
        "documents/imposition.py",
        "documents/pdf_writing.py",
        "documents/pdf_accessibility.py",
    ),
    *(
        "documents/print_drawings.py",
        "documents/print_resources.py",
        "documents/content/print_jobs.py",
        "documents/content/structs.py",
        "documents/block_heights.py",
        "documents/page_filling.py",
        "documents/pagination.py",
        "documents/rasters.py",
    ),
)
KINDS = {".html", ".css", ".svg", ".woff2", ".ttf", ".py", ".toml", ".mo"}


@lru_cache(maxsize=1)
def edition() -> str:
    """Return 64 hex digits. Cached, because templates do not change while a worker is running."""
    versions = f"{version('weasyprint')} {version('pypdfium2')} {version('pillow')}"
    digest = hashlib.sha256(versions.encode())
    for file in _files(Path(settings.BASE_DIR)):
        digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _files(root: Path) -> list[Path]:
    looks = [
        file for folder in FOLDERS for file in (root / folder).rglob("*") if file.suffix in KINDS
    ]
    return sorted([*looks, *(root / file for file in CODE)])
