"""Take pictures of pages: `python -m scripts.screenshots.album demo|cases FOLDER [NAME ...]`.

``demo`` shows the existing campaigns, ``cases`` plays its own first. Prints the problems of each
page, and exits with 1 if there are any.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault(
    "DJANGO_ALLOW_ASYNC_UNSAFE", "true"
)  # Playwright keeps an event loop in this thread
django.setup()

from django.conf import settings  # noqa: E402 - Django has to be set up first
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.utils.text import slugify  # noqa: E402
from playwright.sync_api import BrowserContext, sync_playwright  # noqa: E402

from campaigns.models import Campaign  # noqa: E402
from config.celery import app  # noqa: E402
from scripts.screenshots.cases import CASES  # noqa: E402
from scripts.screenshots.finding import crawl  # noqa: E402
from scripts.screenshots.looking import Finding, links, look  # noqa: E402
from scripts.screenshots.signing_in import sign_in  # noqa: E402
from scripts.serve import running_muster  # noqa: E402
from scripts.system import program  # noqa: E402

LANGUAGES = {"demo": {"en-GB": "", "de-DE": "-german"}, "cases": {"en-GB": ""}}
"""The languages that the browsers request, and the suffixes of the folders of their pictures."""
EVERYWHERE = (
    "/",
    "/account/",
    "/rulesets/",
    "/documents/",
    "/clubs/",
    "/campaigns/",
    "/warbands/",
    "/battles/",
)


def main(arguments: Sequence[str]) -> int:
    """Return 1 if any page has a problem, else 0."""
    which, folder, *names = arguments
    call_command("migrate", verbosity=0)
    campaigns: dict[str, Campaign | None] = dict(
        _demonstrated() if which == "demo" else _played(names)
    )
    connection.close()
    app.control.purge()  # a long campaign leaves a thousand tasks, for which no page waits
    findings: list[Finding] = []
    with running_muster(logs=Path(settings.VAR_DIR)) as muster, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program("chromium"), args=["--no-sandbox"]
        )
        for language, marked in LANGUAGES[which].items():
            seen = set[str]()
            for name, campaign in campaigns.items():
                if names and f"{name}{marked}" not in names:
                    continue
                context, starts = (
                    browser.new_context(base_url=muster.url, locale=language),
                    [*EVERYWHERE],
                )
                if campaign:
                    sign_in(context, muster.url, campaign)
                    connection.close()
                    starts = [f"/campaigns/{campaign.pk}/", *EVERYWHERE]
                findings += _album(
                    context, Path(folder) / f"{name}{marked}", starts, seen if campaign else set()
                )
        browser.close()
    print(f"\n{len(findings)} findings." if findings else "\nNothing found.")
    return int(bool(findings))


def _demonstrated() -> Iterator[tuple[str, Campaign | None]]:
    yield "stranger", None
    for campaign in Campaign.objects.select_related("club").order_by("created_at"):
        yield slugify(f"{campaign.ruleset}-{campaign.name}"), campaign


def _played(names: Sequence[str]) -> Iterator[tuple[str, Campaign]]:
    for name, play in CASES.items():
        if not names or name in names:
            yield name, play()


def _album(
    context: BrowserContext, folder: Path, starts: Sequence[str], seen: set[str]
) -> Iterator[Finding]:
    """Yield the problems of the pages within reach of ``starts``, and save their pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    page = context.new_page()
    number = count(1)
    for visit in crawl(starts, lambda: links(page), seen):
        answer = page.goto(visit.path)
        if answer and not answer.ok:
            yield _reported(Finding(visit.name, visit.path, f"answers {answer.status}"))
        for finding in look(page, visit.name, folder):
            yield _reported(finding)
        print(f"{folder.name} {next(number)}: {visit.path}", flush=True)
    context.close()


def _reported(finding: Finding) -> Finding:
    print(f"  ! {finding.page} ({finding.seen_as}) {finding.what}", flush=True)
    return finding


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
