"""`pictures/`: upload pictures, list, download and remove them."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
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
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from core.api.schema import no_content
from core.api.views import Endpoint
from core.cleaning import field_error
from pictures.api.serializers import (
    PICTURE,
    CaptionSerializer,
    PictureFilter,
    PictureSerializer,
    UploadSerializer,
)
from pictures.downloads import file_answer
from pictures.models import SIZES, Picture
from pictures.services.pictures import add_picture, caption_picture, remove_picture
from pictures.subjects import PictureKind
from pictures.uploads import UploadThrottle

SHOWN = OpenApiExample("Photo", PICTURE, response_only=True)


@extend_schema_view(
    list=extend_schema(summary="List pictures"),
    retrieve=extend_schema(summary="Read a picture", examples=[SHOWN]),
)
class PictureViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, Endpoint[Picture]):
    """Portraits, crests and photos of battles that you can see."""

    serializer_class = PictureSerializer
    filterset_class = PictureFilter

    def get_queryset(self) -> QuerySet[Picture]:
        if self.drawing_schema:
            return Picture.objects.none()
        listed = self.action == "list" and "subject" not in self.request.query_params
        return (
            Picture.objects.listed_for(self.asker)
            if listed
            else Picture.objects.visible_to(self.asker)
        )

    def get_parsers(self) -> list[BaseParser]:
        """Read a picture as a form with a file, everything else as JSON."""
        sends = self.request is not None and self.request.method == "POST"
        return [MultiPartParser()] if sends else super().get_parsers()

    def get_throttles(self) -> list[BaseThrottle]:
        """Count uploads separately."""
        return [*super().get_throttles(), *([UploadThrottle()] if self.action == "create" else [])]

    @extend_schema(
        summary="Upload a picture",
        request={"multipart/form-data": UploadSerializer},
        responses={201: PictureSerializer},
        examples=[OpenApiExample("Uploaded", PICTURE, response_only=True, status_codes=["201"])],
    )
    def create(self, request: Request) -> Response:
        """For everyone who can edit its subject. A portrait or crest replaces the one before."""
        data = self.validated(UploadSerializer, request)
        uploaded, kind = data["file"], PictureKind(data["kind"])
        about = {"size": uploaded.size, "name": uploaded.name, "caption": data["caption"]}
        picture = add_picture(
            user=self.asker, kind=kind, subject=data["subject"], file=uploaded, **about
        )
        return Response(PictureSerializer(picture).data, status=201)

    @extend_schema(
        summary="Change the caption of a photo",
        request=CaptionSerializer,
        responses=PictureSerializer,
        examples=[
            OpenApiExample("Caption", {"caption": PICTURE["caption"]}, request_only=True),
            SHOWN,
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """For everyone who can edit its subject."""
        data: dict[str, Any] = self.validated(CaptionSerializer, request)
        return Response(
            PictureSerializer(caption_picture(user=self.asker, picture_id=pk, **data)).data
        )

    @extend_schema(summary="Remove a picture", request=None, responses=no_content())
    def destroy(self, request: Request, pk: UUID) -> Response:
        """For everyone who can edit its subject. Its files are deleted."""
        remove_picture(user=self.asker, picture_id=pk)
        return Response(status=204)

    @extend_schema(
        summary="Download the file of a picture",
        parameters=[
            OpenApiParameter("size", str, enum=SIZES, default="large"),
            OpenApiParameter(
                "If-None-Match",
                str,
                OpenApiParameter.HEADER,
                description="The ETag of an earlier file.",
            ),
        ],
        responses={
            (200, "image/jpeg"): OpenApiTypes.BINARY,
            (200, "image/webp"): OpenApiTypes.BINARY,
            304: OpenApiResponse(description="The file has not changed."),
        },
    )
    @action(detail=True, methods=["get"])
    def file(self, request: Request, pk: UUID) -> HttpResponseBase:
        """The picture: JPEG, or WebP if it has transparent parts."""
        size = request.query_params.get("size", "large")
        if size not in SIZES:
            sentence = gettext("Unknown size “%(size)s”. Use “small” or “large”.") % {
                "size": size[:40]
            }
            raise field_error("size", "unknown-size", sentence, size[:40])
        return file_answer(request, self.get_object(), size)
