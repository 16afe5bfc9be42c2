"""The processor time of each kind of document but the book, read and printed in this process."""

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import NamedTuple
from uuid import UUID

from battles.models import Battle, BattleState
from campaigns.models import Method
from campaigns.services.campaigns import finish_campaign
from clubs.models import Evening
from documents import printing
from documents.content.print_jobs import plans
from documents.content.registry import read_content
from documents.content.rulesets import subject_of_ruleset
from documents.models import DocumentKind, DocumentOption, papers_of
from documents.services.parts import print_whole
from documents.services.rendering import file_of
from leagues.services.rounds import RoundTerms, make_rounds
from rulebook.ruleset import Fate
from scripts.bench.findings import Finding, at_most_seconds, at_most_times
from scripts.bench.timing import Work, best
from scripts.bench.world import World
from warbands.models import Fighter

SECONDS, FEW_PAGES = 1.0, 2
"""The budget for a document of so few pages. Longer ones have none."""
FLOOR = "one layout"


class Wish(NamedTuple):
    """A document: its kind, its subject and its options."""

    kind: DocumentKind
    subject: UUID
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the kind, with its options."""
        return f"{self.kind.label}{''.join(f', {option}' for option in self.options)}"

    @property
    def paper(self) -> str:
        """The usual paper of the kind."""
        return papers_of(self.kind)[0].value


def print_findings(world: World, turns: int) -> list[Finding]:
    """Return a finding for each kind of print. The campaign of the world is finished after that."""
    return [_of_print(wish, turns) for wish in _wishes(world)]


def _wishes(world: World) -> Iterator[Wish]:
    """Yield a document of each kind but the book."""
    campaign, warband = world.campaign.pk, world.warbands[0].pk
    confirmed = Battle.objects.filter(campaign=campaign, state=BattleState.CONFIRMED)
    battle = confirmed.latest("confirmed_at").pk
    ruleset = subject_of_ruleset(world.campaign.ruleset)
    fighters = Fighter.objects.filter(warband__in=world.warbands).order_by("-battles", "pk")
    yield Wish(DocumentKind.BATTLE, battle)
    yield Wish(DocumentKind.RESULT_CARD, battle)
    yield Wish(DocumentKind.RESULT_SHEET, battle)
    yield Wish(DocumentKind.ROSTER, warband)
    yield Wish(DocumentKind.ROSTER, warband, (DocumentOption.CARDS.value,))
    yield Wish(DocumentKind.RANK_UPS, warband)
    yield Wish(DocumentKind.HISTORY, warband)
    yield Wish(DocumentKind.CAREER, fighters[0].pk)
    if fallen := fighters.filter(fate=Fate.DEAD).first():
        yield Wish(DocumentKind.MEMORIAL, fallen.pk)
    yield Wish(DocumentKind.BLANK, ruleset)
    yield Wish(DocumentKind.QUICK_REFERENCE, ruleset)
    yield Wish(DocumentKind.STANDINGS, campaign)
    terms = RoundTerms(method=Method.ROUND_ROBIN, deadline=date(2026, 2, 1), days=7, seed="1")
    make_rounds(campaign_id=campaign, user=world.alice, terms=terms)
    yield Wish(DocumentKind.FIXTURES, campaign)
    yield Wish(DocumentKind.PROGRAMME, _club_night(world).pk)
    finish_campaign(campaign_id=campaign, user=world.alice)
    yield Wish(DocumentKind.CERTIFICATE, campaign)


def _club_night(world: World) -> Evening:
    starts_at = datetime(2026, 2, 1, 19, tzinfo=UTC)
    return Evening.objects.create(
        club=world.campaign.club,
        starts_at=starts_at,
        ends_at=starts_at + timedelta(hours=4),
        changed_at=starts_at,
        created_by=world.alice,
    )


def _of_print(wish: Wish, turns: int) -> Finding:
    content = read_content(wish.kind, wish.subject, wish.options)
    markups = [printing.markup(plan) for plan in plans(content)]
    pages = print_whole(content, paper=wish.paper, identifier="").pages
    once = partial(_laid_out_once, markups, wish.paper)
    whole, what = partial(_printed, wish), f"Print: {wish.name}"
    if turns > 1:
        whole()
    pair = best([(_processor_time(whole), _processor_time(once)) for _ in range(turns)])
    remark = f"{pages} page{'' if pages == 1 else 's'} of {wish.paper}, processor time."
    if pages > FEW_PAGES:
        return at_most_times(what, pair, None, FLOOR, remark)
    return at_most_seconds(what, pair, SECONDS, FLOOR, remark)


def _processor_time(work: Work) -> float:
    """Return the seconds of processor time, which other processes hardly change."""
    started = time.process_time()
    work()
    return time.process_time() - started


def _printed(wish: Wish) -> bytes:
    content = read_content(wish.kind, wish.subject, wish.options)
    return file_of(content, print_whole(content, paper=wish.paper, identifier=""))


def _laid_out_once(markups: Sequence[str], paper: str) -> None:
    """Lay out the markup once, without a search for the size that fits, and write it."""
    for html in markups:
        layout = printing.rendered(printing.Source(html), html, paper=paper)
        printing.written(layout, identifier="")
