"""The content of each kind of document, who may see it, and its hash."""

import hashlib
from collections.abc import Callable, Collection, Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Evening
from core.errors import NotFound
from core.users import User
from documents.content.battles import battle_content
from documents.content.blank_roster import blank_content
from documents.content.campaign_posters import fixtures_content, standings_content
from documents.content.campaigns import campaign_content
from documents.content.careers import career_content
from documents.content.certificates import certificate_content
from documents.content.documents import AnyContent, encoded
from documents.content.memorial_cards import memorial_card_content
from documents.content.programmes import programme_content
from documents.content.quick_references import quick_reference_content
from documents.content.rank_ups import rank_ups_content
from documents.content.result_cards import result_card_content
from documents.content.result_sheets import result_sheet_content
from documents.content.rosters import roster_content
from documents.content.rulesets import ruleset_of
from documents.content.warband_books import warband_book_content
from documents.models import (
    OPTIONS_OF,
    SUBJECT_OF,
    Document,
    DocumentKind,
    DocumentOption,
    Language,
    SubjectKind,
)
from documents.template_fingerprint import edition
from warbands.models import Fighter, Warband

READERS: dict[DocumentKind, Callable[[Any], AnyContent]] = {
    DocumentKind.CAREER: career_content,
    DocumentKind.BATTLE: battle_content,
    DocumentKind.RANK_UPS: rank_ups_content,
    DocumentKind.BLANK: blank_content,
    DocumentKind.RESULT_CARD: result_card_content,
    DocumentKind.MEMORIAL: memorial_card_content,
    DocumentKind.HISTORY: warband_book_content,
    DocumentKind.QUICK_REFERENCE: quick_reference_content,
    DocumentKind.RESULT_SHEET: result_sheet_content,
    DocumentKind.STANDINGS: standings_content,
    DocumentKind.FIXTURES: fixtures_content,
}
READERS_WITH_OPTIONS: dict[DocumentKind, Callable[[Any, Collection[str]], AnyContent]] = {
    DocumentKind.CAMPAIGN: campaign_content,
    DocumentKind.ROSTER: roster_content,
    DocumentKind.CERTIFICATE: certificate_content,
    DocumentKind.PROGRAMME: programme_content,
}


def subjects(about: SubjectKind) -> QuerySet[Any]:
    """Return all subjects of such documents, with the rows that their content needs.

    Rule systems have no rows; see ``ruleset_of``.
    """
    match about:
        case SubjectKind.CAMPAIGN:
            return Campaign.objects.select_related("club")
        case SubjectKind.FIGHTER:
            return Fighter.objects.select_related("warband__owner")
        case SubjectKind.BATTLE:
            return Battle.objects.select_related("campaign").prefetch_related("revisions")
        case SubjectKind.EVENING:
            return Evening.objects.select_related("club")
        case _:
            return Warband.objects.select_related("owner")


def systems_of(documents: Iterable[Document]) -> dict[UUID, str]:
    """Return the key of each document's rule system, by the documents' ids.

    One query for each kind of subject.
    """
    grouped: dict[SubjectKind, dict[UUID, UUID]] = {}
    for document in documents:
        about = SUBJECT_OF[DocumentKind(document.kind)]
        grouped.setdefault(about, {})[document.pk] = document.subject
    systems: dict[UUID, str] = {}
    for pk, subject in grouped.pop(SubjectKind.RULESET, {}).items():
        if rules := ruleset_of(subject):
            systems[pk] = rules.key
    # A club night has no rule system: its campaigns may have several.
    grouped.pop(SubjectKind.EVENING, None)
    for about, subject_by_pk in grouped.items():
        column = "warband__ruleset" if about == SubjectKind.FIGHTER else "ruleset"
        rows = (
            subjects(about)
            .order_by()
            .filter(pk__in=set(subject_by_pk.values()))
            .values_list("pk", column)
        )
        system_by_subject = dict(rows)
        systems |= {
            pk: system_by_subject[subject]
            for pk, subject in subject_by_pk.items()
            if subject in system_by_subject
        }
    return systems


def may_see(user: User, kind: DocumentKind, subject: UUID) -> bool:
    """Return whether the user may see what a document would show and so may request it."""
    about = SUBJECT_OF[kind]
    if about == SubjectKind.RULESET:
        return ruleset_of(subject) is not None
    if about == SubjectKind.FIGHTER:
        return Warband.objects.visible_to(user).filter(fighters=subject).exists()
    return bool(subjects(about).model.objects.visible_to(user).filter(pk=subject).exists())


def options_for(user: User, kind: DocumentKind, subject: UUID) -> tuple[DocumentOption, ...]:
    """Return the options that the user may choose for a document. One query at most.

    Only members of a club may print the names of those who are going to its nights.
    """
    options = OPTIONS_OF.get(kind, ())
    if DocumentOption.NAMES not in options:
        return options
    reads_names = Evening.objects.with_names_for(user).filter(pk=subject).exists()
    return tuple(each for each in options if each != DocumentOption.NAMES or reads_names)


def read_content(kind: DocumentKind, subject: UUID, options: Collection[str] = ()) -> AnyContent:
    """Return the present content in the active language, with a fixed number of queries.

    ``options`` are values of ``DocumentOption``. Raises NotFound (`subject-gone`) if the subject
    does not exist, and InvalidInput (`nothing-to-print`).
    """
    about = SUBJECT_OF[kind]
    row: Any = (
        ruleset_of(subject)
        if about == SubjectKind.RULESET
        else subjects(about).filter(pk=subject).first()
    )
    if row is None:
        raise NotFound("subject-gone", gettext("The subject of this document no longer exists."))
    if reader := READERS_WITH_OPTIONS.get(kind):
        return reader(row, options)
    return READERS[kind](row)


def content_hash(content: AnyContent, paper: str, language: str = Language.ENGLISH) -> str:
    """Return 64 hex digits for a content, paper, language and edition of the printed page."""
    looks = (edition().encode(), paper.encode(), language.encode())
    return hashlib.sha256(b"\0".join((*looks, encoded(content)))).hexdigest()
