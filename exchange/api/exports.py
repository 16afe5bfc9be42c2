"""`exports/`: request archives, follow their progress, download them and their tables."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.views import Endpoint, struct_response
from documents.languages import language_of
from exchange.api.serializers import (
    ASKED,
    QUEUED,
    READY,
    ExportAnswer,
    ExportSerializer,
    export_answer,
)
from exchange.downloads import export_answer as file_answer
from exchange.downloads import table_answer
from exchange.models import ArchiveKind, Export
from exchange.services.exports import request_export

TABLE = OpenApiParameter("table", str, OpenApiParameter.PATH, description="A table of `contents`.")


class ExportViewSet(Endpoint[Export]):
    """Your exports. Nobody else can see them."""

    def get_queryset(self) -> QuerySet[Export]:
        return (
            Export.objects.none() if self.drawing_schema else Export.objects.visible_to(self.asker)
        )

    @extend_schema(summary="List your exports", responses=ExportAnswer)
    def list(self, request: Request) -> Response:
        """Newest first."""
        return self.pages(self.get_queryset(), lambda rows: map(export_answer, rows))

    @extend_schema(
        summary="Request an archive",
        request=ExportSerializer,
        responses={202: ExportAnswer},
        examples=[
            OpenApiExample("Club", ASKED, request_only=True),
            OpenApiExample("On its way", QUEUED, response_only=True, status_codes=["202"]),
        ],
    )
    def create(self, request: Request) -> Response:
        """For everyone who can edit the warband, and for organisers of the campaign or club.

        A repeat during an export is ignored; a later one replaces the file.
        """
        data: dict[str, Any] = self.validated(ExportSerializer, request)
        export = request_export(
            user=self.asker,
            kind=ArchiveKind(data["kind"]),
            subject=data["subject"],
            language=language_of(request),
        )
        response = struct_response(export_answer(export), 202)
        response["Location"] = reverse("export-detail", args=[export.pk])
        return response

    @extend_schema(
        summary="Read an export's progress",
        responses=ExportAnswer,
        examples=[OpenApiExample("Ready", READY, response_only=True)],
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """With its contents, once it is ready."""
        return struct_response(export_answer(self.get_object()))

    @extend_schema(
        summary="Download the archive", responses={(200, "application/zip"): OpenApiTypes.BINARY}
    )
    @action(detail=True, methods=["get"])
    def file(self, request: Request, pk: UUID) -> HttpResponseBase:
        """A zip; 409 while there is none, or after it has expired."""
        return file_answer(user=self.asker, export=self.get_object())

    @extend_schema(
        summary="Download one table as CSV",
        parameters=[TABLE],
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    @action(detail=True, methods=["get"], url_path="tables/(?P<table>[a-z][a-z-]{0,40})")
    def table(self, request: Request, pk: UUID, table: str) -> HttpResponseBase:
        """The same table as in the zip."""
        return table_answer(user=self.asker, export=self.get_object(), table=table)
