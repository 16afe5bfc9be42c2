"""URLs of pictures."""

from django.urls import path

from pictures import views
from pictures.models import SIZES
from pictures.subjects import PictureKind

app_name = "pictures"

urlpatterns = [
    *(path(f"pictures/<uuid:pk>/{size}/", views.file, {"size": size}, name=size) for size in SIZES),
    path("pictures/<uuid:pk>/caption/", views.caption, name="caption"),
    path("pictures/<uuid:pk>/remove/", views.remove, name="remove"),
    *(
        path(
            f"{kind.value}s/<uuid:pk>/pictures/",
            views.pictures,
            {"kind": kind.value},
            name=f"of-{kind.value}",
        )
        for kind in PictureKind
    ),
]
