"""The content of each kind of document, who may see it, and its hash."""

import hashlib
from collections.abc import Callable, Collection, Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext

from battles.models import Battle
from campaigns.models import Campaign
from core.errors import NotFound
from core.users import User
from documents.content.battles import battle_content
from documents.content.blank_roster import blank_content, ruleset_of_blank
from documents.content.campaigns import campaign_content
from documents.content.careers import career_content
from documents.content.documents import AnyContent, encoded
from documents.content.rank_ups import rank_ups_content
from documents.content.rosters import roster_content
from documents.models import Document, DocumentKind, Language
from documents.template_fingerprint import edition
from warbands.models import Fighter, Warband

READERS: dict[DocumentKind, Callable[[Any], AnyContent]] = {
    DocumentKind.CAMPAIGN: campaign_content,
    DocumentKind.CAREER: career_content,
    DocumentKind.BATTLE: battle_content,
    DocumentKind.RANK_UPS: rank_ups_content,
}


def subjects(kind: DocumentKind) -> QuerySet[Any]:
    """Return all subjects of a kind of document, with the rows that its content needs."""
    match kind:
        case DocumentKind.CAMPAIGN:
            return Campaign.objects.select_related("club")
        case DocumentKind.CAREER:
            return Fighter.objects.select_related("warband__owner")
        case DocumentKind.BATTLE:
            return Battle.objects.select_related("campaign").prefetch_related("revisions")
        case _:
            return Warband.objects.select_related("owner")


def systems_of(documents: Iterable[Document]) -> dict[UUID, str]:
    """Return the key of each document's rule system, by the documents' ids.

    One query for each kind.
    """
    by_kind: dict[DocumentKind, dict[UUID, UUID]] = {}
    for document in documents:
        by_kind.setdefault(DocumentKind(document.kind), {})[document.pk] = document.subject
    systems: dict[UUID, str] = {}
    for blank, subject in by_kind.pop(DocumentKind.BLANK, {}).items():
        if rules := ruleset_of_blank(subject):
            systems[blank] = rules.key
    for kind, subject_of in by_kind.items():
        column = "warband__ruleset" if kind == DocumentKind.CAREER else "ruleset"
        rows = (
            subjects(kind)
            .order_by()
            .filter(pk__in=set(subject_of.values()))
            .values_list("pk", column)
        )
        system_of = dict(rows)
        systems |= {
            document: system_of[subject]
            for document, subject in subject_of.items()
            if subject in system_of
        }
    return systems


def may_see(user: User, kind: DocumentKind, subject: UUID) -> bool:
    """Return whether the user may see what a document would show and so may request it."""
    if kind == DocumentKind.BLANK:
        return ruleset_of_blank(subject) is not None
    if kind == DocumentKind.CAREER:
        return Warband.objects.visible_to(user).filter(fighters=subject).exists()
    return bool(subjects(kind).model.objects.visible_to(user).filter(pk=subject).exists())


def read_content(kind: DocumentKind, subject: UUID, options: Collection[str] = ()) -> AnyContent:
    """Return the present content in the active language, with a fixed number of queries.

    ``options`` apply to rosters only. Raises NotFound (`subject-gone`) if the subject does not
    exist, and InvalidInput (`nothing-to-print`).
    """
    row: Any = (
        ruleset_of_blank(subject)
        if kind == DocumentKind.BLANK
        else subjects(kind).filter(pk=subject).first()
    )
    if row is None:
        raise NotFound("subject-gone", gettext("The subject of this document no longer exists."))
    if kind == DocumentKind.BLANK:
        return blank_content(row)
    return roster_content(row, options) if kind == DocumentKind.ROSTER else READERS[kind](row)


def content_hash(content: AnyContent, paper: str, language: str = Language.ENGLISH) -> str:
    """Return 64 hex digits for a content, paper, language and edition of the printed page."""
    looks = (edition().encode(), paper.encode(), language.encode())
    return hashlib.sha256(b"\0".join((*looks, encoded(content)))).hexdigest()
