"""Pages load one style sheet and one script, packed and kept for a year; battles a second
script."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.conf import settings as configured
from django.contrib.auth.models import User
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from fontTools.ttLib import TTFont

from battles.models import Battle
from campaigns.models import Campaign
from core import site_pages
from core.bundles import BUNDLES, SHEET_NAMES, STAMP, collect_changes, fingerprint
from core.middleware import PackedAnswers
from scripts.typefaces import spans
from tests.conftest import browser_of
from tests.pages.markup import Markup

pytestmark = pytest.mark.one_database
STATIC = Path(configured.BASE_DIR) / "static"
YEAR = 365 * 24 * 3600
MAX_BYTES = 65_000
"""The sheet and the script of every page, as they are sent to a browser that knows gzip alone."""
MAX_BYTES_OF_BATTLES = 15_000
MAX_BYTES_OF_TYPEFACES = 260_000
"""Typefaces that a phone keeps for the live log: all, except for letters that few names have."""
FIRST_VISIT = 250_000
TYPEFACES_OF_HOME = (
    "eb-garamond-regular",
    "eb-garamond-italic",
    "alegreya-sans-regular",
    "alegreya-sans-medium",
)
NEW_KIND = re.compile(r"^(?:async )?(?:function|class|const|let|var) (\w+)", re.MULTILINE)


@pytest.fixture(scope="module")
def collected_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the static files of these tests, as packing takes a while."""
    return tmp_path_factory.mktemp("collected")


@pytest.fixture
def collected(own_world: None, settings: Any, collected_once: Path) -> Iterator[Path]:
    """Collect static files like the embedded web server does before it starts."""
    settings.STATIC_ROOT = collected_once
    settings.WHITENOISE_AUTOREFRESH = False
    settings.WHITENOISE_USE_FINDERS = False
    site_pages.kept_files.cache_clear()
    site_pages.files_version.cache_clear()
    collect_changes()
    yield collected_once
    site_pages.kept_files.cache_clear()
    site_pages.files_version.cache_clear()


def files_of(page: Markup) -> tuple[list[str], list[str]]:
    """Return the style sheets and the scripts that a page loads."""
    sheets = [each["href"] for each in page.all("link") if each.get("rel") == "stylesheet"]
    return sheets, [each["src"] for each in page.all("script") if each.get("src")]


def sent(client: Client, address: str, encoding: str) -> bytes:
    """Return what a browser with this encoding gets."""
    answer = client.get(address, headers={"Accept-Encoding": encoding})
    assert answer.status_code == 200, address
    assert answer["Content-Encoding"] == encoding
    assert "Accept-Encoding" in answer["Vary"]
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]


def test_pages_load_one_sheet_and_one_script(
    collected: Path, alice: User, campaign: Campaign, begun: Battle
) -> None:
    browser = browser_of(alice)
    battle = [begun.pk]
    addresses = {
        "/": 1,
        "/account/": 1,
        "/nowhere/": 1,
        reverse("leagues:campaign", args=[campaign.pk]): 1,
        reverse("battles:battle", args=battle): 1,
        reverse("battles:table", args=battle): 2,
        reverse("battles:by-hand", args=battle): 2,
        reverse("battles:sheet", args=battle): 2,
    }
    for address, scripts in addresses.items():
        sheets, loaded = files_of(Markup(browser.get(address).content.decode()))
        assert (len(sheets), len(loaded)) == (1, scripts), address


def test_bundles_are_packed_and_immutable(collected: Path) -> None:
    client = Client()
    sizes = {}
    for bundle, parts in BUNDLES.items():
        address = staticfiles_storage.url(bundle)
        assert re.fullmatch(r"/static/site/\w+/[\w-]+\.[0-9a-f]{12}\.(css|js)", address)
        packed = sent(client, address, "gzip")
        content = gzip.decompress(packed)
        assert content == brotli.decompress(sent(client, address, "br"))
        plain = client.get(address)
        assert {"public", "immutable"} <= set(plain["Cache-Control"].split(", "))
        assert int(plain["Cache-Control"].partition("max-age=")[2].partition(",")[0]) >= YEAR
        last = (STATIC / parts[-1]).read_bytes().strip()
        assert content.rstrip().endswith(last.rsplit(b"\n", 1)[-1])
        sizes[bundle] = len(packed)
    battle = sizes.pop("site/js/battle.js")
    assert sum(sizes.values()) < MAX_BYTES, sizes
    assert battle < MAX_BYTES_OF_BATTLES


def test_sheet_is_every_part_in_order(collected: Path) -> None:
    name = staticfiles_storage.url("site/css/muster.css").removeprefix("/static/")
    content = (collected / name).read_text()
    places = []
    for part in BUNDLES["site/css/muster.css"]:
        rule = (STATIC / part).read_text().split("{")[0]
        places.append(content.index(rule))
    assert places == sorted(places)
    # Addresses in the sheet are those of files with hashes.
    assert re.findall(r"url\((?!\"\.\./[\w/-]+\.[0-9a-f]{12}\.\w+\")", content) == []


def test_every_sheet_and_script_is_in_a_bundle() -> None:
    # Of the page that describes the API, and of the organiser's page of pairings.
    own = {"site/css/api-docs.css", "site/js/pairings.js"}
    files = {
        str(file.relative_to(STATIC))
        for kind in ("css", "js")
        for file in (STATIC / "site" / kind).iterdir()
    }
    parts = [part for bundle in BUNDLES.values() for part in bundle]
    assert len(parts) == len({*parts})
    assert files - own == {part for part in parts if "vendor" not in part}
    assert len(SHEET_NAMES.split()) == len(BUNDLES["site/css/muster.css"])


@pytest.mark.parametrize("bundle", ["site/js/muster.js", "site/js/battle.js"])
def test_scripts_of_a_bundle_are_strict_and_share_no_name(bundle: str) -> None:
    sources = [(STATIC / part).read_text() for part in BUNDLES[bundle]]
    without_comments = re.sub(r"/\*.*?\*/|^//.*$", "", sources[0], flags=re.DOTALL | re.MULTILINE)
    assert without_comments.lstrip().startswith('"use strict";')
    names = [name for source in sources for name in NEW_KIND.findall(source)]
    assert len(names) == len({*names})


def test_files_are_collected_again_only_after_a_change(
    collected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    monkeypatch.setattr("core.bundles.call_command", lambda name, **_: calls.append(name))
    collect_changes()
    assert calls == []
    (collected / STAMP).write_text("of another version")
    collect_changes()
    assert calls == ["collectstatic"]
    assert (collected / STAMP).read_text() == fingerprint()


def test_parts_are_loaded_where_nothing_was_collected(db: None, client: Client) -> None:
    sheets, scripts = files_of(Markup(client.get("/").content.decode()))
    assert sheets == [f"/static/{part}" for part in BUNDLES["site/css/muster.css"]]
    assert scripts == [f"/static/{part}" for part in BUNDLES["site/js/muster.js"]]


def test_debug_loads_parts(db: None, collected: Path, settings: Any, client: Client) -> None:
    settings.DEBUG = True
    sheets, _ = files_of(Markup(client.get("/").content.decode()))
    assert sheets == [f"/static/{part}" for part in BUNDLES["site/css/muster.css"]]


def test_worker_keeps_bundles_and_the_typefaces_of_most_pages(
    collected: Path, client: Client
) -> None:
    source = client.get("/service-worker.js").content.decode()
    for bundle in BUNDLES:
        assert staticfiles_storage.url(bundle) in source
    assert staticfiles_storage.url("site/typefaces/eb-garamond-regular.woff2") in source
    assert "-more" not in source and "tokens" not in source
    kept = [name for name in site_pages.kept_files() if name.endswith(".woff2")]
    assert sum((STATIC / name).stat().st_size for name in kept) < MAX_BYTES_OF_TYPEFACES


def test_pages_and_data_are_packed_in_embedded_mode(alice: User, campaign: Campaign) -> None:
    browser = browser_of(alice)
    addresses = {
        "/": "text/html; charset=utf-8",
        reverse("leagues:campaign", args=[campaign.pk]): "text/html; charset=utf-8",
        f"/api/v1/campaigns/{campaign.pk}/": "application/json",
        "/api/v1/campaigns/nothing/": "application/problem+json",
    }
    for address, kind in addresses.items():
        answer = browser.get(address, headers={"Accept-Encoding": "gzip, br"})
        assert answer["Content-Type"] == kind
        plain = browser.get(address)
        assert "Content-Encoding" not in plain
        if len(plain.content) < 200:
            continue
        assert answer["Content-Encoding"] == "gzip"
        assert len(answer.content) < len(plain.content)
        assert gzip.decompress(answer.content)[:1] in b"<{"


def test_same_page_is_of_another_size_each_time(alice: User) -> None:
    """Sizes tell nothing of what a page holds: Django adds up to 100 random bytes to the head of
    each answer."""
    browser = browser_of(alice)
    sizes = {
        len(browser.get("/account/", headers={"Accept-Encoding": "gzip"}).content) for _ in range(8)
    }
    assert len(sizes) > 2


def test_pictures_and_documents_are_not_packed_twice(rf: Any) -> None:
    for kind, packed in (("application/pdf", False), ("image/webp", False), ("text/csv", True)):
        answer = HttpResponse(b"a" * 1000, content_type=kind)
        request = rf.get("/", headers={"Accept-Encoding": "gzip"})
        PackedAnswers(lambda _: HttpResponse()).process_response(request, answer)
        assert answer.has_header("Content-Encoding") is packed


def test_first_visit_of_home_is_small(db: None, collected: Path, client: Client) -> None:
    """In 12 requests: no more files than these, of which a browser loads three of the four pictures
    at once."""
    answer = client.get("/", headers={"Accept-Encoding": "gzip"})
    page = Markup(gzip.decompress(answer.content).decode())
    sheets, scripts = files_of(page)
    images = [each["src"] for each in page.all("img")]
    icons = [each["href"] for each in page.all("link") if each.get("rel") in ("icon", "manifest")]
    icons.append(staticfiles_storage.url("site/icons.svg"))
    typefaces = [
        staticfiles_storage.url(f"site/typefaces/{name}.woff2") for name in TYPEFACES_OF_HOME
    ]
    size = len(answer.content)
    for address in (*sheets, *scripts, *icons, *typefaces, *images):
        file = client.get(address, headers={"Accept-Encoding": "br"})
        size += len(b"".join(file.streaming_content))  # type: ignore[attr-defined]
    assert size < FIRST_VISIT + 15_000, "the fourth picture is far below"
    assert len([*sheets, *scripts, *icons, *typefaces, *images]) <= 13


def test_typefaces_have_all_letters_of_documents() -> None:
    """Each letter of a face is in exactly one of its parts, as the style sheet says."""
    sheet = (STATIC / "site/css/typefaces.css").read_text()
    for source in sorted((STATIC / "fonts").glob("*.woff2")):
        if f"/{source.name}" not in sheet:
            continue  # of documents alone
        letters: list[int] = []
        for part in (source.stem, f"{source.stem}-central", f"{source.stem}-more"):
            cut = set(TTFont(STATIC / "site/typefaces" / f"{part}.woff2").getBestCmap())
            rule = (
                sheet.partition(f"/{part}.woff2")[2]
                .partition(";\n  unicode-range:")[2]
                .partition(";")[0]
            )
            assert [*spans(cut)] == [each.strip() for each in rule.split(",")]
            letters += cut
        assert sorted(letters) == sorted(TTFont(source).getBestCmap()), source.name
    assert sheet.count("@font-face") == 3 * (STATIC / "fonts/fonts.css").read_text().count(
        "@font-face"
    )
