"""`warbands/{id}/spreadsheet/` and `warbands/from-spreadsheet/`: rosters as CSV, out and in."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.inputs import field_for
from core.api.strict_input import ExactSerializer
from core.api.views import struct_response
from core.csv_files import MAX_BYTES
from warbands.api.base import WARBAND_KEY, Endpoint, with_digest
from warbands.api.examples import FROM_SPREADSHEET, SPREADSHEET, SPREADSHEET_PREVIEW, WARBAND_PAGE
from warbands.downloads import csv_answer
from warbands.models import Warband
from warbands.rulebook_values import read_state
from warbands.selectors.spreadsheets import SpreadsheetPreview, preview_new, preview_spreadsheet
from warbands.selectors.warband_page import WarbandPage, warband_page
from warbands.services.locking import ReasonedChange, expect_editor
from warbands.services.spreadsheets import import_spreadsheet, muster_from_spreadsheet
from warbands.services.warbands import NewWarband
from warbands.spreadsheets.writing import written_roster

ONCE = "Sent again, it makes nothing twice; with another request it is refused."


class PreviewSerializer(ExactSerializer):
    """A roster as CSV."""

    csv = serializers.CharField(
        max_length=MAX_BYTES,
        trim_whitespace=False,
        help_text="Headings first; commas, semicolons or tabs.",
    )
    in_place = serializers.BooleanField(
        required=False, help_text="It is the whole roster: fighters not in it are removed."
    )


class ImportSerializer(PreviewSerializer):
    """A roster as CSV, with the expected version."""

    client_id = serializers.UUIDField(required=False, help_text=ONCE)
    version = serializers.IntegerField(
        min_value=0, required=False, help_text="The draft's version as you read it, else 409."
    )
    sequence = field_for(ReasonedChange, "sequence")


class NewPreviewSerializer(ExactSerializer):
    """A new warband, and its roster as CSV."""

    ruleset = field_for(NewWarband, "ruleset")
    faction = field_for(NewWarband, "faction")
    name = field_for(NewWarband, "name")
    csv = serializers.CharField(
        max_length=MAX_BYTES,
        trim_whitespace=False,
        help_text="Headings first; commas, semicolons or tabs.",
    )


class NewSerializer(NewPreviewSerializer):
    """A new warband with the roster of a spreadsheet."""

    visibility = field_for(NewWarband, "visibility")
    kept = field_for(NewWarband, "kept")
    client_id = serializers.UUIDField(required=False, help_text=ONCE)


PREVIEW = OpenApiExample("Preview", SPREADSHEET_PREVIEW, response_only=True)


@extend_schema(parameters=[WARBAND_KEY])
class SpreadsheetViewSet(Endpoint[Warband]):
    """The roster of a warband as a spreadsheet."""

    queryset = Warband.objects.none()
    filter_backends = []
    pagination_class = None

    @extend_schema(
        summary="Download a roster as CSV",
        operation_id="warbands_spreadsheet_retrieve",
        responses={(200, "text/csv"): OpenApiTypes.STR},
    )
    def list(self, request: Request, warband_id: UUID) -> HttpResponse:
        """CSV with a row for each present fighter. Importing it gives the same roster."""
        warband = self.warband(warband_id)
        return csv_answer(written_roster(read_state(warband)), warband.name)

    @extend_schema(
        summary="Import a roster from CSV",
        request=ImportSerializer,
        responses=WarbandPage,
        examples=[
            OpenApiExample("Two join", SPREADSHEET, request_only=True),
            OpenApiExample("Warband", WARBAND_PAGE, response_only=True),
        ],
    )
    def create(self, request: Request, warband_id: UUID) -> Response:
        """Import everything, with the unsaved changes of the draft, or nothing. Each error names
        its `cell`."""
        data = self.validated(ImportSerializer, request)
        import_spreadsheet(
            warband_id=warband_id, user=self.asker, **with_digest("spreadsheet", data)
        )
        return struct_response(warband_page(self.warband(warband_id), self.asker))

    @extend_schema(
        summary="Preview an import",
        request=PreviewSerializer,
        responses=SpreadsheetPreview,
        examples=[OpenApiExample("Two would join", SPREADSHEET, request_only=True), PREVIEW],
    )
    @action(detail=False, methods=["post"])
    def preview(self, request: Request, warband_id: UUID) -> Response:
        """Preview the roster with its points and problems. Saves nothing."""
        data = self.validated(PreviewSerializer, request)
        warband = self.warband(warband_id)
        expect_editor(warband, self.asker)
        return struct_response(preview_spreadsheet(warband, **data)[0])


class FromSpreadsheetViewSet(Endpoint[Warband]):
    """New warbands from spreadsheets."""

    queryset = Warband.objects.none()
    filter_backends = []
    pagination_class = None

    @extend_schema(
        summary="Create a warband from CSV",
        request=NewSerializer,
        responses={201: WarbandPage},
        examples=[
            OpenApiExample("A warband of two", FROM_SPREADSHEET, request_only=True),
            OpenApiExample("Created", WARBAND_PAGE, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request) -> Response:
        """Create the warband with its whole roster, or nothing."""
        data: dict[str, Any] = self.validated(NewSerializer, request)
        warband = muster_from_spreadsheet(user=self.asker, **with_digest("from-spreadsheet", data))
        return struct_response(warband_page(self.warband(warband.pk), self.asker), 201)

    @extend_schema(
        summary="Preview a warband from CSV",
        request=NewPreviewSerializer,
        responses=SpreadsheetPreview,
        examples=[OpenApiExample("A warband of two", FROM_SPREADSHEET, request_only=True), PREVIEW],
    )
    @action(detail=False, methods=["post"])
    def preview(self, request: Request) -> Response:
        """Preview the roster with its points and problems. Saves nothing."""
        return struct_response(preview_new(**self.validated(NewPreviewSerializer, request))[0])
