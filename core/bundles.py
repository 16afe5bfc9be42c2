"""Style sheets and scripts of the pages: many source files, sent as one file of each kind.

`collectstatic` joins the parts of each bundle and compresses the collected files with gzip and
Brotli. The names of collected files contain a hash of their content. In embedded mode the web
server collects them automatically. Where nothing was collected (in tests and with DEBUG), pages
load the parts.
"""

import fcntl
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import brotli
from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import StaticFilesStorage, staticfiles_storage
from django.core.files.base import ContentFile
from django.core.management import call_command
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Sheets in cascade order. Every part is in the folder of its bundle, so the relative addresses
# in it stay correct in the bundle.
SHEET_NAMES = (
    "rules typefaces tokens words base layout masthead search front components cards tables forms "
    "builder battles"
    " battle-card board clubs at-table casualty offline dashboard inbox fixtures night"
    " pictures print"
)
BUNDLES: Mapping[str, tuple[str, ...]] = {
    "site/css/muster.css": tuple(f"site/css/{name}.css" for name in SHEET_NAMES.split()),
    # The first script decides whether a bundle is strict: "use strict" must be at the very top.
    "site/js/muster.js": (
        "site/js/fresh-id.js",
        "site/vendor/htmx/htmx-2.0.11.min.js",
        *(
            f"site/js/{name}.js"
            for name in (
                "back",
                "masthead",
                "share",
                "tabs",
                "time-zone",
                "rows",
                "builder",
                "devices",
            )
        ),
    ),
    # Loaded by hall screens only, which old browsers show.
    "site/css/hall-screen.css": ("site/css/hall.css",),
    "site/js/hall-screen.js": ("site/js/hall.js",),
    # Loaded by the pages of battles only: the live log, its offline queue and the result sheet.
    "site/js/battle.js": tuple(
        f"site/js/{name}.js"
        for name in ("offline-queue", "offline-table", "offline", "table", "casualty", "sheet")
    ),
}
"""The file names of the parts of each bundle, in order."""
STAMP = "collected.txt"
"""The file in STATIC_ROOT that holds the fingerprint of the collected files."""
LARGE = 100_000
"""The size in bytes from which Brotli uses level 9: level 11 takes ten times as long."""


def bundle_files(bundle: str) -> tuple[str, ...]:
    """Return the names of the files that a page loads for a bundle."""
    return (bundle,) if is_collected() else BUNDLES[bundle]


def is_collected() -> bool:
    """Return whether pages load bundles, and files with hashes in their names."""
    return bool(getattr(staticfiles_storage, "is_collected", False))


class Packer(Compressor):
    """A WhiteNoise compressor that is quick with large files and skips compressed ones."""

    def compress(self, path: str) -> list[str]:
        """Compress a file with a hash in its name. Return the names of the files written."""
        if any(Path(f"{path}{suffix}").exists() for suffix in (".br", ".gz")):
            return []
        written: list[str] = super().compress(path)
        return written

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        """Return the content compressed with Brotli."""
        packed: bytes = brotli.compress(data, quality=9 if len(data) > LARGE else 11)
        return packed


class BundlingStorage(CompressedManifestStaticFilesStorage):
    """A storage that adds hashes to the names of collected files and leaves others as they are."""

    @property
    def is_collected(self) -> bool:
        """Return whether pages load bundles, and files with hashes in their names."""
        return bool(self.hashed_files) and not settings.DEBUG

    def url(self, name: str, force: bool = False) -> str:
        """Return the address of a file.

        Raises ValueError if files were collected and this one is not among them.
        """
        if not self.is_collected:
            return StaticFilesStorage.url(self, name)
        address: str = super().url(name, force)
        return address

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        """Create the bundles next to the collected files, then hash the names and compress all."""
        if not dry_run:
            for bundle, parts in BUNDLES.items():
                self.delete(bundle)
                self.save(bundle, ContentFile(b"\n".join(self._content(part) for part in parts)))
                paths[bundle] = (self, bundle)
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def compress_files(self, paths: set[str]) -> Iterator[tuple[str, str]]:
        """Compress the files that pages request: those with hashes in their names."""
        yield from super().compress_files(paths & {*self.hashed_files.values()})

    def create_compressor(self, **options: Any) -> Packer:
        """Return the compressor. It skips source maps, which only debuggers request."""
        return Packer(**options | {"extensions": (*Packer.SKIP_COMPRESS_EXTENSIONS, "map")})

    def _content(self, name: str) -> bytes:
        with self.open(name) as file:
            content: bytes = file.read()
        return content


def collect_changes() -> None:
    """Collect the static files if one of them, or a bundle, has changed since the last time."""
    root = Path(settings.STATIC_ROOT)
    # If several web processes start at once, the first one collects and the others wait.
    with (root / f"{STAMP}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp, current = root / STAMP, fingerprint()
        if not stamp.exists() or stamp.read_text() != current:
            call_command("collectstatic", interactive=False, verbosity=0)
            stamp.write_text(current)


@cache
def fingerprint() -> str:
    """Return a hash of all static files and of the list of bundles."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    ignored = apps.get_app_config("staticfiles").ignore_patterns  # type: ignore[attr-defined]
    for finder in get_finders():
        for name, storage in finder.list(ignored):
            with storage.open(name) as file:
                digest.update(name.encode() + hashlib.sha256(file.read()).digest())
    return digest.hexdigest()
