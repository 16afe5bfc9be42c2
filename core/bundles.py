"""Style sheets and scripts of pages: written in many files, sent in one of each.

`collectstatic` puts the parts of a bundle together and packs what it collects with
gzip and Brotli; names carry a hash of the content. In embedded mode the web server
runs it by itself. Where nothing was collected (tests, DEBUG), pages load the parts.
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

# Sheets in the order in which they build on each other. Every part lies in the folder of
# its bundle, so that addresses in it, which are relative, mean the same in the bundle.
SHEET_NAMES = (
    "rules typefaces tokens words base layout masthead search front components cards tables forms "
    "builder battles"
    " battle-card board clubs at-table casualty offline dashboard inbox fixtures pictures print"
)
BUNDLES: Mapping[str, tuple[str, ...]] = {
    "site/css/muster.css": tuple(f"site/css/{name}.css" for name in SHEET_NAMES.split()),
    # A bundle is strict if its first script is: "use strict" counts at the top alone.
    "site/js/muster.js": (
        "site/js/fresh-id.js",
        "site/vendor/htmx/htmx-2.0.11.min.js",
        *(
            f"site/js/{name}.js"
            for name in ("back", "masthead", "share", "rows", "builder", "devices")
        ),
    ),
    # Battles alone: the table, its queue without a network, and the result sheet.
    "site/js/battle.js": tuple(
        f"site/js/{name}.js" for name in ("offline-queue", "offline", "table", "casualty", "sheet")
    ),
}
"""The names of the parts of each bundle, in their order."""
STAMP = "collected.txt"
"""The file in STATIC_ROOT with the fingerprint of what was collected."""
LARGE = 100_000
"""Bytes from which Brotli packs at level 9: level 11 takes ten times as long."""


def bundle_files(bundle: str) -> tuple[str, ...]:
    """Return the names of the files that a page loads for a bundle."""
    return (bundle,) if is_collected() else BUNDLES[bundle]


def is_collected() -> bool:
    """Return whether pages take bundles and names with hashes."""
    return bool(getattr(staticfiles_storage, "is_collected", False))


class Packer(Compressor):
    """WhiteNoise's, which is quick with large files and leaves what is packed."""

    def compress(self, path: str) -> list[str]:
        """Pack a file whose name has a hash; return the names of what was written."""
        if any(Path(f"{path}{suffix}").exists() for suffix in (".br", ".gz")):
            return []
        written: list[str] = super().compress(path)
        return written

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        """Return the content as Brotli packs it."""
        packed: bytes = brotli.compress(data, quality=9 if len(data) > LARGE else 11)
        return packed


class BundlingStorage(CompressedManifestStaticFilesStorage):
    """Collected files with hashes in their names; others as they lie."""

    @property
    def is_collected(self) -> bool:
        """Whether pages take bundles and names with hashes."""
        return bool(self.hashed_files) and not settings.DEBUG

    def url(self, name: str, force: bool = False) -> str:
        """Return the address of a file. Raise ValueError for one that was not collected where
        others were."""
        if not self.is_collected:
            return StaticFilesStorage.url(self, name)
        address: str = super().url(name, force)
        return address

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        """Put bundles together next to the collected files, then name and compress everything."""
        if not dry_run:
            for bundle, parts in BUNDLES.items():
                self.delete(bundle)
                self.save(bundle, ContentFile(b"\n".join(self._content(part) for part in parts)))
                paths[bundle] = (self, bundle)
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def compress_files(self, paths: set[str]) -> Iterator[tuple[str, str]]:
        """Pack what pages ask for: files whose names have hashes."""
        yield from super().compress_files(paths & {*self.hashed_files.values()})

    def create_compressor(self, **options: Any) -> Packer:
        """Return what packs files, but for maps, which only a debugger asks for."""
        return Packer(**options | {"extensions": (*Packer.SKIP_COMPRESS_EXTENSIONS, "map")})

    def _content(self, name: str) -> bytes:
        with self.open(name) as file:
            content: bytes = file.read()
        return content


def collect_changes() -> None:
    """Collect static files if any of them, or a bundle, has changed since the last time."""
    root = Path(settings.STATIC_ROOT)
    # Of several web processes that start at once the first collects, and the others wait.
    with (root / f"{STAMP}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp, current = root / STAMP, fingerprint()
        if not stamp.exists() or stamp.read_text() != current:
            call_command("collectstatic", interactive=False, verbosity=0)
            stamp.write_text(current)


@cache
def fingerprint() -> str:
    """Return a hash of every static file and of how they are bundled."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    ignored = apps.get_app_config("staticfiles").ignore_patterns  # type: ignore[attr-defined]
    for finder in get_finders():
        for name, storage in finder.list(ignored):
            with storage.open(name) as file:
                digest.update(name.encode() + hashlib.sha256(file.read()).digest())
    return digest.hexdigest()
