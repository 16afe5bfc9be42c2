"""Print campaigns: `python -m scripts.prints.press demo|hard-cases FOLDER [NAME ...]`.

``demo`` prints the existing campaigns, ``hard-cases`` plays its own first.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command  # noqa: E402 - Django has to be set up first
from django.db.models import Count, QuerySet  # noqa: E402
from django.utils.text import slugify  # noqa: E402

from battles.models import BattleState  # noqa: E402
from campaigns.models import Campaign, CampaignState, Fixture  # noqa: E402
from documents.content.documents import CampaignSummary  # noqa: E402
from documents.content.registry import content_hash, read_content  # noqa: E402
from documents.content.rulesets import subject_of_ruleset  # noqa: E402
from documents.languages import speaking  # noqa: E402
from documents.models import (  # noqa: E402
    FILE_TYPE_OF,
    OPTIONS_OF,
    DocumentKind,
    DocumentOption,
    Language,
    Paper,
    papers_of,
)
from documents.services.parts import print_whole  # noqa: E402
from documents.services.rendering import file_of  # noqa: E402
from rulebook.ruleset import Fate  # noqa: E402
from scripts.prints.hard_cases import CASES  # noqa: E402
from scripts.prints.measures import battle_page_fills  # noqa: E402
from scripts.prints.pictures import draw_pages  # noqa: E402
from scripts.prints.profiles import print_profiles  # noqa: E402
from warbands.models import Fighter, Warband  # noqa: E402

EDITIONS = (
    (Paper.A4, Language.ENGLISH),
    (Paper.LETTER, Language.ENGLISH),
    (Paper.A4, Language.GERMAN),
)
"""Papers and languages. Not every pair is needed: paper and language do not affect each other."""
ALL = tuple(option.value for option in OPTIONS_OF[DocumentKind.ROSTER])
PROFILES = "profiles"
"""The folder of the sheets with the figure of each profile."""


class Wish(NamedTuple):
    """A document: the name of its file, its kind, its subject and its options."""

    name: str
    kind: DocumentKind
    subject: UUID
    options: tuple[str, ...] = ()
    papers: tuple[Paper, ...] = ()
    """The papers on which it is printed in English; those of ``EDITIONS`` if empty."""

    @property
    def editions(self) -> tuple[tuple[Paper, Language], ...]:
        """Papers and languages."""
        if self.papers:
            english = tuple((paper, Language.ENGLISH) for paper in self.papers)
            return (*english, (self.papers[0], Language.GERMAN))
        on_a3 = Paper.A3 in papers_of(self.kind)
        return (*EDITIONS, (Paper.A3, Language.ENGLISH)) if on_a3 else EDITIONS


def wishes(campaign: Campaign) -> Iterator[Wish]:
    """Yield the documents of a campaign.

    These are the campaign, the battle with most sides and its result card, and the career of the
    fighter with most battles; for each warband the roster for the table, the roster with all
    optional parts and the rank-up sheet; a blank roster and the quick reference; the result sheets
    of that battle and of one that is not over; the standings, the fixtures, and the programme of
    the club night with most answers. Of what a club gives away: the certificates of a finished
    campaign, the memorial card of the dead fighter with most battles, and the history of the first
    warband.
    """
    yield Wish("campaign", DocumentKind.CAMPAIGN, campaign.pk)
    battles = campaign.battles.filter(state=BattleState.CONFIRMED).order_by(
        "fought_on", "created_at"
    )
    battle = max(battles, key=lambda each: each.sides.count(), default=None)
    if battle:
        yield Wish("battle", DocumentKind.BATTLE, battle.pk)
        papers = papers_of(DocumentKind.RESULT_CARD)
        yield Wish("result-card", DocumentKind.RESULT_CARD, battle.pk, papers=papers)
    warbands = (
        Warband.objects.filter(enrolments__campaign=campaign)
        .distinct()
        .order_by("enrolments__enrolled_at", "name")
    )
    for place, warband in enumerate(warbands, start=1):
        yield Wish(f"roster-{place}", DocumentKind.ROSTER, warband.pk)
        yield Wish(f"roster-{place}-with-all", DocumentKind.ROSTER, warband.pk, ALL)
        yield Wish(f"rank-ups-{place}", DocumentKind.RANK_UPS, warband.pk)
    veteran = (
        Fighter.objects.filter(warband__in=warbands).order_by("-battles", "-rank", "pk").first()
    )
    if veteran:
        yield Wish("career", DocumentKind.CAREER, veteran.pk)
    ruleset = subject_of_ruleset(campaign.ruleset)
    yield Wish("blank", DocumentKind.BLANK, ruleset)
    yield Wish("quick-reference", DocumentKind.QUICK_REFERENCE, ruleset)
    if battle:
        yield Wish("result-sheet", DocumentKind.RESULT_SHEET, battle.pk)
    unfinished = campaign.battles.filter(state__in=(BattleState.PLANNED, BattleState.UNDER_WAY))
    if ahead := unfinished.order_by("fought_on", "created_at").first():
        yield Wish("result-sheet-ahead", DocumentKind.RESULT_SHEET, ahead.pk)
    yield Wish("standings", DocumentKind.STANDINGS, campaign.pk)
    if Fixture.objects.filter(round__campaign=campaign, bye=False).exists():
        yield Wish("fixtures", DocumentKind.FIXTURES, campaign.pk)
    answered = campaign.club.evenings.annotate(answers=Count("attendances"))
    if evening := answered.order_by("-answers", "starts_at", "pk").first():
        yield Wish("programme", DocumentKind.PROGRAMME, evening.pk)
        names = (DocumentOption.NAMES.value,)
        yield Wish("programme-with-names", DocumentKind.PROGRAMME, evening.pk, names)
    yield from _keepsakes(campaign, warbands)


def _keepsakes(campaign: Campaign, warbands: QuerySet[Warband]) -> Iterator[Wish]:
    """Yield what a club gives away."""
    if campaign.state == CampaignState.FINISHED:
        honours = (DocumentOption.HONOURS.value,)
        yield Wish("certificate", DocumentKind.CERTIFICATE, campaign.pk, honours)
    dead = Fighter.objects.filter(warband__in=warbands, fate=Fate.DEAD)
    fallen = dead.order_by("-battles", "-rank", "pk").first()
    if fallen:
        papers = papers_of(DocumentKind.MEMORIAL)
        yield Wish("memorial", DocumentKind.MEMORIAL, fallen.pk, papers=papers)
    fought = [
        warband
        for warband in warbands
        if Fighter.objects.filter(warband=warband, battles__gt=0).exists()
    ]
    if fought:
        yield Wish("history", DocumentKind.HISTORY, fought[0].pk)


def print_campaign(campaign: Campaign, folder: Path) -> None:
    """Print every document of the campaign in every edition, with its pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for wish in wishes(campaign):
        for paper, language in wish.editions:
            file = folder / f"{wish.name}-{paper}-{language}.pdf"
            with speaking(language):
                content = read_content(wish.kind, wish.subject, wish.options)
                printed = print_whole(
                    content, paper=paper, identifier=content_hash(content, paper, language)[:32]
                )
            file.write_bytes(printed.pdf)
            draw_pages(file)
            if wish.kind in FILE_TYPE_OF:
                drawn = file.with_suffix(f".{FILE_TYPE_OF[wish.kind].extension}")
                drawn.write_bytes(file_of(content, printed))
            print(f"{file}: {printed.pages} page{'' if printed.pages == 1 else 's'}", flush=True)
            if wish.kind == DocumentKind.CAMPAIGN and isinstance(content, CampaignSummary):
                print(f"  {_fullness(content, printed.pdf)}", flush=True)


def _fullness(book: CampaignSummary, pdf: bytes) -> str:
    fills = battle_page_fills(book, pdf)
    mean = sum(fills) / max(len(fills), 1)
    pages = ", ".join(f"{fill:.0%}" for fill in fills)
    return f"The pages of its battles are {mean:.0%} full: {pages}."


def demonstrated() -> Iterator[tuple[str, Callable[[], Campaign]]]:
    """Yield the campaigns of the database."""
    for campaign in Campaign.objects.order_by("created_at"):
        yield slugify(f"{campaign.ruleset}-{campaign.name}"), lambda campaign=campaign: campaign  # type: ignore[misc]


def main(arguments: Sequence[str]) -> None:
    """Print the requested campaigns, or all if none is named."""
    which, folder, *names = arguments
    call_command("migrate", verbosity=0)
    for name, make_campaign in dict(demonstrated()).items() if which == "demo" else CASES.items():
        if not names or name in names:
            print_campaign(make_campaign(), Path(folder) / name)
    if which == "hard-cases" and (not names or PROFILES in names):
        print_profiles(Path(folder) / PROFILES)


if __name__ == "__main__":
    main(sys.argv[1:])
