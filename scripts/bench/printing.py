"""Documents against WeasyPrint alone with the same HTML, and requests for unchanged documents."""

from functools import partial
from uuid import UUID

from weasyprint import HTML

from battles.models import Battle, BattleState
from documents import printing
from documents.content.print_jobs import plans
from documents.content.registry import read_content
from documents.models import Document, DocumentKind, DocumentState
from documents.print_resources import BASE_URL
from documents.services.rendering import render_document
from documents.services.requesting import request_document
from scripts.bench.findings import Finding, at_most_times, unchanged
from scripts.bench.timing import side_by_side
from scripts.bench.world import World

PAPER = "A4"
MAX_TIMES = 1.1


def document_findings(world: World, turns: int) -> list[Finding]:
    """Return the findings for a battle summary, a warband's roster and a campaign book.

    The campaign is small enough to be rendered in one step.
    """
    battle = (
        Battle.objects.filter(campaign=world.campaign, state=BattleState.CONFIRMED)
        .latest("confirmed_at")
        .pk
    )
    documents = {
        "Battle summary": (DocumentKind.BATTLE, battle),
        "Warband roster": (DocumentKind.ROSTER, world.warbands[0].pk),
        "Campaign book": (DocumentKind.CAMPAIGN, world.campaign.pk),
    }
    made = [
        _of_document(what, world, kind, subject, turns)
        for what, (kind, subject) in documents.items()
    ]
    return [*made, _asked_again(world, battle, turns)]


def _of_document(what: str, world: World, kind: DocumentKind, subject: UUID, turns: int) -> Finding:
    document = request_document(user=world.alice, kind=kind, subject=subject)
    html = "".join(printing.markup(plan) for plan in plans(read_content(kind, subject)))
    render, alone = partial(render_document, document.pk), partial(weasyprint_alone, html)
    pair = side_by_side(
        render, alone, turns, warm_up=int(turns > 1), before=partial(_want_anew, document.pk)
    )
    document.refresh_from_db()
    if document.state != DocumentState.READY:
        raise RuntimeError(f"The document is {document.state}.")
    remark = f"{document.pages} pages, {len(html) / 1024:,.0f} KiB of HTML."
    return at_most_times(what, pair, MAX_TIMES, "WeasyPrint", remark)


def _want_anew(document_id: UUID) -> None:
    """Queue the document with all the work for the worker, as if its content had changed."""
    Document.objects.filter(pk=document_id).update(state=DocumentState.QUEUED, content_hash="")


def _render_anew(document_id: UUID) -> None:
    _want_anew(document_id)
    render_document(document_id)


def weasyprint_alone(html: str) -> bytes:
    """Return the PDF of some HTML by the library alone, with assets already loaded."""
    fonts, sheets = printing.equipment_of(html, PAPER)
    source = HTML(string=html, base_url=BASE_URL, url_fetcher=printing.OwnFiles())
    pdf: bytes = source.write_pdf(
        font_config=fonts,
        stylesheets=list(sheets),
        pdf_variant=printing.VARIANT,
        pdf_identifier=b"floor",
    )
    return pdf


def _asked_again(world: World, battle: UUID, turns: int) -> Finding:
    """Return the finding for unchanged content, for which nothing is rendered."""
    ask = partial(request_document, user=world.alice, kind=DocumentKind.BATTLE, subject=battle)
    document = ask()
    pair = side_by_side(ask, partial(_render_anew, document.pk), turns, warm_up=int(turns > 1))
    before = Document.objects.get(pk=document.pk)
    after = ask()
    return unchanged(
        "Asked again, unchanged",
        pair,
        (before.file.name, before.state) == (after.file.name, after.state),
    )
