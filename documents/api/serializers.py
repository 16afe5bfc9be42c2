"""Input and output of the endpoints of documents."""

from typing import Any

import django_filters
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.inputs import field_for
from core.api.strict_input import ExactSerializer
from core.inputs import fields_of
from documents.content.rulesets import subject_of_ruleset
from documents.languages import language_named
from documents.models import (
    SUBJECT_OF,
    Document,
    DocumentKind,
    DocumentOption,
    DocumentState,
    Language,
    Paper,
    SubjectKind,
    default_paper,
)
from documents.services.requesting import DocumentRequest
from rulebook.registry import rulesets

ASKED: dict[str, Any] = {
    "kind": "campaign",
    "subject": "5b0d8f0a-1d4b-4f40-9a9e-7a2c0c1d9f10",
    "paper": "A4",
    "language": "en",
}
READY: dict[str, Any] = {
    "id": "c1f7a1de-52c4-4c62-8f0a-3c4a4f0b7e21",
    "kind": "campaign",
    "subject": ASKED["subject"],
    "paper": "A4",
    "language": "en",
    "options": [],
    "title": "The Long Winter",
    "state": "ready",
    "progress": 100,
    "failure": "",
    "pages": 36,
    "size": 449658,
    "content_hash": "6f2704c9a3d15b8e7c60f1d2a94be85306f2704c9a3d15b8e7c60f1d2a94be85",
    "file": "/api/v1/documents/c1f7a1de-52c4-4c62-8f0a-3c4a4f0b7e21/file/",
    "asked_at": "2030-01-31T20:00:00Z",
    "started_at": "2030-01-31T20:00:01Z",
    "finished_at": "2030-01-31T20:00:07Z",
}
QUEUED: dict[str, Any] = READY | {
    "title": "",
    "state": "queued",
    "progress": 0,
    "pages": 0,
    "size": 0,
    "content_hash": "",
    "file": None,
    "started_at": None,
    "finished_at": None,
}
FAILED: dict[str, Any] = QUEUED | {
    "state": "failed",
    "failure": "The subject of this document no longer exists.",
    "finished_at": "2030-01-31T20:00:02Z",
}


class DocumentSerializer(serializers.ModelSerializer[Document]):
    """A document. `file` is its address, or null until the first one is finished."""

    file = serializers.SerializerMethodField(
        help_text="Address of the file; the last finished one stays available."
    )
    options = serializers.ListField(
        source="chosen", child=serializers.ChoiceField(DocumentOption.choices), read_only=True
    )
    failure = serializers.CharField(read_only=True, help_text="Reason for the failure.")

    class Meta:
        model = Document
        fields = [
            "id",
            "kind",
            "subject",
            "paper",
            "language",
            "options",
            "title",
            "state",
            "progress",
            "failure",
            "pages",
            "size",
            "content_hash",
            "file",
            "asked_at",
            "started_at",
            "finished_at",
        ]
        read_only_fields = fields

    @extend_schema_field({"type": ["string", "null"], "format": "uri-reference"})
    def get_file(self, document: Document) -> str | None:
        return reverse("document-file", args=[document.pk]) if document.file else None


class LanguageField(serializers.ChoiceField):
    """A language of documents. An unknown one is refused with the list of languages."""

    def to_internal_value(self, data: object) -> Language:
        return language_named(data)


class AskSerializer(ExactSerializer):
    """A request for a document: kind, subject, paper and language."""

    kind = field_for(DocumentRequest, "kind")
    subject = field_for(DocumentRequest, "subject")
    ruleset = serializers.ChoiceField(
        [(rules.key, rules.name) for rules in rulesets()],
        required=False,
        help_text="The rule system of a blank roster or quick reference, instead of the subject.",
    )
    paper = field_for(DocumentRequest, "paper")
    # A refusal has a code of its own and names the languages, which the declared field does not.
    language = LanguageField(
        Language.choices, required=False, help_text=fields_of(DocumentRequest)["language"].words.api
    )
    options = field_for(DocumentRequest, "options")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Use the rule system as the subject of documents about it, and a paper of the kind."""
        of_ruleset = SUBJECT_OF[attrs["kind"]] == SubjectKind.RULESET
        if of_ruleset and "ruleset" in attrs:
            attrs["subject"] = subject_of_ruleset(attrs["ruleset"])
        if "paper" not in self.initial_data:
            attrs["paper"] = default_paper(attrs["kind"])
        if "subject" not in attrs:
            field = "ruleset" if of_ruleset else "subject"
            raise serializers.ValidationError({field: "This field is required."}, code="required")
        return attrs


class DocumentFilter(django_filters.FilterSet):
    """Filters of documents."""

    kind = django_filters.ChoiceFilter(choices=DocumentKind.choices)
    state = django_filters.ChoiceFilter(choices=DocumentState.choices)
    paper = django_filters.ChoiceFilter(choices=Paper.choices)
    language = django_filters.ChoiceFilter(choices=Language.choices)
    ordering = django_filters.OrderingFilter(fields=["asked_at", "finished_at", "title", "size"])

    class Meta:
        model = Document
        fields = ["kind", "subject", "paper", "language", "state"]
