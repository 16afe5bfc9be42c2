"""`warbands/{id}/chronicle/` and `ledger/`: events and experience."""

from uuid import UUID

import django_filters
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from warbands.api.base import WARBAND_KEY, Endpoint
from warbands.api.examples import CHRONICLE_LINE, LEDGER_ROW
from warbands.models import ChronicleEntry, ExperienceEntry
from warbands.selectors.chronicle_log import (
    ChronicleLine,
    LedgerRow,
    ledger_entries,
    ledger_lines,
    warband_history,
)


class ChronicleFilter(django_filters.FilterSet):
    """Filters of entries."""

    kind = django_filters.CharFilter(label="Kind of fact: recruited, fought, ranked-up ...")
    subject = django_filters.UUIDFilter(label="Id of the battle or campaign")
    after = django_filters.NumberFilter(
        field_name="sequence", lookup_expr="gt", label="After this entry"
    )
    ordering = django_filters.OrderingFilter(fields=["sequence"])

    class Meta:
        model = ChronicleEntry
        fields: list[str] = []


class LedgerFilter(django_filters.FilterSet):
    """Filters of lines."""

    fighter = django_filters.UUIDFilter(label="Id of the fighter")
    code = django_filters.CharFilter(label="Code of the award")
    ordering = django_filters.OrderingFilter(fields=["sequence", "amount"])

    class Meta:
        model = ExperienceEntry
        fields: list[str] = []


@extend_schema(parameters=[WARBAND_KEY])
class ChronicleViewSet(Endpoint[ChronicleEntry]):
    """The history of a warband as text, newest first."""

    queryset = ChronicleEntry.objects.none()
    filterset_class = ChronicleFilter

    @extend_schema(
        summary="Read a warband's history",
        responses=ChronicleLine,
        examples=[OpenApiExample("A battle", CHRONICLE_LINE, response_only=True)],
    )
    def list(self, request: Request, warband_id: UUID) -> Response:
        """Each entry with its author, its time and the seal that chains it to the one before."""
        history = warband_history(self.warband(warband_id))
        return self.filtered_pages(history.entries, history.read)


@extend_schema(parameters=[WARBAND_KEY])
class LedgerViewSet(Endpoint[ExperienceEntry]):
    """The experience log of a warband, newest first."""

    queryset = ExperienceEntry.objects.none()
    filterset_class = LedgerFilter

    @extend_schema(
        summary="Read a warband's experience log",
        responses=LedgerRow,
        examples=[OpenApiExample("An award", LEDGER_ROW, response_only=True)],
    )
    def list(self, request: Request, warband_id: UUID) -> Response:
        """Each line with its reason, the rule behind it and the entry that it comes from."""
        return self.filtered_pages(ledger_entries(self.warband(warband_id)), ledger_lines)
