"""Input and output of the endpoints of pictures."""

from typing import Any

import django_filters
from django.urls import reverse
from rest_framework import serializers

from core.api.inputs import field_for, serializer_class
from core.api.strict_input import ExactSerializer
from pictures.models import Picture
from pictures.services.pictures import NewCaption, NewPicture
from pictures.subjects import PictureKind

PICTURE: dict[str, Any] = {
    "id": "7d0f6f0e-0c55-4d55-8a1c-0d6a3a0f8f11",
    "kind": "battle",
    "subject": "5b0d8f0a-1d4b-4f40-9a9e-7a2c0c1d9f10",
    "caption": "The mill, just before it burnt",
    "large": "/api/v1/pictures/7d0f6f0e-0c55-4d55-8a1c-0d6a3a0f8f11/file/?size=large",
    "large_width": 1600,
    "large_height": 1200,
    "small": "/api/v1/pictures/7d0f6f0e-0c55-4d55-8a1c-0d6a3a0f8f11/file/?size=small",
    "small_width": 480,
    "small_height": 360,
    "digest": "6f2704c9a3d15b8e7c60f1d2a94be85306f2704c9a3d15b8e7c60f1d2a94be85",
    "added_at": "2030-01-31T22:10:00Z",
}


class PictureSerializer(serializers.ModelSerializer[Picture]):
    """A picture. `large` and `small` are the addresses of its files; sizes are in pixels."""

    large = serializers.SerializerMethodField(
        help_text="Address of the large file, its longest edge at most 1,600."
    )
    small = serializers.SerializerMethodField(
        help_text="Address of the small file, its longest edge at most 480."
    )
    digest = serializers.CharField(read_only=True, help_text="SHA-256 of the large file.")

    class Meta:
        model = Picture
        fields = [
            "id",
            "kind",
            "subject",
            "caption",
            "large",
            "large_width",
            "large_height",
            "small",
            "small_width",
            "small_height",
            "digest",
            "added_at",
        ]
        read_only_fields = fields

    def get_large(self, picture: Picture) -> str:
        return f"{reverse('picture-file', args=[picture.pk])}?size=large"

    def get_small(self, picture: Picture) -> str:
        return f"{reverse('picture-file', args=[picture.pk])}?size=small"


class UploadSerializer(ExactSerializer):
    """A new picture, as `multipart/form-data`."""

    kind = field_for(NewPicture, "kind")
    subject = field_for(NewPicture, "subject")
    file = serializers.FileField(
        help_text="JPEG, PNG or WebP, at most 10 MB and 50 million pixels."
    )
    caption = field_for(NewPicture, "caption")


CaptionSerializer = serializer_class(NewCaption, name="CaptionSerializer")


class PictureFilter(django_filters.FilterSet):
    """Filters of pictures."""

    kind = django_filters.ChoiceFilter(choices=PictureKind.choices)

    class Meta:
        model = Picture
        fields = ["kind", "subject"]
