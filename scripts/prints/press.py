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
from django.utils.text import slugify  # noqa: E402

from battles.models import BattleState  # noqa: E402
from campaigns.models import Campaign  # noqa: E402
from documents.content.blank_roster import blank_subject  # noqa: E402
from documents.content.registry import content_hash, read_content  # noqa: E402
from documents.languages import speaking  # noqa: E402
from documents.models import DocumentKind, Language, Paper, RosterOption  # noqa: E402
from documents.services.parts import print_whole  # noqa: E402
from scripts.prints.hard_cases import CASES  # noqa: E402
from scripts.prints.pictures import draw_pages  # noqa: E402
from warbands.models import Fighter, Warband  # noqa: E402

EDITIONS = (
    (Paper.A4, Language.ENGLISH),
    (Paper.LETTER, Language.ENGLISH),
    (Paper.A4, Language.GERMAN),
)
"""Papers and languages. Not every pair is needed: paper and language do not affect each other."""
ALL = tuple(RosterOption.values)


class Wish(NamedTuple):
    """A document: the name of its file, its kind, its subject and its options."""

    name: str
    kind: DocumentKind
    subject: UUID
    options: tuple[str, ...] = ()


def wishes(campaign: Campaign) -> Iterator[Wish]:
    """Yield the documents of a campaign.

    These are the campaign, the battle with most sides, and the career of the fighter with most
    battles; for each warband the roster for the table, the roster with all optional parts and the
    rank-up sheet; and a blank roster.
    """
    yield Wish("campaign", DocumentKind.CAMPAIGN, campaign.pk)
    battles = campaign.battles.filter(state=BattleState.CONFIRMED).order_by(
        "fought_on", "created_at"
    )
    battle = max(battles, key=lambda each: each.sides.count(), default=None)
    if battle:
        yield Wish("battle", DocumentKind.BATTLE, battle.pk)
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
    yield Wish("blank", DocumentKind.BLANK, blank_subject(campaign.ruleset))


def print_campaign(campaign: Campaign, folder: Path) -> None:
    """Print every document of the campaign in every edition, with its pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, kind, subject, options in wishes(campaign):
        for paper, language in EDITIONS:
            file = folder / f"{name}-{paper}-{language}.pdf"
            with speaking(language):
                content = read_content(kind, subject, options)
                printed = print_whole(
                    content, paper=paper, identifier=content_hash(content, paper, language)[:32]
                )
            file.write_bytes(printed.pdf)
            draw_pages(file)
            print(f"{file}: {printed.pages} page{'' if printed.pages == 1 else 's'}", flush=True)


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


if __name__ == "__main__":
    main(sys.argv[1:])
