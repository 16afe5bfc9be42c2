"""Pictures in the admin site: support can view them, and remove unacceptable ones."""

from collections.abc import Iterator
from contextlib import suppress

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.admin import LargeTable
from pictures.models import Picture
from pictures.services.files import forget_pictures
from pictures.subjects import PictureKind


@admin.register(Picture)
class PictureAdmin(LargeTable, admin.ModelAdmin):
    """Read-only, except that pictures can be deleted with their files."""

    list_display = ("__str__", "kind", "subject", "added_by", "added_at", "page")
    list_filter = ("kind", "added_at")
    search_fields = ("pk", "added_by__username__istartswith")
    search_help_text = "Id of a picture or of what it shows, name of an account"
    list_select_related = ("added_by",)
    ordering = ("-added_at", "pk")

    def matches(self, word: str) -> Iterator[QuerySet[Picture]]:
        """Yield also the pictures of the battle, club, warband or fighter with this id."""
        yield from super().matches(word)
        with suppress(ValidationError):
            yield Picture.objects.filter(kind__in=PictureKind.values, subject=word)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Picture | None = None) -> bool:
        return False

    @admin.display(description="shows")
    def page(self, picture: Picture) -> SafeString:
        """Return a link to the picture, which only users who may see its subject can open."""
        return format_html(
            '<a href="{}">{}</a>', reverse("pictures:large", args=[picture.pk]), picture.kind
        )

    @transaction.atomic
    def delete_model(self, request: HttpRequest, obj: Picture) -> None:
        forget_pictures([obj])

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Picture]) -> None:
        forget_pictures(queryset)
