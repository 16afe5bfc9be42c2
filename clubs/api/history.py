"""`clubs/{id}/history/` and `clubs/{id}/history-imports/`: seasons from before Muster."""

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from msgspec import Struct
from rest_framework import mixins, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import Endpoint
from clubs.history_sheets import COLUMNS, LIMITS, ForeignColumn, HistorySheet
from clubs.models import HistoryImport, PastFact, PastKind
from clubs.selectors.history import past_facts
from clubs.services.history import (
    count_history,
    import_history,
    preview_history,
    undo_history_import,
)
from clubs.services.permissions import find
from core.api.schema import no_content, path_key
from core.api.strict_input import ExactSerializer
from core.api.views import struct_response

CLUB_KEY = path_key("club_id", "club")
NAMES = tuple(column.key for column in COLUMNS)
ROW = "Season,Player,Opponent,Score,Opponent's score\n2019,Alice,Bob,12,8"
GERMAN = "Jahr,Wer,Gegner,Wertung\n2019,Alice,Bob,12:8"


class PastFactSerializer(serializers.ModelSerializer[PastFact]):
    """An imported fact. ``member`` and ``opponent_member`` are null for names of no member."""

    imported = serializers.UUIDField(source="batch_id", help_text="The import that it came with.")

    class Meta:
        model = PastFact
        fields = [
            "imported",
            "row",
            "kind",
            "season",
            "day",
            "player",
            "member",
            "warband",
            "score",
            "opponent",
            "opponent_member",
            "opponent_warband",
            "opponent_score",
            "outcome",
            "fighter",
            "note",
        ]
        read_only_fields = fields


class HistoryImportSerializer(serializers.ModelSerializer[HistoryImport]):
    """An import of old seasons. ``number`` is the number of its rows."""

    class Meta:
        model = HistoryImport
        fields = ["id", "club", "made_at", "number", "counted"]
        read_only_fields = fields


class HistorySerializer(ExactSerializer):
    """Old seasons as CSV."""

    csv = serializers.CharField(
        max_length=LIMITS.most_bytes,
        trim_whitespace=False,
        help_text="Headings first; commas, semicolons or tabs.",
    )
    columns = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=40),
        required=False,
        help_text="The name of our column by the heading of a foreign one; empty to ignore it. "
        f"Our columns: {', '.join(NAMES)}.",
    )
    dry_run = serializers.BooleanField(required=False, help_text="Preview it, and write nothing.")

    def validate_columns(self, columns: dict[str, str]) -> dict[str, str]:
        """Return the columns. Refuses a name that none of ours has."""
        for heading, name in columns.items():
            if name not in ("", *NAMES):
                raise serializers.ValidationError(
                    {
                        heading: gettext(
                            "There is no column “%(name)s”. Choose one of: %(names)s. Leave it "
                            "empty to ignore the column."
                        )
                        % {"name": name, "names": ", ".join(NAMES)}
                    }
                )
        return columns


class CountedSerializer(ExactSerializer):
    """The switch for imported results in the all-time records of the club."""

    counted = serializers.BooleanField()


class HistoryPreview(Struct, frozen=True):
    """Preview of an import: the numbers of facts by kind, and the mapping of foreign columns.

    ``strangers`` are the names of players who are not members. ``repeated`` is the number of rows
    that the club has imported already; they would count twice.
    """

    results: int
    champions: int
    deaths: int
    members: int
    seasons: tuple[str, ...]
    foreign: tuple[ForeignColumn, ...]
    strangers: tuple[str, ...]
    repeated: int


def history_preview(sheet: HistorySheet) -> HistoryPreview:
    """Return the preview of a spreadsheet."""
    kinds = [fact.kind for fact in sheet.facts]
    return HistoryPreview(
        results=kinds.count(PastKind.RESULT),
        champions=kinds.count(PastKind.CHAMPION),
        deaths=kinds.count(PastKind.DEATH),
        members=kinds.count(PastKind.MEMBER),
        seasons=tuple(dict.fromkeys(fact.season for fact in sheet.facts if fact.season)),
        foreign=sheet.foreign,
        strangers=sheet.strangers,
        repeated=sheet.repeated,
    )


class PastFactFilter(django_filters.FilterSet):
    """Filters of imported facts."""

    class Meta:
        model = PastFact
        fields = ["kind", "season"]


@extend_schema_view(
    list=extend_schema(summary="List imported facts of old seasons", parameters=[CLUB_KEY])
)
class HistoryViewSet(mixins.ListModelMixin, Endpoint[PastFact]):
    """Results, champions, deaths and members that the club imported from before Muster."""

    serializer_class = PastFactSerializer
    filterset_class = PastFactFilter

    def get_queryset(self) -> QuerySet[PastFact]:
        return PastFact.objects.none() if self.drawing_schema else past_facts(self.club())


@extend_schema_view(
    list=extend_schema(summary="List imports of old seasons", parameters=[CLUB_KEY])
)
class ClubHistoryImportViewSet(mixins.ListModelMixin, Endpoint[HistoryImport]):
    """Imports of old seasons into a club."""

    serializer_class = HistoryImportSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[HistoryImport]:
        if self.drawing_schema:
            return HistoryImport.objects.none()
        return self.club().history_imports.all()

    @extend_schema(
        summary="Import old seasons",
        parameters=[CLUB_KEY],
        request=HistorySerializer,
        responses={200: HistoryPreview, 201: HistoryImportSerializer},
        examples=[
            OpenApiExample("A result", {"csv": ROW, "dry_run": True}, request_only=True),
            OpenApiExample(
                "Foreign headings",
                {"csv": GERMAN, "columns": {"Jahr": "season", "Wer": "player"}},
                request_only=True,
            ),
        ],
    )
    def create(self, request: Request, club_id: UUID) -> Response:
        """Import everything or nothing. Each error names its `cell`. Deleting it is the undo."""
        data = self.validated(HistorySerializer, request)
        arguments: dict[str, Any] = {
            "club_id": club_id,
            "user": self.asker,
            "content": data["csv"],
            "columns": data.get("columns"),
        }
        if data.get("dry_run"):
            return struct_response(history_preview(preview_history(**arguments)))
        made = import_history(**arguments)
        return Response(self.get_serializer(made).data, status=201)


class HistoryImportViewSet(Endpoint[HistoryImport]):
    """An import of old seasons, for the organisers of its club."""

    serializer_class = HistoryImportSerializer

    def get_queryset(self) -> QuerySet[HistoryImport]:
        return HistoryImport.objects.visible_to(self.asker)

    @extend_schema(
        summary="Count imported results in the records, or not",
        request=CountedSerializer,
        responses=HistoryImportSerializer,
        examples=[
            OpenApiExample("Exclude them from records", {"counted": False}, request_only=True)
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """The switch is the same for all imports of the club."""
        data = self.validated(CountedSerializer, request)
        batch = find(self.get_queryset(), pk, "history-import")
        count_history(club_id=batch.club_id, user=self.asker, counted=data["counted"])
        return self.answer(pk)

    @extend_schema(summary="Undo an import of old seasons", request=None, responses=no_content())
    def destroy(self, request: Request, pk: UUID) -> Response:
        """Delete the import with all its facts."""
        undo_history_import(import_id=pk, user=self.asker)
        return Response(status=204)
