"""`exports/`: asking for archives, watching them come, fetching them and their tables."""

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
    """The archives that one has asked for. Nobody else sees them."""

    def get_queryset(self) -> QuerySet[Export]:
        return (
            Export.objects.none() if self.drawing_schema else Export.objects.visible_to(self.asker)
        )

    @extend_schema(summary="List one's exports", responses=ExportAnswer)
    def list(self, request: Request) -> Response:
        """The newest first."""
        return self.pages(self.get_queryset(), lambda rows: map(export_answer, rows))

    @extend_schema(
        summary="Ask for an archive",
        request=ExportSerializer,
        responses={202: ExportAnswer},
        examples=[
            OpenApiExample("Club", ASKED, request_only=True),
            OpenApiExample("On its way", QUEUED, response_only=True, status_codes=["202"]),
        ],
    )
    def create(self, request: Request) -> Response:
        """For whoever may change the warband, and for organisers of the campaign or club. Asking
        again while it is on its way is asking once; later it makes a new file in the place of the
        old one."""
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
        summary="Read how far an export is",
        responses=ExportAnswer,
        examples=[OpenApiExample("Ready", READY, response_only=True)],
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """And what is in it, once it is ready."""
        return struct_response(export_answer(self.get_object()))

    @extend_schema(
        summary="Fetch the archive", responses={(200, "application/zip"): OpenApiTypes.BINARY}
    )
    @action(detail=True, methods=["get"])
    def file(self, request: Request, pk: UUID) -> HttpResponseBase:
        """A zip; 409 while there is none, or when its time is over."""
        return file_answer(user=self.asker, export=self.get_object())

    @extend_schema(
        summary="Fetch one table as CSV",
        parameters=[TABLE],
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    @action(detail=True, methods=["get"], url_path="tables/(?P<table>[a-z][a-z-]{0,40})")
    def table(self, request: Request, pk: UUID, table: str) -> HttpResponseBase:
        """The same that lies in the zip."""
        return table_answer(user=self.asker, export=self.get_object(), table=table)
