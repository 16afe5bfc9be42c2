"""`documents/`: request documents, follow their progress, download their files."""

from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_view,
)
from rest_framework import mixins
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from core.api.schema import KEY
from core.api.strict_input import ExactView
from documents.api.serializers import (
    ASKED,
    FAILED,
    QUEUED,
    READY,
    AskSerializer,
    DocumentFilter,
    DocumentSerializer,
)
from documents.downloads import file_answer
from documents.languages import language_of
from documents.models import Document, DocumentKind, DocumentState, Paper
from documents.services.requesting import request_document, retry_document

COMING = OpenApiExample("On its way", QUEUED, response_only=True, status_codes=["202"])
IS_READY = OpenApiExample("Ready", READY, response_only=True, status_codes=["200"])


@extend_schema_view(
    list=extend_schema(summary="List documents"),
    retrieve=extend_schema(
        summary="Read a document's progress",
        examples=[
            OpenApiExample("Ready", READY, response_only=True),
            OpenApiExample("Failed", FAILED, response_only=True),
        ],
    ),
)
class DocumentViewSet(
    ExactView, mixins.ListModelMixin, mixins.RetrieveModelMixin, GenericViewSet[Document]
):
    """Documents you can see. You can print everything that you can see."""

    queryset = Document.objects.none()
    serializer_class = DocumentSerializer
    filterset_class = DocumentFilter
    lookup_value_regex = KEY

    def get_queryset(self) -> QuerySet[Document]:
        if getattr(self, "swagger_fake_view", False):
            return Document.objects.none()
        asker = self.request.user
        return (
            Document.objects.listed_for(asker)
            if self.action == "list"
            else Document.objects.visible_to(asker)
        )

    @extend_schema(
        summary="Request a document",
        request=AskSerializer,
        responses={200: DocumentSerializer, 202: DocumentSerializer},
        examples=[OpenApiExample("Campaign book", ASKED, request_only=True), IS_READY, COMING],
    )
    def create(self, request: Request) -> Response:
        """200 with the document if it is ready and nothing has changed since;

        else 202 while Muster creates it.
        """
        serializer = AskSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        data: dict[str, Any] = serializer.validated_data
        document = request_document(
            user=cast("User", request.user),
            kind=DocumentKind(data["kind"]),
            subject=data["subject"],
            paper=Paper(data["paper"]),
            language=data.get("language") or language_of(request),
            options=data.get("options", ()),
        )
        return _state_of(document)

    @extend_schema(
        summary="Retry a document",
        request=None,
        responses={202: DocumentSerializer},
        examples=[COMING],
    )
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: str) -> Response:
        """For a document that failed, or whose file is missing or damaged; 409 for any other."""
        return _state_of(retry_document(user=cast("User", request.user), document_id=UUID(pk)))

    @extend_schema(
        summary="Download the file",
        parameters=[
            OpenApiParameter(
                "If-None-Match",
                str,
                OpenApiParameter.HEADER,
                description="The ETag of an earlier file.",
            )
        ],
        responses={
            (200, "application/pdf"): OpenApiTypes.BINARY,
            (200, "image/png"): OpenApiTypes.BINARY,
            304: OpenApiResponse(description="The file has not changed."),
        },
    )
    @action(detail=True, methods=["get"])
    def file(self, request: Request, pk: str) -> HttpResponseBase:
        """The PDF, or the PNG of a result card;

        409 while there is none. The last finished one stays available while Muster creates a newer
        one.
        """
        return file_answer(request, self.get_object())


def _state_of(document: Document) -> Response:
    """Return the document: 200 if it is ready, else 202 with the address to poll."""
    status = 200 if document.state == DocumentState.READY else 202
    where = {"Location": reverse("document-detail", args=[document.pk])}
    return Response(DocumentSerializer(document).data, status=status, headers=where)
