"""The rows that a user's list of documents shows."""

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet

from battles.models import Battle
from campaigns.models import Campaign
from core.compiled_queries import CompiledIds
from core.row_versions import Rows, RowVersions
from core.views import PAGE_SIZE
from documents.models import Document
from warbands.models import Warband

FIRST_DOCUMENTS_ROWS = RowVersions()
"""Of the first page of the list."""


def first_documents(user: Any) -> "QuerySet[Document]":
    """Return the documents of the first page of a user's list, and one more."""
    return Document.objects.concerning(user)[: PAGE_SIZE + 1]


@partial(CompiledIds, others=("subject", "asked_by"))
def _first_ids(user: Any) -> QuerySet[Any, Any]:
    return first_documents(user).values("pk", "subject", "asked_by")


@FIRST_DOCUMENTS_ROWS.add
def of_first_documents(key: UUID, reader: int) -> Rows:
    """Return the documents of the first page, and the subjects that have a rule system."""
    # The documents are read once: each of these columns comes from the same rows.
    subjects = _first_ids(User(pk=reader), "subject")
    return (
        Document.objects.filter(pk__in=_first_ids(User(pk=reader))),
        Campaign.objects.filter(pk__in=subjects),
        Battle.objects.filter(pk__in=subjects),
        Warband.objects.filter(pk__in=subjects),
        Warband.objects.filter(fighters__in=subjects),
        User.objects.filter(pk__in=_first_ids(User(pk=reader), "asked_by")),
    )
