"""`imports/`: upload archives, preview them, match people, import them."""

from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from core.api.views import Endpoint, struct_response
from documents.languages import language_of
from exchange.api.serializers import (
    CHECKED,
    PEOPLE,
    RUNNING,
    UPLOADED,
    ArchiveUploadSerializer,
    ImportAnswer,
    ImportRow,
    PeopleSerializer,
    import_answer,
    import_row,
)
from exchange.downloads import ArchiveThrottle
from exchange.models import Import
from exchange.services.imports import carry_out, choose_people, upload_archive

BEING_CHECKED = OpenApiExample("Being checked", UPLOADED, response_only=True, status_codes=["202"])


class ImportViewSet(Endpoint[Import]):
    """Your imports. Nobody else can see them."""

    upload_limit = "ARCHIVE_LIMIT"

    def get_queryset(self) -> QuerySet[Import]:
        return (
            Import.objects.none() if self.drawing_schema else Import.objects.visible_to(self.asker)
        )

    def get_parsers(self) -> list[BaseParser]:
        """Read an archive as a form with a file, everything else as JSON."""
        sends = self.request is not None and self.request.method == "POST" and not self.detail
        return [MultiPartParser()] if sends else super().get_parsers()

    def get_throttles(self) -> list[BaseThrottle]:
        """Count uploads separately."""
        return [*super().get_throttles(), *([ArchiveThrottle()] if self.action == "create" else [])]

    @extend_schema(summary="List your imports", responses=ImportRow)
    def list(self, request: Request) -> Response:
        """Newest first."""
        return self.pages(self.get_queryset(), lambda rows: map(import_row, rows))

    @extend_schema(
        summary="Upload an archive",
        request={"multipart/form-data": ArchiveUploadSerializer},
        responses={202: ImportAnswer},
        examples=[BEING_CHECKED],
    )
    def create(self, request: Request) -> Response:
        """Muster checks the archive and keeps it for a day. Nothing is imported yet."""
        uploaded = self.validated(ArchiveUploadSerializer, request)["file"]
        kwargs = {
            "size": uploaded.size,
            "name": uploaded.name or "",
            "language": language_of(request),
        }
        return self._on_its_way(upload_archive(user=self.asker, file=uploaded, **kwargs))

    @extend_schema(
        summary="Read an import's preview or result",
        responses=ImportAnswer,
        examples=[OpenApiExample("Checked", CHECKED, response_only=True)],
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """`people` of the preview lists the people you can match with accounts here."""
        return struct_response(import_answer(self.get_object()))

    @extend_schema(
        summary="Match people with accounts",
        request=PeopleSerializer,
        responses={202: ImportAnswer},
        examples=[OpenApiExample("Bob is bob", PEOPLE, request_only=True), BEING_CHECKED],
    )
    @action(detail=True, methods=["post"])
    def people(self, request: Request, pk: UUID) -> Response:
        """Muster checks the archive again with these people."""
        data = self.validated(PeopleSerializer, request)
        return self._on_its_way(choose_people(user=self.asker, import_id=pk, **data))

    @extend_schema(
        summary="Import what the preview shows",
        request=None,
        responses={202: ImportAnswer},
        examples=[
            OpenApiExample("Being imported", RUNNING, response_only=True, status_codes=["202"])
        ],
    )
    @action(detail=True, methods=["post"], url_path="carry-out")
    def carry_out(self, request: Request, pk: UUID) -> Response:
        """Everything or nothing; nothing either if the result would differ from the preview."""
        return self._on_its_way(carry_out(user=self.asker, import_id=pk))

    def _on_its_way(self, brought: Import) -> Response:
        response = struct_response(import_answer(brought), 202)
        response["Location"] = reverse("import-detail", args=[brought.pk])
        return response
