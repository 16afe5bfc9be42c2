"""Every page of an evening, looked at by axe in both themes and measured at three widths.

`make test` looks at the main ones, `make soak` at every page with a link, for every rule
system; and `make screenshots` does so with whole campaigns, and keeps the pictures.
"""

from collections.abc import Iterator
from itertools import islice

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from battles.models import Battle
from campaigns.models import Campaign
from scripts.prints.playing import PLAYED_BY
from scripts.screenshots.cases import an_evening
from scripts.screenshots.finding import crawl
from scripts.screenshots.looking import links, look
from scripts.screenshots.signing_in import sign_in
from warbands.models import Fighter, Warband

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]


@pytest.mark.soak("club nights of a rule system, each page checked by axe", each=1, sample=1)
@pytest.mark.parametrize("ruleset", PLAYED_BY)
def test_axe_finds_nothing_in_either_theme_and_no_page_scrolls_sideways_or_runs_on(
    page: Page, live_server: LiveServer, ruleset: str, request: pytest.FixtureRequest
) -> None:
    campaign = an_evening(ruleset)
    sign_in(page.context, live_server.url, campaign)
    starts = list(main_pages(campaign))
    most = None if request.config.getoption("soak") else len(starts)
    findings = []
    for visit in islice(crawl(starts, lambda: links(page), set()), most):
        answer = page.goto(visit.path)
        assert answer is not None
        assert answer.ok, visit
        findings += look(page, visit.name)
    assert findings == []


def main_pages(campaign: Campaign) -> Iterator[str]:
    """Yield the pages that everybody visits on a club night."""
    tables = {battle.title: battle.pk for battle in Battle.objects.filter(campaign=campaign)}
    warband = Warband.objects.order_by("pk")[0]
    fighter = Fighter.objects.filter(warband=warband).order_by("pk")[0]
    yield from (
        "/",
        f"/campaigns/{campaign.pk}/",
        f"/campaigns/{campaign.pk}/standings/",
        f"/warbands/{warband.pk}/",
    )
    yield from (
        f"/fighters/{fighter.pk}/",
        f"/warbands/{warband.pk}/build/",
        f"/clubs/{campaign.club_id}/",
    )
    yield from (f"/battles/{tables['Over and Done']}/", f"/battles/{tables['Planned']}/")
    yield from (f"/battles/{tables['Begun']}/table/", f"/battles/{tables['Begun']}/log/")
    yield f"/rulesets/{campaign.ruleset}/"


MEASURES = """() => {
  const links = [...document.querySelectorAll("main a[href], footer a[href], footer button")];
  const small = links.filter((link) => {
    const boxes = [...link.getClientRects()];
    return boxes.length && Math.max(...boxes.map((box) => box.height)) < 23.5;
  });
  return {
    top: document.querySelector("main h1").getBoundingClientRect().top,
    figures: getComputedStyle(document.body).fontVariantNumeric,
    small: small.map((link) => link.textContent.trim()),
  };
}"""


def test_phone_page_starts_high_with_large_targets(page: Page, live_server: LiveServer) -> None:
    campaign = an_evening("en-garde")
    sign_in(page.context, live_server.url, campaign)
    page.set_viewport_size({"width": 390, "height": 844})
    for path in ("/", "/documents/", "/warbands/", f"/campaigns/{campaign.pk}/"):
        page.goto(f"{live_server.url}{path}")
        measured = page.evaluate(MEASURES)
        assert measured["top"] < 200, path
        assert "lining-nums" in measured["figures"]
        assert measured["small"] == [], path
