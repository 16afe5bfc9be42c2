"""`python -m scripts.pictures`: take the pictures of the front page and the manual again.

They are taken in each language, from a played demonstration.

Those of the front page are saved in ``static/site/pictures/`` as small WebP files, at twice the
size in which they are shown, those of the manual in ``manual/pages/pictures/``. The demonstration
is copied and does not change.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from scripts.demo.__main__ import FOLDER, ROOT, embedded
from scripts.demo.people import PASSWORD, username
from scripts.demo.plans import season_plan
from scripts.serve import running_muster
from scripts.system import program

PICTURES = ROOT / "static" / "site" / "pictures"
MANUAL = ROOT / "manual" / "pages" / "pictures"
ON_FRONT_PAGE = frozenset({"season", "warband", "battle", "book"})
"""The pictures that the front page and the README show. The manual shows all."""
LANGUAGES = {"en-GB": "", "de-DE": "-de"}
"""The languages that the browser requests, and the suffixes of their pictures."""
WIDE, UPRIGHT = (1040, 700), (390, 760)
QUALITY, QUALITY_OF_HALVES = 62, 54
MAX_BYTES = 780_000
"""The maximum size of all pictures together, in bytes."""
PRINTING = 180_000
"""The maximum time for printing a campaign book, in milliseconds."""


def main(arguments: Sequence[str]) -> int:
    """Return 0 if all pictures were taken and are small enough, else 1."""
    parser = argparse.ArgumentParser(prog="python -m scripts.pictures", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where `make demo` has played")
    parser.add_argument(
        "--browser", default=None, help="the path of a Chromium (default: the system's)"
    )
    wish = parser.parse_args(arguments)
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as copied:
        folder = Path(shutil.copytree(wish.folder, Path(copied) / "demo"))
        with (
            running_muster(environment=embedded(folder), logs=folder) as muster,
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch(
                executable_path=wish.browser or program("chromium"), args=["--no-sandbox"]
            )
            for name, size, way, shown in (
                ("season", WIDE, _season, ".dashboard"),
                ("warband", WIDE, _warband, ".cards"),
                ("home", UPRIGHT, _home, ".page-head"),
                ("new-campaign", WIDE, _new_campaign, "body"),
                ("fixtures", WIDE, _fixtures, "body"),
                ("result", WIDE, _result, "body"),
                ("enter-result", WIDE, _enter_result, "body"),
                ("battle", UPRIGHT, _battle, ".table-side h2"),
            ):
                _take(browser, muster.url, name, size, way, shown)
            _books(browser, muster.url)
            browser.close()
    taken = sum(file.stat().st_size for file in PICTURES.glob("*.webp"))
    print(f"{taken // 1000} kB in {PICTURES}")
    return int(taken > MAX_BYTES)


def _take(
    browser: Browser,
    url: str,
    name: str,
    size: tuple[int, int],
    way: Callable[[Page], None],
    shown: str,
) -> None:
    """Open a page as the organiser, and save a picture of it in each language.

    The picture starts at the element ``shown``.
    """
    width, height = size
    looks: dict[str, Any] = {
        "base_url": url,
        "viewport": {"width": width, "height": height},
        "reduced_motion": "reduce",
    }
    page = _signed_in(browser, **looks)
    way(page)
    for language, mark in LANGUAGES.items():
        context = browser.new_context(
            **looks,
            locale=language,
            device_scale_factor=2,
            storage_state=page.context.storage_state(),
        )
        seen = context.new_page()
        seen.goto(page.url)
        seen.locator(shown).first.evaluate("each => each.scrollIntoView()")
        _keep(f"{name}{mark}", Image.open(BytesIO(seen.screenshot(animations="disabled"))))
        context.close()
    page.context.close()


def _signed_in(browser: Browser, **looks: Any) -> Page:
    """Return a page on which the organiser has signed in."""
    page = browser.new_context(**looks).new_page()
    page.goto("/accounts/login/")
    page.fill("[name=login]", username(season_plan().organiser, 1))
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url("/")
    return page


def _season(page: Page) -> None:
    """Open the season's main page, with its charts."""
    page.goto("/campaigns/")
    page.click("main a[href^='/campaigns/']:has-text('Winter')")


def _home(page: Page) -> None:
    """Open the home page, with the next club night and open tasks."""
    page.goto("/")


def _new_campaign(page: Page) -> None:
    """Open the form for a new campaign."""
    page.goto("/clubs/")
    page.click("main a[href^='/clubs/']:has-text('Muskets')")
    page.click("main a[href$='/plan/']")


def _fixtures(page: Page) -> None:
    """Open the fixtures of the season."""
    _season(page)
    page.click("main a[href$='/fixtures/']")


def _result(page: Page) -> None:
    """Open the latest battle of the season, which has a result."""
    _season(page)
    page.click("main .dashboard a[href^='/battles/']:not([href*='/plan/'])")


def _warband(page: Page) -> None:
    """Open a warband's roster."""
    page.goto("/warbands/")
    page.click("main a[href^='/warbands/']:has-text('Santiago')")


def _enter_result(page: Page) -> None:
    """Open the result sheet of the battle that is still to be played, after starting it."""
    page.goto("/")
    page.click("main .button:visible:has-text('Plan battle')")
    page.click("main button:visible:has-text('Plan battle')")
    battle = page.url
    for _ in range(2):
        page.click("main .button:visible:has-text('Choose line-up for')")
        page.click("main button:visible:has-text('Save line-up')")
        page.wait_for_url(battle)
    page.click("main button:visible:has-text('Roll setup')")
    page.click("main summary:visible:has-text('Start battle')")
    page.click("main button:visible:has-text('Enter result')")
    page.wait_for_url("**/log/**")


def _battle(page: Page) -> None:
    """Open the live log of the battle that `_enter_result` started, in its first turn."""
    page.goto("/")
    page.click("main a[href^='/battles/']:visible:has-text('Open battle')")
    page.click("main summary:visible:has-text('Continue')")
    page.click("main a:visible:has-text('Open live log')")
    page.wait_for_url("**/table/**")


def _books(browser: Browser, url: str) -> None:
    """Save two pages of the printed season next to each other, in each language."""
    for language, mark in LANGUAGES.items():
        page = _signed_in(browser, base_url=url, locale=language)
        _season(page)
        page.click("main a[href*='kind=campaign']")
        page.click("main form button")
        file = page.locator("a.button[href$='/file/']").get_attribute("href", timeout=PRINTING)
        with pypdfium2.PdfDocument(page.request.get(str(file)).body()) as document:
            sheets = [
                document[number].render(scale=1.2).to_pil().convert("RGB") for number in (0, 4)
            ]
        width, height = sheets[0].size
        spread = Image.new("RGB", (2 * width + 24, height), "#8a7b66")
        for place, sheet in enumerate(sheets):
            spread.paste(sheet, (place * (width + 24), 0))
        _keep(f"book{mark}", spread)
        page.context.close()


def _keep(name: str, image: Image.Image) -> None:
    language = "de" if name.endswith("-de") else "en"
    manual = MANUAL / f"{name.removesuffix('-de')}.{language}.webp"
    image.convert("RGB").save(manual, quality=QUALITY, method=6)
    if name.removesuffix("-de") not in ON_FRONT_PAGE:
        return
    image.convert("RGB").save(PICTURES / f"{name}.webp", quality=QUALITY, method=6)
    half = image.convert("RGB").resize(
        (image.width // 2, image.height // 2), Image.Resampling.LANCZOS
    )
    half.save(PICTURES / f"{name}-half.webp", quality=QUALITY_OF_HALVES, method=6)
    print(f"{name}: {image.width} x {image.height}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
