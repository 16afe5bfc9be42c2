"""Base class and helpers of this app's endpoints."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from django.db.models import Model, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from core.api import views
from core.compiled_queries import CompiledQuery
from core.errors import NotFound
from core.sent_requests import digest_of
from warbands.models import Fighter, Warband

AnyRow = TypeVar("AnyRow", bound=Model)
WARBAND_KEY = OpenApiParameter(
    "warband_id", OpenApiTypes.UUID, OpenApiParameter.PATH, description="The warband's id."
)


def _warband(key: UUID, user: Any) -> Any:
    rows = Warband.objects.visible_to(user).filter(pk=key)
    return rows.select_related("owner", "keeper").order_by()


def _fighter(key: UUID, user: Any) -> Any:
    rows = Fighter.objects.filter(warband__in=Warband.objects.visible_to(user), pk=key)
    return rows.select_related("warband").order_by()


WARBAND: CompiledQuery[Warband] = CompiledQuery(_warband)
FIGHTER: CompiledQuery[Fighter] = CompiledQuery(_fighter)


class Endpoint(views.Endpoint[AnyRow]):
    """An endpoint about warbands and fighters."""

    def warband(self, warband_id: UUID) -> Warband:
        """The warband, if the asker may see it. Raises NotFound."""
        warband = WARBAND.first(warband_id, self.asker)
        if warband is None:
            raise NotFound("unknown-warband", "Warband not found, or you do not have access.")
        return warband

    def fighter(self, fighter_id: UUID) -> Fighter:
        """The fighter with its warband, if the asker may see that. Raises NotFound."""
        fighter = FIGHTER.first(fighter_id, self.asker)
        if fighter is None:
            raise NotFound("unknown-fighter", "Fighter not found, or you do not have access.")
        return fighter

    def filtered_pages(
        self, rows: QuerySet[Any], show: Callable[[Iterable[Any]], Iterable[msgspec.Struct]]
    ) -> Response:
        """Return one page of the filtered rows, converted to structures by ``show``."""
        return self.pages(self.filter_queryset(rows), show)


def with_digest(operation: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was sent, with a digest of it where it has a ``client_id``: a repeat must be the
    same request.

    What it rests on (``version``, ``sequence``) may differ: a repeat can have read the row again.
    """
    if "client_id" not in data:
        return dict(data)
    content = {
        key: value
        for key, value in data.items()
        if value and key not in ("client_id", "version", "sequence")
    }
    return {**data, "digest": digest_of([operation, content])}
